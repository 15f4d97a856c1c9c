"""From statements without mechanism quantities to certificates of the kernel, and back.

A domain whose ranges depend on each other is turned into a box first: a variable between two ends becomes
``lo + t*(hi - lo)`` with t between 0 and 1, and a variable whose range is one point becomes that point. Finding a
certificate uses the search and is not trusted; verifying one repeats the substitution, compares, and asks the kernel's
checker.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from sympy import Expr, Symbol, cancel, factor, oo, together

from symprivacy.algebra.rewrites import shown_equal
from symprivacy.errors import CertificateError, SymPrivacyError
from symprivacy.kernel.box import Box, Range, box_from_data
from symprivacy.kernel.data import from_data
from symprivacy.kernel.expr import Expr as Node
from symprivacy.language.attempt import sympy_attempt
from symprivacy.language.bridge import from_sympy
from symprivacy.language.certificates import check, translated
from symprivacy.language.text import parse, shorten, to_text
from symprivacy.notions.statement import Domain, Statement, replace
from symprivacy.search.effort import STEPS
from symprivacy.search.verdict import Status, decide

# Of what is not certified and why, so many characters tell enough.
_LONGEST = 160


class NotCertified(SymPrivacyError):
    """No certificate was found; the inequality may still be true."""


def to_box(domain: Domain) -> tuple[dict[str, Range], dict[Symbol, Expr]]:
    """A box of constant ranges, and what to put in place of each variable whose range was not constant.

    >>> from symprivacy.notions.statement import span
    >>> x, y = Symbol("x", real=True), Symbol("y", real=True)
    >>> box, mapping = to_box((span(x, 0, 1), span(y, 0, x)))
    >>> sorted(box), mapping
    (['t_y', 'x'], {y: t_y*x})
    >>> to_box((span(x, 1, 1, "[]"),))
    ({}, {x: 1})
    """
    box: dict[str, Range] = {}
    mapping: dict[Symbol, Expr] = {}
    for original in domain:
        s = original.subs(mapping)
        if s.lo == s.hi and not (s.lo_open or s.hi_open):
            mapping[s.symbol] = s.lo
            continue
        if not (s.lo.free_symbols or s.hi.free_symbols):
            lo = None if s.lo == -oo else from_sympy(s.lo)
            hi = None if s.hi == oo else from_sympy(s.hi)
            box[s.symbol.name] = Range(lo, hi, s.lo_open or lo is None, s.hi_open or hi is None)
            continue
        t = Symbol(f"t_{s.symbol.name}", real=True)
        if t in {other.symbol for other in domain}:
            raise CertificateError(f"{t} is the name of another variable")
        if s.lo == -oo and s.hi == oo:
            raise CertificateError(f"{s.symbol} is unbounded on both sides")
        if s.hi == oo:
            value, top = s.lo + t, None
        elif s.lo == -oo:
            value, top = s.hi - t, None
        else:
            value, top = s.lo + t * (s.hi - s.lo), parse("1")
        opens = (s.hi_open, True) if s.lo == -oo else (s.lo_open, s.hi_open or top is None)
        box[t.name] = Range(parse("0"), top, *opens)
        mapping[s.symbol] = value
    return box, mapping


def certify(statement: Statement, steps: int = STEPS) -> Mapping[str, Any]:
    """A certificate for a statement without mechanism quantities; raises NotCertified.

    >>> from symprivacy.notions.statement import span
    >>> x, y = Symbol("x", real=True), Symbol("y", real=True)
    >>> certify(Statement(x, ">", y, (span(x, 0, 1), span(y, 0, x))))["verdict"]
    'proved'
    """
    _closed(statement)
    return _certify(statement.lhs, statement.rel, statement.rhs, statement.domain, steps)


def _closed(statement: Statement) -> None:
    stray = statement.symbols - {s.symbol for s in statement.domain}
    if stray:
        raise CertificateError(f"{', '.join(sorted(map(str, stray)))} of {statement} have no range")


# The same side conditions return in many derivations.
@lru_cache(maxsize=4096)
def _certify(lhs: Expr, rel: str, rhs: Expr, domain: Domain, steps: int) -> Mapping[str, Any]:
    box, mapping = to_box(domain)
    reason = ""
    sides = [from_sympy(replace(side, mapping)) for side in (lhs, rhs)]
    for form in _forms(replace(lhs, mapping), replace(rhs, mapping)):
        written = [from_sympy(side) for side in form]
        if not all(_same(*pair, lhs == rhs, box) for pair in zip(written, sides, strict=True)):
            continue
        used = written[0].variables | written[1].variables
        verdict = decide(written[0], rel, written[1], {n: r for n, r in box.items() if n in used}, steps=steps)
        if verdict.status is Status.PROVED:
            assert verdict.certificate is not None
            return verdict.certificate
        reason = str(verdict)
        if verdict.status is Status.REFUTED:
            break
    said = shorten(f"{lhs} {rel} {rhs}", _LONGEST)
    raise NotCertified(f"not certified: {said} for {', '.join(map(str, domain))}; {shorten(reason, _LONGEST)}")


def _forms(lhs: Expr, rhs: Expr) -> Iterator[tuple[Expr, Expr]]:
    """The two sides as they are, then written differently; the check compares by the kernel's algebra."""
    yield lhs, rhs
    for rewrite in (factor, cancel, together):
        with sympy_attempt():
            yield rewrite(lhs), rewrite(rhs)


def _same(shown: Node, expected: Node, strict: bool, box: Box) -> bool:
    """Whether a certificate about one expression will do for the other.

    x == x says that x is defined: then nothing may be cancelled, and only the expression itself will do (``strict``).
    """
    return shown is expected or (not strict and shown_equal(shown, expected, box))


def verify(statement: Statement, certificate: Mapping[str, Any]) -> None:
    """Raise CertificateError unless the certificate proves this very statement.

    >>> from symprivacy.notions.statement import span
    >>> x = Symbol("x", real=True)
    >>> proof = certify(Statement(x, ">=", x**2, (span(x, 0, 1),)))
    >>> verify(Statement(x, ">=", x**2, (span(x, 0, 2),)), proof)
    Traceback (most recent call last):
      ...
    symprivacy.errors.CertificateError: the certificate is about x in (0, 1), not (0, 2)
    """
    _closed(statement)
    box, mapping = to_box(statement.domain)
    if not isinstance(certificate, Mapping) or certificate.get("rel") != statement.rel:
        raise CertificateError(f"no certificate for a statement with {statement.rel}")
    certificate = translated(certificate)
    for name, claimed in box_from_data(certificate.get("domain")).items():
        wanted = box.get(name)
        if wanted is None or claimed.to_json() != wanted.to_json():
            raise CertificateError(f"the certificate is about {name} in {claimed}, not {wanted or 'nothing'}")
    for side in ("lhs", "rhs"):
        shown = from_data(certificate.get(side), frozenset(box))
        expected = from_sympy(replace(getattr(statement, side), mapping))
        if not _same(shown, expected, statement.lhs == statement.rhs, box):
            texts = (shorten(str(e), _LONGEST) for e in (to_text(shown), getattr(statement, side)))
            raise CertificateError(f"the certificate's {side} is {', not '.join(texts)}")
    if check(certificate) != "proved":
        raise CertificateError(f"the certificate does not prove {statement}")


def equal(a: Expr, b: Expr, domain: Domain) -> bool:
    """Whether the kernel's algebra shows that two expressions agree wherever both are defined on the domain.

    >>> x = Symbol("x", real=True)
    >>> equal((x**2 - 1) / (x - 1), x + 1, ())
    True
    """
    if a == b:
        return True
    box, mapping = to_box(domain)
    # Quantities of a mechanism are free here, and must not be taken for what stands for a variable.
    own = {s.symbol.name for s in domain}
    if {s.name for s in a.free_symbols | b.free_symbols} & (set(box) - own):
        return False
    try:
        return shown_equal(from_sympy(replace(a, mapping)), from_sympy(replace(b, mapping)), box)
    except SymPrivacyError:
        return False
