"""Signs of expressions on a box as tactics, and the facts that ``field`` and derivatives ask for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from symprivacy.coq.bounds import EFFORTS, Bounds
from symprivacy.coq.ends import HI, LO
from symprivacy.coq.terms import term
from symprivacy.kernel import expr as x
from symprivacy.kernel.domain import Box
from symprivacy.kernel.expr import Expr


def sign_proof(e: Expr, strict: bool, box: Box) -> str | None:
    """A tactic for ``0 < e`` or ``0 <= e`` on the box, or None.

    >>> from symprivacy.kernel.domain import box_from_texts
    >>> from symprivacy.kernel.text import parse
    >>> sign_proof(parse("x + exp(x) - 1"), True, box_from_texts(["x in (0, oo)"])).count("assert")
    3
    """
    if e.op == "num":
        return "lra" if x.rational(e) > 0 or (x.rational(e) == 0 and not strict) else None
    for effort in range(len(EFFORTS)):
        bounds = Bounds(box, effort)
        sign, nonzero = bounds.sign(e)
        if sign == 1 and (nonzero or not strict):
            label = bounds.show(e, LO)
            return "; ".join([*bounds.lines, _concluded(e, label)])
    return None


def _concluded(e: Expr, label: str) -> str:
    return f"clear - {label}; revert {label}; generalize {term(e)}; intros; lra"


def side_facts(expressions: Iterable[Expr], box: Box, tag: str = "X") -> list[str]:
    """Assertions that divisors are not 0 and what stands under logs and roots is positive, as far as that is seen.

    The tag begins their names, which have to be new.
    """
    bounds, lines = Bounds(box, tag=tag), list[str]()
    for i, (e, claim) in enumerate(dict.fromkeys(_needs(expressions))):
        sign, nonzero = bounds.sign(e)
        if nonzero and (sign == 1 or claim != "0 < "):
            label = bounds.show(e, LO if sign == 1 else HI)
            wanted = f"0 < {term(e)}" if claim else f"{term(e)} <> 0"
            lines += [*bounds.lines, f"assert ({tag}N{i} : {wanted}) by ({_concluded(e, label)})"]
            bounds.lines.clear()
    return lines


def _needs(expressions: Iterable[Expr]) -> Iterator[tuple[Expr, str]]:
    for n in (n for e in expressions for n in x.subexpressions(e)):
        if n.op == "log" or (n.op == "^" and x.is_num(n.args[1]) and x.rational(n.args[1]).denominator == 2):
            yield n.args[0], "0 < "
        if n.op == "^" and x.is_num(n.args[1]) and x.rational(n.args[1]) < 0:
            yield from ((factor, "") for factor in _factors(n.args[0]))


def _factors(e: Expr) -> Iterator[Expr]:
    """What has to be nonzero for a product of powers to be so."""
    if e.op == "*":
        for a in e.args:
            yield from _factors(a)
    elif e.op == "^" and x.is_num(e.args[1]) and x.rational(e.args[1]).denominator == 1:
        yield from _factors(e.args[0])
    elif e.op != "num":
        yield e
