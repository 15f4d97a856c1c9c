"""Every certificate behind the findings on the papers through Coq: ``python -m tests.coq.ledger`` (takes an hour).

Writes ``ledger.jsonl``, one line per certificate with what coqc said of it, and LEDGER.md, which is made from that.
A theorem whose text has not changed since it compiled is not compiled again, so a run that was stopped goes on; after a
change of the prelude that may break something, delete ``ledger.jsonl`` first.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from symprivacy.claims import decide, ledger
from symprivacy.coq.export import theorem
from symprivacy.errors import UnsupportedError
from symprivacy.kernel.checker import FORMAT
from symprivacy.language.certificates import statement_of

HERE = Path(__file__).parent
LINES, PAGE = HERE / "ledger.jsonl", HERE / "LEDGER.md"
# Seconds of processor time for one certificate, and how much text goes into one file.
LIMIT, BATCH = 120, 12_000
WAITING, EARLIER = "not tried", "as an earlier certificate"
COQC = ("coqc", "-q", "-w", "none")


@dataclass(frozen=True)
class Entry:
    """What became of one certificate: ``compiled``, ``fails``, ``no form`` or ``not tried``, with the reason."""

    claim: str
    statement: str
    result: str
    why: str
    size: int
    digest: str


def read() -> list[Entry]:
    """The entries of the last run."""
    if not LINES.exists():
        return []
    return [Entry(**json.loads(line)) for line in LINES.read_text(encoding="utf-8").splitlines()]


def certificates() -> Iterator[tuple[str, dict[str, Any]]]:
    """The different certificates of inequalities, each with the first claim that rests on it."""
    seen: set[str] = set()
    for claim in ledger():
        for certificate in decide(claim).certificates:
            key = json.dumps(certificate, sort_keys=True)
            if certificate.get("format") == FORMAT and key not in seen:
                seen.add(key)
                yield claim.id, dict(certificate)


def digest(text: str) -> str:
    """A short name of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def compile_batch(folder: Path, texts: list[str]) -> list[str]:
    """For each theorem the empty string, or what coqc said against it."""
    said: list[str] = []
    while len(said) < len(texts):
        rest = texts[len(said) :]
        name = f"t{digest(''.join(rest))}"
        whole = "Require Import prelude.\nLocal Open Scope R_scope.\n" + "\n".join(rest)
        (folder / f"{name}.v").write_text(whole, encoding="utf-8")
        done = subprocess.run(
            ["prlimit", f"--cpu={LIMIT * len(rest)}", *COQC, "-time", f"{name}.v"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        for left in folder.glob(f"*{name}.*"):
            left.unlink()
        if done.returncode == 0:
            return said + [""] * len(rest)
        # Characters of what was read before it stopped tell the theorem; the clock of -time does so where time ran out.
        marks = re.findall(r"^Chars \d+ - (\d+)", done.stdout, re.MULTILINE)
        reached, end = int(marks[-1]) if marks else 0, len(whole) - len("\n".join(rest))
        for text in rest:
            end += len(text.encode()) + 1
            if end > reached + 1:
                break
            said.append("")
        said.append(reason(done.stderr, whole) if "Error" in done.stderr else f"not within {LIMIT} seconds")
    return said


def reason(stderr: str, whole: str) -> str:
    """Coq's message in one line, after the sentence it is about."""
    where = re.search(r"line (\d+)", stderr)
    sentence = whole.splitlines()[int(where.group(1)) - 1].strip() if where else ""
    message = " ".join(stderr.partition("Error")[2].split()).lstrip(": ")
    return f"{sentence[:70]}: {message[:90]}" if sentence else message[:160]


def prepare(folder: Path) -> None:
    """The lemmas that all theorems rest on, compiled once."""
    text = files("symprivacy.coq").joinpath("prelude.v").read_text(encoding="utf-8")
    (folder / "prelude.v").write_text(text.replace("Require Import", "Require Export"), encoding="utf-8")
    subprocess.run([*COQC, "prelude.v"], cwd=folder, check=True)


def run(jobs: int, only: str = "") -> None:
    """Bring the entries up to date."""
    known = {e.digest: e for e in read() if e.result == "compiled"}
    # Until its turn comes a statement counts as proved by the certificate that it had before, if that compiled.
    before = {(e.claim, e.statement): e for e in known.values()}
    entries: dict[int, Entry] = {}
    tried: dict[int, Entry] = {}
    waiting: list[tuple[int, str]] = []
    for i, (claim, certificate) in enumerate(c for c in certificates() if only in c[0]):
        statement = statement_of(certificate)
        try:
            text = theorem(certificate, f"main{i}")
        except UnsupportedError as e:
            entries[i] = Entry(claim, statement, "no form", str(e), 0, digest(statement))
            continue
        name = digest(text.replace(f"main{i}", "main"))
        tried[i] = Entry(claim, statement, WAITING, f"{len(text) // 1000} kB", len(text), name)
        if name in known:
            entries[i] = replace(known[name], why="")
            continue
        waiting.append((i, text))
        earlier = before.get((claim, statement))
        entries[i] = replace(earlier, why=EARLIER) if earlier else tried[i]
    batches: list[list[tuple[int, str]]] = [[]]
    for i, text in sorted(waiting, key=lambda w: len(w[1])):
        if batches[-1] and sum(len(t) for _, t in batches[-1]) + len(text) > BATCH:
            batches.append([])
        batches[-1].append((i, text))
    print(f"{len(entries)} certificates, {len(waiting)} to compile", flush=True)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        prepare(Path(folder))
        work = [b for b in batches if b]
        running = {pool.submit(compile_batch, Path(folder), [t for _, t in b]): b for b in work}
        for done in as_completed(running):
            for (i, _), why in zip(running[done], done.result(), strict=True):
                entries[i] = replace(tried[i], result="fails" if why else "compiled", why=why)
                print(f"{entries[i].result} {entries[i].claim} {why}", flush=True)
            if not only:
                _write(list(entries.values()))


def _write(entries: list[Entry]) -> None:
    lines = [json.dumps(asdict(e)) for e in entries]
    LINES.write_text("\n".join(lines) + "\n", encoding="utf-8")
    PAGE.write_text(page(entries), encoding="utf-8")


def page(entries: list[Entry]) -> str:
    """LEDGER.md."""
    count = Counter(e.result for e in entries)
    share = 100 * count["compiled"] / len(entries)
    earlier = sum(e.result == "compiled" and e.why == EARLIER for e in entries)
    text = [
        "# Certificates of the ledger through Coq",
        "",
        f"Of the {len(entries)} different certificates behind the findings on the papers, refutations among them, "
        f"{count['compiled']} ({share:.1f} %) compile",
        f"with coqc and coq-interval, within {LIMIT} seconds of processor time each. {count['fails']} do not, "
        f"{count['no form']} have no Coq form, and {count[WAITING]} were not tried.",
        "`python -m tests.coq.ledger` makes this page and `ledger.jsonl`, which it is made from, and tries what was",
        "not tried; `tests/coq/test_ledger.py` compiles a sample anew.",
        f"{earlier} of those compiled with an earlier certificate of their statement; the new one was not tried yet."
        if earlier
        else "",
        "",
        "erf, erfc and erfinv have no Coq form: coq-interval can enclose an integral between numbers, but the steps",
        "take derivatives of erf, and use that it is odd and tends to 1, of which Coq has no proof.",
    ]
    for result, title in (("fails", "Fail"), ("no form", "Without a Coq form"), (WAITING, "Not tried")):
        text += ["", f"## {title}", "", "| claim | statement | why |", "| --- | --- | --- |"]
        for e in entries:
            if e.result == result:
                why = e.why.replace("|", "\\|").replace("`", "'")
                text.append(f"| {e.claim} | `{e.statement[:170]}` | {why} |")
    return "\n".join([*text, ""])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", default="", help="claims whose id contains this; writes nothing")
    arguments = parser.parse_args()
    run(arguments.jobs, arguments.only)
