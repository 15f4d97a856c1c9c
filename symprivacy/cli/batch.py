"""JSON Lines in, JSON Lines out in the same order; a bad line does not stop the others."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from symprivacy.cli.json_lines import LineSource, parse_line
from symprivacy.cli.options import to_line
from symprivacy.cli.time_limit import GRACE
from symprivacy.errors import SymPrivacyError

# Answers that wait for an earlier line are kept in memory, so only this many lines per worker are ahead.
AHEAD = 64
Answer = Callable[[dict[str, Any]], dict[str, Any]]


def answer_line(answer: Answer, line: bytes) -> str:
    """The output line for an input line, whatever it holds.

    >>> answer_line(lambda record: {"verdict": "proved"}, b'{"id": "a1"}')
    '{"id": "a1", "verdict": "proved"}'
    >>> answer_line(lambda record: {"verdict": "proved"}, b"[]")
    '{"id": null, "error": "expected a JSON object, got []"}'
    """
    name: Any = None
    try:
        record = parse_line(line)
        name = record.get("id")
        return to_line({"id": name, **answer(record)})
    except SymPrivacyError as e:
        return to_line({"id": name, "error": " ".join(str(e).split())})
    except (MemoryError, RecursionError) as e:
        return to_line({"id": name, "error": f"the line needs too much: {type(e).__name__}"})
    except Exception as e:  # a defect of ours must not cost the other lines their answers
        return to_line({"id": name, "error": f"internal error: {type(e).__name__}: {str(e)[:200]}"})


def run_batch(
    answer: Answer,
    path: str,
    jobs: int | None,
    timeout: float,
    late: Callable[[], dict[str, Any]],
) -> int:
    """Answer every line of a file (``-``: of stdin) on stdout; 0 when every line was processed."""
    from symprivacy.parallel import processors, progress

    source = LineSource(path)
    # Loaded once here, shared by the workers that are forked.
    import sympy  # noqa: F401

    import symprivacy.search.verdict  # noqa: F401

    # The search looks at the clock, then an alarm interrupts it, then the worker is killed.
    limit = timeout + 2 * GRACE
    with progress(source.total(), "lines") as advance:
        for line in answers(partial(answer_line, answer), source, jobs or processors(), limit, late):
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
            advance()
    return 0


def answers(
    task: Callable[[bytes], str],
    source: LineSource,
    jobs: int,
    limit: float,
    late: Callable[[], dict[str, Any]],
) -> Iterator[str]:
    """The answer to each line in the order of the lines; a line whose worker hangs or dies costs its own answer."""
    from symprivacy.parallel import LateTaskError, Workers

    ahead: dict[int, str] = {}
    sent: dict[int, bytes] = {}
    taken = printed = 0
    with Workers(task, jobs, limit) as workers:
        while True:
            # Print first: what is printed makes room for further lines, and without a worker at work there
            # would be nothing to wait for.
            while printed in ahead:
                yield ahead.pop(printed)
                printed += 1
            while source.lines and workers.room and taken - printed < AHEAD * jobs:
                sent[taken] = source.lines.popleft()
                workers.give(taken, sent[taken])
                taken += 1
            if source.ended and not source.lines and printed == taken:
                return
            hungry = not source.ended and not source.lines
            outcomes, readable = workers.wait(*([source] if hungry else []))
            if readable:
                source.read()
            for outcome in outcomes:
                line = sent.pop(outcome.index)
                if isinstance(outcome.error, LateTaskError):
                    ahead[outcome.index] = answer_line(lambda _: late(), line)
                elif outcome.error is not None:
                    ahead[outcome.index] = answer_line(partial(_fail, outcome.error), line)
                else:
                    ahead[outcome.index] = outcome.result()


def _fail(error: Exception, _: dict[str, Any]) -> dict[str, Any]:
    raise error
