"""The quantities that derivations speak about, as sympy symbols.

All are real; what else is known of them (a prior lies strictly between 0 and 1) stands in domains, never in
assumptions, because sympy silently drops what an assumption already implies.
"""

from __future__ import annotations

from sympy import Expr, Function, S, Symbol, oo

# Two secrets t, not t: prior P[t], posterior P[t|y], likelihood ratio P[y|t]/P[y|not t].
P = Symbol("p", real=True)
Q = Symbol("q", real=True)
A = Symbol("A", real=True)
# A ratio of mean one: dP/dQ for neighbours.
R = Symbol("r", real=True)
# What r is the ratio of decides what bounds it, so each kind has a symbol of its own: outputs of neighbours,
# posterior to prior over many secrets, posteriors with and without one record, posterior to uniform prior.
RATIOS = {"outputs": R, **{kind: Symbol(f"r_{kind[0]}", real=True) for kind in ("secrets", "games", "uniform")}}
# The largest ratio over the smallest one.
W = Symbol("w", real=True)
WIDTHS = {"outputs": W, **{kind: Symbol(f"w_{kind[0]}", real=True) for kind in ("secrets", "games")}}
# A variable for the argument of a transform.
D = Symbol("D", real=True)
# Uniform prior on m secrets: the other likelihoods over this one, summed; ratios at two secrets.
M = Symbol("m", real=True)
OTHERS = Symbol("S", real=True)
R2 = Symbol("r2", real=True)
# The likelihood of one secret, or of a database against the same one without a record.
L = Symbol("L", real=True)
# A mean under the reference law; only rules look inside.
E = Function("E")

# Where each quantity lies before anything else is known of it. Zero and infinite likelihoods are left out:
# derivations speak about outputs of positive probability under both secrets, and a ratio bound extends to the
# others by the definition that is concluded (zhao17 footnote 4).
NATURAL: dict[Symbol, tuple[Expr, Expr]] = {
    P: (S.Zero, S.One),
    Q: (S.Zero, S.One),
    A: (S.Zero, oo),
    R2: (S.Zero, oo),
    OTHERS: (S.Zero, oo),
    **dict.fromkeys(RATIOS.values(), (S.Zero, oo)),
    **dict.fromkeys(WIDTHS.values(), (S.One, oo)),
}
# What belongs to a mechanism. In statements about mechanisms these are never variables with a range.
QUANTITIES = frozenset({Q, A, L, R2, OTHERS, *RATIOS.values(), *WIDTHS.values()})
# Those that belong to the uniform prior on m secrets.
COUNTED = frozenset({R2, OTHERS, RATIOS["uniform"]})


def real(name: str) -> Symbol:
    """The symbol of a level or parameter.

    >>> real("eps") == Symbol("eps", real=True)
    True
    """
    return Symbol(name, real=True)
