"""convert and derive never contradict each other: a derived level is the best one, or looser where the list says so."""

from __future__ import annotations

import re

import mpmath
import pytest

from symprivacy.claims.guarantees import arguments
from symprivacy.implications import Status, convert
from symprivacy.implications.parameters import CONVERTIBLE
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr, substitute
from symprivacy.language.text import parse
from tests.golden.answers import read

# A point that lies in every range of the derivations.
POINT = {name: parse(text) for name, text in {
    "eps": "3/5", "eps2": "1/5", "delta": "1/9", "t": "1/7", "k": "1/3", "c": "1/2", "h": "1/8", "j": "1/10",
    "eta": "1/6", "xi": "2/5", "m": "3", "a": "1/9", "p": "1/3", "alpha": "3", "alpha2": "2", "e": "1/3", "rho": "1/4",
    "mu": "1/2", "d": "1", "delta2": "1/5",
}.items()}  # fmt: skip
# Derivations that give more than the best level; each that leaves this list is progress.
LOOSER = {
    "CHI2 ADP", "CHI2 HELL2", "CHI2 JS", "CHI2 KL", "CHI2 PDP", "HELL2 ADP", "HELL2 JS", "HELL2 PDP", "KL HELL2",
    "KL JS", "RDP ADP", "RDP PDP",
}  # fmt: skip
DERIVED = {pair: text for pair, text in read("derivations").items() if " => " in text and " for " not in text}


def values(side: str) -> list[Expr]:
    match = re.fullmatch(r"\w+\((.*)\)", side.split(" and ")[0])
    assert match is not None
    return [substitute(parse(text), dict(POINT)) for text in arguments(match[1])]


@pytest.mark.parametrize("pair", sorted(DERIVED))
def test_a_derived_level_is_what_convert_says(pair: str) -> None:
    source, target = pair.split()
    premise, conclusion = (values(side) for side in DERIVED[pair].split(" => "))
    level = CONVERTIBLE[source].answers
    # Derivations have the level last.
    given = dict(zip([*(n for n in CONVERTIBLE[source].names if n != level), level], premise, strict=True))
    asked = CONVERTIBLE[target].asked
    if asked is not None:
        given[asked] = conclusion[0] if len(conclusion) > 1 else parse("1")
    best = convert(source, given, target, 15)
    assert best.status is Status.TIGHT
    derived = enclose(conclusion[-1], {}, 120)
    low, high = (mpmath.mp.make_mpf(end) for end in derived[:2])
    assert high >= mpmath.mpf(best.lo) * (1 - mpmath.mpf(10) ** -12), "better than the best"
    if pair not in LOOSER:
        assert low <= mpmath.mpf(best.hi) * (1 + mpmath.mpf(10) ** -9) + mpmath.mpf(10) ** -12, "looser than the best"
