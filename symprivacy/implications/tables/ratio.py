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

from symprivacy.implications.answer import pair, randomized_response, tight, unbounded, unknown
from symprivacy.implications.extremal.tradeoff import response_level
from symprivacy.implications.formula import Evaluator, Formula, Given, Part, expression, put
from symprivacy.implications.implication import Implication
from symprivacy.implications.parameters import compare
from symprivacy.implications.tables import sharp
from symprivacy.implications.tables.average import of_response
from symprivacy.implications.tables.average_level import abp_of_y
from symprivacy.kernel.expr import substitute

TWO_POINT = "two-point-extremal"


def js_of(y: str) -> str:
    """log(2) minus the entropy of a coin with log odds 2y: JS of randomized response at 2y."""
    return f"({y})*tanh({y}) - log(cosh({y}))"


def gdp_middle(eps: Formula, given: Given) -> tuple[Formula, Evaluator]:
    """2 Phi^-1(exp(eps)/(1+exp(eps))), and how to enclose it where tanh(eps/2) is next to 1."""
    formula = Formula("2*sqrt(2)*erfinv(tanh(eps/2))").of({"eps": eps.body}, eps.roots)
    return formula, lambda prec: response_level(eps.evaluate(given, prec + 20), prec)


# Levels that depend on the largest ratio alone, whatever else is known.
OF_LARGEST_RATIO = {
    "DP": "eps",
    "SP": "tanh(eps/2)",
    "MP": "eps",
    "MPP": "log(1 + max(p2, 1 - p2)*(exp(eps) - 1))",
    "LDP": "D*eps",
    "MBP": "eps",
    "MBPU": "log((1 + (m2 - 1)*exp(eps))/m2)",
    "ABPW": f"sqrt({js_of('eps/4')})",
    "PML": "eps",
    "LIP": "eps",
}
_OF_RATIO = {
    "RB": "2*eps",
    "TV": "tanh(eps/2)",
    "KL": "eps*tanh(eps/2)",
    "ZCDP": "eps*tanh(eps/2)",
    "CHI2": "4*sinh(eps/2)**2",
    "HELL2": "2*sinh(eps/4)**2/cosh(eps/2)",
    "JS": js_of("eps/2"),
    "ABP": abp_of_y("eps/2", "eps"),
}
# The same where they are evaluated.
SHARP = {
    "JS": sharp.js("x/2"),
    "ABPW": put("sqrt(v)", v=sharp.js("x/4")),
}
_KAPPA = "eps/(1 - exp(-eps))"
_OF_RANGE = {
    "RB": "eps",
    "TV": "tanh(eps/4)",
    "KL": f"{_KAPPA} - 1 - log({_KAPPA})",
    "ZCDP": f"{_KAPPA} - 1 - log({_KAPPA})",
    "CHI2": "sinh(eps/2)**2",
    "HELL2": "2*sinh(eps/8)**2/cosh(eps/4)",
    "JS": js_of("eps/4"),
    "ABP": abp_of_y("eps/4", "eps/2"),
}


def largest_ratio_principles(target: str) -> tuple[str, ...]:
    """Which principles turn a ratio bound into a level of a posterior notion."""
    return {
        "DP": ("events-to-points",),
        "LDP": ("group-path",),
        "SP": ("bayes", "worst-prior"),
        "MBPU": ("bayes", "mixture"),
    }.get(target, ("bayes", "worst-prior"))


def ratio_witness(target: str, eps: str) -> dict[str, object]:
    """A mechanism whose neighbours have all ratios within exp(eps) and that attains the level."""
    e, one = f"1/(1 + exp(-({eps})))", f"1/(1 + exp({eps}))"
    if target == "SP":
        rows = [[e, one], [one, e], [one, e], [e, one]]
        return {"mechanism": {"n": 2, "domain": ["0", "1"], "default": "0", "matrix": rows}, "attained": True,
                "note": "randomized response on the exclusive or of two bits"}  # fmt: skip
    if target == "LDP":
        # Neighbours have ratio exp(eps) at the rare output and nearly 1 at the other, whichever belief is updated.
        family = f"inputs 0..D, neighbours differ by one; output 1 has probability c*exp(x*({eps})), output 0 the rest"
        note = "the ratio at output 1 between the two ends is the level; allowed as c tends to 0"
        return {"family": family, "attained": False, "note": note}
    if target in ("MP", "MBP", "PML", "LIP"):
        return randomized_response(eps, "approached as the prior of the first secret tends to 0", attained=False)
    if target == "MBPU":
        note = "m2 secrets; the first has row P, all others row Q; output 1"
        return randomized_response(eps, note)
    return randomized_response(eps)


def from_ratio(target: str, eps: Formula, given: Given) -> Implication:
    """Everything that |log dP/dQ| <= eps implies, eps a formula.

    >>> print(from_ratio("KL", Formula("eps"), {}).formula)
    eps*tanh(eps/2)
    """
    inner, roots = {"eps": eps.body}, eps.roots
    witness = ratio_witness(target, eps.text)
    if target in OF_LARGEST_RATIO:
        formula = Formula(OF_LARGEST_RATIO[target], (), _sharp(target, "eps")).of(inner, roots)
        return tight(formula, witness, *largest_ratio_principles(target))
    if target in _OF_RATIO:
        principles = (TWO_POINT, "renyi-monotone") if target == "ZCDP" else (TWO_POINT,)
        lower = of_response(eps, given) if target == "ABP" else None
        formula = Formula(_OF_RATIO[target], (), _sharp(target, "eps")).of(inner, roots)
        return tight(formula, witness, *principles, lower=lower)
    if target == "RDP":
        return tight(renyi_of("eps", given).of(inner, roots), witness, TWO_POINT)
    if target == "GDP":
        formula, enclosed = gdp_middle(eps, given)
        return tight(formula, witness, "hypothesis-testing", lower=enclosed)
    return _thresholds(target, eps, given)


def _sharp(target: str, eps: str) -> Part:
    return substitute(SHARP[target], {"x": expression(eps)}) if target in SHARP else ""


def renyi_of(eps: str, given: Given, order: str = "alpha2") -> Formula:
    """The Renyi divergence of randomized response at eps; order 1 is KL."""
    if compare(Formula(order), Formula("1"), given) == 0:
        return Formula(f"({eps})*tanh(({eps})/2)")
    text = f"log(cosh((2*{order} - 1)*({eps})/2)/cosh(({eps})/2))/({order} - 1)"
    return Formula(text, (), sharp.renyi(eps, order))


def _thresholds(target: str, eps: Formula, given: Given) -> Implication:
    side = compare(Formula("eps2"), eps, given)
    if side is None:
        return unknown("eps2 could not be told from the level of the source")
    witness = randomized_response(eps.text)
    if side >= 0:
        return tight("0", witness, "events-to-points", note="no ratio exceeds exp(eps2)", roots=eps.roots)
    inner = {"eps": eps.body}
    if target == "ADP":
        return tight(Formula("(exp(eps) - exp(eps2))/(1 + exp(eps))").of(inner, eps.roots), witness, TWO_POINT)
    # PDP: as much mass as possible just above exp(eps2), the rest at exp(-eps).
    text = "exp(eps2)*(exp(eps) - 1)/(exp(eps + eps2) - 1)"
    formula = Formula(text).of(inner, eps.roots)
    if compare(Formula("eps2"), Formula("0"), given) == 0:
        above = _just_above("eps2", f"exp(-({eps.text}))")
        return tight("1", above, TWO_POINT, note="every ratio just above 1", roots=eps.roots)
    return tight(formula, _just_above("eps2", f"exp(-({eps.text}))"), TWO_POINT)


def _just_above(threshold: str, low: str) -> dict[str, object]:
    """The law on exp(threshold) and ``low``: its larger ratio has to be moved up by as little as one likes."""
    q = f"(1 - {low})/(exp({threshold}) - {low})"
    p = f"exp({threshold})*{q}"
    note = "approached by laws whose larger ratio exceeds the threshold by as little as one likes"
    return pair([p, f"1 - {p}"], [q, f"1 - {q}"], attained=False, note=note)


def from_range(target: str, given: Given) -> Implication:
    """Everything that a log ratio with range eps implies.

    >>> print(from_range("CHI2", {}).formula)
    sinh(eps/2)**2
    """
    if target in OF_LARGEST_RATIO:
        note = "approached: an output of vanishing probability has the largest ratio, all others nearly 1"
        witness = {"family": "P = (d*exp(eps0), 1 - d*exp(eps0)), Q = (d, 1 - d), d -> 0 and eps0 -> eps",
                   "attained": False, "note": note}  # fmt: skip
        formula = Formula(OF_LARGEST_RATIO[target], (), _sharp(target, "eps"))
        return tight(formula, witness, *largest_ratio_principles(target))
    middle = "exp(-eps/2)"
    place = {
        "KL": f"1/({_KAPPA})",
        "ZCDP": f"1/({_KAPPA})",
        "CHI2": "(1 + exp(-eps))/2",
        "RDP": "(alpha2 - 1)*(exp(alpha2*eps) - 1)/(alpha2*(exp(alpha2*eps) - exp(eps)))",
        "ADP": "exp((eps2 - eps)/2)",
    }.get(target, middle)
    if target == "RDP" and compare(Formula("alpha2"), Formula("1"), given) == 0:
        place = f"1/({_KAPPA})"
        return tight(_OF_RANGE["KL"], _placed(place), TWO_POINT)
    witness = _placed(place)
    if target in _OF_RANGE:
        principles = (TWO_POINT, "renyi-monotone") if target == "ZCDP" else (TWO_POINT,)
        lower = of_response(Formula("eps/2"), given) if target == "ABP" else None
        return tight(Formula(_OF_RANGE[target], (), _sharp(target, "eps/2")), witness, *principles, lower=lower)
    if target == "RDP":
        term = "log(sinh(eps*({0})/2)/({0}))*({0})"
        parts = [term.format("alpha2"), term.format("(alpha2 - 1)"), term.format("1")]
        return tight(f"({parts[0]} - {parts[1]} - {parts[2]})/(alpha2 - 1)", witness, TWO_POINT)
    if target == "GDP":
        formula, enclosed = gdp_middle(Formula("eps/2"), given)
        return tight(formula, witness, "hypothesis-testing", lower=enclosed)
    side = compare(Formula("eps2"), Formula("eps"), given)
    if side is None:
        return unknown("eps2 could not be told from eps")
    if side >= 0:
        return tight("0", _placed(middle), "events-to-points")
    if target == "ADP":
        return tight("(exp(eps/2) - exp(eps2/2))**2/(exp(eps) - 1)", witness, TWO_POINT)
    above = _just_above("eps2", "exp(eps2 - eps)")
    if compare(Formula("eps2"), Formula("0"), given) == 0:
        return tight("1", above, TWO_POINT)
    return tight("(exp(eps) - exp(eps2))/(exp(eps) - 1)", above, TWO_POINT)


def _placed(low: str) -> dict[str, object]:
    """The two-point law on ``low`` and ``low``*exp(eps)."""
    high = f"({low})*exp(eps)"
    q = f"(1 - ({low}))/({high} - ({low}))"
    p = f"({high})*({q})"
    return pair([p, f"1 - ({p})"], [q, f"1 - ({q})"])


def unconstrained(target: str) -> Implication:
    """A source that allows every pair of laws."""
    return unbounded(target, pair(["1", "0"], ["0", "1"], note="the source excludes nothing"))
