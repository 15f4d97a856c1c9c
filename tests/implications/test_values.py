"""Closed forms against mpmath, impossible cells, extremes, monotonicity."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import mpmath
import pytest
from mpmath import cosh, exp, log, mpf, sinh, sqrt, tanh

from symprivacy.errors import InputError
from symprivacy.implications import NOTIONS, Status, convert
from symprivacy.implications.extremal.touching_order import Touching
from symprivacy.implications.formula import expression
from symprivacy.implications.published import published
from symprivacy.implications.tables.concentrated import Tail
from symprivacy.implications.tables.far_thresholds import Rare
from tests.implications.cases import BOUND, SOURCES, TARGETS, cell, number
from tests.implications.pairs import level


def normal(x: Any) -> Any:
    return mpmath.erfc(-x / sqrt(2)) / 2


def quantile(p: Any) -> Any:
    return sqrt(2) * mpmath.erfinv(2 * p - 1)


CLOSED: list[tuple[str, dict[str, str], str, Callable[[], Any]]] = [
    ("DP", {"eps": "1"}, "ZCDP", lambda: tanh(mpf(1) / 2)),
    ("DP", {"eps": "2"}, "GDP", lambda: 2 * quantile(exp(2) / (1 + exp(2)))),
    ("DP", {"eps": "3"}, "CHI2", lambda: 2 * cosh(3) - 2),
    ("DP", {"eps": "2", "alpha2": "5"}, "RDP", lambda: log((exp(10) + exp(-8)) / (1 + exp(2))) / 4),
    ("DP", {"eps": "1", "eps2": "1/2"}, "ADP", lambda: (exp(1) - exp(mpf(1) / 2)) / (1 + exp(1))),
    ("DP", {"eps": "1", "m2": "5"}, "MBPU", lambda: log((1 + 4 * exp(1)) / 5)),
    ("DP", {"eps": "1"}, "SP", lambda: tanh(mpf(1) / 2)),
    ("SP", {"eta": "1/3"}, "DP", lambda: 2 * log(mpf(2))),
    ("MBPU", {"xi": "1/4", "m": "2"}, "DP", lambda: log(2 * exp(mpf(1) / 4) - 1)),
    ("MBPU", {"xi": "1/4", "m": "9"}, "DP", lambda: mpf(1) / 2),
    ("MPP", {"eps": "1", "p": "1/3"}, "DP", lambda: log(1 + (exp(1) - 1) * 3 / 2)),
    ("RB", {"eps": "1"}, "KL", lambda: 1 / (1 - exp(-1)) - 1 - log(1 / (1 - exp(-1)))),
    ("RB", {"eps": "2"}, "CHI2", lambda: sinh(1) ** 2),
    ("ADP", {"eps": "1", "delta": "1/100"}, "TV", lambda: mpf(1) / 100 + mpf(99) / 100 * tanh(mpf(1) / 2)),
    ("ADP", {"eps": "1", "delta": "1/100", "eps2": "2"}, "PDP", lambda: exp(2) / 100 / (exp(2) - exp(1))),
    ("GDP", {"mu": "1", "eps2": "1"}, "ADP", lambda: normal(mpf(-1) / 2) - exp(1) * normal(mpf(-3) / 2)),
    ("HELL2", {"h": "1/5"}, "TV", lambda: mpf(3) / 5),
    ("CHI2", {"c": "1/2"}, "KL", lambda: mpmath.acosh(mpf(5) / 4) / 3),
    ("CHI2", {"c": "1/2"}, "TV", lambda: mpf(1) / 3),
    ("JS", {"j": "1/10"}, "HELL2", lambda: mpf(1) / 10 / log(2)),
    ("ZCDP", {"rho": "1/4", "alpha2": "7"}, "RDP", lambda: mpf(7) / 4),
]


@pytest.mark.parametrize(("source", "at", "target", "value"), CLOSED)
def test_closed_forms_to_thirty_digits(source: str, at: dict[str, str], target: str, value: Callable[[], Any]) -> None:
    found = convert(source, at, target)
    assert found.status is Status.TIGHT
    with mpmath.workdps(45):
        exact = value()
        assert mpf(found.lo) * (1 - mpf(10) ** -44) <= exact <= mpf(found.hi) * (1 + mpf(10) ** -44)
        # The value rounded to the digits asked for lies in the enclosure as well.
        rounded = mpf(mpmath.nstr(exact, 30))
        assert mpf(found.lo) * (1 - mpf(10) ** -44) <= rounded <= mpf(found.hi) * (1 + mpf(10) ** -44)


def integral(f: Callable[[Any, Any], Any], mu: Any) -> Any:
    def density(x: Any) -> Any:
        p, q = mpmath.npdf(x, mu, 1), mpmath.npdf(x)
        return f(p, q)

    return mpmath.quad(density, [-16, -8, -4, -2, 0, 1, 2, 3, 5, 9, 16 + mu])


@pytest.mark.parametrize("mu", ["1/2", "1", "3", "8"])
def test_the_gaussian_integrals_agree_with_another_quadrature(mu: str) -> None:
    with mpmath.workdps(30):
        m = number(mu)
        js = integral(lambda p, q: (p * log(2 * p / (p + q)) + q * log(2 * q / (p + q))) / 2, m)
        v = integral(lambda p, q: (p - q) ** 2 / (p + q) / 4, m)
        coin = [mpf(1) / 2 + v, mpf(1) / 2 - v]
        abp = sqrt(level("JS", coin, [mpf(1) / 2, mpf(1) / 2]))
        for target, value in (("JS", js), ("ABP", abp)):
            found = convert("GDP", {"mu": mu}, target)
            assert found.status is Status.TIGHT
            assert abs(mpf(found.lo) - value) < mpf(10) ** -20


RATIO = {"DP", "RB", "LDP", "MP", "MPP", "MBP", "MBPU", "PML", "LIP"}
LOSSY = {"ADP", "PDP", "TV", "HELL2", "JS", "ABP", "MAXL", "RDPlow"}
IMPOSSIBLE = (
    [(a, b) for a in LOSSY for b in RATIO | {"KL", "RDP", "CHI2", "ZCDP", "GDP", "tCDP"}]
    + [(a, b) for a in ("KL", "RDP", "CHI2", "ZCDP", "GDP", "tCDP") for b in RATIO]
    + [("KL", b) for b in ("RDP", "CHI2", "ZCDP", "GDP", "tCDP")]
    + [(a, b) for a in ("RDP", "CHI2", "tCDP") for b in ("ZCDP", "GDP")]
)
FAMILIES = [(a, b) for a, b in sorted(IMPOSSIBLE) if a in ("KL", "RDP", "CHI2", "tCDP")]


def test_exactly_the_hopeless_cells_are_impossible() -> None:
    found = {(a, b) for a in NOTIONS for b in NOTIONS if cell(a, b).status is Status.IMPOSSIBLE}
    assert found == set(IMPOSSIBLE)


@pytest.mark.parametrize(("source", "target"), FAMILIES)
def test_a_family_stays_inside_the_source_and_leaves_every_level(source: str, target: str) -> None:
    from symprivacy.implications.formula import expression
    from symprivacy.implications.numbers.numeric import number as evaluate

    witness = cell(source, target).witness
    assert witness is not None
    if target in ("MPP", "MBPU", "LDP", "MP", "MBP", "PML", "LIP"):
        target = "DP"
    reached = []
    with mpmath.workdps(60):
        for x in (8, 16, 32) if target == "GDP" else (40, 80, 160):
            p, q = ([evaluate(expression(text), {"x": mpf(x)}) for text in witness[side]] for side in "PQ")
            inside = level(source, p, q, mpf(3) if source in ("RDP", "tCDP") else None)
            assert inside <= number(SOURCES[source][BOUND[source]]) * (1 + mpf(10) ** -25)
            reached.append(level(target, p, q, mpf(4) if source == "RDP" else mpf(3) if source == "CHI2" else mpf(2)))
    assert reached[0] * mpf("1.01") < reached[1] < reached[2]


@pytest.mark.parametrize("source", ["DP", "RB", "MP", "LDP"])
@pytest.mark.parametrize("target", [n for n in NOTIONS if n not in ("PDP", "ADP", "RDP", "MPP", "LDP", "MBPU", "MAXL")])
def test_levels_grow_with_eps_from_tiny_to_huge(source: str, target: str) -> None:
    asked = TARGETS.get(target, {})
    ends = [convert(source, {"eps": eps, **asked}, target, 15) for eps in ("0", "1e-12", "1/1000", "1", "20", "700")]
    assert all(found.status is Status.TIGHT for found in ends)
    assert ends[0].hi == "0"
    assert all(mpf(a.hi) <= mpf(b.hi) for a, b in pairwise(ends))
    assert all(mpf(found.lo) > 0 for found in ends[1:])


@pytest.mark.parametrize(
    ("source", "at", "target"),
    [
        ("ADP", {"eps": "1", "delta": "1e-300", "eps2": "2"}, "PDP"),
        ("ADP", {"eps": "700", "delta": "1e-300"}, "HELL2"),
        ("DP", {"eps": "1e-12", "alpha2": "1.000000001"}, "RDP"),
        ("DP", {"eps": "700", "alpha2": "1000000"}, "RDP"),
        ("RDP", {"alpha": "1.000000001", "e": "1"}, "TV"),
        ("RDP", {"alpha": "1000000", "e": "1", "alpha2": "2"}, "RDP"),
        ("KL", {"k": "700", "eps2": "1"}, "ADP"),
        ("GDP", {"mu": "1e-12"}, "JS"),
        ("GDP", {"mu": "40"}, "ABP"),
        ("JS", {"j": "1e-20", "eps2": "1"}, "ADP"),
        ("MBPU", {"xi": "1e-12", "m": "1000"}, "KL"),
    ],
)
def test_extreme_parameters(source: str, at: dict[str, str], target: str) -> None:
    found = convert(source, at, target)
    assert found.status is Status.TIGHT
    assert mpf(found.hi) >= mpf(found.lo) > 0


@pytest.mark.parametrize("target", NOTIONS)
def test_no_privacy_loss_stays_none(target: str) -> None:
    extra = {"ADP": {"eps2": "1"}, "PDP": {"eps2": "1"}, "RDP": {"alpha2": "2"}, "MPP": {"p2": "1/2"},
             "LDP": {"D": "2"}, "MBPU": {"m2": "3"}, "MAXL": {"m2": "3"}, "tCDP": {"omega2": "3"},
             "RDPlow": {"alpha2": "1/3"}}.get(target, {})  # fmt: skip
    found = convert("KL", {"k": "0", **extra}, target)
    assert (found.status, found.lo, found.hi) == (Status.TIGHT, "0", "0")


@pytest.mark.parametrize(
    ("source", "at", "target"),
    [
        ("DP", {}, "KL"),
        ("DP", {"eps": "-1"}, "KL"),
        ("DP", {"eps": "x"}, "KL"),
        ("DP", {"eps": "1", "delta": "0"}, "KL"),
        ("DP", {"eps": 0.1}, "KL"),
        ("ADP", {"eps": "1", "delta": "2"}, "TV"),
        ("RDP", {"alpha": "1/2", "e": "1"}, "TV"),
        ("MBPU", {"xi": "1", "m": "5/2"}, "TV"),
        ("XX", {"eps": "1"}, "TV"),
    ],
)
def test_bad_parameters_are_refused(source: str, at: dict[str, object], target: str) -> None:
    with pytest.raises(InputError):
        convert(source, at, target)


@pytest.mark.parametrize(("xi", "mu"), [("105", "28.5892415781"), ("130", "31.8822917430"), ("300", "48.714555545")])
def test_uniform_priors_and_large_levels_keep_their_gaussian_level(xi: str, mu: str) -> None:
    """Tests whose mass is next to 0 or 1 must not be lost: they decide the level."""
    found = convert("MBPU", {"xi": xi, "m": 3}, "GDP", digits=12)
    assert mpf(found.hi) >= mpf(mu)


@pytest.mark.parametrize(
    ("xi", "m"),
    [("1/1000000000000", "3"), ("1/1000", "5"), ("1/10", "3"), ("1/10", "4"), ("1/2", "3"), ("1", "4"), ("3", "10"),
     ("log(2)", "3"), ("log(49)", "100"), ("700", "3")],
)  # fmt: skip
def test_order_one_is_the_worst_of_zcdp_under_a_uniform_prior(xi: str, m: str) -> None:
    found = convert("MBPU", {"xi": xi, "m": m}, "ZCDP", 12)
    assert found.status is Status.TIGHT
    assert (found.lo, found.hi) == (lambda kl: (kl.lo, kl.hi))(convert("MBPU", {"xi": xi, "m": m}, "KL", 12))
    for order in ("21/20", "2", "9"):
        at = convert("MBPU", {"xi": xi, "m": m, "alpha2": order}, "RDP", 12)
        top, _, bottom = order.partition("/")
        # Next to xi = 0 all orders agree in their leading digits.
        assert mpf(at.lo) <= mpf(found.hi) * mpf(top) / mpf(bottom or 1) * (1 + mpf(10) ** -13)


def test_far_out_levels_keep_their_digits() -> None:
    """Both ends of one hockey-stick where the level is below 10**-300 and one where it is below 10**-3000."""
    for source, at in (("CHI2", {"c": "1e-300", "eps2": "1"}), ("ZCDP", {"rho": "1/3", "eps2": "100"})):
        assert convert(source, at, "ADP", 15).status is Status.TIGHT
    # CHI2 at most c: the largest E (r - e)+ is c/(4 (e - 1)) to first order in c.
    found = convert("CHI2", {"c": "1e-300", "eps2": "1"}, "ADP", 15)
    assert abs(mpf(found.lo) * 4 * (mpmath.e - 1) * mpf(10) ** 300 - 1) < mpf(10) ** -12


def one_order(alpha: Any, e: Any, eps: Any) -> Any:
    """Asoodeh et al. 2021: the delta at which the least divergence of coins p, (p - delta) exp(-eps) is e."""

    def divergence(delta: Any) -> Any:
        def moment(p: Any) -> Any:
            return p**alpha * (p - delta) ** (1 - alpha) + (1 - p) ** alpha * (exp(eps) - p + delta) ** (1 - alpha)

        low, high = delta * (1 + mpf(10) ** -15), 1 - mpf(10) ** -15
        for _ in range(100):
            a, b = low + (high - low) * mpf("0.382"), low + (high - low) * mpf("0.618")
            low, high = (low, b) if moment(a) < moment(b) else (a, high)
        return eps + log(moment(low)) / (alpha - 1)

    low, high = mpf(10) ** -20, 1 - mpf(10) ** -10
    for _ in range(60):
        middle = sqrt(low * high)
        low, high = (middle, high) if divergence(middle) < e else (low, middle)
    return low


@pytest.mark.parametrize(
    ("alpha", "e", "eps2", "label"), [("3", "1/2", "1/2", "tight"), ("3", "1/2", "1/10", "not tight")]
)
def test_the_optimum_under_one_order_is_tight_unless_the_other_order_says_more(
    alpha: str, e: str, eps2: str, label: str
) -> None:
    found = published("RDP", "ADP", {"alpha": alpha, "e": e, "eps2": eps2}, 12)
    bound = next(c for c in found if "one order" in c.bound.origin)
    assert bound.label == label
    assert abs(mpf(bound.value) - one_order(number(alpha), number(e), number(eps2))) < mpf(10) ** -10


def test_far_thresholds_of_gaussians_agree_with_the_asymptotic_series() -> None:
    """N(-x) = n(x) (1/x - 1/x**3 + 3/x**5 - ...), summed without the package, at a level below 10**-(10**20)."""
    with mpmath.workdps(140):
        for mu, eps in ((mpf(10) ** -12, mpf(1)), (mpf(10) ** -5, mpf(3))):
            x = eps / mu - mu / 2

            def ratio(z: Any) -> Any:
                return sum((-1) ** k * mpmath.fac2(2 * k - 1) / z ** (2 * k + 1) for k in range(8))

            value = mpmath.npdf(0) * exp(-(x**2) / 2) * (ratio(x) - ratio(x + mu))
            found = convert("GDP", {"mu": mpmath.nstr(mu, 3), "eps2": mpmath.nstr(eps, 3)}, "ADP", 30)
            assert found.status is Status.TIGHT
            assert found.value is not None
            low, high = (mpmath.mp.make_mpf(end) for end in found.value[:2])
            assert low <= value <= high


@pytest.mark.parametrize(("rho", "eps2"), [("1", "50"), ("1/4", "30"), ("700", "2000"), ("1/1000000000", "1/500")])
def test_far_thresholds_of_zcdp_agree_with_the_search(rho: str, eps2: str) -> None:
    """The far formula and the search for the touching law are two proofs of one level."""
    given = {"rho": expression(rho), "eps2": expression(eps2)}
    for far, near in ((Rare(given), Touching(given)), (Rare(given, exceeding=True), Tail(given))):
        a, b = (
            [mpmath.mp.make_mpf(end) for end in problem.evaluate(99)[:2]]  # type: ignore[attr-defined]
            for problem in (far, near)
        )
        assert a[0] <= b[1]
        assert b[0] <= a[1]
        assert max(a[1], b[1]) <= min(a[0], b[0]) * (1 + mpf(10) ** -15)
