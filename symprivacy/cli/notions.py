"""List the privacy notions with their parameters and dimensions, or the table of the SoK."""

from __future__ import annotations

import argparse

from symprivacy.cli import options
from symprivacy.errors import InputError

EPILOG = """examples:
  symprivacy notions
  symprivacy notions --dimension Q --composable
  symprivacy notions --sok --axioms
  symprivacy notions --disagreements
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
    parser.add_argument("--axioms", action="store_true", help="only those known to satisfy both privacy axioms")
    parser.add_argument("--sok", action="store_true", help="all notions of the SoK's summary table, with relations")
    parser.add_argument(
        "--disagreements", action="store_true", help="what that table says and mechanisms, or its own text, deny"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per notion")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    letters = args.dimension.upper()
    if not frozenset(letters) <= frozenset("QNVBFRC"):
        raise InputError(f"--dimension takes letters of QNVBFRC, got {args.dimension[:20]!r}")
    if args.disagreements:
        return _disagreements(args)
    if args.sok:
        return _table(args, letters)
    from symprivacy.notions import Holds, all_notions

    rows = [
        {
            "key": n.key,
            "name": n.name,
            "parameters": [p.name for p in n.parameters],
            "dimensions": "".join(d for d in "QNVBFRC" if d in n.dimensions),
            "source": n.source,
        }
        for notion in all_notions()
        for n in (notion, *([notion.read("forward")] if notion.one_order is not None else []))
        if frozenset(letters) <= n.dimensions
        and (not args.composable or n.holds("composition") is Holds.YES)
        and (not args.axioms or n.holds("post-processing") is n.holds("convexity") is Holds.YES)
    ]
    if args.json:
        for row in rows:
            print(options.to_line(row))
        return 0
    from symprivacy.render import terminal

    shown = [(f"`{row['key']}({', '.join(row['parameters'])})`", row["dimensions"], row["name"]) for row in rows]
    terminal.table(["notion", "changes", "name"], shown, whole=frozenset([0, 1]))
    return 0


def _table(args: argparse.Namespace, letters: str) -> int:
    from symprivacy.atlas.taxonomy import rows
    from symprivacy.render import terminal

    shown = []
    for row in rows(letters, args.composable, args.axioms):
        record = {
            "key": row.key,
            "name": row.name,
            "parameters": list(row.parameters),
            "references": list(row.references),
            "dimensions": row.dimensions,
            "post_processing": row.post_processing.value,
            "convexity": row.convexity.value,
            "composition": row.composition.value,
            "relations": [str(relation) for relation in row.relations],
            "notion": row.notion,
        }
        if args.json:
            print(options.to_line(record))
        else:
            shown.append((row.key, row.dimensions, row.notion or "", row.name, "; ".join(map(str, row.relations))))
    if shown:
        terminal.table(["key", "changes", "here", "name", "relations"], shown, whole=frozenset([0, 1, 2]))
    return 0


def _disagreements(args: argparse.Namespace) -> int:
    from symprivacy.atlas.axioms import disagreements
    from symprivacy.render import terminal

    for one in disagreements():
        if args.json:
            print(options.to_line({"where": one.where, "says": one.says, "found": one.found}))
        else:
            terminal.say(str(one))
    return 0
