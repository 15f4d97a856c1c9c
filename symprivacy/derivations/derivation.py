"""Derivations: steps from definitions to a conclusion, every one of which can be run again.

A rule is a small function from earlier statements and parameters to a statement and its side conditions. A step
stores what the rule gave, which rule it was, what it used, and a certificate for every side condition.
:meth:`Derivation.check` believes none of it: it runs each rule again, compares the statement, and lets the
kernel's checker verify each certificate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sympy import I, nan, oo, zoo

from symprivacy.derivations.inhabited import inhabited
from symprivacy.derivations.rulebook import RULES, DerivationError, Lookup, Outcome, Rule, rule
from symprivacy.derivations.show import to_json, to_text
from symprivacy.errors import CertificateError, SymPrivacyError
from symprivacy.notions.certify import certify, verify
from symprivacy.notions.statement import ASSUMPTIONS, Given, Statement
from symprivacy.notions.symbols import COUNTED, QUANTITIES, D, E, M, P, Q
from symprivacy.search.effort import STEPS
from symprivacy.shown import Shown

# What sympy makes of an expression that has no value.
_NO_NUMBERS = (nan, zoo, oo, -oo, I)


@dataclass(frozen=True)
class Step:
    """One line of a derivation; ``uses`` holds the positions of earlier steps, from 0."""

    statement: Statement
    rule: str
    uses: tuple[int, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    certificates: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)


def outcome(step_rule: str, inputs: tuple[Statement, ...], parameters: Mapping[str, Any], lookup: Lookup) -> Outcome:
    """What a rule gives on these inputs; raises DerivationError where it does not apply."""
    if step_rule not in RULES:
        raise DerivationError(f"unknown rule {step_rule!r}")
    known = RULES[step_rule]
    if set(parameters) != known.parameters:
        raise DerivationError(f"{step_rule}: parameters {sorted(parameters)}, expected {sorted(known.parameters)}")
    if known.uses is not None and len(inputs) != known.uses:
        raise DerivationError(f"{step_rule} uses {known.uses} statements, got {len(inputs)}")
    need(known.facts or not any(map(is_fact, inputs)), f"{step_rule} speaks of mechanisms, not of numbers in a range")
    bounds = [] if known.facts or known.relative else [s.rhs.free_symbols for s in inputs if s.rel != "=="]
    need(not any(QUANTITIES & symbols for symbols in bounds), f"{step_rule} takes bounds that are numbers")
    # What is known of neighbours is not known of chains of them.
    paths = {tuple(g for g in s.given if g.key == "path") for s in inputs if s.given}
    need(len(paths) <= 1, f"{step_rule}: the statements are about different pairs of inputs")
    found = known.function(inputs, parameters, lookup)
    sound_variables(found.statement)
    return found


def is_fact(s: Statement) -> bool:
    """Whether the name of a quantity stands for any number of a range.

    >>> from sympy import S
    >>> from symprivacy.notions.statement import Span
    >>> from symprivacy.notions.symbols import A
    >>> is_fact(Statement(A, "<=", S(5), (Span(A, S.Zero, S(5)),)))
    True
    """
    return any(span.symbol in QUANTITIES for span in s.domain)


def sound_variables(s: Statement) -> None:
    """Raise unless the names of quantities mean either numbers of a range, or a mechanism's, but not both.

    A posterior q also needs its prior p, because it is a different number at each; likewise what belongs to the
    uniform prior on m secrets needs m.
    """
    bound = [span.symbol for span in s.domain]
    need(len(bound) == len(set(bound)), f"two ranges for one variable in {s}")
    values = (s.lhs, s.rhs, *(v for g in s.given for v in g.values))
    need(not any(v.has(*_NO_NUMBERS) for v in values), f"{s} is not about numbers")
    # The argument of a transform is a variable of rules, which would mix with it.
    need(D not in {*bound, *(x for v in values for x in v.free_symbols)}, f"{s} uses the name D")
    ends = [(span.lo, -oo) for span in s.domain] + [(span.hi, oo) for span in s.domain]
    need(not any(end.has(*_NO_NUMBERS) for end, open_end in ends if end != open_end), f"{s.where()} are no ranges")
    need(inhabited(s.domain), f"no point was found with {s.where()}")
    if is_fact(s):
        pure = not s.given and s.symbols <= set(bound) and not (s.lhs.has(E) or s.rhs.has(E))
        need(pure, f"{s} mixes quantities of a mechanism with numbers of a range")
    need(Q not in s.symbols - set(bound) or P in bound, f"{s} is about a posterior without its prior")
    need(not counted(s) or M in bound, f"{s} is about a uniform prior without the number of secrets")


def counted(s: Statement) -> bool:
    """Whether a statement is about a quantity that is a different one for each number m of secrets."""
    return any(COUNTED & side.free_symbols for side in (s.lhs, s.rhs)) and not is_fact(s)


@dataclass(frozen=True)
class Derivation(Shown):
    """Steps, the statement they arrive at, and where the definitions are looked up.

    >>> import symprivacy.derivations.definitions
    >>> from symprivacy.notions.registry import definition_of
    >>> from symprivacy.notions.symbols import real
    >>> b = Builder(definition_of)
    >>> first = b.add("definition", [], view="DP", part="ratio")
    >>> d = b.finish("conclude", [first], view="DP", values=(real("eps"),))
    >>> d.check()
    >>> from dataclasses import replace
    >>> replace(d, steps=d.steps[1:]).check()
    Traceback (most recent call last):
      ...
    symprivacy.derivations.rulebook.DerivationError: step 1 uses step 1, which is not earlier
    """

    steps: tuple[Step, ...]
    claim: Statement
    lookup: Lookup = field(repr=False, compare=False)
    title: str = field(default="", compare=False)

    def check(self) -> None:
        """Run every rule again and verify every certificate; raises DerivationError or CertificateError."""
        used: set[int] = set()
        for k, step in enumerate(self.steps):
            for i in step.uses:
                if not 0 <= i < k:
                    raise DerivationError(f"step {k + 1} uses step {i + 1}, which is not earlier")
                # A conclusion names a notion, which may be called like a quantity.
                if self.steps[i].rule == "conclude":
                    raise DerivationError(f"step {k + 1} uses a conclusion")
            used.update(step.uses)
            try:
                found = outcome(
                    step.rule, tuple(self.steps[i].statement for i in step.uses), step.parameters, self.lookup
                )
            except SymPrivacyError as e:
                raise DerivationError(f"step {k + 1}: {e}") from e
            except (TypeError, ValueError, AttributeError, KeyError, IndexError) as e:
                raise DerivationError(f"step {k + 1}: malformed: {type(e).__name__} {e}") from e
            if found.statement != step.statement:
                raise DerivationError(f"step {k + 1}: the rule gives {found.statement}, the step says {step.statement}")
            if len(found.obligations) != len(step.certificates):
                raise DerivationError(
                    f"step {k + 1}: {len(found.obligations)} side conditions, {len(step.certificates)} certificates"
                )
            for obligation, certificate in zip(found.obligations, step.certificates, strict=True):
                try:
                    verify(obligation, certificate)
                except SymPrivacyError as e:
                    raise CertificateError(f"step {k + 1}: {e}") from e
        if not self.steps or self.steps[-1].statement != self.claim:
            raise DerivationError("the last step is not the claim")
        idle = sorted(set(range(len(self.steps) - 1)) - used)
        if idle:
            raise DerivationError(f"step {idle[0] + 1} is not used by any later step")

    @property
    def premise(self) -> tuple[Given, ...]:
        """The guarantees under which the conclusion holds."""
        return self.claim.given

    @property
    def principles(self) -> tuple[str, ...]:
        """The named principles the derivation rests on, in order of use."""
        names = (self.principle(step) for step in self.steps)
        return tuple(dict.fromkeys(name for name in names if name))

    def principle(self, step: Step) -> str | None:
        """The principle that a step applies, if it is one."""
        if step.rule == "definition":
            # A notion about a mean over all beliefs, used at a belief on two databases.
            notion = self.lookup(step.parameters["view"])
            return "two-point-belief" if notion.mean is not None and isinstance(step.parameters["part"], int) else None
        if step.rule == "conclude":
            notion = self.lookup(step.parameters["view"])
            return "events-to-points" if notion.events and notion.mean is None and notion.bounds_ratio else None
        return RULES[step.rule].principle

    def to_text(self) -> str:
        """Numbered lines: statement, rule, what it uses."""
        return to_text(self)

    def to_json(self) -> dict[str, Any]:
        """Plain data with the certificates."""
        return to_json(self)

    def __str__(self) -> str:
        return self.to_text()


class Builder:
    """Adds steps one by one; each side condition is certified when its step is added."""

    def __init__(self, lookup: Lookup, title: str = "", steps: int = STEPS) -> None:
        self.lookup = lookup
        self.title = title
        self.patience = steps
        self.steps: list[Step] = []

    def __getitem__(self, k: int) -> Statement:
        return self.steps[k].statement

    def add(self, name: str, uses: Sequence[int], **parameters: Any) -> int:
        """Apply a rule; returns the position of the new step. A step that repeats an earlier one is not added."""
        found = outcome(name, tuple(self.steps[i].statement for i in uses), parameters, self.lookup)
        certificates = tuple(certify(o, self.patience) for o in found.obligations)
        step = Step(found.statement, name, tuple(uses), parameters, certificates)
        for k, earlier in enumerate(self.steps):
            if earlier == step:
                return k
        self.steps.append(step)
        return len(self.steps) - 1

    def finish(self, name: str, uses: Sequence[int], **parameters: Any) -> Derivation:
        """The last step; steps that nothing uses are left out."""
        return self.done(self.add(name, uses, **parameters))

    def done(self, last: int) -> Derivation:
        """The derivation that ends in a step; steps that it does not need are left out."""
        needed, todo = set(), [last]
        while todo:
            k = todo.pop()
            if k not in needed:
                needed.add(k)
                todo.extend(self.steps[k].uses)
        place = {old: new for new, old in enumerate(sorted(needed))}
        kept = (replace(self.steps[k], uses=tuple(place[i] for i in self.steps[k].uses)) for k in sorted(needed))
        return Derivation(tuple(kept), self.steps[last].statement, self.lookup, self.title)


def need(condition: bool, message: str) -> None:
    """Raise DerivationError unless the condition holds."""
    if not condition:
        raise DerivationError(message)


def joined(*statements: Statement) -> tuple[Given, ...]:
    """Everything that the statements assume."""
    return tuple(dict.fromkeys(g for s in statements for g in s.given))


__all__ = [
    "ASSUMPTIONS", "RULES", "Builder", "Derivation", "DerivationError", "Lookup", "Outcome", "Rule", "Step", "joined",
    "need", "outcome", "rule",
]  # fmt: skip
