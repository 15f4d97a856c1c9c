"""What derive prints can be audited as it stands, and nothing follows that is more than it says."""

from __future__ import annotations

import pytest

from symprivacy.claims.language import proposition
from symprivacy.derivations import derive


@pytest.mark.parametrize("pair", [("KL", "TV"), ("CHI2", "TV"), ("HELL2", "TV"), ("DP", "KL"), ("SP", "DP")])
def test_what_derive_prints_holds_and_is_tight(pair: tuple[str, str]) -> None:
    found = proposition(str(derive(*pair))).decide()
    assert found.proved
    assert found.tight


def test_twice_the_premise_is_refuted_and_half_of_it_improvable() -> None:
    enough = "t*log((1 + t)/(1 - t))"
    assert proposition(f"KL(2*{enough}) => TV(t)").decide().refuted
    assert "=> TV(" in str(proposition(f"KL({enough}/2) => TV(t)").decide().better)
