r"""The LaTeX of formulas in the notation of statements: as they were written, nothing reordered or simplified.

>>> print(typeset("(1 + exp(-eps)) delta/eta"))
\frac{(1 + e^{-\varepsilon}) \delta}{\eta}
>>> print(typeset("P[B in Bad_1' | t] <= (1/2 +- eps)"))
\Pr[B \in \mathrm{Bad}_{1}' \mid t] \le \frac{1}{2} \pm \varepsilon
"""

from __future__ import annotations

import re
from functools import lru_cache

from symprivacy.language.notation import AREA, GREEK, Node, read
from symprivacy.notions import all_notions
from symprivacy.render.printer import flat
from symprivacy.render.style import PAPERS, Style

_RELATIONS = {
    "<=": r"\le", ">=": r"\ge", "==": "=", "!=": r"\ne", "in": r"\in", "~": r"\sim", "=>": r"\Longrightarrow",
    "=/=>": r"\not\Longrightarrow",
    "<=>": r"\Longleftrightarrow", "<==": r"\Longleftarrow", "->": r"\to", "<->": r"\leftrightarrow",
    "or": r"\text{ or }", "and": r"\text{ and }", "|": r"\mid", "||": r"\,\|\,", "∪": r"\cup", "×": r"\times",
    "∖": r"\setminus", "±": r"\pm", ":": r":\,",
}  # fmt: skip
_NAMES = {
    "oo": r"\infty", "...": r"\ldots", ".": r"\,\cdot\,", "sum": r"\sum", "prod": r"\prod", "pi": r"\pi",
    **{name: rf"\operatorname{{{area}}}" for name, area in AREA.items()},
    "Min": r"\min", "Max": r"\max", "True": r"\text{otherwise}",
    **{name: rf"\{name}" for name in ("log", "exp", "sinh", "cosh", "tanh", "min", "max", "sup", "inf")},
}  # fmt: skip
_LEVELS = {
    "list": 0, "=/=>": 1, "=>": 1, "<=>": 1, "<==": 1, "->": 1, "<->": 1, "or": 2, "and": 3, "|": 4, "||": 4,
    "not": 5, "chain": 6,
    "∪": 8, "×": 8, "∖": 8, "has": 9, "+": 10, "-": 10, "±": 10, "-1": 11, "±1": 11, "*": 12, "/": 12, "^": 14,
}  # fmt: skip
_ATOM = 20


def typeset(text: str, style: Style = PAPERS) -> str:
    """The LaTeX of a formula; raises InputError where the notation has no such formula."""
    return flat(_Printer(style).show(read(text)))


@lru_cache(maxsize=1)
def _keys() -> frozenset[str]:
    return frozenset(notion.key for notion in all_notions())


class _Printer:
    """``small`` is set in exponents, indices and fractions, where fractions are written with a slash."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self.small = False

    def show(self, e: Node, least: int = 0) -> str:
        """A part, in brackets if its sign binds less than asked."""
        shown = self._shown(e)
        level = _LEVELS.get(e.op, _ATOM)
        if e.op == "/" and not self.small:
            level = 13
        return rf"\left({shown}\right)" if level < least else shown

    def script(self, e: Node, least: int = 0) -> str:
        """A part in a small place."""
        before, self.small = self.small, True
        try:
            return self.show(e, least)
        finally:
            self.small = before

    def _shown(self, e: Node) -> str:
        if e.op == "number":
            return re.sub(r"e\+?(-?)0*(\d+)", r" \\cdot 10^{\1\2}", e.text).replace("...", r"\ldots ")
        if e.op == "name":
            return self.name(e.text)
        if e.op == "list":
            wide = r"\; " if any(a.op == "chain" for a in e.args) else " "
            signs = [*(sign + wide for sign in e.text), ""]
            return "".join(self.show(a, 1) + sign for a, sign in zip(e.args, signs, strict=True))
        if e.op == "chain":
            relations = [*e.text.split(), ""]
            sides = (self.show(a, 7) for a in e.args)
            return " ".join(f"{a} {_RELATIONS.get(rel, rel)}" for a, rel in zip(sides, relations, strict=True)).strip()
        if e.op == "brackets":
            return rf"\left{e.text[0]}{self.show(e.args[0])}\right{e.text[1]}"
        if e.op == "set":
            return rf"\left\{{{self.show(e.args[0])}\right\}}"
        if e.op == "abs":
            return rf"\left|{self.show(e.args[0])}\right|"
        if e.op == "prime":
            return f"{self.show(e.args[0], _ATOM)}'"
        if e.op == "star":
            return f"{self.show(e.args[0], _ATOM)}^{{*}}"
        if e.op == "index":
            return f"{self.operator(e.args[0])}_{{{self.script(e.args[1])}}}"
        if e.op == "has":
            return self.guarantee(e.text, e.args[0])
        if e.op == "at":
            return self.value(e)
        if e.op in ("-1", "±1"):
            return ("-" if e.op == "-1" else r"\pm ") + self.show(e.args[0], 12)
        if e.op == "not":
            return rf"\neg {self.show(e.args[0], 6)}"
        return self.two(e)

    def two(self, e: Node) -> str:
        """A sign between two parts."""
        a, b = e.args
        level = _LEVELS[e.op]
        if e.op == "/":
            if not self.small:
                return rf"\frac{{{self.script(a)}}}{{{self.script(b)}}}"
            return f"{self.show(a, 12)} / {self.show(b, 13)}"
        if e.op == "^":
            base = self.show(a, _ATOM)
            # A power of a power needs brackets, and exp prints as one.
            if a.op == "at" and base.startswith("e^"):
                base = rf"\left({base}\right)"
            return f"{base}^{{{self.script(b)}}}"
        if e.op == "*":
            # a / 4 x would be read as a / (4 x).
            left, right = self.show(a, 13 if self.small and a.op == "/" else 12), self.show(b, 13)
            return f"{left} \\cdot {right}" if re.match(r"\d|\\frac\{\d|\\left\|", right) else f"{left} {right}"
        return f"{self.show(a, level)} {_RELATIONS.get(e.op, e.op)} {self.show(b, level + 1)}"

    def guarantee(self, key: str, values: Node) -> str:
        """eps-DP, or DP(eps)."""
        bare = values.args[0] if values.op == "brackets" else values
        shown = self.show(bare)
        name = self.style.name(key) if key in _keys() else rf"\text{{{key}}}"
        if self.style.calls:
            return rf"{name}\left({shown}\right)"
        many = bare.op == "list" or _LEVELS.get(bare.op, _ATOM) < 11
        return (rf"\left({shown}\right)" if many else shown) + rf"\text{{-}}{name}"

    def value(self, e: Node) -> str:
        """A function's value, a probability, a mean, a guarantee."""
        head, inner = e.args
        if head.op == "name":
            if head.text in _keys() and e.text == "(" and inner.op not in ("||", "|"):
                return self.guarantee(head.text, inner)
            if head.text == "exp":
                return f"e^{{{self.script(inner)}}}"
            if head.text == "sqrt":
                return rf"\sqrt{{{self.show(inner)}}}"
            if head.text in ("Abs", "abs"):
                return rf"\left|{self.show(inner)}\right|"
            if head.text == "Piecewise":
                return self.cases(inner)
        name = self.operator(head, e.text == "[")
        if e.text == "[":
            return rf"{name}\left[{self.show(inner)}\right]"
        return rf"{name}\left({self.script(inner)}\right)"

    def operator(self, head: Node, brackets: bool = True) -> str:
        """P and E of an event or a variable are operators, and so with an index."""
        name, _, index = head.text.partition("_") if head.op == "name" else ("", "", "")
        sign = {"P": r"\Pr", "E": r"\mathbb{E}"}.get(name) if brackets else None
        if head.op == "name" and head.text == "E":
            return r"\mathbb{E}"
        if sign is not None:
            return sign + (f"_{{{self.name(index)}}}" if index else "")
        return self.show(head, _ATOM)

    def cases(self, inner: Node) -> str:
        """The pieces of a function."""
        rows = []
        for piece in inner.args if inner.op == "list" else (inner,):
            value, condition = piece.args[0].args
            otherwise = condition == Node("name", (), "True")
            rows.append(self.show(value) + (r" & " if otherwise else r" & \text{if } ") + self.show(condition))
        return r"\begin{cases} " + r" \\ ".join(rows) + r" \end{cases}"

    def name(self, text: str) -> str:
        """A name: Greek letters, hats, and what follows an underscore or a letter as an index."""
        # Elsewhere a 2 marks the parameters of a target; here it is an index like any other.
        own = self.style.symbols.get(text) if text[-1:].isdigit() else self.style.symbol(text)
        known = own or _NAMES.get(text) or (text if text.isdigit() else None)
        if known is not None:
            return known
        if text in _keys():
            return self.style.name(text)
        base, _, index = text.partition("_")
        plain = re.fullmatch(r"([A-Za-z]+?)(hat|bar|)(\d*)(hat|bar|)", base)
        if plain is None:
            return rf"\mathrm{{{base}}}"
        letters, first, digits, second = plain.groups()
        letters = "eps" if letters == "epsilon" else letters
        accent = first or second
        if letters in GREEK and letters != "eps":
            shown = self.style.symbol(letters) or rf"\{letters}"
        elif len(letters) == 1 or letters == "eps":
            shown = self.style.symbol(letters) or letters
        else:
            shown = _NAMES.get(letters) or rf"\mathrm{{{letters}}}"
        shown = rf"\{accent}{{{shown}}}" if accent else shown
        indices = [part for part in (digits, *index.split("_")) if part]
        return shown + (f"_{{{','.join(map(self.name, indices))}}}" if indices else "")
