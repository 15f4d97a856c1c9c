"""The entrance of the second checker: a certificate as JSON data in, its verdict out."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from symprivacy.arb import chart
from symprivacy.arb import tree as t
from symprivacy.arb.constants import plain
from symprivacy.arb.domain import Range, demand, read_box
from symprivacy.arb.enclose import constant_sign, require_value
from symprivacy.arb.goal import Goal, first_goals
from symprivacy.arb.identities import equal
from symprivacy.arb.reader import read
from symprivacy.arb.rules import prove
from symprivacy.errors import CertificateError, NoInformation

FORMAT = "symprivacy-certificate/2"
# Bits by which a number that is not seen to be 0 is told from it at the point of a refutation.
FINE = 16384


def check(certificate: Mapping[str, Any]) -> str:
    """Verify a certificate with Arb; returns ``"proved"``, ``"refuted"`` or ``"chart"``, or raises CertificateError.

    >>> check({"format": FORMAT, "lhs": "x", "rel": "<", "rhs": 0, "domain": {"x": [0, 1, False, False]},
    ...        "verdict": "refuted", "at": {"x": 1}})
    'refuted'
    """
    demand(isinstance(certificate, Mapping), "a certificate is a JSON object")
    try:
        match certificate.get("format"):
            case chart.FORMAT:
                chart.check_chart(certificate)
                return "chart"
            case name if name == FORMAT:
                return _check(certificate)
        raise CertificateError(f"not a certificate: expected an object with format {FORMAT!r} or {chart.FORMAT!r}")
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, ArithmeticError, RecursionError) as e:
        raise CertificateError(f"malformed certificate: {type(e).__name__} {str(e)[:200]}") from e
    except NoInformation as e:
        raise CertificateError(str(e)) from e


def _check(certificate: Mapping[str, Any]) -> str:
    box = read_box(certificate["domain"])
    names = frozenset(box)
    goals = first_goals(read(certificate["lhs"], names), certificate["rel"], read(certificate["rhs"], names), box)
    match certificate["verdict"]:
        case "proved":
            for goal, proof in zip(goals, certificate["proofs"], strict=True):
                prove(goal, proof)
            return "proved"
        case "refuted":
            at = {name: require_value(read(text)) for name, text in certificate["at"].items()}
            demand(at.keys() == box.keys(), "the point has other variables than the domain")
            for name, value in at.items():
                demand(box[name].holds(value), f"{name} = {value} is not seen to lie in {box[name]}")
            known = certificate.get("rewrites")
            demand(any(_fails(t.put(g.expr, at), g.strict, known) for g in goals), "no failure is seen at the point")
            return "refuted"
    raise CertificateError("the verdict is neither 'proved' nor 'refuted'")


def settles(difference: Any, ends: Mapping[str, tuple[Fraction, Fraction, bool, bool]], by: str, prec: int) -> bool:
    """Whether one enclosure, plain or by the mean value theorem, shows an expression to be positive on a box.

    This is :func:`check` of a certificate of one step, for those who ask about many boxes with rational ends; the
    expression is what :func:`symprivacy.arb.reader.read` gives.

    >>> settles(read(["exp", "x"], frozenset("x")), {"x": (Fraction(0), Fraction(1), False, False)}, "box", 53)
    True
    """
    box = {name: Range(t.number(lo), t.number(hi), *is_open) for name, (lo, hi, *is_open) in ends.items()}
    try:
        prove(Goal(difference, True, box), {"by": by, "prec": prec})
    except (CertificateError, NoInformation):
        return False
    return True


def _fails(value: t.Node, strict: bool, rewrites: Any) -> bool:
    """Whether a number is negative, or is zero where it should be positive."""
    value = plain(value)
    try:
        sign = constant_sign(value)
    except NoInformation:
        # Next to a pole a coarse ball says nothing.
        return constant_sign(value, FINE) == -1
    if sign is None:
        sign = 0 if strict and equal(value, t.ZERO, {}, rewrites) else constant_sign(value, FINE)
    return sign == -1 or (sign == 0 and strict)
