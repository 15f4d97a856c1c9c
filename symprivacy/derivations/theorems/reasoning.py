"""Rules of plain reasoning with theorems: put together, rewrite, restrict, join ranges, turn around."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sympy import Expr, Min, Pow, S, Symbol, cosh, diff, log, oo

from symprivacy.derivations.derivation import need
from symprivacy.derivations.plain_rules import inside
from symprivacy.derivations.theorems.theorem import Kind, Result, Theorem, agree, rule, same, settled
from symprivacy.notions import get
from symprivacy.notions.certify import equal
from symprivacy.notions.registry import definition_of
from symprivacy.notions.statement import ASSUMPTIONS, Domain, Given, Span, Statement

Mapped = Mapping[Symbol, Expr]


@rule("derivation")
def derivation(*, derivation: Mapping[str, Any]) -> Result:
    """What a saved derivation shows, run again step by step."""
    from symprivacy.derivations.saved import from_json

    found = from_json(derivation)
    found.check()
    last = found.steps[-1]
    need(last.rule == "conclude", "the derivation does not end in a guarantee")
    conclusion = Given(last.parameters["view"], tuple(last.parameters["values"]))
    premises = [g for g in found.premise if g.key not in ASSUMPTIONS]
    need(len(premises) == 1, "expected one premise")
    assuming = tuple(g for g in found.premise if g.key in ASSUMPTIONS)
    return Result(Theorem(Kind.IMPLIES, premises[0], conclusion, found.claim.domain, assuming))


def _bound(t: Theorem) -> set[Symbol]:
    return {s.symbol for s in t.domain}


@rule("substitute")
def substitute(t: Theorem, *, mapping: Mapped, domain: Domain) -> Result:
    """An instance, or a smaller range: what replaces each variable lies in its range (certified)."""
    need(not (t.where and mapping), "an implicit quantity has the names it was defined with")
    need(set(mapping) <= _bound(t), "only variables of the domain are replaced")
    found = t.subs(mapping, domain)
    known = {s.symbol for s in domain}
    values = (*found.premise.values, *found.conclusion.values, *(v for g in found.assuming for v in g.values))
    need(all(v.free_symbols <= known for v in values), f"{found} has variables without a range")
    return Result(found, inside(t.domain, domain, mapping))


@rule("rewrite")
def rewrite(
    t: Theorem, *, premise: tuple[Expr, ...], conclusion: tuple[Expr, ...], cases: tuple[tuple[Expr, Expr], ...]
) -> Result:
    """The same theorem in other words: values that are equal, by algebra, once the case of each maximum is known."""
    obligations: dict[Statement, None] = {}
    for old, new in ((t.premise.values, premise), (t.conclusion.values, conclusion)):
        need(len(old) == len(new), "as many values as before")
        for a, b in zip(old, new, strict=True):
            (left, more), (right, other) = (settled(e, cases, t.domain) for e in (a, b))
            obligations.update(dict.fromkeys((*more, *other)))
            need(agree(left, right, t.domain), f"{left} = {right} is not shown by the algebra")
    found = Theorem(
        t.kind, Given(t.premise.key, premise), Given(t.conclusion.key, conclusion), t.domain, t.assuming, t.witness,
        t.where,
    )  # fmt: skip
    return Result(found, tuple(obligations))


@rule("smaller-case")
def smaller_case(t: Theorem, *, node: Expr, choice: Expr) -> Result:
    """A minimum under a logarithm is at most each of its cases, so the weaker level follows too."""
    need(t.kind is Kind.IMPLIES and isinstance(node, Min) and choice in node.args, "expected a case of a minimum")
    need(t.conclusion.values[-1] == log(node), f"{t} does not end in log({node})")
    values = (*t.conclusion.values[:-1], log(choice))
    positive = Statement(node, ">", S.Zero, t.domain)
    return Result(Theorem(t.kind, t.premise, Given(t.conclusion.key, values), t.domain, t.assuming), (positive,))


@rule("glue")
def glue(a: Theorem, b: Theorem, *, variable: Symbol) -> Result:
    """The same sentence on two ranges of one variable that meet."""
    need(
        replace(a, domain=(), witness="") == replace(b, domain=(), witness=""),
        "the two sentences differ",
    )
    left, right = ({s.symbol: s for s in t.domain} for t in (a, b))
    need(left.keys() == right.keys() and variable in left, "the two domains have different variables")
    need(all(left[x] == right[x] for x in left if x != variable), "the two domains differ elsewhere")
    tied = [s for s in a.domain if variable in s.lo.free_symbols | s.hi.free_symbols]
    need(not tied, "other ranges depend on the variable")
    one, two = left[variable], right[variable]
    need(one.hi == two.lo and not (one.hi_open and two.lo_open), f"{one} and {two} do not meet")
    whole = Span(variable, one.lo, two.hi, one.lo_open, two.hi_open)
    domain = tuple(whole if s.symbol == variable else s for s in a.domain)
    # How many inputs there are is read from how the words begin, for both ranges.
    heads = {t.witness.partition(":")[0] for t in (a, b)}
    need(len(heads) == 1, f"the witnesses have different inputs: {' and '.join(sorted(heads))}")
    witness = a.witness if a.witness == b.witness else f"{a.witness}; {b.witness}"
    return Result(Theorem(a.kind, a.premise, a.conclusion, domain, a.assuming, witness, a.where))


@rule("drop")
def drop(t: Theorem, *, variable: Symbol) -> Result:
    """A variable that no longer occurs needs no range, if that range is a point."""
    (own,) = (s for s in t.domain if s.symbol == variable)
    need(own.lo == own.hi and not (own.lo_open or own.hi_open), f"{own} may be empty")
    rest = tuple(s for s in t.domain if s.symbol != variable)
    values = (*t.premise.values, *t.conclusion.values, *(v for g in t.assuming for v in g.values))
    ends = tuple(e for s in rest for e in (s.lo, s.hi))
    need(not any(variable in e.free_symbols for e in (*values, *ends)), f"{variable} occurs in {t}")
    return Result(Theorem(t.kind, t.premise, t.conclusion, rest, t.assuming, t.witness, t.where))


def _fitted(t: Theorem, mapping: Mapped, domain: Domain) -> tuple[Theorem, tuple[Statement, ...]]:
    need(not (t.where and mapping), "an implicit quantity has the names it was defined with")
    need(set(mapping) <= _bound(t), "only variables of the domain are replaced")
    return t.subs(mapping, domain), inside(t.domain, domain, mapping)


@rule("compose")
def compose(first: Theorem, second: Theorem, *, mapping: Mapped, extra: Domain) -> Result:
    """A gives B and B gives C: A gives C."""
    need(first.kind is second.kind is Kind.IMPLIES, "expected two implications")
    domain = (*first.domain, *extra)
    need(len({s.symbol for s in domain}) == len(domain), "two ranges for one variable")
    then, obligations = _fitted(second, mapping, domain)
    need(same(first.conclusion, then.premise, domain), f"{first.conclusion} is not {then.premise}")
    assuming = tuple(dict.fromkeys((*first.assuming, *then.assuming)))
    where = "; ".join(filter(None, (first.where, then.where)))
    return Result(Theorem(Kind.IMPLIES, first.premise, then.conclusion, domain, assuming, "", where), obligations)


def free_of_inputs(t: Theorem, allowed: frozenset[str]) -> None:
    """What is assumed of the inputs has to hold for the mechanisms that are used as witnesses."""
    for g in t.assuming:
        diameter = g == Given("diameter", (S.One,))
        need(g.key in allowed or diameter, f"{g} is not known of the witness")


# A mechanism whose inputs are all neighbours of each other stands for one that reads a single record.
READS_ONE = ("two inputs", "m inputs")


@rule("tight")
def tight(bound: Theorem, limit: Theorem) -> Result:
    """What follows, and that nothing better does: the same premise and the same conclusion."""
    need(bound.kind is Kind.IMPLIES and limit.kind is Kind.SHARP, "expected an implication and its limit")
    need(bound.where == limit.where, "the implicit quantities differ")
    domain = bound.domain
    need({s.symbol for s in domain} == {s.symbol for s in limit.domain}, "the two have different variables")
    for a, b in ((bound.premise, limit.premise), (bound.conclusion, limit.conclusion)):
        need(same(a, b, domain), f"{a} is not {b}")
    near = limit.witness.startswith(READS_ONE)
    for g in bound.assuming:
        need(g in limit.assuming or (near and g == Given("diameter", (S.One,))), f"{g} is not known of the witness")
    assuming = tuple(dict.fromkeys((*bound.assuming, *limit.assuming)))
    theorem = Theorem(Kind.TIGHT, bound.premise, bound.conclusion, domain, assuming, limit.witness, bound.where)
    return Result(theorem, inside(limit.domain, domain, {}))


@rule("weaker-premise")
def weaker_premise(t: Theorem, weaker: Theorem, *, mapping: Mapped, extra: Domain) -> Result:
    """What shows that A gives no more also has the premise B, if A gives B.

    Mechanisms with two inputs stand for mechanisms on databases that read one record, so what is derived for databases
    of one record may be used, and inputs that are all neighbours of each other.
    """
    need(t.kind in (Kind.SHARP, Kind.NOTHING) and weaker.kind is Kind.IMPLIES, "expected a limit and an implication")
    free_of_inputs(weaker, frozenset({"one record"}))
    need(not weaker.assuming or t.witness.startswith(READS_ONE), "expected inputs that are all neighbours")
    domain = (*t.domain, *extra)
    then, obligations = _fitted(weaker, mapping, domain)
    need(same(t.premise, then.premise, domain), f"{t.premise} is not {then.premise}")
    return Result(Theorem(t.kind, then.conclusion, t.conclusion, domain, t.assuming, t.witness, t.where), obligations)


@rule("every-premise")
def every_premise(
    t: Theorem, weaker: Theorem, *, target: tuple[Expr, ...], level: Expr, mapping: Mapped, domain: Domain
) -> Result:
    """If nothing follows from A, and A at some level gives B at any level, then nothing follows from B.

    ``mapping`` says which level of A is used: the level of B that it gives is at most ``level`` (certified).
    """
    need(t.kind is Kind.NOTHING and weaker.kind is Kind.IMPLIES, "expected a limit and an implication")
    free_of_inputs(weaker, frozenset())
    need(not weaker.assuming or t.witness.startswith(READS_ONE), "expected inputs that are all neighbours")
    need(not any(v.free_symbols for v in t.conclusion.values), "the conclusion has parameters of the premise")
    notion = definition_of(weaker.conclusion.key)
    need(
        notion.symbols == (*target, level) and domain == notion.domain,
        "expected every level of the weaker premise",
    )
    then, obligations = _fitted(weaker, mapping, domain)
    need(all(equal(a, b, domain) for a, b in zip(then.conclusion.values[:-1], target, strict=True)), "other parameters")
    need(t.premise.key == then.premise.key, "another premise")
    covered = {s.symbol: v for s, v in zip(_spans(t), then.premise.values, strict=True)}
    return Result(
        Theorem(Kind.NOTHING, Given(notion.key, notion.symbols), t.conclusion, domain, t.assuming, t.witness),
        (*obligations, *inside(t.domain, domain, covered), Statement(then.conclusion.values[-1], "<=", level, domain)),
    )


def _spans(t: Theorem) -> Domain:
    """The ranges of a premise that is made of plain variables."""
    ranges = {s.symbol: s for s in t.domain}
    need(all(v in ranges for v in t.premise.values), f"{t.premise} is not stated for every level")
    return tuple(ranges[v] for v in t.premise.values)


@rule("pull-back")
def pull_back(t: Theorem, bound: Theorem, *, mapping: Mapped, through: Symbol) -> Result:
    """If A gives no better C, and every level of B gives a C, then A gives no better B.

    The implication from B to C is at hand for all values of ``through``, with which both levels grow strictly
    (certified): a smaller level of B would give a smaller level of C than A gives.
    """
    need(t.kind is Kind.SHARP and bound.kind is Kind.IMPLIES, "expected a sharp level and an implication")
    free_of_inputs(bound, frozenset())
    ranges = {s.symbol: s for s in bound.domain}
    need(through in ranges and ranges[through].lo_open, f"{through} has no range, or a smallest value")
    tied = [s for s in bound.domain if through in s.lo.free_symbols | s.hi.free_symbols]
    need(not tied, "ranges depend on the level")
    need(not bound.assuming or t.witness.startswith(READS_ONE), "expected inputs that are all neighbours")
    then, obligations = _fitted(bound, mapping, t.domain)
    need(same(t.conclusion, then.conclusion, t.domain), f"{t.conclusion} is not {then.conclusion}")
    own = [v for g in (bound.premise, bound.conclusion) for v in g.values[:-1]]
    need(not any(through in v.free_symbols for v in own), f"{through} changes more than the levels")
    levels = (g.values[-1] for g in (bound.premise, bound.conclusion))
    # A square root grows where its argument does.
    rising = [diff(e.base if isinstance(e, Pow) and e.exp == S.Half else e, through) for e in levels]
    slopes = [Statement(slope, ">", S.Zero, bound.domain) for slope in rising if slope != 1]
    # From the lowest value of the level on: a level below all of them gives every one of them.
    return Result(
        Theorem(Kind.SHARP, t.premise, then.premise, t.domain, t.assuming, t.witness), (*obligations, *slopes)
    )


@rule("every-level")
def every_level(bound: Theorem) -> Result:
    """The implication is at hand for every level of its premise below the largest one.

    That is so for a level that is a plain variable with the whole range of its definition, and for a function of one
    variable on (0, oo) that grows and comes close to the largest level (certified).
    """
    need(bound.kind is Kind.IMPLIES and not bound.assuming, "expected an implication for all inputs")
    # A quantity that is only defined in words may be infinite, and a largest level is none that is wanted.
    need(not bound.where and _ends(bound.conclusion.key)[1] == oo, f"{bound.conclusion} may be the largest level")
    names = {s.symbol: s for s in bound.domain}
    level = bound.premise.values[-1]
    least, top = _ends(bound.premise.key)
    grows: tuple[Statement, ...] = ()
    if isinstance(level, Symbol):
        need(names[level].lo == least and names[level].hi == top, f"{bound} is not about every level")
        through = level
    else:
        (through,) = (s for s in level.free_symbols if s in names and names[s].hi == oo and names[s].lo == 0)
        grows = _near_top(bound, level, through, top)
    others = tuple(v for g in (bound.premise, bound.conclusion) for v in g.values[:-1])
    need(all(isinstance(v, Symbol) and v != through for v in others), "expected plain parameters")
    rest = tuple(s for s in bound.domain if s.symbol != through)
    need({s.symbol for s in rest} <= set(others), "the implication has further variables")
    tied = [s for s in bound.domain if through in s.lo.free_symbols | s.hi.free_symbols]
    need(not tied, "ranges depend on the level")
    premise, conclusion = (Given(g.key, g.values[:-1]) for g in (bound.premise, bound.conclusion))
    return Result(Theorem(Kind.FINITE, premise, conclusion, rest), grows)


def _ends(key: str) -> tuple[Expr, Expr]:
    """The smallest and the largest level of a notion."""
    record = get(key)
    levels = record.range(record.parameter(record.answers))
    return levels.start, levels.end


def _near_top(bound: Theorem, level: Expr, through: Symbol, top: Expr) -> tuple[Statement, ...]:
    """The level grows with the variable v and has no bound, or is at least 1 - 1/cosh(v/4) of its largest value."""
    if top == oo:
        far = tuple(Span(s.symbol, S(16), oo) if s.symbol == through else s for s in bound.domain)
        grows = Statement(diff(level, through), ">", S.Zero, bound.domain)
        return grows, Statement(level, ">=", through / 8 - 1, far)
    if isinstance(level, Pow) and level.exp == S.Half:
        # A square root is close to the largest level where its argument is close to the square of that.
        level, top = level.base, top**2
    grows = Statement(diff(level, through), ">", S.Zero, bound.domain)
    return grows, Statement(top * (1 - 1 / cosh(through / 4)), "<=", level, bound.domain)


@rule("contraposition")
def contraposition(t: Theorem, finite: Theorem, *, mapping: Mapped) -> Result:
    """If A gives no level of C, and every level of B below its largest gives one of C, then A gives no level of B."""
    need(t.kind is Kind.NOTHING and finite.kind is Kind.FINITE, "expected a limit and an implication at every level")
    taken = {s.symbol for s in t.domain}
    extra = tuple(s for s in finite.domain if s.symbol not in mapping)
    need(not taken & {s.symbol for s in extra}, "one name for two parameters")
    domain = (*t.domain, *extra)
    then, conditions = _fitted(finite, mapping, domain)
    need(same(t.conclusion, then.conclusion, domain), f"{t.conclusion} is not {then.conclusion}")
    return Result(Theorem(Kind.NOTHING, t.premise, then.premise, domain, t.assuming, t.witness), conditions)
