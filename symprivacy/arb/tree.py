"""Expressions as the second checker sees them: nodes that are one object when they are equal.

The certificate language fixes how a text becomes a tree, because a certificate may name a part of an expression:
sums and products are flat, the rational part of a sum stands last and that of a product first, a difference is a
sum with a factor -1, a quotient a product with a power -1, ``sqrt(u)`` is ``u**(1/2)`` and ``E`` is ``exp(1)``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any
from weakref import WeakValueDictionary

BENT = frozenset(["Abs", "Min", "Max", "Piecewise"])


class Node:
    """``op`` with arguments; a number has its value in ``value``, a variable its name."""

    __slots__ = ("__weakref__", "args", "names", "op", "value")

    op: str
    args: tuple[Node, ...]
    value: Any
    names: frozenset[str]

    def __repr__(self) -> str:
        return show(self)


_known: WeakValueDictionary[tuple[Any, ...], Node] = WeakValueDictionary()


def node(op: str, *args: Node, value: Any = None) -> Node:
    """The node with this content, as it stands."""
    key = (op, value, args)
    found = _known.get(key)
    if found is None:
        found = Node()
        found.op, found.args, found.value = op, args, value
        own = frozenset([value]) if op == "name" else frozenset[str]()
        found.names = own.union(*(a.names for a in args))
        _known[key] = found
    return found


def number(value: Fraction | int) -> Node:
    """A rational number."""
    return node("number", value=value if type(value) is Fraction else Fraction(value))


def name(text: str) -> Node:
    """A variable."""
    return node("name", value=text)


ZERO, ONE, MINUS, TWO, HALF = (number(Fraction(v)) for v in ("0", "1", "-1", "2", "1/2"))
PI = node("pi")


def is_number(e: Node, value: int | None = None) -> bool:
    """Whether a node is a rational number (this one, if given)."""
    return e.op == "number" and (value is None or e.value == value)


def total(*terms: Node) -> Node:
    """A sum."""
    rational, rest = ZERO, list[Node]()
    for t in terms:
        for part in t.args if t.op == "+" else (t,):
            if part.op == "number":
                rational = part if rational is ZERO else number(rational.value + part.value)
            else:
                rest.append(part)
    if rational is not ZERO or not rest:
        rest.append(rational)
    return node("+", *rest) if len(rest) > 1 else rest[0]


def times(*factors: Node) -> Node:
    """A product; a factor 0 does not remove the others, which may have no value."""
    rational, rest = ONE, list[Node]()
    for f in factors:
        for part in f.args if f.op == "*" else (f,):
            if part.op == "number":
                rational = part if rational is ONE else number(rational.value * part.value)
            else:
                rest.append(part)
    if rational is not ONE or not rest:
        rest.insert(0, rational)
    return node("*", *rest) if len(rest) > 1 else rest[0]


def minus(e: Node) -> Node:
    """The negative."""
    return times(MINUS, e)


def difference(a: Node, b: Node) -> Node:
    """a - b."""
    return total(a, minus(b))


def power(base: Node, exponent: Node) -> Node:
    """A power; small integer powers of numbers are numbers."""
    if is_number(exponent, 1):
        return base
    if is_number(exponent, 0) and base.op in ("number", "name", "pi"):
        return ONE
    if (
        is_number(base)
        and is_number(exponent)
        and exponent.value.denominator == 1
        and (base.value or exponent.value > 0)
    ):
        digits = max(abs(base.value.numerator), base.value.denominator).bit_length()
        if digits * abs(exponent.value) <= 4096:
            return number(base.value ** int(exponent.value))
    if is_number(exponent, -1) and base.op == "**" and is_number(base.args[1]) and base.args[1].value > 0:
        return node("**", base.args[0], number(-base.args[1].value))
    return node("**", base, exponent)


def exp(e: Node) -> Node:
    """exp(e)."""
    return ONE if is_number(e, 0) else node("exp", e)


def log(e: Node) -> Node:
    """log(e)."""
    return ZERO if is_number(e, 1) else node("log", e)


def mapped(e: Node, leaf: Callable[[Node], Node | None]) -> Node:
    """The tree with some nodes replaced: where ``leaf`` answers None, the arguments are looked at."""
    done: dict[Node, Node] = {}

    def walk(n: Node) -> Node:
        if n not in done:
            new = leaf(n)
            done[n] = _again(n, tuple(walk(a) for a in n.args)) if new is None else new
        return done[n]

    return walk(e)


def _again(n: Node, args: tuple[Node, ...]) -> Node:
    if args == n.args:
        return n
    match n.op:
        case "+":
            return total(*args)
        case "*":
            return times(*args)
        case "**":
            return power(*args)
    return node(n.op, *args, value=n.value)


def put(e: Node, values: Mapping[str, Node]) -> Node:
    """Expressions in place of variables, all at once."""
    return mapped(e, lambda n: values.get(n.value) if n.op == "name" else None if n.names & values.keys() else n)


def swap(e: Node, old: Node, new: Node) -> Node:
    """One part in place of another, everywhere."""
    return mapped(e, lambda n: new if n is old else None)


def parts(e: Node) -> Iterator[Node]:
    """Every node once, arguments first, the last argument before the others."""
    seen: set[Node] = set()
    stack = [(e, False)]
    while stack:
        n, expanded = stack.pop()
        if expanded:
            yield n
        elif n not in seen:
            seen.add(n)
            stack.append((n, True))
            stack += [(a, False) for a in n.args]


def show(e: Node) -> str:
    """For messages: every operation in brackets, so that nothing can be misread.

    >>> total(name("x"), number(1))
    (x + 1)
    """
    if e.op in ("number", "name"):
        return str(e.value)
    if e.op in ("+", "*", "**", "<", "<=", "and", "or"):
        return "(" + f" {e.op} ".join(map(show, e.args)) + ")"
    return e.op + (f"({', '.join(map(show, e.args))})" if e.args else "")
