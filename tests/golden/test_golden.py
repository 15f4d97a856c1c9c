"""Answers stay what they are unless somebody says why they change (``python -m tests.golden.answers``).

All derivations together take minutes: that command writes them anew, and git shows what has changed.
"""

from __future__ import annotations

import pytest

from tests.golden.answers import cells, conversion, derivation, read

CONVERSIONS = read("conversions")
DERIVATIONS = read("derivations")
# Derivations that take well under a second.
SAMPLE = ("DP KL", "DP TV", "MP DP", "SP DP", "CHI2 KL", "KL DP", "TV HELL2", "RB TV", "DP MBPU", "LDP DP")


def changed_conversions(names: list[str]) -> dict[str, object]:
    """What is not as it was: the answer now and the one in the file."""
    found = {name: conversion(*name.split()[:2], int(name.split()[2])) for name in names}
    return {name: (answer, CONVERSIONS[name]) for name, answer in found.items() if answer != CONVERSIONS[name]}


def test_a_sample_of_conversions() -> None:
    assert changed_conversions(sorted(CONVERSIONS)[::9]) == {}


def test_the_matrix() -> None:
    assert cells() == read("matrix")


@pytest.mark.parametrize("name", SAMPLE)
def test_a_sample_of_derivations(name: str) -> None:
    assert derivation(*name.split()) == DERIVATIONS[name]


@pytest.mark.slow
def test_all_conversions() -> None:
    assert changed_conversions(sorted(CONVERSIONS)) == {}
