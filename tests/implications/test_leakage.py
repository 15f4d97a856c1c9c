"""Maximal leakage, pointwise leakage and local information privacy: conversions against random mechanisms."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations, permutations, product

import mpmath
import pytest
from mpmath import mpf

from symprivacy.errors import InputError
from symprivacy.implications import NOTIONS, Status, convert
from symprivacy.mechanisms import Mechanism, level, randomized_response
from tests.implications import pairs
from tests.implications.cases import BOUND, INDEX, SOURCES, TARGETS

MEANS = ("TV", "KL", "RDP", "ZCDP", "GDP", "CHI2", "HELL2", "JS", "ABP", "ADP", "PDP", "RB")


def channel(rng: random.Random, m: int) -> list[list[Fraction]]:
    """Laws of m secrets over a few outputs: spread, peaked, or next to randomized response."""
    size, kind = rng.randint(2, m + 2), rng.randrange(3)
    rows = []
    for i in range(m):
        weights = [rng.randint(1, 30) for _ in range(size)]
        if kind:
            weights[i % size] += 40 * kind * rng.randint(1, 3)
        rows.append([Fraction(w, sum(weights)) for w in weights])
    return rows


def leak(rows: list[list[Fraction]]) -> mpf:
    total = sum(max(column) for column in zip(*rows, strict=True))
    return mpmath.log(mpf(total.numerator) / total.denominator)


def worst(key: str, rows: list[list[Fraction]], asked: object) -> mpf:
    """The level of a notion about pairs: the largest over ordered pairs of rows."""
    laws = [[mpf(x.numerator) / x.denominator for x in row] for row in rows]
    if key == "RB":
        ranges = [[mpmath.log(p / q) for p, q in zip(a, b, strict=True)] for a, b in permutations(laws, 2)]
        return max(max(r) - min(r) for r in ranges)
    return max(pairs.level(key, a, b, asked) for a, b in permutations(laws, 2))


def above(x: mpf) -> str:
    """A decimal a little above a number."""
    return mpmath.nstr(x * (1 + mpf(10) ** -12) + mpf(10) ** -15, 25, min_fixed=-30, max_fixed=40)


@pytest.mark.parametrize("source", MEANS)
def test_no_mechanism_leaks_more_than_its_level_allows(source: str) -> None:
    rng = random.Random(f"leak {source}")
    for _ in range(6):
        m = rng.randint(2, 4)
        rows = channel(rng, m)
        at = {INDEX[source]: SOURCES[source][INDEX[source]]} if source in INDEX else {}
        with mpmath.workdps(30):
            asked = None
            if at:
                index = Fraction(at[INDEX[source]])
                asked = mpf(index.numerator) / index.denominator
            reached = worst(source, rows, asked)
            found = convert(source, {**at, BOUND[source]: above(reached), "m2": m}, "MAXL", digits=15)
            assert leak(rows) <= mpf(found.hi) + mpf(10) ** -12, (source, rows)


@pytest.mark.parametrize(("source", "m"), [*product((*MEANS, "DP", "SP", "MPP", "ABPW"), (2, 3, 5))])
def test_the_witness_has_the_level_of_the_source_and_leaks_as_much(source: str, m: int) -> None:
    from symprivacy.implications.formula import expression
    from symprivacy.implications.numbers.numeric import number

    found = convert(source, {**SOURCES[source], "m2": m}, "MAXL", digits=20)
    assert found.status is Status.TIGHT
    assert found.witness is not None
    if "mechanism" not in found.witness:
        assert (source, m) == ("GDP", 2)
        return
    with mpmath.workdps(40):
        rows = [[number(expression(text), {}) for text in row] for row in found.witness["mechanism"]["matrix"]]
        assert all(abs(sum(row) - 1) < mpf(10) ** -20 for row in rows)
        total = sum(max(column) for column in zip(*rows, strict=True))
        assert abs(mpmath.log(total) - mpf(found.lo)) < mpf(10) ** -16
        if source in ("DP", "SP", "MPP", "ABPW"):
            return
        inside = list(permutations(rows, 2))
        if source in ("ADP", "PDP", "TV"):
            # An output that one secret alone produces has no ratio; the hockey-stick does not mind.
            eps = mpf(1) if source != "TV" else mpf(0)
            reached = max(sum(max(p - mpmath.exp(eps) * q, 0) for p, q in zip(a, b, strict=True)) for a, b in inside)
        else:
            asked = mpf(SOURCES[source][INDEX[source]]) if source in INDEX else None
            reached = max(
                2 * mpmath.log(max(p / q for p, q in zip(a, b, strict=True)))
                if source == "RB"
                else pairs.level(source, a, b, asked)
                for a, b in inside
            )
        bound = Fraction(SOURCES[source][BOUND[source]])
        assert reached <= mpf(bound.numerator) / bound.denominator + mpf(10) ** -9


def test_uniform_prior_over_other_numbers_of_secrets() -> None:
    rng = random.Random("uniform")
    for _ in range(40):
        n = rng.randint(3, 5)
        rows = channel(rng, n)
        m, m2 = rng.randint(2, n), rng.randint(2, n)
        xi = level(Mechanism.secrets(rows), "MBPU", m=m).evalf(25)
        reached = max(leak(list(chosen)) for chosen in combinations(rows, m2))
        hi = convert("MBPU", {"xi": above(mpf(str(xi))), "m": m, "m2": m2}, "MAXL", digits=12).hi
        assert reached <= mpf(hi) + 1e-12


def test_leakage_of_other_numbers_of_secrets_and_of_pairs() -> None:
    rng = random.Random("numbers")
    for _ in range(40):
        n = rng.randint(3, 5)
        rows = channel(rng, n)
        m, m2 = rng.randint(2, n), rng.randint(2, n)
        reached = [max(leak(list(chosen)) for chosen in combinations(rows, k)) for k in (m, m2)]
        at = {"l": above(reached[0]), "m": m}
        assert reached[1] <= mpf(convert("MAXL", {**at, "m2": m2}, "MAXL", digits=12).hi) + 1e-12
        assert worst("TV", rows, None) <= mpf(convert("MAXL", at, "TV", digits=12).hi) + 1e-12
        for target in ("JS", "HELL2", "ABP"):
            assert worst(target, rows, None) <= mpf(convert("MAXL", at, target, digits=12).hi) + 1e-12


def test_between_other_numbers_of_secrets_the_bound_is_reached() -> None:
    """With probability w the secret, else nothing: the leakage over k secrets is 1 + w (k - 1)."""
    for w, m, m2 in product((Fraction(1, 10), Fraction(2, 3)), (2, 3), (3, 5)):
        found = convert("MAXL", {"l": f"log({1 + w * (m - 1)})", "m": m, "m2": m2}, "MAXL", digits=15)
        reached = 1 + w * (m2 - 1)
        assert abs(mpmath.exp(mpf(found.lo)) - mpf(reached.numerator) / reached.denominator) < 1e-12


def test_the_level_is_the_sum_of_the_largest_likelihoods() -> None:
    assert str(level(randomized_response(ratio=4), "MAXL").value) == "log(8/5)"
    rng = random.Random("level")
    for _ in range(10):
        rows = channel(rng, 4)
        made = Mechanism.secrets(rows)
        assert abs(mpf(str(level(made, "MAXL").evalf(20))) - leak(rows)) < 1e-15
        best = max(leak(list(chosen)) for chosen in combinations(rows, 2))
        assert abs(mpf(str(level(made, "MAXL", m=2).evalf(20))) - best) < 1e-15


def test_pointwise_leakage_of_a_prior_approaches_the_level() -> None:
    rng = random.Random("pointwise")
    for _ in range(10):
        rows = channel(rng, 3)
        made = Mechanism.secrets(rows)
        eps = mpf(str(level(made, "PML").evalf(20)))
        assert level(made, "LIP").value == level(made, "PML").value == level(made, "LDP").value
        largest, smallest = mpf(0), mpf(0)
        for prior in ((1 - 2 * d, d, d) for d in (Fraction(1, 3), Fraction(1, 10**10))):
            for order in permutations(prior):
                for y in range(len(rows[0])):
                    mean = sum(b * row[y] for b, row in zip(order, rows, strict=True))
                    for row in rows:
                        ratio = mpmath.log(mpf((row[y] / mean).numerator) / (row[y] / mean).denominator)
                        largest, smallest = max(largest, ratio), min(smallest, ratio)
        assert eps - 1e-6 <= largest <= eps + 1e-12
        assert -eps - 1e-12 <= smallest <= -eps + 1e-6


@pytest.mark.parametrize("key", ["MAXL", "PML", "LIP"])
def test_every_pair_is_settled_at_random_parameters(key: str) -> None:
    rng = random.Random(key)
    ranges = {"m": (2, 6), "alpha": (2, 5), "omega": (2, 5)}
    for other in NOTIONS:
        for source, target in ((key, other), (other, key)):
            at = {}
            wanted = {"MAXL": ("l", "m"), "PML": ("eps",), "LIP": ("xi",)}.get(source) or tuple(SOURCES[source])
            for name in wanted:
                low, high = ranges.get(name, (0, 0)) if source != "RDPlow" else (0, 0)
                at[name] = str(rng.randint(low, high)) if high else str(Fraction(rng.randint(1, 40), 200))
            asked = {"MAXL": {"m2": str(rng.randint(2, 6))}, **TARGETS}.get(target, {})
            found = convert(source, {**at, **asked}, target, digits=15)
            assert found.status in (Status.TIGHT, Status.IMPOSSIBLE), (source, target, at, found.note)
            assert mpf(found.lo) <= mpf(found.hi) if found.hi != "oo" else found.lo == "oo"


def test_far_secrets_are_bracketed_by_neighbours_and_paths() -> None:
    for source in ("DP", "TV", "KL", "GDP", "HELL2"):
        near = convert(source, {**SOURCES[source], "m2": 3}, "MAXL", digits=12)
        far = convert(source, {**SOURCES[source], "m2": 3, "D": 2}, "MAXL", digits=12)
        assert far.status is Status.UPPER_BOUND
        assert mpf(near.lo) <= mpf(far.lo) + 1e-11 <= mpf(far.hi) + 2e-11
    # Three secrets on a path of steps of total variation 1/4: mass moves from output to output.
    quarter = Fraction(1, 4)
    rows = [[k * quarter, 1 - k * quarter] for k in (3, 2, 1)]
    assert leak(rows) <= mpf(convert("TV", {"t": "1/4", "m2": 3, "D": 2}, "MAXL", digits=12).hi)


def test_tiny_and_huge_parameters_keep_their_digits() -> None:
    for source in ("DP", "RB", "TV", "KL", "RDP", "CHI2", "HELL2", "JS", "ADP", "GDP", "ZCDP"):
        for scale in ("1e-12", "1e-40"):
            at = {**SOURCES[source], BOUND[source]: scale, "m2": 3}
            if source == "ADP":
                at["eps"] = scale
            assert convert(source, at, "MAXL", digits=15).status is Status.TIGHT, (source, scale)
    assert convert("DP", {"eps": 200, "m2": 3}, "MAXL", digits=15).hi.startswith("1.0986")
    assert convert("TV", {"t": 1, "m2": 3}, "MAXL", digits=15).formula is not None
    assert convert("MAXL", {"l": 2, "m": 3, "m2": 5}, "MAXL", digits=10).formula == "log(m2)"


def test_bad_parameters_are_one_line_errors() -> None:
    for at in ({"l": -1, "m": 3}, {"l": 1, "m": 1}, {"l": 1, "m": "5/2"}, {"l": 1}):
        with pytest.raises(InputError) as error:
            convert("MAXL", at, "TV")
        assert "\n" not in str(error.value)


@pytest.mark.parametrize("target", ["TV", "DP", "KL", "JS", "MP"])
def test_a_leakage_above_that_of_everything_is_no_error_and_excludes_nothing(target: str) -> None:
    """log(m) depends on m, and runs add up to more than it: a bound above it is one that every mechanism meets."""
    most, more = (convert("MAXL", {"l": bound, "m": 3}, target, 10) for bound in ("log(3)", "2*log(3)"))
    assert (most.status, most.lo, most.hi, most.trivial) == (more.status, more.lo, more.hi, more.trivial)
