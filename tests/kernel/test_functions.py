"""The guarded elementary functions: never on the wrong side, exact where they should be, and tight."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import flint
import mpmath
import pytest
from mpmath.libmp import from_man_exp, from_rational, fzero, mpf_cmp, mpf_neg, mpf_sub

from symprivacy.kernel import functions as fn
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose_constant
from symprivacy.language.text import parse
from tests.kernel.arb import end

POINTS = 700


def _tiny(m: int, bits: int, rng: random.Random) -> iv.Real:
    return from_man_exp(m, -bits - rng.choice([1, 10, 40, 90, 300, 5000]))


def _unit(m: int, bits: int, rng: random.Random) -> iv.Real:
    return from_man_exp(m, -bits)


def _above_one(m: int, bits: int, rng: random.Random) -> iv.Real:
    return from_man_exp((1 << bits) + (m >> rng.randrange(1, bits)) + 1, -bits)


def _below_one(m: int, bits: int, rng: random.Random) -> iv.Real:
    return from_man_exp((1 << bits) - (m >> rng.randrange(1, bits)) - 1, -bits)


def _medium(m: int, bits: int, rng: random.Random) -> iv.Real:
    return from_man_exp(m, rng.randrange(1, 7) - bits)


def _large(m: int, bits: int, rng: random.Random) -> iv.Real:
    return from_man_exp(m, rng.randrange(7, 39) - bits)


def _far(m: int, bits: int, rng: random.Random) -> iv.Real:
    return from_man_exp(m, rng.randrange(39, 80) - bits)


def _huge(m: int, bits: int, rng: random.Random) -> iv.Real:
    return from_man_exp(m, rng.choice([41, 60, 300]) - bits)


Kind = Callable[[int, int, random.Random], iv.Real]
NEAR: list[Kind] = [_tiny, _unit, _above_one, _below_one, _medium]
# Function, whether negative arguments are tried too, and where.
FUNCTIONS: dict[str, tuple[bool, list[Kind]]] = {
    "exp": (True, [*NEAR, _large, _far]),
    "log": (False, [*NEAR, _large, _huge]),
    "sinh": (True, [*NEAR, _large, _far]),
    "cosh": (True, [*NEAR, _large, _far]),
    "tanh": (True, [*NEAR, _large, _huge]),
    "asinh": (True, [*NEAR, _large, _huge]),
    "acosh": (False, [_above_one, _above_one, _medium, _large, _huge]),
    "atanh": (True, [_tiny, _unit, _below_one]),
    "erf": (True, [*NEAR, _large]),
    "erfc": (True, [*NEAR, _large]),
    "erfinv": (True, [_unit, _below_one]),
}


def _arguments(name: str, bits: int, count: int) -> list[iv.Real]:
    signed, kinds = FUNCTIONS[name]
    rng = random.Random(f"{name} {bits}")
    found = []
    while len(found) < count:
        v = rng.choice(kinds)(rng.getrandbits(bits) | 1, bits, rng)
        inside = name not in ("atanh", "erfinv", "acosh") or (mpf_cmp(v, iv.ONE[0]) > 0) == (name == "acosh")
        if v != fzero and inside and v != iv.ONE[0]:
            found.append(mpf_neg(v) if signed and rng.random() < 0.5 else v)
    return found


@pytest.mark.parametrize("bits", [53, 12, 130, 400])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_value_is_inside(name: str, bits: int) -> None:
    """At thousands of numbers, tiny, near 1 and huge, the enclosure does not exclude Arb's value."""
    function = getattr(fn, name)
    count = POINTS if bits == 53 else POINTS // 5
    for v in _arguments(name, bits, count // 10 if name == "erfinv" else count):
        r = function((v, v, False, False), bits)
        flint.ctx.prec = bits + 250 + max(0, 2 * int(v[2] + v[3])) + (16000 if name == "erfc" else 0)
        true = getattr(end(v), name)()
        assert not (iv.is_finite(r[0]) and true < end(r[0])), (v, iv.to_text(r, 30))
        assert not (iv.is_finite(r[1]) and true > end(r[1])), (v, iv.to_text(r, 30))


@pytest.mark.parametrize("zeros", [49, 50, 51, 60, 200, 201, 700, 3000])
def test_erfinv_is_tight_however_close_to_one(zeros: int) -> None:
    """Arb's value is inside, and three units in the last place are enough, on both sides of 0."""
    y = mpf_sub(iv.ONE[0], from_man_exp(3, -zeros - 1))
    for v in (y, mpf_neg(y)):
        r = fn.erfinv((v, v, False, False), 53)
        flint.ctx.prec = 3 * zeros + 300
        assert end(r[0]) <= end(v).erfinv() <= end(r[1])
        size = max(abs(iv.to_fraction(r[0])), abs(iv.to_fraction(r[1])))
        assert iv.to_fraction(r[1]) - iv.to_fraction(r[0]) <= 3 * size / 2**52


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_enclosure_is_tight(name: str) -> None:
    """At one number the enclosure is at most three units in the last place wide, wherever it is bounded."""
    for v in _arguments(name, 53, 60 if name == "erfinv" else 200):
        r = getattr(fn, name)((v, v, False, False), 53)
        if iv.is_finite(r[0]) and iv.is_finite(r[1]) and abs(r[0][2]) <= iv.MOST_BITS and -2000 < v[2] + v[3] < 16:
            size = max(abs(iv.to_fraction(r[0])), abs(iv.to_fraction(r[1])))
            assert iv.to_fraction(r[1]) - iv.to_fraction(r[0]) <= 3 * size / 2**52, (v, iv.to_text(r, 30))


@pytest.mark.parametrize(
    ("name", "argument"),
    [
        ("exp", Fraction(3893924827815215, 1125899906842624)),
        ("exp", Fraction(-3, 2**37)),
        ("log", Fraction(4503599627370497, 2**52)),
        # acosh near 1 loses bits at working precision.
        ("acosh", 1 + Fraction(1, 2**52)),
        ("acosh", 1 + Fraction(3, 2**90)),
    ],
)
@pytest.mark.parametrize("bits", [53, 60, 100, 200, 1000])
def test_inputs_that_mpmath_gets_wrong(name: str, argument: Fraction, bits: int) -> None:
    """Inputs at which mpmath's own rounding lands on the wrong side (mpmath issue 1181)."""
    r = getattr(fn, name)(iv.from_fraction(argument, bits), bits)
    flint.ctx.prec = bits + 400
    true = getattr(flint.arb(flint.fmpq(argument.numerator, argument.denominator)), name)()
    assert end(r[0]) < true < end(r[1])


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("exp(0)", 1),
        ("log(1)", 0),
        ("sinh(0)", 0),
        ("cosh(0)", 1),
        ("tanh(0)", 0),
        ("asinh(0)", 0),
        ("acosh(1)", 0),
        ("atanh(0)", 0),
        ("erf(0)", 0),
        ("erfc(0)", 1),
        ("erfinv(0)", 0),
        ("sqrt(4)", 2),
        ("sqrt(1/4)", Fraction(1, 2)),
        ("sqrt(0)", 0),
        ("0**(1/3)", 0),
        ("1**(1/3)", 1),
        ("4**(3/2)", 8),
        ("4**(-1/2)", Fraction(1, 2)),
        ("(1/4)**(5/2)", Fraction(1, 32)),
        ("(-3)**3", -27),
        ("0**pi", 0),
    ],
)
@pytest.mark.parametrize("bits", [12, 53, 200])
def test_values_that_are_exact(text: str, exact: int | Fraction, bits: int) -> None:
    """Where two bounds touch the value must be exact, at any precision."""
    r = enclose_constant(parse(text), bits)
    assert iv.to_fraction(r[0]) == iv.to_fraction(r[1]) == exact
    assert r[2:] == (False, False)


@pytest.mark.parametrize("bits", [2, 12, 53, 54, 333])
def test_pi_is_inside(bits: int) -> None:
    """pi lies strictly between the ends of its enclosure."""
    lo, hi, _, _ = fn.pi(bits)
    flint.ctx.prec = bits + 200
    assert end(lo) < flint.arb.pi() < end(hi)


def test_real_powers() -> None:
    """x**q for random rational x and q, by both routes, contains Arb's value."""
    rng = random.Random(5)
    for _ in range(600):
        base = Fraction(rng.randrange(1, 10**6), rng.randrange(1, 10**6)) ** rng.choice([1, 3])
        q = Fraction(rng.randrange(-40, 40), rng.choice([1, 2, 3, 7, 100]))
        bits = rng.choice([20, 53, 150])
        at = iv.from_fraction(base, bits)
        routes = [fn.power_rational(at, q, bits), fn.power(at, iv.from_fraction(q, bits), bits)]
        flint.ctx.prec = bits + 300
        log = flint.arb(flint.fmpq(base.numerator, base.denominator)).log()
        true = (log * flint.fmpq(q.numerator, q.denominator)).exp()
        for r in routes:
            assert not true < end(r[0]), (base, q)
            assert not true > end(r[1]), (base, q)


def test_directed_rounding_of_the_field_operations() -> None:
    """Sums, products, quotients, square roots and powers round outward, compared exactly."""
    rng = random.Random(7)
    for _ in range(1500):
        p, q = (
            Fraction(rng.randrange(-(10**9), 10**9), rng.randrange(1, 10 ** rng.randrange(1, 12))) for _ in range(2)
        )
        bits, n = rng.choice([5, 24, 53]), rng.randrange(2, 9)
        u, v = iv.from_fraction(p, bits), iv.from_fraction(q, bits)
        pairs = [(u, p), (iv.add(u, v, bits), p + q), (iv.sub(u, v, bits), p - q), (iv.mul(u, v, bits), p * q)]
        pairs += [(iv.power_int(u, n, bits), p**n)]
        if q:
            pairs += [(iv.inverse(v, bits), 1 / q)]
        for r, true in pairs:
            assert iv.to_fraction(r[0]) <= true <= iv.to_fraction(r[1])
        lo, hi, _, _ = iv.sqrt(iv.absolute(u), bits)
        assert iv.to_fraction(lo) ** 2 <= abs(p) <= iv.to_fraction(hi) ** 2


def test_from_rational_of_large_numbers() -> None:
    """A fraction of large integers is enclosed tightly."""
    q = Fraction(10**400 + 1, 3**500)
    lo, hi, _, _ = iv.from_fraction(q, 53)
    assert iv.to_fraction(lo) < q < iv.to_fraction(hi)
    assert lo == from_rational(q.numerator, q.denominator, 53, "f")


@pytest.mark.parametrize("text", ["exp(exp(exp(exp(100))))", "cosh(10**30)", "exp(10**100) - 1", "1/exp(-10**100)"])
def test_overflow_is_half_infinite(text: str) -> None:
    """Numbers beyond every use get a true lower bound and no upper one, at once."""
    lo, hi, _, _ = enclose_constant(parse(text))
    assert mpf_cmp(lo, iv.from_fraction(10**100, 53)[0]) > 0
    assert not iv.is_finite(hi)


@pytest.mark.parametrize("text", ["exp(-exp(exp(100)))", "erfc(10**9)", "1/exp(exp(exp(100)))", "erfc(exp(exp(9)))"])
def test_underflow_stays_positive(text: str) -> None:
    """What underflows is still known to be positive."""
    assert iv.sign_known(enclose_constant(parse(text))) == 1


@pytest.mark.parametrize("zeros", [1, 60, 10**4, 10**12, 10**30])
def test_erfinv_next_to_zero_is_its_tangent(zeros: int) -> None:
    """erfinv(y) is a little above sqrt(pi)*y/2, also where 1 - y has more digits than there is room for."""
    y = (0, 1, -zeros, 1)
    lo, hi = (mpmath.mp.make_mpf(side) for side in fn.erfinv((y, y, False, False), 100)[:2])
    with mpmath.workprec(200):
        tangent = mpmath.ldexp(mpmath.sqrt(mpmath.pi) / 2, -zeros)
        assert hi > tangent
        assert lo < tangent * (1 + mpmath.ldexp(mpmath.mpf(4), -2 * min(zeros, 100)))
        assert hi - lo < tangent * mpmath.ldexp(mpmath.mpf(1), -80)
