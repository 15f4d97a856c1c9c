"""Mechanisms, laws and beliefs of Zhao's claims in exact arithmetic, random ones and counterexamples."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random

from symprivacy.claims.argument import Witness
from symprivacy.mechanisms import Mechanism, level
from symprivacy.mechanisms.jsonform import to_json
from symprivacy.mechanisms.random import random_database_mechanism, random_law


def no_worse_than_bsp(rng: Random) -> Witness:
    """The levels of the two definitions for a random mechanism on databases."""
    mechanism = random_database_mechanism(rng.randint(0, 10**6))
    plain, bayesian = level(mechanism, "SP"), level(mechanism, "BSP")
    if plain.value > bayesian.value:
        return {"says": f"SP level {plain} exceeds BSP level {bayesian}", "mechanism": json.loads(to_json(mechanism))}
    return None


def leaves_interval(rng: Random) -> Witness:
    """Half belief on each of two databases that differ in a record: the posterior against the semantic level."""
    mechanism = random_database_mechanism(rng.randint(0, 10**6))
    allowed = level(mechanism, "SP").value
    for x, z in mechanism.pairs:
        for u, v in zip(mechanism.matrix[x], mechanism.matrix[z], strict=True):
            if u + v and abs(u / (u + v) - Fraction(1, 2)) > allowed:
                return {
                    "says": f"posterior {u / (u + v)}, level {allowed}",
                    "mechanism": json.loads(to_json(mechanism)),
                }
    return None


def events_beat_points(rng: Random) -> Witness:
    """The largest ratio over events against the largest over single outputs."""
    one, other = random_law(rng, 4), random_law(rng, 4)
    points = max(u / v for u, v in zip(one, other, strict=True))
    for chosen in range(1, 16):
        u, v = (sum(law[y] for y in range(4) if chosen >> y & 1) for law in (one, other))
        if u > points * v:
            return {"says": f"event {chosen:04b} has ratio `{u / v} > {points}`", "laws": [str(one), str(other)]}
    return None


def mixed_away(rng: Random) -> Witness:
    """P[Y|x_i] under a law of the database, computed from the joint law and by averaging the rest."""
    law = random_law(rng, 4)
    rows = [random_law(rng, 2) for _ in range(4)]
    joint = sum(law[x] * rows[x][0] for x in (0, 1)) / (law[0] + law[1])
    averaged = sum(law[x] / (law[0] + law[1]) * rows[x][0] for x in (0, 1))
    return None if joint == averaged else {"says": f"`{joint} != {averaged}`"}


def point_masses() -> Witness:
    """Publish the record; the family holds the two point masses, which scaling does not change."""
    published = Mechanism.secrets([[1, 0], [0, 1]])
    for prior in (Fraction(0), Fraction(1)):
        for y in (0, 1):
            seen = prior * published.matrix[0][y] + (1 - prior) * published.matrix[1][y]
            if seen and prior * published.matrix[0][y] / seen != prior:
                return None
    reached = level(published, "DP").value
    says = "with point masses as the only priors nothing is learned (MP level 0), but the ratio of likelihoods is `1/0`"
    return {"says": says, "mechanism": {"matrix": [["1", "0"], ["0", "1"]]}, "family": "`P[x_i] in {0, 1}`",
            "levels": {"MP": "0", "BDP": str(reached)}}  # fmt: skip


def printed_36() -> Witness:
    """b = 1/2 and an output that says nothing: (22) holds with equality, the printed right side is too large."""
    b, u, v, growth = Fraction(1, 2), Fraction(1, 10), Fraction(1, 10), Fraction(2)
    seen = b * u + (1 - b) * v
    holds = (1 - b) * v / seen >= (1 - b) / growth
    printed = v >= (1 - seen) / growth
    if holds == printed:
        return None
    says = (
        f"`b = {b}`, `P[Y|x] = P[Y|not x] = {v}`, `eps = log(2)`: (22) {'holds' if holds else 'fails'}, "
        f"`{v} >= {(1 - seen) / growth}` {'holds' if printed else 'fails'}"
    )
    return {"says": says, "prior": str(b), "P[Y|x]": str(u), "P[Y|not x]": str(v), "eps": "log(2)"}
