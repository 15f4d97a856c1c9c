"""Other variables as Coq lemmas: one by its place between bounds, and one in terms of a new one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from symprivacy.coq.atoms import equality
from symprivacy.coq.script import Node, Proof, Script, applied, by_equality, condition, defined
from symprivacy.coq.terms import hypotheses, plain, term, unsimplified, variable
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range, range_from_data
from symprivacy.kernel.calculus import requirements
from symprivacy.kernel.data import from_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, bound_goal, instance_goals, put_goals


def moved_conditions(goal: Goal, child: Goal, put: Mapping[Expr, Expr]) -> list[str]:
    """The given inequalities after a substitution, as the child states them."""
    lines = []
    for i, ((old, strict), (new, _)) in enumerate(zip(goal.given, child.given, strict=True)):
        lines.append(equality(f"W{i}", unsimplified(plain(old), put), plain(new), child.box))
        how = f"apply ({'positive' if strict else 'nonnegative'}_as _ _ (eq_sym W{i})); assumption"
        lines.append(f"assert (G{i} : {condition(new, strict)}) by ({how}).")
    return lines


def by_bound(script: Script, node: Node) -> list[str]:
    """A given inequality as a bound of a variable, which lies between the other end and it."""
    goal, proof = node.goal, node.proof
    name, at_hi, index = proof["var"], proof["side"] == "hi", proof["given"]
    u, k = (from_data(proof[key]) for key in ("bound", "factor"))
    given, strict = goal.given[index]
    gap = x.sub(u, x.var(name)) if at_hi else x.sub(x.var(name), u)
    child = bound_goal(goal, name, at_hi, index, u, proof["new"])
    cancel = "cancel_factor" if strict else "cancel_factor_weak"
    sign = "<" if strict else "<="
    lines = [
        script.use("K", replace(goal, expr=k, strict=True), proof["factor_proof"]),
        equality("E0", plain(given), x.make("*", (plain(k), plain(gap))), goal.box),
        f"assert (B : 0 {sign} {term(plain(gap))}) by (apply ({cancel} {term(plain(k))}); lra).",
    ]
    if not u.variables:
        values = " ".join(map(variable, goal.box))
        return [*lines, f"{applied(script.prove(child, proof['proof'], node.shape), values)}."]
    r, v = goal.box[name], variable(name)
    end = r.lo if at_hi else r.hi
    assert end is not None
    t, bound, edge = x.var(str(proof["new"])), plain(u), plain(end)
    way = x.make("+", (bound, x.make("*", (x.MINUS_ONE, edge))))
    put = {x.var(name): x.make("+", (edge, x.make("*", (t, way))))}
    place = child.box[str(t.value)]
    lines.append(f"destruct (between {term(edge)} {v} {term(bound)}) as [{term(t)} [V [T [T0 T1]]]]; [lra | ].")
    lines += [f"assert (U0 : 0 < {term(t)}) by (apply T0; lra)."] if place.lo_open else []
    lines += [f"assert (U1 : {term(t)} < 1) by (apply T1; lra)."] if place.hi_open else []
    lines.append(f"clear T0 T1. subst {v}.")
    lines += moved_conditions(goal, child, put)
    lines.append(script.use("F", child, proof["proof"]))
    same = equality("E1", unsimplified(node.shape, put), plain(child.expr), child.box)
    return [*lines, same, f"{by_equality(goal, 'E1')} exact F."]


def by_put(script: Script, node: Node) -> list[str]:
    """Another variable in place of one."""
    goal, proof = node.goal, node.proof
    name, t, r = proof["var"], str(proof["new"]), range_from_data(proof["range"])
    value, inverse = (from_data(proof[key]) for key in ("value", "inverse"))
    within, child = put_goals(goal, name, t, r, value, inverse)
    v, back, put = variable(name), plain(inverse), {x.var(name): plain(value)}
    lines = defined(script, goal, requirements(inverse), proof.get("defined"))
    lines.append(equality("E0", unsimplified(plain(value), {x.var(t): back}), x.var(name), goal.box))
    lines += _in_range(script, r, back, within, proof["within"])
    known = [f"{v} = {term(plain(value))}", *hypotheses(t, r)]
    used = " ".join(["E0", *(f"C{i} I{i}" for i in range(len(within)))])
    lines += [
        f"assert (X : exists {variable(t)}, {_together(known)}).",
        f"{{ exists {term(back)}. repeat split; first [ symmetry; exact E0 | lra ]. }}",
        f"clear {used}. destruct X as [{variable(t)} {_pattern(known)}]. subst {v}.",
        *moved_conditions(goal, child, put),
        script.use("F", child, proof["proof"]),
    ]
    same = equality("E1", unsimplified(node.shape, put), plain(child.expr), child.box)
    return [*lines, same, f"{by_equality(goal, 'E1')} exact F."]


def by_instance(script: Script, node: Node) -> list[str]:
    """One more variable, which has some value at each point."""
    goal, proof = node.goal, node.proof
    t, r = str(proof["new"]), range_from_data(proof["range"])
    value, e = (from_data(proof[key]) for key in ("value", "expr"))
    within, child = instance_goals(goal, t, r, e, value)
    known = [f"{variable(t)} = {term(plain(value))}", *hypotheses(t, r)]
    used = " ".join(f"C{i} I{i}" for i in range(len(within)))
    case = unsimplified(plain(e), {x.var(t): plain(value)})
    return [
        *defined(script, goal, requirements(value), proof.get("value_defined")),
        *_in_range(script, r, plain(value), within, proof["within"]),
        f"assert (X : exists {variable(t)}, {_together(known)}).",
        f"{{ exists {term(plain(value))}. repeat split; lra. }}",
        *([f"clear {used}."] if used else []),
        f"destruct X as [{variable(t)} {_pattern(known)}].",
        script.use("F", child, proof["proof"]),
        f"subst {variable(t)}.",
        *defined(script, goal, requirements(goal.expr), proof.get("defined")),
        equality("E1", node.shape, case, goal.box),
        f"{by_equality(goal, 'E1')} exact F.",
    ]


def _in_range(script: Script, r: Range, value: Expr, within: list[Goal], proofs: Sequence[Proof]) -> list[str]:
    """That a value lies between the ends of a range: C0, C1 as the certificate has it, and I0, I1 as it is written."""
    gaps = [x.make("+", (value, x.make("*", (x.MINUS_ONE, plain(r.lo)))))] if r.lo is not None else []
    gaps += [x.make("+", (plain(r.hi), x.make("*", (x.MINUS_ONE, value))))] if r.hi is not None else []
    lines = []
    for i, (g, part, gap) in enumerate(zip(within, proofs, gaps, strict=True)):
        lines += [script.use(f"C{i}", g, part), equality(f"I{i}", gap, plain(g.expr), g.box)]
    return lines


def _together(known: list[str]) -> str:
    return " /\\ ".join(known)


def _pattern(known: list[str]) -> str:
    last = len(known) - 1
    return "".join(f"[T{i} " for i in range(last)) + f"T{last}" + "]" * last
