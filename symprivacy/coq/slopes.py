"""Monotonicity as Coq lemmas: from an end point, from a limit at infinity, and by the mean value form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symprivacy.algebra.normal import algebra_on
from symprivacy.coq.atoms import equal_steps, equality
from symprivacy.coq.bounds import Bounds
from symprivacy.coq.limits import limit_proof
from symprivacy.coq.script import Node, Proof, Script, applied, as_equal, at_point, defined, place
from symprivacy.coq.signs import side_facts, sign_proof
from symprivacy.coq.terms import POINT, hypotheses, plain, term, tidy, unsimplified, variable
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Box, Range
from symprivacy.kernel.calculus import diff, requirements
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, limit_goals, slope_goals

# That the point lies in a range: between the ends, or between the variable and the point c of Taylor's theorem.
LIES = "unfold on_way, inside in *; lra"
# Rules that ask of an expression what it is equal to, not how it is written.
_ALGEBRAIC = frozenset(["slope", "product", "sum", "zero", "logs", "exps", "squares", "given", "rising"])


def by_mean(script: Script, node: Node) -> list[str]:
    """The mean value form: as slopes where the function is monotone, else left to coq-interval."""
    goal = node.goal
    # Where the function is monotone in a variable it is least at an end, as in the slope rule.
    for name in sorted(goal.expr.variables):
        derivative, r = diff(goal.expr, name), goal.box[name]
        for end, at, slope in (("lo", r.lo, derivative), ("hi", r.hi, x.neg(derivative))):
            if at is not None and sign_proof(plain(slope), False, {**goal.box, name: Range(r.lo, r.hi, True, True)}):
                face = x.substitute(goal.expr, {name: at})
                rest = {"by": "mean" if face.variables else "box"}
                if not goal.strict and algebra_on(goal.box).is_zero(face):
                    rest = {"by": "zero"}
                steps = {"var": name, "end": end, "strict": "face", "face": rest, "slope": {"by": "box"}}
                return by_slope(script, replace(node, proof={"by": "slope", **steps}))
    bits = max(53, int(node.proof.get("prec", 53))) + 30
    names = [variable(v) for v in sorted(goal.expr.variables)]
    forms = [f"interval with (i_prec {bits}, i_autodiff {v})" for v in names]
    bisected = ", ".join(f"i_bisect {v}" for v in names)
    forms += [f"interval with (i_prec {bits}, {bisected}, i_autodiff {v})" for v in names]
    return [f"first [ {' | '.join(forms)} | signs ]."]


def by_slope(script: Script, node: Node) -> list[str]:
    """The mean value theorem from one end of a variable."""
    goal, proof = node.goal, node.proof
    name, at_hi = proof["var"], proof["end"] == "hi"
    closed, face, inside = slope_goals(goal, name, at_hi, str(proof.get("strict", "")))
    r = goal.box[name]
    end = r.hi if at_hi else r.lo
    assert end is not None
    f, value, v = node.shape, plain(end), variable(name)
    df = slope_shape(node.shape, name, at_hi, inside, proof["slope"])
    moved = unsimplified(f, {x.var(name): value})
    step = script.prove(inside, proof["slope"], df)
    ends = f"{v} {term(value)}" if at_hi else f"{term(value)} {v}"
    # The point lies between the variable and the end, so it leaves out the other end if the variable does.
    between = Range(r.lo, r.hi, at_hi and r.lo_open, not at_hi and r.hi_open)
    lemma, strictly = "fall" if at_hi else "rise", "_strictly" if inside.strict else ""
    known = defined(script, closed, requirements(goal.expr), proof.get("defined"), at_point(name))
    if _has_rough_end(f, {**goal.box, name: between}):
        lemma += "_inside"
        smooth = defined(script, inside, requirements(goal.expr, smooth=True), proof.get("smooth"), at_point(name))
        shown = [derivative_shown(f, df, name, goal.box, inside.box[name], smooth)]
        shown.append(continuity_shown(f, name, goal.box, between, known))
    else:
        shown = [derivative_shown(f, df, name, goal.box, between, known)]
    return [
        script.use("F", face, proof["face"]),
        equality("E0", moved, plain(face.expr), face.box),
        f"assert (M : {term(moved)} {'<' if inside.strict else '<='} {term(f)}).",
        f"{{ apply ({lemma}{strictly} {function(f, name)} {function(df, name)} {ends}).",
        "  - lra.",
        *(f"  - {line}" for line in shown),
        f"  - intros {POINT} Z. {applied(step, place(inside.box, name))}. }}",
        f"exact ({chained(face.strict, inside.strict)} _ _ _ ({as_equal(face)} _ _ E0 F) M).",
    ]


def slope_shape(f: Expr, name: str, at_hi: bool, inside: Goal, proof: Proof) -> Expr:
    """How to write the derivative: short, unless the proof needs it as the certificate has it."""
    own = diff(f, name)
    short = tidy(x.neg(own) if at_hi else own)
    # Short will also do if bounds settle its sign, whatever the proof says.
    if proof["by"] in _ALGEBRAIC or sign_proof(short, inside.strict, inside.box):
        return short
    return plain(inside.expr)


def function(e: Expr, name: str) -> str:
    """The Coq function of one variable."""
    return f"(fun {POINT} => {term(unsimplified(e, {x.var(name): x.var(POINT)}))})"


def derivative_shown(f: Expr, df: Expr, name: str, box: Box, r: Range, known: Sequence[str] = ()) -> str:
    """That one expression is the derivative of the other (up to its sign) where the variable is in the range.

    The sentences in ``known`` say what the certificate shows of the point.
    """
    put = {x.var(name): x.var(POINT)}
    here, slope = unsimplified(f, put), unsimplified(df, put)
    there = {POINT if n == name else n: r if n == name else own for n, own in box.items()}
    closed = [f"assert ({h}) by ({LIES})." for h in hypotheses(POINT, r)]
    facts = [f"try ({fact})." for fact in side_facts([here], there, "Y")]
    roots = any(n.op == "^" and x.rational(n.args[1]).denominator == 2 for n in x.subexpressions(here))
    steps = equal_steps([here, slope], there, deep=roots)
    return " ".join([f"intros {POINT} Z.", *closed, *known, *facts, "derivative.", *steps])


def continuity_shown(f: Expr, name: str, box: Box, r: Range, known: Sequence[str] = ()) -> str:
    """That the function is continuous where the variable is in the range."""
    here = unsimplified(f, {x.var(name): x.var(POINT)})
    there = {POINT if n == name else n: r if n == name else own for n, own in box.items()}
    closed = [f"assert ({h}) by ({LIES})." for h in hypotheses(POINT, r)]
    facts = [f"try ({fact})." for fact in side_facts([here], there, "Y")]
    return " ".join([f"intros {POINT} Z.", *closed, *known, *facts, "continuity_here."])


def _has_rough_end(f: Expr, box: Box) -> bool:
    """Whether there is a root of what may be 0, where it has no derivative."""
    bounds = Bounds(box)
    return any(
        n.op == "^" and x.rational(n.args[1]).denominator == 2 and bounds.sign(n.args[0]) != (1, True)
        for n in x.subexpressions(f)
    )


def chained(first: bool, second: bool) -> str:
    """The lemma that joins 0 < a (0 <= a) and a < b (a <= b)."""
    return "Rlt_trans" if first and second else "Rlt_le_trans" if first else "Rle_lt_trans" if second else "Rle_trans"


def by_limit(script: Script, node: Node) -> list[str]:
    """Monotone towards an infinite end, where the limit is not negative."""
    goal, proof = node.goal, node.proof
    name, at_hi = proof["var"], proof["end"] == "hi"
    _, slope = limit_goals(goal, name, at_hi)
    f, df = node.shape, slope_shape(node.shape, name, at_hi, slope, proof["slope"])
    step = script.prove(slope, proof["slope"], df)
    r = goal.box[name]
    others = {n: b for n, b in goal.box.items() if n != name}
    lemma = ("falls_to" if at_hi else "rises_from") + ("_strictly" if goal.strict else "")
    whole = Range(r.lo, r.hi, r.lo_open, r.hi_open)
    known = defined(
        script, goal.without(name), requirements(goal.expr, smooth=True), proof.get("smooth"), at_point(name)
    )
    limit, shown = limit_proof(unsimplified(f, {x.var(name): x.var(POINT)}), at_hi, others)
    functions = f"{function(f, name)} {function(df, name)}"
    return [
        *shown,
        f"apply ({lemma} {functions} {variable(name)} {limit}); [ | | exact L | exact S].",
        f"- {derivative_shown(f, df, name, goal.box, whole, known)}",
        f"- intros {POINT} Z. {applied(step, place(slope.box, name))}.",
    ]
