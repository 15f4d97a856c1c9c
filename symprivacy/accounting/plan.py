"""Plans: which mechanisms run, how often, on which samples."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from flint import arb

from symprivacy.accounting import laws
from symprivacy.accounting.balls import ball, probability
from symprivacy.accounting.laws import Law
from symprivacy.errors import InputError
from symprivacy.implications.parameters import checked, value
from symprivacy.kernel.enclose import constant_sign
from symprivacy.kernel.expr import Expr, rational
from symprivacy.language.bridge import to_sympy
from symprivacy.language.names import folded
from symprivacy.language.text import shorten, to_text
from symprivacy.mechanisms import Mechanism, read_json
from symprivacy.mechanisms.jsonform import from_json as mechanism_from_json
from symprivacy.mechanisms.noise import split_arguments
from symprivacy.notions import get

MOST_RUNS = 10**9
_DEEPEST = 20
# Family or notion: its parameters in the order of INTERFACE, positive ones first.
FAMILIES = {"gaussian": ("sigma",), "laplace": ("b",), "geometric": ("eps",), "krr": ("k", "eps"),
            "exponential": ("eps",)}  # fmt: skip
NOTIONS = {key: get(key).names for key in ("DP", "LDP", "ADP", "GDP", "RB")}
_POSITIVE = ("sigma", "b", "mu")
# Every pair whose loss has a range of eps is one of the exponential mechanism with some utility.
_RANGES = ("RB", "exponential")
# Choices of one part from every group of parallel ones, at most.
MOST_CHOICES = 64


@dataclass(frozen=True)
class Run:
    """One mechanism or guarantee, run ``times`` times, each time on a fresh Poisson sample of rate ``rate``.

    >>> print(Run.of("gaussian(2)", times=1000, sampled="1/100"))
    1000 x gaussian(2) sampled 1/100
    """

    kind: str
    at: Mapping[str, Expr]
    times: int = 1
    rate: Fraction = Fraction(1)
    mechanism: Mechanism | None = None

    @classmethod
    def of(
        cls,
        what: str | Mechanism,
        at: Mapping[str, object] | None = None,
        times: int = 1,
        sampled: object = 1,
    ) -> Run:
        """A run of a family such as ``gaussian(2)``, of a notion with its parameters, or of a finite mechanism."""
        if not isinstance(times, int) or isinstance(times, bool) or not 1 <= times <= MOST_RUNS:
            raise InputError(f"times={shorten(str(times))}: expected a whole number from 1 to {MOST_RUNS}")
        rate = probability(sampled, "sampled")
        if isinstance(what, Mechanism):
            if not what.rational:
                raise InputError("a plan takes mechanisms with rational entries")
            return cls("mechanism", {}, times, rate, what)
        kind, given = _parsed(what, at)
        return cls(kind, given, times, rate)

    def dominating(self, added: bool) -> Law:
        """The pair that dominates every neighbouring pair of the run in one order, at the working precision."""
        return self._base().sampled(self.rate, added)

    def members(self, added: bool) -> list[Law]:
        """Pairs that the class contains, for lower bounds; the dominating pair itself where it is one."""
        if self.kind in _RANGES:
            return [
                laws.placed_response(self.at["eps"], Fraction(i, 16)).sampled(self.rate, added) for i in range(1, 16)
            ]
        if self.kind == "mechanism":
            return [laws.finite([pair]).sampled(self.rate, added) for pair in self._rows()]
        return [self.dominating(added)]

    def largest(self) -> arb | None:
        """The supremum of the loss over both orders, at the working precision; None where it is not bounded."""
        if self.kind in ("gaussian", "GDP"):
            return None
        if self.kind not in ("ADP", "mechanism"):
            most = 1 / ball(self.at["b"]) if self.kind == "laplace" else ball(self.at["eps"])
            return most if self.rate == 1 else (1 + ball(self.rate) * most.expm1()).log()
        found = arb(0)
        for added in (False, True):
            for p, q in self.dominating(added).atoms:
                if q == 0 and p != 0:
                    return None
                if p != 0:
                    found = found.max((p / q).log())
        return found

    @property
    def reveals(self) -> bool:
        """Whether anything is learned at all: not from an empty sample, nor at a level of 0."""
        levels = [self.at[name] for name in ("eps", "delta") if name in self.at]
        return self.rate != 0 and not (levels and all(constant_sign(level) == 0 for level in levels))

    @property
    def key(self) -> Hashable:
        """What is run, on which sample: everything but how often."""
        return self.kind, tuple(sorted(self.at.items())), self.rate, self.mechanism

    @property
    def symmetric(self) -> bool:
        """Whether both orders have the same pair."""
        return self.rate == 1 and self.kind != "mechanism"

    def _rows(self) -> list[tuple[tuple[Fraction, ...], tuple[Fraction, ...]]]:
        assert self.mechanism is not None
        rows: Any = self.mechanism.matrix
        return sorted({(rows[x], rows[z]) for x, z in self.mechanism.pairs})

    def _base(self) -> Law:
        at = self.at
        if self.kind == "gaussian":
            return laws.gaussian(at["sigma"])
        if self.kind == "laplace":
            return laws.laplace(at["b"])
        if self.kind == "krr":
            return laws.response(at["eps"], int(rational(at["k"])))
        if self.kind == "ADP":
            return laws.with_slack(at["eps"], at["delta"])
        if self.kind == "GDP":
            return laws.gaussian(at["sigma"])
        if self.kind in _RANGES:
            return laws.range_bounded(at["eps"])
        if self.kind == "mechanism":
            return laws.finite(self._rows())
        return laws.response(at["eps"])

    def __str__(self) -> str:
        # The name of a file is its author's word: it never stands where the name of a family does.
        given = self.mechanism.name if self.mechanism is not None else ""
        name = f"mechanism {given!r}" if given else self.kind
        numbers = ", ".join(to_text(self.at[n]) for n in {**FAMILIES, **NOTIONS}.get(self.kind, ()) if n in self.at)
        text = f"{name}({numbers})" if numbers else name
        text = f"{self.times} x {text}" if self.times > 1 else text
        return text + (f" sampled {self.rate}" if self.rate != 1 else "")


def _parsed(what: str, at: Mapping[str, object] | None) -> tuple[str, dict[str, Expr]]:
    """Family or notion with its parameters, from ``gaussian(2)`` or a key and its values."""
    text = what.strip() if isinstance(what, str) else ""
    name, bracket, inside = text.partition("(")
    known = {**FAMILIES, **NOTIONS}
    name = folded(name, known)
    if name not in known or (bracket and not inside.endswith(")")):
        raise InputError(f"{shorten(str(what))!r}: expected one of {', '.join(known)}, such as gaussian(2), or a file")
    wanted = known[name]
    if bracket:
        if at:
            raise InputError(f"{shorten(text)}: parameters are given twice")
        words = split_arguments(inside[:-1])
        if len(words) != len(wanted):
            raise InputError(f"{name} takes {', '.join(wanted)}; got {shorten(inside[:-1]) or 'nothing'!r}")
        at = dict(zip(wanted, words, strict=True))
    at = dict(at or {})
    if set(at) != set(wanted):
        raise InputError(f"{name} takes {', '.join(wanted)}; got {', '.join(map(str, sorted(at)))[:80] or 'nothing'}")
    found = {key: _checked(at[key], key, name) for key in wanted}
    if name == "GDP":
        found["sigma"] = value(1 / to_sympy(found["mu"]), "sigma")
    return name, found


def _checked(given: object, name: str, kind: str) -> Expr:
    if name == "k":
        k = value(given, name)
        if k.op != "num" or rational(k).denominator != 1 or not 2 <= rational(k) <= 10**9:
            raise InputError(f"k={shorten(str(given))}: expected a whole number of at least 2")
        return k
    found = value(given, name)
    if name in _POSITIVE and constant_sign(found) != 1:
        raise InputError(f"{name}={shorten(to_text(found))}: expected a number in (0, oo)")
    # What is left of the families is the level of DP that they have.
    return found if name in _POSITIVE else checked(given, name, kind if kind in NOTIONS else "DP")


@dataclass(frozen=True)
class Plan:
    """Runs one after the other, each of which may look at what the earlier ones gave.

    ``parallel`` are groups of plans on disjoint parts of the records, cut without looking at the records: adding or
    removing one record changes the input of one part of each group, so the worst choice of one part counts.

    >>> plan = Plan.of(["gaussian(2)", "laplace(3)"])
    >>> print(plan)
    gaussian(2), laplace(3)
    >>> print(Plan.of(["DP(1)"]).beside([Plan.of(["laplace(3)"]), Plan.of(["gaussian(2)"])]))
    DP(1), parallel [laplace(3) | gaussian(2)]
    """

    runs: tuple[Run, ...]
    parallel: tuple[tuple[Plan, ...], ...] = ()

    @property
    def orders(self) -> tuple[bool, ...]:
        """The orders of neighbours that differ, as values of ``added``."""
        return (False,) if all(run.symmetric for run in self.runs) else (False, True)

    def beside(self, parts: Iterable[Plan]) -> Plan:
        """The same plan with a group of parallel parts."""
        group = tuple(parts)
        if len(group) < 1:
            raise InputError("a group of parallel parts needs at least one part")
        return replace(self, parallel=(*self.parallel, group))

    def choices(self) -> list[Plan]:
        """The plans without parallel parts, one of which is the worst: one part of every group."""
        found: list[tuple[Run, ...]] = [self.runs]
        for group in self.parallel:
            inner = [plan.runs for part in group for plan in part.choices()]
            found = [(*runs, *more) for runs in found for more in inner]
            if len(found) > MOST_CHOICES:
                raise InputError(f"more than {MOST_CHOICES} choices of one part from every parallel group")
        # Equal choices are computed once.
        plans = [Plan.of(runs) if runs else Plan(()) for runs in found]
        return list({frozenset((run.key, run.times) for run in plan.runs): plan for plan in plans}.values())

    @classmethod
    def of(cls, runs: Iterable[Run | str | Mechanism], times: int = 1) -> Plan:
        """A plan from runs or their names; equal runs are counted together."""
        found: dict[Hashable, Run] = {}
        for given in runs:
            run = given if isinstance(given, Run) else Run.of(given)
            more = run.times * times
            found[run.key] = replace(run, times=more + (found[run.key].times if run.key in found else 0))
        if not found:
            raise InputError("a plan needs at least one run")
        if not times >= 1 or sum(run.times for run in found.values()) > MOST_RUNS:
            raise InputError(f"times={times}: expected from 1 to {MOST_RUNS} runs altogether")
        return cls(tuple(run for run in found.values() if run.reveals))

    def __str__(self) -> str:
        groups = [f"parallel [{' | '.join(map(str, group))}]" for group in self.parallel]
        return ", ".join([*map(str, self.runs), *groups]) or "nothing"


def read_plan(path: str | Path) -> Plan:
    """A plan from a JSON file: a list of runs, or {"runs": [...]}.

    A run is ``{"run": "gaussian(2)", "times": 1000, "sampled": "1/100"}``; ``run`` may be a notion with ``at``, or
    there is ``mechanism`` with the name of a file or the mechanism itself. ``{"parallel": [[...], [...]]}`` has lists
    of runs on disjoint parts of the records.
    """
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as e:
        raise InputError(f"{shorten(str(path))}: not a plan: {str(e)[:100]}") from None
    return plan_from_json(data, Path(path).parent)


def plan_from_json(data: Any, folder: Path | None = None, depth: int = 0) -> Plan:
    """A plan from plain data.

    >>> print(plan_from_json([{"run": "DP(1)", "times": 2}, {"parallel": [["laplace(2)"], ["laplace(3)"]]}]))
    2 x DP(1), parallel [laplace(2) | laplace(3)]
    """
    rows = data.get("runs") if isinstance(data, dict) else data
    if not isinstance(rows, list) or not rows:
        raise InputError('a plan is a list of runs such as {"run": "gaussian(2)", "times": 10}')
    groups = [row for row in rows if isinstance(row, dict) and set(row) == {"parallel"}]
    runs = [_run_from_json(row, folder) for row in rows if row not in groups]
    plan = Plan.of(runs) if runs else Plan(())
    for row in groups:
        parts = row["parallel"]
        if not isinstance(parts, list) or not parts or depth >= _DEEPEST:
            raise InputError('parallel parts are a list of lists of runs, such as {"parallel": [["DP(1)"], ["DP(2)"]]}')
        plan = plan.beside([plan_from_json(part, folder, depth + 1) for part in parts])
    return plan


def _run_from_json(row: Any, folder: Path | None) -> Run:
    if isinstance(row, str):
        return Run.of(row)
    allowed = {"run", "at", "times", "sampled", "mechanism"}
    if not isinstance(row, dict) or not set(row) <= allowed or ("run" in row) == ("mechanism" in row):
        raise InputError(f"a run has run or mechanism, and perhaps at, times, sampled; got {shorten(str(row))}")
    at, sampled = row.get("at"), row.get("sampled", 1)
    if at is not None and not isinstance(at, dict):
        raise InputError('at is an object such as {"eps": "1"}')
    if "mechanism" in row:
        given = row["mechanism"]
        if isinstance(given, dict):
            what: str | Mechanism = mechanism_from_json(json.dumps(given))
        else:
            what = read_json((folder or Path()) / str(given))
    else:
        what = row["run"]
    return Run.of(what, at, row.get("times", 1), sampled)
