"""Rules of plain reasoning: Bayes' rule, identities, substitution, monotone functions, limits, cases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Expr, Max, Piecewise, Pow, S, Symbol, diff, oo

from symprivacy.derivations.derivation import DerivationError, Lookup, Outcome, counted, joined, need, rule
from symprivacy.notions.certify import equal
from symprivacy.notions.definition import PRIOR
from symprivacy.notions.statement import FLIPPED, Domain, Span, Statement, merged, replace
from symprivacy.notions.symbols import NATURAL, A, M, P, Q

Inputs = tuple[Statement, ...]
Parameters = Mapping[str, Any]


def inside(outer: Domain, inner: Domain, mapping: Mapping[Symbol, Expr]) -> tuple[Statement, ...]:
    """Side conditions: on the inner domain, what replaces each variable lies in its outer range."""
    ranges = {s.symbol: s for s in inner}
    found = []
    for s in outer:
        value = replace(s.symbol, mapping)
        lo, hi = replace(s.lo, mapping), replace(s.hi, mapping)
        same = ranges.get(value)
        if lo == -oo and hi == oo and same is None and not value.is_Rational:
            # Any real number will do, but it has to be one.
            found.append(Statement(value, "==", value, inner))
        for end, side, is_open in ((lo, ">", s.lo_open), (hi, "<", s.hi_open)):
            if end in (oo, -oo):
                continue
            if same is not None:
                own, own_open = (same.lo, same.lo_open) if side == ">" else (same.hi, same.hi_open)
                if own == end and (own_open or not is_open):
                    continue
            found.append(Statement(value, side if is_open else side + "=", end, inner))
    return tuple(found)


@rule("bayes", 0, principle="bayes")
def _bayes(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """Bayes' rule."""
    return Outcome(Statement(Q, "==", P * A / (P * A + 1 - P), (PRIOR,)))


@rule("invert", 1, "variable", "form")
def _invert(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """solved for the variable.

    From X = phi(v), phi strictly increasing in v, to v = psi(X); phi(psi(X)) = X is an identity.
    """
    (s,) = inputs
    v, form = parameters["variable"], parameters["form"]
    need(s.rel == "==" and isinstance(s.lhs, Symbol) and v in NATURAL, f"cannot solve {s} for {v}")
    need(v not in form.free_symbols, "the solution contains the variable")
    need(equal(replace(s.rhs, {v: form}), s.lhs, s.domain), f"{form} does not solve {s}")
    need(s.lhs in NATURAL and s.symbols <= {s.lhs, v, *(x.symbol for x in s.domain)}, f"cannot solve {s} for {v}")
    natural = (*s.domain, Span(v, *NATURAL[v]))
    own = (*s.domain, Span(s.lhs, *NATURAL[s.lhs]))
    ends = ((">", NATURAL[v][0]), ("<", NATURAL[v][1]))
    # phi is one to one only on the natural range of v, so the solution has to lie there.
    obligations = (
        Statement(diff(s.rhs, v), ">", S.Zero, natural),
        *(Statement(form, side, end, own) for side, end in ends if end != oo),
    )
    return Outcome(Statement(v, "==", form, s.domain, s.given), obligations)


@rule("monotone", 2, "direction", "domain", relative=True)
def _monotone(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """monotone in the bounded quantity.

    From X = phi(v) (or X <= phi(v)) and v <= u to X <= phi(u), phi increasing on the range of v; if phi is
    decreasing the relation is flipped.
    """
    equation, bound = inputs
    direction, domain = parameters["direction"], parameters["domain"]
    v, u = bound.lhs, bound.rhs
    need(bound.rel in ("<=", ">=") and v in NATURAL, "expected X = phi(v) and v <= u")
    need(v not in u.free_symbols and direction in ("increasing", "decreasing"), "expected a bound of one quantity")
    lo, hi = NATURAL[v]
    slope = diff(equation.rhs, v)
    natural = (*domain, Span(v, lo, hi))
    obligations = [
        *inside(equation.domain, domain, {}),
        *inside(bound.domain, domain, {}),
        Statement(slope if direction == "increasing" else -slope, ">=", S.Zero, natural),
    ]
    obligations += [Statement(u, side, end, domain) for end, side in ((lo, ">"), (hi, "<")) if end != oo and u != end]
    need(u not in (lo, hi), "the bound says nothing")
    rel = bound.rel if direction == "increasing" else FLIPPED[bound.rel]
    need(equation.rel in ("==", rel), f"{equation} and {bound} do not fit together")
    result = Statement(equation.lhs, rel, replace(equation.rhs, {v: u}), domain, joined(equation, bound))
    return Outcome(result, tuple(dict.fromkeys(obligations)))


@rule("substitute", 1, "mapping", "domain", facts=True)
def _substitute(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """substitution."""
    (s,) = inputs
    mapping, domain = parameters["mapping"], parameters["domain"]
    need(set(mapping) <= {span.symbol for span in s.domain}, "only variables of the domain are replaced")
    # The posterior q belongs to the prior p: at another prior it is another number.
    need(P not in mapping or Q not in s.symbols, f"{s} is about the posterior at prior p")
    need(M not in mapping or not counted(s), f"{s} is about the uniform prior on m secrets")
    result = s.subs(mapping, domain)
    # A variable that is neither bound by the new domain nor a quantity would be free of any range.
    loose = {span.symbol for span in s.domain} & _all_symbols(result) - {span.symbol for span in domain}
    need(not loose, f"{sorted(map(str, loose))} have no range any more")
    return Outcome(result, inside(s.domain, domain, mapping))


def _all_symbols(s: Statement) -> set[Symbol]:
    return s.symbols | {x for g in s.given for v in g.values for x in v.free_symbols}


@rule("identity", 1, "side", "form", facts=True)
def _identity(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """identity."""
    (s,) = inputs
    side, form = parameters["side"], parameters["form"]
    need(side in ("lhs", "rhs"), "a side is lhs or rhs")
    need(equal(getattr(s, side), form, s.domain), f"{getattr(s, side)} = {form} is not shown by the algebra")
    lhs, rhs = (form, s.rhs) if side == "lhs" else (s.lhs, form)
    return Outcome(Statement(lhs, s.rel, rhs, s.domain, s.given))


@rule("case", 1, "node", "value", facts=True)
def _case(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """only one case of the maximum occurs."""
    (s,) = inputs
    node, value = parameters["node"], parameters["value"]
    need(isinstance(node, Max) and value in node.args and s.rhs.has(node), f"{value} is not a case of {node} in {s}")
    obligations = tuple(Statement(value, ">=", other, s.domain) for other in node.args if other != value)
    return Outcome(Statement(s.lhs, s.rel, s.rhs.xreplace({node: value}), s.domain, s.given), obligations)


@rule("weaken", 1, "factor", "value", "node", "power")
def _weaken(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """a maximum is at least each of its cases.

    X <= k v and v is a case of M = max(v, ...), k >= 0: X <= k M. With power -1, X >= k/v and v > 0: X >= k/M.
    """
    (s,) = inputs
    k, v, node, power = (parameters[name] for name in ("factor", "value", "node", "power"))
    need(isinstance(node, Max) and v in node.args, f"{v} is not a case of {node}")
    need((s.rel, power) in (("<=", 1), (">=", -1)), "expected X <= k v, or X >= k/v")
    need(equal(s.rhs, k * v**power, s.domain), f"{s.rhs} is not {k * v**power}")
    known = {span.symbol for span in s.domain}
    need((k.free_symbols | node.free_symbols) <= known, f"{node} has variables without a range")
    obligations = [Statement(k, ">=", S.Zero, s.domain)]
    obligations += [Statement(v, ">", S.Zero, s.domain)] if power == -1 else []
    # Where another case is not defined, the maximum is not either.
    obligations += [Statement(case, "==", case, s.domain) for case in node.args if case != v]
    return Outcome(Statement(s.lhs, s.rel, k * node**power, s.domain, s.given), tuple(obligations))


@rule("rearrange", 1, "lhs", "rel", "rhs", facts=True)
def _rearrange(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """rearranged.

    The difference of the two sides stays the same, or changes sign together with the relation.
    """
    (s,) = inputs
    lhs, rel, rhs = (parameters[k] for k in ("lhs", "rel", "rhs"))
    before = s.lhs - s.rhs if s.rel == rel else s.rhs - s.lhs
    need(rel in (s.rel, FLIPPED[s.rel]), f"{s.rel} does not become {rel}")
    need(equal(before, lhs - rhs, s.domain), f"{lhs} {rel} {rhs} is not {s} rearranged")
    return Outcome(Statement(lhs, rel, rhs, s.domain, s.given))


@rule("inequality", 0, "lhs", "rel", "rhs", "domain", facts=True)
def _inequality(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """certified inequality."""
    s = Statement(*(parameters[k] for k in ("lhs", "rel", "rhs", "domain")))
    return Outcome(s, (s,))


@rule("transitive", 2, "domain", facts=True)
def _transitive(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """chain of inequalities."""
    first, second = inputs
    domain = parameters["domain"]
    need(first.rhs == second.lhs, f"{first} and {second} do not meet")
    rels = {first.rel, second.rel} - {"=="}
    need(rels <= {"<=", "<"} or rels <= {">=", ">"}, f"{first} and {second} point in different directions")
    rel = "==" if not rels else min(rels, key=len) if rels & {"<", ">"} else rels.pop()
    obligations = (*inside(first.domain, domain, {}), *inside(second.domain, domain, {}))
    result = Statement(first.lhs, rel, second.rhs, domain, joined(first, second))
    return Outcome(result, tuple(dict.fromkeys(obligations)))


@rule("limit", 1, "variable", "at", principle="worst-prior", facts=True)
def _limit(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """limit at the end of the range.

    X <= G(v) for all v near an end of its range, G continuous there (its expression is defined at the end
    itself, and without cases it is continuous where it is defined): X <= G(end).
    """
    (s,) = inputs
    v, at = parameters["variable"], parameters["at"]
    own = [span for span in s.domain if span.symbol == v]
    ends = [end for span in own for end in (span.lo, span.hi)]
    need(at in ends and at not in (oo, -oo), f"{at} is not an end of the range of {v}")
    need(s.rel in ("<=", ">=") and v not in s.lhs.free_symbols and not s.rhs.has(Piecewise), "expected X <= G(v)")
    need(v != P or Q not in s.symbols, f"{s} is about the posterior at prior p")
    need(v != M or not counted(s), f"{s} is about the uniform prior on m secrets")
    # x**y is defined but not continuous at (0, 0).
    need(not any(v in power.exp.free_symbols for power in s.rhs.atoms(Pow)), f"a power with {v} in its exponent")
    rest = tuple(span for span in s.domain if span.symbol != v)
    need(not any(v in (span.lo.free_symbols | span.hi.free_symbols) for span in rest), f"other ranges depend on {v}")
    need(not any(v in value.free_symbols for g in s.given for value in g.values), f"{v} is a parameter of the premise")
    result = Statement(s.lhs, s.rel, replace(s.rhs, {v: at}), rest, s.given)
    # On an empty range every statement holds; there is nothing to tend to.
    obligations = [Statement(result.rhs, "==", result.rhs, rest)]
    if own[0].lo != -oo and own[0].hi != oo:
        obligations.append(Statement(own[0].lo, "<", own[0].hi, rest))
    return Outcome(result, tuple(obligations))


@rule("piecewise", 2, "variable", facts=True)
def _piecewise(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """the two ranges together."""
    low, high = inputs
    v = parameters["variable"]
    need((low.lhs, low.rel) == (high.lhs, high.rel), "two bounds of one quantity expected")
    a, b = ({s.symbol: s for s in side.domain}.get(v) for side in inputs)
    if a is None or b is None:
        raise DerivationError(f"no range of {v}")
    need(a.hi == b.lo and not (a.hi_open and b.lo_open), f"{a} and {b} leave out a point")
    rest = merged(*(tuple(s for s in side.domain if s.symbol != v) for side in inputs))
    domain = (*rest, Span(v, a.lo, b.hi, a.lo_open, b.hi_open))
    condition = v < a.hi if a.hi_open else v <= a.hi
    value = Piecewise((low.rhs, condition), (high.rhs, True))
    return Outcome(Statement(low.lhs, low.rel, value, domain, joined(low, high)))


@rule("summary", None, "count", facts=True)
def _summary(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """all of these."""
    need(0 < len(inputs) == len(set(inputs)) == parameters["count"], "expected as many different statements as counted")
    return Outcome(inputs[0])
