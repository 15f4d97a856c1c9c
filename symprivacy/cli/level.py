"""The smallest parameter of a notion that a mechanism satisfies, exactly, and where it is attained.

The mechanism is a JSON file (or - for stdin): {"matrix": [["4/5","1/5"],["1/5","4/5"]]}, or a family with numbers or
symbols: laplace(b), gaussian(sigma), geometric(eps), krr(k, eps), exponential(eps), discrete_gaussian(sigma), each
with sensitivity=... if it is not 1."""

from __future__ import annotations

import argparse
from typing import Any

from symprivacy.cli import options, values

EPILOG = """examples:
  symprivacy level rr.json DP
  symprivacy level rr.json SP --prior p=1/3
  symprivacy level rr.json ADP --at eps=1/2 --json
  symprivacy level "laplace(b)" KL
  symprivacy level "gaussian(2, sensitivity=3)" ADP --at eps=1

a mechanism over databases: {"n": 2, "domain": ["0","1"], "default": "0", "matrix": rows in lexicographic order}

exit codes: 0 success, 2 bad input"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("mechanism", metavar="MECH", help="a mechanism as JSON (- reads stdin), or such as laplace(2)")
    parser.add_argument("notion", metavar="NOTION", help="key or name, such as SP; see 'symprivacy notions'")
    parser.add_argument("--prior", help="p=1/3 (two-point priors), 'uniform', or one number per input: 1/2,1/4,1/4")
    options.add_at(parser)
    parser.add_argument("--zero", choices=["breach", "skip", "prior"], default="breach", help="what 0/0 counts as")
    parser.add_argument("--default", metavar="VALUE", help="default value of a record, instead of the file's")
    options.add_digits(parser, "the value", 15)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from symprivacy.mechanisms import Family, level
    from symprivacy.render import terminal

    subject = values.read_subject(args.mechanism)
    found = level(
        subject,
        args.notion,
        prior=values.prior(args.prior),
        zero=args.zero,
        default=args.default,
        **values.parameters(args.at, None if isinstance(subject, Family) else frozenset()),
    )
    answer = found.to_dict(args.digits)
    if args.json:
        print(options.to_line(answer))
        return 0
    name = terminal.formula(answer["parameter"])
    rows: list[tuple[str, Any]] = [("notion", answer["notion"])]
    if found.exact:
        rows.append(("level", f"{name} = {terminal.exact(found.value, args.shown)}"))
    else:
        rows.append(("level", f"{name} {terminal.enclosure(answer['lo'], answer['hi'], args.shown)}"))
    rows.append(("over", answer["pairs"] + (f"; priors: {answer['priors']}" if answer["priors"] else "")))
    terminal.fields([*rows, *terminal.witness(answer["witness"])])
    return 0
