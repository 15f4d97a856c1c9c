"""prove_many: many statements at a time, on the processors of this machine or on a cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from symprivacy.errors import InputError
from symprivacy.language.domain import box_from_json, box_to_json
from symprivacy.language.text import RELATIONS, parse, shorten, to_text
from symprivacy.parallel import LateTaskError, LostTaskError, in_order, run_many
from symprivacy.search.effort import ASKED
from symprivacy.search.inputs import check_assumptions, in_words, read_box, read_expression, read_statement
from symprivacy.search.prove import DEFAULT_TIMEOUT
from symprivacy.search.verdict import Status, Verdict, decide, require_timeout

if TYPE_CHECKING:
    from concurrent.futures import Executor

# A process that does not look at the clock is killed this many seconds after its time is up.
GRACE = 0.6
# A statement on its way to another process: both sides and the relation as text, the domain as JSON, the time.
Task = tuple[str, str, str, dict[str, Any], float]


def prove_many(
    statements: Iterable[Any],
    *,
    executor: Executor | None = None,
    jobs: int | None = None,
    timeout: float = DEFAULT_TIMEOUT,
) -> Iterator[Verdict]:
    """The verdict on each statement, in their order, each as soon as it and all before it are there.

    Every statement gets exactly one verdict: if a worker dies, what it had in hand is tried again elsewhere, and is
    undecided if that fails too. All statements are read before the first is tried.

    Args:
        statements: pairs ``(statement, domain)`` as :func:`prove` takes them, or mappings with ``lhs``, ``rel``,
            ``rhs`` and ``domain`` as in a batch.
        executor: any ``concurrent.futures.Executor``, such as ``client.get_executor()`` of dask.distributed;
            statements and verdicts travel as small texts.
        jobs: without an executor, how many processes; default: the number of processors. 1 means this process.
        timeout: seconds per statement.

    Raises:
        InputError: a statement cannot be read; the message says which one.

    >>> pairs = [("exp(x) >= 1 + x", "x in [-1, 5]"), ("x**2 > 0", "x in [0, 1]")]
    >>> [str(v.status) for v in prove_many(pairs, jobs=1)]
    ['proved', 'refuted']
    """
    require_timeout(timeout)
    tasks = [_read(number, statement, timeout) for number, statement in enumerate(statements)]
    alone = executor is None and jobs == 1
    outcomes = run_many(_decide, tasks, executor=executor, jobs=jobs, timeout=None if alone else timeout + GRACE)
    return _verdicts(in_order(outcomes), tasks)


def _read(number: int, statement: Any, timeout: float) -> Task:
    try:
        if isinstance(statement, Mapping):
            lhs, rhs = read_expression(statement["lhs"]), read_expression(statement["rhs"])
            rel, domain = statement["rel"], statement["domain"]
            if rel not in RELATIONS:
                raise InputError(f"'rel' is one of {' '.join(RELATIONS)}, got {shorten(repr(rel))}")
        else:
            relation, domain = statement
            lhs, rel, rhs = read_statement(relation)
        box = read_box(domain, lhs.variables | rhs.variables)
        if not isinstance(statement, Mapping):
            check_assumptions(box, relation)
    except InputError as e:
        raise InputError(f"statement {number}: {e}") from None
    except (TypeError, ValueError, KeyError):
        expected = "a pair (statement, domain) or a mapping with lhs, rel, rhs and domain"
        raise InputError(f"statement {number}: expected {expected}, got {shorten(repr(statement))}") from None
    return to_text(lhs), rel, to_text(rhs), box_to_json(box), timeout


def _decide(task: Task) -> Verdict:
    lhs, rel, rhs, domain, timeout = task
    return decide(parse(lhs), rel, parse(rhs), box_from_json(domain), timeout, ASKED)


def _verdicts(outcomes: Iterable[Any], tasks: list[Task]) -> Iterator[Verdict]:
    for outcome in outcomes:
        if isinstance(outcome.error, LateTaskError | LostTaskError):
            lhs, rel, rhs, domain, timeout = tasks[outcome.index]
            words = in_words(parse(lhs), rel, parse(rhs), box_from_json(domain))
            yield Verdict(Status.UNDECIDED, words, str(outcome.error), timeout, None)
        else:
            yield outcome.result()
