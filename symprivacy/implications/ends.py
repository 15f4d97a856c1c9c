"""Bounds on one level from two sides, and the answer that the best of them make together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from mpmath.libmp import finf, fzero, mpf_cmp

from symprivacy.errors import CertificateError
from symprivacy.implications.answer import largest
from symprivacy.implications.formula import Formula, narrow
from symprivacy.implications.implication import Implication
from symprivacy.implications.status import Status
from symprivacy.implications.tabled import exact_level
from symprivacy.kernel.interval import Real, is_finite, to_fraction
from symprivacy.notions import Notion


@dataclass(frozen=True)
class End:
    """A bound on the level from one side, with the formula it comes from or the laws that show it."""

    value: Real
    level: Formula | None = None
    witness: Mapping[str, Any] | None = None
    principles: tuple[str, ...] = ()
    shown: Formula | str | None = None


def end_of(found: Implication, upper: bool, formula: Formula | None, why: Iterable[str]) -> End:
    """The upper or the lower end of another answer."""
    low, high = (fzero, finf) if found.value is None else found.value[:2]
    return End(high if upper else low, formula, found.witness, tuple(dict.fromkeys((*found.principles, *why))))


def joined(blank: Implication, end: Notion, uppers: list[End], lowers: list[End]) -> Implication:
    """The answer between the least upper end and the largest lower one; raises where they contradict each other."""
    low = max(lowers, key=lambda e: to_fraction(e.value) if is_finite(e.value) else Fraction(10**400))
    if not is_finite(low.value):
        return replace(blank, status=Status.IMPOSSIBLE, value=(finf, finf, False, False), witness=low.witness,
                       principles=tuple(dict.fromkeys(("counterexample", *low.principles))))  # fmt: skip
    finite = [e for e in uppers if is_finite(e.value)]
    if not finite:
        return replace(
            blank, value=(low.value, finf, False, False) if low.value != fzero else None, witness=low.witness
        )
    high = min(finite, key=lambda e: to_fraction(e.value))
    # Two enclosures of one number may overlap the wrong way round; more than that is a contradiction.
    crossed = mpf_cmp(low.value, high.value) > 0
    value = (*((high.value, low.value) if crossed else (low.value, high.value)), False, False)
    if crossed and not narrow(value, blank.digits):
        raise CertificateError(
            f"{blank.source} to {end.key}: what is attained exceeds what was shown, by {low.witness}"
        )
    status = Status.TIGHT if narrow(value, blank.digits) else Status.UPPER_BOUND
    principles = tuple(dict.fromkeys((*high.principles, *low.principles)))
    trivial = status is Status.TIGHT and high.level is not None and high.level.is_just(largest(end.key))
    found = replace(blank, status=status, level=high.level, shown=high.shown, value=value, witness=low.witness,
                    principles=principles, trivial=trivial)  # fmt: skip
    return replace(found, exact=exact_level(found, blank.given))
