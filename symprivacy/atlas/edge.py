"""Edges of the atlas: implications that are known as formulas, by what they are called, and where they apply."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from symprivacy.errors import InputError, NoInformation
from symprivacy.implications.formula import settle
from symprivacy.implications.implication import Implication
from symprivacy.implications.provide import provide
from symprivacy.implications.published import holds
from symprivacy.implications.status import Kind, Status
from symprivacy.kernel.box import Range
from symprivacy.kernel.enclose import truth
from symprivacy.kernel.expr import Expr, var
from symprivacy.kernel.interval import Interval
from symprivacy.language.names import did_you_mean
from symprivacy.language.text import compare as condition


def name(edge: Implication) -> str:
    """A name of its own, also beside another bound of the same paper."""
    return f"{edge.source}>{edge.target}:{edge.origin}" + (f" [{edge.level}]" if edge.holds else "")


def names(edge: Implication) -> tuple[str, ...]:
    """Everything by which ``without=`` can exclude an edge."""
    return (edge.origin, edge.kind.value, f"{edge.source}>{edge.target}", name(edge), *edge.principles)


def allows(edge: Implication, given: Mapping[str, Expr]) -> bool:
    """Whether the range of a published bound or a claim is proved to contain the parameters."""
    if not holds(edge, given):
        return False
    if not edge.limits:
        return True
    assert edge.level is not None
    box = edge.level.box(given, 200)
    return all(truth(wanted, box, 200) is True for name, r in edge.limits for wanted in _inside(name, r))


def at_point(edge: Implication, given: Mapping[str, Expr], digits: int) -> Implication:
    """The edge with its level enclosed at these parameters; NoInformation where it says nothing there."""
    if edge.kind is Kind.CONVERSION:
        found = provide(edge.source, edge.target, given, digits)
        if found.value is None or found.status is Status.IMPOSSIBLE:
            raise NoInformation(f"{edge.source} to {edge.target}: {found.status.value}")
        return found
    if edge.level is None or not allows(edge, given):
        raise NoInformation(f"{edge.origin} does not apply here")
    formula = edge.level
    return replace(edge, value=settle(lambda prec: formula.evaluate(given, prec), digits))


def level_of(edge: Implication, given: Mapping[str, Expr], digits: int) -> Interval:
    """A rigorous enclosure of the level at these parameters."""
    value = at_point(edge, given, digits).value
    assert value is not None
    return value


def _inside(name: str, r: Range) -> Iterator[Expr]:
    if r.lo is not None:
        yield condition(var(name), ">" if r.lo_open else ">=", r.lo)
    if r.hi is not None:
        yield condition(var(name), "<" if r.hi_open else "<=", r.hi)


def excluded(edges: Iterable[Implication], unwanted: Iterable[str]) -> list[Implication]:
    """The edges that none of the names describes; a name that describes no edge at all is refused."""
    kept, known = [], set[str]()
    left_out = {word.casefold() for word in unwanted}
    for edge in edges:
        own = {word.casefold() for word in names(edge)}
        known |= own
        if not own & left_out:
            kept.append(edge)
    for word in left_out - known:
        hint = did_you_mean(word, known)
        raise InputError(f"nothing in the atlas is called {word[:60]!r}" + (f"; {hint}" if hint else ""))
    return kept
