"""Forged files of theorems: each step is made by its own rule, with certificates, and what follows would be false."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from mpmath.libmp import from_rational, mpf_mul
from sympy import Expr, Rational, S, Symbol, exp, log, oo, tanh

from symprivacy.claims.decide import decide
from symprivacy.cli.main import run as main
from symprivacy.derivations.theorems.laws import X, generator, response
from symprivacy.derivations.theorems.store import as_stored, check_rows, lines, needed, to_data, written
from symprivacy.derivations.theorems.theorem import Theorem, applied, make
from symprivacy.errors import SymPrivacyError
from symprivacy.evidence import Evidence
from symprivacy.implications.attested import evidence
from symprivacy.implications.tabled import tabled
from symprivacy.notions.registry import definition_of
from symprivacy.notions.statement import Span, replace, span
from symprivacy.notions.symbols import real

ALPHA, ALPHA2, OMEGA, EPS, EPS2, S_, Y = (real(n) for n in ("alpha", "alpha2", "omega", "eps", "eps2", "s", "y"))
LEVEL = span(X, 0, oo)


class _File:
    """A file that grows by steps; it is checked as a whole after each."""

    def __init__(self, *stored: str) -> None:
        self.rows: dict[str, Mapping[str, Any]] = {n: lines()[n] for name in stored for n in needed(name, lines())}
        self.known: dict[str, Theorem] = check_rows(self.rows)

    def step(self, rule: str, *uses: str, **parameters: object) -> str:
        name = f"step {len(self.rows)}"
        made = make(name, rule, tuple((u, self.known[u]) for u in uses), as_stored(parameters))
        self.rows[name] = json.loads(json.dumps(to_data(made)))
        self.known = check_rows(self.rows)
        return name


def _tail(file: _File) -> str:
    return file.step("tail-level", form=exp(EPS2) * (1 - exp(-X)) / (exp(EPS2) - exp(-X)))


def _two_ranges_for_one_variable() -> None:
    # DP(x) leaves a tail above eps2 > x: the second theorem is about no eps2 but has the range [x, oo), too.
    file = _File()
    tail, same = _tail(file), file.step("itself", file.step("rare-ratio"))
    beyond = file.step("weaker-premise", tail, same, mapping={}, extra=(Span(EPS2, X, oo, False, True),))
    file.step("glue", tail, beyond, variable=EPS2)


def _one_order_for_all() -> None:
    # The variable s of the level is taken for the order 1 + s, at which alone D_alpha <= rho alpha is certified.
    file = _File("DP=>RDP")
    renamed = file.step("substitute", "DP=>RDP", mapping={X: S_}, domain=(span(ALPHA, 1, oo), span(S_, 0, oo)))
    level = file.known[renamed].conclusion.values[-1]
    file.step("every-order", renamed, order=ALPHA, rho=replace(level, {ALPHA: 1 + S_}) / (1 + S_))


def _level(source: str, target: str, threshold: Expr | None) -> None:
    file = _File()
    names = {"source_names": (), "threshold": threshold}
    file.step("every-level", file.step("tests", source=source, target=target, kind="implies", **names))


def _infinite_level_in_words() -> None:
    _level("TV", "GDP", None)


def _largest_level_in_words() -> None:
    _level("HELL2", "PDP", EPS2)


def _largest_level_of_the_conclusion() -> None:
    file = _File("DP=>TV")
    file.step("every-level", "DP=>TV")


def _order_named(name: str) -> None:
    order = real(name)
    mean = response(replace(generator("RDP")[1], {ALPHA: order}), X)
    _File().step("response-level", target="RDP", names=(order,), mean=mean, cases=())


def _order_named_as_the_ratio() -> None:
    _order_named("r")


def _order_named_as_the_mean() -> None:
    _order_named("D")


def _order_named_as_the_level() -> None:
    _order_named("x")


def _order_that_is_a_number() -> None:
    _File().step("one-order", target="RDP", order=S.Half)


def _number_of_secrets_that_varies() -> None:
    _File().step("secrets-orders", most=2 + Y / 8)


def _coins(source: str, names: tuple[Expr, ...], threshold: Expr) -> None:
    _File().step("tests", source=source, source_names=names, target="ADP", threshold=threshold, kind="implies")


def _what_processing_does_not_keep_by_another_name() -> None:
    _coins("pdp", (EPS,), EPS2)


def _threshold_named_as_a_coin() -> None:
    _coins("TV", (), real("p"))


def _order_named_as_a_coin() -> None:
    _coins("RDP", (real("q"),), EPS2)


def _threshold_named_as_every_order() -> None:
    _coins("ZCDP", (), ALPHA)


def _law_named_as_a_ratio() -> None:
    _File().step("uniform-pair", target="RDP", names=(real("p"),), kind="implies")


def _too_many_parameters() -> None:
    _File().step("uniform-pair", target="GDP", names=(real("k"),), kind="sharp")


def _witnesses_of_different_inputs() -> None:
    # Two inputs below, databases of two bits above: what holds for one record must not be used above.
    t = _File("LDP!DP").known["LDP!DP"]
    low = dataclasses.replace(t, domain=(Span(X, S.Zero, S.One, True, False),))
    high = dataclasses.replace(t, domain=(Span(X, S.One, oo, False, True),), witness="databases of two bits: any")
    applied("glue", (low, high), {"variable": X})


def _some_orders_for_all_up_to_one() -> None:
    # D_alpha is bounded for alpha2 in [3/2, alpha] only, and KL by more.
    file = _File("RDP=>RDP")
    beyond = (span(ALPHA, 2, oo), Span(ALPHA2, Rational(3, 2), ALPHA, False, False), LEVEL)
    some = file.step("substitute", "RDP=>RDP", mapping={}, domain=beyond)
    file.step("every-order-up-to", some, order=ALPHA2, most=OMEGA, rho=X * tanh(X / 2))


def _too_small_a_level_up_to_an_order() -> None:
    _File("RDP=>RDP").step("every-order-up-to", "RDP=>RDP", order=ALPHA2, most=OMEGA, rho=X * tanh(X / 2) / 2)


def _largest_order_named_as_the_level() -> None:
    _File("RDP=>RDP").step("every-order-up-to", "RDP=>RDP", order=ALPHA2, most=X, rho=X * tanh(X / 2))


def _orders_from_order_one() -> None:
    _File().step("orders-up-to", source="KL", target="tCDP")


def _all_orders_from_some() -> None:
    _File().step("orders-up-to", source="tCDP", target="ZCDP")


def _no_better_order_named_as_the_level() -> None:
    _File("DP!KL").step("order-one-up-to", "DP!KL", most=X)


def _fewer_orders_than_one() -> None:
    _File("DP=>RDP").step("fewer-orders", "DP=>RDP", most=OMEGA)


def _largest_order_named_as_every_order() -> None:
    _File().step("gaussian-level", target="tCDP", target_names=(ALPHA,), level=real("mu") ** 2 / 2)


def _touching(source: str, target: str, domain: tuple[Span, ...]) -> None:
    def mean(key: str, order: Expr) -> tuple[tuple[Expr, ...], Expr]:
        names = (order,) if definition_of(key).others else ()
        return names, response(replace(generator(key)[1], {ALPHA: order}), X)

    (names, one), (others, two) = mean(source, ALPHA), mean(target, ALPHA2)
    _File().step("power-touching", source=source, source_names=names, source_mean=one, target=target,
                 target_names=others, target_mean=two, domain=(*domain, LEVEL))  # fmt: skip


def _an_order_below_one_bounds_none_above() -> None:
    _touching("RDPlow", "RDP", (span(ALPHA, 0, 1), span(ALPHA2, 1, 2)))


def _an_order_below_one_bounds_no_mean_of_the_loss() -> None:
    _touching("RDPlow", "KL", (span(ALPHA, 0, 1),))


def _the_mean_of_the_loss_bounds_no_moment() -> None:
    _touching("KL", "RDP", (span(ALPHA2, 1, 2),))


def _randomized_response_is_not_the_worst_for_outer_orders() -> None:
    _touching("RDPlow", "RDPlow", (span(ALPHA, 0, 1), span(ALPHA2, 0, 1)))


def _an_order_below_one_that_is_not() -> None:
    _touching("RDPlow", "RDPlow", (span(ALPHA, 1, 3), span(ALPHA2, 1, ALPHA)))


def _both_ways_at_once() -> None:
    _File().step("outer-order", kind="tight", high=True, above=True)


def _moments_below_one_for_those_above() -> None:
    _File("RB=>RDPlow").step("range-orders", "RB=>RDPlow")


def _one_order_of_another_divergence() -> None:
    _File("DP=>KL").step("first-order", "DP=>KL", target="CHI2[forward]")


def _both_orders_from_one() -> None:
    # KL[forward] => HELL2 says nothing of both orders of KL.
    _File("DP=>KL").step("first-order", "DP=>KL", target="KL")


def _the_worse_order_first_in_both() -> None:
    # A premise about one order does not let the other one be the first.
    file = _File("KL[forward]/KL")
    file.step("first-order", "KL[forward]/KL", target="KL[forward]")


def _of_part(source: str, target: str, *domain: Span) -> None:
    _File().step("order-of-part", source=source, target=target, kind="implies", domain=(*domain, LEVEL))


def _a_larger_order_from_a_smaller() -> None:
    _of_part("KL[forward]", "CHI2[forward]")


def _a_larger_order_by_its_range() -> None:
    _of_part("RDP[forward]", "RDP[forward]", span(ALPHA, 1, oo), span(ALPHA2, 1, oo))


def _an_order_of_both_from_one() -> None:
    _of_part("KL[forward]", "KL")


def _growth_from_both_orders() -> None:
    _of_part("CHI2", "KL[forward]")


def _part_of_a_law_in_both_orders() -> None:
    _File().step("part-of-a-law", source="KL", target="DP")


def _part_of_a_law_bounds_what_it_has() -> None:
    _File().step("part-of-a-law", source="KL[forward]", target="HELL2")


def _one_order_for_symmetric_secrets() -> None:
    mean = X * (exp(X) - 1) / (exp(X) + real("m") - 1)
    _File().step("exchangeable-secrets", source="KL[forward]", names=(), mean=mean, cases=(), kind="implies")


def _with_slope(source: str, target: str, *domain: Span) -> None:
    _File().step("part-with-slope", source=source, target=target, kind="implies", domain=domain)


def _an_event_for_small_orders_and_levels() -> None:
    # At order 5/4 and small levels two ratios above 0 have a larger ABP.
    _with_slope("RDP[forward]", "ABP", Span(ALPHA, Rational(5, 4), oo, False, True), LEVEL)


def _an_event_just_below_the_level_for_it() -> None:
    low = log((2 - ALPHA) / (ALPHA - 1)) - Rational(1, 100)
    _with_slope("RDP[forward]", "ABP", span(ALPHA, 1, Rational(6, 5)), Span(X, low, oo, False, True))


def _an_event_for_the_mean_of_the_loss() -> None:
    _with_slope("KL[forward]", "ABP", span(ALPHA, 2, oo), LEVEL)


def _an_event_for_both_orders() -> None:
    _with_slope("RDP", "ABP", span(ALPHA, 2, oo), LEVEL)


def _an_event_for_another_average() -> None:
    _with_slope("RDP[forward]", "JS", span(ALPHA, 2, oo), LEVEL)


def _two_ratios_for_both_orders() -> None:
    _File().step("two-touching", source="KL", target="ABP", kind="implies")


def _two_ratios_for_another_average() -> None:
    _File().step("two-touching", source="KL[forward]", target="JS", kind="implies")


def _two_ratios_for_another_mean() -> None:
    _File().step("two-touching", source="CHI2[forward]", target="ABP", kind="implies")


def _oriented(source: str, *names: Symbol, kind: str = "sharp") -> None:
    _File().step("oriented-secrets", source=source, names=names, kind=kind)


def _one_order_of_secrets_for_both() -> None:
    _oriented("KL")


def _one_order_of_secrets_for_what_is_the_same_in_both() -> None:
    _oriented("HELL2")


def _order_named_as_the_number_of_secrets() -> None:
    _oriented("RDP[forward]", real("m2"))


def _order_named_as_a_row() -> None:
    _oriented("RDP[forward]", real("p"))


def _secrets_of_no_order() -> None:
    _oriented("RDP[forward]")


FORGED: list[Callable[[], None]] = [
    _one_order_of_secrets_for_both, _one_order_of_secrets_for_what_is_the_same_in_both, _order_named_as_a_row,
    _order_named_as_the_number_of_secrets, _secrets_of_no_order,
    _an_event_for_small_orders_and_levels, _an_event_just_below_the_level_for_it, _an_event_for_the_mean_of_the_loss,
    _an_event_for_both_orders, _an_event_for_another_average, _two_ratios_for_both_orders,
    _two_ratios_for_another_average, _two_ratios_for_another_mean,
    _one_order_of_another_divergence, _both_orders_from_one, _the_worse_order_first_in_both,
    _a_larger_order_from_a_smaller, _a_larger_order_by_its_range, _an_order_of_both_from_one, _growth_from_both_orders,
    _part_of_a_law_in_both_orders, _part_of_a_law_bounds_what_it_has, _one_order_for_symmetric_secrets,
    _some_orders_for_all_up_to_one, _too_small_a_level_up_to_an_order, _largest_order_named_as_the_level,
    _orders_from_order_one, _all_orders_from_some, _no_better_order_named_as_the_level, _fewer_orders_than_one,
    _largest_order_named_as_every_order, _an_order_below_one_bounds_none_above,
    _an_order_below_one_bounds_no_mean_of_the_loss, _the_mean_of_the_loss_bounds_no_moment,
    _randomized_response_is_not_the_worst_for_outer_orders, _an_order_below_one_that_is_not, _both_ways_at_once,
    _moments_below_one_for_those_above,
    _two_ranges_for_one_variable, _one_order_for_all, _infinite_level_in_words, _largest_level_in_words,
    _largest_level_of_the_conclusion, _order_named_as_the_ratio, _order_named_as_the_mean, _order_named_as_the_level,
    _order_that_is_a_number, _number_of_secrets_that_varies, _what_processing_does_not_keep_by_another_name,
    _threshold_named_as_a_coin, _order_named_as_a_coin, _threshold_named_as_every_order, _law_named_as_a_ratio,
    _too_many_parameters, _witnesses_of_different_inputs,
]  # fmt: skip


@pytest.mark.parametrize("forge", FORGED, ids=lambda f: f.__name__.strip("_"))
def test_a_false_theorem_is_not_accepted(forge: Callable[[], None]) -> None:
    with pytest.raises(SymPrivacyError):
        forge()


def test_a_file_is_told_with_the_ranges_of_its_theorem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """DP(x) => PDP(eps2, 0) is true for eps2 >= x only."""
    file = tmp_path / "theorems.json"
    file.write_text(written([lines()[n] for n in needed("DP~PDP:zero", lines())]))
    assert main(["check", str(file)]) == 0
    assert "eps2 in [x, oo)" in capsys.readouterr().out
    file.write_text(written([]))
    assert main(["check", str(file)]) != 0


@pytest.mark.parametrize("eps", ["1", "1e-200", "1e-160"])
@pytest.mark.parametrize("factor", ["1/2", "999999/1000000", "2"])
def test_another_level_than_that_of_the_theorem_is_not_checked(eps: str, factor: str) -> None:
    found = tabled("DP", "KL", {"eps": eps}, 10)
    assert found.value is not None
    scale = from_rational(Fraction(factor).numerator, Fraction(factor).denominator, 200)
    ends = tuple(mpf_mul(end, scale) for end in found.value[:2])
    assert evidence(dataclasses.replace(found, value=(*ends, False, False))) is Evidence.ARGUED


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("MAXL(1/2, 3) => MAXL(0.68, 4)", Evidence.ARGUED),
        ("MBPU(1, 3) => MBPU(1.0761, 4)", Evidence.ARGUED),
        ("MBPU(1, 3) => MBPU(1.0761, 3)", Evidence.CHECKED),
        ("MPP(1, 0.3) => MPP(0.906, 0.4)", Evidence.ARGUED),
        ("MPP(1, 0.3) => MPP(1.5, 0.3)", Evidence.CHECKED),
        ("RDP(3, 1) => RDP(2, 1)", Evidence.CHECKED),
    ],
)
def test_a_theorem_about_one_parameter_is_none_about_two(statement: str, found: Evidence) -> None:
    assert decide(statement).evidence is found
