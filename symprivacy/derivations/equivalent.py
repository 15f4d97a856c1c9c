"""A notion of posteriors or ratios is a bound on the likelihood ratio: which one, in closed form and certified.

For every prior the posterior increases with the ratio A, so the notion at a level holds exactly if A <= B(level), B the
least bound over priors. Both directions are certified: the level bounds the ratio by B, and a bound on the ratio is
enough for the level that it needs. Where the two are inverse to each other, the notion is a ratio bound in other words.

>>> from symprivacy.notions import Notion, forget
>>> mine = Notion.define("Mine", "tau in [0, 1]", posterior="q <= p + tau*(1 - p)").definition
>>> allowed_ratio(mine), needed_level(mine)
(1/(1 - tau), 1 - 1/A)
>>> forget("Mine")
"""

from __future__ import annotations

from functools import lru_cache

from sympy import Abs, Expr, S, Symbol, limit, oo, powdenest, zoo

from symprivacy.derivations.derivation import Builder
from symprivacy.derivations.ratio import worst_bound
from symprivacy.notions.certify import equal
from symprivacy.notions.definition import Definition
from symprivacy.notions.level_for_ratio import needed_level
from symprivacy.notions.solve import NoClosedForm
from symprivacy.notions.statement import Span
from symprivacy.notions.symbols import A, P


@lru_cache(maxsize=128)
def allowed_ratio(notion: Definition) -> Expr:
    """B(level): the largest ratio that the notion allows, certified; raises NoClosedForm."""
    if notion.ratio is not None and P not in notion.ratio.free_symbols:
        return notion.ratio
    b = Builder({notion.key: notion}.__getitem__)
    k = worst_bound(b, notion)
    if b[k].domain != notion.domain:
        raise NoClosedForm(f"{notion.key}: its ratio is bounded for {b[k].where()} only")
    return b[k].rhs


@lru_cache(maxsize=128)
def is_ratio_bound(notion: Definition) -> bool:
    """Whether the two closed forms are inverse to each other, so that the notion and the ratio bound say the same."""
    ratio = notion.width if notion.width is not None else allowed_ratio(notion)
    needed, level = needed_level(notion), notion.level.symbol
    if equal(needed.xreplace({A: ratio}), level, notion.domain):
        return True
    # Both are increasing, so one composition tells as much as the other; roots cancel in one of them only.
    place = Symbol("root_", real=True)
    back = ratio.xreplace({level: needed}).xreplace({A: place**2})
    rooted = powdenest(back, force=True).replace(Abs, lambda x: x)
    return bool(equal(rooted, place**2, (*notion.others, Span(place, S.One, oo))))


def largest_ratio(notion: Definition) -> Expr:
    """B at the upper end of the level's range, oo where everything is allowed there."""
    ratio, level = allowed_ratio(notion), Symbol("level_", positive=True)
    hi = notion.level.hi
    if hi == oo:
        return limit(ratio.xreplace({notion.level.symbol: level}), level, oo)
    # From below, because a quotient has no value where everything is allowed.
    found = limit(ratio.xreplace({notion.level.symbol: hi - level}), level, 0, "+")
    return oo if found in (oo, zoo) else found
