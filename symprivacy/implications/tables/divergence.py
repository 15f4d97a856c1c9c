"""From an f-divergence bound in both orders: KL, RDP, CHI2 (which is RDP of order 2), HELL2, JS and ABP.

Mixing a pair with its reverse shows that for symmetric targets only symmetric laws matter, that is mixtures of
randomized responses of levels x >= 0: the answer is the upper concave envelope of the curve (F(x), G(x)) of the two
divergences. Where G'/F' falls the envelope is the curve itself; where it rises it is the chord from x = 0 to x = oo,
a mixture of "no difference" and "disjoint". RDP of a smaller order and KL are largest at randomized response too: the
difference of the dual function and the target is an exponential sum with two double zeros, so by Descartes' rule its
coefficients alternate and it has no other zero.
"""

from __future__ import annotations

from dataclasses import replace

from symprivacy.implications.answer import (
    INFINITE,
    coins,
    disjoint,
    listed,
    pair,
    randomized_response,
    tight,
    unbounded,
    unknown,
)
from symprivacy.implications.extremal.hockey_stick import JS as JS_GENERATOR
from symprivacy.implications.extremal.hockey_stick import KL as KL_GENERATOR
from symprivacy.implications.extremal.hockey_stick import Generator, Stick, renyi
from symprivacy.implications.formula import Formula, Given, Part, Root, put
from symprivacy.implications.implication import Implication
from symprivacy.implications.parameters import canonical, compare
from symprivacy.implications.status import Status
from symprivacy.implications.tables import near_zero
from symprivacy.implications.tables.average import abp_of, abp_of_y, evaluator, of_response
from symprivacy.implications.tables.ratio import BY_A_HAIR, js_of, renyi_at, renyi_of, sharp_of, unconstrained
from symprivacy.kernel.expr import Expr
from symprivacy.language.notation import Text
from symprivacy.notions import Notion
from symprivacy.notions.kinds import Kind

JOINT = "joint-range"
# The mass of odds z, which may be infinite.
_MASS = "1/(1 + 1/z)"
# What the complement of the test of odds z and ratio exp(eps2) has under Q, where it has 1 under P.
_REST = "1 + z*(1 - exp(-eps2))"
# Half of the triangular discrimination, in its odds.
_HALF = "z/(1 + z)"
# The means of symmetric functions, under randomized response at x, and two others that are largest there.
SYMMETRIC: dict[Kind, Part] = {
    Kind.VARIATION: "tanh(x/2)",
    Kind.HELLINGER: "2*sinh(x/4)**2/cosh(x/2)",
    Kind.JENSEN: js_of("x/2"),
    Kind.TRIANGULAR: abp_of_y("x/2"),
}
_AT_RESPONSE: dict[Kind, Part] = {**SYMMETRIC, Kind.KULLBACK: "x*tanh(x/2)"}
_SQUARE = "4*sinh(x/2)**2"


def spread(bound: Part, value: Part) -> dict[str, object]:
    """The family (1-w) no difference + w randomized response at x -> oo, w = bound/value(x)."""
    w = put("b/v", b=bound, v=value)
    first, second, equal = (put(text, w=w) for text in ("w/(1 + exp(-x))", "w/(1 + exp(x))", "1 - w"))
    found = pair([first, second, equal], [second, first, equal], attained=False, note="x -> oo")
    return {**found, "parameter": "x"}


def stick_answer(generator: Generator, given: Given, source: str) -> Implication:
    """ADP from a generator, with both bounds computed: a test is a pair of coins, which the source bounds as well."""
    stick = Stick(generator, given)
    return Implication(
        Status.TIGHT,
        lower=stick.evaluate,
        make_witness=stick.witness,
        principles=("post-processing", "convex-duality"),
        shown=Text(f"largest `p - exp(eps2)*q` over coins `p, q` whose {source}"),
    )


def above_one() -> Implication:
    """PDP at threshold 1."""
    note = "every ratio just above 1 on all outputs but one"
    return tight("1", pair(["1"], ["1"], False, note), "post-processing")


def capped(level: Formula, root: Root, given: Given, limit: Part | None = None) -> Implication:
    """PDP: the mass of the largest test of ratio exp(eps2), at odds z; ``limit`` is the source level at mass 1."""
    if compare(Formula("eps2"), Formula("0"), given) == 0:
        return above_one()
    if limit is not None:
        side = compare(level, Formula(limit), given)
        if side is None:
            return Implication(
                Status.UNKNOWN, note="the level could not be told from the one at which PDP becomes trivial"
            )
        if side >= 0:
            return tight("1", coins("1", "exp(-eps2)", False, "ratio just above exp(eps2)"), "post-processing")
    law = coins(_MASS, put("p*exp(-eps2)", p=_MASS), False, BY_A_HAIR)
    return tight(Formula(_MASS, (*level.roots, root)), law, "post-processing")


def costs_of_test(alpha: str) -> tuple[Expr, Expr]:
    """KL, or the moment of an order, of the test of odds z and ratio exp(eps2) and of its reverse."""
    if not alpha:
        forward = put("(z*eps2 - log(q))/(1 + z)", q=_REST)
        return forward, put("(q*log(q) - exp(-eps2)*z*eps2)/(1 + z)", q=_REST)
    forward = put("(z*exp((n - 1)*eps2) + exp((1 - n)*log(q)))/(1 + z)", n=alpha, q=_REST)
    return forward, put("(z*exp(-n*eps2) + exp(n*log(q)))/(1 + z)", n=alpha, q=_REST)


def odds_of_kl(k: str, least: bool = False) -> Root:
    """The odds z of the test of ratio exp(eps2) whose larger KL is k, or whose ``least`` one is."""
    forward, backward = costs_of_test("")
    larger = put("min(f, g)" if least else "max(f, g)", f=forward, g=backward)
    return Root("z", larger, k, (near_zero.kl_test("z", least), k))


def odds_of_test(alpha: str, e: str, square: bool = False, least: bool = False) -> Root:
    """The odds z of the test of ratio exp(eps2) whose divergence by the larger moment, or the ``least``, is e."""
    forward, backward = costs_of_test(alpha)
    above, divergence = near_zero.renyi_test("z", alpha, least)
    sides = (above, "c") if square else (divergence, e)
    larger = "log(min(f, g))/(n - 1)" if least else "log(max(f, g))/(n - 1)"
    return Root("z", put(larger, f=forward, g=backward, n=alpha), e, sides)


def at_response(target: Notion, level: Formula, given: Given) -> Implication:
    """The level of randomized response."""
    formula = Formula(_AT_RESPONSE[target.kind], (), sharp_of(target, "x")).of({"x": level.body}, level.roots)
    lower = of_response(level, given) if target.kind is Kind.TRIANGULAR else None
    return tight(formula, randomized_response(level.body), JOINT, lower=lower)


def at_threshold(target: Notion, given: Given) -> Notion:
    """The target, but the total variation for a hockey-stick at the threshold 1."""
    plain = target.kind is Kind.STICK and compare(Formula("eps2"), Formula("0"), given) == 0
    return canonical(Kind.VARIATION) if plain else target


def from_kl(target: Notion, given: Given) -> Implication:
    """KL <= k in both orders.

    >>> from symprivacy.notions import get
    >>> print(from_kl(get("TV"), {}).formula)
    tanh(x/2) where x*tanh(x/2) = k
    """
    root = Root("x", "x*tanh(x/2)", "k")
    target = at_threshold(target, given)
    first = target.kind is Kind.POWER and compare(Formula("alpha2"), Formula("1"), given) == 0
    if target.kind is Kind.KULLBACK or first:
        return tight("k", randomized_response("x"), "identity", roots=(root,))
    if target.kind in SYMMETRIC:
        return at_response(target, Formula("x", (root,)), given)
    if target.kind is Kind.STICK:
        return stick_answer(KL_GENERATOR, given, "KL in both orders is at most `k`")
    if target.kind is Kind.TAIL:
        return capped(Formula("k"), odds_of_kl("k"), given)
    return hopeless(target, spread("k", "x*tanh(x/2)"))


def hopeless(target: Notion, witness: dict[str, object], *roots: Root) -> Implication:
    """No level below the largest one, of a kind that unbounded ratios leave without one."""
    listed(target, (*INFINITE, Kind.BELOW))
    return replace(unbounded(target, witness, "the ratio is unbounded"), roots=roots)


def from_power(target: Notion, given: Given) -> Implication:
    """RDP: order 1 is KL."""
    if compare(Formula("alpha"), Formula("1"), given) == 0:
        return from_kl(target, {**given, "k": given["e"]})
    return _from_renyi(target, "alpha", "e", given, square=False)


def from_square(target: Notion, given: Given) -> Implication:
    """CHI2(c) is RDP of order 2 with e = log(1 + c)."""
    return _from_renyi(target, "2", "log(1 + c)", given, square=True)


def _from_renyi(target: Notion, alpha: str, e: str, given: Given, square: bool) -> Implication:
    """RDP of one order > 1 in both orders, or CHI2, which is ``square``."""
    if square:
        level = Formula("2*asinh(sqrt(c)/2)")
    else:
        level = Formula("x", (Root("x", renyi_at("x", alpha), e, (near_zero.renyi("x", alpha), e)),))
    x, witness = {"x": level.body}, randomized_response(level.body)
    target = at_threshold(target, given)
    if square and target.kind is Kind.VARIATION:
        return tight("sqrt(c/(4 + c))", witness, JOINT)
    if target.kind in _AT_RESPONSE:
        return at_response(target, level, given)
    if target.kind in (Kind.POWER, Kind.CHI_SQUARE):
        order = "2" if target.kind is Kind.CHI_SQUARE else "alpha2"
        side = compare(Formula(order), Formula(alpha), given)
        if side is None:
            return unknown("the two orders could not be told apart")
        if side == 0:
            moment = "c" if square else "exp(e) - 1"
            return tight(moment if order == "2" else e, witness, "identity", roots=level.roots)
        if side < 0:
            found = Formula(_SQUARE) if order == "2" else renyi_of("x", given)
            return tight(found.of(x, level.roots), witness, JOINT)
    if target.kind is Kind.STICK:
        if square:
            return stick_answer(renyi(alpha, e, "c"), given, "CHI2 in both orders is at most `c`")
        return stick_answer(renyi(alpha, e), given, "divergence of order `alpha` in both orders is at most `e`")
    if target.kind is Kind.TAIL:
        return capped(Formula(e), odds_of_test(alpha, e, square), given)
    far = put("cosh((2*n - 1)*x/2)/cosh(x/2) - 1", n=alpha)
    return hopeless(target, spread(put("exp((n - 1)*e) - 1", n=alpha, e=e), far))


def from_hellinger(target: Notion, given: Given) -> Implication:
    """HELL2 <= h.

    >>> from symprivacy.notions import get
    >>> print(from_hellinger(get("TV"), {"h": Formula("1/5").expr()}).formula)
    sqrt(h*(2 - h))
    """
    s, rest = "h*(2 - h)", "(1 - h)**2"
    if compare(Formula("h"), Formula("1"), given) == 0:
        return unconstrained(target)
    level = "2*acosh(1/(1 - h))"
    closed: dict[Kind, Part] = {
        Kind.VARIATION: "sqrt(h*(2 - h))",
        Kind.JENSEN: "acosh(1/(1 - h))*sqrt(h*(2 - h)) + log(1 - h)",
        Kind.TRIANGULAR: abp_of(s, rest),
        Kind.HELLINGER: "h",
    }
    if target.kind in closed:
        formula = Formula(closed[target.kind], (), near_zero.hellinger_js(s) if target.kind is Kind.JENSEN else "")
        lower = evaluator(s, rest, given) if target.kind is Kind.TRIANGULAR else None
        principle = JOINT if target.kind is not Kind.HELLINGER else "identity"
        return tight(formula, randomized_response(level), principle, lower=lower)
    if target.kind is Kind.STICK:
        root = put("sqrt((1 + exp(eps2))**2 - 4*exp(eps2)*(1 - h)**2)")
        # On the circle p = sin(a)**2, q = sin(b)**2 with a - b fixed, the larger ratio is found from the angle of b.
        q = put("(1 - (exp(eps2) - (2*c - 1))/w)/2", c=rest, w=root)
        p = put("(1 + (1 - exp(eps2)*(2*c - 1))/w)/2", c=rest, w=root)
        least = put("2*exp(eps2)*h*(2 - h)/(w + exp(eps2) - 1)", w=root)
        return tight(least, coins(p, q), "post-processing", "convex-duality")
    if target.kind is Kind.TAIL:
        left = "1 - (z*exp(-eps2/2) + sqrt(1 + z*(1 - exp(-eps2))))/(1 + z)"
        test = Root("z", left, "h", (near_zero.hellinger_test("z"), "h"))
        return capped(Formula("h"), test, given, "1 - exp(-eps2/2)")
    return hopeless(target, disjoint("h"))


def from_js(target: Notion, given: Given) -> Implication:
    """JS <= j, in nats.

    >>> from symprivacy.notions import get
    >>> print(from_js(get("HELL2"), {"j": Formula("1/10").expr()}).formula)
    j/log(2)
    """
    side = compare(Formula("j"), Formula("log(2)"), given)
    if side is None or side >= 0:
        unsure = unknown("j could not be told from log(2)")
        return unconstrained(target) if side is not None else unsure
    root = Root("y", js_of("y"), "j", (near_zero.js("y"), "j"))
    target = at_threshold(target, given)
    if target.kind is Kind.JENSEN:
        return tight("j", randomized_response("2*y"), "identity", roots=(root,))
    if target.kind is Kind.VARIATION:
        return tight(Formula("tanh(y)", (root,)), randomized_response("2*y"), JOINT)
    if target.kind is Kind.TRIANGULAR:
        lower = of_response(Formula("2*y", (root,)), given)
        return tight(Formula(abp_of_y("y"), (root,)), randomized_response("2*y"), JOINT, lower=lower)
    if target.kind is Kind.HELLINGER:
        return tight("j/log(2)", disjoint("j/log(2)"), JOINT)
    if target.kind is Kind.STICK:
        return stick_answer(JS_GENERATOR, given, "JS is at most `j`")
    if target.kind is Kind.TAIL:
        # Twice the divergence of the masses 1 and g.
        one = "log(2/(1 + g)) + g*log(2*g/(1 + g))"
        same, other = put(one, g="exp(-eps2)"), put(one, g=_REST)
        limit = put("(s + (1 - exp(-eps2))*log(2))/2", s=same)
        root = Root("z", put("(z*s + t)/(2*(1 + z))", s=same, t=other), "j", (near_zero.js_test("z"), "j"))
        return capped(Formula("j"), root, given, limit)
    return hopeless(target, disjoint("j/log(2)"))


def from_average(target: Notion, given: Given) -> Implication:
    """ABP <= a: the triangular discrimination 2s with s in [0, 1] is bounded."""
    side = compare(Formula("a"), Formula(str(canonical(Kind.TRIANGULAR).largest)), given)
    if side is None or side >= 0:
        unsure = unknown("a could not be told from its largest value")
        return unconstrained(target) if side is not None else unsure
    root, response = average_root(), randomized_response("2*atanh(sqrt(z/(1 + z)))")
    if target.kind is Kind.TRIANGULAR:
        return tight("a", response, "identity", roots=(root,))
    if target.kind is Kind.VARIATION:
        return tight(Formula("sqrt(z/(1 + z))", (root,)), response, JOINT)
    if target.kind in (Kind.HELLINGER, Kind.JENSEN):
        text = _HALF if target.kind is Kind.HELLINGER else "z/(1 + z)*log(2)"
        return tight(Formula(text, (root,)), disjoint(_HALF), JOINT)
    if target.kind is Kind.STICK:
        edge = compare(Formula("(1 + exp(eps2))/(1 + z)", (root,)), Formula("2*(exp(eps2) - 1)"), given)
        if edge is None:
            return unknown("the extremal law could not be placed")
        if edge < 0:
            # All of the test where Q vanishes: q = 0 is the best corner of the region.
            p = put("2*s/(1 + s)", s=_HALF)
            return tight(Formula(p, (root,)), coins(p, "0"), "post-processing", "convex-duality")
        big = put("sqrt((exp(eps2) - 1)**2 + s*(1 + exp(eps2))**2)", s=_HALF)
        p, q = (
            put("(1 + (1 - exp(eps2))/b + g*s*(1 + exp(eps2))/b)/2", s=_HALF, b=big, g=sign) for sign in ("1", "-1")
        )
        level = put("s*(1 + exp(eps2))**2/(2*(b + exp(eps2) - 1))", s=_HALF, b=big)
        return tight(Formula(level, (root,)), coins(p, q), "post-processing", "convex-duality")
    if target.kind is Kind.TAIL:
        return _average_pdp(root, given)
    return hopeless(target, disjoint(_HALF), root)


def average_root() -> Root:
    """The odds z of s = z/(1 + z), half of the triangular discrimination, at ABP level a."""
    left = abp_of(_HALF, "1/(1 + z)")
    return Root("z", left, "a", (near_zero.abp(_HALF, left), "a"))


def _average_pdp(root: Root, given: Given) -> Implication:
    over = put("2*s*(1 + exp(-eps2))", s=_HALF)
    under = put("(1 - exp(-eps2))**2 + s*(1 + exp(-eps2))**2", s=_HALF)
    if compare(Formula("eps2"), Formula("0"), given) == 0:
        full: int | None = 1
    else:
        full = compare(Formula(over, (root,)), Formula(under, (root,)), given)
    if full is None:
        return unknown("the extremal law could not be placed")
    p = put("1") if full >= 0 else put("a/b", a=over, b=under)
    witness = coins(p, put("p*exp(-eps2)", p=p), False, "ratio just above exp(eps2)")
    return tight(Formula(p, (root,) if full < 0 else ()), witness, "post-processing")
