"""What a definition bounds: the few kinds by which closed forms are looked up, computed from the record.

A mean of f is known by the curvature f'': an f-divergence is the mean of hockey-sticks over thresholds t with weights
f''(t), so two functions with proportional curvatures bound the same thing. With both orders bounded, r f(1/r) does as
well as f; its curvature is f''(1/r)/r**3.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING

from sympy import Abs, Add, Expr, Lambda, Max, Rational, S, Symbol, cancel, diff, simplify

from symprivacy.notions.symbols import R

if TYPE_CHECKING:
    from symprivacy.notions.record import Notion


class Kind(Enum):
    """What a notion bounds.

    >>> from symprivacy.notions import get
    >>> get("SP").kind.name, get("ADP").kind.name, get("HELL2").kind.name
    ('RATIO', 'STICK', 'HELLINGER')
    """

    RATIO = "the likelihood ratio, or posteriors"
    WIDTH = "the width of the log ratio"
    STICK = "the hockey-stick at a threshold"
    TAIL = "the mass beyond a threshold"
    VARIATION = "the total variation"
    KULLBACK = "the mean of r log r"
    CHI_SQUARE = "the mean of (r - 1)**2"
    HELLINGER = "the mean of (1 - sqrt(r))**2"
    JENSEN = "the Jensen-Shannon divergence"
    TRIANGULAR = "the mean of (r - 1)**2/(r + 1)"
    POWER = "the mean of a power of r"
    BELOW = "the mean of a power of r below one"
    MEAN = "the mean of another function of r"
    ORDERS = "the means of all powers at once"
    TRUNCATED = "the means of all powers up to an order"
    CURVE = "the trade-off curve of tests"
    LOSS = "the mean and the width of the log ratio"
    UNIFORM = "posteriors under the uniform prior on m secrets"
    LEAKAGE = "the largest likelihoods of m secrets"
    OTHER = "what no closed form is about"

    @property
    def slack(self) -> bool:
        """Whether disjoint outputs of a small mass are all that it allows beside bounded ratios."""
        return self in (Kind.STICK, Kind.TAIL, Kind.VARIATION)

    @property
    def threshold(self) -> bool:
        """Whether it asks how much lies beyond a threshold of the ratio."""
        return self in (Kind.STICK, Kind.TAIL)


CURVATURES: dict[Kind, Expr] = {
    Kind.KULLBACK: 1 / R,
    Kind.CHI_SQUARE: S.One,
    Kind.HELLINGER: R ** Rational(-3, 2),
    Kind.JENSEN: 1 / (R * (1 + R)),
    Kind.TRIANGULAR: 1 / (1 + R) ** 3,
}
_PLACES, _ELSEWHERE, _CLOSE = (S(2), S(5) / 3), S(7) / 3, S(10) ** -9


def kind_of(notion: Notion) -> Kind:
    """The kind of a record, from the field that says what it bounds."""
    fields = {
        Kind.UNIFORM: notion.uniform,
        Kind.LEAKAGE: notion.leakage,
        Kind.CURVE: notion.tradeoff is not None,
        Kind.LOSS: notion.subgaussian,
        Kind.TRUNCATED: any(p.domain.free_symbols for p in notion.every),
        Kind.ORDERS: bool(notion.every),
        Kind.WIDTH: notion.width is not None,
    }
    found = next((kind for kind, given in fields.items() if given), None)
    if found is not None:
        return found
    if notion.divergence is not None:
        return kind_of_mean(notion.divergence.generator)
    if notion.mean is not None and notion.compares == "outputs":
        return Kind.TAIL
    given = notion.ratio is not None or notion.mean is not None or bool(notion.posterior)
    return Kind.RATIO if given else Kind.OTHER


@lru_cache(maxsize=256)
def kind_of_mean(f: Lambda) -> Kind:
    """The kind of the mean of a convex function.

    >>> kind_of_mean(Lambda(R, (R - 1) ** 2 / 7 + R - 1)), kind_of_mean(Lambda(R, abs(R - 1)))
    (<Kind.CHI_SQUARE: 'the mean of (r - 1)**2'>, <Kind.VARIATION: 'the total variation'>)
    """
    if f(R).has(Max, Abs):
        place = kink(f(R))
        return Kind.MEAN if place is None else Kind.VARIATION if place[0] == 1 else Kind.STICK
    if (found := proportional(f(R))) is not None:
        return found[0]
    found = power(f(R))
    if found is None:
        return Kind.MEAN
    # -r**a is convex for 0 < a < 1, r**a for a > 1.
    return Kind.BELOW if found[1].is_negative else Kind.POWER


@lru_cache(maxsize=256)
def proportional(f: Expr) -> tuple[Kind, Expr] | None:
    """The kind whose curvature is that of f, or of its reverse, but for a factor; and the factor."""
    bend = diff(f, R, 2)
    for kind, curvature in CURVATURES.items():
        for other in (curvature, curvature.xreplace({R: 1 / R}) / R**3):
            quotient = bend / other
            # Far cheaper than to simplify what is not constant at all.
            numbers = dict.fromkeys(quotient.free_symbols, _ELSEWHERE)
            first, second = (quotient.xreplace({**numbers, R: place}).evalf(20) for place in _PLACES)
            if abs(first - second) > _CLOSE * abs(first):
                continue
            scale = cancel(quotient)
            scale = simplify(scale) if R in scale.free_symbols else scale
            if R not in scale.free_symbols and scale.is_positive:
                return kind, scale
    return None


@lru_cache(maxsize=256)
def power(f: Expr) -> tuple[Expr, Expr] | None:
    """The order n and the scale s of a function with the curvature s n (n - 1) r**(n - 2); None for any other.

    >>> power(3 * R**4)
    (4, 3)
    """
    curved = [term for term in Add.make_args(f) if diff(term, R, 2) != 0]
    scale, shape = Add(*curved).as_independent(R, as_Add=False)
    base, order = shape.as_base_exp()
    if base != R or R in order.free_symbols:
        bend = diff(f, R, 2)
        order = simplify(2 + R * diff(bend, R) / bend)
        if R in order.free_symbols:
            return None
        scale = simplify(bend * R ** (2 - order) / (order * (order - 1)))
    if order.is_number and order < 0:
        order = 1 - order
    if R in scale.free_symbols or (order.is_number and order <= 1):
        return None
    return order, scale


@lru_cache(maxsize=256)
def kink(f: Expr) -> tuple[Expr, Expr] | None:
    """Where the two lines of a function meet, and by how much their slopes differ; None for any other function."""
    f = f.replace(Abs, lambda x: Max(x, -x))
    nodes = f.atoms(Max)
    if len(nodes) != 1:
        return None
    (node,) = nodes
    pieces = [f.xreplace({node: part}) for part in node.args]
    if len(pieces) != 2 or any(simplify(diff(piece, R, 2)) != 0 for piece in pieces):
        return None
    gap = simplify(pieces[0] - pieces[1])
    slope = diff(gap, R)
    place = simplify(-gap.xreplace({R: S.Zero}) / slope)
    return (place, simplify(Abs(slope))) if _positive(place) else None


def _positive(e: Expr) -> bool:
    return bool(e.xreplace({s: Symbol(s.name, nonnegative=True) for s in e.free_symbols}).is_positive)
