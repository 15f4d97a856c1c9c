"""First a quick look: the corners and a plain subdivision in floating point, before any algebra or calculus.

Where there is room between both sides this settles most statements; what touches is left to the rest of the search.
Everything found here is a claim: data for a certificate, which the checker accepts or not.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from math import inf, nextafter
from typing import Any

from symprivacy.errors import SymPrivacyError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Box, Range
from symprivacy.kernel.data import to_data
from symprivacy.kernel.enclose import program
from symprivacy.kernel.rules import Goal, check_goal
from symprivacy.search.effort import Effort
from symprivacy.search.float_enclosures import Span, around, least, slopes, span
from symprivacy.search.leaf import Proof
from symprivacy.search.sampling import float_ends
from symprivacy.search.squares import by_squares

# Parts of a subdivision in one and in several variables, and how often a part may have been cut.
PARTS, DEEPEST = 100, 100
MANY_PARTS, DEEPEST_OF_MANY = 1000, 14
# Parts where a subdivision is a step of a longer proof.
FEW_PARTS, FEW_OF_MANY, _SHORT_ENOUGH = 40, 200, 80
_MOST_CORNERS = 8
# Parts that are looked at where both sides meet.
_POINTS = 6
# Parts that are looked at before derivatives are formed.
_PLAIN = 3
# Derivatives of longer expressions are not formed at all.
_LONGEST = 400
# Operations in floating point: long expressions get fewer parts.
_WORK = 400_000
# Parts that are as short as this, relative to where they are, are left alone: floats end there.
_SHORT = 1e-14


def claims(goal: Goal, effort: Effort | None = None) -> Iterator[Proof]:
    """Ways to settle a statement with this goal, the quickest first: fields of a certificate.

    >>> from symprivacy.language.domain import box_from_texts
    >>> from symprivacy.language.text import parse
    >>> next(claims(Goal(parse("1 - x"), True, box_from_texts(["x in [0, 2]"]))))
    {'verdict': 'refuted', 'at': {'x': 2}}
    >>> next(claims(Goal(parse("exp(x) - x"), True, box_from_texts(["x in [1, 3]"]))))["proofs"]
    [{'by': 'split', 'var': 'x', 'at': 2, 'low': {'by': 'box'}, 'high': {'by': 'box'}}]
    """
    if any(r.lo is None or r.hi is None for r in goal.box.values()):
        return
    whole = {n: _ends(r) for n, r in goal.box.items()}
    if any(math.isinf(end) for ends in whole.values() for end in ends):
        return
    touches = False
    for corner, taken in _corners(goal.box):
        value = span(goal.expr, {n: around(v) for n, v in corner.items()})
        if value is not None and value[0] <= 0:
            if taken and (value[1] < 0 or goal.strict):
                yield _refutation({n: to_data(x.num(v)) for n, v in corner.items()})
            touches = touches or value[1] >= 0
    # Where both sides meet no enclosure decides, so there is nothing to find but a point or two.
    variables = len(goal.expr.variables)
    parts, deepest = (PARTS, DEEPEST) if variables < 2 else (MANY_PARTS, DEEPEST_OF_MANY)
    parts = min(parts, _POINTS if touches and variables else max(_POINTS, _WORK // len(program(goal.expr))))
    squares = by_squares(goal) if variables > 1 else None
    if squares is not None:
        yield {"verdict": "proved", "proofs": [squares]}
    yield from _subdivide(goal, whole, parts, deepest, effort or Effort())


def by_room(goal: Goal, effort: Effort) -> Proof | None:
    """A proof by a plain subdivision into few parts, where there is room between a goal and zero at all corners.

    >>> from symprivacy.language.domain import box_from_texts
    >>> from symprivacy.language.text import parse
    >>> by_room(Goal(parse("2 + x*y - x"), True, box_from_texts(["x in [0, 2]", "y in [1/2, 3]"])), Effort())["by"]
    'split'
    """
    if goal.given or not goal.expr.variables or any(r.lo is None or r.hi is None for r in goal.box.values()):
        return None
    whole = {n: _ends(r) for n, r in goal.box.items() if n in goal.expr.variables}
    if any(math.isinf(end) for ends in whole.values() for end in ends):
        return None
    for corner in itertools.islice(itertools.product(*whole.values()), _MOST_CORNERS):
        value = span(goal.expr, {n: (v, v) for n, v in zip(whole, corner, strict=True)})
        if value is None or value[0] <= 0:
            return None
    parts = FEW_PARTS if len(whole) < 2 else FEW_OF_MANY
    length = len(program(goal.expr))
    if length > _SHORT_ENOUGH:
        return None
    found = next(_subdivide(goal, whole, parts, DEEPEST_OF_MANY, effort, 1 + length // 4), None)
    if found is None or found["verdict"] != "proved":
        return None
    proof: Proof = found["proofs"][0]
    try:
        # Floating point and the checker round in their own ways.
        check_goal(goal, proof)
    except SymPrivacyError:
        return None
    return proof


def _refutation(at: dict[str, Any]) -> Proof:
    return {"verdict": "refuted", "at": at}


def _ends(r: Range) -> Span:
    lo, hi = r.lo, r.hi
    if lo is not None and hi is not None and lo.op == hi.op == "num":
        return around(x.rational(lo))[0], around(x.rational(hi))[1]
    low, high = float_ends(r)
    return nextafter(low, -inf), nextafter(high, inf)


def _corners(box: Box) -> Iterator[tuple[dict[str, Fraction], bool]]:
    """Rational corners, each with whether it belongs to the box: people like to read of those."""
    columns = []
    for r in box.values():
        ends = ((r.lo, r.lo_open), (r.hi, r.hi_open))
        columns.append([(x.rational(e), is_open) for e, is_open in ends if e is not None and e.op == "num"])
    for corner in itertools.islice(itertools.product(*columns), _MOST_CORNERS):
        yield {n: v for n, (v, _) in zip(box, corner, strict=True)}, not any(is_open for _, is_open in corner)


def _subdivide(
    goal: Goal, whole: dict[str, Span], parts: int, deepest: int, effort: Effort, cost: int = 1
) -> Iterator[Proof]:
    """Cut the box until every part is decided; a middle at which the goal fails is claimed on the way."""
    e, strict = goal.expr, goal.strict
    proof: Proof = {}
    stack = [(whole, proof, 0)]
    plain = _PLAIN if len(program(e)) <= _LONGEST else parts + 1
    for count in itertools.count():
        if not stack:
            yield {"verdict": "proved", "proofs": [proof]}
            return
        part, node, depth = stack.pop()
        effort.spend(cost)
        value = span(e, part)
        if value is not None and (value[0] > 0 or (value[0] == 0 and not strict)):
            node["by"] = "box"
            continue
        middle = {n: _between(*ends) for n, ends in part.items()}
        here = span(e, {n: (v, v) for n, v in middle.items()})
        if here is not None and (here[1] < 0 or (here[0] <= 0 and strict)):
            yield _refutation({n: _data(v) for n, v in middle.items()})
            return
        rise = slopes(e, part) if count >= plain and value is not None else None
        if rise is not None:
            low = least(e, part, rise)
            if low > 0 or (low == 0 and not strict):
                node["by"] = "mean"
                continue
        name = max(sorted(e.variables), key=lambda n: _influence(part[n], rise[n] if rise else None), default=None)
        if name is None or count > parts or depth > deepest:
            return
        (lo, hi), at = part[name], middle[name]
        if not hi - lo > _SHORT * max(abs(lo), abs(hi)):
            return
        low_node: Proof = {}
        high_node: Proof = {}
        node.update(by="split", var=name, at=_data(at), low=low_node, high=high_node)
        stack += [({**part, name: (at, hi)}, high_node, depth + 1), ({**part, name: (lo, at)}, low_node, depth + 1)]


def _influence(ends: Span, slope: Span | None) -> float:
    """How much an expression may change along a range; how long the range is if nothing is known."""
    width = ends[1] - ends[0]
    return width if slope is None else width * max(-slope[0], slope[1])


def _between(lo: float, hi: float) -> float:
    """A short number near the middle; near the geometric middle of a long range."""
    if lo > 0 and hi > 16 * lo:
        return 2.0 ** round((math.log2(lo) + math.log2(hi)) / 2)
    if hi < 0 and lo < 16 * hi:
        return -_between(-hi, -lo)
    middle, step = lo / 2 + hi / 2, (hi - lo) / 4
    if not 0 < step < inf:
        return middle
    # A multiple of the greatest power of two below a quarter of the range.
    unit = 2.0 ** (math.frexp(step)[1] - 1)
    return round(middle / unit) * unit


def _data(v: float) -> Any:
    return to_data(x.num(Fraction(v)))
