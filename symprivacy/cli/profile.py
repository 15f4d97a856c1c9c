"""The level of a mechanism under every notion that needs no further parameter."""

from __future__ import annotations

import argparse
from typing import Any

from symprivacy.cli import options
from symprivacy.cli.values import read_mechanism
from symprivacy.errors import SymPrivacyError

EPILOG = """example:
  symprivacy profile rr.json --json

exit codes: 0 success, 2 bad input"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("mechanism", metavar="MECH.json", help="the mechanism as JSON; - reads stdin")
    parser.add_argument("--digits", type=options.digits, default=15, metavar="N", help="digits of the values")
    parser.add_argument("--json", action="store_true", help="print one JSON object per notion")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from symprivacy.mechanisms import profile

    rows: list[dict[str, Any]] = []
    for key, found in profile(read_mechanism(args.mechanism)).items():
        if isinstance(found, SymPrivacyError):
            rows.append({"notion": key, "error": str(found)})
        else:
            rows.append(found.to_dict(args.digits))
    if args.json:
        for row in rows:
            print(options.to_line(row))
        return 0
    width = max(len(row["notion"]) for row in rows)
    for row in rows:
        text = row.get("error") or f"{row['level']:<40}  {row['value'] or ''}"
        print(f"{row['notion']:<{width}}  {text}".rstrip())
    return 0
