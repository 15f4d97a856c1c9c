"""Certified test vectors for accounting libraries: questions with both ends of their answers."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from symprivacy.cli import options
from symprivacy.errors import InputError

EPILOG = """examples:
  symprivacy vectors --out vectors.json

how a library tests itself:
  import json
  for v in json.load(open("vectors.json")):
      if v["kind"] == "composition" and v["question"] == "gaussian(2)":
          eps = my_accountant(noise=2, times=v["at"]["times"], rate=v["at"]["sampled"], delta=v["at"]["delta"])
          assert eps >= float(v["eps"]["lo"]) * (1 - 1e-12), "claims more privacy than there is"

exit codes: 0 written, 2 bad input"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "--out",
        type=options.file,
        metavar="FILE",
        help="write one JSON list; without it, one line per vector is printed",
    )
    parser.add_argument("--digits", type=options.digits, default=15, metavar="N", help="digits; default 15")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from symprivacy.accounting.vectors import vectors

    if not args.out:
        for vector in vectors(args.digits):
            print(options.to_line(vector))
        return 0
    found = list(vectors(args.digits))
    try:
        Path(args.out).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    except OSError as e:
        raise InputError(f"cannot write {args.out[:80]!r}: {e.strerror}") from None
    said = {"vectors": len(found), "file": args.out}
    print(options.to_line(said) if args.json else f"{len(found)} vectors in {args.out}")
    return 0
