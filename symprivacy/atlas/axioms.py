"""The privacy axioms against mechanisms: a processing that raises a level, a mixture worse than both its parts.

A violation is exact and refutes the axiom; not finding one proves nothing.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files
from typing import Any

from sympy import Rational, oo

from symprivacy.atlas.taxonomy import Row, get_row, table
from symprivacy.errors import SymPrivacyError
from symprivacy.mechanisms import Mechanism, level, mixture, postprocess, to_json
from symprivacy.mechanisms.random import random_law
from symprivacy.notions import Holds, get

AXIOMS = ("post-processing", "convexity")
# More where the table leaves a question open, or says no, than where a theorem says yes.
_TRIES = {Holds.YES: 4, Holds.UNKNOWN: 60, Holds.NO: 60}


@dataclass(frozen=True)
class Violation:
    """Mechanisms that satisfy a notion at ``before``, and what they become, which has only ``after``."""

    notion: str
    axiom: str
    parts: tuple[Mechanism, ...]
    result: Mechanism
    before: Any
    after: Any

    def __str__(self) -> str:
        what = "processing it" if self.axiom == "post-processing" else "mixing them"
        shown = " and ".join(str([[str(x) for x in row] for row in part.matrix]) for part in self.parts)
        return f"{self.notion}: {shown} have level at most {self.before}, {what} gives {self.after}"

    def to_json(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"notion": self.notion, "axiom": self.axiom, "parts": [to_json(part) for part in self.parts],
                "result": to_json(self.result), "before": str(self.before), "after": str(self.after)}  # fmt: skip


@lru_cache(maxsize=128)
def violation(key: str, axiom: str, tries: int = 60) -> Violation | None:
    """A violation of an axiom by a notion, if a search over small random mechanisms meets one.

    >>> violation("PDP", "post-processing") is not None, violation("DP", "convexity")
    (True, None)
    """
    own = get(key)
    rng = random.Random(f"{key} {axiom}")
    fixed = {name: _fixed(name, own.reference(name)) for name in own.others}
    for _ in range(tries):
        first, second = _mechanisms(rng)
        if axiom == "post-processing":
            parts: tuple[Mechanism, ...] = (first,)
            result = postprocess(first, [random_law(rng, 2, 4, zeros=True) for _ in range(4)])
        else:
            parts, result = (first, second), mixture(first, second, Fraction(rng.randint(1, 5), 6))
        try:
            levels = [level(m, key, **fixed).value for m in (*parts, result)]
        except SymPrivacyError:
            return None
        *before, after = levels
        if any(not x.is_number and x != oo for x in levels):
            return None
        worst = max(before, key=lambda x: float(x))
        # A level is exact; the margin is for the comparison of its decimals only.
        if worst != oo and (after == oo or after.evalf(30) > worst.evalf(30) + Rational(1, 10**12)):
            return Violation(key, axiom, parts, result, worst, after)
    return None


def _fixed(name: str, reference: str) -> Any:
    return {"c": 2, "omega": 3, "xi": 0, "k": 2}.get(name, Rational(1, 2) if name == "eps" else Rational(reference))


def _mechanisms(rng: random.Random) -> tuple[Mechanism, Mechanism]:
    """A mechanism with outputs that it may never produce, and the same one with outputs renamed and inputs swapped.

    The second has the levels of the first under every notion, so that a mixture that is worse stands out.
    """
    used = rng.choice((2, 3))
    rows = [[*random_law(rng, used, 6), *([Fraction(0)] * (4 - used))] for _ in range(2)]
    order = rng.sample(range(4), 4)
    other = [[row[k] for k in order] for row in (reversed(rows) if rng.random() < 0.5 else rows)]
    return Mechanism.secrets(rows), Mechanism.secrets(other)


@dataclass(frozen=True)
class Disagreement:
    """Something that the table says and that does not agree with what is found here, or with the paper's own text."""

    where: str
    says: str
    found: str

    def __str__(self) -> str:
        return f"{self.where} says {self.says}; {self.found}"


def disagreements() -> Iterator[Disagreement]:
    """The table against mechanisms, against its own propositions, and against itself."""
    from symprivacy.atlas.relation_closure import cycles
    from symprivacy.atlas.tested_relations import Test, tested

    for cycle in cycles():
        if cycle.contradiction:
            shown = ", ".join(map(str, cycle.relations))
            yield Disagreement("sok22 Table 3", shown, "together they make different definitions one")
    for one in tested():
        if one.result is Test.REFUTED:
            yield Disagreement("sok22 Table 3", str(one.relation), one.reason)
    yield from _against_text()
    for row in table():
        if row.notion is not None:
            yield from _against_mechanisms(row)


def _against_text() -> Iterator[Disagreement]:
    data = json.loads((files(__package__) / "sok22.json").read_text(encoding="utf-8"))
    for proposition in data["propositions"]:
        for key in proposition["notions"]:
            row = get_row(key)
            for axiom in (*AXIOMS, "composition"):
                if axiom in proposition and said(row, axiom).value != proposition[axiom]:
                    yield Disagreement(
                        "sok22 Table 3",
                        f"{axiom} of {key} is {said(row, axiom).value}",
                        f"{proposition['where']} says {proposition[axiom]}",
                    )


def said(row: Row, axiom: str) -> Holds:
    """What the table says about an axiom.

    >>> said(get_row("PDP"), "convexity")
    <Holds.NO: 'no'>
    """
    return {"post-processing": row.post_processing, "convexity": row.convexity, "composition": row.composition}[axiom]


def _against_mechanisms(row: Row) -> Iterator[Disagreement]:
    for axiom in AXIOMS:
        if said(row, axiom) is Holds.NO:
            continue
        found = violation(str(row.notion), axiom, _TRIES[said(row, axiom)])
        if found is not None:
            yield Disagreement(
                "sok22 Table 3", f"{axiom} of {row.key} is {said(row, axiom).value}", f"it fails: {found}"
            )
