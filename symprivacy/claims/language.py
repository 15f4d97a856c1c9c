"""Statements as text: comparisons and implications, with the ranges of their variables.

1/2 - 1/(exp(eps)+1) > eps/6 for eps <= 1.35
(eps, delta)-DP => (0, delta + exp(eps) - 1)-DP
DP(eps) <=> MP(eps) for 0 < eps <= 2
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from symprivacy.claims.comparison import NATURAL, Chain, Comparison, comparison, natural, split
from symprivacy.claims.guarantees import arguments, guarantee
from symprivacy.claims.implication import Implication
from symprivacy.claims.outcome import All
from symprivacy.errors import InputError
from symprivacy.language.domain import box_from_texts
from symprivacy.language.notation import plain
from symprivacy.language.text import parse

Statement = Comparison | Chain | Implication | All
_LONGEST = 4000
_FOR = re.compile(r"\s+for\s+(?:all\s+|every\s+)?")
_WHOLE = re.compile(r"\s+integers?\s*$")
_IN = re.compile(r"\w+\s+in\s*[\[(]")


@dataclass(frozen=True)
class Both(All):
    """An implication and its converse."""

    def __str__(self) -> str:
        return str(self.parts[0]).replace(" => ", " <=> ", 1)


def proposition(text: str, *domain: str) -> Statement:
    """Read a statement.

    >>> print(proposition("(eps, delta)-DP => (0, delta + exp(eps) - 1)-DP"))
    ADP(eps, delta) => ADP(0, delta + exp(eps) - 1) for delta in (0, 1), eps in (0, oo)
    >>> proposition("eps/6 < eps for 0 < eps <= 1").decide().status
    <Status.PROVED: 'proved'>
    """
    if not isinstance(text, str) or not text.strip():
        raise InputError(f"expected a statement such as 'DP(eps) => KL(eps)', got {text!r:.80}")
    if len(text) > _LONGEST:
        raise InputError(f"a statement of {len(text)} characters; at most {_LONGEST} are read")
    body, *ranges = _FOR.split(plain(text).strip())
    if len(ranges) > 1:
        raise InputError("'for' may occur once in a statement")
    items = _items(ranges[0]) if ranges else []
    whole = frozenset(name for item in items if _WHOLE.search(item) for name in _names(_WHOLE.sub("", item)))
    given = [*domain, *(span(_WHOLE.sub("", part)) for part in items)]
    for arrow, ways in (("<=>", 2), ("=>", 1)):
        if arrow in body:
            sides = body.split(arrow)
            if len(sides) != 2:
                raise InputError(f"one {arrow} expected in a statement, got {len(sides) - 1}")
            premise, conclusion = (guarantee(side) for side in sides)
            variables = premise.variables | conclusion.variables
            # A name of the papers keeps its range, unless a notion of one's own gives it another one.
            placed = {
                name: r
                for side in (conclusion, premise)
                for name, r in side.places.items()
                if side.notion.own or name not in NATURAL
            }
            box = natural(variables, box_from_texts(given), placed)
            forth = Implication(premise, conclusion, box, whole=whole)
            return forth if ways == 1 else Both((forth, Implication(conclusion, premise, box, whole=whole)))
    if whole:
        raise InputError("whole numbers are read in implications only; give the range of a comparison as real numbers")
    return comparison(body, *given)


def _names(text: str) -> frozenset[str]:
    """The names in a range."""
    sides, _ = split(text)
    return frozenset[str]().union(*(parse(side).variables for side in sides))


def _items(text: str) -> list[str]:
    """The ranges of a ``for`` clause: separated by commas outside brackets, or by ``and``."""
    return [item for part in re.split(r"\s+and\s+", text) for item in arguments(part)]


def span(text: str) -> str:
    """A range as ``name in (lo, hi]``, from that form or from comparisons with one name.

    >>> span("0 < eps <= 0.45"), span("eps <= 1.35"), span("eps > 0")
    ('eps in (0, 0.45]', 'eps in (0, 1.35]', 'eps in (0, oo)')
    """
    text = text.strip()
    if _IN.match(text):
        return text
    sides, relations = split(text)
    names = [k for k, side in enumerate(sides) if parse(side).variables]
    if not relations or len(relations) > 2 or len(names) != 1 or "==" in relations:
        raise InputError(f"{text[:80]!r} is not a range; expected such as '0 < eps <= 1' or 'eps in (0, 1]'")
    (middle,) = names
    name = sides[middle]
    box_from_texts([f"{name} in (0, 1)"])
    low, low_open, high, high_open = _natural(name)
    uppers = [(rel in ("<", "<=")) == (k >= middle) for k, rel in enumerate(relations)]
    if len(set(uppers)) != len(uppers):
        raise InputError(f"{text[:80]!r} bounds {name[:40]} twice on one side")
    for k, (rel, upper) in enumerate(zip(relations, uppers, strict=True)):
        bound = sides[k] if k < middle else sides[k + 1]
        if upper:
            high, high_open = bound, rel in ("<", ">")
        else:
            low, low_open = bound, rel in ("<", ">")
    return f"{name} in {'(' if low_open else '['}{low}, {high}{')' if high_open else ']'}"


def _natural(name: str) -> tuple[str, bool, str, bool]:
    text = NATURAL.get(name, "(-oo, oo)")
    low, high = text[1:-1].split(", ")
    return low, text[0] == "(", high, text[-1] == ")"
