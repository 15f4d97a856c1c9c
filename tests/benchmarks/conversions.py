"""The same conversions through symprivacy, autodp, dp-accounting and opendp, with their errors.

A package computes with floats, so its number may be too small, which would be a false guarantee, or larger than
needed. The certified value is symprivacy's enclosure to 20 digits.
"""

from __future__ import annotations

import importlib.util
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from symprivacy import convert
from symprivacy.implications.runs import Runs, eps_of_runs

DIGITS = 15


@dataclass(frozen=True)
class Case:
    """One conversion at one point."""

    source: str
    target: str
    at: dict[str, str]

    def __str__(self) -> str:
        return f"{self.source} to {self.target}, {', '.join(f'{k}={v}' for k, v in self.at.items())}"

    def __getitem__(self, name: str) -> float:
        return float(Fraction(self.at[name]))


CASES = [
    *(Case("DP", "ZCDP", {"eps": e}) for e in ("1/1000", "1", "5")),
    *(Case("DP", "KL", {"eps": e}) for e in ("1/1000000000", "1", "50")),
    *(Case("DP", "RDP", {"eps": e, "alpha2": a}) for e, a in (("1/10000000", "2"), ("1", "2"), ("3", "10"))),
    *(Case("DP", "ADP", {"eps": "1", "eps2": e}) for e in ("1/2", "99/100")),
    *(Case("RDP", "ADP", {"alpha": a, "e": "1/2", "eps2": "1/2"}) for a in ("3", "20")),
    *(Case("ZCDP", "ADP", {"rho": r, "eps2": e}) for r, e in (("1/4", "1/2"), ("1/4", "3"), ("1/100", "1"))),
    *(Case("GDP", "ADP", {"mu": m, "eps2": e}) for m, e in (("1", "1/2"), ("1", "4"), ("1/10", "1"))),
    *(Case("k-fold DP", "ADP", {"eps": e, "k": k, "delta": "1/1000000"}) for e, k in (("1/10", "50"), ("3", "100"))),
]


def exact(case: Case, digits: int) -> tuple[Any, Any]:
    """Both ends of the enclosure, as text."""
    if case.source == "k-fold DP":
        return eps_of_runs(Runs.of([{"eps": case.at["eps"]}], int(case.at["k"])), case.at["delta"], digits)
    found = convert(case.source, case.at, case.target, digits=digits)
    return found.lo, found.hi


def by_autodp(case: Case) -> float | None:
    from autodp import converter, mechanism_zoo, transformer_zoo

    match case.source, case.target:
        case "DP", "KL":
            return float(converter.puredp_to_rdp(case["eps"])(1))
        case "DP", "RDP":
            return float(converter.puredp_to_rdp(case["eps"])(case["alpha2"]))
        case "ZCDP", "ADP":
            return float(converter.rdp_to_delta(lambda alpha: case["rho"] * alpha)(case["eps2"]))
        case "GDP", "ADP":
            return float(mechanism_zoo.ExactGaussianMechanism(1 / case["mu"]).get_approx_delta(case["eps2"]))
        case "k-fold DP", "ADP":
            one = mechanism_zoo.PureDP_Mechanism(case["eps"])
            composed = transformer_zoo.Composition()([one], [int(case["k"])])
            return float(composed.get_approxDP(case["delta"]))
    return None


def by_dp_accounting(case: Case) -> float | None:
    from dp_accounting.pld import common
    from dp_accounting.pld import privacy_loss_distribution as pld
    from dp_accounting.rdp import rdp_privacy_accountant as rdp

    match case.source, case.target:
        case "DP", "ADP":
            given = common.DifferentialPrivacyParameters(case["eps"], 0.0)
            return float(pld.from_privacy_parameters(given).get_delta_for_epsilon(case["eps2"]))
        case "RDP", "ADP":
            return float(rdp.compute_delta([case["alpha"]], [case["e"]], case["eps2"])[0])
        case "ZCDP", "ADP":
            orders = rdp.DEFAULT_RDP_ORDERS
            return float(rdp.compute_delta(orders, [case["rho"] * a for a in orders], case["eps2"])[0])
        case "GDP", "ADP":
            return float(pld.from_gaussian_mechanism(1 / case["mu"]).get_delta_for_epsilon(case["eps2"]))
        case "k-fold DP", "ADP":
            given = common.DifferentialPrivacyParameters(case["eps"], 0.0)
            composed = pld.from_privacy_parameters(given).self_compose(int(case["k"]))
            return float(composed.get_epsilon_for_delta(case["delta"]))
    return None


def by_opendp(case: Case) -> float | None:
    import opendp.prelude as dp

    dp.enable_features("contrib", "honest-but-curious")
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)

    def with_level(measure: Any, level: float) -> Any:
        return dp.m.make_user_measurement(*space, measure, lambda x: x, lambda _: level, TO=float)

    match case.source, case.target:
        case "DP", "ZCDP":
            return float(dp.c.make_pureDP_to_zCDP(with_level(dp.max_divergence(), case["eps"])).map(1.0))
        case "ZCDP", "ADP":
            measurement = with_level(dp.zero_concentrated_divergence(), case["rho"])
            return float(dp.c.make_zCDP_to_approxDP(measurement).map(1.0).delta(case["eps2"]))
        case "k-fold DP", "ADP":
            one = dp.c.make_pureDP_to_zCDP(with_level(dp.max_divergence(), case["eps"]))
            both = dp.c.make_composition([one] * int(case["k"]))
            return float(dp.c.make_zCDP_to_approxDP(both).map(1.0).epsilon(case["delta"]))
    return None


PACKAGES: dict[str, tuple[str, Callable[[Case], float | None]]] = {
    "autodp": ("autodp", by_autodp),
    "dp-accounting": ("dp_accounting", by_dp_accounting),
    "opendp": ("opendp", by_opendp),
}


def timed(function: Callable[[Case], Any], case: Case) -> tuple[Any, float]:
    """A value and the processor time it took; an error is shown in place of the value."""
    start = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = function(case)
    except Exception as e:
        value = type(e).__name__
    return value, time.process_time() - start


def table() -> list[str]:
    """Rows of Markdown: per case the certified value, and per package its relative error and time."""
    installed = {n: f for n, (module, f) in PACKAGES.items() if importlib.util.find_spec(module)}
    rows = [
        f"| conversion | certified value | symprivacy ms | {' | '.join(installed)} |",
        f"| --- | --- | ---: | {' | '.join('---' for _ in installed)} |",
    ]
    for case in (Case("DP", "KL", {"eps": "2"}), *CASES):
        # A first look at a point nearby, so that nobody is charged for imports and nobody has met the point.
        nearby = Case(case.source, case.target, {**case.at, **_moved(case)})
        for function in (lambda c: exact(c, DIGITS), *installed.values()):
            timed(function, nearby)
        (lo, hi), seconds = timed(lambda c: exact(c, DIGITS), case)
        certified = Fraction(exact(case, 20)[0])
        cells = []
        for function in installed.values():
            value, spent = timed(function, case)
            cells.append("" if value is None else f"{_compared(value, certified)}, {1000 * spent:.1f} ms")
        assert Fraction(lo) <= Fraction(hi)
        rows.append(f"| {case} | {_short(lo)} | {1000 * seconds:.1f} | {' | '.join(cells)} |")
    return rows


def _moved(case: Case) -> dict[str, str]:
    name = next(iter(case.at))
    return {name: str(Fraction(case.at[name]) * Fraction(101, 100))}


def _short(text: str) -> str:
    return f"{float(Fraction(text)):.12g}"


def _compared(value: Any, certified: Fraction) -> str:
    if isinstance(value, str):
        return f"fails ({value})"
    if value != value or value in (float("inf"), float("-inf")):
        return f"{value}"
    error = float((Fraction(value) - certified) / certified)
    if abs(error) < 1e-12:
        return "right"
    return f"{value:.6g}: {'too small' if error < 0 else 'too large'} by {abs(error):.1e}"
