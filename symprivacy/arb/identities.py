"""Identities verified anew: the rewrites of a certificate, each one a law of real numbers with its conditions.

The question is always about one point of a box, at which two expressions have values: are these equal? Expressions
become quotients over quantities (see :mod:`symprivacy.arb.quotients`) with the same value at the point; every law is
applied only to what has a value there. Known without a rewrite: exp turns sums into products and undoes log; the
hyperbolic functions are made of exp, their inverses of log; ``erf = 1 - erfc``; ``Abs(u)`` is the root of ``u**2``;
erfinv and erf undo each other and are odd; ``u**v`` is ``exp(v*log(u))`` where u is enclosed as positive. The other
laws are named:

``log``   log of a product of powers, if all bases are positive; one of them, to the power 1, must then be positive too
``root``  a fractional power of a product of powers, if no base is negative; or if all are positive but for one, to the
          power 1, which then is not negative
``same``  a function of two forms of one number

That no rewrites are found, or that they do not suffice, proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from symprivacy.arb import span as s
from symprivacy.arb import tree as t
from symprivacy.arb.calculus import needs
from symprivacy.arb.domain import Box, demand, spans
from symprivacy.arb.enclose import bits, enclose
from symprivacy.arb.functions import FUNCTIONS
from symprivacy.arb.quotients import Again, Quotient, Ring, Table
from symprivacy.arb.reader import read
from symprivacy.arb.tree import HALF, MINUS, ONE, TWO, Node
from symprivacy.errors import CertificateError, NoInformation

_RESTARTS, _MAX_REWRITES = 200, 2000


def equal(a: Node, b: Node, box: Box, rewrites: Any = None) -> bool:
    """Whether the rewrites show that a = b where both have values on the box; raises if one of them is not shown.

    >>> left, right = ["log", ["*", 2, ["exp", "x"]]], ["+", "x", ["log", 2]]
    >>> equal(read(left, frozenset("x")), read(right, frozenset("x")), {}, [["log", left, right]])
    True
    """
    listed = [] if rewrites is None else rewrites
    demand(isinstance(listed, list) and len(listed) <= _MAX_REWRITES, "rewrites are a list, not too long")
    names = a.names | b.names | frozenset(box)
    steps = []
    for entry in listed:
        demand(isinstance(entry, list) and len(entry) == 3, "a rewrite has three entries")
        steps.append((entry[0], read(entry[1], names), read(entry[2], names)))
    table = Table()
    for _ in range(_RESTARTS):
        try:
            point = _Point(box, table)
            if steps:
                point.learn(a)
                point.learn(b)
            for law, old, new in steps:
                point.rewrite(law, old, new)
            return a is b or point.agree(a, b)
        except Again:
            continue
    raise CertificateError("the identity has too many roots")


class _Point:
    """A point of a box, and what is known to have a value there."""

    def __init__(self, box: Box, table: Table) -> None:
        with bits(53):
            self.box = spans(box)
        self.ring = Ring(table)
        self.values: dict[Node, Quotient] = {}
        self.replaced: dict[Node, Node] = {}
        self.open: set[Node] = set()
        self.facts: set[tuple[Node, str]] = set()

    # What has a value, and what sign.

    def learn(self, e: Node) -> None:
        """The expression has a value, so its needs are met."""
        # A power with a variable exponent may have a value where its base is 0.
        vague = {n.args[0] for n in t.parts(e) if n.op == "**" and not t.is_number(n.args[1])}
        for u, need in needs(e):
            if u not in vague:
                self._note(u, need)

    def _note(self, u: Node, need: str) -> None:
        self.facts.add((u, need))
        if need != ">= 0":
            # Powers of 0 are 0, but for the power 0.
            is_power = u.op == "**" and t.is_number(u.args[1]) and u.args[1].value != 0
            for v in u.args if u.op == "*" else u.args[:1] if is_power else ():
                self._note(v, "!= 0")

    def _enclosed(self, u: Node, need: str) -> bool:
        try:
            with bits(53):
                v = enclose(u, self.box)
        except (NoInformation, CertificateError):
            return False
        return s.never_negative(v) if need == ">= 0" else s.sign(v) == 1 or (need == "!= 0" and s.sign(v) == -1)

    def is_met(self, u: Node, need: str) -> bool:
        """Whether u has a value that meets a need: so do other things that have values, or an enclosure shows it."""
        if (u, "> 0") in self.facts or (u, need) in self.facts or self._enclosed(u, need):
            return True
        # Of two forms of one number one may have no value: x*(y/y) where y is 0.
        self.demand_value(u)
        wanted = self.value(u)
        for v, known in self.facts:
            if known in ("> 0", need) and not wanted.num.is_zero():
                have = self.value(v)
                ratio = wanted.num.leading_coefficient() / have.num.leading_coefficient() if len(have.num) else 0
                if (ratio > 0 or (ratio and need == "!= 0")) and self.ring.scaled(have, ratio).key() == wanted.key():
                    return True
        return False

    def demand_value(self, e: Node) -> None:
        """Raise unless the expression has a value."""
        for u, need in needs(e):
            demand(self.is_met(u, need), f"{u} {need} is not known")

    # Values as quotients.

    def agree(self, a: Node, b: Node) -> bool:
        """Whether two expressions with values have the same one."""
        return self.ring.is_zero(self.ring.minus(self.value(a), self.value(b)))

    def definition(self, n: Node) -> Node | None:
        """The same by other functions, wherever it has a value."""
        if n.op == "**" and not t.is_number(n.args[1]):
            base, exponent = n.args
            return t.exp(t.times(exponent, t.log(base))) if self._enclosed(base, "> 0") else None
        return _DEFINITIONS[n.op](n.args[0]) if n.op in _DEFINITIONS else None

    def value(self, e: Node) -> Quotient:
        """The value of an expression at the point, as a quotient."""
        if e not in self.values:
            demand(e not in self.open, "the rewrites go in a circle")
            self.open.add(e)
            other = self.replaced.get(e) or self.definition(e)
            self.values[e] = self._value(e) if other is None else self.value(other)
            self.open.discard(e)
        return self.values[e]

    def _value(self, e: Node) -> Quotient:
        ring = self.ring
        match e.op:
            case "number":
                return ring.number(e.value)
            case "+" | "*":
                combine = ring.add if e.op == "+" else ring.times
                result = self.value(e.args[0])
                for a in e.args[1:]:
                    result = combine(result, self.value(a))
                return result
            case "**" if t.is_number(e.args[1]):
                return self._power(self.value(e.args[0]), e.args[1].value)
            case "exp":
                return self._exp(self.value(e.args[0]))
            case "log" | "erfc" | "erfinv":
                return self._function(e.op, self.value(e.args[0]))
        return ring.quantity("part", e, e)

    def _only(self, kind: str, q: Quotient) -> Quotient | None:
        """What is inside, if the quotient is just one quantity of this kind."""
        exponents = self.ring.exponents(q)
        if len(exponents) == 1 and list(exponents[0].values()) == [1] and q.num.coeffs()[0] == 1:
            (i,) = exponents[0]
            if self.ring.kinds[i][0] == kind:
                inside: Quotient = self.ring.kinds[i][1]
                return inside
        return None

    def _exp(self, q: Quotient) -> Quotient:
        """A term c*m gives exp(m)**c; m = log(v) gives v**c."""
        result = self.ring.one
        for m, c in q.num.terms():
            part = self.ring.lowest(self.ring.ctx.from_dict({tuple(map(int, m)): 1}), q.den)
            k, inside = Fraction(int(c.p), int(c.q)), self._only("log", part)
            factor = self.ring.quantity("exp", part.key(), part, k) if inside is None else self._power(inside, k)
            result = self.ring.times(result, factor)
        return result

    def _function(self, op: str, q: Quotient) -> Quotient:
        ring = self.ring
        if q.num.is_zero() and op != "log":
            return ring.one if op == "erfc" else ring.zero
        if op == "log" and q.key() == ring.one.key():
            return ring.zero
        if op == "erfc":
            inside = self._only("erfinv", q)
            if inside is not None:
                return ring.minus(ring.one, inside)
            if q.num.coeffs()[0] < 0:
                # erf is odd, so erfc(q) - 1 = 1 - erfc(-q).
                return ring.minus(ring.number(Fraction(2)), self._function(op, ring.minus(ring.zero, q)))
        if op == "erfinv":
            for sign in (ring.one, ring.minus(ring.zero, ring.one)):
                inside = self._only("erfc", ring.minus(ring.one, ring.times(sign, q)))
                if inside is not None:
                    return ring.times(sign, inside)
            if q.num.coeffs()[0] < 0:
                return ring.minus(ring.zero, self._function(op, ring.minus(ring.zero, q)))
        return ring.quantity(op, q.key(), q)

    def _power(self, q: Quotient, k: Fraction) -> Quotient:
        """q**k, which has a value."""
        if k == 0:
            return self.ring.one
        if q.num.is_zero():
            demand(k > 0, "a power of 0 that has no value")
            return q
        single = len(q.num) == 1
        if k.denominator == 1 and (single or 0 < k <= 8):
            return self.ring.raised(q, int(k))
        if single:
            (c,), (exponents,) = q.num.coeffs(), self.ring.exponents(q)
            # exp is positive, and what has a fractional power is not negative; a lone quantity need not be split.
            apart = all(n.denominator > 1 or self.ring.kinds[i][0] == "exp" for i, n in exponents.items())
            if c == 1 and (apart or list(exponents.values()) == [1]):
                result = self.ring.one
                for i, n in exponents.items():
                    result = self.ring.times(result, self.ring.power(i, n * k))
                return result
        return self.ring.quantity("base", q.key(), q, k)

    # Rewrites.

    def rewrite(self, law: Any, old: Node, new: Node) -> None:
        """Raise unless the law gives old = new; from now on new stands for old."""
        demand(isinstance(law, str) and law in _LAWS, f"unknown law {str(law)[:20]}")
        demand(old not in self.replaced and old is not new, f"{old} is rewritten twice")
        self.demand_value(old)
        demand(_LAWS[law](self, old, new), f"{law}: {old} is not seen to be {new}")
        self.learn(new)
        self.replaced[old] = new
        if old in self.values:
            self.values.clear()

    def log_law(self, old: Node, new: Node) -> bool:
        """log(u) = sum of c*log(v) and d*w, where u = product of v**c and exp(w)**d."""
        factors, free = [], 0
        for c, w in _summands(new):
            is_log = w.op == "log"
            if is_log and self.is_met(w.args[0], "> 0"):
                factors.append(t.power(w.args[0], t.number(c)))
                continue
            self.demand_value(w.args[0] if is_log else w)
            free += is_log
            demand(not is_log or c == 1, f"log: {w} may have no value")
            factors.append(w.args[0] if is_log else t.power(t.exp(w), t.number(c)))
        return old.op == "log" and free <= 1 and self.agree(old.args[0], t.times(*factors))

    def root_law(self, old: Node, new: Node) -> bool:
        """u**q = product of v**c, where u = product of v**(c/q)."""
        demand(old.op == "**" and t.is_number(old.args[1]), "root: not a power with a rational exponent")
        u, q = old.args[0], old.args[1].value
        demand(q.denominator > 1, "root: not a fractional power")
        factors, free, zero = list(_multiplicands(new)), 0, 0
        for v, c in factors:
            if self.is_met(v, "> 0"):
                continue
            self.demand_value(v)
            if c / q > 0 and self.is_met(v, ">= 0"):
                # v may be 0; then so is u, and with a negative q there is no such point.
                zero += 1
            else:
                demand(c == q, f"root: {v} may be negative")
                free += 1
        demand(free == 0 or (free == 1 and zero == 0), f"root: {new} may have no value")
        if self.agree(u, t.times(*(t.power(v, t.number(c / q)) for v, c in factors))):
            return True
        if free:
            return False
        # Numbers that are not negative are equal if a power of them is: new**d = u**n for q = n/d.
        n, d = q.numerator, q.denominator
        n, d = (n, d) if q > 0 else (-n, -d)
        return self.agree(t.power(u, t.number(n)), t.times(*(t.power(v, t.number(c * d)) for v, c in factors)))

    def same_law(self, old: Node, new: Node) -> bool:
        """f(u) = f(v), where u = v."""
        demand(old.op == new.op and (old.op in FUNCTIONS or old.op == "Abs"), "same: not the same function")
        self.demand_value(new.args[0])
        return self.agree(old.args[0], new.args[0])


_LAWS: dict[str, Callable[[_Point, Node, Node], bool]] = {
    "log": _Point.log_law,
    "root": _Point.root_law,
    "same": _Point.same_law,
}


def _summands(e: Node) -> Iterator[tuple[Fraction, Node]]:
    for a in e.args if e.op == "+" else (e,):
        if t.is_number(a):
            yield a.value, ONE
        elif a.op == "*" and t.is_number(a.args[0]):
            yield a.args[0].value, t.times(*a.args[1:])
        else:
            yield Fraction(1), a


def _multiplicands(e: Node) -> Iterator[tuple[Node, Fraction]]:
    for a in e.args if e.op == "*" else (e,):
        is_power = a.op == "**" and t.is_number(a.args[1])
        yield (a.args[0], a.args[1].value) if is_power else (a, Fraction(1))


def _mean(sign: Node) -> Callable[[Node], Node]:
    return lambda u: t.times(HALF, t.total(t.exp(u), t.times(sign, t.exp(t.minus(u)))))


def _inverse(sign: Node) -> Callable[[Node], Node]:
    return lambda u: t.log(t.total(u, t.power(t.total(t.power(u, TWO), sign), HALF)))


_DEFINITIONS: dict[str, Callable[[Node], Node]] = {
    "sinh": _mean(MINUS),
    "cosh": _mean(ONE),
    "tanh": lambda u: t.difference(ONE, t.times(TWO, t.power(t.total(t.exp(t.times(TWO, u)), ONE), MINUS))),
    "asinh": _inverse(ONE),
    "acosh": _inverse(MINUS),
    "atanh": lambda u: t.times(HALF, t.difference(t.log(t.total(ONE, u)), t.log(t.difference(ONE, u)))),
    "erf": lambda u: t.difference(ONE, t.node("erfc", u)),
    "Abs": lambda u: t.power(t.power(u, TWO), HALF),
}
