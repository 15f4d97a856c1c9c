"""How long the levels of large channels take: ``python -m tests.benchmarks.levels`` writes LEVELS.md beside it."""

from __future__ import annotations

import random
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

from symprivacy.mechanisms import Mechanism, level

SIZES = (16, 32, 64, 128)
ASKED: list[tuple[str, dict[str, Any]]] = [
    *((key, {}) for key in ("DP", "LDP", "RB", "TV", "KL", "CHI2", "JS", "HELL2", "GDP", "ZCDP", "ABP")),
    ("MBP", {}), ("SP", {}), ("MP", {}),
    ("ADP", {"eps": 1}), ("ADP", {"delta": Fraction(1, 10)}), ("PDP", {"eps": 1}), ("RDP", {"alpha": 2}),
    ("RDP", {"alpha": 200}), ("kDivDP", {"k": 3}), ("MPP", {"p": Fraction(1, 3)}),
]  # fmt: skip


def channel(size: int, seed: int = 1) -> Mechanism:
    """A square channel; every row has a denominator of its own, so that the common one is long."""
    rng = random.Random(seed)
    rows = []
    for _ in range(size):
        weights = [rng.randint(1, 1000) for _ in range(size)]
        rows.append([Fraction(w, sum(weights)) for w in weights])
    return Mechanism.secrets(rows)


def seconds(mechanism: Mechanism, key: str, more: dict[str, Any]) -> float:
    """Processor time of one level."""
    start = time.process_time()
    level(mechanism, key, **more)
    return time.process_time() - start


def main() -> None:
    """Measure and write the page."""
    mechanisms = [channel(size) for size in SIZES]
    level(mechanisms[0], "DP")
    table = [(key, more, [seconds(m, key, more) for m in mechanisms]) for key, more in ASKED]
    lines = ["# Levels of large channels", "",
             "Written by `python -m tests.benchmarks.levels`; do not edit. Seconds of",
             "processor time for n x n channels of random rationals, all pairs neighbours.", "",
             "| notion | " + " | ".join(f"n = {size}" for size in SIZES) + " |",
             "| --- |" + " ---: |" * len(SIZES)]  # fmt: skip
    for key, more, times in table:
        at = ", ".join(f"{name}={value}" for name, value in more.items())
        lines.append(f"| {key}{f' ({at})' if at else ''} | " + " | ".join(f"{t:.2f}" for t in times) + " |")
    totals = [sum(times[k] for _, _, times in table) for k in range(len(SIZES))]
    lines.append("| together | " + " | ".join(f"{t:.2f}" for t in totals) + " |")
    lines += [
        "",
        "The number of pairs grows as n^2 and a pass over one as n: at most eight times the work for twice the size.",
    ]
    Path(__file__).with_name("LEVELS.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
