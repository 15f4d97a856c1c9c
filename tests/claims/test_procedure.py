"""The decision procedure: verdicts on statements of many kinds, each attacked independently of how it was decided.

What holds is attacked with small mechanisms, whose levels are computed exactly from the definitions; what fails has a
mechanism that is judged again from its printed data alone.
"""

from __future__ import annotations

import pytest

from symprivacy.claims.counterexamples import hunt
from symprivacy.claims.decide import decide
from symprivacy.claims.finding import Ruling
from symprivacy.claims.implication import Implication
from symprivacy.claims.language import proposition
from symprivacy.claims.witness import verify
from symprivacy.evidence import Evidence

GOOD = {Ruling.TIGHT, Ruling.HOLDS, Ruling.IMPROVABLE, Ruling.VACUOUS}

# Closed ranges, numbers, implicit levels and their inverses, formulas that change inside the range, stations.
TRUE = [
    "KL(1) => TV(0.648)",
    "KL(k) => TV(sqrt(k/2)) for k >= 0",
    "KL(2*t**2 + 4*t**4/9) => TV(t) for 0 < t < 1",
    "RDP(alpha, e) => KL(e) for e > 0",
    "JS(j) => TV(sqrt(2*j)) for 0 < j < 1/2",
    "DP(eps) => ADP(eps2, Max(0, (exp(eps) - exp(eps2))/(1 + exp(eps))))",
    "KL(k) => ADP(eps, sqrt(k/2)) for k > 0",
    "ZCDP(rho) => tCDP(omega, rho) for omega > 1",
    "mCDP(tau**2/2, tau) => ZCDP(tau**2/2)",
    "DP(eps) => mCDP(eps**2/2, eps)",
    "GroupDP(2, eps) => DP(eps)",
    "UDP(eps) => BoundedDP(2*eps)",
    "LDP(eps) => MBPU(eps, 3)",
]
FALSE = [
    "KL(1) => TV(0.6479)",
    "KL(k) => TV(sqrt(k)/2) for k > 0",
    "GDP(mu) => TV(mu/3)",
    "GDP(mu) => KL(mu**2/3)",
    "GDP(mu) => ADP(eps, erfc((eps/mu + mu/2)/sqrt(2))/2)",
    "tCDP(omega, rho) => ZCDP(rho) for omega > 1",
    "DP(eps) => GroupDP(4, 2*eps)",
    "RDP(2, e) => DP(2*e) for e > 0",
    "TV(t) => KL(t**2/2) for 0 < t < 1",
]


@pytest.mark.parametrize("text", TRUE)
def test_what_holds_survives_exact_mechanisms(text: str) -> None:
    assert decide(text).verdict in GOOD
    claim = proposition(text)
    assert isinstance(claim, Implication)
    assert hunt(claim.premise, claim.conclusion, claim.box, mechanisms=4, seed=7).witness is None


@pytest.mark.parametrize("text", FALSE)
def test_what_fails_has_a_mechanism_that_is_judged_again(text: str) -> None:
    finding = decide(text)
    assert finding.verdict is Ruling.FALSE
    assert finding.evidence is Evidence.CHECKED
    assert finding.witness is not None
    assert verify(finding.witness)


def test_a_bound_above_the_largest_value_says_nothing() -> None:
    assert decide("KL(k) => TV(1 + k) for k > 0").verdict is Ruling.VACUOUS


def test_the_reading_names_pairs_orders_and_ranges() -> None:
    reading = str(decide("KL(k) => TV(sqrt(k/2)) for 0 < k <= 1").reading)
    assert all(word in reading for word in ("neighbouring inputs", "both orders", "k in (0, 1]"))


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("DP(eps) => KL(eps*tanh(eps/2))", Evidence.CHECKED),
        ("exp(eps) > 1 + eps", Evidence.CHECKED),
        # The tails of the loss are summed up by a principle, not by steps that are checked.
        ("ZCDP(rho) => ADP(rho + s, sqrt(pi*rho)*exp(-s**2/(4*rho)))", Evidence.ARGUED),
    ],
)
def test_what_a_verdict_rests_on(text: str, evidence: Evidence) -> None:
    finding = decide(text)
    assert finding.verdict in GOOD
    assert finding.evidence is evidence
    assert finding.to_json()["evidence"] == evidence.value


def test_what_is_better_is_not_the_claim_itself() -> None:
    """The derivation at hand gives just the claimed level, while numbers show that there is a better one."""
    found = decide("CHI2(c) => KL(log(1 + c)) for c > 0")
    assert found.verdict is Ruling.IMPROVABLE
    assert "log(c + 1)" not in str(found.better)
