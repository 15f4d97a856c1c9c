r"""Texts with marked formulas, in every form: words stay words, formulas are typeset, nothing is guessed.

>>> print(to_latex("at `eps = 1/2` it fails"))
at $\varepsilon = \frac{1}{2}$ it fails
>>> to_line("at `eps**2 >= 1/2` it fails")
'at ε² ≥ 1/2 it fails'
>>> [(p.math, p.text) for p in pieces("eps-DP => KL(eps**2) for all eps > 0")]
[(True, 'eps-DP => KL(eps**2)'), (False, ' for all '), (True, 'eps > 0')]
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape as html_escape

from symprivacy.errors import InputError
from symprivacy.language.notation import mark, parts, written
from symprivacy.render.charset import UNICODE, Signs
from symprivacy.render.mathml import formula as html_formula
from symprivacy.render.numbers import short
from symprivacy.render.one_line import linear
from symprivacy.render.style import PAPERS, Style, escape
from symprivacy.render.typeset import typeset

LONGEST = 14
# Signs between words, such as an arrow between two names of notions.
_SIGNS = {"=/=>": "⇏", "<=>": "⇔", "<->": "↔", "->": "→", "=>": "⇒", "<=": "≤", ">=": "≥", "!=": "≠", "~": "∼"}


@dataclass(frozen=True)
class Piece:
    """A formula, with its LaTeX, or words."""

    math: bool
    text: str
    latex: str = ""


def pieces(text: str, style: Style = PAPERS) -> list[Piece]:
    """Words and formulas of a text, in order; a statement of the language needs no marks.

    A formula of foreign origin that cannot be read is shown as it was written.
    """
    found = []
    for part in parts(mark(written(text))):
        try:
            latex = typeset(short(part.text), style) if part.formula else ""
        except InputError:
            latex = ""
        found.append(Piece(bool(latex), part.text, latex))
    return found


def to_latex(text: str, style: Style = PAPERS) -> str:
    """The text for LaTeX, formulas between dollar signs."""
    return "".join(f"${p.latex}$" if p.math else breakable(p.text) for p in pieces(text, style))


def to_html(text: str, style: Style = PAPERS) -> str:
    """The text for HTML, formulas as MathML."""
    return "".join(html_formula(p.latex) if p.math else html_escape(in_words(p.text)) for p in pieces(text, style))


def to_line(text: str, signs: Signs = UNICODE) -> str:
    """The text for a terminal, formulas on the line."""
    shown = []
    for part in parts(mark(written(text))):
        try:
            shown.append(linear(part.text, signs) if part.formula else in_words(part.text, signs.mathematics))
        except InputError:
            shown.append(part.text)
    return "".join(shown)


def in_words(text: str, mathematics: bool = True) -> str:
    """Words without formulas: only signs between them change.

    >>> in_words("DP -> TV")
    'DP → TV'
    """
    return re.sub("|".join(map(re.escape, _SIGNS)), lambda s: _SIGNS[s.group()], text) if mathematics else text


def breakable(text: str) -> str:
    """Words for LaTeX; a long one without spaces may be broken after its signs.

    >>> breakable("a_b"), breakable("f(x)=" * 6).count("hspace")
    ('a\\\\_b', 18)
    """
    shown = []
    for word in re.split(r"(\s+)", text):
        cut = re.split(r"(?<=[/,()*+=;_|&\]}])", word) if len(word) > LONGEST else [word]
        shown.append(r"\hspace{0pt}".join(escape(part) for part in cut))
    return "".join(shown)
