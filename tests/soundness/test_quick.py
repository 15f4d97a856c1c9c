"""Small, seeded samples of the attacks; ``python -m tests.benchmarks.soundness`` makes them in large numbers."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from symprivacy.errors import CertificateError
from symprivacy.kernel.box import box_from_data
from tests.kernel.arb import UnresolvedError, ball
from tests.soundness import attack, laws, primitives
from tests.soundness import generate as g
from tests.soundness.attack import Outcome

SEED = 13
ATTACKS: dict[str, tuple[Callable[[Random, int], Outcome], int, str, int]] = {
    # The attack, how many, and what must have come about how often: an attack that hits nothing shows nothing.
    "functions": (primitives.functions, 3000, "function values", 2000),
    "powers": (primitives.powers, 2000, "powers", 1000),
    "arithmetic": (primitives.arithmetic, 3000, "operations", 3000),
    "limits": (primitives.limits, 800, "limits", 500),
    "derivatives": (primitives.derivatives, 500, "derivatives", 300),
    "enclosures": (attack.enclosures, 5000, "points", 2500),
    "rules": (attack.rules, 150, "open statements accepted", 75),
    "statements": (attack.statements, 60, "proved, mpmath", 3),
    "identities": (laws.identities, 500, "identities accepted, arb", 25),
    "mutations": (attack.mutations, 150, "mutations", 150),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_nothing_is_wrong(name: str) -> None:
    """Enclosures contain the values, and no false statement is accepted."""
    action, count, what, least = ATTACKS[name]
    outcome = action(Random(f"{SEED}/{name}"), count)
    assert outcome.violations == []
    assert outcome.counts[what] >= least


@pytest.mark.parametrize("name", attack.FAMILIES)
def test_no_false_statement_of_a_family_is_proved(name: str) -> None:
    """Neither arithmetic, alone, by the search or by proofs made at random."""
    outcome = attack.family(name, Random(f"{SEED}/{name}"), 8)
    assert outcome.violations == []
    assert outcome.counts[f"{name}: statements"] == 8


def test_the_points_lie_in_their_boxes() -> None:
    """The samples are points of the box, or they would show nothing (or blame the innocent)."""
    rng = Random(SEED)
    for _ in range(150):
        data, points = g.box(rng)
        try:
            box_from_data(data)
        except CertificateError:
            continue
        for p in points:
            for name, (lo, hi, lo_open, hi_open) in data.items():
                at = p[name]
                for end, is_open, way in ((lo, lo_open, 1), (hi, hi_open, -1)):
                    if end is None or (at == end and not is_open):
                        continue
                    try:
                        assert way * (ball(g.number(at)) - ball(g.number(end))) > (0 if is_open else -(2.0**-600))
                    except UnresolvedError:
                        continue
