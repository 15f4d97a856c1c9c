"""Statements in plain text, with the formulas in them typeset.

A statement such as ``eps-DP => (exp(eps)-1)-SP for all eps>0`` is cut into words and formulas; what the package's own
grammar does not read stays as it was written. Nothing is evaluated.

>>> [(p.math, p.text) for p in pieces("eps-DP => KL(eps**2) for all eps > 0")]
[(True, 'eps-DP => KL(eps**2)'), (False, ' for all '), (True, 'eps > 0')]
>>> print(to_latex("at eps = 1/2 it fails"))
at $\\varepsilon = \\frac{1}{2}$ it fails
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from html import escape as html_escape

from symprivacy.calculus.read import arguments, expression, span
from symprivacy.errors import SymPrivacyError
from symprivacy.kernel.expr import FUNCTIONS
from symprivacy.notions import all_notions
from symprivacy.render.latex import RELATIONS, guarantee, math
from symprivacy.render.mathml import formula as html_formula
from symprivacy.render.style import PAPERS, Style, escape

LONGEST = 14
_ARROWS = {"=>": r"\Longrightarrow", "<=>": r"\Longleftrightarrow", "<==": r"\Longleftarrow"}
_GREEK = ("alpha", "beta", "gamma", "delta", "eps", "eps2", "eta", "xi", "rho", "mu", "tau", "omega", "alpha2",
          "eps_pa", "eps_pm", "dhat")  # fmt: skip
_WORDS = frozenset(
    [*_GREEK, *FUNCTIONS, "sqrt", "E", "pi", "oo", "in", "and", "Piecewise", "True", "Min", "Max", "Abs"]
)
# A name of one letter, perhaps with an index, may be a variable; a longer word in a sentence is a word.
_LETTER = re.compile(r"[A-Za-z](_?[a-z0-9])?")
_MATH = re.compile(r"[-+*/^=<>(\[]")
_RANGE = re.compile(r"\w+ in [\[(].*[\])]")
_PREFIX = re.compile(r"(.+?)-([A-Za-z]\w*)")
_CALL = re.compile(r"([A-Za-z]\w*)\((.*)\)")
_NAMES = re.compile(r"\(((?:pi|%s)(?:, (?:%s))*)\)(?=-[A-Za-z])" % (("|".join(_GREEK),) * 2))
# Parameters before a word that is no notion, such as (eps, 2*delta/(1-exp(-eps)))-indistinguishable.
_PARAMETERS = re.compile(r"\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)(?=-[a-z])")
# A name such as the database 00, which is not the number 0.
_DIGITS = re.compile(r"(?<![\w.])0\d")
# The number of an equation is not a factor.
_NUMBERED = re.compile(r"\(\d+\)[,;:.]?")


@dataclass(frozen=True)
class Piece:
    """A formula, with its LaTeX, or words."""

    math: bool
    text: str
    latex: str = ""


@lru_cache(maxsize=1)
def _keys() -> frozenset[str]:
    return frozenset(notion.key for notion in all_notions())


def _mathy(token: str) -> bool:
    """Whether a token can be part of a formula: its names are variables, functions or notions."""
    if _NUMBERED.fullmatch(token):
        return False
    names = re.findall(r"[A-Za-z_]\w*", token)
    return all(name in _WORDS or name in _keys() or _LETTER.fullmatch(name) for name in names) and not re.search(
        r"[^\x00-\x7f]|['\"{}|]", token
    )


def _guarantee(text: str, style: Style) -> str | None:
    text = text.strip()
    if text in _keys():
        return style.name(text)
    prefix, call = _PREFIX.fullmatch(text), _CALL.fullmatch(text)
    if prefix and prefix[2] in _keys():
        inner = prefix[1].strip()
        whole = inner[1:-1] if inner.startswith("(") and inner.endswith(")") else inner
        values, key = arguments(whole) if whole.count("(") == whole.count(")") else [inner], prefix[2]
    elif call and call[1] in _keys():
        values, key = arguments(call[2]), call[1]
    else:
        return None
    return guarantee(key, [expression(v.partition("=")[2] or v) for v in values], style)


def formula_of(text: str, style: Style = PAPERS) -> str | None:
    """The LaTeX of a text that is one formula; None if it is not."""
    try:
        return _formula(text.strip(), style)
    except (SymPrivacyError, ValueError, ZeroDivisionError, TypeError):
        return None


def _formula(text: str, style: Style) -> str | None:
    for arrow in ("<=>", "<==", "=>"):
        if arrow in text:
            sides = [
                r" \wedge ".join(_guarantee(part, style) or _formula(part, style) or "" for part in side.split(" and "))
                for side in text.split(arrow)
            ]
            return f" {_ARROWS[arrow]} ".join(sides) if all(sides) else None
    found = _guarantee(text, style)
    if found is not None:
        return found
    if _RANGE.fullmatch(text):
        return math(span(text), style)
    parts = [text] if "Piecewise" in text else re.split(r"(<=|>=|==|<|>|=)", text)
    return " ".join(RELATIONS.get(part) or math(expression(part), style) for part in (p.strip() for p in parts))


def pieces(text: str, style: Style = PAPERS) -> list[Piece]:
    """Words and formulas of a text, in order; together they are the text."""
    named = _NAMES.search(text) or _PARAMETERS.search(text)
    parameters = [formula_of(p, style) if _mathy(p) else None for p in arguments(named[1])] if named else []
    if named and all(parameters):
        middle = Piece(True, named.group(), f"({', '.join(map(str, parameters))})")
        return [*pieces(text[: named.start()], style), middle, *pieces(text[named.end() :], style)]
    tokens = re.split(r"(\s+)", text)
    found: list[Piece] = []
    k = 0
    while k < len(tokens):
        end = next((j for j in range(k, len(tokens)) if not _mathy(tokens[j])), len(tokens))
        for stop in range(end, k, -1):
            run = "".join(tokens[k:stop])
            piece = _piece(run, style)
            if piece is not None:
                found += [piece, Piece(False, run[len(piece.text) :])]
                k = stop
                break
        else:
            found.append(Piece(False, tokens[k]))
            k += 1
    joined: list[Piece] = []
    for piece in found:
        if not piece.text:
            continue
        if joined and not piece.math and not joined[-1].math:
            joined[-1] = Piece(False, joined[-1].text + piece.text)
        else:
            joined.append(piece)
    return joined


def _piece(run: str, style: Style) -> Piece | None:
    bare = run.rstrip(" .,;:\n")
    # A plus sign in front would be lost: it belongs to the words before.
    if not bare or bare[0] == "+" or bare != bare.strip() or _DIGITS.search(bare):
        return None
    if not (_MATH.search(bare[1:]) or bare in _GREEK or bare in _keys()):
        return None
    latex = formula_of(bare, style)
    return None if latex is None else Piece(True, bare, latex)


def to_latex(text: str, style: Style = PAPERS) -> str:
    """The text for LaTeX, formulas between dollar signs."""
    return "".join(f"${p.latex}$" if p.math else breakable(p.text) for p in pieces(text, style))


def to_html(text: str, style: Style = PAPERS) -> str:
    """The text for HTML, formulas as MathML."""
    return "".join(html_formula(p.latex) if p.math else html_escape(p.text) for p in pieces(text, style))


def breakable(text: str) -> str:
    """Words for LaTeX; a long one without spaces may be broken after its signs.

    >>> breakable("a_b"), breakable("f(x)=" * 6).count("hspace")
    ('a\\\\_b', 18)
    """
    shown = []
    for word in re.split(r"(\s+)", text):
        parts = re.split(r"(?<=[/,()*+=;_|&\]}])", word) if len(word) > LONGEST else [word]
        shown.append(r"\hspace{0pt}".join(escape(part) for part in parts))
    return "".join(shown)
