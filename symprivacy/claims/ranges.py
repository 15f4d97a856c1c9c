"""The ranges of the variables of a statement: ``for 0 <= eps2 < eps <= 1, k >= 1 integer``.

An end may depend on other variables. What is proved is proved on a box: a variable between two ends is written as the
lower one plus a share of the way to the upper one, and the share has the range from 0 to 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from symprivacy.claims.comparison import NATURAL, split
from symprivacy.claims.guarantees import arguments
from symprivacy.claims.points import within
from symprivacy.errors import InputError, SymPrivacyError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range, compare
from symprivacy.kernel.expr import Expr, substitute
from symprivacy.language.domain import checked
from symprivacy.language.text import parse, shorten, to_text
from symprivacy.search.verdict import Status, decide

_WHOLE = re.compile(r"\s+integers?\s*$")
_IN = re.compile(r"\s*(\w+)\s+in\s*([\[(])(.*)([\])])\s*$", re.DOTALL)
_TURN = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_SHARE = "share"
Point = dict[str, Expr]


@dataclass(frozen=True)
class Span:
    """Lower and upper end of one variable, each None, a number or an expression in other variables."""

    lo: Expr | None = None
    hi: Expr | None = None
    lo_open: bool = True
    hi_open: bool = True

    @property
    def variables(self) -> frozenset[str]:
        """The other variables that the ends depend on."""
        return frozenset[str]().union(*(end.variables for end in (self.lo, self.hi) if end is not None))

    def __str__(self) -> str:
        lo = "-oo" if self.lo is None else to_text(self.lo)
        hi = "oo" if self.hi is None else to_text(self.hi)
        return f"{'(' if self.lo_open else '['}{lo}, {hi}{')' if self.hi_open else ']'}"

    def at(self, point: Mapping[str, Expr]) -> Range:
        """With numbers for the other variables."""
        lo, hi = (None if end is None else substitute(end, dict(point)) for end in (self.lo, self.hi))
        return Range(lo, hi, self.lo_open, self.hi_open)


@dataclass(frozen=True)
class Ranges:
    """The span of every variable, in an order in which each depends on earlier ones only, and the whole numbers."""

    spans: Mapping[str, Span]
    whole: frozenset[str] = frozenset()

    @property
    def box(self) -> dict[str, Range]:
        """Ranges with numbers as ends: of the variables, and of the shares that stand for the dependent ones."""
        found = {}
        for name, s in self.spans.items():
            if not s.variables:
                found[name] = Range(s.lo, s.hi, s.lo_open, s.hi_open)
            elif s.hi is None or s.lo is None:
                found[name + _SHARE] = Range(x.ZERO, None, s.lo_open if s.hi is None else s.hi_open, True)
            else:
                found[name + _SHARE] = Range(x.ZERO, x.ONE, s.lo_open, s.hi_open)
        return found

    @property
    def dependent(self) -> dict[str, Expr]:
        """The dependent variables as functions of the variables of the box."""
        found: dict[str, Expr] = {}
        for name, s in self.spans.items():
            if s.variables:
                share = x.var(name + _SHARE)
                lo, hi = (None if end is None else substitute(end, found) for end in (s.lo, s.hi))
                if lo is None:
                    assert hi is not None
                    found[name] = x.sub(hi, share)
                else:
                    way = share if hi is None else x.mul(share, x.sub(hi, lo))
                    found[name] = x.add(lo, way)
        return found

    def spoken(self, text: str) -> str:
        """A text in the variables of the statement: the share that stands for a dependent one gives way to it.

        >>> ranges = read_ranges("0 <= b < a, a > 0", frozenset("ab"), {})
        >>> ranges.spoken("`exp(bshare*a)`"), ranges.spoken("`bshare**2`")
        ('`exp(b)`', '`bshare**2` where `b = bshare*a`')
        """
        found = text
        for name, value in self.dependent.items():
            # Where it stands alone: between other things something may bind more strongly.
            found = re.sub(rf"(?<=[(,`]){re.escape(to_text(value))}(?=[),`])", name, found)
        left = [name for name in self.dependent if name + _SHARE in found]
        return found + "".join(f" where `{name} = {to_text(self.dependent[name])}`" for name in left)

    @property
    def words(self) -> str:
        """As a reading says them."""
        return ", ".join(f"`{name} in {s}`{' whole' if name in self.whole else ''}" for name, s in self.spans.items())

    def __str__(self) -> str:
        names = sorted(self.spans)
        return ", ".join(f"{n} in {self.spans[n]}{' integer' if n in self.whole else ''}" for n in names)

    def allows(self, point: Mapping[str, Expr]) -> bool:
        """Whether a point certainly lies in all ranges, whole where it must be."""
        for name, s in self.spans.items():
            value = point[name]
            if name in self.whole and (value.op != "num" or x.rational(value).denominator != 1):
                return False
            try:
                if not within(s.at(point), value):
                    return False
            except SymPrivacyError:
                return False
        return True

    def points(self, most: int = 400) -> Iterator[Point]:
        """Readable points: the first choices of every variable first."""
        choices = {name: _choices(name, s, name in self.whole) for name, s in self.spans.items()}
        return islice(_spread(choices, self), most)


def _choices(name: str, s: Span, whole: bool) -> list[Expr]:
    """Candidates for a variable; which of them lie in its range is found out with the others."""
    if whole:
        low = x.rational(s.lo) if s.lo is not None and s.lo.op == "num" else Fraction(1)
        return [x.num(int(low) - 1 + n) for n in (1, 2, 3)] + [x.num(n) for n in (4, 8, 16, 32) if n > low + 2]
    ends = [e for e in (s.lo, s.hi) if e is not None and not e.variables]
    logs = [x.log(x.num(Fraction(r))) for r in ("2", "3", "3/2", "4", "10", "100", "101/100")]
    fractions = [x.num(Fraction(r)) for r in ("1/2", "1/4", "1/10", "1/100", "3/4", "9/10", "1/1000", "1/3")]
    numbers = [x.num(n) for n in (1, 2, 3, 4, 10, 100)]
    bounded = s.hi is not None and not s.hi.variables and compare(s.hi, x.ONE) in (0, -1)
    if name in ("alpha", "omega"):
        return [*numbers[1:4], x.num(Fraction(3, 2)), *numbers[4:], *ends]
    # Levels of ratios are readable as logarithms, probabilities as fractions.
    first = [*fractions, *logs] if bounded and not name.startswith("eps") else [*logs, *fractions]
    return [*first, *numbers, *ends]


def _spread(choices: Mapping[str, list[Expr]], ranges: Ranges) -> Iterator[Point]:
    """Points by the sum of the places in the lists of choices, only those inside."""
    kept: dict[str, list[Expr]] = {}
    for name, found in choices.items():
        s = ranges.spans[name]
        kept[name] = found if s.variables else [v for v in found if within(Range(s.lo, s.hi, s.lo_open, s.hi_open), v)]
        if not kept[name]:
            kept[name] = list(_between(s))
    if not all(kept.values()):
        return
    names = list(kept)
    longest = sum(len(v) - 1 for v in kept.values())
    seen = 0
    for total in range(longest + 1):
        for places in _places([len(kept[n]) for n in names], total):
            seen += 1
            point = {n: kept[n][k] for n, k in zip(names, places, strict=True)}
            if ranges.allows(point):
                yield point
            if seen > 5000:
                return


def _places(sizes: list[int], total: int) -> Iterator[tuple[int, ...]]:
    if len(sizes) == 0:
        if total == 0:
            yield ()
        return
    for k in range(min(total, sizes[0] - 1), -1, -1):
        for rest in _places(sizes[1:], total - k):
            yield (k, *rest)


def _between(s: Span) -> Iterator[Expr]:
    """Points of a narrow range."""
    if s.lo is not None and s.hi is not None and not s.variables:
        for share in (Fraction(1, 2), Fraction(1, 4), Fraction(3, 4)):
            yield x.add(x.mul(x.num(1 - share), s.lo), x.mul(x.num(share), s.hi))
        if not s.lo_open:
            yield s.lo
    elif s.lo is not None and not s.variables:
        yield from (x.add(s.lo, x.num(n)) for n in (1, 2, 10))


def read_ranges(
    text: str,
    names: frozenset[str],
    placed: Mapping[str, Range],
    whole: frozenset[str] = frozenset(),
    extra: tuple[str, ...] = (),
    parts: Mapping[str, Expr] | None = None,
) -> Ranges:
    """The ranges of a ``for`` clause and the natural ones of all other names.

    ``placed`` are the ranges that belong to the places where names stand, ``whole`` those that stand for counts;
    ``parts`` are names of a part, with the whole that it is a part of.

    >>> print(read_ranges("0 <= eps2 < eps <= 1, k >= 1 integer", frozenset({"eps", "eps2", "k"}), {}))
    eps in (0, 1], eps2 in [0, eps), k in [1, oo) integer
    """
    lows: dict[str, tuple[Expr, bool]] = {}
    highs: dict[str, tuple[Expr, bool]] = {}
    # Ends that are said to be infinite: a name that stands in no place for a parameter has no other end then.
    endless: set[tuple[str, bool]] = set()
    counted = set(whole)
    given: list[str] = []
    for item in [*extra, *_items(text)]:
        bare = _WHOLE.sub("", item)
        bounds = list(_bounds(bare, placed))
        given += [name for name, *_ in bounds]
        for name, upper, end, is_open in bounds:
            table = highs if upper else lows
            if end is None:
                endless |= set() if name in placed else {(name, upper)}
                continue
            if name in table:
                old = table[name][0]
                if old.variables or end.variables or table is highs:
                    raise InputError(f"{shorten(item)!r} bounds {name} twice on one side")
                if compare(end, old) == 1 or (compare(end, old) == 0 and is_open):
                    table[name] = (end, is_open)
                continue
            table[name] = (end, is_open)
        if bare != item:
            counted |= {name for name, *_ in bounds}
    for name, most in (parts or {}).items():
        around = frozenset[str]().union(*(t[n][0].variables for t in (lows, highs) for n in most.variables if n in t))
        if name not in highs and name not in around | most.variables:
            highs[name] = most, False
    known = {*lows, *highs, *(name for name, _ in endless)}
    spans = {}
    for name in dict.fromkeys([*given, *sorted(names)]):
        natural = _natural(name, placed, counted, required=name not in known)
        lo, lo_open = lows.get(name, (None if (name, False) in endless else natural.lo, natural.lo_open))
        hi, hi_open = highs.get(name, (None if (name, True) in endless else natural.hi, natural.hi_open))
        spans[name] = Span(lo, hi, lo_open or lo is None, hi_open or hi is None)
        if not spans[name].variables:
            checked(spans[name].at({}), name)
    missing = frozenset[str]().union(*(s.variables for s in spans.values())) - set(spans)
    for name in sorted(missing):
        natural = _natural(name, placed, counted, required=True)
        spans[name] = Span(natural.lo, natural.hi, natural.lo_open, natural.hi_open)
    found = Ranges(_ordered(spans), frozenset(counted) & set(spans))
    _require_room(found)
    return found


def _items(text: str) -> list[str]:
    """The ranges of a ``for`` clause: separated by commas outside brackets, or by ``and``."""
    return [item for part in re.split(r"\s+and\s+", text) for item in arguments(part) if text.strip()]


def _natural(name: str, placed: Mapping[str, Range], whole: set[str], required: bool) -> Range:
    if name in placed:
        return placed[name]
    if name in NATURAL:
        return NATURAL[name]
    if name in whole:
        return Range(x.ONE, None, False, True)
    if required:
        raise InputError(f"no range for {name}; add such as 'for {name} in (0, 1)' or 'for {name} > 0'")
    return Range(None, None, True, True)


def _bounds(text: str, placed: Mapping[str, Range]) -> Iterator[tuple[str, bool, Expr | None, bool]]:
    """What one item says: a name, whether it is bounded above, by what (None: infinity), and whether excluded."""
    if match := _IN.match(text):
        name, opening, inner, closing = match.groups()
        ends = arguments(inner)
        if len(ends) != 2:
            raise InputError(f"{shorten(text)!r} is not a range; expected such as 'eps in (0, 1]'")
        if parse(name).op != "var":
            raise InputError(f"{shorten(name)!r} cannot be a variable")
        low, high = (end.strip() for end in ends)
        yield name, False, None if low in ("-oo", "-inf") else parse(low), opening == "("
        yield name, True, None if high in ("oo", "inf", "+oo") else parse(high), closing == ")"
        return
    sides, relations = split(text)
    if not relations or "==" in relations:
        raise InputError(f"{shorten(text)!r} is not a range; expected such as '0 < eps <= 1' or 'eps in (0, 1]'")
    if relations[0] in (">", ">="):
        sides, relations = sides[::-1], [_TURN[r] for r in reversed(relations)]
    if any(r in (">", ">=") for r in relations):
        raise InputError(f"{shorten(text)!r} turns around; write a chain such as '0 <= eps2 < eps <= 1'")
    parts = [None if side in ("oo", "-oo") else parse(side) for side in sides]
    if not any(p is not None and p.op == "var" for p in parts):
        raise InputError(f"{shorten(text)!r} bounds no variable; expected such as '0 < eps <= 1'")
    least: tuple[Expr, bool] | None = None
    for k, part in enumerate(parts):
        if part is not None and part.op == "var":
            name = str(part.value)
            natural = _natural(name, placed, set(), required=False)
            if least is not None:
                # In 0 <= eps2 <= eps the number is no end of eps: where that is never 0, it stays so.
                handed = k > 1 and least[0] == natural.lo
                yield name, False, least[0], least[1] or (handed and natural.lo_open)
            else:
                least = None if natural.lo is None else (natural.lo, natural.lo_open)
            if k > 0 and parts[k - 1] is None:
                yield name, False, None, True
            if k < len(relations):
                yield name, True, parts[k + 1], relations[k] == "<"
        elif part is not None:
            least = (part, False)
        if least is not None and k < len(relations):
            least = (least[0], least[1] or relations[k] == "<")


def _ordered(spans: Mapping[str, Span]) -> dict[str, Span]:
    """The spans so that each depends on earlier ones only."""
    found: dict[str, Span] = {}
    left = dict(spans)
    while left:
        ready = [name for name, s in left.items() if s.variables <= set(found)]
        if not ready:
            raise InputError(f"the ranges of {', '.join(sorted(left))} depend on each other in a circle")
        for name in ready:
            found[name] = left.pop(name)
    return found


def _evident(lo: Expr, hi: Expr, box: Mapping[str, Range]) -> bool:
    """Whether the upper end is a name, which is nowhere below the number that the lower end is."""
    least = box[str(hi.value)].lo if hi.op == "var" and str(hi.value) in box else None
    if least is None or not isinstance(lo.value, Fraction) or not isinstance(least.value, Fraction):
        return False
    return lo.value <= least.value


def _require_room(ranges: Ranges) -> None:
    """The upper end of a dependent range is never below the lower one."""
    put, box = ranges.dependent, ranges.box
    for name, s in ranges.spans.items():
        if s.variables and s.lo is not None and s.hi is not None:
            lo, hi = substitute(s.lo, put), substitute(s.hi, put)
            own = {n: r for n, r in box.items() if n in lo.variables | hi.variables}
            if not _evident(lo, hi, own) and decide(lo, "<=", hi, own).status is not Status.PROVED:
                raise InputError(
                    f"the range {name} in {s} may be empty; bound {', '.join(sorted(s.variables))} as well"
                )
