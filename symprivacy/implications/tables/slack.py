"""From an additive slack: (eps, delta)-ADP, (eps, delta)-PDP and TV, which is ADP at eps = 0.

Every pair that is (eps, delta)-ADP is a post-processing of one pair with atoms of mass delta where Q or P vanish
and randomized response on the rest, so that pair is extremal for every target that no processing increases; it is
also (eps, delta)-PDP, and PDP implies ADP, so both sources have the same answers. PDP as a target is not
monotone under processing: the best is to merge a test S with P(S)/Q(S) just above exp(eps2).
"""

from __future__ import annotations

from symprivacy.implications.answer import INFINITE, coins, disjoint, impossible, largest, listed, pair, tight, unknown
from symprivacy.implications.formula import Formula, Given, Part, put
from symprivacy.implications.implication import Implication
from symprivacy.implications.parameters import compare
from symprivacy.implications.tables import near_zero
from symprivacy.implications.tables.average import abp_of, evaluator
from symprivacy.implications.tables.ratio import BY_A_HAIR, unconstrained
from symprivacy.kernel.expr import ONE, Expr
from symprivacy.notions import Notion
from symprivacy.notions.kinds import Kind

DOMINATING = "dominating-pair"
_SQUARE = "delta + (1 - delta)*tanh(eps/2)**2"
_REST = "(1 - delta)/cosh(eps/2)**2"
_CLOSED: dict[Kind, Part] = {
    Kind.VARIATION: "delta + (1 - delta)*tanh(eps/2)",
    Kind.HELLINGER: "delta + (1 - delta)*2*sinh(eps/4)**2/cosh(eps/2)",
    Kind.JENSEN: "delta*log(2) + (1 - delta)*(eps/2*tanh(eps/2) - log(cosh(eps/2)))",
    Kind.TRIANGULAR: abp_of(_SQUARE, _REST),
}
# The same at eps = 0.
_APART: dict[Kind, Part] = {
    Kind.VARIATION: "delta",
    Kind.HELLINGER: "delta",
    Kind.JENSEN: "delta*log(2)",
    Kind.TRIANGULAR: abp_of("delta", "1 - delta"),
}
_SHARP = put("delta*log(2) + (1 - delta)*v", v=near_zero.js("eps/2"))


def dominating(eps: Part, delta: Part) -> dict[str, object]:
    """The extremal pair of (eps, delta)-ADP."""
    e, one = (put("(1 - d)/(1 + exp(s*eps))", d=delta, s=sign, eps=eps) for sign in ("-1", "1"))
    return pair([delta, e, one, "0"], ["0", one, e, delta])


def parameters_of(source: Kind) -> tuple[str, str]:
    """The texts of eps and delta."""
    return ("0", "t") if source is Kind.VARIATION else ("eps", "delta")


def from_slack(source: Kind, target: Notion, given: Given) -> Implication:
    """ADP, PDP or TV with positive slack.

    >>> from symprivacy.notions import get
    >>> print(from_slack(Kind.VARIATION, get("JS"), {"t": Formula("1/5").expr()}).formula)
    t*log(2)
    """
    eps, delta = parameters_of(source)
    plain = source is Kind.VARIATION
    if compare(Formula(delta), Formula("1"), given) == 0:
        return unconstrained(target)
    inner = {"eps": eps, "delta": delta}
    witness = disjoint(delta) if plain else dominating(eps, delta)
    found: Part | None
    if target.kind.threshold:
        found = _adp(given, eps) if target.kind is Kind.STICK else _pdp(source, given, eps, delta)
        if target.kind is Kind.TAIL and found is not None and found != "delta":
            witness = _merged(put(found, **inner), delta, source)
    elif target.kind in _CLOSED:
        found = (_APART if plain else _CLOSED)[target.kind]
    else:
        listed(target, INFINITE)
        if (top := largest(target.key)) is not None:
            return tight(top, witness, "counterexample", note="an output that only P produces")
        return impossible(witness, "P and Q may be disjoint with probability delta")
    if found is None:
        return unknown("eps2 could not be placed against the parameters of the source")
    lower = None
    if target.kind is Kind.TRIANGULAR:
        s, rest = ("delta", "1 - delta") if plain else (_SQUARE, _REST)
        lower = evaluator(put(s, **inner), put(rest, **inner), given)
    close = _SHARP if target.kind is Kind.JENSEN and not plain else ""
    return tight(Formula(found, (), close).of(inner), witness, DOMINATING, lower=lower)


def _merged(p: Expr, delta: Part, source: Kind) -> dict[str, object]:
    """A test of P-mass p with ratio exp(eps2), to be exceeded by a hair."""
    q = put("p*exp(-eps2)", p=p)
    if p is ONE or source is not Kind.TAIL:
        return coins(p, q, False, BY_A_HAIR)
    return pair([p, put("1 - p", p=p), "0"], [q, put("1 - q - d", q=q, d=delta), delta], False, BY_A_HAIR)


def _adp(given: Given, eps: str) -> str | None:
    side = compare(Formula("eps2"), Formula(eps), given)
    if side is None:
        return None
    return "delta" if side >= 0 else "delta + (1 - delta)*(exp(eps) - exp(eps2))/(1 + exp(eps))"


def _pdp(source: Kind, given: Given, eps: str, delta: str) -> str | None:
    if source is Kind.TAIL:
        side = compare(Formula("eps2"), Formula(eps), given)
        if side is None or side >= 0:
            return None if side is None else "delta"
    # The test may use all of Q's disjoint mass: P(S) = 1 as long as exp(eps2) (1 - delta) <= 1.
    full: int | None = 0
    kept = put("exp(eps2)*(1 - d)", d=delta)
    if compare(Formula("eps2"), Formula("0"), given) != 0:
        full = compare(Formula(kept), Formula("1"), given)
    if full is None or full <= 0:
        return None if full is None else "1"
    if source is Kind.VARIATION:
        return "exp(eps2)*delta/(exp(eps2) - 1)"
    corner = compare(Formula(kept), Formula(put("exp(e) + d", e=eps, d=delta)), given)
    if corner is None:
        return None
    if corner <= 0:
        return "exp(eps2)*(exp(eps) - 1 + delta)/(exp(eps + eps2) - 1)"
    return "exp(eps2)*delta/(exp(eps2) - exp(eps))"
