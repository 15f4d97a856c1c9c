"""Desfontaines and Pejo, SoK: Differential Privacies, section 7.1: hypothesis tests.

P and Q are the output laws of two neighbours in either order; p and q are their probabilities of the rejection region
S, so that P_FA = p and P_MD = 1-q.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from random import Random

from symprivacy.claims.argument import Argument, Attacked, Counterexample, Witness
from symprivacy.claims.comparison import comparison, put
from symprivacy.claims.equivalence import equivalent
from symprivacy.claims.finite_sums import setting
from symprivacy.claims.instances import confirms, contradicts, events, log, mass, shown
from symprivacy.claims.laws import closeness, hockey_stick, random_growth, random_pair
from symprivacy.claims.outcome import needs
from symprivacy.claims.papers.closure import COMPLEMENT
from symprivacy.claims.record import Form, claims_of
from symprivacy.claims.sum_proofs import Step, Sums
from symprivacy.implications.formula import Part
from symprivacy.mechanisms.random import random_law

_claim = claims_of("sok22")

Law = Sequence[Fraction]
_FIRST, _SECOND = "P_FA+exp(eps)*P_MD>=1", "exp(eps)*P_FA+P_MD>=1"
_LEAST = "2/(1+exp(eps))"
_REGION = "1-a<=exp(eps)*b+delta"
_TRADE = "max(0,1-delta-exp(eps)*x,(1-delta-x)*exp(-eps))"
_, _STEEP, _FLAT = put(_TRADE).args
_GAUSS = "(1 + erf((sqrt(2)*erfinv(1-2*x) - mu)/sqrt(2)))/2"
_UNIT = "x in [0, 1]"


def _errors(one: Law, other: Law) -> list[dict[str, Fraction]]:
    """False alarm and missed detection of every rejection region, for both orders of the laws."""
    found = []
    for null, alternative in ((one, other), (other, one)):
        for event in events(len(one)):
            found.append({"a": mass(null, event), "b": 1 - mass(alternative, event)})
    return found


def _agrees(holds: bool, text: str, points: Sequence[Mapping[str, Part]], **values: Part) -> bool:
    """Whether a condition for all points may be true exactly if ``holds`` is."""
    if holds:
        return not any(contradicts(text, **point, **values) for point in points)
    return not all(confirms(text, **point, **values) for point in points)


def _pair_of_errors(rng: Random) -> Witness:
    growth = random_growth(rng)
    one, other = random_pair(rng, 3, growth)
    private = closeness(one, other, growth) == 0
    points = [{"P_FA": e["a"], "P_MD": e["b"]} for e in _errors(one, other)]
    both = [_agrees(private, text, points, eps=log(growth)) for text in (_FIRST, _SECOND)]
    # Over both orders each of the two inequalities alone is the condition.
    return None if all(both) else {"says": f"DP at `log({growth})` is {private}", "laws": shown(one, other)}


def _sum_of_errors() -> Witness:
    """P = (1/2, 1/2), Q = (0, 1), eps = log(3)."""
    half = Fraction(1, 2)
    one, other, growth = [half, half], [Fraction(0), Fraction(1)], Fraction(3)
    least = min(e["a"] + e["b"] for e in _errors(one, other))
    if contradicts("s >= b", s=least, b=put(_LEAST, eps=log(growth))) or closeness(one, other, growth) == 0:
        return None
    says = (
        f"the smallest sum of errors is `{least} = 2/(1+3)`, but output 0 has probabilities `1/2` and 0: DP at no `eps`"
    )
    return {"says": says, "mechanism": {"matrix": shown(one, other)}, "eps": "log(3)", "event": "output 0"}


def _not_all_of_it() -> Witness:
    """A constant mechanism is DP at every level, and no test has both errors equal to one."""
    one = other = [Fraction(1)]
    growth, delta, corner = Fraction(2), Fraction(1, 10), {"a": Fraction(1), "b": Fraction(1)}
    private = closeness(one, other, growth) <= delta
    inside = confirms(_REGION, **corner, eps=log(growth), delta=delta)
    reached = {(e["a"], e["b"]) for e in _errors(one, other)}
    # Randomised tests reach the segments between the points of the regions.
    if not (private and inside) or any(a + b > 1 for a, b in reached):
        return None
    return {"says": "a constant mechanism is `(log(2), 1/10)-DP`; its errors have `a+b = 1`, but `(1, 1)` "
    "belongs to the set",
            "mechanism": {"matrix": [["1"], ["1"]]}, "point": ["1", "1"]}  # fmt: skip


def _in_region(rng: Random) -> Witness:
    growth = random_growth(rng)
    one, other = random_pair(rng, 3, growth)
    delta = Fraction(rng.randint(0, 20), 41)
    private = closeness(one, other, growth) <= delta
    if _agrees(private, _REGION, _errors(one, other), eps=log(growth), delta=delta):
        return None
    return {"says": f"`(log({growth}), {delta})-DP` is {private}", "laws": shown(one, other)}


Curve = Callable[[Fraction], Fraction]
Line = tuple[Fraction, Fraction]


def _lines(guarantees: Sequence[tuple[Fraction, Fraction]]) -> list[Line]:
    """Intercepts and slopes of the trade-off function of (log(growth), delta)-DP guarantees together."""
    found: list[Line] = [(Fraction(0), Fraction(0))]
    for growth, delta in guarantees:
        found += [(1 - delta, -growth), ((1 - delta) / growth, -1 / growth)]
    return found


def _largest(lines: Sequence[Line]) -> Curve:
    return lambda x: max(a + b * x for a, b in lines)


def _corners(lines: Sequence[Line]) -> list[Fraction]:
    """Where a maximum of lines may bend, within [0, 1]."""
    found = {Fraction(0), Fraction(1)}
    for (a, b), (c, d) in combinations(lines, 2):
        if b != d and 0 <= (c - a) / (b - d) <= 1:
            found.add((c - a) / (b - d))
    return sorted(found)


def _satisfies(f: Curve, one: Law, other: Law) -> bool:
    """Definition 33 with sets; f does not increase, so the smallest x for a set S is its own P(S)."""
    return all(e["b"] >= f(e["a"]) for e in _errors(one, other))


def _random_guarantees(rng: Random) -> list[tuple[Fraction, Fraction]]:
    return [(random_growth(rng), Fraction(rng.randint(0, 20), 41)) for _ in range(rng.randint(1, 3))]


def _randomised(rng: Random) -> Witness:
    """Whatever convex f all sets satisfy is satisfied by a random test."""
    growth = random_growth(rng)
    one, other = random_pair(rng, 3, growth)
    # The best guarantees for a few levels, so that f touches the points of the sets.
    guarantees = [(g, closeness(one, other, g)) for g in {random_growth(rng) for _ in range(3)}]
    f = _largest(_lines(guarantees))
    if not _satisfies(f, one, other):
        return {"says": "the points of the sets are not above their lines", "laws": shown(one, other)}
    for _ in range(10):
        test = [Fraction(rng.randint(0, 6), 6) for _ in one]
        alarm = sum((p * t for p, t in zip(one, test, strict=True)), Fraction(0))
        missed = 1 - sum((q * t for q, t in zip(other, test, strict=True)), Fraction(0))
        if missed < f(alarm):
            return {"says": f"the test {test} has errors {alarm}, {missed}", "laws": shown(one, other)}
    return None


def _as_trade_off(rng: Random) -> Witness:
    growth = random_growth(rng)
    one, other = random_pair(rng, 3, growth)
    delta = Fraction(rng.randint(0, 20), 41)
    private = closeness(one, other, growth) <= delta
    curve = put(_TRADE, eps=log(growth), delta=delta)
    points: list[dict[str, Part]] = [{"b": e["b"], "f": put(curve, x=e["a"])} for e in _errors(one, other)]
    if _agrees(private, "b >= f", points):
        return None
    return {"says": f"`(log({growth}), {delta})-DP` is {private}", "laws": shown(one, other)}


def _dual(rng: Random) -> Witness:
    """f-DP for a symmetric f against all (eps, 1 + f*(-exp(eps))), the conjugate taken at the bends of f."""
    guarantees = _random_guarantees(rng)
    lines = _lines(guarantees)
    f, corners = _largest(lines), _corners(lines)
    one, other = random_pair(rng, 3, guarantees[0][0])
    private = _satisfies(f, one, other)
    growths = {*(g for g, _ in guarantees), Fraction(1), Fraction(3, 2), Fraction(7)}
    bounds = {g: 1 + max(-g * x - f(x) for x in corners) for g in growths}
    approximate = all(max(hockey_stick(one, other, g), hockey_stick(other, one, g)) <= d for g, d in bounds.items())
    if private != approximate or private != all(closeness(one, other, g) <= d for g, d in guarantees):
        return {"says": f"`f-DP` is {private}, all its `(eps, delta)-DP` {approximate}", "laws": shown(one, other)}
    return None


def _bell(rng: Random) -> Witness:
    """G at three points: convex, not increasing, below 1-x."""
    mu = Fraction(rng.randint(1, 12), 4)
    low, high = sorted(random_law(rng, 3)[:2])
    a, b, c = (put(_GAUSS, mu=mu, x=x) for x in (low, (low + high) / 2, high))
    facts = (("b <= (a+c)/2", "convex"), ("c <= a", "decreasing"), ("a <= 1-x", "below 1-x"))
    for text, name in facts:
        if contradicts(text, a=a, b=b, c=c, x=low):
            return {"says": f"`mu = {mu}`: not {name} at {low}, {high}"}
    return None


CLAIMS = (
    _claim(
        "hyp-pair",
        "Sec 7.1",
        f"`eps-DP <=> {_FIRST.replace('*', '')} and {_SECOND.replace('*', '')}` for all `S`",
        words="the first is DP for the complement of `S`, the second DP for `S` in the other order",
        proof=Attacked(
            needs(
                COMPLEMENT,
                equivalent(
                    _FIRST,
                    "1 - p <= exp(eps)*(1-q)",
                    P_FA="p",
                    P_MD="1-q",
                    lemmas=(comparison("p + exp(eps)*(1-q) - 1 == exp(eps)*(1-q) - (1-p)"),),
                ),
                equivalent(
                    _SECOND,
                    "q <= exp(eps)*p",
                    P_FA="p",
                    P_MD="1-q",
                    lemmas=(comparison("exp(eps)*p + (1-q) - 1 == exp(eps)*p - q"),),
                ),
            ),
            _pair_of_errors,
            15,
            ("both-orders",),
        ),
    ),
    _claim(
        "hyp-sum",
        "Sec 7.1",
        f"`eps-DP <=> P_FA+P_MD >= {_LEAST}`",
        reading="for all `S`, as in the line before; the condition follows from `eps-DP`, the converse is what fails",
        proof=Counterexample(f"`P_FA+P_MD >= {_LEAST}` for all `S => eps-DP`", _sum_of_errors),
    ),
    _claim(
        "hyp-adp",
        "Sec 7.1",
        f"`(eps,delta)-DP <=> (P_FA,P_MD) = {{(a,b): {_REGION}}}`",
        reading="as printed, the errors of all tests make up the set",
        words="it is the condition of `(eps,delta)-DP` for the complement of `S`",
        proof=Counterexample("the errors of all tests are the whole set", _not_all_of_it),
        corrected=Form(
            f"`(eps,delta)-DP <=> (P_FA,P_MD) in {{(a,b): {_REGION}}}` for all `S` and both orders of the neighbours",
            # It is the condition of (eps, delta)-DP for the complement of S.
            Attacked(
                needs(COMPLEMENT, equivalent(_REGION, "1 - p <= exp(eps)*(1-q) + delta", a="p", b="1-q")),
                _in_region,
                15,
                ("both-orders",),
            ),
        ),
    ),
    _claim(
        "fdp-def",
        "Def 33",
        "`f-DP` with deterministic rejection sets `S`",
        reading="the same as `f-DP` with randomised tests, for `f` convex and not increasing",
        # A convex f is the largest of the lines c + m x below it; each of them bounds the errors of the test k by those
        # of sets: 1 - Q(S) >= c + m P(S).
        words="each line below `f` bounds the errors of sets, and so those of tests, which are linear in the test",
        proof=Attacked(
            Sums(
                setting("u v k: y", "k in [0, 1]", "c in (-oo, oo)", "m in (-oo, oo)"),
                {"sets": "any[y] v + m*u <= 1 - c"},
                {"tests": Step("sum[y] k*(v + m*u) <= 1 - c", {"sets": ("1", "k")})},
                ("jensen",),
            ),
            _randomised,
        ),
    ),
    _claim(
        "fdp-adp",
        "Table 3",
        "`f-DP` extends `(eps,delta)-DP`",
        reading=f"`f(x) = {_TRADE}`",
        words="the two lines are the conditions for `S` and its complement; a maximum of falling lines is admissible",
        proof=Attacked(
            needs(
                COMPLEMENT,
                equivalent("1 - q >= steep", "q <= exp(eps)*p + delta", steep=put(_STEEP, x="p")),
                equivalent("1 - q >= flat", "1 - p <= exp(eps)*(1-q) + delta", flat=put(_FLAT, x="p")),
                comparison("steep <= 1 - x", _UNIT, steep=_STEEP),
                comparison("flat <= 1 - x", _UNIT, flat=_FLAT),
            ),
            _as_trade_off,
            12,
            ("both-orders",),
        ),
    ),
    _claim(
        "fdp-dual",
        "Sec 7.1",
        "duality `f-DP` <-> infinite collections of `(eps,delta)-DP`",
        reading="`f` symmetric: `f-DP <=> (eps, 1+f^*(-exp(eps)))-DP` for all `eps >= 0`, `f^*(y) = sup_x (x*y - "
        "f(x))`; and a collection of guarantees is `f-DP` for the largest of their trade-off functions",
        argued="that a convex function is the largest of the lines below it, of both slopes, is words",
        proof=Argument(
            ("jensen", "both-orders"),
            (
                comparison("1 - exp(eps)*x - steep <= delta", _UNIT, steep=_STEEP),
                comparison("1 - exp(eps)*x - steep >= delta", x=0, steep=put(_STEEP, x=0)),
                comparison("1 - exp(eps)*x - (c - m*x) <= 1 - c", _UNIT, "c in [0, 1]", "m in [0, 1]"),
            ),
            (
                "a convex function is the largest of the lines below it, and the line of slope `-exp(eps)` is",
                "`1 - delta - exp(eps) x` with `delta = 1 + f^*(-exp(eps))`; flatter lines belong to the other order",
            ),
            _dual,
            60,
        ),
    ),
    _claim(
        "gdp",
        "Table 3",
        "GaussDP special case of `f-DP`",
        reading="`f = G_mu` is an admissible trade-off function; `x = 1-Phi(z)`, `G_mu(x) = Phi(z-mu)`",
        argued="convexity is read off the slope along a curve",
        proof=Argument(
            ("unfolding",),
            (
                comparison("exp(-(z-mu)**2/2)/exp(-z**2/2) == exp(mu*z - mu**2/2)", "z in (-oo, oo)"),
                comparison("mu*exp(mu*z - mu**2/2) > 0", "z in (-oo, oo)"),
                comparison("-exp(-z**2/2) < 0", "z in (-oo, oo)"),
                comparison("(1 + erf((z-mu)/sqrt(2)))/2 <= (1 + erf(z/sqrt(2)))/2", "z in (-oo, oo)"),
            ),
            (
                "the slope of `G` in `x` is `-exp(mu z - mu**2/2)`, which falls with `z` and so grows with `x`: "
                "`G` is convex,",
                "continuous and decreasing; `G(x) = Phi(z-mu) <= Phi(z) = 1-x`",
            ),
            _bell,
            15,
        ),
    ),
)
