"""The unsettled pairs of notions, those first whose answer would say most about others."""

from __future__ import annotations

import argparse
import sys

from symprivacy.cli import options

EPILOG = """example:
  symprivacy wanted --json

exit codes: 0 success, 2 bad input"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--json", action="store_true", help="print one JSON object per pair")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from symprivacy.atlas import wanted

    found = wanted()
    if not found:
        print("every ordered pair is settled at the reference parameters", file=sys.stderr)
    for one in found:
        record = one.to_json()
        if args.json:
            print(options.to_line(record))
            continue
        at = ", ".join(f"{name} = {text}" for name, text in record["at"].items())
        print(
            f"{record['from']} => {record['to']}: {record['status']}, between {record['lo']} and {record['hi']} at {at}"
        )
        for way in ("if_bounded", "if_refuted"):
            if record[way]:
                print(f"  {way.replace('_', ' ')}, so are {', '.join(record[way])}")
        if record["note"]:
            print(f"  {record['note']}")
    return 0
