"""The best level of one notion that another one guarantees, with a rigorous enclosure and a witness."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Any

from symprivacy.cli import options, values
from symprivacy.cli.time_limit import GRACE, TimeUp, time_limit
from symprivacy.errors import InputError, UnsupportedError

if TYPE_CHECKING:
    from symprivacy.implications.implication import Implication

EPILOG = """examples:
  symprivacy convert DP KL --at eps=1 --digits 30
  symprivacy convert ADP PDP --at eps=1 delta=1e-6 eps2=2 --json
  symprivacy convert ZCDP ADP --at rho=1/2 delta2=1e-6         which eps at delta = 1e-6
  symprivacy convert ZCDP ADP --solve rho --at eps2=1 delta2=1e-6    the largest rho that gives (1, 1e-6)-DP
  symprivacy convert DP KL --at eps=1 --plot kl.png
  symprivacy convert KL TV --at k=1 --certify --save kl-tv.json && symprivacy check kl-tv.json
  symprivacy convert --batch lines.jsonl --digits 30

a line of a batch:
  {"id": "c1", "from": "DP", "to": "ADP", "at": {"eps": "1", "eps2": "0.5"}}

exit codes: 0 answered, 3 unknown or not certified, 2 bad input; a batch: 0 when every line was processed"""


# Which option writes files of which ending.
OUT = {".json": "save", ".png": "plot", ".svg": "plot", ".pdf": "plot"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    options.add_arithmetic(parser)
    parser.add_argument("notions", nargs="*", metavar="NOTION", help="source and target, such as DP KL")
    options.add_at(parser)
    options.add_output(parser)
    options.add_digits(parser, "the level")
    options.add_batch(parser)
    parser.add_argument(
        "--certify",
        action="store_true",
        help="prove the level by duality from the definitions, without its formula, or else by a stored theorem",
    )
    parser.add_argument(
        "--save", type=options.file, metavar="FILE", help="with --certify: write the proof for `symprivacy check`"
    )
    parser.add_argument(
        "--plot",
        type=options.file,
        metavar="FILE",
        help="draw published bounds beside the best level: .png, .svg, .pdf",
    )
    parser.add_argument(
        "--solve", metavar="NAME", help="the largest parameter of the source that gives a level, such as rho"
    )


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    if args.batch is not None:
        if args.notions or args.at or args.plot or args.certify or args.save or args.solve:
            raise InputError("--batch takes notions and parameters from its lines; give no others")
        from symprivacy.cli.batch import run_batch

        import_rules()
        answer_it = partial(answer, digits=args.digits, timeout=args.timeout)
        return run_batch(answer_it, args.batch, args.jobs, args.timeout, partial(late, args.timeout))
    if args.save and not args.certify:
        raise InputError("--save writes the proof that --certify finds; give both")
    notions, at = _split(args.notions, args.at)
    if args.solve:
        return _solve(notions, at, args)
    found = _asked(notions[0], at, notions[1], args.digits, args.timeout)
    result = late(args.timeout) if found is None else found.to_json()
    if args.certify:
        result["certified"] = _certify(notions[0], at, notions[1], args)
    if args.plot:
        from symprivacy.render.plots import plot_published

        plot_published(notions[0], notions[1], at, path=args.plot, points=25)
    if args.json:
        print(options.to_line(result))
    else:
        _print(result, None if found is None else found.marked, args.shown)
    uncertified = args.certify and result["certified"]["hi"] is None
    return 3 if result["status"] == "unknown" or uncertified else 0


def _solve(notions: list[str], at: dict[str, str], args: argparse.Namespace) -> int:
    """Calibration: the largest parameter of the source."""
    from symprivacy.accounting.calibrate import solve_conversion

    digits = min(args.digits, 12)
    try:
        with time_limit(args.timeout + GRACE):
            found = solve_conversion(notions[0], notions[1], args.solve, at, digits).to_json(digits)
    except TimeUp:
        raise InputError(f"no answer within {args.timeout:g} s; ask for fewer --digits") from None
    ends = found[args.solve]
    if args.json:
        print(options.to_line(found))
    else:
        from symprivacy.render import terminal

        inside = terminal.enclosure(ends["lo"], ends["hi"], args.shown)
        terminal.fields([(terminal.formula(args.solve), inside), ("note", found["note"])])
    return 0


def import_rules() -> None:
    """Load the rules once, before the workers of a batch are forked."""
    import symprivacy.implications  # noqa: F401


def _split(words: list[str], given: list[str]) -> tuple[list[str], dict[str, str]]:
    if len(words) != 2:
        raise InputError(f"expected a source and a target such as DP KL, got {' '.join(words)[:80]!r}")
    return [values.key(word) for word in words], values.assignments(given)


def _asked(source: str, at: dict[str, str], target: str, digits: int, timeout: float) -> Implication | None:
    """The answer; None when the time is up."""
    from symprivacy.implications import convert

    try:
        with time_limit(timeout + GRACE):
            return convert(source, at, target, digits)
    except TimeUp:
        return None


def _certify(source: str, at: dict[str, str], target: str, args: argparse.Namespace) -> dict[str, Any]:
    """The proved bounds, or why there are none; the proof goes to a file."""
    from symprivacy.implications import convert

    try:
        with time_limit(args.timeout + GRACE):
            known = convert(source, at, target, args.digits)
            try:
                found = known.certify()
            except UnsupportedError as e:
                return _stored(known, args) or {"lo": None, "hi": None, "reason": str(e)}
    except TimeUp:
        return {"lo": None, "hi": None, "reason": f"no certificate within {args.timeout:g} s"}
    if args.save:
        found.save(args.save)
    multipliers = {name: str(value) for name, value in found.multipliers.items()}
    return {"lo": found.lo, "hi": found.hi, "multipliers": multipliers, "principles": list(found.derived.principles)}


def _stored(known: Implication, args: argparse.Namespace) -> dict[str, Any] | None:
    """The stored theorem that settles the pair at these numbers, checked again with everything it rests on."""
    from symprivacy.derivations.theorems.store import FORMAT, needed
    from symprivacy.implications.attested import attesting
    from symprivacy.implications.own_theorems import theorems
    from symprivacy.implications.proofs import checked, principles_of
    from symprivacy.implications.theorem_sentences import sentence

    name = attesting(known)
    if name is None:
        return None
    said = sentence(checked(name))
    if args.save:
        rows = [theorems()[used] for used in needed(name, theorems())]
        options.save({"format": FORMAT, "theorems": rows}, args.save)
    return {"lo": known.lo, "hi": known.hi, "multipliers": {}, "principles": list(principles_of(name)),
            "theorem": name, "says": said}  # fmt: skip


def _print(result: dict[str, Any], formula: str | None, digits: int) -> None:
    from symprivacy.render import terminal

    at = ", ".join(f"`{name} = {number}`" for name, number in result.get("at", {}).items())
    if "from" in result:
        terminal.say(f"{result['from']} => {result['to']}" + (f" at {at}" if at else ""))
    rows: list[tuple[str, Any]] = [("status", terminal.coloured(result["status"]))]
    if formula is not None:
        rows.append(("formula", terminal.words(formula)))
    rows.append(("level", terminal.enclosure(result["lo"], result["hi"], digits)))
    rows += terminal.witness(result["witness"] or {})
    rows += [(name, result[name]) for name in ("evidence", "note", "reading") if result.get(name)]
    if result.get("principles"):
        rows.append(("rests on", ", ".join(result["principles"])))
    if "certified" in result:
        rows += _certified(result["certified"], digits)
    terminal.fields(rows)


def _certified(found: dict[str, Any], digits: int) -> list[tuple[str, Any]]:
    from symprivacy.render import terminal

    if found["hi"] is None:
        return [("certified", f"no; {found['reason']}")]
    if "theorem" in found:
        from symprivacy.render.marked import to_line

        return [("certified", f"by the stored theorem {found['theorem']}, checked again: {to_line(found['says'])}")]
    reached = terminal.enclosure(found["lo"] if found["lo"] is not None else "0", found["hi"], digits)
    rows = [("certified", f"{reached} by definition; rests on {', '.join(found['principles'])}")]
    return rows + [(f"  {name}", terminal.vector([value])[1:-1]) for name, value in found["multipliers"].items()]


def answer(line: dict[str, Any], digits: int, timeout: float) -> dict[str, Any]:
    """The answer to one line of a batch, without its id.

    >>> answer({"from": "DP", "to": "TV", "at": {"eps": "1"}}, 5, 10.0)["hi"]
    '0.46212'
    """
    from symprivacy.cli.json_lines import field

    at = line.get("at", {})
    if not isinstance(at, dict):
        raise InputError('\'at\' is an object such as {"eps": "1"}')
    given = {values.parameter_name(name): field(at, name) for name in at}
    source, target = (values.key(field(line, name)) for name in ("from", "to"))
    found = _asked(source, given, target, digits, timeout)
    return late(timeout) if found is None else found.to_json()


def late(timeout: float) -> dict[str, Any]:
    """The answer when the time is up."""
    return {"status": "unknown", "formula": None, "lo": "0", "hi": "oo", "witness": None,
            "note": f"no answer within {timeout:g} s"}  # fmt: skip
