"""Decide every checkable claim of the five papers, or of a file of one's own, and say what was found.

Verdicts: tight, holds, improvable, false, misprint, vacuous, not-checkable, undecided.
Interrupted runs continue with --resume."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from symprivacy.cli import options
from symprivacy.cli.main import complain
from symprivacy.errors import DISAGREEMENT, InputError

if TYPE_CHECKING:
    from symprivacy.claims import Claim, Finding

EPILOG = """examples:
  symprivacy audit
  symprivacy audit --paper zhao17
  symprivacy audit --claim ks14-eq6
  symprivacy audit --file draft.jsonl --report draft.html
  symprivacy audit --json > findings.jsonl
  symprivacy audit --against findings.jsonl

a line of a file of claims:
  {"id": "draft-thm1", "source": "draft", "where": "Thm 1", "statement": "eps-DP => (eps/2)-TV for 0 < eps <= 1"}

exit codes: 0 every claim was decided, 3 a claim stayed undecided, 2 bad input"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--paper", action="append", metavar="KEY", help="only claims of this paper; repeatable")
    parser.add_argument("--claim", action="append", metavar="ID", help="only this claim; repeatable")
    parser.add_argument("--file", type=options.file, metavar="FILE", help="claims of one's own, JSON Lines")
    parser.add_argument("--jobs", type=options.positive, metavar="N", help="processes; default: number of processors")
    parser.add_argument("--timeout", type=options.seconds, metavar="S", help="seconds per claim; default 50")
    options.add_arithmetic(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object per claim")
    parser.add_argument("--report", type=options.file, metavar="FILE", help="write a report: .html, .md, .tex or .pdf")
    parser.add_argument(
        "--against", type=options.file, metavar="FILE", help="list what changed since an earlier --json run"
    )
    parser.add_argument(
        "--resume",
        nargs="?",
        const="",
        metavar="FILE",
        help="continue an interrupted run; default file: in the cache",
    )


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from symprivacy.claims.audit import TIMEOUT, Journal, audit, differences, read_findings
    from symprivacy.parallel import progress

    claims = _chosen(args)
    earlier = read_findings(args.against) if args.against else None
    report = _report(args.report)
    journal = Journal(args.resume or _cache())
    if args.resume is None:
        journal.path.unlink(missing_ok=True)
    found: dict[str, Finding] = {}
    complete = False
    try:
        with progress(len(claims), "claims") as advance:
            limit = args.timeout or TIMEOUT
            for finding in audit(claims, jobs=args.jobs, timeout=limit, journal=journal, arithmetic=args.arithmetic):
                found[finding.id] = finding
                advance(_tally(list(found.values())))
                if args.json:
                    print(options.to_line(finding.to_json()), flush=True)
        complete = True
    finally:
        if not complete and found:
            print(f"symprivacy: {len(found)} of {len(claims)} claims decided; go on with --resume", file=sys.stderr)
    if not args.resume:
        journal.path.unlink(missing_ok=True)
    findings = [found[claim.id] for claim in claims]
    if not args.json:
        _print(findings)
    if earlier is not None:
        changes = differences([f for f in earlier if f.id in found], findings)
        for name, before, now in changes:
            print(f"changed: {name}: {before} -> {now}", file=sys.stderr)
        if not changes:
            print("nothing changed", file=sys.stderr)
    if report is not None:
        report(findings, Path(args.report))
    disagreements = [f for f in findings if DISAGREEMENT in f.reason]
    for f in disagreements:
        complain(f"{f.id}: {f.reason}", "symprivacy audit")
    return 3 if any(str(f.verdict) == "undecided" for f in findings) else 0


def _chosen(args: argparse.Namespace) -> list[Claim]:
    from symprivacy.claims import get_claim, ledger
    from symprivacy.claims.drafts import read_claims

    claims = list(read_claims(args.file) if args.file else ledger())
    if args.paper:
        papers = sorted({claim.source for claim in claims})
        for key in args.paper:
            if key not in papers:
                raise InputError(f"no paper {key[:40]!r}; there are {', '.join(papers)[:200]}")
        claims = [claim for claim in claims if claim.source in args.paper]
    if args.claim:
        known = {claim.id: claim for claim in claims}
        missing = [name for name in args.claim if name not in known]
        if missing and args.file is None and not args.paper:
            get_claim(missing[0])
        if missing:
            raise InputError(f"no claim {missing[0][:80]!r} among those chosen")
        claims = [known[name] for name in dict.fromkeys(args.claim)]
    return claims


def _cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "symprivacy" / "audit.jsonl"


def _report(path: str | None) -> Callable[[Sequence[Finding], Path], object] | None:
    """The function that writes the report, found before the work begins so that a wrong name costs nothing."""
    if path is None:
        return None
    from symprivacy.render.report import check_path, write_report

    check_path(path)
    return write_report


def _print(findings: Sequence[Finding]) -> None:
    """A table per paper, then the tally."""
    for source in dict.fromkeys(f.source for f in findings):
        own = [f for f in findings if f.source == source]
        print(f"{source or 'claims'}: {_tally(own)}")
        width = max(len(f.id) for f in own)
        for f in own:
            print(f"  {f.id:<{width}}  {f.verdict.value:<13}  {_line(f)}")
        print()
    print(f"{len(findings)} claims: {_tally(findings)}")
    print("'symprivacy show ID' explains a verdict")


def _tally(findings: Sequence[Finding]) -> str:
    counts = Counter(f.verdict.value for f in findings)
    return ", ".join(f"{count} {name}" for name, count in counts.most_common())


def _line(f: Finding) -> str:
    """What one reads at a glance: the better or corrected form, the witness, or the reason."""
    from symprivacy.language.text import shorten

    told = {"improvable": f.better, "misprint": f.corrected, "holds": f.statement, "tight": f.statement}
    return shorten(" ".join((told.get(f.verdict.value) or f.reason or f.statement).split()), 100)
