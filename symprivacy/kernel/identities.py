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

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from math import comb, floor, prod
from typing import Any, TypeAlias

from symprivacy.errors import CertificateError, NoInformation, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import Box, intervals
from symprivacy.kernel.calculus import requirements
from symprivacy.kernel.data import from_data
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr

# Whole numbers are kept as int, which is several times faster than Fraction; the two compare and hash alike.
Rational: TypeAlias = int | Fraction
Monomial: TypeAlias = tuple[tuple[int, Rational], ...]
Poly: TypeAlias = dict[Monomial, Rational]
MAX_TERMS, MAX_BITS, MAX_REWRITES = 4000, 100_000, 2000
_ONE: Poly = {(): 1}


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
        _require(isinstance(rewrites, list) and len(rewrites) <= MAX_REWRITES, "rewrites are a list, not too long")
        known.admit(a)
        known.admit(b)
        for entry in rewrites:
            _require(isinstance(entry, list) and len(entry) == 3, "a rewrite is [axiom, part, new]")
            known.rewrite(entry[0], from_data(entry[1], names), from_data(entry[2], names))
    return a is b or known.same(a, b)


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise CertificateError(message)


def _plain(q: Rational) -> Rational:
    return q.numerator if q.denominator == 1 else q


def _sum(*polys: Poly) -> Poly:
    total: Poly = {}
    for p in polys:
        for m, c in p.items():
            value = total.get(m, 0) + c
            if value:
                total[m] = _plain(value)
            else:
                total.pop(m, None)
    return total


def _negative(p: Poly) -> Poly:
    return {m: -c for m, c in p.items()}


def _complement(p: Poly) -> Poly:
    return _sum(_ONE, _negative(p))


def _multiply(p: Poly, q: Poly) -> Poly:
    _require(len(p) * len(q) <= 20 * MAX_TERMS, "a product has too many terms")
    result: Poly = {}
    for m1, c1 in p.items():
        for m2, c2 in q.items():
            exponents = dict(m1)
            for a, k in m2:
                exponents[a] = _plain(exponents.get(a, 0) + k)
            m = tuple(sorted((a, k) for a, k in exponents.items() if k))
            result[m] = result.get(m, 0) + c1 * c2
    _require(len(result) <= MAX_TERMS, "a polynomial has too many terms")
    return {m: _plain(c) for m, c in result.items() if c}


def _whole_power(p: Poly, n: int) -> Poly:
    """p**n; a negative power only of a single term."""
    if len(p) == 1:
        ((m, c),) = p.items()
        _require(max(abs(c.numerator), c.denominator).bit_length() * abs(n) <= MAX_BITS, "a number is too large")
        return {_scaled(m, n): _plain(Fraction(c) ** n)}
    _require(0 <= n <= MAX_TERMS and comb(len(p) + n - 1, n) <= MAX_TERMS, "a power is too large to be multiplied out")
    result = _ONE
    for _ in range(n):
        result = _multiply(result, p)
    return result


def _scaled(m: Monomial, q: Rational) -> Monomial:
    return tuple((a, _plain(k * q)) for a, k in m)


def _terms(e: Expr) -> Iterator[tuple[Fraction, Expr]]:
    """A sum as numbers times expressions."""
    for t in e.args if e.op == "+" else (e,):
        factors = t.args if t.op == "*" else (t,)
        number = prod((x.rational(f) for f in factors if f.op == "num"), start=Fraction(1))
        yield number, x.mul(*(f for f in factors if f.op != "num"))


def _factors(e: Expr) -> Iterator[tuple[Expr, Fraction]]:
    """A product as powers of expressions."""
    for f in e.args if e.op == "*" else (e,):
        yield (f.args[0], x.rational(f.args[1])) if f.op == "^" and x.is_num(f.args[1]) else (f, Fraction(1))


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
            _require(self.holds(u, need), f"{u!r} {need} is not known")

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
                left = ((place, _plain(powers[m] - low - whole)), *(f for f in m if f[0] != place))
                groups.setdefault(whole, {})[tuple(sorted(f for f in left if f[1]))] = c
            p = _sum(*(_multiply(group, _whole_power(base, whole)) for whole, group in groups.items()))
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
                return {(): _plain(x.rational(e))} if e.value else {}
            case "+":
                return _sum(*map(self.poly, e.args))
            case "*":
                product = _ONE
                for a in e.args:
                    product = _multiply(product, self.poly(a))
                return product
            case "^" if x.is_num(e.args[1]):
                return self._power(self.poly(e.args[0]), _plain(x.rational(e.args[1])))
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
            result = _ONE
            for m, c in p.items():
                q = self._inside("log", {m: 1})
                result = _multiply(result, self._atom(op, m, {m: 1}, c) if q is None else self._power(q, c))
            return result
        if op == "log" and p == _ONE:
            return {}
        # erfc(erfinv(q)) = 1 - q, and erfinv(1 - erfc(q)) = q; erfinv(0) = 0
        if op == "erfc":
            q = self._inside("erfinv", p) if p else {}
            if q is not None:
                return _complement(q)
            # Of an argument and its negative one is taken, whichever: erfc(-u) = 2 - erfc(u)
            if p[min(p)] < 0:
                return _sum({(): 2}, _negative(self._function(op, _negative(p))))
        if op == "erfinv":
            q = self._inside("erfc", _complement(p)) if p else {}
            if q is not None:
                return q
            if p[min(p)] < 0:
                return _negative(self._function(op, _negative(p)))
        return self._atom(op, frozenset(p.items()), p)

    def _power(self, p: Poly, q: Rational) -> Poly:
        """p**q: taken into a product if no factor can be negative; else the base is an atom."""
        if q == 0 or not p:
            _require(q >= 0, "a negative power of 0")
            return _ONE if q == 0 else {}
        if q.denominator == 1 and (len(p) == 1 or 0 < q <= 8):
            return _whole_power(p, int(q))
        m = next(iter(p))
        # What stands under another root is not negative, nor is an exponential; a single atom is no product.
        apart = all(k.denominator > 1 or self.atoms[a][0] == "exp" for a, k in m)
        if p == {m: 1} and (apart or (len(m) == 1 == m[0][1])):
            return {_scaled(m, q): 1}
        return self._atom("base", frozenset(p.items()), p, q)

    # Rewrites.

    def rewrite(self, axiom: Any, part: Expr, new: Expr) -> None:
        """Verify one rewrite, and use it from now on."""
        _require(isinstance(axiom, str) and axiom in _AXIOMS, f"unknown axiom {str(axiom)[:20]}")
        _require(part not in self.new and part is not new, f"{axiom}: {part!r} is rewritten already")
        self.defined(part)
        _require(_AXIOMS[axiom](self, part, new), f"{axiom}: {part!r} is not seen to be {new!r}")
        self.admit(new)
        self.new[part] = new
        if part in self.polys:
            self.polys.clear()

    def by_log(self, part: Expr, new: Expr) -> bool:
        """See ``log`` above."""
        product, loose = [], 0
        for c, t in _terms(new):
            if t.op != "log":
                self.defined(t)
            elif not self.holds(t.args[0], "> 0"):
                loose += 1
                _require(c == 1 and loose == 1, f"log: {t.args[0]!r} may be negative")
            product.append(x.power(t.args[0] if t.op == "log" else x.exp(t), x.num(c)))
        return part.op == "log" and self.same(part.args[0], x.mul(*product))

    def by_root(self, part: Expr, new: Expr) -> bool:
        """See ``root`` above."""
        if part.op != "^" or not x.is_num(part.args[1]) or x.rational(part.args[1]).denominator == 1:
            return False
        u, q, loose = part.args[0], x.rational(part.args[1]), []
        doubtful = [(b, c) for b, c in _factors(new) if not self.holds(b, "> 0")]
        for b, c in doubtful:
            if c / q <= 0 or not self.holds(b, ">= 0"):
                _require(c == q, f"root: {b!r} may be negative")
                loose.append(b)
        _require(not loose or len(doubtful) == 1, f"root: {new!r} may have no value")
        if self.same(u, x.mul(*(x.power(b, x.num(c / q)) for b, c in _factors(new)))):
            return True
        # None of the factors is negative, nor is u: then it is enough that a power of both sides is the same.
        n, d = abs(q.numerator), q.denominator * (1 if q > 0 else -1)
        powers = x.mul(*(x.power(b, x.num(c * d)) for b, c in _factors(new)))
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
