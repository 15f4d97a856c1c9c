"""Limits at infinity as facts for Coq: each subexpression has one, by the rules of limits."""

from __future__ import annotations

from dataclasses import dataclass, field

from symprivacy.algebra.normal import algebra_on
from symprivacy.coq.atoms import equality
from symprivacy.coq.signs import sign_proof
from symprivacy.coq.terms import POINT, term
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Box
from symprivacy.kernel.expr import Expr

INFINITE = {1: "p_infty", -1: "m_infty"}
# A limit: a number, or the sign of an infinite one.
Limit = Expr | int


def limit_proof(e: Expr, at_hi: bool, box: Box) -> tuple[str, list[str]]:
    """The limit of an expression in :data:`POINT`, with sentences that show it (L) and that it is at least 0 (S)."""
    limits = Limits(INFINITE[1 if at_hi else -1], box)
    value, label = limits.of(e)
    lines = [f"{line}." for line in limits.lines]
    if isinstance(value, int):
        if value < 0:
            raise UnsupportedError("the limit is -oo")
        shown = [f"assert (S : Rbar_le 0 {INFINITE[1]}) by exact I."]
        return INFINITE[1], [*lines, *shown, f"pose proof {label} as L."]
    if algebra_on(box).is_zero(value):
        shown = [equality("S0", value, x.ZERO, box), f"assert (S : Rbar_le 0 {term(value)}) by (simpl; lra)."]
    else:
        proof = sign_proof(value, False, box)
        how = f"first [ solve [ {proof} ] | signs ]" if proof else "signs"
        shown = [f"assert (S : Rbar_le 0 {term(value)}) by (simpl; {how})."]
    return _rbar(value), [*lines, *shown, f"pose proof {label} as L."]


@dataclass
class Limits:
    """Limits as the point goes to one end of the line; the other variables lie in a box."""

    end: str
    box: Box
    lines: list[str] = field(default_factory=list)
    _known: dict[Expr, tuple[Limit, str]] = field(default_factory=dict)

    def of(self, e: Expr) -> tuple[Limit, str]:
        """The limit and the label of the fact."""
        if e not in self._known:
            value, proof = self._rule(e)
            label = f"L{len(self._known) + 1}"
            self.lines.append(f"assert ({label} : is_lim {_function(e)} {self.end} {_rbar(value)}) by ({proof})")
            self._known[e] = (value, label)
        return self._known[e]

    def _rule(self, e: Expr) -> tuple[Limit, str]:
        if POINT not in e.variables:
            return e, "apply is_lim_const"
        match e.op:
            case "var":
                return (1 if self.end == INFINITE[1] else -1), "apply is_lim_id"
            case "+":
                return self._sum(e)
            case "*":
                return self._product(e)
            case "^":
                return self._power(e)
            case "exp" | "log":
                return self._call(e)
        raise UnsupportedError(f"the limit of {e.op} has no Coq form")

    def _parts(self, e: Expr) -> tuple[Expr, Expr]:
        """A sum or product of two, as Coq brackets it."""
        return (e.args[0] if len(e.args) == 2 else x.make(e.op, e.args[:-1])), e.args[-1]

    def _sum(self, e: Expr) -> tuple[Limit, str]:
        a, b = self._parts(e)
        (u, first), (v, second) = self.of(a), self.of(b)
        value: Limit
        if isinstance(u, int) and isinstance(v, int):
            if u != v:
                raise UnsupportedError("a limit oo - oo has no Coq form")
            value = u
        elif isinstance(u, int):
            value = u
        else:
            value = v if isinstance(v, int) else x.make("+", (u, v))
        lemma = f"is_lim_plus {_function(a)} {_function(b)} {self.end} {_rbar(u)} {_rbar(v)} {_rbar(value)}"
        return value, f"exact ({lemma} {first} {second} eq_refl)"

    def _product(self, e: Expr) -> tuple[Limit, str]:
        a, b = self._parts(e)
        (u, first), (v, second) = self.of(a), self.of(b)
        lemma = f"{_function(a)} {_function(b)} {self.end}"
        if not isinstance(u, int) and not isinstance(v, int):
            value = x.make("*", (u, v))
            return value, f"exact (is_lim_mult {lemma} {_rbar(u)} {_rbar(v)} {first} {second} I)"
        signs = [w if isinstance(w, int) else self._sign(w) for w in (u, v)]
        total = signs[0] * signs[1]
        swapped = not isinstance(u, int)
        infinite, other = (v, signs[0]) if swapped else (u, signs[1])
        fact = f"is_Rbar_mult_{'p' if infinite == 1 else 'm'}_infty_{'pos' if other == 1 else 'neg'}"
        finite = u if swapped else v
        positive = f"{fact}; simpl; {'exact I' if isinstance(finite, int) else self._shown(finite, other)}"
        turn = "apply is_Rbar_mult_sym; " if swapped else ""
        parts = f"[exact {first} | exact {second} | {turn}apply {positive}]"
        return total, f"apply (limit_of_product {lemma} {_rbar(u)} {_rbar(v)}); {parts}"

    def _sign(self, c: Expr) -> int:
        for sign, e in ((1, c), (-1, x.neg(c))):
            if sign_proof(e, True, self.box):
                return sign
        raise UnsupportedError("a limit 0 * oo has no Coq form")

    def _shown(self, c: Expr, sign: int) -> str:
        """That a number is positive, or negative."""
        e = c if sign == 1 else x.make("*", (x.MINUS_ONE, c))
        proof = sign_proof(e, True, self.box)
        return f"assert (A : 0 < {term(e)}) by ({proof}); lra"

    def _power(self, e: Expr) -> tuple[Limit, str]:
        base, exponent = e.args
        q = x.rational(exponent)
        if q < 0:
            inner = x.power(base, x.num(-q))
            u, label = self.of(inner)
            value = x.ZERO if isinstance(u, int) else x.make("^", (u, x.MINUS_ONE))
            apart = "discriminate" if isinstance(u, int) else f"intros K; injection K; {self._shown(u, self._sign(u))}"
            lemma = f"is_lim_inv {_function(inner)} {self.end} {_rbar(u)} {label}"
            return value, f"apply ({lemma}); {apart}"
        if q.denominator == 2:
            if q.numerator != 1:
                return self._natural(x.make("^", (base, x.num(q / q.numerator))), q.numerator)
            u, label = self.of(base)
            if isinstance(u, int):
                return 1, f"exact (is_lim_sqrt_p {_function(base)} {self.end} {label})"
            value = x.make("^", (u, exponent))
            return value, f"exact (limit_of_root {_function(base)} {self.end} {term(u)} {label})"
        return self._natural(base, int(q))

    def _natural(self, base: Expr, n: int) -> tuple[Limit, str]:
        u, label = self.of(base)
        if isinstance(u, int):
            if u < 0:
                raise UnsupportedError("the limit of a power of what goes to -oo has no Coq form")
            return 1, f"apply (limit_of_power {n} {_function(base)}); [lia | exact {label}]"
        how = f"exact (limit_of_power_at {n} {_function(base)} {self.end} {term(u)} {label})"
        return x.make("^", (u, x.num(n))), how

    def _call(self, e: Expr) -> tuple[Limit, str]:
        (inner,) = e.args
        u, label = self.of(inner)
        name = "exp" if e.op == "exp" else "ln"
        if isinstance(u, int):
            if e.op == "log" and u < 0:
                raise UnsupportedError("the limit of a logarithm of what goes to -oo has no Coq form")
            lemma = f"limit_of_{name}{'_down' if u < 0 else ''}"
            return (x.ZERO if u < 0 else 1), f"exact ({lemma} {_function(inner)} {self.end} {label})"
        value = x.make(e.op, (u,))
        if e.op == "exp":
            return value, f"exact (limit_of_exp_at {_function(inner)} {self.end} {term(u)} {label})"
        proof = sign_proof(u, True, self.box)
        how = f"first [ solve [ {proof} ] | signs ]" if proof else "signs"
        lemma = f"limit_of_ln_at {_function(inner)} {self.end} {term(u)} {label}"
        return value, f"apply ({lemma}); {how}"


def _function(e: Expr) -> str:
    return f"(fun {POINT} => {term(e)})"


def _rbar(value: Limit) -> str:
    return INFINITE[value] if isinstance(value, int) else f"(Finite {term(value)})"
