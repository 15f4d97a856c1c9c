"""A pair of laws by its privacy loss: outcomes with masses, and a part with a density, integrated in closed form.

The density part is written in the loss u = log dP/dQ itself, so that p(u) = exp(u) q(u). Every functional of the
notions is made of few integrals of q; each has an antiderivative here, and :func:`failed` differentiates it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from sympy import (
    Dummy,
    Expr,
    Lambda,
    Max,
    S,
    Symbol,
    atan,
    erf,
    erfc,
    exp,
    expand,
    limit,
    log,
    oo,
    pi,
    powsimp,
    sqrt,
)

U = Symbol("u", real=True)
#: the scale of the pair: the largest loss of Laplace noise, the distance over the deviation of Gaussian noise
SCALE = Dummy("s", positive=True)
#: where noise is cut off, over its deviation
BOUND = Dummy("c", positive=True)


@dataclass(frozen=True)
class Density:
    """The part of Q with a density q(u) of the loss on (lo, hi), and antiderivatives of what is asked of it.

    powers
        of q(u) exp(a u), as a Lambda of (a, u)
    half
        the same at a = 1/2, where the formula above may have a pole
    mean
        of q(u) u exp(u)
    of
        of q(u) f(exp(u)) for further functions f, by name
    """

    lo: Expr
    hi: Expr
    q: Expr
    powers: Lambda
    half: Expr
    mean: Expr
    of: tuple[tuple[str, Expr, Expr], ...] = ()

    @property
    def p(self) -> Expr:
        """The density under P."""
        return powsimp(expand(self.q * exp(U)))

    def power(self, a: Expr, above: Expr | None = None) -> Expr:
        """The integral of q exp(a u) over the losses above a number, all of them if none is given."""
        return self._between(self.half if a == S.Half else self.powers(a, U), above)

    def mean_loss(self) -> Expr:
        """The integral of u exp(u) q, the mean loss under P."""
        return self._between(self.mean, None)

    def further(self, name: str) -> Expr | None:
        """The integral of q f(exp(u)) for a function f by name."""
        found = next((antiderivative for known, _, antiderivative in self.of if known == name), None)
        return None if found is None else self._between(found, None)

    def _between(self, antiderivative: Expr, above: Expr | None) -> Expr:
        return _at(antiderivative, self.hi) - _at(antiderivative, self.lo if above is None else above)

    def claims(self) -> Iterator[tuple[Expr, Expr]]:
        """Every integrand with its antiderivative."""
        a = Dummy("a", positive=True)
        yield self.q * exp(a * U), self.powers(a, U)
        yield self.q * exp(U / 2), self.half
        yield self.q * U * exp(U), self.mean
        for _, f, antiderivative in self.of:
            yield self.q * f, antiderivative


def _at(form: Expr, end: Expr) -> Expr:
    return limit(form, U, end) if end in (oo, -oo) else form.subs(U, end)


@lru_cache(maxsize=1)
def laplace_density() -> Density:
    """Between the two centres, where the loss falls from s to -s; q(u) = exp(-(u + s)/2)/4."""
    s, c = SCALE, exp(-SCALE / 2) / 4
    a, w = Symbol("a"), exp(U / 2)
    js = (exp(U) * log(2 * exp(U) / (1 + exp(U))) + log(2 / (1 + exp(U)))) / 2
    of_js = c * (log(2) * (w - 1 / w) - w * log(1 + exp(-U)) + log(1 + exp(U)) / w - 4 * atan(w))
    abp = (exp(U) - 1) ** 2 / (4 * (exp(U) + 1))
    return Density(
        -s, s, c / w, Lambda((a, U), c * exp((a - S.Half) * U) / (a - S.Half)), c * U, c * (2 * U - 4) * w,
        (("JS", js, of_js), ("ABP", abp, c / 2 * (w - 1 / w - 4 * atan(w)))),
    )  # fmt: skip


@lru_cache(maxsize=1)
def gaussian_density() -> Density:
    """The loss of N(s, 1) against N(0, 1) is N(-s^2/2, s^2) under the second law."""
    s, a = SCALE, Symbol("a")
    normal = exp(-((U + s**2 / 2) ** 2) / (2 * s**2)) / (s * sqrt(2 * pi))

    def powers(order: Expr) -> Expr:
        # erfc keeps its digits far out, where 1 - erf has none.
        return -exp(order * (order - 1) * s**2 / 2) * erfc((U - (order - S.Half) * s**2) / (s * sqrt(2))) / 2

    mean = s**2 / 2 * powers(S.One) - s * exp(-((U - s**2 / 2) ** 2) / (2 * s**2)) / sqrt(2 * pi)
    return Density(-oo, oo, normal, Lambda((a, U), powers(a)), powers(S.Half), mean)


@lru_cache(maxsize=1)
def truncated_density() -> Density:
    """Gaussian noise conditioned on [-c, c]: where both laws have outputs, the loss is at most s c - s^2/2."""
    whole, share, top = gaussian_density(), erf(BOUND / sqrt(2)), reach()
    a = Symbol("a")
    return Density(
        -top, top, whole.q / share, Lambda((a, U), whole.powers(a, U) / share), whole.half / share, whole.mean / share
    )


def reach() -> Expr:
    """The largest finite loss of truncated Gaussian noise; 0 where the two laws have no output in common."""
    return Max(0, SCALE * BOUND - SCALE**2 / 2)


@dataclass(frozen=True)
class LossPair:
    """P against Q: atoms as (mass under P, mass under Q), and perhaps a part with a density."""

    atoms: tuple[tuple[Expr, Expr], ...]
    density: Density | None = None

    def above(self, loss: Expr) -> tuple[Expr, Expr]:
        """P and Q of the density part's losses above a number inside of its range."""
        if self.density is None:
            return S.Zero, S.Zero
        return self.density.power(S.One, loss), self.density.power(S.Zero, loss)

    def power(self, order: Expr) -> Expr:
        """The mean of (dP/dQ)**order under Q; outcomes of one law alone count for nothing, as at orders below 1."""
        atoms = sum((q * exp(order * log(p / q)) for p, q in self.atoms if p != 0 and q != 0), S.Zero)
        return atoms + (self.density.power(order) if self.density else S.Zero)

    def kullback(self) -> Expr:
        """The mean loss under P."""
        atoms = sum((p * log(p / q) for p, q in self.atoms), S.Zero)
        return atoms + (self.density.mean_loss() if self.density else S.Zero)

    def mean(self, name: str, f: Lambda) -> Expr | None:
        """The mean of f(dP/dQ) under Q; None where the density part has no closed form of it."""
        inner = self.density.further(name) if self.density else S.Zero
        return None if inner is None else sum((q * f(p / q) for p, q in self.atoms), S.Zero) + inner
