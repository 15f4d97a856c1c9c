"""What the tables say of a pair of notions: the formula of the case at hand, and its level there, enclosed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from mpmath.libmp import finf, fzero

from symprivacy.errors import NoInformation
from symprivacy.implications.answer import evaluate, largest
from symprivacy.implications.formula import Formula, Given, narrow
from symprivacy.implications.implication import Implication
from symprivacy.implications.parameters import canonical, compare, conditions, observed, read, understood
from symprivacy.implications.rules import rule
from symprivacy.implications.status import Status
from symprivacy.implications.witness import spell
from symprivacy.kernel import interval as iv
from symprivacy.kernel.expr import subexpressions, substitute
from symprivacy.kernel.interval import Interval
from symprivacy.language.bridge import to_sympy
from symprivacy.notions import get
from symprivacy.notions.kinds import Kind

_INFINITE = ("oo", "inf", "infinity")


def stated(source: str, target: str, given: Given) -> Implication:
    """The formula of the case that the parameters fall into, nothing evaluated.

    >>> print(stated("DP", "ADP", read("DP", "ADP", {"eps": 1, "eps2": 2})))
    DP(eps) => ADP(eps2, 0)
    """
    with observed() as seen:
        found = rule(source, target, given)
    top = None if "delta2" in given else largest(target)
    trivial = found.status is Status.TIGHT and found.level is not None and found.level.is_just(top)
    return replace(found, source=source, target=target, given=given, cases=tuple(seen), trivial=trivial,
                   conditions=conditions(source, target), reading=understood(source, target, given))  # fmt: skip


def tabled(source: str, target: str, asked: Mapping[str, object], digits: int) -> Implication:
    """The level at given parameters, enclosed, with its witness there.

    >>> found = tabled("DP", "KL", {"eps": 1}, 8)
    >>> found.lo, found.hi
    ('0.46211715', '0.46211716')
    """
    return enclosed(stated(source, target, read(source, target, asked)), digits)


def of_finite_order(source: str, target: str, at: Mapping[str, object]) -> tuple[str, str, dict[str, object]]:
    """The same question without an infinite order, which is pure DP.

    >>> of_finite_order("RDP", "TV", {"alpha": "oo", "e": 1})
    ('DP', 'TV', {'eps': 1})
    """
    orders, pure, asked = canonical(Kind.POWER).key, canonical(Kind.RATIO).key, dict(at)
    if source == orders and str(asked.get("alpha")) in _INFINITE and "e" in asked:
        source, asked = pure, {"eps": asked.pop("e"), **{n: x for n, x in asked.items() if n != "alpha"}}
    if target == orders and str(asked.get("alpha2")) in _INFINITE:
        target = pure
        del asked["alpha2"]
    return source, target, asked


def enclosed(found: Implication, digits: int) -> Implication:
    """What is stated, with its level enclosed to so many digits and its witness spelled out."""
    given = found.given
    if found.source == canonical(Kind.POWER).key and compare(Formula("alpha"), Formula("1"), given) == 0:
        # Order 1 is KL, whose formulas call the level k.
        given = {**given, "k": given["e"]}
    status, note, value = found.status, found.note, None
    most = None if "delta2" in given else largest(found.target)
    if status is Status.IMPOSSIBLE:
        value = (finf, finf, False, False)
    else:
        try:
            value = evaluate(found, given, digits)
        except NoInformation as missing:
            status, note = Status.UNKNOWN, f"{note + '; ' if note else ''}{missing}"
            if most is not None:
                status, value = Status.UPPER_BOUND, (fzero, _top(most, given, digits), False, False)
    if value is not None and most is not None and status is not Status.IMPOSSIBLE:
        top = _top(most, given, digits)
        value = iv.minimum(value, (top, top, False, False))
    status, note = judged(status, note, value, digits)
    witness = found.witness
    if found.make_witness is not None and value is not None:
        witness = found.make_witness(digits)
    elif witness is not None:
        witness = spell(witness, found.roots, given, digits, strict=get(found.target).kind is Kind.TAIL)
    return replace(found, status=status, value=value, witness=witness, note=note, digits=digits,
                   exact=exact_level(found, given))  # fmt: skip


def judged(status: Status, note: str, value: Interval | None, digits: int) -> tuple[Status, str]:
    """``tight`` is for levels whose digits are all there, whatever they were computed by."""
    if value is not None and status is Status.TIGHT and not narrow(value, digits):
        return Status.UPPER_BOUND, "the digits asked for were not reached"
    if value is not None and status is Status.UPPER_BOUND and narrow(value, digits):
        return Status.TIGHT, note
    return status, note


def _top(most: str, given: Given, digits: int) -> iv.Real:
    return Formula(most).evaluate(given, int(digits * 3.33) + 60)[1]


def exact_level(found: Implication, given: Given) -> Fraction | None:
    """The level where it is a rational number that needs no computing."""
    if found.level is None or found.level.roots or found.status is not Status.TIGHT:
        return None
    # A call of a function is not rational; no need to look closer.
    if re.search(r"[a-z]\(", found.level.text):
        return None
    plain = substitute(found.level.expr(), dict(given))
    if any(n.op not in ("num", "+", "*", "^") for n in subexpressions(plain)):
        return None
    value = to_sympy(plain)
    return Fraction(int(value.p), int(value.q)) if value.is_Rational else None
