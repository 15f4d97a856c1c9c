"""Kasiviswanathan and Smith, On the 'Semantics' of Differential Privacy: slips in proofs, beyond the list of claims.

delta2 = delta + delta1 as in Theorem 4.2; sigma**2 is the variance of Gaussian noise on a sum of bits.
"""

from __future__ import annotations

from fractions import Fraction

from symprivacy.claims.argument import Argument, Counterexample, Earlier, Witness
from symprivacy.claims.comparison import comparison, put
from symprivacy.claims.instances import confirms
from symprivacy.claims.language import proposition
from symprivacy.claims.laws import closeness, exceeds, flat, given, hockey_stick, marginal, no_less, number
from symprivacy.claims.outcome import every
from symprivacy.claims.papers.ks14_conditioning import PRINTED_HAT, shown
from symprivacy.claims.papers.ks14_lemma34 import TWO_TRANSCRIPTS
from symprivacy.claims.record import Form, claims_of
from symprivacy.implications import convert

_claim = claims_of("ks14")

_EPS, _N, _DELTA = "eps in (0, oo)", "n in [1, oo)", "delta in (0, 1)"
_BAD2 = "delta/dhat"
_LAST, _MEANT, _LEVEL = "exp(3*epshat)-1+dhat", "exp(epshat)-1+dhat", "exp(3*eps)-1+sqrt(n*delta)"
_AS_USED = {"epshat": "3*eps", "dhat": "sqrt(n*delta)"}
# The hypothesis of Theorem 2.4(1), with t < 1.
_DHAT = put("t*(1-exp(-eps))")
_AT_DHAT = {"delta2": put("dhat**2/n", dhat=_DHAT), "dhat": _DHAT}
_MASS, _FAILURE = "n*(2*delta2/dhat+2*delta2/(1-exp(-eps)))", "4*sqrt(n*delta2)"
_VARIANCE, _ENOUGH = "log(1/delta)/eps**2", "(2*log(1/delta)+eps)/eps**2"
# The inverse of the last one, with w = log(1/delta).
_MU2 = put("1/variance", variance=put(_ENOUGH, delta="exp(-w)"))
_RATIO, _PRINTED_RATIO = "exp((-2*n+1)/(2*sigma**2))", "exp((-2*n+1)/(2*sigma))"
_DENSITIES = "exp(-n**2/(2*sigma**2))/exp(-(n-1)**2/(2*sigma**2))"


def _bad_two() -> Witness:
    """The joint laws that refute Lemma 3.4: the second transcript is in Bad_2 and not in Bad_0."""
    one, other = TWO_TRANSCRIPTS
    growth, dhat = Fraction(2), Fraction(1, 10)
    hat = no_less(number(put("exp(hat)", hat=PRINTED_HAT), growth))
    delta, here, there = closeness(flat(one), flat(other), growth), marginal(one), marginal(other)
    bad = []
    for t in (0, 1):
        left, right = given(one, t) or [], given(other, t) or []
        kept = here[t] <= growth**2 * there[t] and there[t] <= growth**2 * here[t]
        if kept and hockey_stick(right, left, hat) > dhat:
            bad.append(t)
    found, claimed = sum((here[t] for t in bad), Fraction(0)), number(_BAD2, delta=delta, dhat=dhat)
    if not exceeds(found, claimed):
        return None
    says = (
        f"`exp(eps) = 2`, `delta = {delta}`, `dhat = {dhat}`: `t2` is in `Bad_2'`, and "
        f"`P[B = t2] = {found} > {claimed}`"
    )
    return {"says": says, **shown(one, other), "parameters": {"eps": "log(2)", "dhat": str(dhat)}}


def _condition_too_weak() -> Witness:
    """eps = 1, n = 4 and sqrt(n delta2) = 9/10, which is below eps and above 1-exp(-eps)."""
    eps, n, dhat = Fraction(1), 4, Fraction(9, 10)
    point = {"eps": eps, "n": Fraction(n), "delta2": dhat**2 / n, "dhat": dhat}
    mass, failure = put(_MASS, **point), put(_FAILURE, **point)
    if not (confirms("eps > sqrt(n*delta2)", **point) and confirms("m > f", m=mass, f=failure)):
        return None
    above, below = (float(number(value)) for value in (mass, failure))
    says = f"`eps = 1`, `n = 4`, `sqrt(n*delta2) = 9/10 < eps`: `{_MASS} = {above} > {below} = {_FAILURE}`"
    return {"says": says, "parameters": {name: str(value) for name, value in point.items()}}


def _too_little_noise() -> Witness:
    """eps = 1 and delta = 10**-6: the exact delta of the Gaussian mechanism, from below."""
    eps, delta = Fraction(1), Fraction(1, 10**6)
    distance = put("1/sqrt(variance)", variance=put(_VARIANCE, eps=eps, delta=delta))
    found = convert("GDP", {"mu": distance}, "ADP", eps2=str(eps))
    low = Fraction(found.lo)
    if not low > delta:
        return None
    says = (
        "`eps = 1`, `delta = 1/10**6`: with variance `log(10**6)` the exact `delta` at `eps = 1` is at "
        f"least {float(low):.3g}"
    )
    return {"says": says, "mechanism": "sum of bits plus Gaussian noise", "eps": "1", "delta": "1/1000000",
            "lower bound": str(found.lo)}  # fmt: skip


CLAIMS = (
    _claim(
        "lem3.4-bad2",
        "Proof of Lemma 3.4",
        f"`P[B in Bad_2'] <= {_BAD2}`",
        reading="beyond the list: the step 'by a similar argument', which is where the Conditioning Lemma goes wrong; "
        "with the pairs exchanged the argument for `Bad_1'` bounds the probability under `B'`, not `B`",
        proof=Counterexample(f"`P[B in Bad_2'] <= {_BAD2}`", _bad_two),
        instead=Form(f"`P[B' in Bad_2'] <= {_BAD2}`", Earlier("ks14-lem3.4-bad1")),
        uses=("ks14-lem3.4-bad1",),
    ),
    _claim(
        "thm2.4-1-last",
        "Proof of Thm 2.4(1), last line",
        f"`(epshat,dhat)-indist => SD <= {_LAST} == {_LEVEL}` with `epshat=3*eps`, `dhat=sqrt(n*delta)`",
        reading="beyond the list: the factor 3 is in `epshat` already",
        proof=comparison("last == level", _EPS, _DELTA, _N, last=put(_LAST, **_AS_USED), level=_LEVEL),
        corrected=Form(
            f"`(epshat,dhat)-indist => SD <= {_MEANT} == {_LEVEL}`",
            every(
                comparison("meant == level", _EPS, _DELTA, _N, meant=put(_MEANT, **_AS_USED), level=_LEVEL),
                proposition("ADP(eps, delta) => TV(meant)", meant=put(_MEANT, epshat="eps", dhat="delta")),
            ),
        ),
    ),
    _claim(
        "thm4.2-remaining",
        "Proof of Thm 4.2, also behind Cor 4.4",
        f"the rest as for Thm 2.4(1): `{_MASS} <= {_FAILURE}` with `dhat=sqrt(n*delta2)`, if `eps>sqrt(n*delta2)`",
        reading="beyond the list: the step of the proof of Theorem 2.4(1), under the weaker hypothesis of Theorem 4.2; "
        "the theorem itself is true, by another argument",
        proof=Counterexample(f"`eps>sqrt(n*delta2) => {_MASS} <= {_FAILURE}`", _condition_too_weak),
        instead=Form(
            f"`{_MASS} <= {_FAILURE}` if `1-exp(-eps)>sqrt(n*delta2)`",
            comparison(
                "mass <= failure", "t in (0, 1)", _N, _EPS,
                mass=put(_MASS, **_AT_DHAT), failure=put(_FAILURE, **_AT_DHAT),
            ),
        ),
    ),
    _claim(
        "thmA.2-noise",
        "Proof of Thm A.2",
        f"adding Gaussian noise with variance `{_VARIANCE}` to `sum x_i` is `(eps,delta)-DP`",
        reading="beyond the list: for all `eps` and `delta`, as no range is given; the theorem does not depend on it",
        proof=Counterexample(f"variance {_VARIANCE} is enough", _too_little_noise),
        instead=Form(
            f"variance `{_ENOUGH}` is enough",
            Argument(
                ("cumulant", "tail", "both-orders"),
                (
                    comparison("(eps - mu2/2)**2/(2*mu2) >= w", "w in (0, oo)", _EPS, mu2=_MU2),
                    comparison("eps - mu2/2 > 0", "w in (0, oo)", _EPS, mu2=_MU2),
                    proposition("PDP(eps, delta) => ADP(eps, delta)"),
                ),
                (
                    "the sum changes by 1, so the loss is normal with mean `mu2/2` and variance `mu2 = 1/sigma**2` in "
                    "both orders; it exceeds `eps` with probability at most `exp(-(eps - mu2/2)**2/(2 mu2)) <= delta = "
                    "exp(-w)`",
                ),
            ),
        ),
    ),
    _claim(
        "thmA.2-density",
        "Proof of Thm A.2, display",
        f"`P[A(x)=n|x=0^n]/P[A(x)=n|x=(1,0^(n-1))] == {_PRINTED_RATIO}`, noise of variance `sigma**2`",
        reading="beyond the list: densities of normal laws; the algebra is right, the denominators are not, already "
        "for `n = 2`",
        proof=comparison(
            "densities == ratio", "sigma in (0, oo)", densities=put(_DENSITIES, n=2), ratio=put(_PRINTED_RATIO, n=2)
        ),
        corrected=Form(
            f"the ratio is `{_RATIO}`",
            comparison("densities == ratio", "sigma in (0, oo)", _N, densities=_DENSITIES, ratio=_RATIO),
        ),
    ),
)  # fmt: skip
