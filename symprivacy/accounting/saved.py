"""Saved brackets, and the checker that believes nothing of them but the plan.

From above the saved masses of each run are shown to dominate: their hockey-stick is linear in exp(eps) between grid
points, that of the law is convex, so it is enough that it is not below at the grid points; to the right of the last one
it is constant, and to the left of the first one it is the chord to 1 at exp(eps) = 0. From below the masses are at most
those of collections that are built again. Then products and both ends are computed again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from flint import arb

from symprivacy.accounting.balls import ball, exactly, high, precision
from symprivacy.accounting.compose import GUARD, MOST_POINTS, Bracket, Side, compose, end_of, law_of
from symprivacy.accounting.grid import Grid, Steps, below
from symprivacy.accounting.laws import Law
from symprivacy.accounting.plan import Plan, Run, plan_from_json
from symprivacy.errors import CertificateError, InputError, NoInformation
from symprivacy.evidence import Evidence
from symprivacy.language.text import shorten, to_text
from symprivacy.mechanisms import to_json as mechanism_to_json

_WRITTEN = re.compile(r"-?\d+(?:/\d+)?", re.ASCII)
_FIELDS = ("upper", "added", "member", "bits", "waste", "step", "runs")


def verified(bracket: Bracket) -> Bracket:
    """The bracket with its evidence: ``checked`` where the masses of a grid, saved and read, prove both ends again.

    A closed form that is computed again is no second reason, so it stays ``argued``.

    >>> from symprivacy.accounting import Plan, compose
    >>> verified(compose(Plan.of(["laplace(1)"] * 3), delta="1/100")).evidence
    <Evidence.CHECKED: 'checked'>
    """
    parts = bracket.choices or (bracket,)
    if any(part.method != "grid" or not part.sides for part in parts):
        return bracket
    for part in parts:
        check(to_json(part))
    return replace(bracket, evidence=Evidence.CHECKED)


def to_json(bracket: Bracket) -> dict[str, Any]:
    """Plain data: the plan, the question, both ends and the masses that they come from."""
    if bracket.choices:
        raise InputError("a plan with parallel parts is saved part by part: write its choices as plans of their own")
    if not bracket.plan.runs:
        raise InputError("nothing is learned from this plan: there is nothing to save")
    ends = {"lo": _text(bracket.lo), "hi": _text(bracket.hi)}
    stated = {"answers": bracket.answers, "given": str(bracket.given), **ends, "method": bracket.method}
    return {
        "accounting": stated,
        "plan": [_run(run) for run in bracket.plan.runs],
        "sides": [*map(_side, bracket.sides)],
    }


def save(bracket: Bracket, path: str | Path) -> None:
    """Write a bracket to a file for ``symprivacy check``."""
    try:
        Path(path).write_text(json.dumps(to_json(bracket)) + "\n", encoding="utf-8")
    except OSError as e:
        raise InputError(f"cannot write {shorten(str(path))!r}: {e.strerror}") from None


def _text(x: Fraction | None) -> str:
    return "oo" if x is None else str(x)


def _run(run: Run) -> dict[str, Any]:
    row: dict[str, Any] = {"times": run.times, "sampled": str(run.rate)}
    if run.mechanism is not None:
        return {"mechanism": json.loads(mechanism_to_json(run.mechanism)), **row}
    at = {name: to_text(x) for name, x in run.at.items() if not (run.kind == "GDP" and name == "sigma")}
    return {"run": run.kind, "at": at, **row}


def _side(side: Side) -> dict[str, Any]:
    runs = [
        {
            "offset": str(exactly(grid.offset)),
            "first": grid.first,
            "tilt": str(grid.tilt),
            "slack": str(steps.slack),
            "masses": list(steps.masses),
        }
        for grid, steps in zip(side.grids, side.steps, strict=True)
    ]
    values = (side.upper, side.added, side.member, side.bits, side.waste, str(exactly(side.step)), runs)
    return dict(zip(_FIELDS, values, strict=True))


def check(data: Mapping[str, Any]) -> str:
    """Verify a saved bracket; returns what it states, raises CertificateError.

    >>> from symprivacy.accounting import Plan, compose
    >>> print(check(to_json(compose(Plan.of(["laplace(1)"] * 3), delta="1/100"))))
    3 x laplace(1): eps at delta = 1/100 lies in [2.92, 2.93]
    """
    try:
        stated = data["accounting"]
        answers, given = stated["answers"], _rational(stated["given"])
        lo, hi = (None if stated[end] == "oo" else _rational(stated[end]) for end in ("lo", "hi"))
        plan = _read_plan(data["plan"])
        sides = [_read_side(row, plan) for row in data["sides"]]
        if answers not in ("eps", "delta") or given < 0 or (answers == "eps" and given > 1):
            raise CertificateError("the question is not one about eps or delta")
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, InputError) as e:
        raise CertificateError(f"malformed result: {type(e).__name__} {str(e)[:100]}") from None
    if plan.parallel and sides:
        # Masses speak of the runs of a plan only: what runs beside them would be passed over.
        raise CertificateError("a plan with parallel parts is checked part by part; this one has masses for some runs")
    if not sides:
        _check_exact(plan, answers, given, lo, hi)
    else:
        _check_sides(plan, sides, answers, given, lo, hi)
    asked = "delta" if answers == "eps" else "eps"
    shown = Bracket(plan, answers, given, lo, hi, "").to_json(3)[answers]
    return f"{plan}: {answers} at {asked} = {given} lies in [{shown['lo']}, {shown['hi']}]"


def _check_exact(plan: Plan, answers: str, given: Fraction, lo: Fraction | None, hi: Fraction | None) -> None:
    again = compose(plan, given, None) if answers == "eps" else compose(plan, None, given)
    if again.method == "grid":
        raise CertificateError("the result has no masses and the plan has no closed form")
    if _larger(lo, again.hi) or _larger(again.lo, hi):
        raise CertificateError("the closed form lies outside")
    # Ends may be wider than what is found again, not narrower than rounding.
    if (_larger(lo, again.lo) or _larger(again.hi, hi)) and not (lo == again.lo and hi == again.hi):
        raise CertificateError("the closed form does not give ends as close as these")


def _larger(a: Fraction | None, b: Fraction | None) -> bool:
    """a > b, where None is infinite."""
    return b is not None and (a is None or a > b)


def _rational(text: object) -> Fraction:
    """A number as it was written; a power of ten or a float could be too long to expand, or not what it seems."""
    if not isinstance(text, str) or len(text) > 20000 or not _WRITTEN.fullmatch(text):
        raise CertificateError(f'{shorten(str(text))!r}: expected a fraction such as "1/1000"')
    return Fraction(text)


def _whole(number: object, least: int, most: int) -> int:
    if type(number) is not int or not least <= number <= most:
        raise CertificateError(f"{shorten(str(number))}: expected a whole number from {least} to {most}")
    return number


def _read_plan(data: object) -> Plan:
    """A plan that says all itself: a file beside it may be another one tomorrow."""
    if '"mechanism": "' in json.dumps(data):
        raise CertificateError("a saved result holds its mechanisms, not names of files")
    return plan_from_json(data)


def _read_side(row: Mapping[str, Any], plan: Plan) -> Side:
    upper, added, member, bits, waste, step, runs = (row[name] for name in _FIELDS)
    bits, member, waste = _whole(bits, 0, 20000), _whole(member, 0, 2**30), _whole(waste, 0, 2**20000)
    if type(upper) is not bool or type(added) is not bool:
        raise CertificateError("a side of the result is not what it should be")
    if not 0 < (width := _rational(step)) <= 2**40 or not runs or len(runs) != len(plan.runs):
        raise CertificateError("a side has another number of runs, or no step")
    with precision(bits + GUARD):
        grids, steps = [], []
        for run in runs:
            masses = run["masses"]
            if not 1 <= len(masses) <= MOST_POINTS + 1 or any(type(m) is not int or m < 0 for m in masses):
                raise CertificateError("masses are whole numbers that are not negative")
            first, slack = _whole(run["first"], -(2**60), 2**60), _rational(run["slack"])
            if slack < 0:
                raise CertificateError("a distance from the grid is negative")
            offset, tilt = ball(_rational(run["offset"])), _rational(run["tilt"])
            if not 0 <= tilt <= 2**20:
                raise CertificateError("a tilt is a number from 0 to 2**20")
            grids.append(Grid(ball(width), offset, first, first + len(masses) - 1, bits, tilt))
            steps.append(Steps(first, tuple(masses), slack))
        return Side(upper, added, member, bits, waste, ball(width), tuple(grids), tuple(steps))


def _check_sides(
    plan: Plan, sides: list[Side], answers: str, given: Fraction, lo: Fraction | None, hi: Fraction | None
) -> None:
    ends: dict[bool, Fraction | None] = dict.fromkeys(plan.orders)
    least: Fraction | None = Fraction(0)
    for side in sides:
        try:
            with precision(side.bits + GUARD):
                checked = _verified(plan, side)
            value, _ = end_of(checked, plan, answers, given)
        except (NoInformation, ArithmeticError, ValueError) as e:
            raise CertificateError(str(e) or type(e).__name__) from None
        if not side.upper:
            least = None if value is None or least is None else max(least, value)
        elif value is not None and side.added in ends:
            known = ends[side.added]
            ends[side.added] = value if known is None else min(known, value)
    if _larger(lo, least):
        raise CertificateError("the lower end does not follow from the masses")
    if hi is not None and any(_larger(end, hi) for end in ends.values()):
        raise CertificateError("the upper end does not follow from the masses")


def _verified(plan: Plan, side: Side) -> Side:
    """The side with masses that are shown to be on the right side of every run."""
    steps = []
    for run, grid, saved in zip(plan.runs, side.grids, side.steps, strict=True):
        law = law_of(run, side.added, side.upper, side.member)
        if side.upper:
            _dominates(law, grid, saved)
            steps.append(saved)
            continue
        fresh = below(law, grid)
        if any(m > n for m, n in zip(saved.masses, fresh.masses, strict=True)):
            raise CertificateError("masses of the lower side are larger than what the law has")
        steps.append(Steps(saved.start, saved.masses, fresh.slack, fresh.never))
    return Side(side.upper, side.added, side.member, side.bits, side.waste, side.step, side.grids, tuple(steps))


def _dominates(law: Law, grid: Grid, steps: Steps) -> None:
    unit = 2**grid.bits
    missing = unit - sum(steps.masses)
    if missing < 0:
        raise CertificateError("masses sum to more than one")
    shrink = (-grid.step).exp()
    count, weight = 0, arb(0)
    for j in range(grid.last, grid.first - 1, -1):
        mass = steps.masses[j - grid.first]
        count, weight = count + mass, weight * shrink + mass
        if not (missing + count - weight) / unit >= _stick(law, grid.at(j) + ball(steps.slack)):
            raise CertificateError(f"the masses do not dominate at loss {float(high(grid.at(j))):.6g}")


def _stick(law: Law, eps: arb) -> arb:
    """The hockey-stick of one run at eps."""
    ratio = eps.exp()
    total = arb(0)
    for p, q in law.atoms:
        total += (p - ratio * q).nonnegative_part()
    if law.tails is not None:
        p, q = law.above(eps)
        total += p - ratio * q
    return total
