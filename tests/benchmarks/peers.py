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
from tests.benchmarks import conversions, growth, inequalities, rootlists
from tests.benchmarks.problems import problems

PAGE = Path(__file__).with_name("RESULTS.md")
NOTES = Path(__file__).with_name("PROFILE.md")
HOW = """\
Written by `python -m tests.benchmarks.peers` in one run; do not edit. Times are processor times: the machine may have
been busy with other things."""
ABOUT = """\
COUNT statements whose truth is known: SAMPLE of the hard ones of `tests/search/statements.jsonl`, the examples of
the papers, some with room between both sides, true ones that touch along curves or faces or are hard to see, and
false ones (`tests/search/touching.txt`, `tests/search/hard.txt`, `false.jsonl`). At most LIMIT s of processor time
each. *Wrong* is a proof of a false statement or a refutation of a true one. What a prover answers in less than QUICK
s is asked ROUNDS times, each time in a new process, and the median counts. Only symprivacy writes certificates and
has them checked; that time is included, but not the spelling of its reasons in words, which happens when they are
asked for."""
TIMES = """\
How long symprivacy takes for what it decides of COUNT statements, SAMPLE of the corpora above, each asked once, in one
process, for at most LIMIT s. The entropy bound, `sqrt(s*(exp(s)-1)/2) >= sqrt(log(2) - H(s))` for all s > 0, takes
ENTROPY s. The slowest of ROOTS lists of roots that are hard to find (`rootlists.py`) takes SLOWEST s."""
PEERS = """\
dReal is left out: its package on PyPI (4.21.6.2) needs the shared library of IBEX, which neither the package nor Debian
brings. coq-interval is its tactic `interval` on the difference of both sides, then with bisection and derivatives; it
refutes nothing, and its time is what Coq says it is, without the second it takes to load. sympy is `minimum` in one
variable, and what it knows of the signs of symbols in several."""
CONVERSIONS = """\
The certified value is an enclosure, shown to 12 digits. *right*: within 1e-12 of it; *too small* is a false guarantee;
*too large* is the price of a bound that is not tight. Time per call, at a point not seen before."""
GROWTH = """\
With the distance to which both sides come near, `exp(x)*(1-x) <= 1 + d` on [-1, 1]; with the order at which they touch,
`exp(x)` against its series at 0; with the number of variables, `(sum x)**2 <= n*sum x**2 + 1/10`; with the digits of a
conversion. Boxes of symprivacy are the steps of its certificate."""
# Seconds of processor time for a statement where only the tail of the times is asked for.
PATIENCE = 30.0
PACKAGES = ("symprivacy", "mpmath", "sympy", "python-flint", "z3-solver", "cvc5", "autodp", "dp-accounting", "opendp")


def versions() -> str:
    """What was compared with what."""
    found = []
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"{name} from its folder" if name == "symprivacy" else f"{name} not installed")
    found += [name if inequalities.available(name) else f"{name} not installed" for name in ("Sollya", "coq-interval")]
    return ", ".join(found)


def page(limit: float, every: int, whole: int) -> str:
    """The page as Markdown; peers are asked every so manieth statement, and symprivacy alone again every other."""
    everything = problems()
    few, many = everything[::every], everything[::whole]
    answers = inequalities.run(limit, range(len(everything))[::every])
    patient = inequalities.in_new_processes(["symprivacy"], PATIENCE, range(len(everything))[::whole])["symprivacy"]
    entropy = next(i for i, p in enumerate(everything) if p.name == "entropy")
    alone = [inequalities.in_new_processes(["symprivacy"], PATIENCE, [entropy])["symprivacy"][0] for _ in range(3)]
    machine = f"Python {platform.python_version()}, {platform.machine()}, {processors()} processors"
    quick = {"QUICK": f"{inequalities.QUICK:g}", "ROUNDS": inequalities.ROUNDS}
    about = _filled(ABOUT, COUNT=len(few), SAMPLE=_sample(every), LIMIT=f"{limit:g}", **quick)
    tail = {"ENTROPY": f"{inequalities.middle(alone).seconds:.2f}", "ROOTS": len(rootlists.HARD)}
    tail |= {"SLOWEST": f"{rootlists.slowest()[0]:.1f}", "LIMIT": f"{PATIENCE:g}"}
    parts = [
        f"# Benchmark against peers\n\n{HOW}\n\n{date.today()}, {machine}. {versions()}.",
        f"## Inequalities\n\n{about}\n\n{PEERS}",
        inequalities.table(answers, few),
        "Solved, by class:",
        inequalities.classes(answers, few),
        "On what both have solved, by the number of boxes that naive Arb needs:",
        inequalities.against(answers, few, "naive Arb"),
        f"## Times\n\n{_filled(TIMES, COUNT=len(many), SAMPLE=_sample(whole), **tail)}",
        inequalities.times(patient, many),
        f"## Conversions\n\n{CONVERSIONS}",
        conversions.table(),
        f"## How cost grows\n\n{GROWTH}",
        growth.table("distance d", growth.distances(), limit),
        growth.table("order of touching", growth.touching(), limit),
        growth.table("variables", growth.variables(), limit),
        growth.digits(),
        NOTES.read_text(encoding="utf-8").strip(),
    ]
    return "\n\n".join(part if isinstance(part, str) else "\n".join(part) for part in parts) + "\n"


def _filled(text: str, **values: object) -> str:
    for name, value in values.items():
        text = text.replace(name, str(value))
    return text


def _sample(every: int) -> str:
    return "all" if every == 1 else f"one in {every}"


def main() -> None:
    """Run and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=inequalities.LIMIT, help="seconds per statement")
    parser.add_argument("--every", type=int, default=1, help="ask the peers one in so many statements")
    parser.add_argument("--whole", type=int, default=1, help="time symprivacy alone on one in so many")
    parser.add_argument("--out", type=Path, default=PAGE, help="where to write the page")
    args = parser.parse_args()
    # The section on soundness takes hours and is written by a command of its own.
    old = args.out.read_text(encoding="utf-8") if args.out.exists() else ""
    _, title, soundness = old.partition("\n## Soundness")
    args.out.write_text(page(args.limit, args.every, args.whole) + title + soundness, encoding="utf-8")


if __name__ == "__main__":
    main()
