"""New mechanisms from old: products, post-processing, mixtures, marginalisation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from sympy import Expr, S, simplify

from symprivacy.errors import InputError
from symprivacy.mechanisms.mechanism import Mechanism
from symprivacy.notions.guarantee import number


def _sum(terms: list[Any]) -> Any:
    """Add entries of either type; sympy expressions are simplified once at the end."""
    if all(isinstance(term, Fraction) for term in terms):
        return sum(terms, Fraction(0))
    return simplify(sum((_expr(term) for term in terms), S.Zero))


def _expr(value: Any) -> Expr:
    return number(value, "entry")


def _times(a: Any, b: Any) -> Any:
    return a * b if isinstance(a, Fraction) and isinstance(b, Fraction) else _expr(a) * _expr(b)


def _same_inputs(first: Mechanism, second: Mechanism) -> None:
    if first.inputs != second.inputs or first.domain != second.domain:
        raise InputError(f"the mechanisms have different inputs: {first} and {second}")


def product(first: Mechanism, second: Mechanism) -> Mechanism:
    """Run both with independent randomness on the same input and publish both outputs.

    >>> from symprivacy.mechanisms import randomized_response
    >>> product(randomized_response(ratio=2), randomized_response(ratio=2)).outputs
    ('0|0', '0|1', '1|0', '1|1')
    """
    _same_inputs(first, second)
    matrix = tuple(
        tuple(_times(a, b) for a in row for b in other) for row, other in zip(first.matrix, second.matrix, strict=True)
    )
    outputs = tuple(f"{a}|{b}" for a in first.outputs for b in second.outputs)
    return _checked(replace(first, matrix=matrix, outputs=outputs, name=""))


def postprocess(mechanism: Mechanism, kernel: Sequence[Sequence[object]] | Mechanism) -> Mechanism:
    """Pass the output through a second channel (rows = outputs of the first).

    >>> from symprivacy.mechanisms import randomized_response
    >>> postprocess(randomized_response(ratio=3), [[1], [1]]).matrix
    ((Fraction(1, 1),), (Fraction(1, 1),))
    """
    after = kernel if isinstance(kernel, Mechanism) else Mechanism.secrets(kernel)
    if len(after.matrix) != len(mechanism.outputs):
        raise InputError(f"the second channel has {len(after.matrix)} rows for {len(mechanism.outputs)} outputs")
    matrix = tuple(
        tuple(_sum([_times(a, after.matrix[y][w]) for y, a in enumerate(row)]) for w in range(len(after.outputs)))
        for row in mechanism.matrix
    )
    return _checked(replace(mechanism, matrix=matrix, outputs=after.outputs, name=""))


def mixture(first: Mechanism, second: Mechanism, weight: object) -> Mechanism:
    """Run the first with probability ``weight``, else the second; which one ran is not published.

    >>> from symprivacy.mechanisms import randomized_response
    >>> m = mixture(randomized_response(ratio=3), randomized_response(ratio=1), Fraction(1, 2))
    >>> m.matrix[0]
    (Fraction(5, 8), Fraction(3, 8))
    """
    _same_inputs(first, second)
    if first.outputs != second.outputs:
        raise InputError(f"mixtures need the same outputs, got {first.outputs} and {second.outputs}")
    share = Mechanism.secrets([[weight, 1 - number(weight, "weight")]]).matrix[0]
    matrix = tuple(
        tuple(_sum([_times(share[0], a), _times(share[1], b)]) for a, b in zip(row, other, strict=True))
        for row, other in zip(first.matrix, second.matrix, strict=True)
    )
    return _checked(replace(first, matrix=matrix, name=""))


def marginalise(mechanism: Mechanism, record: int, law: Sequence[object]) -> Mechanism:
    """The channel from one record to the output, the others averaged under a (correlated) law of D^n.

    Values of the record with probability zero have no conditional law and are left out.

    >>> from symprivacy.mechanisms import xor_randomized_response
    >>> quarter = Fraction(1, 4)
    >>> marginalise(xor_randomized_response(2, ratio=3), 0, [quarter] * 4).matrix
    ((Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 2), Fraction(1, 2)))
    """
    if mechanism.n is None or mechanism.domain is None:
        raise InputError("marginalisation needs a mechanism over databases D^n, got secrets")
    if not 0 <= record < mechanism.n:
        raise InputError(f"record {record} of a database with {mechanism.n} records")
    weights = Mechanism.secrets([list(law)]).matrix[0]
    if len(weights) != len(mechanism.matrix):
        raise InputError(f"the law has {len(weights)} entries for {len(mechanism.matrix)} databases")
    digits = mechanism.channel().digits()
    rows, labels = [], []
    for value, label in enumerate(mechanism.domain):
        members = [x for x, row in enumerate(digits) if row[record] == value]
        mass = _sum([weights[x] for x in members])
        if mass == 0:
            continue
        rows.append(
            [
                _sum([_times(weights[x], mechanism.matrix[x][y]) for x in members]) / mass
                for y in range(len(mechanism.outputs))
            ]
        )
        labels.append(label)
    return Mechanism.secrets(rows, inputs=labels, outputs=mechanism.outputs)


def _checked(mechanism: Mechanism) -> Mechanism:
    """Validate rows that were computed; cheap for rationals and a guard against mistakes here."""
    Mechanism.secrets(mechanism.matrix)
    return mechanism
