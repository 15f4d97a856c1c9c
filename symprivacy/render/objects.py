r"""The objects that a proof speaks of, introduced before it uses them."""

from __future__ import annotations

from typing import Any

from symprivacy.calculus import symbols as s
from symprivacy.calculus.derivation import Derivation
from symprivacy.render.latex import math
from symprivacy.render.style import PAPERS, Style

# A sentence in LaTeX for each quantity; {} is its symbol. Together they read as one list after "Write".
_LAWS = r"$P$ and $Q$ for the output laws of two inputs that are compared"
_MEANINGS: dict[Any, str] = {
    s.P: r"${}$ for the prior probability of one of the two inputs $x$, $x'$ that are compared",
    s.Q: r"${}$ for its posterior probability after an output $y$",
    s.A: r"${} = \Pr[M(x) = y] / \Pr[M(x') = y]$ for the likelihood ratio of an output $y$",
    s.R: r"${} = dP/dQ$ for their likelihood ratio",
    s.RATIOS["secrets"]: r"${}$ for the ratio of posterior to prior of a secret",
    s.RATIOS["games"]: r"${}$ for the ratio of the posteriors with and without one record",
    s.RATIOS["uniform"]: r"${}$ for the ratio of posterior to uniform prior of a secret",
    s.W: r"${}$ for the largest likelihood ratio over the smallest one",
    s.WIDTHS["secrets"]: r"${}$ for the largest ratio of posterior to prior over the smallest one",
    s.WIDTHS["games"]: r"${}$ for the largest ratio of posteriors over the smallest one",
    s.OTHERS: r"${}$ for the sum of the likelihoods of the other secrets over that of this one",
    s.R2: r"${}$ for the same ratio at a second secret",
    s.L: r"${}$ for the likelihood of the output",
}


def introduced(d: Derivation, style: Style = PAPERS) -> str:
    r"""The sentence that introduces the quantities of a derivation; empty if it has none.

    >>> from symprivacy import derive
    >>> print(introduced(derive("SP", "DP").derivation).rpartition("; ")[2])
    $A = \Pr[M(x) = y] / \Pr[M(x') = y]$ for the likelihood ratio of an output $y$.
    """
    sides = [side for step in d.steps for side in (step.statement.lhs, step.statement.rhs)]
    used = {symbol for side in sides for symbol in side.free_symbols}
    means = any(side.has(s.E) for side in sides)
    said = [text.replace("{}", math(symbol, style), 1) for symbol, text in _MEANINGS.items() if symbol in used]
    if s.R in used:
        said.insert(0, _LAWS)
    if means:
        said.append(r"$\mathbb{E}$ for the mean under $Q$" if s.R in used else r"$\mathbb{E}$ for the mean")
    return f"Write {'; '.join(said)}." if said else ""
