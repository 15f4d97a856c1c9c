"""Draw which posteriors a notion allows at each prior, for several notions side by side."""

from __future__ import annotations

import argparse

from symprivacy.cli import options
from symprivacy.errors import InputError

EPILOG = """examples:
  symprivacy beliefs DP PMP AdvPr MBP --at "eps=log(3),delta=1/20,xi=log(3)" --svg figure2.svg
  symprivacy beliefs SP --at eta=1/5

without --svg or --png the bounds are printed as expressions in the prior p

exit codes: 0 success, 2 bad input"""


# Which option writes files of which ending.
OUT = {".svg": "svg", ".png": "png"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("notions", nargs="+", metavar="NOTION", help="notions about posteriors, such as DP PMP SP")
    options.add_at(parser)
    parser.add_argument("--svg", type=options.file, metavar="FILE", help="write a picture; no other program is needed")
    parser.add_argument("--png", type=options.file, metavar="FILE", help="write a picture; needs matplotlib")
    parser.add_argument("--json", action="store_true", help="print one JSON object per notion")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from symprivacy.atlas.beliefs import region
    from symprivacy.cli.matrix import write
    from symprivacy.cli.values import parameters
    from symprivacy.language.spelled import spelled
    from symprivacy.notions import get
    from symprivacy.render import terminal
    from symprivacy.render.beliefs import scene
    from symprivacy.render.scene import to_png, to_svg

    at = parameters(args.at)
    known = {p.name for key in args.notions for p in get(key).parameters}
    extra = [name for name in at if name not in known]
    if extra:
        raise InputError(f"none of these notions has a parameter {extra[0]!r}")
    regions = [region(key, at) for key in args.notions]
    if args.svg:
        write(args.svg, to_svg(scene(regions)).encode())
    if args.png:
        write(args.png, to_png(scene(regions)))
    for one in regions if args.json or not (args.svg or args.png) else ():
        record = {"notion": one.notion, "at": dict(one.at), "lower": str(one.lower), "upper": str(one.upper)}
        if args.json:
            print(options.to_line(record))
        else:
            bounds = f"{spelled(one.lower)} <= q <= {spelled(one.upper)}"
            terminal.say(f"{terminal.formula(one.label)}: `{bounds}`")
    return 0
