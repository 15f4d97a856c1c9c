"""Write a saved certificate as a Coq file; the part of ``export`` that is about certificates."""

from __future__ import annotations

import sys
from pathlib import Path

from symprivacy.errors import CertificateError, InputError


def export_coq(files: list[str], out: str) -> int:
    """The Coq file of one certificate (``-`` is stdin), to a file or stdout (``-``); returns the exit code."""
    from symprivacy.cli.main import complain
    from symprivacy.coq.export import to_coq
    from symprivacy.kernel.recheck import load, loads

    if len(files) != 1:
        raise InputError(f"--coq writes one certificate, got {len(files)}")
    (file,) = files
    try:
        text = to_coq(loads(sys.stdin.buffer.read(), "stdin") if file == "-" else load(file))
    except CertificateError as e:
        complain(f"{file}: not accepted: {e}", "symprivacy export")
        return 1
    if out == "-":
        sys.stdout.write(text)
        return 0
    try:
        Path(out).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as e:
        raise InputError(f"cannot write {out[:80]!r}: {getattr(e, 'strerror', None) or e}") from None
    return 0
