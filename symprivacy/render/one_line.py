"""Formulas on one line, for terminals: in the signs of mathematics, or in ASCII where those cannot be shown.

As in :mod:`symprivacy.render.typeset`, formulas come as they were written and nothing is reordered; what is printed
is read again as the same expression.

>>> linear("exp(eps)*p/(1 + (exp(eps) - 1)*p) <= sqrt(2)*delta2**2")
'e^ε·p/(1 + (e^ε - 1)·p) ≤ √2·δ₂²'
>>> from symprivacy.render.charset import ASCII
>>> linear("Piecewise((1 - x, x <= 1/5), (0, True))", ASCII)
'(1 - x if x <= 1/5, 0 otherwise)'
"""

from __future__ import annotations

import re
from typing import Any

from symprivacy.errors import InputError
from symprivacy.language.exact import simplified
from symprivacy.language.notation import AREA, GREEK, Node, read
from symprivacy.language.spelled import spelled
from symprivacy.render.charset import UNICODE, Signs
from symprivacy.render.numbers import DIGITS, approximation

_GREEK_LETTERS = dict(
    alpha="α", beta="β", gamma="γ", delta="δ", eps="ε", epsilon="ε", zeta="ζ", eta="η", theta="θ", kappa="κ", mu="μ",
    nu="ν", xi="ξ", rho="ρ", sigma="σ", tau="τ", phi="φ", chi="χ", psi="ψ", omega="ω", Gamma="Γ", Delta="Δ", Theta="Θ",
    Lambda="Λ", Sigma="Σ", Phi="Φ", Psi="Ψ", Omega="Ω", pi="π", oo="∞", sum="Σ", prod="Π", **{"lambda": "λ"},
)  # fmt: skip
_SIGNS = {
    "<=": "≤", ">=": "≥", "!=": "≠", "in": "∈", "~": "∼", "=>": "⇒", "<=>": "⇔", "<==": "⇐", "->": "→", "<->": "↔",
    "==": "=", "=/=>": "⇏",
}  # fmt: skip
_ASCII_SIGNS = {"∪": "union", "×": "x", "∖": "without", "±": "+-"}
_FUNCTIONS = {"Min": "min", "Max": "max", **AREA}
_LEVELS = {
    "list": 0, "=/=>": 1, "=>": 1, "<=>": 1, "<==": 1, "->": 1, "<->": 1, "or": 2, "and": 3, "|": 4, "||": 4,
    "not": 5, "chain": 6,
    "∪": 8, "×": 8, "∖": 8, "has": 9, "+": 10, "-": 10, "±": 10, "-1": 11, "±1": 11, "*": 12, "/": 12, "^": 14,
}  # fmt: skip
_ATOM = 20
_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
# A quotient with more digits says nothing to a reader.
LONGEST = 14


def linear(text: str, signs: Signs = UNICODE) -> str:
    """A formula in the notation of statements; raises InputError where the notation has no such formula."""
    tree = read(text)
    return _Printer(signs.mathematics, "e" not in _names(tree)).show(tree)


def of(value: Any, signs: Signs = UNICODE) -> str:
    """A sympy object, or a number.

    >>> import sympy
    >>> of(sympy.tanh(sympy.log(4) / 4)), of(sympy.Interval.open(0, sympy.oo)), of(sympy.E / 2)
    ('1/3', '(0, ∞)', 'e/2')
    """
    shown = spelled(simplified(value))
    try:
        return linear(shown, signs)
    except InputError:
        return str(shown)


def number(text: str, signs: Signs = UNICODE) -> str:
    """An exact number given as text: as it is where it is short, else a few digits.

    >>> number("1/(exp(1) + 1)"), number("1/3"), number("123456789/1234567891")
    ('1/(e + 1) ≈ 0.268941', '1/3', '≈ 0.1')
    """
    from symprivacy.language.bridge import to_sympy
    from symprivacy.language.text import parse

    about = "≈" if signs.mathematics else "~"
    try:
        exact = simplified(to_sympy(parse(text)))
    except InputError:
        return text
    digits = approximation(exact, DIGITS, latex=False)
    if digits and (exact.is_Rational or len(text) > 3 * LONGEST):
        return f"{about} {digits}"
    if exact.is_Rational:
        text = str(exact)
    shown = linear(text, signs) if len(text) <= LONGEST or not exact.is_number else of(exact, signs)
    return shown + (f" {about} {digits}" if digits else "")


def _over(e: Node) -> Node | None:
    """3 x/4 for a product that begins with 3/4, which is how people write it; None for other products."""
    if e.op == "/" and all(part.op == "number" and part.text.isdigit() for part in e.args):
        return e
    if e.op != "*" or e.args[1].op in ("number", "/"):
        return None
    first = _over(e.args[0])
    if first is None:
        return None
    top, bottom = first.args
    return Node("/", (e.args[1] if top == Node("number", (), "1") else Node("*", (top, e.args[1])), bottom))


def _names(e: Node) -> set[str]:
    return ({e.text} if e.op == "name" else set()).union(*map(_names, e.args))


class _Printer:
    """``euler``: whether the letter e is free to stand for the base of exp."""

    def __init__(self, mathematics: bool, euler: bool) -> None:
        self.mathematics = mathematics
        self.euler = euler and mathematics

    def show(self, e: Node, least: int = 0) -> str:
        """A part, in brackets if its sign binds less than asked."""
        level = _LEVELS.get(e.op, 14 if self.is_exp(e) and e.args[1] != Node("number", (), "1") else _ATOM)
        shown = self.shown(e)
        return f"({shown})" if level < least else shown

    def shown(self, e: Node) -> str:
        args = e.args
        match e.op:
            case "number":
                return e.text.replace("...", "…") if self.mathematics else e.text
            case "name":
                return self.name(e.text)
            case "list":
                ends = [*(sign + " " for sign in e.text), ""]
                return "".join(self.show(a, 1) + end for a, end in zip(args, ends, strict=True))
            case "chain":
                relations = [*map(self.sign, e.text.split()), ""]
                sides = (self.show(a, 7) for a in args)
                return " ".join(f"{a} {rel}" for a, rel in zip(sides, relations, strict=True)).strip()
            case "brackets":
                return f"{e.text[0]}{self.show(args[0])}{e.text[1]}"
            case "set":
                return f"{{{self.show(args[0])}}}"
            case "abs":
                return f"|{self.show(args[0])}|"
            case "prime":
                return f"{self.show(args[0], _ATOM)}'"
            case "star":
                return f"{self.show(args[0], _ATOM)}^*"
            case "index":
                return self.show(args[0], _ATOM) + self.index(args[1])
            case "has":
                return f"{self.show(args[0], 11)}-{e.text}"
            case "at":
                return self.value(e)
            case "-1" | "±1":
                return ("-" if e.op == "-1" else self.sign("±")) + self.show(args[0], 12)
            case "not":
                return ("¬" if self.mathematics else "not ") + self.show(args[0], 6)
        return self.two(e)

    def two(self, e: Node) -> str:
        """A sign between two parts."""
        a, b = e.args
        level = _LEVELS[e.op]
        if e.op == "^":
            return self.show(a, _ATOM) + self.power(b)
        if e.op == "/":
            return f"{self.show(a, 12)}/{self.show(b, 13)}"
        if e.op == "*":
            whole = _over(e)
            if whole is not None:
                return self.show(whole)
            # (a/b) c, so that nobody reads a/(b c); a number before a letter needs no sign.
            left, right = self.show(a, 13 if a.op == "/" else 12), self.show(b, 13)
            head = a.args[0] if a.op == "index" else a
            if head.op == "name" and head.text.partition("_")[0] in ("min", "max", "inf", "sup", "lim", "sum", "log"):
                return f"{left} {right}"
            letter = a.op == "number" and (b.op in ("name", "index") or (b.op == "^" and b.args[0].op == "name"))
            times = "·" if self.mathematics else "*"
            return left + ("" if letter and self.mathematics and b.text != "oo" else times) + right
        return f"{self.show(a, level)} {self.sign(e.op)} {self.show(b, level + 1)}"

    def power(self, e: Node) -> str:
        """What stands above."""
        inner = e.args[0] if e.op == "-1" else e
        if self.mathematics and inner.op == "number" and inner.text.isdigit():
            return self.show(e).translate(_RAISED)
        return ("^" if self.mathematics else "**") + self.show(e, _ATOM)

    def is_exp(self, e: Node) -> bool:
        return self.euler and e.op == "at" and e.text == "(" and e.args[0] == Node("name", (), "exp")

    def value(self, e: Node) -> str:
        """A function's value, a probability, a mean, a guarantee."""
        head, inner = e.args
        if self.is_exp(e):
            return "e" if inner == Node("number", (), "1") else "e" + self.power(inner)
        name = head.text if head.op == "name" else ""
        if name == "sqrt" and self.mathematics:
            return "√" + (self.show(inner) if inner.op in ("number", "name") else f"({self.show(inner)})")
        if name in ("Abs", "abs"):
            return f"|{self.show(inner)}|"
        if name == "Piecewise":
            return self.cases(inner)
        opening, closing = e.text, {"(": ")", "[": "]"}[e.text]
        return f"{_FUNCTIONS.get(name) or self.show(head, _ATOM)}{opening}{self.show(inner)}{closing}"

    def cases(self, inner: Node) -> str:
        """The pieces of a function, in one pair of brackets."""
        shown = []
        for piece in inner.args if inner.op == "list" else (inner,):
            value, condition = piece.args[0].args
            otherwise = condition == Node("name", (), "True")
            shown.append(self.show(value, 1) + (" otherwise" if otherwise else f" if {self.show(condition, 1)}"))
        return f"({', '.join(shown)})"

    def index(self, e: Node) -> str:
        """What stands below."""
        shown = self.show(e)
        if self.mathematics and shown.isdigit() and shown.isascii():
            return shown.translate(_LOWERED)
        return f"_{shown}" if e.op in ("name", "number", "index") else f"_{{{shown}}}"

    def sign(self, sign: str) -> str:
        return _SIGNS.get(sign, sign) if self.mathematics else _ASCII_SIGNS.get(sign, sign)

    def name(self, text: str) -> str:
        """Greek letters, and digits that follow a letter below the line."""
        if not self.mathematics:
            return text
        base, underscore, index = text.partition("_")
        plain = re.fullmatch(r"([A-Za-z]+?)(hat|bar|)(\d*)(hat|bar|)", base)
        if plain is None:
            return text
        letters, first, digits, second = plain.groups()
        accent = first or second
        known = letters in GREEK or letters in ("oo", "sum", "prod")
        if not known and len(letters) > 1:
            return text
        shown = _GREEK_LETTERS.get(letters, letters) + {"hat": "\u0302", "bar": "\u0304", "": ""}[accent]
        below = index.translate(_LOWERED) if index.isdigit() and not digits else underscore + index
        return shown + digits.translate(_LOWERED) + below
