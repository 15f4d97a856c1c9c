"""Stored theorems told in sentences: what each says, for which values, why, and what it rests on.

>>> *_, lower, last = told("DP", "KL")
>>> print(lower.sentence)
Under `DP(x)` no level of KL below that of `KL(x*tanh(x/2))` follows, for `x in (0, oo)`.
>>> print(lower.reason)
Randomized response of level x is x-DP, and its level under the target is computed.
>>> print(last.sentence, last.uses)
From `DP(x)` follows `KL(x*tanh(x/2))` and no smaller level, for `x in (0, oo)`. (3, 4)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from symprivacy.derivations.theorems.theorem import RULES, Kind, Theorem
from symprivacy.implications.proofs import checked, proof_of, written_as
from symprivacy.notions.statement import Given

_SENTENCES = {
    Kind.IMPLIES: "From {premise} follows {conclusion}",
    Kind.SHARP: "Under {premise} no level of {key} below that of {conclusion} follows",
    Kind.TIGHT: "From {premise} follows {conclusion} and no smaller level",
    Kind.FINITE: "Every level of {source} below its largest gives some level of {key} below its largest",
    Kind.NOTHING: "From {premise} follows no level of {key} below its largest",
}


@dataclass(frozen=True)
class Told:
    """A step of a stored proof: its number, a sentence with marked formulas, the reason, earlier steps it uses."""

    number: int
    sentence: str
    reason: str
    uses: tuple[int, ...]
    principles: tuple[str, ...]
    certified: int
    # The data of the derivation that the step is, if it is one.
    derivation: Mapping[str, Any] | None = None


def sentence(theorem: Theorem) -> str:
    """A theorem in words, formulas between marks, with the range of every variable."""
    given = [f"`{written_as(theorem.premise)}`", *map(_assumed, theorem.assuming)]
    said = _SENTENCES[theorem.kind].format(
        premise=" and ".join(given),
        conclusion=f"`{written_as(theorem.conclusion)}`",
        source=theorem.premise.key,
        key=theorem.conclusion.key,
    )
    ranges = ", ".join(f"`{span}`" for span in theorem.domain)
    where = f", where {theorem.where}" if theorem.where else ""
    return f"{said}{', for ' + ranges if ranges else ''}{where}."


def _assumed(g: Given) -> str:
    """What is said of the inputs: "diameter `d`", "one record"."""
    return " ".join([g.key, *(f"`{v}`" for v in g.values)])


def told(source: str, target: str) -> tuple[Told, ...]:
    """The stored proof of a pair, each step checked here; empty where there is none."""
    rows = proof_of(source, target)
    numbers = {row["name"]: k for k, row in enumerate(rows, 1)}
    return tuple(
        Told(
            numbers[row["name"]],
            sentence(checked(row["name"])),
            (RULES[row["rule"]][0].__doc__ or "").partition("\n")[0],
            tuple(numbers[used] for used in row["uses"]),
            RULES[row["rule"]][1],
            len(row["certificates"]),
            row["parameters"].get("derivation"),
        )
        for row in rows
    )
