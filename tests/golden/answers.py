"""The answers kept in the golden files, and the command that writes them: ``python -m tests.golden.answers``.

A golden file pins what the package answers today, so that a change of its inside is seen to change nothing else.
It proves nothing; where an answer changes for a reason, the file is written again and CHANGELOG.md names the reason.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from symprivacy.atlas import matrix
from symprivacy.atlas.matrix import WORDS
from symprivacy.derivations import derive
from symprivacy.errors import SymPrivacyError
from symprivacy.implications import NOTIONS, convert
from symprivacy.implications.parameters import ATLAS
from symprivacy.notions import get

HERE = Path(__file__).parent
DIGITS = 12
# Two points of every parameter, by its name as a source and as a target; both lie off every special value.
POINTS: dict[str, tuple[str, str]] = {
    "eps": ("1", "1/7"), "delta": ("1/50", "1/3"), "t": ("1/5", "7/9"), "k": ("1/2", "1/40"), "alpha": ("3", "5/4"),
    "e": ("1", "1/9"), "rho": ("1/2", "1/30"), "mu": ("1", "1/5"), "c": ("1", "1/20"), "h": ("1/4", "1/60"),
    "j": ("1/10", "1/3"), "eta": ("1/3", "1/20"), "p": ("1/3", "9/10"), "xi": ("1", "1/10"), "m": ("3", "5"),
    "a": ("1/4", "1/30"), "l": ("1/2", "1/10"), "tau": ("1/2", "1/10"), "eps2": ("1/2", "1/20"), "alpha2": ("2", "6"),
    "p2": ("1/4", "4/5"), "m2": ("4", "2"), "D": ("1", "3"), "omega": ("3", "5/4"), "omega2": ("2", "6"),
}  # fmt: skip
# Where the order is one below one.
BELOW: dict[str, tuple[str, str]] = {"alpha": ("1/3", "4/5"), "alpha2": ("1/2", "3/5")}


def conversion(source: str, target: str, k: int) -> dict[str, Any]:
    """What convert answers at the k-th point: status, formula and both ends."""
    try:
        found = convert(source, at(source, target, k), target, DIGITS)
    except SymPrivacyError as error:
        return {"error": str(error)}
    return {"status": found.status.value, "formula": found.formula, "lo": found.lo, "hi": found.hi}


def at(source: str, target: str, k: int) -> dict[str, str]:
    """The k-th point of all parameters that convert asks for."""
    found = {}
    for name in needs(source, target):
        owner = source if name in get(source).names else target
        found[name] = (BELOW if owner.endswith("RDPlow") and name in BELOW else POINTS)[name][k]
    return found


def needs(source: str, target: str) -> tuple[str, ...]:
    """The parameters that convert asks for."""
    asked = get(target).asked
    return (*get(source).names, *([asked] if asked else []))


def derivation(source: str, target: str) -> str:
    """What derive answers: the statement, or the kind of refusal."""
    try:
        return str(derive(source, target))
    except SymPrivacyError as error:
        return type(error).__name__


def pairs(keys: Iterable[str] = NOTIONS) -> Iterator[tuple[str, str]]:
    """Every ordered pair of two notions."""
    return ((a, b) for a in keys for b in keys if a != b)


def read(name: str) -> dict[str, Any]:
    """A golden file."""
    found: dict[str, Any] = json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))
    return found


def cells() -> dict[str, Any]:
    """The matrix: status and formula of every cell."""
    return {f"{c.source} {c.target}": [WORDS[c.status], c.formula] for c in matrix()}


def write(name: str, answers: dict[str, Any]) -> None:
    """One answer per line, so that a change reads as a change."""
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in sorted(answers.items()))
    (HERE / f"{name}.json").write_text("{\n" + lines + "\n}\n", encoding="utf-8")


def main(names: list[str]) -> None:
    """Compute and write the files asked for, or all."""
    if not names or "conversions" in names:
        write("conversions", {f"{a} {b} {k}": conversion(a, b, k) for a, b in pairs(ATLAS) for k in (0, 1)})
    if not names or "matrix" in names:
        write("matrix", cells())
    if not names or "derivations" in names:
        write("derivations", {f"{a} {b}": derivation(a, b) for a, b in pairs()})


if __name__ == "__main__":
    main(sys.argv[1:])
