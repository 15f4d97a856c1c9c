"""Maximal leakage over m secrets, as a target and as a source.

As a target. Let the m laws satisfy a bound on an f-divergence pairwise and in both orders. Announcing a random
permutation of the secrets keeps all of it and makes the laws exchangeable. For one output let v be the likelihoods
over their mean; the bounded mean is that of F(v), the average of v_j f(v_i/v_j) over ordered pairs, which is convex
and symmetric, and the leakage is the mean of max v. For a given maximum a, F is least when the others are equal, v =
(a, b, ..., b) with b = (m - a)/(m - 1), and F is convex along that line, so one a is best for all outputs: randomized
response over the m secrets. At ratio exp(y) its leakage is log(m exp(y)/(m - 1 + exp(y))), and a symmetric divergence
is that of binary randomized response over 1 + (m-2)/(1 + exp(y)). This covers KL, Renyi, Hellinger, Jensen-Shannon,
the triangular discrimination, and all hockey-sticks or all orders at once (ADP, TV, GDP, zCDP). Ratio bounds are
bounds for each output and have the same answer.

RB. Let S_i be the outputs at which secret i is the most likely, M_ij = P_i(S_j), which has rows of sum 1 and Perron
root 1. The range of the log ratio of i and j over S_i and S_j gives M_ii M_jj <= exp(eps) M_ij M_ji. The matrix N_ij
= sqrt(M_ij M_ji) has no larger Perron root (Kingman), and with D = diag(M_ii), E = exp(-eps/2), C = (1-E) I + E J it
is at least D**(1/2) C D**(1/2) entry by entry. So D <= C**(-1) as quadratic forms, and at the vector of ones the sum
of M_ii is at most m/(1 + (m-1) E): randomized response at ratio exp(eps/2).

MBPU. For one output v_i/mean lies in [1/A, A], A = exp(xi), for every m secrets. The largest of m2 <= m likelihoods
over their mean u is at most min(A, m2 u - (m2-1)/A), concave in u, and u has mean 1. For m2 > m equal others are
best: the cone is convex and symmetric, and the ratio is bounded by m A - m + 1 and by (m-1) A/(m - A), the smaller of
which changes at A = m - 1.

As a source. Two secrets may differ by total variation exp(l) - 1 while the others equal one of them, so for pairs of
inputs MAXL(l, m) is TV(exp(l) - 1). For m2 > m secrets sorted likelihoods are mixtures of "the k largest equal, the
others 0", for which the leakage over m of them is (m2/k) (1 - h(k)), h(k) the chance that m chosen at random miss the
k. As h is convex in k the best mixture is that of k = 1 and k = m2: exp(l2) - 1 = (exp(l) - 1) (m2-1)/(m-1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from symprivacy.implications.answer import far, largest, tight, unknown
from symprivacy.implications.extremal.response_orders import ResponseOrders
from symprivacy.implications.formula import Formula, Given, Part, Root, expression, put
from symprivacy.implications.implication import Implication
from symprivacy.implications.parameters import DIAMETER, canonical, compare
from symprivacy.implications.status import Status
from symprivacy.implications.tables import near_zero
from symprivacy.implications.tables.divergence import average_root
from symprivacy.implications.tables.ratio import js_of, unconstrained
from symprivacy.implications.tables.slack import parameters_of
from symprivacy.implications.witness import with_parameters
from symprivacy.kernel.expr import Expr, rational, substitute
from symprivacy.kernel.interval import Interval
from symprivacy.language.notation import Text
from symprivacy.notions import Notion
from symprivacy.notions.kinds import Kind

Rule = Callable[[Notion, Notion, Given], Implication]
SYMMETRY = "exchangeable-secrets"
# Randomized response over m2 secrets with ratio exp(x): its leakage, and the same without cancellation.
_RESPONSE = Formula("log(m2*exp(x)/(m2 - 1 + exp(x)))", (), "2*atanh((m2 - 1)*tanh(x/2)/(m2 + tanh(x/2)))")
_SHOWN_ROWS = 8
_MOST = "log(m2)"
_RENYI = "log((exp(alpha*y) + exp((1 - alpha)*y) + m2 - 2)/(exp(y) + m2 - 1))/(alpha - 1)"
_MOMENT = "4*sinh((alpha - 1)*y/2)*sinh(alpha*y/2)/(exp(y/2) + (m2 - 1)*exp(-y/2))"
_KL = "y*tanh(y/2)/(1 + (m2 - 2)/(1 + exp(y)))"


def _over(divergence: Expr) -> Expr:
    """A symmetric divergence of binary randomized response at ratio exp(y), over m2 secrets."""
    return put("v/(1 + (m2 - 2)/(1 + exp(y)))", v=divergence)


_ROOTS: dict[Kind, tuple[Root, ...]] = {
    Kind.KULLBACK: (Root("y", _KL, "k"),),
    Kind.POWER: (Root("y", _RENYI, "e", (_MOMENT, near_zero.less_one("(alpha - 1)*e"))),),
    Kind.BELOW: (Root("y", _RENYI, "e", (put("-m", m=_MOMENT), put("-w", w=near_zero.less_one("(alpha - 1)*e")))),),
    Kind.CHI_SQUARE: (Root("y", put(_MOMENT, alpha="2"), "c"),),
    Kind.JENSEN: (Root("y", _over(js_of("y/2")), "j", (_over(near_zero.js("y/2")), "j")),),
    Kind.TRIANGULAR: (average_root(), Root("y", "tanh(y/2)**2/(1/cosh(y/2)**2 + (m2 - 2)/(1 + exp(y)))", "z")),
}


def to_leakage(source: Notion, given: Given, rule: Rule, ratio: Formula | None) -> Implication:
    """MAXL of m2 secrets that the source allows pairwise; ``ratio`` is the source's level of DP, if it has one.

    >>> from symprivacy.language.text import parse
    >>> from symprivacy.notions import get
    >>> print(to_leakage(get("TV"), {"t": parse("1/4"), "m2": parse("3")}, None, None).level)
    log(1 + (m2 - 1)*t)
    """
    if DIAMETER in given and compare(Formula(DIAMETER), Formula("1"), given) != 0:
        return _far(source, given, rule, ratio)
    given = {name: number for name, number in given.items() if name != DIAMETER}
    if ratio is not None:
        return _of_response(ratio, given)
    kinds = {
        Kind.UNIFORM: _of_uniform,
        Kind.CURVE: _of_gaussian,
        Kind.ORDERS: _of_orders,
        Kind.TRUNCATED: _of_orders,
    }
    if source.kind in kinds:
        return kinds[source.kind](given)
    if source.kind is Kind.WIDTH:
        return _of_response(Formula("eps/2"), given)
    if source.kind.slack:
        return _of_slack(source.kind, given)
    if (most := largest(source.key)) is not None:
        name = source.answers
        side = compare(Formula(name), Formula(most), given)
        if side is None:
            return unknown(f"{name} could not be told from its largest value")
        if side >= 0:
            return everything(given)
    if source.kind is Kind.HELLINGER:
        root = "(1 + sqrt(h*(m2 - (m2 - 1)*h)))/(1 - h)"
        more = "(h + sqrt(h*(m2 - (m2 - 1)*h)))/(1 - h)"
        half = put("e*(w + 1)/(w**2 + 1)", e=more, w=root)
        level = put("log(m2*w**2/(m2 - 1 + w**2))", w=root)
        formula = Formula(level, (), put("2*atanh((m2 - 1)*v/(m2 + v))", v=half))
        return tight(formula, response(put("2*log(w)", w=root), given), SYMMETRY)
    if source.kind is Kind.POWER and compare(Formula("alpha"), Formula("1"), given) == 0:
        return _of_response(Formula("y", (Root("y", _KL, "e"),)), given)
    if source.kind in _ROOTS:
        return _of_response(Formula("y", _ROOTS[source.kind]), given)
    return unknown(f"the worst laws of {source.key} over several secrets are not known")


def _of_response(level: Formula, given: Given) -> Implication:
    return tight(_RESPONSE.of({"x": level.body}, level.roots), response(level.body, given), SYMMETRY, roots=level.roots)


def response(x: Part, given: Given) -> dict[str, Any]:
    """Randomized response over m2 secrets at ratio exp(x), as a mechanism where it is small."""
    hit, miss = (put(text, x=x) for text in ("exp(x)/(exp(x) + m2 - 1)", "1/(exp(x) + m2 - 1)"))
    return _matrix(lambda i, j: hit if i == j else miss, given, 1)


def _matrix(entry: Callable[[int, int], Part], given: Given, blocks: int) -> dict[str, Any]:
    m = _count(given)
    if m is None or m > _SHOWN_ROWS:
        return {"family": "randomized response over m2 secrets", "attained": True}
    rows = [[entry(i, j) for j in range(blocks * m)] for i in range(m)]
    return {"mechanism": {"matrix": rows}, "attained": True}


def _count(given: Given) -> int | None:
    return int(rational(given["m2"])) if "m2" in given and given["m2"].op == "num" else None


def everything(given: Given) -> Implication:
    """The source excludes nothing: every secret has an output of its own."""
    witness = _matrix(lambda i, j: "1" if i == j else "0", given, 1)
    return tight(
        str(largest(canonical(Kind.LEAKAGE).key)), witness, "counterexample", note="the source excludes nothing"
    )


def _of_slack(source: Kind, given: Given) -> Implication:
    """Reveal the secret with probability delta, else randomized response at eps; this is PDP as well as ADP."""
    eps, delta = parameters_of(source)
    more = put("(m2 - 1)*(e + m2*d)/(e + m2)", e=near_zero.less_one(eps), d=delta)
    text: Part = put("log(m2*(exp(e) + (m2 - 1)*d)/(exp(e) + m2 - 1))", e=eps, d=delta)
    if source is Kind.VARIATION:
        text, more = "log(1 + (m2 - 1)*t)", put("(m2 - 1)*t")
    m = _count(given) or 0
    hit, miss = (
        put(share, e=eps, d=delta) for share in ("(1 - d)*exp(e)/(exp(e) + m2 - 1)", "(1 - d)/(exp(e) + m2 - 1)")
    )

    def entry(i: int, j: int) -> Part:
        if j < m:
            return delta if i == j else "0"
        return hit if i == j - m else miss

    return tight(Formula(text, (), near_zero.log_one_more(more)), _matrix(entry, given, 2), SYMMETRY)


def _of_uniform(given: Given) -> Implication:
    family = {"family": "one secret likely at each output and the others alike, all permutations", "attained": True}
    size = compare(Formula("m2"), Formula("m"), given)
    if size is not None and size <= 0:
        return tight("min(xi, log(m2 - (m2 - 1)*exp(-xi)))", family, "mixture", SYMMETRY)
    side = compare(Formula("exp(xi)"), Formula("m - 1"), given)
    if side is None:
        return unknown("exp(xi) could not be told from m - 1")
    level = "log(m*exp(xi) - m + 1)" if side >= 0 else "log((m - 1)*exp(xi)/(m - exp(xi)))"
    return replace(_of_response(Formula(level), given), principles=("mixture", SYMMETRY))


def _of_gaussian(given: Given) -> Implication:
    """The trade-off function of randomized response has one corner and its mirror image, which must lie on the curve.

    With p = Phi(mu/2 - u) and (1-p)/(m2-1) = Phi(-mu/2 - u) that is Phi(u - mu/2) = (m2-1) Phi(-u - mu/2).
    """
    if compare(Formula("m2"), Formula("2"), given) == 0:
        return tight(
            "log(1 + erf(mu/(2*sqrt(2))))", {"family": "the pair N(0, 1), N(mu, 1)", "attained": True}, SYMMETRY
        )
    root = Root("u", "erfc((mu/2 - u)/sqrt(2))/erfc((mu/2 + u)/sqrt(2))", "m2 - 1")
    hit, miss = "erfc((u - mu/2)/sqrt(2))/2", "erfc((u + mu/2)/sqrt(2))/2"
    witness = _matrix(lambda i, j: hit if i == j else miss, given, 1)
    return tight(
        Formula("log(m2*erfc((u - mu/2)/sqrt(2))/2)", (root,)), witness, SYMMETRY, "hypothesis-testing", roots=(root,)
    )


def _of_orders(given: Given) -> Implication:
    """Order 1 is the worst one as long as m2 is small; else the order at which the divergence touches the line."""
    found = ResponseOrders(given)
    if found.first_order():
        answer = _of_response(Formula("y", (Root("y", _KL, "rho"),)), given)
        return replace(answer, principles=(SYMMETRY, "renyi-monotone"))
    if "omega" in given:
        over = _RESPONSE.of({"x": "y"}, (Root("y", _KL, "rho"),))
        return Implication(
            Status.UPPER_BOUND, over, lower=lambda prec: found.evaluate(prec, _RESPONSE), attempts=4,
            upper=lambda prec: over.evaluate(given, prec), principles=(SYMMETRY, "renyi-monotone"), roots=over.roots,
            make_witness=lambda digits: response(found.decimal(digits), given),
            note="between what all orders and what order one alone allow",
        )  # fmt: skip
    return Implication(
        Status.TIGHT, lower=lambda prec: found.evaluate(prec, _RESPONSE), attempts=4,
        principles=(SYMMETRY, "renyi-monotone"),
        make_witness=lambda digits: response(found.decimal(digits), given),
        shown=Text(
            "`log(m2*exp(y)/(m2 - 1 + exp(y)))` with the largest `y` at which the divergence of every order `alpha` of "
            "randomized response over `m2` secrets is at most `rho*alpha`"
        ),
    )  # fmt: skip


def _far(source: Notion, given: Given, rule: Rule, ratio: Formula | None) -> Implication:
    """Secrets up to D steps apart: total variations add up along a path, and so do log ratios.

    The lower bound is that of neighbours; in between nothing is claimed.
    """
    near = {name: number for name, number in given.items() if name != DIAMETER}
    base = to_leakage(source, near, rule, ratio)
    apart = rule(source, canonical(Kind.VARIATION), {name: number for name, number in near.items() if name != "m2"})
    steps = Formula("log(1 + (m2 - 1)*min(1, D*t))")
    ends: list[Callable[[int], Interval]] = []
    if apart.status is Status.TIGHT and apart.level is not None:
        formula = steps.of({"t": apart.level.body}, apart.level.roots)
        ends.append(lambda prec: formula.evaluate(given, prec))
    else:
        ends.append(lambda prec: Formula(_MOST).evaluate(given, prec))
    if ratio is not None:
        chained = _RESPONSE.of({"x": put("D*x", x=ratio.body)}, ratio.roots)
        ends.append(lambda prec: chained.evaluate(given, prec))

    found = far(base, near, ends, "group-path", SYMMETRY)
    return replace(found, note="between what neighbours allow and what total variations along a path add up to")


_AS_TV = {"t": "exp(l) - 1"}


def from_leakage(target: Notion, given: Given, rule: Rule) -> Implication:
    """MAXL(l, m) with l > 0."""
    rest = {name: number for name, number in given.items() if name not in ("l", "m")}
    apart = canonical(Kind.VARIATION)
    if target.kind is Kind.LEAKAGE:
        full = compare(Formula("l"), Formula("log(m)"), given)
        if full is None:
            return unknown("l could not be told from log(m)")
        size = compare(Formula("m2"), Formula("m"), given)
        if full >= 0:
            return everything(given)
        family = {"family": "an output for each secret, or one for all", "attained": True}
        if size is not None and size <= 0:
            return tight("min(l, log(m2))", family, SYMMETRY)
        more = put("e*(m2 - 1)/(m - 1)", e=near_zero.less_one("l"))
        return tight(
            Formula("log(1 + (exp(l) - 1)*(m2 - 1)/(m - 1))", (), near_zero.log_one_more(more)), family, SYMMETRY
        )
    alike = compare(Formula("exp(l)"), Formula("2"), given)
    if alike is None:
        return unknown("l could not be told from log(2)")
    if alike >= 0:
        return rule(apart, target, {**rest, "t": _one()}) if "delta2" in given else unconstrained(target)
    inner: dict[str, Expr] = {**rest, "t": substitute(near_zero.less_one("l"), dict(given))}
    plain = rule(apart, target, inner)
    answer = with_parameters(plain, _AS_TV)
    if plain.level is None or answer.level is None or plain.level.roots:
        return answer
    kept = substitute(expression(plain.level.sharp or plain.level.body), {"t": near_zero.less_one("l")})
    return replace(answer, level=Formula(answer.level.body, (), kept))


def _one() -> Expr:
    return Formula("1").expr()
