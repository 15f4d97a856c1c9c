"""The ways from one notion to another, composed symbolically and ranked; the best one first."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from symprivacy.cli import options
from symprivacy.errors import NoInformation
from symprivacy.language.text import to_text

if TYPE_CHECKING:
    from symprivacy.atlas.chain import Chain

EPILOG = """examples:
  symprivacy chain MP SP
  symprivacy chain KL TV --without conversion --on "k in (0, 5]"
  symprivacy chain ZCDP ADP --at rho=1/10 eps2=2 --explain

--without takes a claim, a source such as Pinsker, a principle such as "two-point-extremal", an edge such as "DP>KL",
or a kind: conversion, derived, published, claim

exit codes: 0 found, or impossible with a witness, 3 nothing found, 2 bad input"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("source", metavar="FROM", help="a notion, such as MP")
    parser.add_argument("target", metavar="TO", help="a notion, such as SP")
    options.add_at(parser)
    parser.add_argument("--without", action="append", default=[], metavar="NAME", help="do not use this; repeatable")
    parser.add_argument("--on", metavar="DOMAIN", help="compare the ways on a range, such as 'eps in (0, 5]'")
    parser.add_argument("--hops", type=options.positive, default=2, metavar="N", help="at most N steps; default 2")
    parser.add_argument(
        "--claims", type=options.file, metavar="FILE", help="lines of 'symprivacy audit --json'; what holds is an edge"
    )
    parser.add_argument("--explain", action="store_true", help="print the shortest derivation")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _print(found: Chain, explain: bool) -> None:
    from symprivacy.render import terminal

    if not found.ways:
        if found.impossible is None:
            terminal.say(found.nothing)
        else:
            terminal.say(f"no level of {found.target} follows from {found.source}")
            terminal.fields(terminal.witness(found.impossible.witness or {}))
        return
    at = ", ".join(f"`{name} = {to_text(number)}`" for name, number in found.given.items())
    terminal.say(found.best.path.marked + (", tight" if found.best.path.tight else ""))
    terminal.table(
        [f"level at {terminal.words(at)}", "way"], [(way.level, terminal.plain(way.path.label)) for way in found.ways]
    )
    if found.loss is not None:
        terminal.say(f"the best level there is: {found.loss}")
    if explain:
        terminal.say(*found.explain().splitlines())


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from symprivacy.atlas import build, chain
    from symprivacy.cli.values import parameters
    from symprivacy.render import terminal

    atlas = build()
    if args.claims is not None:
        from symprivacy.atlas.claim_edges import with_claims
        from symprivacy.claims.audit import read_findings

        atlas = with_claims(atlas, read_findings(args.claims))
    at = parameters(args.at)
    found = chain(args.source, args.target, at, without=args.without, hops=args.hops, atlas=atlas)
    rankings = []
    for k in range(1, len(found.ways)) if args.on is not None else ():
        try:
            rankings.append(found.compare(args.on, 0, k))
        except NoInformation:
            continue
    if args.json:
        print(options.to_line({**found.to_json(), "comparisons": [r.to_json() for r in rankings]}))
    else:
        _print(found, args.explain)
        for ranking in rankings:
            terminal.say(*str(ranking).splitlines())
    if found.ways:
        return 0
    return 0 if found.impossible is not None else 3
