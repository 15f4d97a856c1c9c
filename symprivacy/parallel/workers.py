"""Worker processes that can be killed: each has one task at a time, so the loss of one costs that task only.

The standard pools cannot end one task that hangs, and break as a whole when a worker dies.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Generic

from symprivacy.parallel.outcome import LateTaskError, LostTaskError, Outcome, Result, attempt

# A task whose worker died is tried once more: another program may have used up the memory.
DEATHS = 2
_STARTED = b""
_ENDED = "the process that worked on this ended unexpectedly (out of memory?)"


def inside_worker() -> bool:
    """Whether this process is a worker itself, which may have no workers of its own."""
    return multiprocessing.current_process().daemon


def processors() -> int:
    """How many processors this process may use.

    >>> processors() >= 1
    True
    """
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


@dataclass
class _Worker:
    process: BaseProcess
    pipe: Connection
    index: int = -1
    task: Any = None
    # When the task was begun; the start of a process, which may import much, is not held against its first task.
    since: float | None = None
    # How much its process had worked then.
    worked: float = 0.0
    started: bool = False

    def begin(self) -> None:
        """The task begins now."""
        self.since, self.worked = time.monotonic(), _worked(self.process.pid) or 0.0


def _worked(pid: int | None) -> float | None:
    """The seconds that a processor has spent on a process; None where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return None


def _serve(function: Callable[[Any], Any], pipe: Connection, others: list[Connection]) -> None:
    # Ctrl-C is for the parent; a worker ends when its pipe does, so it must not hold its siblings' pipes open.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for other in others:
        other.close()
    with contextlib.suppress(EOFError, OSError):
        pipe.send_bytes(_STARTED)
        while True:
            outcome = attempt(function, *pipe.recv())
            try:
                data = pickle.dumps(outcome)
                pickle.loads(data)
            except Exception as e:
                # Errors with arguments of their own often cannot be rebuilt on the other side.
                told = outcome.error or e
                retold: Outcome[Any] = Outcome(outcome.index, error=RuntimeError(f"{type(told).__name__}: {told}"))
                data = pickle.dumps(retold)
            pipe.send_bytes(data)


class Workers(Generic[Result]):
    """At most ``jobs`` worker processes, started when there is a task for them.

    Args:
        function: from a task to its result. Both must be picklable, and so must the function where processes
            cannot be forked.
        jobs: how many processes.
        timeout: seconds after which a task's worker is killed; None for no limit.
        patience: so many times the timeout may pass as long as the worker has not worked that long; on a machine with
            much else to do a task then gets as far as on an idle one.
    """

    def __init__(
        self, function: Callable[[Any], Result], jobs: int, timeout: float | None = None, patience: float = 1
    ) -> None:
        self._function, self._jobs, self._timeout, self._patience = function, jobs, timeout, patience
        # A fork shares what is already imported; but macOS libraries do not survive it, and a lock that another
        # thread holds at that moment would stay locked.
        forks = sys.platform.startswith("linux") and threading.active_count() == 1
        self._start: Any = multiprocessing.get_context("fork" if forks else "spawn")
        self._workers: list[_Worker] = []
        self._again: deque[tuple[int, Any]] = deque()
        self._deaths: dict[int, int] = {}
        self._refused: list[Outcome[Result]] = []

    def __enter__(self) -> Workers[Result]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def idle(self) -> bool:
        """Whether no task is being worked on."""
        return not self._again and not self._refused and all(w.index < 0 for w in self._workers)

    @property
    def room(self) -> bool:
        """Whether another task would be started at once."""
        return not self._again and (len(self._workers) < self._jobs or any(w.index < 0 for w in self._workers))

    def give(self, index: int, task: Any) -> None:
        """Start a task, or keep it until a worker is free."""
        self._again.append((index, task))
        self._hand_out()

    def _hand_out(self) -> None:
        while self._again:
            worker = next((w for w in self._workers if w.index < 0), None)
            if worker is None:
                if len(self._workers) >= self._jobs:
                    return
                worker = self._hire()
            worker.index, worker.task = self._again.popleft()
            if worker.started:
                worker.begin()
            else:
                worker.since = None
            try:
                worker.pipe.send((worker.index, worker.task))
            except OSError:
                pass  # a worker that died is noticed by wait
            except Exception as e:  # a task that cannot be pickled
                self._refused.append(Outcome(worker.index, error=e))
                worker.index = -1

    def _hire(self) -> _Worker:
        ours, theirs = self._start.Pipe()
        inherited = [ours, *(w.pipe for w in self._workers)] if self._start.get_start_method() == "fork" else []
        process = self._start.Process(target=_serve, args=(self._function, theirs, inherited), daemon=True)
        process.start()
        theirs.close()
        worker = _Worker(process, ours)
        self._workers.append(worker)
        return worker

    def wait(self, *others: Any) -> tuple[list[Outcome[Result]], list[Any]]:
        """Wait until a task ends or one of some other objects with a ``fileno`` is ready; which of either."""
        if self._refused:
            refused, self._refused = self._refused, []
            return refused, []
        busy: dict[Any, _Worker] = {w.pipe: w for w in self._workers if w.index >= 0}
        soonest = min((end for w in busy.values() if (end := self._deadline(w)) is not None), default=None)
        ready = wait([*busy, *others], None if soonest is None else max(0.0, soonest - time.monotonic()))
        ended = [o for o in (self._receive(busy[pipe]) for pipe in ready if pipe in busy) if o is not None]
        for worker in busy.values():
            end = self._deadline(worker)
            if worker.index >= 0 and end is not None and time.monotonic() >= end:
                late = LateTaskError(f"no answer within {self._timeout:g} s")
                ended.append(Outcome(worker.index, error=late))
                self._end(worker)
        self._hand_out()
        return ended, [r for r in ready if r not in busy]

    def _deadline(self, worker: _Worker) -> float | None:
        """When the time of a worker's task is up; later, while it has not had its share of the processors."""
        if self._timeout is None or worker.since is None:
            return None
        end = worker.since + self._timeout
        now = time.monotonic()
        if self._patience <= 1 or now < end:
            return end
        worked = _worked(worker.process.pid)
        left = 0.0 if worked is None else self._timeout - (worked - worker.worked)
        return min(now + max(left, 0.0), worker.since + self._patience * self._timeout)

    def _receive(self, worker: _Worker) -> Outcome[Result] | None:
        try:
            data = worker.pipe.recv_bytes()
        except (EOFError, OSError):
            index, deaths = worker.index, self._deaths.get(worker.index, 0) + 1
            self._end(worker)
            if deaths >= DEATHS:
                return Outcome(index, error=LostTaskError(_ENDED))
            self._deaths[index] = deaths
            self._again.append((index, worker.task))
            return None
        if data == _STARTED:
            worker.started = True
            worker.begin()
            return None
        worker.index, worker.task = -1, None
        outcome: Outcome[Result] = pickle.loads(data)
        return outcome

    def _end(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        worker.index = -1
        worker.process.kill()
        worker.process.join()
        worker.pipe.close()

    def close(self) -> None:
        """End every worker, whatever it is doing."""
        self._again.clear()
        while self._workers:
            self._end(self._workers[-1])
