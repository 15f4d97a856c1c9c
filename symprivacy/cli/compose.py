"""The guarantee of several runs: eps at delta or delta at eps from both sides, or parameters; groups; samples."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

from symprivacy.cli import options, values
from symprivacy.cli.time_limit import GRACE, TimeUp, time_limit
from symprivacy.errors import InputError

EPILOG = """examples:
  symprivacy compose DP --at eps=3 --times 100 --delta 1e-6        the exact eps of 100 runs
  symprivacy compose DP --at eps=1/10 --times 50 --eps2 1          the exact delta of 50 runs
  symprivacy compose "gaussian(2)" --times 1000 --sampled 1/100 --delta 1e-6      noisy sums on Poisson samples
  symprivacy compose --run "laplace(3)" --times 20 --run "gaussian(4)" --times 100 --sampled 1/50 --delta 1e-6
  symprivacy compose --plan plan.json --eps2 1 --width 1e-4 --save result.json && symprivacy check result.json
  symprivacy compose mechanism.json --times 20 --delta 1e-6        a finite mechanism
  symprivacy compose "laplace(3)" --times 30 --delta 1e-6 --show beliefs           what an attacker may learn
  symprivacy compose "gaussian(sigma)" --solve sigma --times 1000 --sampled 1/100 --eps2 1 --delta 1e-6
  symprivacy compose ADP --at eps=1 delta=1e-9 --at eps=2 delta=0 --delta 1e-6    different runs
  symprivacy compose GDP --at mu=3 --at mu=4                       parameters of two runs
  symprivacy compose ZCDP --at rho=1/2 --group 3                   inputs that three steps join
  symprivacy compose DP --at eps=1 --sampled 1/100                 on a random hundredth of the records

runs: gaussian(sigma), laplace(b), geometric(eps), krr(k, eps), exponential(eps), DP, LDP, ADP, GDP, RB, a file;
a plan may have {"parallel": [[...], [...]]}: runs on disjoint parts of the records;
noise is for sensitivity 1, sampling is Poisson sampling and neighbours add or remove one record

exit codes: 0 answered, 3 no answer within the time, 2 bad input"""


class _Times(argparse.Action):
    """--times and --sampled speak of the --run before them, or of all runs."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: Any, values: Any, option: str | None = None) -> None:
        if not namespace.runs:
            setattr(namespace, self.dest, values)
        else:
            namespace.runs[-1][self.dest] = values


class _Run(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, namespace: Any, values: Any, option: str | None = None) -> None:
        namespace.runs = [*namespace.runs, {"run": values}]


# Which option writes files of which ending.
OUT = {".json": "save", ".png": "plot", ".svg": "plot", ".pdf": "plot"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "notion", nargs="?", metavar="RUN", help="a notion, a mechanism such as 'gaussian(2)', or a file"
    )
    options.add_at(parser, "; a name that comes again begins the next run")
    parser.add_argument(
        "--run", dest="runs", action=_Run, default=[], metavar="RUN", help="a run of a plan; repeatable"
    )
    parser.add_argument("--plan", metavar="FILE", help="a plan: a JSON list of runs with times and sampled")
    parser.add_argument(
        "--times",
        type=partial(options.positive, digits=9),
        action=_Times,
        default=1,
        metavar="K",
        help="the run is repeated K times",
    )
    parser.add_argument("--group", type=options.positive, metavar="N", help="neighbours are N steps apart")
    parser.add_argument(
        "--sampled",
        action=_Times,
        metavar="RATE",
        help="each record takes part with this probability, anew each time",
    )
    parser.add_argument("--delta", metavar="VALUE", help="answer eps of all runs at this delta")
    parser.add_argument("--eps2", metavar="VALUE", help="answer delta of all runs at this eps")
    parser.add_argument("--solve", metavar="NAME", help="with --delta and --eps2: the parameter that just gives both")
    parser.add_argument(
        "--width", type=float, metavar="W", help="relative width asked for; default 1e-3, for delta 1e-2"
    )
    parser.add_argument(
        "--save", type=options.file, metavar="FILE", help="write the result with its masses for `symprivacy check`"
    )
    parser.add_argument(
        "--plot", type=options.file, metavar="FILE", help="draw delta over eps with both ends: .png, .svg, .pdf"
    )
    parser.add_argument(
        "--show", choices=["curve", "trade-off", "beliefs"],
        help="rows as well: delta over eps, errors of tests, or the best guess at several priors",
    )  # fmt: skip
    parser.add_argument("--verify", action="store_true", help="prove both ends again from the masses of the grid")
    options.add_digits(parser, "both ends")
    options.add_output(parser, timeout=600.0)


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    parts = _runs(args.at)
    asked = args.delta is not None or args.eps2 is not None
    if (args.plan or args.runs) and not asked:
        raise InputError("a plan needs --delta, which answers eps, or --eps2, which answers delta")
    if not asked:
        found = _parameters(args, parts)
        if args.json:
            print(options.to_line({"notion": args.notion, "times": args.times, **found}))
        else:
            from symprivacy.render import terminal

            terminal.say(", ".join(f"`{name} = {number}`" for name, number in found["parameters"].items()))
        return 0
    if args.group:
        raise InputError("--group is not combined with --delta and --eps2")
    try:
        with time_limit(args.timeout + GRACE):
            found = _solved(args, parts) if args.solve else _bracket(args, parts)
    except TimeUp:
        print(f"symprivacy compose: no answer within {args.timeout:g} s", file=sys.stderr)
        return 3
    if args.json:
        print(options.to_line(found))
        return 0
    from symprivacy.render import terminal

    for name in ("eps", "delta", args.solve):
        if name in found:
            inside = terminal.enclosure(found[name]["lo"], found[name]["hi"], args.shown)
            terminal.say(f"{terminal.formula(name)} {inside}")
    for row in found.get("rows", ()):
        (name, at), (answers, ends) = row.items()
        terminal.say(f"{name} {at}: {answers} {terminal.enclosure(ends['lo'], ends['hi'], 6)}")
    if found["note"] or found["method"] == "grid":
        terminal.say(f"{found['plan']}; {found['method']}" + (f"; {found['note']}" if found["note"] else ""))
    return 0


def _runs(words: Sequence[str]) -> list[dict[str, str]]:
    """The parameters of each run.

    >>> _runs(["mu=3", "mu=4"]), _runs(["eps=1", "delta=1/10"])
    ([{'mu': '3'}, {'mu': '4'}], [{'eps': '1', 'delta': '1/10'}])
    """
    runs: list[dict[str, str]] = []
    for word in (part for text in words for part in text.split(",")):
        name, number = values.assignment(word)
        if not runs or name in runs[-1]:
            runs.append({})
        runs[-1][name] = number
    return runs


def _plan(args: argparse.Namespace, parts: Sequence[dict[str, str]]) -> Any:
    """The plan of a file, of --run options, or of one run with its --at groups."""
    from symprivacy.accounting import Plan, Run, read_plan

    ways = [args.plan is not None, bool(args.runs), args.notion is not None]
    if sum(ways) != 1:
        raise InputError("give a run, or --run options, or --plan FILE")
    if args.plan is not None:
        return read_plan(args.plan)
    if args.runs and parts:
        raise InputError("--at speaks of a notion; write its parameters into --run, such as 'DP(1)'")
    default = {"times": args.times, "sampled": args.sampled or 1}
    given: list[dict[str, Any]] = [{**default, **row} for row in args.runs]
    if not given:
        given = [{**default, "run": args.notion, "at": at} for at in (parts or ({},))]
    return Plan.of([Run.of(_mechanism(r["run"]), r.get("at"), r["times"], r["sampled"]) for r in given])


def _mechanism(text: str) -> Any:
    from symprivacy.mechanisms import read_json

    # A word is read as a file only if it ends like one.
    return read_json(text) if text.endswith(".json") else text.strip()


def _bracket(args: argparse.Namespace, parts: list[dict[str, str]]) -> dict[str, Any]:
    from symprivacy.accounting import compose

    if args.delta is not None and args.eps2 is not None:
        raise InputError("give --delta or --eps2, not both; both with --solve NAME")
    plan = _plan(args, parts)
    found = compose(plan, args.delta, args.eps2, args.width, args.digits, _progress())
    if args.verify:
        from symprivacy.accounting.saved import verified

        found = verified(found)
    if args.save:
        from symprivacy.accounting.saved import save

        save(found, args.save)
    if args.plot:
        from symprivacy.render.accounting import plot_bracket

        plot_bracket(found, args.plot, kind=args.show or "curve")
    rows = {"rows": _rows(found, args.show)} if args.show else {}
    return {"notion": args.notion, **found.to_json(args.digits), **rows}


_PRIORS = ("1/100", "1/10", "1/4", "1/2")
_ERRORS = ("0", "1/100", "1/20", "1/10", "1/4", "1/2", "3/4")


def _rows(found: Any, what: str) -> list[dict[str, Any]]:
    from symprivacy.accounting.curve import curve
    from symprivacy.accounting.meaning import Row, beliefs, trade_off

    if what == "beliefs":
        return [row.to_json("prior", "guessed right") for row in beliefs(found, list(_PRIORS))]
    if what == "trade-off":
        return [row.to_json("type I error", "type II error") for row in trade_off(found, list(_ERRORS))]
    return [Row(*point).to_json("eps", "delta") for point in curve(found, 11)]


def _solved(args: argparse.Namespace, parts: list[dict[str, str]]) -> dict[str, Any]:
    from symprivacy.accounting.calibrate import solve_plan

    if args.delta is None or args.eps2 is None or args.notion is None or args.runs or args.plan or len(parts) > 1:
        raise InputError(
            "--solve NAME takes one run, --eps2 and --delta, such as compose 'gaussian(sigma)' --solve sigma"
        )
    found = solve_plan(args.notion.strip(), args.solve, parts[0] if parts else {}, args.times, args.sampled or 1,
                       args.eps2, args.delta, args.width or 1e-3)  # fmt: skip
    return {"notion": args.notion, **found.to_json(min(args.digits, 12))}


def _progress() -> Any:
    """A line on a terminal; nothing where nobody looks."""
    if not sys.stderr.isatty():
        return None
    return lambda text: print(f"\r{text:<60}", end="\r", file=sys.stderr, flush=True)


def _parameters(args: argparse.Namespace, parts: list[dict[str, str]]) -> dict[str, Any]:
    from symprivacy.implications.composition import group, sampled, sequential

    if args.notion is None or not parts:
        raise InputError("no parameters; give a notion with --at NAME=VALUE ..., or --delta or --eps2")
    count = len(parts) * args.times
    if count > 100_000:
        raise InputError(f"{count} runs are too many, expected at most 100000")
    if count == 1 and args.group is None and args.sampled is None:
        raise InputError("one run only; give --times, --group, --sampled or a second --at")
    # Each run draws its own sample, so sampling comes first.
    runs: list[dict[str, object]] = [
        sampled(args.notion, part, args.sampled) if args.sampled is not None else dict(part) for part in parts
    ]
    found = sequential(args.notion, runs * args.times) if count > 1 else runs[0]
    if args.group is not None:
        found = group(args.notion, found, args.group)
    return {"parameters": {name: str(number) for name, number in found.items()}}
