"""What pages share: the cells of the matrix, findings by notion, and how a pair is written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import sympy

from symprivacy.atlas.matrix import WORDS, Matrix
from symprivacy.claims.finding import Finding
from symprivacy.implications.implication import Implication
from symprivacy.notions import all_notions, get
from symprivacy.render.conversion import formula
from symprivacy.render.latex import guarantee, implication, math
from symprivacy.render.style import PAPERS, Style

# How a cell is called on a page, and its sign in the matrix.
SIGNS = {"tight": "=", "trivial": "1", "impossible": "×", "gap": "~", "open": "?"}
SAYS = {
    "tight": "follows, and no smaller level does",
    "trivial": "nothing but the largest level there is follows",
    "impossible": "no finite level follows",
    "gap": "follows; whether a smaller level does is not known",
    "open": "not known",
}


@dataclass(frozen=True)
class Atlas:
    """The matrix and the findings that a site is made of."""

    matrix: Matrix
    findings: tuple[Finding, ...]

    @cached_property
    def about(self) -> Mapping[str, tuple[Finding, ...]]:
        """The findings whose statement names a notion, by its key."""
        named: dict[str, list[Finding]] = {}
        for finding in self.findings:
            for key in notions_in(finding):
                named.setdefault(key, []).append(finding)
        return {key: tuple(found) for key, found in named.items()}

    def between(self, a: str, b: str) -> tuple[Finding, ...]:
        """The findings that name both notions."""
        return tuple(f for f in self.about.get(a, ()) if b in notions_in(f))


def notions_in(finding: Finding) -> tuple[str, ...]:
    """The keys of the notions that a statement names.

    >>> from symprivacy.claims.finding import Ruling
    >>> notions_in(Finding("a", "mine", "", "eps-DP => KL(eps**2)", Ruling.FALSE))
    ('DP', 'KL')
    """
    words = set(re.findall(r"[A-Za-z]\w*", f"{finding.statement} {finding.better or ''} {finding.corrected or ''}"))
    return tuple(notion.key for notion in all_notions() if notion.key in words)


def status(cell: Implication) -> str:
    """The status with the trivial bound told apart from one that says something."""
    return "trivial" if cell.trivial else WORDS[cell.status]


def level(cell: Implication) -> str:
    """LaTeX of the level of the conclusion; empty where there is no formula."""
    return formula(cell.says) or ""


def theorem(cell: Implication) -> str:
    r"""LaTeX of a pair with symbols for parameters: premise, arrow, conclusion.

    >>> from symprivacy.atlas.matrix import cell
    >>> theorem(cell("DP", "TV")), theorem(cell("DP", "RB")).endswith(r"\varepsilon^{*}\text{-}\mathrm{RB}")
    ('\\varepsilon\\text{-}\\mathrm{DP} \\Longrightarrow t\\text{-}\\mathrm{TV}', True)
    """
    premise = guarantee(cell.source, [p.symbol for p in get(cell.source).parameters])
    own = get(cell.target)
    name = sympy.Symbol(answered(cell))
    asked = {own.fills: sympy.Symbol(own.asked)} if own.fills and own.asked else {}
    values = [name if p.name == own.answers else asked.get(p.name, p.symbol) for p in get(cell.target).parameters]
    conclusion = guarantee(cell.target, values, Style({**PAPERS.symbols, name.name: name.name}))
    arrow = implication(premise, conclusion)
    return arrow.replace(r"\Long", r"\not\Long") if cell.status == "impossible" else arrow


def answered(cell: Implication) -> str:
    """LaTeX of the level of the conclusion as a symbol, starred where the premise has one of the same name."""
    name = get(cell.target).answers
    shown = math(sympy.Symbol(name))
    return f"{shown}^{{*}}" if name in get(cell.source).names else shown


def at(cell: Implication) -> str:
    """The reference parameters in one line."""
    return ", ".join(f"{name} = {text}" for name, text in cell.at.items())
