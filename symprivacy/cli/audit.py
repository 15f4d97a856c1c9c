"""Decide every checkable claim of the five papers, or of a file of one's own, and say what was found.

Verdicts: tight, holds, improvable, false, misprint, vacuous, not-checkable, undecided.
Interrupted runs continue with --resume; --from makes a report of an earlier run, and decides nothing again."""

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
from symprivacy.language.names import folded, no_such

if TYPE_CHECKING:
    from symprivacy.claims import Claim, Finding

    Report = Callable[[Sequence[Finding], Path], object]

EPILOG = """examples:
  symprivacy audit
  symprivacy audit --paper zhao17
  symprivacy audit --claim ks14-eq6
  symprivacy audit --file draft.jsonl --out draft.html
  symprivacy audit --library --paper mironov17
  symprivacy audit --out findings.jsonl
  symprivacy audit --against findings.jsonl
  symprivacy audit --from findings.jsonl --out findings.pdf

a line of a file of claims:
  {"id": "draft-thm1", "source": "draft", "where": "Thm 1", "statement": "eps-DP => (eps/2)-TV for 0 < eps <= 1"}

Where a definition leaves the priors open a statement may choose them, "InfPr(eps, prior=one) => DP(2*eps)":
all (as without it), one (whichever it is), independent (records), or a probability for two neighbours.

A statement that cannot be read gives a line {"id": ..., "error": ...} in its place.

exit codes: 0 every claim was decided, or every line of a --file was processed, 3 one stayed undecided, 2 bad input"""


# Which option writes files of which ending.
OUT = {".html": "report", ".md": "report", ".tex": "report", ".pdf": "report"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--paper", action="append", metavar="KEY", help="only claims of this paper; repeatable")
    parser.add_argument("--claim", action="append", metavar="ID", help="only this claim; repeatable")
    parser.add_argument("--file", type=options.file, metavar="FILE", help="claims of one's own, JSON Lines")
    parser.add_argument(
        "--library",
        action="store_true",
        help="statements after the literature, varied on purpose, instead of the papers",
    )
    parser.add_argument("--jobs", type=options.positive, metavar="N", help="processes; default: number of processors")
    parser.add_argument("--timeout", type=options.seconds, metavar="S", help="seconds per claim; default 50 of work")
    options.add_arithmetic(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object per claim")
    parser.add_argument("--report", type=options.file, metavar="FILE", help="write a report: .html, .md, .tex or .pdf")
    parser.add_argument(
        "--from", type=options.file, dest="earlier", metavar="FILE", help="take the findings of an earlier --json run"
    )
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
    from symprivacy.claims.audit import differences, read_findings

    if args.earlier and (args.file or args.resume is not None):
        raise InputError("--from takes findings as they are: no --file and no --resume beside it")
    before = read_findings(args.against) if args.against else None
    report = _report(args.report)
    findings = _earlier(args) if args.earlier else _decided(args)
    if not args.json:
        _print(findings, args)
    if before is not None:
        known = {f.id for f in findings}
        changes = differences([f for f in before if f.id in known], findings)
        for name, then, now in changes:
            print(f"changed: {name}: {then} -> {now}", file=sys.stderr)
        if not changes:
            print("nothing changed", file=sys.stderr)
    if report is not None:
        _reported(report, findings, args)
    disagreements = [f for f in findings if DISAGREEMENT in f.reason]
    for f in disagreements:
        complain(f"{f.id}: {f.reason}", "symprivacy audit")
    # A file is a batch: it was processed, and its lines say what stayed undecided.
    return 3 if not args.file and any(str(f.verdict) == "undecided" for f in findings) else 0


def _decided(args: argparse.Namespace) -> list[Finding]:
    """The findings on the chosen claims; each is on disk, or printed, as soon as it is there."""
    from symprivacy.claims.audit import Journal, audit
    from symprivacy.parallel import progress

    claims = _readable(_chosen(args), args.json)
    journal = Journal(args.resume or _cache("audit.jsonl"))
    if args.resume is None:
        journal.path.unlink(missing_ok=True)
    found: dict[str, Finding] = {}
    complete = False
    try:
        with progress(len(claims), "claims") as advance:
            for finding in audit(
                claims, jobs=args.jobs, timeout=args.timeout, journal=journal, arithmetic=args.arithmetic
            ):
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
    return [found[claim.id] for claim in claims]


def _readable(claims: list[Claim], as_json: bool) -> list[Claim]:
    """The claims whose statements can be read; the others are reported at once, each in a line."""
    from symprivacy.claims.own_claims import unreadable

    kept = []
    for claim in claims:
        error = unreadable(claim)
        if error is None:
            kept.append(claim)
        elif as_json:
            print(options.to_line({"id": claim.id, "error": error}), flush=True)
        else:
            print(f"{claim.id}: error: {error}")
    return kept


def _earlier(args: argparse.Namespace) -> list[Finding]:
    """The findings of an earlier run, those that were asked for."""
    from symprivacy.claims.audit import read_findings

    findings = read_findings(args.earlier)
    for asked, known in ((args.paper, {f.source for f in findings}), (args.claim, {f.id for f in findings})):
        missing = [name for name in asked or () if name not in known]
        if missing:
            raise InputError(f"no finding on {missing[0][:80]!r} in {args.earlier[:80]!r}")
    findings = [f for f in findings if f.source in (args.paper or [f.source]) and f.id in (args.claim or [f.id])]
    if not findings:
        raise InputError(f"no findings in {args.earlier[:80]!r}; expected the lines of 'symprivacy audit --json'")
    if args.json:
        for finding in findings:
            print(options.to_line(finding.to_json()))
    return findings


def _reported(report: Report, findings: Sequence[Finding], args: argparse.Namespace) -> None:
    """Write the report; the findings are on disk until it is written, so that a failure costs no work."""
    kept = Path(args.earlier) if args.earlier else _cache("unreported.jsonl")
    if not args.earlier:
        try:
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text("".join(options.to_line(f.to_json()) + "\n" for f in findings), encoding="utf-8")
        except OSError as e:
            print(f"symprivacy: cannot keep the findings in {str(kept)[:80]!r}: {e.strerror}", file=sys.stderr)
    try:
        report(findings, Path(args.report))
    except BaseException:
        print(f"symprivacy: no report was written; the findings are in {kept}, see --from", file=sys.stderr)
        raise
    if not args.earlier:
        kept.unlink(missing_ok=True)


def _chosen(args: argparse.Namespace) -> list[Claim]:
    from symprivacy.claims import get_claim, ledger
    from symprivacy.claims.library import library
    from symprivacy.claims.own_claims import read_claims

    if args.file and args.library:
        raise InputError("--file or --library, not both")
    claims = list(read_claims(args.file) if args.file else library() if args.library else ledger())
    if args.paper:
        papers = sorted({claim.source for claim in claims})
        wanted = [folded(key, papers) for key in args.paper]
        for key in wanted:
            if key not in papers:
                raise no_such("paper", key, papers, f"there are {', '.join(papers)[:200]}")
        claims = [claim for claim in claims if claim.source in wanted]
    if args.claim:
        known = {claim.id: claim for claim in claims}
        asked = [folded(name, known) for name in args.claim]
        missing = [name for name in asked if name not in known]
        if missing and args.file is None and not args.library and not args.paper:
            name = get_claim(missing[0]).id
            raise InputError(f"{name} is a claim of the library: symprivacy audit --library --claim {name}")
        if missing:
            raise InputError(f"no claim {missing[0][:80]!r} among those chosen")
        claims = [known[name] for name in dict.fromkeys(asked)]
    return claims


def _cache(name: str) -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "symprivacy" / name


def _report(path: str | None) -> Report | None:
    """The function that writes the report, found before the work begins so that a wrong name costs nothing."""
    if path is None:
        return None
    from symprivacy.render.report import check_path, write_report

    check_path(path)
    return write_report


def _print(findings: Sequence[Finding], args: argparse.Namespace) -> None:
    """A table per paper, then the tally."""
    from symprivacy.render import terminal

    for source in dict.fromkeys(f.source for f in findings):
        own = [f for f in findings if f.source == source]
        terminal.say(f"{source or 'claims'}: {_tally(own)}")
        rows = [(f.id, terminal.coloured(f.verdict.value), f.evidence.value, _line(f)) for f in own]
        terminal.table(["claim", "verdict", "evidence", "what was found"], rows, whole=frozenset([1, 2]))
    given = [f"--file {args.file}"] if args.file else []
    command = " ".join(["symprivacy show ID", *given, *(f"--notions {path}" for path in args.definitions)])
    terminal.say(f"{len(findings)} claims: {_tally(findings)}", f"'{command}' explains a verdict")


def _tally(findings: Sequence[Finding]) -> str:
    verdicts = Counter(f.verdict.value for f in findings)
    evidence = Counter(f.evidence.value for f in findings)
    told = (", ".join(f"{count} {name}" for name, count in counts.most_common()) for counts in (verdicts, evidence))
    return "; ".join(told)


def _line(f: Finding) -> str:
    """What one reads at a glance: the better or corrected form, the witness, or the reason."""
    told = {"improvable": f.better, "misprint": f.corrected, "holds": f.statement, "tight": f.statement}
    return told.get(f.verdict.value) or f.reason or f.statement
