"""What is known beside a derivation: the best level, where the derivation gives more than that.

A derivation proves a level and does not say that it is the smallest. Who presents one asks here, so that nobody takes a
bound in closed form for the best answer.
"""

from __future__ import annotations

from collections.abc import Mapping

from sympy import Expr, N, Rational, oo

from symprivacy.derivations import Derived
from symprivacy.errors import SymPrivacyError
from symprivacy.implications.formula import settle
from symprivacy.implications.implication import Implication
from symprivacy.implications.numbers.order import below
from symprivacy.implications.provide import provide
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr as Number
from symprivacy.kernel.expr import substitute
from symprivacy.language.bridge import from_sympy
from symprivacy.notions import get
from symprivacy.notions.statement import Domain, Given

_DIGITS = 15
_FIFTH = Rational(1, 5)


def better(found: Derived) -> Implication | None:
    """What is known where a derivation gives more than the best level, at a point of its range; None where it does not.

    >>> from symprivacy import derive
    >>> better(derive("SP", "DP", "uniform")).formula, better(derive("SP", "DP"))
    ('4*atanh(eta)', None)
    """
    return better_at(found.premise, found.conclusion, point(found.derivation.claim.domain))


def better_at(premise: Given, conclusion: Given, at: Mapping[str, Number]) -> Implication | None:
    """The same for the guarantees of a derivation, which have the level last, at numbers for its variables.

    >>> from sympy import Symbol
    >>> k = Symbol("k")
    >>> better_at(Given("KL", (k,)), Given("HELL2", (k / 4,)), {"k": from_sympy(Rational(1))}).formula
    '2*sinh(x/4)**2/cosh(x/2) where x*tanh(x/2) = k'
    """
    source, target = get(premise.key), get(conclusion.key)
    start, end = ([substitute(from_sympy(v), dict(at)) for v in g.values] for g in (premise, conclusion))
    given = dict(zip([*source.others, source.answers], start, strict=True))
    if target.fills is not None:
        given[str(target.asked)] = end[0]
    try:
        known = provide(source.key, target.key, given, _DIGITS)
        level = settle(lambda prec: enclose(end[-1], {}, prec), _DIGITS)
    except SymPrivacyError:
        return None
    return known if known.value is not None and below(known.value, level) else None


def point(domain: Domain) -> dict[str, Number]:
    """A point of a range, a fifth of the way along every side.

    >>> from sympy import Symbol
    >>> from symprivacy.notions.statement import span
    >>> point((span(Symbol("x"), 0, 1), span(Symbol("y"), Symbol("x"), oo)))
    {'x': Expr('1/5'), 'y': Expr('2/5')}
    """
    found: dict[Expr, Expr] = {}
    for span in domain:
        lo, hi = (end.xreplace(found) for end in (span.lo, span.hi))
        value = lo + (_FIFTH if hi == oo else (hi - lo) * _FIFTH)
        # A count of secrets or steps is whole.
        value = lo + 1 if hi == oo and not span.lo_open else value
        found[span.symbol] = value if value.is_Rational else Rational(str(N(value, 8)))
    return {symbol.name: from_sympy(value) for symbol, value in found.items()}
