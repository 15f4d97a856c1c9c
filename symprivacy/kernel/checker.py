"""The checker: it alone decides what is proved.

A certificate is plain JSON: ``lhs``, ``rel``, ``rhs``, a ``domain``, a verdict, and either ``proofs`` (one per goal) or
the point ``at`` which the statement fails. Anything that does not fit raises :class:`CertificateError`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from symprivacy.errors import CertificateError, InputError, NoInformation, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import Box, box_from_data, contains
from symprivacy.kernel.constants import resolved
from symprivacy.kernel.data import from_data
from symprivacy.kernel.enclose import constant_sign, enclose, enclose_constant
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.identities import equal
from symprivacy.kernel.rules import check_goal, goals_of

FORMAT = "symprivacy-certificate/2"
# Bits by which a number that is not seen to be 0 is told from it at the point of a refutation; error functions take
# long with many.
FINE, FINE_OF_ERF = 16384, 4096
T = TypeVar("T")


def check(certificate: Mapping[str, Any]) -> str:
    """Verify a certificate; returns its verdict, ``"proved"`` or ``"refuted"``, or raises.

    >>> check({"format": FORMAT, "lhs": ["exp", "x"], "rel": ">", "rhs": 0, "domain": {"x": [0, 1, False, False]},
    ...        "verdict": "proved", "proofs": [{"by": "box"}]})
    'proved'
    """
    if not isinstance(certificate, Mapping) or certificate.get("format") != FORMAT:
        raise CertificateError(f"not a certificate: expected an object with format {FORMAT!r}")
    return refusing(lambda: _check(certificate))


def refusing(verify: Callable[[], T]) -> T:
    """What a verification returns; whatever stands in its way is said of the certificate."""
    try:
        return verify()
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, ArithmeticError, RecursionError) as e:
        raise CertificateError(f"malformed certificate: {type(e).__name__} {str(e)[:200]}") from e
    except (InputError, UnsupportedError, NoInformation) as e:
        raise CertificateError(str(e)) from e


def _check(certificate: Mapping[str, Any]) -> str:
    box = box_from_data(certificate["domain"])
    names = frozenset(box)
    lhs, rhs = from_data(certificate["lhs"], names), from_data(certificate["rhs"], names)
    rel, verdict = certificate["rel"], certificate["verdict"]
    if verdict == "refuted":
        at = {n: from_data(v, frozenset()) for n, v in certificate["at"].items()}
        check_point(lhs, rel, rhs, box, at, certificate.get("rewrites"))
    elif verdict == "proved":
        for goal, proof in zip(goals_of(lhs, rel, rhs, box), certificate["proofs"], strict=True):
            check_goal(goal, proof)
    else:
        raise CertificateError(f"the verdict is 'proved' or 'refuted', got {verdict!r}")
    return str(verdict)


def check_point(lhs: Expr, rel: str, rhs: Expr, box: Box, at: Mapping[str, Expr], rewrites: Any = None) -> None:
    """Raise unless ``lhs REL rhs`` fails at an exact point of the box; rewrites may show that its sides are equal."""
    if set(at) != set(box):
        raise CertificateError(f"the point names {sorted(at)}, the domain {sorted(box)}")
    for name, value in at.items():
        if value.variables or not contains(box[name], value):
            raise CertificateError(f"{name} = {value!r} is not shown to lie in {box[name]}")
    for goal in goals_of(lhs, rel, rhs, box):
        sign = _sign_at(goal.expr, at, rewrites if goal.strict else None)
        if sign == -1 or (sign == 0 and goal.strict):
            return
    raise CertificateError("the inequality is not shown to fail at the point")


def _sign_at(e: Expr, at: Mapping[str, Expr], rewrites: Any) -> int | None:
    """The sign at an exact point: by one enclosure, else with the point put in, where numbers may cancel."""
    try:
        sign = iv.sign_known(enclose(e, {n: enclose_constant(v) for n, v in at.items()}, 53))
    except NoInformation:
        sign = 0
    if sign:
        return sign
    value = resolved(x.substitute(e, dict(at)))
    # Its enclosures show that the number is defined, even if they do not tell its sign.
    try:
        exact = constant_sign(value)
    except NoInformation:
        # Close to where there is no value it takes a finer look to see that there is one.
        return constant_sign(value, _bits(value))
    if exact is not None:
        return exact
    return 0 if equal(value, x.ZERO, {}, rewrites) else constant_sign(value, _bits(value))


def _bits(value: Expr) -> int:
    return FINE_OF_ERF if any(n.op in ("erf", "erfc", "erfinv") for n in x.subexpressions(value)) else FINE
