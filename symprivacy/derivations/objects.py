"""The objects that a proof speaks of, introduced before it uses them."""

from __future__ import annotations

from typing import Any

from symprivacy.derivations.derivation import Derivation
from symprivacy.notions import symbols as s

# What each quantity is; {} is its symbol. Together they read as one list after "Write".
_LAWS = "`P` and `Q` for the output laws of two inputs that are compared"
_MEANINGS: dict[Any, str] = {
    s.P: "`{}` for the prior probability of `x`, one of the two inputs `x`, `x'` that are compared",
    s.Q: "`{}` for its posterior probability after an output `y`",
    s.A: "`{} = P[M(x) = y]/P[M(x') = y]` for the likelihood ratio of an output `y`",
    s.R: "`{} = dP/dQ` for their likelihood ratio",
    s.RATIOS["secrets"]: "`{}` for the ratio of posterior to prior of a secret",
    s.RATIOS["games"]: "`{}` for the ratio of the posteriors with and without one record",
    s.RATIOS["uniform"]: "`{}` for the ratio of posterior to uniform prior of a secret",
    s.W: "`{}` for the largest likelihood ratio over the smallest one",
    s.WIDTHS["secrets"]: "`{}` for the largest ratio of posterior to prior over the smallest one",
    s.WIDTHS["games"]: "`{}` for the largest ratio of posteriors over the smallest one",
    s.OTHERS: "`{}` for the sum of the likelihoods of the other secrets over that of this one",
    s.R2: "`{}` for the same ratio at a second secret",
    s.L: "`{}` for the likelihood of the output with one record over that without it",
}


def introduced(d: Derivation) -> str:
    """The sentence that introduces the quantities of a derivation, with marked formulas; empty if it has none.

    >>> from symprivacy import derive
    >>> introduced(derive("SP", "DP").derivation).rpartition("; ")[2]
    "`A = P[M(x) = y]/P[M(x') = y]` for the likelihood ratio of an output `y`."
    """
    sides = [side for step in d.steps for side in (step.statement.lhs, step.statement.rhs)]
    used = {symbol for side in sides for symbol in side.free_symbols}
    means = any(side.has(s.E) for side in sides)
    said = [text.replace("{}", str(symbol), 1) for symbol, text in _MEANINGS.items() if symbol in used]
    if s.R in used:
        said.insert(0, _LAWS)
    if means:
        said.append("`E` for the mean under `Q`" if s.R in used else "`E` for the mean")
    return f"Write {'; '.join(said)}." if said else ""
