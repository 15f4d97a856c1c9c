"""A notion of one's own that says the same as a notion with conversion rules: which one, at which level.

Bounds on the ratio and on posteriors are DP at the logarithm of the ratio they allow; bounds on the width of the range
are RB; a mean of f is that of a known divergence where the second derivatives are proportional, because the mean of a
line in r is fixed. With both orders bounded, r f(1/r) does as well as f. With the first one alone it does where both
are the same; otherwise f has to be the function of the known divergence itself, whose first order then says the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sympy import Expr as Symbolic
from sympy import S, Symbol, diff, exp, limit, log, oo, simplify

from symprivacy.derivations.equivalent import allowed_ratio, is_ratio_bound, largest_ratio
from symprivacy.errors import SymPrivacyError
from symprivacy.implications.formula import Root, put
from symprivacy.implications.parameters import canonical
from symprivacy.implications.tables.average import abp_of
from symprivacy.kernel.expr import Expr
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.language.text import to_text
from symprivacy.notions import Notion, Orders, Pairs
from symprivacy.notions.kinds import CURVATURES, Kind, kink, power, proportional
from symprivacy.notions.level_for_ratio import needed_level
from symprivacy.notions.readings import FORWARD
from symprivacy.notions.registry import remembered
from symprivacy.notions.solve import solve_for, tidy
from symprivacy.notions.symbols import A, R

# Kinds whose functions are their own reverses: both orders are the same.
_SYMMETRIC = frozenset((Kind.VARIATION, Kind.HELLINGER, Kind.JENSEN, Kind.TRIANGULAR))


@dataclass(frozen=True)
class StandIn:
    """The notion of a ``kind`` at ``level`` (in the parameters given) says the same; ``back`` is the level given again.

    ``fixed`` are further parameters of the stand-in, ``back`` is written in the name of its level. ``most`` is the
    largest level of the stand-in at which the notion has one at all; ``roots`` are implicit variables of ``back``;
    ``first`` says that it is the first order of the known notion.
    """

    kind: Kind
    level: Expr
    back: Expr
    fixed: Mapping[str, Expr] = field(default_factory=dict, hash=False)
    roots: tuple[Root, ...] = ()
    most: Expr | None = None
    first: bool = False

    @property
    def notion(self) -> Notion:
        """The notion that says the same."""
        found = canonical(self.kind)
        return found.read(FORWARD) if self.first else found

    @property
    def name(self) -> str:
        """The name of its level."""
        return self.notion.answers


@remembered(128)
def stand_in(notion: Notion) -> StandIn | None:
    """The stand-in of a notion, None where there is none.

    >>> half = Notion.define("Half", "h in [0, oo)", mean="(r - 1)**2/2")
    >>> found = stand_in(half)
    >>> found.notion.key, found.level, found.back
    ('CHI2', Expr('2*h'), Expr('c/2'))
    >>> from symprivacy.notions import forget
    >>> forget("Half")
    """
    if notion.reading or notion.pairs not in (Pairs.NEIGHBOURS, Pairs.ALL):
        return None
    try:
        if notion.orders is Orders.FORWARD:
            return _of_first_order(notion) if notion.divergence is not None else None
        if notion.divergence is not None:
            return _of_mean(notion)
        return _of_width(notion) if notion.width is not None else _of_ratio(notion)
    except SymPrivacyError:
        return None


@remembered(128)
def largest_level(notion: Notion) -> str | None:
    """The level that every mechanism has, as a text; None where there is none or it depends on further parameters.

    >>> from symprivacy.notions import get
    >>> largest_level(get("TV")), largest_level(get("JS")), largest_level(get("KL"))
    ('1', 'log(2)', None)
    """
    if notion.divergence is not None:
        ends = notion.divergence.at_zero + notion.divergence.slope
        found = notion.divergence.transform(ends) if ends.is_finite and not ends.free_symbols else oo
    else:
        try:
            definition = notion.definition
            positive = Symbol("A", positive=True)
            unbounded = definition.width is not None or largest_ratio(definition) == oo
            found = limit(needed_level(definition).xreplace({A: positive}), positive, oo) if unbounded else oo
        except SymPrivacyError:
            return None
    return to_text(from_sympy(found)) if found.is_finite and not found.free_symbols else None


def _of_ratio(notion: Notion) -> StandIn | None:
    definition = notion.definition
    if not is_ratio_bound(definition):
        return None
    eps = Symbol("eps", real=True)
    back = tidy(needed_level(definition).xreplace({A: exp(eps)}), ())
    top = largest_ratio(definition)
    level = tidy(log(allowed_ratio(definition)), definition.domain)
    most = None if top == oo else from_sympy(log(top))
    return StandIn(Kind.RATIO, from_sympy(level), from_sympy(back), most=most)


def _of_width(notion: Notion) -> StandIn | None:
    definition = notion.definition
    if not is_ratio_bound(definition):
        return None
    eps = Symbol("eps", real=True)
    level, back = log(definition.width), needed_level(definition).xreplace({A: exp(eps)})
    return StandIn(Kind.WIDTH, from_sympy(tidy(level, definition.domain)), from_sympy(tidy(back, ())))


def _of_first_order(notion: Notion) -> StandIn | None:
    """For a mean in the first order: of both orders where they are the same, of the first one for the same function."""
    assert notion.divergence is not None
    found = _of_mean(notion)
    if found is None or notion.kind in _SYMMETRIC:
        return found
    bend = diff(notion.divergence.generator(R), R, 2)
    curvature = CURVATURES.get(notion.kind)
    if notion.kind is Kind.POWER:
        (order,) = found.fixed.values()
        curvature = R ** (to_sympy(order) - 2)
    alike = curvature is not None and R not in simplify(bend / curvature).free_symbols
    return replace(found, first=True) if alike and found.notion.one_order is not None else None


def _of_mean(notion: Notion) -> StandIn | None:
    assert notion.divergence is not None
    f, transform = notion.divergence.generator(R), notion.divergence.transform(R)
    definition = notion.definition
    level = definition.level.symbol
    mean = level if transform == R else solve_for(transform, level, R, S.Zero, oo, definition.domain)
    if notion.kind is Kind.MEAN:
        return None
    found = _known(f, notion)
    if found is None:
        return None
    fixed, own, known = found
    if notion.kind is Kind.TRIANGULAR:
        # The mean of a level of ABP is s/2 with s = zz/(1 + zz), see the module on it.
        v, s = from_sympy(own.xreplace({R: mean})), "zz/(1 + zz)"
        forth = abp_of(put("2*v", v=v), put("1 - 2*v", v=v))
        back = put(from_sympy(transform), r=put("c*s/2", c=from_sympy(known), s=s))
        return StandIn(notion.kind, forth, back, roots=(Root("zz", abp_of(s, "1/(1 + zz)"), "a"),))
    # The stand-in's level of a mean, and the mean again of its level.
    there, again = own.xreplace({R: mean}), transform.xreplace({R: known})
    return StandIn(notion.kind, from_sympy(tidy(there, definition.domain)), from_sympy(tidy(again, ())), fixed)


def _known(f: Symbolic, notion: Notion) -> tuple[dict[str, Expr], Symbolic, Symbolic] | None:
    """Fixed parameters of the stand-in, its level as a function of the mean r, the mean of that level."""
    known = canonical(notion.kind)
    level = Symbol(known.answers, real=True)
    if notion.kind in (Kind.STICK, Kind.VARIATION):
        place, size = kink(f) or (S.Zero, S.Zero)
        starts = {p.symbol: Symbol(p.name, nonnegative=True) for p in notion.parameters if p.domain.start >= 0}
        above = place.xreplace(starts)
        if place.is_number and place < 1:
            # max(0, r - K) in the other order is K max(0, r - 1/K), up to a line.
            place, size = 1 / place, size * place
        elif not log(above).is_nonnegative:
            return None
        fixed = {} if notion.kind is Kind.VARIATION else {known.others[0]: from_sympy(log(place))}
        return fixed, R / size, size * level
    if notion.kind is Kind.POWER:
        order, scale = power(f) or (S.One, S.One)
        starts = {p.symbol: p.domain.start for p in notion.parameters}
        if not (order > 1 if order.is_number else order in starts and starts[order] >= 1):
            return None
        moment = scale * (exp((order - 1) * level) - 1)
        return {known.others[0]: from_sympy(order)}, log(1 + R / scale) / (order - 1), moment
    if notion.kind is Kind.BELOW:
        order, scale = power(f) or (S.Half, -S.One)
        ranges = {p.symbol: p.domain for p in notion.parameters}
        if order not in ranges or not (ranges[order].start >= 0 and ranges[order].end <= 1):
            return None
        moment = scale * (exp((order - 1) * level) - 1)
        return {known.others[0]: from_sympy(order)}, log(1 + R / scale) / (order - 1), moment
    assert known.divergence is not None
    mine, theirs = proportional(f), proportional(known.divergence.generator(R))
    assert mine is not None
    assert theirs is not None
    scale = simplify(mine[1] / theirs[1])
    return {}, R / scale, scale * (1 if notion.kind is Kind.TRIANGULAR else level)


__all__ = ["StandIn", "largest_level", "stand_in"]
