"""Lines of JSON from files and pipes that may hold anything."""

from __future__ import annotations

import json
import os
import stat
import sys
from collections import deque
from typing import Any

from symprivacy.errors import InputError
from symprivacy.language.text import shorten

MAX_LINE = 1_000_000
_CHUNK = 1 << 16
TOO_LONG = b"\x00"


class LineSource:
    """Lines of a file descriptor, without ever waiting for more than is asked for.

    A batch may come through a pipe whose writer waits for our answers, so reading must not block the printing
    of what is done: the caller waits for :meth:`fileno` together with its workers and then calls :meth:`read`.
    """

    def __init__(self, path: str) -> None:
        try:
            self._file = sys.stdin.fileno() if path == "-" else os.open(path, os.O_RDONLY)
            if stat.S_ISDIR(os.fstat(self._file).st_mode):
                raise InputError(f"cannot read {shorten(path)!r}: it is a directory")
        except (OSError, ValueError, AttributeError) as e:
            raise InputError(f"cannot read {shorten(path)!r}: {getattr(e, 'strerror', None) or e}") from None
        self.lines: deque[bytes] = deque()
        self.ended = False
        self._rest = b""
        self._skipping = False

    def fileno(self) -> int:
        """The descriptor to wait for."""
        return self._file

    def total(self) -> int | None:
        """How many lines a regular file has; None for a pipe."""
        if not stat.S_ISREG(os.fstat(self._file).st_mode):
            return None
        at, count, last = os.lseek(self._file, 0, os.SEEK_CUR), 0, b""
        while chunk := os.read(self._file, 1 << 20):
            count, last = count + chunk.count(b"\n"), chunk
        os.lseek(self._file, at, os.SEEK_SET)
        return count + (last[-1:] not in (b"", b"\n"))

    def read(self) -> None:
        """Take one chunk; complete lines go to ``lines``, one that is too long as ``TOO_LONG``."""
        try:
            chunk = os.read(self._file, _CHUNK)
        except OSError as e:
            raise InputError(f"cannot read the batch: {e.strerror}") from None
        self.ended = not chunk
        *complete, self._rest = (self._rest + (chunk or b"\n")).split(b"\n")
        for line in complete:
            if self._skipping:
                self._skipping = False
                continue
            if line.strip():
                self.lines.append(line if len(line) <= MAX_LINE else TOO_LONG)
        if self._skipping or len(self._rest) > MAX_LINE:
            if not self._skipping:
                self.lines.append(TOO_LONG)
            self._rest, self._skipping = b"", True


def parse_line(line: bytes) -> dict[str, Any]:
    """The object on a line; numbers with a decimal point stay text, so that 0.45 is exactly 9/20.

    >>> parse_line(b'{"id": 1, "rhs": 0.45}')
    {'id': 1, 'rhs': '0.45'}
    >>> parse_line(b'{"id": NaN}')
    Traceback (most recent call last):
      ...
    symprivacy.errors.InputError: not JSON: NaN is not a number of JSON
    """
    if line == TOO_LONG:
        raise InputError(f"a line of more than {MAX_LINE} bytes")
    try:
        record = json.loads(line.decode("utf-8"), parse_constant=_refuse, parse_float=str)
    except UnicodeDecodeError as e:
        raise InputError(f"not UTF-8: byte {e.object[e.start]:#04x} at position {e.start}") from None
    except RecursionError:
        raise InputError("not JSON: nested too deeply") from None
    except ValueError as e:
        raise InputError(f"not JSON: {shorten(str(e), 120)}") from None
    if not isinstance(record, dict):
        raise InputError(f"expected a JSON object, got {shorten(repr(record))}")
    return record


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is not a number of JSON")


def field(record: dict[str, Any], name: str) -> str:
    """A field that must be there and be text (or a number).

    >>> field({"rhs": 0}, "rhs")
    '0'
    """
    if name not in record:
        raise InputError(f"the field {name!r} is missing")
    value = record[name]
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise InputError(f"the field {name!r} must be text, got {shorten(repr(value))}")
    return str(value)
