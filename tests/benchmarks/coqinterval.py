"""coq-interval as one first uses it: ``interval`` on the difference of both sides, then with bisection and slopes."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from math import ceil

from symprivacy.coq.terms import hypotheses, plain, term, variable
from symprivacy.kernel.expr import is_num, sub, subexpressions
from tests.benchmarks.naive import HelplessError
from tests.benchmarks.problems import Problem

_START = "From Coq Require Import Reals. From Interval Require Import Tactic. Local Open Scope R_scope."
_KNOWN = frozenset(["num", "var", "pi", "+", "*", "^", "exp", "log", "abs"])
# Seconds on the wall for one tactic, for each of processor time: Coq has no other limit, and the machine may be busy.
_PATIENCE = 5


@cache
def _coqtop() -> subprocess.Popen[str]:
    """One Coq for all questions: to load its libraries takes it a second."""
    command = ["coqtop", "-q", "-w", "none"]
    coq = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1
    )
    _answer(coq, _START)
    return coq


def _answer(coq: subprocess.Popen[str], sentences: str) -> str:
    assert coq.stdin is not None
    assert coq.stdout is not None
    coq.stdin.write(f"{sentences}\nFail Check the_end.\n")
    coq.stdin.flush()
    lines: list[str] = []
    while not lines or "The reference the_end was not found" not in lines[-1]:
        lines.append(coq.stdout.readline())
        if not lines[-1]:
            raise HelplessError("Coq has ended")
    return "".join(lines)


def by_coq(problem: Problem, limit: float) -> tuple[str, int, float]:
    """Proved or undecided, as the tactic refutes nothing; and the seconds that Coq says it took."""
    difference = plain(sub(*problem.sides))
    if any(n.op not in _KNOWN or (n.op == "^" and not is_num(n.args[1])) for n in subexpressions(difference)):
        return "undecided", 0, 0.0
    known = [h for name, r in problem.box.items() for h in hypotheses(name, r)]
    names = [variable(name) for name in problem.box]
    claim = " -> ".join([*known, f"0 {'<' if problem.strict else '<='} {term(difference)}"])
    goal = f"forall {' '.join(names)} : R, {claim}" if names else claim
    finer = ", ".join([*(f"i_bisect {v}" for v in names), *(f"i_autodiff {v}" for v in names[:1])])
    tactic = f"first [interval | interval with ({finer})]" if names else "interval"
    said = _answer(_coqtop(), f"Goal {goal}. intros. Time Timeout {ceil(_PATIENCE * limit)} {tactic}. Time Qed. Abort.")
    seconds = sum(float(u) for u in re.findall(r"secs \(([0-9.]+)u", said))
    proved = said.count("(successful)") == 2 and seconds <= limit
    return ("proved" if proved else "undecided"), 0, seconds
