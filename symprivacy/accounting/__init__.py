"""Composition with both ends rigorous: privacy loss distributions on a grid, in whole numbers.

>>> from symprivacy.accounting import Plan, Run, compose
>>> compose(Plan.of([Run.of("gaussian(2)", times=1000, sampled="1/100")]), delta="1e-6").to_json(4)["eps"]
{'lo': '0.7206', 'hi': '0.7215'}
"""

from __future__ import annotations

from symprivacy.accounting.compose import Bracket, compose
from symprivacy.accounting.plan import Plan, Run, read_plan

__all__ = ["Bracket", "Plan", "Run", "compose", "read_plan"]
