"""Stored theorems told in sentences: what each says, for which values, why, and what it rests on.

>>> *_, lower, last = told("DP", "KL")
>>> print(lower.sentence)
Under `DP(x)` no level of KL below that of `KL(x*tanh(x/2))` follows, for `x in (0, oo)`.
>>> print(lower.reason)
Randomized response of level x is x-DP, and its level under the target is computed.
>>> print(last.sentence, last.uses)
From `DP(x)` follows `KL(x*tanh(x/2))` and no smaller level, for `x in (0, oo)`. (1, 2)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sympy import Symbol

from symprivacy.derivations.theorems.theorem import RULES, Kind, Theorem
from symprivacy.implications.proofs import checked, proof_of
from symprivacy.notions import get
from symprivacy.notions.statement import Given
from symprivacy.notions.written import written

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
    # The name of the stored theorem, and the data of the derivation that it is, if it is one.
    name: str = ""
    derivation: Mapping[str, Any] | None = None


def sentence(theorem: Theorem) -> str:
    """A theorem in words, formulas between marks, with the range of every variable."""
    given = [f"`{written(theorem.premise)}`", *map(_assumed, theorem.assuming)]
    said = _SENTENCES[theorem.kind].format(
        premise=" and ".join(given),
        conclusion=f"`{written(theorem.conclusion)}`",
        source=theorem.premise.key,
        key=theorem.conclusion.key,
    )
    ranges = ", ".join(f"`{span}`" for span in theorem.domain)
    where = f", where {theorem.where}" if theorem.where else ""
    return f"{said}{', for ' + ranges if ranges else ''}{_inputs(theorem)}{where}."


def _inputs(theorem: Theorem) -> str:
    """What follows for any two inputs from what is said of neighbours follows where all inputs are neighbours."""
    one, two = (get(g.key).pairs.every for g in (theorem.premise, theorem.conclusion))
    near = two and not one and theorem.kind in (Kind.IMPLIES, Kind.TIGHT) and not theorem.assuming
    return " and inputs that are pairwise neighbours" if near else ""


def _assumed(g: Given) -> str:
    """What is said of the inputs: "diameter `d`", "one record"."""
    return " ".join([g.key, *(f"`{v}`" for v in g.values)])


def _up_to_names(theorem: Theorem) -> Theorem:
    """The theorem with its variables numbered in the order in which they occur, to tell mere renamings."""
    values = (*theorem.premise.values, *(v for g in theorem.assuming for v in g.values), *theorem.conclusion.values)
    spans = {s.symbol: s for s in theorem.domain}
    seen = dict.fromkeys(s for v in values for s in sorted(v.free_symbols & spans.keys(), key=str))
    names = {symbol: Symbol(f"v{k}", real=True) for k, symbol in enumerate((*seen, *(spans.keys() - seen)))}
    numbered = theorem.subs(names, ())
    ranges = (replace(spans[s].subs(names), symbol=name) for s, name in names.items())
    return replace(numbered, domain=tuple(sorted(ranges, key=str)))


def told(source: str, target: str) -> tuple[Told, ...]:
    """The stored proof of a pair, each step checked here; empty where there is none.

    A step that says what the step it uses says, but for the names of variables, is not told.
    """
    number: dict[str, int] = {}
    steps: list[Told] = []
    for row in proof_of(source, target):
        theorem, used = checked(row["name"]), row["uses"]
        if len(used) == 1 and _up_to_names(theorem) == _up_to_names(checked(used[0])):
            number[row["name"]] = number[used[0]]
            continue
        number[row["name"]] = len(steps) + 1
        function, principles = RULES[row["rule"]]
        reason = (function.__doc__ or "").partition("\n")[0]
        uses = tuple(dict.fromkeys(number[name] for name in used))
        derivation = row["parameters"].get("derivation")
        certified = len(row["certificates"])
        steps.append(
            Told(len(steps) + 1, sentence(theorem), reason, uses, principles, certified, row["name"], derivation)
        )
    return tuple(steps)
