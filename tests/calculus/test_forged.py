"""Derivations of false claims, step by step with certificates that are all true: the rules have to refuse them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sympy import S, exp, log, oo

from symprivacy.calculus.derivation import Builder
from symprivacy.calculus.statement import span
from symprivacy.calculus.symbols import A, P, Q, R, real
from symprivacy.calculus.view import PRIOR
from symprivacy.derivations import view_of
from symprivacy.errors import SymPrivacyError

eps, eta, xi, five = real("eps"), real("eta"), real("xi"), S(5)


def _divergence_of_another_notion(b: Builder) -> None:
    """The bound of one mean is used for another: DP => CHI2 at the level of KL."""
    ratio = b.add("definition", [], view="DP", part="ratio")
    upper, lower = (b.add("both-orders", [ratio], quantity=R, side=side) for side in ("upper", "lower"))
    bound = b.add("two-point", [b.add("mean-one", [], of="outputs"), upper, lower], view="KL")
    last = b.add("transform", [bound], view="CHI2", reach=oo)
    b.finish("conclude", [last], view="CHI2", values=(b[last].rhs,))


def _width_of_another_ratio(b: Builder) -> None:
    """The width of dP/dQ is used for posteriors in two games: RB => SP at half of what is needed."""
    width = b.add("definition", [], view="RB", part="width")
    one = b.add("mean-one", [], of="games")
    c = real("c")
    bound = (exp(eps / 2) - 1) / (exp(eps / 2) + 1)
    last = b.add("width", [one, width], view="SP", bound=bound, position=c)
    last = b.add("transform", [last], view="SP", reach=oo)
    b.finish("conclude", [last], view="SP", values=(bound,))


def _posterior_over_prior_as_density(b: Builder) -> None:
    """Posterior over prior under a uniform prior is used as dP/dQ: MBPU => KL as if it were LDP."""
    upper, lower = (b.add("definition", [], view="MBPU", part=k) for k in (0, 1))
    last = b.add("two-point", [b.add("mean-one", [], of="outputs"), upper, lower], view="KL")
    last = b.add("transform", [last], view="KL", reach=oo)
    b.finish("conclude", [last], view="KL", values=(b[last].rhs,))


def _posterior_without_its_prior(b: Builder) -> None:
    """q <= p + eta at p = 1/2 is no bound of q at other priors."""
    stated = b.add("definition", [], view="SP", part=0)
    at = b.add("substitute", [stated], mapping={P: S.Half}, domain=(span(eta, 0, S.Half),))
    bayes = b.add("bayes", [])
    odds = b.add("invert", [bayes], variable=A, form=Q * (1 - P) / (P * (1 - Q)))
    bound = b.add("monotone", [odds, at], direction="increasing", domain=(span(eta, 0, S.Half), PRIOR))
    b.finish("limit", [bound], variable=P, at=S.One)


def _limit_of_a_posterior(b: Builder) -> None:
    stated = b.add("definition", [], view="SP", part=0)
    b.finish("limit", [stated], variable=P, at=S.Zero)


def _variable_named_like_a_quantity(b: Builder) -> None:
    """A <= 5 for all numbers A below 5 is no statement about mechanisms."""
    fact = b.add("inequality", [], lhs=A, rel="<=", rhs=five, domain=(span(A, 0, 5),))
    bayes = b.add("bayes", [])
    bound = b.add("monotone", [bayes, fact], direction="increasing", domain=(span(A, 0, 5), PRIOR))
    at = b.add("substitute", [bound], mapping={A: S.One}, domain=(PRIOR,))
    odds = b.add("invert", [bayes], variable=A, form=Q * (1 - P) / (P * (1 - Q)))
    b.finish("monotone", [odds, at], direction="increasing", domain=(PRIOR,))


def _fact_concluded(b: Builder) -> None:
    fact = b.add("inequality", [], lhs=A, rel="<=", rhs=five, domain=(span(A, 0, 5),))
    b.finish("conclude", [fact], view="DP", values=(log(five),))


def _limit_over_an_empty_range(b: Builder) -> None:
    """For eps above 1 the range (eps, 1) of p is empty, and nothing follows from it."""
    ratio = b.add("definition", [], view="DP", part="ratio")
    prior = span(P, exp(eps), 1)
    wide = b.add("substitute", [ratio], mapping={}, domain=(span(eps, 0, oo), prior))
    top = b.add("inequality", [], lhs=exp(eps), rel="<=", rhs=P, domain=(span(eps, 0, oo), prior))
    chained = b.add("transitive", [wide, top], domain=(span(eps, 0, oo), prior))
    b.finish("limit", [chained], variable=P, at=S.One)


def _average_over_some_priors(b: Builder) -> None:
    """A bound of the posterior for small priors is averaged as if it held for all of them."""
    stated = b.add("definition", [], view="MBP", part=0)
    some = b.add("substitute", [stated], mapping={}, domain=(span(xi, 0, oo), span(P, 0, S.Half)))
    b.finish("averaged", [some])


def _one_record_only(b: Builder) -> None:
    """The better bound for one record does not hold for two."""
    ratio = b.add("definition", [], view="DP", part="ratio")
    width = b.add("secrets-width", [ratio])
    one = b.add("mean-one", [], of="games")
    bound = (exp(eps / 2) - 1) / (exp(eps / 2) + 1)
    b.finish("width", [one, width], view="SP", bound=bound, position=real("c"))


FORGED = [value for name, value in sorted(globals().items()) if name.startswith("_") and callable(value)]


@pytest.mark.parametrize("forged", FORGED, ids=lambda f: f.__name__.strip("_"))
def test_a_false_claim_is_not_derived(forged: Callable[[Builder], None]) -> None:
    with pytest.raises(SymPrivacyError):
        forged(Builder(view_of))
