"""Write certificates as a Coq file; the part of ``export`` that is about certificates."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from symprivacy.cli.time_limit import GRACE, TimeUp, time_limit
from symprivacy.errors import CertificateError, InputError, UnsupportedError


def export_coq(what: list[str], out: str, on: list[str], timeout: float) -> int:
    """The Coq file of a certificate, a statement or a claim, to a file or stdout (``-``); returns the exit code."""
    from symprivacy.cli.main import complain

    if len(what) != 1:
        raise InputError(f"--coq writes one certificate, statement or claim, got {len(what)}")
    (name,) = what
    try:
        is_file = name == "-" or name.endswith(".json") or _exists(name)
        if not is_file and any(sign in name for sign in "<>="):
            code, text = _statement(name, on, timeout)
        elif on:
            raise InputError("--on is for a statement such as 'exp(x) >= 1 + x'")
        elif is_file:
            code, text = 0, _certificate(name)
        else:
            code, text = 0, _claim(name)
    except CertificateError as e:
        complain(f"{name}: not accepted: {e}", "symprivacy export")
        return 1
    if text and out == "-":
        sys.stdout.write(text)
    elif text:
        try:
            Path(out).write_text(text, encoding="utf-8")
        except (OSError, ValueError) as e:
            raise InputError(f"cannot write {out[:80]!r}: {getattr(e, 'strerror', None) or e}") from None
    return code


def _exists(name: str) -> bool:
    try:
        return Path(name).exists()
    except (OSError, ValueError):  # too long for a file, or with a null character
        return False


def _certificate(file: str) -> str:
    from symprivacy.coq.export import to_coq
    from symprivacy.language.certificates import load, loads

    return to_coq(loads(sys.stdin.buffer.read(), "stdin") if file == "-" else load(file))


def _statement(text: str, on: list[str], timeout: float) -> tuple[int, str]:
    """Prove first; what is not proved is said and gives no file."""
    from symprivacy.cli.main import complain
    from symprivacy.cli.prove import CODES
    from symprivacy.coq.export import to_coq
    from symprivacy.language.domain import box_from_texts
    from symprivacy.language.text import parse_statement
    from symprivacy.search.effort import ASKED
    from symprivacy.search.inputs import read_box
    from symprivacy.search.verdict import decide

    try:
        with time_limit(timeout + GRACE):
            lhs, rel, rhs = parse_statement(text)
            box = read_box(box_from_texts(on), lhs.variables | rhs.variables)
            verdict = decide(lhs, rel, rhs, box, timeout, ASKED)
    except TimeUp:
        complain(f"undecided: no answer within {timeout:g} s; there is nothing to export", "symprivacy export")
        return CODES["undecided"], ""
    if verdict.status.value != "proved" or verdict.certificate is None:
        complain(f"{verdict}; there is nothing to export", "symprivacy export")
        return CODES[verdict.status.value], ""
    return 0, to_coq(verdict.certificate)


def _claim(name: str) -> str:
    """All certificates that the finding of a claim rests on, each a theorem, in one file."""
    from symprivacy.claims import decide, get_claim
    from symprivacy.coq.export import coq_file, remark, theorem
    from symprivacy.language.certificates import statement_of

    finding = decide(get_claim(name))
    certificates: list[Mapping[str, Any]] = []
    for certificate in finding.certificates:
        if certificate not in certificates:
            certificates.append(certificate)
    if not certificates:
        raise InputError(f"the finding on {name} ({finding.verdict}) rests on no certificates of inequalities")
    parts, reasons = list[str](), list[str]()
    for i, certificate in enumerate(certificates, start=1):
        try:
            parts.append(theorem(certificate, f"main{i}"))
        except UnsupportedError as e:
            reasons.append(f"{statement_of(certificate)}: {e}")
            parts.append(remark(f"Without a Coq form: {reasons[-1]}"))
    if len(reasons) == len(certificates):
        raise InputError(f"no certificate of {name} has a Coq form: {reasons[0]}")
    if reasons:
        count = f"{len(certificates) - len(reasons)} of {len(certificates)} certificates exported"
        print(f"symprivacy export: {count}; without a Coq form: {'; '.join(reasons)[:1500]}", file=sys.stderr)
    about = f"{finding.id} [{finding.source}, {finding.where}], {finding.verdict}: {finding.statement}"
    return coq_file(parts, about)
