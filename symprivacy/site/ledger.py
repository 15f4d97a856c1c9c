"""The ledger of claims with its filters, and a page for every claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from symprivacy.claims.finding import Finding
from symprivacy.claims.library import sources
from symprivacy.derivations.principles import PRINCIPLES
from symprivacy.render.bibtex import find
from symprivacy.render.findings import VERDICTS, entry
from symprivacy.render.report import html_line, source_name
from symprivacy.site.atlas import Atlas, notions_in
from symprivacy.site.page import Page, safe

# What a page of a claim shows by itself; the rest of its lines follows below.
_ABOVE = ("Statement", "Corrected", "Better", "Why")


def pages(atlas: Atlas) -> Iterator[Page]:
    """The ledger and the pages of its claims."""
    found = atlas.findings
    counts = Counter(f.verdict.value for f in found)
    rows = [(f, notions_in(f), VERDICTS[f.verdict.value], _text(f)) for f in found]
    content = {
        "rows": rows,
        "papers": [(s, source_name(s)) for s in dict.fromkeys(f.source for f in found)],
        "verdicts": [(v, counts[v], VERDICTS[v]) for v in VERDICTS if counts[v]],
        "evidence": sorted(Counter(f.evidence.value for f in found).items(), reverse=True),
        "notions": sorted({key for _, keys, _, _ in rows for key in keys}),
        "principles": sorted({p for f in found for p in f.principles}),
    }
    yield Page("ledger.html", "The ledger of claims", "section", "ledger.html", content,
               "every checked claim of the papers, with filters")  # fmt: skip
    following = [*found[1:], None]
    for before, finding, after in zip([None, *found], found, following, strict=False):
        yield of(finding, before, after)


def varied(f: Finding) -> bool:
    """Whether the statement is one of the library: after a work, and often varied on purpose."""
    return f.source in sources()


def _text(f: Finding) -> str:
    parts = (f.id, f.where, f.statement, f.reading, f.better, f.corrected, f.reason)
    return " ".join(part for part in parts if part).lower()


def of(f: Finding, before: Finding | None = None, after: Finding | None = None) -> Page:
    """The page of one claim: what was found in words, then the evidence."""
    lines = entry(f).lines
    source = find(f.source)
    content = {
        "finding": f,
        "varied": varied(f),
        "sign": VERDICTS[f.verdict.value][0],
        "says": VERDICTS[f.verdict.value][1],
        "paper": source_name(f.source),
        "lines": [(x.label, safe(html_line(x)), bool(x.rows)) for x in lines if x.label not in _ABOVE and not x.steps],
        "registered": {principle.name for principle in PRINCIPLES},
        "why": next((safe(html_line(x)) for x in lines if x.label == "Why"), ""),
        "proof": next((safe(html_line(x)) for x in lines if x.steps), ""),
        "notions": notions_in(f),
        "bibtex": source[0].to_bibtex() if source is not None else "",
        "latex": f.to_latex(),
        "before": before,
        "after": after,
    }
    title = f"{f.where} of {source_name(f.source)}" if f.where else f.id
    return Page(f"claims/{f.id}.html", title, "claim", "claim.html", content,
                f"{f.verdict}: {f.statement}", f"{f.id} {f.source}")  # fmt: skip
