"""Rules for samples, channels and leaks against laws that are built one outcome at a time."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import product

from symprivacy.claims.dominating import dominating, level_of_pair
from symprivacy.claims.grammar import term
from symprivacy.claims.guarantees import guarantee
from symprivacy.claims.other_records import crowds, in_a_crowd, triples
from symprivacy.search.floats import approximate
from tests.claims.test_findings import chi2, law, private, response, stick


def width(p: tuple[Fraction, ...], q: tuple[Fraction, ...]) -> Fraction:
    ratios = [a / b for a, b in zip(p, q, strict=True)]
    return max(ratios) / min(ratios)


def test_every_pair_of_a_crowd_has_the_same_width_and_the_sample_a_larger_one() -> None:
    for pairs in crowds():
        n = (len(pairs) - 1) // 3
        assert max(width(*pair) for pair in pairs) == 2 ** (n + 2)
        assert width(*in_a_crowd(pairs, Fraction(3, 4))) > 2 ** (n + 2)
        assert width(*in_a_crowd(pairs, Fraction(1, 2))) <= 2 ** (n + 2)


def test_a_crowd_is_the_mixture_over_all_samples() -> None:
    pairs, q = next(crowds()), Fraction(1, 3)
    n, size = 4, len(pairs[0][0])
    found = [[Fraction(0)] * size for _ in range(2)]
    for taken in product((0, 1), repeat=n + 1):
        weight = math.prod(q if x else 1 - q for x in taken)
        for data in (0, 1):
            row = pairs[sum(taken[1:])][taken[0] * data]
            found[data] = [a + weight * b for a, b in zip(found[data], row, strict=True)]
    assert tuple(map(tuple, found)) == in_a_crowd(pairs, q)


def test_triples_are_laws() -> None:
    assert all(sum(row) == 1 and min(row) > 0 for pairs in triples() for pair in pairs for row in pair)


def test_chi_square_without_replacement_and_through_channels() -> None:
    """The bounds 4 - 3 q and 2 + 2 v, and t**2 (4 - 3 t) (e^eps - 1)**2 e^-eps, on random laws."""
    rng = random.Random("three laws")
    for _ in range(400):
        a, b, c = (law(rng, 3, rng.choice((0.5, 3))) for _ in range(3))
        v, q = max(chi2(x, y) for x in (a, b, c) for y in (a, b, c)), rng.uniform(0.01, 1)
        mixed = [[(1 - q) * x + q * y for x, y in zip(a, one, strict=True)] for one in (b, c)]
        assert chi2(*mixed) <= q**2 * min((4 - 3 * q) * v, 2 + 2 * v) * (1 + 1e-9)
        eps = rng.uniform(0.1, 4)
        rows = response(eps, 3) if rng.random() < 0.5 else private(rng, 3, 4, eps)
        first, second = law(rng, 3, 4), law(rng, 3, 4)
        t = stick(first, second, 0)
        sent = [[sum(w * row[y] for w, row in zip(one, rows, strict=True)) for y in range(len(rows[0]))]
                for one in (first, second)]  # fmt: skip
        assert chi2(*sent) <= t**2 * (4 - 3 * t) * math.expm1(eps) ** 2 * math.exp(-eps) * (1 + 1e-9)


def test_leaks_of_several_runs_are_one_outcome() -> None:
    """The hockey-stick of the dominating pair of k runs is that of the product of k laws."""
    rng = random.Random("leaks")
    for _ in range(6):
        eps, delta, k, at = rng.uniform(0.1, 2), rng.uniform(0.01, 0.4), rng.randint(2, 4), rng.uniform(0, 3)
        (p, q), rest = response(eps), 1 - delta
        outcomes = [(rest * p[0], rest * q[0]), (rest * p[1], rest * q[1]), (delta, 0.0), (0.0, delta)]
        runs = [(math.prod(x for x, _ in chosen), math.prod(y for _, y in chosen))
                for chosen in product(outcomes, repeat=k)]  # fmt: skip
        known = sum(max(0.0, x - math.exp(at) * y) for x, y in runs)
        (pair,) = dominating(term(f"compose(ADP({eps}, {delta}), {k})")) or ()
        level = level_of_pair(pair, guarantee(f"ADP({at}, d)"))
        assert level is not None
        assert math.isclose(approximate(level, {}), known, rel_tol=1e-9)
