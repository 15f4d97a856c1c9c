"""Desfontaines and Pejo, SoK: Differential Privacies, Table 3: the relations between definitions.

A definition is stronger than another if for every (proper) parameter of the second some parameter of the first
implies it; it extends another if some parameter makes them the same. Where the table names no parameters, the
implication is proved with those that follow, and the verdict is on the relation.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from symprivacy.claims.argument import Attacked, Counterexample, Earlier, Example, Witness
from symprivacy.claims.comparison import comparison, put
from symprivacy.claims.finite_sums import setting
from symprivacy.claims.instances import (
    ADDED,
    REPLACED,
    bags,
    contradicts,
    greatest_ratio,
    product_law,
    random_rows,
    reached,
    related,
    shown,
    spread,
)
from symprivacy.claims.language import proposition
from symprivacy.claims.laws import exceptional, random_growth
from symprivacy.claims.outcome import needs
from symprivacy.claims.papers.closure import EVERYWHERE, FEWER
from symprivacy.claims.papers.sok22_neighbourhood import one_record
from symprivacy.claims.record import Claim, Form
from symprivacy.claims.sum_proofs import Step, Sums
from symprivacy.mechanisms.random import random_law

_DATA = bags("ab", 3)


def table_claim(name: str, statement: str, **how: Any) -> Claim:
    """A row of the table."""
    return Claim(f"sok22-t3-{name}", "sok22", "Table 3", statement, **how)


def _unbounded_twice(rng: Random) -> Witness:
    rows = random_rows(rng, len(_DATA))
    step, both = spread(rows, related(_DATA, ADDED)), spread(rows, related(_DATA, (*ADDED, *REPLACED)))
    if step <= both <= step * step:
        return None
    return {"says": f"adding: ratio {step}, adding or replacing: {both}", "rows": shown(*rows)}


def _bounded_weaker(rng: Random) -> Witness:
    rows = random_rows(rng, len(_DATA))
    bounded, both = spread(rows, related(_DATA, REPLACED)), spread(rows, related(_DATA, (*ADDED, *REPLACED)))
    return None if bounded <= both else {"says": f"replacing: `{bounded} > {both}`", "rows": shown(*rows)}


def _sensitive_only(rng: Random) -> Witness:
    """One record s or n, s sensitive: the ratio from s only, against both orders."""
    one, other = random_law(rng, 3), random_law(rng, 3)
    sided, both = greatest_ratio(one, other), max(greatest_ratio(one, other), greatest_ratio(other, one))
    return None if sided <= both else {"says": f"`{sided} > {both}`"}


def _whole_groups(rng: Random) -> Witness:
    """Three bits, c = 2, every record related to every other: one record changes and at most c-1 others with it."""
    c, records = 2, range(3)
    rows = random_rows(rng, 8)
    linked = {(i, j) for i in records for j in records if i != j}
    protected = []
    for a, b in product(range(8), repeat=2):
        changed = [i for i in records if (a ^ b) >> i & 1]
        if any(len(changed) <= c and all((i, j) in linked for j in changed if j != i) for i in changed):
            protected.append((a, b))
    group = [(a, b) for a, b in product(range(8), repeat=2) if 0 < bin(a ^ b).count("1") <= c]
    one, other = spread(rows, protected), spread(rows, group)
    return None if one == other else {"says": f"{one} for dependent records, {other} for groups", "rows": shown(*rows)}


def one_way_personal() -> Witness:
    """No record: (1, 0); one record: (1/2, 1/2). The printed inequality bounds the first by the second only."""
    without, with_it = [Fraction(1), Fraction(0)], [Fraction(1, 2), Fraction(1, 2)]
    printed, back = greatest_ratio(without, with_it), greatest_ratio(with_it, without)
    if printed != 2 or back != float("inf"):
        return None
    says = (
        "without `t` the law is `(1, 0)`, `M({t}) = (1/2, 1/2)`: as printed at `Psi = log(2)`, "
        "but the other order has ratio infinity"
    )
    return {"says": says, "mechanism": {"matrix": shown(without, with_it)}}


def personal_both(rng: Random) -> Witness:
    """With both orders and the same level for all, the pairs are those that differ by one record more or less."""
    rows = random_rows(rng, len(_DATA))
    pairs = related(_DATA, ADDED)
    one = spread(rows, pairs)
    other = max(max(greatest_ratio(rows[a], rows[b]), greatest_ratio(rows[b], rows[a])) for a, b in pairs)
    return None if one == other else {"says": f"{one} against {other}"}


def _by_distance(rng: Random) -> Witness:
    """exp(eps * distance) bounds every pair if it bounds those at distance one."""
    rows = random_rows(rng, 4)
    near = spread(rows, [(a, b) for a in range(4) for b in range(4) if bin(a ^ b).count("1") == 1])
    far = spread(rows, [(0, 3), (1, 2)])
    return None if far <= near * near else {"says": f"distance two: `{far} > {near * near}`"}


def _merging() -> Witness:
    """P = (1/10, 6/10, 3/10, 0), Q the mirror image, eps = log 2; the first two outputs become one."""
    one = [Fraction(k, 10) for k in (1, 6, 3, 0)]
    other = one[::-1]
    before = max(exceptional(one, other, Fraction(2)), exceptional(other, one, Fraction(2)))
    merged = [[law[0] + law[1], law[2], law[3]] for law in (one, other)]
    after = exceptional(merged[0], merged[1], Fraction(2))
    if not (before == Fraction(1, 10) and after > before):
        return None
    says = f"`eps = log(2)`: `delta = {before}` before, `{after}` after two outputs are merged"
    return {"says": says, "mechanism": {"matrix": shown(one, other)}}


def _means_add(rng: Random) -> Witness:
    """The mean loss of a product against the sum of the means; levels count both orders."""
    pairs = [(random_law(rng, 2), random_law(rng, 2)) for _ in range(2)]
    first, second = (reached(one, other, "KL") for one, other in pairs)
    one, other = (product_law(*laws) for laws in zip(*pairs, strict=True))
    if contradicts("w <= a + b", w=reached(one, other, "KL"), a=first, b=second):
        return {"says": "the product exceeds the sum", "laws": shown(*pairs[0], *pairs[1])}
    return None


def _bad_draws(rng: Random) -> Witness:
    """The pairs of inputs that a product violates are among those that one of its parts violates."""
    rows = [random_rows(rng, 3), random_rows(rng, 3)]
    growth = [random_growth(rng), random_growth(rng)]
    pairs = [(a, b) for a in range(3) for b in range(3)]
    bad = [{(a, b) for a, b in pairs if greatest_ratio(r[a], r[b]) > g} for r, g in zip(rows, growth, strict=True)]
    joint = [product_law(rows[0][a], rows[1][a]) for a in range(3)]
    whole = {(a, b) for a, b in pairs if greatest_ratio(joint[a], joint[b]) > growth[0] * growth[1]}
    return None if whole <= bad[0] | bad[1] else {"says": f"{sorted(whole)} against {sorted(bad[0] | bad[1])}"}


_RATES = ("x in [0, oo)", "y in [0, oo)", "u in [0, oo)", "v in [0, oo)", "alpha in [1, oo)")

_REALS = ("L in (-oo, oo)", "M in (-oo, oo)", "s in (-oo, oo)", "m in (-oo, oo)", "n in (-oo, oo)")
_POSITIVE = ("A in (0, oo)", "B in (0, oo)", "c in [0, oo)", "d in [0, oo)")
_TWO_LOSSES = setting("u L: y; v M: z", *_REALS, *_POSITIVE, first=put("u*exp(s*(L-m))"), second=put("v*exp(s*(M-n))"))

CLAIMS = (
    table_claim(
        "ubo",
        "`eps-DP ~ eps-uBoDP`",
        reading="~ with `2 eps` one way: DP is for adding, removing and replacing a record",
        words="replacing is removing and adding",
        proof=Attacked(
            needs(
                Example("the pairs of DP are those of uBoDP and BoDP", one_record),
                proposition("UDP(eps) => BoundedDP(2*eps)"),
                FEWER,
            ),
            _unbounded_twice,
        ),
    ),
    table_claim(
        "bo",
        "`eps-BoDP` weaker than `eps-DP`",
        words="replacing a record is one of the changes",
        proof=Attacked(needs(Example("replacing a record is one of the changes", one_record), FEWER), _bounded_weaker),
    ),
    table_claim(
        "osdp",
        "OSDP extends and is weaker than BoDP",
        # P = T asks for every pair, by sok22-osdp; a smaller P for fewer.
        words="`P = T` asks for every pair; a smaller `P` for fewer",
        proof=Attacked(needs(Earlier("sok22-osdp"), FEWER), _sensitive_only),
        uses=("sok22-osdp",),
    ),
    table_claim(
        "dep",
        "DepDP extends GrDP",
        reading="`R` relates every record to every other, so that any `c` of them may change",
        # n says which records change and o which are not the first of them; every other one is related to it.
        words="the same pairs of datasets",
        proof=Attacked(
            needs(
                *(
                    Sums(
                        setting("n o: j", "n in [0, 1]", "o in [0, 1]", "c in [1, oo)"),
                        {"first": "sum[j] n*(1-o) == 1", "given": given},
                        {"same": Step(says, {"first": weight, "given": "1"})},
                    )
                    for given, says, weight in (
                        ("sum[j] n*o <= c-1", "sum[j] n <= c", "1"),
                        ("sum[j] n <= c", "sum[j] n*o <= c-1", "-1"),
                    )
                )
            ),
            _whole_groups,
        ),
    ),
    table_claim(
        "per",
        "PerDP extends DP",
        reading="`eps-DP` for the change that the definition itself makes: in Definition 21 one record is removed; the "
        "inequality there as printed, in one order only",
        words="the same pairs in both orders",
        proof=Counterexample("`Psi-PerDP` with `Psi = eps` is `eps-DP`", one_way_personal),
        corrected=Form(
            "with both orders, PerDP with `Psi = eps` is `eps-uBoDP`",
            # k is where the level is asked for: everywhere, as Psi is the same for all.
            Attacked(EVERYWHERE, personal_both),
        ),
    ),
    table_claim(
        "dd",
        "DP special case of `d_D-Pr`",
        reading="`d_D` is `eps` times the number of records that differ",
        words="`c` steps multiply `c` ratios",
        proof=Attacked(needs(proposition("group(DP(eps), c) => DP(c*eps) for c >= 1 integer"), FEWER), _by_distance),
    ),
    table_claim(
        "sempr",
        "SemPr ~ DP",
        reading="~ with the parameters that follow",
        proof=needs(proposition("DP(eps) => SP(tanh(eps/2))"), proposition("SP(eta) => DP(4*atanh(eta))")),
    ),
    table_claim("prodp-pp", "ProDP fails post-processing", proof=Example("merging two outputs", _merging)),
    table_claim(
        "comp-kl",
        "KLPr composes",
        words="losses of independent outputs add, and so do their means",
        proof=needs(proposition("compose(KL(k1), KL(k2)) => KL(k1 + k2) for k1 > 0, k2 > 0")),
    ),
    table_claim(
        "comp-renyi",
        "RenyiDP, zCoDP, bCoDP, tCoDP compose",
        reading="with the sums of the parameters and the smaller of two largest orders",
        words="`E exp((alpha-1)L)` multiplies, so Renyi divergences of one order add",
        proof=needs(
            proposition("compose(RDP(alpha, x), RDP(alpha, y)) => RDP(alpha, x + y) for x > 0, y > 0"),
            comparison("(x + u*alpha) + (y + v*alpha) == (x + y) + (u + v)*alpha", *_RATES),
            comparison("Min(x, alpha*u) + Min(y, alpha*v) <= Min(x + y, alpha*(u + v))", *_RATES),
        ),
    ),
    table_claim(
        "comp-mcodp",
        "mCoDP composes",
        reading="with the sum of the means and the root of the sum of squares",
        words="independent losses add; their means add as well, and their centred moments multiply",
        # L and M are the losses of the two outputs, of means m and n; c and d are the squares of the two tau.
        proof=Attacked(
            needs(
                Sums(
                    _TWO_LOSSES,
                    {"first": "sum[y] first == A", "second": "sum[z] second == B"},
                    {
                        "inner": Step("sum[z] first*second == first*B", {"second": "u*exp(s*(L-m))"}),
                        "outer": Step("sum[y] first*B == A*B", {"first": "B"}),
                        "both": Step(
                            "sum[y, z] u*v*exp(s*(L+M-m-n)) == A*B", {"inner": "1", "outer": "1"}, rule="lift"
                        ),
                    },
                    ("independence",),
                ),
                Sums(
                    _TWO_LOSSES,
                    {"A": "A <= exp(s**2*c/2)", "B": "B <= exp(s**2*d/2)"},
                    {"product": Step("A*B <= exp(s**2*(c+d)/2)", {"A": "B", "B": "exp(s**2*c/2)"})},
                ),
                Sums(
                    _TWO_LOSSES,
                    {"u": "sum[y] u == 1", "v": "sum[z] v == 1", "L": "sum[y] u*L == m", "M": "sum[z] v*M == n"},
                    {
                        "inner": Step("sum[z] u*v*(L+M) == u*L + u*n", {"v": "u*L", "M": "u"}),
                        "outer": Step("sum[y] u*L + u*n == m + n", {"L": "1", "u": "n"}),
                        "mean": Step("sum[y, z] u*v*(L+M) == m + n", {"inner": "1", "outer": "1"}, rule="lift"),
                    },
                    ("independence",),
                ),
            ),
            _means_add,
            12,
        ),
    ),
    table_claim(
        "comp-prodp",
        "ProDP composes",
        reading="with `eps1 + eps2` and `delta1 + delta2 - delta1*delta2`",
        words="if the sum of two losses exceeds `eps1 + eps2`, one exceeds its own `eps`",
        proof=needs(proposition("compose(PDP(eps1, d1), PDP(eps2, d2)) => PDP(eps1 + eps2, d1 + d2 - d1*d2)")),
    ),
    table_claim(
        "comp-randp",
        "RanDP composes",
        reading="same law of the data: `(gamma1 + gamma2, eps1 + eps2)`, by the union bound over the drawn pair",
        # w is the law of the pair of datasets; f and g say where the two mechanisms fail, and h where both together do,
        # which is not where neither of them does.
        words="a pair that the two together violate is violated by one of them",
        proof=Attacked(
            needs(
                proposition("compose(DP(eps1), DP(eps2)) => DP(eps1 + eps2)"),
                Sums(
                    setting("w f g h: o", "c in [0, 1]", "d in [0, 1]"),
                    {"one": "sum[o] w*f <= c", "two": "sum[o] w*g <= d", "both": "h <= f + g"},
                    {"union": Step("sum[o] w*h <= c + d", {"one": "1", "two": "1", "both": "w"})},
                    ("tail",),
                ),
            ),
            _bad_draws,
        ),
    ),
)
