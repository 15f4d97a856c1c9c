"""Bounds of expressions as facts for Coq, end points left out included.

coq-interval works with closed intervals and rounds: from ``0 < x`` it does not see ``1 < exp x``. So a bound that is
met exactly is shown by the structure of the expression, as the kernel's enclosures find it, and every other one by a
call of ``interval`` for something slightly weaker. Nothing here is trusted: Coq proves each fact.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from symprivacy.algebra.normal import algebra_on
from symprivacy.coq.ends import HI, LO, End, Ends, better, bounded, flipped, products, square_root, weaker
from symprivacy.coq.terms import number, term
from symprivacy.errors import NoInformation, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Box
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.interval import Interval

# Bits of the enclosures, what is given away of a bound that is not exact, and the tactic that proves it then.
EFFORTS = ((53, 16, "interval"), (150, 100, "interval with (i_prec 120)"))
# What coq-interval cannot evaluate.
_UNKNOWN = frozenset(["min", "max", "piecewise"])
_LARGEST_POWER = 30


@dataclass
class Bounds:
    """Facts about expressions on one box, each asserted once, after those it rests on."""

    box: Box
    effort: int = 0
    tag: str = "B"
    lines: list[str] = field(default_factory=list)
    _ends: dict[Expr, Ends] = field(default_factory=dict)
    _labels: dict[tuple[Expr, int], str] = field(default_factory=dict)

    @cached_property
    def _closed(self) -> dict[str, Interval]:
        prec = EFFORTS[self.effort][0]
        return {n: (*r.interval(prec)[:2], r.lo is None, r.hi is None) for n, r in self.box.items()}

    def sign(self, e: Expr) -> tuple[int, bool]:
        """1 or -1 if the expression is seen to be at least or at most 0, else 0; and whether it is not 0."""
        lo, hi = self.ends(e)
        if lo and lo.value >= 0:
            return 1, lo.strict or lo.value > 0
        if hi and hi.value <= 0:
            return -1, hi.strict or hi.value < 0
        return 0, False

    def show(self, e: Expr, side: int) -> str:
        """The label of the fact that bounds the expression from below or above."""
        key = (e, side)
        if key not in self._labels:
            end = self.ends(e)[side]
            assert end is not None
            used = [self.show(*use) for use in end.uses if use[0].op != "num"]
            label = f"{self.tag}{len(self._labels) + 1}"
            how = self._tactic(end, used)
            self.lines.append(f"assert ({label} : {_fact(e, side, end)}) by ({how})")
            self._labels[key] = label
        return self._labels[key]

    def _tactic(self, end: End, used: list[str]) -> str:
        if not end.how:
            return EFFORTS[self.effort][2]
        if not used:
            return end.how
        # The parts become variables: lra and nra need not know what they are, and look at nothing else.
        parts = {term(u) for u, _ in end.uses if u.op != "num"}
        general = " ".join(sorted(parts, key=lambda t: (-len(t), t)))
        labels = " ".join(dict.fromkeys(used))
        return f"clear - {labels}; revert {labels}; generalize {general}; intros; {end.how}"

    def ends(self, e: Expr) -> Ends:
        """The best bounds from below and above, as far as they are seen."""
        for n in x.subexpressions(e):
            self._ends_of(n)
        return self._ends[e]

    def _ends_of(self, e: Expr) -> Ends:
        if e not in self._ends:
            lo, hi = self._parts(e)
            low, high = self._enclosed(e)
            self._ends[e] = (better(lo, low, 1), better(hi, high, -1))
        return self._ends[e]

    def _enclosed(self, e: Expr) -> Ends:
        """The kernel's enclosure of the closed box, a little wider."""
        if e.op in ("num", "var") or any(n.op in _UNKNOWN for n in x.subexpressions(e)):
            return None, None
        prec, slack, _ = EFFORTS[self.effort]
        try:
            value = enclose(e, self._closed, prec)
        except (NoInformation, UnsupportedError):
            return None, None
        return weaker(value[0], slack, -1), weaker(value[1], slack, 1)

    def _parts(self, e: Expr) -> Ends:
        match e.op:
            case "num":
                end = End(x.rational(e), False)
                return end, end
            case "var":
                return self._given(str(e.value))
            case "+" if _is_two_cosh(e):
                return End(Fraction(2), False, how="apply cosh_above; lra"), None
            case "+":
                return self._sum(e, LO), self._sum(e, HI)
            case "min" | "max":
                return self._extreme(e)
            case "*":
                return self._fold(e)
            case "^":
                return self._power(e)
            case "exp":
                return self._exp(e.args[0])
            case "log":
                return self._log(e.args[0])
            case "abs":
                return End(Fraction(0), False, how="apply Rabs_pos"), None
            case _:
                return None, None

    def _given(self, name: str) -> Ends:
        r = self.box[name]
        lo, hi = (
            End(x.rational(end), is_open, how="lra") if end is not None and end.op == "num" else None
            for end, is_open in ((r.lo, r.lo_open), (r.hi, r.hi_open))
        )
        prec, slack, _ = EFFORTS[self.effort]
        low, high = r.interval(prec)[:2]
        return lo or weaker(low, slack, -1), hi or weaker(high, slack, 1)

    def _sum(self, e: Expr, side: int) -> End | None:
        found = [self._ends_of(a)[side] for a in e.args]
        ends = [end for end in found if end is not None]
        if len(ends) < len(found):
            return None
        total = sum((end.value for end in ends), Fraction(0))
        uses = tuple((a, side) for a in e.args)
        return bounded(total, any(end.strict for end in ends), all(end.exact for end in ends), "lra", uses, side)

    def _extreme(self, e: Expr) -> Ends:
        """Min and Max of two, or of what Coq brackets as two."""
        head, last = _as_two(e)
        (a_lo, a_hi), (b_lo, b_hi) = self._ends_of(head), self._ends_of(last)
        sign, how = (1 if e.op == "min" else -1), "unfold Rmin, Rmax; decide_all; lra"
        near, far, side = ((a_lo, b_lo), (a_hi, b_hi), LO) if e.op == "min" else ((a_hi, b_hi), (a_lo, b_lo), HI)
        inner = outer = None
        if near[0] and near[1]:
            weaker = min(near, key=lambda end: end.value * sign if end else 0)
            assert weaker is not None
            strict = all(end.strict for end in near if end and end.value == weaker.value)
            inner = End(weaker.value, strict, weaker.exact, how, ((head, side), (last, side)))
        known = [(end, part) for end, part in zip(far, (head, last), strict=True) if end]
        if known:
            best, part = min(known, key=lambda pair: pair[0].value * sign)
            outer = End(best.value, best.strict, best.exact, how, ((part, HI if side == LO else LO),))
        return (inner, outer) if side == LO else (outer, inner)

    def _fold(self, e: Expr) -> Ends:
        """A product from left to right, as Coq brackets it."""
        head, last = _as_two(e)
        a, b = self._ends_of(head), self._ends_of(last)
        found: list[list[End]] = [[], []]
        for sign_a, sign_b in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            first, second = flipped(a, sign_a), flipped(b, sign_b)
            sides = ((LO, HI) if sign_a == 1 else (HI, LO)), ((LO, HI) if sign_b == 1 else (HI, LO))
            for end, below, used in products(first, second):
                value = end.value * sign_a * sign_b
                side = LO if below == (sign_a * sign_b == 1) else HI
                uses = tuple((head, sides[0][s]) if which == 0 else (last, sides[1][s]) for which, s in used)
                found[side].append(bounded(value, end.strict, end.exact, "nra", uses, side))
        lo = max(found[LO], key=lambda end: (end.value, end.strict), default=None)
        hi = min(found[HI], key=lambda end: (end.value, not end.strict), default=None)
        return lo, hi

    def _power(self, e: Expr) -> Ends:
        base, exponent = e.args
        if not x.is_num(exponent):
            return None, None
        q = x.rational(exponent)
        if q.denominator > 2 or abs(q) > _LARGEST_POWER or q == 0:
            return None, None
        if q < 0:
            positive = x.power(base, x.num(-q))
            return self._inverse(positive)
        if q == Fraction(1, 2):
            return self._root(base)
        if q.denominator == 2:
            base = x.power(base, x.num(Fraction(1, 2)))
            q = 2 * q
        n, (lo, hi) = int(q), self._ends_of(base)
        if lo and lo.value >= 0:
            uses: tuple[tuple[Expr, int], ...] = ((base, LO),)
            how = f"apply (pow_above{_strictly(lo)} {n} {number(lo.value)}); [lia | lra | lra | field]"
            low = End(lo.value**n, lo.strict, lo.exact, how, uses)
            if hi is None:
                return low, None
            how = f"apply (pow_below{_strictly(hi)} {n} {number(hi.value)}); [lia | lra | lra | field]"
            return low, End(hi.value**n, hi.strict, hi.exact, how, ((base, LO), (base, HI)))
        if n % 2 == 0:
            return End(Fraction(0), False, how=f"apply (pow_even {n // 2})"), None
        return None, None

    def _inverse(self, e: Expr) -> Ends:
        lo, hi = self._ends_of(e)
        zero, away = Fraction(0), None
        sign, nonzero = self.sign(e)
        if not nonzero:
            return None, None
        near, far = (lo, hi) if sign == 1 else (hi, lo)
        near_side, far_side = (LO, HI) if sign == 1 else (HI, LO)
        lemma = "inv_pos" if sign == 1 else "inv_neg"
        assert near is not None
        if near.value:
            how = f"apply {lemma}_far{_strictly(near)}; lra"
            away = End(1 / near.value, near.strict, near.exact, how, ((e, near_side),))
        if far is None or not far.value:
            close = End(zero, True, True, f"apply {lemma}; lra", ((e, near_side),))
        else:
            how = f"apply {lemma}_near{_strictly(far)}; lra"
            close = End(1 / far.value, far.strict, far.exact, how, ((e, near_side), (e, far_side)))
        return (close, away) if sign == 1 else (away, close)

    def _root(self, u: Expr) -> Ends:
        lo, hi = self._ends_of(u)
        low, high = End(Fraction(0), False, how="apply sqrt_pos"), None
        if lo and lo.value >= 0:
            r, exact = square_root(lo.value)
            strict = lo.strict and exact
            how = f"apply sqrt_above{'_strictly' if strict else ''}; lra"
            low = End(r, strict, exact and lo.exact, how, ((u, LO),))
        if hi and hi.value > 0:
            r, exact = square_root(hi.value, up=True)
            strict = hi.strict and exact
            how = f"apply sqrt_below{'_strictly' if strict else ''}; lra"
            high = End(r, strict, exact and hi.exact, how, ((u, HI),))
        return low, high

    def _exp(self, u: Expr) -> Ends:
        lo, hi = self._ends_of(u)
        low, high = End(Fraction(0), True, how="apply exp_pos"), None
        if lo and lo.value >= 0:
            strict = lo.strict or lo.value > 0
            low = End(Fraction(1), strict, how=f"apply exp_above{'_strictly' if strict else ''}; lra", uses=((u, LO),))
        if hi and hi.value <= 0:
            strict = hi.strict or hi.value < 0
            high = End(Fraction(1), strict, how=f"apply exp_below{'_strictly' if strict else ''}; lra", uses=((u, HI),))
        return low, high

    def _log(self, u: Expr) -> Ends:
        lo, hi = self._ends_of(u)
        low = high = None
        if lo and lo.value >= 1:
            strict = lo.strict or lo.value > 1
            low = End(Fraction(0), strict, how=f"apply ln_above{'_strictly' if strict else ''}; lra", uses=((u, LO),))
        positive = lo is not None and (lo.value > 0 or (lo.value == 0 and lo.strict))
        if hi and hi.value <= 1 and positive:
            strict = hi.strict or hi.value < 1
            how = f"apply ln_below{'_strictly' if strict else ''}; lra"
            high = End(Fraction(0), strict, how=how, uses=((u, LO), (u, HI)))
        return low, high


def _as_two(e: Expr) -> tuple[Expr, Expr]:
    return (e.args[0] if len(e.args) == 2 else x.make(e.op, e.args[:-1])), e.args[-1]


def _is_two_cosh(e: Expr) -> bool:
    """Whether the sum is exp(u) + exp(-u)."""
    if [a.op for a in e.args] != ["exp", "exp"]:
        return False
    return algebra_on({}).is_zero(x.add(*(a.args[0] for a in e.args)))


def _strictly(end: End) -> str:
    return "_strictly" if end.strict else ""


def _fact(e: Expr, side: int, end: End) -> str:
    order = "<" if end.strict else "<="
    value = number(end.value)
    return f"{value} {order} {term(e)}" if side == LO else f"{term(e)} {order} {value}"
