"""The forms in which a comparison may be provable: squared, without logarithms, in other variables.

Where a side is a root, both sides are squared; where a variable stands in a logarithm or under a root only, it is
replaced by one that does not need it. Every form suffices for the comparison that it comes from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from sympy import cancel, expand

from symprivacy.claims.case import Certificate, certain
from symprivacy.implications.formula import expression
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Box, Range
from symprivacy.kernel.enclose import constant_sign
from symprivacy.kernel.expr import Expr, subexpressions, substitute
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.language.text import parse, to_text
from symprivacy.search.verdict import Status, Verdict, decide

# Steps of the searches for one form; what is provable is mostly proved with few.
SHORT, LONG = 50_000, 500_000


@dataclass(frozen=True)
class Form:
    """A comparison that suffices for ``level <= claimed``; ``words`` say how it came about."""

    lhs: Expr
    rel: str
    rhs: Expr
    box: Box
    words: tuple[str, ...] = ()
    #: the variables of the case that are expressions now
    put: Mapping[str, Expr] | None = None
    #: whether it fails only where the claim does
    exact: bool = True
    #: of inequalities that the form rests on
    certificates: tuple[Certificate, ...] = ()

    def decide(self, steps: int) -> Verdict:
        """The verdict on it."""
        return decide(self.lhs, self.rel, self.rhs, dict(self.box), steps=steps)


def plainer(form: Form) -> Iterator[Form]:
    """The form, squared if a side is a root, and with other variables for those in roots and logarithms.

    >>> first = next(plainer(Form(parse("sqrt(k)"), "<=", parse("1 + k"), {"k": Range(x.ZERO, None, True, True)})))
    >>> print(to_text(first.lhs), first.rel, to_text(first.rhs))
    k <= (k + 1)**2
    """
    squared = _squared(form)
    bent = _bent_back(squared or form)
    for start in (*_parts(form), unwrapped(form), _quotient(form), bent, squared, form, *_relaxed(form)):
        if start is not None:
            # Powers with variable exponents enclose badly as they are.
            logged = _logged(start)
            yield start if logged is None else logged
            yield from (found for change in (_hyperbolic, _smoother) if (found := change(start)) is not None)


def _parts(form: Form) -> Iterator[Form]:
    """Where the larger side is a maximum, one of its parts may be large enough."""
    large = form.rhs if form.rel == "<=" else form.lhs
    for part in large.args if large.op == "max" else ():
        one = replace(form, rhs=part) if form.rel == "<=" else replace(form, lhs=part)
        yield replace(one, exact=False)


def _relaxed(form: Form) -> Iterator[Form]:
    """The smaller side made larger: negative terms left out, exp(-z**2) for erfc(z) with z >= 0."""
    if form.rel != "<=" or not form.lhs.has_erfc:
        return
    terms = form.lhs.args if form.lhs.op == "+" else (form.lhs,)
    kept = x.add(*(term for term in terms if certain(term, "<=", x.ZERO, form.box) is None))
    words = (*form.words, "negative terms are left out") if len(terms) > 1 else form.words
    tails = {e for e in subexpressions(kept) if e.op == "erfc" and e.args[0].variables}
    if len(tails) != 1 or kept.op == "+":
        return
    (tail,) = tails
    z = tail.args[0]
    bound = _tail_bound() if certain(z, ">=", x.ZERO, form.box) is not None else None
    if bound is not None:
        larger = x.replace(kept, tail, x.exp(x.neg(x.power(z, x.num(2)))))
        words = (*words, f"`erfc(z) <= exp(-z**2)` at `z = {to_text(z)}`")
        logs = [_log(side, form.box) for side in (larger, form.rhs)]
        if logs[0] is not None and logs[1] is not None:
            gap = x.sub(logs[0], logs[1])
            shorter = same(gap, from_sympy(expand(to_sympy(gap))), form.box) or gap
            shown = (*form.certificates, bound)
            yield replace(form, lhs=shorter, rhs=x.ZERO, words=words, exact=False, certificates=shown)
    elif kept is not form.lhs:
        yield replace(form, lhs=kept, words=words, exact=False)


_TAIL = expression("erfc(z)*exp(z**2)")


@cache
def _tail_bound() -> Certificate | None:
    """The certificate of erfc(z) <= exp(-z**2) for z >= 0."""
    found = decide(_TAIL, "<=", x.ONE, {"z": Range(x.ZERO, None, False, True)})
    return found.certificate if found.status is Status.PROVED else None


def _quotient(form: Form) -> Form | None:
    """Both sides divided by the larger one, an exponential: next to it erfc encloses badly."""
    if not form.lhs.has_erfc or form.rel not in ("<", "<="):
        return None
    factors = form.rhs.args if form.rhs.op == "*" else (form.rhs,)
    if not all(f.op == "exp" or (f.op == "num" and x.rational(f) > 0) for f in factors):
        return None
    inverse = [x.exp(x.neg(f.args[0])) if f.op == "exp" else x.power(f, x.num(-1)) for f in factors]
    words = (*form.words, "both sides are divided by the right one")
    return replace(form, lhs=x.mul(form.lhs, *inverse), rhs=x.ONE, words=words)


def rewritten(lhs: Expr, rel: str, rhs: Expr, box: Box) -> tuple[Form, Verdict] | None:
    """A form that suffices for a comparison and is proved; None where none is.

    >>> from symprivacy.language.domain import box_from_texts
    >>> rewritten(parse("erfc(s/sqrt(2))/2"), "<=", parse("exp(-s**2/2)/2"), box_from_texts(["s in (0, oo)"]))[1].status
    <Status.PROVED: 'proved'>
    """
    form = Form(lhs, rel, rhs, box)
    changed = (change(form) for change in (_quotient, _squared, unwrapped, _bent_back, _hyperbolic, _smoother))
    for other in (*_relaxed(form), *changed):
        verdict = None if other is None else other.decide(LONG)
        if other is not None and verdict is not None and verdict.status is Status.PROVED:
            return other, verdict
    return None


_OUTSIDE = {"erfinv": "erf", "atanh": "tanh"}


def unwrapped(form: Form) -> Form | None:
    """A side that is a positive number times an inverse function of something, freed of that function."""
    for side, other in (("lhs", "rhs"), ("rhs", "lhs")):
        e = getattr(form, side)
        factors = e.args if e.op == "*" else (e,)
        calls = [f for f in factors if f.op in _OUTSIDE]
        rest = x.mul(*(f for f in factors if f.op not in _OUTSIDE))
        if len(calls) != 1 or rest.variables or constant_sign(rest) != 1:
            continue
        (inner,) = calls[0].args
        turned = x.call(_OUTSIDE[calls[0].op], x.div(getattr(form, other), rest))
        words = (*form.words, f"by {_OUTSIDE[calls[0].op]} of both sides")
        return Form(**{**form.__dict__, side: inner, other: turned, "words": words})
    return None


def _bent_back(form: Form) -> Form | None:
    """A side that is tanh of something, against another between -1 and 1: by atanh of both sides."""
    for side, other in (("lhs", "rhs"), ("rhs", "lhs")):
        e, against = getattr(form, side), getattr(form, other)
        if e.op != "tanh" or against.op == "tanh":
            continue
        below, above = (certain(v, "<", x.ONE, form.box) for v in (against, x.neg(against)))
        if below is not None and above is not None:
            words, shown = (*form.words, "by atanh of both sides"), (*form.certificates, below, above)
            changed = {side: e.args[0], other: x.call("atanh", against), "words": words, "certificates": shown}
            return Form(**{**form.__dict__, **changed})
    return None


def _squared(form: Form) -> Form | None:
    """Both sides to the power that takes a root away; levels are not negative, and a root is not."""
    degrees = {_degree(side) for side in (form.lhs, form.rhs)} - {1}
    if len(degrees) != 1:
        return None
    (degree,) = degrees
    for side in (form.lhs, form.rhs):
        if _degree(side) == 1 and certain(side, ">=", x.ZERO, form.box) is None:
            return None
    lhs, rhs = (_raised(side, degree) for side in (form.lhs, form.rhs))
    words = "both sides are squared" if degree == 2 else f"both sides to the power {degree}"
    return replace(form, lhs=lhs, rhs=rhs, words=(*form.words, words))


def _degree(e: Expr) -> int:
    """The n of an expression that is an nth root times positive numbers and nth roots, else 1."""
    if e.op == "*":
        parts = {_degree(a) for a in e.args if not (a.op == "num" and x.rational(a) > 0)}
        return parts.pop() if len(parts) == 1 else 1
    if e.op == "^" and e.args[1].op == "num" and abs(x.rational(e.args[1]).numerator) == 1:
        return x.rational(e.args[1]).denominator
    return 1


def _raised(e: Expr, degree: int) -> Expr:
    if e.op == "*":
        return x.mul(*(_raised(a, degree) for a in e.args))
    if e.op == "^" and e.args[1].op == "num":
        return x.power(e.args[0], x.mul(x.num(degree), e.args[1]))
    return x.power(e, x.num(degree))


def _logged(form: Form) -> Form | None:
    """The logarithms of both sides, where they are products of positive powers and exponentials."""
    if not any(e.op == "^" and e.args[1].op != "num" for side in (form.lhs, form.rhs) for e in subexpressions(side)):
        return None
    logs = [_log(_reduced(side, form.box), form.box) for side in (form.lhs, form.rhs)]
    if logs[0] is None or logs[1] is None:
        return None
    gap = x.sub(logs[0], logs[1])
    shorter = same(gap, from_sympy(expand(to_sympy(gap))), form.box)
    words = (*form.words, "by the logarithms of both sides")
    return replace(form, lhs=gap if shorter is None else shorter, rhs=x.ZERO, words=words)


def same(e: Expr, other: Expr, box: Box) -> Expr | None:
    """The other expression, if both are certified to be equal on the box."""
    return other if all(certain(e, rel, other, box) is not None for rel in ("<=", ">=")) else None


def _log(e: Expr, box: Box) -> Expr | None:
    """The logarithm of a product of positive factors; None where one is not shown to be positive."""
    if e.op == "*":
        parts = [_log(a, box) for a in e.args]
        return None if None in parts else x.add(*(part for part in parts if part is not None))
    if e.op == "^":
        base = _log(e.args[0], box)
        return None if base is None else x.mul(e.args[1], base)
    if e.op == "exp":
        return e.args[0]
    return None if certain(e, ">", x.ZERO, box) is None else x.log(e)


def _reduced(e: Expr, box: Box) -> Expr:
    """With every quotient of polynomials in it cancelled."""
    if e.args and _rational(e):
        return same(e, from_sympy(cancel(to_sympy(e))), box) or e
    return x.rebuild(e, [_reduced(a, box) for a in e.args]) if e.args else e


def _rational(e: Expr) -> bool:
    if e.op in ("num", "var"):
        return True
    if e.op == "^":
        return e.args[1].op == "num" and x.rational(e.args[1]).denominator == 1 and _rational(e.args[0])
    return e.op in ("+", "*") and all(_rational(a) for a in e.args)


_INSIDE = {"asinh": "sinh(v)", "acosh": "cosh(v)", "atanh": "tanh(v)"}


def _hyperbolic(form: Form) -> Form | None:
    """With v = asinh(...) for the variable in it, so that hyperbolic functions of it are elementary."""
    for e in (e for side in (form.lhs, form.rhs) for e in subexpressions(side)):
        if e.op not in _INSIDE or len(e.variables) != 1:
            continue
        (name,) = e.variables
        new = next(n for k in range(100) if (n := f"v{k}") not in form.box)
        back = solved(e.args[0], name, substitute(parse(_INSIDE[e.op]), {"v": x.var(new)}))
        if back is None:
            continue
        again = substitute(back, {new: e})
        if same(again, x.var(name), form.box) is None or certain(e, ">", x.ZERO, form.box) is None:
            continue
        marked = x.var(f"{new}e")
        box = {n: r for n, r in form.box.items() if n != name} | {new: Range(x.ZERO, None, True, True)}
        sides = [
            substitute(x.replace(side, e, marked), {name: back, f"{new}e": x.var(new)}) for side in (form.lhs, form.rhs)
        ]
        words = (*form.words, f"with `{name} = {to_text(back)}`")
        return replace(form, lhs=sides[0], rhs=sides[1], box=box, words=words, put={**(form.put or {}), name: back})
    return None


def _smoother(form: Form) -> Form | None:
    """With exp(-v) for a probability in a logarithm, with v**2 for a variable under a root."""
    box, put, words = dict(form.box), dict[str, Expr](), list(form.words)
    sides = (form.lhs, form.rhs)
    for name, r in form.box.items():
        logs = any(e.op == "log" and name in e.variables for side in sides for e in subexpressions(side))
        roots = any(
            e.op == "^" and e.args[1].op == "num" and x.rational(e.args[1]).denominator == 2 and name in e.variables
            for side in sides
            for e in subexpressions(side)
        )
        new = next(n for k in range(100) if (n := f"v{k}") not in box)
        if logs and r.lo is x.ZERO and r.hi is x.ONE and r.lo_open:
            box[new] = Range(x.ZERO, None, r.hi_open, True)
            put[name] = x.exp(x.neg(x.var(new)))
        elif roots and r.lo is x.ZERO and r.hi is None:
            box[new] = r
            put[name] = x.power(x.var(new), x.num(2))
        else:
            continue
        del box[name]
        words.append(f"with `{name} = {to_text(put[name])}`")
    if not put:
        return None
    lhs, rhs = (_logs(substitute(side, put), box) for side in sides)
    return replace(form, lhs=lhs, rhs=rhs, box=box, words=tuple(words), put={**(form.put or {}), **put})


def _logs(e: Expr, box: Box) -> Expr:
    """log(exp(a)) = a and sqrt(v**2) = v for v >= 0, which is all that the new variables need."""
    if not e.args:
        return e
    found = x.rebuild(e, [_logs(a, box) for a in e.args])
    if found.op == "log":
        inner = found.args[0]
        if inner.op == "^" and inner.args[0].op == "exp" and inner.args[1].op == "num":
            return x.mul(inner.args[1], inner.args[0].args[0])
        if inner.op == "exp":
            return inner.args[0]
    if found.op == "^" and found.args[0].op in ("^", "*") and found.args[1].op == "num":
        outer = x.rational(found.args[1])
        factors = found.args[0].args if found.args[0].op == "*" else (found.args[0],)
        if all(_even_power(f, box) for f in factors):
            return x.mul(*(_lifted(f, outer) for f in factors))
    return found


def _even_power(f: Expr, box: Box) -> bool:
    """A positive number, or a power of a variable that is not negative."""
    if f.op == "num":
        return x.rational(f) > 0
    base = f.args[0] if f.op == "^" and f.args[1].op == "num" else f
    r = box.get(str(base.value)) if base.op == "var" else None
    return r is not None and r.lo is not None and constant_sign(r.lo) in (0, 1)


def _lifted(f: Expr, outer: Fraction) -> Expr:
    if f.op == "^" and f.args[1].op == "num":
        return x.power(f.args[0], x.num(x.rational(f.args[1]) * outer))
    return x.power(f, x.num(outer))


def solved(e: Expr, name: str, value: Expr) -> Expr | None:
    """The value of a variable that occurs once in an expression, where the expression has a value.

    >>> solved(parse("log(1/delta)"), "delta", parse("v"))
    Expr('1/exp(v)')
    """
    while e.op != "var":
        inside = [k for k, a in enumerate(e.args) if name in a.variables]
        if len(inside) != 1:
            return None
        (k,) = inside
        others = [a for j, a in enumerate(e.args) if j != k]
        match e.op:
            case "+":
                value = x.sub(value, x.add(*others))
            case "*":
                value = x.div(value, x.mul(*others))
            case "^" if k == 0 and others[0].op == "num" and x.rational(others[0]) != 0:
                value = x.power(value, x.num(1 / x.rational(others[0])))
            case "log":
                value = x.exp(value)
            case "exp":
                value = x.log(value)
            case _:
                return None
        e = e.args[k]
    return value
