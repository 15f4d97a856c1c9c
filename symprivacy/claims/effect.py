"""What an operation makes of a level, as a record: the rows of the tables of operations.

Every row is a theorem for all mechanisms, named by a registered principle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from symprivacy.claims.fact import Fact, Facts, Where, asking, attainable, with_level
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.terms import Term
from symprivacy.implications.formula import put
from symprivacy.kernel.expr import Expr


@dataclass(frozen=True)
class Effect:
    """A formula of the level ``v`` of what is inside, and of the operation's own numbers."""

    level: Expr
    principle: str
    words: str
    #: the notion that the inner term is asked for, where it is not the one asked for
    inside: str | None = None
    #: whether what attains the inner level attains this one
    sharp: bool = False
    #: whether that is so only where the guarantee itself is inside, without a further operation
    alone: bool = False
    #: whether the formula is a bound for levels up to the largest one only
    capped: bool = False

    def on(
        self, term: Term, asked: Wanted, where: Where, facts: Facts, question: Wanted | None = None, **numbers: Expr
    ) -> Iterator[Fact]:
        """What is asked, from the levels at which the inner term satisfies the inner question."""
        question = question or (asked if self.inside is None else asking(self.inside))
        own = isinstance(term, Wanted) and term.notion.key == asked.notion.key
        for inner in facts(term, question, where):
            v = attainable(inner.wanted, where) if self.capped else inner.wanted.level
            at = with_level(asked, put(self.level, v=v, **numbers))
            yield inner.then(at, self.principle, self.words, self.sharp and (own or not self.alone))
