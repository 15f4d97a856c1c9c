"""Find the stored theorems again: ``python -m symprivacy.derivations.theorems.build`` writes the file.

Nothing here is trusted: each step is made by a rule and certified, and checked again from the file.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from symprivacy.derivations.theorems.build_many import PARTS as LATER
from symprivacy.derivations.theorems.build_means import coins, concentrated, leaks, mixtures, nothing
from symprivacy.derivations.theorems.build_one_order import one_order
from symprivacy.derivations.theorems.build_orders import PARTS as ORDERS
from symprivacy.derivations.theorems.build_ratio import bounds_to_dp, from_dp, from_rb, from_uniform, through_dp
from symprivacy.derivations.theorems.library import ALL, Library
from symprivacy.derivations.theorems.store import FILE, rows_of, to_data, written


def settle(lib: Library) -> None:
    """One theorem for each pair, and more for parts of its range: both directions, where both are there."""
    for name in tuple(lib.steps):
        sharp = name.replace("=>", "!")
        if "=>" in name and sharp in lib and name.partition(":")[2] in ("", *PIECES):
            lib.add(name.replace("=>", "~"), "tight", name, sharp)


# Parts of a range that have a theorem of their own.
PIECES = (
    "tail", "certain", "touching", "zero", "inner", "small",
    "highabove", "highbelow", "lowabove", "lowbelow",
)  # fmt: skip
PARTS = (
    bounds_to_dp,
    from_dp,
    through_dp,
    from_rb,
    from_uniform,
    leaks,
    mixtures,
    concentrated,
    coins,
    nothing,
    *LATER,
    *ORDERS,
    one_order,
    settle,
)


def main(path: str | None = None) -> int:
    """Build everything and write the file; what is in the file already is used again."""
    place = Path(path or Path(__file__).with_name(FILE))
    lib = Library(rows_of(json.loads(place.read_text(encoding="utf-8"))) if place.exists() else {})
    for part in PARTS:
        begin = time.monotonic()
        part(lib)
        print(f"{time.monotonic() - begin:6.1f} s for {part.__name__}; {len(lib.steps)} theorems", file=sys.stderr)
        # What was found is not lost if a later part is interrupted.
        rest = [row for name, row in lib.stored.items() if name not in lib.steps]
        place.write_text(written([*map(to_data, lib.steps.values()), *rest]), encoding="utf-8")
    text = written(map(to_data, lib.steps.values()))
    place.write_text(text, encoding="utf-8")
    done = sum(f"{a}~{b}" in lib or f"{a}/{b}" in lib for a in ALL for b in ALL if a != b)
    print(f"{len(lib.steps)} theorems, {len(text)} characters; {done} pairs settled")
    print(" ".join(f"{a}>{b}" for a in ALL for b in ALL if a != b and f"{a}~{b}" not in lib and f"{a}/{b}" not in lib))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
