"""Certificates from files: read them strictly, verify them, say in words what they state.

This is all that a reader of somebody else's certificate needs; it imports neither the search nor sympy. There are two
checkers with no code in common: the kernel's on mpmath, and :mod:`symprivacy.arb` on python-flint.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from symprivacy.errors import DISAGREEMENT, CertificateError, DisagreementError, InputError
from symprivacy.kernel import checker
from symprivacy.language.text import shorten

MAX_BYTES = 64 * 1024 * 1024
DERIVATION = "symprivacy-derivation/1"


def load(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The certificate in a file; raises InputError if it cannot be read, CertificateError if it is none."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as e:
        raise InputError(f"cannot read {shorten(str(path))!r}: {getattr(e, 'strerror', None) or e}") from None
    return loads(data, shorten(str(path)))


def loads(data: bytes, where: str = "the certificate") -> dict[str, Any]:
    """The certificate in some bytes of JSON.

    >>> loads(b"[1, 2]")
    Traceback (most recent call last):
      ...
    symprivacy.errors.CertificateError: the certificate is not a certificate: expected a JSON object
    """
    if len(data) > MAX_BYTES:
        raise CertificateError(f"{where} is larger than {MAX_BYTES} bytes")
    try:
        certificate = json.loads(data.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError) as e:
        raise CertificateError(f"{where} is not JSON: {shorten(str(e), 100)}") from None
    if not isinstance(certificate, dict):
        raise CertificateError(f"{where} is not a certificate: expected a JSON object")
    return certificate


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is not a JSON number")


def check(evidence: Any, arithmetic: str = "mpmath") -> str:
    """Verify a certificate, a saved certificate (by its path) or a verdict; raises unless it is accepted.

    Returns what the certificate shows: ``"proved"``, ``"refuted"``, for a sign chart ``"chart"``; for a saved
    derivation, whose certificates are verified but whose rules are not run again, ``"certificates"``. ``arithmetic``
    is ``"mpmath"``, ``"arb"`` or ``"both"`` (see :func:`check_both`).

    >>> certificate = {"format": checker.FORMAT, "lhs": "x", "rel": "<", "rhs": "0", "verdict": "refuted",
    ...                "domain": {"x": ["0", "1", False, False]}, "at": {"x": "1"}}
    >>> check(certificate), check(certificate, arithmetic="arb")
    ('refuted', 'refuted')
    """
    if arithmetic == "both":
        return check_both(evidence)
    verify = _checker(arithmetic)
    certificate = getattr(evidence, "certificate", evidence)
    if isinstance(certificate, str | os.PathLike):
        certificate = load(certificate)
    if not isinstance(certificate, Mapping):
        raise CertificateError(f"there is no certificate in {shorten(repr(evidence))}")
    if certificate.get("format") != DERIVATION:
        return verify(certificate)
    parts = list(_embedded(certificate))
    if not parts:
        raise CertificateError("the derivation has no certificates")
    for step, part in parts:
        try:
            verify(part)
        except CertificateError as e:
            raise CertificateError(f"step {step}: {e}") from e
    return "certificates"


def check_both(evidence: Any) -> str:
    """Verify with both checkers; raises DisagreementError if only one of them accepts.

    >>> check_both({"format": checker.FORMAT, "lhs": "exp(x)", "rel": ">", "rhs": "0", "verdict": "proved",
    ...             "domain": {"x": ["0", "1", False, False]}, "proofs": [{"by": "box"}]})
    'proved'
    """
    certificate = getattr(evidence, "certificate", evidence)
    if isinstance(certificate, str | os.PathLike):
        certificate = load(certificate)
    outcomes: dict[str, str | CertificateError] = {}
    for arithmetic in ("mpmath", "arb"):
        try:
            outcomes[arithmetic] = check(certificate, arithmetic)
        except CertificateError as e:
            outcomes[arithmetic] = e
    first, second = outcomes.values()
    if isinstance(first, CertificateError) and isinstance(second, CertificateError):
        raise first
    if first != second:
        words = "; ".join(
            f"{a}: {f'not accepted ({shorten(str(o), 200)})' if isinstance(o, CertificateError) else o}"
            for a, o in outcomes.items()
        )
        raise DisagreementError(f"{DISAGREEMENT}: {words}")
    return str(first)


def _checker(arithmetic: str) -> Callable[[Mapping[str, Any]], str]:
    if arithmetic == "mpmath":
        return _check_with_mpmath
    if arithmetic != "arb":
        raise InputError(f"arithmetic is mpmath, arb or both, got {shorten(repr(arithmetic))}")
    try:
        from symprivacy.arb.check import check as check_with_arb
    except ModuleNotFoundError as e:
        if e.name != "flint":
            raise
        raise InputError("the arithmetic arb needs python-flint: pip install 'symprivacy[arb]'") from None
    return check_with_arb


def _check_with_mpmath(certificate: Mapping[str, Any]) -> str:
    if _is_chart(certificate):
        from symprivacy.kernel.chart import check_chart

        check_chart(certificate)
        return "chart"
    return checker.check(certificate)


def _embedded(derivation: Mapping[str, Any]) -> Iterator[tuple[int, Any]]:
    """The certificates of a saved derivation, with the number of their step."""
    try:
        for k, step in enumerate(derivation["steps"]):
            for certificate in step["certificates"]:
                if not isinstance(certificate, Mapping):
                    raise CertificateError(f"step {k + 1} has a certificate that is no object")
                yield k + 1, certificate
    except (KeyError, TypeError) as e:
        raise CertificateError(f"malformed derivation: {type(e).__name__} {e}") from e


def _is_chart(certificate: Mapping[str, Any]) -> bool:
    return str(certificate.get("format")).startswith("symprivacy-chart/")


def statement_of(certificate: Mapping[str, Any]) -> str:
    """What a certificate is about, in words, as it stands in the file.

    >>> statement_of({"lhs": "x", "rel": "<", "rhs": "0", "domain": {"x": ["0", "1", False, False]}})
    'x < 0 for x in [0, 1]'
    """
    if certificate.get("format") == DERIVATION:
        title = shorten(str(certificate.get("title") or "a derivation"), 200)
        return f"the certificates of {title}; its steps are not run again"
    lhs, rhs, domain = (certificate.get(key) for key in ("lhs", "rhs", "domain"))
    if _is_chart(certificate):
        text, domain = f"signs of {lhs} - ({rhs})", {str(certificate.get("var")): domain}
        cells = certificate.get("cells")
        if isinstance(cells, list):
            text += f" in {len(cells)} cell{'s' if len(cells) != 1 else ''}"
    else:
        text = f"{lhs} {certificate.get('rel')} {rhs}"
    parts = []
    if isinstance(domain, Mapping):
        for name, entry in domain.items():
            if isinstance(entry, list) and len(entry) == 4:
                lo, hi, lo_open, hi_open = entry
                parts.append(f"{name} in {'(' if lo_open else '['}{lo}, {hi}{')' if hi_open else ']'}")
    at = certificate.get("at")
    if certificate.get("verdict") == "refuted" and isinstance(at, Mapping):
        parts.append("failing at " + ", ".join(f"{name} = {value}" for name, value in at.items()))
    return shorten(text + (f" for {', '.join(parts)}" if parts else ""), 2000)
