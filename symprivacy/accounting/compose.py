"""The bracket of a plan: eps at delta, or delta at eps, from both sides, on a grid that the program chooses.

The upper end is the hockey-stick of a product of pairs each of which dominates its run; domination is kept under
adaptive composition (Zhu, Dong, Wang 2022, Theorem 10), order by order, so it holds whatever the runs look at. The
lower end is that of runs that do not look at each other, each with a pair that its class contains. Both are computed on
a grid (see :mod:`symprivacy.accounting.grid`) whose width is made finer until the two ends are as close as asked.

Why one run may be replaced at a time: with the other runs drawn from their P and their losses summing to x, the
hockey-stick of the product at eps is the mean of the hockey-stick of this run at eps - x. A larger hockey-stick of
this run at every threshold, negative ones included, makes the mean larger; the masses need not sum to one for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, log2, sqrt
from typing import Any

from flint import arb

from symprivacy.accounting.balls import ball, high, low, precision
from symprivacy.accounting.convolve import Convolution
from symprivacy.accounting.exact import exact
from symprivacy.accounting.grid import Grid, Steps, above, below
from symprivacy.accounting.laws import Law
from symprivacy.accounting.plan import Plan, Run
from symprivacy.accounting.profile import Profile
from symprivacy.accounting.window import grid_of, guessed, lattice, snapped
from symprivacy.errors import InputError, NoInformation
from symprivacy.evidence import Evidence
from symprivacy.implications.numbers.decimals import decimal
from symprivacy.implications.parameters import checked
from symprivacy.kernel.expr import rational

# Grid points of a sum, and of one run, at most.
MOST_POINTS = 2**20
_ROUNDS = 10
# Grids do not resolve a smaller delta.
SMALLEST = Fraction(1, 10**300)
# Bits beyond the unit of masses that balls are computed with.
GUARD = 72
Progress = Callable[[str], None]


@dataclass(frozen=True)
class Bracket:
    """What is proved about a plan: ``answers`` lies in [lo, hi]; ``oo`` where no number does."""

    plan: Plan
    answers: str
    given: Fraction
    lo: Fraction | None
    hi: Fraction | None
    method: str
    note: str = ""
    points: int = 0
    asked: str = ""
    sides: tuple[Side, ...] = field(default=(), repr=False, compare=False)
    #: the brackets of the choices of one part from every group of parallel ones
    choices: tuple[Bracket, ...] = field(default=(), repr=False, compare=False)
    evidence: Evidence = Evidence.ARGUED

    def to_json(self, digits: int = 12) -> dict[str, Any]:
        """The line that the command line prints."""
        # The width of a grid leaves no meaning to more.
        digits = min(digits, 12) if self.method == "grid" else digits
        lo = "oo" if self.lo is None else decimal(self.lo, digits, up=False)
        hi = "oo" if self.hi is None else decimal(self.hi, digits, up=True)
        asked = "delta" if self.answers == "eps" else "eps"
        return {self.answers: {"lo": lo, "hi": hi}, "at": {asked: self.asked or str(self.given)},
                "plan": str(self.plan), "method": self.method, "evidence": self.evidence.value,
                "note": self.note}  # fmt: skip

    @property
    def width(self) -> float:
        """The relative width."""
        if self.lo is None:
            return 0.0
        if self.hi is None or not self.lo:
            return 0.0 if self.hi == 0 else float("inf")
        return float((self.hi - self.lo) / self.lo)


def compose(
    plan: Plan,
    delta: object = None,
    eps: object = None,
    width: float | None = None,
    digits: int = 30,
    progress: Progress | None = None,
) -> Bracket:
    """The bracket of eps at delta, or of delta at eps; closed forms to so many digits where there are any.

    ``width`` is the relative width asked for where there is none, a thousandth for eps and a hundredth for delta.

    >>> from symprivacy.accounting import Plan, Run
    >>> compose(Plan.of([Run.of("laplace(3)", times=30)]), delta="1e-6").to_json(4)["eps"]
    {'lo': '8.391', 'hi': '8.4'}
    """
    if (delta is None) == (eps is None):
        raise InputError("give delta, and eps is answered, or eps, and delta is answered")
    answers = "eps" if delta is not None else "delta"
    given, other = _rationals(delta if delta is not None else eps, "delta" if delta is not None else "eps")
    if given != other:
        # The larger number of the question belongs to the smaller one of the answer.
        asked = [(x, None) if delta is not None else (None, x) for x in (given, other)]
        ends = [compose(plan, d, e, width, digits, progress) for d, e in asked]
        return replace(ends[0], lo=ends[1].lo, asked=str(delta if delta is not None else eps))
    if plan.parallel:
        return _worst(plan, [compose(p, delta, eps, width, digits, progress) for p in plan.choices()])
    goal = (1e-3 if answers == "eps" else 1e-2) if width is None else width
    if not 1e-9 <= goal <= 1:
        raise InputError(f"width={width}: expected a relative width from 1e-9 to 1")
    simple = _simple(plan, answers, given)
    if simple is not None:
        return simple
    known = exact(plan, answers, given, digits)
    if known is not None:
        return Bracket(plan, answers, given, *known[0], known[1])
    if answers == "eps" and given < SMALLEST:
        return _beyond(plan, given, _Search(plan, answers, SMALLEST, goal, progress).run())
    return _Search(plan, answers, given, goal, progress).run()


def _beyond(plan: Plan, given: Fraction, found: Bracket) -> Bracket:
    """At a delta too small for the grid: at least what a larger delta needs, at most the sum of the largest losses."""
    pure = _simple(plan, "eps", Fraction(0))
    assert pure is not None
    note = f"delta below {float(SMALLEST):g} is bounded by that delta and by delta = 0"
    return Bracket(plan, "eps", given, found.lo, pure.hi, "grid", note, found.points)


def _worst(plan: Plan, found: list[Bracket]) -> Bracket:
    """The bracket of the worst choice of parallel parts: the largest of the lower and of the upper ends."""
    lows, highs = [b.lo for b in found], [b.hi for b in found]
    lo = None if None in lows else max(x for x in lows if x is not None)
    hi = None if None in highs else max(x for x in highs if x is not None)
    grids = [b for b in found if b.method == "grid"]
    note = "; ".join(dict.fromkeys(b.note for b in found if b.note))
    points = max(b.points for b in found)
    method = "grid" if grids else found[0].method
    return Bracket(plan, found[0].answers, found[0].given, lo, hi, method, note, points, found[0].asked,
                   choices=tuple(found))  # fmt: skip


def _rationals(asked: object, name: str) -> tuple[Fraction, Fraction]:
    """A number that is asked about, or two rational ones next to it."""
    found = checked(asked, name, "ADP")
    if found.op == "num":
        return rational(found), rational(found)
    with precision(400):
        near = ball(found)
        return max(Fraction(0), low(near)), high(near)


def _simple(plan: Plan, answers: str, given: Fraction) -> Bracket | None:
    """Plans without losses, delta = 1, delta = 0, which asks for the sum of the largest losses, and eps beyond it."""
    if not plan.runs or (answers == "eps" and given == 1):
        return Bracket(plan, answers, given, Fraction(0), Fraction(0), "exact")
    if answers == "eps" and given:
        return None
    with precision(200):
        total = arb(0)
        for run in plan.runs:
            most = run.largest()
            if most is None:
                unbounded = Bracket(plan, answers, given, None, None, "exact", "the loss is not bounded")
                return unbounded if answers == "eps" else None
            total += run.times * most
        if answers == "eps":
            return Bracket(plan, answers, given, low(total), high(total), "exact", "the sum of the largest losses")
        return Bracket(plan, answers, given, Fraction(0), Fraction(0), "exact") if total <= ball(given) else None


class _Search:
    """Rounds on finer and finer grids; every end that was proved stays."""

    def __init__(self, plan: Plan, answers: str, given: Fraction, width: float, progress: Progress | None) -> None:
        self.plan, self.answers, self.given, self.width = plan, answers, given, width
        self.tell = progress or (lambda _: None)
        self.orders = plan.orders
        self.highs: dict[bool, Fraction | None] = dict.fromkeys(self.orders)
        self.low: Fraction | None = Fraction(0)
        members = max(len(run.members(False)) for run in plan.runs)
        # What lower bounds are tried with: an order and a member of every class.
        self.tried = [(added, member) for added in self.orders for member in range(members)]
        self.points = 0
        self.sides: dict[str, Side] = {}

    def run(self) -> Bracket:
        """The bracket, as narrow as asked or as the grid allows."""
        note = ""
        try:
            self._rounds()
        except NoInformation as e:
            note = str(e)
        except (OverflowError, ZeroDivisionError, ValueError):
            # Guesses are floats; what was proved so far stands, at worst [0, oo).
            note = "the numbers are beyond the range of the grid"
        if self._width() > self.width and self.low is not None:
            note = note or "the width asked for was not reached"
        else:
            note = ""
        sides = tuple(self.sides.values())
        return Bracket(
            self.plan, self.answers, self.given, self.low, self._high(), "grid", note, self.points, "", sides
        )

    def _rounds(self) -> None:
        settings = self._start()
        for turn in range(_ROUNDS):
            self.tell(f"grid of step {settings.step:.3g}")
            before = self._width()
            try:
                self._round(settings)
            except NoInformation:
                if self.points or turn > 5:
                    raise
                # Nothing is known yet: better a wide bracket than none.
                settings = replace(settings, step=4 * settings.step)
                continue
            now = self._width()
            stuck = turn > 1 and now > 0.8 * before
            if self.low is None or now <= self.width or stuck or self.points > MOST_POINTS:
                return
            settings = self._finer(settings, now)

    def _start(self) -> Settings:
        """A grid that is a few times too coarse by guess: it tells what the next one has to be."""
        guess = guessed(self.plan, self.answers, float(self.given))
        # Within a cell of width h the cumulant of order t grows by about t (t + 1) h**2/6, and all runs add up.
        grows = sum(run.times for run in self.plan.runs) * (guess.tilt + 1) / 6
        room = self.width * guess.eps if self.answers == "eps" else self.width / guess.tilt
        return Settings(
            max(3 * sqrt(room / grows), 1e-12), guess.delta, tilt=Fraction(guess.tilt).limit_denominator(64)
        )

    def _round(self, settings: Settings) -> None:
        values: dict[tuple[bool, int], Fraction] = {}
        for added, member in self.tried:
            side = side_of(self.plan, added, False, member, settings)
            value, points = end_of(side, self.plan, self.answers, self.given)
            self.points = max(self.points, points)
            if value is None or (self.low is not None and value > self.low):
                self.low, self.sides["low"] = value, side
            if value is None:
                return
            values[added, member] = value
        assert self.low is not None
        if self.low:
            # Others will hardly catch up; leaving them out costs width, never truth.
            self.tried = [key for key in self.tried if values[key] >= self.low * Fraction(4, 5)] or self.tried[:1]
            self.tried = sorted(self.tried, key=lambda key: -values[key])[:2]
        for added in self.orders:
            known = self.highs[added]
            if known is not None and self.low and known <= self.low * (1 + Fraction(self.width)):
                continue
            side = side_of(self.plan, added, True, 0, settings)
            value, _ = end_of(side, self.plan, self.answers, self.given)
            if value is not None and (known is None or value < known):
                self.highs[added], self.sides[f"high {added}"] = value, side

    def _high(self) -> Fraction | None:
        values = [x for x in self.highs.values() if x is not None]
        return max(values) if len(values) == len(self.highs) and self.low is not None else None

    def _width(self) -> float:
        top = self._high()
        if top is None or self.low is None:
            return float("inf")
        if not self.low:
            return 0.0 if not top else float("inf")
        return float((top - self.low) / self.low)

    def _finer(self, settings: Settings, width: float) -> Settings:
        # Both ends err by the square of the step.
        factor = max(0.1, min(0.7, 0.8 * sqrt(self.width / width))) if width < 10 else 0.5
        delta, waste = settings.delta, settings.waste
        if self.answers == "delta":
            delta = min(delta, float(self.low) if self.low else delta * 1e-6)
        if width < 100 * waste or width > 10:
            waste *= 1e-3
        return replace(settings, step=settings.step * factor, delta=max(delta, 1e-300), waste=max(waste, 1e-18))


@dataclass(frozen=True)
class Side:
    """From which masses an end was computed: everything that a checker needs besides the plan."""

    upper: bool
    added: bool
    member: int
    bits: int
    waste: int
    step: arb
    grids: tuple[Grid, ...]
    steps: tuple[Steps, ...]

    def profile(self, plan: Plan) -> Profile:
        """The sum of all losses, at a working precision of ``bits`` and more."""
        offset, slack, kept = arb(0), arb(0), arb(1)
        for run, grid, steps in zip(plan.runs, self.grids, self.steps, strict=True):
            offset += run.times * grid.offset
            slack += run.times * ball(steps.slack)
            kept *= (1 - steps.never) ** run.times
        parts = [(steps, run.times) for run, steps in zip(plan.runs, self.steps, strict=True)]
        sums = Convolution(self.bits, self.upper, self.waste).runs(parts)
        missing = 1 - ball(Fraction(sum(sums.masses), 2**self.bits))
        return Profile(sums, self.bits, self.step, offset, missing if self.upper else 1 - kept, slack)


@dataclass(frozen=True)
class Settings:
    """What a round works with: about the width of the grid, and the delta of which a share may be cut off."""

    step: float
    delta: float
    waste: float = 1e-6
    tilt: Fraction = Fraction(0)


def side_of(plan: Plan, added: bool, upper: bool, member: int, settings: Settings) -> Side:
    """All runs on a grid, from one side and for one order of neighbours."""
    count = sum(run.times for run in plan.runs)
    tail = settings.delta * settings.waste / count
    bits = max(32, ceil(-log2(tail)) + 24)
    with precision(bits + GUARD):
        laws = [law_of(run, added, upper, member) for run in plan.runs]
        step = (lattice(laws) or snapped(laws, settings.step)).mid()
        grids = tuple(grid_of(law, step, tail, bits, settings.tilt) for law in laws)
        if max(grid.last - grid.first for grid in grids) > MOST_POINTS:
            raise NoInformation("one run needs too many grid points")
        steps = tuple((above if upper else below)(law, grid) for law, grid in zip(laws, grids, strict=True))
        waste = int(Fraction(settings.delta) * Fraction(settings.waste) * 2**bits)
        return Side(upper, added, member, bits, waste, step, grids, steps)


def law_of(run: Run, added: bool, upper: bool, member: int) -> Law:
    if upper:
        return run.dominating(added)
    members = run.members(added)
    return members[min(member, len(members) - 1)]


def end_of(side: Side, plan: Plan, answers: str, given: Fraction) -> tuple[Fraction | None, int]:
    """The end that one side proves, and on how many points."""
    with precision(side.bits + GUARD):
        found = side.profile(plan)
    rules = {(True, "eps"): upper_eps, (False, "eps"): lower_eps, (True, "delta"): upper_delta}
    value = rules.get((side.upper, answers), lower_delta)(found, given)
    return value, len(found.sums.masses)


def upper_eps(found: Profile, delta: Fraction) -> Fraction | None:
    """An eps with delta at most the given one, proved."""
    with precision(found.bits + GUARD):
        goal = ball(delta)
        if found.delta(-found.slack) <= goal:
            return Fraction(0)
        least = found.eps(goal)
        if least is None:
            return None
        eps = high(least)
        for _ in range(60):
            if found.delta(ball(eps)) <= goal:
                return max(Fraction(0), high(ball(eps) + found.slack))
            eps += max(abs(eps), Fraction(1, 2**20)) / 2**40
    return None


def lower_eps(found: Profile, delta: Fraction) -> Fraction | None:
    """An eps that no smaller one than the true one exceeds; None where no eps suffices."""
    with precision(found.bits + GUARD):
        if found.never > ball(delta):
            return None
        # Where delta is just the mass of the loss oo, the largest finite loss suffices: no infinity.
        least = found.eps(ball(delta).max(found.never.upper() + arb(2) ** -found.bits))
        return Fraction(0) if least is None else max(Fraction(0), low(least - found.slack))


def upper_delta(found: Profile, eps: Fraction) -> Fraction:
    """A delta that is large enough."""
    with precision(found.bits + GUARD):
        return min(Fraction(1), high(found.delta(ball(eps) - found.slack)))


def lower_delta(found: Profile, eps: Fraction) -> Fraction:
    """A delta that is needed."""
    with precision(found.bits + GUARD):
        return max(Fraction(0), low(found.delta(ball(eps) + found.slack)))
