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
from symprivacy.implications.symbolic import Implicit, Symbolic
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Box, Range
from symprivacy.kernel.enclose import constant_sign
from symprivacy.kernel.expr import Expr, substitute
from symprivacy.language.text import parse, to_text
from symprivacy.search.verdict import Status, Verdict

# The level of a target as a function of the x of randomized response, turned round.
_INVERSE = {
    "TV": ("2*atanh(y)", "1"),
    "HELL2": ("2*acosh(1/(1 - y))", "1"),
    "CHI2": ("2*asinh(sqrt(y)/2)", None),
    "SP": ("2*atanh(y)", "1"),
}
_FARTHEST = 10**6


def covers(
    known: Symbolic, claimed: Expr, box: Box, target: str, rel: str = "<=", rounds: tuple[int, ...] = (SHORT, LONG)
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


def forms(known: Symbolic, claimed: Expr, box: Box, target: str, rel: str = "<=") -> Iterator[Form]:
    """Comparisons each of which is as good as ``known REL claimed`` on the box.

    >>> from symprivacy.implications.symbolic import branch
    >>> from symprivacy.language.domain import box_from_texts
    >>> box = box_from_texts(["k in (0, oo)"])
    >>> pinsker = forms(branch("KL", "TV", {"k": parse("k")}, box), parse("sqrt(k/2)"), box, "TV")
    >>> print([f"{to_text(f.lhs)} {f.rel} {to_text(f.rhs)}" for f in pinsker][0])
    tanh(x/2)**2 <= x*tanh(x/2)/2
    """
    if known.root is None:
        plain = Form(known.level, rel, claimed, box)
        yield from plainer(plain)
        return
    for form in _explicit(known, known.root, claimed, box, rel):
        yield from plainer(form)
    turned = _turned(known, known.root, claimed, box, target, rel)
    if turned is not None:
        yield from plainer(turned)


def _explicit(known: Symbolic, root: Implicit, claimed: Expr, box: Box, rel: str) -> Iterator[Form]:
    """The implicit variable in the place of one that fixes it."""
    for name in sorted(root.right.variables):
        inverse = solved(root.right, name, root.left)
        if inverse is None or name in root.left.variables:
            continue
        back = substitute(inverse, {root.name: x.var(root.name)})
        shown = _undone(root, name, box)
        if not shown:
            continue
        put = {name: back}
        span = _span(root, name, box)
        rest = {n: r for n, r in box.items() if n != name} | {root.name: span}
        lhs, rhs = substitute(known.level, put), substitute(claimed, put)
        words = (f"with `{to_text(x.var(name))} = {to_text(back)}`, `{root.name} in {span}`",)
        yield Form(lhs, rel, rhs, rest, words, put, exact=False)


def _undone(root: Implicit, name: str, box: Box) -> bool:
    """Whether the inverse undoes the right side on the box."""
    if root.right.op == "var":
        return True
    other = x.var(next(n for k in range(100) if (n := f"w{k}") not in box))
    turned = solved(root.right, name, other)
    if turned is None:
        return False
    both = substitute(turned, {str(other.value): root.right})
    return same(both, x.var(name), box) is not None


def _span(root: Implicit, name: str, box: Box) -> Range:
    """A range that the implicit variable cannot leave; larger than need be where the equation has other variables."""
    whole = Range(x.ZERO, None, True, True)
    if root.left.variables != {root.name} or root.right.variables != {name}:
        return whole
    r = box[name]
    lo, hi = r.lo, r.hi
    low = whole.lo if lo is None else _reached(root, substitute(root.right, {name: lo}), up=False)
    high = None if hi is None else _reached(root, substitute(root.right, {name: hi}), up=True)
    if low is None:
        return whole
    return Range(low, high, low is x.ZERO, high is None)


def _reached(root: Implicit, goal: Expr, up: bool) -> Expr | None:
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


def _side(root: Implicit, value: Fraction, goal: Expr) -> int | None:
    return constant_sign(x.sub(substitute(root.left, {root.name: x.num(value)}), goal), 400)


def _turned(known: Symbolic, root: Implicit, claimed: Expr, box: Box, target: str, rel: str) -> Form | None:
    """left(x) of the claimed level against right: levels of the target grow with x."""
    if target not in _INVERSE:
        return None
    text, top = _INVERSE[target]
    inverse = parse(text)
    # The level has to be the inverse's own function of the implicit variable.
    own = substitute(inverse, {"y": known.level})
    there = {root.name: Range(x.ZERO, None, True, True)}
    if known.level.variables != {root.name} or same(own, x.var(root.name), there) is None:
        return None
    if top is not None and certain(claimed, "<", parse(top), box) is None:
        return None
    level = substitute(root.left, {root.name: substitute(inverse, {"y": claimed})})
    back = {"<=": ">=", ">=": "<="}[rel]
    return Form(level, back, root.right, box, ("the level of the premise at which the claimed one is reached",))
