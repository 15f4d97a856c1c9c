"""Many independent tasks on several processors or machines, and what becomes of tasks whose worker dies."""

from __future__ import annotations

from symprivacy.parallel.outcome import LateTaskError, LostTaskError, Outcome
from symprivacy.parallel.progress import progress
from symprivacy.parallel.run_many import in_order, run_many
from symprivacy.parallel.workers import Workers, processors

__all__ = [
    "LateTaskError",
    "LostTaskError",
    "Outcome",
    "Workers",
    "in_order",
    "processors",
    "progress",
    "run_many",
]
