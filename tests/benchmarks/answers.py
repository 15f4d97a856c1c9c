"""Answers of provers, kept as they come: a run that was stopped goes on, and a prover that hangs is ended."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from statistics import median

from symprivacy.language.domain import box_from_texts, box_to_json
from symprivacy.language.text import parse_statement, to_text
from tests.benchmarks.problems import Problem, problems


@dataclass(frozen=True)
class Answer:
    """What one peer said about one problem, in how many seconds of processor time."""

    verdict: str
    seconds: float
    boxes: int


# Not among the questions; everybody begins with these.
WARM = [
    ("exp(x) >= 1 + x + x**2/2", "x in [0, 1]"),
    ("x*log(x) <= sqrt(x) + x**2 + erf(x)", "x in [1/2, 2]"),
    ("tanh(x)**2 + 2**x > pi", "x in [0, 1]"),
    ("2**pi < 3**E + x", "x in [0, 1]"),
    ("(x - 1/3)**2*exp(x) >= 1/100", "x in [0, 1]"),
    ("Max(x, 1 - x)/(1 + x) > 1/10", "x in [0, 1]"),
]
# How a peer is asked: its name, the problem, the seconds it has.
Ask = Callable[[str, Problem, float], Answer]


@dataclass(frozen=True)
class Session:
    """Questions to one peer in a process of its own: how it is asked, for how long, and where answers are kept."""

    name: str
    ask: Ask
    limit: float
    number: int
    path: Path

    def key(self, problem: Problem) -> str:
        """What an answer is found by."""
        statement = f"{to_text(problem.lhs)} {problem.rel} {to_text(problem.rhs)}"
        asked = [self.name, self.limit, self.number, statement, box_to_json(problem.box)]
        return json.dumps(asked, sort_keys=True)

    def known(self) -> dict[str, Answer]:
        """All that has been answered so far."""
        lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        return {key: Answer(**answer) for key, answer in map(json.loads, lines)}

    def keep(self, problem: Problem, answer: Answer) -> None:
        """Write an answer down."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([self.key(problem), asdict(answer)]) + "\n")

    def run(self, which: Sequence[int]) -> list[Answer]:
        """The answers to some of the problems, those in a new process that are not known."""
        everything = problems()
        while missing := self._missing(which):
            process = get_context("spawn").Process(target=_answer, args=(self, missing))
            process.start()
            # What it hangs at, or dies of, is the first that is missing then.
            if not _ends(process, self.path, 60 + 60 * self.limit) and (left := self._missing(missing)):
                self.keep(everything[left[0]], Answer("undecided", self.limit, 0))
        known = self.known()
        return [known[self.key(everything[i])] for i in which]

    def _missing(self, which: Sequence[int]) -> list[int]:
        known, everything = self.known(), problems()
        return [i for i in which if self.key(everything[i]) not in known]


def _answer(session: Session, which: Sequence[int]) -> None:
    """In the other process: after a few questions that are not counted, which import and fill tables."""
    everything = problems()
    for statement, domain in WARM:
        problem = Problem("", *parse_statement(statement), box_from_texts([domain]), True)
        session.ask(session.name, problem, session.limit)
    for i in which:
        session.keep(everything[i], session.ask(session.name, everything[i], session.limit))


def _ends(process: BaseProcess, path: Path, patience: float) -> bool:
    """Whether a process comes to its end while answers keep coming, on the clock of the wall; else it is ended."""
    size, since = -1, time.monotonic()
    while True:
        process.join(1.0)
        if process.exitcode is not None:
            return process.exitcode == 0
        now = path.stat().st_size if path.exists() else 0
        if now != size:
            size, since = now, time.monotonic()
        if time.monotonic() - since > patience:
            process.kill()
            process.join()
            return False


def middle(answers: Sequence[Answer]) -> Answer:
    """The first of several answers to one question, with the median time."""
    return replace(answers[0], seconds=median(a.seconds for a in answers))
