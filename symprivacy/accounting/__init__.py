"""Composition with both ends rigorous: privacy loss distributions on a grid, in whole numbers.

>>> from symprivacy.accounting import Plan, Run, compose
>>> found = compose(Plan.of([Run.of("gaussian(2)", times=1000, sampled="1/100")]), delta="1e-6")
>>> found.lo < found.hi < found.lo * 1.001, round(float(found.hi), 2)
(True, 0.72)
"""

from __future__ import annotations

from symprivacy.accounting.compose import Bracket, compose
from symprivacy.accounting.plan import Plan, Run, read_plan

__all__ = ["Bracket", "Plan", "Run", "compose", "read_plan"]
