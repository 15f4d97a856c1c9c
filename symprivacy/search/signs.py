"""Signs as floating point sees them, and the proofs that an expression is defined."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from symprivacy.errors import NoInformation, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import Range, intervals
from symprivacy.kernel.calculus import requirements
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal
from symprivacy.language.text import to_text
from symprivacy.search.context import Context
from symprivacy.search.floats import approximate, estimate, nearest
from symprivacy.search.leaf import Proof, exact_sign, shows
from symprivacy.search.sampling import sample_box, split_point

SAMPLES = 24


@lru_cache(maxsize=512)
def _float_points(items: tuple[tuple[str, Range], ...]) -> list[tuple[dict[str, Fraction], dict[str, float]]]:
    return [(at, {n: nearest(v) for n, v in at.items()}) for at in sample_box(dict(items), SAMPLES)]


def samples(goal: Goal) -> list[tuple[dict[str, Fraction], dict[str, float]]]:
    """Points of the goal's region, exact and in floating point."""
    points = _float_points(tuple(goal.box.items()))
    if not goal.given:
        return points
    # Outside the given region the goal says nothing.
    return [p for p in points if all(not approximate(c, p[1]) < 0 for c, _ in goal.given)]


@lru_cache(maxsize=4096)
def _known(e: Expr, items: tuple[tuple[str, Range], ...]) -> list[tuple[float, float]]:
    """What is known so far of the values at the points of a box: the same are asked for again and again."""
    return []


def _seen(e: Expr, goal: Goal) -> Iterator[tuple[dict[str, Fraction], float, float]]:
    """Points of the goal's region, each with the value of an expression and its error as floating point sees them."""
    items = tuple(goal.box.items())
    known = _known(e, items)
    for number, (at, point) in enumerate(_float_points(items)):
        if number == len(known):
            known.append(estimate(e, point))
        # Outside the given region the goal says nothing.
        if all(not approximate(c, point) < 0 for c, _ in goal.given):
            yield at, *known[number]


def plausible(ctx: Context | None, goal: Goal) -> bool:
    """Whether floating point sees no point at which the goal fails; with a context, suspects go to the checker."""
    for at, value, error in _seen(goal.expr, goal):
        vanishes = goal.strict and value == error == 0 and _is_zero_at(goal.expr, at)
        if value < -4 * error or vanishes:
            if ctx is not None:
                ctx.try_point(at)
            return False
    return True


def _is_zero_at(e: Expr, at: dict[str, Fraction]) -> bool:
    return exact_sign(x.substitute(e, {n: x.num(v) for n, v in at.items()})) == 0


def guess_sign(e: Expr, goal: Goal) -> int:
    """The sign that floating point sees all over the goal's region; 0 if it sees both."""
    seen = 0
    for _, value, error in _seen(e, goal):
        if abs(value) > 4 * error:
            sign = 1 if value > 0 else -1
            if seen == -sign:
                return 0
            seen = sign
    return seen or _sign_in_the_middle(e, goal)


def _sign_in_the_middle(e: Expr, goal: Goal) -> int:
    """The sign at one point, from enclosures: for boxes so small that floating point sees nothing."""
    middle = {n: Range(at, at) for n, at in ((n, x.num(split_point(r))) for n, r in goal.box.items())}
    for prec in (100, 400, 1600):
        try:
            sign = iv.sign_known(enclose(e, intervals(middle, prec), prec))
        except NoInformation:
            return 1
        if sign:
            return sign
    return 1


def requirement_proofs(ctx: Context, goal: Goal, e: Expr, depth: int, smooth: bool = False) -> Proof | None:
    """Proofs that the expression is defined (smooth) on the box, as the checker wants them; None if it fails."""
    try:
        needs = requirements(e, smooth)
    except UnsupportedError:
        return None
    return need_proofs(ctx, goal, needs, depth, "smooth" if smooth else "defined")


def need_proofs(ctx: Context, goal: Goal, needs: list[tuple[Expr, str]], depth: int, key: str) -> Proof | None:
    """Proofs of needs under a key, nothing if all are evident; None if one fails."""
    proofs: list[Proof | None] = []
    for u, need in needs:
        if _is_evident(u, need, goal):
            proofs.append(None)
            continue
        sign = guess_sign(u, goal) if need == "!= 0" else 1
        target = replace(goal, expr=u if sign == 1 else x.neg(u), strict=need != ">= 0")
        found = ctx.prove(target, depth + 1, depth < 3) if sign else None
        if found is None:
            if depth < 2:
                ctx.note(f"it is not shown that {to_text(u)} {need} on the domain")
            return None
        proofs.append({**found, "sign": sign})
    return {key: proofs} if any(p is not None for p in proofs) else {}


def is_defined(e: Expr, goal: Goal) -> bool:
    """Whether plain enclosures over the box show that an expression is defined."""
    try:
        return all(_is_evident(u, need, goal) for u, need in requirements(e))
    except UnsupportedError:
        return False


def _is_evident(u: Expr, need: str, goal: Goal) -> bool:
    try:
        value = enclose(u, intervals(goal.box, 53), 53)
    except NoInformation:
        return False
    return iv.sign_known(value) != 0 if need == "!= 0" else shows(value, need == "> 0")
