"""Tight conversions between privacy notions, with rigorous enclosures and witnesses.

>>> from symprivacy.implications import convert
>>> convert("DP", {"eps": 1}, "TV", digits=10).hi
'0.4621171573'
"""

from __future__ import annotations

from symprivacy.implications.convert import NOTIONS, convert
from symprivacy.implications.result import Conversion, Status

__all__ = ["NOTIONS", "Conversion", "Status", "convert"]
