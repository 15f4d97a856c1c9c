"""Mechanisms as JSON. Input is hostile: entries are matched against a strict pattern, never evaluated."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

from symprivacy.errors import InputError, UnsupportedError
from symprivacy.language.names import folded, no_such
from symprivacy.mechanisms.mechanism import Mechanism

# Short enough that no entry can exhaust memory; decimals are exact tenths.
_NUMBER = re.compile(r"\d{1,400}(?:/\d{1,400}|(?:\.\d{1,400})?(?:[eE][-+]?\d{1,3})?)", re.ASCII)
LARGEST = 4096
KEYS = {"matrix", "inputs", "outputs", "neighbours", "n", "domain", "default", "name"}


def _entry(value: Any, where: str) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise InputError(f'{where}: expected a string such as "4/5" or a whole number, got {value!r}'[:300])
    text = str(value) if isinstance(value, int) else value.strip()
    if text.startswith("-"):
        raise InputError(f"{where} is {text[:40]}, expected a number >= 0")
    if not _NUMBER.fullmatch(text):
        raise InputError(f"{where}: expected a number such as 4/5 or 0.8, got {text[:40]!r}")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise InputError(f"{where}: {text[:40]!r} divides by zero") from None


def _strings(value: Any, what: str) -> list[str] | None:
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(item, (str, int)) for item in value):
        raise InputError(f"{what}: expected a list of strings, got {str(value)[:80]}")
    return [str(item) for item in value]


def _pairs(value: Any) -> str | list[tuple[int, int]]:
    if isinstance(value, str):
        return value
    good = isinstance(value, list) and all(
        isinstance(pair, list) and len(pair) == 2 and all(type(end) is int for end in pair) for pair in value
    )
    if not good:
        raise InputError(f'neighbours: expected "all" or a list of index pairs, got {str(value)[:80]}')
    return [(pair[0], pair[1]) for pair in value]


def from_json(text: str) -> Mechanism:
    """Read a mechanism from JSON text.

    >>> from_json('{"matrix": [["4/5","1/5"],["1/5","4/5"]]}').matrix[0]
    (Fraction(4, 5), Fraction(1, 5))
    >>> from_json('{"matrix": [[0.8, 0.2], [2e-1, 0.8]]}').matrix[1]
    (Fraction(1, 5), Fraction(4, 5))
    >>> from_json('{"matrix": [["4/5","2/5"]]}')
    Traceback (most recent call last):
        ...
    symprivacy.errors.InputError: row 0 sums to 6/5, expected 1
    """
    try:
        # A decimal is read as it is written: 0.1 is one tenth.
        data = json.loads(text, parse_float=str)
    except (ValueError, RecursionError) as error:
        raise InputError(f"not JSON: {str(error)[:200]}") from None
    if isinstance(data, list):
        data = {"matrix": data}
    if not isinstance(data, dict):
        raise InputError(f"expected a JSON object with a matrix, got {type(data).__name__}")
    spelled = {folded(name, KEYS): value for name, value in data.items()}
    if len(spelled) != len(data):
        raise InputError(f"a field is given twice, in two spellings: {', '.join(data)[:200]}")
    data = spelled
    unknown = sorted(set(data) - KEYS)
    if unknown:
        raise no_such("field", unknown[0], KEYS, f"known are {', '.join(sorted(KEYS))}")
    matrix = data.get("matrix")
    if not isinstance(matrix, list) or not all(isinstance(row, list) for row in matrix):
        raise InputError("matrix: expected a list of rows")
    if len(matrix) > LARGEST or any(len(row) > LARGEST for row in matrix):
        raise InputError(f"matrix: at most {LARGEST} rows and columns")
    rows = [[_entry(value, f"row {x}, column {y}") for y, value in enumerate(row)] for x, row in enumerate(matrix)]
    outputs, name = _strings(data.get("outputs"), "outputs"), str(data.get("name", ""))[:200]
    if "n" not in data and "domain" not in data:
        neighbours = _pairs(data.get("neighbours", "all"))
        return Mechanism.secrets(rows, _strings(data.get("inputs"), "inputs"), outputs, neighbours, name)
    n, domain = data.get("n"), _strings(data.get("domain"), "domain")
    if type(n) is not int or domain is None:
        raise InputError("over databases both n (a whole number) and domain (a list) are needed")
    if n < 1 or n > 64 or len(domain) < 1 or len(domain) ** n > LARGEST:
        raise InputError(f"n={n}, |domain|={len(domain)}: expected at most {LARGEST} databases")
    default = data.get("default")
    neighbours = _pairs(data.get("neighbours", "bounded"))
    return Mechanism.databases(rows, domain, n, None if default is None else str(default), outputs, neighbours, name)


def to_json(mechanism: Mechanism) -> str:
    """The JSON text of a rational mechanism; :func:`from_json` reads it back.

    >>> from symprivacy.mechanisms import randomized_response
    >>> from_json(to_json(randomized_response(ratio=2))) == randomized_response(ratio=2)
    True
    """
    if not mechanism.rational:
        raise UnsupportedError("JSON holds rational entries only; substitute numbers for the symbols first")
    data: dict[str, Any] = {"matrix": [[str(entry) for entry in row] for row in mechanism.matrix]}
    if mechanism.n is None or mechanism.domain is None:
        data["inputs"] = list(mechanism.inputs)
    else:
        data |= {"n": mechanism.n, "domain": list(mechanism.domain)}
        if mechanism.default is not None:
            data["default"] = mechanism.default
    data["outputs"] = list(mechanism.outputs)
    relation = mechanism.neighbours
    data["neighbours"] = relation if isinstance(relation, str) else [list(pair) for pair in mechanism.first]
    if mechanism.name:
        data["name"] = mechanism.name
    return json.dumps(data)


def read_json(path: str | Path) -> Mechanism:
    """Read a mechanism from a file."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise InputError(f"{str(path)[:80]}: {error}") from None
    return from_json(text)


def write_json(mechanism: Mechanism, path: str | Path) -> None:
    """Write a rational mechanism to a file."""
    Path(path).write_text(to_json(mechanism) + "\n", encoding="utf-8")
