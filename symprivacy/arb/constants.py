"""Constants with Abs, Min, Max or Piecewise: the case that applies in place of each, where Arb or an identity tells."""

from __future__ import annotations

from symprivacy.arb import tree as t
from symprivacy.arb.enclose import constant_sign
from symprivacy.arb.identities import equal
from symprivacy.errors import CertificateError


def plain(e: t.Node) -> t.Node:
    """The same number with fewer kinks; a comparison of what has no value raises NoInformation.

    >>> plain(t.node("Max", t.number(1), t.node("Abs", t.MINUS), t.ZERO))
    1
    """
    return e if e.names else t.mapped(e, _case)


def _case(n: t.Node) -> t.Node | None:
    match n.op:
        case "Abs":
            u = plain(n.args[0])
            order = _order(u, t.ZERO)
            if order == 0:
                return t.ZERO
            return t.node("Abs", u) if order is None else t.minus(u) if order < 0 else u
        case "Min" | "Max":
            wanted = 1 if n.op == "Max" else -1
            args = [plain(a) for a in n.args]
            # Of equal ones a plain number comes first: it may stand under a root.
            for a in sorted(args, key=lambda a: a.op != "number"):
                others = [_order(a, b) for b in args if b is not a]
                if all(order in (0, wanted) for order in others):
                    return a
            return t.node(n.op, *args)
        case "Piecewise":
            for branch, condition in zip(n.args[::2], n.args[1::2], strict=True):
                match _holds(condition):
                    case True:
                        return plain(branch)
                    case None:
                        return n
            return n
    return None


def _order(a: t.Node, b: t.Node) -> int | None:
    """The sign of a - b, both of which have values."""
    gap = t.difference(a, b)
    sign = constant_sign(gap)
    if sign is not None:
        return sign
    try:
        return 0 if equal(gap, t.ZERO, {}) else None
    except CertificateError:
        return None


def _holds(c: t.Node) -> bool | None:
    if c.op in ("true", "false"):
        return c.op == "true"
    if c.op in ("<", "<="):
        order = _order(plain(c.args[0]), plain(c.args[1]))
        return None if order is None else order == -1 or (order == 0 and c.op == "<=")
    truths = [_holds(part) for part in c.args]
    if c.op == "not":
        return None if truths[0] is None else not truths[0]
    if c.op == "and":
        return False if False in truths else None if None in truths else True
    if c.op == "or":
        return True if True in truths else None if None in truths else False
    return None
