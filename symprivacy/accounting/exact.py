"""Plans whose answer needs no grid: Gaussian noise without sampling, and runs of one randomized response.

Independent Gaussian pairs are one Gaussian pair, mu**2 = sum of 1/sigma**2. Runs of eps-DP are dominated by randomized
responses (Kairouz, Oh, Viswanath 2015, Theorem 3.3), whose losses are binomial; for (eps, delta)-ADP each run is in
addition disjoint with probability delta. With A_i and B_i the masses of the i largest losses under P and Q, the
hockey-stick at eps is the largest A_i - exp(eps) B_i, so eps at delta is the largest log((A_i - delta)/B_i).
"""

from __future__ import annotations

from fractions import Fraction
from math import prod

from flint import arb
from sympy import Add, sqrt

from symprivacy.accounting.balls import ball, high, low, precision
from symprivacy.accounting.plan import Plan, Run
from symprivacy.implications import Status, convert
from symprivacy.implications.runs import Runs, delta_of_runs, eps_of_runs
from symprivacy.kernel.expr import Expr, num, rational
from symprivacy.language.bridge import to_sympy

Ends = tuple[Fraction | None, Fraction | None]
_RESPONSES = ("DP", "LDP", "ADP", "geometric", "krr")
# More runs than that are left to the grid.
MOST_TERMS = 2_000_000
# As many losses, of different levels and next to a slack, are gone through one by one.
FEW = 1000


def exact(plan: Plan, answers: str, given: Fraction, digits: int) -> tuple[Ends, str] | None:
    """Both ends to so many digits, and by what; None where the plan needs a grid.

    >>> (lo, hi), how = exact(Plan.of(["gaussian(2)"] * 4), "delta", Fraction(1), 10)
    >>> round(float(hi), 9), how
    (0.126936738, 'closed form')
    """
    if all(run.kind in ("gaussian", "GDP") and run.rate == 1 for run in plan.runs):
        return _gaussian(plan, answers, given, digits)
    small = _few_losses(plan, answers, given, digits)
    if small is not None:
        return small
    found = _response(plan)
    if found is None:
        return None
    eps, kept, count = found
    bits = int(digits * 3.33) + 80 + 2 * count.bit_length()
    while bits < 20000:
        with precision(bits):
            ends = _binomial(eps, kept, count, answers, given)
        if ends[0] == ends[1] or (ends[0] and ends[1] and ends[1] - ends[0] <= ends[0] / 10 ** (digits + 2)):
            return ends, "exact sum"
        bits *= 2
    return None


def _gaussian(plan: Plan, answers: str, given: Fraction, digits: int) -> tuple[Ends, str] | None:
    mu = sqrt(Add(*(run.times / to_sympy(run.at["sigma"]) ** 2 for run in plan.runs)))
    name = "delta2" if answers == "eps" else "eps2"
    found = convert("GDP", {"mu": mu, name: given}, "ADP", digits)
    if found.status is Status.IMPOSSIBLE:
        return (None, None), "closed form"
    return ((Fraction(found.lo), Fraction(found.hi)), "closed form") if found.status is Status.TIGHT else None


def _few_losses(plan: Plan, answers: str, given: Fraction, digits: int) -> tuple[Ends, str] | None:
    """Runs of pure and approximate DP, also of different levels, one loss after the other."""
    if any(not _is_response(run) for run in plan.runs) or prod(run.times + 1 for run in plan.runs) > FEW:
        return None
    parts = tuple((run.at["eps"], run.at.get("delta", num(Fraction(0))), run.times) for run in plan.runs)
    lo, hi = (eps_of_runs if answers == "eps" else delta_of_runs)(Runs(parts), given, digits)
    return (None if lo == "oo" else Fraction(lo), None if hi == "oo" else Fraction(hi)), "exact sum"


def _is_response(run: Run) -> bool:
    return run.rate == 1 and run.kind in _RESPONSES and (run.kind != "krr" or rational(run.at["k"]) == 2)


def _response(plan: Plan) -> tuple[Expr, tuple[tuple[Expr, int], ...], int] | None:
    """The one eps of all runs, their slacks with counts, and how many there are."""
    runs = plan.runs
    if not all(map(_is_response, runs)) or len({run.at["eps"] for run in runs}) != 1:
        return None
    count = sum(run.times for run in runs)
    slacks = tuple((run.at.get("delta", num(Fraction(0))), run.times) for run in runs)
    return (runs[0].at["eps"], slacks, count) if count <= MOST_TERMS else None


def _binomial(eps: Expr, slacks: tuple[tuple[Expr, int], ...], k: int, answers: str, given: Fraction) -> Ends:
    kept = arb(1)
    for delta, times in slacks:
        kept *= (1 - ball(delta)) ** times
    pure = all(delta.op == "num" and not rational(delta) for delta, _ in slacks)
    ratio = ball(eps).exp()
    if answers == "delta":
        stick = _stick(ratio, k, ball(given), ball(eps)) if given < high(k * ball(eps)) else arb(0)
        total = stick if pure else 1 - kept * (1 - stick)
        return max(Fraction(0), low(total)), min(Fraction(1), high(total))
    room = ball(given) if pure else 1 - (1 - ball(given)) / kept
    if room < 0:
        return None, None
    if not room > 0:
        # The slack, or too close to it to tell: at most the sum of all levels, if any number at all.
        return Fraction(0), None
    most = _demand(ratio, k, room)
    if most is None:
        return Fraction(0), Fraction(0)
    least = most.log()
    return max(Fraction(0), low(least)), max(Fraction(0), high(least))


def _terms(ratio: arb, k: int) -> tuple[arb, arb]:
    """P and Q of the largest loss."""
    return (ratio / (1 + ratio)) ** k, (1 / (1 + ratio)) ** k


def _stick(ratio: arb, k: int, asked: arb, eps: arb) -> arb:
    p, q = _terms(ratio, k)
    total, scale = arb(0), asked.exp()
    for i in range(k, -1, -1):
        if (2 * i - k) * eps < asked:
            break
        total += (p - scale * q).nonnegative_part()
        p, q = p * i / (k - i + 1) / ratio, q * i / (k - i + 1) * ratio
    return total


def _demand(ratio: arb, k: int, room: arb) -> arb | None:
    """The largest (A_i - delta)/B_i; None where it is below 1. Losses below the largest one seen add nothing to it."""
    p, q = _terms(ratio, k)
    a, b = arb(0), arb(0)
    most: arb | None = None
    loss, square = ratio**k, ratio * ratio
    for i in range(k, -1, -1):
        a, b = a + p, b + q
        if a > room:
            here = (a - room) / b
            most = here if most is None else most.max(here)
        if loss < 1 or (most is not None and loss < most):
            break
        p, q, loss = p * i / (k - i + 1) / ratio, q * i / (k - i + 1) * ratio, loss / square
    return None if most is None or most < 1 else most
