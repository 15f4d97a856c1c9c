"""Numbers without kinks: Abs, Min, Max and Piecewise of constants, each replaced by the case that applies.

Which case applies is known where two constants are told apart by their enclosures, or are equal by an identity. Where
it is not known the part stays as it is. Only a part that has a value is left out, or a branch that is not taken.
"""

from __future__ import annotations

from symprivacy.errors import CertificateError, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.enclose import constant_sign
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.identities import equal


def resolved(e: Expr) -> Expr:
    """The same number, with the case of each kink that can be told; a comparison without a value raises NoInformation.

    >>> from symprivacy.language.text import parse
    >>> resolved(parse("Max(sqrt(2), 2/sqrt(2), 1) + Piecewise((1, 2**(1/2) == 2/sqrt(2)), (log(1 - 2**(1/2)), True))"))
    Expr('sqrt(2) + 1')
    """
    if not e.has_kink or e.variables:
        return e
    match e.op:
        case "abs":
            u = resolved(e.args[0])
            sign = _sign(u)
            # A number that is seen to be 0 is written so: it may stand under a root, where its enclosure has no value.
            return x.make("abs", (u,)) if sign is None else x.ZERO if sign == 0 else x.neg(u) if sign < 0 else u
        case "min" | "max":
            return _extreme(e.op, [resolved(a) for a in e.args])
        case "piecewise":
            for value, condition in zip(e.args[::2], e.args[1::2], strict=True):
                holds = _truth(condition)
                if holds is None:
                    return e
                if holds:
                    return resolved(value)
            return e
        case _:
            return x.rebuild(e, [resolved(a) for a in e.args])


def _extreme(op: str, args: list[Expr]) -> Expr:
    """The least or greatest, if it can be told from all others."""
    best = args[0]
    for a in args[1:]:
        sign = _sign(x.sub(a, best))
        if sign is None:
            return x.make(op, tuple(args))
        best = a if sign == (1 if op == "max" else -1) or (sign == 0 and x.is_num(a)) else best
    return best


def _sign(difference: Expr) -> int | None:
    sign = constant_sign(difference)
    if sign is None:
        try:
            return 0 if equal(difference, x.ZERO, {}) else None
        except (CertificateError, UnsupportedError):
            return None
    return sign


def _truth(c: Expr) -> bool | None:
    match c.op:
        case "true" | "false":
            return c.op == "true"
        case "not":
            inner = _truth(c.args[0])
            return None if inner is None else not inner
        case "and" | "or":
            known = [_truth(part) for part in c.args]
            decisive = c.op == "or"
            return decisive if decisive in known else None if None in known else not decisive
        case "<" | "<=":
            sign = _sign(x.sub(*(resolved(a) for a in c.args)))
            return None if sign is None else sign < 0 or (sign == 0 and c.op == "<=")
    return None
