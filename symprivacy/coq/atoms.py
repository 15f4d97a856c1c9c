"""What ``field`` does not know of exp, ln and sqrt: calls of them written in one way, so that equal ones look equal.

``exp(2*x - y)`` becomes ``exp(x)^2 / exp(y)`` beside ``exp(x)``; where that is not enough, logarithms and roots are
taken apart as the kernel's algebra does, ``ln(2*x)`` into ``ln 2 + ln x``. Coq proves every such step.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm

from symprivacy.algebra.normal import algebra_on
from symprivacy.algebra.polynomials import Quotient, to_expr
from symprivacy.coq.signs import opaque, side_facts, sign_proof
from symprivacy.coq.terms import plain, term, unsimplified
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Box
from symprivacy.kernel.expr import Expr

_HALF, _TWO = x.num(Fraction(1, 2)), x.num(2)


def equality(label: str, left: Expr, right: Expr, box: Box) -> str:
    """A sentence that asserts and proves that two expressions are equal on the box."""
    seen: list[Expr] = []
    first, left_aligned = _align(left, box, seen)
    second, right_aligned = _align(right, box, seen)
    steps = [f"try ({line})." for line in dict.fromkeys([*first, *second])]
    steps += equal_steps([left_aligned, right_aligned], box, deep=not _is_evident(left_aligned, right_aligned))
    return f"assert ({label} : {term(left)} = {term(right)}). {{ {' '.join(steps)} }}"


def _align(e: Expr, box: Box, seen: list[Expr]) -> tuple[list[str], Expr]:
    """Tactics that simplify the arguments of calls, and the expression after them: ``ln(3*(1/2))`` is ``ln(3/2)``.

    Roots and logarithms of equal expressions are written alike, as the first of them among those ``seen``.
    """
    lines: dict[str, None] = {}
    done: dict[Expr, Expr] = {}
    for n in x.subexpressions(e):
        m = x.make(n.op, tuple(done[a] for a in n.args), n.value) if n.args else n
        if m.op in ("exp", "log") or _is_root(m):
            simple = _simplified(m.args[0])
            if m.op != "exp":
                simple = next((u for u in seen if u is simple or _is_evident(u, simple)), simple)
                seen.append(simple)
            new = x.make(m.op, (simple, *m.args[1:]))
            calls = [x.make("^", (c.args[0], _HALF)) if c.op == "^" else c for c in (m, new)]
            if term(calls[0]) != term(calls[1]):
                lines[f"replace {term(calls[0])} with {term(calls[1])} by (f_equal; same)"] = None
            m = new
        elif m.op == "^" and m.args[1] is _TWO and _is_root(m.args[0]) and m.args[0].args[1] is _HALF:
            u = m.args[0].args[0]
            lines[f"replace {term(m)} with {term(u)} by (symmetry; apply pow2_sqrt; {_positive(u, False, box)})"] = None
            m = u
        done[n] = m
    return list(lines), done[e]


def _simplified(e: Expr) -> Expr:
    done: dict[Expr, Expr] = {}
    for n in x.subexpressions(e):
        args = tuple(done[a] for a in n.args)
        match n.op:
            case "+":
                done[n] = x.add(*args)
            case "*":
                done[n] = _cancelled(x.mul(*args))
            case "^":
                done[n] = x.power(*args)
            case _:
                done[n] = x.make(n.op, args, n.value) if args else n
    return done[e]


def _cancelled(product: Expr) -> Expr:
    """A product without factors that stand both above and below the line."""
    powers: dict[Expr, Fraction] = {}
    rest: list[Expr] = []
    for f in product.args if product.op == "*" else (product,):
        base, k = f.args if f.op == "^" and x.is_num(f.args[1]) else (f, x.ONE)
        if base.op != "num" and x.rational(k).denominator == 1:
            powers[base] = powers.get(base, Fraction(0)) + x.rational(k)
        else:
            rest.append(f)
    if len(powers) + len(rest) == len(product.args):
        return product
    return x.mul(*rest, *(x.power(base, x.num(k)) for base, k in powers.items() if k))


def equal_steps(sides: list[Expr], box: Box, deep: bool = False) -> list[str]:
    """Sentences that prove an equality whose sides contain these expressions' calls."""
    calls = Calls(box, deep)
    written = calls.write(sides)
    facts = [f"try ({fact})." for fact in side_facts(written, box)]
    roots = calls.relations(written)
    known = " ".join(f"Q{i}" for i in range(len(roots)))
    last = f"first [ field [{known}]; nonzero | simpl; field [{known}]; nonzero | same ]." if roots else "same."
    return [*(f"try ({line})." for line in map(everywhere, calls.lines)), *facts, *roots, last]


def everywhere(line: str) -> str:
    """The same replacement in what is known, too."""
    head, by, how = line.partition(" by ")
    return f"{head} in *{by}{how}"


def _is_evident(left: Expr, right: Expr) -> bool:
    """Whether the two are equal whatever the logarithms and roots in them are."""
    marks: dict[Expr, Expr] = {}
    try:
        return algebra_on({}).equal(opaque(left, marks, but="exp"), opaque(right, marks, but="exp"))
    except UnsupportedError:
        return False


def _is_root(n: Expr) -> bool:
    return n.op == "^" and x.is_num(n.args[1]) and x.rational(n.args[1]).denominator == 2


@dataclass
class Calls:
    """The rewriting of calls on one box; ``deep`` also takes logarithms and roots apart, unless they are normal."""

    box: Box
    deep: bool
    normal: bool = False
    lines: list[str] = field(default_factory=list)
    _units: dict[Expr, Fraction] = field(default_factory=dict)
    # Calls exp(ln(v)/n), which are n-th roots.
    _roots: dict[tuple[Expr, Expr, int], None] = field(default_factory=dict)

    def write(self, expressions: Iterable[Expr]) -> list[Expr]:
        """The expressions with their calls in one form; the tactics that bring Coq there are added to ``lines``."""
        everything = list(expressions)
        nodes = list(dict.fromkeys(n for e in everything for n in x.subexpressions(e)))
        apart = [n for n in nodes if self.deep and not self.normal and (n.op == "log" or _is_root(n))]
        hidden = [n for u in apart if (f := self._normal(u)) for n in x.subexpressions(plain(to_expr(f)))]
        for n in dict.fromkeys([*nodes, *hidden]):
            if n.op == "exp":
                for m, c in self._exponents(n.args[0]) or ():
                    self._units[m] = _common(self._units[m], c) if m in self._units else abs(c)
        # exp(2*ln v) is the square of exp(ln v), which is v.
        self._units |= {m: Fraction(1) for m, c in self._units.items() if m.op == "log" and c.denominator == 1}
        done: dict[Expr, Expr] = {}
        for n in nodes:
            m = x.make(n.op, tuple(done[a] for a in n.args), n.value) if n.args else n
            if n.op == "exp":
                m = self._exp(n, m)
            elif n.op == "log" and not self.normal:
                m = self._log(n, m)
            elif self.deep and _is_root(n) and not self.normal:
                m = self._root(n, m)
            done[n] = m
        return [done[e] for e in everything]

    def _exps(self, e: Expr) -> Expr:
        """A normal form with its exps written like all others."""
        done: dict[Expr, Expr] = {}
        for n in x.subexpressions(e):
            m = x.make(n.op, tuple(done[a] for a in n.args), n.value) if n.args else n
            done[n] = self._exp(n, m) if n.op == "exp" else m
        return done[e]

    def relations(self, written: Iterable[Expr]) -> list[str]:
        """Sentences that say what the squares of the roots are."""
        if not self.deep:
            return []
        roots = dict.fromkeys(n.args[0] for e in written for n in x.subexpressions(e) if _is_root(n))
        facts = [
            (f"(sqrt {term(u)}) ^ 2 = {term(u)}", f"apply pow2_sqrt; {self._positive(u, strict=False)}") for u in roots
        ]
        for call, v, n in self._roots:
            exponent = f"replace (INR {n} * {term(call.args[0])}) with {term(x.log(v))} by (simpl; field)"
            how = f"rewrite exp_times; {exponent}; apply exp_ln; {self._positive(v, strict=True)}"
            facts.append((f"{term(call)} ^ {n} = {term(v)}", how))
        return [f"assert (Q{i} : {fact}) by ({how})." for i, (fact, how) in enumerate(facts)]

    def _normal(self, e: Expr) -> Quotient | None:
        try:
            return algebra_on(self.box if self.deep else {}).normal(e)
        except UnsupportedError:
            return None

    def _exponents(self, u: Expr) -> list[tuple[Expr, Fraction]] | None:
        """The exponent as a sum of multiples of monomials."""
        found = self._normal(u)
        if found is None:
            return None
        return [(_simplified(plain(to_expr(({m: 1}, found[1])))), Fraction(c)) for m, c in found[0].items()]

    def _exp(self, n: Expr, now: Expr) -> Expr:
        parts = self._exponents(n.args[0])
        if parts is None:
            return now
        text = term(now)
        if not parts:
            argument = term(now.args[0])
            how = f"replace {argument} with 0 by same; rewrite exp_0; reflexivity"
            self.lines.append(f"replace {text} with 1 by ({how})")
            return x.ONE
        product = x.ONE
        for m, c in parts:
            unit = self._units.get(m) or abs(c)
            product = _times(product, x.make("exp", (_scaled(unit, m),)), c / unit)
        if term(product) != text:
            self.lines.append(f"replace {text} with {term(product)} by expand")
        for m, c in parts if self.deep else ():
            product = self._exp_of_log(product, m, self._units.get(m) or abs(c))
        return product

    def _exp_of_log(self, product: Expr, m: Expr, unit: Fraction) -> Expr:
        """exp(ln v) is v, and exp(ln(v)/2) is its root."""
        if m.op != "log":
            return product
        v, call = m.args[0], x.make("exp", (_scaled(unit, m),))
        if unit not in (1, Fraction(1, 2)):
            if unit.numerator == 1:
                self._roots[call, v, unit.denominator] = None
            return product
        value = v if unit == 1 else x.make("^", (v, _HALF))
        lemma = "exp_ln" if unit == 1 else "exp_half_ln"
        self.lines.append(
            f"replace {term(call)} with {term(value)} by (symmetry; apply {lemma}; {self._positive(v, strict=True)})"
        )
        return unsimplified(product, {call: value})

    def _log(self, n: Expr, now: Expr) -> Expr:
        found = self._normal(n)
        if found is None or (not self.deep and (found[0] or found[1])):
            return now
        new = plain(to_expr(found))
        if term(new) == term(now):
            return now
        inner = Calls(self.box, self.deep, normal=True)
        inner.write([x.make("exp", (new,)), now.args[0]])
        steps = "; ".join(f"try ({line})" for line in [*inner.lines, *side_facts([now.args[0]], self.box)])
        how = f"{steps}; same" if steps else "same"
        self.lines.append(f"replace {term(now)} with {term(new)} by (symmetry; apply ln_of; {how})")
        return self._exps(new)

    def _root(self, n: Expr, now: Expr) -> Expr:
        u, q = now.args[0], x.rational(now.args[1])
        found = self._normal(x.power(n.args[0], _HALF))
        if found is None:
            return now
        new, root = plain(to_expr(found)), x.make("^", (u, _HALF))
        if term(new) == term(root):
            return now
        inner = Calls(self.box, self.deep, normal=True)
        known = inner.relations([new])
        given = "; ".join(line[:-1] for line in known)
        names = " ".join(f"Q{i}" for i in range(len(known)))
        inner.write([new, u])
        steps = "; ".join([f"try ({line})" for line in inner.lines] + ([given] if given else []))
        close = f"first [ same | field [{names}]; nonzero ]" if known else "same"
        square = f"({steps}; {close})" if steps else close
        self.lines.append(
            f"replace {term(root)} with {term(new)} "
            f"by (symmetry; apply sqrt_of; [ {self._positive(new, strict=False)} | {square} ])"
        )
        new = self._exps(new)
        return new if q == Fraction(1, 2) else x.make("^", (new, x.num(2 * q)))

    def _positive(self, u: Expr, strict: bool) -> str:
        return _positive(u, strict, self.box)


def _positive(u: Expr, strict: bool, box: Box) -> str:
    proof = sign_proof(u, strict, box)
    return f"first [ {f'solve [ {proof} ] | ' if proof else ''}signs | nra ]"


def _scaled(unit: Fraction, m: Expr) -> Expr:
    return x.mul(x.num(unit), m)


def _times(product: Expr, base: Expr, k: Fraction) -> Expr:
    power = base if k == 1 else x.make("^", (base, x.num(k)))
    return power if product is x.ONE else x.make("*", (*(product.args if product.op == "*" else (product,)), power))


def _common(a: Fraction, b: Fraction) -> Fraction:
    d = lcm(a.denominator, b.denominator)
    return Fraction(gcd(int(a * d), int(b * d)), d)
