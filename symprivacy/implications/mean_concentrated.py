"""Mean-concentrated privacy: the loss L has a mean of at most mu and, centred, is tau-subgaussian, in both orders.

As a source. exp(-L) has the mean 1, so that the mean is at most m = min(mu, tau**2/2), and D_alpha is at most
m + (alpha - 1) tau**2/2: KL(m) and ZCDP(tau**2/2) follow. Normal laws sqrt(2m) apart are allowed, and so is
randomized response at the x with x tanh(x/2) = m, whose width is sqrt(2m) (Kearns and Saul 1998): what is largest
there under KL(m) is settled. Where mu < tau**2/2, rare outcomes spend the width and hardly any of the mean: coins p < q
with p -> 0, whose D_alpha/alpha comes up to tau**2/2 at large orders. Tests and single orders then keep a gap. No
coarser output is known to be allowed, as the notion is not closed under post-processing.

As a target. A mean above mu2 excludes every tau; otherwise tau**2/2 is at least that mean, and infinite where no level
of ZCDP follows. From bounds on the ratio see :mod:`symprivacy.implications.extremal.widest_loss`; a loss of range eps
has tau at most eps/2 (Hoeffding). From ZCDP(rho): D_alpha <= rho alpha bounds (log E exp(s (L - m)))/s**2 by
rho (1 + 1/a) for |s| >= a, and for |s| < a by E (2 cosh(a (L - m)) - 2)/a**2, which is largest where m is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from mpmath.libmp import finf, to_float

from symprivacy.errors import NoInformation, SymPrivacyError
from symprivacy.implications.answer import zero
from symprivacy.implications.ends import End, end_of
from symprivacy.implications.extremal.widest_loss import coin, widest
from symprivacy.implications.formula import Formula, Given, Root, expression, put, settle
from symprivacy.implications.implication import Implication
from symprivacy.implications.numbers.decimals import above, decimal
from symprivacy.implications.parameters import canonical, compare, has_table
from symprivacy.implications.rules import ratio_level
from symprivacy.implications.status import Status
from symprivacy.implications.tables.divergence import SYMMETRIC, at_threshold
from symprivacy.implications.witness import with_parameters
from symprivacy.kernel.expr import Expr, num, substitute
from symprivacy.kernel.interval import Interval, Real, is_finite, to_fraction
from symprivacy.language.text import to_text
from symprivacy.notions import Notion
from symprivacy.notions.kinds import Kind

Ask = Callable[[str, str, Mapping[str, object], int], Implication]
Sides = Iterator[tuple[bool, End]]
WHY = ("cumulant",)
_GUARD = 10
# What follows, and what normal laws show; m is the largest mean. Both are the same where m is tau**2/2.
_CLOSED = {
    Kind.KULLBACK: ("m", "m"),
    Kind.ORDERS: ("tau**2/2", "tau**2/2"),
    Kind.POWER: ("m + (alpha2 - 1)*tau**2/2", "alpha2*m"),
    Kind.CHI_SQUARE: ("exp(m + tau**2/2) - 1", "exp(2*m) - 1"),
    Kind.TRUNCATED: ("(m + (omega2 - 1)*tau**2/2)/omega2", "m"),
}
_RARE = {
    "family": "coins P = (p, 1 - p), Q = (q, 1 - q), p -> 0, q < p the least with a width of at most tau",
    "attained": False,
    "note": "the mean tends to 0, and the order that is touched to infinity",
}
_SCALES = (*(Fraction(1, 2**k) for k in range(10, 0, -1)), *map(Fraction, (1, 2, 4, 8)))


def largest_mean(given: Given) -> str | None:
    """The largest mean loss that the source allows, as a text; None where the parameters do not tell."""
    side = compare(Formula("mu"), Formula("tau**2/2"), given)
    return None if side is None else "tau**2/2" if side >= 0 else "mu"


def from_loss(end: Notion, given: Given, digits: int, ask: Ask) -> Sides:
    """Bounds on what a mean-concentrated premise implies of another notion."""
    m = largest_mean(given)
    if m is None:
        return
    if compare(Formula(m), Formula("0"), given) == 0:
        yield from _nothing_left()
        return
    full, target = m != "mu", at_threshold(end, given) if "eps2" in given else end
    if target.kind in _CLOSED:
        over, under = (put(text, m=m) for text in _CLOSED[target.kind])
        level, reached = Formula(under if full else over), Formula(under)
        yield True, End(_value(level, given, digits)[1], level, None, WHY)
        rare = target.kind is Kind.ORDERS and not full
        yield False, End(_value(reached, given, digits)[0], None, _RARE if rare else _normal(m), WHY)
        return
    extra = {name: value for name, value in given.items() if name not in ("mu", "tau")}
    weaker = [(Kind.KULLBACK, m)]
    alike = target.kind in SYMMETRIC or target.kind is Kind.BELOW
    if not alike:
        weaker = [(Kind.ORDERS, "tau**2/2"), *weaker]
    for kind, text in weaker:
        found = _asked(kind, text, end, given, extra, digits, ask)
        yield True, replace(end_of(found, True, found.level, WHY), shown=found.shown)
        if alike:
            yield False, end_of(found, False, None, WHY)
    if not alike:
        yield from _of_orders(target, m, given, extra, digits, ask)
        yield from _reached(target, m, given, extra, digits, ask)


def _nothing_left() -> Sides:
    found = zero()
    for upper in (True, False):
        yield upper, End(Formula("0").evaluate({}, 60)[0], Formula("0"), found.witness, ("identity",))


def _normal(m: str) -> dict[str, object]:
    apart = "P = N(a, 1), Q = N(0, 1), a = sqrt(2*mu)" if m == "mu" else "P = N(tau, 1), Q = N(0, 1)"
    return {"family": apart, "attained": True}


def _value(formula: Formula, given: Given, digits: int) -> Interval:
    return settle(lambda prec: formula.evaluate(given, prec), digits + _GUARD)


def _asked(kind: Kind, text: str, end: Notion, given: Given, extra: Given, digits: int, ask: Ask) -> Implication:
    """What a notion of this kind at a level in terms of mu and tau implies."""
    notion = canonical(kind)
    value = substitute(expression(text), dict(given))
    found = ask(notion.key, end.key, {notion.answers: value, **extra}, digits + _GUARD)
    # Its witness has the numbers in it already.
    return replace(with_parameters(replace(found, witness=None), {notion.answers: text}), witness=found.witness)


def _of_orders(target: Notion, m: str, given: Given, extra: Given, digits: int, ask: Ask) -> Sides:
    """Tests by the one order at which the bound on the moments is best, where the mean is less than tau**2/2."""
    if (
        m != "mu"
        or "eps2" not in given
        or not target.kind.threshold
        or compare(Formula("eps2"), Formula("mu"), given) != 1
    ):
        return
    alpha, e = (substitute(expression(text), dict(given)) for text in ("1 + (eps2 - mu)/tau**2", "mu + (eps2 - mu)/2"))
    power = canonical(Kind.POWER)
    found = ask(power.key, target.key, {"alpha": alpha, power.answers: e, **extra}, digits + _GUARD)
    yield True, end_of(found, True, None, WHY)


def _reached(target: Notion, m: str, given: Given, extra: Given, digits: int, ask: Ask) -> Sides:
    """What normal laws and randomized response have of a target."""
    if target.kind is Kind.TAIL:
        yield False, _normal_tail(m, given, digits)
    elif target.kind is not Kind.LEAKAGE:
        curve = canonical(Kind.CURVE)
        apart = substitute(put("sqrt(2*m)", m=m), dict(given))
        found = ask(curve.key, target.key, {curve.answers: apart, **extra}, digits + _GUARD)
        end = end_of(found, False, None, WHY)
        yield False, End(end.value, None, _normal(m), end.principles)
        if not is_finite(end.value):
            return
    response = Formula("x", (Root("x", "x*tanh(x/2)", put("m", m=m)),))
    x = Fraction(decimal(_value(response, given, digits)[0], digits + 2 * _GUARD, up=False))
    # Randomized response is allowed; all laws with its ratios are where it is the widest of them.
    if x > 0 and (target.kind in (Kind.STICK, Kind.CURVE) or _widest_response(x)):
        pure = canonical(Kind.RATIO)
        yield (
            False,
            end_of(ask(pure.key, target.key, {pure.answers: num(x), **extra}, digits + _GUARD), False, None, WHY),
        )


def _widest_response(x: Fraction) -> bool:
    try:
        return widest(x, 80)[1]
    except NoInformation:
        return False


def _normal_tail(m: str, given: Given, digits: int) -> End:
    """The mass of a normal law beyond a threshold of its loss, which is normal of mean m and variance 2m; or where."""
    if "delta2" not in given:
        level = Formula(put("erfc((eps2 - m)/(2*sqrt(m)))/2", m=m))
    elif compare(Formula("delta2"), Formula("1/2"), given) == -1:
        level = Formula(put("m + 2*sqrt(m)*erfinv(1 - 2*delta2)", m=m))
    else:
        level = Formula("0")
    return End(_value(level, given, digits)[0], None, _normal(m), WHY)


def to_loss(start: Notion, given: Given, digits: int, ask: Ask) -> Sides:
    """Bounds on the least tau at mu2 that follows from a premise."""
    own = {name: given[name] for name in start.names}
    level, mean, witness = _mean(start, own, given, digits, ask)
    if not is_finite(mean[1]) and not is_finite(mean[0]):
        yield False, End(finf, None, witness, WHY)
        return
    side = None if level is None else compare(level, Formula("mu2"), given)
    allowed = to_fraction(Formula("mu2").evaluate(given, 8 * digits + 200)[0])
    if side == 1 or to_fraction(mean[0]) > allowed:
        yield False, End(finf, None, witness, WHY)
        return
    if level is not None and compare(level, Formula("0"), given) == 0:
        yield from _nothing_left()
        return
    within = side in (0, -1) or (is_finite(mean[1]) and to_fraction(mean[1]) <= allowed)
    yield False, End(_root_of_twice(mean[0], digits)[0], None, witness, WHY)
    if start.kind in (Kind.LOSS, Kind.WIDTH):
        text = start.answers if start.kind is Kind.LOSS else "eps/2"
        value, laws = _value(Formula(text), given, digits), _witness(start, given)
        yield False, End(value[0], None, laws, WHY)
        if within:
            yield True, End(value[1], Formula(text), None, WHY if start.kind is Kind.LOSS else ("two-point-extremal",))
        return
    orders = ask(start.key, canonical(Kind.ORDERS).key, own, digits + _GUARD)
    if orders.status is Status.IMPOSSIBLE:
        yield False, End(finf, None, orders.witness, (*orders.principles, *WHY))
        return
    if within:
        yield from _of_ratio(start, own, given, digits, ask)
    if within and orders.value is not None and is_finite(orders.value[1]):
        yield True, _crude(orders, digits)


def _mean(
    start: Notion, own: Given, given: Given, digits: int, ask: Ask
) -> tuple[Formula | None, tuple[Real, Real], Mapping[str, object] | None]:
    """The largest mean loss under a premise: its formula, its enclosure and laws that have it."""
    if start.kind is Kind.LOSS:
        m = largest_mean(given)
        if m is None:
            raise NoInformation("mu could not be told from tau**2/2")
        value = _value(Formula(m), given, digits)
        return Formula(m), (value[0], value[1]), _normal(m)
    found = ask(start.key, canonical(Kind.KULLBACK).key, own, digits + _GUARD)
    ends = found.value or (Formula("0").evaluate({}, 60)[0], finf)
    return found.level if found.settled else None, (ends[0], ends[1]), found.witness


def _witness(start: Notion, given: Given) -> Mapping[str, object]:
    if start.kind is Kind.LOSS:
        return _normal("tau**2/2") if largest_mean(given) != "mu" else _RARE
    low, high = (to_text(substitute(expression(t), dict(given))) for t in ("1/(1 + exp(eps))", "1/(1 + exp(-eps))"))
    return {"P": ["1/2", "1/2"], "Q": [low, high], "attained": True}


def _root_of_twice(value: Real, digits: int) -> Interval:
    return _value(Formula("sqrt(2*v)"), {"v": num(to_fraction(value))}, digits)


def _of_ratio(start: Notion, own: Given, given: Given, digits: int, ask: Ask) -> Sides:
    """By the widest coin whose ratios are allowed; from below where the premise is a bound on the ratio itself."""
    pure = canonical(Kind.RATIO)
    try:
        found = ask(start.key, pure.key, own, digits + _GUARD)
    except SymPrivacyError:
        return
    if found.value is None or not is_finite(found.value[1]):
        return
    eps = above(found.value, digits + 2 * _GUARD)
    try:
        value, response = widest(eps, int(3.33 * digits) + 60)
    except NoInformation:
        yield True, End(found.value[1], found.level, None, (*found.principles, "two-point-extremal"))
        return
    why = tuple(dict.fromkeys((*found.principles, "two-point-extremal")))
    level = Formula("sqrt(2*eps*tanh(eps/2))")
    formula = None if not response or found.level is None else level.after("eps", found.level)
    words = None if formula is not None else "width of the loss of the widest coin with such ratios"
    yield True, End(value[1], formula, None, why, words)
    if has_table(start) and not response and ratio_level(start, own) is not None:
        p, q = coin(eps, digits)
        laws = {"P": [p, f"1 - {p}"], "Q": [q, f"1 - {q}"], "attained": False, "note": "rounded"}
        shrunk = Fraction(decimal(found.value[0], digits + 2 * _GUARD, up=False))
        yield False, End(widest(shrunk, int(3.33 * digits) + 60)[0][0], None, laws, why)


def _crude(orders: Implication, digits: int) -> End:
    """A bound by the divergences of all orders, at the scale a that makes it least."""
    assert orders.value is not None
    rho = num(above(orders.value, digits + _GUARD))
    best = min(_SCALES, key=lambda a: to_float(_crude_level(a).evaluate({"rho": rho}, 80)[1]))
    level = _crude_level(best)
    value = _value(level, {"rho": rho}, digits)[1]
    formula = None if orders.level is None else level.after("rho", orders.level)
    return End(value, formula, None, tuple(dict.fromkeys((*orders.principles, "width-of-orders"))))


def _crude_level(a: Fraction) -> Formula:
    below = put("exp(rho*a*(a - 1))", a=num(a)) if a > 1 else expression("1")
    parts: Mapping[str, Expr] = {"a": num(a), "b": below}
    if a == 1:
        # The exponential is the larger one.
        return Formula("sqrt(2*(exp(2*rho) - 1))")
    return Formula(put("sqrt(2*Max(rho*(1 + 1/a), (exp(rho*a*(1 + a)) + b - 2)/a**2))", **parts))
