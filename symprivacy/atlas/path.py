"""A path through the atlas: parameters composed symbolically, evaluated rigorously, and written as one formula."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product

from mpmath.libmp import mpf_cmp

from symprivacy.atlas.edge import at_point
from symprivacy.errors import NoInformation
from symprivacy.evidence import Evidence
from symprivacy.implications.answer import largest
from symprivacy.implications.formula import Formula, expression
from symprivacy.implications.implication import Implication
from symprivacy.implications.numbers.decimals import above
from symprivacy.implications.numbers.in_floats import floats, rough
from symprivacy.implications.status import Kind, Status
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr, num
from symprivacy.kernel.interval import Interval
from symprivacy.language.notation import plain, written
from symprivacy.notions import get

# Values to try for a parameter that a notion on the way is asked for; each of them is a valid step.
_CHOICES = {
    "alpha2": ("3/2", "2", "3", "4", "6", "8", "12", "16", "24", "32", "64"),
    "eps2": ("1/4", "1/2", "1", "2", "4"), "p2": ("1/2",), "m2": ("2",), "D": ("1",),
}  # fmt: skip


@dataclass(frozen=True)
class Path:
    """Edges one after the other; ``chosen`` are the parameters that notions on the way are asked for."""

    edges: tuple[Implication, ...]
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
    def evidence(self) -> Evidence:
        """That of its weakest step."""
        return min((edge.evidence for edge in self.edges), key=Evidence.strength)

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
                text += f"({get(edge.target).asked.rstrip('2')}={pick})"  # type: ignore[union-attr]
        return text

    @cached_property
    def formula(self) -> Formula | None:
        """The composed level, valid where every case of every step is as at the reference; None without one."""
        found: Formula | None = None
        for k, edge in enumerate(self.edges):
            step = edge.level
            if step is None:
                return None
            if k == 0:
                found = _asked(step, edge.target, self._pick(k))
                continue
            assert found is not None
            middle, pick = get(edge.source), self._pick(k - 1)
            more = {middle.fills: pick} if middle.fills is not None and pick is not None else None
            found = _asked(step, edge.target, self._pick(k)).after(middle.answers, found, more)
        return found

    def _pick(self, k: int) -> str | None:
        return self.chosen[k] if k < len(self.chosen) else None

    def parameters(self, k: int, given: Mapping[str, Expr], level: Expr | None) -> dict[str, Expr]:
        """What step k is given, when the step before it reached ``level``."""
        edge = self.edges[k]
        own, end = get(edge.source), get(edge.target)
        values = {name: given[name] for name in own.names if name in given} if level is None else {}
        if level is not None:
            values[own.answers] = level
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
        edges: list[Implication] = []
        value: Interval | None = None
        for k, edge in enumerate(self.edges):
            at = self.parameters(k, given, level)
            edges.append(at_point(edge, at, digits + 3))
            value = edges[-1].value
            if value is None or mpf_cmp(value[1], _HUGE) > 0:
                raise NoInformation("the level on the way is too large to go on with")
            level = num(above(value, digits + 5))
            top = largest(edge.target) if k < len(self.edges) - 1 else None
            if top is not None and mpf_cmp(enclose(level, {}, 100)[1], Formula(top).evaluate(at, 100)[0]) > 0:
                raise NoInformation(f"the bound on {edge.target} on the way says nothing")
        assert value is not None
        return Path(tuple(edges), self.chosen), value

    def rough(self, given: Mapping[str, Expr]) -> float:
        """The level in floating point by the formulas of the reference case: for ordering only."""
        at, level = floats(given), math.nan
        for k, edge in enumerate(self.edges):
            step = edge.level
            if step is None:
                return math.inf
            if k:
                own = get(edge.source)
                at[own.answers] = level
                pick = self._pick(k - 1)
                if own.fills is not None and pick is not None:
                    at[own.fills] = float(Fraction(pick))
            end, pick = get(edge.target), self._pick(k)
            if end.asked is not None and pick is not None:
                at[end.asked] = float(Fraction(pick))
            elif end.asked is not None:
                at[end.asked] = floats(given)[end.asked]
            level = rough(step, at)
        return level if level == level else math.inf

    @property
    def marked(self) -> str:
        """What it shows, as a text with marked formulas: the equations of a level stand behind the implication."""
        start, end = get(self.notions[0]), get(self.notions[-1])
        level = short(self)
        asked = f"{end.asked}, " if end.asked is not None else ""
        text = level.text if isinstance(level, Formula) else end.answers
        said = f"`{start.key}({', '.join(start.names)}) => {end.key}({asked}{text})`"
        if not isinstance(level, Formula):
            return f"{said}, `{end.answers}` the {written(level)}" if self.edges[0].shown is level else said
        return said + (f" where {', '.join(f'`{root}`' for root in level.roots)}" if level.roots else "")

    def __str__(self) -> str:
        return plain(self.marked)


_HUGE = (0, 1, 40, 1)


def _asked(step: Formula, target: str, pick: str | None) -> Formula:
    name = get(target).asked
    return step if name is None or pick is None else step.of({name: pick})


def choices(edges: tuple[Implication, ...]) -> Iterator[Path]:
    """The path with every choice of what the notions on the way are asked for."""
    options: list[tuple[str | None, ...]] = []
    for edge in edges[:-1]:
        asked = get(edge.target).asked
        options.append((None,) if asked is None else _CHOICES.get(asked, ()))
    for picks in product(*options):
        yield Path(edges, picks)


def short(path: Path) -> Formula | str:
    """The level of a path, simplified where that is quick and confirmed."""
    edge = path.edges[0]
    if path.direct and edge.shown is not None:
        return edge.shown
    if path.formula is None:
        return "a number"
    from symprivacy.atlas.simplify import simplified

    return simplified(path.formula)


__all__ = ["Path", "choices", "short"]
