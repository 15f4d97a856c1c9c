"""Certificates from files: read them strictly, verify them with both checkers, say in words what they state.

This is all that a reader of somebody else's certificate needs; it imports neither the search nor sympy. There are two
checkers with no code in common, the kernel's on mpmath and :mod:`symprivacy.arb` on python-flint, and both must accept
before anything is called proved or refuted. ``SYMPRIVACY_ARITHMETIC`` (``mpmath``, ``arb``; ``both`` if not set) asks
for one of them; worker processes inherit it.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from symprivacy.algebra.complete import complete
from symprivacy.arb.check import check as check_with_arb
from symprivacy.errors import DISAGREEMENT, CertificateError, DisagreementError, InputError
from symprivacy.kernel import chart, checker
from symprivacy.kernel.box import range_to_data
from symprivacy.kernel.data import from_data, to_data
from symprivacy.language.domain import make_range
from symprivacy.language.text import parse, shorten, to_text

MAX_BYTES = 64 * 1024 * 1024
DERIVATION = "symprivacy-derivation/1"
ARITHMETICS = ("mpmath", "arb", "both")
_SETTING = "SYMPRIVACY_ARITHMETIC"
# Formats whose expressions are text, by what they are called now.
_OLD = {"symprivacy-certificate/1": checker.FORMAT, "symprivacy-chart/1": chart.FORMAT}
_EXPRESSIONS = frozenset(
    [
        "lhs",
        "rhs",
        "at",
        "of",
        "expr",
        "coefficient",
        "left",
        "right",
        "scale",
        "bound",
        "factor",
        "cofactor",
        "lo",
        "hi",
    ],
)


def load(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The certificate in a file; raises InputError if it cannot be read, CertificateError if it is none."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as e:
        raise InputError(f"cannot read {shorten(str(path))!r}: {getattr(e, 'strerror', None) or e}") from None
    return loads(data, shorten(str(path)))


def loads(data: bytes, where: str = "the certificate") -> dict[str, Any]:
    """The certificate in some bytes of JSON, an old one in today's form.

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
    return dict(translated(certificate))


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is not a JSON number")


def translated(certificate: Mapping[str, Any]) -> Mapping[str, Any]:
    """A certificate of an old format, whose expressions are text, in today's form; any other as it is.

    Old ones do not say how an identity is seen; that is found anew.

    >>> translated({"format": "symprivacy-certificate/1", "lhs": "x", "rel": "<", "rhs": "1/2", "verdict": "refuted",
    ...             "domain": {"x": ["0", "oo", False, True]}, "at": {"x": "1"}})["domain"]
    {'x': [0, None, False, True]}
    """
    old = str(certificate.get("format"))
    if old not in _OLD:
        return certificate
    try:
        new = {key: _translate(key, value) for key, value in certificate.items()}
    except (InputError, TypeError, RecursionError) as e:
        raise CertificateError(f"the certificate cannot be read: {shorten(str(e), 200)}") from None
    return complete({**new, "format": _OLD[old]})


def _translate(key: str, value: Any) -> Any:
    if key == "domain" and isinstance(value, Mapping):
        return {name: _range(entry) for name, entry in value.items()}
    if key in ("domain", "interval"):
        return _range(value)
    if isinstance(value, Mapping):
        # Of the point of a refutation each coordinate is an expression.
        return {k: _translate("at" if key == "at" else k, v) for k, v in value.items()}
    if isinstance(value, list):
        return [_translate("", v) for v in value]
    if key in _EXPRESSIONS and (isinstance(value, str) or type(value) is int):
        return to_data(parse(str(value)))
    return value


def _range(entry: Any) -> Any:
    if not isinstance(entry, list) or len(entry) != 4 or not all(isinstance(b, bool) for b in entry[2:]):
        raise InputError(f"a range is [lo, hi, lo_open, hi_open], got {shorten(repr(entry))}")
    return range_to_data(make_range(*entry))


def arithmetic() -> str:
    """The checkers that have to accept: ``"both"`` unless the environment asks for one.

    >>> arithmetic()
    'both'
    """
    setting = os.environ.get(_SETTING, "both")
    if setting not in ARITHMETICS:
        raise InputError(f"arithmetic is mpmath, arb or both, got {shorten(repr(setting))}")
    return setting


@contextmanager
def using(setting: str) -> Iterator[None]:
    """Ask for one checker, or for both, in this process and those it starts.

    >>> with using("mpmath"):
    ...     arithmetic()
    'mpmath'
    """
    before = os.environ.get(_SETTING)
    os.environ[_SETTING] = setting
    try:
        arithmetic()
        yield
    finally:
        if before is None:
            del os.environ[_SETTING]
        else:
            os.environ[_SETTING] = before


def check(evidence: Any, arithmetic: str | None = None) -> str:
    """Verify a certificate, a saved certificate (by its path) or a verdict; raises unless it is accepted.

    Returns what the certificate shows: ``"proved"``, ``"refuted"``, for a sign chart ``"chart"``; for a saved
    derivation, whose certificates are verified but whose rules are not run again, ``"certificates"``. ``arithmetic``
    is ``"both"`` (the default: a certificate that only one checker accepts raises DisagreementError), ``"mpmath"`` or
    ``"arb"``.

    >>> certificate = {"format": checker.FORMAT, "lhs": "x", "rel": "<", "rhs": 0, "verdict": "refuted",
    ...                "domain": {"x": [0, 1, False, False]}, "at": {"x": 1}}
    >>> check(certificate), check(certificate, arithmetic="arb")
    ('refuted', 'refuted')
    """
    setting = _setting(arithmetic)
    certificate = getattr(evidence, "certificate", evidence)
    if isinstance(certificate, str | os.PathLike):
        certificate = load(certificate)
    if not isinstance(certificate, Mapping):
        raise CertificateError(f"there is no certificate in {shorten(repr(evidence))}")
    if certificate.get("format") != DERIVATION:
        return _verify(translated(certificate), setting)
    parts = list(_embedded(certificate))
    if not parts:
        raise CertificateError("the derivation has no certificates")
    for step, part in parts:
        try:
            _verify(translated(part), setting)
        except DisagreementError:
            raise
        except CertificateError as e:
            raise CertificateError(f"step {step}: {e}") from e
    return "certificates"


def check_both(evidence: Any) -> str:
    """Verify with both checkers, whatever the environment asks for; see :func:`check`."""
    return check(evidence, "both")


def _setting(wanted: str | None) -> str:
    if wanted is None:
        return arithmetic()
    if wanted not in ARITHMETICS:
        raise InputError(f"arithmetic is mpmath, arb or both, got {shorten(repr(wanted))}")
    return wanted


def _verify(certificate: Mapping[str, Any], setting: str) -> str:
    outcomes: dict[str, str | CertificateError] = {}
    for name, verify in (("mpmath", check_with_mpmath), ("arb", check_with_arb)):
        if setting in (name, "both"):
            try:
                outcomes[name] = verify(certificate)
            except CertificateError as e:
                outcomes[name] = e
    refusals = [o for o in outcomes.values() if isinstance(o, CertificateError)]
    if len(refusals) == len(outcomes):
        raise refusals[0]
    first, *others = outcomes.values()
    if any(other != first for other in others):
        words = "; ".join(
            f"{a}: {f'not accepted ({shorten(str(o), 200)})' if isinstance(o, CertificateError) else o}"
            for a, o in outcomes.items()
        )
        raise DisagreementError(f"{DISAGREEMENT}: {words}; the certificate is in {_keep(certificate)}")
    return str(first)


def _keep(certificate: Mapping[str, Any]) -> str:
    """Where a certificate on which the checkers disagree was saved, for whoever looks for the mistake."""
    try:
        data = json.dumps(certificate, indent=1).encode()
        path = Path(tempfile.gettempdir()) / f"symprivacy-disagreement-{hashlib.sha256(data).hexdigest()[:16]}.json"
        path.write_bytes(data)
    except (OSError, ValueError, TypeError) as e:
        return f"no file ({shorten(str(e))})"
    return str(path)


def check_with_mpmath(certificate: Mapping[str, Any]) -> str:
    """What the kernel's checker says of a certificate in today's form."""
    if _is_chart(certificate):
        chart.check_chart(certificate)
        return "chart"
    return checker.check(certificate)


def chart_cells(certificate: Mapping[str, Any]) -> tuple[chart.Cell, ...]:
    """What a sign chart shows, once the checkers in force have accepted it."""
    cells = chart.check_chart(certificate)
    if arithmetic() != "mpmath":
        try:
            check_with_arb(certificate)
        except CertificateError:
            # Now with the words and the file that belong to a disagreement.
            check(certificate)
    return cells


def as_text(data: Any) -> str:
    """The text of an expression of a certificate.

    >>> as_text(["exp", ["*", 2, "x"]])
    'exp(2*x)'
    """
    return to_text(from_data(data))


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

    >>> statement_of({"lhs": "x", "rel": "<", "rhs": 0, "domain": {"x": [0, 1, False, False]}})
    'x < 0 for x in [0, 1]'
    """
    if certificate.get("format") == DERIVATION:
        title = shorten(str(certificate.get("title") or "a derivation"), 200)
        return f"the certificates of {title}; its steps are not run again"
    try:
        return _statement(translated(certificate))
    except (CertificateError, AttributeError, KeyError, TypeError, ValueError, RecursionError) as e:
        raise CertificateError(f"the statement cannot be read: {shorten(str(e), 200)}") from None


def _statement(certificate: Mapping[str, Any]) -> str:
    lhs, rhs, domain = as_text(certificate["lhs"]), as_text(certificate["rhs"]), certificate["domain"]
    if _is_chart(certificate):
        text, domain = f"signs of {lhs} - ({rhs})", {str(certificate.get("var")): domain}
        cells = certificate.get("cells")
        if isinstance(cells, list):
            text += f" in {len(cells)} cell{'s' if len(cells) != 1 else ''}"
    else:
        text = f"{lhs} {certificate.get('rel')} {rhs}"
    parts = []
    for name, (lo, hi, lo_open, hi_open) in domain.items():
        low, high = "-oo" if lo is None else as_text(lo), "oo" if hi is None else as_text(hi)
        parts.append(f"{name} in {'(' if lo_open else '['}{low}, {high}{')' if hi_open else ']'}")
    if certificate.get("verdict") == "refuted":
        parts.append("failing at " + ", ".join(f"{name} = {as_text(v)}" for name, v in certificate["at"].items()))
    return shorten(text + (f" for {', '.join(parts)}" if parts else ""), 2000)
