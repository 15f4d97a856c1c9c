"""What touches zero along a curve as Coq lemmas: Taylor's theorem, functions that rise through zero, concave ones."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from symprivacy.coq.atoms import equality
from symprivacy.coq.script import Node, Script, applied, as_equal, at_point, defined, place
from symprivacy.coq.signs import side_facts
from symprivacy.coq.slopes import LIES, chained, derivative_shown, function, slope_shape
from symprivacy.coq.terms import POINT, hypotheses, plain, term, tidy, unsimplified, variable
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Box, Range
from symprivacy.kernel.calculus import diff, requirements
from symprivacy.kernel.data import from_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, concave_goals, needs_at, rising_goals, taylor_goals

# The prelude has Taylor's theorem up to this order; the search asks for no other.
_HIGHEST = 4


def by_taylor(script: Script, node: Node) -> list[str]:
    """Taylor's theorem around a point that may depend on the other variables."""
    goal, proof = node.goal, node.proof
    name, order = proof["var"], proof["order"]
    if order > _HIGHEST:
        raise UnsupportedError(f"Taylor's theorem of order {order} has no Coq form")
    c = from_data(proof["at"])
    whole, within, known, rest = taylor_goals(goal, name, c, order)
    smooth = defined(script, whole, requirements(goal.expr, smooth=True), proof.get("smooth"), at_point(name))
    r, value = goal.box[name], plain(c)
    lines = defined(script, known[0], requirements(c), proof.get("centre"))
    lines += _within(script, within, proof["within"], value, r)
    shapes = [node.shape]
    for _ in range(1, order):
        shapes.append(tidy(diff(shapes[-1], name)))
    if order % 2 == 0:
        shapes.append(slope_shape(shapes[-1], name, False, rest, proof["rest"]))
        step, shown = script.prove(rest, proof["rest"], shapes[-1]), ""
    else:
        shapes.append(tidy(diff(shapes[-1], name)))
        product = x.make("*", (_minus(x.var(name), value), shapes[-1]))
        step = script.prove(rest, proof["rest"])
        moved = {x.var(name): x.var(POINT)}
        there = {POINT if n == name else n: b for n, b in rest.box.items()}
        same = equality("E", unsimplified(product, moved), unsimplified(plain(rest.expr), moved), there)
        target = term(unsimplified(product, moved))
        shown = f"cut (0 <= {target}); [lra | ]. {same} apply (nonnegative_as _ _ E). "
    lines += _known(script, known, proof["known"], shapes, name, value)
    functions = " ".join(function(e, name) for e in shapes)
    ranges = " ".join(f"assert ({h}) by ({LIES})." for h in hypotheses(POINT, Range(r.lo, r.hi, True, True)))
    lines += [
        f"assert (M : {term(unsimplified(shapes[0], {x.var(name): value}))} <= {term(shapes[0])}).",
        f"{{ apply (taylor_{order} {functions} {term(value)} {variable(name)}).",
        *(f"  - {derivative_shown(a, b, name, goal.box, r, smooth)}" for a, b in pairwise(shapes)),
        *(f"  - exact Z{k}." for k in range(1, order)),
        f"  - intros {POINT} Z. {ranges} {shown}{applied(step, place(rest.box, name))}. }}",
    ]
    first = f"({as_equal(known[0])} _ _ E0 K0)"
    return [*lines, f"exact ({chained(known[0].strict, False)} _ _ _ {first} M)."]


def _minus(a: Expr, b: Expr) -> Expr:
    return x.make("+", (a, x.make("*", (x.MINUS_ONE, b))))


def _within(script: Script, within: list[Goal], proofs: list[dict[str, object]], value: Expr, r: Range) -> list[str]:
    """That the point lies between the ends of the range."""
    lines = []
    gaps = [_minus(value, plain(r.lo))] if r.lo is not None else []
    gaps += [_minus(plain(r.hi), value)] if r.hi is not None else []
    for i, (g, proof, gap) in enumerate(zip(within, proofs, gaps, strict=True)):
        lines += [script.use(f"C{i}", g, proof), equality(f"I{i}", gap, plain(g.expr), g.box)]
        lines.append(f"assert (J{i} : 0 {'<' if g.strict else '<='} {term(gap)}) by lra.")
    return lines


def _known(
    script: Script, known: list[Goal], proofs: list[dict[str, object]], shapes: list[Expr], name: str, value: Expr
) -> list[str]:
    """The function at the point (E0 and K0), and that derivatives vanish there (odd ones) or are not negative."""
    lines, parts, box = [], list(zip(known, proofs, strict=True)), known[0].box
    lines.append(script.use("K0", *parts.pop(0)))
    there = [unsimplified(e, {x.var(name): value}) for e in shapes]
    lines.append(equality("E0", there[0], plain(known[0].expr), box))
    for k in range(1, len(shapes) - 1):
        goal, proof = parts.pop(0)
        lines += [script.use(f"K{k}", goal, proof), equality(f"E{k}", there[k], plain(goal.expr), box)]
        if k % 2 == 0:
            lines.append(f"assert (Z{k} : 0 <= {term(there[k])}) by lra.")
            continue
        lines.append(script.use(f"N{k}", *parts[0]))
        negative, _ = parts.pop(0)
        opposite = x.make("*", (x.MINUS_ONE, plain(goal.expr)))
        lines.append(equality(f"O{k}", plain(negative.expr), opposite, box))
        lines.append(f"assert (Z{k} : {term(there[k])} = 0) by lra.")
    return lines


def by_rising(script: Script, node: Node) -> list[str]:
    """(x - c)*k(x) where k vanishes at c and rises."""
    goal, proof = node.goal, node.proof
    name, c, k = proof["var"], from_data(proof["at"]), from_data(proof["of"])
    whole, within, known, slope = rising_goals(goal, name, c, k)
    needs = requirements(k, smooth=True)
    smooth = defined(script, whole, needs, proof.get("smooth"), at_point(name))
    here = defined(script, whole, needs, proof.get("smooth"))
    centre = defined(script, known[0], needs_at(k, name, c), proof.get("smooth_at"))
    r, value, f, v = goal.box[name], plain(c), plain(k), variable(name)
    others, there = known[0].box, unsimplified(plain(k), {x.var(name): plain(c)})
    df = slope_shape(f, name, False, slope, proof["slope"])
    step = script.prove(slope, proof["slope"], df)
    product = x.make("*", (_minus(x.var(name), value), f))
    opposite = x.make("*", (x.MINUS_ONE, plain(known[0].expr)))
    inner = Range(r.lo, r.hi, True, True)
    ranges = " ".join(f"assert ({h}) by ({LIES})." for h in hypotheses(POINT, inner))
    return [
        *_within(script, within, proof["within"], value, r),
        script.use("K0", known[0], proof["known"][0]),
        script.use("N0", known[1], proof["known"][1]),
        equality("E0", there, plain(known[0].expr), others),
        equality("O0", plain(known[1].expr), opposite, others),
        f"assert (Z0 : {term(there)} = 0) by lra.",
        f"assert (P : 0 <= ({v} - {term(value)}) * {term(f)}).",
        f"{{ apply (crosses {function(f, name)} {function(df, name)} {term(value)} {v}).",
        f"  - {derivative_shown(f, df, name, goal.box, inner, smooth)}",
        f"  - {_continuous(f, name, value, others, centre)}",
        f"  - {_continuous(f, name, x.var(name), goal.box, here)}",
        "  - exact Z0.",
        f"  - intros {POINT} Z. {ranges} {applied(step, place(slope.box, name))}. }}",
        equality("E1", node.shape, product, goal.box),
        "rewrite E1. lra.",
    ]


def _continuous(f: Expr, name: str, at: Expr, box: Box, known: Sequence[str]) -> str:
    """That the function is continuous at a value of the variable."""
    facts = [f"try ({fact})." for fact in side_facts([unsimplified(f, {x.var(name): at})], box, "Y")]
    return " ".join([*known, *facts, "continuity_here."])


def by_concave(script: Script, node: Node) -> list[str]:
    """Concave between two finite ends, where the values decide."""
    goal, proof = node.goal, node.proof
    name = proof["var"]
    closed, faces, bend = concave_goals(goal, name)
    r, f, v = goal.box[name], node.shape, variable(name)
    if r.lo is None or r.hi is None:
        raise UnsupportedError("a concave function needs two finite ends")
    slope = tidy(diff(f, name))
    bent = slope_shape(slope, name, True, bend, proof["bend"])
    step = script.prove(bend, proof["bend"], bent)
    others, inner = faces[0].box, Range(r.lo, r.hi, True, True)
    ends = [unsimplified(f, {x.var(name): plain(end)}) for end in (r.lo, r.hi)]
    lines = []
    for i, (face, part, end) in enumerate(zip(faces, proof["faces"], ends, strict=True)):
        lines += [script.use(f"F{i}", face, part), equality(f"E{i}", end, plain(face.expr), others)]
        sign = "<" if face.strict else "<="
        lines.append(f"assert (V{i} : 0 {sign} {term(end)}) by exact ({as_equal(face)} _ _ E{i} F{i}).")
    functions = " ".join(function(e, name) for e in (f, slope, bent))
    smooth = defined(script, bend, requirements(goal.expr, smooth=True), proof.get("smooth"), at_point(name))
    shown = []
    for end in (plain(r.lo), plain(r.hi)):
        known = defined(script, closed, requirements(goal.expr), proof.get("defined"), {name: end})
        shown.append(_continuous(f, name, end, others, known))
    return [
        *lines,
        f"assert (M : {term(ends[0])} <= {term(f)} \\/ {term(ends[1])} <= {term(f)}).",
        f"{{ apply (concave {functions} {term(plain(r.lo))} {term(plain(r.hi))} {v}).",
        "  - lra.",
        f"  - {derivative_shown(f, slope, name, goal.box, inner, smooth)}",
        f"  - {derivative_shown(slope, bent, name, goal.box, inner, smooth)}",
        *(f"  - {line}" for line in shown),
        f"  - intros {POINT} Z. {applied(step, place(bend.box, name))}. }}",
        "destruct M; lra.",
    ]
