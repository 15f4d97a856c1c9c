"""Verdicts: what is known about a statement, always with its evidence."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

from symprivacy.errors import InputError, SymPrivacyError
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import Box
from symprivacy.kernel.constants import resolved
from symprivacy.kernel.data import from_data
from symprivacy.kernel.enclose import enclose_constant
from symprivacy.kernel.expr import Expr, substitute
from symprivacy.language.certificates import as_text, check
from symprivacy.language.notation import Text
from symprivacy.language.text import shorten, to_text
from symprivacy.search.effort import ASKED, STEPS
from symprivacy.search.inputs import check_assumptions, in_words, read_box, read_statement
from symprivacy.search.prove import DEFAULT_TIMEOUT, search
from symprivacy.search.reasons import sentence
from symprivacy.shown import Shown

LONGEST_TIMEOUT = 1e6
# Enough for the digits of the two sides that a refutation shows, and to tell a small number from 0.
_SHOWN_BITS = (120, 1200)


class Status(Enum):
    """What a search has established about a statement."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNDECIDED = "undecided"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Verdict(Shown):
    """The answer to one question, with the certificate that the checker has accepted.

    ``certificate`` is plain JSON data, None exactly if the status is undecided; ``remark`` then says what stood in the
    way. A verdict is not a truth value: a statement that is not proved need not be false.

    >>> v = prove("x**2 > 0", "x in [0, 1]")
    >>> v.status
    <Status.REFUTED: 'refuted'>
    >>> v.witness
    {'x': 0}
    >>> bool(v)
    Traceback (most recent call last):
      ...
    TypeError: a verdict is not a truth value; compare its status, as in verdict.status is Status.PROVED
    """

    status: Status
    statement: str
    remark: str = field(repr=False)
    seconds: float = field(compare=False)
    certificate: Mapping[str, Any] | None = field(repr=False, compare=False)

    def __post_init__(self) -> None:
        shown = None if self.certificate is None else self.certificate.get("verdict")
        if shown != (None if self.status is Status.UNDECIDED else self.status.value):
            raise ValueError(f"{self.status} needs a certificate that says so, this one says {shown}")

    def __bool__(self) -> bool:
        raise TypeError("a verdict is not a truth value; compare its status, as in verdict.status is Status.PROVED")

    def __str__(self) -> str:
        tail = f" ({self.reason})" if self.status is not Status.PROVED else ""
        return f"{self.status}: {self.statement}{tail}"

    @property
    def reason(self) -> str:
        """Why, in a line: the rules of the proof, both sides where the statement fails, or what stood in the way."""
        if self.certificate is None:
            return self.remark
        return sentence(self.certificate) if self.status is Status.PROVED else _failure(self.certificate)

    @property
    def witness_text(self) -> dict[str, str] | None:
        """The exact point of a refutation as text."""
        if self.certificate is None or self.status is not Status.REFUTED:
            return None
        return {name: as_text(value) for name, value in self.certificate["at"].items()}

    @property
    def point(self) -> dict[str, Expr]:
        """The exact point of a refutation; empty where there is none, or nothing varies."""
        if self.certificate is None or self.status is not Status.REFUTED:
            return {}
        return {name: from_data(value) for name, value in self.certificate["at"].items()}

    @property
    def witness(self) -> dict[str, Any] | None:
        """The exact point of a refutation: sympy numbers by the variables' names."""
        if self.certificate is None or self.status is not Status.REFUTED:
            return None
        from symprivacy.language.bridge import to_sympy

        return {name: to_sympy(value) for name, value in self.point.items()}

    def check(self) -> str:
        """Let the checker verify the certificate again; raises if there is none."""
        if self.certificate is None:
            raise InputError(f"undecided statements have no certificate: {shorten(self.statement)}")
        return check(self.certificate)

    def to_json(self) -> dict[str, Any]:
        """The stable fields of the command line's JSON form, and the statement."""
        return {
            "verdict": self.status.value,
            "witness": self.witness_text,
            "reason": self.reason,
            "seconds": round(self.seconds, 6),
            "statement": self.statement,
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the certificate as JSON, for ``symprivacy check``."""
        if self.certificate is None:
            raise InputError(f"undecided statements have no certificate: {shorten(self.statement)}")
        text = json.dumps(self.certificate, indent=1) + "\n"
        try:
            Path(path).write_text(text, encoding="utf-8")
        except (OSError, ValueError) as e:
            raise InputError(f"cannot write {shorten(str(path))!r}: {getattr(e, 'strerror', None) or e}") from None


def prove(statement: Any, domain: Any = None, timeout: float | None = DEFAULT_TIMEOUT) -> Verdict:
    """Prove or refute ``lhs REL rhs`` at every point of a domain.

    Args:
        statement: text, or a sympy relation. A relation that sympy has already decided is refused.
        domain: ``{symbol or name: sympy Interval or text}``, one sympy Interval if there is one variable, or
            text such as ``"eps in (0, 27/20]"`` (several as a list). Assumptions of symbols are ignored.
        timeout: seconds after which the search gives up; None for as long as its counted steps take.

    Raises:
        InputError: the statement or the domain cannot be read, or a variable has no domain.

    >>> import sympy
    >>> eps = sympy.Symbol("eps")
    >>> v = prove(1/sympy.Integer(2) - 1/(sympy.exp(eps) + 1) > eps/6, sympy.Interval.Lopen(0, sympy.Rational(13, 5)))
    >>> v.status, v.witness
    (<Status.REFUTED: 'refuted'>, {'eps': 13/5})
    """
    lhs, rel, rhs = read_statement(statement)
    box = read_box(domain, lhs.variables | rhs.variables)
    check_assumptions(box, statement)
    return decide(lhs, rel, rhs, box, timeout, ASKED)


def require_timeout(timeout: object) -> None:
    """Refuse what is not a positive number of seconds, or None."""
    if timeout is None:
        return
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 < timeout <= LONGEST_TIMEOUT:
        raise InputError(f"the timeout is a positive number of seconds, got {shorten(repr(timeout))}")


def decide(lhs: Expr, rel: str, rhs: Expr, box: Box, timeout: float | None = None, steps: int = STEPS) -> Verdict:
    """The verdict on a statement in the kernel's language; without a timeout the same on every machine."""
    require_timeout(timeout)
    words = in_words(lhs, rel, rhs, box)
    start = time.perf_counter()
    certificate, remark = search(lhs, rel, rhs, box, timeout, steps)
    seconds = time.perf_counter() - start
    status = Status.UNDECIDED if certificate is None else Status(certificate["verdict"])
    return Verdict(status, words, remark, seconds, certificate)


def _failure(certificate: Mapping[str, Any]) -> str:
    at = {name: from_data(value) for name, value in certificate["at"].items()}
    lhs, rhs = (_decimal(from_data(certificate[side]), at) for side in ("lhs", "rhs"))
    where = ", ".join(f"{name} = {to_text(value)}" for name, value in at.items())
    point_text = f" at `{where}`" if where else ""
    return Text(f"fails{point_text}: `{lhs} {certificate['rel']} {rhs}`")


def _decimal(side: Expr, at: dict[str, Expr]) -> str:
    from mpmath.libmp import mpf_add, mpf_shift, to_str

    try:
        value = resolved(substitute(side, at))
        finer = [enclose_constant(value, prec) for prec in _SHOWN_BITS]
    except SymPrivacyError:  # only for display: the checker has settled the sign in its own way
        return "?"
    # What so many bits do not tell from zero reads as zero.
    v = next((v for v in finer if iv.sign_known(v)), iv.ZERO)
    if not (iv.is_finite(v[0]) and iv.is_finite(v[1])):
        return "?"
    return str(to_str(mpf_shift(mpf_add(v[0], v[1], 120, "n"), -1), 15))
