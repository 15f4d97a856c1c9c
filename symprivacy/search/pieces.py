"""Products, sums and quotients whose parts have known signs."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from symprivacy.kernel import expr as x
from symprivacy.kernel.checker import Goal, split_goals
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.text import to_text
from symprivacy.search import forms
from symprivacy.search.context import Context
from symprivacy.search.leaf import Proof, by_box
from symprivacy.search.refute import named_roots, try_roots
from symprivacy.search.signs import guess_sign, requirement_proofs


def join(goal: Goal, name: str, at: Expr, low: Proof, high: Proof, leave_out: str = "") -> Proof:
    """The node that joins the proofs for the two sides of a cut."""
    node: Proof = {"by": "split", "var": name, "at": to_text(at), "low": low, "high": high}
    return {**node, "open": leave_out} if leave_out else node


def rewritten(ctx: Context, goal: Goal, new: Expr, depth: int) -> Proof | None:
    """The goal for another form of the same expression, decided by one enclosure."""
    found = by_box(replace(goal, expr=new))
    defined = requirement_proofs(ctx, goal, goal.expr, depth) if found else None
    if found is None or defined is None:
        return None
    entry = {"expr": to_text(new), "power": 1, "sign": 1, "strict": goal.strict, "proof": found}
    return {"by": "product", "coefficient": "1", "factors": [entry], **defined}


def by_pieces(
    ctx: Context,
    goal: Goal,
    pieces: list[tuple[Expr, int]],
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
        entry: Proof = {"expr": to_text(f), "power": power, "sign": 0, "strict": True, "proof": None}
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
    node = {"by": "product", "coefficient": to_text(x.num(coefficient)), "factors": parts, **defined}
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
    from symprivacy.search.given import with_given

    parts = []
    for u in (f, x.neg(f)):
        # The goal without the condition is what brought us here, so it is not tried again.
        found = with_given(ctx, replace(goal, given=(*goal.given, (u, False))), depth + 2, subdivide, free=False)
        if found is None:
            return None
        parts.append(found)
    return {"by": "sign", "of": to_text(f), "parts": parts}


def by_sum(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """A sum of terms none of which is negative."""
    terms = goal.expr.args if goal.expr.op == "+" else ()
    if goal.expr.op == "*" and len(goal.expr.args) == 2 and x.is_num(goal.expr.args[0], -1):
        terms = tuple(x.neg(t) for t in goal.expr.args[1].args) if goal.expr.args[1].op == "+" else ()
    if not terms or any(guess_sign(t, goal) != 1 for t in terms):
        return None
    parts: list[Proof] = []
    lacking = goal.strict
    for t in terms:
        found = ctx.prove(replace(goal, expr=t, strict=True), depth + 1, False) if lacking else None
        if found:
            # The checker wants the positive term first.
            lacking = False
            parts.insert(0, {"expr": to_text(t), "proof": found})
            continue
        found = ctx.prove(replace(goal, expr=t, strict=False), depth + 1, False)
        if found is None:
            return None
        parts.append({"expr": to_text(t), "proof": found})
    defined = None if lacking else requirement_proofs(ctx, goal, goal.expr, depth)
    return {"by": "sum", "parts": parts, **defined} if defined is not None else None


def by_conjugate(ctx: Context, goal: Goal, depth: int, subdivide: bool) -> Proof | None:
    """P + Q*sqrt(u) as a quotient free of the root above."""
    pair = forms.conjugate(goal.expr, ctx.algebra(goal.box))
    if pair is None or depth > 10:
        return None
    above, below = pair
    return by_pieces(ctx, goal, [(above, 1), (below, -1)], depth, subdivide)
