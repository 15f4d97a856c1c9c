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

from symprivacy.implications.answer import pair, randomized_response, tight, unbounded, unknown
from symprivacy.implications.extremal.stick import JS as JS_GENERATOR
from symprivacy.implications.extremal.stick import KL as KL_GENERATOR
from symprivacy.implications.extremal.stick import Generator, Stick, renyi
from symprivacy.implications.formula import Formula, Given, Root
from symprivacy.implications.implication import Implication
from symprivacy.implications.parameters import canonical, compare
from symprivacy.implications.status import Status
from symprivacy.implications.tables import sharp
from symprivacy.implications.tables.average import evaluator, of_response
from symprivacy.implications.tables.average_level import abp_of, abp_of_y
from symprivacy.implications.tables.ratio import js_of, renyi_of, sharp_of, unconstrained
from symprivacy.language.notation import Text
from symprivacy.notions import Notion
from symprivacy.notions.kinds import Kind

JOINT = "joint-range"
# The mass of odds z, which may be infinite.
_MASS = "1/(1 + 1/z)"
# The means of symmetric functions, under randomized response at x, and two others that are largest there.
SYMMETRIC = {
    Kind.VARIATION: "tanh(x/2)",
    Kind.HELLINGER: "2*sinh(x/4)**2/cosh(x/2)",
    Kind.JENSEN: js_of("x/2"),
    Kind.TRIANGULAR: abp_of_y("x/2", "x"),
}
_AT_RESPONSE = {**SYMMETRIC, Kind.KULLBACK: "x*tanh(x/2)"}
_SQUARE = "4*sinh(x/2)**2"


def spread(bound: str, value: str) -> dict[str, object]:
    """The family (1-w) no difference + w randomized response at x -> oo, w = bound/value(x)."""
    w = f"({bound})/({value})"
    first, second = f"{w}/(1 + exp(-x))", f"{w}/(1 + exp(x))"
    found = pair([first, second, f"1 - {w}"], [second, first, f"1 - {w}"], attained=False, note="x -> oo")
    return {**found, "parameter": "x"}


def disjoint(weight: str) -> dict[str, object]:
    """Disjoint with probability ``weight``, equal otherwise."""
    return pair([weight, f"1 - ({weight})", "0"], ["0", f"1 - ({weight})", weight])


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


def capped(level: Formula, root: Root, text: str, given: Given, limit: str | None = None) -> Implication:
    """PDP: the mass of the largest test of ratio exp(eps2); ``limit`` is the source level at mass 1."""
    if compare(Formula("eps2"), Formula("0"), given) == 0:
        note = "every ratio just above 1 on all outputs but one"
        return tight("1", pair(["1"], ["1"], False, note), "post-processing")
    if limit is not None:
        side = compare(level, Formula(limit), given)
        if side is None:
            return Implication(
                Status.UNKNOWN, note="the level could not be told from the one at which PDP becomes trivial"
            )
        if side >= 0:
            q = "exp(-eps2)"
            return tight("1", pair(["1", "0"], [q, f"1 - {q}"], False, "ratio just above exp(eps2)"), "post-processing")
    formula = Formula(text, (*level.roots, root))
    q = f"({text})*exp(-eps2)"
    note = "approached by laws whose larger ratio exceeds the threshold by as little as one likes"
    return tight(formula, pair([text, f"1 - ({text})"], [q, f"1 - ({q})"], False, note), "post-processing")


def _at_response(target: Notion, level: Formula, given: Given) -> Implication:
    """The level of randomized response."""
    formula = Formula(_AT_RESPONSE[target.kind], (), sharp_of(target, "x")).of({"x": level.body}, level.roots)
    lower = of_response(level, given) if target.kind is Kind.TRIANGULAR else None
    return tight(formula, randomized_response(level.text), JOINT, lower=lower)


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
        return _at_response(target, Formula("x", (root,)), given)
    if target.kind is Kind.STICK:
        return stick_answer(KL_GENERATOR, given, "KL in both orders is at most `k`")
    if target.kind is Kind.TAIL:
        away = "log(1 + z*(1 - exp(-eps2)))"
        forward = f"(z*eps2 - {away})/(1 + z)"
        backward = f"((1 + z*(1 - exp(-eps2)))*{away} - exp(-eps2)*z*eps2)/(1 + z)"
        test = Root("z", f"max({forward}, {backward})", "k", (sharp.kl_test("z"), "k"))
        return capped(Formula("k"), test, _MASS, given)
    return _hopeless(target, spread("k", "x*tanh(x/2)"))


def _hopeless(target: Notion, witness: dict[str, object], *roots: Root) -> Implication:
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
        left = f"log(cosh((2*{alpha} - 1)*x/2)/cosh(x/2))/({alpha} - 1)"
        level = Formula("x", (Root("x", left, e, (sharp.renyi("x", alpha), e)),))
    x, witness = {"x": level.body}, randomized_response(level.text)
    target = at_threshold(target, given)
    if square and target.kind is Kind.VARIATION:
        return tight("sqrt(c/(4 + c))", witness, JOINT)
    if target.kind in _AT_RESPONSE:
        return _at_response(target, level, given)
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
        away = "log(1 + z*(1 - exp(-eps2)))"
        forward = f"(z*exp(({alpha} - 1)*eps2) + exp((1 - {alpha})*{away}))/(1 + z)"
        backward = f"(z*exp(-{alpha}*eps2) + exp({alpha}*{away}))/(1 + z)"
        above, divergence = sharp.renyi_test("z", alpha)
        sides = (above, "c") if square else (divergence, e)
        root = Root("z", f"log(max({forward}, {backward}))/({alpha} - 1)", e, sides)
        return capped(Formula(e), root, _MASS, given)
    moment = f"cosh((2*{alpha} - 1)*x/2)/cosh(x/2) - 1"
    return _hopeless(target, spread(f"exp(({alpha} - 1)*({e})) - 1", moment))


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
    closed = {
        Kind.VARIATION: f"sqrt({s})",
        Kind.JENSEN: f"acosh(1/(1 - h))*sqrt({s}) + log(1 - h)",
        Kind.TRIANGULAR: abp_of(s, rest),
        Kind.HELLINGER: "h",
    }
    if target.kind in closed:
        formula = Formula(closed[target.kind], (), sharp.hellinger_js(s) if target.kind is Kind.JENSEN else "")
        lower = evaluator(s, rest, given) if target.kind is Kind.TRIANGULAR else None
        principle = JOINT if target.kind is not Kind.HELLINGER else "identity"
        return tight(formula, randomized_response(level), principle, lower=lower)
    if target.kind is Kind.STICK:
        root = f"sqrt((1 + exp(eps2))**2 - 4*exp(eps2)*{rest})"
        # On the circle p = sin(a)**2, q = sin(b)**2 with a - b fixed, the larger ratio is found from the angle of b.
        amplitude = f"({root})"
        q = f"(1 - (exp(eps2) - (2*{rest} - 1))/{amplitude})/2"
        p = f"(1 + (1 - exp(eps2)*(2*{rest} - 1))/{amplitude})/2"
        witness = pair([p, f"1 - ({p})"], [q, f"1 - ({q})"])
        return tight(f"2*exp(eps2)*{s}/({root} + exp(eps2) - 1)", witness, "post-processing", "convex-duality")
    if target.kind is Kind.TAIL:
        g = "exp(-eps2)"
        left = f"1 - (z*exp(-eps2/2) + sqrt(1 + z*(1 - {g})))/(1 + z)"
        test = Root("z", left, "h", (sharp.hellinger_test("z"), "h"))
        return capped(Formula("h"), test, _MASS, given, "1 - exp(-eps2/2)")
    return _hopeless(target, disjoint("h"))


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
    root = Root("y", js_of("y"), "j", (sharp.js("y"), "j"))
    target = at_threshold(target, given)
    if target.kind is Kind.JENSEN:
        return tight("j", randomized_response("2*y"), "identity", roots=(root,))
    if target.kind is Kind.VARIATION:
        return tight(Formula("tanh(y)", (root,)), randomized_response("2*y"), JOINT)
    if target.kind is Kind.TRIANGULAR:
        lower = of_response(Formula("2*y", (root,)), given)
        return tight(Formula(abp_of_y("y", "2*y"), (root,)), randomized_response("2*y"), JOINT, lower=lower)
    if target.kind is Kind.HELLINGER:
        return tight("j/log(2)", disjoint("j/log(2)"), JOINT)
    if target.kind is Kind.STICK:
        return stick_answer(JS_GENERATOR, given, "JS is at most `j`")
    if target.kind is Kind.TAIL:
        g = "exp(-eps2)"
        same = f"z*log(2/(1 + {g})) + {g}*z*log(2*{g}/(1 + {g}))"
        q = f"(1 + z*(1 - {g}))"
        other = f"log(2/(1 + {q})) + {q}*log(2*{q}/(1 + {q}))"
        limit = f"(log(2/(1 + {g})) + {g}*log(2*{g}/(1 + {g})) + (1 - {g})*log(2))/2"
        root = Root("z", f"({same} + {other})/(2*(1 + z))", "j", (sharp.js_test("z"), "j"))
        return capped(Formula("j"), root, _MASS, given, limit)
    return _hopeless(target, disjoint("j/log(2)"))


def from_average(target: Notion, given: Given) -> Implication:
    """ABP <= a: the triangular discrimination 2s with s in [0, 1] is bounded."""
    side = compare(Formula("a"), Formula(str(canonical(Kind.TRIANGULAR).largest)), given)
    if side is None or side >= 0:
        unsure = unknown("a could not be told from its largest value")
        return unconstrained(target) if side is not None else unsure
    s, root = "z/(1 + z)", average_root()
    if target.kind is Kind.TRIANGULAR:
        return tight("a", randomized_response(f"2*atanh(sqrt({s}))"), "identity", roots=(root,))
    if target.kind is Kind.VARIATION:
        return tight(Formula(f"sqrt({s})", (root,)), randomized_response(f"2*atanh(sqrt({s}))"), JOINT)
    if target.kind in (Kind.HELLINGER, Kind.JENSEN):
        text = s if target.kind is Kind.HELLINGER else f"{s}*log(2)"
        return tight(Formula(text, (root,)), disjoint(s), JOINT)
    if target.kind is Kind.STICK:
        edge = compare(Formula("(1 + exp(eps2))/(1 + z)", (root,)), Formula("2*(exp(eps2) - 1)"), given)
        if edge is None:
            return unknown("the extremal law could not be placed")
        if edge < 0:
            # All of the test where Q vanishes: q = 0 is the best corner of the region.
            p = f"2*{s}/(1 + {s})"
            return tight(Formula(p, (root,)), pair([p, f"1 - {p}"], ["0", "1"]), "post-processing", "convex-duality")
        big = f"sqrt((exp(eps2) - 1)**2 + {s}*(1 + exp(eps2))**2)"
        total, gap = f"(1 + (1 - exp(eps2))/{big})", f"({s}*(1 + exp(eps2))/{big})"
        p, q = f"({total} + {gap})/2", f"({total} - {gap})/2"
        text = f"{s}*(1 + exp(eps2))**2/(2*({big} + exp(eps2) - 1))"
        witness = pair([p, f"1 - {p}"], [q, f"1 - {q}"])
        return tight(Formula(text, (root,)), witness, "post-processing", "convex-duality")
    if target.kind is Kind.TAIL:
        return _average_pdp(root, s, given)
    return _hopeless(target, disjoint(s), root)


def average_root() -> Root:
    """The odds z of s = z/(1 + z), half of the triangular discrimination, at ABP level a."""
    left = abp_of("z/(1 + z)", "1/(1 + z)")
    return Root("z", left, "a", (sharp.abp("z/(1 + z)", left), "a"))


def _average_pdp(root: Root, s: str, given: Given) -> Implication:
    g = "exp(-eps2)"
    over, under = f"2*{s}*(1 + {g})", f"((1 - {g})**2 + {s}*(1 + {g})**2)"
    if compare(Formula("eps2"), Formula("0"), given) == 0:
        full: int | None = 1
    else:
        full = compare(Formula(over, (root,)), Formula(under, (root,)), given)
    if full is None:
        return unknown("the extremal law could not be placed")
    p = "1" if full >= 0 else f"{over}/{under}"
    q = f"({p})*{g}"
    witness = pair([p, f"1 - ({p})"], [q, f"1 - ({q})"], False, "ratio just above exp(eps2)")
    return tight(Formula(p, (root,) if full < 0 else ()), witness, "post-processing")
