"""Partition a box of one to three variables into A < B, A > B, A = B and a thin undecided rim; every cell is proved.

The cells go to a file of JSON Lines as they are found. A sweep that was interrupted goes on with --resume, after the
cells of the file have been verified. Where A and B cannot be told apart the sweep gives up early and says so."""

from __future__ import annotations

import argparse
from contextlib import nullcontext

from symprivacy.cli import options
from symprivacy.cli.main import complain
from symprivacy.cli.time_limit import GRACE, TimeUp, time_limit
from symprivacy.errors import CertificateError, InputError

EPILOG = """examples:
  symprivacy sweep "exp(eps)*p/(1+(exp(eps)-1)*p)" "p + eps/5" --on "p in [0, 1]" --on "eps in (0, 5]" \\
      --out cells.jsonl --rim 0.02 --plot cells.png
  symprivacy sweep "exp(eps)*p/(1+(exp(eps)-1)*p)" "p + eps/5" --on "p in [0, 1]" --on "eps in (0, 5]" \\
      --out cells.jsonl --rim 0.01 --resume
  symprivacy sweep --check cells.jsonl

exit codes: 0 the rim is as thin as asked, 3 it is not, 2 bad input; with --check: 0 accepted, 1 not accepted"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    options.add_arithmetic(parser)
    parser.add_argument("a", nargs="?", metavar="A", help="an expression")
    parser.add_argument("b", nargs="?", metavar="B", help="another one")
    options.add_domain(parser)
    parser.add_argument("--out", type=options.file, metavar="FILE", help="write the cells to this file, JSON Lines")
    parser.add_argument(
        "--rim", default="1/100", metavar="PART", help="part of the box to leave undecided; default 1/100"
    )
    parser.add_argument("--resume", action="store_true", help="go on with the file of an earlier sweep")
    parser.add_argument(
        "--plot", type=options.file, metavar="FILE.png", help="draw the regions; of three variables, slices"
    )
    parser.add_argument("--cells", type=options.positive, metavar="N", help="give up after so many cells; default 10^7")
    parser.add_argument("--jobs", type=options.positive, metavar="N", help="processes; default: number of processors")
    parser.add_argument("--timeout", type=options.seconds, metavar="S", help="give up after this many seconds")
    parser.add_argument(
        "--check", type=options.file, metavar="FILE", help="verify the file of a sweep, cell by cell, with the checker"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    if args.check is not None:
        return _check(args)
    if args.a is None or args.b is None:
        raise InputError("two expressions are needed, such as 'p*exp(eps)' '1'; or --check FILE")
    if args.resume and not args.out:
        raise InputError("--resume goes on with a file; give it by --out FILE")
    from symprivacy.search.sweep import MOST_CELLS, certify_region

    try:
        with time_limit(args.timeout + GRACE) if args.timeout else nullcontext():
            region = certify_region(
                args.a,
                args.b,
                args.on,
                rim=args.rim,
                out=args.out,
                resume=args.resume,
                jobs=args.jobs,
                most_cells=args.cells or MOST_CELLS,
                timeout=args.timeout,
            )
    except TimeUp:
        # One cell took too long; those of the file are complete, and a later sweep goes on with them.
        late = f"no answer within {args.timeout:g} s"
        print(options.to_line({"complete": False, "reason": late, "file": args.out}) if args.json else late)
        return 3
    if args.plot:
        from symprivacy.render.regions import draw_region

        draw_region(region, args.plot)
    if args.json:
        print(options.to_line({**region.to_json(), "file": args.out}))
    else:
        from symprivacy.render import terminal

        terminal.say(str(region))
    return 0 if region.complete else 3


def _check(args: argparse.Namespace) -> int:
    from symprivacy.search.region import check_file

    if args.a is not None:
        raise InputError("--check takes the question from its file; give no expressions")
    try:
        cells = check_file(args.check)
    except CertificateError as e:
        if args.json:
            print(options.to_line({"file": args.check, "accepted": False, "reason": str(e)}))
        else:
            complain(f"{args.check}: not accepted: {e}", "symprivacy sweep")
        return 1
    if args.json:
        print(options.to_line({"file": args.check, "accepted": True, "cells": cells}))
    else:
        print(f"accepted: {cells} cells")
    return 0
