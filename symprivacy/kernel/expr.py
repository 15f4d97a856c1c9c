"""The expression language of the kernel: immutable, interned trees.

Interned means that equal expressions are the same object, so evaluation and algebra can remember results
by node. The language is small on purpose; whatever is not here cannot appear in a certificate.

====================  =======================================================================
``num``, ``var``      a rational number, a variable
``pi``                the constant; E is written exp(1)
``+ * ^``             n-ary sum, n-ary product, power; differences and quotients are built from these
functions             exp log sinh cosh tanh asinh acosh atanh erf erfc erfinv
``abs min max``       and ``piecewise`` with pairs (value, condition)
conditions            ``< <=`` between expressions, ``and or not``, ``true false``
====================  =======================================================================

A power has its usual value at a point where the exponent is a whole number (1 for the exponent 0, at the base 0 too, no
value for a negative one); elsewhere the base is positive, or 0 with a positive exponent. Where the exponent is not a
number as it stands, enclosures and requirements only know the second case.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from fractions import Fraction
from typing import Any
from weakref import ref

from symprivacy.errors import UnsupportedError

FUNCTIONS = frozenset(
    ["exp", "log", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc", "erfinv", "abs"],
)
KINKED = frozenset(["abs", "min", "max", "piecewise"])
CONDITIONS = frozenset(["<", "<=", "and", "or", "not", "true", "false"])


class Expr:
    """One node; build it with the functions of this module, never directly."""

    __slots__ = ("__weakref__", "_memo", "args", "has_erfc", "has_kink", "op", "rank", "value", "variables")

    op: str
    args: tuple[Expr, ...]
    value: Fraction | str | None
    # Compares nodes by what they are, small ones first, whatever was made before them.
    rank: tuple[Any, ...]
    variables: frozenset[str]
    has_kink: bool
    has_erfc: bool
    _memo: dict[Any, Any]

    def __reduce__(self) -> tuple[Any, ...]:
        return make, (self.op, self.args, self.value)

    def __repr__(self) -> str:
        return f"Expr({_spelling[-1](self)!r})"

    def memo(self) -> dict[Any, Any]:
        """A place for results that depend on this node alone."""
        return self._memo


class _Entry(ref[Expr]):
    """A weak reference to a node, with its key in the table of all nodes."""

    __slots__ = ("key",)

    key: Hashable


# Like a WeakValueDictionary, with half the calls: looking up nodes is most of the work on an expression.
_table: dict[Hashable, _Entry] = {}

# How nodes are written for people, which is known to the module of spelling; until it is loaded, their operation.
_spelling: list[Callable[[Expr], str]] = [lambda e: e.op]


def spelled_by(write: Callable[[Expr], str]) -> None:
    """Show nodes by this function from now on."""
    _spelling.append(write)


def _remove(entry: Any, table: dict[Hashable, _Entry] = _table) -> None:
    # The same content may have got a new node in the meantime.
    key = entry.key
    if table.get(key) is entry:
        del table[key]


_NONE: frozenset[str] = frozenset()


def make(op: str, args: tuple[Expr, ...] = (), value: Fraction | str | None = None) -> Expr:
    """The one node with this content, with no simplification at all."""
    # A Fraction takes long to hash; its two integers do not.
    content = (value.numerator, value.denominator) if type(value) is Fraction else value
    key = (op, content, *map(id, args))
    entry = _table.get(key)
    node = entry() if entry is not None else None
    if node is None:
        node = Expr()
        node.op, node.args, node.value, node._memo = op, args, value, {}
        ranks = [a.rank for a in args]
        node.rank = (1 + sum([r[0] for r in ranks]), op, content, *ranks)
        node.variables = frozenset([str(value)]) if op == "var" else _NONE.union(*[a.variables for a in args])
        node.has_kink = op in KINKED
        node.has_erfc = op == "erfc"
        for a in args:
            node.has_kink = node.has_kink or a.has_kink
            node.has_erfc = node.has_erfc or a.has_erfc
        new = _table[key] = _Entry(node, _remove)
        new.key = key
    return node


def num(value: Fraction | int) -> Expr:
    """A rational number."""
    return make("num", (), value if type(value) is Fraction else Fraction(value))


def var(name: str) -> Expr:
    """A variable."""
    return make("var", (), name)


PI = make("pi")
ZERO, ONE, MINUS_ONE = num(0), num(1), num(-1)
TRUE, FALSE = make("true"), make("false")


def is_num(e: Expr, value: int | None = None) -> bool:
    """Whether the node is a rational number (this one, if given)."""
    return e.op == "num" and (value is None or e.value == value)


def rational(e: Expr) -> Fraction:
    """The value of a number node."""
    if type(e.value) is not Fraction:
        raise UnsupportedError(f"expected a rational number, got {e!r}")
    return e.value


_FLAT_SUM, _FLAT_PRODUCT = frozenset(["num", "+"]), frozenset(["num", "*"])


def add(*terms: Expr) -> Expr:
    """A sum, flattened, with its rational part collected."""
    if len(terms) == 2 and terms[0].op not in _FLAT_SUM and terms[1].op not in _FLAT_SUM:
        return make("+", terms)
    flat: list[Expr] = []
    constant: Fraction | None = None
    for t in terms:
        for s in t.args if t.op == "+" else (t,):
            if s.op == "num":
                constant = rational(s) if constant is None else constant + rational(s)
            else:
                flat.append(s)
    if constant or not flat:
        flat.append(num(constant or 0))
    return flat[0] if len(flat) == 1 else make("+", tuple(flat))


def mul(*factors: Expr) -> Expr:
    """A product, flattened, with its rational part first.

    A zero factor stays beside the others unless they are numbers: ``0*log(x)`` is not 0 where log(x) has no
    value.
    """
    if len(factors) == 2 and factors[0].op not in _FLAT_PRODUCT and factors[1].op not in _FLAT_PRODUCT:
        return make("*", factors)
    flat: list[Expr] = []
    constant: Fraction | None = None
    for f in factors:
        for g in f.args if f.op == "*" else (f,):
            if g.op == "num":
                constant = rational(g) if constant is None else constant * rational(g)
            else:
                flat.append(g)
    if constant is None:
        constant = Fraction(1)
    if constant != 1 or not flat:
        flat.insert(0, num(constant))
    return flat[0] if len(flat) == 1 else make("*", tuple(flat))


def power(base: Expr, exponent: Expr) -> Expr:
    """A power; integer powers of numbers are carried out while they stay small.

    ``u**0`` stays unless u surely has a value: ``log(x)**0`` is not 1 where log(x) has none.
    """
    if exponent is ONE:
        return base
    if exponent is ZERO and base.op in ("num", "var", "pi"):
        return ONE
    if exponent.op == "num":
        n = rational(exponent)
        if base.op == "num" and n.denominator == 1:
            b = rational(base)
            size = max(abs(b.numerator), b.denominator).bit_length()
            if abs(n.numerator) * size <= 4096 and (b or n > 0):
                return num(Fraction(b.denominator, b.numerator) if exponent is MINUS_ONE else b ** int(n))
        if exponent is MINUS_ONE and base.op == "^" and is_num(base.args[1]) and rational(base.args[1]) > 0:
            return make("^", (base.args[0], num(-rational(base.args[1]))))
    return make("^", (base, exponent))


def neg(e: Expr) -> Expr:
    """Minus the expression."""
    if e.op == "num":
        return num(-rational(e))
    return mul(MINUS_ONE, e) if e.op == "*" else make("*", (MINUS_ONE, e))


def sub(a: Expr, b: Expr) -> Expr:
    """A difference."""
    return add(a, neg(b))


def div(a: Expr, b: Expr) -> Expr:
    """A quotient."""
    return mul(a, power(b, MINUS_ONE))


def call(name: str, *args: Expr) -> Expr:
    """A function of the language by name; ``sqrt`` becomes a power."""
    if name == "sqrt" and len(args) == 1:
        return power(args[0], num(Fraction(1, 2)))
    if name in ("min", "max") and args:
        return args[0] if len(args) == 1 else make(name, args)
    if name in FUNCTIONS and len(args) == 1:
        return make(name, args)
    raise UnsupportedError(f"no function {name} of {len(args)} argument(s)")


def exp(e: Expr) -> Expr:
    """exp(e)."""
    return ONE if is_num(e, 0) else make("exp", (e,))


def log(e: Expr) -> Expr:
    """log(e)."""
    return ZERO if is_num(e, 1) else make("log", (e,))


def substitute(e: Expr, mapping: dict[str, Expr]) -> Expr:
    """Replace variables, all at once.

    >>> substitute(add(var("x"), exp(var("x"))), {"x": ZERO})
    Expr('exp(0)')
    """
    done: dict[Expr, Expr] = {}

    def walk(n: Expr) -> Expr:
        if n.op == "var":
            return mapping.get(str(n.value), n)
        if not n.variables & mapping.keys():
            return n
        if n not in done:
            done[n] = rebuild(n, [walk(a) for a in n.args])
        return done[n]

    return walk(e)


def replace(e: Expr, old: Expr, new: Expr) -> Expr:
    """Replace one subexpression everywhere."""
    done: dict[Expr, Expr] = {old: new}

    def walk(n: Expr) -> Expr:
        if n not in done:
            done[n] = rebuild(n, [walk(a) for a in n.args]) if n.args else n
        return done[n]

    return walk(e)


def rebuild(e: Expr, args: Iterable[Expr]) -> Expr:
    """The same operation on other arguments."""
    new = tuple(args)
    if all(a is b for a, b in zip(new, e.args, strict=True)):
        return e
    match e.op:
        case "+":
            return add(*new)
        case "*":
            return mul(*new)
        case "^":
            return power(*new)
        case _:
            return make(e.op, new, e.value)


def subexpressions(e: Expr) -> Iterator[Expr]:
    """Every node once, arguments before what is built from them."""
    seen: set[Expr] = set()
    stack: list[tuple[Expr, bool]] = [(e, False)]
    while stack:
        n, ready = stack.pop()
        if ready:
            yield n
        elif n not in seen:
            seen.add(n)
            stack.append((n, True))
            stack.extend((a, False) for a in n.args)
