"""Write the atlas as a folder of static pages, to be opened from the disk or put on any server.

A page for every notion, every ordered pair of notions, every claim, principle, mechanism and command, with search,
a matrix, a graph and a converter; no page loads anything from a network."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from symprivacy.cli import options

if TYPE_CHECKING:
    from symprivacy.claims import Finding

EPILOG = """examples:
  symprivacy site atlas/
  symprivacy audit --out run.jsonl
  symprivacy site atlas/ --audit run.jsonl
  symprivacy site atlas/ --serve

then open atlas/index.html; OUT is a new folder, or an earlier site, which is replaced; --serve shows it to browsers of
this machine until Ctrl-C, with a page that runs the program in the browser (npm and pip bring Python for browsers)

exit codes: 0 success, 2 bad input"""

# Seconds of processor time for a claim; what the library leaves open would take most of the time.
WORK = 12.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("out", metavar="OUT", help="the folder to write")
    parser.add_argument(
        "--audit", metavar="RUN.jsonl", help="findings of 'symprivacy audit --json'; default: audit now"
    )
    parser.add_argument("--only", nargs="+", metavar="KEY", help="only pairs of these notions, for a small site")
    parser.add_argument(
        "--serve",
        nargs="?",
        type=options.positive,
        const=8000,
        metavar="PORT",
        help="then show it at http://127.0.0.1:PORT, default %(const)s; a site of this program is not built again",
    )
    parser.add_argument("--jobs", type=options.positive, metavar="N", help="processes; default: number of processors")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from symprivacy.claims.audit import read_findings
    from symprivacy.parallel import progress
    from symprivacy.site.build import build, made_by_this, prepared
    from symprivacy.site.live import bundle
    from symprivacy.site.serve import server

    if args.serve and made_by_this(args.out):
        return _served(args.out, args.serve)
    # A folder that cannot be written, a port that is taken, parts that do not come are told before the work begins.
    prepared(args.out)
    live = None
    if args.serve:
        with server(args.out, args.serve):
            live = bundle()
    findings = read_findings(args.audit) if args.audit else _audited(args.jobs)
    with progress(None, "pages") as advance:
        built = build(args.out, findings, parsers(), args.only, args.jobs, advance, live)
    if args.json:
        print(options.to_line({"pages": built.pages, "bytes": built.bytes, "folder": str(built.folder)}))
    else:
        print(f"{built.pages} pages, {built.bytes / 1e6:.1f} MB: open {built.folder / 'index.html'}")
    return _served(args.out, args.serve) if args.serve else 0


def _served(folder: str, port: int) -> int:
    """Until Ctrl-C."""
    from symprivacy.site.serve import address, server

    with server(folder, port) as found:
        print(f"serving {address(found)} to this machine; Ctrl-C ends it", flush=True)
        found.serve_forever()
    return 0


def _audited(jobs: int | None) -> list[Finding]:
    from symprivacy.claims import ledger
    from symprivacy.claims.audit import audit
    from symprivacy.claims.library import library
    from symprivacy.parallel import progress

    claims = (*ledger(), *library())
    found = {}
    with progress(len(claims), "claims") as advance:
        for finding in audit(claims, jobs=jobs, work=WORK):
            found[finding.id] = finding
            advance()
    return [found[claim.id] for claim in claims]


def parsers() -> dict[str, argparse.ArgumentParser]:
    """The parser of every command, for its page in the reference.

    >>> parsers()["prove"].prog
    'symprivacy prove'
    """
    from symprivacy.cli.main import COMMANDS, parser_of

    return {name: parser_of(name) for name in COMMANDS}
