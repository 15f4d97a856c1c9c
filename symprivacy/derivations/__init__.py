"""Derivations of conversions between notions, from the notions' definitions.

>>> from symprivacy.derivations import derive
>>> print(derive("DP", "KL"))
DP(eps) => KL(eps*tanh(eps/2))
"""

from __future__ import annotations

from symprivacy.derivations.answer import Derived
from symprivacy.derivations.engine import derive
from symprivacy.derivations.impossible import Impossible
from symprivacy.derivations.saved import from_json
from symprivacy.derivations.table import Row, conversions

__all__ = ["Derived", "Impossible", "Row", "conversions", "derive", "from_json"]
