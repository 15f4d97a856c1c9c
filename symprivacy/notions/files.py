"""Notions of one's own from a JSON file: one object or a list, as ``--notions FILE`` takes them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from symprivacy.errors import InputError
from symprivacy.language.text import shorten
from symprivacy.notions.own import KINDS
from symprivacy.notions.record import Notion

_FIELDS = ("key", "parameters", *KINDS, "transform", "orders", "pairs", "name", "latex", "source")
_LARGEST = 1_000_000


def from_json(data: object) -> Notion:
    """Define the notion of one object.

    >>> from_json({"key": "Half", "parameters": {"h": "[0, oo)"}, "mean": "(r-1)**2/2"}).key
    'Half'
    >>> from symprivacy.notions import forget
    >>> forget("Half")
    """
    if not isinstance(data, Mapping):
        raise InputError(f"a notion is an object with key, parameters and a definition, got {shorten(repr(data))}")
    for name in ("key", "parameters"):
        if name not in data:
            raise InputError(f"a notion needs {name!r}; got {', '.join(map(str, data))[:80] or 'nothing'}")
    if unknown := [str(name) for name in data if name not in _FIELDS]:
        raise InputError(f"{data['key']}: {shorten(unknown[0])!r} is no field; known are {', '.join(_FIELDS)}")
    texts = ("ratio", "width", "mean", "transform", "name", "latex", "source")
    if bad := [name for name in texts if name in data and not isinstance(data[name], str)]:
        raise InputError(f"{data['key']}: {bad[0]} is a text, got {shorten(repr(data[bad[0]]))}")
    rest: dict[str, Any] = {name: value for name, value in data.items() if name not in ("key", "parameters")}
    return Notion.define(data["key"], data["parameters"], **rest)


def load(path: str) -> tuple[Notion, ...]:
    """Define the notions of a file."""
    try:
        text = Path(path).read_text(encoding="utf-8")
        if len(text) > _LARGEST:
            raise InputError(f"{shorten(path)!r}: a file of definitions has at most {_LARGEST} characters")
        data = json.loads(text)
    except OSError as e:
        raise InputError(f"cannot read {shorten(path)!r}: {e.strerror}") from None
    except (ValueError, RecursionError):
        raise InputError(f"{shorten(path)!r} is not JSON: expected one object or a list of them") from None
    return tuple(from_json(entry) for entry in (data if isinstance(data, list) else [data]))
