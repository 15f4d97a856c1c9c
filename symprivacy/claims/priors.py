"""Statements about a class of priors: as what they are decided, and the same unknown prior on both sides.

A conclusion for one prior, whichever it is, is the conclusion for all of them. Where both sides speak of one prior it
is the same one, and both are constraints on the posterior q of a secret of prior p: one implies the other if it does so
for every p and q, which is a question about numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from typing import Any

from sympy import Symbol

from symprivacy.claims.case import SIDE_STEPS
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.outcome import Outcome, told
from symprivacy.claims.points import readable_points
from symprivacy.claims.terms import Term, leaves
from symprivacy.claims.witness import breaks
from symprivacy.errors import InputError, SymPrivacyError
from symprivacy.evidence import Evidence
from symprivacy.implications.parameters import CONVERTIBLE
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range
from symprivacy.kernel.enclose import enclose_constant
from symprivacy.kernel.expr import Expr, substitute
from symprivacy.kernel.interval import to_fraction
from symprivacy.language.bridge import from_sympy
from symprivacy.language.text import to_text
from symprivacy.mechanisms import Mechanism, xor_randomized_response
from symprivacy.notions import Notion, Pairs, get
from symprivacy.notions.definition import read_constraint
from symprivacy.notions.readings import ONE, POINT, quotient
from symprivacy.notions.symbols import Q
from symprivacy.search.verdict import Status, Verdict, decide

_PRIOR = Range(x.ZERO, x.ONE, True, True)
# Priors at which a mechanism is built, how rare its telling output is, and how many secrets share the rest.
_PRIORS = (Fraction(1, 2), Fraction(1, 10), Fraction(1, 3), Fraction(9, 10), Fraction(1, 100))
_RARE = (Fraction(1, 10), Fraction(1, 1000))
_OTHERS = (1, 12)
_SLACK = Fraction(1, 10**6)


def decided_as(wanted: Wanted, conclusion: bool) -> Wanted:
    """The guarantee that says the same as one with a class of priors, where that is another one.

    >>> from symprivacy.claims.guarantees import guarantee
    >>> decided_as(guarantee("InfPr(eps, prior=one)"), True).notion.key
    'InfPr'
    >>> print(decided_as(guarantee("InfPr(eps, prior=1/3)"), True).notion.key)
    MPP
    """
    notion = wanted.notion
    if notion.reading == ONE and conclusion:
        return replace(wanted, notion=_base(notion), said=notion)
    if notion.reading == POINT:
        same = next((n for n in CONVERTIBLE.values() if _same(n, notion)), None)
        if same is not None:
            return replace(wanted, notion=same, said=notion)
    return wanted


def _base(notion: Notion) -> Notion:
    return get(notion.key.partition("[")[0])


def _same(one: Notion, other: Notion) -> bool:
    """Whether two notions of a prior p on pairs have the same definition, up to the name of the level."""
    if len(one.parameters) != len(other.parameters) or one.own or not one.posterior:
        return False
    if (one.pairs, one.orders) != (other.pairs, other.orders) or one.others != other.others or "p" not in one.names:
        return False
    name = {Symbol(other.answers, real=True): Symbol(one.answers, real=True)}
    return set(one.definition.posterior) == {(a, rel, b.xreplace(name)) for a, rel, b in other.definition.posterior}


def require_alone(terms: tuple[Term, ...]) -> None:
    """One unknown prior belongs to one mechanism: operations and conjunctions are not read with it."""
    if any(leaf.notion.reading == ONE for term in terms for leaf in leaves(term)):
        shown = " and ".join(map(str, terms))
        raise InputError(f"{shown}: prior=one is read for one guarantee alone on its side; write prior=all or prior=p")


@dataclass(frozen=True)
class SamePrior:
    """``premise => conclusion``, both for the same prior, whichever it is."""

    premise: Wanted
    conclusion: Wanted
    box: Mapping[str, Range]
    whole: frozenset[str] = frozenset()

    @property
    def reading(self) -> str:
        """What both sides are about."""
        sides = dict.fromkeys((self.premise.notion, self.conclusion.notion))
        words = [f"{notion.key}: {notion.quantifiers}" for notion in sides]
        ranges = [f"`{name} in {r}`" for name, r in self.box.items()]
        return "; ".join([*words, "the same prior on both sides", *([", ".join(ranges)] if ranges else [])])

    def decide(self) -> Outcome:
        """Proved for every prior p and posterior q of one secret, or refuted by a mechanism and a prior."""
        shown = self._proved()
        if shown is None:
            broken = self._broken(self.conclusion)
            if broken is not None:
                says = broken["says"]
                return Outcome(Status.REFUTED, says, broken, ("exact-level",), (says,), evidence=Evidence.CHECKED)
            return Outcome(Status.UNDECIDED, "neither proved for every posterior nor broken by a mechanism")
        lines = ("both sides bound the posterior `q` of a secret of prior `p`", *(told(v) for v in shown))
        certificates = tuple(v.certificate for v in shown if v.certificate is not None)
        found = Outcome(
            Status.PROVED, lines[0], None, ("bayes", "pointwise"), lines,
            certificates=certificates, evidence=Evidence.CHECKED,
        )  # fmt: skip
        less = self.conclusion.at_level(x.mul(x.num(Fraction(999, 1000)), self.conclusion.level))
        points = list(islice(readable_points(dict(self.box), self.whole), 3)) if self.box else [{}]
        if points and self._met() and all(self._broken(less, [point]) is not None for point in points):
            return replace(found, tight=True, steps=(*lines, "the level is attained: nothing better holds"))
        return found

    def _proved(self) -> tuple[Verdict, ...] | None:
        name = self._name()
        uppers, lowers = self._given(name)
        if uppers is None or lowers is None:
            return None
        found: list[Verdict] = []
        for value, rel in _bounds(self.conclusion, name):
            known = uppers if rel == "<=" else lowers
            joined = [] if len(known) == 1 else [x.call("min" if rel == "<=" else "max", *known)]
            verdicts = (self._everywhere(bound, rel, value, name) for bound in (*known, *joined))
            shown = next((v for v in verdicts if v is not None), None)
            if shown is None:
                return None
            found.append(shown)
        return tuple(found)

    def _everywhere(self, lhs: Expr, rel: str, rhs: Expr, name: str) -> Verdict | None:
        """The verdict on a comparison that is proved for every prior."""
        found = decide(lhs, rel, rhs, {**self.box, name: _PRIOR}, steps=SIDE_STEPS)
        return found if found.status is Status.PROVED else None

    def _met(self) -> bool:
        """Whether a bound of the conclusion is one of the premise at every level, of which some points say nothing."""
        if not self.box:
            return True
        name = self._name()
        uppers, lowers = self._given(name)
        turned = {"<=": ">=", ">=": "<="}
        return any(
            all(self._everywhere(bound, sign, value, name) is not None for sign in (rel, turned[rel]))
            for value, rel in _bounds(self.conclusion, name)
            for bound in (uppers if rel == "<=" else lowers) or ()
        )

    def _name(self) -> str:
        return next(n for n in ("p", "prior", "prior0") if n not in self.box)

    def _given(self, name: str) -> tuple[list[Expr] | None, list[Expr] | None]:
        """Upper and lower bounds on the posterior of a secret of the conclusion."""
        before, after = (_base(w.notion) for w in (self.premise, self.conclusion))
        if before.pairs is Pairs.CORRELATED or after.pairs is Pairs.CORRELATED or before.mean or after.mean:
            return None, None
        bounds = [*_bounds(self.premise, name)]
        secrets = before.priors.secret, after.priors.secret
        if secrets[0] != secrets[1] and secrets != ("value", "member"):
            # Posteriors of records, and of what they are not, are sums of those of inputs: what is proportional
            # adds up.
            shares = quotient(before)
            if shares is None:
                return None, None
            put = dict(self.premise.named)
            low, high = (x.mul(substitute(from_sympy(s), put), x.var(name)) for s in shares)
            bounds = [(high, "<="), (low, ">=")]
            rest = {name: x.sub(x.ONE, x.var(name))}
            bounds += [(x.sub(x.ONE, substitute(high, rest)), ">="), (x.sub(x.ONE, substitute(low, rest)), "<=")]
        return [x.ONE, *(v for v, rel in bounds if rel == "<=")], [x.ZERO, *(v for v, rel in bounds if rel == ">=")]

    def _broken(self, conclusion: Wanted, points: list[dict[str, Expr]] | None = None) -> dict[str, Any] | None:
        places = islice(readable_points(dict(self.box), self.whole), 4) if points is None else iter(points)
        for point in places if self.box else [{}]:
            premise, claimed = self.premise.at(point), conclusion.at(point)
            for mechanism, prior in _mechanisms(premise):
                before, after = (replace(w, notion=_base(w.notion), said=w.notion) for w in (premise, claimed))
                found = breaks(mechanism, before, after, {"prior": prior})
                if found is not None:
                    return {**found, "parameters": {name: to_text(value) for name, value in point.items()}}
        return None

    def __str__(self) -> str:
        ranges = ", ".join(f"{name} in {r}" for name, r in sorted(self.box.items()))
        return f"{self.premise} => {self.conclusion}" + (f" for {ranges}" if ranges else "")


def _bounds(wanted: Wanted, name: str) -> Iterator[tuple[Expr, str]]:
    """What a guarantee at one prior says of the posterior of a secret of prior ``name``."""
    put = {**wanted.named, "p": x.var(name)}
    for lhs, rel, rhs in map(read_constraint, _base(wanted.notion).posterior):
        value = substitute(from_sympy(rhs), put)
        if lhs == Q:
            yield value, rel
        else:
            yield x.sub(x.ONE, value), {"<=": ">=", ">=": "<="}[rel]


def _mechanisms(premise: Wanted) -> Iterator[tuple[Mechanism, tuple[Fraction, ...]]]:
    """Two likelihoods and a rare output whose posterior is as far from the prior as the premise allows."""
    # Each record by itself tells nothing of what both tell together.
    yield xor_randomized_response(2, ratio=100), (Fraction(1, 4),) * 4
    for p in _PRIORS:
        for rel in ("<=", ">="):
            q = _extreme(premise, p, rel)
            for k in _OTHERS if q is not None else ():
                for rare in _RARE:
                    assert q is not None
                    u, v = rare * q / p, rare * (1 - q) / (1 - p)
                    if max(u, v) < 1:
                        rows = [[u, 1 - u], *([[v, 1 - v]] * k)]
                        yield Mechanism.secrets(rows), (p, *((1 - p) / k,) * k)


def _extreme(premise: Wanted, p: Fraction, rel: str) -> Fraction | None:
    """The largest or smallest posterior that the premise, at numbers, allows, a little less far."""
    found = [Fraction(1) if rel == "<=" else Fraction(0)]
    for value, of in _bounds(premise, "p"):
        if of != rel:
            continue
        try:
            low, high = map(to_fraction, enclose_constant(substitute(value, {"p": x.num(p)}), 80)[:2])
        except SymPrivacyError:
            return None
        found.append(low if rel == "<=" else high)
    end = min(found) if rel == "<=" else max(found)
    q = (end + _SLACK * (p - end)).limit_denominator(10**9)
    q = end + _SLACK * (p - end) if (q > end) == (rel == "<=") else q
    return q if 0 <= q <= 1 and q != p else None


__all__ = ["SamePrior", "decided_as", "require_alone"]
