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
# Neighbours, or posterior against prior over many secrets: a ratio of mean one, and the bounded functional.
R = Symbol("r", real=True)
D = Symbol("D", real=True)
# The largest ratio over the smallest one.
W = Symbol("w", real=True)
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
    R: (S.Zero, oo),
    R2: (S.Zero, oo),
    OTHERS: (S.Zero, oo),
    D: (S.Zero, oo),
    W: (S.One, oo),
}


def real(name: str) -> Symbol:
    """The symbol of a level or parameter.

    >>> real("eps") == Symbol("eps", real=True)
    True
    """
    return Symbol(name, real=True)
