"""Everything in one run on one machine, written as a page: ``python -m tests.benchmarks.peers``.

Peers that are not installed are left out; ``pip install 'symprivacy[dev,peers]'`` and Sollya bring all of them.
"""

from __future__ import annotations

import argparse
import platform
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from symprivacy.parallel import processors
from tests.benchmarks import conversions, growth, inequalities
from tests.benchmarks.problems import ROOMY, problems

PAGE = Path(__file__).with_name("RESULTS.md")
NOTES = Path(__file__).with_name("PROFILE.md")
HOW = """\
Written by `python -m tests.benchmarks.peers` in one run; do not edit. Times are processor times: the machine may have
been busy with other things."""
ABOUT = """\
COUNT statements whose truth is known: the hard ones of `tests/search/statements.jsonl`, the examples of the papers, and
ROOMY with room between both sides. At most LIMIT s of processor time each. *Wrong* is a proof of a false statement or a
refutation of a true one. What a prover answers in less than QUICK s is asked ROUNDS times, each time in a new process,
and the median counts. Only symprivacy writes certificates and has them checked; that time is included, but not the
spelling of its reasons in words, which happens when they are asked for."""
CONVERSIONS = """\
The certified value is an enclosure, shown to 12 digits. *right*: within 1e-12 of it; *too small* is a false guarantee;
*too large* is the price of a bound that is not tight. Time per call, at a point not seen before."""
GROWTH = """\
With the distance to which both sides come near, `exp(x)*(1-x) <= 1 + d` on [-1, 1]; with the order at which they touch,
`exp(x)` against its series at 0; with the number of variables, `(sum x)**2 <= n*sum x**2 + 1/10`; with the digits of a
conversion. Boxes of symprivacy are the steps of its certificate."""
PACKAGES = ("symprivacy", "mpmath", "sympy", "python-flint", "z3-solver", "cvc5", "autodp", "dp-accounting", "opendp")


def versions() -> str:
    """What was compared with what."""
    found = []
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"{name} from its folder" if name == "symprivacy" else f"{name} not installed")
    found.append("Sollya" if inequalities.available("Sollya") else "Sollya not installed")
    return ", ".join(found)


def page(limit: float) -> str:
    """The page as Markdown."""
    answers = inequalities.run(limit)
    conversion_rows = conversions.table()
    machine = f"Python {platform.python_version()}, {platform.machine()}, {processors()} processors"
    counts = {"COUNT": len(problems()), "ROOMY": len(ROOMY), "LIMIT": f"{limit:g}"}
    counts |= {"QUICK": f"{inequalities.QUICK:g}", "ROUNDS": inequalities.ROUNDS}
    about = ABOUT
    for name, value in counts.items():
        about = about.replace(name, str(value))
    parts = [
        f"# Benchmark against peers\n\n{HOW}\n\n{date.today()}, {machine}. {versions()}.",
        f"## Inequalities\n\n{about}",
        inequalities.table(answers),
        "On what both have solved, by the number of boxes that naive Arb needs:",
        inequalities.against(answers, "naive Arb"),
        f"## Conversions\n\n{CONVERSIONS}",
        conversion_rows,
        f"## How cost grows\n\n{GROWTH}",
        growth.table("distance d", growth.distances(), limit),
        growth.table("order of touching", growth.touching(), limit),
        growth.table("variables", growth.variables(), limit),
        growth.digits(),
        NOTES.read_text(encoding="utf-8").strip(),
    ]
    return "\n\n".join(part if isinstance(part, str) else "\n".join(part) for part in parts) + "\n"


def main() -> None:
    """Run and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=inequalities.LIMIT, help="seconds per statement")
    parser.add_argument("--out", type=Path, default=PAGE, help="where to write the page")
    args = parser.parse_args()
    # The section on soundness takes hours and is written by a command of its own.
    old = args.out.read_text(encoding="utf-8") if args.out.exists() else ""
    _, title, soundness = old.partition("\n## Soundness")
    args.out.write_text(page(args.limit) + title + soundness, encoding="utf-8")


if __name__ == "__main__":
    main()
