"""Search for a proof of one goal: symbolic reductions first, then subdivision.

Every function returns a proof (plain JSON for the checker) or None. Points at which the statement may fail
are handed to the context, which asks the checker. Nothing here is trusted.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from symprivacy.errors import CertificateError, NoInformation, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.checker import Goal, bound_goal, cases, conditions_of, fix_goal, root_goal, split_goals, taylor_goals
from symprivacy.kernel.domain import intervals
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import KINKED, Expr
from symprivacy.kernel.text import to_text
from symprivacy.search import forms
from symprivacy.search.context import Context
from symprivacy.search.floats import approximate
from symprivacy.search.leaf import Proof, by_box, constant_proof, leaf, shows
from symprivacy.search.refute import try_roots
from symprivacy.search.sampling import float_ends, sample_box

MAX_DEPTH = 14


def prove(ctx: Context, goal: Goal, depth: int = 0, subdivide: bool = True) -> Proof | None:
    """A proof of the goal, or None."""
    ctx.tick()
    if not goal.expr.variables and not goal.given:
        return constant_proof(goal.expr, goal.strict)
    found = by_box(goal)
    if found or depth > MAX_DEPTH:
        return found
    for name, r in goal.box.items():
        if r.is_point() and name in goal.expr.variables:
            inner = prove(ctx, fix_goal(goal, name), depth, subdivide)
            return inner and {"by": "fix", "var": name, "proof": inner}
    if goal.expr.op == "^" and x.is_num(goal.expr.args[1]) and x.rational(goal.expr.args[1]).denominator > 1:
        inner = prove(ctx, root_goal(goal), depth, subdivide)
        return inner and {"by": "root", "proof": inner}
    if any(n.op in KINKED for n in x.subexpressions(goal.expr)):
        return _by_cases(ctx, goal, depth, subdivide)
    if goal.given:
        return _with_given(ctx, goal, depth, subdivide)
    return _smooth(ctx, goal, depth, subdivide)


def _smooth(ctx: Context, goal: Goal, depth: int, subdivide: bool) -> Proof | None:
    if not plausible(ctx, goal):
        return None
    factored = forms.factor(goal.expr)
    if factored is None:
        try:
            if forms.normal(goal.expr)[0]:
                return _irreducible(ctx, goal, depth, subdivide)
        except UnsupportedError:
            return _irreducible(ctx, goal, depth, subdivide)
        defined = None if goal.strict else requirement_proofs(ctx, goal, goal.expr, depth)
        return {"by": "zero", **defined} if defined is not None else None
    ((only, power),) = factored.factors if len(factored.factors) == 1 else ((None, 0),)
    if power == 1 and abs(factored.coefficient) == 1 and not _has_denominator(goal.expr):
        return _irreducible(ctx, goal if only is None else goal, depth, subdivide)
    return _by_product(ctx, goal, factored, depth, subdivide)


def _has_denominator(e: Expr) -> bool:
    return any(n.op == "^" and x.is_num(n.args[1]) and x.rational(n.args[1]) < 0 for n in x.subexpressions(e))


def plausible(ctx: Context, goal: Goal) -> bool:
    """Whether floating point sees no point of the box at which the goal fails; suspects go to the checker."""
    for at in sample_box(goal.box, 24):
        value = approximate(goal.expr, {n: float(v) for n, v in at.items()})
        if value < -1e-9 * _scale(goal.expr, at):
            ctx.try_point(at)
            return False
    return True


def _scale(e: Expr, at: dict[str, Fraction]) -> float:
    """The size of the terms of a sum at a point: what rounding errors are relative to."""
    point = {n: float(v) for n, v in at.items()}
    terms = e.args if e.op == "+" else (e,)
    return sum(abs(v) for v in (approximate(t, point) for t in terms) if v == v) or 1e-300


def guess_sign(e: Expr, goal: Goal) -> int:
    """The sign that floating point sees all over the box; 0 if it sees both."""
    seen = 0
    for at in sample_box(goal.box, 24):
        value = approximate(e, {n: float(v) for n, v in at.items()})
        if abs(value) > 1e-10 * _scale(e, at):
            sign = 1 if value > 0 else -1
            if seen == -sign:
                return 0
            seen = sign
    return seen or 1


def requirement_proofs(ctx: Context, goal: Goal, e: Expr, depth: int, smooth: bool = False) -> Proof | None:
    """Proofs that the expression is defined (smooth) on the box, as the checker wants them; None if it fails."""
    try:
        needs = x.requirements(e, smooth)
    except UnsupportedError:
        return None
    proofs: list[Proof | None] = []
    for u, need in needs:
        try:
            value = enclose(u, intervals(goal.box, 53), 53)
            if iv.sign_known(value) != 0 if need == "!= 0" else shows(value, need == "> 0"):
                proofs.append(None)
                continue
        except NoInformation:
            pass
        sign = guess_sign(u, goal) if need == "!= 0" else 1
        target = replace(goal, expr=u if sign == 1 else x.neg(u), strict=need != ">= 0")
        found = prove(ctx, target, depth + 1) if sign else None
        if found is None:
            ctx.note(f"it is not shown that {to_text(u)} {need} on the domain")
            return None
        proofs.append({**found, "sign": sign})
    key = "smooth" if smooth else "defined"
    return {key: proofs} if any(p is not None for p in proofs) else {}


def _by_product(ctx: Context, goal: Goal, factored: forms.Factored, depth: int, subdivide: bool) -> Proof | None:
    defined = requirement_proofs(ctx, goal, goal.expr, depth)
    if defined is None:
        return None
    sign = 1 if factored.coefficient > 0 else -1
    parts: list[Proof] = []
    # Cheap factors first: a wrong guess about the product shows before the hard factor is tried.
    for f, power in sorted(factored.factors, key=lambda t: len(to_text(t[0]))):
        entry: Proof = {"expr": to_text(f), "power": power, "sign": 0, "strict": True, "proof": None}
        parts.append(entry)
        claimed = guess_sign(f, goal)
        even = power % 2 == 0
        if even and power > 0 and not goal.strict and requirement_proofs(ctx, goal, f, depth) == {}:
            continue
        if claimed == 0:
            if goal.strict or power < 0:
                try_roots(ctx, f, goal)
            return None
        strict = goal.strict or power < 0
        target = replace(goal, expr=f if claimed == 1 else x.neg(f), strict=strict)
        proof = _factor_proof(ctx, target, depth, subdivide)
        if proof is None:
            return None
        entry.update(sign=claimed, strict=strict, proof=proof)
        sign *= claimed**power
    coefficient = to_text(x.num(factored.coefficient))
    return {"by": "product", "coefficient": coefficient, "factors": parts, **defined} if sign == 1 else None


def _factor_proof(ctx: Context, goal: Goal, depth: int, subdivide: bool) -> Proof | None:
    found = by_box(goal) if goal.expr.variables else constant_proof(goal.expr, goal.strict)
    if found or not goal.expr.variables:
        return found
    if goal.given or goal.expr.op == "^":
        return prove(ctx, goal, depth + 1, subdivide)
    return _irreducible(ctx, goal, depth + 1, subdivide)


def _rewritten(ctx: Context, goal: Goal, new: Expr, depth: int) -> Proof | None:
    """The goal for another form of the same expression, decided by one enclosure."""
    found = by_box(replace(goal, expr=new))
    defined = requirement_proofs(ctx, goal, goal.expr, depth) if found else None
    if found is None or defined is None:
        return None
    entry = {"expr": to_text(new), "power": 1, "sign": 1, "strict": goal.strict, "proof": found}
    return {"by": "product", "coefficient": "1", "factors": [entry], **defined}


def _irreducible(ctx: Context, goal: Goal, depth: int, subdivide: bool) -> Proof | None:
    ctx.tick()
    found = leaf(goal)
    if found or depth > MAX_DEPTH:
        return found
    shifted = forms.shifted(goal.expr, goal.box)
    found = _rewritten(ctx, goal, shifted, depth) if shifted is not None else None
    found = found or by_sum(ctx, goal, depth) or by_conjugate(ctx, goal, depth, subdivide) or by_slope(ctx, goal, depth)
    if found or not subdivide:
        return found
    from symprivacy.search.subdivide import by_subdivision

    return by_subdivision(ctx, goal, depth)


def by_sum(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """A sum of terms none of which is negative."""
    if goal.expr.op != "+" or any(guess_sign(t, goal) != 1 for t in goal.expr.args):
        return None
    parts: list[Proof] = []
    lacking = goal.strict
    for t in goal.expr.args:
        found = prove(ctx, replace(goal, expr=t, strict=True), depth + 1, False) if lacking else None
        if found:
            # The checker wants the positive term first.
            lacking = False
            parts.insert(0, {"expr": to_text(t), "proof": found})
            continue
        found = prove(ctx, replace(goal, expr=t, strict=False), depth + 1, False)
        if found is None:
            return None
        parts.append({"expr": to_text(t), "proof": found})
    return None if lacking else {"by": "sum", "parts": parts}


def by_conjugate(ctx: Context, goal: Goal, depth: int, subdivide: bool) -> Proof | None:
    """P + Q*sqrt(u) as a quotient free of the root above."""
    pair = forms.conjugate(goal.expr)
    if pair is None:
        return None
    above, below = pair
    return _by_pieces(ctx, goal, [(above, 1), (below, -1)], depth, subdivide)


def _by_pieces(ctx: Context, goal: Goal, pieces: list[tuple[Expr, int]], depth: int, subdivide: bool) -> Proof | None:
    defined = requirement_proofs(ctx, goal, goal.expr, depth)
    if defined is None:
        return None
    sign, parts = 1, []
    for f, power in reversed(pieces):
        claimed = guess_sign(f, goal)
        strict = goal.strict or power < 0
        target = replace(goal, expr=f if claimed == 1 else x.neg(f), strict=strict)
        proof = prove(ctx, target, depth + 1, subdivide) if claimed else None
        if proof is None:
            return None
        sign *= claimed
        parts.append({"expr": to_text(f), "power": power, "sign": claimed, "strict": strict, "proof": proof})
    return {"by": "product", "coefficient": "1", "factors": parts, **defined} if sign == 1 else None


def by_slope(ctx: Context, goal: Goal, depth: int) -> Proof | None:
    """Monotone in one variable: the value at the end where it is least, and the sign of the derivative."""
    if depth > MAX_DEPTH:
        return None
    for name in sorted(goal.expr.variables, key=lambda n: _spread(goal, n)):
        proof = _slope_in(ctx, goal, name, depth)
        if proof:
            return proof
    if len(goal.expr.variables) == 1:
        for coefficient, rest in forms.isolate_logs(goal.expr):
            sign = guess_sign(coefficient, goal)
            if sign and by_box(replace(goal, expr=coefficient if sign == 1 else x.neg(coefficient), strict=True)):
                inner = replace(goal, expr=rest if sign == 1 else x.neg(rest))
                ((name),) = goal.expr.variables
                if _slope_in(ctx, inner, name, depth + 1):
                    return _by_pieces(ctx, goal, [(rest, 1), (coefficient, 1)], depth, False)
    return None


def _spread(goal: Goal, name: str) -> float:
    lo, hi = float_ends(goal.box[name])
    return hi - lo


def _slope_in(ctx: Context, goal: Goal, name: str, depth: int) -> Proof | None:
    ctx.tick()
    r = goal.box[name]
    try:
        slope = x.diff(goal.expr, name)
    except UnsupportedError:
        return None
    sign = guess_sign(slope, goal)
    if sign == 0:
        return None
    at_hi = sign < 0
    end, end_open = (r.hi, r.hi_open) if at_hi else (r.lo, r.lo_open)
    if end is None:
        return None
    for strict_at in ([0, "top"] if end_open else [0]) if goal.strict else [None]:
        try:
            whole, (face,), top = taylor_goals(goal, name, at_hi, 1, strict_at)
        except (CertificateError, UnsupportedError):
            return None
        if not face.expr.variables:
            face_proof = constant_proof(face.expr, face.strict)
        else:
            face_proof = prove(ctx, face, depth + 1, False)
        if face_proof is None:
            if not end_open and not face.expr.variables:
                ctx.try_point({name: end})
            continue
        smooth = requirement_proofs(ctx, whole, goal.expr, depth, smooth=True)
        if smooth is None:
            return None
        top_proof = prove(ctx, top, depth + 1, False)
        if top_proof is None:
            return None
        end_name = "hi" if at_hi else "lo"
        node: Proof = {"by": "taylor", "var": name, "end": end_name, "order": 1, "faces": [face_proof], "top": top_proof}
        return {**node, **({"strict": strict_at} if goal.strict else {}), **smooth}
    return None


def _by_cases(ctx: Context, goal: Goal, depth: int, subdivide: bool) -> Proof | None:
    node = next(n for n in x.subexpressions(goal.expr) if n.op in KINKED)
    for c in conditions_of(node):
        if requirement_proofs(ctx, goal, c, depth) != {}:
            ctx.note(f"{to_text(c)} may be undefined on the domain")
            return None
    parts = []
    for part in cases(goal, node):
        proof = prove(ctx, part, depth, subdivide)
        if proof is None:
            return None
        parts.append(proof)
    return {"by": "cases", "of": to_text(node), "parts": parts}


def _with_given(ctx: Context, goal: Goal, depth: int, subdivide: bool) -> Proof | None:
    """Use the given inequalities: to see that there is no such point, not at all, or as bounds of a variable."""
    found = by_empty(goal)
    if found:
        return found
    if goal.expr is not x.MINUS_ONE:
        free = replace(goal, given=())
        if plausible_quietly(free):
            found = prove(ctx, free, depth, subdivide and len(goal.box) == 1)
            if found:
                return found
    for i, (c, _) in enumerate(goal.given):
        for name in sorted(c.variables):
            found = _by_bound(ctx, goal, i, name, depth, subdivide)
            if found:
                return found
    if not subdivide:
        return None
    from symprivacy.search.subdivide import by_subdivision

    return by_subdivision(ctx, goal, depth)


def by_empty(goal: Goal) -> Proof | None:
    """A given inequality that fails on the whole box."""
    for i, (c, strict) in enumerate(goal.given):
        try:
            value = enclose(c, intervals(goal.box, 53), 53)
        except NoInformation:
            continue
        if shows(iv.neg(value), not strict):
            return {"by": "empty", "given": i - len(goal.given)}
    return None


def plausible_quietly(goal: Goal) -> bool:
    """As :func:`plausible`, for a goal that says more than the statement does."""
    for at in sample_box(goal.box, 24):
        value = approximate(goal.expr, {n: float(v) for n, v in at.items()})
        if value != value or value < -1e-9 * _scale(goal.expr, at):
            return False
    return True


def _by_bound(ctx: Context, goal: Goal, index: int, name: str, depth: int, subdivide: bool) -> Proof | None:
    c, _ = goal.given[index]
    pair = forms.linear_bound(c, name)
    if pair is None:
        return None
    u, k = pair
    sign = guess_sign(k, goal)
    if sign == 0 or requirement_proofs(ctx, goal, u, depth) != {}:
        return None
    at_hi = sign > 0
    k = k if at_hi else x.neg(k)
    r = goal.box[name]
    if not u.variables:
        end = r.hi if at_hi else r.lo
        sharper = end is None or constant_proof(x.sub(end, u) if at_hi else x.sub(u, end), True)
        if not sharper:
            return None
    new = next(t for t in ("t", "t1", "t2", "t3", "t4") if t not in goal.box)
    if u.variables and (name.startswith("t") or (r.lo if at_hi else r.hi) is None):
        return None
    factor_proof = prove(ctx, replace(goal, expr=k, strict=True, given=()), depth + 1, False)
    if factor_proof is None:
        return None
    inner = bound_goal(goal, name, at_hi, index, u, new)
    proof = prove(ctx, inner, depth + 1, subdivide)
    if proof is None:
        return None
    return {
        "by": "bound",
        "var": name,
        "side": "hi" if at_hi else "lo",
        "given": index - len(goal.given),
        "bound": to_text(u),
        "factor": to_text(k),
        "factor_proof": factor_proof,
        "new": new,
        "proof": proof,
    }


def by_split(ctx: Context, goal: Goal, name: str, at: Expr, low: Proof, high: Proof, leave_out: bool = False) -> Proof:
    """The node that joins the proofs for the two sides of a cut."""
    split_goals(goal, name, at, leave_out)
    node: Proof = {"by": "split", "var": name, "at": to_text(at), "low": low, "high": high}
    return {**node, "open": True} if leave_out else node
