"""Proof trees as Coq lemmas: one lemma per node, after those of the nodes it rests on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from symprivacy.coq.terms import POINT, expansions, hypotheses, plain, term, tidy, variable
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.domain import Range
from symprivacy.kernel.enclose import constant_sign
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.goals import Goal, bound_goal, cases, fix_goal, slope_goals, split_goals
from symprivacy.kernel.text import parse

Proof = Mapping[str, Any]
# Rules that ask of an expression what it is equal to, not how it is written.
_ALGEBRAIC = frozenset(["slope", "product", "sum", "zero", "logs"])


@dataclass
class Script:
    """The lemmas so far."""

    lemmas: list[str] = field(default_factory=list)

    def prove(self, goal: Goal, proof: Proof) -> str:
        """Write the lemmas of a proof tree; returns the name of the last one, which states the goal."""
        rule = proof["by"]
        if rule not in _RULES:
            raise UnsupportedError(f"the rule {rule!r} has no Coq form")
        body = _RULES[rule](self, goal, proof)
        name = f"step{len(self.lemmas) + 1}"
        script = "\n".join(f"  {line}" for line in ["intros.", *body])
        self.lemmas.append(f"Lemma {name} : {statement(goal)}.\nProof.\n{script}\nQed.\n")
        return name

    def use(self, label: str, goal: Goal, proof: Proof, at: Mapping[str, str] | None = None) -> str:
        """A tactic that makes the goal of a part known under a label."""
        name = self.prove(goal, proof)
        values = " ".join((at or {}).get(v, variable(v)) for v in goal.box)
        return f"assert ({label} : {claim(goal)}) by ({_apply(name, values)})."


def _apply(name: str, values: str) -> str:
    return f"apply ({name} {values}); first [assumption | lra | interval]"


def claim(goal: Goal) -> str:
    """What a goal says of its expression."""
    return f"0 {'<' if goal.strict else '<='} {term(plain(goal.expr))}"


def statement(goal: Goal) -> str:
    """A goal with its variables, ranges and conditions."""
    names = " ".join(map(variable, goal.box))
    known = [h for name, r in goal.box.items() for h in hypotheses(name, r)]
    known += [f"0 {'<' if strict else '<='} {term(plain(u))}" for u, strict in goal.given]
    quantified = f"forall {names} : R, " if names else ""
    return quantified + " -> ".join([*known, claim(goal)])


def equality(label: str, left: str, right: str, *expressions: Expr, put: Mapping[str, Expr] | None = None) -> str:
    """A tactic that shows two terms equal: exps as powers of few, then ``field``."""
    steps = " ".join(f"try ({s[:-1]})." for s in expansions(*map(plain, expressions), put=put))
    return f"assert ({label} : {left} = {right}). {{ {steps} same. }}"


def _box(script: Script, goal: Goal, proof: Proof) -> list[str]:
    e = plain(goal.expr)
    rewrites = [f"try ({s[:-1]})." for s in expansions(e)]
    bits = max(53, int(proof.get("prec", 53)))
    tactics = f"signs | interval with (i_prec {bits})"
    if goal.expr.variables:
        bisected = ", ".join(f"i_bisect {variable(v)}" for v in sorted(goal.expr.variables))
        tactics += f" | interval with (i_prec {bits}, {bisected})"
    return [
        f"first [ {tactics} | idtac ].",
        *(rewrites and [f"all: {' '.join(r[:-1] + ';' for r in rewrites)} signs."]),
    ]


def _mean(script: Script, goal: Goal, proof: Proof) -> list[str]:
    bits = max(53, int(proof.get("prec", 53)))
    names = [variable(v) for v in sorted(goal.expr.variables)]
    forms = [f"interval with (i_prec {bits}, i_autodiff {v})" for v in names]
    bisected = ", ".join(f"i_bisect {v}" for v in names)
    forms += [f"interval with (i_prec {bits}, {bisected}, i_autodiff {v})" for v in names]
    return [f"first [ signs | {' | '.join(forms)} ]."]


def _zero(script: Script, goal: Goal, proof: Proof) -> list[str]:
    return [equality("E0", term(plain(goal.expr)), "0", goal.expr), "lra."]


def _empty(script: Script, goal: Goal, proof: Proof) -> list[str]:
    u, strict = goal.given[proof["given"]]
    sign = "<=" if strict else "<"
    return [f"exfalso. assert (0 {sign} {term(plain(x.neg(u)))}) by signs. lra."]


def _void(script: Script, goal: Goal, proof: Proof) -> list[str]:
    return ["exfalso. lra."]


def _split(script: Script, goal: Goal, proof: Proof) -> list[str]:
    name, at = proof["var"], parse(proof["at"], frozenset())
    low, high = split_goals(goal, name, at, str(proof.get("open", "")))
    first, second = script.prove(low, proof["low"]), script.prove(high, proof["high"])
    test = "Rlt_or_le" if low.box[name].hi_open else "Rle_or_lt"
    values = " ".join(map(variable, goal.box))
    return [
        f"destruct ({test} {variable(name)} {term(plain(at))}).",
        f"- {_apply(first, values)}.",
        f"- {_apply(second, values)}.",
    ]


def _fix(script: Script, goal: Goal, proof: Proof) -> list[str]:
    name = proof["var"]
    end = goal.box[name].lo
    assert end is not None
    child = fix_goal(goal, name)
    v, value = variable(name), term(plain(end))
    if child.given:
        raise UnsupportedError("a fixed variable in a condition has no Coq form")
    lines = [script.use("F", child, proof["proof"]), f"assert (V : {v} = {value}) by lra."]
    at = {name: end}
    moved = term(plain(goal.expr), {name: value})
    same = equality("E0", moved, term(plain(child.expr)), goal.expr, child.expr, put=at)
    return [*lines, same, "rewrite V. try rewrite E0. exact F."]


def _cases(script: Script, goal: Goal, proof: Proof) -> list[str]:
    node = parse(proof["of"], frozenset(goal.box))
    if node.op == "piecewise" or len(node.args) > 2:
        raise UnsupportedError("the cases of a Piecewise, or of a Min or Max of three, have no Coq form")
    children = list(cases(goal, node))
    a = term(plain(node.args[0]))
    if node.op == "abs":
        tests = [f"destruct (Rle_or_lt 0 {a}) as [C | C]."]
        rewrites = [f"rewrite (Rabs_pos_eq {a} C)", f"rewrite (Rabs_left {a} C)"]
    else:
        b = term(plain(node.args[1]))
        # The first case is that the first argument is the extreme one.
        below = (a, b) if node.op == "min" else (b, a)
        tests = [f"destruct (Rle_or_lt {below[0]} {below[1]}) as [C | C]."]
        kind = node.op
        left, right = (f"R{kind}_left", f"R{kind}_right")
        rewrites = [f"rewrite ({left} {a} {b}) by lra", f"rewrite ({right} {a} {b}) by lra"]
    lines = tests
    for child, part, rewrite in zip(children, proof["parts"], rewrites, strict=True):
        used = script.use("F", child, part)
        whole, other = term(plain(goal.expr)), term(plain(child.expr))
        lines.append(f"- {used} assert (E0 : {whole} = {other}) by ({rewrite}; same). try rewrite E0. exact F.")
    return lines


def _product(script: Script, goal: Goal, proof: Proof) -> list[str]:
    names = frozenset(goal.box)
    c, lines, factors = parse(proof["coefficient"], frozenset()), list[str](), list[str]()
    parts = [goal.expr, c]
    for i, factor in enumerate(proof["factors"]):
        f, power, sign = parse(factor["expr"], names), factor["power"], factor["sign"]
        if sign == 0:
            square = term(plain(f))
            lines.append(f"pose proof (Rle_0_sqr {square}) as P{i}. unfold Rsqr in P{i}.")
            factors.append(f"({square} * {square}) ^ {power // 2}")
            parts.append(f)
            continue
        g = f if sign == 1 else x.neg(f)
        c = c if sign == 1 or power % 2 == 0 else x.neg(c)
        lines.append(script.use(f"P{i}", replace(goal, expr=g, strict=factor["strict"] is True), factor["proof"]))
        text = f"{term(plain(g))} ^ {abs(power)}"
        factors.append(text if power > 0 else f"/ ({text})")
        parts.append(g)
    if constant_sign(c) != 1:
        raise UnsupportedError("the signs of a product do not multiply to +")
    product = " * ".join([term(plain(c)), *(f"({f})" for f in factors)])
    lines.append(equality("E0", term(plain(goal.expr)), product, *parts))
    return [*lines, "try rewrite E0. signs."]


def _sum(script: Script, goal: Goal, proof: Proof) -> list[str]:
    terms = [parse(p["expr"], frozenset(goal.box)) for p in proof["parts"]]
    lines = [
        script.use(f"P{i}", replace(goal, expr=e, strict=goal.strict and i == 0), p["proof"])
        for i, (e, p) in enumerate(zip(terms, proof["parts"], strict=True))
    ]
    total = " + ".join(term(plain(e)) for e in terms)
    return [*lines, equality("E0", term(plain(goal.expr)), total, goal.expr, *terms), "try rewrite E0. lra."]


def _logs(script: Script, goal: Goal, proof: Proof) -> list[str]:
    a, b = (parse(proof[key], frozenset(goal.box)) for key in ("left", "right"))
    lines = [
        script.use("A", replace(goal, expr=a, strict=True), proof["left_proof"]),
        script.use("B", replace(goal, expr=b, strict=True), proof["right_proof"]),
        script.use("L", replace(goal, expr=x.sub(x.log(a), x.log(b))), proof["proof"]),
    ]
    left, right = term(plain(a)), term(plain(b))
    lines.append(equality("E0", term(plain(goal.expr)), f"{left} - {right}", goal.expr, a, b))
    return [*lines, f"try rewrite E0. apply of_logs{'' if goal.strict else '_weak'}; lra."]


def _sign(script: Script, goal: Goal, proof: Proof) -> list[str]:
    u = parse(proof["of"], frozenset(goal.box))
    values = " ".join(map(variable, goal.box))
    lines = [f"destruct (Rle_or_lt 0 {term(plain(u))})."]
    for v, part in zip((u, x.neg(u)), proof["parts"], strict=True):
        name = script.prove(replace(goal, given=(*goal.given, (v, False))), part)
        lines.append(f"- {_apply(name, values)}.")
    return lines


def _slope(script: Script, goal: Goal, proof: Proof) -> list[str]:
    name, at_hi = proof["var"], proof["end"] == "hi"
    strict = str(proof.get("strict", ""))
    _, face, inside = slope_goals(goal, name, at_hi, strict)
    if proof["slope"]["by"] in _ALGEBRAIC:
        inside = replace(inside, expr=tidy(inside.expr))
    r = goal.box[name]
    end = r.hi if at_hi else r.lo
    assert end is not None
    v, at = variable(name), term(plain(end))
    f, df = plain(goal.expr), plain(inside.expr)
    lines = [script.use("F", face, proof["face"])]
    moved = term(f, {name: at})
    lines.append(equality("E0", moved, term(plain(face.expr)), f, plain(face.expr), put={name: end}))
    step = script.prove(inside, proof["slope"])
    others = " ".join(POINT if n == name else variable(n) for n in inside.box)
    lemma = ("fall" if at_hi else "rise") + ("_strictly" if inside.strict else "")
    ends = f"{v} {at}" if at_hi else f"{at} {v}"
    f_z, df_z = term(f, {name: POINT}), term(df, {name: POINT})
    # The point lies between the variable and the end, so it leaves out the other end if the variable does.
    between = Range(r.lo, r.hi, at_hi and r.lo_open, not at_hi and r.hi_open)
    closed = [f"assert ({h}) by lra." for h in hypotheses(name, between, POINT)]
    expanded = " ".join(f"try ({s[:-1]})." for s in expansions(f, df, put={name: x.var(POINT)}))
    order = "<" if inside.strict else "<="
    lines += [
        f"assert (M : {moved} {order} {term(f)}).",
        f"{{ apply ({lemma} (fun {POINT} => {f_z}) (fun {POINT} => {df_z}) {ends}).",
        "  - lra.",
        f"  - intros {POINT} Z. {' '.join(closed)} derivative. {expanded} same.",
        f"  - intros {POINT} Z. {_apply(step, others)}. }}",
        f"try rewrite E0 in M. exact ({_chain(face.strict, inside.strict)} _ _ _ F M).",
    ]
    return lines


def _chain(first: bool, second: bool) -> str:
    """The lemma that joins 0 < a (0 <= a) and a < b (a <= b)."""
    return "Rlt_trans" if first and second else "Rlt_le_trans" if first else "Rle_lt_trans" if second else "Rle_trans"


def _root(script: Script, goal: Goal, proof: Proof) -> list[str]:
    base = goal.expr.args[0]
    if not goal.strict:
        return ["signs."]
    return [script.use("P", replace(goal, expr=base, strict=True), proof["proof"]), "signs."]


def _bound(script: Script, goal: Goal, proof: Proof) -> list[str]:
    name, at_hi, index = proof["var"], proof["side"] == "hi", proof["given"]
    u, k = (parse(proof[key], frozenset(goal.box)) for key in ("bound", "factor"))
    if u.variables:
        raise UnsupportedError("a bound of one variable by another has no Coq form")
    given, strict = goal.given[index]
    gap = x.sub(u, x.var(name)) if at_hi else x.sub(x.var(name), u)
    child = bound_goal(goal, name, at_hi, index, u, proof["new"])
    cancel = "cancel_factor" if strict else "cancel_factor_weak"
    product = f"{term(plain(k))} * {term(plain(gap))}"
    sign = "<" if strict else "<="
    values = " ".join(map(variable, goal.box))
    return [
        script.use("K", replace(goal, expr=k, strict=True), proof["factor_proof"]),
        equality("E0", term(plain(given)), product, given, k, gap),
        f"assert (B : 0 {sign} {term(plain(gap))}) by (apply ({cancel} {term(plain(k))}); lra).",
        f"{_apply(script.prove(child, proof['proof']), values)}.",
    ]


_RULES: dict[str, Callable[[Script, Goal, Proof], list[str]]] = {
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
    "sign": _sign,
    "slope": _slope,
    "root": _root,
    "bound": _bound,
}
