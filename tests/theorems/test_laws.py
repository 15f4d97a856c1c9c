"""The principles behind the stored theorems, and the theorems themselves, against random pairs of laws."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Expr, Lambda, Symbol, lambdify

from symprivacy.derivations import derive
from symprivacy.derivations.derivation import Derivation
from symprivacy.derivations.theorems.laws import X, gaussian, generator, response
from symprivacy.derivations.theorems.store import lines, needed, read
from symprivacy.derivations.theorems.theorem import Theorem
from symprivacy.notions.symbols import D, R, real

MEANS = ("TV", "KL", "CHI2", "JS", "HELL2", "ABP")
Law = tuple[list[float], list[float]]


@st.composite
def laws(draw: Any) -> Law:
    """Two laws on a few points, none of probability 0."""
    size = draw(st.integers(2, 5))
    weights = [draw(st.lists(st.integers(1, 60), min_size=size, max_size=size)) for _ in range(2)]
    return tuple([w / sum(ws) for w in ws] for ws in weights)  # type: ignore[return-value]


@lru_cache(maxsize=64)
def numeric(e: Expr, *names: Symbol) -> Callable[..., float]:
    return lambdify(names, e, modules=["math", {"Max": max, "Min": min}])  # type: ignore[no-any-return]


def mean(f: Callable[[float], float], p: list[float], q: list[float]) -> float:
    return sum(b * f(a / b) for a, b in zip(p, q, strict=True))


@pytest.mark.parametrize("key", MEANS)
@given(law=laws())
@settings(max_examples=15, deadline=None)
def test_a_pair_of_laws_is_a_mixture_of_randomized_responses(key: str, law: Law) -> None:
    p, q = law
    f = numeric(generator(key)[1], R)
    phi = numeric(response(generator(key)[1], X), X)
    both = (mean(f, p, q) + mean(f, q, p)) / 2
    mixed = sum((a + b) / 2 * phi(abs(math.log(a / b))) for a, b in zip(p, q, strict=True))
    assert both == pytest.approx(mixed, abs=1e-9)


@pytest.mark.parametrize("key", ["KL", "CHI2", "HELL2", "TV"])
def test_moments_of_the_gaussian_pair(key: str) -> None:
    f, mu = generator(key)[1], 1.25
    at = numeric(f, R)
    density = lambda x: mpmath.npdf(x) * at(float(mpmath.exp(mu * x - mu * mu / 2)))  # noqa: E731
    found = mpmath.quad(density, [-12, 0, mu / 2, 4, 12])
    assert float(gaussian(f, real("mu")).subs(real("mu"), mu)) == pytest.approx(float(found), rel=1e-6)


@given(a=st.floats(1.2, 6), share=st.floats(0.05, 0.95), x=st.floats(0.2, 3))
@settings(max_examples=40, deadline=None)
def test_a_smaller_power_lies_below_the_line_that_touches_twice(a: float, share: float, x: float) -> None:
    """The principle power-touching: the line through r**a, r**(1-a), r and 1 has positive weights of both powers."""
    b = 1 + share * (a - 1)
    rows, right = [], []
    for r in (math.exp(x), math.exp(-x)):
        rows += [[r**a, r ** (1 - a), r, 1.0], [a * r ** (a - 1), (1 - a) * r**-a, 1.0, 0.0]]
        right += [r**b, b * r ** (b - 1)]
    one, two, tilt, rest = (float(v) for v in mpmath.lu_solve(mpmath.matrix(rows), mpmath.matrix(right)))
    assert one > 0 < two
    for k in range(-60, 61):
        r = math.exp(k / 10)
        line = one * r**a + two * r ** (1 - a) + tilt * r + rest
        assert r**b <= line + 1e-6 * (abs(line) + one * r**a + two * r ** (1 - a) + abs(tilt) * r + abs(rest))


@given(a=st.floats(0.55, 6), share=st.floats(0.05, 0.95), x=st.floats(0.2, 3))
@settings(max_examples=60, deadline=None)
def test_a_power_below_one_lies_above_the_line_that_touches_twice(a: float, share: float, x: float) -> None:
    """The same for -r**b, b between 0 and 1, from r**a, or from -r**a with b between 1 - a and a, or from r log r."""
    if 0.95 < a < 1.05:
        a = 1.0
    b = share if a >= 1 else 1 - a + share * (2 * a - 1)

    def bounded(r: float) -> tuple[list[float], list[float]]:
        """f(r) and r f(1/r), and their slopes."""
        if a == 1:
            return [r * math.log(r), -math.log(r)], [math.log(r) + 1, -1 / r]
        sign = 1 if a > 1 else -1
        return [sign * r**a, sign * r ** (1 - a)], [sign * a * r ** (a - 1), sign * (1 - a) * r**-a]

    rows, right = [], []
    for r in (math.exp(x), math.exp(-x)):
        values, slopes = bounded(r)
        rows += [[*values, r, 1.0], [*slopes, 1.0, 0.0]]
        right += [-(r**b), -b * r ** (b - 1)]
    weights = [float(v) for v in mpmath.lu_solve(mpmath.matrix(rows), mpmath.matrix(right))]
    assert weights[0] > 0 < weights[1]
    for k in range(-60, 61):
        r = math.exp(k / 10)
        terms = [w * v for w, v in zip(weights, [*bounded(r)[0], r, 1.0], strict=True)]
        assert -(r**b) <= sum(terms) + 1e-6 * sum(map(abs, terms))


@given(law=laws(), a=st.floats(0.05, 0.95))
@settings(max_examples=40, deadline=None)
def test_divergences_below_one_are_skew(law: Law, a: float) -> None:
    """The principle skew-symmetry."""
    p, q = law

    def divergence(order: float, one: list[float], two: list[float]) -> float:
        return math.log(mean(lambda r: r**order, one, two)) / (order - 1)

    assert divergence(a, p, q) == pytest.approx(a / (1 - a) * divergence(1 - a, q, p), abs=1e-9)


@given(st.integers(2, 5).flatmap(lambda m: st.lists(st.lists(st.integers(1, 40), min_size=m, max_size=m),
                                                    min_size=m, max_size=m)))  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_the_likely_sets_of_laws_with_a_range_of_ratios(weights: list[list[int]]) -> None:
    """The principle range-of-sets, for any matrix whose rows sum to one."""
    rows = [[w / sum(row) for w in row] for row in weights]
    m = len(rows)
    width = max(rows[i][i] * rows[j][j] / (rows[i][j] * rows[j][i]) for i in range(m) for j in range(m) if i != j)
    least = min(1.0, width**-0.5)
    assert sum(rows[i][i] for i in range(m)) <= m / (1 + (m - 1) * least) + 1e-9


@pytest.mark.parametrize("key", MEANS)
def test_a_rare_output_costs_nothing(key: str) -> None:
    f = numeric(generator(key)[1], R)
    for k in (3.0, 50.0):
        d = 1e-9
        p, q = [k * d, 1 - k * d], [d, 1 - d]
        assert abs(mean(f, p, q)) < 1e-5 > abs(mean(f, q, p))


@lru_cache(maxsize=32)
def stored(name: str) -> Theorem:
    known: dict[str, Theorem] = {}
    for used in needed(name, lines()):
        known[used] = read(lines()[used], known).theorem
    return known[name]


PAIRS = (("KL", "TV"), ("KL", "ABP"), ("CHI2", "JS"), ("HELL2", "JS"), ("JS", "HELL2"), ("ABP", "TV"))


@pytest.mark.parametrize(("a", "b"), PAIRS, ids=">".join)
@given(law=laws())
@settings(max_examples=15, deadline=None)
def test_no_pair_of_laws_beats_a_theorem(a: str, b: str, law: Law) -> None:
    """The variable at which the premise has the level of the pair, and the level of the conclusion there."""
    p, q = law
    t = stored(f"{a}=>{b}")
    (variable,) = (s.symbol for s in t.domain)
    premise, conclusion = (numeric(g.values[-1], variable) for g in (t.premise, t.conclusion))

    def level(key: str) -> float:
        _, f, transform = generator(key)
        found = max(mean(numeric(f, R), p, q), mean(numeric(f, R), q, p))
        return numeric(transform, D)(found) if found > 1e-12 else 0.0

    lo, hi = 1e-9, 40.0 if variable == X else 1 - 1e-9
    if level(a) < 1e-8:
        return
    for _ in range(80):
        middle = (lo + hi) / 2
        lo, hi = (middle, hi) if premise(middle) < level(a) else (lo, middle)
    assert level(b) <= conclusion(hi) + 1e-7


@lru_cache(maxsize=8)
def steps_of(a: str, b: str) -> Derivation:
    return derive(a, b).derivation


STEPS = (("KL", "HELL2"), ("CHI2", "TV"), ("ADP", "TV"), ("PDP", "ADP"))


@pytest.mark.parametrize(("a", "b"), STEPS, ids=">".join)
@given(law=laws(), level=st.floats(0.01, 2), other=st.floats(0.05, 1.5), more=st.floats(0, 1))
@settings(max_examples=12, deadline=None)
def test_each_printed_step_is_true_of_every_pair_that_has_what_it_uses(
    a: str, b: str, law: Law, level: float, other: float, more: float
) -> None:
    """Whatever satisfies the statements that a step uses satisfies the statement it makes, read alone.

    The one step that names the principle of both orders may use what it uses of Q against P, too.
    """
    p, q = law
    at = {"eps": other, "eps2": other + more, "delta": min(level, 0.99), "t": min(level, 0.99), "h": min(level, 0.99)}
    d = steps_of(a, b)

    def holds(k: int, p: list[float] = p, q: list[float] = q) -> bool:
        s = d.steps[k].statement
        names = [v.symbol for v in s.domain]
        values = [at.get(n.name, level) for n in names]
        found = mean(lambda r: float(Lambda((*names, R), s.lhs.args[0])(*values, r)), p, q)
        return found <= float(Lambda(tuple(names), s.rhs)(*values)) + 1e-9

    for k, step in enumerate(d.steps):
        used = all(holds(i) and (step.rule != "other-order" or holds(i, q, p)) for i in step.uses)
        if step.uses and step.rule != "conclude" and used:
            assert holds(k), (k, str(step.statement))
