"""Tight conversions between privacy notions, with rigorous enclosures and witnesses.

>>> from symprivacy.implications import convert
>>> convert("DP", {"eps": 1}, "TV", digits=10).hi
'0.4621171573'
"""

from __future__ import annotations

from symprivacy.implications.convert import convert
from symprivacy.implications.implication import Implication
from symprivacy.implications.parameters import TABLED as NOTIONS
from symprivacy.implications.provide import provide
from symprivacy.implications.status import Status

__all__ = ["NOTIONS", "Implication", "Status", "convert", "provide"]
