"""A claim: a statement with a source, how it is read, and how it is decided; never what the verdict is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from symprivacy.claims.outcome import Proposition
from symprivacy.errors import InputError
from symprivacy.language.notation import Text
from symprivacy.shown import Shown


@dataclass(frozen=True)
class Form:
    """A form of the statement that differs from the printed one: its text and the proposition it stands for."""

    text: str
    proof: Proposition

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", Text(self.text))


@dataclass(frozen=True)
class Claim(Shown):
    """A checkable statement of a paper.

    Args:
        id: stable and public.
        source: the key of the paper.
        where: the place in it.
        statement: as printed, its formulas marked (:mod:`symprivacy.language.notation`); it then reads as plain text.
        reading: how ambiguous words are read.
        proof: the proposition as printed; None reads the statement itself as one.
        corrected: what the text evidently means where the printed form fails or says nothing.
        instead: what can be proved where the printed form fails and it is not evident what was meant.
        better: a bound to be proved that is strictly better (the proposition proves both that and that it holds).
        sharp: a proposition that shows that nothing better is possible.
        trivial: a proposition that shows that the statement holds for a trivial reason.
        uncheckable: why there is nothing to decide.
        argued: why a step of the proof is words, where one is.
        words: how the proof goes, for a reader; it proves nothing.
        uses: other claims that the argument rests on.
        letters: what letters of certified formulas stand for.
    """

    id: str
    source: str
    where: str
    statement: str
    reading: str = ""
    proof: Proposition | None = field(default=None, compare=False)
    corrected: Form | None = field(default=None, compare=False)
    instead: Form | None = field(default=None, compare=False)
    better: Form | None = field(default=None, compare=False)
    sharp: Proposition | None = field(default=None, compare=False)
    trivial: Proposition | None = field(default=None, compare=False)
    uncheckable: str = ""
    argued: str = ""
    words: str = ""
    uses: tuple[str, ...] = ()
    letters: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("statement", "reading", "uncheckable", "argued", "words"):
            object.__setattr__(self, name, Text(getattr(self, name)))
        if self.uncheckable and (self.proof or self.better or self.sharp or self.trivial):
            raise InputError(f"claim {self.id}: either it is not checkable or there is a way to decide it")


def claims_of(source: str, part: str = "") -> Callable[..., Claim]:
    """How the claims of a paper are written down: name, place and statement, then what else the record has.

    >>> claims_of("zhao17")("eq20", "eq (20)", "`eps > 0`").id
    'zhao17-eq20'
    """

    def claim(name: str, where: str, statement: str, **how: Any) -> Claim:
        return Claim(f"{source}-{part}{name}", source, where, statement, **how)

    return claim
