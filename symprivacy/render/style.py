r"""How symbols and notions are written: the papers' way, or one's own.

>>> from symprivacy import derive
>>> from symprivacy.render.latex import math
>>> math(derive("SP", "DP"))
'\\tanh(\\varepsilon / 4)\\text{-}\\mathrm{SP} \\Longrightarrow \\varepsilon\\text{-}\\mathrm{DP}'
>>> mine = Style(symbols={"eps": r"\epsilon"}, names={"SP": r"\textsf{Sem}"}, calls=True, backwards=True)
>>> math(derive("SP", "DP"), mine)
'\\mathrm{DP}(\\epsilon) \\Longleftarrow \\textsf{Sem}(\\tanh(\\epsilon / 4))'
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from symprivacy.errors import InputError

# A parameter of a target carries a 2 in text and a prime in LaTeX. The level of Renyi privacy is called e, which
# beside Euler's number nobody could read.
SYMBOLS = {
    "eps": r"\varepsilon",
    "eps2": r"\varepsilon'",
    "eps_pa": r"\varepsilon_{p,a}",
    "eps_pm": r"\varepsilon_{p,m}",
    "dhat": r"\hat{\delta}",
    "alpha2": r"\alpha'",
    "p2": "p'",
    "m2": "m'",
    "r2": "r'",
    "e": r"\bar{\varepsilon}",
}


@dataclass(frozen=True)
class Style:
    """Symbols and names in LaTeX, and how guarantees are written.

    Attributes:
        symbols: LaTeX by the text name of a symbol; what is missing is written as in the papers.
        names: LaTeX by the key of a notion; by default its key, upright.
        calls: write DP(eps) instead of eps-DP.
        backwards: write the conclusion first, as zhao17 does: eps-BDP <== ...
    """

    symbols: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    calls: bool = False
    backwards: bool = False

    def __post_init__(self) -> None:
        for what in (self.symbols, self.names):
            for name, text in what.items():
                if not text.strip() or not balanced(text):
                    raise InputError(f"{name[:40]}={text[:60]!r}: expected LaTeX with balanced braces")

    def symbol(self, name: str) -> str | None:
        """The LaTeX of a symbol that does not follow from its name."""
        return self.symbols.get(name, SYMBOLS.get(name))

    def name(self, key: str) -> str:
        """The LaTeX of a notion's name."""
        plain = re.fullmatch(r"[A-Za-z0-9]+(\[[a-z]+\])?", key) is not None
        return self.names.get(key, rf"\mathrm{{{key}}}" if plain else rf"\text{{{escape(key)}}}")

    def respelled(self, latex: str) -> str:
        r"""A formula that was written by hand in the papers' symbols, in one's own.

        >>> print(Style(symbols={"eps": "x", "t": "y"}).respelled(r"e^\varepsilon \Pr[t]"))
        e^{x} \Pr[t]
        """
        for name, text in self.symbols.items():
            usual = SYMBOLS.get(name, rf"\{name}" if name in _GREEK else None)
            if usual is not None:
                # Split, not re.sub: a replacement may contain backslashes.
                latex = f"{{{text}}}".join(re.split(re.escape(usual) + r"(?![A-Za-z'])", latex))
        return latex


_GREEK = {"delta", "eta", "xi", "alpha", "rho", "mu", "tau", "omega"}
PAPERS = Style()


def balanced(text: str) -> bool:
    r"""Whether the braces of a LaTeX text match.

    >>> balanced(r"\\textsf{a}"), balanced("}{")
    (True, False)
    """
    depth = 0
    for sign in re.sub(r"\\[{}]", "", text):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        if depth < 0:
            return False
    return depth == 0


# Square brackets in braces: after the end of a row, after \item and in a title TeX would take them for an option.
_TEXT = {
    "[": "{[}", "]": "{]}",
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "<=>": r"$\Leftrightarrow$", "<=": r"$\le$", ">=": r"$\ge$", "=>": r"$\Rightarrow$",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    "<": "$<$", ">": "$>$", "|": "$|$", "*": "$*$", "≤": r"$\le$", "≥": r"$\ge$", "≠": r"$\ne$",
    "⇒": r"$\Rightarrow$", "⟹": r"$\Longrightarrow$", "∈": r"$\in$", "∞": r"$\infty$", "×": r"$\times$",
    "·": r"$\cdot$", "√": r"$\surd$", "∀": r"$\forall$", "∃": r"$\exists$", "ε": r"$\varepsilon$", "ϵ": r"$\epsilon$",
    "δ": r"$\delta$", "η": r"$\eta$", "ξ": r"$\xi$", "α": r"$\alpha$", "γ": r"$\gamma$", "θ": r"$\theta$",
    "λ": r"$\lambda$", "μ": r"$\mu$", "π": r"$\pi$", "ρ": r"$\rho$", "σ": r"$\sigma$", "τ": r"$\tau$",
    "∪": r"$\cup$", "∖": r"$\setminus$", "±": r"$\pm$",
    "ω": r"$\omega$", "≈": r"$\approx$",  "→": r"$\to$", "−": "$-$", "‘": "`", "’": "'", "“": "``", "”": "''",
    "–": "--", "—": "---", "…": r"\dots{}", "\n": " ", "\t": " ",
}  # fmt: skip


def escape(text: str) -> str:
    r"""Plain text for LaTeX: nothing in it is a command, and what TeX cannot set is named by its number.

    >>> print(escape("a_b <= 50% \u2620"))
    a\_b $\le$ 50\% [U+2620]
    """
    return re.sub("<=>|<=|>=|=>|[^A-Za-z0-9 ]", lambda found: _sign(found.group()), text, flags=re.DOTALL)


def _sign(sign: str) -> str:
    plain = len(sign) == 1 and (" " <= sign < "\x7f" or "\xa1" <= sign < "\u0180")
    return _TEXT.get(sign) or (sign if plain else f"[U+{ord(sign):04X}]")
