"""Points of a box: readable ones and random ones, exact in every coordinate."""

from __future__ import annotations

import random
from collections.abc import Container, Iterator, Mapping
from fractions import Fraction
from math import ceil

from symprivacy.errors import SymPrivacyError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range, contains
from symprivacy.kernel.enclose import constant_sign
from symprivacy.kernel.expr import Expr
from symprivacy.language.text import parse

# Likelihood ratios that make readable mechanisms, tried before any other parameters.
_RATIOS = ("2", "3", "3/2", "4", "5", "5/4", "10", "100", "101/100")
_ATTEMPTS = 200


def readable_points(box: Mapping[str, Range], whole: Container[str] = ()) -> Iterator[dict[str, Expr]]:
    """Points with logarithms of small ratios for unbounded variables and small fractions for the others.

    The names in ``whole`` get whole numbers.

    >>> from symprivacy.language.domain import box_from_texts
    >>> [p["eps"] for p in readable_points(box_from_texts(["eps in (0, 1]"]))][:2]
    [Expr('log(2)'), Expr('2/3')]
    """
    for ratio in _RATIOS:
        point: dict[str, Expr] = {}
        for name, r in box.items():
            inverse = 1 / Fraction(ratio)
            choices = [x.log(parse(ratio)), x.num(1 - inverse), x.num(inverse), parse(ratio)]
            if name in whole:
                choices = [x.num(ceil(Fraction(ratio)))]
            inside = [choice for choice in choices if within(r, choice)]
            if not inside:
                break
            point[name] = inside[0]
        else:
            yield point


def random_point(rng: random.Random, box: Mapping[str, Range]) -> dict[str, Expr] | None:
    """A random exact point: small fractions and logarithms of small fractions, also the closed ends."""
    point: dict[str, Expr] = {}
    for name, r in box.items():
        for _ in range(_ATTEMPTS):
            value = _candidate(rng, r)
            if within(r, value):
                point[name] = value
                break
        else:
            return None
    return point


def _candidate(rng: random.Random, r: Range) -> Expr:
    if rng.random() < 0.1:
        ends = [end for end in (r.lo, r.hi) if end is not None]
        if ends:
            return rng.choice(ends)
    part = Fraction(rng.randint(1, 40), rng.randint(1, 40))
    if r.lo is not None and r.hi is not None:
        share = Fraction(rng.randint(1, 99), 100)
        return x.add(x.mul(x.num(1 - share), r.lo), x.mul(x.num(share), r.hi))
    return x.log(x.num(part)) if rng.random() < 0.6 and part > 0 else x.num(part)


def within(r: Range, value: Expr) -> bool:
    """Whether a value is known to lie in a range."""
    try:
        return contains(r, value)
    except SymPrivacyError:
        return False


def truth(lhs: Expr, rel: str, rhs: Expr, point: Mapping[str, Expr]) -> bool | None:
    """Whether a comparison is true at a point; None where a side has no value there or the sign is not settled.

    >>> truth(parse("exp(a)"), ">", parse("2"), {"a": parse("log(3)")})
    True
    """
    try:
        sign = constant_sign(x.substitute(x.sub(lhs, rhs), dict(point)))
    except SymPrivacyError:
        return None
    if sign is None:
        return None
    return {"<": sign < 0, "<=": sign <= 0, ">": sign > 0, ">=": sign >= 0, "==": sign == 0}[rel]
