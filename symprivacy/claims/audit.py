"""The audit: every claim decided, on all processors, kept as it goes."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from functools import lru_cache, partial
from pathlib import Path

import symprivacy
from symprivacy.claims import decide, get_claim, ledger
from symprivacy.claims.finding import Finding, Ruling
from symprivacy.claims.record import Claim
from symprivacy.errors import InputError
from symprivacy.language.certificates import using
from symprivacy.notions import Notion, own_notions
from symprivacy.parallel import run_many

# A claim that takes more work is undecided; the whole ledger takes less. On a busy machine it may take longer to do it.
TIMEOUT = 50.0
PATIENCE = 10.0
ARITHMETICS = ("mpmath", "arb", "both")


def audit(
    claims: Iterable[Claim] | None = None,
    *,
    executor: Executor | None = None,
    jobs: int | None = None,
    timeout: float | None = None,
    journal: Journal | None = None,
    arithmetic: str = "both",
    work: float = TIMEOUT,
) -> Iterator[Finding]:
    """Decide claims, each finding as soon as it is there; default: the whole ledger.

    Args:
        claims: records from the ledger or of one's own.
        executor: any ``concurrent.futures.Executor``; default: processes on this machine.
        jobs: how many processes.
        timeout: seconds per claim; what takes longer is undecided. Default: ``work``.
        journal: where findings are kept; claims it already has are not decided again.
        arithmetic: "both" verifies every certificate with a second arithmetic as well, "arb" with that one; a claim
            with a certificate that is not accepted is undecided, and the reason says so.
        work: seconds of processor time per claim, however long a busy machine takes for them.

    >>> [str(f.verdict) for f in audit([get_claim("zhao17-eq20")], jobs=1)]
    ['holds']
    """
    wanted = list(ledger() if claims is None else claims)
    done = {} if journal is None else journal.read()
    for claim in wanted:
        if claim.id in done:
            yield done[claim.id]
    rest = [claim for claim in wanted if claim.id not in done]
    own = {claim.id: claim for claim in ledger()}
    tasks = [claim.id if own.get(claim.id) is claim else claim for claim in rest]
    if arithmetic not in ARITHMETICS:
        raise InputError(f"arithmetic={arithmetic!r}: expected {', '.join(ARITHMETICS)}")
    # With the notions of one's own, which a new process would not know.
    decided = partial(_decide, arithmetic=arithmetic, _own=own_notions())
    limit, patience = (work, PATIENCE) if timeout is None else (timeout, 1.0)
    for outcome in run_many(decided, tasks, executor=executor, jobs=jobs, timeout=limit, patience=patience):
        if outcome.error is not None:
            claim = rest[outcome.index]
            finding = Finding(
                claim.id, claim.source, claim.where, claim.statement, Ruling.UNDECIDED, claim.reading or "as printed",
                reason=str(outcome.error) or type(outcome.error).__name__, seconds=limit,
            )  # fmt: skip
        else:
            finding = outcome.result()
            if journal is not None:
                journal.add(finding)
        yield finding


def _decide(task: str | Claim, arithmetic: str, _own: tuple[Notion, ...]) -> Finding:
    """Ledger claims travel by their id: their arguments are functions."""
    with using(arithmetic):
        return decide(get_claim(task) if isinstance(task, str) else task)


class Journal:
    """Findings on disk, one line each, good for exactly this version of the program.

    >>> import tempfile
    >>> j = Journal(Path(tempfile.mkdtemp()) / "findings.jsonl")
    >>> j.add(Finding("a", "mine", "", "1 > 0", Ruling.HOLDS)); list(j.read())
    ['a']
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def read(self) -> dict[str, Finding]:
        """The findings that this version of the program has made, by claim; a torn last line is ignored."""
        try:
            lines = self.path.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise InputError(f"cannot read {str(self.path)[:80]!r}: {error}") from None
        found: dict[str, Finding] = {}
        for line in lines:
            try:
                data = json.loads(line)
                if data.pop("program", None) == fingerprint():
                    finding = Finding.from_json(data)
                    found[finding.id] = finding
            except (ValueError, AttributeError, InputError):
                continue
        return found

    def add(self, finding: Finding) -> None:
        """Append a finding; it is on disk when this returns."""
        line = json.dumps({**finding.to_json(), "program": fingerprint()}) + "\n"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except (OSError, ValueError) as error:
            raise InputError(
                f"cannot write {str(self.path)[:80]!r}: {getattr(error, 'strerror', None) or error}"
            ) from None


@lru_cache(maxsize=1)
def fingerprint() -> str:
    """What identifies the program: findings of another one are not taken over."""
    digest = hashlib.sha256()
    root = Path(symprivacy.__file__).parent
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def differences(before: Iterable[Finding], now: Iterable[Finding]) -> list[tuple[str, str, str]]:
    """Claims whose verdict has changed: id, earlier verdict, present one ("-" where there is none)."""
    old = {f.id: str(f.verdict) for f in before}
    new = {f.id: str(f.verdict) for f in now}
    return [(k, old.get(k, "-"), new.get(k, "-")) for k in {**old, **new} if old.get(k) != new.get(k)]


def read_findings(path: str | Path) -> list[Finding]:
    """The findings of an earlier audit, from its JSON lines."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
        return [Finding.from_json(json.loads(line)) for line in lines if line.strip()]
    except (OSError, UnicodeDecodeError, ValueError, AttributeError) as error:
        raise InputError(f"cannot read {str(path)[:80]!r} as the JSON of an audit: {error}") from None
