"""Identities: two expressions are equal wherever both are defined on a box, shown by a list of rewrites.

Nothing is searched for. Fix a point of the box at which both expressions are defined (whoever asks has seen to that
with ``requirements``, or by an enclosure; where they are not defined nothing is claimed). At the point every part of
them has a value, and each expression becomes a polynomial with the same value: with rational coefficients, in *atoms*
with rational exponents. An atom is a variable, pi, exp of a monomial, log, erfc or erfinv of a polynomial, a polynomial
itself where it stands under a root or below a line, or a part that is not looked into. Exponents of an atom are added
where its powers are multiplied, which is right whenever both powers have a value. The expressions are equal if the
difference of their polynomials, multiplied by what stands below lines, is the polynomial 0.

Always used, because they hold without condition wherever the left side has a value:

* ``exp(u + v) = exp(u)*exp(v)``, ``exp(c*u) = exp(u)**c``, ``exp(log(u)) = u``;
* ``sinh, cosh, tanh`` by exp, ``asinh, acosh, atanh`` by log, ``erf(u) = 1 - erfc(u)``, ``Abs(u) = (u**2)**(1/2)``;
* ``erfc(-u) = 2 - erfc(u)``, ``erfc(erfinv(u)) = 1 - u``, ``erfinv(erf(u)) = u``, ``erfinv(-u) = -erfinv(u)``, the
  values of exp, erfc and erfinv at 0 and of log at 1;
* ``u**0 = 1``; ``u**v = exp(v*log(u))`` for an exponent that is no number, but only if u is enclosed as positive:
  0**v has a value too.

A *rewrite* ``[axiom, part, new]`` says that a part of the expressions, or anything else that has a value at the point,
equals ``new``. Each is verified by the identities known so far, so it is true at the point whatever the others say:

``log``   log(u) = c1*log(v1) + ... + d1*t1 + ...   if u = v1**c1 * ... * exp(t1)**d1 * ..., every v is positive, but
          for one that may stand with c = 1: it is u, which is positive, divided by what is positive
``root``  u**q = b1**c1 * b2**c2 * ...   if q = n/d is a fraction, u = b1**(c1/q) * ... or u**n = b1**(c1*d) * ..., and
          each b is positive or, with c/q > 0, nonnegative (if q < 0 then u > 0, and none is 0); or u = b1**(c1/q) * ...
          and all are positive but for one with c = q: it is u >= 0 divided by what is positive
``same``  f(u, ...) = f(v, ...)   if u = v, ...

Besides, ``new`` must have a value at the point, and so must whatever a rewrite speaks of. What an expression needs for
it is among the needs of those known to have values there, or shown by an enclosure on the box; "positive" and
"nonnegative" are shown in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from math import floor
from typing import Any

from symprivacy.errors import CertificateError, NoInformation, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import Box, intervals
from symprivacy.kernel.calculus import requirements
from symprivacy.kernel.data import from_data, require
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.polynomials import (
    ONE,
    Poly,
    Rational,
    complement,
    factors_of,
    multiply,
    negative,
    plain,
    scaled,
    sum_of,
    terms_of,
    whole_power,
)

MAX_REWRITES = 2000


def equal(a: Expr, b: Expr, box: Box, rewrites: Any = None) -> bool:
    """Whether the rewrites show that a = b wherever both are defined on the box; raises if one of them is not true.

    >>> from symprivacy.language.text import parse
    >>> equal(parse("tanh(x)"), parse("1 - 2/(exp(x)**2 + 1)"), {})
    True
    >>> rewrite = ["log", ["log", ["*", 2, ["exp", "x"]]], ["+", "x", ["log", 2]]]
    >>> equal(parse("log(2*exp(x))"), parse("x + log(2)"), {}, [rewrite])
    True
    >>> equal(parse("sqrt(x**2)"), parse("x"), {}, [["root", ["^", ["^", "x", 2], ["/", 1, 2]], "x"]])
    Traceback (most recent call last):
      ...
    symprivacy.errors.CertificateError: root: Expr('x') may be negative
    """
    known = Identities(box)
    if rewrites:
        names = a.variables | b.variables | frozenset(box)
        require(isinstance(rewrites, list) and len(rewrites) <= MAX_REWRITES, "rewrites are a list, not too long")
        known.admit(a)
        known.admit(b)
        for entry in rewrites:
            require(isinstance(entry, list) and len(entry) == 3, "a rewrite is [axiom, part, new]")
            known.rewrite(entry[0], from_data(entry[1], names), from_data(entry[2], names))
    return a is b or known.same(a, b)


class Identities:
    """What is known at a point of the box."""

    def __init__(self, box: Box) -> None:
        self.intervals = intervals(box, 53)
        # What an atom stands for: a function and its polynomial, "base" and the polynomial itself, or a part as it is.
        self.atoms: list[tuple[str, Any]] = []
        self.places: dict[Hashable, int] = {}
        self.polys: dict[Expr, Poly | None] = {}
        self.new: dict[Expr, Expr] = {}
        # What holds at the point because something has a value there.
        self.needs: set[tuple[Expr, str]] = set()

    def admit(self, e: Expr) -> None:
        """Note that an expression has a value at the point: then whatever it needs for that holds."""
        powers = {n.args[0] for n in x.subexpressions(e) if n.op == "^" and not x.is_num(n.args[1])}
        # 0**v may have a value, so the base of such a power is not known to be positive.
        stack = [(u, need) for u, need in requirements(e) if u not in powers]
        while stack:
            u, need = stack.pop()
            self.needs.add((u, need))
            if need != ">= 0" and (u.op == "*" or (u.op == "^" and x.is_num(u.args[1]) and not x.is_num(u.args[1], 0))):
                # A product that is not 0 has no factor 0.
                stack += [(v, "!= 0") for v in (u.args if u.op == "*" else u.args[:1])]

    def holds(self, u: Expr, need: str) -> bool:
        """Whether u has a value at the point and ``u > 0``, ``u >= 0`` or ``u != 0`` there."""
        if (u, need) in self.needs or (u, "> 0") in self.needs or self.encloses(u, need):
            return True
        # It may be another form of what is known; but only if it has a value, as 0*log(x) is not always 0.
        self.defined(u)
        wanted = self.poly(u)
        for v, known in self.needs:
            p = self.poly(v) if known in (need, "> 0") else {}
            ratio = next((Fraction(c) / p[m] for m, c in wanted.items() if m in p), Fraction(0))
            if (ratio > 0 or (ratio and need == "!= 0")) and wanted == {m: c * ratio for m, c in p.items()}:
                return True
        return False

    def encloses(self, u: Expr, need: str) -> bool:
        """Whether an enclosure shows that u has a value and meets the need on the whole box."""
        try:
            value = enclose(u, self.intervals, 53)
        except (NoInformation, UnsupportedError):
            return False
        sign = iv.sign_known(value)
        return iv.is_nonnegative(value) if need == ">= 0" else sign == 1 or (sign == -1 and need == "!= 0")

    def defined(self, e: Expr) -> None:
        """Raise unless the expression has a value at the point."""
        for u, need in requirements(e):
            require(self.holds(u, need), f"{u!r} {need} is not known")

    def meaning(self, n: Expr) -> Expr | None:
        """A function by others, equal to it wherever it has a value."""
        if n.op == "^" and not x.is_num(n.args[1]):
            base, exponent = n.args
            return x.exp(x.mul(exponent, x.log(base))) if self.encloses(base, "> 0") else None
        return _MEANINGS[n.op](*n.args) if n.op in _MEANINGS else None

    # Polynomials, of expressions that have a value at the point.

    def same(self, a: Expr, b: Expr) -> bool:
        """Whether the polynomials of two expressions are equal once every base is multiplied out."""
        return self.vanishes(self.poly(x.sub(a, b)))

    def vanishes(self, p: Poly) -> bool:
        """Whether a polynomial is 0 once every base is multiplied out.

        A base has only earlier atoms inside, so from the last to the first each is met once. With B**low the least
        power of a base, p = B**low * rest, and p is 0 if rest is; and rest has a value, since B is not 0 if low < 0.
        """
        for place in reversed(range(len(self.atoms))):
            op, base = self.atoms[place]
            powers = {m: dict(m).get(place, 0) for m in p} if op == "base" else {}
            if not any(powers.values()):
                continue
            low = floor(min(powers.values()))
            groups: dict[int, Poly] = {}
            for m, c in p.items():
                whole = floor(powers[m] - low)
                left = ((place, plain(powers[m] - low - whole)), *(f for f in m if f[0] != place))
                groups.setdefault(whole, {})[tuple(sorted(f for f in left if f[1]))] = c
            p = sum_of(*(multiply(group, whole_power(base, whole)) for whole, group in groups.items()))
        return not p

    def poly(self, e: Expr) -> Poly:
        """The polynomial of an expression."""
        if e not in self.polys:
            self.polys[e] = None
            other = self.new.get(e) or self.meaning(e)
            self.polys[e] = self.poly(other) if other is not None else self._poly(e)
        found = self.polys[e]
        if found is None:
            raise CertificateError("the rewrites go round in a circle")
        return found

    def _poly(self, e: Expr) -> Poly:
        match e.op:
            case "num":
                return {(): plain(x.rational(e))} if e.value else {}
            case "+":
                return sum_of(*map(self.poly, e.args))
            case "*":
                product = ONE
                for a in e.args:
                    product = multiply(product, self.poly(a))
                return product
            case "^" if x.is_num(e.args[1]):
                return self._power(self.poly(e.args[0]), plain(x.rational(e.args[1])))
            case "exp" | "log" | "erfc" | "erfinv":
                return self._function(e.op, self.poly(e.args[0]))
        return self._atom("part", e, e)

    def _atom(self, op: str, key: Hashable, content: Any, exponent: Rational = 1) -> Poly:
        place = self.places.setdefault((op, key), len(self.atoms))
        if place == len(self.atoms):
            self.atoms.append((op, content))
        return {((place, exponent),): 1}

    def _inside(self, op: str, p: Poly) -> Poly | None:
        """q, if the polynomial is nothing but this function of q."""
        m = next(iter(p), ())
        if p == {m: 1} and len(m) == 1 == m[0][1] and self.atoms[m[0][0]][0] == op:
            return dict(self.atoms[m[0][0]][1])
        return None

    def _function(self, op: str, p: Poly) -> Poly:
        if op == "exp":
            result = ONE
            for m, c in p.items():
                q = self._inside("log", {m: 1})
                result = multiply(result, self._atom(op, m, {m: 1}, c) if q is None else self._power(q, c))
            return result
        if op == "log" and p == ONE:
            return {}
        # erfc(erfinv(q)) = 1 - q, and erfinv(1 - erfc(q)) = q; erfinv(0) = 0
        if op == "erfc":
            q = self._inside("erfinv", p) if p else {}
            if q is not None:
                return complement(q)
            # Of an argument and its negative one is taken, whichever: erfc(-u) = 2 - erfc(u)
            if p[min(p)] < 0:
                return sum_of({(): 2}, negative(self._function(op, negative(p))))
        if op == "erfinv":
            q = self._inside("erfc", complement(p)) if p else {}
            if q is not None:
                return q
            if p[min(p)] < 0:
                return negative(self._function(op, negative(p)))
        return self._atom(op, frozenset(p.items()), p)

    def _power(self, p: Poly, q: Rational) -> Poly:
        """p**q: taken into a product if no factor can be negative; else the base is an atom."""
        if q == 0 or not p:
            require(q >= 0, "a negative power of 0")
            return ONE if q == 0 else {}
        if q.denominator == 1 and (len(p) == 1 or 0 < q <= 8):
            return whole_power(p, int(q))
        m = next(iter(p))
        # What stands under another root is not negative, nor is an exponential; a single atom is no product.
        apart = all(k.denominator > 1 or self.atoms[a][0] == "exp" for a, k in m)
        if p == {m: 1} and (apart or (len(m) == 1 == m[0][1])):
            return {scaled(m, q): 1}
        return self._atom("base", frozenset(p.items()), p, q)

    # Rewrites.

    def rewrite(self, axiom: Any, part: Expr, new: Expr) -> None:
        """Verify one rewrite, and use it from now on."""
        require(isinstance(axiom, str) and axiom in _AXIOMS, f"unknown axiom {str(axiom)[:20]}")
        require(part not in self.new and part is not new, f"{axiom}: {part!r} is rewritten already")
        self.defined(part)
        require(_AXIOMS[axiom](self, part, new), f"{axiom}: {part!r} is not seen to be {new!r}")
        self.admit(new)
        self.new[part] = new
        if part in self.polys:
            self.polys.clear()

    def by_log(self, part: Expr, new: Expr) -> bool:
        """See ``log`` above."""
        product, loose = [], 0
        for c, t in terms_of(new):
            if t.op != "log":
                self.defined(t)
            elif not self.holds(t.args[0], "> 0"):
                loose += 1
                require(c == 1 and loose == 1, f"log: {t.args[0]!r} may be negative")
            product.append(x.power(t.args[0] if t.op == "log" else x.exp(t), x.num(c)))
        return part.op == "log" and self.same(part.args[0], x.mul(*product))

    def by_root(self, part: Expr, new: Expr) -> bool:
        """See ``root`` above."""
        if part.op != "^" or not x.is_num(part.args[1]) or x.rational(part.args[1]).denominator == 1:
            return False
        u, q, loose = part.args[0], x.rational(part.args[1]), []
        doubtful = [(b, c) for b, c in factors_of(new) if not self.holds(b, "> 0")]
        for b, c in doubtful:
            if c / q <= 0 or not self.holds(b, ">= 0"):
                require(c == q, f"root: {b!r} may be negative")
                loose.append(b)
        require(not loose or len(doubtful) == 1, f"root: {new!r} may have no value")
        if self.same(u, x.mul(*(x.power(b, x.num(c / q)) for b, c in factors_of(new)))):
            return True
        # None of the factors is negative, nor is u: then it is enough that a power of both sides is the same.
        n, d = abs(q.numerator), q.denominator * (1 if q > 0 else -1)
        powers = x.mul(*(x.power(b, x.num(c * d)) for b, c in factors_of(new)))
        return not loose and self.same(x.power(u, x.num(n)), powers)

    def by_same(self, part: Expr, new: Expr) -> bool:
        """See ``same`` above."""
        if part.op != new.op or part.op not in x.FUNCTIONS:
            return False
        self.defined(new.args[0])
        return self.same(part.args[0], new.args[0])


_AXIOMS: dict[str, Callable[[Identities, Expr, Expr], bool]] = {
    "log": Identities.by_log,
    "root": Identities.by_root,
    "same": Identities.by_same,
}
_TWO, _HALF = x.num(2), x.num(Fraction(1, 2))


def _hyperbolic(sign: int) -> Callable[[Expr], Expr]:
    return lambda u: x.mul(_HALF, x.add(x.exp(u), x.mul(x.num(sign), x.exp(x.neg(u)))))


def _inverse_hyperbolic(sign: int) -> Callable[[Expr], Expr]:
    return lambda u: x.log(x.add(u, x.power(x.add(x.power(u, _TWO), x.num(sign)), _HALF)))


_MEANINGS: dict[str, Callable[[Expr], Expr]] = {
    "sinh": _hyperbolic(-1),
    "cosh": _hyperbolic(1),
    "tanh": lambda u: x.sub(x.ONE, x.div(_TWO, x.add(x.exp(x.mul(_TWO, u)), x.ONE))),
    "asinh": _inverse_hyperbolic(1),
    "acosh": _inverse_hyperbolic(-1),
    "atanh": lambda u: x.mul(_HALF, x.sub(x.log(x.add(x.ONE, u)), x.log(x.sub(x.ONE, u)))),
    "erf": lambda u: x.sub(x.ONE, x.call("erfc", u)),
    "abs": lambda u: x.power(x.power(u, _TWO), _HALF),
}
