"""What a notion quantifies over: which pairs of inputs, in which orders, which priors; part of its record.

Level, conversion, derivation, claims, beliefs and LaTeX read these from the record and nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from symprivacy.errors import InputError
from symprivacy.notions.levels.options import Options


class Pairs(StrEnum):
    """Which pairs of inputs a notion compares."""

    #: inputs that the mechanism declares neighbours
    NEIGHBOURS = "neighbours"
    #: databases that differ in one record, in any way
    BOUNDED = "bounded"
    #: databases with and without one record
    UNBOUNDED = "unbounded"
    ADDING = "adding a record"
    REMOVING = "removing a record"
    #: inputs joined by at most `c` steps between neighbours
    CHAINS = "chains of c neighbours"
    #: posteriors with and without one record; a secret is one record, so any two secrets
    GAMES = "games"
    #: values of a record, some of the others known and the rest averaged over any law; a secret is one record
    CORRELATED = "correlated"
    #: the same with none of the others known
    AVERAGED = "averaged"
    #: databases that differ in one record; a secret is one record, so any two secrets
    RECORD = "one record"
    #: any two inputs, neighbours or not
    ALL = "all pairs"

    @property
    def words(self) -> str:
        """As a reading says it.

        >>> Pairs.ALL.words
        'any two inputs'
        """
        return _WORDS.get(self, f"inputs related by {self.value}")

    @property
    def every(self) -> bool:
        """Whether any two inputs are compared, whichever of them are neighbours.

        >>> Pairs.ALL.every, Pairs.CORRELATED.every, Pairs.GAMES.every
        (True, True, False)
        """
        return self in (Pairs.ALL, Pairs.CORRELATED, Pairs.AVERAGED)


_WORDS = {
    Pairs.NEIGHBOURS: "neighbouring inputs",
    Pairs.BOUNDED: "databases that differ in one record",
    Pairs.UNBOUNDED: "databases with and without one record",
    Pairs.ADDING: "databases with and without one record",
    Pairs.REMOVING: "databases with and without one record",
    Pairs.CHAINS: "inputs at most c steps apart",
    Pairs.GAMES: "beliefs about databases with and without one record",
    Pairs.CORRELATED: "values of one record, others known or averaged",
    Pairs.AVERAGED: "values of one record, all others averaged",
    Pairs.RECORD: "databases that differ in one record",
    Pairs.ALL: "any two inputs",
}


class Orders(StrEnum):
    """In which orders a notion compares a pair."""

    BOTH = "both"
    #: P against Q for the pair as it is listed
    FORWARD = "forward"
    #: only the secret that is there first, or only the one that is not
    PRESENT = "present"
    ABSENT = "absent"

    @property
    def words(self) -> str:
        """As a reading says it.

        >>> Orders.BOTH.words
        'both orders'
        """
        return {
            Orders.BOTH: "both orders",
            Orders.FORWARD: "the first order only",
            Orders.PRESENT: "what is present against what is absent",
            Orders.ABSENT: "what is absent against what is present",
        }[self]


@dataclass(frozen=True)
class Priors:
    """Which priors the definition quantifies over, and what may be put in their place.

    words
        As the definition has them; empty for a notion without priors.
    one
        What a single prior may be given as: "vector" (a probability for every input), "point" (p, for the two-point
        priors (p, 1 - p) on every ordered pair of neighbours).
    families
        Names of families that may be chosen.
    data
        Whether a law of the data may be given.
    zero
        Whether the definition leaves open what a posterior 0/0 is.
    secret
        Whose probability it is: of the whole "input", of every "value" of a record, or of the values that mean that a
        "member" is there.

    >>> bool(Priors()), str(Priors("every prior"))
    (False, 'every prior')
    """

    words: str = ""
    one: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    data: bool = False
    zero: bool = False
    secret: str = "member"

    def __bool__(self) -> bool:
        return bool(self.words)

    def __str__(self) -> str:
        return self.words

    @property
    def whole(self) -> bool:
        """Whether the secret is the whole input, and not one record of it."""
        return self.secret == "input"

    def check(self, key: str, options: Options) -> None:
        """Refuse an option that the notion cannot use.

        >>> from sympy import S
        >>> Priors().check("DP", Options(prior=S.Half))
        Traceback (most recent call last):
            ...
        symprivacy.errors.InputError: DP takes no prior=
        """
        if options.prior is not None:
            form = "point" if options.prior_vector is None else "vector"
            if not self.one:
                raise InputError(f"{key} takes no prior=")
            if form not in self.one:
                raise InputError(f"{key} takes a prior over all inputs, not one probability p")
        if options.data is not None and not self.data:
            raise InputError(f"{key} takes no data=")
        if options.data is not None and options.prior is not None:
            raise InputError(f"{key}: prior= and data= are both given, and both are the law of the data")
        if options.zero != "breach" and not self.zero:
            raise InputError(f"{key}: zero={options.zero!r} has no meaning, its definition has no posterior 0/0")
        self._check_family(key, options)

    def _check_family(self, key: str, options: Options) -> None:
        family = options.family
        if family is None:
            return
        if family not in self.families:
            known = ", ".join(self.families)
            raise InputError(f"{key}: family={family!r}, expected {known}" if known else f"{key} takes no family=")
        law = options.prior_vector if options.prior_vector is not None else options.data
        if family in ("fixed", "scalable") and law is None:
            raise InputError(f"family={family!r} needs prior=, a distribution over all inputs")
        if family in ("all", "independent") and (law is not None or options.prior is not None):
            raise InputError(f"{key}: family={family!r} stands for many priors, but one is given")

    def taken(self, options: Options) -> str:
        """Which priors an answer is about, in words.

        >>> from sympy import S
        >>> Priors("every prior", ("point",)).taken(Options(prior=S.Half))
        '(1/2, 1/2) on every ordered pair of neighbours'
        """
        law = options.prior_vector if options.prior_vector is not None else options.data
        if law is not None:
            given = f"({', '.join(map(str, law))})"
            if options.family == "scalable":
                return f"{given} and its rescalings"
            return f"data from {given}" if self.data else given
        p = options.prior_point
        if p is not None:
            return f"({p}, {1 - p}) on every ordered pair of neighbours"
        if options.family == "independent":
            return f"{self.words}, records independent"
        return self.words


NO_PRIOR = Priors()
EVERY_PRIOR = Priors("every prior", ("vector", "point"), secret="input")
