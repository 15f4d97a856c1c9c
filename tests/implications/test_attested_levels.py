"""A theorem attests the level that it states, and no other one: every grade rests on a comparison of numbers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from symprivacy.atlas.matrix import cell
from symprivacy.evidence import Evidence
from symprivacy.implications.attested import evidence
from symprivacy.implications.parameters import ATLAS
from symprivacy.implications.status import Status
from symprivacy.kernel import interval as iv


@pytest.mark.parametrize("source", ATLAS)
def test_another_level_is_not_attested(source: str) -> None:
    for target in ATLAS:
        found = cell(source, target)
        if found.status is not Status.TIGHT or found.trivial or found.hi == "0" or source == target:
            continue
        assert found.value is not None
        for factor in (Fraction(1, 2), 1 + Fraction(1, 10**5), 1 - Fraction(1, 10**5)):
            other = iv.mul(found.value, iv.from_fraction(factor, 200), 200)
            assert evidence(replace(found, value=other, exact=None)) is Evidence.ARGUED, (target, factor)
