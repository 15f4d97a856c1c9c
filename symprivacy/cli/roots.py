"""Isolate all roots of an expression of one variable in an interval.

Each root is proved to exist and to be the only one in its enclosure; "complete" says that there are no others."""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

from symprivacy.cli import options
from symprivacy.cli.time_limit import GRACE, TimeUp, time_limit
from symprivacy.errors import InputError

EPILOG = """examples:
  symprivacy roots "exp(x) - 3*x" --on "x in [0, 5]" --digits 30
  symprivacy roots --batch problems.jsonl --json

a line of a batch:
  {"id": "r1", "expr": "exp(x) - 3*x", "var": "x", "domain": ["0", "5", false, false]}

exit codes: 0 all roots found, 3 the list may be incomplete, 2 bad input; a batch: 0 when every line was processed"""


# Which option writes files of which ending.
OUT = {".json": "save"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    options.add_arithmetic(parser)
    parser.add_argument("expression", nargs="?", metavar="EXPR", help="such as 'exp(x) - 3*x'")
    options.add_domain(parser)
    options.add_output(parser)
    options.add_digits(parser, "each root")
    parser.add_argument(
        "--save", type=options.file, metavar="FILE", help="write the certificate, for 'symprivacy check FILE'"
    )
    options.add_batch(parser)


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    if args.batch is not None:
        if args.expression is not None or args.on or args.save:
            raise InputError("--batch takes expressions and domains from its lines; give no others, and no --save")
        from symprivacy.cli.batch import run_batch

        answer_it = partial(answer, digits=args.digits, timeout=args.timeout)
        return run_batch(answer_it, args.batch, args.jobs, args.timeout, partial(late, args.timeout))
    if args.expression is None:
        raise InputError("no expression given; expected such as 'exp(x) - 3*x', or --batch FILE")
    return _roots_of_one(args)


def _roots_of_one(args: argparse.Namespace) -> int:
    from symprivacy.search.api import roots

    try:
        with time_limit(args.timeout + GRACE):
            found = roots(args.expression, args.on, args.digits, args.timeout)
    except TimeUp:
        result: dict[str, Any] = late(args.timeout)
    else:
        result = found.to_json()
        if args.save and found.certificate is not None:
            options.save(found.certificate, args.save)
    if args.json:
        print(options.to_line(result))
    else:
        _print(result, args.shown)
    return 0 if result["complete"] else 3


def _print(result: dict[str, Any], digits: int) -> None:
    from symprivacy.render import terminal

    for root in result["roots"]:
        # A root that is known as a number is that number.
        exact = root.get("exact") or (root["lo"] if root["lo"] == root["hi"] else None)
        inside = terminal.enclosure(root["lo"], root["hi"], digits)
        said = f"{terminal.formula(exact)} {inside}" if exact and root["lo"] != root["hi"] else exact or inside[2:]
        times = root["multiplicity"]
        terminal.say(said + (f", multiplicity {times}" if times not in (None, 1) else ""))
    count = len(result["roots"])
    number = f"{count} root{'s' if count != 1 else ''}"
    terminal.say(f"{number}, {'and no others' if result['complete'] else 'perhaps more'}" + _because(result))


def _because(result: dict[str, Any]) -> str:
    return f" ({result['reason']})" if result.get("reason") else ""


def answer(line: dict[str, Any], digits: int, timeout: float) -> dict[str, Any]:
    """The answer to one line of a batch, without its id.

    >>> line = {"expr": "x**2 - 4", "var": "x", "domain": ["0", "5", False, False]}
    >>> answer(line, 10, 10.0)["roots"][0]["lo"]
    '2'
    """
    from symprivacy.cli.json_lines import field
    from symprivacy.search.api import roots

    domain = line.get("domain")
    if not isinstance(domain, list):
        raise InputError('\'domain\' is a list such as ["0", "5", false, false]')
    try:
        with time_limit(timeout + GRACE):
            return roots(field(line, "expr"), {field(line, "var"): domain}, digits, timeout).to_json()
    except TimeUp:
        return late(timeout)


def late(timeout: float) -> dict[str, Any]:
    """The answer when the time is up."""
    return {"roots": [], "complete": False, "reason": f"no answer within {timeout:g} s"}
