"""Other accountants against certified brackets, in two steps, because they live in environments of their own.

    python -m tests.benchmarks.accountants brackets > brackets.json       here
    python tests/benchmarks/accountants.py peers brackets.json            where dp-accounting, autodp, prv-accountant
                                                                          and opendp are installed
The second step prints a table: for every plan the bracket, and what each accountant says; a number outside of it
is marked, above (safe, but more than needed) or BELOW (a guarantee that does not hold).
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import time
import warnings
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

# family, its scale, how often, sampling rate, delta
CASES = [
    ("gaussian", 1.0, 1, 1.0, 1e-6), ("gaussian", 5.0, 100, 1.0, 1e-6), ("gaussian", 50.0, 1000, 1.0, 1e-12),
    ("gaussian", 1.0, 1000, 0.01, 1e-6), ("gaussian", 2.0, 1000, 0.01, 1e-6), ("gaussian", 0.8, 100, 0.05, 1e-8),
    ("gaussian", 4.0, 5000, 0.02, 1e-10), ("laplace", 1.0, 1, 1.0, 1e-3), ("laplace", 5.0, 50, 1.0, 1e-6),
    ("laplace", 3.0, 200, 0.05, 1e-6), ("laplace", 20.0, 400, 1.0, 1e-9),
]  # fmt: skip


def brackets() -> None:
    """Print the certified brackets of all cases."""
    from fractions import Fraction

    from symprivacy.accounting import Plan, Run, compose

    rows = []
    for family, scale, times, rate, delta in CASES:
        start = time.perf_counter()
        exact, rational = Fraction(str(scale)), str(Fraction(str(rate)))
        found = compose(Plan.of([Run.of(f"{family}({exact})", times=times, sampled=rational)]), delta=f"{delta:g}")
        ends = found.to_json(10)["eps"]
        rows.append({"case": [family, scale, times, rate, delta], **ends, "seconds": time.perf_counter() - start})
    print(json.dumps(rows))


def _dp_accounting(family: str, scale: float, times: int, rate: float, delta: float) -> float:
    from dp_accounting.pld import privacy_loss_distribution as pld  # type: ignore[import-not-found]

    make = getattr(pld, f"from_{family}_mechanism")
    law = make(scale, value_discretization_interval=1e-4, sampling_prob=rate)
    return float(law.self_compose(times).get_epsilon_for_delta(delta))


def _dp_accounting_rdp(family: str, scale: float, times: int, rate: float, delta: float) -> float:
    import dp_accounting  # type: ignore[import-not-found]

    event = getattr(dp_accounting, f"{family.capitalize()}DpEvent")(scale)
    event = dp_accounting.PoissonSampledDpEvent(rate, event) if rate < 1 else event
    accountant = dp_accounting.rdp.RdpAccountant()
    accountant.compose(event, times)
    return float(accountant.get_epsilon(delta))


def _prv(family: str, scale: float, times: int, rate: float, delta: float) -> float:
    import prv_accountant as prv  # type: ignore[import-not-found]

    if family == "gaussian":
        law = prv.PoissonSubsampledGaussianMechanism(noise_multiplier=scale, sampling_probability=rate)
    elif rate == 1:
        law = prv.LaplaceMechanism(mu=1 / scale)
    else:
        raise NotImplementedError("no sampled Laplace noise")
    accountant = prv.PRVAccountant(prvs=[law], max_self_compositions=[times], eps_error=0.01, delta_error=delta / 1000)
    return float(accountant.compute_epsilon(delta=delta, num_self_compositions=[times])[2])


def _autodp(family: str, scale: float, times: int, rate: float, delta: float) -> float:
    from autodp import mechanism_zoo, transformer_zoo  # type: ignore[import-not-found]

    if family == "gaussian":
        base = mechanism_zoo.GaussianMechanism(sigma=scale)
    else:
        base = mechanism_zoo.LaplaceMechanism(b=scale)
    if rate < 1:
        base.neighboring = "add_remove"
        base = transformer_zoo.AmplificationBySampling(PoissonSampling=True)(base, rate)
    return float(transformer_zoo.Composition()([base], [times]).get_approxDP(delta))


def _opendp(family: str, scale: float, times: int, rate: float, delta: float) -> float:
    import opendp.prelude as dp  # type: ignore[import-not-found]

    if rate < 1:
        raise NotImplementedError("no Poisson sampling")
    dp.enable_features("contrib")
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    if family == "gaussian":
        one = dp.m.make_gaussian(*space, scale=scale)
        joined = dp.c.make_composition([one] * times) if times > 1 else one
        return float(dp.c.make_zCDP_to_approxDP(joined).map(1.0).epsilon(delta))
    one = dp.m.make_laplace(*space, scale=scale)
    joined = dp.c.make_composition([one] * times) if times > 1 else one
    return float(joined.map(1.0))


PEERS: dict[str, tuple[str, Callable[..., float]]] = {
    "dp-accounting PLD": ("dp-accounting", _dp_accounting),
    "dp-accounting RDP": ("dp-accounting", _dp_accounting_rdp),
    "prv-accountant": ("prv-accountant", _prv),
    "autodp": ("autodp", _autodp),
    "opendp": ("opendp", _opendp),
}


def said(peer: Callable[..., float], case: list[Any], lo: float, hi: float) -> str:
    """What an accountant answers, and on which side of the bracket."""
    start = time.perf_counter()
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            value = peer(*case)
    except NotImplementedError as error:
        return str(error)
    except Exception as error:  # whatever it raises is the answer
        return f"{type(error).__name__}"
    spent = time.perf_counter() - start
    side = " BELOW" if value < lo else f" +{100 * (value / hi - 1):.2g} %" if value > hi else " inside"
    return f"{value:.6g}{side} ({spent:.2g} s)"


def _known(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def peers(path: str) -> None:
    """Print the table."""
    with open(path, encoding="utf-8") as file:
        rows = json.load(file)
    print("| plan | delta | certified eps |", " | ".join(f"{n} {_known(p)}" for n, (p, _) in PEERS.items()), "|")
    print("| --- " * (3 + len(PEERS)) + "|")
    for row in rows:
        family, scale, times, rate, delta = row["case"]
        plan = f"{times} x {family}({scale:g})" + (f", sampled {rate:g}" if rate < 1 else "")
        answers = [said(f, row["case"], float(row["lo"]), float(row["hi"])) for _, f in PEERS.values()]
        bracket = f"[{row['lo']}, {row['hi']}] ({row['seconds']:.2g} s)"
        print(f"| {plan} | {delta:g} | {bracket} |", " | ".join(answers), "|", flush=True)


if __name__ == "__main__":
    brackets() if sys.argv[1:] == ["brackets"] else peers(sys.argv[2])
