"""The closed forms that are written down are those that the derivation engine finds by itself."""

from __future__ import annotations

import pytest
import sympy

from symprivacy.conversions import convert
from symprivacy.derivations import derive


@pytest.mark.parametrize(("source", "target"), [("DP", "KL"), ("DP", "CHI2"), ("RB", "DP")])
def test_the_derived_level_is_the_one_converted_to(source: str, target: str) -> None:
    value = derive(source, target).value
    (name,) = value.free_symbols
    for eps in ("1/7", "5/3", "4"):
        found = convert(source, {"eps": eps}, target, 30)
        exact = value.subs(name, sympy.Rational(eps)).evalf(45)
        assert sympy.Float(found.lo, 45) * (1 - sympy.Float("1e-35")) <= exact
        assert exact <= sympy.Float(found.hi, 45) * (1 + sympy.Float("1e-35"))
