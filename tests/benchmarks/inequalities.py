"""The same inequalities through symprivacy and its peers, one after the other on one processor."""

from __future__ import annotations

import importlib.util
import math
import os
import pickle
import shutil
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from resource import RLIMIT_CPU, RUSAGE_CHILDREN, RUSAGE_SELF, getrusage, setrlimit
from statistics import median

from symprivacy.search.reasons import rules_used
from symprivacy.search.verdict import decide
from tests.benchmarks import bysympy, coqinterval, naive, smt, sollya
from tests.benchmarks.answers import Answer, Session, middle
from tests.benchmarks.problems import Problem

LIMIT = 1.0
# What is answered in less than so many seconds is asked so many times.
QUICK, ROUNDS = 0.1, 3


def by_symprivacy(problem: Problem, limit: float) -> tuple[str, int]:
    verdict = decide(problem.lhs, problem.rel, problem.rhs, problem.box, limit)
    return str(verdict.status), sum(1 for _ in rules_used(verdict.certificate or {}))


# A verdict, a number of boxes, and the seconds if the peer has a clock of its own.
PEERS: dict[str, Callable[[Problem, float], tuple[str, int] | tuple[str, int, float]]] = {
    "symprivacy": by_symprivacy,
    "naive Arb": naive.by_arb,
    "naive mpmath.iv": naive.by_mpmath,
    "cvc5": smt.by_cvc5,
    "z3": smt.by_z3,
    "Sollya": sollya.by_sollya,
    "sympy": bysympy.by_sympy,
    "coq-interval": coqinterval.by_coq,
}
_DEAF = ("cvc5", "z3", "sympy")
_PROGRAMS = {"Sollya": "sollya", "coq-interval": "coqtop"}
_NEEDS = {"naive Arb": "flint", "cvc5": "cvc5", "z3": "z3"}


def available(name: str) -> bool:
    """Whether a peer is installed."""
    if name in _PROGRAMS:
        return shutil.which(_PROGRAMS[name]) is not None
    return name not in _NEEDS or importlib.util.find_spec(_NEEDS[name]) is not None


def ask(name: str, problem: Problem, limit: float = LIMIT) -> Answer:
    """One question to one peer, for so many seconds of processor time; a failure of the peer counts as undecided."""
    return _ask_in_a_child(name, problem, limit) if name in _DEAF else _ask(name, problem, limit)


def _ask(name: str, problem: Problem, limit: float) -> Answer:
    start = _used()
    try:
        # Naive bisection looks at its processor time; the limits of the others are on the clock of the wall, which
        # runs on while other programs have their turn.
        naively = name.startswith("naive")
        with _processor_time(2 * limit if naively else limit):
            own = name in _PROGRAMS
            verdict, boxes, *clock = PEERS[name](problem, limit if naively or own else 30 * limit)
            if clock:
                return Answer(verdict, clock[0], boxes)
    except (Exception, _UsedUp):
        verdict, boxes = "undecided", 0
    return Answer(verdict, _used() - start, boxes)


class _UsedUp(BaseException):
    """Raised out of whatever runs when its processor time is over."""


@contextmanager
def _processor_time(limit: float) -> Iterator[None]:
    def expire(_signal: int, _frame: object) -> None:
        raise _UsedUp

    before = signal.signal(signal.SIGPROF, expire)
    signal.setitimer(signal.ITIMER_PROF, limit, 0.25)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _ask_in_a_child(name: str, problem: Problem, limit: float) -> Answer:
    """Solvers in C do not hear Python's signals, nor does arithmetic of huge numbers, so the system ends them."""
    ours, theirs = os.pipe()
    child = os.fork()
    if not child:
        setrlimit(RLIMIT_CPU, (math.ceil(limit), math.ceil(limit) + 1))
        # The system ends it to the fraction of a second.
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_VIRTUAL, limit)
        os.write(theirs, pickle.dumps(_ask(name, problem, 2 * limit)))
        os._exit(0)
    os.close(theirs)
    with open(ours, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    return pickle.loads(data) if data else Answer("undecided", limit, 0)


def _used() -> float:
    usage = [getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in usage)


def run(limit: float, which: Sequence[int], path: Path) -> dict[str, list[Answer]]:
    """The answers of all peers that are installed to some questions; what is answered quickly is asked again."""
    answers: dict[str, list[Answer]] = {}
    for name in (name for name in PEERS if available(name)):
        given = Session(name, ask, limit, 0, path).run(which)
        again = [i for i, a in zip(which, given, strict=True) if a.seconds < QUICK]
        rounds = [Session(name, ask, limit, number, path).run(again) for number in range(1, ROUNDS)]
        more = {i: [r[place] for r in rounds] for place, i in enumerate(again)}
        answers[name] = [middle([a, *more.get(i, [])]) for i, a in zip(which, given, strict=True)]
        print(f"{name}: done", flush=True)
    return answers


def table(answers: dict[str, list[Answer]], everything: Sequence[Problem]) -> list[str]:
    """Rows of Markdown: what was solved, what it took, and the times on what both have solved, side by side."""
    ours = answers["symprivacy"]
    rows = [
        "| prover | solved | wrong | undecided | median s | p95 s | both solved | time of symprivacy / its time |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, given in answers.items():
        right = [is_right(a, p) for a, p in zip(given, everything, strict=True)]
        undecided = sum(a.verdict == "undecided" for a in given)
        wrong = len(given) - sum(right) - undecided
        times = sorted(a.seconds for a, ok in zip(given, right, strict=True) if ok)
        both = [
            (o.seconds, g.seconds) for o, g, ok in zip(ours, given, right, strict=True) if ok and o.verdict == g.verdict
        ]
        ratio = sum(o for o, _ in both) / sum(g for _, g in both) if both else float("nan")
        middle = median(o / g for o, g in both) if both else float("nan")
        p95 = times[min(len(times) - 1, int(0.95 * len(times)))] if times else float("nan")
        shown = f"{sum(right)} | {wrong} | {undecided} | {median(times or [float('nan')]):.4f} | {p95:.3f}"
        compared = f"{len(both)} | {ratio:.2f} in sum, {middle:.1f} in the median"
        rows.append(f"| {name} | {shown} | {compared} |")
    return rows


def is_right(answer: Answer, problem: Problem) -> bool:
    """Whether the verdict is the truth."""
    return answer.verdict == ("proved" if problem.true else "refuted")


def classes(answers: dict[str, list[Answer]], everything: Sequence[Problem]) -> list[str]:
    """Rows of Markdown: what each has solved of each class."""
    groups = list(dict.fromkeys(p.group for p in everything))
    sizes = [sum(p.group == g for p in everything) for g in groups]
    rows = [f"| prover | {' | '.join(f'{g} ({n})' for g, n in zip(groups, sizes, strict=True))} |"]
    rows.append("| --- |" + " ---: |" * len(groups))
    for name, given in answers.items():
        solved = [sum(is_right(a, p) for a, p in zip(given, everything, strict=True) if p.group == g) for g in groups]
        rows.append(f"| {name} | {' | '.join(map(str, solved))} |")
    return rows


def times(answers: Sequence[Answer], everything: Sequence[Problem]) -> list[str]:
    """Rows of Markdown: how long symprivacy takes for what it decides, by class, and the slowest."""
    rows = [
        "| class | statements | decided | median s | p95 s | slowest s |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for group in [*dict.fromkeys(p.group for p in everything), "all"]:
        mine = [(a, p) for a, p in zip(answers, everything, strict=True) if group in (p.group, "all")]
        taken = sorted(a.seconds for a, p in mine if is_right(a, p))
        if taken:
            p95 = taken[min(len(taken) - 1, int(0.95 * len(taken)))]
            rows.append(f"| {group} | {len(mine)} | {len(taken)} | {median(taken):.4f} | {p95:.2f} | {taken[-1]:.2f} |")
    return rows


def against(answers: dict[str, list[Answer]], everything: Sequence[Problem], peer: str) -> list[str]:
    """Rows of Markdown: times of symprivacy and a peer on what both have solved, by what it cost the peer."""
    rows = [
        f"| boxes of {peer} | statements | symprivacy s | {peer} s | ratio of sums | median of ratios |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    triples = zip(everything, answers["symprivacy"], answers[peer], strict=True) if peer in answers else []
    both = [(o, g) for p, o, g in triples if is_right(o, p) and is_right(g, p)]
    for least, most in ((1, 3), (4, 99), (100, 10**9), (1, 10**9)):
        some = [(o.seconds, g.seconds) for o, g in both if least <= g.boxes <= most]
        label = f"{least} to {most}" if most < 10**9 else "all" if least == 1 else f"{least} and more"
        if some:
            ours, theirs = (sum(column) for column in zip(*some, strict=True))
            each = median(o / g for o, g in some)
            rows.append(f"| {label} | {len(some)} | {ours:.4f} | {theirs:.4f} | {ours / theirs:.2f} | {each:.2f} |")
    return rows
