"""Mechanisms that are hard cases at given numbers: those that attain the best level, or come close to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import mpmath
from sympy import Rational, exp

from symprivacy.claims.case import tight_at
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.pairs import spreads
from symprivacy.errors import SymPrivacyError
from symprivacy.implications.certify.certified import numbers
from symprivacy.implications.certify.lower import attained
from symprivacy.implications.implication import Implication as Conversion
from symprivacy.implications.parameters import DIAMETER
from symprivacy.implications.symbolic import explicit
from symprivacy.kernel.expr import Expr, rational, substitute
from symprivacy.language.bridge import to_sympy
from symprivacy.language.exact import simplified
from symprivacy.language.text import parse, to_text
from symprivacy.mechanisms import Mechanism
from symprivacy.mechanisms.families import truncated_geometric

# A family that tends to its extremal law is followed as far as this.
_FAR = ("5", "10", "20", "60")
_BINS = (2, 12, 40, 120)
_REACH = 8
_PULLS = ("1e-9", "1e-6", "1e-3")


def hard_cases(premise: Wanted, conclusion: Wanted, steps: Expr | None = None) -> Iterator[Mechanism]:
    """Mechanisms near the extremal one, both guarantees at numbers; ``steps`` is the diameter, where it is given.

    >>> from symprivacy.claims.guarantees import guarantee
    >>> next(hard_cases(guarantee("DP(log(2))"), guarantee("TV(1/4)"))).matrix[0]
    (Fraction(2, 3), Fraction(1, 3))
    """
    if spreads(premise.notion, conclusion.notion):
        found = None if steps is None else chain(premise, int(rational(steps)))
        yield from [] if found is None else [found]
        return
    known = tight_at(premise, conclusion, {DIAMETER: steps} if steps is not None else {})
    if known is not None:
        exact = from_witness(known.witness)
        if exact is not None:
            yield exact
        yield from _near(known)
    if premise.notion.key == "GDP":
        yield from _gaussian(premise)


def chain(premise: Wanted, steps: int) -> Mechanism | None:
    """Geometric noise on 0..steps: neighbours have the largest ratio that the premise, at numbers, may allow.

    >>> from symprivacy.claims.guarantees import guarantee
    >>> chain(guarantee("DP(log(2))"), 1).matrix[0]
    (Fraction(2, 3), Fraction(1, 3))
    """
    found = explicit(premise.notion.key, "DP", premise.named, {})
    growth = None if found is None or found.level is None else exp(to_sympy(found.level.expr()))
    return truncated_geometric(steps, ratio=growth) if isinstance(growth, Rational) and growth > 1 else None


def from_witness(witness: Mapping[str, Any] | None) -> Mechanism | None:
    """The mechanism of a conversion's witness, exactly as its texts say; None where it is a limit of mechanisms."""
    if witness is None or not witness.get("attained", True):
        return None
    rows = [witness["P"], witness["Q"]] if "P" in witness and "Q" in witness else witness.get("matrix")
    if not isinstance(rows, list):
        return None
    try:
        return Mechanism.secrets([[simplified(to_sympy(parse(text))) for text in row] for row in rows])
    except SymPrivacyError:
        return None


def _near(known: Conversion) -> Iterator[Mechanism]:
    """The extremal mechanism with its entries rounded so that the premise still holds, a family far out."""
    witness = known.witness or {}
    name = witness.get("parameter")
    laws = [witness] if name is None else [_placed(witness, str(name), value) for value in _FAR]
    for law in laws:
        for slack in _PULLS:
            try:
                found = attained(
                    replace(known, witness=law), *numbers(known.source, known.target, known.at), mpmath.mpf(slack)
                )
            except (SymPrivacyError, ArithmeticError, ValueError, TypeError):
                continue
            if found is not None:
                yield found[0]


def _placed(witness: Mapping[str, Any], name: str, value: str) -> dict[str, Any]:
    """One member of a family."""
    at = {name: parse(value)}
    rows = {side: [to_text(substitute(parse(text), at)) for text in witness[side]] for side in "PQ" if side in witness}
    return {"attained": True, **rows}


def _gaussian(premise: Wanted) -> Iterator[Mechanism]:
    """Two normal laws at the distance that the premise allows, seen in steps and pulled together a little."""
    size = to_sympy(premise.level)
    with mpmath.workdps(30):
        mu = mpmath.mpf(size.evalf(30))
        if not 0 < mu < 30:
            return
        for count in _BINS:
            edges = [mu / 2 + mpmath.mpf((_REACH + mu / 2) * (2 * k - count)) / count for k in range(1, count)]
            rows = [_steps([mpmath.ncdf(edge - shift) for edge in edges]) for shift in (mu, mpmath.mpf(0))]
            middle = [(a + b) / 2 for a, b in zip(*rows, strict=True)]
            for pull in (Fraction(1, 10**6), Fraction(1, 10**3)):
                yield Mechanism.secrets(
                    [[(1 - pull) * a + pull * m for a, m in zip(row, middle, strict=True)] for row in rows]
                )


def _steps(cumulated: list[Any]) -> list[Fraction]:
    """The masses between the edges, as fractions that sum to one."""
    unit = 10**15
    counts = [int(mpmath.nint(value * unit)) for value in cumulated]
    masses = [b - a for a, b in zip([0, *counts], [*counts, unit], strict=True)]
    return [Fraction(mass, unit) for mass in masses]


__all__ = ["chain", "from_witness", "hard_cases"]
