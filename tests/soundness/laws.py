"""Attacks on identities: laws of powers and logarithms where they hold, and where they do not."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from symprivacy.kernel.data import from_data
from tests.kernel.arb import UndefinedError, UnresolvedError, sign, value
from tests.soundness import generate as g
from tests.soundness.attack import Outcome, accepted, certificate

Data = Any
_EXPONENTS = [Fraction(p, q) for p in (-3, -2, -1, 1, 2, 3, 4) for q in (1, 1, 2, 3)]
_ENDS = [Fraction(p, 2) for p in (-4, -2, -1, 0, 0, 1, 2, 5)]


def _range(rng: Random) -> tuple[list[Any], list[Fraction]]:
    lo, hi = sorted(rng.sample(_ENDS, 2))
    if lo == hi:
        hi = lo + 1
    flags = [rng.random() < 0.4, rng.random() < 0.4]
    points = [lo + (hi - lo) * t for t in (Fraction(1, 2), Fraction(1, 7), Fraction(5, 6))]
    points += ([] if flags[0] else [lo]) + ([] if flags[1] else [hi]) + ([Fraction(0)] if lo < 0 < hi else [])
    return [g.rational(lo), g.rational(hi), *flags], points


def _base(rng: Random) -> Data:
    kind = rng.randrange(8)
    v, w = rng.choice("xy"), rng.choice("xy")
    shapes = (v, v, ["+", v, 1], g.minus(v, w), ["*", -1, v], ["exp", v], ["^", v, 2], ["+", v, ["^", w, 2]])
    return shapes[kind] if rng.random() < 0.9 else g.tree(rng, ["x", "y"], 1, smooth=True)


def _power(base: Data, q: Fraction) -> Data:
    return base if q == 1 else ["^", base, g.rational(q)]


def law(rng: Random) -> list[Any]:
    """A rewrite ``[axiom, part, new]`` that is true for positive numbers, as a rule."""
    factors = [(_base(rng), rng.choice(_EXPONENTS)) for _ in range(rng.choice((1, 2, 2, 3)))]
    if rng.random() < 0.2:
        factors.append((g.rational(rng.choice((Fraction(2), Fraction(-1), Fraction(4), Fraction(-8)))), Fraction(1)))
    q = rng.choice([f for f in _EXPONENTS if f.denominator > 1])
    product = ["*", *(_power(b, k) for b, k in factors)]
    match rng.randrange(5):
        case 0 | 1:
            new = ["+", *(["*", g.rational(k), ["log", b]] for b, k in factors)]
            if rng.random() < 0.3:
                t = _base(rng)
                product, new = [*product, ["exp", t]], [*new, t]
            return ["log", ["log", product], new]
        case 2 | 3:
            return ["root", ["^", product, g.rational(q)], ["*", *(_power(b, k * q) for b, k in factors)]]
    f = rng.choice(("exp", "log", "abs", "tanh", "erf", "erfinv", "atanh", "acosh"))
    other = ["*", *(_power(_power(b, k / 2), Fraction(2)) for b, k in factors)]
    return ["same", [f, product], [f, other]]


def identities(rng: Random, count: int) -> Outcome:
    """Equalities by one or two laws, with other parts beside them whose needs a checker might take for granted."""
    out = Outcome()
    for _ in range(count):
        ranges = {n: _range(rng) for n in "xy"}
        domain = {n: r[0] for n, r in ranges.items()}
        rewrites = [law(rng) for _ in range(rng.choice((1, 1, 2)))]
        left: list[Any] = ["+", *(part for _, part, _ in rewrites)]
        right: list[Any] = ["+", *(new for _, _, new in rewrites)]
        if rng.random() < 0.4:
            beside = rng.choice((["log", _base(rng)], ["^", _base(rng), ["/", 1, 2]], ["^", _base(rng), -1]))
            left, right = [*left, beside], [*right, beside]
        if rng.random() < 0.3:
            left, right = ["*", left, beside := _base(rng)], ["*", right, beside]
        used = rewrites if rng.random() < 0.8 else []
        proof = {"by": "zero", "rewrites": used}
        claim = certificate(left, "==", right, domain, proof, proof)
        gap = from_data(g.minus(left, right), frozenset("xy"))
        wrong = _fails_somewhere(rng, gap, {n: r[1] for n, r in ranges.items()})
        out.counts["identities"] += 1
        out.counts["identities that are false"] += wrong
        for arithmetic in ("mpmath", "arb"):
            if accepted(claim, arithmetic):
                out.counts[f"identities accepted, {arithmetic}"] += 1
                if wrong:
                    out.violate(f"a false identity is accepted by {arithmetic}", claim)
    return out


def _fails_somewhere(rng: Random, gap: Any, points: dict[str, list[Fraction]]) -> bool:
    """Whether the expression certainly is not 0, or has no value, at some point."""
    for _ in range(8):
        at = {n: rng.choice(p) for n, p in points.items()}
        try:
            if sign(value(gap, at, 300)):
                return True
        except UndefinedError:
            return True
        except UnresolvedError:
            continue
    return False
