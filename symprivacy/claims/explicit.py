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
from itertools import islice
from math import comb
from typing import Any

from sympy import Expr as SymExpr

from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.ranges import Point, Ranges
from symprivacy.claims.terms import Compose, Forward, Group, Sample, Term, Through, children, operations, put
from symprivacy.claims.witness import holds
from symprivacy.errors import SymPrivacyError
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr, substitute
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.language.exact import simplified
from symprivacy.language.notation import Text
from symprivacy.language.text import parse, to_text
from symprivacy.mechanisms import Mechanism
from symprivacy.mechanisms.families import truncated_geometric
from symprivacy.mechanisms.random import random_law
from symprivacy.notions import Notion
from symprivacy.notions.levels.options import Options
from symprivacy.notions.levels.pairs import divergence_level
from symprivacy.notions.levels.result import Level, as_rational
from symprivacy.search.floats import approximate

Law = tuple[Fraction, ...]
Chain = tuple[Law, ...]
# How many pairs of laws are judged; a count, so that the answer is the same on every machine.
ATTEMPTS = 1500
_MOST_OUTPUTS = 600
# After so many responses the runs that depend on each other are tried.
_RESPONSES = 3


@lru_cache(maxsize=4096)
def level_of(rows: Chain, notion: Notion, others: tuple[tuple[str, SymExpr], ...], both: bool) -> Level | None:
    """The level of neighbouring rows, in both orders or in the first one only; None where it has none.

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


def steps_needed(term: Term, steps: int = 1) -> int:
    """How many steps between neighbours the chains of the leaves need."""
    if isinstance(term, Group):
        return steps_needed(term.term, steps * int(x.rational(term.size)))
    return max((steps_needed(child, steps) for child in children(term)), default=steps)


def chains(steps: int, seed: int = 0) -> Iterator[Chain]:
    """Chains of laws: responses, leaks, ladders of probabilities, then random ones.

    >>> next(chains(1))
    ((Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3)))
    """
    f = Fraction
    for ratio in (f(2), f(3), f(3, 2), f(4), f(10), f(101, 100)):
        rows = truncated_geometric(steps, ratio=ratio).matrix
        yield tuple(tuple(map(Fraction, row)) for row in rows)
    if steps > 1:
        # One step and no more; for groups of records in a sample, of which one is enough.
        for ratio in (f(2), f(10)):
            before, after = _placed(ratio, 1 / ratio)
            yield (before, *(after for _ in range(steps)))
    for leak in (f(1, 10), f(1, 2), f(1, 4), f(1, 100)):
        yield tuple(_disjoint(k, steps + 1, leak) for k in range(steps + 1))
        share = min(leak, f(1, steps))
        yield tuple((1 - k * share, k * share) for k in range(steps + 1))
    for start in (f(1, 100), f(1, 10), f(1, 1000)):
        for ratio in (f(2), f(10), f(3, 2)):
            yield _ladder([start * ratio ** (-k) for k in range(steps + 1)])
    # The largest probability of an event that p(k) <= e p(k+1) + d allows, and a law of two losses and none.
    for ratio, delta in (
        (f(2), f(1, 100)),
        (f(2), f(1, 10)),
        (f(3, 2), f(1, 10)),
        (f(10), f(1, 1000)),
        (f(1), f(1, 10)),
    ):
        values = [f(0)]
        for _ in range(steps):
            values.append(ratio * values[-1] + delta)
        if values[-1] < 1:
            yield _ladder(values[::-1])
            yield _ladder(values)
    if steps == 1:
        for ratio, delta in ((f(2), f(1, 10)), (f(3), f(1, 4)), (f(2), f(1, 100))):
            one, two = ((1 - delta) * ratio / (1 + ratio), (1 - delta) / (1 + ratio))
            yield ((one, two, delta, f(0)), (two, one, f(0), delta))
        for high, low in ((f(2), f(1, 2)), (f(4), f(9, 10)), (f(10, 9), f(1, 4)), (f(100), f(99, 100))):
            yield _placed(high, low)
            yield _placed(high, low)[::-1]
        yield ((f(1), f(0)), (f(1, 2), f(1, 2)))
        yield ((f(1), f(0)), (f(9, 10), f(1, 10)))
    for base in (f(1, 2), f(1, 4)):
        yield _ladder([base ** (2**k) for k in range(min(steps + 1, 6))] + [base**64] * max(0, steps - 5))
    if steps == 2:
        # Rare outputs that become rarer all at once: what is a mean between neighbours has no bound two steps away.
        yield _ladder([f(1, 10), f(1, 1000), f(1, 2**600)])
        yield _ladder([f(1, 100), f(1, 10**5), f(1, 2**8000)])
    rng = random.Random(seed)
    for _ in range(60):
        size = rng.randint(2, 3)
        first = random_law(rng, size)
        yield tuple(_moved(rng, first, f(k, max(1, steps))) for k in range(steps + 1))


@lru_cache(maxsize=64)
def _listed(steps: int) -> tuple[Chain, ...]:
    """All of them, made once: a search asks for the same ones at every point of every statement."""
    return tuple(chains(steps))


def _disjoint(k: int, size: int, leak: Fraction) -> Law:
    return (1 - leak, *(leak if j == k else Fraction(0) for j in range(size)))


def _ladder(values: Sequence[Fraction]) -> Chain:
    return tuple((v, 1 - v) for v in values)


def _placed(high: Fraction, low: Fraction) -> Chain:
    """Two outcomes with these likelihood ratios."""
    q = (1 - low) / (high - low)
    return (high * q, 1 - high * q), (q, 1 - q)


def _moved(rng: random.Random, law: Sequence[Fraction], share: Fraction) -> Law:
    target = random_law(rng, len(law))
    part = share * Fraction(rng.randint(1, 9), 10)
    return tuple((1 - part) * a + part * b for a, b in zip(law, target, strict=True))


def merged(rows: Chain) -> Chain:
    """Outputs with proportional columns reported as one: no divergence of any two rows changes."""
    columns: dict[Law, list[Fraction]] = {}
    for column in zip(*rows, strict=True):
        total = sum(column)
        if total:
            key = tuple(v / total for v in column)
            old = columns.setdefault(key, [Fraction(0)] * len(column))
            columns[key] = [a + b for a, b in zip(old, column, strict=True)]
    return tuple(zip(*columns.values(), strict=True))


def _product(first: Chain, second: Chain) -> Chain | None:
    if len(first[0]) * len(second[0]) > _MOST_OUTPUTS:
        return None
    rows = tuple(tuple(a * b for a in one for b in other) for one, other in zip(first, second, strict=True))
    return merged(rows)


def _adaptive(first: Chain, options: Sequence[Chain]) -> Chain | None:
    """The second run depends on what the first one gave: its k-th output calls the k-th option, in turn."""
    width = max(len(o[0]) for o in options)
    rows = []
    for j, row in enumerate(first):
        found: list[Fraction] = []
        for y, mass in enumerate(row):
            option = options[y % len(options)][j]
            found += [mass * v for v in option] + [Fraction(0)] * (width - len(option))
        rows.append(tuple(found))
    return merged(tuple(rows))


def orders_of(term: Term, both: bool = True) -> Iterator[tuple[Wanted, bool]]:
    """The leaves of a term, and whether each bounds both orders of its pairs."""
    if isinstance(term, Wanted):
        yield term, both
    for child in children(term):
        yield from orders_of(child, both and not isinstance(term, Forward))


def build(term: Term, parts: Iterator[Sequence[Chain]], variant: int = 0) -> Chain | None:
    """The laws that a term at numbers makes of the chains of its leaves, taken in order; None if they are too large.

    Of several chains for a leaf the first is the run itself and the others are what adaptive runs may turn to.
    """
    if isinstance(term, Wanted):
        return next(parts)[0]
    if isinstance(term, Compose):
        return _composed(term, parts, variant)
    inner = build(term.term, parts, variant)
    if inner is None:
        return None
    if isinstance(term, Group):
        size = int(x.rational(term.size))
        return merged(inner[::size])
    if isinstance(term, Sample):
        return _sampled(term, inner, variant)
    if isinstance(term, Through):
        return _sent(term, inner)
    return inner


def _sampled(term: Sample, rows: Chain, variant: int) -> Chain | None:
    """Law k is that of k special records in the sample; with so many in the data each takes part by itself."""
    q = x.rational(term.share)
    if term.total is None:
        out = [
            tuple(sum((comb(j, i) * q**i * (1 - q) ** (j - i) * rows[i][y] for i in range(j + 1)), Fraction(0))
                  for y in range(len(rows[0])))
            for j in range(len(rows))
        ]  # fmt: skip
        return merged(tuple(out))
    if len(rows) != 2:
        return None
    # One record has one of two values; a sample without it is treated like one of them.
    other = rows[variant % 2]
    return merged(tuple(tuple((1 - q) * b + q * a for a, b in zip(row, other, strict=True)) for row in rows))


def _composed(term: Compose, parts: Iterator[Sequence[Chain]], variant: int) -> Chain | None:
    total: Chain | None = None
    for part in term.parts:
        if isinstance(part, Wanted):
            options = next(parts)
            run: Chain | None = options[0]
        else:
            options, run = (), build(part, parts, variant)
        for _ in range(int(x.rational(term.times))):
            if run is None:
                return None
            if total is None:
                total = run
            elif len(options) > 1 and variant:
                # Of three, the first run is not repeated; the others are what later runs turn to.
                total = _adaptive(total, options[variant - 1 :])
            else:
                total = _product(total, run)
            if total is None:
                return None
    return total


def _sent(term: Through, rows: Chain) -> Chain | None:
    """Randomized response on the event that the first law prefers."""
    growth = _ratio(term.channel.level)
    if growth is None:
        return None
    truth, lie = growth / (growth + 1), 1 / (growth + 1)
    event = [a > b for a, b in zip(rows[0], rows[-1], strict=True)]
    masses = [sum((v for v, e in zip(row, event, strict=True) if e), Fraction(0)) for row in rows]
    return tuple((m * truth + (1 - m) * lie, m * lie + (1 - m) * truth) for m in masses)


def _ratio(eps: Expr) -> Fraction | None:
    """exp(eps) where that is rational."""
    found = x.exp(eps)
    value = to_sympy(found)
    return Fraction(int(value.p), int(value.q)) if value.is_Rational else None


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
        for choice in _choices(wanted, steps, bool(also), runs):
            seen += 1
            own += 1
            if made >= most or seen > 20 * most or own > at_most:
                break
            for full in _filled(point, wanted, choice, ranges, free, late):
                variants = (2,) if any(len(options) > 2 for options in choice) else (0, 1)
                for variant in variants:
                    if variant and isinstance(term, Wanted):
                        continue
                    found = _made(put(term, full), choice, variant)
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


def _choices(wanted: Sequence[Leaf], steps: int, same: bool, runs: bool) -> Iterator[tuple[tuple[Chain, ...], ...]]:
    """Chains for the leaves: the same for all, then different ones; with others for adaptive runs."""
    listed = _listed(steps)
    for k, c in enumerate(listed):
        back = c[::-1]
        yield tuple((c, back) if both and steps == 1 else (c,) for _, both in wanted)
        if k == _RESPONSES and runs and steps == 1 and len(wanted) == 1 and wanted[0][1]:
            for first, later in _turned():
                yield ((first, later, later[::-1]),)
    if len(wanted) > 1 and not same:
        rng = random.Random(1)
        for _ in range(100):
            yield tuple((rng.choice(listed),) for _ in wanted)


def _turned() -> Iterator[tuple[Chain, Chain]]:
    """A first run that moves the belief and a one-sided leak, which tells most to a belief that is not even."""
    for ratio in (Fraction(2), Fraction(3, 2), Fraction(3)):
        first = _placed(ratio, 1 / ratio)
        for leak in (Fraction(n, 20) for n in (1, 2, 3, 4, 6, 8)):
            yield first, ((Fraction(1), Fraction(0)), (1 - leak, leak))


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


def _made(term: Term, choice: Sequence[Sequence[Chain]], variant: int) -> Chain | None:
    try:
        rows = build(term, iter(choice), variant)
    except SymPrivacyError:
        return None
    return None if rows is None else merged((rows[0], rows[-1]))


def _rough(first: Law, second: Law, wanted: Wanted, at: Mapping[str, float]) -> float | None:
    """About the level of one order in floating point; None for a notion that has no short formula."""
    pairs = [(float(p), float(q)) for p, q in zip(first, second, strict=True)]
    others = {name: approximate(v, at) for name, v in wanted.named.items() if name != wanted.judged}
    try:
        match wanted.notion.key:
            case "DP" | "LDP":
                return max(math.log(p / q) if q else math.inf for p, q in pairs if p)
            case "TV":
                return sum(max(0.0, p - q) for p, q in pairs)
            case "ADP":
                return sum(max(0.0, p - math.exp(others["eps"]) * q) for p, q in pairs)
            case "KL":
                return sum(p * math.log(p / q) if q else math.inf for p, q in pairs if p)
            case "CHI2":
                return sum(p * p / q if q else math.inf for p, q in pairs if p) - 1
            case "HELL2":
                return 1 - sum(math.sqrt(p * q) for p, q in pairs)
            case "RDP" if others["alpha"] > 1:
                a = others["alpha"]
                return math.log(sum(p**a * q ** (1 - a) if q else math.inf for p, q in pairs if p)) / (a - 1)
    except (OverflowError, ZeroDivisionError, ValueError):
        return None
    return None


def _hopeless(found: Built, conclusion: Wanted, both: bool) -> bool:
    """Whether the level is far from breaking the conclusion; for leaving pairs out only, never for deciding."""
    at = {name: approximate(v, {}) for name, v in found.point.items()}
    first, second = found.rows
    levels = [_rough(first, second, conclusion, at)] + ([_rough(second, first, conclusion, at)] if both else [])
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


def _texts(rows: Chain) -> list[list[str]]:
    return [[str(v) for v in row] for row in rows]


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
    rows = _made(put(premise[0], point), parts, witness["variant"])
    if rows is None:
        return False
    return broken(Built(point, rows, parts, witness["variant"]), premise, conclusion, both) is not None
