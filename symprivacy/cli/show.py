"""Show one notion (definition, parameters, likelihood ratio or divergence, properties, other names) or one claim.

A claim is decided on the spot: statement, place, reading, verdict, evidence, witness, better or corrected form."""

from __future__ import annotations

import argparse
from typing import Any

from symprivacy.cli import options

EPILOG = """examples:
  symprivacy show SP
  symprivacy show MP --latex
  symprivacy show ks14-eq6
  symprivacy show draft-thm1 --file draft.jsonl

exit codes: 0 success, 2 bad input"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("name", metavar="NAME", help="a notion or the id of a claim")
    parser.add_argument("--latex", action="store_true", help="print LaTeX")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--file", type=options.file, metavar="FILE", help="claims of one's own, JSON Lines")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from symprivacy.notions import get, meanings

    if args.file or "-" in args.name:
        return _claim(args)
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
    print(f"{notion.key}: {notion.name} [{notion.source}]")
    print(f"  {notion.statement}")
    labels = {
        "ratio": "allowed likelihood ratio",
        "divergence": "bounds the mean of",
        "also_called_so": "same name elsewhere",
    }
    for field in ("parameters", "ratio", "divergence", "dimensions", "properties", "aliases", "also_called_so"):
        content = record[field]
        if isinstance(content, dict):
            for name, text in content.items():
                print(f"  {name}: {text}")
        elif content:
            text = ", ".join(content) if isinstance(content, list) else content
            print(f"  {labels.get(field, field)}: {text}")
    return 0


def _span(domain: Any) -> str:
    """A set of numbers as (lo, hi]; a set that is no interval as sympy writes it."""
    import sympy

    if not isinstance(domain, sympy.Interval):
        return str(domain)
    left, right = "(" if domain.left_open else "[", ")" if domain.right_open else "]"
    return f"{left}{domain.start}, {domain.end}{right}"


def _claim(args: argparse.Namespace) -> int:
    from symprivacy.claims import decide
    from symprivacy.render.findings import witness_lines

    finding = decide(options.claim(args.name, args.file))
    if args.latex:
        print(finding.to_latex())
        return 0
    if args.json:
        print(options.to_line(finding.to_json()))
        return 0
    print(f"{finding.id} [{finding.source}, {finding.where}]")
    print(f"  statement: {finding.statement}")
    for label, text in (("read as", finding.reading), ("verdict", finding.verdict.value), ("better", finding.better),
                        ("corrected", finding.corrected), ("because", finding.reason)):  # fmt: skip
        if text:
            print(f"  {label}: {text}")
    if finding.principles:
        print(f"  principles: {', '.join(finding.principles)}")
    for line in finding.steps:
        print(f"    {line}")
    for line in witness_lines(finding.witness or {}):
        print(f"  {line}")
    return 0
