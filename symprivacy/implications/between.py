"""Levels of a notion without a table, from the notions that it lies between.

What a stronger guarantee allows is allowed, and what follows from a weaker one follows. So the level of a conclusion is
at least that from every stronger guarantee, and at most that from every weaker one; with the notion as the conclusion
it is the other way round. A hard pair of laws that satisfies the notion gives a lower bound as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

from mpmath.libmp import finf, fzero
from sympy import Symbol, oo, solve

from symprivacy.errors import NoInformation, SymPrivacyError, UnsupportedError
from symprivacy.implications.answer import largest, tight, unknown
from symprivacy.implications.ends import End, end_of, joined
from symprivacy.implications.formula import Formula
from symprivacy.implications.implication import Implication
from symprivacy.implications.mean_concentrated import from_loss, to_loss
from symprivacy.implications.one_order import of_one_order
from symprivacy.implications.own import asked_of_stand_in, carried, from_own, to_own
from symprivacy.implications.parameters import (
    CONVERTIBLE,
    assigned,
    conditions,
    has_table,
    understood,
)
from symprivacy.implications.stand_in import stand_in
from symprivacy.implications.status import Status
from symprivacy.implications.tabled import enclosed, judged, stated
from symprivacy.implications.witness import with_parameters
from symprivacy.kernel.enclose import constant_sign, enclose_constant
from symprivacy.kernel.expr import Expr, num, sub, substitute, var
from symprivacy.kernel.interval import Interval, Real, from_fraction, is_finite, to_fraction
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.language.text import parse, to_text
from symprivacy.mechanisms import Mechanism, level
from symprivacy.notions import Notion, Orders, get
from symprivacy.notions.between import Beside
from symprivacy.notions.kinds import Kind
from symprivacy.notions.levels.enclose import bounds
from symprivacy.notions.levels.pairs import divergence_level

Ask = Callable[[str, str, Mapping[str, object], int], Implication]
_GUARD = 6
_BITS = 120
_LEVEL = "level_"


def lies_between(key: str) -> bool:
    """Whether a notion has no table but neighbours that have.

    >>> lies_between("KL[forward]"), lies_between("mCDP"), lies_between("DP")
    (True, True, False)
    """
    notion = get(key)
    return not has_table(notion) and (_has_neighbours(notion) or _stands_for_first_order(notion))


def takes_part(key: str) -> bool:
    """Whether tables speak of a notion, or of those that it lies between; of others only derivations do.

    >>> takes_part("DP"), takes_part("mCDP"), takes_part("GroupDP")
    (True, True, False)
    """
    return key in CONVERTIBLE or _has_neighbours(get(key))


def _has_neighbours(notion: Notion) -> bool:
    return notion.between is not None or notion.kind is Kind.LOSS


def _stands_for_first_order(notion: Notion) -> bool:
    """Whether a notion of one's own is the first order of a divergence in other words."""
    found = stand_in(notion) if notion.orders is Orders.FORWARD else None
    return found is not None and found.first


def _in_other_words(notion: Notion) -> bool:
    """Whether closed forms speak of a notion by its stand-in only: not in its terms, not by its neighbours."""
    return not has_table(notion) and not _has_neighbours(notion) and stand_in(notion) is not None


def between(source: str, target: str, at: Mapping[str, object], digits: int, ask: Ask) -> Implication:
    """The level of a pair of which one notion, or both, lie between others; ``ask`` answers the other pairs."""
    start, end = get(source), get(target)
    given = assigned(start.key, end.key, at)
    blank = Implication(
        Status.UNKNOWN, source=start.key, target=end.key, given=given, digits=digits, note="between its neighbours",
        reading=_reading(start, end, given),
    )  # fmt: skip
    if _in_other_words(start) or _in_other_words(end):
        return _translated(blank, start, end, digits, ask)
    if Kind.LOSS in (start.kind, end.kind) and Orders.FORWARD not in (start.orders, end.orders):
        to = end.kind is Kind.LOSS
        ends = [*(to_loss(start, given, digits, ask) if to else from_loss(end, given, digits, ask))]
        found = joined(blank, end, [e for up, e in ends if up], [End(fzero), *(e for up, e in ends if not up)])
        return replace(found, note="" if found.settled else blank.note)
    if start.between is None and end.between is not None and end.orders is Orders.FORWARD is not start.orders:
        return _either_order(blank, start, end, digits, ask)
    direct = outlined(source, target, given)
    if direct.status is not Status.UNKNOWN and "delta2" not in given:
        found = enclosed(direct, digits)
        if found.settled or (direct.status is Status.UPPER_BOUND and found.value is not None):
            return replace(found, reading=blank.reading)
    uppers: list[End] = []
    lowers = [End(fzero)]
    if start == end and _weaker(start, given):
        own_level = enclose_constant(given[start.answers], 4 * digits + 60)
        uppers.append(End(own_level[1], Formula(start.answers), None, ("identity",)))
    for sides, notion in ((_from, start), (_to, end)):
        if notion.between is not None:
            for upper, known in sides(start, end, given, digits, ask):
                (uppers if upper else lowers).append(known)
    lowers += _hard(start, end, given)
    return joined(blank, end, uppers, lowers)


def _reading(start: Notion, end: Notion, given: Mapping[str, Expr]) -> str:
    """What the two are about; first how neighbours are read, where the conclusion is about any two inputs."""
    sides = [f"{n.key}: {n.quantifiers}" for n in dict.fromkeys((start, end))]
    far = end.pairs.every and not start.pairs.every
    return "; ".join([understood(start.key, end.key, given), *sides] if far else sides)


def outlined(source: str, target: str, given: Mapping[str, Expr]) -> Implication:
    """What is stated of any pair, nothing evaluated; unknown where that takes the neighbours of a notion.

    >>> from symprivacy.implications.parameters import referenced
    >>> print(outlined("KL[forward]", "HELL2", referenced("KL[forward]", "HELL2")).level)
    1 - exp(-k/2)
    """
    start, end = get(source), get(target)
    if not lies_between(source) and not lies_between(target):
        return stated(source, target, given)
    found: Implication | None = None
    if start == end and all(given[name] == given[f"{name}2"] for name in start.others):
        found = tight(start.answers, None, "identity")
    elif _in_other_words(start):
        found = from_own(start, end, given, _stated)
    elif _in_other_words(end):
        found = to_own(start, end, given, _stated)
    elif start.orders is Orders.FORWARD and start.between is not None and (has_table(end) or end.between is not None):
        found = of_one_order(start, end, given)
    elif end.between is not None and end.orders is Orders.FORWARD:
        both = stated(source, end.between.stronger[0][0], given)
        found = replace(both, principles=(*both.principles, "restriction"), note="as for both orders")
    found = found or unknown("known between its neighbours only")
    trivial = found.status is Status.TIGHT and found.level is not None and found.level.is_just(largest(target))
    return replace(found, source=source, target=target, given=given, trivial=trivial,
                   conditions=conditions(source, target), reading=understood(source, target, given))  # fmt: skip


def _stated(start: Notion, end: Notion, given: Mapping[str, Expr]) -> Implication:
    return outlined(start.key, end.key, given)


def _translated(blank: Implication, start: Notion, end: Notion, digits: int, ask: Ask) -> Implication:
    """The answer about stand-ins, with levels and parameters put into the terms of the notions asked about."""
    if _in_other_words(start):
        found = stand_in(start)
        assert found is not None
        put = {found.name: found.level, **found.fixed}
        inner = {name: number for name, number in blank.given.items() if name not in start.names}
        inner |= {name: substitute(e, dict(blank.given)) for name, e in put.items()}
        answer = ask(found.notion.key, end.key, inner, digits)
        # Its witness has the numbers in it already.
        moved = replace(with_parameters(replace(answer, witness=None), put), witness=answer.witness)
    else:
        inner = asked_of_stand_in(end, blank.given)
        known = stand_in(end)
        assert known is not None
        answer = ask(start.key, known.notion.key, inner, digits + _GUARD)
        moved = carried(answer, end, blank.given, digits)
        status, note = judged(moved.status, moved.note, moved.value, digits)
        moved = replace(moved, status=status, note=note, digits=digits)
    return replace(moved, source=start.key, target=end.key, given=blank.given, reading=blank.reading)


def _weaker(notion: Notion, given: Mapping[str, Expr]) -> bool:
    """Whether the further parameters of a conclusion are those of the premise, or weaker ones."""
    for name in notion.others:
        rise = constant_sign(sub(given[f"{name}2"], given[name]))
        if rise not in {"<=": (-1, 0), ">=": (0, 1), "==": (0,)}[notion.parameter(name).weaker]:
            return False
    return True


def _either_order(blank: Implication, start: Notion, end: Notion, digits: int, ask: Ask) -> Implication:
    """A premise about both orders allows a pair in either: one order of the conclusion is as bad as both."""
    assert end.between is not None
    base = get(end.between.stronger[0][0])
    found = ask(start.key, base.key, blank.given, digits)
    why = tuple(dict.fromkeys((*found.principles, "restriction")))
    return replace(found, target=end.key, principles=why, reading=blank.reading, note="as for both orders")


def _placed(beside: Beside, values: Mapping[str, Expr]) -> tuple[Notion, dict[str, Expr]] | None:
    """A guarantee beside a notion, its parameters put; None where something in them is not given."""
    notion = get(beside[0])
    for text in beside[1 + len(notion.names) :]:
        needed = substitute(parse(text), dict(values))
        if needed.variables or constant_sign(needed) not in (0, 1):
            return None
    found = {name: substitute(parse(text), dict(values)) for name, text in zip(notion.names, beside[1:], strict=False)}
    return None if any(e.variables - {_LEVEL} for e in found.values()) else (notion, found)


def _from(start: Notion, end: Notion, given: Mapping[str, Expr], digits: int, ask: Ask) -> Iterator[tuple[bool, End]]:
    """Bounds for a premise that lies between others."""
    assert start.between is not None
    own = {name: given[name] for name in start.names}
    extra = {name: value for name, value in given.items() if name not in own}
    for beside, upper in (*((b, True) for b in start.between.weaker), *((b, False) for b in start.between.stronger)):
        placed = _placed(beside, given)
        if placed is None:
            continue
        notion, values = placed
        try:
            found = ask(notion.key, end.key, {**values, **extra}, digits + _GUARD)
        except SymPrivacyError:
            continue
        texts = dict(zip(notion.names, beside[1:], strict=False))
        yield upper, end_of(found, upper, None if found.level is None else found.level.of(texts), start.between.why)


def _to(start: Notion, end: Notion, given: Mapping[str, Expr], digits: int, ask: Ask) -> Iterator[tuple[bool, End]]:
    """Bounds for a conclusion that lies between others: the level at which the neighbour has what follows."""
    assert end.between is not None
    own = {name: given[name] for name in start.names}
    named = {end.answers: var(_LEVEL), **({end.fills: given[str(end.asked)]} if end.fills is not None else {})}
    texts = {end.fills: str(end.asked)} if end.fills is not None else {}
    for beside, upper in (*((b, True) for b in end.between.stronger), *((b, False) for b in end.between.weaker)):
        placed = _placed(beside, named)
        if placed is None:
            continue
        notion, values = placed
        asked = {} if notion.fills is None else {str(notion.asked): values[notion.fills]}
        try:
            found = ask(start.key, notion.key, {**own, **asked}, digits + _GUARD)
            known = end_of(found, upper, None, end.between.why)
            back = _solved(values[notion.answers])
            formula = None
            if found.level is not None and back == var("v_"):
                names = {p: t for p, t in zip(notion.names, beside[1:], strict=False) if p == notion.fills}
                put = {
                    f"{p}2": to_text(substitute(parse(t), {a: var(b) for a, b in texts.items()}))
                    for p, t in names.items()
                }
                formula = found.level.of(put)
            yield upper, replace(known, value=_applied(back, known.value, upper), level=formula)
        except (SymPrivacyError, NoInformation):
            continue


def _solved(e: Expr) -> Expr:
    """The level at which an increasing function of it has the value v_."""
    if e == var(_LEVEL):
        return var("v_")
    symbol, value = Symbol(_LEVEL, positive=True), Symbol("v_", positive=True)
    found = solve(to_sympy(e, {_LEVEL: symbol}) - value, symbol)
    if len(found) != 1:
        raise NoInformation(f"{to_text(e)} is not solved for the level")
    return from_sympy(found[0])


def _applied(back: Expr, value: Real, upper: bool) -> Real:
    if not is_finite(value) or back == var("v_"):
        return value
    found: Interval = enclose_constant(substitute(back, {"v_": num(to_fraction(value))}), _BITS)
    return found[1] if upper else found[0]


def _hard(start: Notion, end: Notion, given: Mapping[str, Expr]) -> Iterator[End]:
    """The level that the hard pair of the premise has, after its entries were rounded so that the premise holds."""
    if start.between is None or not start.between.hard:
        return
    own = {name: given[name] for name in start.names}
    try:
        (one, other), (share, _) = start.between.hard
        q = to_fraction(enclose_constant(substitute(parse(share), own), _BITS)[1])
        rows = [[Fraction(one), Fraction(other)], [q, 1 - q]]
        if not 0 < q < 1 or not _satisfies(rows, start, own):
            return
        asked = {} if end.fills is None else {end.fills: to_sympy(given[str(end.asked)])}
        found = _level(rows, end, asked)
    except SymPrivacyError:
        return
    if found is not None:
        laws = {"P": [str(v) for v in rows[0]], "Q": [str(v) for v in rows[1]], "attained": True}
        yield End(found, None, laws, ("exact-level",))


def _satisfies(rows: list[list[Fraction]], notion: Notion, own: Mapping[str, Expr]) -> bool:
    others = {name: to_sympy(own[name]) for name in notion.others}
    reached = _bounds(rows, notion, others)
    allowed = enclose_constant(own[notion.answers], 2 * _BITS)
    return reached is not None and reached[1] <= to_fraction(allowed[0])


def _level(rows: list[list[Fraction]], notion: Notion, others: Mapping[str, Any]) -> Real | None:
    reached = _bounds(rows, notion, others)
    if reached is None:
        return cast(Real, finf)
    return from_fraction(reached[0], _BITS)[0]


def _bounds(rows: list[list[Fraction]], notion: Notion, others: Mapping[str, Any]) -> tuple[Fraction, Fraction] | None:
    """The level of two rows, enclosed; None where it is infinite."""
    m = Mechanism.secrets(rows)
    if notion.orders is Orders.FORWARD:
        if notion.divergence is None:
            raise UnsupportedError(f"{notion.key}: one order of what is no mean has no level here")
        put = {p.symbol: others[p.name] for p in notion.parameters if p.name in others}
        d = notion.divergence
        d = replace(d, generator=d.generator.subs(put), transform=d.transform.subs(put), fixed=None, rough=None)
        found: Any = divergence_level(m.channel(), [(0, 1)], d)
    else:
        found = level(m, notion, **others)
    if found.value == oo:
        return None
    return bounds(found.value, 2 * _BITS) if found.exact else (found.lo or Fraction(0), found.hi or Fraction(0))
