"""Families of mechanisms: every closed form agrees with integration of the densities themselves."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
from sympy import Float, Rational, S, Symbol, exp, integrate, lambdify, log, oo, simplify

from symprivacy.errors import InputError, SymPrivacyError, UnsupportedError
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.mechanisms import (
    Family,
    Mechanism,
    family,
    kary_randomized_response,
    level,
    profile,
    read_family,
    trade_off,
)
from symprivacy.mechanisms.jensen_shannon import js_bounds
from symprivacy.mechanisms.lattice import GaussSum, bounds, theta_bounds
from symprivacy.mechanisms.loss_curves import ALPHA, EPS, POSITIONS, placed
from symprivacy.mechanisms.loss_pair import U, gaussian_density, laplace_density, truncated_density
from symprivacy.notions import get

DIGITS = 28
FAMILIES = ("laplace", "gaussian", "geometric", "krr", "discrete_gaussian", "truncated_gaussian")
MEANS = ("TV", "KL", "CHI2", "HELL2", "JS", "ABP")


def some(name: str, rng: random.Random) -> Family:
    x = Rational(rng.randint(20, 300), 100)
    shift = rng.randint(1, 3) if name in ("geometric", "discrete_gaussian") else Rational(rng.randint(10, 200), 100)
    if name == "truncated_gaussian":
        return family(name, x, shift * Rational(rng.randint(60, 300), 100), sensitivity=shift)
    return family("krr", rng.randint(2, 6), x) if name == "krr" else family(name, x, sensitivity=shift)


def functions(at: dict[str, mpmath.mpf]) -> dict[str, tuple]:
    """f and the transform of its mean, as floating-point functions written here once more."""
    a, g, low = at["alpha"], mpmath.exp(at["eps"]), 1 / (1 + at["alpha"])

    def bernoulli(v):
        def h(x):
            return -x * mpmath.log(x) - (1 - x) * mpmath.log(1 - x) if 0 < x < 1 else mpmath.mpf(0)

        return mpmath.sqrt(h(mpmath.mpf(1) / 2 + v / 2) - (h(mpmath.mpf(1) / 2 + v) + mpmath.log(2)) / 2)

    def part(p, q):
        return p * mpmath.log(2 * p / (p + q)) if p else mpmath.mpf(0)

    return {
        "TV": (lambda p, q: max(p - q, 0), lambda m: m),
        "KL": (lambda p, q: p * mpmath.log(p / q), lambda m: m),
        "CHI2": (lambda p, q: (p - q) ** 2 / q, lambda m: m),
        "HELL2": (lambda p, q: (mpmath.sqrt(p) - mpmath.sqrt(q)) ** 2 / 2, lambda m: m),
        "JS": (lambda p, q: (part(p, q) + part(q, p)) / 2, lambda m: m),
        "ABP": (lambda p, q: (p - q) ** 2 / (p + q) / 4, bernoulli),
        "RDP": (lambda p, q: q * (p / q) ** a, lambda m: mpmath.log(m) / (a - 1)),
        "RDPlow": (lambda p, q: p**low * q ** (1 - low), lambda m: mpmath.log(m) / (low - 1)),
        "RDPhalf": (lambda p, q: mpmath.sqrt(p * q), lambda m: -2 * mpmath.log(m)),
        "ADP": (lambda p, q: max(p - g * q, 0), lambda m: m),
        "PDP": (lambda p, q: p if p > g * q else mpmath.mpf(0), lambda m: m),
    }


def integrated(member: Family, f, kinks: list) -> mpmath.mpf:
    """The integral or sum of f(p, q) over the outputs of the worst neighbours."""
    x, d = (mpmath.mpf(int(v.p)) / int(v.q) for v in (member.arguments[-1], member.sensitivity))
    if member.name == "laplace":
        ends = sorted({-200 * x, mpmath.mpf(0), d, 200 * x, *(k for k in kinks if -200 * x < k < 200 * x)})
        return mpmath.quad(lambda t: f(mpmath.exp(-abs(t) / x) / (2 * x), mpmath.exp(-abs(t - d) / x) / (2 * x)), ends)
    if member.name == "truncated_gaussian":
        x, c = (mpmath.mpf(int(v.p)) / int(v.q) for v in member.arguments)
        share = mpmath.erf(c / x / mpmath.sqrt(2))
        ends = sorted({-c, c, d - c, d + c, *(k for k in kinks if -c < k < d + c)})

        def cut(t, centre):
            return mpmath.npdf(t, centre, x) / share if abs(t - centre) < c else mpmath.mpf(0)

        return mpmath.quad(lambda t: f(cut(t, 0), cut(t, d)), ends)
    if member.name == "gaussian":
        ends = sorted({*(k * x for k in range(-14, 27, 4)), d, *kinks})
        return mpmath.quad(lambda t: f(mpmath.npdf(t, 0, x), mpmath.npdf(t, d, x)), ends)
    if member.name == "krr":
        k, e = int(member.arguments[0]), mpmath.exp(x)
        masses = [e / (e + k - 1)] + [1 / (e + k - 1)] * (k - 1)
        return mpmath.fsum(f(masses[y], masses[y - 1]) for y in range(k))
    wide = range(-340, 344)
    if member.name == "geometric":
        weight = (1 - mpmath.exp(-x)) / (1 + mpmath.exp(-x))
        return mpmath.fsum(f(weight * mpmath.exp(-x * abs(y)), weight * mpmath.exp(-x * abs(y - int(d)))) for y in wide)
    near = range(-60, 66)
    law = {y: mpmath.exp(-(mpmath.mpf(y) ** 2) / (2 * x**2)) for y in range(-70, 70)}
    total = mpmath.fsum(law.values())
    return mpmath.fsum(f(law[y] / total, law[y - int(d)] / total) for y in near)


def kink(member: Family, eps) -> list:
    """Where the loss of the two densities equals eps."""
    x, d = (mpmath.mpf(int(v.p)) / int(v.q) for v in (member.arguments[0], member.sensitivity))
    return [(d - x * eps) / 2] if member.name == "laplace" else [d / 2 - eps * x**2 / d]


@pytest.mark.parametrize("name", FAMILIES)
def test_levels_are_the_integrals(name: str) -> None:
    rng = random.Random(f"noise {name}")
    for _ in range(2):
        member = some(name, rng)
        eps, alpha = Rational(rng.randint(1, 150), 100), Rational(rng.randint(150, 400), 100)
        with mpmath.workdps(DIGITS):
            numbers = {n: mpmath.mpf(int(v.p)) / int(v.q) for n, v in (("eps", eps), ("alpha", alpha))}
            for key, (f, transform) in functions(numbers).items():
                at = {"RDP": {"alpha": alpha}, "ADP": {"eps": eps}, "PDP": {"eps": eps},
                      "RDPlow": {"alpha": 1 / (1 + alpha)}, "RDPhalf": {"alpha": S.Half}}.get(key, {})  # fmt: skip
                try:
                    found = level(member, "RDPlow" if key == "RDPhalf" else key, **at).value
                except UnsupportedError:
                    assert name.endswith("gaussian"), (member, key)
                    assert key == "ABP"
                    continue
                if found == oo:
                    # Some outputs are those of one law only.
                    assert name == "truncated_gaussian"
                    continue
                continuous = name in ("laplace", "gaussian", "truncated_gaussian")
                kinks = [*kink(member, 0), *kink(member, numbers["eps"])] if continuous else []
                value = transform(integrated(member, f, kinks))
                exact = mpmath.mpf(str(found.evalf(DIGITS)))
                assert abs(exact - value) <= mpmath.mpf(10) ** -20 * max(1, abs(value)), (member, key, at)


def test_series_and_integrals_have_proved_bounds() -> None:
    """Bounds of 100 bits lie around the sum or the integral, and one within the other at more bits."""
    rng = random.Random("enclosures")
    for name in ("gaussian", "discrete_gaussian", "truncated_gaussian"):
        member = some(name, rng)
        found = level(member, "JS")
        with mpmath.workdps(DIGITS):
            value = integrated(
                member, functions({"alpha": mpmath.mpf(2), "eps": mpmath.mpf(1)})["JS"][0], kink(member, 0)
            )
            low, high = (mpmath.mpf(end.numerator) / end.denominator for end in (found.lo, found.hi))
            assert low - mpmath.mpf(10) ** -20 <= value <= high + mpmath.mpf(10) ** -20
        assert found.hi - found.lo < Fraction(1, 2**90)
        inner = js_bounds(member, 300)
        assert found.lo <= inner[0] <= inner[1] <= found.hi
    for sigma in (Rational(1, 5), Rational(7, 3), Rational(40)):
        one = GaussSum(1 / (2 * sigma**2), Rational(1, 3), rng.randint(-5, 60))
        (low, high), (lower, higher) = bounds(one, 60), bounds(one, 200)
        assert low <= lower <= higher <= high


def test_bounds_of_theta_hold_for_every_rate() -> None:
    """Against Jacobi's third theta function, over ten orders of magnitude."""
    rng = random.Random("theta")
    for _ in range(40):
        rate = Rational(rng.randint(1, 1000), 1000) * Rational(10) ** rng.randint(-4, 3)
        low, high = (to_sympy(end).evalf(40) for end in theta_bounds(from_sympy(rate)))
        with mpmath.workdps(40):
            value = mpmath.jtheta(3, 0, mpmath.exp(-mpmath.mpf(rate.p) / rate.q))
            assert mpmath.mpf(str(low)) <= value * (1 + mpmath.mpf(10) ** -30)
            assert value <= mpmath.mpf(str(high)) * (1 + mpmath.mpf(10) ** -30)


@pytest.mark.parametrize("density", [laplace_density(), gaussian_density(), truncated_density()])
def test_every_antiderivative_differentiates_to_its_integrand(density) -> None:
    for integrand, antiderivative in density.claims():
        assert simplify((antiderivative.diff(U) - integrand) / density.q) == 0


def test_the_worst_place_of_the_exponential_mechanism_is_stationary_and_the_largest() -> None:
    a = Symbol("a", positive=True)
    rng = random.Random("places")
    for key in ("TV", "KL", "CHI2", "HELL2", "RDP"):
        for _ in range(2):
            at = {EPS: Rational(rng.randint(10, 400), 100), ALPHA: Rational(rng.randint(150, 400), 100)}
            pair = placed(a)
            curve = {
                "TV": lambda p: p.atoms[0][0] - p.atoms[0][1],
                "KL": lambda p: p.kullback(),
                "CHI2": lambda p: p.power(S(2)) - 1,
                "HELL2": lambda p: 1 - p.power(S.Half),
                "RDP": lambda p: log(p.power(ALPHA)) / (ALPHA - 1),
            }[key](pair).subs(at)
            place = POSITIONS[key].subs(at)
            assert abs(curve.diff(a).subs(a, place).evalf(30)) < 1e-20, key
            best = family("exponential", at[EPS]).level(key, **({"alpha": at[ALPHA]} if key == "RDP" else {}))
            assert abs((best - curve.subs(a, place)).evalf(30)) < 1e-20, key
            f = lambdify(a, curve, "mpmath")
            low = mpmath.exp(-mpmath.mpf(str(at[EPS].evalf(20))))
            for step in range(1, 20):
                assert f(low + (1 - low) * step / 20) <= mpmath.mpf(str(best.evalf(20))) + 1e-12


def test_no_exponential_mechanism_exceeds_the_levels_of_its_family() -> None:
    rng = random.Random("utilities")
    for _ in range(10):
        eps, size = rng.uniform(0.2, 4), rng.randint(2, 5)
        first = [rng.uniform(-3, 3) for _ in range(size)]
        second = [u + rng.choice((-1, 1, rng.uniform(-1, 1))) for u in first]
        rows = []
        for utilities in (first, second):
            weights = [mpmath.exp(eps * u / 2) for u in utilities]
            rows.append([w / mpmath.fsum(weights) for w in weights])
        exact = family("exponential", Rational(Fraction(eps).numerator, Fraction(eps).denominator))
        for key, (f, transform) in functions({"eps": mpmath.mpf(eps) / 3, "alpha": mpmath.mpf(3)}).items():
            at = {
                "RDP": {"alpha": S(3)},
                "ADP": {"eps": exact.arguments[0] / 3},
                "PDP": {"eps": exact.arguments[0] / 3},
            }
            if key in ("RDPlow", "RDPhalf"):
                continue
            reached = transform(mpmath.fsum(f(p, q) for p, q in zip(*rows, strict=True)))
            assert reached <= mpmath.mpf(str(exact.level(key, **at.get(key, {})).evalf(25))) + 1e-10, key


def test_concentrated_and_gaussian_levels_bound_every_order_and_every_test() -> None:
    rng = random.Random("orders")
    for name in ("laplace", "geometric", "exponential", "gaussian"):
        member = family(name, Rational(rng.randint(30, 300), 100))
        rho, mu = member.level("ZCDP").evalf(30), member.level("GDP").evalf(30)
        for _ in range(20):
            alpha = 1 + Rational(rng.randint(1, 2000), 100)
            assert member.level("RDP", alpha=alpha).evalf(30) / alpha <= rho + 1e-20
        for _ in range(20):
            error = Rational(rng.randint(1, 99), 100)
            if name != "exponential":
                with mpmath.workdps(30):
                    z = mpmath.sqrt(2) * mpmath.erfinv(1 - 2 * mpmath.mpf(error.p) / error.q)
                    normal = mpmath.ncdf(z - mpmath.mpf(str(mu)))
                assert mpmath.mpf(str(trade_off(member, error).evalf(25))) >= normal - mpmath.mpf(10) ** -18


@pytest.mark.parametrize("name", ["laplace", "gaussian", "truncated_gaussian", "geometric", "krr"])
def test_the_trade_off_function_is_the_error_of_likelihood_ratio_tests(name: str) -> None:
    """The test that accepts losses above a number has the least error of the second kind (Neyman and Pearson)."""
    rng = random.Random(f"tests {name}")
    for _ in range(3):
        member = some(name, rng)
        with mpmath.workdps(DIGITS):
            # At a jump of the loss tests are mixed; between jumps thresholds are as good as any.
            for eps in (mpmath.mpf(rng.randint(-80, 80)) / 100 for _ in range(3)):
                g, kinks = (
                    mpmath.exp(eps),
                    kink(member, eps) if name in ("laplace", "gaussian", "truncated_gaussian") else [],
                )
                first = integrated(member, lambda p, q, g=g: q if p > g * q else mpmath.mpf(0), kinks)
                second = integrated(member, lambda p, q, g=g: p if p <= g * q else mpmath.mpf(0), kinks)
                error = Float(mpmath.nstr(first, DIGITS), DIGITS)
                found = mpmath.mpf(str(trade_off(member, error).evalf(DIGITS)))
                assert abs(found - second) <= mpmath.mpf(10) ** -20, (member, eps)


def test_no_test_of_an_exponential_mechanism_beats_its_trade_off_function() -> None:
    """f(a) = (1 - a)/(1 + a (e^eps - 1)) is below every two-point law's, and touches one at each error."""
    eps = mpmath.mpf(3) / 2
    member = family("exponential", Rational(3, 2))
    for i in range(1, 30):
        low = mpmath.exp(-eps) + (1 - mpmath.exp(-eps)) * i / 30
        q = (1 - low) / (low * mpmath.exp(eps) - low)
        p = low * mpmath.exp(eps) * q
        corner = mpmath.mpf(str(trade_off(member, Float(mpmath.nstr(q, 15), 15)).evalf(15)))
        assert abs(corner - (1 - p)) < mpmath.mpf(10) ** -12
        assert mpmath.mpf(str(trade_off(member, Float(str(q / 2), 15)).evalf(15))) <= 1 - p / 2


@pytest.mark.parametrize("name", ["laplace", "gaussian", "geometric", "krr"])
def test_the_trade_off_function_is_the_envelope_of_the_hockey_stick(name: str) -> None:
    """f(a) = sup over eps of 1 - delta(eps) - exp(eps) a, both signs of eps by symmetry."""
    rng = random.Random(name)
    for _ in range(4):
        member = some(name, rng)
        error = mpmath.mpf(rng.randint(5, 95)) / 100
        curve = lambdify(Symbol("t"), member.level("ADP", eps=Symbol("t")), "mpmath")
        best = mpmath.mpf(0)
        for step in range(2000):
            t = mpmath.mpf(step) / 200
            delta = curve(t)
            best = max(best, 1 - delta - mpmath.exp(t) * error, mpmath.exp(-t) * (1 - delta - error))
        found = mpmath.mpf(str(trade_off(member, Rational(int(error * 100), 100)).evalf(15)))
        assert best - 1e-9 <= found <= best + 2e-2


def test_randomized_response_is_the_finite_mechanism() -> None:
    for k in (2, 3, 5):
        member, finite = family("krr", k, log(3)), kary_randomized_response(k, ratio=3)
        for key in ("DP", "RB", *MEANS, "GDP"):
            assert abs((member.level(key) - level(finite, key).value).evalf(25)) < 1e-20, (k, key)
    assert level(family("krr", 3, log(3)), "ZCDP").value > 0


def test_symbols_stay_symbols() -> None:
    b = Symbol("b")
    assert simplify(family("laplace", b).level("RDP", alpha=2) - log((2 * exp(1 / b) + exp(-2 / b)) / 3)) == 0
    assert family("gaussian", Symbol("sigma"), sensitivity=Symbol("c")).level("ZCDP") == Symbol("c") ** 2 / (
        2 * Symbol("sigma") ** 2
    )
    assert family("laplace", b).level("RDP", alpha=oo) == 1 / b
    table = profile(family("laplace", b))
    assert table["TV"].value == 1 - exp(-1 / (2 * b))
    assert "SP" not in table


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("laplace(-1)", "expected a positive number"),
        ("gaussian(0)", "expected a positive number"),
        ("krr(1, 1)", "at least 2"),
        ("krr(5/2, 1)", "at least 2"),
        ("geometric(1, sensitivity=1/2)", "a whole number"),
        ("laplace()", "takes b"),
        ("laplace(1, 2)", "takes b"),
        ("laplce(1)", "no family"),
        ("laplace(oo)", "oo"),
        ("truncated_gaussian(1)", "takes sigma, B"),
        ("truncated_gaussian(1, 0)", "expected a positive number"),
        ("laplace(1, width=2)", "expected sensitivity="),
        ("laplace(__import__('os'))", "unexpected"),
    ],
)
def test_bad_families_are_refused_in_one_line(text: str, said: str) -> None:
    with pytest.raises(SymPrivacyError) as error:
        read_family(text)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_missing_and_wrong_parameters_are_named() -> None:
    with pytest.raises(InputError, match="expected alpha="):
        family("laplace", 1).level("RDP")
    with pytest.raises(InputError, match="outside"):
        family("laplace", 1).level("RDP", alpha=Rational(1, 2))
    with pytest.raises(InputError, match="no further parameter"):
        family("laplace", 1).level(get("KL"), alpha=2)


@pytest.mark.parametrize(
    "text",
    [
        "laplace(b)",
        "gaussian(sigma)",
        "geometric(eps, sensitivity=2)",
        "krr(k, eps)",
        "exponential(eps)",
        "truncated_gaussian(sigma, B)",
        "discrete_gaussian(sigma)",
        "discrete_gaussian(2, sensitivity=3)",
    ],
)
def test_every_family_has_a_page_in_text_latex_and_json(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    from symprivacy.cli.main import run

    for option in ([], ["--latex"], ["--json"]):
        assert run(["show", text, *option]) == 0
        shown = capsys.readouterr().out
        assert "KL" in shown
        assert "Dummy" not in shown


def test_the_loss_has_mass_one() -> None:
    for member in (family("laplace", 2), family("geometric", Rational(1, 2), sensitivity=3), family("krr", 4, 1)):
        law = member.loss()
        total = sum(value for name, value in law.items() if name.startswith("mass"))
        if "density under P" in law:
            u = Symbol("u", real=True)
            total += integrate(law["density under P"], (u, -member.largest_loss(), member.largest_loss()))
        assert abs(total.evalf(25) - 1) < 1e-20


def test_a_plot_needs_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from symprivacy.cli.main import run

    for text in ("laplace(2)", "discrete_gaussian(2)", "truncated_gaussian(1, 2)"):
        assert run(["show", text, "--plot", str(tmp_path / "x.png")]) == 0
        assert (tmp_path / "x.png").stat().st_size > 1000
    assert run(["show", "laplace(b)", "--plot", str(tmp_path / "y.png")]) == 2
    assert "numbers" in capsys.readouterr().err


def test_orders_below_one_are_skew_symmetric_and_hellinger_at_one_half() -> None:
    """(1 - a) D_a(P, Q) = a D_(1-a)(Q, P), so both orders together have levels in the ratio a : 1 - a."""
    finite = kary_randomized_response(3, ratio=4)
    half = level(finite, "RDPlow", alpha=Rational(1, 2)).value
    assert abs((half + 2 * log(1 - level(finite, "HELL2").value)).evalf(25)) < 1e-20
    for a in (Rational(1, 3), Rational(1, 10)):
        one, other = (level(finite, "RDPlow", alpha=x).value for x in (a, 1 - a))
        assert abs(((1 - a) * one - a * other).evalf(25)) < 1e-20
    apart = Mechanism.secrets([[1, 0], [0, 1]])
    assert level(apart, "RDPlow", alpha=Rational(1, 2)).value == oo
