"""Verify saved certificates with the checker alone, without search or sympy; run saved derivations again.

Exit code 0 says that every certificate proves (or refutes) what it states, 1 that one does not."""

from __future__ import annotations

import argparse
import sys
from glob import glob
from typing import Any

from symprivacy.cli import options
from symprivacy.cli.time_limit import TimeUp, time_limit
from symprivacy.errors import CertificateError, SymPrivacyError

EPILOG = """examples:
  symprivacy check cert.json
  symprivacy check "certificates/*.json"
  symprivacy derive SP DP --json > derivation.json && symprivacy check derivation.json
  symprivacy derive --theorem KL HELL2 --json > theorem.json && symprivacy check theorem.json
  symprivacy convert KL TV --at k=1 --certify --save kl-tv.json && symprivacy check kl-tv.json
  symprivacy compose "laplace(3)" --times 20 --delta 1e-6 --save runs.json && symprivacy check runs.json
  symprivacy check cert.json --arithmetic arb

exit codes: 0 every certificate is accepted, 1 one is not, 2 a file cannot be read"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("files", nargs="+", metavar="CERT.json", help="a certificate; - reads stdin")
    options.add_arithmetic(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object per certificate")
    parser.add_argument(
        "--timeout",
        type=options.seconds,
        default=600.0,
        metavar="S",
        help="seconds after which a certificate counts as not accepted; default %(default)g",
    )


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    return max(_check_one(file, args) for pattern in args.files for file in _matching(pattern))


def _matching(pattern: str) -> list[str]:
    """The files that a pattern names, which not every shell finds; a name that fits none stands for itself."""
    found = sorted(glob(pattern)) if "*" in pattern else []
    return found or [pattern]


def _check_one(file: str, args: argparse.Namespace) -> int:
    from symprivacy.language.certificates import check, load, loads, statement_of

    words = None
    try:
        with time_limit(args.timeout):
            certificate = loads(sys.stdin.buffer.read(), "stdin") if file == "-" else load(file)
            if "accounting" in certificate:
                return _accepted(file, "bracket", _bracket(certificate), args.json)
            if "theorems" in certificate:
                return _accepted(file, "theorems", _theorems(certificate), args.json)
            inner = certificate.get("derivation", certificate)
            if not isinstance(inner, dict):
                raise CertificateError(f"{file[:60]} is not a derivation: expected a JSON object")
            words = statement_of(inner)
            shown = check(inner, args.arithmetic)
            if shown == "certificates":
                shown, words = "derived", _run_again(certificate)
    except CertificateError as e:
        return _rejected(file, words, str(e), args.json)
    except TimeUp:
        return _rejected(file, words, f"not verified within {args.timeout:g} s", args.json)
    return _accepted(file, shown, words, args.json)


def _accepted(file: str, shown: str, words: str | None, as_json: bool) -> int:
    if as_json:
        print(options.to_line({"file": file, "accepted": True, "verdict": shown, "statement": words}))
    else:
        from symprivacy.render import terminal

        terminal.verdict(shown, words or "")
    return 0


def _bracket(saved: dict[str, Any]) -> str:
    """A composition: masses of each run against its law, and both ends again."""
    from symprivacy.accounting.saved import check

    return check(saved)


def _theorems(saved: dict[str, Any]) -> str:
    """Theorems between notions, each shown again from those before it."""
    from symprivacy.derivations.theorems.store import check_rows, rows_of

    try:
        shown = check_rows(rows_of(saved))
    except SymPrivacyError as e:
        raise CertificateError(str(e)) from e
    if not shown:
        raise CertificateError("the file has no theorems")
    last = list(shown.values())[-1]
    # Without the ranges it would say more than is shown.
    ranges = f" for {', '.join(map(str, last.domain))}" if last.domain else ""
    where = f", where {last.where}" if last.where else ""
    return f"{len(shown)} theorem{'s' if len(shown) > 1 else ''}, the last one {last}{ranges}{where}"


def _run_again(saved: dict[str, Any]) -> str:
    """Run every rule of a saved derivation: its certificates alone do not show that the steps follow."""
    from symprivacy.derivations.saved import from_json
    from symprivacy.derivations.show import line

    if "conversion" in saved:
        return _both_sides(saved)
    try:
        derivation = from_json(saved)
        derivation.check()
    except SymPrivacyError as e:
        raise CertificateError(str(e)) from e
    where = derivation.claim.where()
    return line(derivation.steps[-1], derivation) + (f" for {where}" if where else "")


def _both_sides(saved: dict[str, Any]) -> str:
    """A conversion: the derivation of its level, and the mechanism that reaches the lower bound."""
    from symprivacy.implications.certify.certified import from_json

    try:
        certified = from_json(saved)
        certified.check()
    except SymPrivacyError as e:
        raise CertificateError(str(e)) from e
    return str(certified)


def _rejected(file: str, words: str | None, why: str, as_json: bool) -> int:
    from symprivacy.cli.main import complain

    if as_json:
        print(options.to_line({"file": file, "accepted": False, "verdict": None, "statement": words, "reason": why}))
    else:
        complain(f"{file}: not accepted: {why}", "symprivacy check")
    return 1
