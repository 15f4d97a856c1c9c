r"""The LaTeX formula of every record that is shown.

:func:`math` gives what stands between dollar signs:

>>> from sympy import Symbol, exp
>>> math(1 / (exp(Symbol("eps") / 2) + 1))
'\\frac{1}{e^{\\varepsilon / 2} + 1}'
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import singledispatch
from typing import Any

import sympy

from symprivacy.derivations.derivation import Derivation
from symprivacy.derivations.engine import Derived
from symprivacy.derivations.principles import Principle
from symprivacy.derivations.show import goal_of
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range, box_from_data
from symprivacy.language.bridge import to_sympy
from symprivacy.language.certificates import as_text
from symprivacy.language.exact import simplified
from symprivacy.language.text import parse
from symprivacy.mechanisms import Mechanism
from symprivacy.notions import Guarantee, Level, Notion
from symprivacy.notions.statement import Given, Span, Statement
from symprivacy.notions.written import in_order
from symprivacy.render.numbers import approximation, enclosure, in_latex, rounded
from symprivacy.render.printer import LONGEST, Printer, flat
from symprivacy.render.style import PAPERS, Style, escape
from symprivacy.search.compare import SignChart
from symprivacy.search.roots import Root, RootList
from symprivacy.search.verdict import Status as Found
from symprivacy.search.verdict import Verdict

# What every comparison sign is in LaTeX.
RELATIONS = {"<": "<", ">": ">", "<=": r"\le", ">=": r"\ge", "==": "=", "=": "=", "?": r"\mathrel{?}"}


@singledispatch
def math(shown: Any, style: Style = PAPERS) -> str:
    """The formula of a record, for between dollar signs."""
    raise UnsupportedError(f"{type(shown).__name__} has no formula")


@math.register
def _(shown: sympy.Basic, style: Style = PAPERS) -> str:
    return Printer(style).doprint(shown)


@math.register
def _(shown: x.Expr, style: Style = PAPERS) -> str:
    return math(to_sympy(shown), style)


def of_text(text: str, style: Style = PAPERS) -> str:
    r"""The formula of a text in the package's own language.

    >>> of_text("Max(eps, 1)/2 <= oo")
    '\\frac{\\max(1, \\varepsilon)}{2} \\le \\infty'
    """
    sides = re.split(r"(<=|>=|==|<|>|=)", text) if "Piecewise" not in text else [text]
    shown = []
    for side in sides:
        bare = side.strip()
        known = RELATIONS.get(bare) or {"oo": r"\infty", "-oo": r"-\infty"}.get(bare)
        shown.append(known or math(parse(bare), style))
    return " ".join(shown)


def joined(parts: Iterable[str]) -> str:
    """Several formulas in a row."""
    return r",\; ".join(parts)


def interval(lo: str, hi: str, lo_open: bool, hi_open: bool) -> str:
    """An interval with formulas as its ends."""
    left, right = "(" if lo_open else "[", ")" if hi_open else "]"
    return flat(rf"\left{left}{lo}, {hi}\right{right}")


def ranged(name: str, r: Range, style: Style = PAPERS) -> str:
    """``x in [a, b)`` of a variable and its range."""
    lo = r"-\infty" if r.lo is None else end(r.lo, True, style)
    hi = r"\infty" if r.hi is None else end(r.hi, False, style)
    return rf"{math(sympy.Symbol(name), style)} \in {interval(lo, hi, r.lo_open, r.hi_open)}"


def end(e: x.Expr, up: bool, style: Style = PAPERS) -> str:
    """The end of a range; one with many digits is rounded into the range, where what is said of it stays true."""
    long = e.op == "num" and len(str(x.rational(e))) > LONGEST
    return in_latex(rounded(x.rational(e), up)) if long else math(e, style)


@math.register
def _(shown: Span, style: Style = PAPERS) -> str:
    ends = interval(math(shown.lo, style), math(shown.hi, style), shown.lo_open, shown.hi_open)
    return rf"{math(shown.symbol, style)} \in {ends}"


def guarantee(key: str, values: Iterable[Any], style: Style = PAPERS) -> str:
    """A notion with its parameters, as eps-DP or DP(eps)."""
    shown = [math(v, style) for v in values]
    name = style.name(key)
    if not shown:
        return name
    if style.calls:
        return flat(rf"{name}\left({', '.join(shown)}\right)")
    bare = len(shown) == 1 and not re.search(r"[ +-]", re.sub(r"\\left.*\\right.|\([^()]*\)|\{[^{}]*\}", "", shown[0]))
    return (shown[0] if bare else flat(rf"\left({', '.join(shown)}\right)")) + rf"\text{{-}}{name}"


@math.register
def _(shown: Given, style: Style = PAPERS) -> str:
    return guarantee(shown.key, in_order(shown.key, shown.values), style)


@math.register
def _(shown: Guarantee, style: Style = PAPERS) -> str:
    return guarantee(shown.notion.key, shown.values, style)


def implication(premise: str, conclusion: str, style: Style = PAPERS) -> str:
    """Premise and conclusion with an arrow, in the order of the style."""
    if style.backwards:
        return rf"{conclusion} \Longleftarrow {premise}"
    return rf"{premise} \Longrightarrow {conclusion}"


@math.register
def _(shown: Statement, style: Style = PAPERS) -> str:
    return f"{math(shown.lhs, style)} {RELATIONS[shown.rel]} {math(shown.rhs, style)}"


@math.register
def _(shown: Derived, style: Style = PAPERS) -> str:
    return implication(math(shown.premise, style), math(shown.conclusion, style), style)


@math.register
def _(shown: Derivation, style: Style = PAPERS) -> str:
    return claim_of(shown, style)


def claim_of(d: Derivation, style: Style = PAPERS) -> str:
    """What a derivation arrives at: an implication, or a relation with what is assumed."""
    premise = r" \wedge ".join(math(g, style) for g in d.claim.given)
    goal = goal_of(d.steps[-1], d)
    if goal is not None:
        return implication(premise, math(goal, style), style) if premise else math(goal, style)
    return rf"{premise} \Longrightarrow {math(d.claim, style)}" if premise else math(d.claim, style)


@math.register
def _(shown: Notion, style: Style = PAPERS) -> str:
    return style.respelled(shown.latex)


@math.register
def _(shown: Principle, style: Style = PAPERS) -> str:
    return style.respelled(shown.latex)


@math.register
def _(shown: Verdict, style: Style = PAPERS) -> str:
    if shown.certificate is None:
        return rf"\text{{undecided: }}\text{{{escape(shown.statement)}}}"
    c = shown.certificate
    lhs, rhs = (of_text(as_text(c[side]), style) for side in ("lhs", "rhs"))
    statement = f"{lhs} {RELATIONS[c['rel']]} {rhs}"
    ranges = [ranged(name, r, style) for name, r in box_from_data(c["domain"]).items()]
    parts = [rf"\text{{{shown.status}: }}{statement}", *([joined(ranges)] if ranges else [])]
    if shown.status is Found.REFUTED:
        parts.append(rf"\text{{fails at }}{point(shown.witness_text or {}, style)}")
    return r"\quad ".join(parts)


def point(at: Any, style: Style = PAPERS) -> str:
    """The values of variables, ``x = 1, y = 2``."""
    return joined(f"{math(sympy.Symbol(name), style)} = {of_text(str(value), style)}" for name, value in at.items())


@math.register
def _(shown: Level, style: Style = PAPERS) -> str:
    name = math(sympy.Symbol(shown.parameter), style) if shown.parameter else None
    at = "".join(rf",\; {math(sympy.Symbol(n), style)} = {math(v, style)}" for n, v in shown.fixed)
    if not shown.exact and shown.lo is not None and shown.hi is not None:
        inside = enclosure(shown.lo, shown.hi)
        return (rf"{name} \in {inside}" if name else inside) + at
    value = simplified(shown.value)
    about = None if value.is_Rational else approximation(value)
    return (f"{name} = " if name else "") + math(value, style) + (rf" \approx {about}" if about else "") + at


@math.register
def _(shown: Mechanism, style: Style = PAPERS) -> str:
    rows = [[math(shown.entry(i, j), style) for j in range(len(shown.outputs))] for i in range(len(shown.inputs))]
    return r"\begin{pmatrix} " + r" \\ ".join(" & ".join(row) for row in rows) + r" \end{pmatrix}"


@math.register
def _(shown: Root, style: Style = PAPERS) -> str:
    if shown.exact is not None:
        about = approximation(to_sympy(shown.exact))
        return math(shown.exact, style) + (rf" \approx {about}" if about else "")
    return rf"\in {enclosure(shown.lo, shown.hi)}"


@math.register
def _(shown: RootList, style: Style = PAPERS) -> str:
    found = joined(math(r, style).removeprefix(r"\in ") for r in shown.roots)
    return (found or r"\text{no roots}") + ("" if shown.complete else r"\quad\text{(perhaps more)}")


@math.register
def _(shown: SignChart, style: Style = PAPERS) -> str:
    c = shown.certificate
    a, b = (of_text(as_text(c[side]), style) for side in ("lhs", "rhs"))
    rows = [rf"{a} &{RELATIONS[p.sign]} {b} && {ranged(c['var'], p.range, style)}" for p in shown.pieces]
    return r"\begin{aligned} " + r" \\ ".join(rows) + r" \end{aligned}"


__all__ = ["claim_of", "end", "guarantee", "implication", "interval", "joined", "math", "of_text", "point", "ranged"]
