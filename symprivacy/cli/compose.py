"""The guarantee of several runs, of a group, or of k-fold pure privacy exactly."""

from __future__ import annotations

import argparse
from typing import Any

from symprivacy.cli import options
from symprivacy.errors import InputError

EPILOG = """examples:
  symprivacy compose DP --at eps=3 --times 100 --delta 1e-6        the exact eps of 100 runs
  symprivacy compose DP --at eps=1/10 --times 50 --eps2 1          the exact delta of 50 runs
  symprivacy compose GDP --at mu=3 --at mu=4                       parameters of two runs
  symprivacy compose ZCDP --at rho=1/2 --group 3                   inputs that three steps join

exit codes: 0 answered, 2 bad input"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("notion", metavar="NOTION", help="DP, ADP, RDP, ZCDP, GDP or RB")
    parser.add_argument(
        "--at", nargs="+", action="append", default=[], metavar="NAME=VALUE", help="parameters of one run; repeatable"
    )
    parser.add_argument("--times", type=options.positive, default=1, metavar="K", help="the run is repeated K times")
    parser.add_argument("--group", type=options.positive, metavar="N", help="neighbours are N steps apart")
    parser.add_argument("--delta", metavar="VALUE", help="answer the exact eps of K runs of DP at this delta")
    parser.add_argument("--eps2", metavar="VALUE", help="answer the exact delta of K runs of DP or ADP at this eps")
    parser.add_argument("--digits", type=options.digits, default=30, metavar="N", help="digits; default 30")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    parts = [_read(group) for group in args.at]
    found = _exact(args, parts) if args.delta is not None or args.eps2 is not None else _parameters(args, parts)
    if args.json:
        print(options.to_line({"notion": args.notion, "times": args.times, **found}))
    elif "lo" in found:
        print(f"{found['answers']} in [{found['lo']}, {found['hi']}]")
    else:
        print(", ".join(f"{name} = {number}" for name, number in found["parameters"].items()))
    return 0


def _read(group: list[str]) -> dict[str, str]:
    at = {}
    for word in group:
        name, equals, number = word.strip().partition("=")
        if not equals or name in at:
            raise InputError(f"expected NAME=VALUE, each name once, got {word[:40]!r}")
        at[name] = number
    return at


def _exact(args: argparse.Namespace, parts: list[dict[str, str]]) -> dict[str, Any]:
    from symprivacy.conversions.composition import delta_of_composition, eps_of_composition

    if args.delta is not None and args.eps2 is not None:
        raise InputError("give --delta or --eps2, not both")
    wanted = {"DP": {"eps"}, "ADP": {"eps", "delta"}}.get(args.notion)
    if len(parts) != 1 or wanted is None or set(parts[0]) != wanted or args.group or (args.delta and len(wanted) > 1):
        raise InputError("exact composition takes DP (--delta or --eps2) or ADP (--eps2), one --at and --times")
    if args.delta is not None:
        lo, hi = eps_of_composition(parts[0]["eps"], args.times, args.delta, args.digits)
        return {"answers": "eps", "lo": lo, "hi": hi}
    lo, hi = delta_of_composition(parts[0]["eps"], args.times, args.eps2, args.digits, parts[0].get("delta", "0"))
    return {"answers": "delta", "lo": lo, "hi": hi}


def _parameters(args: argparse.Namespace, parts: list[dict[str, str]]) -> dict[str, Any]:
    from symprivacy.conversions.composition import group, sequential

    if not parts:
        raise InputError("no parameters; give --at NAME=VALUE ...")
    if len(parts) * args.times > 100_000:
        raise InputError(f"{len(parts) * args.times} runs are too many")
    found: dict[str, object] = dict(parts[0])
    if len(parts) * args.times > 1:
        found = sequential(args.notion, parts * args.times)
    if args.group is not None:
        found = group(args.notion, found, args.group)
    elif len(parts) * args.times == 1:
        raise InputError("one run only; give --times, --group or a second --at")
    return {"parameters": {name: str(number) for name, number in found.items()}}
