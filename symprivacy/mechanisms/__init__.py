"""Finite mechanisms with exact entries, named families, and their levels under the notions.

>>> from symprivacy.mechanisms import level, randomized_response
>>> level(randomized_response(ratio=4), "SP").value
tanh(log(4)/4)
"""

from __future__ import annotations

from symprivacy.mechanisms.families import (
    exponential,
    kary_randomized_response,
    publish_one_record,
    randomized_response,
    subsampled,
    truncated_geometric,
    xor_randomized_response,
)
from symprivacy.mechanisms.jsonform import from_json, read_json, to_json, write_json
from symprivacy.mechanisms.level import MechanismLevel, level, profile
from symprivacy.mechanisms.mechanism import Mechanism
from symprivacy.mechanisms.noise import Family, family, read_family, trade_off
from symprivacy.mechanisms.operations import marginalise, mixture, postprocess, product

__all__ = [
    "Family", "Mechanism", "MechanismLevel", "exponential", "family", "from_json", "kary_randomized_response", "level",
    "marginalise", "mixture", "postprocess", "product", "profile", "publish_one_record",
    "randomized_response", "read_family", "read_json", "subsampled", "to_json", "trade_off", "truncated_geometric",
    "write_json", "xor_randomized_response",
]  # fmt: skip
