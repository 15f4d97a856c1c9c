"""Calibration: the parameter of a run, or of a source of a conversion, that just gives what is asked for.

What is proved is both ends: with the better end the guarantee holds, with the worse one it does not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from symprivacy.accounting.compose import compose
from symprivacy.accounting.plan import FAMILIES, NOTIONS, Plan, Run
from symprivacy.errors import InputError
from symprivacy.implications import Status
from symprivacy.implications.numbers.decimals import decimal
from symprivacy.implications.parameters import asked_of, checked, limits
from symprivacy.implications.provide import ungraded
from symprivacy.kernel.enclose import constant_sign
from symprivacy.kernel.expr import num, rational, sub
from symprivacy.language.text import parse
from symprivacy.notions import get

_STEPS = 200
# Parameters of which less means less privacy lost; of all others more does.
_NOISE = ("sigma", "b")


@dataclass(frozen=True)
class Calibrated:
    """``name`` at ``good`` is proved to suffice, at ``bad`` proved not to; None where there is no such end."""

    name: str
    good: Fraction | None
    bad: Fraction | None
    what: str

    def to_json(self, digits: int = 12) -> dict[str, Any]:
        """The line that the command line prints: lo and hi, of which ``suffices`` names the good one."""
        ends = [self.good, self.bad]
        noise = self.name in _NOISE
        low, high = (ends[1], ends[0]) if noise else (ends[0], ends[1])
        lo = "0" if low is None else decimal(low, digits, up=noise and low == self.good)
        hi = "oo" if high is None else decimal(high, digits, up=True)
        end = "hi" if noise else "lo"
        note = "no number suffices" if self.good is None else f"{end} suffices"
        return {self.name: {"lo": lo, "hi": hi}, "suffices": end, "plan": self.what, "method": "calibration",
                "note": note}  # fmt: skip


def bisect(suffices: Callable[[Fraction], bool | None], falls: bool, width: float) -> tuple[Fraction | None, ...]:
    """The ends (good, bad) around where ``suffices`` changes; ``falls`` says that large numbers are the bad ones.

    >>> [float(x) for x in bisect(lambda x: x * x <= 2, True, 0.1)]
    [1.375, 1.5]
    """
    good = bad = None
    x = Fraction(1)
    for _ in range(_STEPS):
        told = suffices(x)
        if told is None:
            # Undecided: as close as the bracket of the answer allows, on either side.
            for near in (x * (1 - Fraction(width) / 2), x * (1 + Fraction(width) / 2)):
                told = suffices(near)
                good, bad = (near, bad) if told else (good, near) if told is False else (good, bad)
            break
        good, bad = (x, bad) if told else (good, x)
        if good is None or bad is None:
            x = x * 2 if told == falls else x / 2
            if not Fraction(1, 2**60) < x < 2**60:
                break
            continue
        if abs(good - bad) <= Fraction(width) * min(good, bad):
            break
        x = (good + bad) / 2
    return good, bad


def solve_plan(
    what: str,
    name: str,
    at: Mapping[str, object],
    times: int,
    sampled: object,
    eps: object,
    delta: object,
    width: float = 1e-3,
) -> Calibrated:
    """The least noise, or the largest level, with which the runs are (eps, delta)-DP.

    >>> found = solve_plan("gaussian(sigma)", "sigma", {}, 10, 1, "1", "1e-6")
    >>> found.to_json(4)["sigma"]
    {'lo': '13.35', 'hi': '13.37'}
    """
    kind = what.partition("(")[0].strip()
    names = {**FAMILIES, **NOTIONS}.get(kind)
    if names is None or name not in names or name in ("k", "delta"):
        raise InputError(
            f"--solve {name[:40]}: expected a parameter of {', '.join({**FAMILIES, **NOTIONS})}, such as sigma"
        )
    given = dict(at)
    if "(" in what:
        words = what.partition("(")[2].rstrip(") ").split(",")
        if len(words) != len(names) or words[names.index(name)].strip() != name:
            raise InputError(f"write the name that is asked for into the run, such as {kind}({', '.join(names)})")
        given = {n: w.strip() for n, w in zip(names, words, strict=True) if n != name}
    goal = checked(eps, "eps", "ADP")
    if goal.op != "num":
        raise InputError(f"eps={str(eps)[:40]}: expected a rational number")
    threshold = rational(goal)

    def suffices(x: Fraction) -> bool | None:
        plan = Plan.of([Run.of(kind, {**given, name: x}, times, sampled)])
        for fine in (0.1, 0.01, width / 4):
            found = compose(plan, delta=delta, width=fine, digits=15)
            if found.hi is not None and found.hi <= threshold:
                return True
            if found.lo is None or found.lo > threshold:
                return False
        return None

    good, bad = bisect(suffices, name not in _NOISE, width)
    return Calibrated(name, good, bad, f"{times} x {kind} sampled {sampled}: ({threshold}, {delta})-DP")


def solve_conversion(source: str, target: str, name: str, at: Mapping[str, object], digits: int = 12) -> Calibrated:
    """The largest parameter of the source from which the target follows at the level that is asked for.

    The level is given with the suffix 2, as ``delta2`` beside ``eps2``, or ``k2``.

    >>> found = solve_conversion("ZCDP", "ADP", "rho", {"eps2": "1", "delta2": "1e-6"}, 6)
    >>> found.to_json(6)["rho"]
    {'lo': '0.0243559', 'hi': '0.0243561'}
    """
    if name not in get(source).names:
        raise InputError(f"--solve {name[:40]}: expected a parameter of the source, such as rho of ZCDP")
    if name in ("alpha", "m", "p"):
        raise InputError(f"--solve {name}: levels are solved for, orders, numbers and priors are not")
    known = get(target)
    level = f"{known.answers}2"
    if level not in at:
        raise InputError(f"--solve needs the level of {target} that is asked for: {level}=...")
    rest = {n: x for n, x in at.items() if n != level}
    goal = checked(at[level], level, target)
    if goal.op != "num":
        raise InputError(f"{level}={str(at[level])[:40]}: expected a rational number")
    threshold = rational(goal)
    top = limits(name, source)[2]

    def suffices(x: Fraction) -> bool | None:
        if top is not None and constant_sign(sub(num(x), parse(top))) not in (-1, 0):
            return False
        found = ungraded(source, target, {**rest, name: x}, digits + 6)
        if found.status is Status.IMPOSSIBLE:
            return False
        if found.hi != "oo" and Fraction(found.hi) <= threshold:
            return True
        return False if found.lo != "oo" and Fraction(found.lo) > threshold else None

    assert asked_of(target, rest)[1] == known.answers
    good, bad = bisect(suffices, True, 10.0 ** -(digits + 1))
    return Calibrated(name, good, bad, f"{source} => {target} with {level}={threshold}")
