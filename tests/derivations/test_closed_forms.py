"""What the derivations arrive at, compared with the formulas that the papers print and with better ones."""

from __future__ import annotations

import pytest
from sympy import Expr, Lambda, Rational, S, cosh, exp, log, oo, sinh, sqrt, sympify, tanh

from symprivacy import mechanisms
from symprivacy.derivations import derive, principles
from symprivacy.derivations.derivation import Builder
from symprivacy.derivations.equivalent import allowed_ratio
from symprivacy.derivations.papers import average_bayes, posterior_bound, violation
from symprivacy.derivations.ratio import ratio_bounds
from symprivacy.errors import InputError, SymPrivacyError, UnsupportedError
from symprivacy.language.bridge import to_sympy
from symprivacy.language.text import parse
from symprivacy.notions import Notion, get
from symprivacy.notions.certify import equal
from symprivacy.notions.definition import Definition
from symprivacy.notions.registry import definition_of
from symprivacy.notions.statement import Domain, span
from symprivacy.notions.symbols import P, Q, R, real
from tests.derivations.known import derivation, derived

eps, eta, xi, m, p, alpha, e2 = (real(n) for n in ("eps", "eta", "xi", "m", "p", "alpha", "eps2"))
WHERE: Domain = (
    span(eps, 0, oo), span(eta, 0, 1), span(xi, 0, oo), span(m, 2, oo, "["), span(p, 0, 1), span(alpha, 1, oo),
)  # fmt: skip


def same(a: Expr, b: object) -> bool:
    return equal(a, sympify(b), WHERE)


ENOUGH = [
    ("SP", "DP", "uniform", S.Half - 1 / (exp(eps) + 1)),
    ("BSP", "BDP", "uniform", S.Half - 1 / (exp(eps) + 1)),
    ("SP", "DP", "p", p * exp(eps) / (p * exp(eps) + 1 - p) - p),
    ("BSP", "BDP", "p", p * exp(eps) / (p * exp(eps) + 1 - p) - p),
    ("SP", "DP", Rational(1, 3), exp(eps) / (exp(eps) + 2) - Rational(1, 3)),
    ("SP", "DP", "worst", tanh(eps / 4)),
    ("BSP", "BDP", "worst", tanh(eps / 4)),
    ("MBP", "LDP", "worst", eps),
    ("MBP", "LDP", "uniform", log((exp(eps) + 1) / 2)),
]


@pytest.mark.parametrize(("premise", "conclusion", "prior", "level"), ENOUGH)
def test_level_of_the_premise_that_is_enough(premise: str, conclusion: str, prior: object, level: Expr) -> None:
    found = derived(premise, conclusion, prior=prior)
    assert same(found.premise.values[-1], level)
    assert found.conclusion.values[-1] == eps


FOLLOWS = [
    ("BDP", "MP", {}, eps),
    ("BDP", "PMP", {}, eps),
    ("MP", "BDP", {}, eps),
    ("PMP", "PUDP", {}, eps),
    ("NMP", "NUDP", {}, eps),
    ("LDP", "MBP", {}, eps),
    ("LDP", "MBPU", {}, log((1 + (m - 1) * exp(eps)) / m)),
    ("MBPU", "LDP", {"method": "paper"}, 2 * xi),
    ("DP", "SP", {}, tanh(eps / 2)),
    ("DP", "SP", {"records": 1}, tanh(eps / 4)),
    ("DP", "SP", {"method": "paper"}, exp(2 * eps) - 1),
    ("BDP", "BSP", {"method": "paper"}, exp(2 * eps) - 1),
    ("DP", "TV", {}, tanh(eps / 2)),
    ("DP", "KL", {}, eps * tanh(eps / 2)),
    ("DP", "CHI2", {}, 4 * sinh(eps / 2) ** 2),
    ("DP", "HELL2", {}, 1 - 1 / cosh(eps / 2)),
    ("DP", "JS", {}, eps / (1 + exp(-eps)) + log(2 / (1 + exp(eps)))),
    ("DP", "RDP", {}, log((exp(alpha * eps) + exp((1 - alpha) * eps)) / (exp(eps) + 1)) / (alpha - 1)),
    ("DP", "ABPW", {}, sqrt(eps / 2 / (1 + exp(-eps / 2)) + log(2 / (1 + exp(eps / 2))))),
    ("RB", "DP", {}, eps),
    ("DP", "RB", {}, 2 * eps),
    ("RB", "TV", {}, tanh(eps / 4)),
    ("RB", "KL", {}, eps / (exp(eps) - 1) - 1 - log(eps / (exp(eps) - 1))),
]


@pytest.mark.parametrize(("premise", "conclusion", "options", "level"), FOLLOWS)
def test_level_of_the_conclusion(premise: str, conclusion: str, options: dict[str, object], level: Expr) -> None:
    found = derived(premise, conclusion, **options)
    value = found.conclusion.values[-1]
    # The algebra splits a logarithm, or a root, only where it sees that the argument is positive.
    assert same(value, level) or same(exp(value), exp(level)) or same(value**2, level**2)
    assert found.premise.values[-1] == definition_of(premise).level.symbol


def test_hockey_stick_names_its_second_eps() -> None:
    found = derived("DP", "ADP")
    at = found.value.subs({eps: 2, e2: 1})
    assert same(at, (exp(2) - exp(1)) / (exp(2) + 1))
    assert found.value.subs({eps: 1, e2: 2}) == 0


def test_finite_number_of_secrets_uses_both_bounds() -> None:
    found = derived("MBPU", "LDP")
    for count, level in ((2, log(2)), (5, log(2)), (3, log(3))):
        expected = min(float(2 * level), float(log(count * exp(level) - count + 1)))
        assert float(found.value.subs({m: count, xi: level})) == pytest.approx(expected, abs=1e-12)


def test_line_by_line_as_equation_20_of_zhao17() -> None:
    shown = [str(step.statement) for step in derived("BSP", "BDP", prior="uniform").derivation.steps]
    lines = ["A <= (eta + 1/2)/(1/2 - eta)", "A <= exp(eps)"]
    assert [line for line in shown if line in lines] == lines
    put = next(
        s for s in derived("BSP", "BDP", prior="uniform").derivation.steps if eta in s.parameters.get("mapping", {})
    )
    assert put.parameters["mapping"][eta] == S.Half - 1 / (exp(eps) + 1)


def test_portrait_of_membership_privacy() -> None:
    d = derivation("portrait")
    g = d.claim.rhs
    (low, where), (high, _) = g.args
    assert where.rhs == 1 / (1 + exp(eps))
    assert same(low, (1 - p) / (exp(-eps) - p))
    assert same(high, (exp(eps) - 1 + p) / p)
    facts = {(s.lhs, s.rel, s.rhs) for s in (step.statement for step in d.steps) if s.rel == "=="}
    assert {rhs for _, _, rhs in facts} >= {exp(eps), exp(2 * eps)}
    assert sum(rhs == exp(2 * eps) for _, _, rhs in facts) == 2


def test_threshold_of_theorem_4() -> None:
    d = violation("PMP")
    prior = d.claim.domain[-1]
    assert same(prior.hi, (alpha - exp(eps)) / (exp(eps) * (alpha - 1)))
    assert (d.claim.rel, d.claim.rhs) == (">", p * exp(eps))


def test_posterior_bound() -> None:
    assert same(posterior_bound("DP").claim.rhs, exp(eps) * p / (1 + (exp(eps) - 1) * p))


def test_average_privacy_as_printed_and_the_best_bound() -> None:
    s = eps + xi
    assert same(average_bayes().value ** 2, s * (exp(s) - 1) / 2)
    best = average_bayes("best").value ** 2
    assert same(best, xi / (1 + exp(-xi)) + log(2 / (1 + exp(xi))))


@pytest.mark.parametrize("key", ["SP", "BSP", "PMP", "MP", "MBP", "AdvPr"])
def test_derived_ratio_is_the_one_of_the_record(key: str) -> None:
    notion, definition = get(key), definition_of(key)
    b = Builder(definition_of)
    found = ratio_bounds(b, definition)
    for prior in (Rational(1, 10), Rational(2, 5), Rational(17, 20)):
        at = {s.symbol: Rational(3, 10) for s in definition.domain} | {P: prior}
        bounds = []
        for k in found:
            inside = [bool(s.lo.subs(at) < at[s.symbol]) and bool(at[s.symbol] < s.hi.subs(at)) for s in b[k].domain]
            if all(inside):
                bounds.append(b[k].rhs.subs(at))
        expected = notion.ratio.subs(at)
        assert (min(bounds, key=float).equals(expected)) if bounds else expected == S.Infinity


def test_a_notion_of_ones_own_by_posterior_ratio_and_generator() -> None:
    tau = real("tau")
    mine = Notion.define("Mine", "tau in [0, 1]", posterior=[P + tau * (1 - P) >= Q])
    assert same(derive(mine, "DP").premise.values[-1], 1 - exp(-eps))
    assert same(derive("DP", mine).value, 1 - exp(-eps))
    twice = Notion.define("Twice", "tau in [0, oo)", ratio=exp(2 * tau))
    assert same(derive(twice, "DP").value, 2 * tau)
    assert same(derive("DP", twice).value, eps / 2)
    assert same(derive(mine, twice, solve="conclusion").value.subs(tau, Rational(1, 2)), log(2) / 2)
    vincze = Notion.define("Vincze", "tau in [0, 2]", mean=(R - 1) ** 2 / (R + 1))
    assert same(derive("DP", vincze).value, 2 * tanh(eps / 2) ** 2)
    for found in (derive(mine, "DP"), derive("DP", mine), derive(twice, "DP"), derive("DP", vincze)):
        found.check()


@pytest.mark.quick
@pytest.mark.parametrize(
    ("posterior", "level"),
    [
        ("q <= p + tau", tanh(eps / 4)),
        ("q <= p + tau*(1 - p)", 1 - exp(-eps)),
        ("q <= p + tau*p*(1 - p)", exp(eps) - 1),
    ],
)
def test_levels_that_say_nothing_are_left_out(posterior: str, level: Expr) -> None:
    """The range of a level may be wider than where its bound on the posterior is below 1, at some priors or at all."""
    wide = Notion.define("Wide", "tau in [0, oo)", posterior=posterior)
    found, back = derive(wide, "DP"), derive("DP", wide)
    assert same(found.premise.values[-1], level)
    assert same(back.value, level)
    found.check()
    back.check()


def test_a_generator_that_is_not_convex_is_refused() -> None:
    bad = Definition("Bad", span(real("tau"), 0, oo), mean=(Lambda(R, -((R - 1) ** 2)), Lambda(R, R)))
    with pytest.raises(SymPrivacyError, match="not certified"):
        derive("DP", bad)


def test_every_derivation_rests_on_principles_that_are_stated() -> None:
    for name in ("SP=>DP worst", "DP=>SP", "MBP=>ABP paper", "MBPU=>LDP", "portrait"):
        for principle in derivation(name).principles:
            assert principles.get(principle).assumes
    assert derivation("SP=>DP worst").principles == ("two-point-belief", "bayes", "events-to-points")


@pytest.mark.parametrize(
    ("premise", "conclusion"),
    [("DP", "BDP"), ("BoundedDP", "UDP"), ("PUDP", "DP"), ("DP", "BoundedDP"), ("NUDP", "TV")],
)
def test_notions_that_compare_other_pairs_are_not_mixed_up(premise: str, conclusion: str) -> None:
    with pytest.raises(UnsupportedError, match="other pairs"):
        derive(premise, conclusion)


def test_means_bound_no_ratio() -> None:
    with pytest.raises(SymPrivacyError, match="bounds no likelihood ratio"):
        derive("KL", "DP")
    with pytest.raises(InputError, match="prior"):
        derive("SP", "DP", prior="often")


@pytest.mark.parametrize("key", ["DP", "LDP", "MP", "MBP", "PML", "LIP", "SP"])
def test_the_level_of_dp_in_a_record_is_what_its_definition_allows(key: str) -> None:
    notion = get(key)
    allowed = allowed_ratio(notion.definition)
    assert equal(
        exp(to_sympy(parse(notion.pure_level), {x.name: x for x in notion.definition.symbols})), allowed, WHERE
    )


@pytest.mark.parametrize("p", [Rational(1, 5), Rational(1, 2), Rational(3, 4)])
def test_the_level_of_dp_of_membership_privacy_at_one_prior(p: Rational) -> None:
    at = {real("eps"): Rational(2, 3), real("p"): p}
    notion = get("MPP")
    level = to_sympy(parse(notion.pure_level), {"eps": real("eps"), "p": real("p")})
    assert abs(float(exp(level).subs(at)) - float(notion.ratio.subs(at))) < 1e-12


@pytest.mark.parametrize("key", ["TV", "HELL2", "JS", "ABP", "ABPW", "ADP", "PDP", "SP"])
def test_the_largest_level_is_that_of_disjoint_outputs(key: str) -> None:
    notion = get(key)
    found = mechanisms.level(
        mechanisms.Mechanism.secrets([[1, 0], [0, 1]]), key, **({"eps": 1} if "eps" in notion.others else {})
    )
    assert abs(float(found.value) - float(to_sympy(parse(notion.largest)))) < 1e-12
