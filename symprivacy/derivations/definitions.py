"""What notions say, as steps: their definitions at the start of a derivation and at its end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Expr, S, Symbol, oo

from symprivacy.derivations.derivation import DerivationError, Lookup, Outcome, joined, need, rule
from symprivacy.derivations.means import compares_both
from symprivacy.notions.certify import equal
from symprivacy.notions.definition import PRIOR, Definition, covers, posterior_statements, targets
from symprivacy.notions.statement import ASSUMPTIONS, Domain, Given, Span, Statement, merged, replace
from symprivacy.notions.symbols import A, M, P, Q

Inputs = tuple[Statement, ...]
Parameters = Mapping[str, Any]


@rule("definition", 0, "view", "part")
def _definition(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """definition.

    Parts: the number of a posterior constraint, "ratio", "width" or "mean". What it says is defined everywhere on
    its domain (certified): later steps may rewrite it in a form that is defined at more points.
    """
    notion, part = lookup(parameters["view"]), parameters["part"]
    need(notion.key not in ASSUMPTIONS, f"{notion.key} is the name of an assumption, not of a notion")
    if part in ("ratio", "width", "mean"):
        need(bool(getattr(notion, part)), f"{notion.key} has no {part}")
        (found,) = targets(
            Definition(
                notion.key,
                notion.level,
                notion.others,
                compares=notion.compares,
                every=notion.every,
                **{part: getattr(notion, part)},
            )
        )
    else:
        shown = targets(notion) if notion.uniform else posterior_statements(notion)
        need(isinstance(part, int) and 0 <= part < len(shown), f"{notion.key} has no constraint {part}")
        found = shown[part]
    defined = () if found.rhs.is_Symbol else (Statement(found.rhs, "==", found.rhs, found.domain),)
    return Outcome(Statement(found.lhs, found.rel, found.rhs, found.domain, (notion.given,)), defined)


@rule("one-prior", 0, "view", principle="one-prior")
def _one_prior(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """posterior over prior at one prior.

    An output multiplies the probability of every input by its likelihood over the mean likelihood. The mean is the same
    for all inputs, so the quotient of two such factors is the ratio of the likelihoods.
    """
    notion = lookup(parameters["view"])
    if notion.quotient is None:
        raise DerivationError(f"{notion.key} does not bound posterior over prior at one prior")
    low, high = notion.quotient
    need(not {P, Q, A} & (low.free_symbols | high.free_symbols), f"the bounds of {notion.key} depend on the prior")
    positive = Statement(low, ">", S.Zero, notion.domain)
    return Outcome(Statement(A, "<=", high / low, notion.domain, (notion.given,)), (positive,))


@rule("exchange", 1, principle="both-orders")
def _exchange(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """the two secrets exchange their roles.

    A constraint for every secret, prior and output: for the other secret q becomes 1 - q and p becomes 1 - p.
    """
    (s,) = inputs
    fixed = any(P in v.free_symbols for g in s.given for v in g.values)
    need(PRIOR in s.domain and not fixed, f"{s} is not stated for every prior")
    need(s.symbols & {A, Q} == {Q}, f"{s} is not about a posterior")
    compares_both(s, lookup)
    other = {P: 1 - P, Q: 1 - Q}
    return Outcome(Statement(replace(s.lhs, other), s.rel, replace(s.rhs, other), s.domain, s.given))


@rule("conclude", None, "view", "values")
def _conclude(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """the definition of the conclusion.

    Each constraint of the notion, at the given parameters, is one of the statements used. What results says
    that the mechanism's level under the notion is at most the last parameter.
    """
    notion, values = lookup(parameters["view"]), tuple(parameters["values"])
    need(len(values) == len(notion.symbols), f"{notion.key} has {len(notion.symbols)} parameters")
    mapping = dict(zip(notion.symbols, values, strict=True))
    wanted = targets(notion)
    # A posterior belongs to the prior of its statement, and a bound for a uniform prior to its number of secrets:
    # a notion with such a parameter is concluded with that very one, or where the statement is about one value of it.
    need(not notion.uniform or M in notion.symbols, f"{notion.key} does not say how many secrets there are")
    places = {x: mapping[x] for x in (P, M) if x in notion.symbols and mapping[x] != x}
    need(
        all(v.is_number for v in places.values()),
        f"{notion.key} is concluded for the p or m of the statements used",
    )
    every = {x.symbol for x in notion.every}
    need(not any(every & v.free_symbols for v in values), f"the level of {notion.key} depends on {every}")
    need(len(inputs) == len(wanted), f"{notion.key} needs {len(wanted)} statements, got {len(inputs)}")
    shared: Domain = ()
    for s, target in zip(inputs, wanted, strict=True):
        goal = target.subs(mapping, ())
        need(s.rel == goal.rel and _same(s.lhs, goal.lhs, s.domain), f"{s} is not {goal}")
        need(_same(s.rhs, goal.rhs, s.domain), f"{s} is not {goal}")
        if P in {x.symbol for x in target.domain} and P not in places:
            need(PRIOR in s.domain, f"{s} is not shown for every prior")
            fixed = P not in notion.symbols and any(P in v.free_symbols for g in s.given for v in g.values)
            need(not fixed, f"the prior of {s} is the one of its premise")
        for x, v in places.items():
            need(Span(x, v, v, False, False) in s.domain, f"{s} is not shown at {x} = {v}")
        need(set(notion.every) <= set(s.domain), f"{s} is not shown for every {every}")
        need(
            not any(every & v.free_symbols for g in s.given for v in g.values), f"{every} is a parameter of the premise"
        )
        free = set().union(*(v.free_symbols for v in (*values, *(v for g in s.given for v in g.values))))
        kept = tuple(x for x in s.domain if x.symbol not in (P, *places, *every) or x.symbol in free)
        # A range that is left out has a point whatever the others are.
        gone = {x.symbol for x in s.domain if x not in kept}
        tied = any(gone & {x.symbol, y} for x in s.domain for y in x.lo.free_symbols | x.hi.free_symbols)
        need(not tied, f"{s} is about ranges that depend on each other: {s.where()}")
        shared = merged(shared, kept)
        paths = [g for g in s.given if g.key == PATH]
        path = [g.values[0].name for g in paths]
        for g in (g for g in s.given if g.key not in ASSUMPTIONS):
            source = lookup(g.key)
            relation = path[0] if path else source.relation
            need(
                covers(relation, notion.relation) and len(path) < 2,
                f"{g.key} compares other pairs ({relation}) than {notion.key} ({notion.relation})",
            )
            need(source.orders in ("both", notion.orders), f"{g.key} compares each pair in one order only")
            # The bound on the ratio does not mention how long the chains are.
            if relation == notion.relation == CHAINS:
                long = paths[0].values[1] if paths else _length(source, g.values)
                need(long == _length(notion, values), f"chains of {long} pairs, not of {_length(notion, values)}")
    # Which pairs are meant is part of both definitions.
    given = tuple(g for g in joined(*inputs) if g.key != PATH)
    return Outcome(Statement(Symbol(notion.key, real=True), "<=", values[-1], shared, given))


# How many steps between pairs of one relation make a pair of another: x and x' that differ in one record are joined
# through the database without it; c steps are c steps by definition; any two inputs are joined by as many steps as
# the graph of neighbours is wide, if it is connected.
PATH = "path"
CHAINS = "chains of c neighbours"
_GROUP, _DIAMETER = Symbol("c", real=True), Symbol("d", real=True)
STEPS: dict[tuple[str, str], Expr] = {
    ("unbounded", "bounded"): S(2),
    ("unbounded", "one record"): S(2),
    ("neighbours", CHAINS): _GROUP,
    ("neighbours", "all pairs"): _DIAMETER,
    ("bounded", "all pairs"): _DIAMETER,
    ("one record", "all pairs"): _DIAMETER,
    ("unbounded", "all pairs"): _DIAMETER,
}


@rule("group-path", 1, "relation", principle="group-path")
def _group_path(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """one factor for each step between neighbours."""
    (s,) = inputs
    need(s.lhs == A and s.rel == "<=", f"expected A <= B, got {s}")
    need(P not in s.symbols, f"{s} is about one prior")
    sources = [lookup(g.key) for g in s.given if g.key not in ASSUMPTIONS]
    need(len(sources) == 1 and not any(g.key == PATH for g in s.given), "expected a bound from one notion")
    compares_both(s, lookup)
    source, relation = sources[0], parameters["relation"]
    steps = STEPS.get((source.relation, relation))
    if steps is None:
        raise DerivationError(f"no chain of pairs of {source.key} ({source.relation}) makes {relation}")
    spans: Domain = tuple(Span(x, S.One, oo, False, True) for x in sorted(steps.free_symbols, key=str))
    diameter = (Given("diameter", (steps,)),) if steps == _DIAMETER else ()
    domain = merged(s.domain, spans)
    given = (*s.given, *diameter, Given(PATH, (Symbol(relation), steps)))
    return Outcome(Statement(A, "<=", s.rhs**steps, domain, given), (Statement(s.rhs, ">=", S.One, s.domain),))


def _length(notion: Definition, values: tuple[Expr, ...]) -> Expr:
    """The length of the chains that a notion compares, a parameter called c, or c2 beside another c."""
    found = [value for symbol, value in zip(notion.symbols, values, strict=True) if symbol.name in ("c", "c2")]
    need(len(found) == 1, f"{notion.key} does not say how long its chains are")
    return found[0]


def _same(a: Expr, b: Expr, domain: Domain) -> bool:
    return a == b or equal(a, b, domain)
