"""Show on which subintervals A < B, A = B and A > B, with the crossing points enclosed; every sign is proved."""

from __future__ import annotations

import argparse
from typing import Any

from symprivacy.cli import options
from symprivacy.cli.time_limit import GRACE, TimeUp, time_limit

EPILOG = """example:
  symprivacy compare "1/2 - 1/(exp(eps)+1)" "eps/6" --on "eps in (0, 5]"

exit codes: 0 every sign is settled, 3 some part is undecided, 2 bad input"""


# Which option writes files of which ending.
OUT = {".json": "save"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    options.add_arithmetic(parser)
    parser.add_argument("a", metavar="A", help="an expression of one variable")
    parser.add_argument("b", metavar="B", help="another one")
    options.add_domain(parser)
    options.add_output(parser)
    options.add_digits(parser, "each crossing")
    parser.add_argument(
        "--save", type=options.file, metavar="FILE", help="write the certificate, for 'symprivacy check FILE'"
    )


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from symprivacy.search.api import compare, one_range
    from symprivacy.search.inputs import read_expression

    _, r = one_range(args.on, read_expression(args.a), read_expression(args.b))
    try:
        with time_limit(args.timeout + GRACE):
            found = compare(args.a, args.b, args.on, args.digits, args.timeout)
    except TimeUp:
        result: dict[str, Any] = {"pieces": [{"interval": r.to_json(), "sign": "?"}], "crossings": []}
    else:
        result = found.to_json()
        if args.save and found.certificate is not None:
            options.save(found.certificate, args.save)
    if args.json:
        print(options.to_line(result))
    else:
        _print(result, args.a.strip(), args.b.strip(), args.shown)
    return 3 if any(piece["sign"] == "?" for piece in result["pieces"]) or not result["pieces"] else 0


def _print(result: dict[str, Any], a: str, b: str, digits: int) -> None:
    from symprivacy.render import terminal

    rows = []
    for piece in result["pieces"]:
        lo, hi, lo_open, hi_open = piece["interval"]
        ends = [terminal.short(end) for end in (lo, hi)]
        span = f"{'(' if lo_open else '['}{ends[0]}, {ends[1]}{')' if hi_open else ']'}"
        where = f"at `{ends[0]}`" if lo == hi else f"on `{span}`"
        said = terminal.coloured("undecided") if piece["sign"] == "?" else f"`{a} {piece['sign']} {b}`"
        rows.append((where, said))
    terminal.fields(rows)
    for kind, points in (("they cross", result["crossings"]), ("they touch", result.get("touches", []))):
        for point in points:
            exact = point.get("exact", point["lo"] if point["lo"] == point["hi"] else None)
            inside = terminal.enclosure(point["lo"], point["hi"], digits)
            terminal.say(f"{kind} " + (f"at `{terminal.short(exact)}`" if exact else f"once, at a point {inside}"))
    for point in result.get("jumps", []):
        terminal.say(f"the order changes by a jump at `{terminal.short(point)}`")
    if result.get("reason"):
        terminal.say(f"note: {result['reason']}")
