"""Runs of pure and approximate DP, one after the other, exactly by their privacy loss.

Adaptive runs of eps-DP are dominated by randomized responses of the same levels (Kairouz, Oh, Viswanath 2015, Theorem
3.3; Murtagh, Vadhan 2016, Theorem 1.5 for different levels), whose joint law is a product of binomial ones; the
hockey-stick of that law is the exact answer. With (eps, delta)-ADP each run is in addition disjoint with probability
delta, independently of the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import comb, prod

import mpmath
from mpmath.libmp import fone, from_int, mpf_add, mpf_cmp, mpf_mul, mpf_shift

from symprivacy.errors import InputError
from symprivacy.implications.formula import Formula, constants, expression, settle
from symprivacy.implications.numbers.decimals import decimal
from symprivacy.implications.numbers.order import below
from symprivacy.implications.parameters import canonical, checked, compare
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import ONE, Expr, add, mul, num, power, rational, sub, var
from symprivacy.kernel.interval import Interval
from symprivacy.notions.kinds import Kind

MOST_ATOMS = 200_000
Atoms = list[tuple[Interval, Interval]]


@dataclass(frozen=True)
class Runs:
    """So many runs of each of some guarantees (eps, delta)."""

    parts: tuple[tuple[Expr, Expr, int], ...]

    @classmethod
    def of(cls, parts: Sequence[Mapping[str, object]], times: int = 1) -> Runs:
        """All parts, the whole so many times; equal ones are counted together.

        >>> runs = Runs.of([{"eps": 1}, {"eps": 2, "delta": "1/10"}, {"eps": 1}], times=3)
        >>> [count for _, _, count in runs.parts]
        [6, 3]
        """
        if times < 1:
            raise InputError(f"times={times}, expected at least one run")
        if not parts:
            raise InputError("composition of no mechanism")
        counts: dict[tuple[Expr, Expr], int] = {}
        for part in parts:
            if not {"eps"} <= set(part) <= {"eps", "delta"}:
                raise InputError(
                    f"a run takes eps and perhaps delta; got {', '.join(map(str, part))[:80] or 'nothing'}"
                )
            key = _read(part["eps"], "eps"), _read(part.get("delta", 0), "delta")
            counts[key] = counts.get(key, 0) + times
        atoms = prod(count + 1 for count in counts.values())
        if atoms > MOST_ATOMS:
            raise InputError(f"{atoms} values of the privacy loss are too many, expected at most {MOST_ATOMS}")
        return cls(tuple((eps, delta, count) for (eps, delta), count in counts.items()))

    @cached_property
    def pure(self) -> bool:
        """Whether no run fails altogether."""
        return all(delta.op == "num" and not rational(delta) for _, delta, _ in self.parts)

    def total(self, prec: int) -> Interval:
        """The sum of all eps."""
        total = iv.ZERO
        for eps, _, count in self.parts:
            total = iv.add(total, iv.mul(iv.from_fraction(count, prec), enclose(eps, {}, prec), prec), prec)
        return total

    def compare_total(self, eps2: Expr) -> int | None:
        """The sign of eps2 minus the sum of all eps."""
        given = {f"e{i}": eps for i, (eps, _, _) in enumerate(self.parts)}
        total = add(*(mul(num(count), var(name)) for name, (_, _, count) in zip(given, self.parts, strict=True)))
        return compare(Formula("eps2"), Formula(total), {**given, "eps2": eps2})

    def compare_failure(self, delta: Expr) -> int | None:
        """The sign of delta minus the probability that some run fails altogether."""
        for prec in (100, 400, 1600):
            failing, asked = iv.sub(iv.ONE, self.kept(prec), prec), enclose(delta, {}, prec)
            if below(asked, failing) or below(failing, asked):
                return 1 if below(failing, asked) else -1
        given = {f"d{i}": d for i, (_, d, _) in enumerate(self.parts)}
        kept = [power(sub(ONE, var(d)), num(count)) for d, (_, _, count) in zip(given, self.parts, strict=True)]
        return compare(Formula("delta"), Formula(sub(ONE, mul(*kept))), {**given, "delta": delta})

    def kept(self, prec: int) -> Interval:
        """The probability that no run fails altogether."""
        kept = iv.ONE
        for _, delta, count in self.parts:
            one = iv.sub(iv.ONE, enclose(delta, {}, prec), prec)
            kept = iv.mul(kept, iv.power_int(one, count, prec), prec)
        return kept

    def atoms(self, prec: int) -> Atoms:
        """(P, Q) of every value of the privacy loss of the responses."""
        return _atoms(tuple((eps, count) for eps, _, count in self.parts), prec)

    def stick(self, e: Interval, prec: int) -> Interval:
        """The hockey-stick of the responses at exp(eps2) = e."""
        total = iv.ZERO
        for p, q in self.atoms(prec):
            total = iv.add(total, iv.maximum(iv.ZERO, iv.sub(p, iv.mul(e, q, prec), prec)), prec)
        return total


def _read(number: object, name: str) -> Expr:
    return checked(number, name, canonical(Kind.STICK).key)


@lru_cache(maxsize=8)
def _atoms(parts: tuple[tuple[Expr, int], ...], prec: int) -> Atoms:
    found: Atoms = [(iv.ONE, iv.ONE)]
    for eps, count in parts:
        wp = prec + 2 * count.bit_length() + 20
        box = constants({"eps": eps}, wp)
        good, bad = (_powers(enclose(expression(t), box, wp), count, wp) for t in ("1/(1+exp(-eps))", "1/(1+exp(eps))"))
        law = []
        for i in range(count + 1):
            ways = iv.from_fraction(Fraction(comb(count, i)), wp)
            law.append(
                (
                    iv.mul(ways, iv.mul(good[i], bad[count - i], wp), wp),
                    iv.mul(ways, iv.mul(bad[i], good[count - i], wp), wp),
                )
            )
        found = [(iv.mul(a, p, wp), iv.mul(b, q, wp)) for a, b in found for p, q in law]
    return found


def _powers(x: Interval, most: int, prec: int) -> list[Interval]:
    powers = [iv.ONE]
    for _ in range(most):
        powers.append(iv.mul(powers[-1], x, prec))
    return powers


def delta_of_runs(runs: Runs, eps2: object, digits: int = 30) -> tuple[str, str]:
    """The smallest delta of the runs at eps2, enclosed.

    >>> delta_of_runs(Runs.of([{"eps": 1}]), "1/2", 10)
    ('0.2876491366', '0.2876491367')
    >>> delta_of_runs(Runs.of([{"eps": 1, "delta": "1/10"}], times=2), 2, 10)
    ('0.1899999999', '0.1900000001')
    """
    asked = _read(eps2, "eps2")

    beyond = runs.compare_total(asked) in (0, 1)

    def evaluate(prec: int) -> Interval:
        e = iv.ZERO if beyond else enclose(expression("exp(eps2)"), constants({"eps2": asked}, prec), prec)
        best = iv.ZERO if beyond else runs.stick(e, prec)
        if runs.pure:
            return best
        return iv.sub(iv.ONE, iv.mul(runs.kept(prec), iv.sub(iv.ONE, best, prec), prec), prec)

    found = iv.minimum(iv.ONE, settle(evaluate, digits))
    return decimal(found[0], digits, up=False), decimal(found[1], digits, up=True)


def eps_of_runs(runs: Runs, delta: object, digits: int = 30) -> tuple[str, str]:
    """The smallest eps2 such that the runs are (eps2, delta)-ADP, enclosed; oo where they fail more often than delta.

    >>> eps_of_runs(Runs.of([{"eps": 3}], times=100), "1/1000000", 10)
    ('299.9998711', '299.9998712')
    >>> eps_of_runs(Runs.of([{"eps": 1}, {"eps": "1/2"}]), "1/10", 10)
    ('1.251853942', '1.251853943')
    >>> eps_of_runs(Runs.of([{"eps": 1, "delta": "1/10"}]), "1/20", 10)
    ('oo', 'oo')
    """
    bound = _read(delta, "delta")
    if compare(Formula("delta"), Formula("1"), {"delta": bound}) == 0:
        return "0", "0"
    room = runs.compare_failure(bound)
    if room is None:
        raise InputError("delta could not be told from the probability that a run fails")
    if room < 0:
        return "oo", "oo"

    def evaluate(prec: int) -> Interval:
        d = enclose(bound, {}, prec)
        if not runs.pure:
            d = iv.sub(iv.ONE, iv.mul(iv.sub(iv.ONE, d, prec), iv.inverse(runs.kept(prec), prec), prec), prec)
        return _smallest(runs, iv.maximum(iv.ZERO, d), prec) if room else runs.total(prec)

    found = settle(evaluate, digits)
    return decimal(found[0], digits, up=False), decimal(found[1], digits, up=True)


def _smallest(runs: Runs, d: Interval, prec: int) -> Interval:
    """Every test needs exp(eps2) >= (P - delta)/Q; a demand that the hockey-stick confirms is the largest one."""
    total = runs.total(prec)
    if mpf_cmp(runs.stick(iv.ONE, prec)[1], d[0]) <= 0:
        return iv.ZERO
    atoms = sorted(runs.atoms(prec), key=lambda pq: mpmath.mp.make_mpf(pq[0][0]) / mpmath.mp.make_mpf(pq[1][1]))
    p = q = iv.ZERO
    most = iv.ONE
    for one, other in reversed(atoms):
        p, q = iv.add(p, one, prec), iv.add(q, other, prec)
        gap = iv.sub(p, d, prec)
        if below(iv.ZERO, gap):
            most = iv.maximum(most, iv.mul(gap, iv.inverse(q, prec), prec))
    low = iv.maximum(iv.ZERO, enclose(expression("log(x)"), {"x": most}, prec))[0]
    # A little more than the largest demand seen, confirmed without regard to the order in which tests were taken.
    for loosen in (12, prec // 4, prec // 2):
        e = mpf_mul(most[1], mpf_add(fone, mpf_shift(from_int(1), loosen - prec), prec, "u"), prec, "u")
        if mpf_cmp(runs.stick((e, e, False, False), prec)[1], d[0]) <= 0:
            high = enclose(expression("log(x)"), {"x": (e, e, False, False)}, prec)[1]
            return low, min((high, total[1]), key=mpmath.mp.make_mpf), False, False
    return low, total[1], False, False
