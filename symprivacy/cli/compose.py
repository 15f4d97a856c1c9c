"""The guarantee of several runs, of a group, or after sampling; runs of pure and approximate privacy exactly."""

from __future__ import annotations

import argparse
from typing import Any

from symprivacy.cli import options
from symprivacy.errors import InputError

EPILOG = """examples:
  symprivacy compose DP --at eps=3 --times 100 --delta 1e-6        the exact eps of 100 runs
  symprivacy compose DP --at eps=1/10 --times 50 --eps2 1          the exact delta of 50 runs
  symprivacy compose ADP --at eps=1 delta=1e-9 --at eps=2 delta=0 --delta 1e-6    different runs
  symprivacy compose GDP --at mu=3 --at mu=4                       parameters of two runs
  symprivacy compose ZCDP --at rho=1/2 --group 3                   inputs that three steps join
  symprivacy compose DP --at eps=1 --sampled 1/100                 on a random hundredth of the records

exit codes: 0 answered, 2 bad input"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("notion", metavar="NOTION", help="DP, ADP, RDP, ZCDP, GDP, RB; TV with --sampled")
    parser.add_argument(
        "--at", nargs="+", action="append", default=[], metavar="NAME=VALUE", help="parameters of one run; repeatable"
    )
    parser.add_argument("--times", type=options.positive, default=1, metavar="K", help="the run is repeated K times")
    parser.add_argument("--group", type=options.positive, metavar="N", help="neighbours are N steps apart")
    parser.add_argument(
        "--sampled", metavar="RATE", help="each record takes part with this probability; neighbours add or remove one"
    )
    parser.add_argument("--delta", metavar="VALUE", help="answer the exact eps of all runs of DP or ADP at this delta")
    parser.add_argument("--eps2", metavar="VALUE", help="answer the exact delta of all runs of DP or ADP at this eps")
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
    from symprivacy.conversions.runs import Runs, delta_of_runs, eps_of_runs

    if args.delta is not None and args.eps2 is not None:
        raise InputError("give --delta or --eps2, not both")
    wanted = {"DP": {"eps"}, "ADP": {"eps", "delta"}}.get(args.notion)
    if wanted is None or any(set(part) != wanted for part in parts) or args.group or args.sampled:
        raise InputError(
            "--delta and --eps2 take runs of DP (--at eps=...) or ADP (--at eps=... delta=...) and --times"
        )
    runs = Runs.of(parts, args.times)
    if args.delta is not None:
        lo, hi = eps_of_runs(runs, args.delta, args.digits)
        return {"answers": "eps", "lo": lo, "hi": hi}
    lo, hi = delta_of_runs(runs, args.eps2, args.digits)
    return {"answers": "delta", "lo": lo, "hi": hi}


def _parameters(args: argparse.Namespace, parts: list[dict[str, str]]) -> dict[str, Any]:
    from symprivacy.conversions.composition import group, sampled, sequential

    if not parts:
        raise InputError("no parameters; give --at NAME=VALUE ...")
    count = len(parts) * args.times
    if count > 100_000:
        raise InputError(f"{count} runs are too many, expected at most 100000")
    if count == 1 and args.group is None and args.sampled is None:
        raise InputError("one run only; give --times, --group, --sampled or a second --at")
    # Each run draws its own sample, so sampling comes first.
    runs: list[dict[str, object]] = [
        sampled(args.notion, part, args.sampled) if args.sampled is not None else dict(part) for part in parts
    ]
    found = sequential(args.notion, runs * args.times) if count > 1 else runs[0]
    if args.group is not None:
        found = group(args.notion, found, args.group)
    return {"parameters": {name: str(number) for name, number in found.items()}}
