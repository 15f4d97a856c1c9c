"""To sympy and back: the value stays the same."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from symprivacy.errors import UnsupportedError
from symprivacy.kernel.expr import Expr
from symprivacy.language.bridge import from_sympy, range_from_sympy, to_sympy
from tests.kernel.arb import UndefinedError, UnresolvedError, differ, value
from tests.kernel.strategies import FIXED, small, smooth_expressions


@given(smooth_expressions, st.fixed_dictionaries({"x": small, "y": small}))
@settings(FIXED, max_examples=120)
def test_sympy_keeps_the_value(e: Expr, at: dict[str, Fraction]) -> None:
    """An expression that went to sympy and came back has the value it had, where both have one."""
    try:
        again = from_sympy(to_sympy(e))
    except UnsupportedError:
        # sympy turned a constant without a value into a complex number or an infinity.
        return
    try:
        pair = value(e, at), value(again, at)
    except (UndefinedError, UnresolvedError):
        return
    assert not differ(*pair)


@pytest.mark.parametrize("e", [0.5, sympy.Float("0.1"), sympy.oo, sympy.nan, sympy.I, sympy.Symbol("x") > 0, sympy.zoo])
def test_inexact_or_unreal_objects_are_refused(e: object) -> None:
    """Floats, infinities, complex numbers and relations are not expressions."""
    with pytest.raises(UnsupportedError):
        from_sympy(e)


def test_ranges() -> None:
    """A sympy Interval keeps its open and infinite ends."""
    assert str(range_from_sympy(sympy.Interval.Lopen(0, sympy.pi))) == "(0, pi]"
    assert str(range_from_sympy(sympy.Interval(0, sympy.oo))) == "[0, oo)"
    with pytest.raises(UnsupportedError):
        range_from_sympy(sympy.Union(sympy.Interval(0, 1), sympy.Interval(2, 3)))
