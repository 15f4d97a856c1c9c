"""run_many: one function on many tasks, here or wherever an executor puts them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from itertools import islice
from typing import Any, TypeVar

from symprivacy.errors import InputError
from symprivacy.parallel.outcome import Outcome, Result, attempt
from symprivacy.parallel.workers import Workers, inside_worker, processors

Task = TypeVar("Task")
# Tasks handed to an executor and not yet done: enough to keep a cluster busy, few enough to fit into memory.
OUTSTANDING = 1024


def run_many(
    function: Callable[[Task], Result],
    tasks: Iterable[Task],
    *,
    executor: Executor | None = None,
    jobs: int | None = None,
    timeout: float | None = None,
    patience: float = 1,
) -> Generator[Outcome[Result], None, None]:
    """The outcome of every task, exactly once, as soon as it is there.

    Tasks are taken from the iterable as they are needed. One whose worker dies is tried once more, in a process of
    its own on this machine; if that dies too, its outcome is a :class:`LostTaskError`. When the iteration is left
    early, also by Ctrl-C, running tasks are cancelled; what was received stays valid.

    Args:
        function: must be picklable (a function of a module), and so must tasks and results.
        tasks: what the function is called with, one by one.
        executor: any ``concurrent.futures.Executor``, such as ``client.get_executor()`` of dask.distributed. It is
            not shut down. If it breaks, the rest is done by processes on this machine.
        jobs: without an executor, how many processes; default: the number of processors. 1 means this process.
        timeout: seconds per task, after which its process is killed and the outcome is a :class:`LateTaskError`.
            An executor cannot end a task, so there the function has to look at the clock.
        patience: so many times the timeout may pass as long as the task's process has not worked that long.

    >>> sorted((o.index, o.result()) for o in run_many(len, ["a", "bb", ""]))
    [(0, 1), (1, 2), (2, 0)]
    """
    if jobs is not None and jobs < 1:
        raise InputError(f"the number of jobs is at least 1, got {jobs}")
    numbered = enumerate(tasks)
    jobs = jobs or processors()
    retries: list[tuple[int, Task]] = []
    if executor is not None:
        yield from _by_executor(executor, function, numbered, retries)
    elif inside_worker() or (jobs == 1 and timeout is None):
        for index, task in numbered:
            yield attempt(function, index, task)
        return
    with Workers(function, jobs, timeout, patience) as workers:
        # A broken executor fails all it was given and does not say whose fault it was: all start anew.
        for index, task in retries:
            workers.give(index, task)
        while True:
            while workers.room:
                following = next(numbered, None)
                if following is None:
                    break
                workers.give(*following)
            if workers.idle:
                return
            yield from workers.wait()[0]


def _by_executor(
    executor: Executor,
    function: Callable[[Task], Result],
    numbered: Iterator[tuple[int, Task]],
    retries: list[tuple[int, Task]],
) -> Iterator[Outcome[Result]]:
    """Outcomes while the executor works; tasks that it has lost are added to ``retries``."""
    waiting: dict[Future[Outcome[Result]], tuple[int, Task]] = {}
    broken = False
    try:
        while True:
            for index, task in islice(numbered, 0 if broken else OUTSTANDING - len(waiting)):
                try:
                    waiting[executor.submit(attempt, function, index, task)] = (index, task)
                except RuntimeError:  # shut down, or a BrokenExecutor
                    retries.append((index, task))
                    broken = True
                    break
            if not waiting:
                return
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                index, task = waiting.pop(future)
                failure = None if future.cancelled() else future.exception()
                if future.cancelled() or failure is not None:
                    # attempt() raises nothing, so this is the executor's failure: a BrokenExecutor, a worker killed
                    # too often, a connection lost, something that cannot be pickled.
                    retries.append((index, task))
                else:
                    yield future.result()
    finally:
        for future in waiting:
            future.cancel()


def in_order(outcomes: Iterable[Outcome[Any]]) -> Iterator[Outcome[Any]]:
    """The same outcomes in the order of their tasks, each as soon as all earlier ones are there.

    >>> [o.value for o in in_order([Outcome(1, "b"), Outcome(0, "a"), Outcome(2, "c")])]
    ['a', 'b', 'c']
    """
    ahead: dict[int, Outcome[Any]] = {}
    following = 0
    for outcome in outcomes:
        ahead[outcome.index] = outcome
        while following in ahead:
            yield ahead.pop(following)
            following += 1
