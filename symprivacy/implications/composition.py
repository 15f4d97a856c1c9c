"""Compositions: parameters that add up, groups, and sampling.

Runs may be chosen after the outputs of earlier ones were seen. Of approximate DP at the sum of all eps the best delta
is the probability that some run fails; of range-bounded privacy the range of every later run can be placed anew, so it
counts twice. Runs of DP and ADP at other eps: :mod:`symprivacy.implications.runs`.

Groups: ADP by summing delta exp(i eps) along the path; ZCDP by Bun and Steinke (2016, Proposition 1.9); GDP by Dong,
Roth and Su (2022, Theorem 2); RDP by Mironov (2017, Proposition 2), which halves the order with every doubling.

Sampling: every record takes part with a probability, independently, and neighbours differ by one record that is there
or not (Balle, Barthe, Gaboardi 2018, Theorem 8). One law of the new pair is an old one, the other a mixture of both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symprivacy.errors import InputError
from symprivacy.implications.formula import expression
from symprivacy.implications.parameters import CONVERTIBLE, checked, value
from symprivacy.kernel.expr import Expr, rational, substitute
from symprivacy.language.bridge import to_sympy

_ADDITIVE = {"DP": ("eps",), "ADP": ("eps",), "RDP": ("e",), "ZCDP": ("rho",)}
_OTHERS = ("GDP", "RB")
_GROUP: dict[str, dict[str, str]] = {
    "DP": {"eps": "n*eps"},
    "ADP": {"eps": "n*eps", "delta": "min(1, delta*(exp(n*eps) - 1)/(exp(eps) - 1))"},
    "ZCDP": {"rho": "n**2*rho"},
    "GDP": {"mu": "n*mu"},
}
_SAMPLED: dict[str, dict[str, str]] = {
    "DP": {"eps": "log(1 + q*(exp(eps) - 1))"},
    "ADP": {"eps": "log(1 + q*(exp(eps) - 1))", "delta": "q*delta"},
    "TV": {"t": "q*t"},
}


def sequential(key: str, parts: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """The guarantee of several mechanisms run one after the other, as sympy expressions.

    >>> sequential("GDP", [{"mu": 3}, {"mu": 4}])
    {'mu': 5}
    >>> sequential("ADP", [{"eps": 1, "delta": "1/10"}, {"eps": 2, "delta": "1/10"}])
    {'eps': 3, 'delta': 19/100}
    >>> sequential("RB", [{"eps": 1}, {"eps": 2}])
    {'eps': 5}
    """
    from sympy import Add, Mul, sqrt

    if key not in (*_ADDITIVE, *_OTHERS):
        raise InputError(f"no sequential composition for {key}; known are {', '.join((*_ADDITIVE, *_OTHERS))}")
    if not parts:
        raise InputError("sequential composition of no mechanism")
    read = [{name: to_sympy(x) for name, x in _read(key, part).items()} for part in parts]
    if key == "GDP":
        return {"mu": sqrt(Add(*(part["mu"] ** 2 for part in read)))}
    if key == "RB":
        first, *rest = (part["eps"] for part in read)
        return {"eps": first + 2 * Add(*rest)}
    if key == "RDP" and len({part["alpha"] for part in read}) != 1:
        raise InputError("RDP composes at one order; the orders given differ")
    total: dict[str, object] = {"alpha": read[0]["alpha"]} if key == "RDP" else {}
    total |= {name: Add(*(part[name] for part in read)) for name in _ADDITIVE[key]}
    return total | ({"delta": 1 - Mul(*(1 - part["delta"] for part in read))} if key == "ADP" else {})


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
    given = _read(key, at)
    if key == "RDP":
        return _renyi_group(given, n)
    if key == "ADP" and to_sympy(given["eps"]) == 0:
        from sympy import Min

        return {"eps": to_sympy(given["eps"]), "delta": Min(1, n * to_sympy(given["delta"]))}
    return _put(_GROUP[key], {**given, "n": value(n, "n")})


def sampled(key: str, at: Mapping[str, object], rate: object) -> dict[str, object]:
    """The guarantee after Poisson sampling of the records, as sympy expressions; no smaller one holds in general.

    >>> sampled("DP", {"eps": "log(3)"}, "1/10")
    {'eps': log(6/5)}
    >>> sampled("ADP", {"eps": 0, "delta": "1/10"}, "1/2")
    {'eps': 0, 'delta': 1/20}
    """
    if key not in _SAMPLED:
        raise InputError(f"no amplification by sampling for {key}; known are {', '.join(_SAMPLED)}")
    given = _read(key, at)
    q = value(rate, "rate")
    if q.op != "num" or not 0 <= rational(q) <= 1:
        raise InputError(f"rate={str(rate)[:40]}: expected a rational number in [0, 1]")
    return _put(_SAMPLED[key], {**given, "q": q})


def _put(texts: Mapping[str, str], given: Mapping[str, Expr]) -> dict[str, object]:
    return {name: to_sympy(substitute(expression(text), dict(given))) for name, text in texts.items()}


def _read(key: str, at: Mapping[str, object]) -> dict[str, Expr]:
    wanted = CONVERTIBLE[key].names
    if set(at) != set(wanted):
        raise InputError(f"{key} takes {', '.join(wanted)}; got {', '.join(sorted(map(str, at)))[:80] or 'nothing'}")
    return {name: checked(at[name], name, key) for name in wanted}


def _renyi_group(given: Mapping[str, Expr], n: int) -> dict[str, object]:
    doublings = (n - 1).bit_length()
    alpha, e = to_sympy(given["alpha"]), to_sympy(given["e"])
    if not alpha >= 2 ** (doublings + 1):
        raise InputError(f"alpha={alpha}: groups of {n} need an order of at least {2 ** (doublings + 1)}")
    return {"alpha": alpha / 2**doublings, "e": 3**doublings * e}
