"""Show one notion (definition, parameters, likelihood ratio or divergence, properties, other names) or one claim.

A claim is decided on the spot: statement, place, reading, verdict, evidence, witness, better or corrected form."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from symprivacy.cli import options
from symprivacy.errors import InputError

if TYPE_CHECKING:
    from symprivacy.mechanisms import Family
    from symprivacy.notions import Notion

EPILOG = """examples:
  symprivacy show SP
  symprivacy show MP --latex
  symprivacy show ks14-eq6
  symprivacy show draft-thm1 --file draft.jsonl
  symprivacy show two-point-extremal          a principle
  symprivacy show vacuous                     a word of the answers
  symprivacy show "laplace(b)" --latex        a family of mechanisms
  symprivacy show "gaussian(2)" --plot gaussian.png

exit codes: 0 success, 2 bad input"""


# Which option writes files of which ending.
OUT = {".tex": "latex"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "name", metavar="NAME", help="a notion, a claim, a principle, a rule, a verdict, or a family such as laplace(b)"
    )
    parser.add_argument("--plot", type=options.file, metavar="FILE", help="draw the curves of a family of mechanisms")
    parser.add_argument("--latex", action="store_true", help="print LaTeX")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--file", type=options.file, metavar="FILE", help="claims of one's own, JSON Lines")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from symprivacy.cli import explain
    from symprivacy.mechanisms import read_family
    from symprivacy.notions import get, meanings

    if not args.file and (member := read_family(args.name)) is not None:
        return _family(member, args)
    if args.plot:
        raise InputError("--plot draws families of mechanisms such as laplace(2)")
    kind = "claim" if args.file else explain.kind(args.name)
    if kind == "claim":
        return _claim(args)
    if kind != "notion":
        return explain.show(kind, args)
    notion = get(args.name)
    if args.latex:
        print(notion.to_latex())
        return 0
    record: dict[str, Any] = {
        "key": notion.key,
        "name": notion.name,
        "parameters": {p.name: f"{_span(p.domain)}, {p.direction.value}" for p in notion.parameters},
        "definition": notion.statement,
        "source": notion.source,
        "ratio": None if notion.ratio is None else str(notion.ratio),
        "divergence": None if notion.divergence is None else str(notion.divergence.generator),
        "dimensions": "".join(d for d in "QNVBFRC" if d in notion.dimensions),
        "properties": {p.name: f"{p.holds.value} ({p.source})" for p in notion.properties},
        "aliases": [a.name for a in notion.aliases],
        "also_called_so": [n.key for n in meanings(args.name) if n.key != notion.key],
    }
    if args.json:
        print(options.to_line(record))
        return 0
    _print(notion, record)
    return 0


def _family(member: Family, args: argparse.Namespace) -> int:
    from symprivacy.render import family, terminal

    if args.plot:
        family.plot_family(member, args.plot)
    if args.latex:
        print(family.to_latex(member))
    elif args.json:
        print(options.to_line(family.to_json(member)))
    else:
        terminal.say(f"{member}: {member.neighbours}")
        found = family.facts(member)
        terminal.fields([(name, terminal.exact(value)) for rows in found.values() for name, value in rows.items()])
    return 0


def _print(notion: Notion, record: dict[str, Any]) -> None:
    from symprivacy.render import terminal

    rows: list[tuple[str, Any]] = [("definition", notion.statement), ("source", notion.source)]
    for p in notion.parameters:
        span = terminal.formula(f"{p.name} in {terminal.spelled(p.domain)}")
        rows.append(("parameter", f"{span}, {p.direction.value}"))
    if notion.ratio is not None:
        rows.append(("likelihood ratio", f"at most {terminal.exact(notion.ratio)}"))
    if notion.divergence is not None:
        rows.append(("bounds the mean of", terminal.exact(notion.divergence.generator)))
    rows += [(p.name, f"{p.holds.value} ({p.source})") for p in notion.properties]
    labels = {"dimensions": "dimensions", "aliases": "also called", "also_called_so": "same name elsewhere"}
    for name, label in labels.items():
        if record[name]:
            rows.append((label, record[name] if isinstance(record[name], str) else ", ".join(record[name])))
    terminal.say(f"{notion.key}: {notion.name}")
    terminal.fields(rows)


def _span(domain: Any) -> str:
    """A set of numbers as (lo, hi]; a set that is no interval as sympy writes it."""
    import sympy

    if not isinstance(domain, sympy.Interval):
        return str(domain)
    left, right = "(" if domain.left_open else "[", ")" if domain.right_open else "]"
    return f"{left}{domain.start}, {domain.end}{right}"


def _claim(args: argparse.Namespace) -> int:
    from symprivacy.claims import decide
    from symprivacy.render import proof, terminal
    from symprivacy.render.steps import tells

    finding = decide(options.claim(args.name, args.file))
    if args.latex:
        print(finding.to_latex())
        return 0
    if args.json:
        print(options.to_line(finding.to_json()))
        return 0
    terminal.say(f"{finding.id} [{finding.source}, {finding.where}]")
    rows: list[tuple[str, Any]] = [
        ("statement", finding.statement),
        ("verdict", terminal.coloured(finding.verdict.value)),
        ("evidence", finding.evidence.value),
    ]
    because = "" if tells(finding.steps, finding.reason) else finding.reason
    for label, text in (("read as", finding.reading), ("better", finding.better), ("corrected", finding.corrected),
                        ("because", because)):  # fmt: skip
        if text:
            rows.append((label, text))
    rows += terminal.witness(finding.witness or {}, finding.steps)
    rows += proof.told(finding.steps)
    if finding.principles:
        rows.append(("rests on", ", ".join(finding.principles)))
    terminal.fields(rows)
    return 0
