"""Worker processes that can be killed: one per line at a time, answers in the order of the lines.

The standard pools cannot end one task that hangs; here a worker that overstays is killed and replaced.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from symprivacy.cli.lines import LineSource

Task = Callable[[bytes], str]
# Answers that wait for an earlier line are kept in memory, so only this many lines per worker are ahead.
AHEAD = 64


@dataclass
class _Worker:
    process: BaseProcess
    pipe: Connection
    line: int = -1
    sent: bytes = b""
    since: float = 0.0


def _serve(task: Task, pipe: Connection, others: list[Connection]) -> None:
    # Ctrl-C is for the parent; a worker ends when its pipe does, so it must not hold its siblings' pipes open.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for other in others:
        other.close()
    with contextlib.suppress(EOFError, OSError):
        while True:
            pipe.send(task(pipe.recv()))


class Pool:
    """At most ``jobs`` workers, started when there is a line for them.

    Args:
        task: from a line to its answer; must not raise, and must be picklable where processes are spawned.
        overdue: the answer to a line whose worker was killed (True) or died by itself (False).
        limit: seconds after which a worker is killed.
    """

    def __init__(self, task: Task, overdue: Callable[[bytes, bool], str], jobs: int, limit: float) -> None:
        self._task, self._overdue, self._jobs, self._limit = task, overdue, jobs, limit
        # A fork shares what is already imported; macOS libraries do not survive it.
        forks = sys.platform.startswith("linux")
        self._start: Any = multiprocessing.get_context("fork" if forks else "spawn")
        self._workers: list[_Worker] = []
        self._answers: dict[int, str] = {}

    def run(self, source: LineSource) -> Iterator[str]:
        """Answers in the order of the lines, as soon as all earlier ones are there."""
        taken = printed = 0
        try:
            while True:
                # Print first: what is printed makes room for further lines, and without a worker at work there
                # would be nothing to wait for.
                while printed in self._answers:
                    yield self._answers.pop(printed)
                    printed += 1
                while source.lines and taken - printed < AHEAD * self._jobs:
                    if not self._give(taken, source.lines[0]):
                        break
                    source.lines.popleft()
                    taken += 1
                if source.ended and not source.lines and printed == taken:
                    return
                self._wait(source)
        finally:
            self.close()

    def _give(self, number: int, line: bytes) -> bool:
        worker = next((w for w in self._workers if w.line < 0), None)
        if worker is None:
            if len(self._workers) >= self._jobs:
                return False
            worker = self._hire()
        worker.line, worker.sent, worker.since = number, line, time.monotonic()
        with contextlib.suppress(OSError):  # a worker that died is noticed by _wait
            worker.pipe.send(line)
        return True

    def _hire(self) -> _Worker:
        ours, theirs = self._start.Pipe()
        inherited = [ours, *(w.pipe for w in self._workers)] if self._start.get_start_method() == "fork" else []
        process = self._start.Process(target=_serve, args=(self._task, theirs, inherited), daemon=True)
        process.start()
        theirs.close()
        worker = _Worker(process, ours)
        self._workers.append(worker)
        return worker

    def _wait(self, source: LineSource) -> None:
        busy: dict[object, _Worker] = {w.pipe: w for w in self._workers if w.line >= 0}
        hungry = not source.ended and not source.lines
        soonest = min((w.since + self._limit for w in busy.values()), default=None)
        patience = None if soonest is None else max(0.0, soonest - time.monotonic())
        awaited: list[Any] = [*busy, *([source] if hungry else [])]
        for ready in wait(awaited, patience):
            worker = busy.get(ready)
            if worker is None:
                source.read()
                continue
            try:
                self._answers[worker.line] = worker.pipe.recv()
                worker.line = -1
            except (EOFError, OSError):
                self._dismiss(worker, killed=False)
        for worker in busy.values():
            if worker.line >= 0 and time.monotonic() > worker.since + self._limit:
                self._dismiss(worker, killed=True)

    def _dismiss(self, worker: _Worker, killed: bool) -> None:
        self._workers.remove(worker)
        self._answers[worker.line] = self._overdue(worker.sent, killed)
        worker.line = -1
        self._end(worker)

    def _end(self, worker: _Worker) -> None:
        worker.process.kill()
        worker.process.join()
        worker.pipe.close()

    def close(self) -> None:
        """End every worker."""
        while self._workers:
            self._end(self._workers.pop())
