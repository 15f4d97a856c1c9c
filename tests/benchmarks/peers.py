"""Everything in one run on one machine, written as a page: ``python -m tests.benchmarks.peers``.

Answers are kept in a file as they come, so that a run that was stopped goes on; a new run begins without that file.
Peers that are not installed are left out; ``pip install 'symprivacy[dev,peers]'`` and Sollya bring all of them.
"""

from __future__ import annotations

import argparse
import platform
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median

from symprivacy.parallel import processors
from tests.benchmarks import conversions, growth, inequalities, rootlists
from tests.benchmarks.answers import Session
from tests.benchmarks.problems import Problem, problems

PAGE = Path(__file__).with_name("RESULTS.md")
NOTES = Path(__file__).with_name("PROFILE.md")
HOW = """\
Written by `python -m tests.benchmarks.peers`, which may be stopped and goes on with the answers it has; do not edit.
Times are processor times: the machine may have been busy with other things."""
ABOUT = """\
COUNT of ALL statements whose truth is known, at most EACH of each class, spread evenly over it: from papers and
textbooks (`tests/search/statements.jsonl` and examples), with room between both sides, true ones that touch along
curves or faces or are hard to see, and false ones (`tests/search/touching.txt`, `tests/search/hard.txt`,
`false.jsonl`). At most LIMIT s of processor time each. *Wrong* is a proof of a false statement or a refutation of a
true one. What a prover answers in less than QUICK s is asked ROUNDS times, each time in a new process, and the median
counts. Only symprivacy writes certificates and has them checked; that time is included, but not the spelling of its
reasons in words, which happens when they are asked for."""
TIMES = """\
How long symprivacy takes for what it decides of COUNT statements, at most EACH of each class above, each asked once,
one after the other, for at most LIMIT s. The entropy bound, `BOUND` on (0, 1), takes
ENTROPY s as the first question to a new process, imports not counted (the median of three)."""
LISTS = """\
Lists of roots that are hard to find (`rootlists.py`), ROOTS of them: median MIDDLE s, slowest SLOWEST s, that of
`WHICH`."""
PEERS = """\
dReal is not compared: it cannot be installed from the package registries. Its wheels on PyPI (4.18.11.4 to 4.21.6.2)
load libibex.so of IBEX 2.7.4, which neither they nor another package of PyPI, Debian or npm bring. coq-interval is its
tactic `interval` on the difference of both sides, then with bisection and derivatives; it refutes nothing, and its time
is what Coq says it is, without the second it takes to load. sympy is `minimum` in one variable, and what it knows of
the signs of symbols in several."""
CONVERSIONS = """\
The certified value is an enclosure, shown to 12 digits. *right*: within 1e-12 of it; *too small* is a false guarantee;
*too large* is the price of a bound that is not tight. Time per call, at a point not seen before."""
GROWTH = """\
With the distance to which both sides come near, `exp(x)*(1-x) <= 1 + d` on [-1, 1]; with the order at which they touch,
`exp(x)` against its series at 0; with the number of variables, `(sum x)**2 <= n*sum x**2 + 1/10`; with the digits of a
conversion. Boxes of symprivacy are the steps of its certificate."""
ENTROPY = ("4*p*(1-p)*log(2) <= -p*log(p)-(1-p)*log(1-p)", "p in (0, 1)")
ANSWERS = Path(tempfile.gettempdir()) / "symprivacy-benchmark.jsonl"
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


def chosen(everything: Sequence[Problem], each: int) -> list[int]:
    """So many statements of each class, or all it has, spread evenly over it: the same ones in each run."""
    found = []
    for group in dict.fromkeys(p.group for p in everything):
        mine = [i for i, p in enumerate(everything) if p.group == group]
        count = min(each, len(mine))
        found += [mine[k * len(mine) // count] for k in range(count)]
    return sorted(found)


def entropy_at_first() -> float:
    """Seconds of processor time for the entropy bound as the first question to a new process, imports not counted."""
    code = (
        "import time; from symprivacy import prove; start = time.process_time(); "
        f"prove({ENTROPY[0]!r}, {ENTROPY[1]!r}).certificate['proofs']; print(time.process_time() - start)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(done.stdout)


def page(limit: float, each: int, whole: int, path: Path) -> str:
    """The page as Markdown; peers are asked so many statements of each class, symprivacy alone again so many."""
    everything = problems()
    some, most = chosen(everything, each), chosen(everything, whole)
    few, many = [everything[i] for i in some], [everything[i] for i in most]
    answers = inequalities.run(limit, some, path)
    patient = Session("symprivacy", inequalities.ask, PATIENCE, 0, path).run(most)
    print("times: done", flush=True)
    first = [entropy_at_first() for _ in range(3)]
    machine = f"Python {platform.python_version()}, {platform.machine()}, {processors()} processors"
    quick = {"QUICK": f"{inequalities.QUICK:g}", "ROUNDS": inequalities.ROUNDS}
    about = _filled(ABOUT, COUNT=len(few), ALL=len(everything), EACH=each, LIMIT=f"{limit:g}", **quick)
    tail = {"ENTROPY": f"{median(first):.2f}", "BOUND": ENTROPY[0], "LIMIT": f"{PATIENCE:g}"}
    listed = sorted(rootlists.times())
    roots = {"ROOTS": len(listed), "MIDDLE": f"{median(seconds for seconds, _ in listed):.2f}"}
    roots |= {"SLOWEST": f"{listed[-1][0]:.1f}", "WHICH": listed[-1][1]}
    parts = [
        f"# Benchmark against peers\n\n{HOW}\n\n{date.today()}, {machine}. {versions()}.",
        f"## Inequalities\n\n{about}\n\n{PEERS}",
        inequalities.table(answers, few),
        "Solved, by class:",
        inequalities.classes(answers, few),
        "On what both have solved, by the number of boxes that naive Arb needs:",
        inequalities.against(answers, few, "naive Arb"),
        f"## Times\n\n{_filled(TIMES, COUNT=len(many), EACH=whole, **tail)}",
        inequalities.times(patient, many),
        _filled(LISTS, **roots),
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


def main() -> None:
    """Run and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=inequalities.LIMIT, help="seconds per statement")
    parser.add_argument("--each", type=int, default=10, help="ask the peers so many statements of each class")
    parser.add_argument("--whole", type=int, default=50, help="time symprivacy alone on so many of each class")
    parser.add_argument("--answers", type=Path, default=ANSWERS, help="where answers are kept as they come")
    parser.add_argument("--out", type=Path, default=PAGE, help="where to write the page")
    args = parser.parse_args()
    # The section on soundness takes hours and is written by a command of its own.
    old = args.out.read_text(encoding="utf-8") if args.out.exists() else ""
    _, title, soundness = old.partition("\n## Soundness")
    text = page(args.limit, args.each, args.whole, args.answers)
    args.out.write_text(text + title + soundness, encoding="utf-8")
    args.answers.unlink()


if __name__ == "__main__":
    main()
