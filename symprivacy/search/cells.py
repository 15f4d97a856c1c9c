"""Cells of a box in few variables: how they are cut, and where one bound lies on one of them.

A cell is a pair (level, index) per variable: the index-th of the 2**level equal parts of the variable's range.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import chain, product
from typing import Any

from symprivacy.arb.check import settles
from symprivacy.arb.reader import read
from symprivacy.errors import CertificateError, InputError, NoInformation, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import Box, Range, box_to_data
from symprivacy.kernel.checker import FORMAT
from symprivacy.kernel.data import to_data
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.interval import Interval
from symprivacy.kernel.rules import enclose_mean
from symprivacy.language.certificates import arithmetic, check
from symprivacy.language.domain import box_from_json
from symprivacy.language.text import parse
from symprivacy.search.equal import equal_proofs, may_switch
from symprivacy.search.floats import approximate, nearest

Cell = tuple[tuple[int, int], ...]
MOST_VARIABLES = 3
# A cell cut as often as this is no measurable part of anything.
MOST_CUTS = 250
PRECISIONS = (53, 120, 300)
# No variable is cut this much more often than another one: float slopes only suggest where to cut.
_LONGEST = 12
# Where nothing tells the bounds apart at the points that are looked at, a cell is given up only after so many cuts:
# few if they are equal there, more if they have no value, which they may well have nearby.
_DEEP_IF_EQUAL = 4
_DEEP_ENOUGH = {1: 8, 2: 10, 3: 12}
_PLACES = (Fraction(3, 7), Fraction(2, 5), Fraction(9, 11))


@dataclass(frozen=True, slots=True)
class Finding:
    """What is known of one cell: ``<``, ``>`` or ``=`` at each of its points, with how it was proved, or ``?``.

    ``cut`` is the variable along which an undecided cell is to be cut; None where cutting would not help, because the
    bounds seem to be equal there, or to have no value.
    """

    sign: str
    by: str = ""
    prec: int = 53
    cut: int | None = 0

    def to_json(self) -> dict[str, Any]:
        """The fields that say something."""
        if self.sign == "?":
            return {"sign": "?", "cut": self.cut}
        return {"sign": self.sign, "by": self.by, **({"prec": self.prec} if self.prec != 53 else {})}


@dataclass(frozen=True)
class Question:
    """Where on a box does ``a`` lie below or above ``b``?"""

    a: Expr
    b: Expr
    box: Box

    def __post_init__(self) -> None:
        if not 1 <= len(self.box) <= MOST_VARIABLES:
            raise InputError(f"a region has one to {MOST_VARIABLES} variables, got {len(self.box)}")
        for name, r in self.box.items():
            if r.lo is None or r.hi is None or r.lo.op != "num" or r.hi.op != "num" or r.is_point():
                raise InputError(f"a region needs ranges with rational end points, got {name} in {r}")

    @property
    def root(self) -> Cell:
        """The whole box."""
        return ((0, 0),) * len(self.box)

    @cached_property
    def ends(self) -> list[tuple[Fraction, Fraction]]:
        """The end points of each variable."""
        return [(x.rational(r.lo), x.rational(r.hi)) for r in self.box.values() if r.lo and r.hi]

    def sides(self, cell: Cell) -> list[tuple[Fraction, Fraction]]:
        """The end points of the cell."""
        parts = zip(cell, self.ends, strict=True)
        return [(lo + (hi - lo) * i / 2**k, lo + (hi - lo) * (i + 1) / 2**k) for (k, i), (lo, hi) in parts]

    def ranges(self, cell: Cell) -> dict[str, Range]:
        """The cell as a box; an open end of the whole box stays open."""
        ranges = {}
        for (name, r), (k, i), (lo, hi) in zip(self.box.items(), cell, self.sides(cell), strict=True):
            ranges[name] = Range(x.num(lo), x.num(hi), r.lo_open and i == 0, r.hi_open and i + 1 == 2**k)
        return ranges

    def certificate(self, cell: Cell, finding: Finding) -> dict[str, Any]:
        """A certificate for ``symprivacy check``: the bounds compare as found at each point of the cell."""
        ranges, rel = self.ranges(cell), "==" if finding.sign == "=" else finding.sign
        proofs: list[dict[str, Any]] = [{"by": finding.by, "prec": finding.prec}]
        if finding.sign == "=":
            proofs = equal_proofs(self.a, self.b, ranges) or []
        head = {"format": FORMAT, "lhs": to_data(self.a), "rel": rel, "rhs": to_data(self.b)}
        return {**head, "domain": box_to_data(ranges), "verdict": "proved", "proofs": proofs}

    def accepts(self, cell: Cell, finding: Finding) -> bool:
        """Whether the kernel confirms a finding, by the one enclosure or identity that it names.

        This is what ``check`` does with :meth:`certificate`, without writing and reading it.
        """
        if finding.sign == "=":
            return self._equal(cell)
        if finding.by not in ("box", "mean") or finding.prec not in PRECISIONS:
            return False
        box = self._intervals(cell, self.sides(cell), finding.prec)
        difference = self._above if finding.sign == ">" else self._below
        try:
            value = (enclose if finding.by == "box" else enclose_mean)(difference, box, finding.prec)
        except (NoInformation, UnsupportedError):
            return False
        return iv.sign_known(value) == 1 and self._arb_agrees(cell, self.sides(cell), finding)

    def _equal(self, cell: Cell) -> bool:
        """Whether the bounds are equal on the cell, by a proof that the checkers in force accept."""
        if equal_proofs(self.a, self.b, self.ranges(cell)) is None:
            return False
        return arithmetic() == "mpmath" or self._accepted(cell, Finding("=", "identity"))

    def _confirmed(self, cell: Cell, sides: list[tuple[Fraction, Fraction]], finding: Finding) -> Finding:
        """The finding if Arb agrees; else nothing is known of the cell, and its certificate is kept."""
        if self._arb_agrees(cell, sides, finding) or self._accepted(cell, finding):
            return finding
        return Finding("?", cut=None)

    def _arb_agrees(self, cell: Cell, sides: list[tuple[Fraction, Fraction]], finding: Finding) -> bool:
        if arithmetic() == "mpmath":
            return True
        ends = {
            name: (lo, hi, r.lo_open and i == 0, r.hi_open and i + 1 == 2**k)
            for (name, r), (k, i), (lo, hi) in zip(self.box.items(), cell, sides, strict=True)
        }
        return settles(self._trees[finding.sign == ">"], ends, finding.by, finding.prec)

    def _accepted(self, cell: Cell, finding: Finding) -> bool:
        try:
            check(self.certificate(cell, finding))
        except CertificateError:
            return False
        return True

    @cached_property
    def _trees(self) -> tuple[Any, Any]:
        """The two differences as Arb's checker reads them."""
        below, above = (read(to_data(e), frozenset(self.box)) for e in (self._below, self._above))
        return below, above

    def decide(self, cell: Cell) -> Finding:
        """Compare the bounds on the cell by the kernel's enclosures.

        >>> question = read_question("x", "y", '{"x": ["0", "1", false, false], "y": ["0", "1", false, false]}')
        >>> question.decide(question.root).sign
        '?'
        >>> question.decide(((2, 0), (1, 1)))
        Finding(sign='<', by='box', prec=53, cut=0)
        >>> read_question("x", "Min(x, 2)", '{"x": ["0", "1", false, false]}').decide(((0, 0),)).sign
        '='
        """
        sides, middle = self.sides(cell), None
        for prec in PRECISIONS:
            box = self._intervals(cell, sides, prec)
            sign = _sign(self._above, box, prec)
            if sign:
                return self._confirmed(cell, sides, Finding("<" if sign < 0 else ">", "box", prec))
            middle = middle or {n: (lo + hi) / 2 for n, (lo, hi) in zip(self.box, sides, strict=True)}
            sign = _sign(self._above, {n: iv.from_fraction(m, prec) for n, m in middle.items()}, prec)
            if sign:
                # The middle shows which of the two can hold; the mean value form is sharp at its lower end only.
                try:
                    value = enclose_mean(self._above if sign > 0 else self._below, box, prec)
                except (NoInformation, UnsupportedError):
                    break
                if iv.sign_known(value) == 1:
                    return self._confirmed(cell, sides, Finding("<" if sign < 0 else ">", "mean", prec))
                break
        else:
            # Not even many bits tell the bounds apart in the middle.
            found = self._without_difference(cell, sides)
            if found is not None:
                return found
        smallest = max(level for level, _ in cell) >= MOST_CUTS
        return Finding("?", cut=None if smallest else self._cut(cell, sides))

    def _without_difference(self, cell: Cell, sides: list[tuple[Fraction, Fraction]]) -> Finding | None:
        """What to say where the bounds are equal or without value at all points that are looked at.

        They are equal if that can be proved. Else the cell is given up, unless cutting further may help: where another
        case of an Abs, Min, Max or Piecewise may apply, and where the cell is still large.
        """
        prec, some_missing = PRECISIONS[-1], False
        inside = (tuple(lo + (hi - lo) * part for lo, hi in sides) for part in _PLACES)
        for at in chain(inside, product(*sides)):
            point = {n: iv.from_fraction(v, prec) for n, v in zip(self.box, at, strict=True)}
            try:
                if iv.sign_known(enclose(self._above, point, prec)):
                    return None
            except NoInformation:
                some_missing = True
        ranges, cuts = self.ranges(cell), sum(level for level, _ in cell)
        if self._equal(cell):
            return Finding("=", "identity")
        if cuts < (_DEEP_ENOUGH[len(cell)] if some_missing else _DEEP_IF_EQUAL):
            return None
        if self._above.has_kink and may_switch(self._above, ranges):
            return None
        return Finding("?", cut=None)

    @cached_property
    def _above(self) -> Expr:
        return x.sub(self.a, self.b)

    @cached_property
    def _below(self) -> Expr:
        return x.sub(self.b, self.a)

    def _intervals(self, cell: Cell, sides: list[tuple[Fraction, Fraction]], prec: int) -> dict[str, Interval]:
        box = {}
        for (name, r), (k, i), (lo, hi) in zip(self.box.items(), cell, sides, strict=True):
            low, high = iv.from_fraction(lo, prec)[0], iv.from_fraction(hi, prec)[1]
            box[name] = (low, high, r.lo_open and i == 0, r.hi_open and i + 1 == 2**k)
        return box

    def _cut(self, cell: Cell, sides: list[tuple[Fraction, Fraction]]) -> int:
        """The variable along which the difference seems to change most."""
        levels = [k for k, _ in cell]
        middle = {n: nearest((lo + hi) / 2) for n, (lo, hi) in zip(self.box, sides, strict=True)}
        here = approximate(self._above, middle)
        changes = []
        for (name, (lo, hi)), level in zip(zip(self.box, sides, strict=True), levels, strict=True):
            ends = [approximate(self._above, {**middle, name: nearest(end)}) for end in (lo, hi)]
            change = max(abs(v - here) for v in ends)
            if level > min(levels) + _LONGEST:
                change = -1.0
            # Without a value at an end the slope there is unknown, and likely steep.
            changes.append(change if math.isfinite(change) else math.inf)
        return max(range(len(changes)), key=lambda v: (changes[v], -levels[v]))


def _sign(e: Expr, box: dict[str, Interval], prec: int) -> int:
    try:
        return iv.sign_known(enclose(e, box, prec))
    except NoInformation:
        return 0


@lru_cache(maxsize=16)
def read_question(a: str, b: str, domain: str) -> Question:
    """A question from texts and a domain in JSON, remembered by the process that works on it."""
    return Question(parse(a), parse(b), box_from_json(json.loads(domain)))


def halves(cell: Cell, cut: int) -> tuple[Cell, Cell]:
    """The two parts of a cell.

    >>> halves(((0, 0), (1, 1)), 1)
    (((0, 0), (2, 2)), ((0, 0), (2, 3)))
    """
    level, index = cell[cut]
    low, high = ((*cell[:cut], (level + 1, 2 * index + i), *cell[cut + 1 :]) for i in (0, 1))
    return low, high


def share(cell: Cell) -> Fraction:
    """The part of the whole box that the cell takes.

    >>> share(((1, 0), (2, 3)))
    Fraction(1, 8)
    """
    return Fraction(1, 2 ** sum(level for level, _ in cell))
