"""What deciding a proposition yields: three values, and the evidence for them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from symprivacy.evidence import Evidence
from symprivacy.kernel.box import box_from_data
from symprivacy.kernel.data import from_data
from symprivacy.language.certificates import as_text
from symprivacy.language.domain import between
from symprivacy.language.notation import mark, marked, written
from symprivacy.search.verdict import Status, Verdict

_NUMBERED = re.compile(r"` \(\d+\)$")
EQUAL = "both sides are equal, by two certified inequalities"
_CERTIFIED = re.compile(rf"checked steps?\)$|^{EQUAL}$|^by \d+ certified inequalities$")


@dataclass(frozen=True)
class Better:
    """A proved implication, or level of a mechanism, that is strictly better than a claimed one.

    >>> print(Better("DP(eps)", "TV(tanh(eps/2))"))
    `DP(eps) => TV(tanh(eps/2))`
    """

    #: the premise or the mechanism
    side: object
    guarantee: object
    verb: str = "=>"
    #: what fixes the implicit variables of the guarantee
    where: str = ""

    def __str__(self) -> str:
        return f"`{self.side} {self.verb} {self.guarantee}`{self.where}"


@dataclass(frozen=True)
class Outcome:
    """The status of a proposition with its evidence.

    ``witness`` is plain data: what disproves (or, for a statement that something exists, what proves) the proposition.
    ``tight`` says that the bound in the proposition was shown to be the best one, ``better`` names a proved bound
    that is strictly better. ``steps`` are lines for a reader; ``certificates`` are what the checker accepted.
    """

    status: Status
    reason: str = ""
    witness: Mapping[str, Any] | None = None
    principles: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    better: Better | str | None = None
    tight: bool = False
    certificates: tuple[Mapping[str, Any], ...] = field(default=(), repr=False, compare=False)
    #: ``checked`` only where everything that the status rests on re-verifies
    evidence: Evidence = Evidence.ARGUED
    #: whether it holds because the bound is nowhere below the largest value there is
    trivial: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "steps", said(*self.steps))

    @property
    def proved(self) -> bool:
        """Whether the proposition is proved; not proved is not refuted."""
        return self.status is Status.PROVED

    @property
    def refuted(self) -> bool:
        """Whether the proposition is refuted."""
        return self.status is Status.REFUTED

    def because(self, *lines: str) -> Outcome:
        """The same outcome with lines of explanation in front."""
        return replace(self, steps=(*lines, *self.steps))

    @classmethod
    def shown(cls, status: Status, witness: Mapping[str, Any], principle: str = "exact-level") -> Outcome:
        """What a witness settles by what it says, computed in exact arithmetic.

        >>> Outcome.shown(Status.REFUTED, {"says": "TV level 1 > 1/2"}).evidence
        <Evidence.CHECKED: 'checked'>
        """
        says = witness["says"]
        return cls(status, says, witness, (principle,), (says,), evidence=Evidence.CHECKED)

    @classmethod
    def of(cls, verdict: Verdict) -> Outcome:
        """The outcome of a verdict on an inequality.

        >>> from symprivacy import prove
        >>> Outcome.of(prove("x**2 >= 0", "x in [0, 1]")).status
        <Status.PROVED: 'proved'>
        """
        point = verdict.witness_text
        witness = {"point": point, "statement": mark(verdict.statement)} if point else None
        certificates = () if verdict.certificate is None else (verdict.certificate,)
        evidence = Evidence.CHECKED if certificates else Evidence.ARGUED
        reason, steps = because(verdict), (told(verdict),)
        return cls(verdict.status, reason, witness, (), steps, certificates=certificates, evidence=evidence)


def told(verdict: Verdict, rel: str | None = None) -> str:
    """What a verdict says, for a reader; ``rel`` replaces the relation where two verdicts make an identity.

    Words, a colon and a formula: printers put the formulas of steps with the same words below each other. Empty where
    both sides are the same expression, which tells a reader nothing.

    >>> from symprivacy import prove
    >>> told(prove("x**2 >= 0", "x in [0, 1]")), told(prove("x >= x", "x in [0, 1]"))
    ('certified for `0 <= x <= 1`: `x**2 >= 0`', '')
    """
    c = verdict.certificate
    if c is None:
        return f"not decided: {mark(verdict.statement)} ({because(verdict)})"
    if c["lhs"] == c["rhs"] and verdict.status is Status.PROVED:
        return ""
    body = f"{as_text(c['lhs'])} {rel or ('=' if c['rel'] == '==' else c['rel'])} {as_text(c['rhs'])}"
    used = from_data(c["lhs"]).variables | from_data(c["rhs"]).variables
    ranges = [f"`{between(name, r)}`" for name, r in box_from_data(c["domain"]).items() if name in used]
    where = f" for {', '.join(ranges)}" if ranges else ""
    if verdict.status is Status.PROVED:
        return f"certified{where}: `{body}`"
    return f"`{body}`{where} {because(verdict)}"


def because(verdict: Verdict) -> str:
    """Why, in words: how it was certified, the point where it fails, or what stood in the way."""
    if verdict.status is not Status.REFUTED:
        return written(verdict.reason)
    point, _, sides = verdict.reason.removeprefix("fails at ").removeprefix("fails").partition(": ")
    left, _, right = sides.split(" ")
    told = f"the left side is about `{left}`, the right side `{right}`"
    return f"fails at {point_text(verdict.witness_text or {})}: {told}" if point else f"fails: {told}"


def said(*lines: str) -> tuple[str, ...]:
    """The lines that say something, each once; a numbered one belongs to those around it, and stays.

    >>> said("a", "", "b", "a"), said("given: `u = 1` (1)", "so", "given: `u = 1` (1)")[2:]
    (('a', 'b'), ('given: `u = 1` (1)',))
    """
    seen: set[str] = set()
    kept = []
    for line in lines:
        if line and (line not in seen or _NUMBERED.search(line)):
            kept.append(line)
        seen.add(line)
    return tuple(kept)


def point_text(at: Mapping[str, str]) -> str:
    """The values of variables, marked."""
    return ", ".join(marked(name, text) for name, text in at.items())


class Proposition(Protocol):
    """Something that can be decided."""

    def decide(self) -> Outcome:
        """The status with its evidence."""
        ...

    def __str__(self) -> str: ...


def together(outcomes: Iterable[Outcome]) -> Outcome:
    """The conjunction: refuted by the first that is refuted, proved if all are.

    >>> together([Outcome(Status.PROVED), Outcome(Status.UNDECIDED, "time")]).status
    <Status.UNDECIDED: 'undecided'>
    """
    parts = tuple(outcomes)
    joined = Outcome(
        Status.PROVED,
        principles=tuple(dict.fromkeys(p for part in parts for p in part.principles)),
        steps=tuple(line for part in parts for line in part.steps),
        certificates=tuple(c for part in parts for c in part.certificates),
        evidence=min((part.evidence for part in parts), key=Evidence.strength, default=Evidence.CHECKED),
    )
    for status in (Status.REFUTED, Status.UNDECIDED):
        for part in parts:
            if part.status is status:
                # One part that fails is all that a refutation needs.
                return replace(joined, status=status, reason=part.reason, witness=part.witness, evidence=part.evidence)
    better = [part.better for part in parts if part.better]
    witness = next((part.witness for part in parts if part.witness is not None), None)
    return replace(
        joined,
        reason=_reasons([written(part.reason) for part in parts if part.reason]),
        better="; ".join(map(str, better)) or None,
        tight=bool(parts) and all(part.tight for part in parts),
        trivial=bool(parts) and all(part.trivial for part in parts),
        witness=witness,
    )


def worded(*reasons: str) -> str:
    """The first reason that says more than that something is certified, or the first one.

    >>> worded("by 2 certified inequalities", "a mean of ratios")
    'a mean of ratios'
    """
    given = [reason for reason in reasons if reason]
    return next((reason for reason in given if not _CERTIFIED.search(reason)), "".join(given[:1]))


def _reasons(found: list[str]) -> str:
    """The reasons of several parts; how each inequality was certified matters only where there is one."""
    told = [reason for reason in dict.fromkeys(found) if not _CERTIFIED.search(reason)] if len(found) > 1 else found
    return "; ".join(told) or f"by {len(found)} certified inequalities"


@dataclass(frozen=True)
class All:
    """Every one of several propositions."""

    parts: tuple[Proposition, ...]

    def decide(self) -> Outcome:
        """The conjunction; a refuted part ends it."""
        found: list[Outcome] = []
        for part in self.parts:
            found.append(part.decide())
            if found[-1].refuted:
                break
        return together(found)

    def __str__(self) -> str:
        return " and ".join(str(part) for part in self.parts)


def readings(what: Any) -> Iterator[str]:
    """How a proposition is read: in its own words, or in those of its parts."""
    if own := getattr(what, "reading", ""):
        yield own
        return
    for part in (*getattr(what, "parts", ()), *([what.part] if hasattr(what, "part") else [])):
        yield from readings(part)


def every(*parts: Proposition) -> All:
    """Every one of the propositions."""
    return All(parts)


@dataclass(frozen=True)
class Lemmas:
    """Several propositions that a claim needs; how good each of them is says nothing about the claim."""

    parts: tuple[Proposition, ...]

    def decide(self) -> Outcome:
        """The conjunction; that one of them is false is no counterexample to the claim."""
        found = All(self.parts).decide()
        status = Status.UNDECIDED if found.refuted else found.status
        return replace(found, status=status, better=None, tight=False, trivial=False)

    def __str__(self) -> str:
        return " and ".join(str(part) for part in self.parts)


def needs(*parts: Proposition) -> Lemmas:
    """Everything that a claim needs."""
    return Lemmas(parts)


@dataclass(frozen=True)
class Fails:
    """The negation of a proposition: proved by refuting it."""

    part: Proposition

    def decide(self) -> Outcome:
        """Proved where the part is refuted, refuted where it is proved."""
        found = self.part.decide()
        turned = {Status.PROVED: Status.REFUTED, Status.REFUTED: Status.PROVED, Status.UNDECIDED: Status.UNDECIDED}
        return replace(found, status=turned[found.status], better=None, tight=False)

    def __str__(self) -> str:
        return f"not always: {self.part}"


class Once:
    """A proposition that several claims rest on, decided when it is first asked for.

    >>> calls = []
    >>> class Slow:
    ...     def decide(self):
    ...         calls.append(1)
    ...         return Outcome(Status.PROVED)
    >>> lemma = Once(Slow())
    >>> lemma.decide().proved, lemma.decide().proved, len(calls)
    (True, True, 1)
    """

    def __init__(self, part: Proposition) -> None:
        self.part = part
        self._found: Outcome | None = None

    def decide(self) -> Outcome:
        """The outcome, the same one every time."""
        if self._found is None:
            self._found = self.part.decide()
        return self._found

    def __str__(self) -> str:
        return str(self.part)
