"""What a term satisfies, found from the inside out by what operations do to levels.

Every step is a theorem for all mechanisms, named by a registered principle; parts are converted where they have another
notion than the one asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from symprivacy.claims.channels import of_channel
from symprivacy.claims.fact import Fact, Where, asking
from symprivacy.claims.from_guarantee import converted, of_one_order
from symprivacy.claims.groups import of_group
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.runs import of_runs
from symprivacy.claims.samples import of_sample
from symprivacy.claims.terms import Compose, Forward, Group, Sample, Term, Through, is_normal

#: notions that a part is converted to where the conclusion's own notion has no rule for the operation
HUBS = ("ZCDP", "KL", "TV", "DP", "GDP", "HELL2", "CHI2")
_OPERATIONS: dict[type, Callable[..., Iterator[Fact]]] = {
    Compose: of_runs, Group: of_group, Sample: of_sample, Through: of_channel,
}  # fmt: skip


def facts(term: Term, asked: Wanted, where: Where) -> Iterator[Fact]:
    """Guarantees of the notion of ``asked``, at its further parameters, that follow from a term.

    >>> from symprivacy.claims.grammar import term
    >>> from symprivacy.claims.guarantees import guarantee
    >>> from symprivacy.language.domain import box_from_texts
    >>> where = Where(box_from_texts(["eps in (0, oo)"]))
    >>> print(next(facts(term("compose(DP(eps), 3)"), guarantee("DP(1)"), where)).wanted)
    DP(3*eps)
    """
    match term:
        case Wanted():
            yield from converted(term, asked, where)
        case Forward():
            yield from of_one_order(term, asked, where)
        case _:
            if asked.notion.key != "GDP" and not asked.notion.pairs.every and is_normal(term):
                # As good as the one pair of laws that it says everything about.
                for known in facts(term, asking("GDP"), where):
                    yield from map(known.and_then, converted(known.wanted, asked, where))
            yield from _OPERATIONS[type(term)](term, asked, where, facts)


def first(term: Term, asked: Wanted, where: Where) -> Fact | None:
    """The first of them."""
    return next(facts(term, asked, where), None)
