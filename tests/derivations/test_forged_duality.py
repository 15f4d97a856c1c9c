"""False claims by the rules of dual bounds, at numbers and for all orders: refused; true ones beside them are not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sympy import S, exp, log, oo

from symprivacy.derivations.derivation import Builder
from symprivacy.errors import SymPrivacyError
from symprivacy.notions.definition import Definition
from symprivacy.notions.registry import definition_of
from symprivacy.notions.statement import span
from symprivacy.notions.symbols import P, Q, R, real


def forged_one_order_as_all(b: Builder) -> None:
    """What is stated for order two only is concluded for all orders."""
    stated = b.add("definition", [], view="ZCDP", part="mean")
    domain = (span(real("rho"), 0, oo), span(real("alpha"), 2, 2, "[]"))
    at = b.add("substitute", [stated], mapping={}, domain=domain)
    b.finish("conclude", [at], view="ZCDP", values=(real("rho"),))


def forged_another_level_for_each_order(b: Builder) -> None:
    """DP(eps) => ZCDP(rho) with a rho that depends on the order."""
    ratio = b.add("definition", [], view="DP", part="ratio")
    ends = [b.add("both-orders", [ratio], quantity=R, side=side) for side in ("upper", "lower")]
    bound = b.add("two-point", [b.add("mean-one", [], of="outputs"), *ends], view="ZCDP")
    last = b.add("transform", [bound], view="ZCDP", reach=oo)
    b.finish("conclude", [last], view="ZCDP", values=(b[last].rhs,))


def average(b: Builder) -> int:
    stated = b.add("definition", [], view="ABP", part="mean")
    return b.add("substitute", [stated], mapping={real("a"): S(1) / 10}, domain=())


def forged_too_small_a_mean(b: Builder) -> None:
    """The transform does not reach the level at this mean: ABP(1/10) allows means up to 0.1398."""
    b.add("undo-above", [average(b)], value=S(13) / 100, reach=S.Half, tilt=S(1) / 4)


def forged_means_beyond_the_reach(b: Builder) -> None:
    """Some means exceed 2/5, where the increase of the transform is not shown any more."""
    b.add("undo-above", [average(b)], value=S(3) / 20, reach=S(2) / 5, tilt=S(1) / 4)


def worst(b: Builder) -> int:
    stated = b.add("definition", [], view="ABPW", part="mean")
    return b.add("substitute", [stated], mapping={real("a"): S(1) / 4}, domain=())


def forged_too_small_a_ratio(b: Builder) -> None:
    """ABPW(1/4) allows ratios up to 4.3 at every prior."""
    b.add("belief-ratio", [worst(b)], prior=S(1) / 3, value=S(4))


def forged_narrower_prior(b: Builder) -> None:
    """A prior outside (0, 1) is none."""
    b.add("belief-ratio", [worst(b)], prior=S(4) / 3, value=S(5))


def forged_other_bound_of_a_mean(b: Builder) -> None:
    """Negative weights turn the premise around."""
    stated = b.add("definition", [], view="KL", part="mean")
    at = b.add("substitute", [stated], mapping={real("k"): S.One}, domain=())
    b.add("dominated", [at], view="TV", scale=-S.One, back=S.Zero, tilt=S.Zero, offset=S(10) ** 6)


FORGED = [value for name, value in sorted(globals().items()) if name.startswith("forged_")]


@pytest.mark.parametrize("forged", FORGED, ids=lambda f: f.__name__.removeprefix("forged_"))
def test_a_false_claim_is_not_derived(forged: Callable[[Builder], None]) -> None:
    with pytest.raises(SymPrivacyError):
        forged(Builder(definition_of, steps=200_000))


def test_a_posterior_at_one_prior_is_not_concluded_at_another() -> None:
    """q <= exp(tau) p at p = 1/4 reads like the same notion at p = 3/4, with a smaller level."""
    tau, quarter = real("tau"), span(P, S(1) / 4, S(1) / 4, "[]")
    mine = Definition("Mine", span(tau, 0, oo), (span(P, 0, 1),), posterior=((Q, "<=", P * exp(tau)),))
    b = Builder({"Mine": mine}.__getitem__)
    stated = b.add("definition", [], view="Mine", part=0)
    at = b.add("substitute", [stated], mapping={}, domain=(span(tau, 0, oo), quarter))
    b.finish("conclude", [at], view="Mine", values=(S(1) / 4, tau)).check()
    for values in ((S(3) / 4, tau - log(3)), (1 - P, tau - log(3))):
        with pytest.raises(SymPrivacyError):
            b.finish("conclude", [at], view="Mine", values=values)


def test_what_is_refused_holds_a_little_further_out() -> None:
    b = Builder(definition_of)
    assert b[b.add("undo-above", [average(b)], value=S(14) / 100, reach=S.Half, tilt=S(1) / 4)].rhs == S(7) / 50
    assert b[b.add("belief-ratio", [worst(b)], prior=S(1) / 3, value=S(5))].rhs == S(5)
    stated = b.add("definition", [], view="ZCDP", part="mean")
    b.finish("conclude", [stated], view="ZCDP", values=(real("rho"),)).check()
