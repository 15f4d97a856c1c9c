"""Operations carried out: small mechanisms composed, grouped, sampled, sent through a channel, in exact arithmetic.

Every leaf of a term gets a chain of output laws, of which neighbours satisfy its guarantee exactly; the operations make
two laws of them, whose level under the conclusion is computed. What breaks the conclusion is a witness; what does not
proves nothing.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import chain, islice
from typing import Any

from sympy import Expr as SymExpr

from symprivacy.claims.chains import Chain, all_chains, turned
from symprivacy.claims.fitted import fitted, rough
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.other_records import crowds, triples
from symprivacy.claims.ranges import Point, Ranges
from symprivacy.claims.term_operations import build, merged, orders_of, steps_needed
from symprivacy.claims.terms import Compose, Sample, Term, operations, put
from symprivacy.claims.witness import holds
from symprivacy.errors import SymPrivacyError
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr, substitute
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.language.exact import simplified
from symprivacy.language.notation import Text
from symprivacy.language.text import parse, to_text
from symprivacy.mechanisms import Mechanism
from symprivacy.notions import Notion
from symprivacy.notions.levels.options import Options
from symprivacy.notions.levels.pairs import divergence_level
from symprivacy.notions.levels.result import Level, as_rational
from symprivacy.search.floats import approximate

# How many pairs of laws are judged; a count, so that the answer is the same on every machine.
ATTEMPTS = 1500
#: how many before a proof is tried, and before a longer one is
FEW, MORE = 60, 200
# After so many responses the runs that depend on each other are tried.
_RESPONSES = 3


@lru_cache(maxsize=4096)
def level_of(rows: Chain, notion: Notion, others: tuple[tuple[str, SymExpr], ...], both: bool) -> Level | None:
    """The level of neighbouring rows, in both orders or in the first one only; None where it has none.

    >>> from fractions import Fraction
    >>> from symprivacy.notions import get
    >>> rows = tuple((Fraction(k, 10), Fraction(10 - k, 10)) for k in (1, 2, 4))
    >>> level_of(rows, get("DP"), (), True).value, level_of(rows, get("LDP"), (), True).value
    (log(2), log(4))
    """
    given = dict(others)
    # A notion about any two inputs compares laws of a chain that are no neighbours, too.
    reach = len(rows) if notion.pairs.every else 1
    steps = [(j, k) for j in range(len(rows)) for k in range(j + 1, len(rows)) if k - j <= reach]
    channel = Mechanism.secrets(rows, neighbours=steps).channel()
    if not both:
        channel = replace(channel, pairs=tuple(steps))
    try:
        if notion.level is not None:
            return notion.level(channel, given, Options())
        if notion.divergence is None:
            return None
        return divergence_level(channel, channel.pairs, notion.divergence)
    except SymPrivacyError:
        return None


def _others(wanted: Wanted) -> tuple[tuple[str, SymExpr], ...]:
    return tuple((name, value) for name, value in wanted.options().items() if isinstance(value, SymExpr))


def reached(rows: Chain, wanted: Wanted, both: bool, upper: bool) -> SymExpr | None:
    """The exact level, or the end of its enclosure that is the careful one."""
    found = level_of(rows, wanted.notion, _others(wanted), both)
    if found is None:
        return None
    if found.exact:
        return found.value
    end = found.hi if upper else found.lo
    return None if end is None else as_rational(end)


@dataclass(frozen=True)
class Built:
    """Two laws that a term makes at a point, and the chains they were made of."""

    point: Point
    rows: Chain
    parts: tuple[tuple[Chain, ...], ...]
    variant: int


def instances(term: Term, ranges: Ranges, also: Sequence[Wanted] = (), most: int = ATTEMPTS) -> Iterator[Built]:
    """Pairs of laws of a term, at points of the ranges; ``also`` are further guarantees that they have to satisfy."""
    wanted = [*orders_of(term), *((w, True) for w in also)]
    free = _free(wanted, ranges)
    rest = Ranges({n: s for n, s in ranges.spans.items() if n not in free and not s.variables & free}, ranges.whole)
    late = {n: s for n, s in ranges.spans.items() if n not in rest.spans and n not in free}
    made = 0
    seen = 0
    # Without further variables there is one point only, which all attempts may go to.
    at_most = max(8, most // 12) if rest.spans else most
    for point in rest.points(150):
        try:
            steps = steps_needed(put(term, point))
        except SymPrivacyError:
            continue
        except AssertionError:
            continue
        if steps > 64:
            continue
        own = 0
        runs = any(isinstance(o, Compose) and o.times != x.ONE for o in operations(term))
        listed = _choices(wanted, steps, bool(also), runs, _sample_of(term))
        for choice in listed if free else chain(_fitted(wanted, steps, point), listed):
            seen += 1
            own += 1
            if made >= most or seen > 20 * most or own > at_most:
                break
            for full in _filled(point, wanted, choice, ranges, free, late):
                variants = (2,) if any(len(options) > 2 for options in choice) else (0, 1)
                for variant in variants:
                    if variant and isinstance(term, Wanted):
                        continue
                    found = made_of(put(term, full), choice, variant)
                    if found is not None:
                        made += 1
                        yield Built(full, found, choice, variant)


Leaf = tuple[Wanted, bool]


def _free(wanted: Sequence[Leaf], ranges: Ranges) -> set[str]:
    """Variables that are the level of a leaf alone: they take the level that a chain has."""
    counts: dict[str, int] = {}
    for leaf, _ in wanted:
        if leaf.notion.target is not None and leaf.level.op == "var":
            counts[str(leaf.level.value)] = counts.get(str(leaf.level.value), 0) + 1
    return {name for name in counts if name in ranges.spans and name not in ranges.whole}


def _sample_of(term: Term) -> Sample | None:
    """The term as a sample of mechanisms with one guarantee."""
    return term if isinstance(term, Sample) and isinstance(term.term, Wanted) else None


def _choices(
    wanted: Sequence[Leaf], steps: int, same: bool, runs: bool, sample: Sample | None
) -> Iterator[tuple[tuple[Chain, ...], ...]]:
    """Chains for the leaves: the same for all, then different ones; with others for adaptive runs and for samples."""
    listed = all_chains(steps)
    for k, c in enumerate(listed):
        back = c[::-1]
        if k == _RESPONSES and sample is not None and steps == 1 and len(wanted) == 1 and wanted[0][1]:
            yield from ((pairs,) for pairs in (crowds() if sample.total is None else triples()))
        yield tuple((c, back) if both and steps == 1 else (c,) for _, both in wanted)
        if k == _RESPONSES and runs and steps == 1 and len(wanted) == 1 and wanted[0][1]:
            for first, later in turned():
                yield ((first, later, later[::-1]),)
    if len(wanted) > 1 and not same:
        rng = random.Random(1)
        for _ in range(100):
            yield tuple((rng.choice(listed),) for _ in wanted)


def _fitted(wanted: Sequence[Leaf], steps: int, point: Point) -> Iterator[tuple[tuple[Chain, ...], ...]]:
    """Chains that nearly have the levels of the leaves, one family after the other."""
    leaves = [leaf.at(dict(point)) for leaf, _ in wanted]
    if any(leaf.variables or leaf.notion.target is None for leaf in leaves):
        return
    for chosen in zip(*(fitted(leaf, steps) for leaf in leaves), strict=False):
        turned_too = [both and steps == 1 for _, both in wanted]
        yield tuple((c, c[::-1]) if also else (c,) for c, also in zip(chosen, turned_too, strict=True))


def _filled(
    point: Point, wanted: Sequence[Leaf], choice: Sequence[Sequence[Chain]], ranges: Ranges, free: set[str],
    late: Mapping[str, Any],
) -> Iterator[Point]:  # fmt: skip
    """Points at which the chains satisfy the guarantees of the leaves; levels that are variables are theirs."""
    full = dict(point)
    for (leaf, both), chosen in zip(wanted, choice, strict=True):
        missing = leaf.variables - set(full) - free
        if missing:
            return
        name = str(leaf.level.value) if leaf.level.op == "var" else ""
        others = {n: substitute(v, dict(full)) for n, v in leaf.named.items() if n != leaf.judged}
        if any(v.variables for v in others.values()):
            return
        asked = Wanted(leaf.notion, tuple({**leaf.named, **others}.values()))
        for c in chosen:
            value = reached(c, asked, both, True)
            if value is None or value.is_finite is False:
                return
            if name in free and name not in full:
                full[name] = from_sympy(value)
                continue
            allowed = substitute(leaf.level, dict(full))
            if allowed.variables or holds(value, "<=", to_sympy(allowed)) is not True:
                return
    if free - set(full):
        return
    if not late:
        if ranges.allows(full):
            yield full
        return
    left = Ranges(
        {n: replace(s, lo=_at(s.lo, full), hi=_at(s.hi, full)) for n, s in late.items()}, ranges.whole & set(late)
    )
    for rest in islice(left.points(8), 8):
        if ranges.allows({**full, **rest}):
            yield {**full, **rest}


def _at(end: Expr | None, point: Point) -> Expr | None:
    return None if end is None else substitute(end, dict(point))


def made_of(term: Term, choice: Sequence[Sequence[Chain]], variant: int) -> Chain | None:
    """The two laws at the ends of what a term makes of chains; None if they are too large."""
    try:
        rows = build(term, iter(choice), variant)
    except SymPrivacyError:
        return None
    return None if rows is None else merged((rows[0], rows[-1]))


def _hopeless(found: Built, conclusion: Wanted, both: bool) -> bool:
    """Whether the level is far from breaking the conclusion; for leaving pairs out only, never for deciding."""
    at = {name: approximate(v, {}) for name, v in found.point.items()}
    first, second = found.rows
    levels = [rough(first, second, conclusion, at)] + ([rough(second, first, conclusion, at)] if both else [])
    known = [level for level in levels if level is not None]
    claimed = approximate(conclusion.level, at)
    return len(known) == len(levels) and not math.isnan(claimed) and max(known) < claimed - 1e-9


def broken(found: Built, premise: Sequence[Term], conclusion: Wanted, both: bool) -> dict[str, Any] | None:
    """The witness, if the two laws do not satisfy the conclusion at their point."""
    if _hopeless(found, conclusion, both):
        return None
    asked = conclusion.at(found.point)
    value = reached(found.rows, asked, both, False)
    if value is None or holds(value, ">", to_sympy(asked.level)) is not True:
        return None
    side = " and ".join(str(put(term, found.point)) for term in premise)
    says = f"{asked.notion.key} level `{simplified(value)} > {to_text(asked.level)}` of `{side}`"
    return {
        "premise": side,
        "conclusion": str(asked) if both else f"forward({asked})",
        "parameters": {name: to_text(v) for name, v in found.point.items()},
        "parts": [[_texts(c) for c in options] for options in found.parts],
        "variant": found.variant,
        "P": [str(v) for v in found.rows[0]],
        "Q": [str(v) for v in found.rows[1]],
        "levels": {asked.notion.key: str(value)},
        "says": Text(says),
    }


def confirmed(witness: Mapping[str, Any], premise: Sequence[Term], conclusion: Wanted, both: bool) -> bool:
    """Whether a printed witness does what it says: the operations are carried out again on its parts alone.

    ``premise`` and ``conclusion`` are those of the statement, with its variables.
    """
    point = {name: parse(text) for name, text in witness["parameters"].items()}
    parts = tuple(tuple(tuple(tuple(map(Fraction, row)) for row in c) for c in options) for options in witness["parts"])
    wanted = [*orders_of(premise[0]), *((w, True) for w in premise[1:] if isinstance(w, Wanted))]
    for (leaf, ordered), options in zip(wanted, parts, strict=True):
        at = leaf.at(point)
        for c in options:
            value = reached(c, at, ordered, True)
            if value is None or holds(value, "<=", to_sympy(at.level)) is not True:
                return False
    rows = made_of(put(premise[0], point), parts, witness["variant"])
    if rows is None:
        return False
    return broken(Built(point, rows, parts, witness["variant"]), premise, conclusion, both) is not None


def _texts(rows: Chain) -> list[list[str]]:
    return [[str(v) for v in row] for row in rows]
