"""Draw who implies whom: classes of equivalent notions and the arrows between them, as DOT, SVG or PNG."""

from __future__ import annotations

import argparse

from symprivacy.cli import options
from symprivacy.errors import InputError

EPILOG = """examples:
  symprivacy graph > atlas.dot
  symprivacy graph --svg atlas.svg
  symprivacy graph --stated --dimension Q --png order.png

exit codes: 0 success, 2 bad input"""


# Which option writes files of which ending.
OUT = {".svg": "svg", ".png": "png"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--stated", action="store_true", help="the order that the table of the SoK states instead")
    parser.add_argument("--dimension", metavar="LETTERS", default="", help="with --stated: only these dimensions")
    parser.add_argument("--svg", type=options.file, metavar="FILE", help="write a picture; no other program is needed")
    parser.add_argument("--png", type=options.file, metavar="FILE", help="write a picture; needs matplotlib")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from symprivacy.atlas.strength import implications, stated_order
    from symprivacy.cli.matrix import write
    from symprivacy.render.diagram import scene
    from symprivacy.render.dot import dot
    from symprivacy.render.scene import to_png, to_svg

    letters = args.dimension.upper()
    if not frozenset(letters) <= frozenset("QNVBFRC") or (letters and not args.stated):
        raise InputError(f"--dimension takes letters of QNVBFRC, with --stated; got {args.dimension[:20]!r}")
    diagram = stated_order(letters) if args.stated else implications()
    if args.json:
        print(options.to_line({"dot": dot(diagram)}))
    elif not args.svg and not args.png:
        print(dot(diagram), end="")
    if args.svg:
        write(args.svg, to_svg(scene(diagram)).encode())
    if args.png:
        write(args.png, to_png(scene(diagram)))
    return 0
