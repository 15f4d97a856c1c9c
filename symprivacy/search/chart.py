"""Build chart certificates: guess the roots, surround each by a root cell, prove the signs between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from symprivacy.algebra.normal import algebra_on
from symprivacy.errors import SymPrivacyError, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range, range_to_data
from symprivacy.kernel.calculus import diff
from symprivacy.kernel.chart import MAX_ORDER
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.search.builder import Builder
from symprivacy.search.effort import OutOfEffortError
from symprivacy.search.factors import Factored, factor
from symprivacy.search.floats import nearest
from symprivacy.search.guess import Place, around, places, sign_at
from symprivacy.search.leaf import Proof, exact_sign
from symprivacy.search.sampling import simple_between

CellData = dict[str, Any]
_SHRINKS = 24
_ROUNDS = 4


def unknown(r: Range) -> CellData:
    """A cell that claims nothing."""
    return {"kind": "unknown", "interval": range_to_data(r)}


def zero_cell(b: Builder, e: Expr, r: Range) -> CellData | None:
    """A cell on which the expression is 0 everywhere, if that can be proved."""
    proofs = [b.proof(e, False, r), b.proof(x.neg(e), False, r)]
    return {"kind": "zero", "interval": range_to_data(r), "proofs": proofs} if None not in proofs else None


def sign_cell(b: Builder, e: Expr, r: Range, sign: int) -> CellData:
    """A cell of one sign, or an unknown one."""
    found = b.prove(e if sign == 1 else x.neg(e), True, r)
    return _sign_data(r, sign, found) if isinstance(found, dict) else unknown(r)


def _sign_data(r: Range, sign: int, proof: Proof) -> CellData:
    return {"kind": "sign", "interval": range_to_data(r), "sign": sign, "proof": proof}


def smooth_cells(b: Builder, e: Expr, r: Range) -> list[CellData]:
    """Cells for an expression without kinks that is defined on the range."""
    if not e.variables:
        sign = exact_sign(e)
        return [sign_cell(b, e, r, sign) if sign else zero_cell(b, e, r) or unknown(r)]
    algebra = algebra_on({b.name: r})
    try:
        if algebra.is_zero(e):
            return [zero_cell(b, e, r) or unknown(r)]
        factored = factor(e, algebra)
    except UnsupportedError:
        factored = None
    factors = [(e, 1)]
    if factored is not None:
        factors = [(g, k) for g, k in factored.factors if g.variables and k > 0]
    more: set[Fraction] = set()
    cells: list[CellData] = []
    for _ in range(_ROUNDS):
        try:
            roots = _gather(b, [(g, k, p) for g, k in factors for p in places(g, b.name, r, b.effort, more)])
        except OutOfEffortError:
            return cells or [unknown(r)]
        cells = _assemble(b, e, r, roots, factored)
        missed = {c.pop("missed") for c in cells if "missed" in c} - more
        if not missed or b.effort.over:
            break
        # The prover met a point of the other sign: there are roots that the samples did not show.
        more |= missed
    return cells


@dataclass(frozen=True, slots=True)
class _Root:
    place: Place
    factors: tuple[tuple[Expr, int], ...]


def _gather(b: Builder, found: list[tuple[Expr, int, Place]]) -> list[_Root]:
    """Zeros of all factors in order; factors with the same exact zero go together."""
    roots: list[_Root] = []
    for g, k, place in sorted(found, key=lambda t: (t[2].lo, t[2].hi)):
        for i, other in enumerate(roots):
            c, d = place.exact, other.place.exact
            if c is None or d is None or place.lo > other.place.hi:
                continue
            if c is d or exact_sign(x.sub(c, d)) == 0:
                roots[i] = _Root(other.place, (*other.factors, (g, k)))
                break
        else:
            roots.append(_Root(place, ((g, k),)))
    return roots


def _assemble(b: Builder, e: Expr, r: Range, roots: list[_Root], factored: Factored | None) -> list[CellData]:
    cells: list[CellData] = []
    start, start_open = r.lo, r.lo_open
    for i, root in enumerate(roots):
        before = roots[i - 1].place.hi if i else None
        after = roots[i + 1].place.lo if i + 1 < len(roots) else None
        for cell, part in _root_cells(b, e, r, root, before, after, factored):
            # A cell that begins where the one before it ends leaves that point to it.
            if not (part.lo is start and start_open == part.lo_open):
                if part.lo is start:
                    part = Range(part.lo, part.hi, start_open, part.hi_open)
                    cell["interval"] = range_to_data(part)
                else:
                    cells += _gap(b, e, Range(start, part.lo, start_open, not part.lo_open))
            cells.append(cell)
            start, start_open = part.hi, not part.hi_open
    if start is None or start is not r.hi or not (start_open or r.hi_open):
        cells += _gap(b, e, Range(start, r.hi, start_open, r.hi_open))
    return cells


def _gap(b: Builder, e: Expr, r: Range, depth: int = 0) -> list[CellData]:
    """Cells of one sign for a range without known roots."""
    inside = inner_point(r)
    sign = sign_at(e, b.name, inside)
    if not sign:
        return [unknown(r)]
    found = b.prove(e if sign == 1 else x.neg(e), True, r)
    if isinstance(found, dict):
        return [_sign_data(r, sign, found)]
    if found is not None:
        cell = unknown(r)
        cell["missed"] = around(found)[0]
        return [cell]
    if depth < 3 and not b.effort.over:
        at = x.num(inside)
        low = _gap(b, e, Range(r.lo, at, r.lo_open, False), depth + 1)
        return low + _gap(b, e, Range(at, r.hi, True, r.hi_open), depth + 1)
    return [unknown(r)]


def inner_point(r: Range) -> Fraction:
    """A number inside a range."""
    lo = None if r.lo is None else around(r.lo)[1]
    hi = None if r.hi is None else around(r.hi)[0]
    if lo is not None and hi is not None:
        return simple_between(lo, hi) if lo < hi else lo
    if lo is not None:
        return lo + max(Fraction(1), abs(lo))
    return hi - max(Fraction(1), abs(hi)) if hi is not None else Fraction(1)


def _root_cells(
    b: Builder,
    e: Expr,
    r: Range,
    root: _Root,
    before: Fraction | None,
    after: Fraction | None,
    factored: Factored | None,
) -> Iterator[tuple[CellData, Range]]:
    """The widest root cell that one enclosure allows; else the point alone, or an unknown cell around it."""
    whole, k, h = _split_off(e, root, factored)
    place = root.place
    order = _order(whole, b.name, place.exact)
    for j, part in enumerate(_ranges_around(r, place, before, after) if order else ()):
        cell = root_cell(b, e, part, whole, k, h, place, order, hard=j in (1, 4, 9))
        if cell is not None:
            yield cell, part
            return
        if b.effort.over:
            break
    if place.exact is not None:
        part = Range(place.exact, place.exact)
        yield zero_cell(b, e, part) or unknown(part), part
        return
    b.note(f"a root near {nearest(place.lo):.15g} is not shown to be simple, and has no name")
    width = (place.hi - place.lo) or abs(place.lo) / 10**30 or Fraction(1, 10**30)
    part = Range(x.num(place.lo - width), x.num(place.hi + width))
    yield unknown(part), part


def _split_off(e: Expr, root: _Root, factored: Factored | None) -> tuple[Expr, int, Expr | None]:
    """g, k, h with e = h * g**k, where g has what vanishes at the root."""
    if factored is None:
        return e, 1, None
    if len(root.factors) == 1:
        ((g, k),) = root.factors
    else:
        g, k = x.mul(*(x.power(f, x.num(n)) for f, n in root.factors)), 1
    if g is e and k == 1:
        return g, k, None
    own = {f for f, _ in root.factors}
    rest = [x.power(f, x.num(n)) for f, n in factored.factors if f not in own]
    return g, k, x.mul(x.num(factored.coefficient), *rest)


def _order(g: Expr, name: str, c: Expr | None) -> int:
    """The number of the first derivative that does not vanish at the point, 1 if the point is not exact, 0 if none."""
    if c is None:
        return 1
    derivative = g
    for order in range(1, MAX_ORDER + 1):
        try:
            derivative = diff(derivative, name)
            sign = exact_sign(x.substitute(derivative, {name: c}))
        except SymPrivacyError:
            return 0
        if sign is None or sign:
            return order if sign else 0
    return 0


def _ranges_around(r: Range, place: Place, before: Fraction | None, after: Fraction | None) -> Iterator[Range]:
    """Ever shorter ranges around a root, the first reaching to the ends of the range or halfway to the next root."""
    unit = max(abs(place.lo), abs(place.hi)) or Fraction(1)
    sides: list[tuple[Fraction, Expr | None, bool, bool]] = []
    low, high = (r.lo, r.lo_open, before, place.lo, -1), (r.hi, r.hi_open, after, place.hi, 1)
    for end, is_open, other, at, way in (low, high):
        if end is not None and place.exact is end:
            sides.append((Fraction(0), end, is_open, True))
        elif other is not None:
            sides.append((abs(other - at) / 2, None, False, False))
        elif end is not None:
            sides.append((way * (around(end)[0 if way == 1 else 1] - at), end, is_open, False))
        else:
            sides.append((4 * unit, None, False, False))
    for j in range(_SHRINKS):
        ends: list[tuple[Expr | None, bool]] = []
        for (reach, end, is_open, fixed), at, way in zip(sides, (place.lo, place.hi), (-1, 1), strict=True):
            if fixed or (j == 0 and end is not None):
                ends.append((end, is_open))
                continue
            distance = reach / 3**j
            near, far = sorted((at + way * distance * Fraction(3, 5), at + way * distance * Fraction(9, 10)))
            ends.append((x.num(simple_between(near, far)), False))
        (lo, lo_open), (hi, hi_open) = ends
        yield Range(lo, hi, lo_open, hi_open)


def root_cell(
    b: Builder,
    e: Expr,
    r: Range,
    g: Expr,
    k: int,
    h: Expr | None,
    place: Place,
    order: int,
    hard: bool,
) -> CellData | None:
    """A cell around one root of e = h * g**k, if g's derivative of this order has one sign there."""
    derivative = g
    for _ in range(order):
        derivative = diff(derivative, b.name)
    slope = sign_at(derivative, b.name, inner_point(r))
    if not slope:
        return None
    proof = b.quick_proof(derivative if slope == 1 else x.neg(derivative), r, hard)
    if proof is None:
        return None
    cell: CellData = {"kind": "root", "interval": range_to_data(r), "factor": to_data(g), "power": k, "order": order}
    cell |= {"slope": slope, "proof": proof}
    smooth = b.requirements(g, r, smooth=True)
    if smooth is None:
        return None
    cell |= smooth
    if h is not None:
        sign = sign_at(h, b.name, inner_point(r)) if h.variables else exact_sign(h)
        found = b.quick_proof(h if sign == 1 else x.neg(h), r, hard) if sign else None
        defined, smooth = b.requirements(e, r, smooth=False), b.requirements(h, r, smooth=True)
        if found is None or defined is None or smooth is None:
            return None
        cell |= {"cofactor": to_data(h), "cofactor_sign": sign, "cofactor_proof": found, **defined}
        cell |= {f"cofactor_{key}": value for key, value in smooth.items()}
    if place.exact is not None:
        return {**cell, "at": to_data(place.exact)}
    return {**cell, "lo": to_data(x.num(place.lo)), "hi": to_data(x.num(place.hi))}
