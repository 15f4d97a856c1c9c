"""Whether a claimed level covers a known one on a box: the comparison in the forms in which it may be provable.

A level with an implicit variable x, left(x) = right, becomes elementary when x is made a variable of the box in the
place of the one that stands alone in right. Where the claim is a root, both sides are squared; where a variable stands
in a logarithm or under a root only, it is replaced by one that does not need it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from symprivacy.claims.case import certain
from symprivacy.claims.rewriting import LONG, SHORT, Form, plainer, same, solved
from symprivacy.errors import SymPrivacyError
from symprivacy.implications.formula import Formula, Root, expression
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Box, Range
from symprivacy.kernel.enclose import constant_sign
from symprivacy.kernel.expr import Expr, substitute
from symprivacy.language.text import to_text
from symprivacy.search.verdict import Status, Verdict

# The level of a target as a function of the x of randomized response, turned round.
_INVERSE = {
    "TV": (expression("2*atanh(y)"), x.ONE),
    "HELL2": (expression("2*acosh(1/(1 - y))"), x.ONE),
    "CHI2": (expression("2*asinh(sqrt(y)/2)"), None),
    "SP": (expression("2*atanh(y)"), x.ONE),
}
_FARTHEST = 10**6


def covers(
    known: Formula, claimed: Expr, box: Box, target: str, rel: str = "<=", rounds: tuple[int, ...] = (SHORT, LONG)
) -> tuple[Form, Verdict] | None:
    """The first form that is proved or refuted; every form gets a short search before any gets a long one."""
    left, failed = list(forms(known, claimed, box, target, rel)), None
    for steps in rounds:
        for form in tuple(left):
            verdict = form.decide(steps)
            if verdict.status is Status.PROVED or (verdict.status is Status.REFUTED and form.exact):
                return form, verdict
            if verdict.status is Status.REFUTED:
                # It only suffices, or its box is larger: another form may be provable.
                left.remove(form)
                failed = failed or (form, verdict)
    return failed


def forms(known: Formula, claimed: Expr, box: Box, target: str, rel: str = "<=") -> Iterator[Form]:
    """Comparisons each of which is as good as ``known REL claimed`` on the box.

    >>> from symprivacy.implications.symbolic import everywhere
    >>> from symprivacy.language.domain import box_from_texts
    >>> from symprivacy.language.text import parse
    >>> box = box_from_texts(["k in (0, oo)"])
    >>> pinsker = forms(everywhere("KL", "TV", {"k": parse("k")}, box).level, parse("sqrt(k/2)"), box, "TV")
    >>> print([f"{to_text(f.lhs)} {f.rel} {to_text(f.rhs)}" for f in pinsker][0])
    tanh(x/2)**2 <= x*tanh(x/2)/2
    """
    if not known.roots:
        plain = Form(known.expr(), rel, claimed, box)
        yield from plainer(plain)
        return
    (root,) = known.roots
    for form in _explicit(known, root, claimed, box, rel):
        yield from plainer(form)
    turned = _turned(known, root, claimed, box, target, rel)
    if turned is not None:
        yield from plainer(turned)


def _explicit(known: Formula, root: Root, claimed: Expr, box: Box, rel: str) -> Iterator[Form]:
    """The implicit variable in the place of one that fixes it."""
    left, right = root.equation
    for name in sorted(right.variables):
        inverse = solved(right, name, left)
        if inverse is None or name in left.variables:
            continue
        back = substitute(inverse, {root.name: x.var(root.name)})
        shown = _undone(root, name, box)
        if not shown:
            continue
        put = {name: back}
        span = _span(root, name, box)
        rest = {n: r for n, r in box.items() if n != name} | {root.name: span}
        lhs, rhs = substitute(known.expr(), put), substitute(claimed, put)
        words = (f"with `{to_text(x.var(name))} = {to_text(back)}`, `{root.name} in {span}`",)
        yield Form(lhs, rel, rhs, rest, words, put, exact=False)


def _undone(root: Root, name: str, box: Box) -> bool:
    """Whether the inverse undoes the right side on the box."""
    right = root.equation[1]
    if right.op == "var":
        return True
    other = x.var(next(n for k in range(100) if (n := f"w{k}") not in box))
    turned = solved(right, name, other)
    if turned is None:
        return False
    both = substitute(turned, {str(other.value): right})
    return same(both, x.var(name), box) is not None


def _span(root: Root, name: str, box: Box) -> Range:
    """A range that the implicit variable cannot leave; larger than need be where the equation has other variables."""
    whole = Range(x.ZERO, None, True, True)
    left, right = root.equation
    if left.variables != {root.name} or right.variables != {name}:
        return whole
    r = box[name]
    lo, hi = r.lo, r.hi
    low = whole.lo if lo is None else _reached(root, substitute(right, {name: lo}), up=False)
    high = None if hi is None else _reached(root, substitute(right, {name: hi}), up=True)
    if low is None:
        return whole
    return Range(low, high, low is x.ZERO, high is None)


def _reached(root: Root, goal: Expr, up: bool) -> Expr | None:
    """A number at which the left side is beyond a goal, a little farther than need be."""
    try:
        low, high = Fraction(0), Fraction(1)
        while _side(root, high, goal) == -1:
            low, high = high, 2 * high
            if high > _FARTHEST:
                return None if up else x.ZERO
        for _ in range(24):
            middle = (low + high) / 2
            if _side(root, middle, goal) == -1:
                low = middle
            else:
                high = middle
    except SymPrivacyError:
        return None if up else x.ZERO
    return x.num(high if up else low)


def _side(root: Root, value: Fraction, goal: Expr) -> int | None:
    return constant_sign(x.sub(substitute(root.equation[0], {root.name: x.num(value)}), goal), 400)


def _turned(known: Formula, root: Root, claimed: Expr, box: Box, target: str, rel: str) -> Form | None:
    """left(x) of the claimed level against right: levels of the target grow with x."""
    if target not in _INVERSE:
        return None
    own, top = _INVERSE[target]
    if known.expr().variables != {root.name}:
        return None
    # The level has to be the inverse's own function of the implicit variable, or of twice that.
    (left, right) = root.equation
    there = {root.name: Range(x.ZERO, None, True, True)}
    for inverse in (own, x.mul(x.num(Fraction(1, 2)), own)):
        if same(substitute(inverse, {"y": known.expr()}), x.var(root.name), there) is not None:
            break
    else:
        return None
    if top is not None and certain(claimed, "<", top, box) is None:
        return None
    level = substitute(left, {root.name: substitute(inverse, {"y": claimed})})
    back = {"<=": ">=", ">=": "<="}[rel]
    return Form(level, back, right, box, ("the level of the premise at which the claimed one is reached",))
