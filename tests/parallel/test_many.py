"""Every task has exactly one outcome, whatever happens to the processes."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest

from symprivacy.errors import InputError
from symprivacy.parallel import LateTaskError, LostTaskError, in_order, run_many


def square(n: int) -> int:
    return n * n


def fails_on_three(n: int) -> int:
    if n == 3:
        raise InputError("three")
    return n


class Picky(Exception):
    def __init__(self, first: int, second: int) -> None:
        super().__init__(first)


def raises_what_cannot_be_rebuilt(n: int) -> int:
    raise Picky(n, n)


def works(seconds: float) -> float:
    start = time.process_time()
    while time.process_time() - start < seconds:
        pass
    return seconds


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the system does not tell how much a process worked")
def test_patience_is_for_work_that_was_not_done() -> None:
    """A process that sleeps has not worked, and gets the patience; one that works does not."""
    asleep, busy = (
        run_many(time.sleep, [0.6], jobs=1, timeout=0.3, patience=50),
        run_many(works, [30.0], jobs=1, timeout=0.3, patience=50),
    )
    assert [o.error for o in asleep] == [None]
    assert [type(o.error) for o in busy] == [LateTaskError]


def hangs_on_three(n: int) -> int:
    if n == 3:
        # One operation that no signal handler of Python interrupts.
        return pow(3, 10**10).bit_length()
    return n


def dies_on_three(n: int) -> int:
    if n == 3:
        os._exit(9)
    return n


def dies_once(task: tuple[int, str]) -> int:
    n, folder = task
    mark = Path(folder) / str(n)
    if n % 4 == 3 and not mark.exists():
        mark.touch()
        os._exit(9)
    return n


@pytest.mark.parametrize("jobs", [1, 3])
def test_outcomes_are_those_of_a_loop(jobs: int) -> None:
    assert [o.result() for o in in_order(run_many(square, range(200), jobs=jobs))] == [n * n for n in range(200)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_is_the_outcome_of_its_task_alone(jobs: int) -> None:
    outcomes = list(in_order(run_many(fails_on_three, range(6), jobs=jobs)))
    assert [o.index for o in outcomes if o.error is None] == [0, 1, 2, 4, 5]
    with pytest.raises(InputError, match="three"):
        outcomes[3].result()


def test_an_error_that_cannot_be_pickled_is_told_in_words() -> None:
    (outcome,) = run_many(raises_what_cannot_be_rebuilt, [1], jobs=2)
    with pytest.raises(RuntimeError, match="Picky: 1"):
        outcome.result()


def test_a_task_that_cannot_be_pickled_is_an_error_of_its_own() -> None:
    outcomes = list(in_order(run_many(str, [1, lambda: 0, 2], jobs=2)))
    assert [o.value for o in outcomes] == ["1", None, "2"]
    assert outcomes[1].error is not None


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_task_whose_time_is_up_is_killed(jobs: int) -> None:
    outcomes = list(in_order(run_many(hangs_on_three, range(6), jobs=jobs, timeout=0.5)))
    assert [o.value for o in outcomes] == [0, 1, 2, None, 4, 5]
    assert isinstance(outcomes[3].error, LateTaskError)


POOLS: list[Callable[[], Executor | None]] = [lambda: None, lambda: ProcessPoolExecutor(2)]


@pytest.mark.parametrize("pool", POOLS, ids=["own", "executor"])
def test_a_task_that_kills_its_worker_twice_is_reported_and_the_others_are_done(
    pool: Callable[[], Executor | None],
) -> None:
    executor = pool()
    outcomes = list(in_order(run_many(dies_on_three, range(30), executor=executor, jobs=2)))
    assert [o.value for o in outcomes] == [n if n != 3 else None for n in range(30)]
    assert isinstance(outcomes[3].error, LostTaskError)
    if executor:
        executor.shutdown()


@pytest.mark.parametrize("pool", POOLS, ids=["own", "executor"])
def test_a_worker_that_dies_once_costs_nothing(pool: Callable[[], Executor | None], tmp_path: Path) -> None:
    executor = pool()
    tasks = [(n, str(tmp_path)) for n in range(24)]
    outcomes = list(run_many(dies_once, tasks, executor=executor, jobs=2))
    assert sorted(o.result() for o in outcomes) == list(range(24))
    if executor:
        executor.shutdown()


def test_an_executor_that_is_shut_down_is_replaced() -> None:
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    assert sorted(o.result() for o in run_many(square, range(5), executor=executor)) == [0, 1, 4, 9, 16]


def test_tasks_are_taken_only_as_needed() -> None:
    taken = []

    def tasks() -> Iterator[int]:
        for n in range(10_000):
            taken.append(n)
            yield n

    for executor in (None, ThreadPoolExecutor(2)):
        taken.clear()
        running = run_many(square, tasks(), executor=executor, jobs=2)
        next(running)
        running.close()
        assert len(taken) < 2000
        if executor:
            executor.shutdown()


def inner(n: int) -> list[int]:
    return [o.result() for o in in_order(run_many(square, range(n)))]


def test_a_worker_does_its_own_many_tasks_itself() -> None:
    assert [o.result() for o in in_order(run_many(inner, [1, 3], jobs=2))] == [[0], [0, 1, 4]]


def test_other_threads_do_not_matter() -> None:
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    try:
        assert sorted(o.result() for o in run_many(abs, [-1, -2], jobs=2)) == [1, 2]
    finally:
        stop.set()
        thread.join()


INTERRUPTED = """
import os, signal, sys, time
from symprivacy.parallel import run_many
from tests.parallel.test_many import sleepy
try:
    for outcome in run_many(sleepy, [0, 60, 60], jobs=2):
        print(outcome.result(), flush=True)
        os.kill(os.getpid(), signal.SIGINT)
except KeyboardInterrupt:
    print("interrupted")
"""


def sleepy(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def test_an_interruption_ends_the_workers_and_keeps_what_was_received() -> None:
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], cwd=root, capture_output=True, text=True, timeout=50)
    assert done.stdout.split() == ["0", "interrupted"], done.stderr


@pytest.mark.parametrize("jobs", [0, -1])
def test_the_number_of_jobs_is_positive(jobs: int) -> None:
    with pytest.raises(InputError, match="jobs"):
        list(run_many(square, [1], jobs=jobs))
