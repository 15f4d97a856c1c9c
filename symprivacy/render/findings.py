"""A finding of the audit, whatever shape it comes in, as labelled lines that every report shows alike."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from symprivacy.errors import InputError
from symprivacy.language.notation import MARK, mark, written
from symprivacy.notions import all_notions
from symprivacy.render.steps import tells

# In the order in which a reader wants to see them, each with a sign that needs no colour.
VERDICTS = {
    "false": ("✗", "as printed it fails; the witness shows it"),
    "misprint": ("✎", "as printed it fails or says nothing; the corrected form holds"),
    "improvable": ("↑", "holds, and a strictly better bound is proved"),
    "tight": ("✓✓", "holds, and nothing better is possible"),
    "holds": ("✓", "holds"),
    "vacuous": ("○", "holds for a trivial reason"),
    "not-checkable": ("–", "nothing to decide, with the reason"),
    "undecided": ("?", "not decided"),
}


# Fields of a witness that are words, or statements with their own marks.
_WORDS = ("says", "note", "family", "name", "statement")
_LAWS = ("prior", "belief", "law")
_LEFT_OUT = frozenset({"attained", "neighbours", "default", "n", "parameter", "options"})
# What the sentence of a witness has said already.
_REPEATED = frozenset({"premise", "conclusion", "level", "levels", "notion", "bound", "ratio"})


@dataclass(frozen=True)
class Line:
    """One labelled line: text with formulas, or plain words, or rows of numbers with names around them, or steps."""

    label: str
    text: str = ""
    rows: tuple[tuple[str, ...], ...] = ()
    left: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    words: bool = False

    @property
    def grid(self) -> tuple[tuple[str, ...], ...]:
        """The rows with their names as cells."""
        rows = tuple((name, *row) for name, row in zip(self.left, self.rows, strict=True)) if self.left else self.rows
        return ((*([""] if self.left else []), *self.above), *rows) if self.above else rows


@dataclass(frozen=True)
class Entry:
    """A finding ready to be shown."""

    id: str
    source: str
    where: str
    verdict: str
    lines: tuple[Line, ...]
    latex: str | None = None
    principles: tuple[str, ...] = ()
    notions: tuple[str, ...] = ()
    evidence: str = ""


def entry(finding: Any) -> Entry:
    """An entry from a finding or from its JSON line.

    >>> e = entry({"id": "a", "source": "ks14", "where": "Thm 1", "statement": "1 > 0", "verdict": "holds"})
    >>> [line.label for line in e.lines]
    ['Statement']
    """
    data = finding if isinstance(finding, Mapping) else finding.to_json()
    if isinstance(data.get("marked"), Mapping):
        data = {**data, **data["marked"]}
    missing = [name for name in ("id", "statement", "verdict") if name not in data]
    if missing:
        raise InputError(f"a finding needs {missing[0]}")
    lines = [Line("Statement", str(data["statement"]))]
    steps = tuple(map(str, data.get("steps") or ()))
    for name, label in (("reading", "Read as"), ("corrected", "Corrected"), ("better", "Better"), ("reason", "Why")):
        if data.get(name) and not (name == "reason" and tells(steps, str(data[name]))):
            lines.append(Line(label, str(data[name])))
    if data.get("witness"):
        lines += witness_parts(data["witness"], steps)
    if steps:
        lines.append(Line("Proof", steps=steps))
    if data.get("principles"):
        lines.append(Line("Rests on", ", ".join(map(str, data["principles"])), words=True))
    if data.get("evidence"):
        lines.append(Line("Evidence", str(data["evidence"]), words=True))
    verdict = str(data["verdict"])
    source, where = str(data.get("source") or ""), str(data.get("where") or "")
    principles = tuple(map(str, data.get("principles") or ()))
    evidence = str(data.get("evidence") or "")
    return Entry(
        str(data["id"]), source, where, verdict, tuple(lines), data.get("latex"), principles, _named(lines), evidence
    )


def _named(lines: Iterable[Line]) -> tuple[str, ...]:
    """The keys of the notions that a finding speaks of."""
    words = set(re.findall(r"[A-Za-z][A-Za-z0-9]*", " ".join(line.text for line in lines)))
    return tuple(notion.key for notion in all_notions() if notion.key in words)


def witness_parts(witness: Any, told: Iterable[str] = ()) -> list[Line]:
    """A witness: what it says, unless it is told elsewhere, numbers as equations, channels and laws as tables.

    >>> words, channel = witness_parts({"eps": "1/2", "matrix": [["2/3", "1/3"], ["1/3", "2/3"]], "inputs": ["a", "b"]})
    >>> words.text, channel.grid
    ('`eps = 1/2`', (('a', '2/3', '1/3'), ('b', '1/3', '2/3')))
    >>> [line.grid for line in witness_parts({"prior": {"aa": "1/4", "ab": "3/4"}})]
    [(('aa', 'ab'), ('1/4', '3/4'))]
    """
    if not isinstance(witness, Mapping):
        return [Line("Witness", str(witness))]
    said: list[str] = []
    tables: list[Line] = []
    # What it says comes first, and what only repeats that is left out.
    left_out = _LEFT_OUT | (_REPEATED if "says" in witness else frozenset())
    first = {name: witness[name] for name in _WORDS if isinstance(witness.get(name), str)}
    if "says" in witness and witness["says"] in told:
        left_out |= {"says"}
    for name, value in {**first, **witness}.items():
        if name in left_out or value is None or (name == "family" and isinstance(value, Mapping) and "says" in witness):
            continue
        if name == "matrix" and _is_matrix(value):
            tables.append(_channel(witness))
        elif isinstance(value, Mapping):
            words, more = _named_parts(name, value)
            said += words
            tables += more
        elif _is_list(value):
            if name in ("inputs", "outputs", "domain", "event", "merged") and not _is_matrix(value):
                said += [] if "matrix" in witness else [f"{name}: {', '.join(map(str, value))}"]
            else:
                tables += _rows(str(name), value)
        else:
            text = written(value) if isinstance(value, str) else str(value)
            said.append(text if name in _WORDS else _equation(str(name), text))
    return [*([Line("Witness", "; ".join(said))] if said else []), *tables]


def _named_parts(name: str, value: Mapping[str, Any]) -> tuple[list[str], list[Line]]:
    """A part of a witness with a name: a mechanism by its rows, a law by its points, a place, or several numbers."""
    rows = list(value.values())
    if (
        name == "mechanism"
        and rows
        and all(_is_list(row) and not _is_matrix(row) for row in rows)
        and "matrix" not in value
    ):
        names = tuple("∅" if key == "{}" else str(key) for key in value)
        return [], [Line("Channel", rows=tuple(tuple(map(str, row)) for row in rows), left=names)]
    if name in _LAWS and all(isinstance(entry, str) for entry in rows):
        names = tuple("∅" if key == "{}" else str(key) for key in value)
        return [], [Line(name, rows=(tuple(rows),), above=names)]
    if name == "at":
        return [
            "at "
            + ", ".join(
                _listing(entry) if key == "note" else f"{key} {_listing(entry)}"
                for key, entry in value.items()
                if key != "attained"
            )
        ], []
    inner = witness_parts(value)
    texts = [line.text for line in inner if line.text]
    named = texts if name in ("mechanism", "parameters", "point") else [f"{name}: {text}" for text in texts]
    return named, [line for line in inner if line.rows]


def _listing(value: Any) -> str:
    return " and ".join(map(str, value)) if _is_list(value) else str(value)


def _rows(name: str, value: Any) -> list[Line]:
    """A law, several ones, or several groups of them."""
    if not _is_matrix(value):
        return [Line(name, rows=(tuple(map(str, value)),))]
    if all(_is_matrix(part) for part in value):
        return [line for k, part in enumerate(value, 1) for line in _rows(f"{name} {k}", part)]
    return [Line(name, rows=tuple(tuple(map(str, row)) for row in value))]


def _equation(name: str, value: str) -> str:
    """A value with its name: a formula if both can be read as parts of one, words otherwise."""
    if MARK in value or name in ("premise", "conclusion"):
        return f"{name}: {value if MARK in value else f'{MARK}{value}{MARK}'}"
    # The name of a database such as 00 is no number.
    text = mark(f"{name} = {value}") if name[:1].isalpha() else value
    return text if MARK in text else f"{name}: {value}"


def _channel(mechanism: Mapping[str, Any]) -> Line:
    """The matrix with its inputs before the rows and its outputs above the columns, where they are known."""
    rows = tuple(tuple(map(str, row)) for row in mechanism["matrix"])
    left, above = (tuple(map(str, _listed(mechanism.get(name)))) for name in ("inputs", "outputs"))
    domain, n = _listed(mechanism.get("domain")), mechanism.get("n")
    if not left and isinstance(n, int) and len(domain) ** n == len(rows):
        left = tuple(f"({', '.join(map(str, records))})" for records in product(domain, repeat=n))
    square = len({len(row) for row in rows}) == 1
    left = left if len(left) == len(rows) else ()
    return Line("Channel", rows=rows, left=left, above=above if square and len(above) == len(rows[0]) else ())


def _listed(value: Any) -> list[Any]:
    return list(value) if _is_list(value) else []


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _is_matrix(value: Any) -> bool:
    return _is_list(value) and bool(value) and all(_is_list(row) and row for row in value)


def tally(entries: Iterable[Entry]) -> dict[str, dict[str, int]]:
    """How many findings of each verdict each source has.

    >>> e = entry({"id": "a", "source": "ks14", "statement": "1 > 0", "verdict": "holds"})
    >>> tally([e])["ks14"]["holds"]
    1
    """
    counts: dict[str, dict[str, int]] = {}
    for e in entries:
        own = counts.setdefault(e.source or "claims", dict.fromkeys(VERDICTS, 0))
        own[e.verdict] = own.get(e.verdict, 0) + 1
    return counts


def by_source(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """The entries of each source, in the order they came."""
    groups: dict[str, list[Entry]] = {}
    for e in entries:
        groups.setdefault(e.source or "claims", []).append(e)
    return groups
