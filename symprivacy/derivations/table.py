"""All conversions of one notion, to and from the others: what follows, what cannot, and why where nothing is known.

>>> from symprivacy.notions import Notion, forget
>>> half = Notion.define("Half", "h in [0, oo)", mean="(r - 1)**2/2")
>>> for row in conversions(half, others=("DP", "TV")):
...     print(row)
DP(eps) => Half((exp(eps) - 1)**2*exp(-eps)/2)
Half => DP: impossible
TV => Half: impossible
Half(h) => TV(sqrt(h)/sqrt(h + 2))
>>> forget("Half")
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from symprivacy.derivations.answer import Derived, Source, read
from symprivacy.derivations.engine import derive
from symprivacy.derivations.impossible import Impossible
from symprivacy.errors import SymPrivacyError
from symprivacy.notions import all_notions
from symprivacy.notions.definition import Definition


@dataclass(frozen=True)
class Row:
    """One direction between two notions: ``status`` is "derived", "impossible" or "unknown"."""

    premise: str
    conclusion: str
    status: str
    derived: Derived | None = field(default=None, repr=False)
    impossible: Impossible | None = field(default=None, repr=False)
    reason: str = ""

    def __str__(self) -> str:
        if self.derived is not None:
            return str(self.derived)
        return f"{self.premise} => {self.conclusion}: {self.status}"


def conversions(notion: Source, others: Iterable[Source] | None = None) -> Iterator[Row]:
    """Each conversion to the notion and from it, one after the other because some take seconds.

    Without ``others`` these are all notions that derive knows how to read.
    """
    for other in _readable() if others is None else others:
        if read(other).key != read(notion).key:
            yield _row(other, notion)
            yield _row(notion, other)


def _readable() -> Iterator[Definition]:
    for record in all_notions():
        try:
            yield read(record)
        except SymPrivacyError:
            continue


def _row(premise: Source, conclusion: Source) -> Row:
    names = read(premise).key, read(conclusion).key
    try:
        found = derive(premise, conclusion)
        found.check()
        return Row(*names, "derived", derived=found)
    except Impossible as e:
        return Row(*names, "impossible", impossible=e, reason=str(e))
    except SymPrivacyError as e:
        return Row(*names, "unknown", reason=str(e))
