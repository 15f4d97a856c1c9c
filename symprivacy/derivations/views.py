"""What the calculus needs of the notions' records: posterior constraints, ratios, divergences, widths."""

from __future__ import annotations

from dataclasses import replace

from sympy import Expr, Lambda, Piecewise, Symbol

from symprivacy.errors import UnsupportedError
from symprivacy.notions import Notion, Parameter, get
from symprivacy.notions.quantifiers import Pairs
from symprivacy.notions.statement import Span
from symprivacy.notions.symbols import P, Q, R
from symprivacy.notions.view import View, read_constraint


def _relation(record: Notion) -> str:
    if record.pairs is Pairs.GAMES:
        return Pairs.NEIGHBOURS.value
    if record.pairs is Pairs.ALL and record.priors:
        # Two secrets, whatever they are.
        return "any"
    return record.pairs.value


def _span(parameter: Parameter) -> Span:
    # Level 0 is the trivial end of every family; open ranges keep quotients and logarithms defined.
    domain = parameter.domain
    closed = parameter.name in ("m", "c") and domain.start != 0
    return Span(parameter.symbol, domain.start, domain.end, not closed, True)


def definition_of(notion: Notion | str) -> View:
    """The view of a notion, also of one that bounds all orders at once.

    >>> definition_of("ZCDP").every[0].symbol
    alpha
    """
    record = get(notion) if isinstance(notion, str) else notion
    if not record.every_order:
        return view_of(record)
    # Each order is a mean, and derive looks for no closed form in all of them.
    renyi = view_of("RDP")
    assert renyi.mean is not None
    (order,) = renyi.others
    generator, transform = renyi.mean
    (level,) = record.parameters
    mean = (generator, Lambda(R, transform(R) / order.symbol))
    return View(record.key, _span(level), mean=mean, relation=_relation(record), every=(order,))


def view_of(notion: Notion | str) -> View:
    """The view of a notion; raises UnsupportedError where its record gives the calculus nothing to work with.

    >>> view_of("DP").ratio
    exp(eps)
    >>> view_of("KL").mean[0]
    Lambda(r, r*log(r))
    """
    record = get(notion) if isinstance(notion, str) else notion
    *others, level = record.parameters
    view = View(
        record.key,
        _span(level),
        tuple(_span(p) for p in others),
        relation=_relation(record),
        orders=record.orders.value,
    )
    if record.uniform:
        # xi comes first in the record; the calculus wants the level last.
        first, second = record.parameters
        return View(record.key, _span(first), (_span(second),), uniform=True)
    if record.width is not None:
        return replace(view, width=record.width)
    # The calculus calls the protected secret the first one: for what is absent the roles of the definition change.
    swap = {P: 1 - P, Q: 1 - Q} if view.orders == "absent" else {}
    constraints = tuple(read_constraint(c.subs(swap, simultaneous=True)) for c in record.posterior)
    view = replace(view, posterior=constraints)
    if record.mean is not None:
        return replace(view, mean=record.mean, compares=record.compares, events=record.compares != "games")
    if constraints:
        return view
    if record.divergence is not None:
        transform = Lambda(R, _smooth(record.divergence.transform(R)))
        return replace(view, mean=(record.divergence.generator, transform))
    if record.ratio is not None and not record.ratio.has(Piecewise):
        return replace(view, ratio=record.ratio)
    raise UnsupportedError(f"{record.key}: {record.why_no_view or 'its record gives nothing to derive from'}")


def _smooth(transform: Expr) -> Expr:
    """A transform away from the points where its formula needs a case of its own."""
    return transform.args[-1][0] if isinstance(transform, Piecewise) else transform


def parameters(view: View) -> tuple[Symbol, ...]:
    """The parameters of a view in order, the level last.

    >>> parameters(view_of("RDP"))
    (alpha, e)
    """
    return view.symbols
