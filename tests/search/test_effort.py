"""Verdicts do not depend on the clock: searches count steps, and only the user's time may end them earlier."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

import symprivacy
from symprivacy import Status, compare, prove, roots
from symprivacy.claims.counterexamples import hunt
from symprivacy.claims.language import proposition
from symprivacy.kernel.rules import Goal
from symprivacy.language.domain import box_from_texts
from symprivacy.language.text import parse_statement
from symprivacy.search.context import Context, Mode
from symprivacy.search.effort import Effort, OutOfEffortError, OutOfTimeError
from symprivacy.search.verdict import decide

# Who may look at the clock: to tell how long something took, or to keep a time limit of the user.
CLOCKS = {
    "cli/derive.py", "cli/prove.py", "claims/decide.py", "claims/counterexamples.py", "derivations/theorems/build.py",
    "parallel/progress.py", "parallel/workers.py", "search/effort.py", "search/sweep.py", "search/verdict.py",
}  # fmt: skip


def test_nothing_else_looks_at_the_clock() -> None:
    root = Path(symprivacy.__file__).parent
    clock = re.compile(r"perf_counter|monotonic\(|process_time|time\.time\(")
    found = {p.relative_to(root).as_posix() for p in root.rglob("*.py") if clock.search(p.read_text(encoding="utf-8"))}
    assert found <= CLOCKS, f"a decision by the clock in {sorted(found - CLOCKS)}?"


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine on which an hour goes by between any two looks at the clock."""
    hours = count(0, 3600)
    monkeypatch.setattr(time, "monotonic", lambda: float(next(hours)))
    return


@pytest.mark.usefixtures("busy")
def test_a_busy_machine_gives_the_same_verdicts() -> None:
    assert prove("exp(x) >= 1 + x + x**2/2", "x in [0, oo)", timeout=None).status is Status.PROVED
    assert prove("x*y <= (x**2 + y**2)/2", ["x in [0, 9]", "y in [0, 9]"], timeout=None).status is Status.PROVED
    assert prove("log(1 + x) <= 50", "x in [0, oo)", timeout=None).status is Status.REFUTED
    assert roots("exp(x) - 3*x", "x in [0, 5]", timeout=None).complete
    assert [p.sign for p in compare("x**2", "x", "x in [0, 3]", timeout=None).pieces] == ["<", ">"]
    claim = proposition("DP(eps) => TV(eps/4)")
    assert hunt(claim.premise, claim.conclusion, claim.box).witness is not None


def test_the_steps_end_a_search() -> None:
    """Without any time limit, and with the same words each time."""
    statement = parse_statement("erfc(x) < exp(-x**2)/(x + sqrt(x**2 + 1.2732395447))*1.1283792")
    box = box_from_texts(["x in [0, oo)"])
    found = [decide(*statement, box, steps=20_000) for _ in range(2)]
    assert found[0].status is Status.UNDECIDED
    assert found[0].reason == found[1].reason


def test_a_share_is_spent_of_the_whole() -> None:
    effort = Effort(100)
    with pytest.raises(OutOfEffortError):
        effort.share(4).spend(30)
    assert effort.steps == 70
    with pytest.raises(OutOfTimeError):
        Effort(100, deadline=time.monotonic() - 1).spend(1)


def _context() -> tuple[Context, Goal]:
    box = box_from_texts(["x in [0, 1]"])
    lhs, rel, rhs = parse_statement("x >= 0")
    context = Context(lhs, rel, rhs, box, Effort(), lambda *_: None)
    return context, context.goals[0]


def test_what_came_to_its_end_is_not_tried_again_in_the_next_round() -> None:
    context, goal = _context()
    calls = []

    def fails(ctx: Context, goal: Goal, depth: int) -> None:
        calls.append(ctx.mode)

    for mode in (*Mode, *Mode):
        with context.round(1000, mode):
            assert context.attempt(5, fails, context, goal, 0) is None
    # Other ways are open where curves are looked for.
    assert calls == [*Mode]


def test_what_was_given_up_for_lack_of_steps_is_tried_again() -> None:
    context, goal = _context()
    calls = []

    def long(ctx: Context, goal: Goal, depth: int) -> dict[str, str]:
        calls.append(ctx.effort.steps)
        ctx.effort.spend(600)
        return {"by": "box"}

    def around(ctx: Context, goal: Goal, depth: int) -> dict[str, str] | None:
        return ctx.portion(2, 5, long, ctx, goal, depth)

    for steps, found in ((1000, None), (2000, {"by": "box"})):
        with context.round(steps):
            assert context.attempt(5, around, context, goal, 0) == found
    assert calls == [500, 1000]
