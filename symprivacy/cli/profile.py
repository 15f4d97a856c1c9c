"""The level of a mechanism under every notion that needs no further parameter, and which conversions are tight on it.

Given two mechanisms: which notions order them which way."""

from __future__ import annotations

import argparse
from typing import Any

from symprivacy.cli import options
from symprivacy.cli.values import read_mechanism, read_subject
from symprivacy.errors import SymPrivacyError

EPILOG = """examples:
  symprivacy profile rr.json --json
  symprivacy profile rr.json other.json
  symprivacy profile "laplace(b)"

exit codes: 0 success, 2 bad input"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("mechanism", metavar="MECH", help="a mechanism as JSON (- reads stdin), or such as laplace(2)")
    parser.add_argument("other", metavar="OTHER.json", nargs="?", help="a second mechanism to compare with")
    options.add_digits(parser, "the values", 15)
    parser.add_argument("--levels-only", action="store_true", help="do not look for conversions that are tight on it")
    parser.add_argument("--json", action="store_true", help="print one JSON object per notion")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    if args.other is not None:
        return _compare(args)
    from symprivacy.mechanisms import Family, MechanismLevel, profile

    mechanism = read_subject(args.mechanism)
    table = profile(mechanism)
    tight: dict[str, tuple[str, ...]] = {}
    if not args.levels_only and not isinstance(mechanism, Family):
        from symprivacy.atlas.contrast import tight_on

        tight = tight_on(mechanism, {key: found for key, found in table.items() if isinstance(found, MechanismLevel)})
    rows: list[dict[str, Any]] = []
    for key, found in table.items():
        if isinstance(found, SymPrivacyError):
            rows.append({"notion": key, "error": str(found)})
        else:
            rows.append(found.to_dict(args.digits) | ({"tight_to": list(tight[key])} if key in tight else {}))
    if args.json:
        for row in rows:
            print(options.to_line(row))
        return 0
    from symprivacy.render import terminal

    shown = []
    for key, found in table.items():
        if isinstance(found, SymPrivacyError):
            shown.append((key, "", str(found)))
            continue
        row = found.to_dict(args.digits)
        name = terminal.formula(row["parameter"])
        value = f"= {terminal.exact(found.value, args.shown)}"
        shown.append((key, name, value if found.exact else terminal.enclosure(row["lo"], row["hi"], args.shown)))
    terminal.table(["notion", "level", ""], shown, whole=frozenset([0, 1]))
    for key, targets in tight.items():
        if targets:
            terminal.say(f"tight on it: {key} => {', '.join(targets)}")
    return 0


def _compare(args: argparse.Namespace) -> int:
    from symprivacy.atlas.contrast import contrast

    found = contrast(read_mechanism(args.mechanism), read_mechanism(args.other))
    if args.json:
        print(options.to_line(found.to_json()))
    else:
        from symprivacy.render import terminal

        terminal.say(*str(found).splitlines())
        terminal.say("the notions disagree" if found.differently else "no two notions disagree")
    return 0
