"""Derivations of conversions between notions, from the notions' definitions.

>>> from symprivacy.derivations import derive
>>> print(derive("DP", "KL"))
DP(eps) => KL(eps*tanh(eps/2))
"""

from __future__ import annotations

from symprivacy.derivations.engine import Derived, derive
from symprivacy.derivations.views import view_of

__all__ = ["Derived", "derive", "view_of"]
