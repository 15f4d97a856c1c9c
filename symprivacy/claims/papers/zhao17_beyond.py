"""Zhao, Relations Among Different Privacy Notions: slips in proofs, beyond the list of claims.

u and v are P[Y|x_i] and P[Y|not x_i], q is the probability of x_i.
"""

from __future__ import annotations

from fractions import Fraction

from symprivacy.claims.argument import Counterexample, Earlier, Witness
from symprivacy.claims.comparison import comparison
from symprivacy.claims.instances import confirms, contradicts
from symprivacy.claims.language import proposition
from symprivacy.claims.record import Form, claims_of

_claim = claims_of("zhao17")

_FIRST, _SECOND = "1-x >= A*(exp(-eps)-x)", "A*x+1-x <= exp(eps)"
_LIKELIHOODS = ("u in (0, 1]", "v in (0, 1]")


def _other_condition() -> Witness:
    """x = 1/2 = exp(-eps), where the first condition holds for every A."""
    point: dict[str, Fraction | str] = {"x": Fraction(1, 2), "A": Fraction(4), "eps": "log(2)"}
    if not (confirms(_FIRST, **point) and contradicts(_SECOND, **point)):
        return None
    says = "at `x = 1/2`, `A = 4`, `eps = log(2)`: `1/2 >= 0`, but `A*x+1-x = 5/2 > 2 = exp(eps)`"
    return {"says": says, "point": {name: str(value) for name, value in point.items()}}


CLAIMS = (
    _claim(
        "eq39-line2",
        "eq (39), second line",
        "`P[Y|x_i]/P[Y] == P[Y|x_i]/(P[Y|x_i] + P[Y|not x_i]*P[not x_i])`",
        reading="beyond the list: the first term of the total probability lacks its factor; the next line has it",
        proof=comparison("u/(u*q + v*(1-q)) == u/(u + v*(1-q))", *_LIKELIHOODS),
        corrected=Form(
            "`P[Y|x_i]/P[Y] == P[Y|x_i]/(P[Y|x_i]*P[x_i] + P[Y|not x_i]*P[not x_i])`",
            # The line after it, to which this one has to lead.
            comparison("alpha*v/(alpha*v*q + v*(1-q)) == alpha/(alpha*q+1-q)", "v in (0, 1]", "alpha in (1, oo)"),
        ),
    ),
    _claim(
        "eq38-case2",
        "Proof of (38), last sentence of ii)",
        "ii) `A*x+1-x<=exp(eps)` is established by its conclusion `1-x>=A*(exp(-eps)-x)`",
        reading="beyond the list: the summary of ii) repeats that of `i`), which is another condition",
        proof=Counterexample(f"`{_FIRST} => {_SECOND}`", _other_condition),
        corrected=Form("ii) ends with `A*x+1-x<=exp(eps)` for any `x in [0,1]`", Earlier("zhao17-eq38")),
        uses=("zhao17-eq38",),
    ),
    _claim(
        "proof1-start",
        "Proof of Thm 1, first part",
        "`eps-BDP`: let `Y` be an `eps/2-BDP` algorithm",
        reading="beyond the list: the proof has to start from any `eps-BDP` mechanism, so what is printed would need "
        "it to be `eps/2-BDP`; from the next sentence on `eps` is used",
        proof=proposition("BDP(eps) => BDP(eps/2)"),
        corrected=Form(
            "let `Y` be an `eps-BDP` algorithm: `b_0/b_i` is within `exp(2*eps)`", Earlier("zhao17-proof1-ratio")
        ),
        uses=("zhao17-proof1-ratio",),
    ),
)
