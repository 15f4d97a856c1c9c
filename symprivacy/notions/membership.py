"""Membership privacy and adversarial privacy: the posterior of one event against its prior."""

from __future__ import annotations

from collections.abc import Mapping

from sympy import Expr, Interval, Min, Piecewise, exp, log, oo

from symprivacy.notions.levels.channel import Channel
from symprivacy.notions.levels.membership import adversarial_level, growth_in_both_roles, membership_level
from symprivacy.notions.levels.options import Options
from symprivacy.notions.levels.pairs import ratio_level
from symprivacy.notions.levels.result import Level
from symprivacy.notions.parameter import Direction, Parameter
from symprivacy.notions.property import Alias, Holds, Property
from symprivacy.notions.quantifiers import Orders, Pairs, Priors
from symprivacy.notions.record import Notion
from symprivacy.notions.symbols import P, Q

EPS = Parameter("eps", meaning="bound on log of posterior against prior", asked="1/2")
_E = EPS.symbol

# zhao17 Lemma 1: posterior <= exp(eps) p and 1 - posterior >= exp(-eps) (1 - p), solved for the ratio.
MEMBERSHIP_RATIO = Piecewise(
    ((1 - P) / (exp(-_E) - P), 1 / (1 + exp(_E)) >= P),
    ((exp(_E) - 1 + P) / P, True),
)
# The posterior stays on the left, as in the definitions.
_MORE = (Q <= exp(_E) * P, 1 - Q >= exp(-_E) * (1 - P))  # noqa: SIM300
_LESS = (1 - Q <= exp(_E) * (1 - P), Q >= exp(-_E) * P)  # noqa: SIM300
_DELTA = Parameter("delta", Interval(0, 1), meaning="additive slack of the posterior", reference="1/10")
_BOUND = exp(_E) * P + _DELTA.symbol
ADVERSARIAL_RATIO = Piecewise((_BOUND * (1 - P) / (P * (1 - _BOUND)), _BOUND < 1), (oo, True))

AXIOMS = (
    Property("post-processing", Holds.YES, "sok22 Proposition 5; li13 Theorem 3.12"),
    Property("convexity", Holds.YES, "sok22 Proposition 5; li13 Theorem 3.11"),
    Property("composition", Holds.NO, "sok22 Proposition 8"),
)


def _positive(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    return membership_level(channel, options, "+")


def _negative(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    return membership_level(channel, options, "-")


def _both(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    return membership_level(channel, options, "+-")


def _at_prior(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    return ratio_level(channel, channel.pairs, lambda ratio: log(growth_in_both_roles(ratio, given["p"])))


def _adversarial(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
    return adversarial_level(channel, dict(given), options)


_FAMILIES = Priors("every prior", ("vector", "point"), ("all", "independent", "fixed", "scalable"))
_POSITIVE = r"\Pr[t|S]\le e^{\varepsilon}\Pr[t],\ \Pr[\neg t|S]\ge e^{-\varepsilon}\Pr[\neg t]"
_NEGATIVE = r"\Pr[\neg t|S]\le e^{\varepsilon}\Pr[\neg t],\ \Pr[t|S]\ge e^{-\varepsilon}\Pr[t]"

NOTIONS = (
    Notion(
        "PMP", "positive membership privacy", (EPS,),
        "for every prior of the family, event `t` and `S`: `P[t|S] <= exp(eps) P[t] and "
        "P[not t|S] >= exp(-eps) P[not t]`",
        rf"\forall\mathcal D\in\mathbb D,\ \forall t,S:\ {_POSITIVE}",
        frozenset("BF"), "li13 section 3; zhao17 Definition 3; sok22 Definition 34",
        ratio=MEMBERSHIP_RATIO, posterior=_MORE, pairs=Pairs.ALL, orders=Orders.PRESENT, priors=_FAMILIES,
        properties=AXIOMS, target="eps", level=_positive, aliases=(Alias("PMPr", "sok22"), Alias("PMPPr", "sok22")),
    ),
    Notion(
        "NMP", "negative membership privacy", (EPS,),
        "for every prior of the family, event `t` and `S`: `P[not t|S] <= exp(eps) P[not t] and "
        "P[t|S] >= exp(-eps) P[t]`",
        rf"\forall\mathcal D\in\mathbb D,\ \forall t,S:\ {_NEGATIVE}",
        frozenset("BF"), "li13 Definition 3.8",
        # The same bound with the roles of t and not t exchanged.
        ratio=MEMBERSHIP_RATIO.subs(P, 1 - P), posterior=_LESS, pairs=Pairs.ALL, orders=Orders.ABSENT, priors=_FAMILIES,
        properties=AXIOMS, target="eps", level=_negative,
        aliases=(Alias("NMPr", "sok22"), Alias("NMPPr", "sok22")),
    ),
    Notion(
        "MP", "membership privacy", (EPS,),
        "positive and negative membership privacy, both, for every prior of the family",
        rf"\forall\mathcal D\in\mathbb D,\ \forall t,S:\ {_POSITIVE},\ {_NEGATIVE}",
        frozenset("BF"), "li13; sok22 section 7.2 (zhao17 calls the positive half MP)",
        ratio=MEMBERSHIP_RATIO, posterior=(*_MORE, *_LESS), pure="eps", pairs=Pairs.ALL, priors=_FAMILIES,
        properties=AXIOMS, target="eps", level=_both, aliases=(Alias("MPr", "sok22"), Alias("MPPr", "sok22")),
    ),
    Notion(
        "MPP", "membership privacy at one prior",
        (EPS, Parameter("p", Interval.open(0, 1), Direction.NEITHER, "prior probability of t", "1/3")),
        "for every ordered pair of neighbours, `t` the first, `not t` the second, `P[t] = p`, and every `S`: "
        "`P[t|S] <= exp(eps) p and P[not t|S] >= exp(-eps) (1-p)`, and the same with `t` and `not t` exchanged",
        rf"\Pr[t]=p,\ \forall S:\ {_POSITIVE},\ {_NEGATIVE}",
        frozenset("BF"), "zhao17 Lemma 1",
        ratio=Min(MEMBERSHIP_RATIO, MEMBERSHIP_RATIO.subs(P, 1 - P)), posterior=(*_MORE, *_LESS),
        # zhao17 Lemma 1 in both roles.
        pure="log(1 + (exp(eps) - 1)/max(p, 1 - p))", reached="log(1 + max(p2, 1 - p2)*(exp(eps) - 1))",
        priors=Priors("(p, 1 - p) on two neighbours"),
        properties=AXIOMS, target="eps",
        level=_at_prior,
    ),
    Notion(
        "AdvPr", "adversarial privacy", (EPS, _DELTA),
        "for every prior of the family, event `t` and `S`: `P[t|S] <= exp(eps) P[t] + delta`",
        r"\forall\mathcal D\in\mathbb D,\ \forall t,S:\ \Pr[t|S]\le e^{\varepsilon}\Pr[t]+\delta",
        frozenset("QBF"), "sok22 Definition 35",
        ratio=ADVERSARIAL_RATIO, posterior=(Q <= _BOUND,), pairs=Pairs.ALL, orders=Orders.PRESENT,
        priors=Priors("every prior", ("vector", "point"), ("all", "independent", "fixed")), properties=AXIOMS,
        target="delta", level=_adversarial,
        aliases=(Alias("adversarial privacy (RHMS09)"),),
    ),
)  # fmt: skip
