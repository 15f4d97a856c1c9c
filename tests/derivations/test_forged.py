"""Derivations of false claims, step by step with certificates that are all true: the rules have to refuse them."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from sympy import Expr, S, Symbol, exp, log, oo, sqrt

from symprivacy.derivations import derive
from symprivacy.derivations.derivation import Builder, DerivationError
from symprivacy.derivations.engine import apart
from symprivacy.derivations.saved import from_json
from symprivacy.derivations.show import definition
from symprivacy.errors import CertificateError, SymPrivacyError
from symprivacy.notions.certify import certify, equal
from symprivacy.notions.definition import PRIOR, Definition
from symprivacy.notions.registry import definition_of
from symprivacy.notions.statement import Span, Statement, span
from symprivacy.notions.symbols import A, D, P, Q, R, real

eps, eta, xi, five = real("eps"), real("eta"), real("xi"), S(5)


def forged_divergence_of_another_notion(b: Builder) -> None:
    """The bound of one mean is used for another: DP => CHI2 at the level of KL."""
    ratio = b.add("definition", [], view="DP", part="ratio")
    upper, lower = (b.add("both-orders", [ratio], quantity=R, side=side) for side in ("upper", "lower"))
    bound = b.add("two-point", [b.add("mean-one", [], of="outputs"), upper, lower], view="KL")
    last = b.add("transform", [bound], view="CHI2", reach=oo)
    b.finish("conclude", [last], view="CHI2", values=(b[last].rhs,))


def forged_width_of_another_ratio(b: Builder) -> None:
    """The width of dP/dQ is used for posteriors in two games: RB => SP at half of what is needed."""
    width = b.add("definition", [], view="RB", part="width")
    one = b.add("mean-one", [], of="games")
    c = real("c")
    bound = (exp(eps / 2) - 1) / (exp(eps / 2) + 1)
    last = b.add("width", [one, width], view="SP", bound=bound, position=c)
    last = b.add("transform", [last], view="SP", reach=oo)
    b.finish("conclude", [last], view="SP", values=(bound,))


def forged_posterior_over_prior_as_density(b: Builder) -> None:
    """Posterior over prior under a uniform prior is used as dP/dQ: MBPU => KL as if it were LDP."""
    upper, lower = (b.add("definition", [], view="MBPU", part=k) for k in (0, 1))
    last = b.add("two-point", [b.add("mean-one", [], of="outputs"), upper, lower], view="KL")
    last = b.add("transform", [last], view="KL", reach=oo)
    b.finish("conclude", [last], view="KL", values=(b[last].rhs,))


def _between(b: Builder, ratio: int, low: Expr, z: Symbol) -> int:
    """From A <= B to A <= low through a number between them."""
    x, own, high = real("x"), b[ratio].domain, b[ratio].rhs
    there = (*own, Span(z, high, low))
    above = b.add("inequality", [], lhs=high, rel="<=", rhs=x, domain=(*own, Span(x, high, oo)))
    above = b.add("substitute", [above], mapping={x: z}, domain=there)
    below = b.add("inequality", [], lhs=x, rel="<=", rhs=low, domain=(*own, Span(x, -oo, low)))
    below = b.add("substitute", [below], mapping={x: z}, domain=there)
    return b.add("transitive", [ratio, b.add("transitive", [above, below], domain=there)], domain=there)


def forged_on_an_empty_range(b: Builder) -> None:
    """z in (exp(eps), exp(eps/10)) is no number: what lies between follows from nothing."""
    last = _between(b, b.add("definition", [], view="DP", part="ratio"), exp(eps / 10), real("z"))
    b.finish("conclude", [last], view="DP", values=(eps / 10,))


def forged_on_a_range_that_is_empty_for_large_levels(b: Builder) -> None:
    """p in (exp(eps), 2) is no number for eps >= log(2), and a conclusion about DP does not mention p."""
    last = _between(b, b.add("definition", [], view="DP", part="ratio"), S(2), P)
    b.finish("conclude", [last], view="DP", values=(log(2),))


def _at_one(b: Builder) -> int:
    return b.add("substitute", [b.add("definition", [], view="DP", part="ratio")], mapping={eps: S.One}, domain=())


def forged_by_the_name_of_a_quantity(b: Builder) -> None:
    """A notion of one's own that is called A: its level is no likelihood ratio."""
    mine = Definition("A", span(real("y"), 0, oo), ratio=exp(real("y")))
    b.lookup = {"A": mine, "DP": definition_of("DP")}.__getitem__
    last = b.add("conclude", [_at_one(b)], view="A", values=(S.One,))
    below = b.add("inequality", [], lhs=S.One, rel="<=", rhs=exp(S.One / 10**6), domain=())
    last = b.add("transitive", [last, below], domain=())
    b.finish("conclude", [last], view="DP", values=(S.One / 10**6,)).check()


def _through(b: Builder, rhs: Expr, at: Expr, low: Expr) -> None:
    x = real("x")
    every = (Span(x, -oo, oo),)
    above = b.add("inequality", [], lhs=exp(S.One), rel="<=", rhs=rhs, domain=every)
    above = b.add("substitute", [above], mapping={x: at}, domain=())
    below = b.add("inequality", [], lhs=x - x**2, rel="<=", rhs=low, domain=every)
    below = b.add("substitute", [below], mapping={x: at}, domain=())
    b.add("transitive", [_at_one(b), b.add("transitive", [above, below], domain=())], domain=())


def forged_through_infinity(b: Builder) -> None:
    """oo**2 - oo has no value."""
    _through(b, real("x") ** 2 - real("x") + 6, oo, exp(S.One / 10**6))


def forged_through_an_imaginary_number(b: Builder) -> None:
    """exp(1) <= x**2 + exp(1) for real x only."""
    _through(b, real("x") ** 2 + exp(S.One), sqrt(exp(S.One / 10**6) - exp(S.One)), exp(S.One / 10**6))


def forged_with_the_variable_of_a_transform(b: Builder) -> None:
    """RDP at an order that contains D: the transform of the level would be read as another function."""
    stated = b.add("definition", [], view="RDP", part="mean")
    other = 1 + 2 * log(D) / (D * log(2))
    domain = (Span(real("e"), S.Zero, oo, False), Span(D, S(3) / 2, S(3)))
    b.add("substitute", [stated], mapping={real("alpha"): other}, domain=domain)


def forged_for_every_prior(b: Builder) -> None:
    """The prior of MPP is one prior; MP is about all of them."""
    b.finish("conclude", [b.add("definition", [], view="MPP", part=k) for k in range(4)], view="MP", values=(eps,))


def forged_posterior_without_its_prior(b: Builder) -> None:
    """q <= p + eta at p = 1/2 is no bound of q at other priors."""
    stated = b.add("definition", [], view="SP", part=0)
    at = b.add("substitute", [stated], mapping={P: S.Half}, domain=(span(eta, 0, S.Half),))
    bayes = b.add("bayes", [])
    odds = b.add("invert", [bayes], variable=A, form=Q * (1 - P) / (P * (1 - Q)))
    bound = b.add("monotone", [odds, at], direction="increasing", domain=(span(eta, 0, S.Half), PRIOR))
    b.finish("limit", [bound], variable=P, at=S.One)


def forged_limit_of_a_posterior(b: Builder) -> None:
    stated = b.add("definition", [], view="SP", part=0)
    b.finish("limit", [stated], variable=P, at=S.Zero)


def forged_variable_named_like_a_quantity(b: Builder) -> None:
    """A <= 5 for all numbers A below 5 is no statement about mechanisms."""
    fact = b.add("inequality", [], lhs=A, rel="<=", rhs=five, domain=(span(A, 0, 5),))
    bayes = b.add("bayes", [])
    bound = b.add("monotone", [bayes, fact], direction="increasing", domain=(span(A, 0, 5), PRIOR))
    at = b.add("substitute", [bound], mapping={A: S.One}, domain=(PRIOR,))
    odds = b.add("invert", [bayes], variable=A, form=Q * (1 - P) / (P * (1 - Q)))
    b.finish("monotone", [odds, at], direction="increasing", domain=(PRIOR,))


def forged_fact_concluded(b: Builder) -> None:
    fact = b.add("inequality", [], lhs=A, rel="<=", rhs=five, domain=(span(A, 0, 5),))
    b.finish("conclude", [fact], view="DP", values=(log(five),))


def forged_limit_over_an_empty_range(b: Builder) -> None:
    """For eps above 1 the range (eps, 1) of p is empty, and nothing follows from it."""
    ratio = b.add("definition", [], view="DP", part="ratio")
    prior = span(P, exp(eps), 1)
    wide = b.add("substitute", [ratio], mapping={}, domain=(span(eps, 0, oo), prior))
    top = b.add("inequality", [], lhs=exp(eps), rel="<=", rhs=P, domain=(span(eps, 0, oo), prior))
    chained = b.add("transitive", [wide, top], domain=(span(eps, 0, oo), prior))
    b.finish("limit", [chained], variable=P, at=S.One)


def forged_average_over_some_priors(b: Builder) -> None:
    """A bound of the posterior for small priors is averaged as if it held for all of them."""
    stated = b.add("definition", [], view="MBP", part=0)
    some = b.add("substitute", [stated], mapping={}, domain=(span(xi, 0, oo), span(P, 0, S.Half)))
    b.finish("averaged", [some])


def forged_one_record_only(b: Builder) -> None:
    """The better bound for one record does not hold for two."""
    ratio = b.add("definition", [], view="DP", part="ratio")
    width = b.add("secrets-width", [ratio])
    one = b.add("mean-one", [], of="games")
    bound = (exp(eps / 2) - 1) / (exp(eps / 2) + 1)
    b.finish("width", [one, width], view="SP", bound=bound, position=real("c"))


def forged_chains_of_another_length(b: Builder) -> None:
    """A bound for chains of one pair is concluded for chains of five: DP(eps) => GroupDP(5, eps)."""
    ratio = b.add("definition", [], view="DP", part="ratio")
    path = b.add("group-path", [ratio], relation="chains of c neighbours")
    short = b.add("substitute", [path], mapping={real("c"): S.One}, domain=(span(eps, 0, oo),))
    b.finish("conclude", [b.add("identity", [short], side="rhs", form=exp(eps))], view="GroupDP", values=(five, eps))


def forged_longer_groups(b: Builder) -> None:
    """GroupDP(c, eps) => GroupDP(7, eps)."""
    b.finish("conclude", [b.add("definition", [], view="GroupDP", part="ratio")], view="GroupDP", values=(S(7), eps))


def forged_neighbours_as_chains(b: Builder) -> None:
    """The smaller of a bound for neighbours and one for chains is none for chains: DP(eps) => GroupDP(c, eps)."""
    ratio = b.add("definition", [], view="DP", part="ratio")
    path = b.add("group-path", [ratio], relation="chains of c neighbours")
    b.add("minimum", [path, ratio], domain=b[path].domain)


def forged_more_secrets(b: Builder) -> None:
    """MBPU(m, xi) => MBPU(7, xi)."""
    stated = [b.add("definition", [], view="MBPU", part=k) for k in (0, 1)]
    b.finish("conclude", stated, view="MBPU", values=(S(7), xi))


def ratio_for_many_secrets(b: Builder) -> int:
    ratio = b.add("definition", [], view="DP", part="ratio")
    others = b.add("others", [ratio], side="lower")
    return b.add("monotone", [b.add("uniform-bayes", []), others], direction="decreasing", domain=b[others].domain)


def forged_two_secrets_as_many(b: Builder) -> None:
    """Posterior over prior for two secrets is concluded for seven."""
    many = ratio_for_many_secrets(b)
    b.add("substitute", [many], mapping={real("m"): S(2)}, domain=(span(eps, 0, oo),))


def forged_limit_at_two_secrets(b: Builder) -> None:
    b.add("limit", [ratio_for_many_secrets(b)], variable=real("m"), at=S(2))


FORGED = [value for name, value in sorted(globals().items()) if name.startswith("forged_")]


@pytest.mark.parametrize("forged", FORGED, ids=lambda f: f.__name__.removeprefix("forged_"))
def test_a_false_claim_is_not_derived(forged: Callable[[Builder], None]) -> None:
    with pytest.raises(SymPrivacyError):
        forged(Builder(definition_of))


def test_the_same_steps_are_right_for_what_they_show() -> None:
    b = Builder(definition_of)
    many = ratio_for_many_secrets(b)
    assert real("m") in {x.symbol for x in b[many].domain}
    path = b.add("group-path", [b.add("definition", [], view="DP", part="ratio")], relation="chains of c neighbours")
    tidy = b.add("identity", [path], side="rhs", form=exp(real("c") * eps))
    assert "GroupDP" in str(b.finish("conclude", [tidy], view="GroupDP", values=(real("c"), real("c") * eps)).claim)


def test_the_prior_of_a_notion_keeps_its_name() -> None:
    """Under another name a bound at one prior would read as one at every prior."""
    mine = Definition("X", span(P, 0, 1), ratio=exp(P))
    assert apart(mine, definition_of("MPP")) == definition_of("MPP")


def test_a_file_with_a_definition_that_no_step_uses_is_refused() -> None:
    data = json.loads(json.dumps(derive("DP", "KL").to_json()))
    from_json(data).check()
    data["derivation"]["definitions"]["TV"] = json.loads(json.dumps(definition(definition_of("TV"))))
    with pytest.raises(DerivationError, match="no step uses"):
        from_json(data)


def test_what_stands_for_a_variable_has_a_name_of_its_own() -> None:
    """A range that depends on another one is written with a new variable, t_x for x."""
    x, y, t = real("x"), real("y"), real("t_x")
    own = (span(y, 0, 1), span(t, 1, 3), span(x, y, 2))
    for domain in (own, (own[0], own[2], own[1])):
        with pytest.raises(CertificateError):
            certify(Statement(t, "<=", S.One, domain))
    with pytest.raises(CertificateError):
        certify(Statement(t, "<=", S.One, (own[0], own[2])))
    assert not equal(t - t * x, t * (1 - x), (own[0], own[2]))
