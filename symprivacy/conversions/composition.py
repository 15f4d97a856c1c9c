"""Compositions: parameters that add up, groups, and k-fold pure DP exactly by its privacy loss.

k adaptive runs of eps-DP are dominated by k randomized responses (Kairouz, Oh, Viswanath 2015, Theorem 3.3), whose
privacy loss is (2i - k) eps with binomial probabilities; the hockey-stick of that law is the exact answer. With
(eps, delta)-ADP each run is in addition disjoint with probability delta, independently of the rest.

Groups: ADP by summing delta exp(i eps) along the path; ZCDP by Bun and Steinke (2016, Proposition 1.9); GDP by Dong,
Roth and Su (2022, Theorem 2); RDP by Mironov (2017, Proposition 2), which halves the order with every doubling.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb

from mpmath.libmp import fzero, mpf_cmp

from symprivacy.conversions.formula import constants, expression, settle
from symprivacy.conversions.parameters import SIGNATURES, value
from symprivacy.conversions.result import decimal
from symprivacy.errors import InputError, NoInformation
from symprivacy.kernel import interval as iv
from symprivacy.kernel.bridge import to_sympy
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr, rational, substitute
from symprivacy.kernel.interval import Interval

_ADDITIVE = {"DP": ("eps",), "ADP": ("eps", "delta"), "RDP": ("e",), "ZCDP": ("rho",), "RB": ("eps",)}
_GROUP: dict[str, dict[str, str]] = {
    "DP": {"eps": "n*eps"},
    "ADP": {"eps": "n*eps", "delta": "delta*(exp(n*eps) - 1)/(exp(eps) - 1)"},
    "ZCDP": {"rho": "n**2*rho"},
    "GDP": {"mu": "n*mu"},
}


def sequential(key: str, parts: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """The guarantee of several mechanisms run one after the other, as sympy expressions.

    >>> sequential("GDP", [{"mu": 3}, {"mu": 4}])
    {'mu': 5}
    >>> sequential("ADP", [{"eps": 1, "delta": "1/10"}, {"eps": 2, "delta": 0}])
    {'eps': 3, 'delta': 1/10}
    """
    from sympy import Add, sqrt

    if key != "GDP" and key not in _ADDITIVE:
        raise InputError(f"no sequential composition for {key}; known are GDP, {', '.join(_ADDITIVE)}")
    for part in parts:
        _complete(key, part)
    read = [{name: to_sympy(value(x, name)) for name, x in part.items()} for part in parts]
    if not read:
        raise InputError("sequential composition of no mechanism")
    if key == "GDP":
        return {"mu": sqrt(Add(*(part["mu"] ** 2 for part in read)))}
    if key == "RDP" and len({part["alpha"] for part in read}) != 1:
        raise InputError("RDP composes at one order; the orders given differ")
    total: dict[str, object] = {"alpha": read[0]["alpha"]} if key == "RDP" else {}
    return total | {name: Add(*(part[name] for part in read)) for name in _ADDITIVE[key]}


def group(key: str, at: Mapping[str, object], n: int) -> dict[str, object]:
    """The guarantee for inputs that n steps between neighbours join, as sympy expressions.

    >>> group("ZCDP", {"rho": "1/2"}, 3)
    {'rho': 9/2}
    >>> group("RDP", {"alpha": 8, "e": "1/10"}, 2)
    {'alpha': 4, 'e': 3/10}
    """
    if key != "RDP" and key not in _GROUP:
        raise InputError(f"no group privacy for {key}; known are RDP, {', '.join(_GROUP)}")
    if n < 1:
        raise InputError(f"n={n}, expected at least one step")
    _complete(key, at)
    if key == "RDP":
        return _renyi_group(at, n)
    given = {name: value(x, name) for name, x in at.items()} | {"n": value(n, "n")}
    if key == "ADP" and to_sympy(given["eps"]) == 0:
        return {"eps": to_sympy(given["eps"]), "delta": n * to_sympy(given["delta"])}
    return {name: to_sympy(substitute(expression(text), given)) for name, text in _GROUP[key].items()}


def _complete(key: str, at: Mapping[str, object]) -> None:
    wanted = SIGNATURES[key].source
    if set(at) != set(wanted):
        raise InputError(f"{key} takes {', '.join(wanted)}; got {', '.join(sorted(map(str, at)))[:80] or 'nothing'}")


def _renyi_group(at: Mapping[str, object], n: int) -> dict[str, object]:
    doublings = (n - 1).bit_length()
    alpha, e = (to_sympy(value(at[name], name)) for name in ("alpha", "e"))
    if not alpha >= 2 ** (doublings + 1):
        raise InputError(f"alpha={alpha}: groups of {n} need an order of at least {2 ** (doublings + 1)}")
    return {"alpha": alpha / 2**doublings, "e": 3**doublings * e}


def _tails(eps: Expr, k: int, prec: int) -> list[tuple[Interval, Interval]]:
    """(P, Q) of "at least i of k responses favour P" for i = 0 .. k."""
    wp = prec + 2 * k.bit_length() + 20
    box = constants({"eps": eps}, wp)
    good, bad = enclose(expression("1/(1 + exp(-eps))"), box, wp), enclose(expression("1/(1 + exp(eps))"), box, wp)
    p = q = iv.ZERO
    tails = []
    for i in range(k, -1, -1):
        count = iv.from_fraction(Fraction(comb(k, i)), wp)
        up, down = iv.power_int(good, i, wp), iv.power_int(bad, k - i, wp)
        p = iv.add(p, iv.mul(count, iv.mul(up, down, wp), wp), wp)
        up, down = iv.power_int(bad, i, wp), iv.power_int(good, k - i, wp)
        q = iv.add(q, iv.mul(count, iv.mul(up, down, wp), wp), wp)
        tails.append((p, q))
    return tails[::-1]


def delta_of_composition(eps: object, k: int, eps2: object, digits: int = 30, delta: object = 0) -> tuple[str, str]:
    """The smallest delta of k-fold eps-DP, or (eps, delta)-ADP, at eps2, enclosed.

    >>> delta_of_composition(1, 1, "1/2", 10)
    ('0.2876491366', '0.2876491367')
    >>> delta_of_composition(1, 2, 2, 10, delta="1/10")
    ('0.1899999999', '0.1900000001')
    """
    first, second, slack = value(eps, "eps"), value(eps2, "eps2"), value(delta, "delta")
    _at_least_one(k)

    def evaluate(prec: int) -> Interval:
        e = enclose(expression("exp(eps2)"), constants({"eps2": second}, prec), prec)
        best = iv.ZERO
        # The hockey-stick is the largest P - e Q over the tests "at least i", all of which are valid.
        for p, q in _tails(first, k, prec):
            best = iv.maximum(best, iv.sub(p, iv.mul(e, q, prec), prec))
        if slack.op == "num" and not rational(slack):
            return best
        kept = iv.power_int(iv.sub(iv.ONE, constants({"delta": slack}, prec)["delta"], prec), k, prec)
        return iv.sub(iv.ONE, iv.mul(kept, iv.sub(iv.ONE, best, prec), prec), prec)

    found = settle(evaluate, digits)
    return decimal(found[0], digits, up=False), decimal(found[1], digits, up=True)


def eps_of_composition(eps: object, k: int, delta: object, digits: int = 30) -> tuple[str, str]:
    """The smallest eps2 such that k-fold eps-DP is (eps2, delta)-ADP, enclosed.

    >>> eps_of_composition(3, 100, "1/1000000", 10)
    ('299.9998711', '299.9998712')
    """
    first, bound = value(eps, "eps"), value(delta, "delta")
    _at_least_one(k)

    def evaluate(prec: int) -> Interval:
        d = constants({"delta": bound}, prec)["delta"]
        best = iv.ZERO
        # Every test needs exp(eps2) >= (P - delta)/Q; the largest demand decides.
        for p, q in _tails(first, k, prec):
            gap = iv.sub(p, d, prec)
            if mpf_cmp(gap[0], fzero) <= 0:
                if mpf_cmp(gap[1], fzero) > 0 and gap[1] != gap[0]:
                    tiny = iv.mul(gap, iv.inverse(q, prec), prec)
                    if mpf_cmp(tiny[1], iv.ONE[0]) > 0:
                        raise NoInformation("a tail is too close to delta")
                continue
            demand = enclose(expression("log(x)"), {"x": iv.mul(gap, iv.inverse(q, prec), prec)}, prec)
            best = iv.maximum(best, demand)
        return best

    found = settle(evaluate, digits)
    return decimal(found[0], digits, up=False), decimal(found[1], digits, up=True)


def _at_least_one(k: int) -> None:
    if k < 1:
        raise InputError(f"k={k}, expected at least one run")
