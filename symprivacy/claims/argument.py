"""Arguments: a proof by named principles and certified lemmas, attacked with exact random instances first.

A principle turns "for all mechanisms" into scalar questions, the lemmas; the checker decides those. What a principle
assumes cannot be seen by the checker, so every argument can bring an attack: a function that builds one random
instance in exact arithmetic and returns a witness if the statement fails there. One witness refutes the claim,
whatever the argument says.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from symprivacy.claims.outcome import Outcome, Proposition, together
from symprivacy.derivations.principles import PRINCIPLES, get
from symprivacy.errors import InputError
from symprivacy.language.notation import written
from symprivacy.search.verdict import Status

#: what an instance shows, in its words (``says``) and data; None where it shows nothing
Witness = Mapping[str, Any] | None
Attack = Callable[[random.Random], Witness]
TRIALS = 40


@dataclass(frozen=True)
class Argument:
    """Lemmas that suffice by the named principles; ``words`` say how, for a reader.

    >>> from symprivacy.claims.comparison import comparison
    >>> Argument(("mixture",), (comparison("exp(eps) > 1"),), ("a mean of ratios",)).decide().status
    <Status.PROVED: 'proved'>
    """

    principles: tuple[str, ...]
    lemmas: tuple[Proposition, ...] = ()
    words: tuple[str, ...] = ()
    attack: Attack | None = field(default=None, compare=False)
    trials: int = TRIALS

    def __post_init__(self) -> None:
        known = {p.name for p in PRINCIPLES}
        unknown = [name for name in self.principles if name not in known]
        if unknown or not self.principles:
            raise InputError(f"unknown principles {', '.join(unknown) or '(none given)'}; known are {sorted(known)}")

    def decide(self) -> Outcome:
        """Attack, then prove every lemma; a refuted lemma leaves the claim undecided."""
        found = attacked(self.attack, self.trials)
        if found is not None:
            return found
        lemmas = together([lemma.decide() for lemma in self.lemmas])
        principles = tuple(dict.fromkeys((*self.principles, *lemmas.principles)))
        words = " ".join(map(written, self.words))
        steps = (words, *lemmas.steps)
        if not lemmas.proved:
            return Outcome(Status.UNDECIDED, f"a step of the argument fails: {lemmas.reason}", steps=steps)
        return Outcome(
            Status.PROVED,
            words or lemmas.reason or f"by {', '.join(self.principles)}",
            None,
            principles,
            steps,
            certificates=lemmas.certificates,
        )

    def __str__(self) -> str:
        return " and ".join(str(lemma) for lemma in self.lemmas) or "; ".join(self.words)


def attacked(attack: Attack | None, trials: int) -> Outcome | None:
    """The refutation that an attack finds, if any; the same instances on every run."""
    if attack is None:
        return None
    rng = random.Random(20140608)
    for _ in range(trials):
        witness = attack(rng)
        if witness is not None:
            return Outcome.shown(Status.REFUTED, witness)
    return None


@dataclass(frozen=True)
class Attacked:
    """A proposition that is decided by itself; exact random instances of what the paper says are tried first.

    The instances tie what is decided to the words of the claim: they are made from its definitions, not from the proof.
    """

    part: Proposition
    attack: Attack = field(compare=False)
    trials: int = TRIALS
    #: those that lead from the words to the proposition, such as Bayes' rule where posteriors are written out
    principles: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in self.principles:
            get(name)

    def decide(self) -> Outcome:
        """A witness refutes; otherwise what the proposition is."""
        found = attacked(self.attack, self.trials) or self.part.decide()
        principles = tuple(dict.fromkeys((*self.principles, *found.principles)))
        # How good the parts are says nothing about the whole; the record has what does.
        return replace(found, principles=principles, better=None, tight=False, trivial=False)

    def __str__(self) -> str:
        return str(self.part)


@dataclass(frozen=True)
class Counterexample:
    """A statement "for all" that one explicit instance refutes, computed in exact arithmetic.

    ``instance`` returns the witness if the statement fails for it, None otherwise; then nothing is decided.
    """

    statement: str
    instance: Callable[[], Witness] = field(compare=False)
    reading = "one instance, in exact arithmetic"
    settles = Status.REFUTED

    def decide(self) -> Outcome:
        """What the instance settles."""
        witness = self.instance()
        if witness is None:
            return Outcome(Status.UNDECIDED, "the instance does not settle the statement")
        return Outcome.shown(self.settles, witness)

    def __str__(self) -> str:
        return self.statement


class Example(Counterexample):
    """A statement that something exists, shown by one explicit instance: the witness is what is claimed."""

    settles = Status.PROVED


@dataclass(frozen=True)
class Earlier:
    """Another claim of the ledger, as it is printed; not taken on trust.

    >>> Earlier("zhao17-eq20").decide().status
    <Status.PROVED: 'proved'>
    """

    id: str

    def decide(self) -> Outcome:
        """Decide the proposition of that claim."""
        from symprivacy.claims import get_claim
        from symprivacy.claims.language import proposition

        claim = get_claim(self.id)
        if claim.uncheckable:
            return Outcome(Status.UNDECIDED, f"{self.id} is not checkable")
        found = (claim.proof or proposition(claim.statement)).decide()
        return replace(found, steps=(f"{self.id}: {written(claim.statement)}", *found.steps), better=None, tight=False)

    def __str__(self) -> str:
        return f"claim {self.id}"
