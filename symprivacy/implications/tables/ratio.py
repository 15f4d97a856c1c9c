"""From a bound on the likelihood ratio (DP and its equivalents) or on its range (RB) to everything else.

With r = dP/dQ in [exp(-eps), exp(eps)] and mean one, a convex functional is largest at the two-point law, which
is randomized response. For a range of width eps the place of the range is optimised as well: two-point laws on
a and a exp(eps). Derivations of the less known lines:

ZCDP of DP: D_alpha/alpha of randomized response is the slope of a chord of log cosh(eps sqrt(s)) from s = 1/4
to s = (alpha - 1/2)**2; log cosh(sqrt(s)) is concave in s, so the slope is largest at alpha -> 1.
GDP of DP: the trade-off function of DP has one corner; a convex curve below the corner is below the chords.
RB: KL at a is log(a) + (1-a) eps/(1-exp(-eps)), largest at 1/a = eps/(1-exp(-eps)); the other positions follow the
same way; TV, HELL2, JS, ABP and GDP are largest in the middle, where RB(eps) is as DP(eps/2): for GDP see quantile.
RDP of RB is (T(alpha) - T(alpha-1) - T(1))/(alpha-1) with T(x) = x log(sinh(eps x/2)/x). T'' is odd, and concave for
x > 0: with eps = 2 it is 2 coth(x) - 1/x - x/sinh(x)**2, and its second derivative has the sign of
-((cosh(z) - 1)**2 + z**4 (cosh(z) + 2)/4 - z**3 sinh(z)), z = 2x, whose power series has no coefficient of the other
sign: z**N/N! has 2**N/2 - 2 + N (N-1) (N-2) (N-7)/4, and 12 more for N = 4. So the slope of T'' falls with |x|, the
integral of T'' over [b - 1/2, b + 1/2] is concave in b > 0, the numerator is concave in (alpha - 1/2)**2, where it
vanishes at 1/4, and as alpha (alpha-1) = (alpha - 1/2)**2 - 1/4, ZCDP is again the limit alpha -> 1.
"""

from __future__ import annotations

from symprivacy.implications.answer import coins, listed, randomized_response, tight, unbounded, unknown
from symprivacy.implications.extremal.tradeoff import response_level
from symprivacy.implications.formula import Evaluator, Formula, Given, Part, put
from symprivacy.implications.implication import Implication
from symprivacy.implications.parameters import DIAMETER, compare
from symprivacy.implications.tables import near_zero
from symprivacy.implications.tables.average import abp_of_y, of_response
from symprivacy.kernel.expr import Expr
from symprivacy.language.text import to_text
from symprivacy.notions import Notion, Pairs
from symprivacy.notions.kinds import Kind

TWO_POINT = "two-point-extremal"


def js_of(y: Part) -> Expr:
    """log(2) minus the entropy of a coin with log odds 2y: JS of randomized response at 2y."""
    return put("y*tanh(y) - log(cosh(y))", y=y)


def gdp_middle(eps: Formula, given: Given) -> tuple[Formula, Evaluator]:
    """2 Phi^-1(exp(eps)/(1+exp(eps))), and how to enclose it where tanh(eps/2) is next to 1."""
    formula = Formula("2*sqrt(2)*erfinv(tanh(eps/2))").of({"eps": eps.body}, eps.roots)
    return formula, lambda prec: response_level(eps.evaluate(given, prec + 20), prec)


_OF_RATIO: dict[Kind, Part] = {
    Kind.WIDTH: "2*eps",
    Kind.VARIATION: "tanh(eps/2)",
    Kind.KULLBACK: "eps*tanh(eps/2)",
    Kind.ORDERS: "eps*tanh(eps/2)",
    Kind.CHI_SQUARE: "4*sinh(eps/2)**2",
    Kind.HELLINGER: "2*sinh(eps/4)**2/cosh(eps/2)",
    Kind.JENSEN: js_of("eps/2"),
    Kind.TRIANGULAR: abp_of_y("eps/2"),
}
_FIRST, _FIRST_PLACE = "eps/(1 - exp(-eps)) - 1 - log(eps/(1 - exp(-eps)))", "(1 - exp(-eps))/eps"
_OF_RANGE: dict[Kind, Part] = {
    Kind.WIDTH: "eps",
    Kind.VARIATION: "tanh(eps/4)",
    Kind.KULLBACK: _FIRST,
    Kind.ORDERS: _FIRST,
    Kind.CHI_SQUARE: "sinh(eps/2)**2",
    Kind.HELLINGER: "2*sinh(eps/8)**2/cosh(eps/4)",
    Kind.JENSEN: js_of("eps/4"),
    Kind.TRIANGULAR: abp_of_y("eps/4"),
}


def largest_ratio_principles(target: Notion) -> tuple[str, ...]:
    """Which principles turn a ratio bound into a level of a posterior notion."""
    if target.needs == DIAMETER:
        return ("group-path",)
    if not target.priors:
        return ("events-to-points",)
    return ("bayes", "mixture" if target.uniform else "worst-prior")


def ratio_witness(target: Notion, eps: Part) -> dict[str, object]:
    """A mechanism whose neighbours have all ratios within exp(eps) and that attains the level."""
    if target.pairs is Pairs.GAMES:
        e, one = randomized_response(eps)["P"]
        rows = [[e, one], [one, e], [one, e], [e, one]]
        return {"mechanism": {"n": 2, "domain": ["0", "1"], "default": "0", "matrix": rows}, "attained": True,
                "note": "randomized response on the exclusive or of two bits"}  # fmt: skip
    if target.needs == DIAMETER:
        # Neighbours have ratio exp(eps) at the rare output and nearly 1 at the other, whichever belief is updated.
        chance = to_text(put("c*exp(x*eps)", eps=eps))
        family = f"inputs 0..D, neighbours differ by one; output 1 has probability {chance}, output 0 the rest"
        note = "the ratio at output 1 between the two ends is the level; allowed as c tends to 0"
        return {"family": family, "attained": False, "note": note}
    if target.posterior and target.pairs is Pairs.ALL:
        return randomized_response(eps, "approached as the prior of the first secret tends to 0", attained=False)
    if target.uniform:
        note = "m2 secrets; the first has row P, all others row Q; output 1"
        return randomized_response(eps, note)
    return randomized_response(eps)


def from_ratio(target: Notion, eps: Formula, given: Given) -> Implication:
    """Everything that |log dP/dQ| <= eps implies, eps a formula.

    >>> from symprivacy.notions import get
    >>> print(from_ratio(get("KL"), Formula("eps"), {}).formula)
    eps*tanh(eps/2)
    """
    inner, roots = {"eps": eps.body}, eps.roots
    witness = ratio_witness(target, eps.body)
    if target.of_ratio is not None:
        formula = Formula(target.of_ratio, (), sharp_of(target, "eps")).of(inner, roots)
        return tight(formula, witness, *largest_ratio_principles(target))
    if (text := _OF_RATIO.get(target.kind)) is not None:
        principles = (TWO_POINT, "renyi-monotone") if target.kind is Kind.ORDERS else (TWO_POINT,)
        lower = of_response(eps, given) if target.kind is Kind.TRIANGULAR else None
        formula = Formula(text, (), sharp_of(target, "eps")).of(inner, roots)
        return tight(formula, witness, *principles, lower=lower)
    if target.kind is Kind.POWER:
        return tight(renyi_of("eps", given).of(inner, roots), witness, TWO_POINT)
    if target.kind is Kind.CURVE:
        formula, enclosed = gdp_middle(eps, given)
        return tight(formula, witness, "hypothesis-testing", lower=enclosed)
    return _thresholds(target, eps, given)


def sharp_of(target: Notion, eps: Part) -> Part:
    """The level of randomized response at eps as it is evaluated, where the formula loses digits."""
    if target.kind is Kind.JENSEN:
        return near_zero.js(put("x/2", x=eps))
    return put("sqrt(v)", v=near_zero.js(put("x/4", x=eps))) if target.compares == "secrets" else ""


def renyi_of(eps: Part, given: Given) -> Formula:
    """The Renyi divergence of order alpha2 of randomized response at eps; order 1 is KL."""
    if compare(Formula("alpha2"), Formula("1"), given) == 0:
        return Formula(put("eps*tanh(eps/2)", eps=eps))
    return Formula(renyi_at(eps, "alpha2"), (), near_zero.renyi(eps, "alpha2"))


def renyi_at(eps: Part, order: Part) -> Expr:
    """The Renyi divergence of an order > 1 of randomized response at eps."""
    return put("log(cosh((2*n - 1)*eps/2)/cosh(eps/2))/(n - 1)", eps=eps, n=order)


def _thresholds(target: Notion, eps: Formula, given: Given) -> Implication:
    listed(target, (Kind.STICK, Kind.TAIL))
    side = compare(Formula("eps2"), eps, given)
    if side is None:
        return unknown("eps2 could not be told from the level of the source")
    witness = randomized_response(eps.body)
    if side >= 0:
        return tight("0", witness, "events-to-points", note="no ratio exceeds exp(eps2)", roots=eps.roots)
    inner = {"eps": eps.body}
    if target.kind is Kind.STICK:
        return tight(Formula("(exp(eps) - exp(eps2))/(1 + exp(eps))").of(inner, eps.roots), witness, TWO_POINT)
    # PDP: as much mass as possible just above exp(eps2), the rest at exp(-eps).
    text = "exp(eps2)*(exp(eps) - 1)/(exp(eps + eps2) - 1)"
    formula = Formula(text).of(inner, eps.roots)
    above = _just_above(put("exp(-eps)", **inner))
    if compare(Formula("eps2"), Formula("0"), given) == 0:
        return tight("1", above, TWO_POINT, note="every ratio just above 1", roots=eps.roots)
    return tight(formula, above, TWO_POINT)


BY_A_HAIR = "approached by laws whose larger ratio exceeds the threshold by as little as one likes"


def _just_above(low: Part) -> dict[str, object]:
    """The law on exp(eps2) and ``low``: its larger ratio has to be moved up by as little as one likes."""
    q = put("(1 - a)/(exp(eps2) - a)", a=low)
    return coins(put("exp(eps2)*q", q=q), q, False, BY_A_HAIR)


def from_range(target: Notion, given: Given) -> Implication:
    """Everything that a log ratio with range eps implies.

    >>> from symprivacy.notions import get
    >>> print(from_range(get("CHI2"), {}).formula)
    sinh(eps/2)**2
    """
    if target.of_ratio is not None:
        note = "approached: an output of vanishing probability has the largest ratio, all others nearly 1"
        witness = {"family": "P = (d*exp(eps0), 1 - d*exp(eps0)), Q = (d, 1 - d), d -> 0 and eps0 -> eps",
                   "attained": False, "note": note}  # fmt: skip
        formula = Formula(target.of_ratio, (), sharp_of(target, "eps"))
        return tight(formula, witness, *largest_ratio_principles(target))
    middle = "exp(-eps/2)"
    place = {
        Kind.KULLBACK: _FIRST_PLACE,
        Kind.ORDERS: _FIRST_PLACE,
        Kind.CHI_SQUARE: "(1 + exp(-eps))/2",
        Kind.STICK: "exp((eps2 - eps)/2)",
    }.get(target.kind, middle)
    if target.kind is Kind.POWER and compare(Formula("alpha2"), Formula("1"), given) == 0:
        return tight(_FIRST, _placed(_FIRST_PLACE), TWO_POINT)
    witness = _placed(place)
    if (text := _OF_RANGE.get(target.kind)) is not None:
        principles = (TWO_POINT, "renyi-monotone") if target.kind is Kind.ORDERS else (TWO_POINT,)
        lower = of_response(Formula("eps/2"), given) if target.kind is Kind.TRIANGULAR else None
        return tight(Formula(text, (), sharp_of(target, "eps/2")), witness, *principles, lower=lower)
    if target.kind is Kind.POWER:
        return range_moment()
    if target.kind is Kind.CURVE:
        formula, enclosed = gdp_middle(Formula("eps/2"), given)
        return tight(formula, witness, "hypothesis-testing", lower=enclosed)
    listed(target, (Kind.STICK, Kind.TAIL))
    side = compare(Formula("eps2"), Formula("eps"), given)
    if side is None:
        return unknown("eps2 could not be told from eps")
    if side >= 0:
        return tight("0", _placed(middle), "events-to-points")
    if target.kind is Kind.STICK:
        return tight("(exp(eps/2) - exp(eps2/2))**2/(exp(eps) - 1)", witness, TWO_POINT)
    above = _just_above("exp(eps2 - eps)")
    if compare(Formula("eps2"), Formula("0"), given) == 0:
        return tight("1", above, TWO_POINT)
    return tight("(exp(eps) - exp(eps2))/(exp(eps) - 1)", above, TWO_POINT)


def range_moment() -> Implication:
    """The divergence of order alpha2, above or below one, at the worst place of a range of width eps."""
    a, b, c = (put("n*log(sinh(eps*n/2)/n)", n=order) for order in ("alpha2", "alpha2 - 1", "1"))
    place = "(alpha2 - 1)*(exp(alpha2*eps) - 1)/(alpha2*(exp(alpha2*eps) - exp(eps)))"
    return tight(put("(a - b - c)/(alpha2 - 1)", a=a, b=b, c=c), _placed(place), TWO_POINT)


def _placed(low: Part) -> dict[str, object]:
    """The two-point law on ``low`` and ``low``*exp(eps)."""
    q = put("(1 - a)/(a*exp(eps) - a)", a=low)
    return coins(put("a*exp(eps)*q", a=low, q=q), q)


def unconstrained(target: Notion) -> Implication:
    """A source that allows every pair of laws."""
    return unbounded(target, coins("1", "0", note="the source excludes nothing"))
