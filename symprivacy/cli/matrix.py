"""Every ordered pair of notions: a tight formula, impossible, a certified gap, or open."""

from __future__ import annotations

import argparse
from pathlib import Path

from symprivacy.cli import options
from symprivacy.errors import InputError

EPILOG = """examples:
  symprivacy matrix
  symprivacy matrix --only DP KL TV --latex
  symprivacy matrix --only DP KL tCDP "KL[forward]"
  symprivacy matrix --json > matrix.jsonl
  symprivacy matrix --html matrix.html --svg matrix.svg

formulas are in the source's parameters; numbers are at the reference parameters given in "at"

exit codes: 0 success, 2 bad input"""


# Which option writes files of which ending.
OUT = {".html": "html", ".svg": "svg", ".png": "png", ".md": "report", ".tex": "report", ".pdf": "report"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--only", nargs="+", metavar="KEY", help="only these rows and columns")
    parser.add_argument("--json", action="store_true", help="print one JSON object per pair")
    parser.add_argument("--latex", action="store_true", help="print a LaTeX tabular")
    parser.add_argument("--html", type=options.file, metavar="FILE", help="write a page with every formula")
    parser.add_argument("--report", type=options.file, metavar="FILE", help="write a report: .html, .md, .tex or .pdf")
    parser.add_argument("--svg", type=options.file, metavar="FILE", help="write a picture")
    parser.add_argument("--png", type=options.file, metavar="FILE", help="write a picture; needs matplotlib")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from symprivacy.atlas import matrix
    from symprivacy.atlas.matrix import line

    if args.report:
        from symprivacy.render.matrix import write_matrix
        from symprivacy.render.report import check_path

        check_path(args.report)
    found = matrix(args.only)
    written = False
    if args.report:
        write_matrix(found, args.report)
        written = True
    if args.html or args.svg or args.png or args.latex:
        from symprivacy.render import table
        from symprivacy.render.scene import to_png, to_svg

        if args.latex:
            print(table.latex(found))
        written = True
        if args.html:
            write(args.html, table.html(found).encode())
        if args.svg:
            write(args.svg, to_svg(table.scene(found)).encode())
        if args.png:
            write(args.png, to_png(table.scene(found)))
    if args.json:
        for cell in found:
            print(options.to_line(line(cell)))
    elif not written:
        from symprivacy.render import terminal

        terminal.verbatim(str(found))
        for cell in found.unsettled:
            at = ", ".join(f"`{name} = {text}`" for name, text in cell.at.items())
            inside = terminal.enclosure(cell.lo or "0", cell.hi or "oo")
            terminal.say(f"{cell.source} => {cell.target}: {inside} at {at}" + (f"; {cell.note}" if cell.note else ""))
    return 0


def write(path: str, content: bytes) -> None:
    """Write a file; an error is one line."""
    try:
        Path(path).write_bytes(content)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot write {path[:80]!r}: {getattr(error, 'strerror', None) or error}") from None
