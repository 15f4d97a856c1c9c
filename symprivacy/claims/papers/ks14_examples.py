"""Mechanisms of ks14 in exact arithmetic: the one that publishes a record, and tests under laws with dependence."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from random import Random

from symprivacy.claims.argument import Example, Witness
from symprivacy.claims.comparison import put
from symprivacy.claims.games import Database, breach, databases, json_belief, json_rows, neighbours, smallest_delta
from symprivacy.claims.laws import Law, exceeds, number, random_growth, total_variation
from symprivacy.mechanisms.random import random_law

# The levels of semantic privacy that Theorems 2.2 and 2.4 conclude from DP and ADP.
PURE = "exp(eps)-1"
LEVEL, FAILURE = "exp(3*eps)-1+2*sqrt(n*delta)", "4*sqrt(n*delta)"


def publish(n: int, values: int = 2) -> dict[Database, Law]:
    """Draw an index at random and publish it with its record.

    >>> publish(2)[0, 1]
    [Fraction(1, 2), Fraction(0, 1), Fraction(0, 1), Fraction(1, 2)]
    """
    outputs = [(i, v) for i in range(n) for v in range(values)]
    return {z: [Fraction(int(z[i] == v), n) for i, v in outputs] for z in databases(n, values)}


def published_always_breaches(rng: Random) -> Witness:
    """The belief that every record is v; a witness if some output is no breach at a level below one."""
    n, values = rng.randint(1, 4), rng.randint(2, 3)
    rows, v = publish(n, values), rng.randrange(1, values)
    belief = {(v,) * n: Fraction(1)}
    found = breach(rows, belief, lambda shift: shift >= 1)
    if found < 1:
        return {"says": f"a breach with probability {found} only", "mechanism": json_rows(rows),
                "belief": json_belief(belief)}  # fmt: skip
    return None


def published_breach() -> Witness:
    """Three bits, the belief that all are one, the default value zero."""
    rows, belief = publish(3), {databases(3)[-1]: Fraction(1)}
    found = breach(rows, belief, lambda shift: shift >= 1)
    says = f"`n = 3`, belief 111, default 0: after every output Game `i` has `0/0` for some `i`, probability {found}"
    return {"says": says, "mechanism": json_rows(rows), "belief": json_belief(belief)} if found == 1 else None


def published_says_little(rng: Random) -> Witness:
    """The joint law of the output and x_1 under a product law, against the product of its marginals."""
    n, values = rng.randint(1, 3), rng.randint(2, 3)
    laws, rows = [random_law(rng, values) for _ in range(n)], publish(n, values)
    joint: dict[tuple[int, int], Fraction] = {}
    for z, law in rows.items():
        mass = Fraction(1)
        for i, v in enumerate(z):
            mass *= laws[i][v]
        for output, p in enumerate(law):
            joint[output, z[0]] = joint.get((output, z[0]), Fraction(0)) + mass * p
    for (output, v), mass in joint.items():
        alone = sum((p for (o, _), p in joint.items() if o == output), Fraction(0))
        index, value = divmod(output, values)
        expected = laws[index][value] / n * (1 if index == 0 else laws[0][v])
        if mass != (0 if index == 0 and value != v else expected) or alone != laws[index][value] / n:
            return {"says": f"P[output {output}, `x_1` = {v}] = {mass}", "mechanism": json_rows(rows)}
    return None


def _fails(n: int, premise: str, eps: str, level: str, failure: str = "0", delta: Fraction = Fraction(0)) -> Witness:
    """Whether publishing one of n bits breaks the claimed level on more than the claimed mass."""
    rows, belief = publish(n), {(1,) * n: Fraction(1)}
    farthest = max(total_variation(rows[z], rows[y]) for z in rows for y in neighbours(z))
    allowed, mass = number(put(level, eps=eps), delta=delta, n=n), number(failure, delta=delta, n=n)
    found = breach(rows, belief, lambda shift: exceeds(shift, allowed))
    if farthest != Fraction(1, n) or not exceeds(Fraction(1), allowed) or not exceeds(found, mass):
        return None
    says = (
        f"`n = {n}`: {premise} `{eps}` would give level `{allowed}` but for probability `{mass}`; "
        f"it is breached with probability {found}"
    )
    return {"says": says, "mechanism": json_rows(rows), "belief": json_belief(belief)}


# The mechanism that publishes a record against the levels that the theorems would give it.
_DISTANCE, _INFORMATION = "statistical difference", "mutual information at most"
_APPROXIMATE = (LEVEL, FAILURE, Fraction(1, 10**4))
CLAIMED_LEVELS = (
    Example("Theorem 2.2 with (3) fails", partial(_fails, 2, _DISTANCE, "1/2", PURE)),
    Example("Theorem 2.4 with (3) fails", partial(_fails, 5, _DISTANCE, "1/5", *_APPROXIMATE)),
    Example("Theorem 2.2 with mutual information fails", partial(_fails, 2, _INFORMATION, "log(2)/2", PURE)),
    Example("Theorem 2.4 with mutual information fails", partial(_fails, 5, _INFORMATION, "log(2)/5", *_APPROXIMATE)),
)


def only_products(rng: Random) -> Witness:
    """Two bits: under a product law no test beats exp(eps) alpha, under any other law the given mechanism does."""
    growth = random_growth(rng)
    law = dict(zip(databases(2), random_law(rng, 4), strict=True))
    given = [[law[a, b] / (law[a, 0] + law[a, 1]) for b in (0, 1)] for a in (0, 1)]
    product = given[0] == given[1]
    more = 1 if given[1][1] > given[0][1] else 0
    scale = (1 - 1 / growth) / growth**2
    yes = {z: scale * growth ** z[0] * (growth if z[1] == more else 1) for z in law}
    rows = {z: [p, 1 - p] for z, p in yes.items()}
    power, alpha = (sum((given[a][b] * yes[a, b] for b in (0, 1)), Fraction(0)) for a in (1, 0))
    beaten = power > growth * alpha
    if smallest_delta(rows, growth) == 0 and beaten != product:
        return None
    says = f"`exp(eps) = {growth}`: power `{power}`, `alpha = {alpha}`; the law is {'a' if product else 'no'} product"
    return {"says": says, "mechanism": json_rows(rows), "law": json_belief(law)}


def correlated() -> Witness:
    """Two equal bits, and a mechanism whose likelihood doubles with each one."""
    growth, law = Fraction(2), {z: Fraction(1, 2) for z in databases(2) if z[0] == z[1]}
    yes = {z: growth ** sum(z) / 16 for z in databases(2)}
    rows = {z: [p, 1 - p] for z, p in yes.items()}
    alpha, power = yes[0, 0], yes[1, 1]
    if smallest_delta(rows, growth) != 0 or power <= growth * alpha:
        return None
    says = (
        "`x1 = x2`, a fair bit; the mechanism is `log(2)-DP`; test `x1 = 0` against 1: "
        f"`alpha = {alpha}`, power `{power}`"
    )
    return {"says": says, "mechanism": json_rows(rows), "law": json_belief(law)}
