"""The stored proof of each pair of notions: which theorem settles it, checked again on demand.

>>> found = settled("KL", "TV")
>>> print(found.status, found.premise, found.conclusion, found.range, found.evidence)
tight KL(x*tanh(x/2)) TV(tanh(x/2)) x in (0, oo) checked
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sympy import oo

from symprivacy.derivations.theorems.store import Checked, needed
from symprivacy.derivations.theorems.theorem import RULES, Theorem
from symprivacy.errors import InputError, SymPrivacyError
from symprivacy.evidence import Evidence
from symprivacy.implications.formula import expression
from symprivacy.implications.own_theorems import named, theorems
from symprivacy.implications.parameters import understood
from symprivacy.mechanisms.noise import split_arguments
from symprivacy.notions import get
from symprivacy.notions.registry import remembered
from symprivacy.notions.statement import Given
from symprivacy.notions.written import written
from symprivacy.shown import Shown

# The theorem of a pair, best first: both directions, nothing follows, a bound alone.
SIGNS = {"~": "tight", "/": "impossible", "=>": "holds"}


@dataclass(frozen=True)
class Settled(Shown):
    """What the stored theorems say of a pair; ``trivial`` where only the largest level of the target follows."""

    source: str
    target: str
    status: str
    premise: str = ""
    conclusion: str = ""
    range: str = ""
    evidence: Evidence = Evidence.ARGUED
    principles: tuple[str, ...] = ()
    witness: str = ""
    where: str = ""
    trivial: bool = False
    reading: str = ""

    def to_json(self) -> dict[str, Any]:
        """The line of ``symprivacy derive --batch``, without its id and seconds."""
        return {
            "status": self.status, "premise": self.premise, "conclusion": self.conclusion, "range": self.range,
            "evidence": self.evidence.value, "principles": list(self.principles), "trivial": self.trivial,
            "witness": self.witness, "where": self.where, "reading": self.reading,
        }  # fmt: skip

    def __str__(self) -> str:
        return f"{self.premise} => {self.conclusion} ({self.status}, {self.evidence}) for {self.range}"


def _name(source: str, target: str) -> str | None:
    """The name of the theorem of a pair."""
    names = (f"{source}{sign}{target}" for sign in SIGNS)
    return next((name for name, sign in zip(names, SIGNS, strict=True) if name in named(source, sign, target)), None)


def evidence_of(source: str, target: str) -> Evidence:
    """``checked`` if a stored theorem settles the pair whatever its parameters are: tight, or nothing follows.

    >>> print(evidence_of("DP", "KL"), evidence_of("RDP", "CHI2"), evidence_of("DP", "GroupDP"))
    checked argued argued
    """
    name = _name(source, target)
    known = name is not None and "=>" not in name and _unrestricted(source, target, theorems()[name]["theorem"])
    return Evidence.CHECKED if known else Evidence.ARGUED


def _unrestricted(source: str, target: str, theorem: Mapping[str, Any]) -> bool:
    """Whether further parameters have their whole ranges; a threshold may end where the level of the source does."""
    one, two = get(source), get(target)
    natural = {name: one.parameter(name) for name in one.others}
    if two.fills is not None and two.fills in two.names:
        natural = {two.fills: two.parameter(two.fills), str(two.asked): two.parameter(two.fills)} | natural
    # A notion to itself at one number of secrets, or one prior, says nothing of two different ones.
    if _names(theorem["premise"], len(one.others)) & _names(theorem["conclusion"], len(two.others)):
        return False
    for name, lo, hi, *_ in theorem["domain"]:
        if name in natural:
            own = natural[name].domain
            for end, whole in ((lo, own.start), (hi, own.end)):
                depends = "oo" not in end and bool(expression(end).variables)
                if end != str(whole) and (natural[name].whole or not depends):
                    return False
    return True


def _names(guarantee: str, count: int) -> frozenset[str]:
    """The variables in the first so many arguments of a guarantee, which are its further parameters."""
    inside = guarantee.partition("(")[2].removesuffix(")")
    return frozenset[str]().union(*(expression(text).variables for text in split_arguments(inside)[:count]))


@remembered(1)
def _checked() -> Checked:
    return Checked(theorems())


def checked(name: str) -> Theorem:
    """A theorem by its name, after it was checked here with everything it rests on; raises where it is not.

    >>> print(checked("KL~TV"))
    KL(x*tanh(x/2)) => exactly TV(tanh(x/2))
    """
    return _checked().get(name)


def settled(source: str, target: str) -> Settled:
    """The pair by its stored theorem, which is checked again here with everything it rests on."""
    source, target = get(source).key, get(target).key
    if source == target:
        raise InputError(f"premise and conclusion are both {source}")
    name = _name(source, target)
    if name is None:
        return Settled(source, target, "open")
    try:
        theorem = checked(name)
    except SymPrivacyError:
        return Settled(source, target, "open")
    sign = next(s for s in SIGNS if name == f"{source}{s}{target}")
    return _presented(source, target, SIGNS[sign], theorem, principles_of(name))


def principles_of(name: str) -> tuple[str, ...]:
    """Every principle that a stored theorem rests on, in order of use.

    >>> principles_of("KL=>TV")
    ('response-mixture', 'both-orders', 'jensen')
    """
    found: dict[str, None] = {}
    for used in needed(name, theorems()):
        row = theorems()[used]
        found.update(dict.fromkeys(RULES[row["rule"]][1]))
        found.update(dict.fromkeys(row["parameters"].get("derivation", {}).get("principles", ())))
    return tuple(found)


def proof_of(source: str, target: str) -> tuple[Mapping[str, Any], ...]:
    """The lines of the theorem of a pair and of all it rests on, as ``symprivacy check`` takes them."""
    name = _name(source, target)
    return () if name is None else tuple(theorems()[used] for used in needed(name, theorems()))


def _presented(source: str, target: str, status: str, t: Theorem, principles: tuple[str, ...]) -> Settled:
    record = get(target)
    top = record.range(record.parameter(record.answers)).end
    trivial = status == "impossible" and top != oo
    conclusion = t.conclusion if status != "impossible" else Given(target, (*t.conclusion.values, top))
    ranges = [*map(str, t.domain), *(str(g) for g in t.assuming)]
    return Settled(
        source, target, "tight" if trivial else status, written(t.premise), written(conclusion),
        ", ".join(ranges), Evidence.CHECKED, principles, t.witness, t.where, trivial, understood(source, target, {}),
    )  # fmt: skip
