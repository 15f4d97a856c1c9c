"""Proof trees as Coq lemmas: one lemma per node, after those of the nodes it rests on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from symprivacy.coq.atoms import equal_steps, equality
from symprivacy.coq.limits import limit_proof
from symprivacy.coq.signs import side_facts, sign_proof
from symprivacy.coq.terms import POINT, hypotheses, plain, term, tidy, unsimplified, variable
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.algebra import algebra_on
from symprivacy.kernel.domain import Box, Range
from symprivacy.kernel.enclose import constant_sign
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.goals import Goal, bound_goal, cases, fix_goal, limit_goals, slope_goals, split_goals
from symprivacy.kernel.text import parse

Proof = Mapping[str, Any]
# Rules that ask of an expression what it is equal to, not how it is written.
_ALGEBRAIC = frozenset(["slope", "product", "sum", "zero", "logs", "exps"])


@dataclass(frozen=True)
class Node:
    """A goal with its proof, and the expression that the lemma is about: the goal's own, or an equal shorter one."""

    goal: Goal
    proof: Proof
    shape: Expr

    @property
    def claim(self) -> str:
        """What the lemma says."""
        return f"0 {'<' if self.goal.strict else '<='} {term(self.shape)}"

    @property
    def statement(self) -> str:
        """The claim with its variables, ranges and conditions."""
        names = " ".join(map(variable, self.goal.box))
        known = [h for name, r in self.goal.box.items() for h in hypotheses(name, r)]
        known += [condition(u, strict) for u, strict in self.goal.given]
        quantified = f"forall {names} : R, " if names else ""
        return quantified + " -> ".join([*known, self.claim])


def condition(u: Expr, strict: bool) -> str:
    """A given inequality."""
    return f"0 {'<' if strict else '<='} {term(plain(u))}"


@dataclass
class Script:
    """The lemmas so far, of the theorem with this name."""

    theorem: str = "main"
    lemmas: list[str] = field(default_factory=list)

    def prove(self, goal: Goal, proof: Proof, shape: Expr | None = None) -> str:
        """Write the lemmas of a proof tree; returns the name of the last one, which states the goal."""
        rule, shape = proof["by"], shape or plain(goal.expr)
        if rule not in _RULES:
            raise UnsupportedError(f"the rule {rule!r} has no Coq form")
        # Where bounds settle the sign, nothing else is needed.
        evident = sign_proof(shape, goal.strict, goal.box)
        node = Node(goal, proof, shape)
        body = [f"{evident}."] if evident else _RULES[rule](self, node)
        name = f"{self.theorem}_step{len(self.lemmas) + 1}"
        script = "\n".join(f"  {line}" for line in ["intros.", *body])
        self.lemmas.append(f"Lemma {name} : {node.statement}.\nProof.\n{script}\nQed.\n")
        return name

    def use(self, label: str, goal: Goal, proof: Proof, at: Mapping[str, str] | None = None) -> str:
        """A tactic that makes the goal of a part known under a label."""
        name = self.prove(goal, proof)
        values = " ".join((at or {}).get(v, variable(v)) for v in goal.box)
        claim = Node(goal, proof, plain(goal.expr)).claim
        return f"assert ({label} : {claim}) by ({_apply(name, values)})."


def _apply(name: str, values: str) -> str:
    return f"apply ({name} {values}); first [assumption | lra | interval]"


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


def _mean(script: Script, node: Node) -> list[str]:
    goal = node.goal
    # Where the function is monotone in a variable it is least at an end, as in the slope rule.
    for name in sorted(goal.expr.variables):
        derivative, r = x.diff(goal.expr, name), goal.box[name]
        for end, at, slope in (("lo", r.lo, derivative), ("hi", r.hi, x.neg(derivative))):
            if at is not None and sign_proof(plain(slope), False, {**goal.box, name: Range(r.lo, r.hi, True, True)}):
                face = x.substitute(goal.expr, {name: at})
                rest = {"by": "mean" if face.variables else "box"}
                if not goal.strict and algebra_on(goal.box).is_zero(face):
                    rest = {"by": "zero"}
                steps = {"var": name, "end": end, "strict": "face", "face": rest, "slope": {"by": "box"}}
                return _slope(script, replace(node, proof={"by": "slope", **steps}))
    bits = max(53, int(node.proof.get("prec", 53))) + 30
    names = [variable(v) for v in sorted(goal.expr.variables)]
    forms = [f"interval with (i_prec {bits}, i_autodiff {v})" for v in names]
    bisected = ", ".join(f"i_bisect {v}" for v in names)
    forms += [f"interval with (i_prec {bits}, {bisected}, i_autodiff {v})" for v in names]
    return [f"first [ {' | '.join(forms)} | signs ]."]


def _zero(script: Script, node: Node) -> list[str]:
    return [*_defined(script, node), equality("E0", node.shape, x.ZERO, node.goal.box), "lra."]


def _defined(script: Script, node: Node, key: str = "defined", inside: Goal | None = None) -> list[str]:
    """What the certificate proves of divisors and of what stands under logs and roots."""
    proofs, goal = node.proof.get(key), inside or node.goal
    if proofs is None:
        return []
    lines = []
    for i, ((u, need), proof) in enumerate(zip(x.requirements(node.goal.expr, key == "smooth"), proofs, strict=True)):
        if proof is not None:
            target = x.neg(u) if need == "!= 0" and proof.get("sign") == -1 else u
            lines.append(script.use(f"R{i}", replace(goal, expr=target, strict=need != ">= 0"), proof))
    return lines


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
    name, at = proof["var"], parse(proof["at"], frozenset())
    low, high = split_goals(goal, name, at, str(proof.get("open", "")))
    first, second = script.prove(low, proof["low"], node.shape), script.prove(high, proof["high"], node.shape)
    test = "Rlt_or_le" if low.box[name].hi_open else "Rle_or_lt"
    values = " ".join(map(variable, goal.box))
    return [
        f"destruct ({test} {variable(name)} {term(plain(at))}).",
        f"- {_apply(first, values)}.",
        f"- {_apply(second, values)}.",
    ]


def _fix(script: Script, node: Node) -> list[str]:
    goal, name = node.goal, node.proof["var"]
    end = goal.box[name].lo
    assert end is not None
    child = fix_goal(goal, name)
    value = plain(end)
    lines = [f"assert (V : {variable(name)} = {term(value)}) by lra. subst {variable(name)}."]
    lines += _moved_conditions(goal, child, {x.var(name): value})
    lines.append(script.use("F", child, node.proof["proof"]))
    same = equality("E0", unsimplified(node.shape, {x.var(name): value}), plain(child.expr), child.box)
    return [*lines, same, f"{_by_equality(goal, 'E0')} exact F."]


def _by_equality(goal: Goal, label: str) -> str:
    """A sentence that turns to an equal expression."""
    return f"apply ({_as(goal)} _ _ {label})."


def _as(goal: Goal) -> str:
    return "positive_as" if goal.strict else "nonnegative_as"


def _moved_conditions(goal: Goal, child: Goal, put: Mapping[Expr, Expr]) -> list[str]:
    """The given inequalities after a substitution, as the child states them."""
    lines = []
    for i, ((old, strict), (new, _)) in enumerate(zip(goal.given, child.given, strict=True)):
        lines.append(equality(f"W{i}", unsimplified(plain(old), put), plain(new), child.box))
        how = f"apply ({'positive' if strict else 'nonnegative'}_as _ _ (eq_sym W{i})); assumption"
        lines.append(f"assert (G{i} : {condition(new, strict)}) by ({how}).")
    return lines


def _cases(script: Script, node: Node) -> list[str]:
    goal = node.goal
    kink = parse(node.proof["of"], frozenset(goal.box))
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
        branches.append(f"- {used} rewrite K. {same} {_by_equality(goal, 'E0')} exact F.")
    either = " \\/ ".join(options)
    lines = [f"assert (C : {either}) by one_case.", f"destruct C as {_pattern(patterns, '|')}."]
    return [*lines, *branches]


def _pattern(parts: list[str], separator: str) -> str:
    """The pattern that takes a conjunction or disjunction apart."""
    if len(parts) == 1:
        return parts[0]
    return f"[{parts[0]} {separator} {_pattern(parts[1:], separator)}]"


def _product(script: Script, node: Node) -> list[str]:
    goal, proof, names = node.goal, node.proof, frozenset(node.goal.box)
    c, lines, factors = parse(proof["coefficient"], frozenset()), list[str](), list[Expr]()
    for i, factor in enumerate(proof["factors"]):
        f, power, sign = parse(factor["expr"], names), factor["power"], factor["sign"]
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
    return [*lines, f"{_by_equality(goal, 'E0')} factors."]


def _sum(script: Script, node: Node) -> list[str]:
    goal, proof = node.goal, node.proof
    terms = [parse(p["expr"], frozenset(goal.box)) for p in proof["parts"]]
    lines = [
        script.use(f"P{i}", replace(goal, expr=e, strict=goal.strict and i == 0), p["proof"])
        for i, (e, p) in enumerate(zip(terms, proof["parts"], strict=True))
    ]
    lines += _defined(script, node)
    total = plain(terms[0]) if len(terms) == 1 else x.make("+", tuple(map(plain, terms)))
    return [*lines, equality("E0", node.shape, total, goal.box), f"{_by_equality(goal, 'E0')} lra."]


def _logs(script: Script, node: Node) -> list[str]:
    goal, proof = node.goal, node.proof
    a, b = (parse(proof[key], frozenset(goal.box)) for key in ("left", "right"))
    lines = [
        script.use("A", replace(goal, expr=a, strict=True), proof["left_proof"]),
        script.use("B", replace(goal, expr=b, strict=True), proof["right_proof"]),
        script.use("L", replace(goal, expr=x.sub(x.log(a), x.log(b))), proof["proof"]),
    ]
    left, right = term(plain(a)), term(plain(b))
    lines += _defined(script, node)
    lines.append(equality("E0", node.shape, x.make("+", (plain(a), x.make("*", (x.MINUS_ONE, plain(b))))), goal.box))
    order = "<" if goal.strict else "<="
    lines.append(f"assert (D : 0 {order} {left} - {right}) by (apply of_logs{'' if goal.strict else '_weak'}; lra).")
    return [*lines, f"{_by_equality(goal, 'E0')} lra."]


def _exps(script: Script, node: Node) -> list[str]:
    goal, proof = node.goal, node.proof
    a, b = (parse(proof[key], frozenset(goal.box)) for key in ("left", "right"))
    k, suffix = plain(parse(proof["scale"], frozenset())), "" if goal.strict else "_weak"
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
    u = parse(node.proof["of"], frozenset(goal.box))
    values = " ".join(map(variable, goal.box))
    lines = [f"destruct (Rle_or_lt 0 {term(plain(u))})."]
    for v, part in zip((u, x.neg(u)), node.proof["parts"], strict=True):
        name = script.prove(replace(goal, given=(*goal.given, (v, False))), part, node.shape)
        lines.append(f"- {_apply(name, values)}.")
    return lines


def _slope(script: Script, node: Node) -> list[str]:
    goal, proof = node.goal, node.proof
    name, at_hi = proof["var"], proof["end"] == "hi"
    _, face, inside = slope_goals(goal, name, at_hi, str(proof.get("strict", "")))
    r = goal.box[name]
    end = r.hi if at_hi else r.lo
    assert end is not None
    f, value, v = node.shape, plain(end), variable(name)
    df = _slope_shape(node, name, at_hi, inside, proof["slope"])
    moved = unsimplified(f, {x.var(name): value})
    step = script.prove(inside, proof["slope"], df)
    lemma = ("fall" if at_hi else "rise") + ("_strictly" if inside.strict else "")
    ends = f"{v} {term(value)}" if at_hi else f"{term(value)} {v}"
    # The point lies between the variable and the end, so it leaves out the other end if the variable does.
    between = Range(r.lo, r.hi, at_hi and r.lo_open, not at_hi and r.hi_open)
    return [
        script.use("F", face, proof["face"]),
        equality("E0", moved, plain(face.expr), face.box),
        f"assert (M : {term(moved)} {'<' if inside.strict else '<='} {term(f)}).",
        f"{{ apply ({lemma} {_function(f, name)} {_function(df, name)} {ends}).",
        "  - lra.",
        f"  - {_derivative(f, df, name, goal.box, between)}",
        f"  - intros {POINT} Z. {_apply(step, _point(inside.box, name))}. }}",
        f"exact ({_chain(face.strict, inside.strict)} _ _ _ ({_as(face)} _ _ E0 F) M).",
    ]


def _slope_shape(node: Node, name: str, at_hi: bool, inside: Goal, proof: Proof) -> Expr:
    """How to write the derivative: short, unless the proof needs it as the certificate has it."""
    own = x.diff(node.shape, name)
    short = tidy(x.neg(own) if at_hi else own)
    # Short will also do if bounds settle its sign, whatever the proof says.
    if proof["by"] in _ALGEBRAIC or sign_proof(short, inside.strict, inside.box):
        return short
    return plain(inside.expr)


def _function(e: Expr, name: str) -> str:
    return f"(fun {POINT} => {term(unsimplified(e, {x.var(name): x.var(POINT)}))})"


def _point(box: Box, name: str) -> str:
    return " ".join(POINT if n == name else variable(n) for n in box)


def _derivative(f: Expr, df: Expr, name: str, box: Box, r: Range) -> str:
    """That one expression is the derivative of the other (up to its sign) where the variable is in the range."""
    put = {x.var(name): x.var(POINT)}
    here, slope = unsimplified(f, put), unsimplified(df, put)
    there = {POINT if n == name else n: r if n == name else own for n, own in box.items()}
    closed = [f"assert ({h}) by lra." for h in hypotheses(POINT, r)]
    facts = [f"try ({fact})." for fact in side_facts([here], there, "Y")]
    roots = any(n.op == "^" and x.rational(n.args[1]).denominator == 2 for n in x.subexpressions(here))
    steps = equal_steps([here, slope], there, deep=roots)
    return " ".join([f"intros {POINT} Z.", *closed, *facts, "derivative.", *steps])


def _chain(first: bool, second: bool) -> str:
    """The lemma that joins 0 < a (0 <= a) and a < b (a <= b)."""
    return "Rlt_trans" if first and second else "Rlt_le_trans" if first else "Rle_lt_trans" if second else "Rle_trans"


def _limit(script: Script, node: Node) -> list[str]:
    goal, proof = node.goal, node.proof
    name, at_hi = proof["var"], proof["end"] == "hi"
    _, slope = limit_goals(goal, name, at_hi)
    f, df = node.shape, _slope_shape(node, name, at_hi, slope, proof["slope"])
    step = script.prove(slope, proof["slope"], df)
    r = goal.box[name]
    others = {n: b for n, b in goal.box.items() if n != name}
    lemma = ("falls_to" if at_hi else "rises_from") + ("_strictly" if goal.strict else "")
    whole = Range(r.lo, r.hi, r.lo_open, r.hi_open)
    limit, shown = limit_proof(unsimplified(f, {x.var(name): x.var(POINT)}), at_hi, others)
    functions = f"{_function(f, name)} {_function(df, name)}"
    return [
        *shown,
        f"apply ({lemma} {functions} {variable(name)} {limit}); [ | | exact L | exact S].",
        f"- {_derivative(f, df, name, goal.box, whole)}",
        f"- intros {POINT} Z. {_apply(step, _point(slope.box, name))}.",
    ]


def _root(script: Script, node: Node) -> list[str]:
    goal = node.goal
    if not goal.strict:
        return ["signs."]
    base = replace(goal, expr=goal.expr.args[0], strict=True)
    return [script.use("P", base, node.proof["proof"]), "signs."]


def _bound(script: Script, node: Node) -> list[str]:
    goal, proof = node.goal, node.proof
    name, at_hi, index = proof["var"], proof["side"] == "hi", proof["given"]
    u, k = (parse(proof[key], frozenset(goal.box)) for key in ("bound", "factor"))
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
        return [*lines, f"{_apply(script.prove(child, proof['proof'], node.shape), values)}."]
    r, v = goal.box[name], variable(name)
    end = r.lo if at_hi else r.hi
    assert end is not None
    t, bound, edge = x.var(str(parse(proof["new"]).value)), plain(u), plain(end)
    way = x.make("+", (bound, x.make("*", (x.MINUS_ONE, edge))))
    put = {x.var(name): x.make("+", (edge, x.make("*", (t, way))))}
    place = child.box[str(t.value)]
    lines.append(f"destruct (between {term(edge)} {v} {term(bound)}) as [{term(t)} [V [T [T0 T1]]]]; [lra | ].")
    lines += [f"assert (U0 : 0 < {term(t)}) by (apply T0; lra)."] if place.lo_open else []
    lines += [f"assert (U1 : {term(t)} < 1) by (apply T1; lra)."] if place.hi_open else []
    lines.append(f"clear T0 T1. subst {v}.")
    lines += _moved_conditions(goal, child, put)
    lines.append(script.use("F", child, proof["proof"]))
    same = equality("E1", unsimplified(node.shape, put), plain(child.expr), child.box)
    return [*lines, same, f"{_by_equality(goal, 'E1')} exact F."]


_RULES: dict[str, Callable[[Script, Node], list[str]]] = {
    "box": _box,
    "mean": _mean,
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
    "slope": _slope,
    "limit": _limit,
    "root": _root,
    "bound": _bound,
}
