"""The rules of the checker as Coq lemmas: each reduces its goal to those of the nodes it rests on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from symprivacy.coq.atoms import equal_steps, equality
from symprivacy.coq.changes import by_bound, by_instance, by_put, moved_conditions
from symprivacy.coq.curves import by_concave, by_rising, by_taylor
from symprivacy.coq.script import Node, Script, applied, by_equality, condition, defined
from symprivacy.coq.signs import sign_proof
from symprivacy.coq.slopes import by_limit, by_mean, by_slope
from symprivacy.coq.terms import plain, term, unsimplified, variable
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.calculus import requirements
from symprivacy.kernel.data import from_data
from symprivacy.kernel.enclose import constant_sign
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import cases, fix_goal, split_goals


def _box(script: Script, node: Node) -> list[str]:
    goal, bits = node.goal, max(53, int(node.proof.get("prec", 53)))
    tactics = []
    if goal.expr.has_kink:
        tactics.append("solve [ unfold Rmin, Rmax; decide_all; first [ lra | interval | nra | signs ] ]")
    tactics += ["interval", f"interval with (i_prec {bits + 30})"]
    if goal.expr.variables:
        bisected = ", ".join(f"i_bisect {variable(v)}" for v in sorted(goal.expr.variables))
        tactics += [f"interval with ({bisected})", f"interval with (i_prec {bits + 30}, {bisected})"]
    written = equal_steps([node.shape], goal.box)[:-1]
    tactics += [f"solve [ {''.join(f'{line[:-1]}; ' for line in written)}signs ]"]
    return [f"first [ {' | '.join(tactics)} ]."]


def _zero(script: Script, node: Node) -> list[str]:
    return [*_defined(script, node), equality("E0", node.shape, x.ZERO, node.goal.box), "lra."]


def _defined(script: Script, node: Node) -> list[str]:
    return defined(script, node.goal, requirements(node.goal.expr), node.proof.get("defined"))


def _empty(script: Script, node: Node) -> list[str]:
    u, strict = node.goal.given[node.proof["given"]]
    v = plain(x.neg(u))
    proof = sign_proof(v, not strict, node.goal.box)
    how = f"first [ solve [ {proof} ] | signs ]" if proof else "signs"
    return [f"exfalso. assert (0 {'<=' if strict else '<'} {term(v)}) by ({how}). lra."]


def _void(script: Script, node: Node) -> list[str]:
    return ["exfalso. first [ lra | interval ]."]


def _split(script: Script, node: Node) -> list[str]:
    goal, proof = node.goal, node.proof
    name, at = proof["var"], from_data(proof["at"])
    low, high = split_goals(goal, name, at, str(proof.get("open", "")))
    first, second = script.prove(low, proof["low"], node.shape), script.prove(high, proof["high"], node.shape)
    test = "Rlt_or_le" if low.box[name].hi_open else "Rle_or_lt"
    values = " ".join(map(variable, goal.box))
    return [
        f"destruct ({test} {variable(name)} {term(plain(at))}).",
        f"- {applied(first, values)}.",
        f"- {applied(second, values)}.",
    ]


def _fix(script: Script, node: Node) -> list[str]:
    goal, name = node.goal, node.proof["var"]
    end = goal.box[name].lo
    assert end is not None
    child = fix_goal(goal, name)
    value = plain(end)
    lines = [f"assert (V : {variable(name)} = {term(value)}) by lra. subst {variable(name)}."]
    lines += moved_conditions(goal, child, {x.var(name): value})
    lines.append(script.use("F", child, node.proof["proof"]))
    same = equality("E0", unsimplified(node.shape, {x.var(name): value}), plain(child.expr), child.box)
    return [*lines, same, f"{by_equality(goal, 'E0')} exact F."]


def _cases(script: Script, node: Node) -> list[str]:
    goal = node.goal
    kink = from_data(node.proof["of"])
    whole, first_new = plain(kink), len(goal.given)
    children = list(cases(goal, kink))
    values = [plain(c.expr) for c in cases(replace(goal, expr=kink), kink)]
    options, patterns, branches = [], [], []
    for child, value, part in zip(children, values, node.proof["parts"], strict=True):
        known = [condition(u, strict) for u, strict in child.given[first_new:]]
        # Where no condition of a Piecewise holds there is no value: that there is no such point will be shown.
        has_value = child.expr is not x.MINUS_ONE
        now = value if has_value else whole
        options.append("(" + " /\\ ".join([f"{term(whole)} = {term(now)}", *known]) + ")")
        patterns.append(_pattern(["K", *(f"G{i}" for i in range(len(known)))], ""))
        used = script.use("F", child, part)
        if not has_value:
            branches.append(f"- {used} exfalso. lra.")
            continue
        same = equality("E0", unsimplified(node.shape, {whole: now}), plain(child.expr), child.box)
        branches.append(f"- {used} rewrite K. {same} {by_equality(goal, 'E0')} exact F.")
    either = " \\/ ".join(options)
    lines = [f"assert (C : {either}) by one_case.", f"destruct C as {_pattern(patterns, '|')}."]
    return [*lines, *branches]


def _pattern(parts: list[str], separator: str) -> str:
    """The pattern that takes a conjunction or disjunction apart."""
    if len(parts) == 1:
        return parts[0]
    return f"[{parts[0]} {separator} {_pattern(parts[1:], separator)}]"


def _product(script: Script, node: Node) -> list[str]:
    goal, proof = node.goal, node.proof
    c, lines, factors = from_data(proof["coefficient"]), list[str](), list[Expr]()
    for i, factor in enumerate(proof["factors"]):
        f, power, sign = from_data(factor["expr"]), factor["power"], factor["sign"]
        if sign == 0:
            square = x.make("*", (plain(f), plain(f)))
            lines.append(f"assert (P{i} : 0 <= {term(square)}) by apply Rle_0_sqr.")
            factors.append(x.make("^", (square, x.num(power // 2))))
            continue
        g = f if sign == 1 else x.neg(f)
        c = c if sign == 1 or power % 2 == 0 else x.neg(c)
        lines.append(script.use(f"P{i}", replace(goal, expr=g, strict=factor["strict"] is True), factor["proof"]))
        factors.append(x.make("^", (plain(g), x.num(power))))
    if constant_sign(c) != 1:
        raise UnsupportedError("the signs of a product do not multiply to +")
    product = x.make("*", (plain(c), *factors)) if factors else plain(c)
    lines += [*_defined(script, node), equality("E0", node.shape, product, goal.box)]
    return [*lines, f"{by_equality(goal, 'E0')} factors."]


def _sum(script: Script, node: Node) -> list[str]:
    goal, proof = node.goal, node.proof
    terms = [from_data(p["expr"]) for p in proof["parts"]]
    lines = [
        script.use(f"P{i}", replace(goal, expr=e, strict=goal.strict and i == 0), p["proof"])
        for i, (e, p) in enumerate(zip(terms, proof["parts"], strict=True))
    ]
    lines += _defined(script, node)
    total = plain(terms[0]) if len(terms) == 1 else x.make("+", tuple(map(plain, terms)))
    return [*lines, equality("E0", node.shape, total, goal.box), f"{by_equality(goal, 'E0')} lra."]


def _logs(script: Script, node: Node) -> list[str]:
    goal, proof = node.goal, node.proof
    a, b = (from_data(proof[key]) for key in ("left", "right"))
    lines = [
        script.use("A", replace(goal, expr=a, strict=True), proof["left_proof"]),
        script.use("B", replace(goal, expr=b, strict=True), proof["right_proof"]),
        script.use("L", replace(goal, expr=x.sub(x.log(a), x.log(b))), proof["proof"]),
    ]
    left, right = term(plain(a)), term(plain(b))
    lines += _defined(script, node)
    lines.append(equality("E0", node.shape, x.make("+", (plain(a), x.make("*", (x.MINUS_ONE, plain(b))))), goal.box))
    shown = plain(x.sub(x.log(a), x.log(b)))
    calls = [x.make("log", (plain(e),)) for e in (a, b)]
    if not all(term(call) in term(shown) for call in calls):
        # The difference of logarithms is simpler than its parts.
        apart = x.make("+", (calls[0], x.make("*", (x.MINUS_ONE, calls[1]))))
        lines.append(equality("E1", apart, shown, goal.box))
    order = "<" if goal.strict else "<="
    lines.append(f"assert (D : 0 {order} {left} - {right}) by (apply of_logs{'' if goal.strict else '_weak'}; lra).")
    return [*lines, f"{by_equality(goal, 'E0')} lra."]


def _exps(script: Script, node: Node) -> list[str]:
    goal, proof = node.goal, node.proof
    a, b = (from_data(proof[key]) for key in ("left", "right"))
    k, suffix = plain(from_data(proof["scale"])), "" if goal.strict else "_weak"
    logs = x.make("+", (x.log(plain(a)), x.make("*", (x.MINUS_ONE, x.log(plain(b))))))
    left, right = term(plain(a)), term(plain(b))
    order = "<" if goal.strict else "<="
    return [
        script.use("B", replace(goal, expr=b, strict=True), proof["right_proof"]),
        script.use("D", replace(goal, expr=x.sub(a, b)), proof["proof"]),
        f"assert (L : 0 {order} ln {left} - ln {right}) by (apply ln_order{suffix}; lra).",
        *_defined(script, node),
        equality("E0", x.make("*", (k, node.shape)), logs, goal.box),
        f"apply (cancel_factor{suffix} {term(k)}); [ first [lra | interval] | rewrite E0; lra ].",
    ]


def _sign(script: Script, node: Node) -> list[str]:
    goal = node.goal
    u = from_data(node.proof["of"])
    values = " ".join(map(variable, goal.box))
    lines = [f"destruct (Rle_or_lt 0 {term(plain(u))})."]
    for v, part in zip((u, x.neg(u)), node.proof["parts"], strict=True):
        name = script.prove(replace(goal, given=(*goal.given, (v, False))), part, node.shape)
        lines.append(f"- {applied(name, values)}.")
    return lines


def _root(script: Script, node: Node) -> list[str]:
    goal = node.goal
    if not goal.strict:
        return ["signs."]
    base = replace(goal, expr=goal.expr.args[0], strict=True)
    return [script.use("P", base, node.proof["proof"]), "signs."]


def _given(script: Script, node: Node) -> list[str]:
    goal, k = node.goal, plain(from_data(node.proof["scale"]))
    c, strict = goal.given[node.proof["given"]]
    known = condition(c, strict)
    return [
        f"assert (P : {known}) by assumption. assert (K : 0 < {term(k)}) by (first [lra | interval]).",
        *_defined(script, node),
        equality("E0", node.shape, x.make("*", (k, plain(c))), goal.box),
        f"{by_equality(goal, 'E0')} factors.",
    ]


def _squares(script: Script, node: Node) -> list[str]:
    goal, proof = node.goal, node.proof
    a, b = (from_data(proof[key]) for key in ("left", "right"))
    squares = replace(goal, expr=x.sub(x.power(a, x.num(2)), x.power(b, x.num(2))))
    left, right = plain(a), plain(b)
    apart = x.make("+", (x.make("^", (left, x.num(2))), x.make("*", (x.MINUS_ONE, x.make("^", (right, x.num(2)))))))
    suffix = "" if goal.strict else "_weak"
    return [
        script.use("A", replace(goal, expr=a, strict=False), proof["left_proof"]),
        script.use("S", squares, proof["proof"]),
        *_defined(script, node),
        equality("E0", node.shape, x.make("+", (left, x.make("*", (x.MINUS_ONE, right)))), goal.box),
        equality("E1", apart, plain(squares.expr), goal.box),
        f"assert (D := of_squares{suffix} {term(left)} {term(right)}). {by_equality(goal, 'E0')} lra.",
    ]


def _increasing(script: Script, node: Node) -> list[str]:
    goal, proof = node.goal, node.proof
    f = proof["of"]
    if f not in _ORDERED:
        raise UnsupportedError(f"that {f} increases has no Coq form")
    a, b = (from_data(proof[key]) for key in ("left", "right"))
    k, suffix = plain(from_data(proof["scale"])), "" if goal.strict else "_weak"
    both = x.sub(x.call(f, a), x.call(f, b))
    left, right = term(plain(a)), term(plain(b))
    apart = x.make("+", (_ORDERED[f](plain(a)), x.make("*", (x.MINUS_ONE, _ORDERED[f](plain(b))))))
    order = "<" if goal.strict else "<="
    return [
        script.use("D", replace(goal, expr=both), proof["proof"]),
        *_defined(script, node),
        equality("E1", apart, plain(both), goal.box),
        f"assert (L : 0 {order} {left} - {right}) by (apply of_{f}{suffix}; rewrite <- E1 in D; lra).",
        equality(
            "E0", x.make("*", (k, node.shape)), x.make("+", (plain(a), x.make("*", (x.MINUS_ONE, plain(b))))), goal.box
        ),
        f"apply (cancel_factor{suffix} {term(k)}); [ first [lra | interval] | rewrite E0; lra ].",
    ]


def _sinh(u: Expr) -> Expr:
    down = x.make("*", (x.MINUS_ONE, x.exp(x.make("*", (x.MINUS_ONE, u)))))
    return x.make("*", (x.num(Fraction(1, 2)), x.make("+", (x.exp(u), down))))


def _tanh(u: Expr) -> Expr:
    below = x.make("+", (x.exp(x.make("*", (x.num(2), u))), x.ONE))
    return x.make("+", (x.ONE, x.make("*", (x.MINUS_ONE, x.make("*", (x.num(2), x.make("^", (below, x.MINUS_ONE))))))))


# As the lemmas of the prelude write them.
_ORDERED: dict[str, Callable[[Expr], Expr]] = {"sinh": _sinh, "tanh": _tanh}

RULES: dict[str, Callable[[Script, Node], list[str]]] = {
    "box": _box,
    "mean": by_mean,
    "zero": _zero,
    "empty": _empty,
    "void": _void,
    "split": _split,
    "fix": _fix,
    "cases": _cases,
    "product": _product,
    "sum": _sum,
    "logs": _logs,
    "exps": _exps,
    "sign": _sign,
    "slope": by_slope,
    "limit": by_limit,
    "root": _root,
    "bound": by_bound,
    "put": by_put,
    "instance": by_instance,
    "given": _given,
    "squares": _squares,
    "increasing": _increasing,
    "taylor": by_taylor,
    "rising": by_rising,
    "concave": by_concave,
}
