"""Products, sums and quotients whose parts have known signs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import floor

from symprivacy.algebra.normal import Algebra
from symprivacy.algebra.polynomials import to_expr
from symprivacy.errors import NoInformation, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import intervals
from symprivacy.kernel.data import to_data
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, split_goals
from symprivacy.language.text import to_text
from symprivacy.search.conditional import with_given
from symprivacy.search.context import Context
from symprivacy.search.faces import join
from symprivacy.search.leaf import Proof, by_box
from symprivacy.search.refute import named_roots, try_roots
from symprivacy.search.regrouped import conjugate
from symprivacy.search.shapes import has_odd_root, has_root
from symprivacy.search.signs import guess_sign, plausible, requirement_proofs
from symprivacy.search.terms import coefficient, terms

_TINY = Fraction(1, 10**9)
_GROUPED = ("log", "erf", "erfc")


def rewritten(ctx: Context, goal: Goal, new: Expr, depth: int) -> Proof | None:
    """The goal for another form of the same expression, decided by one enclosure."""
    found = by_box(replace(goal, expr=new))
    defined = requirement_proofs(ctx, goal, goal.expr, depth) if found else None
    if found is None or defined is None:
        return None
    entry = {"expr": to_data(new), "power": 1, "sign": 1, "strict": goal.strict, "proof": found}
    return {"by": "product", "coefficient": 1, "factors": [entry], **defined}


def by_pieces(
    ctx: Context,
    goal: Goal,
    pieces: Sequence[tuple[Expr, int]],
    depth: int,
    subdivide: bool,
    coefficient: Fraction = Fraction(1),
) -> Proof | None:
    """coefficient * product of piece**power, each piece proved to have the sign that it seems to have."""
    defined = requirement_proofs(ctx, goal, goal.expr, depth)
    if defined is None:
        return None
    sign = 1 if coefficient > 0 else -1
    parts: list[Proof] = []
    # Short pieces first: a wrong guess about the product shows before the hard piece is tried.
    for f, power in sorted(pieces, key=lambda t: len(to_text(t[0]))):
        entry: Proof = {"expr": to_data(f), "power": power, "sign": 0, "strict": True, "proof": None}
        parts.append(entry)
        claimed = guess_sign(f, goal)
        even = power > 0 and power % 2 == 0
        if even and not goal.strict and requirement_proofs(ctx, goal, f, depth) == {}:
            continue
        if claimed == 0:
            if goal.strict or power < 0:
                try_roots(ctx, f, goal)
            return _where_it_changes(ctx, goal, f, depth, subdivide)
        strict = goal.strict or power < 0
        proof = ctx.prove(replace(goal, expr=f if claimed == 1 else x.neg(f), strict=strict), depth + 1, subdivide)
        if proof is None:
            return None
        entry.update(sign=claimed, strict=strict, proof=proof)
        sign *= claimed**power
    node = {"by": "product", "coefficient": to_data(x.num(coefficient)), "factors": parts, **defined}
    return node if sign == 1 else None


def _where_it_changes(ctx: Context, goal: Goal, f: Expr, depth: int, subdivide: bool) -> Proof | None:
    """Treat the two signs of a factor apart: cut at a root with a name, or give the sign as a condition."""
    if depth > 8:
        return None
    if len(f.variables) == 1:
        (name,) = f.variables
        for at in named_roots(f, goal):
            low_goal, high_goal = split_goals(goal, name, at)
            low = ctx.prove(low_goal, depth + 1, subdivide)
            high = low and ctx.prove(high_goal, depth + 1, subdivide)
            return join(goal, name, at, low, high) if low and high else None
        return None
    return by_sign(ctx, goal, f, depth, subdivide)


def by_sign(ctx: Context, goal: Goal, f: Expr, depth: int, subdivide: bool) -> Proof | None:
    """The goal where an expression is nonnegative, and where it is nonpositive."""
    if len(goal.given) > 2 or requirement_proofs(ctx, goal, f, depth) != {}:
        return None
    parts = []
    for u in (f, x.neg(f)):
        # The goal without the condition is what brought us here, so it is not tried again.
        found = with_given(ctx, replace(goal, given=(*goal.given, (u, False))), depth + 2, subdivide, free=False)
        if found is None:
            return None
        parts.append(found)
    return {"by": "sign", "of": to_data(f), "parts": parts}


def by_sum(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """A sum of terms none of which is negative."""
    parts = goal.expr.args if goal.expr.op == "+" else ()
    if goal.expr.op == "*" and len(goal.expr.args) == 2 and x.is_num(goal.expr.args[0], -1):
        parts = tuple(x.neg(t) for t in goal.expr.args[1].args) if goal.expr.args[1].op == "+" else ()
    if not parts or any(guess_sign(t, goal) != 1 for t in parts):
        return None
    shown: list[Proof] = []
    lacking = goal.strict
    for t in parts:
        found = ctx.prove(replace(goal, expr=t, strict=True), depth + 1, False) if lacking else None
        if found:
            # The checker wants the positive term first.
            lacking = False
            shown.insert(0, {"expr": to_data(t), "proof": found})
            continue
        found = ctx.prove(replace(goal, expr=t, strict=False), depth + 1, False)
        if found is None:
            return None
        shown.append({"expr": to_data(t), "proof": found})
    defined = None if lacking else requirement_proofs(ctx, goal, goal.expr, depth)
    return {"by": "sum", "parts": shown, **defined} if defined is not None else None


def _two_part_sum(ctx: Context, goal: Goal, first: Expr, second: Expr, depth: int) -> Proof | None:
    """first + second, the first positive if that is to be shown and the second not negative."""
    part = replace(goal, expr=first)
    low = ctx.prove(part, depth + 1, False) if plausible(None, part) else None
    high = ctx.prove(replace(goal, expr=second, strict=False), depth + 1, False) if low else None
    defined = requirement_proofs(ctx, goal, goal.expr, depth) if high else None
    if defined is None:
        return None
    parts = [{"expr": to_data(first), "proof": low}, {"expr": to_data(second), "proof": high}]
    return {"by": "sum", "parts": parts, **defined}


def by_bounded_part(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """Towards infinity: replace the terms that stay bounded by a number below them."""
    if goal.expr.op != "+" or depth > 10 or all(r.lo is not None and r.hi is not None for r in goal.box.values()):
        return None
    box = intervals(goal.box, 53)
    bounded, unbounded, total = [], [], iv.ZERO
    for t in goal.expr.args:
        try:
            value = enclose(t, box, 53)
        except NoInformation:
            return None
        if t.variables and iv.is_finite(value[0]) and iv.is_finite(value[1]):
            bounded.append(t)
            total = iv.add(total, value, 53)
        else:
            unbounded.append(t)
    if not bounded or not any(t.variables for t in unbounded):
        return None
    below = Fraction(floor(iv.to_fraction(total[0]) * 1024), 1024)
    first, second = x.add(*unbounded, x.num(below)), x.add(*bounded, x.num(-below))
    return _two_part_sum(ctx, goal, first, second, depth)


def by_groups(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """Terms with the same logarithms and error functions, or variables, together, if no group seems to be negative."""
    if depth > 6 or goal.strict or goal.expr.op not in ("+", "*"):
        return None
    for parts in (_by_functions(goal.expr), _by_variables(goal.expr)):
        if len(parts) > 1 and all(guess_sign(part, goal) == 1 for part in parts):
            return _sum_of(ctx, goal, parts, depth)
    return None


def _by_functions(e: Expr) -> list[Expr]:
    groups: dict[frozenset[Expr], list[Expr]] = {}
    for t in terms(e):
        inside = frozenset(n for n in x.subexpressions(t) if n.op in _GROUPED and n.variables)
        groups.setdefault(inside, []).append(t)
    return [x.add(*group) for group in groups.values()]


def _by_variables(e: Expr) -> list[Expr]:
    """Terms with the same variables; those with fewer stand with the first that has all of them."""
    groups: dict[frozenset[str], list[Expr]] = {}
    for t in sorted(terms(e), key=lambda t: -len(t.variables)):
        key = next((names for names in groups if t.variables <= names), t.variables)
        groups.setdefault(key, []).append(t)
    return [x.add(*group) for group in groups.values()]


def _sum_of(ctx: Context, goal: Goal, parts: list[Expr], depth: int) -> Proof | None:
    proofs = []
    for part in parts:
        found = ctx.prove(replace(goal, expr=part), depth + 1, False)
        if found is None:
            return None
        proofs.append({"expr": to_data(part), "proof": found})
    defined = requirement_proofs(ctx, goal, goal.expr, depth)
    return None if defined is None else {"by": "sum", "parts": proofs, **defined}


def by_margin(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """A tiny positive number beside an expression that is not negative on its own."""
    margin = next((t for t in goal.expr.args if t.op == "num"), None) if goal.expr.op == "+" else None
    if margin is None or not 0 < x.rational(margin) < _TINY:
        return None
    rest = replace(goal, expr=x.add(*(t for t in goal.expr.args if t is not margin)), strict=False)
    proof = ctx.prove(rest, depth + 1, True) if plausible(None, rest) else None
    defined = requirement_proofs(ctx, goal, goal.expr, depth) if proof else None
    if defined is None:
        return None
    parts = [{"expr": to_data(margin), "proof": {"by": "box"}}, {"expr": to_data(rest.expr), "proof": proof}]
    return {"by": "sum", "parts": parts, **defined}


def by_pairing(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """One negative term against one positive term; the others only help."""
    if goal.expr.op != "+" or len(goal.expr.args) < 3 or depth > 10:
        return None
    signs = [guess_sign(t, goal) for t in goal.expr.args]
    negative = [t for t, s in zip(goal.expr.args, signs, strict=True) if s != 1]
    if len(negative) != 1:
        return None
    positive = [t for t in goal.expr.args if t is not negative[0]]
    for i, t in enumerate(positive):
        others = x.add(*positive[:i], *positive[i + 1 :])
        found = _two_part_sum(ctx, goal, x.add(t, negative[0]), others, depth)
        if found:
            return found
    return None


def by_conjugate(ctx: Context, goal: Goal, depth: int, subdivide: bool) -> Proof | None:
    """P + Q*sqrt(u) as a quotient free of the root above."""
    pair = conjugate(goal.expr, ctx.algebra(goal.box))
    if pair is None or depth > 10:
        return None
    above, below = pair
    if above is x.ZERO:
        # The expression vanishes, but 0 over anything is no form of it that the checker's algebra knows.
        return None
    return by_pieces(ctx, goal, [(above, 1), (below, -1)], depth, subdivide)


def _square(side: Expr, algebra: Algebra) -> Expr:
    """The square of a side; of a single root what stands under it, as it stands."""
    c, rest = coefficient(side)
    if rest.op == "^" and x.is_num(rest.args[1]) and x.rational(rest.args[1]) == Fraction(1, 2):
        return x.mul(x.num(c**2), rest.args[0])
    square = x.power(side, x.num(2))
    return to_expr(algebra.normal(square)) if has_root(side) else square


def by_squares(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """A difference with roots by the difference of the squares of its sides; the greater side is not negative."""
    if depth > 6 or not has_root(goal.expr, moving=True) or has_odd_root(goal.expr):
        return None
    for a, b in _sides_with_roots(ctx, goal):
        found = _by_squares_of(ctx, goal, a, b, depth)
        if found:
            return found
    return None


def _sides_with_roots(ctx: Context, goal: Goal) -> Iterator[tuple[Expr, Expr]]:
    """Roots of one sign against what has none; positive terms against the others."""
    parts = terms(goal.expr)
    if any(coefficient(t)[1].op == "^" and has_root(t, moving=True) and not _is_root(t) for t in parts):
        try:
            parts = terms(to_expr(ctx.algebra(goal.box).normal(goal.expr)))
        except UnsupportedError:
            return
    if len(parts) < 2:
        return
    signs = [guess_sign(t, goal) for t in parts]
    roots = [t for t in parts if _is_root(t)]
    rest = [t for t in parts if t not in roots]
    rooted = {s for t, s in zip(parts, signs, strict=True) if t in roots}
    if rooted in ({1}, {-1}) and not any(has_root(t, moving=True) for t in rest):
        side, other = x.add(*roots), x.add(*rest)
        yield (side, x.neg(other)) if 1 in rooted else (other, x.neg(side))
    a = x.add(*(t for t, s in zip(parts, signs, strict=True) if s == 1))
    b = x.add(*(x.neg(t) for t, s in zip(parts, signs, strict=True) if s != 1))
    yield a, b


def _is_root(t: Expr) -> bool:
    """Whether a term is a product with a root."""
    factors = t.args if t.op == "*" else (t,)
    powers = [f.args[1] for f in factors if f.op == "^" and f.variables]
    return any(x.is_num(k) and x.rational(k).denominator > 1 for k in powers)


def _by_squares_of(ctx: Context, goal: Goal, a: Expr, b: Expr, depth: int) -> Proof | None:
    squares = replace(goal, expr=x.sub(x.power(a, x.num(2)), x.power(b, x.num(2))))
    left = replace(goal, expr=a, strict=False)
    if not plausible(None, squares) or not plausible(None, left):
        return None
    try:
        plain = x.sub(*(_square(side, ctx.algebra(goal.box)) for side in (a, b)))
        if has_root(plain):
            plain = to_expr(ctx.algebra(goal.box).normal(plain))
    except UnsupportedError:
        return None
    above = ctx.prove(left, depth + 1, False)
    proof = ctx.prove(replace(goal, expr=plain), depth + 1, False) if above else None
    defined = requirement_proofs(ctx, goal, goal.expr, depth) if proof else None
    inner = requirement_proofs(ctx, goal, squares.expr, depth) if defined is not None else None
    if proof is None or defined is None or inner is None:
        return None
    entry = {"expr": to_data(plain), "power": 1, "sign": 1, "strict": goal.strict, "proof": proof}
    rewritten_squares = {"by": "product", "coefficient": 1, "factors": [entry], **inner}
    sides = {"left": to_data(a), "right": to_data(b), "left_proof": above}
    return {"by": "squares", **sides, "proof": rewritten_squares, **defined}
