"""Bayesian privacy under the uniform prior: formulas evaluate to the level, and another size is a linear program."""

from __future__ import annotations

import itertools
import random
from math import exp, log

import mpmath
import numpy as np
import pytest
from scipy.optimize import linprog

from symprivacy.implications import Status, convert
from symprivacy.implications.formula import constants, expression
from symprivacy.implications.parameters import read
from symprivacy.kernel.enclose import enclose

ASKED = {"RDP": {"alpha2": "5/2"}, "ADP": {"eps2": "1/50"}}


@pytest.mark.parametrize("target", ["TV", "KL", "CHI2", "HELL2", "JS", "ABP", "RDP", "ADP", "ZCDP"])
def test_the_formula_evaluates_to_the_level(target: str) -> None:
    rng = random.Random(f"formula {target}")
    for _ in range(12):
        at = {"xi": f"{10 ** rng.uniform(-1.3, 0.9):.3f}", "m": str(rng.choice((3, 3, 4, 5, 8, 40)))} | ASKED.get(
            target, {}
        )
        found = convert("MBPU", at, target, 20)
        assert found.formula is not None
        head, _, rest = found.formula.partition(" where ")
        box = constants(read("MBPU", target, at), 200)
        for equation in reversed(rest.split(", ")):
            name, _, text = equation.partition(" = ")
            box[name] = enclose(expression(text), box, 200)
        value = enclose(expression(head), box, 200)
        with mpmath.workdps(40):
            low, high = (mpmath.mp.make_mpf(end) for end in value[:2])
            assert low <= mpmath.mpf(found.hi) * (1 + mpmath.mpf(10) ** -19)
            assert high >= mpmath.mpf(found.lo) * (1 - mpmath.mpf(10) ** -19)


def program(xi: float, m: int, m2: int) -> float:
    """The largest log ratio of posterior and prior of m2 secrets, where all groups of m keep xi."""
    a, b, size = exp(xi), exp(-xi), max(m, m2)
    rows = []
    for group in itertools.combinations(range(size), m):
        for i in group:
            for bound, sign in ((b, 1), (a, -1)):
                row = np.zeros(size)
                row[list(group)] = sign * bound / m
                row[i] -= sign
                rows.append(row)
    mean = np.zeros(size)
    mean[:m2] = 1 / m2
    best = 0.0
    for sign in (1, -1):
        # The likelihood of the first secret is one; the mean of all m2 is what it is divided by.
        first = [[1.0] + [0.0] * (size - 1)]
        found = linprog(sign * mean, A_ub=np.array(rows), b_ub=np.zeros(len(rows)), A_eq=first, b_eq=[1.0])
        best = max(best, abs(log(mean @ found.x)))
    return best


def test_another_number_of_secrets_is_a_linear_program() -> None:
    rng = random.Random("sizes")
    for _ in range(25):
        m, m2, xi = rng.randint(2, 6), rng.randint(2, 6), f"{10 ** rng.uniform(-2, 0.5):.4f}"
        found = convert("MBPU", {"xi": xi, "m": m, "m2": m2}, "MBPU", 12)
        assert found.status is Status.TIGHT
        assert abs(program(float(xi), m, m2) - float(found.lo)) < 1e-8, (xi, m, m2)


def of_likelihoods(likelihoods: list[float], m: int) -> tuple[float, float]:
    """xi of all groups of m data sets, and the semantic level over priors and records, of one output."""
    xi = max(
        abs(log(likelihoods[i] * m / sum(likelihoods[j] for j in group)))
        for group in itertools.combinations(range(len(likelihoods)), m)
        for i in group
    )
    widest = 0.0
    for record in range(len(likelihoods).bit_length() - 1):
        without = [log(x / likelihoods[k & ~(1 << record)]) for k, x in enumerate(likelihoods)]
        widest = max(widest, max(without) - min(without))
    return xi, float(np.tanh(widest / 4))


@pytest.mark.parametrize("m", [3, 4, 5, 8])
def test_semantic_privacy_compares_four_data_sets_that_share_a_prior(m: int) -> None:
    rng = random.Random(f"semantic {m}")
    size, most = (4 if m <= 4 else 8), 0.0
    for turn in range(60):
        spread = 10 ** rng.uniform(-1.5, 0.5) if turn % 2 == 0 else 0.1
        low, high, middle = 1.0, 1 + spread, 1 + spread * (rng.random() if turn % 2 == 0 else turn / 60)
        # Record 0 tells 0 from 1 and 2 from 3: large, small, small, large.
        likelihoods = [high, low, low, high] + [middle] * (size - 4)
        noise = 0.0 if turn % 2 else 0.2
        xi, eta = of_likelihoods([x * (1 + noise * rng.random()) for x in likelihoods], m)
        found = convert("MBPU", {"xi": f"{xi + 1e-12:.15f}", "m": m}, "SP", 12)
        assert eta <= float(found.hi) + 1e-9
        most = max(most, eta / float(found.lo))
    assert most > 0.98, "the level is reached"


def test_the_four_data_sets_of_two_bits() -> None:
    found = convert("MBPU", {"xi": "1/10", "m": 4}, "SP", 12)
    assert found.status is Status.TIGHT
    assert found.lo.startswith(f"{1 - exp(-0.1):.11f}"[:12])
