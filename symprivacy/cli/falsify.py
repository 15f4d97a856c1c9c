"""Look for a small exact counterexample to a statement or a claim.

Nothing found proves nothing; 'symprivacy audit' and 'symprivacy prove' look for proofs."""

from __future__ import annotations

import argparse

from symprivacy.cli import options
from symprivacy.cli.time_limit import GRACE, TimeUp, time_limit

EPILOG = """examples:
  symprivacy falsify "UDP(eps) => BoundedDP(eps)"
  symprivacy falsify "(eps, delta)-DP => PDP(eps, delta)" --json
  symprivacy falsify "InfPr(eps, prior=one) => DP(eps)"
  symprivacy falsify ks14-eq6

exit codes: 1 refuted, 3 no counterexample found, 2 bad input"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("statement", metavar="STATEMENT", help="a statement, or the id of a claim")
    parser.add_argument("--file", type=options.file, metavar="FILE", help="claims of one's own, JSON Lines")
    parser.add_argument("--timeout", type=options.seconds, default=10.0, metavar="S", help="default %(default)g")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from symprivacy.claims import ledger
    from symprivacy.claims.counterexamples import Falsification
    from symprivacy.claims.falsify import falsify
    from symprivacy.claims.library import library

    known = args.file or any(claim.id == args.statement for claim in (*ledger(), *library()))
    claim = options.claim(args.statement, args.file) if known else args.statement
    try:
        with time_limit(args.timeout + GRACE):
            found = falsify(claim, seconds=args.timeout)
    except TimeUp:
        found = Falsification(None, f"no answer within {args.timeout:g} s")
    if args.json:
        print(options.to_line({"witness": found.witness, "tried": found.tried}))
    else:
        from symprivacy.render import terminal

        word, _, rest = str(found).partition(": ")
        terminal.verdict(word, rest) if rest else terminal.say(word)
        terminal.fields(terminal.witness({k: v for k, v in (found.witness or {}).items() if k != "says"}))
    return 3 if found.witness is None else 1
