"""Conversions as formulas: what follows, its closed form, a rounded enclosure, and the witness as a table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import sympy

from symprivacy.errors import SymPrivacyError
from symprivacy.implications.formula import Formula
from symprivacy.implications.implication import Implication
from symprivacy.implications.parameters import asked_of
from symprivacy.implications.status import Status
from symprivacy.language.bridge import to_sympy
from symprivacy.language.text import parse
from symprivacy.notions import get
from symprivacy.render.latex import guarantee, implication, math, of_text
from symprivacy.render.marked import pieces
from symprivacy.render.numbers import DIGITS, approximation, enclosure, fraction_of, in_latex
from symprivacy.render.printer import Printer
from symprivacy.render.style import PAPERS, Style, escape


def formula(says: Formula | str | None, style: Style = PAPERS) -> str | None:
    r"""A closed form with the equations of its implicit variables, or words where there is none.

    >>> from symprivacy.implications.formula import Root
    >>> formula(Formula("tanh(x/2)", (Root("x", "x*tanh(x/2)", "k"),)))
    '\\tanh(x / 2) \\text{ where } x \\tanh(x / 2) = k'
    """
    if says is None:
        return None
    closed, roots = _parts(says, style)
    return closed + (rf" \text{{ where }} {roots}" if roots else "")


def _parts(says: Formula | str, style: Style) -> tuple[str, str]:
    """The closed form, and the equations that it needs."""
    if isinstance(says, Formula):
        return of_text(says.text, style), r",\ ".join(of_text(str(root), style) for root in says.roots)
    return "".join(p.latex if p.math else rf"\text{{{escape(p.text)}}}" for p in pieces(says, style)), ""


def level_name(c: Implication, style: Style = PAPERS) -> str:
    """The symbol of the level that is answered, starred where the premise has one of the same name."""
    answers = asked_of(c.target, c.at)[1]
    name = math(sympy.Symbol(answers), style)
    return f"{name}^{{*}}" if answers in get(c.source).names else name


def sides(c: Implication, style: Style = PAPERS) -> tuple[str, str]:
    """Premise and conclusion at the parameters of the conversion."""
    premise = guarantee(c.source, [number(c.at[n]) for n in get(c.source).names if n in c.at], style)
    asked, answers = asked_of(c.target, c.at)
    level = sympy.Symbol(level_name(c, style))
    values = [level if n == answers else number(c.at[asked or n]) for n in get(c.target).names]
    return premise, guarantee(c.target, values, _Starred(style, level.name))


class _Starred(Style):
    """A style that knows the starred level, which is LaTeX already."""

    def __init__(self, style: Style, name: str) -> None:
        super().__init__({**style.symbols, name: name}, style.names, style.calls, style.backwards)


def number(text: str) -> Any:
    """A parameter's text as a sympy number."""
    return sympy.oo if text in ("oo", "inf", "infinity") else to_sympy(parse(text))


def value(c: Implication) -> str:
    """The enclosure of the level with few digits, rounded outward."""
    lo, hi = fraction_of(c.lo), fraction_of(c.hi)
    if lo is None:
        return r"\infty"
    return rf"[{in_latex(c.lo)}, \infty)" if hi is None else enclosure(lo, hi, DIGITS)


@math.register
def statement(c: Implication, style: Style = PAPERS) -> str:
    r"""The whole conversion as one formula.

    >>> from symprivacy import convert
    >>> print(statement(convert("DP", {"eps": 1}, "TV")))
    1\text{-}\mathrm{DP} \Longrightarrow t\text{-}\mathrm{TV},\quad t = \tanh(\varepsilon / 2) \in [0.462117, 0.462118]
    """
    premise, conclusion = sides(c, style)
    if c.status is Status.IMPOSSIBLE:
        arrow = implication(premise, conclusion, style)
        return re.sub(r"\\Long(left|right)arrow", lambda m: rf"\not{m.group()}", arrow)
    return rf"{implication(premise, conclusion, style)},\quad {level(c, style)}"


def level(c: Implication, style: Style = PAPERS) -> str:
    """The level that is answered: its name, closed form and enclosure."""
    closed, roots = _parts(c.says, style) if c.says is not None else ("", "")
    inside = value(c)
    relation = r"\in" if inside.startswith("[") else "="
    shown = [level_name(c, style), *(["=", closed] if closed else []), relation, inside]
    return " ".join(shown) + (rf",\quad {roots}" if roots else "")


def entry(text: str, style: Style = PAPERS) -> str:
    r"""An entry of a witness: exact where it is short, else a few digits.

    >>> entry("1/(exp(1) + 1)"), entry("0.8239591145148013748")
    ('\\frac{1}{1 + e} \\approx 0.268941', '\\approx 0.823959')
    """
    try:
        exact = number(text)
    except SymPrivacyError:
        return rf"\text{{{escape(text)}}}"
    about = approximation(exact)
    if about and exact.is_Rational:
        return rf"\approx {about}"
    return Printer(style).doprint(exact) + (rf" \approx {about}" if about else "")


def laws(witness: Mapping[str, Any]) -> dict[str, list[str]]:
    """The rows of a witness that is a pair of laws or a channel, by their names."""
    rows = {name: list(witness[name]) for name in ("P", "Q") if isinstance(witness.get(name), list)}
    matrix = witness.get("matrix")
    if not rows and isinstance(matrix, list):
        rows = {str(k): list(row) for k, row in enumerate(matrix)}
    return rows


def remarks(witness: Mapping[str, Any]) -> str:
    """What a witness says in words."""
    words = [str(witness[k]) for k in ("family", "note") if witness.get(k)]
    return "; ".join(words)
