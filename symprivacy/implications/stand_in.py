"""A notion of one's own that says the same as a notion with conversion rules: which one, at which level.

Bounds on the ratio and on posteriors are DP at the logarithm of the ratio they allow; bounds on the width of the range
are RB; a mean of f is that of a known divergence where the second derivatives are proportional, because the mean of a
line in r is fixed. With both orders bounded, r f(1/r) does as well as f.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sympy import Abs, Expr, Max, S, Symbol, diff, exp, limit, log, oo, simplify

from symprivacy.derivations.equivalent import allowed_ratio, is_ratio_bound, largest_ratio
from symprivacy.errors import SymPrivacyError
from symprivacy.implications.formula import Formula, Root
from symprivacy.implications.tables.average_level import abp_of
from symprivacy.language.bridge import from_sympy
from symprivacy.language.text import to_text
from symprivacy.notions import Notion, Orders, Pairs
from symprivacy.notions.needed import needed_level
from symprivacy.notions.registry import get, remembered
from symprivacy.notions.solve import solve_for, tidy
from symprivacy.notions.symbols import A, R

# Divergences whose level is the mean itself.
_PLAIN = {"KL": "k", "CHI2": "c", "HELL2": "h", "JS": "j"}


@dataclass(frozen=True)
class StandIn:
    """``key`` at ``level`` (in the parameters of the notion) says the same; ``back`` is the notion's level again.

    ``fixed`` are further parameters of the stand-in, ``back`` is written in the name of its level. ``most`` is the
    largest level of the stand-in at which the notion has one at all; ``roots`` are implicit variables of ``back``.
    """

    key: str
    name: str
    level: str
    back: str
    fixed: Mapping[str, str] = field(default_factory=dict, hash=False)
    roots: tuple[Root, ...] = ()
    most: str | None = None


def _text(e: Expr) -> str:
    return to_text(from_sympy(e))


@remembered(128)
def stand_in(notion: Notion) -> StandIn | None:
    """The stand-in of a notion, None where there is none.

    >>> half = Notion.define("Half", "h in [0, oo)", mean="(r - 1)**2/2")
    >>> found = stand_in(half)
    >>> found.key, found.level, found.back
    ('CHI2', '2*h', 'c/2')
    >>> from symprivacy.notions import forget
    >>> forget("Half")
    """
    if notion.orders is not Orders.BOTH or notion.pairs is not Pairs.NEIGHBOURS:
        return None
    try:
        if notion.divergence is not None:
            return _of_mean(notion)
        return _of_width(notion) if notion.width is not None else _of_ratio(notion)
    except SymPrivacyError:
        return None


@remembered(128)
def largest_level(notion: Notion) -> str | None:
    """The level that every mechanism has, None where there is none or it depends on further parameters."""
    if notion.divergence is not None:
        at_zero, r = notion.divergence.at_zero, Symbol("r", positive=True)
        if at_zero is None:
            at_zero = limit(notion.divergence.generator(r), r, 0)
        ends = at_zero + notion.divergence.slope
        found = notion.divergence.transform(ends) if ends.is_finite and not ends.free_symbols else oo
    else:
        try:
            definition = notion.definition
            positive = Symbol("A", positive=True)
            unbounded = definition.width is not None or largest_ratio(definition) == oo
            found = limit(needed_level(definition).xreplace({A: positive}), positive, oo) if unbounded else oo
        except SymPrivacyError:
            return None
    return _text(found) if found.is_finite and not found.free_symbols else None


def _of_ratio(notion: Notion) -> StandIn | None:
    definition = notion.definition
    if not is_ratio_bound(definition):
        return None
    eps = Symbol("eps", real=True)
    back = tidy(needed_level(definition).xreplace({A: exp(eps)}), ())
    top = largest_ratio(definition)
    level = tidy(log(allowed_ratio(definition)), definition.domain)
    return StandIn("DP", "eps", _text(level), _text(back), most=None if top == oo else _text(log(top)))


def _of_width(notion: Notion) -> StandIn | None:
    definition = notion.definition
    if not is_ratio_bound(definition):
        return None
    eps = Symbol("eps", real=True)
    level, back = log(definition.width), needed_level(definition).xreplace({A: exp(eps)})
    return StandIn("RB", "eps", _text(tidy(level, definition.domain)), _text(tidy(back, ())))


def _of_mean(notion: Notion) -> StandIn | None:
    assert notion.divergence is not None
    f, transform = notion.divergence.generator(R), notion.divergence.transform(R)
    definition = notion.definition
    level = definition.level.symbol
    mean = level if transform == R else solve_for(transform, level, R, S.Zero, oo, definition.domain)
    found = _known(f, notion)
    if found is None:
        return None
    key, name, fixed, own, known = found
    if key == "ABP":
        # The mean of a level of ABP is s/2 with s = zz/(1 + zz), see the module on it.
        s, scale = "zz/(1 + zz)", _text(known)
        level_of = Formula(abp_of("(2*v)", "(1 - 2*v)")).of({"v": _text(own.xreplace({R: mean}))})
        back = Formula(_text(transform)).of({"r": f"({scale})*{s}/2"}).text
        return StandIn(key, name, level_of.text, back, roots=(Root("zz", abp_of(s, "1/(1 + zz)"), "a"),))
    # The stand-in's level of a mean, and the mean again of its level.
    forth = own.xreplace({R: mean})
    back = transform.xreplace({R: known})
    return StandIn(key, name, _text(tidy(forth, definition.domain)), _text(tidy(back, ())), fixed)


def _known(f: Expr, notion: Notion) -> tuple[str, str, dict[str, str], Expr, Expr] | None:
    """Key, name of the level, fixed parameters, the level as a function of the mean r, the mean of that level."""
    f = f.replace(Abs, lambda x: Max(x, -x))
    if f.has(Max):
        return _kink(f)
    second = diff(f, R, 2)
    for key, name in _PLAIN.items():
        known = get(key).divergence
        assert known is not None
        for other in (known.generator(R), R * known.generator(1 / R)):
            scale = simplify(second / diff(other, R, 2))
            if R not in scale.free_symbols and scale.is_positive:
                return key, name, {}, R / scale, scale * Symbol(name, real=True)
    average = get("ABP").divergence
    assert average is not None
    scale = simplify(second / diff(average.generator(R), R, 2))
    if R not in scale.free_symbols and scale.is_positive:
        return "ABP", "a", {}, R / scale, scale
    power = simplify(2 + R * diff(second, R) / second)
    if R in power.free_symbols:
        return None
    scale = simplify(second * R ** (2 - power))
    if power.is_number and power < 0:
        power = 1 - power
    starts = {p.symbol: p.domain.start for p in notion.parameters}
    above = power > 1 if power.is_number else power in starts and starts[power] >= 1
    if not above or R in scale.free_symbols:
        return None
    scale = simplify(scale / (power * (power - 1)))
    order = _text(power)
    e = Symbol("e", real=True)
    return "RDP", "e", {"alpha": order}, log(1 + R / scale) / (power - 1), scale * (exp((power - 1) * e) - 1)


def _kink(f: Expr) -> tuple[str, str, dict[str, str], Expr, Expr] | None:
    """Two lines that meet at one ratio: the total variation, or the divergence of approximate privacy."""
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
    size = simplify(Abs(slope))
    if place.free_symbols or not place.is_positive:
        return None
    if place == 1:
        return "TV", "t", {}, R / size, size * Symbol("t", real=True)
    if place < 1:
        # max(0, r - K) in the other order is K max(0, r - 1/K), up to a line.
        place, size = 1 / place, size * place
    return "ADP", "delta", {"eps": _text(log(place))}, R / size, size * Symbol("delta", real=True)


__all__ = ["StandIn", "largest_level", "stand_in"]
