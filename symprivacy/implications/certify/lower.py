"""The lower side of a certified conversion: a rational mechanism near the extremal one, its levels by definition."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import mpmath
from sympy import Expr, Rational, oo

from symprivacy.errors import SymPrivacyError
from symprivacy.implications.certify.multipliers import DIGITS
from symprivacy.implications.numbers.decimals import decimal
from symprivacy.implications.numbers.numeric import number
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import constant_sign, enclose_constant
from symprivacy.kernel.expr import sub
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.language.text import parse
from symprivacy.mechanisms import Mechanism, level
from symprivacy.mechanisms.jsonform import from_json
from symprivacy.notions import get

if TYPE_CHECKING:
    from symprivacy.implications.implication import Implication

# Significant digits of an entry that is not a rational number by itself.
_ENTRY = 34
_PREC = 400


def at_most(mechanism: Mechanism, key: str, given: Mapping[str, Expr], bound: Expr) -> bool:
    """Whether the level of a mechanism is shown to be at most a bound.

    >>> from symprivacy.mechanisms import randomized_response
    >>> at_most(randomized_response(ratio=3), "TV", {}, Rational(1, 2))
    True
    """
    high = _level(mechanism, key, given)[1]
    return high != oo and _sign(high, bound) in (-1, 0)


def at_least(mechanism: Mechanism, key: str, given: Mapping[str, Expr], bound: Expr) -> bool:
    """Whether the level of a mechanism is shown to be at least a bound."""
    low = _level(mechanism, key, given)[0]
    return low == oo or _sign(low, bound) in (1, 0)


def _level(mechanism: Mechanism, key: str, given: Mapping[str, Expr]) -> tuple[Expr, Expr]:
    """Bounds of the level by the definition, the same one twice if it is exact."""
    name = get(key).answers
    found = level(mechanism, key, **{n: value for n, value in given.items() if n != name})
    if found.exact:
        return found.value, found.value
    ends = [Rational(end.numerator, end.denominator) for end in (found.lo, found.hi) if end is not None]
    return ends[0], ends[-1]


def _sign(a: Expr, b: Expr) -> int | None:
    if a == b:
        return 0
    try:
        return constant_sign(sub(from_sympy(a), from_sympy(b)), 2000)
    except SymPrivacyError:
        return None


def read_mechanism(data: Any) -> Mechanism | None:
    """The mechanism of a certificate, None if it has none; raises InputError."""
    return None if data is None else from_json(json.dumps(data))


def attained(
    conversion: Implication, given: Mapping[str, Expr], asked: Mapping[str, Expr], slack: Any
) -> tuple[Mechanism, str] | None:
    """A mechanism that satisfies the source, and the largest decimal that its level under the target is shown to reach.

    The extremal mechanism is rounded, as it is and pulled a little towards "no difference", where the source holds with
    room: divergences are convex and ratios are mixed. None where the witness is no finite mechanism.
    """
    bound = given[get(conversion.source).answers]
    best: tuple[Fraction, Mechanism] | None = None
    with mpmath.workdps(DIGITS):
        # Where a law has zeros a small pull may cost as much as its root.
        for pull in (Fraction(0), _fraction(slack**2), _fraction(slack / 64)):
            mechanism = _rounded(conversion.witness or {}, pull)
            if mechanism is None:
                return None
            try:
                if not at_most(mechanism, conversion.source, given, bound):
                    continue
                low = _level(mechanism, conversion.target, asked)[0]
                value = iv.to_fraction(enclose_constant(from_sympy(low), _PREC)[0])
            except SymPrivacyError:
                continue
            if best is None or value > best[0]:
                best = value, mechanism
    if best is None:
        return None
    return best[1], decimal(best[0], 20, up=False)


def _rounded(witness: Mapping[str, Any], pull: Fraction) -> Mechanism | None:
    data = witness.get("mechanism") or {"matrix": [witness.get(side) for side in "PQ"]}
    if "parameter" in witness or None in data["matrix"]:
        return None
    rows = [_law([_entry(text) for text in row]) for row in data["matrix"]]
    middle = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    mixed = [[x + pull * (m - x) for x, m in zip(row, middle, strict=True)] for row in rows]
    return read_mechanism({**data, "matrix": [[str(x) for x in row] for row in mixed]})


def _entry(text: str) -> Fraction:
    exact = to_sympy(parse(text))
    if exact.is_Rational:
        return Fraction(int(exact.p), int(exact.q))
    x = number(from_sympy(exact), {})
    return Fraction(mpmath.nstr(x, _ENTRY)) if x > 0 else Fraction(0)


def _law(entries: Sequence[Fraction]) -> list[Fraction]:
    """The entries with the largest one made up so that they sum to one."""
    law, top = list(entries), max(range(len(entries)), key=lambda k: entries[k])
    law[top] = 1 - (sum(law) - law[top])
    return law


def _fraction(x: Any) -> Fraction:
    return Fraction(mpmath.nstr(x, 3))
