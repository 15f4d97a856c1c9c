"""How often the two checkers are wrong: seeded attacks in numbers that the test suite has no time for.

    python -m tests.benchmarks.soundness [--seed N] [--state FILE] [--scale 0.01] [--page]

Each kind of attack is cut into parts with a generator of their own, seeded by seed, kind and number of the part. With
``--state`` the outcome of each part is a line of that file, and a later run goes on where this one was stopped.
``--page`` writes the section "Soundness" of RESULTS.md from the file and attacks nothing.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from tests.soundness import attack, laws
from tests.soundness.attack import Outcome

SEED = 13
PAGE = Path(__file__).parent / "RESULTS.md"
TITLE = "## Soundness"
# Kind: the attack, how many in all, how many in one part.
PLAN: dict[str, tuple[Callable[[Random, int], Outcome], int, int]] = {
    "enclosures": (attack.enclosures, 1_000_000, 10_000),
    "rules": (attack.rules, 20_000, 500),
    "identities": (laws.identities, 20_000, 1000),
    "mutations": (attack.mutations, 20_000, 500),
    **{name: (partial(attack.family, name), 1000, 50) for name in attack.FAMILIES},
    "statements": (attack.statements, 50_000, 500),
}


def run(seed: int, scale: float, state: Path | None, kinds: list[str], jobs: int = 1) -> list[dict[str, Any]]:
    """Every part that the file does not have yet."""
    known = [json.loads(line) for line in state.read_text().splitlines()] if state and state.exists() else []
    done = {(p["seed"], p["kind"], p["part"]) for p in known}
    parts = [
        (seed, kind, part) for kind in kinds for part in range(max(1, round(scale * PLAN[kind][1] / PLAN[kind][2])))
    ]
    with ProcessPoolExecutor(jobs) as pool:
        for future in as_completed([pool.submit(attacked, *part) for part in parts if part not in done]):
            row = future.result()
            known.append(row)
            if state:
                with state.open("a") as file:
                    file.write(json.dumps(row) + "\n")
            for violation in row["bad"]:
                print("VIOLATION", row["kind"], row["part"], json.dumps(violation)[:2000], flush=True)
    return [p for p in known if p["seed"] == seed]


def attacked(seed: int, kind: str, part: int) -> dict[str, Any]:
    """The outcome of one part."""
    action, _, size = PLAN[kind]
    outcome = action(Random(f"{seed}/{kind}/{part}"), size)
    return {"seed": seed, "kind": kind, "part": part, "counts": outcome.counts, "bad": outcome.violations}


def table(parts: list[dict[str, Any]], seed: int) -> list[str]:
    """The page: what was done, and how often it went wrong."""
    rows = [
        TITLE,
        "",
        "Written by `python -m tests.benchmarks.soundness`; the truth is sampled in Arb or known.",
    ]
    rows += [f"Seed {seed}.", "", "| attack | counts | wrong |", "| --- | --- | ---: |"]
    for kind in PLAN:
        own = [p for p in parts if p["kind"] == kind]
        if not own:
            continue
        counts: Counter[str] = sum((Counter(p["counts"]) for p in own), Counter())
        wrong = counts.pop("violations", 0)
        said = "; ".join(f"{name.removeprefix(f'{kind}: ')} {n}" for name, n in counts.items())
        rows.append(f"| {kind} | {said} | {wrong} |")
    return rows


def write(rows: list[str]) -> None:
    """Put the section at the end of the page, in place of an older one."""
    before = PAGE.read_text(encoding="utf-8").partition(TITLE)[0].rstrip()
    PAGE.write_text(before + "\n\n" + "\n".join(rows) + "\n", encoding="utf-8")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--state", type=Path)
    parser.add_argument("--kinds", nargs="*", choices=[*PLAN], default=[*PLAN])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--page", action="store_true")
    args = parser.parse_args()
    parts = run(args.seed, args.scale, args.state, [] if args.page else args.kinds, args.jobs)
    rows = table(parts, args.seed)
    print("\n".join(rows))
    if args.page:
        write(rows)


if __name__ == "__main__":
    main()
