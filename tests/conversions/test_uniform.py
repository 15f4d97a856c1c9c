"""Bayesian privacy under the uniform prior: formulas evaluate to the level, and another size is a linear program."""

from __future__ import annotations

import itertools
import random
from math import exp, log

import mpmath
import numpy as np
import pytest
from scipy.optimize import linprog

from symprivacy.conversions import Status, convert
from symprivacy.conversions.formula import constants, expression
from symprivacy.conversions.parameters import read
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
