"""The definition of a notion, as statements about likelihood ratios, read off its record."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sympy import Expr, Lambda, Piecewise

from symprivacy.errors import UnsupportedError
from symprivacy.notions.definition import Definition, read_constraint
from symprivacy.notions.quantifiers import Orders, Pairs
from symprivacy.notions.symbols import P, Q, R

if TYPE_CHECKING:
    from symprivacy.notions.record import Notion


def definition_of(notion: Notion) -> Definition:
    """What a notion says of likelihood ratios; raises UnsupportedError where its record says nothing of them."""
    # A definition has the level last; in the record the number of secrets, or the prior, may come after it.
    level = notion.bounded
    others = [p for p in notion.parameters if p is not level]
    found = Definition(
        notion.key, level.span, tuple(p.span for p in others), relation=_relation(notion), orders=notion.orders.value
    )
    if notion.uniform:
        return replace(found, uniform=True)
    if notion.quotient is not None:
        return replace(found, quotient=notion.quotient)
    if notion.width is not None:
        return replace(found, width=notion.width)
    # The protected secret is called the first one: for what is absent the roles of the definition change.
    swap = {P: 1 - P, Q: 1 - Q} if notion.orders is Orders.ABSENT else {}
    found = replace(found, posterior=tuple(read_constraint(c.subs(swap, simultaneous=True)) for c in notion.posterior))
    if notion.mean is not None:
        every = tuple(p.span for p in notion.every)
        return replace(
            found, mean=notion.mean, compares=notion.compares, events=notion.compares != "games", every=every
        )
    if found.posterior:
        return found
    if notion.divergence is not None:
        transform = Lambda(R, _smooth(notion.divergence.transform(R)))
        return replace(found, mean=(notion.divergence.generator, transform))
    if notion.ratio is not None and not notion.ratio.has(Piecewise):
        return replace(found, ratio=notion.ratio)
    raise UnsupportedError(f"{notion.key}: {notion.why_not_derived or 'its record gives nothing to derive from'}")


def _relation(record: Notion) -> str:
    if record.pairs is Pairs.GAMES:
        return Pairs.NEIGHBOURS.value
    if record.pairs is Pairs.ALL and record.priors:
        # Two secrets, whatever they are.
        return "any"
    return record.pairs.value


def _smooth(transform: Expr) -> Expr:
    """A transform away from the points where its formula needs a case of its own."""
    return transform.args[-1][0] if isinstance(transform, Piecewise) else transform
