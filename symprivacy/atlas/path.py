"""A path through the atlas: parameters composed symbolically, evaluated rigorously, and written as one formula."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product

from mpmath.libmp import mpf_cmp

from symprivacy.atlas.edge import Edge, Kind, conversion
from symprivacy.atlas.quantity import Quantity, quantity
from symprivacy.atlas.rough import floats, rough
from symprivacy.errors import NoInformation
from symprivacy.implications.formula import Formula, Root, expression
from symprivacy.implications.result import Status
from symprivacy.kernel.expr import Expr, num, substitute, var
from symprivacy.kernel.interval import Interval, to_fraction
from symprivacy.language.text import to_text

# Values to try for a parameter that a notion on the way is asked for; each of them is a valid step.
_CHOICES = {
    "alpha2": ("3/2", "2", "3", "4", "6", "8", "12", "16", "24", "32", "64"),
    "eps2": ("1/4", "1/2", "1", "2", "4"), "p2": ("1/2",), "m2": ("2",), "D": ("1",),
}  # fmt: skip


@dataclass(frozen=True)
class Path:
    """Edges one after the other; ``chosen`` are the parameters that notions on the way are asked for."""

    edges: tuple[Edge, ...]
    chosen: tuple[str | None, ...] = ()

    @property
    def notions(self) -> tuple[str, ...]:
        """The notions it visits."""
        return (self.edges[0].source, *(edge.target for edge in self.edges))

    @property
    def direct(self) -> bool:
        """Whether it is one step."""
        return len(self.edges) == 1

    @property
    def tight(self) -> bool:
        """Whether it is known to be the best possible: one step that is."""
        return self.direct and self.edges[0].status is Status.TIGHT

    @property
    def principles(self) -> tuple[str, ...]:
        """Everything it rests on, in order."""
        return tuple(dict.fromkeys(name for edge in self.edges for name in edge.principles))

    @property
    def conditions(self) -> tuple[str, ...]:
        """What it needs beside the premise."""
        return tuple(dict.fromkeys(words for edge in self.edges for words in edge.conditions))

    @property
    def label(self) -> str:
        """The notions with what each step is, such as ``DP -[Pinsker]-> TV``."""
        text = self.notions[0]
        for k, edge in enumerate(self.edges):
            arrow = "->" if edge.kind is Kind.CONVERSION else f"-[{edge.origin}]->"
            pick = self.chosen[k] if k < len(self.chosen) else None
            text += f" {arrow} {edge.target}"
            if pick is not None:
                text += f"({quantity(edge.target).asked.rstrip('2')}={pick})"  # type: ignore[union-attr]
        return text

    @cached_property
    def formula(self) -> Formula | None:
        """The composed level, valid where every case of every step is as at the reference; None without one."""
        found: Formula | None = None
        for k, edge in enumerate(self.edges):
            try:
                step = edge.level
            except NoInformation:
                return None
            if step is None:
                return None
            if k == 0:
                found = _asked(step, edge.target, self._pick(k))
                continue
            assert found is not None
            found = composed(found, _asked(step, edge.target, self._pick(k)), quantity(edge.source), self._pick(k - 1))
        return found

    def _pick(self, k: int) -> str | None:
        return self.chosen[k] if k < len(self.chosen) else None

    def parameters(self, k: int, given: Mapping[str, Expr], level: Expr | None) -> dict[str, Expr]:
        """What step k is given, when the step before it reached ``level``."""
        edge = self.edges[k]
        own, end = quantity(edge.source), quantity(edge.target)
        values = {name: given[name] for name in own.parameters if name in given} if level is None else {}
        if level is not None:
            values[own.level] = level
            pick = self._pick(k - 1)
            if own.fills is not None and pick is not None:
                values[own.fills] = expression(pick)
        if end.asked is not None:
            pick = self._pick(k)
            values[end.asked] = expression(pick) if pick is not None else given[end.asked]
        return values

    def settled(self, given: Mapping[str, Expr], digits: int = 12) -> tuple[Path, Interval]:
        """The path with the formulas of the cases it meets at these parameters, and an enclosure of its level.

        Each step but the last is weakened to a rational number just above its level.
        """
        level: Expr | None = None
        edges: list[Edge] = []
        for k, edge in enumerate(self.edges):
            at = self.parameters(k, given, level)
            found = edge.value(at, digits + 3)
            if mpf_cmp(found[1], _HUGE) > 0:
                raise NoInformation("the level on the way is too large to go on with")
            level = num(_above(found, digits + 5))
            edges.append(conversion(edge.source, edge.target, at) if edge.kind is Kind.CONVERSION else edge)
        return Path(tuple(edges), self.chosen), found

    def rough(self, given: Mapping[str, Expr]) -> float:
        """The level in floating point by the formulas of the reference case: for ordering only."""
        at, level = floats(given), math.nan
        for k, edge in enumerate(self.edges):
            try:
                step = edge.level
            except NoInformation:
                return math.inf
            if step is None:
                return math.inf
            if k:
                own = quantity(edge.source)
                at[own.level] = level
                pick = self._pick(k - 1)
                if own.fills is not None and pick is not None:
                    at[own.fills] = float(Fraction(pick))
            end, pick = quantity(edge.target), self._pick(k)
            if end.asked is not None and pick is not None:
                at[end.asked] = float(Fraction(pick))
            elif end.asked is not None:
                at[end.asked] = floats(given)[end.asked]
            level = rough(step, at)
        return level if level == level else math.inf

    def __str__(self) -> str:
        start, end = quantity(self.notions[0]), quantity(self.notions[-1])
        level = short(self)
        asked = f"{end.asked}, " if end.asked is not None else ""
        return f"{start.key}({', '.join(start.parameters)}) => {end.key}({asked}{level})"


_HUGE = (0, 1, 40, 1)


def _above(x: Interval, digits: int) -> Fraction:
    """A rational number of few digits that is not below an enclosure."""
    top = to_fraction(x[1])
    if top <= 0:
        return Fraction(0)
    scale = Fraction(10) ** (digits - len(str(top.numerator)) + len(str(top.denominator)))
    return Fraction(-((-top * scale).__floor__())) / scale


def _asked(step: Formula, target: str, pick: str | None) -> Formula:
    name = quantity(target).asked
    return step if name is None or pick is None else step.of({name: pick})


def composed(first: Formula, second: Formula, middle: Quantity, pick: str | None) -> Formula:
    """``second`` with the level of ``middle`` given by ``first``; implicit variables are kept apart.

    >>> print(composed(Formula("eps*tanh(eps/2)"), Formula("sqrt(k/2)"), quantity("KL"), None))
    sqrt(eps*tanh(eps/2)/2)
    """
    taken = {root.name for root in first.roots}
    renamed = {root.name: _fresh(root.name, taken) for root in second.roots if root.name in taken}
    roots = tuple(
        Root(renamed.get(r.name, r.name), _put(r.left, renamed), _put(r.right, renamed)) for r in second.roots
    )
    inner = {middle.level: first.text}
    if middle.fills is not None and pick is not None:
        inner[middle.fills] = pick
    return Formula(_put(second.text, renamed), roots).of(inner, first.roots)


def _fresh(name: str, taken: set[str]) -> str:
    k = 1
    while f"{name}_{k}" in taken:
        k += 1
    return f"{name}_{k}"


def _put(text: str, renamed: Mapping[str, str]) -> str:
    return to_text(substitute(expression(text), {old: var(new) for old, new in renamed.items()})) if renamed else text


def choices(edges: tuple[Edge, ...]) -> Iterator[Path]:
    """The path with every choice of what the notions on the way are asked for."""
    options: list[tuple[str | None, ...]] = []
    for edge in edges[:-1]:
        asked = quantity(edge.target).asked
        options.append((None,) if asked is None else _CHOICES.get(asked, ()))
    for picks in product(*options):
        yield Path(edges, picks)


def short(path: Path) -> str:
    """The level of a path as a text, simplified where that is quick and confirmed."""
    edge = path.edges[0]
    if path.direct and edge.shown is not None:
        return edge.shown
    if path.formula is None:
        return "a number"
    from symprivacy.atlas.simplify import simplified

    return simplified(path.formula)


__all__ = ["Path", "choices", "composed", "short"]
