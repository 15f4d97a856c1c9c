"""chain: the best way from one notion to another, the other ways, and where which of them is better."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, cmp_to_key
from itertools import product
from typing import Any

from mpmath.libmp import mpf_cmp, to_float

from symprivacy.atlas.beside import with_neighbours
from symprivacy.atlas.edge import excluded
from symprivacy.atlas.explain import explained
from symprivacy.atlas.graph import Atlas, build
from symprivacy.atlas.path import Path, choices, short
from symprivacy.atlas.rank import Ranking, ranking
from symprivacy.errors import InputError, NoInformation, SymPrivacyError
from symprivacy.implications.implication import Implication
from symprivacy.implications.numbers.decimals import decimal
from symprivacy.implications.parameters import referenced
from symprivacy.implications.provide import provide
from symprivacy.implications.status import Kind, Status
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.interval import Interval
from symprivacy.language.text import to_text
from symprivacy.notions import Notion, get
from symprivacy.notions.registry import remembered

SHOWN = 5
# Detours that come to the same level are not worth listing all.
_EQUAL = 1


@dataclass(frozen=True)
class Way:
    """A path with its level at the parameters of the chain."""

    path: Path
    value: Interval

    @property
    def level(self) -> str:
        """A decimal upper bound of the level."""
        return decimal(self.value[1], 12, up=True)

    def __str__(self) -> str:
        return str(self.path)

    def to_json(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "path": list(self.path.notions),
            "label": self.path.label,
            "formula": str(short(self.path)),
            "level": self.level,
            "tight": self.path.tight,
            "evidence": self.path.evidence.value,
            "principles": list(self.path.principles),
            "conditions": list(self.path.conditions),
        }


@dataclass(frozen=True)
class Chain:
    """The ways from one notion to another at given parameters, the best one first."""

    source: str
    target: str
    given: Mapping[str, Expr]
    ways: tuple[Way, ...]
    impossible: Implication | None = field(default=None, repr=False)

    @property
    def best(self) -> Way:
        """The way with the smallest level; of equal ones the one with fewest steps."""
        if not self.ways:
            raise NoInformation(self.nothing)
        return self.ways[0]

    @property
    def alternatives(self) -> tuple[Way, ...]:
        """The other ways."""
        return self.ways[1:]

    @property
    def nothing(self) -> str:
        """Why there is no way."""
        if self.impossible is not None:
            return (
                f"no level of {self.target} follows from {self.source}; witness: {dict(self.impossible.witness or {})}"
            )
        return f"no path from {self.source} to {self.target} is left"

    @cached_property
    def loss(self) -> str | None:
        """How many times the best level there is the best way gives, if that is known and not 1."""
        if not self.ways or self.best.path.tight:
            return None
        try:
            known = provide(self.source, self.target, self.given, 15)
        except SymPrivacyError:
            return None
        if known.status is not Status.TIGHT or known.value is None:
            return None
        least = known.value
        # Steps on the way are rounded up, which is no loss worth mentioning.
        worse = to_float(self.best.value[0]) > to_float(least[1]) * (1 + 1e-9)
        return decimal(least[0], 12, up=False) if worse else None

    def compare(self, domain: object, first: int = 0, second: int = 1, timeout: float | None = None) -> Ranking:
        """Where which of two ways is better, certified on a domain of one parameter.

        >>> found = chain("KL", "TV", without=["conversion"]).compare("k in (0, 5]")
        >>> print(found)
        [Pinsker] is better below k = 1.59362426..., [Bretagnolle, Huber 1979] above
        """
        paths = [self.ways[k].path if k < len(self.ways) else None for k in (first, second)]
        if None in paths:
            raise InputError(f"{self.source} to {self.target} has {len(self.ways)} ways, not {max(first, second) + 1}")
        return ranking(paths[0], paths[1], self.given, domain, timeout)  # type: ignore[arg-type]

    def explain(self) -> str:
        """The shortest derivation of the best level, step by step."""
        equal = [way for way in self.ways if mpf_cmp(way.value[0], self.best.value[1]) <= 0]
        shortest = min(equal, key=_short)
        return explained(shortest.path, self.given)

    def to_json(self) -> dict[str, Any]:
        """Plain data for JSON."""
        best = self.best if self.ways else None
        return {
            "from": self.source,
            "to": self.target,
            "at": {name: to_text(number) for name, number in self.given.items()},
            "status": "found" if best else "impossible" if self.impossible is not None else "none",
            "best": best.to_json() if best else None,
            "alternatives": [way.to_json() for way in self.alternatives],
            "tight_level": self.loss,
            "reason": "" if best else self.nothing,
        }

    def __str__(self) -> str:
        if not self.ways:
            return self.nothing
        at = ", ".join(f"{name} = {to_text(number)}" for name, number in self.given.items())
        lines = [f"{self.best}{'  [tight]' if self.best.path.tight else ''}", f"at {at}:"]
        lines += [f"  {way.level:<18} {way.path.label}" for way in self.ways]
        if self.loss is not None:
            lines.append(f"the best level there is: {self.loss}")
        return "\n".join(lines)


def chain(
    source: str | Notion,
    target: str | Notion,
    at: Mapping[str, object] | None = None,
    *,
    without: Iterable[str] = (),
    hops: int = 2,
    atlas: Atlas | None = None,
) -> Chain:
    """The ways from one notion to another with at most ``hops`` steps, ranked at a point.

    Args:
        source: a notion of the matrix.
        target: likewise.
        at: parameters; reference values stand for those that are not given.
        without: names of claims, sources, kinds of edges or principles that must not be used; ``"DP>KL"`` is all edges
            from DP to KL, ``"conversion"`` everything that was computed here and not published.
        hops: the largest number of steps.
        atlas: an atlas with further edges, such as claims.

    >>> print(chain("SP", "DP", without=["conversion"]))
    SP(eta) => DP(6*eta)
    at eta = 1/5:
      1.20000000001      SP -[ks14 Theorem 2.2]-> DP
    the best level there is: 0.810930216216
    """
    start, end = get(source), get(target)
    if start.key == end.key:
        raise InputError(f"the chain from {start.key} to itself is empty")
    if not 1 <= hops <= 3:
        raise InputError(f"hops={hops}: expected 1, 2 or 3")
    key = tuple(referenced(start, end, at).items())
    known = with_neighbours(atlas or build(), start, end, dict(key))
    found = _chain(known, start.key, end.key, key, tuple(without), hops)
    # Notions that only claims speak of may be further apart.
    further = not found.ways and found.impossible is None and hops == 2
    return _chain(known, start.key, end.key, key, tuple(without), 3) if further else found


@remembered(512)
def _kept(atlas: Atlas, without: tuple[str, ...]) -> dict[str, dict[str, list[Implication]]]:
    """Implications by source and target."""
    edges = excluded((*atlas.edges, *atlas.impossible.values()), without) if without else list(atlas.edges)
    table: dict[str, dict[str, list[Implication]]] = {}
    for edge in edges:
        if edge.status is not Status.IMPOSSIBLE:
            table.setdefault(edge.source, {}).setdefault(edge.target, []).append(edge)
    return table


@remembered(512)
def _chain(
    atlas: Atlas, source: str, target: str, key: tuple[tuple[str, Expr], ...], without: tuple[str, ...], hops: int
) -> Chain:
    given = dict(key)
    table = _kept(atlas, without)
    # What leads there in one step is always shown, the rest as long as there is room.
    found = enumerate(_paths(table, source, target, hops))
    ordered = sorted(
        ((_detour(path), _rounded(path.rough(given)), _length(path), k, path) for k, path in found),
        key=lambda entry: entry[:4],
    )
    ways: list[Way] = []
    seen: set[tuple[Implication, ...]] = set()
    best, equal = min((about for _, about, *_ in ordered), default=0.0), 0
    for _, about, _, _, path in ordered:
        # One choice of the parameters on the way is enough: the best one comes first.
        if path.edges in seen:
            continue
        if not path.direct and abs(about - best) <= 1e-9 * best:
            equal += 1
            if equal > _EQUAL:
                continue
        try:
            ways.append(Way(*path.settled(given)))
        except (NoInformation, InputError):
            continue
        seen.add(path.edges)
        if len(ways) == SHOWN:
            break
    ways.sort(key=cmp_to_key(_better))
    return Chain(source, target, given, tuple(ways), atlas.impossible.get((source, target)))


def _detour(path: Path) -> int:
    """What is computed here comes first, because its level may be known without a formula to order it by."""
    return 2 if not path.direct else path.edges[0].kind is not Kind.CONVERSION


def _rounded(level: float) -> float:
    """Levels that floating point cannot tell apart are the same to the search."""
    return float(f"{level:.9g}")


def _length(path: Path) -> int:
    """How much there is to read in the formulas of a path; an equation to solve counts for a lot."""
    return sum(40 if edge.level is None else len(edge.level.text) + 60 * len(edge.level.roots) for edge in path.edges)


def _better(a: Way, b: Way) -> int:
    """Certified order of the levels; ways that cannot be told apart are ordered by their number of steps."""
    if mpf_cmp(a.value[1], b.value[0]) < 0:
        return -1
    if mpf_cmp(a.value[0], b.value[1]) > 0:
        return 1
    return -1 if _short(a) < _short(b) else 1 if _short(b) < _short(a) else 0


def _short(way: Way) -> tuple[int, bool, int]:
    """Fewer steps first, then what was computed here before what was only published."""
    published = any(edge.kind is Kind.PUBLISHED for edge in way.path.edges)
    return len(way.path.edges), published, len(way.path.principles)


def _paths(table: Mapping[str, Mapping[str, list[Implication]]], source: str, target: str, hops: int) -> Iterator[Path]:
    """Simple paths with every choice on the way; steps on the way need a formula."""
    stack: list[tuple[str, ...]] = [(source,)]
    while stack:
        visited = stack.pop()
        for following, edges in table.get(visited[-1], {}).items():
            if following == target:
                places = [table[a][b] for a, b in zip(visited, (*visited[1:], target), strict=True)]
                for steps in product(*places):
                    yield from choices(steps)
            elif len(visited) < hops and following not in visited and not all(edge.trivial for edge in edges):
                stack.append((*visited, following))
