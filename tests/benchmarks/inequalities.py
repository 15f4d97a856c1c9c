"""The same inequalities through symprivacy and its peers, one after the other on one processor."""

from __future__ import annotations

import importlib.util
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from statistics import median

from symprivacy.parallel import in_order, run_many
from symprivacy.search.verdict import decide
from tests.benchmarks import naive, smt, sollya
from tests.benchmarks.problems import Problem, problems

LIMIT = 5.0
# The one that everybody is warmed up with; a first call imports.
FIRST = 0


def by_symprivacy(problem: Problem, limit: float) -> tuple[str, int]:
    verdict = decide(problem.lhs, problem.rel, problem.rhs, problem.box, limit)
    steps = verdict.reason.split()[0]
    return str(verdict.status), int(steps) if steps.isdigit() else 0


PEERS: dict[str, Callable[[Problem, float], tuple[str, int]]] = {
    "symprivacy": by_symprivacy,
    "naive Arb": naive.by_arb,
    "naive mpmath.iv": naive.by_mpmath,
    "cvc5": smt.by_cvc5,
    "z3": smt.by_z3,
    "Sollya": sollya.by_sollya,
}
_NEEDS = {"naive Arb": "flint", "cvc5": "cvc5", "z3": "z3"}


def available(name: str) -> bool:
    """Whether a peer is installed."""
    if name == "Sollya":
        return shutil.which("sollya") is not None
    return name not in _NEEDS or importlib.util.find_spec(_NEEDS[name]) is not None


@dataclass(frozen=True)
class Answer:
    """What one peer said about one problem, in how many seconds of processor time."""

    verdict: str
    seconds: float
    boxes: int


def ask(name: str, problem: Problem, limit: float = LIMIT) -> Answer:
    """One question to one peer; a failure of the peer counts as undecided."""
    start = _used()
    try:
        verdict, boxes = PEERS[name](problem, limit)
    except Exception:
        verdict, boxes = "undecided", 0
    return Answer(verdict, _used() - start, boxes)


def _used() -> float:
    usage = [getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in usage)


def _ask_all(limit: float, name: str) -> list[Answer]:
    """In one process, so that each peer imports once; its own time limits are tried first, then the pool's."""
    everything = problems()
    ask(name, everything[FIRST], limit)
    return [ask(name, p, limit) for p in everything]


def run(limit: float = LIMIT) -> dict[str, list[Answer]]:
    """All answers of all peers that are installed."""
    names = [name for name in PEERS if available(name)]
    answers: dict[str, list[Answer]] = {}
    count = len(problems())
    longest = (limit + 5) * count
    for outcome in in_order(run_many(partial(_ask_all, limit), names, jobs=2, timeout=longest)):
        answers[names[outcome.index]] = outcome.result()
        print(f"{names[outcome.index]}: done after {time.process_time():.0f} s", flush=True)
    return answers


def table(answers: dict[str, list[Answer]]) -> list[str]:
    """Rows of Markdown: what was solved, what it took, and the times on what both have solved, side by side."""
    everything = problems()
    ours = answers["symprivacy"]
    rows = [
        "| prover | solved | wrong | undecided | median s | p95 s | both solved | time of symprivacy / its time |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, given in answers.items():
        right = [a.verdict == ("proved" if p.true else "refuted") for a, p in zip(given, everything, strict=True)]
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


def against(answers: dict[str, list[Answer]], peer: str) -> list[str]:
    """Rows of Markdown: times of symprivacy and a peer on what both have solved, by what it cost the peer."""
    rows = [
        f"| boxes of {peer} | statements | symprivacy s | {peer} s | ratio |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    triples = zip(problems(), answers["symprivacy"], answers.get(peer, []), strict=True) if peer in answers else []
    both = [(o, g) for p, o, g in triples if o.verdict == g.verdict == ("proved" if p.true else "refuted")]
    for least, most in ((1, 3), (4, 99), (100, 10**9), (1, 10**9)):
        some = [(o.seconds, g.seconds) for o, g in both if least <= g.boxes <= most]
        label = f"{least} to {most}" if most < 10**9 else "all" if least == 1 else f"{least} and more"
        if some:
            ours, theirs = (sum(column) for column in zip(*some, strict=True))
            rows.append(f"| {label} | {len(some)} | {ours:.3f} | {theirs:.3f} | {ours / theirs:.2f} |")
    return rows
