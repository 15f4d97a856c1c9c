"""Limits of definitions: what is too large to be looked at is refused at once, what is not has its limit."""

from __future__ import annotations

import pytest

from symprivacy.errors import InputError
from symprivacy.notions import Notion, forget


@pytest.mark.parametrize("mean", ["exp(exp(r)) - exp(exp(1))", "exp(exp(1/r)) - exp(exp(1))"])
def test_towers_of_exponentials_are_refused(mean: str) -> None:
    """Their values far out have exponents that would fill the machine; trying took minutes."""
    with pytest.raises(InputError, match="not borne out"):
        Notion.define("Tower", "h in [0, oo)", mean=mean)


@pytest.mark.parametrize("mean", ["r**r - 1", "exp(r**2) - exp(1)", "erfc(r) - erfc(1)"])
def test_what_grows_or_falls_fast_is_a_definition(mean: str) -> None:
    """A whole number to the power of another was written out, and erfc has no value at all far out."""
    assert Notion.define("Fast", "h in [0, oo)", mean=mean).key == "Fast"
    forget("Fast")
