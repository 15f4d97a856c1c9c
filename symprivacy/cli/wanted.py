"""The unsettled pairs of notions, those first whose answer would say most about others."""

from __future__ import annotations

import argparse
import sys

from symprivacy.cli import options

EPILOG = """example:
  symprivacy wanted --json

exit codes: 0 success, 2 bad input"""


_WAYS = ("if_bounded", "if_refuted")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--json", action="store_true", help="print one JSON object per pair")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from symprivacy.atlas import wanted
    from symprivacy.render import terminal

    found = wanted()
    if not found:
        print("every ordered pair is settled at the reference parameters", file=sys.stderr)
    for one in found:
        record = one.to_json()
        if args.json:
            print(options.to_line(record))
            continue
        at = ", ".join(f"`{name} = {text}`" for name, text in record["at"].items())
        terminal.say(f"{record['from']} => {record['to']} at {at}")
        rows = [
            ("status", terminal.coloured(record["status"])),
            ("level", terminal.enclosure(record["lo"], record["hi"])),
        ]
        rows += [(way.replace("_", " "), f"so are {', '.join(record[way])}") for way in _WAYS if record[way]]
        terminal.fields([*rows, *([("note", record["note"])] if record["note"] else [])])
    return 0
