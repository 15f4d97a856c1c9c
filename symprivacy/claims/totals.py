"""Levels of several runs put together: added up, multiplied, or as one event of many."""

from __future__ import annotations

from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr

#: the levels of runs, each with how many times it is run
Runs = list[tuple[Expr, Expr]]


def added(levels: Runs) -> Expr:
    """The sum of all levels.

    >>> from symprivacy.language.text import parse
    >>> added([(parse("a"), parse("2")), (parse("b"), parse("k"))])
    Expr('2*a + k*b')
    """
    return x.add(*(x.mul(times, level) for level, times in levels))


def missed(levels: Runs) -> Expr:
    """The probability that one of independent events, with these probabilities, happens."""
    return x.sub(x.ONE, x.mul(*(x.power(x.sub(x.ONE, level), times) for level, times in levels)))


def grown(levels: Runs) -> Expr:
    """The growth of all together, of factors that grow so much each."""
    return x.sub(x.mul(*(x.power(x.add(x.ONE, level), times) for level, times in levels)), x.ONE)


def root_of_squares(levels: Runs) -> Expr:
    """The length of a vector with these entries.

    >>> from symprivacy.language.text import parse
    >>> root_of_squares([(parse("mu"), parse("k"))])
    Expr('sqrt(k)*mu')
    """
    if len(levels) == 1:
        ((level, times),) = levels
        return x.mul(x.call("sqrt", times), level)
    return x.call("sqrt", x.add(*(x.mul(times, x.power(level, x.num(2))) for level, times in levels)))


def placed_anew(levels: Runs) -> Expr:
    """What the first run gives counts once, what each later one gives, placed anew for every output, twice."""
    return x.sub(x.mul(x.num(2), added(levels)), levels[0][0])
