"""The one LaTeX printer: sympy's, in the papers' notation."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from sympy import fraction
from sympy.printing.latex import LatexPrinter

from symprivacy.language.notation import AREA
from symprivacy.render.numbers import in_latex, rounded
from symprivacy.render.style import PAPERS, Style

LONGEST = 12


class Printer(LatexPrinter):  # type: ignore[misc]
    """sympy's printer with the symbols of a style, slashes in small places and no more brackets than needed."""

    def __init__(self, style: Style = PAPERS) -> None:
        super().__init__({"fold_short_frac": False})
        self.style = style

    def doprint(self, e: Any) -> str:
        """The formula of an expression."""
        return flat(self._print(e))

    def _as_ordered_terms(self, e: Any, order: Any = None) -> list[Any]:
        """A sum starts with a term that has no minus sign, if there is one."""
        terms: list[Any] = super()._as_ordered_terms(e, order)
        first = next((t for t in terms if not t.could_extract_minus_sign()), None)
        return terms if first is None else [first, *(t for t in terms if t is not first)]

    def _print_Symbol(self, e: Any, style: str = "plain") -> str:
        return self.style.symbol(e.name) or str(super()._print_Symbol(e))

    def _print_Rational(self, e: Any) -> str:
        """A quotient with many digits says nothing to a reader: its decimals, cut off."""
        if len(str(e)) <= LONGEST:
            return str(super()._print_Rational(e))
        return in_latex(rounded(Fraction(int(e.p), int(e.q)), e.p < 0)) + r"\ldots"

    def _print_ExpBase(self, e: Any, exp: str | None = None) -> str:
        return str(self._do_exponent(f"e^{{{self._small(e.args[0])}}}", exp))

    def _print_Mul(self, e: Any) -> str:
        # a / 4 x would be read as (a/4) x: only a plain number or symbol goes below a slash.
        if not self._settings["fold_short_frac"] or fraction(e)[1].is_Atom:
            return str(super()._print_Mul(e))
        self._settings["fold_short_frac"] = False
        try:
            return str(super()._print_Mul(e))
        finally:
            self._settings["fold_short_frac"] = True

    def _print_Function(self, e: Any, exp: str | None = None) -> str:
        name = type(e).__name__
        if name == "E":
            return rf"\mathbb{{E}}\left[{self._print(e.args[0])}\right]"
        return self._call(self._hprint_Function(AREA.get(name, name)), e, exp)

    def _print_log(self, e: Any, exp: str | None = None) -> str:
        return self._call(r"\log", e, exp)

    def _call(self, head: str, e: Any, exp: str | None) -> str:
        inner = ", ".join(self._small(a) for a in e.args)
        return rf"{head}{'' if exp is None else f'^{{{exp}}}'}\left({inner}\right)"

    def _small(self, e: Any) -> str:
        """In an exponent or an argument, short fractions are written with a slash."""
        before = self._settings["fold_short_frac"]
        self._settings["fold_short_frac"] = True
        try:
            return str(self._print(e))
        finally:
            self._settings["fold_short_frac"] = before


_TALL = re.compile(r"\\(frac|begin|sum|sqrt|left)|\^\{[^{}]*\^")
_PAIR = re.compile(r"\\(left|right) *(\\[{}|]|\\[lr](?:brace|vert|angle)|[()\[\]|.])")


def flat(latex: str) -> str:
    r"""Brackets that need not grow, without \left and \right.

    >>> print(flat(r"\left(x + 1 \right) \left(\frac{1}{2} \right)"))
    (x + 1) \left(\frac{1}{2}\right)
    """
    out: list[str] = []
    opened: list[tuple[int, str]] = []
    done = 0
    for found in _PAIR.finditer(latex):
        out.append(latex[done : found.start()])
        done = found.end()
        if found[1] == "left":
            opened.append((len(out), found[2]))
            out.append("")
            continue
        place, sign = opened.pop()
        inner = "".join(out[place + 1 :]).strip()
        tall = _TALL.search(inner) is not None or "." in (sign, found[2])
        out[place:] = [rf"\left{sign}{inner}\right{found[2]}" if tall else f"{sign}{inner}{found[2]}"]
    return "".join([*out, latex[done:]])
