"""Cut a range where an Abs, Min, Max or Piecewise changes its case, and where an expression has no value."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from symprivacy.algebra.normal import algebra_on
from symprivacy.errors import NoInformation, SymPrivacyError, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import Range, intervals, range_from_data, range_to_data
from symprivacy.kernel.calculus import requirements
from symprivacy.kernel.data import from_data, to_data
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import KINKED, Expr
from symprivacy.kernel.rules import Goal, cases, conditions_of
from symprivacy.search.builder import Builder
from symprivacy.search.chart import (
    CellData,
    inner_point,
    root_cell,
    sign_cell,
    smooth_cells,
    unknown,
    zero_cell,
)
from symprivacy.search.factors import factor
from symprivacy.search.guess import Place, around, sign_at, sure_sign
from symprivacy.search.leaf import Proof, exact_sign
from symprivacy.search.sampling import simple_between

_FINEST = Fraction(1, 10**25)


def cells_of(b: Builder, e: Expr, r: Range) -> list[CellData]:
    """Cells that cover the range; what could not be decided is in cells of kind ``unknown``."""
    with b.deeper(e) as allowed:
        return _cells_of(b, e, r) if allowed else [unknown(r)]


def _cells_of(b: Builder, e: Expr, r: Range) -> list[CellData]:
    node = next((n for n in x.subexpressions(e) if n.op in KINKED), None)
    if node is not None:
        return by_branches(b, e, r, node)
    if r.is_point():
        return [_point_cell(b, e, r)]
    return by_domain(b, e, r) or smooth_cells(b, e, r)


def _point_cell(b: Builder, e: Expr, r: Range) -> CellData:
    sign = _sign_in(e, b.name, r)
    if sign == 0:
        return zero_cell(b, e, r) or unknown(r)
    return sign_cell(b, e, r, sign) if sign else unknown(r)


def _flat(cells: list[CellData]) -> Iterator[CellData]:
    for c in cells:
        if c["kind"] == "branch":
            yield from _flat(c["cells"])
        else:
            yield c


def _cuts(cells: list[CellData], margin: Fraction | None = None) -> list[Range]:
    """Where the sign of a condition may change: points, and short ranges around zeros without a name.

    With a margin such a range reaches so far beyond what is known of the zero, if its cell allows.
    """
    result = []
    for c in cells:
        part = range_from_data(c["interval"])
        if c["kind"] == "root" and "at" in c:
            at = from_data(c["at"])
            result.append(Range(at, at))
        elif c["kind"] == "root":
            lo, hi = (from_data(c[key]) for key in ("lo", "hi"))
            if margin is not None:
                lo = _stretch(lo, part.lo, -min(margin, abs(x.rational(lo)) or margin))
                hi = _stretch(hi, part.hi, min(margin, abs(x.rational(hi)) or margin))
            result.append(Range(lo, hi))
        elif c["kind"] == "zero":
            result += [Range(end, end) for end in (part.lo, part.hi) if end is not None]
        elif c["kind"] != "sign":
            result.append(part)
    return result


def _stretch(end: Expr, limit: Expr | None, by: Fraction) -> Expr:
    """A short number beyond an end, before the limit."""
    at, far = x.rational(end), x.rational(end) + by
    if limit is not None:
        bound = (around(limit)[0 if by > 0 else 1] + at) / 2
        far = min(far, bound) if by > 0 else max(far, bound)
    low, high = sorted((at + (far - at) / 2, far))
    return x.num(simple_between(low, high)) if low < high else end


def segments(r: Range, cuts: list[Range]) -> list[Range]:
    """The range cut at points (each a part of its own) and at short ranges, in order."""
    ordered: list[Range] = []
    for c in sorted(cuts, key=lambda c: (_low(c), _high(c))):
        if ordered and ((c.lo is ordered[-1].lo and c.is_point()) or _inside(c, ordered[-1])):
            continue
        if ordered and _low(c) < _high(ordered[-1]):
            # What is unknown of two conditions may overlap.
            c = Range(ordered[-1].lo, c.hi, ordered.pop().lo_open, c.hi_open)
        ordered.append(c)
    parts: list[Range] = []
    at, at_open = r.lo, r.lo_open
    for c in ordered:
        at_start, at_end = c.lo is at, c.hi is r.hi
        if c.is_point() and ((at_start and at_open) or (at_end and r.hi_open)):
            # The point itself is not in what is left.
            continue
        if not at_start:
            parts.append(Range(at, c.lo, at_open, not c.lo_open))
        c = Range(c.lo, c.hi, at_open if at_start else c.lo_open, r.hi_open if at_end else c.hi_open)
        parts.append(c)
        at, at_open = c.hi, not c.hi_open
        if at_end:
            return parts
    return [*parts, Range(at, r.hi, at_open, r.hi_open)]


def _low(r: Range) -> Fraction:
    lo, _, _, _ = r.interval(200)
    return iv.to_fraction(lo) if iv.is_finite(lo) else Fraction(-(2**2000))


def _high(r: Range) -> Fraction:
    _, hi, _, _ = r.interval(200)
    return iv.to_fraction(hi) if iv.is_finite(hi) else Fraction(2**2000)


def _inside(a: Range, b: Range) -> bool:
    return _low(b) <= _low(a) and _high(a) <= _high(b)


def by_branches(b: Builder, e: Expr, r: Range, node: Expr) -> list[CellData]:
    """Cut at the kinks of one node; on each part put in the case that holds there."""
    differences = {u for c in cases(Goal(e, True, {b.name: r}), node) for u, _ in c.given}
    cuts: list[Range] = []
    seen: set[Expr] = set()
    margin = _width(r) / 2**20
    for u in sorted(differences, key=lambda u: u.rank):
        if u.variables and not r.is_point() and x.neg(u) not in seen:
            cuts += _cuts(list(_flat(cells_of(b, u, r))), margin)
        seen |= {u, x.neg(u)}
    cells: list[CellData] = []
    for part in segments(r, cuts) if not r.is_point() else [r]:
        cell = _branch(b, e, part, node)
        cells += [cell] if cell is not None else _unresolved(b, e, part, node, r)
    return cells


def _width(r: Range) -> Fraction:
    """The width of a range, 1 if it is infinite."""
    return Fraction(1) if r.lo is None or r.hi is None else around(r.hi)[1] - around(r.lo)[0]


def _unresolved(b: Builder, e: Expr, r: Range, node: Expr, whole: Range) -> list[CellData]:
    """Around a kink without a name the case is open, but the sign may be clear."""
    folded = _folded_root(b, e, r)
    if folded is not None:
        return [folded]
    sign = sign_at(e, b.name, inner_point(r))
    proof = b.quick_proof(e if sign == 1 else x.neg(e), r, hard=False) if sign else None
    if proof is not None:
        return [{"kind": "sign", "interval": range_to_data(r), "sign": sign, "proof": proof}]
    if _width(r) * 16 < _width(whole) and _width(r) > _FINEST:
        # A root of the function near the kink: look closer.
        return by_branches(b, e, r, node)
    return [sign_cell(b, e, r, sign)] if sign else [zero_cell(b, e, r) or unknown(r)]


def _folded_root(b: Builder, e: Expr, r: Range) -> CellData | None:
    """A root of h * abs(g)**k at a zero of g that has no name."""
    factored = factor(e, algebra_on({b.name: r}))
    if factored is None:
        return None
    for f, k in factored.factors:
        if f.op != "abs" or k < 1 or r.lo is None or r.hi is None or r.lo.op != "num" or r.hi.op != "num":
            continue
        (g,) = f.args
        lo, hi = x.rational(r.lo), x.rational(r.hi)
        if (sure_sign(g, b.name, lo) or 0) * (sure_sign(g, b.name, hi) or 0) == -1:
            others = [x.power(u, x.num(n)) for u, n in factored.factors if u is not f]
            rest = None if f is e else x.mul(x.num(factored.coefficient), *others)
            cell = root_cell(b, e, r, g, k, rest, Place(lo, hi), 1, hard=True)
            return {**cell, "factor": to_data(f)} if cell is not None else None
    return None


def _branch(b: Builder, e: Expr, r: Range, node: Expr) -> CellData | None:
    defined = []
    for c in conditions_of(node):
        found = b.requirements(c, r, smooth=False)
        if found is None:
            return None
        defined.append(found.get("defined"))
    for i, case in enumerate(cases(Goal(e, True, {b.name: r}), node)):
        if any(_sign_in(u, b.name, r) == -1 for u, _ in case.given):
            continue
        proofs: list[Proof] = []
        for u, strict in case.given:
            proof = b.proof(u, strict, r)
            if proof is None:
                break
            proofs.append(proof)
        else:
            data: CellData = {"kind": "branch", "interval": range_to_data(r), "of": to_data(node), "case": i}
            return {**data, "defined": defined, "proofs": proofs, "cells": cells_of(b, case.expr, r)}
    return None


def _sign_in(u: Expr, name: str, r: Range) -> int | None:
    if r.is_point() and r.lo is not None:
        return exact_sign(x.substitute(u, {name: r.lo}))
    try:
        return sign_at(u, name, inner_point(r), 320)
    except SymPrivacyError:
        return None


def by_domain(b: Builder, e: Expr, r: Range) -> list[CellData] | None:
    """Cut where the expression ceases to have a value; None if it has one everywhere."""
    try:
        needs = requirements(e)
    except UnsupportedError:
        return None
    for i, (u, need) in enumerate(needs):
        if not u.variables or _evident(u, need, b.name, r):
            continue
        inner = list(_flat(cells_of(b, u, r)))
        if all(_allowed(c, need) for c in inner):
            continue
        cells: list[CellData] = []
        for part in segments(r, _cuts(inner)):
            sign = _sign_in(u, b.name, part)
            if sign is None or part == r:
                # Nothing is gained by the same question on the same range.
                cells.append(unknown(part))
            elif sign == 1 or (need == "!= 0" and sign) or (need == ">= 0" and sign == 0):
                cells += cells_of(b, e, part)
            else:
                cells.append(_undefined(b, u, need, i, part) or unknown(part))
        return cells
    return None


def _evident(u: Expr, need: str, name: str, r: Range) -> bool:
    try:
        value = enclose(u, intervals({name: r}, 53), 53)
    except NoInformation:
        return False
    sign = iv.sign_known(value)
    return sign == 1 or (need == "!= 0" and sign == -1) or (need == ">= 0" and iv.is_nonnegative(value))


def _allowed(cell: CellData, need: str) -> bool:
    if cell["kind"] == "sign":
        return bool(cell["sign"] == 1 or need == "!= 0")
    return bool(cell["kind"] == "zero" and need == ">= 0")


def _undefined(b: Builder, u: Expr, need: str, index: int, r: Range) -> CellData | None:
    wanted = [(u, False), (x.neg(u), False)] if need == "!= 0" else [(x.neg(u), need == ">= 0")]
    proofs = [b.proof(v, strict, r) for v, strict in wanted]
    if None in proofs:
        return None
    return {"kind": "undefined", "interval": range_to_data(r), "requirement": index, "proofs": proofs}
