"""Steps by name while the stored theorems are built, and the names and forms that the parts of the build share."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from sympy import Expr, Max, S, Symbol, cosh, exp, log, oo, sinh, tanh

from symprivacy.derivations.engine import derive
from symprivacy.derivations.theorems.laws import X
from symprivacy.derivations.theorems.store import as_stored, read, to_data
from symprivacy.derivations.theorems.theorem import Kind, Step, Theorem, check, make
from symprivacy.errors import SymPrivacyError
from symprivacy.notions.statement import Domain, Given, span
from symprivacy.notions.symbols import real
from symprivacy.search.effort import STEPS

EPS, EPS2, DELTA, ALPHA, ALPHA2, XI, ETA = (real(n) for n in ("eps", "eps2", "delta", "alpha", "alpha2", "xi", "eta"))
RHO, MU, D_, SHARE = (real(n) for n in ("rho", "mu", "d", "t"))
LEVEL = span(X, 0, oo)
# Means at randomized response of level x, in their shortest forms.
MEANS: dict[str, Expr] = {
    "TV": tanh(X / 2),
    "KL": X * tanh(X / 2),
    "CHI2": 4 * sinh(X / 2) ** 2,
    "JS": X / 2 * tanh(X / 2) - log(cosh(X / 2)),
    "HELL2": 1 - 1 / cosh(X / 2),
    "ABP": tanh(X / 2) ** 2 / 2,
    "RDP": cosh((2 * ALPHA - 1) * X / 2) / cosh(X / 2),
    "ADP": Max(0, exp(X) - exp(EPS2)) / (1 + exp(X)),
}
TV_CASES = ((Max(0, exp(X) - 1), exp(X) - 1), (Max(0, -1 + exp(-X)), S.Zero))
ADP_CASES = ((Max(0, exp(-X) - exp(EPS2)), S.Zero),)
CASES = {"TV": TV_CASES, "ADP": ADP_CASES}
NAMES: dict[str, tuple[Symbol, ...]] = {"RDP": (ALPHA,), "ADP": (EPS2,), "PDP": (EPS2,)}
# Bounds on the ratio of any two likelihoods, in terms of beliefs at every prior.
BELIEFS = ("MBP", "MP", "PML", "LIP")


NONE = Given("", ())


class Library:
    """Steps by name, in the order they were found."""

    def __init__(self, stored: Mapping[str, Mapping[str, Any]]) -> None:
        self.steps: dict[str, Step] = {}
        self.stored = stored
        self.failed: dict[str, str] = {}

    def add(self, name: str, rule: str, *uses: str, steps: int = STEPS, **parameters: Any) -> bool:
        """Try one step; what cannot be certified is reported and left out."""
        if name in self.steps:
            raise ValueError(f"two steps called {name}")
        parameters = as_stored(parameters)
        try:
            used = tuple((u, self.steps[u].theorem) for u in uses)
            self.steps[name] = self._stored(name, rule, uses, parameters) or make(name, rule, used, parameters, steps)
        except KeyError as e:
            self.failed[name] = f"needs {e}"
            return False
        except SymPrivacyError as e:
            self.failed[name] = str(e)[:300]
            print(f"FAILED {name}: {str(e)[:300]}", file=sys.stderr)
            return False
        return True

    def _stored(self, name: str, rule: str, uses: tuple[str, ...], parameters: dict[str, Any]) -> Step | None:
        """The same step from the file, whose certificates need not be searched again."""
        row = self.stored.get(name)
        wanted = to_data(Step(name, Theorem(Kind.NOTHING, NONE, NONE), rule, uses, parameters))
        if row is None or any(row[k] != json.loads(json.dumps(wanted[k])) for k in ("rule", "uses", "parameters")):
            return None
        try:
            known = {u: self.steps[u].theorem for u in uses}
            found = read(row, known)
            check(found, known)
            return found
        except SymPrivacyError:
            return None

    def __getitem__(self, name: str) -> Theorem:
        return self.steps[name].theorem

    def __contains__(self, name: str) -> bool:
        return name in self.steps


def derived(lib: Library, a: str, b: str, name: str | None = None, **how: Any) -> bool:
    """A derivation of the calculus as a theorem."""
    name = name or f"{a}=>{b}"
    if name in lib.stored:
        return lib.add(name, "derivation", derivation=lib.stored[name]["parameters"]["derivation"])
    try:
        found = derive(a, b, **how)
    except SymPrivacyError as e:
        lib.failed[name] = str(e)[:200]
        print(f"FAILED {name}: {str(e)[:200]}", file=sys.stderr)
        return False
    return lib.add(name, "derivation", derivation=found.derivation.to_json())


def in_x(lib: Library, name: str, source: str, symbol: Symbol, keep: Domain = (), **renamed: Expr) -> bool:
    """A theorem about DP(eps) or the like in the variable x."""
    mapping = {symbol: X, **{real(k): v for k, v in renamed.items()}}
    return lib.add(name, "substitute", source, mapping=mapping, domain=(*keep, LEVEL))


ALL = (
    "DP", "RB", "ADP", "PDP", "TV", "KL", "CHI2", "JS", "HELL2", "RDP", "ZCDP", "GDP", "LDP", "MBP", "MBPU", "SP", "MP",
    "MPP", "ABP", "ABPW", "MAXL", "PML", "LIP", "tCDP", "RDPlow",
)  # fmt: skip


def extra_of(lib: Library, name: str, taken: Domain) -> Domain:
    """The ranges of a theorem beyond those that are there."""
    known = {s.symbol for s in taken}
    return tuple(s for s in lib[name].domain if s.symbol not in known)
