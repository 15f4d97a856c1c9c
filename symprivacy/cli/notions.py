"""List the privacy notions with their parameters and dimensions."""

from __future__ import annotations

import argparse

from symprivacy.cli import options
from symprivacy.errors import InputError

EPILOG = """examples:
  symprivacy notions
  symprivacy notions --dimension Q --composable
  symprivacy show SP

dimensions (SoK): Q quantification of loss, N neighbourhood, V variation of loss, B background knowledge,
F formalism, R relativisation of knowledge gain, C computational power

exit codes: 0 success, 2 bad input"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "--dimension", metavar="LETTERS", default="", help="only those that change all these, such as QB"
    )
    parser.add_argument("--composable", action="store_true", help="only notions known to compose")
    parser.add_argument("--json", action="store_true", help="print one JSON object per notion")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from symprivacy.notions import Holds, all_notions

    wanted = frozenset(args.dimension.upper())
    if not wanted <= frozenset("QNVBFRC"):
        raise InputError(f"--dimension takes letters of QNVBFRC, got {args.dimension[:20]!r}")
    rows = [
        {
            "key": n.key,
            "name": n.name,
            "parameters": [p.name for p in n.parameters],
            "dimensions": "".join(d for d in "QNVBFRC" if d in n.dimensions),
            "source": n.source,
        }
        for n in all_notions()
        if wanted <= n.dimensions and (not args.composable or n.holds("composition") is Holds.YES)
    ]
    for row in rows:
        if args.json:
            print(options.to_line(row))
        else:
            call = f"{row['key']}({', '.join(row['parameters'])})"
            print(f"{call:<20} {row['dimensions']:<4} {row['name']}")
    return 0
