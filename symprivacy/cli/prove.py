"""Prove or refute an inequality at every point of a domain, with a certificate.

A refutation names an exact point. An answer is given only if the checker accepts its certificate."""

from __future__ import annotations

import argparse
import re
import time
from functools import partial
from typing import Any

from symprivacy.cli import options
from symprivacy.cli.time_limit import GRACE, TimeUp, time_limit
from symprivacy.errors import InputError

EPILOG = """examples:
  symprivacy prove "1/2 - 1/(exp(eps)+1) > eps/6" --on "eps in (0, 27/20]"
  symprivacy prove "exp(eps)*p/(1+(exp(eps)-1)*p) <= Min(exp(eps)*p, (exp(eps)-1+p)/exp(eps))" \\
      --on "p in [0, 1]" --on "eps in [0, 10]" --save cert.json
  symprivacy prove --batch statements.jsonl --jobs 8 --timeout 10

a line of a batch:
  {"id": "a1", "lhs": "exp(x)", "rel": ">=", "rhs": "1 + x", "domain": {"x": ["-1", "oo", false, true]}}

exit codes: 0 proved, 1 refuted, 3 undecided, 2 bad input; a batch: 0 when every line was processed"""

CODES = {"proved": 0, "refuted": 1, "undecided": 3}


# Which option writes files of which ending.
OUT = {".json": "save"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    options.add_arithmetic(parser)
    parser.add_argument("statement", nargs="?", metavar="STATEMENT", help="such as 'exp(x) >= 1 + x'")
    options.add_domain(parser)
    options.add_output(parser)
    parser.add_argument(
        "--save", type=options.file, metavar="FILE", help="write the certificate, for 'symprivacy check FILE'"
    )
    options.add_batch(parser)


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    if args.batch is not None:
        if args.statement is not None or args.on or args.save:
            raise InputError("--batch takes statements and domains from its lines; give no others, and no --save")
        from symprivacy.cli.batch import run_batch

        return run_batch(
            partial(answer, timeout=args.timeout),
            args.batch,
            args.jobs,
            args.timeout,
            partial(late, args.timeout, args.timeout),
        )
    if args.statement is None:
        raise InputError("no statement given; expected such as 'exp(x) >= 1 + x', or --batch FILE")
    return _prove_one(args)


def _prove_one(args: argparse.Namespace) -> int:
    from symprivacy.language.domain import box_from_texts
    from symprivacy.language.text import parse_statement, shorten
    from symprivacy.search.effort import ASKED
    from symprivacy.search.inputs import in_words, read_box
    from symprivacy.search.verdict import Status, Verdict, decide

    start, words = time.perf_counter(), shorten(args.statement)
    try:
        with time_limit(args.timeout + GRACE):
            body, ranges = _ranged(args.statement)
            lhs, rel, rhs = parse_statement(body)
            box = box_from_texts([*ranges, *args.on])
            read_box(box, lhs.variables | rhs.variables)
            words = in_words(lhs, rel, rhs, box)
            verdict = decide(lhs, rel, rhs, box, args.timeout, ASKED)
    except TimeUp:
        spent = time.perf_counter() - start
        verdict = Verdict(Status.UNDECIDED, words, f"no answer within {args.timeout:g} s", spent, None)
    if args.save and verdict.certificate is not None:
        verdict.save(args.save)
    if args.json:
        print(options.to_line(verdict.to_json()))
    else:
        from symprivacy.render import terminal

        why = "" if verdict.status is Status.PROVED else f" ({terminal.short(verdict.reason)})"
        terminal.verdict(verdict.status.value, terminal.words(verdict.statement) + terminal.words(why))
    return CODES[verdict.status.value]


def _ranged(statement: str) -> tuple[str, list[str]]:
    """A statement and the ranges after its "for", as statements of the audit have them.

    >>> _ranged("x <= y for x in [0, 1], y > 1")
    ('x <= y', ['x in [0, 1]', 'y > 1'])
    """
    body, found, clause = statement.partition(" for ")
    return body, [part.strip() for part in re.split(r",(?![^\[(]*[\])])", clause)] if found else []


def answer(line: dict[str, Any], timeout: float) -> dict[str, Any]:
    """The answer to one line of a batch, without its id.

    >>> line = {"lhs": "exp(x)", "rel": ">", "rhs": "x", "domain": {"x": ["0", "oo", False, True]}}
    >>> answer(line, 10.0)["verdict"]
    'proved'
    """
    from symprivacy.cli.json_lines import field
    from symprivacy.language.text import RELATIONS, parse
    from symprivacy.search.effort import ASKED
    from symprivacy.search.inputs import read_box
    from symprivacy.search.verdict import decide

    lhs, rhs = parse(field(line, "lhs")), parse(field(line, "rhs"))
    rel = field(line, "rel")
    if rel not in RELATIONS:
        raise InputError(f"'rel' is one of {' '.join(RELATIONS)}, got {rel[:40]!r}")
    domain = line.get("domain")
    if not isinstance(domain, dict):
        raise InputError('\'domain\' is an object such as {"eps": ["0", "27/20", true, false]}')
    start = time.perf_counter()
    try:
        with time_limit(timeout + GRACE):
            box = read_box(domain, lhs.variables | rhs.variables)
            result = decide(lhs, rel, rhs, box, timeout, ASKED).to_json()
    except TimeUp:
        result = late(timeout, time.perf_counter() - start)
    result.pop("statement", None)
    return result


def late(timeout: float, spent: float) -> dict[str, Any]:
    """The answer to a line whose time is up."""
    reason = f"no answer within {timeout:g} s"
    return {"verdict": "undecided", "witness": None, "reason": reason, "seconds": round(spent, 6)}
