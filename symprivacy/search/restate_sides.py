"""Restatements that compare something else than the two sides: their logarithms, squares, or multiples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from symprivacy.algebra.polynomials import poly_expr
from symprivacy.algebra.rewrites import shown_equal
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal
from symprivacy.search.context import Context
from symprivacy.search.effort import size
from symprivacy.search.leaf import Proof
from symprivacy.search.restate import Restatement
from symprivacy.search.signs import guess_sign, requirement_proofs
from symprivacy.search.taking_logs import log_of, without_logs, without_plain_logs
from symprivacy.search.terms import powers, terms

_MOST = 3


def factor_entry(e: Expr, power: int, sign: int, strict: bool, proof: Proof) -> Proof:
    """One factor of a product as the checker reads it."""
    return {"expr": to_data(e), "power": power, "sign": sign, "strict": strict, "proof": proof}


def rewritten(ctx: Context, goal: Goal, new: Expr, proof: Proof) -> Proof | None:
    """The proof of a goal from one for another form of the same expression."""
    if new is goal.expr:
        return proof
    defined = requirement_proofs(ctx, goal, goal.expr, 1)
    entry = factor_entry(new, 1, 1, goal.strict, proof)
    return None if defined is None else {"by": "product", "coefficient": 1, "factors": [entry], **defined}


def sides(goal: Goal) -> Iterator[tuple[Expr, Expr]]:
    """Ways to write a sum as a - b: positive terms against the others, and each long term against the rest."""
    added = terms(goal.expr)
    signs = [guess_sign(t, goal) for t in added]
    above = [t for t, s in zip(added, signs, strict=True) if s == 1]
    below = [t for t, s in zip(added, signs, strict=True) if s != 1]
    found: dict[tuple[Expr, Expr], None] = {}
    if above and below:
        found[x.add(*above), _minus(below)] = None
    for t, s in zip(added, signs, strict=True):
        rest = [other for other in added if other is not t]
        if s and len(added) > 2 and (_parts(t) > 1 or _is_power(t)):
            found[(t, _minus(rest)) if s == 1 else (x.add(*rest), x.neg(t))] = None
    yield from list(found)[:_MOST]


def _minus(added: list[Expr]) -> Expr:
    return x.add(*(x.neg(t) for t in added))


def _parts(t: Expr) -> int:
    return sum(bool(f.variables) for f in t.args) if t.op == "*" else 1


def _is_power(t: Expr) -> bool:
    return any(f.op in ("exp", "^") for f in (t.args if t.op == "*" else (t,)) if f.variables)


def by_logarithms(ctx: Context, goal: Goal) -> Iterator[Restatement]:
    """log(a) - log(b) for a - b, where one of the logarithms comes apart."""
    for a, b in sides(goal):
        if _has_log(goal.expr) and not any(_is_bare_power(e) for e in (a, b)):
            # Logarithms of sums with logarithms are simple only where they do away with a power.
            continue
        plain = x.sub(log_of(a), log_of(b))
        if all(log_of(e) is x.log(e) for e in (a, b)) or any(guess_sign(e, goal) != 1 for e in (a, b)):
            continue
        ctx.tick(goal)
        if shown_equal(x.sub(x.log(a), x.log(b)), plain, goal.box):
            yield _compared_by_logs(goal, a, b, plain)


def _has_log(e: Expr) -> bool:
    return any(n.op == "log" and n.variables for n in x.subexpressions(e))


def _is_bare_power(e: Expr) -> bool:
    """Whether a side is one term with an exponential or a power that is not whole."""
    factors = [f for f in (e.args if e.op == "*" else (e,)) if f.variables]
    whole = [f.op == "^" and x.is_num(f.args[1]) and x.rational(f.args[1]).denominator == 1 for f in factors]
    return any(f.op == "exp" or (f.op == "^" and not w) for f, w in zip(factors, whole, strict=True))


def _compared_by_logs(goal: Goal, a: Expr, b: Expr, plain: Expr) -> Restatement:
    def join(ctx: Context, proofs: list[Proof]) -> Proof | None:
        logs = replace(goal, expr=x.sub(x.log(a), x.log(b)))
        inner = rewritten(ctx, logs, plain, proofs[2])
        defined = requirement_proofs(ctx, goal, goal.expr, 1) if inner else None
        data = {"left": to_data(a), "right": to_data(b), "left_proof": proofs[0], "right_proof": proofs[1]}
        return None if defined is None else {"by": "logs", **data, "proof": inner, **defined}

    positive = [replace(goal, expr=e, strict=True) for e in (a, b)]
    return Restatement((*positive, replace(goal, expr=plain)), join)


def by_exponentials(ctx: Context, goal: Goal) -> Iterator[Restatement]:
    """a - b for log(a) - log(b), as they stand and in normal form."""
    for parts in dict.fromkeys((without_plain_logs(goal.expr), without_logs(goal.expr, ctx.algebra(goal.box)))):
        if parts is not None:
            scale, a, b = parts
            ctx.tick(goal)
            if shown_equal(x.mul(x.num(scale), goal.expr), x.sub(x.log(a), x.log(b)), goal.box):
                yield _compared_by_exponentials(goal, scale, a, b)


def _compared_by_exponentials(goal: Goal, scale: Fraction, a: Expr, b: Expr) -> Restatement:
    def join(ctx: Context, proofs: list[Proof]) -> Proof | None:
        defined = requirement_proofs(ctx, goal, goal.expr, 1)
        data = {"left": to_data(a), "right": to_data(b), "scale": to_data(x.num(scale))}
        done = {"by": "exps", **data, "right_proof": proofs[0], "proof": proofs[1]}
        return None if defined is None else {**done, **defined}

    return Restatement((replace(goal, expr=b, strict=True), replace(goal, expr=x.sub(a, b))), join)


def by_numerator(ctx: Context, goal: Goal) -> Iterator[Restatement]:
    """What stands above a common denominator: of the terms as they are, and in normal form if that is shorter."""
    found = [cleared(goal.expr)]
    try:
        above, below = ctx.algebra(goal.box).normal(goal.expr)
        normal = poly_expr(above), [(poly_expr(dict(p)), int(k)) for p, k in below.items()]
        if not found[0][1] or size(normal[0]) < size(found[0][0]):
            found.append(normal)
    except UnsupportedError:
        pass
    for numerator, factors in found:
        signs = [guess_sign(f, goal) for f, _ in factors]
        if factors and 0 not in signs:
            ctx.tick(goal)
            quotient = x.mul(numerator, *(x.power(f, x.num(-k)) for f, k in factors))
            if shown_equal(goal.expr, quotient, goal.box):
                yield _over(goal, numerator, [(f, k, s) for (f, k), s in zip(factors, signs, strict=True)])


def cleared(e: Expr) -> tuple[Expr, list[tuple[Expr, int]]]:
    """A sum times the denominators of its terms, and these, with whole powers.

    >>> from symprivacy.language.text import parse
    >>> cleared(parse("log(x)/(x - 1) - y"))
    (Expr('log(x) - y*(x - 1)'), [(Expr('x - 1'), 1)])
    """
    added = [powers(t) for t in terms(e)]
    below: dict[Expr, int] = {}
    for term in added:
        for f, k in term.items():
            if k < 0 and f.variables:
                below[f] = max(below.get(f, 0), -k)
    above = []
    for term in added:
        raised = {f: term.get(f, 0) + below.get(f, 0) for f in {**term, **below}}
        above.append(x.mul(*(x.power(f, x.num(k)) for f, k in raised.items() if k)))
    return x.add(*above), list(below.items())


def _over(goal: Goal, numerator: Expr, factors: list[tuple[Expr, int, int]]) -> Restatement:
    sign = 1
    for _, k, s in factors:
        sign *= s**k

    def join(ctx: Context, proofs: list[Proof]) -> Proof | None:
        defined = requirement_proofs(ctx, goal, goal.expr, 1)
        entries = [factor_entry(numerator, 1, sign, goal.strict, proofs[-1])]
        for (f, k, s), proof in zip(factors, proofs[:-1], strict=True):
            entries.append(factor_entry(f, -k, s, True, proof))
        node = {"by": "product", "coefficient": 1, "factors": entries}
        return None if defined is None else {**node, **defined}

    known = [replace(goal, expr=f if s == 1 else x.neg(f), strict=True) for f, _, s in factors]
    main = replace(goal, expr=numerator if sign == 1 else _minus(terms(numerator)))
    return Restatement((*known, main), join, cost=0)


def by_squaring(ctx: Context, goal: Goal) -> Iterator[Restatement]:
    """a**2 - b**2 for a - b, where a side is one root, or the absolute value that is the only kink."""
    for a, b in sides(goal):
        plain = x.sub(_square(a), _square(b))
        if not plain.has_kink and any(_is_root(e) for e in (a, b)) and guess_sign(a, goal) == 1:
            ctx.tick(goal)
            if shown_equal(x.sub(x.power(a, x.num(2)), x.power(b, x.num(2))), plain, goal.box):
                yield _compared_by_squares(goal, a, b, plain)


def _compared_by_squares(goal: Goal, a: Expr, b: Expr, plain: Expr) -> Restatement:
    def join(ctx: Context, proofs: list[Proof]) -> Proof | None:
        squares = replace(goal, expr=x.sub(x.power(a, x.num(2)), x.power(b, x.num(2))))
        inner = rewritten(ctx, squares, plain, proofs[1])
        defined = requirement_proofs(ctx, goal, goal.expr, 1) if inner else None
        data = {"left": to_data(a), "right": to_data(b), "left_proof": proofs[0]}
        return None if defined is None else {"by": "squares", **data, "proof": inner, **defined}

    # Without its kink a goal is one for all the other ways.
    cost = 0 if goal.expr.has_kink else 1
    return Restatement((replace(goal, expr=a, strict=False), replace(goal, expr=plain)), join, cost)


def _is_root(e: Expr) -> bool:
    factors = e.args if e.op == "*" else (e,)
    return any(_root(f) is not None for f in factors)


def _root(f: Expr) -> Expr | None:
    """What stands under a square root; an absolute value is one of a square."""
    if f.op == "abs":
        return x.power(f.args[0], x.num(2))
    whole = f.op == "^" and x.is_num(f.args[1]) and x.rational(f.args[1]) == Fraction(1, 2) and bool(f.variables)
    return f.args[0] if whole else None


def _square(e: Expr) -> Expr:
    factors = e.args if e.op == "*" else (e,)
    under = [(_root(f), f) for f in factors]
    return x.mul(*(x.power(f, x.num(2)) if u is None else u for u, f in under))
