"""Derive from the definitions which level of one notion follows from another, step by step.

Every step is checked again before it is printed."""

from __future__ import annotations

import argparse
import time
from typing import Any

from symprivacy.cli import options, values
from symprivacy.cli.batch import run_batch
from symprivacy.cli.time_limit import TimeUp, time_limit
from symprivacy.errors import InputError, UnsupportedError
from symprivacy.language.names import folded

_PRIORS = ("worst", "uniform", "p")

EPILOG = """examples:
  symprivacy derive "SP(eta)" DP --prior uniform
  symprivacy derive "SP(eta)" DP --prior p
  symprivacy derive DP SP --latex
  symprivacy derive --theorem KL HELL2
  echo '{"id": 1, "from": "KL", "to": "TV"}' | symprivacy derive --batch -

--prior is the prior at which a premise about posteriors is used: worst (the one that gives most, default),
uniform, p (symbolic), or a number such as 1/3

exit codes: 0 derived, 3 no derivation found, 2 bad input"""


# The longest derivation that is known to end takes half a minute on a quiet machine.
_PATIENCE = 180.0
# Which option writes files of which ending.
OUT = {".tex": "latex"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    options.add_arithmetic(parser)
    parser.add_argument("premise", metavar="PREMISE", nargs="?", help="notion that is known to hold, such as 'SP(eta)'")
    parser.add_argument("conclusion", metavar="CONCLUSION", nargs="?", help="notion that is to follow, such as DP")
    parser.add_argument(
        "--batch", metavar="FILE", help='answer JSON lines {"id", "from", "to"} by the stored theorems, checked again'
    )
    parser.add_argument("--prior", default="worst", help="worst, uniform, p or a number; default worst")
    parser.add_argument("--solve", choices=["premise", "conclusion"], help="which level is expressed by the other")
    parser.add_argument("--method", choices=["best", "paper"], default="best", help="the papers' argument or the best")
    parser.add_argument(
        "--timeout", type=options.seconds, default=_PATIENCE, metavar="S",
        help="give up the search for steps after this many seconds; default %(default)g",
    )  # fmt: skip
    parser.add_argument("--theorem", action="store_true", help="the stored theorem of the pair, both directions")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--latex", action="store_true", help="print a theorem with its proof")
    shape.add_argument("--json", action="store_true", help="print one JSON object with all certificates")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from symprivacy.derivations import derive
    from symprivacy.derivations.rulebook import DerivationError
    from symprivacy.implications.best_known import better
    from symprivacy.notions.certify import NotCertified
    from symprivacy.notions.solve import NoClosedForm

    if args.batch is not None:
        return _batch(args)
    if args.premise is None or args.conclusion is None:
        raise InputError("derive: expected PREMISE and CONCLUSION, or --batch FILE")
    if args.theorem:
        return _theorem(args)
    said = folded(args.prior, _PRIORS)
    prior = said if said in _PRIORS else values.value(said)
    try:
        with time_limit(args.timeout):
            found = derive(args.premise, args.conclusion, prior, solve=args.solve, method=args.method)
    except TimeUp:
        late = f"no answer within {args.timeout:g} s"
        print(f"no derivation of {args.conclusion} from {args.premise}: {late}{_elsewhere(args)}")
        return 3
    except (UnsupportedError, NoClosedForm, NotCertified, DerivationError) as e:
        print(f"no derivation of {args.conclusion} from {args.premise}: {e}{_elsewhere(args)}")
        return 3
    found.check()
    best = better(found)
    if args.json:
        known = {} if best is None else {"best": {"formula": best.formula, "status": best.status.value}}
        print(options.to_line({**found.to_json(), **known}))
    elif args.latex:
        print(found.to_latex())
    else:
        from symprivacy.notions import get
        from symprivacy.render.proof import show

        keys = dict.fromkeys(guarantee.key for guarantee in (found.premise, found.conclusion))
        show(found.derivation, {key: get(key).statement for key in keys})
        if best is not None:
            from symprivacy.render.terminal import say, words

            level = words(best.marked) if best.marked is not None else "known as a number only"
            say(
                "", f"This is a bound. The best level is {level}; see 'symprivacy convert {best.source} {best.target}'."
            )
    return 0


def _elsewhere(args: argparse.Namespace) -> str:
    """Where else there is a proof, or a level, for two plain keys."""
    from symprivacy.implications.between import takes_part
    from symprivacy.implications.proofs import proof_of
    from symprivacy.notions import all_notions

    keys = args.premise, args.conclusion
    if not set(keys) <= {notion.key for notion in all_notions()}:
        return ""
    if proof_of(*keys):
        return f"; 'symprivacy derive {' '.join(keys)} --theorem' prints what is proved of the two"
    return f"; 'symprivacy convert {' '.join(keys)}' says what is known" if all(map(takes_part, keys)) else ""


def _theorem(args: argparse.Namespace) -> int:
    """The stored theorem of a pair, with everything it rests on, after it was checked."""
    from symprivacy.derivations.theorems.store import FORMAT
    from symprivacy.implications.proofs import proof_of, settled
    from symprivacy.implications.theorem_sentences import told
    from symprivacy.render.marked import to_line

    if args.latex:
        raise InputError("derive: --theorem prints text or --json")
    found = settled(args.premise, args.conclusion)
    rows = proof_of(found.source, found.target)
    if args.json:
        print(options.to_line({"format": FORMAT, "theorems": list(rows)}))
        return 0 if rows else 3
    if not rows:
        print(f"no stored theorem settles what {found.source} implies of {found.target}; 'symprivacy derive' and "
              "'symprivacy convert' say what is known")  # fmt: skip
        return 3
    print(found)
    for step in told(found.source, found.target):
        used = f" [from {', '.join(f'({k})' for k in step.uses)}]" if step.uses else ""
        certified = f" [{step.certified} certified]" if step.certified else ""
        print(f"({step.number}) {to_line(step.sentence)}")
        print(f"      {to_line(step.reason)}{used}{certified}")
    if found.principles:
        print(f"rests on: {', '.join(found.principles)}")
    return 0


# One line waits at most for the check of all stored theorems.
_LIMIT = 600.0


def _batch(args: argparse.Namespace) -> int:
    if args.premise is not None or args.latex or args.json:
        raise InputError("derive: --batch takes no other arguments; each line names its notions")
    # One process: theorems that several pairs rest on are checked once.
    return run_batch(
        _answer, args.batch, 1, _LIMIT, lambda: {"status": "open", "evidence": "argued", "seconds": _LIMIT}
    )


def _answer(record: dict[str, Any]) -> dict[str, Any]:
    from symprivacy.implications.proofs import settled

    begin = time.monotonic()
    for field in ("from", "to"):
        if not isinstance(record.get(field), str):
            raise InputError(f"{field}: expected the key of a notion, got {record.get(field)!r}")
    found = settled(record["from"], record["to"])
    return {**found.to_json(), "seconds": round(time.monotonic() - begin, 3)}
