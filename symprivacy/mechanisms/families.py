"""Named families of mechanisms, with exact rational or symbolic entries."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from sympy import Expr, Rational, S, exp

from symprivacy.errors import InputError
from symprivacy.mechanisms.mechanism import Mechanism
from symprivacy.notions.guarantee import number


def _growth(ratio: object | None, eps: object | None) -> Expr:
    """The likelihood ratio, given directly or as exp(eps)."""
    if (ratio is None) == (eps is None):
        raise InputError("give either ratio= or eps=")
    growth = number(ratio, "ratio") if ratio is not None else exp(number(eps, "eps"))
    if growth.is_negative or growth == 0:
        raise InputError(f"ratio {growth}, expected a positive number")
    return growth


def randomized_response(*, ratio: object | None = None, eps: object | None = None) -> Mechanism:
    """Binary randomized response: the truth with probability ratio/(ratio+1).

    >>> randomized_response(ratio=4).matrix[0]
    (Fraction(4, 5), Fraction(1, 5))
    """
    return kary_randomized_response(2, ratio=ratio, eps=eps)


def kary_randomized_response(k: int, *, ratio: object | None = None, eps: object | None = None) -> Mechanism:
    """k-ary randomized response: the truth is ``ratio`` times as likely as any other value.

    >>> kary_randomized_response(3, ratio=2).matrix[1]
    (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))
    """
    if k < 2:
        raise InputError(f"k={k}, expected at least two values")
    growth = _growth(ratio, eps)
    total = growth + k - 1
    rows = [[growth / total if x == y else 1 / total for y in range(k)] for x in range(k)]
    return Mechanism.secrets(rows, name=f"{k}-ary randomized response")


def xor_randomized_response(n: int, *, ratio: object | None = None, eps: object | None = None) -> Mechanism:
    """Randomized response on the exclusive or of n bits; the default value is 0.

    >>> xor_randomized_response(2, ratio=3).matrix[3]
    (Fraction(3, 4), Fraction(1, 4))
    """
    base = randomized_response(ratio=ratio, eps=eps).matrix
    rows = [base[sum(bits) % 2] for bits in product((0, 1), repeat=n)]
    return Mechanism.databases(rows, ["0", "1"], n, default="0", name=f"RR of the XOR of {n} bits")


def truncated_geometric(size: int, *, ratio: object | None = None, eps: object | None = None) -> Mechanism:
    """Counts 0..size with two-sided geometric noise, cut off at both ends; neighbours differ by one.

    >>> truncated_geometric(1, ratio=2).matrix[0]
    (Fraction(2, 3), Fraction(1, 3))
    """
    if size < 1:
        raise InputError(f"size={size}, expected at least 1")
    growth = _growth(ratio, eps)
    inner, outer = (growth - 1) / (growth + 1), growth / (growth + 1)
    rows = [
        [(outer if y in (0, size) else inner) * growth ** (-abs(x - y)) for y in range(size + 1)]
        for x in range(size + 1)
    ]
    steps = [(x, x + 1) for x in range(size)]
    return Mechanism.secrets(rows, neighbours=steps, name=f"geometric on 0..{size}")


def exponential(
    scores: Sequence[Sequence[int]], *, ratio: object | None = None, eps: object | None = None
) -> Mechanism:
    """Output y with probability proportional to ratio**scores[x][y], whole-number scores.

    With sensitivity s it is DP at 2 s log(ratio).

    >>> exponential([[1, 0], [0, 1]], ratio=3).matrix[0]
    (Fraction(3, 4), Fraction(1, 4))
    """
    growth = _growth(ratio, eps)
    rows = []
    for row in scores:
        weights = [growth**score for score in row]
        rows.append([weight / sum(weights, S.Zero) for weight in weights])
    return Mechanism.secrets(rows, name="exponential mechanism")


def publish_one_record(domain: Sequence[str], n: int, default: str | None = None) -> Mechanism:
    """Pick an index i at random and publish (i, x_i): ks14 Remark 1.

    >>> m = publish_one_record(["0", "1"], 2, default="0")
    >>> m.outputs, m.matrix[1]
    (('0:0', '0:1', '1:0', '1:1'), (Fraction(1, 2), Fraction(0, 1), Fraction(0, 1), Fraction(1, 2)))
    """
    columns = [(i, v) for i in range(n) for v in domain]
    rows = [[Fraction(1, n) if row[i] == v else Fraction(0) for i, v in columns] for row in product(domain, repeat=n)]
    outputs = [f"{i}:{v}" for i, v in columns]
    return Mechanism.databases(rows, domain, n, default, outputs, name="publish one random record")


def subsampled(base: Mechanism, n: int) -> Mechanism:
    """Run a database mechanism on a uniformly random subset of the records, in order.

    ``base`` is over D^m with m <= n; the result is over D^n.

    >>> from symprivacy.mechanisms import xor_randomized_response
    >>> subsampled(xor_randomized_response(1, ratio=3), 2).matrix[1]
    (Fraction(1, 2), Fraction(1, 2))
    """
    if base.n is None or base.domain is None or base.n > n:
        raise InputError(f"subsampling {n} records needs a mechanism over at most {n} records, got {base}")
    size, d = base.n, len(base.domain)
    chosen = list(combinations(range(n), size))
    rows = []
    for digits in product(range(d), repeat=n):
        indices = [sum(digits[i] * d ** (size - 1 - k) for k, i in enumerate(subset)) for subset in chosen]
        share = Rational(1, len(chosen))
        rows.append([sum((base.entry(x, y) * share for x in indices), S.Zero) for y in range(len(base.outputs))])
    relation: Any = base.neighbours if isinstance(base.neighbours, str) else "bounded"
    return Mechanism.databases(rows, base.domain, n, base.default, base.outputs, relation, f"subsampled {base.name}")
