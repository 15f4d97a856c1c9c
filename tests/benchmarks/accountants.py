"""Other accountants against certified brackets.

    symprivacy vectors --out vectors.json
    python tests/benchmarks/accountants.py vectors.json     where dp-accounting, autodp, prv-accountant, opendp are
    python tests/benchmarks/accountants.py --equal          the same, beside symprivacy itself

The first prints a table of all test vectors about compositions: the bracket, and what each accountant says; a number
outside of it is marked, above (safe, but more than needed) or BELOW (a guarantee that does not hold). The second prints
the width of the bracket and the width between the optimistic and the pessimistic answer of dp-accounting at the finest
grid that takes it no longer, in processor time.
"""

from __future__ import annotations

import contextlib
import io
import json
import resource
import sys
import time
import warnings
from collections.abc import Callable
from fractions import Fraction
from importlib.metadata import PackageNotFoundError, version
from typing import Any

# Runs, how often, sampling rate, delta: the widths of brackets at equal time.
EQUAL = [
    ("gaussian(1)", 1000, "1/100", "1e-6"), ("gaussian(2)", 1000, "1/100", "1e-6"),
    ("gaussian(4)", 5000, "1/50", "1e-10"),
    ("gaussian(4/5)", 100, "1/20", "1e-8"), ("gaussian(1)", 100000, "1/1000", "1e-6"),
    ("gaussian(1)", 100, "1/10", "1e-12"),
    ("laplace(3)", 200, "1/20", "1e-6"), ("laplace(1)", 1000, "1/100", "1e-6"), ("laplace(5)", 50, "1", "1e-6"),
    ("laplace(20)", 400, "1", "1e-9"), ("laplace(1)", 100, "1/10", "1e-10"), ("gaussian(1)", 1000, "1/1000", "1e-15"),
]  # fmt: skip
# Beyond this eps a grid of 1e-4 takes the accountants minutes.
LARGEST = 50.0
_GRIDS = (1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6)


def _law(family: str, at: list[float], rate: float, **options: Any) -> Any:
    from dp_accounting.pld import common  # type: ignore[import-not-found]
    from dp_accounting.pld import privacy_loss_distribution as pld

    if family in ("gaussian", "laplace"):
        return getattr(pld, f"from_{family}_mechanism")(at[0], sampling_prob=rate, **options)
    if family == "geometric":
        return pld.from_discrete_laplace_mechanism(at[0], sampling_prob=rate, **options)
    if rate < 1:
        raise NotImplementedError("no sampling of it")
    if family == "krr":
        k, e = at[0], 2.718281828459045 ** at[1]
        return pld.from_randomized_response(k / (e + k - 1), int(k), **options)
    return pld.from_privacy_parameters(common.DifferentialPrivacyParameters(*at), **options)


def _dp_accounting(family: str, at: list[float], times: int, rate: float, delta: float) -> float:
    law = _law(family, at, rate, value_discretization_interval=1e-4)
    return float(law.self_compose(times).get_epsilon_for_delta(delta))


def _dp_accounting_rdp(family: str, at: list[float], times: int, rate: float, delta: float) -> float:
    import dp_accounting  # type: ignore[import-not-found]

    if family not in ("gaussian", "laplace") or (family == "laplace" and rate < 1):
        raise NotImplementedError("no such event")
    event = getattr(dp_accounting, f"{family.capitalize()}DpEvent")(at[0])
    event = dp_accounting.PoissonSampledDpEvent(rate, event) if rate < 1 else event
    accountant = dp_accounting.rdp.RdpAccountant()
    accountant.compose(event, times)
    return float(accountant.get_epsilon(delta))


def _prv(family: str, at: list[float], times: int, rate: float, delta: float) -> float:
    import prv_accountant as prv  # type: ignore[import-not-found]

    if family == "gaussian":
        law = prv.PoissonSubsampledGaussianMechanism(noise_multiplier=at[0], sampling_probability=rate)
    elif rate < 1 or family in ("krr", "geometric"):
        raise NotImplementedError("no such mechanism")
    elif family == "laplace":
        law = prv.LaplaceMechanism(mu=1 / at[0])
    else:
        law = prv.PureDPMechanism(at[0]) if family == "DP" else prv.ApproximateDPMechanism(*at)
    accountant = prv.PRVAccountant(prvs=[law], max_self_compositions=[times], eps_error=0.01, delta_error=delta / 1000)
    return float(accountant.compute_epsilon(delta=delta, num_self_compositions=[times])[2])


def _autodp(family: str, at: list[float], times: int, rate: float, delta: float) -> float:
    from autodp import mechanism_zoo, transformer_zoo  # type: ignore[import-not-found]

    if family in ("krr", "geometric", "ADP"):
        raise NotImplementedError("no such mechanism")
    if family == "gaussian":
        base = mechanism_zoo.GaussianMechanism(sigma=at[0])
    elif family == "laplace":
        base = mechanism_zoo.LaplaceMechanism(b=at[0])
    else:
        base = mechanism_zoo.PureDP_Mechanism(at[0])
    if rate < 1:
        base.neighboring = "add_remove"
        base = transformer_zoo.AmplificationBySampling(PoissonSampling=True)(base, rate)
    return float(transformer_zoo.Composition()([base], [times]).get_approxDP(delta))


def _opendp(family: str, at: list[float], times: int, rate: float, delta: float) -> float:
    import opendp.prelude as dp  # type: ignore[import-not-found]

    if rate < 1 or family not in ("gaussian", "laplace"):
        raise NotImplementedError("no sampling" if rate < 1 else "no such mechanism")
    dp.enable_features("contrib")
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    one = getattr(dp.m, f"make_{family}")(*space, scale=at[0])
    joined = dp.c.make_composition([one] * times) if times > 1 else one
    if family == "gaussian":
        return float(dp.c.make_zCDP_to_approxDP(joined).map(1.0).epsilon(delta))
    return float(joined.map(1.0))


PEERS: dict[str, tuple[str, Callable[..., float]]] = {
    "dp-accounting PLD": ("dp-accounting", _dp_accounting),
    "dp-accounting RDP": ("dp-accounting", _dp_accounting_rdp),
    "prv-accountant": ("prv-accountant", _prv),
    "autodp": ("autodp", _autodp),
    "opendp": ("opendp", _opendp),
}


def answer(peer: Callable[..., float], vector: dict[str, Any]) -> float | str:
    """What an accountant answers to a test vector."""
    family, _, inside = vector["question"].partition("(")
    numbers = [float(Fraction(word)) for word in inside.rstrip(")").split(",")]
    at = vector["at"]
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            return peer(family, numbers, at["times"], float(Fraction(at["sampled"])), float(at["delta"]))
    except NotImplementedError as error:
        return str(error)
    except Exception as error:  # whatever it raises is the answer
        return type(error).__name__


def side(value: float, lo: float, hi: float) -> str:
    """On which side of a bracket a number lies; a billionth beside an end is rounding and inside.

    >>> side(1.0, 2.0, 3.0), side(2.5, 2.0, 3.0), side(4.5, 2.0, 3.0), side(float("nan"), 2.0, 3.0)
    ('BELOW', 'inside', '+50 %', 'no number')
    """
    if value != value:
        return "no number"
    if value < lo * (1 - 1e-9):
        return "BELOW"
    return f"+{100 * (value / hi - 1):.2g} %" if value > hi * (1 + 1e-9) else "inside"


def _number(text: str) -> float:
    return float("inf") if text == "oo" else float(text)


def _known(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def table(path: str) -> None:
    """Print all vectors about compositions with every accountant's answer, and the answers as data."""
    with open(path, encoding="utf-8") as file:
        vectors = [v for v in json.load(file) if v["kind"] == "composition" and _number(v["eps"]["lo"]) < LARGEST]
    print("| plan | delta | certified eps |", " | ".join(f"{n} {_known(p)}" for n, (p, _) in PEERS.items()), "|")
    print("| --- " * (3 + len(PEERS)) + "|")
    recorded = []
    for v in vectors:
        at, ends = v["at"], v["eps"]
        plan = f"{at['times']} x {v['question']}" + (f", sampled {at['sampled']}" if at["sampled"] != "1" else "")
        answers = []
        for name, (_, peer) in PEERS.items():
            value = answer(peer, v)
            recorded.append([v["question"], at["times"], at["sampled"], at["delta"], name, value])
            known = isinstance(value, float)
            answers.append(f"{value:.6g} {side(value, float(ends['lo']), float(ends['hi']))}" if known else str(value))
        print(
            f"| {plan} | {at['delta']} | [{ends['lo'][:12]}, {ends['hi'][:12]}] |", " | ".join(answers), "|", flush=True
        )
    print(json.dumps(recorded), file=sys.stderr)


def _ends(family: str, scale: float, times: int, rate: float, delta: float, grid: float) -> tuple[float, float]:
    """The optimistic and the pessimistic answer of dp-accounting."""
    laws = [
        _law(family, [scale], rate, value_discretization_interval=grid, pessimistic_estimate=upper,
             use_connect_dots=upper).self_compose(times)
        for upper in (False, True)
    ]  # fmt: skip
    return float(laws[0].get_epsilon_for_delta(delta)), float(laws[1].get_epsilon_for_delta(delta))


def equal() -> None:
    """Print widths at equal processor time, and whether the two brackets meet."""
    from symprivacy.accounting import Plan, Run, compose

    print("| plan | delta | bracket | width | s | optimistic, pessimistic | width | s | meet |")
    print("| --- " * 9 + "|")
    _law("gaussian", [1.0], 1.0, value_discretization_interval=1e-2)
    compose(Plan.of(["laplace(1)"]), delta="1/10")
    for what, times, rate, delta in EQUAL:
        start = time.process_time()
        found = compose(Plan.of([Run.of(what, times=times, sampled=rate)]), delta=delta)
        spent = time.process_time() - start
        assert found.lo is not None
        assert found.hi is not None
        family, _, inside = what.partition("(")
        scale, best, took = float(Fraction(inside.rstrip(")"))), (0.0, float("inf")), 0.0
        for grid in _GRIDS:
            start = time.process_time()
            try:
                ends = _ends(family, scale, times, float(Fraction(rate)), float(delta), grid)
            except (ArithmeticError, ValueError):
                # Coarse grids overflow.
                continue
            now = time.process_time() - start
            if now > spent and best[1] < float("inf"):
                break
            best, took = ends, now
            if now > spent:
                break
        width = (best[1] - best[0]) / best[1] if best[1] else 0.0
        meet = "yes" if best[0] <= found.hi * (1 + Fraction(1, 10**9)) and found.lo <= best[1] else "NO"
        plan = f"{times} x {what}" + (f", sampled {rate}" if rate != "1" else "")
        print(
            f"| {plan} | {delta} | {float(found.lo):.6g}, {float(found.hi):.6g} | {found.width:.1e} | {spent:.2f} "
            f"| {best[0]:.6g}, {best[1]:.6g} | {width:.1e} | {took:.2f} | {meet} |",
            flush=True,
        )
    print(f"largest memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    equal() if sys.argv[1:] == ["--equal"] else table(sys.argv[1])
