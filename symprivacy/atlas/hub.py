"""Notions without conversion rules: their rows and columns through differential privacy, from their definitions.

Such a notion is derived to and from the hub. If the two formulas are inverse to each other the notion is the hub under
another name, and every settled pair of the hub settles one of the notion. Otherwise what passes through the hub is an
upper bound, and randomized response at a level that satisfies the source gives the lower one.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from mpmath.libmp import finf, fzero, mpf_cmp
from sympy import Rational

from symprivacy.atlas.edge import parameters
from symprivacy.atlas.graph import HUB, derived
from symprivacy.atlas.pulled import within
from symprivacy.atlas.quantity import quantity
from symprivacy.atlas.rough import floats, increasing, rough
from symprivacy.atlas.simplify import simplified
from symprivacy.calculus.certify import equal
from symprivacy.errors import NoInformation, SymPrivacyError
from symprivacy.implications import Conversion, convert
from symprivacy.implications.answer import LARGEST, Answer
from symprivacy.implications.convert import rule
from symprivacy.implications.formula import Formula, expression, narrow, settle
from symprivacy.implications.parameters import SIGNATURES
from symprivacy.implications.result import Status
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr, num
from symprivacy.kernel.interval import Interval, to_fraction
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.language.text import to_text
from symprivacy.mechanisms import level, randomized_response
from symprivacy.notions.registry import remembered


@remembered(256)
def formula(source: str, target: str) -> Formula | None:
    """The level of one end of the hub, None where none was derived."""
    try:
        return derived(source, target)[0]
    except NoInformation:
        return None


@remembered(64)
def equivalent(key: str) -> bool:
    """Whether a notion is the hub under another name: proved both ways, with inverse formulas.

    >>> equivalent("MBP"), equivalent("KL")
    (True, False)
    """
    if key == HUB:
        return True
    own, hub = quantity(key).level, quantity(HUB).level
    try:
        up, down = _to_hub(key), _from_hub(key)
    except NoInformation:
        return False
    if up is None or down is None or up.roots or down.roots:
        return False
    around = to_sympy(down.of({hub: up.text}).expr())
    return bool(equal(around, to_sympy(expression(own)), ()))


def _to_hub(key: str) -> Formula | None:
    if key not in SIGNATURES:
        return formula(key, HUB)
    found = _rule(key, HUB)
    return found.formula if found is not None else None


def _from_hub(key: str) -> Formula | None:
    if key not in SIGNATURES:
        return formula(HUB, key)
    found = _rule(HUB, key)
    return found.formula if found is not None else None


def _rule(source: str, target: str) -> Answer | None:
    if quantity(source).others or quantity(target).asked is not None:
        return None
    found = rule(source, target, parameters(source, target))
    return found if found.status is Status.TIGHT else None


def through(source: str, target: str, digits: int) -> Conversion:
    """What is known of a pair that no rule covers, in the form of a conversion."""
    given = parameters(source, target)
    at = {name: to_text(number) for name, number in given.items()}
    shown, upper = _upper(source, target, given, digits)
    lower, witness = _lower(source, target, given, digits)
    status, note = Status.UPPER_BOUND, f"through {HUB}"
    if upper is not None and upper[0] == finf:
        why = f"{source} bounds no level of {HUB}, which {target} does"
        principles = ("counterexample",)
        return Conversion(source, target, at, Status.IMPOSSIBLE, upper, None, None, principles, why, digits)
    if source == target:
        name = quantity(source).level
        exact = enclose(given[name], {}, 200)
        return Conversion(source, target, at, Status.TIGHT, exact, name, None, ("identity",), "", digits)
    if upper is None:
        if target not in LARGEST:
            value = (lower[0], finf, False, True)
            return Conversion(source, target, at, Status.UNKNOWN, value, None, witness, (), "no bound is known", digits)
        upper = enclose(expression(LARGEST[target]), {}, 200)
        note = "the largest level there is"
    value = (lower[0] if mpf_cmp(lower[0], upper[1]) <= 0 else upper[0], upper[1], False, False)
    if narrow(value, digits - 4) or _is_hub(source, target):
        status, value = Status.TIGHT, upper
    return Conversion(source, target, at, status, value, shown, witness, _principles(source, target), note, digits)


def _is_hub(source: str, target: str) -> bool:
    """Whether one end is the hub under another name and the rest of the way is tight."""
    first = equivalent(source) or (source in SIGNATURES and _tight(source, HUB))
    second = equivalent(target) or (target in SIGNATURES and _tight(HUB, target))
    return (equivalent(target) and first) or (equivalent(source) and second)


@remembered(256)
def _tight(source: str, target: str) -> bool:
    return rule(source, target, parameters(source, target)).status is Status.TIGHT


def _principles(source: str, target: str) -> tuple[str, ...]:
    names: list[str] = []
    for a, b in ((source, HUB), (HUB, target)):
        if a not in SIGNATURES or b not in SIGNATURES:
            try:
                names += derived(a, b)[1]
            except NoInformation:
                continue
    return tuple(dict.fromkeys(names))


def _upper(source: str, target: str, given: Mapping[str, Expr], digits: int) -> tuple[str | None, Interval | None]:
    """Through the hub; oo where the target bounds the hub and the source does not; None where nothing is known."""
    own = {name: given[name] for name in quantity(source).parameters}
    hub = quantity(HUB).level
    if source in SIGNATURES:
        first = convert(source, own, HUB, digits + 6)
        if first.status is Status.IMPOSSIBLE:
            return None, (finf, finf, False, False) if equivalent(target) else None
        if first.value is None:
            return None, None
        start, text = first.value, first.formula
    else:
        up = formula(source, HUB)
        if up is None:
            return None, None
        start, text = settle(lambda prec: up.evaluate(own, prec), digits + 6), str(up)
    number = num(to_fraction(start[1]))
    if target in SIGNATURES:
        asked = {name: given[name] for name in (quantity(target).asked,) if name is not None}
        second = convert(HUB, {hub: number, **asked}, target, digits)
        down = second.formula
        value = second.value
    else:
        step = formula(HUB, target)
        if step is None:
            return None, None
        down, value = str(step), settle(lambda prec: step.evaluate({hub: number}, prec), digits)
    if text is None or down is None or " where " in text or " where " in down:
        return None, value
    composed = Formula(down).of({hub: text})
    # Nothing can become shorter where one of the two formulas is a name.
    plain = text.isidentifier() or down.isidentifier()
    return composed.text if plain else simplified(composed), value


def _lower(
    source: str, target: str, given: Mapping[str, Expr], digits: int
) -> tuple[Interval, Mapping[str, Any] | None]:
    """The level of randomized response that satisfies the source."""
    nothing: tuple[Interval, None] = (fzero, fzero, False, False), None
    try:
        eps = _inside(source, given, digits)
        if eps is None:
            return nothing
        if target in SIGNATURES:
            asked = {name: given[name] for name in (quantity(target).asked,) if name is not None}
            found = convert(HUB, {quantity(HUB).level: eps, **asked}, target, digits)
            if found.value is None or found.status is not Status.TIGHT:
                return nothing
            return found.value, found.witness
        if equivalent(target):
            down = formula(HUB, target)
            assert down is not None
            value = down.evaluate({quantity(HUB).level: num(eps)}, 200)
            return value, {"family": f"randomized response at eps = {eps}", "attained": False}
        reached = level(randomized_response(eps=Rational(eps.numerator, eps.denominator)), target)
        value = enclose(from_sympy(reached.value), {}, 200)
        return value, {"family": f"randomized response at eps = {eps}", "attained": True}
    except SymPrivacyError:
        return nothing


def _inside(source: str, given: Mapping[str, Expr], digits: int) -> Fraction | None:
    """A level of the hub, as large as was found, that is verified to imply the source."""
    if source in SIGNATURES:
        return within(HUB, source, given, digits)
    down, name = formula(HUB, source), quantity(HUB).level
    if down is None or down.roots:
        return None
    goal = given[quantity(source).level]
    found = increasing(lambda v: rough(down, {name: v}), floats({"x": goal})["x"]) * (1 - 1e-15)
    eps = Fraction(found).limit_denominator(10**12) * (1 - Fraction(1, 10**14))
    reached = down.evaluate({name: num(eps)}, 200)
    return eps if eps > 0 and mpf_cmp(reached[1], enclose(goal, {}, 200)[0]) <= 0 else None
