"""Pairs of laws that dominate what a term speaks of, as outcomes with symbolic masses.

A pair (P, Q) dominates if the hockey-stick P'(S) - g Q'(S) of every pair of the term is at most that of (P, Q) for
every g >= 0; every divergence is then at most that of the pair. Randomized response dominates DP, with disjoint
outcomes of mass delta it dominates ADP; runs multiply, Poisson samples mix (Zhu, Dong, Wang 2022, Theorems 10 and 11).
The pair satisfies the premise itself, so its levels are the best that follow.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from math import factorial, prod

from symprivacy.claims.fact import Where
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.terms import Compose, Forward, Sample, Term, operations
from symprivacy.implications.formula import expression, put
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.search.verdict import Status

#: the masses under P and Q, and the logarithm of their quotient where it is simpler than that
Atom = tuple[Expr, Expr, Expr | None]
Pair = tuple[Atom, ...]
MOST_ATOMS = 40
_S = x.var("s")
_TRUTH, _LIE = expression("exp(eps)/(1 + exp(eps))"), expression("1/(1 + exp(eps))")
# The masses of the ratios exp(eps), exp(-eps) and 1 that make up total variation t.
_THREE_RATIOS = (
    expression("t*exp(eps)/(exp(eps) - 1)"),
    expression("t/(exp(eps) - 1)"),
    expression("1 - t*(exp(eps) + 1)/(exp(eps) - 1)"),
)


@dataclass(frozen=True)
class Sum:
    """A level as a function of the sum s over the outcomes of a function of the masses p and q, or of the loss."""

    of_masses: Expr
    of_loss: Expr
    level: Expr = _S
    #: the function where p is 0 and where q is 0, None where it is infinite
    p_zero: Expr = x.ZERO
    q_zero: Expr | None = None

    def over(self, pair: Pair, **others: Expr) -> Expr | None:
        """The level of a pair; None where it is infinite."""
        total = []
        for p, q, loss in pair:
            function = self.of_masses if loss is None else self.of_loss
            chosen = self.p_zero if p == x.ZERO else self.q_zero if q == x.ZERO else function
            if chosen is None:
                return None
            if chosen != x.ZERO:
                total.append(put(chosen, p=p, q=q, loss=x.ZERO if loss is None else loss, **others))
        return put(self.level, s=x.add(*total) if total else x.ZERO, **others)


_SUMS = {
    "KL": Sum(expression("p*log(p/q)"), expression("p*loss")),
    "CHI2": Sum(expression("p**2/q"), expression("p*exp(loss)"), expression("s - 1")),
    "HELL2": Sum(expression("sqrt(p*q)"), expression("q*exp(loss/2)"), expression("1 - s"), q_zero=x.ZERO),
    "JS": Sum(
        expression("(p*log(2*p/(p + q)) + q*log(2*q/(p + q)))/2"),
        expression("(p*log(2/(1 + exp(-loss))) + q*log(2/(1 + exp(loss))))/2"),
        p_zero=expression("q*log(2)/2"),
        q_zero=expression("p*log(2)/2"),
    ),
    "RDP": Sum(
        expression("p**alpha*q**(1 - alpha)"), expression("q*exp(alpha*loss)"), expression("log(s)/(alpha - 1)")
    ),
}


def dominating(term: Term) -> tuple[Pair, ...] | None:
    """Ordered pairs of which one dominates every ordered pair of the term; None where none are known.

    >>> from symprivacy.claims.grammar import term
    >>> [len(pair) for pair in dominating(term("compose(DP(eps), 3)"))]
    [4]
    """
    if isinstance(term, Wanted):
        atoms = _leaf(term)
        return None if atoms is None else (atoms,)
    if isinstance(term, Forward) and isinstance(term.term, Wanted):
        return _one_order(term.term)
    if isinstance(term, Compose):
        inner = [dominating(part) for part in term.parts]
        times = int(x.rational(term.times)) if term.times.op == "num" else 0
        if not times or times > MOST_ATOMS or any(pairs is None for pairs in inner):
            return None
        found = []
        for choice in product(*(pairs for pairs in inner if pairs is not None)):
            if len(inner) > 1 and any(len(pairs or ()) > 1 for pairs in inner):
                # Runs on samples: the record is there for all of them or for none, so the orders do not mix.
                return None
            joint = _multiplied([_repeated(pair, times) for pair in choice])
            if joint is None:
                return None
            found.append(joint)
        return tuple(found)
    if isinstance(term, Sample) and term.total is None:
        pairs = dominating(term.term)
        if pairs is None or len(pairs) != 1 or any(isinstance(o, Sample | Forward) for o in operations(term.term)):
            return None
        (pair,), q = pairs, term.rate
        mixed = tuple((x.add(x.mul(x.sub(x.ONE, q), b), x.mul(q, a)), b, None) for a, b, _ in pair)
        return mixed, tuple((b, a, None) for a, b, _ in mixed)
    return None


def response(eps: Expr) -> Pair:
    """Binary randomized response."""
    truth, lie = put(_TRUTH, eps=eps), put(_LIE, eps=eps)
    return (truth, lie, eps), (lie, truth, x.neg(eps))


def _leaf(term: Wanted) -> Pair | None:
    key = term.notion.key
    if key in ("DP", "LDP"):
        return response(term.level)
    if key == "ADP":
        eps, delta = term.values
        if delta == x.ZERO:
            return response(eps)
        rest = x.sub(x.ONE, delta)
        inner = tuple((x.mul(rest, p), x.mul(rest, q), loss) for p, q, loss in response(eps))
        return (*inner, (delta, x.ZERO, None), (x.ZERO, delta, None))
    if key == "TV":
        rest = x.sub(x.ONE, term.level)
        return (rest, rest, x.ZERO), (term.level, x.ZERO, None), (x.ZERO, term.level, None)
    return None


def _one_order(term: Wanted) -> tuple[Pair, ...] | None:
    """P is at most e^eps Q + delta: P is one outcome, Q gives it as little as it may."""
    key = term.notion.key
    if key in ("DP", "LDP", "ADP"):
        eps, delta = term.values[0], (term.values[1] if key == "ADP" else x.ZERO)
        rest = x.sub(x.ONE, delta)
        small = x.mul(rest, x.exp(x.neg(eps)))
        atoms: Pair = ((rest, small, eps), (x.ZERO, x.sub(x.ONE, small), None))
        return (atoms if delta == x.ZERO else (*atoms, (delta, x.ZERO, None)),)
    return None


def bounded_both_ways(eps: Expr, t: Expr) -> Pair:
    """DP at eps and total variation t at once, t <= tanh(eps/2): ratios e^eps, 1 and e^-eps."""
    high, low, rest = (put(mass, t=t, eps=eps) for mass in _THREE_RATIOS)
    return (high, low, eps), (low, high, x.neg(eps)), (rest, rest, x.ZERO)


def _repeated(pair: Pair, times: int) -> Pair | None:
    """Independent copies, outcomes counted by how often each one occurs; all that one law alone can have are one."""
    if times == 1:
        return pair
    leaks = _leaks(pair)
    pair = tuple(atom for atom in pair if x.ZERO not in atom[:2])
    found: list[Atom] = []
    for p, q in leaks:
        power = x.power(x.sub(x.ONE, x.add(p, q)), x.num(times))
        found.append((x.sub(x.ONE, power), x.ZERO, None) if q == x.ZERO else (x.ZERO, x.sub(x.ONE, power), None))
    for chosen in combinations_with_replacement(range(len(pair)), times):
        counts = Counter(chosen)
        ways = factorial(times) // prod(map(factorial, counts.values()))
        p = x.mul(x.num(ways), *(x.power(pair[k][0], x.num(n)) for k, n in counts.items()))
        q = x.mul(x.num(ways), *(x.power(pair[k][1], x.num(n)) for k, n in counts.items()))
        losses = [x.mul(x.num(n), loss) for k, n in counts.items() if (loss := pair[k][2]) is not None]
        if p != x.ZERO or q != x.ZERO:
            found.append((p, q, x.add(*losses) if len(losses) == len(counts) else None))
        if len(found) > MOST_ATOMS:
            return None
    return tuple(found)


def _leaks(pair: Pair) -> list[tuple[Expr, Expr]]:
    """The masses that only P, and that only Q has."""
    alone = [
        x.add(*(p for p, q, _ in pair if q == x.ZERO), x.ZERO),
        x.add(*(q for p, q, _ in pair if p == x.ZERO), x.ZERO),
    ]
    return [(p, q) for p, q in ((alone[0], x.ZERO), (x.ZERO, alone[1])) if p != x.ZERO or q != x.ZERO]


def _multiplied(pairs: list[Pair | None]) -> Pair | None:
    found: Pair = ((x.ONE, x.ONE, x.ZERO),)
    for pair in pairs:
        if pair is None or len(found) * len(pair) > MOST_ATOMS:
            return None
        found = tuple(
            (x.mul(a, p), x.mul(b, q), None if loss is None or more is None else x.add(loss, more))
            for a, b, loss in found
            for p, q, more in pair
        )
        found = tuple(atom for atom in found if atom[0] != x.ZERO or atom[1] != x.ZERO)
    return found


def _stick(pair: Pair, eps: Expr, where: Where | None) -> Expr:
    """The hockey-stick: outcomes whose loss is shown to be above eps, or not to be, need no maximum."""
    total = []
    for p, q, loss in pair:
        if p == x.ZERO:
            continue
        part = p if q == x.ZERO else x.sub(p, x.mul(x.exp(eps), q))
        if q != x.ZERO:
            if loss is not None and where is not None:
                if where.settled(loss, "<=", eps).status is Status.PROVED:
                    continue
                if where.settled(loss, ">=", eps).status is not Status.PROVED:
                    part = x.call("max", x.ZERO, part)
            else:
                part = x.call("max", x.ZERO, part)
        total.append(part)
    return x.add(*total) if total else x.ZERO


def level_of_pair(pair: Pair, asked: Wanted, where: Where | None = None) -> Expr | None:
    """The divergence of P from Q that a notion bounds, at its further parameters; None where it has none or infinity.

    On a box the formula is shorter where it is known which outcomes count.

    >>> from symprivacy.claims.guarantees import guarantee
    >>> from symprivacy.language.text import parse
    >>> level_of_pair(((parse("2/3"), parse("1/3"), None), (parse("1/3"), parse("2/3"), None)), guarantee("CHI2(c)"))
    Expr('1/2')
    """
    others = {name: value for name, value in asked.named.items() if name != asked.judged}
    match asked.notion.key:
        case "TV":
            return _stick(pair, x.ZERO, where)
        case "ADP":
            return _stick(pair, others["eps"], where)
        case "DP":
            possible = [atom for atom in pair if atom[0] != x.ZERO]
            if any(q == x.ZERO for _, q, _ in possible):
                return None
            losses = [x.log(x.div(p, q)) if loss is None else loss for p, q, loss in possible]
            return losses[0] if len(losses) == 1 else x.call("max", *losses)
        case key if key in _SUMS and others.get("alpha") != x.ONE:
            return _SUMS[key].over(pair, **others)
    return None
