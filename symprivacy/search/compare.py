"""compare: the certified sign chart of a - b on a range."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from symprivacy.errors import InputError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range, contains
from symprivacy.kernel.chart import Cell
from symprivacy.kernel.expr import Expr
from symprivacy.language.digits import require_digits
from symprivacy.language.text import to_text
from symprivacy.search.leaf import exact_sign
from symprivacy.search.roots import DEFAULT_TIMEOUT, DIGITS, Root, chart, decimal, root_of, short
from symprivacy.shown import Shown

_SIGNS = {1: ">", -1: "<", 0: "="}


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the range on which one of ``<  =  >`` holds everywhere, or ``?`` if nothing is known."""

    range: Range
    sign: str

    def to_json(self) -> dict[str, Any]:
        """The stable JSON form; end points are decimals where they have one, otherwise exact."""
        interval = self.range.to_json()
        for i, end in enumerate((self.range.lo, self.range.hi)):
            if end is not None and end.op == "num" and x.rational(end).denominator > 10**6:
                interval[i] = decimal(x.rational(end))
        return {"interval": interval, "sign": self.sign}


@dataclass(frozen=True, slots=True)
class SignChart(Shown):
    """Where a < b, a = b and a > b.

    ``pieces`` come from left to right. ``=`` stands for parts on which both sides are identical. An isolated
    point of equality is a crossing if the sign changes there, else (or at an end of the range) a touch; between
    a piece and a crossing without a name there is only the enclosure of the crossing. ``jumps`` are points at
    which the order changes without equality, since a side is not continuous.
    """

    pieces: tuple[Piece, ...]
    crossings: tuple[Root, ...]
    touches: tuple[Root, ...]
    jumps: tuple[Expr, ...]
    complete: bool
    certificate: dict[str, Any] = field(repr=False)
    reason: str = ""

    def where(self, sign: str) -> Any:
        """The sympy set on which ``<``, ``=`` or ``>`` is certified (``?``: where nothing is known).

        Isolated points of equality are in ``crossings`` and ``touches``, not here.

        >>> from symprivacy import compare
        >>> compare("x**2", "x", "x in [0, 3]").where(">")
        Interval.Lopen(1, 3)
        """
        import sympy

        from symprivacy.language.bridge import range_to_sympy

        if sign not in ("<", "=", ">", "?"):
            raise InputError(f"the sign is one of < = > ?, got {sign!r}")
        return sympy.Union(*(range_to_sympy(p.range) for p in self.pieces if p.sign == sign))

    def to_json(self) -> dict[str, Any]:
        """The stable JSON form."""
        data: dict[str, Any] = {"pieces": [p.to_json() for p in self.pieces]}
        for key, found in (("crossings", self.crossings), ("touches", self.touches)):
            data[key] = [r.to_json() for r in found]
        data["jumps"] = [decimal(x.rational(c)) if c.op == "num" else to_text(c) for c in self.jumps]
        return {**data, "complete": self.complete, **({"reason": self.reason} if self.reason else {})}


def compare(
    a: Expr,
    b: Expr,
    var: str,
    r: Range,
    digits: int = DIGITS,
    timeout: float | None = DEFAULT_TIMEOUT,
) -> SignChart:
    """The certified sign chart of a - b.

    >>> from symprivacy.language.domain import make_range
    >>> from symprivacy.language.text import parse
    >>> found = compare(parse("1/2 - 1/(exp(x) + 1)"), parse("x/6"), "x", make_range("0", "5", True, False), digits=8)
    >>> [(p.sign, str(p.range)) for p in found.pieces]
    [('>', '(0, 25756789/10000000]'), ('<', '[2575679/1000000, 5]')]
    >>> found.crossings[0].to_json()
    {'lo': '2.5756789', 'hi': '2.575679', 'multiplicity': 1}
    """
    require_digits(digits)
    certificate, cells, reason = chart(a, b, var, r, timeout)
    scan = _Scan(digits, var)
    for cell in cells:
        scan.add(cell)
    scan.settle(0)
    remarks = [reason] if reason else []
    remarks += [f"no real value {short(c.range)}" for c in cells if c.kind == "undefined"]
    complete = all(p.sign != "?" for p in scan.pieces)
    groups = (tuple(scan.crossings), tuple(scan.touches), tuple(scan.jumps))
    return SignChart(tuple(scan.pieces), *groups, complete, certificate, "; ".join(remarks))


class _Scan:
    """Reads verified cells from left to right and joins what belongs together."""

    def __init__(self, digits: int, var: str) -> None:
        self.digits, self.var = digits, var
        self.pieces: list[Piece] = []
        self.crossings: list[Root] = []
        self.touches: list[Root] = []
        self.jumps: list[Expr] = []
        self.pending: tuple[Root, int] | None = None
        self.joined = False

    def add(self, cell: Cell) -> None:
        """One more cell."""
        match cell.kind:
            case "root":
                self._root(cell)
            case "zero" if cell.range.is_point():
                before = self._last_sign() if self.joined else 0
                self.settle(0)
                self.pending, self.joined = (root_of(cell, self.var).refine(self.digits), before), False
            case "zero":
                self._extend(cell.range, "=")
            case "sign":
                self._extend(cell.range, _SIGNS[cell.left])
            case _:
                self._extend(cell.range, "?")

    def _last_sign(self) -> int:
        return {">": 1, "<": -1}.get(self.pieces[-1].sign, 0) if self.pieces else 0

    def settle(self, after: int) -> None:
        """Sort the equality that was met last, now that the sign behind it is known."""
        if self.pending is not None:
            root, before = self.pending
            (self.crossings if before * after == -1 else self.touches).append(root)
            self.pending = None

    def _extend(self, r: Range, sign: str) -> None:
        last = self.pieces[-1] if self.pieces else None
        if self.pending is not None:
            self.settle({">": 1, "<": -1}.get(sign, 0))
        elif last is not None and self.joined:
            if last.sign == sign:
                self.pieces[-1] = Piece(Range(last.range.lo, r.hi, last.range.lo_open, r.hi_open), sign)
                return
            if {last.sign, sign} == {"<", ">"} and r.lo is not None:
                self.jumps.append(r.lo)
        self.pieces.append(Piece(r, sign))
        self.joined = True

    def _root(self, cell: Cell) -> None:
        r, root = cell.range, root_of(cell, self.var).refine(self.digits)
        lo, hi = (root.exact, root.exact) if root.exact is not None else (x.num(root.lo), x.num(root.hi))
        if root.exact is None and not (contains(r, lo) and contains(r, hi)):
            # Rounding outward has left the cell, whose sign is all that is known here.
            root = root_of(cell, self.var)
            lo, hi = x.num(root.lo), x.num(root.hi)
        named = root.exact is not None
        if not _same(lo, r.lo):
            self._extend(Range(r.lo, lo, r.lo_open, named), _SIGNS[cell.left])
            before = cell.left
        else:
            before = 0
            self.settle(0)
        self.pending, self.joined = (root, before), False
        if not _same(hi, r.hi):
            self._extend(Range(hi, r.hi, named, r.hi_open), _SIGNS[cell.right])


def _same(number: Expr, end: Expr | None) -> bool:
    """Whether a root is the end of its cell, also where the two are written differently."""
    return end is not None and (number is end or exact_sign(x.sub(number, end)) == 0)
