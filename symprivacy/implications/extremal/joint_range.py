"""Means of functions that no rule knows: two-point laws, the joint range of two divergences, tests and far ratios.

Let F(x) and G(x) be the divergences of randomized response at level x. A bound on F in both orders is kept by the
mixture of a pair with its reverse, so for a symmetric target only symmetric laws matter, which are mixtures of
randomized responses: the best level is the upper concave envelope of the curve (F(x), G(x)). Where G'/F' is proved to
fall for all x > 0 it is the curve itself; where it is proved to rise it is the chord to x = oo. The proofs are
certificates of the kernel for F' G'' <= F'' G', one for each pair of functions, whatever the level. Where G/F tends to
infinity nothing follows. Other targets have randomized response as a lower bound only.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache, reduce

from mpmath.libmp import finf
from sympy import Abs, Expr, Max, Piecewise, S, Symbol, diff, exp, factor, limit, log, oo, simplify

from symprivacy.errors import SymPrivacyError
from symprivacy.implications.answer import disjoint, impossible, randomized_response, tight, unbounded
from symprivacy.implications.extremal.hockey_stick import Generator
from symprivacy.implications.extremal.rare_output import factor as factor_of
from symprivacy.implications.extremal.rare_output import rare
from symprivacy.implications.formula import Formula, Given, Part, Root, put
from symprivacy.implications.implication import Implication
from symprivacy.implications.parameters import canonical, has_table
from symprivacy.implications.stand_in import largest_level
from symprivacy.implications.status import Status
from symprivacy.implications.tables.average import abp_of
from symprivacy.implications.tables.divergence import JOINT, at_threshold, capped, spread, stick_answer
from symprivacy.implications.tables.slack import dominating
from symprivacy.kernel import interval as iv
from symprivacy.kernel.expr import Expr as Number
from symprivacy.kernel.interval import Interval
from symprivacy.language.attempt import sympy_attempt
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.mechanisms.gaussian_mean import gaussian_mean
from symprivacy.notions import Notion
from symprivacy.notions.certify import certify, equal
from symprivacy.notions.kinds import Kind
from symprivacy.notions.limits import borne_out
from symprivacy.notions.registry import remembered
from symprivacy.notions.solve import NoClosedForm, solve_for, tidy
from symprivacy.notions.statement import Span, Statement
from symprivacy.notions.symbols import R

X = Symbol("x", real=True)
# Levels of randomized response at which limits are looked at.
_FAR = (S(16), S(64), S(256))
_POSITIVE = Symbol("x", positive=True)
_PATIENCE = 200_000
# What one output decides, however rare it is.
_OF_RARE_OUTPUTS = frozenset((Kind.RATIO, Kind.WIDTH, Kind.ORDERS, Kind.CURVE, Kind.UNIFORM))


@dataclass(frozen=True)
class Mean:
    """E f(r), the level as a function of the mean v, and the mean of a level as a formula; ``name`` is the level's."""

    f: Expr
    level: Number
    mean: Formula
    name: str

    @property
    def response(self) -> Expr:
        """The mean under randomized response at x > 0."""
        return _response(self.f)

    @property
    def reverse(self) -> Expr:
        """r f(1/r)."""
        return R * self.f.xreplace({R: 1 / R})

    @property
    def symmetric(self) -> bool:
        """Whether f and its reverse differ by a line in r, so that both orders are the same."""
        r = Symbol("r", positive=True)
        if self.f.has(Max, Abs, Piecewise):
            pieces = [_piece(self.f, side) for side in (2, 0)]
            return not any(p.has(Max, Abs) or diff(p, R, 2) != 0 for p in pieces)
        return bool(simplify(diff((self.f - self.reverse).xreplace({R: r}), r, 2)) == 0)


@lru_cache(maxsize=256)
def _response(f: Expr) -> Expr:
    above, below = (_piece(f, side) for side in (2, 0))
    mean = (above.xreplace({R: exp(X)}) + exp(X) * below.xreplace({R: exp(-X)})) / (1 + exp(X))
    return tidy(mean, (Span(X, S.Zero, oo),))


def _piece(f: Expr, side: int) -> Expr:
    """A function with kinks at 1 only, on the side of 1 where ``side`` lies; other kinks are left as they are."""
    f = f.replace(Abs, lambda x: Max(x, -x))
    for node in f.atoms(Max):
        if len(node.args) == 2 and simplify((node.args[0] - node.args[1]) / (R - 1)).is_number:
            f = f.xreplace({node: max(node.args, key=lambda part: part.xreplace({R: S(side)}))})
    return f


@remembered(128)
def mean_of(notion: Notion) -> Mean | None:
    """The mean that a notion bounds."""
    ordered = notion.kind in (Kind.POWER, Kind.BELOW)
    if notion.divergence is None or (len(notion.parameters) > 1 and not (ordered and has_table(notion))):
        return None
    f, transform = notion.divergence.generator(R), notion.divergence.transform(R)
    if notion.kind is Kind.TRIANGULAR and has_table(notion):
        odds = Root("z", abp_of("z/(1 + z)", "1/(1 + z)"), "a")
        return Mean(f, abp_of("2*v", "1 - 2*v"), Formula("z/(1 + z)/2", (odds,)), "a")
    name = notion.parameters[-1].name
    v = Symbol("v", real=True)
    if notion.kind is Kind.POWER and has_table(notion):
        # Minus the mean at equal laws, as for all others.
        return Mean(f - 1, put("log(1 + v)/(alpha - 1)"), Formula("exp((alpha - 1)*e) - 1"), "e")
    if notion.kind is Kind.BELOW and has_table(notion):
        return Mean(f, put("log(1 - v)/(alpha - 1)"), Formula("1 - exp((alpha - 1)*e)"), "e")
    level = from_sympy(transform.xreplace({R: v}))
    if transform == R:
        return Mean(f, level, Formula(name), name)
    definition = notion.definition
    try:
        mean = solve_for(transform, definition.level.symbol, R, definition.level.lo, oo, definition.domain)
        inverse = Formula(from_sympy(tidy(mean, definition.domain)))
    except (SymPrivacyError, NoClosedForm):
        inverse = Formula("v", (Root("v", level, name),))
    return Mean(f, level, inverse, name)


def from_mean(notion: Notion, target: Notion, given: Given) -> Implication | None:
    """What a mean of one's own without a stand-in implies."""
    source = mean_of(notion)
    if source is None:
        return None
    target = at_threshold(target, given)
    if target.kind is Kind.STICK:
        return stick_answer(generator(source), given, f"{notion.key} in both orders is at most `{source.name}`")
    if target.kind is Kind.TAIL:
        return _test(source, notion, given)
    if target.kind is Kind.TRUNCATED:
        # Moments up to an order are bounded only if the one of that order is.
        rest = {name: number for name, number in given.items() if name != "omega2"}
        found = from_mean(notion, canonical(Kind.POWER), {**rest, "alpha2": given["omega2"]})
        return found if found is not None and found.status is Status.IMPOSSIBLE else None
    other = mean_of(target)
    if other is None:
        return _unbounded(notion, source, target)
    return _between(source, other, target, given)


def _unbounded(notion: Notion, source: Mean, target: Notion) -> Implication | None:
    """A rare output keeps any ratio; all moments are bounded only by a function that outgrows every power."""
    # What a rare output hardly changes, such as the largest likelihoods added up, is bounded by other means.
    if target.kind not in _OF_RARE_OUTPUTS:
        return None
    if target.kind in (Kind.ORDERS, Kind.CURVE) and not _at_most_a_power(source):
        return None
    top = notion.divergence.at_zero + notion.divergence.slope  # type: ignore[union-attr]
    if top.is_finite:
        weight = put("v/b", v=source.mean.body, b=from_sympy(top))
        found = unbounded(target, disjoint(weight), "disjoint with a small probability")
    else:
        found = unbounded(target, spread(source.mean.body, from_sympy(source.response)), "the ratio is unbounded")
    return replace(found, roots=source.mean.roots)


def _at_most_a_power(source: Mean) -> bool:
    for power in (2, 8, 64):
        try:
            if limit(source.response.xreplace({X: _POSITIVE}) * exp(-power * _POSITIVE), _POSITIVE, oo) == 0:
                return True
        except (NotImplementedError, ValueError, TypeError):
            return False
    return False


def generator(source: Mean) -> Generator:
    """The hockey-stick problem of a mean: its function and the reverse without their tangents at 1, in u = log r."""
    u = Symbol("u", real=True)
    parts = []
    for f in (source.f, source.reverse):
        tangent = diff(f, R).xreplace({R: 1}) if not f.has(Max, Abs) else 0
        value = f - tangent * (R - 1)
        parts += [value.xreplace({R: exp(u)}), diff(value, R).xreplace({R: exp(u)})]
    v, dv, _, _ = parts
    axis = from_sympy(v - (exp(u) - 1) * dv)
    v, dv, w, dw = map(from_sympy, parts)
    return Generator(
        v, dv, w, dw, source.mean.body, axis, (from_sympy(source.response), source.mean.body), source.symmetric
    )  # fmt: skip


def _test(source: Mean, notion: Notion, given: Given) -> Implication:
    """PDP: a test and its complement, in both orders."""
    z, eps2 = Symbol("z", real=True), Symbol("eps2", real=True)
    g = exp(-eps2)
    rest = 1 + z * (1 - g)
    sides = [
        (g * z * f.xreplace({R: exp(eps2)}) + rest * f.xreplace({R: 1 / rest})) / (1 + z)
        for f in (source.f, source.reverse)
    ]
    d = notion.divergence
    assert d is not None
    # All of P in the test: the rest of Q, or of P in the other order, is met by nothing.
    full = [g * source.f.xreplace({R: exp(eps2)}) + (1 - g) * d.at_zero, source.f.xreplace({R: g}) + (1 - g) * d.slope]
    top = None if any(e.has(oo) for e in full) else _larger(full)
    return capped(source.mean, Root("z", _larger(sides), source.mean.body), given, top)


def _larger(sides: list[Expr]) -> Number:
    return put("max(a, b)", a=from_sympy(sides[0]), b=from_sympy(sides[1]))


def _between(source: Mean, target: Mean, notion: Notion, given: Given) -> Implication | None:
    order = {"alpha": "alpha2"} if notion.kind in (Kind.POWER, Kind.BELOW) and has_table(notion) else {}
    if order and "alpha2" in given:
        # The order is a number here, so that limits and certificates are about one variable.
        alpha = Symbol("alpha", real=True)
        target = replace(target, f=target.f.xreplace({alpha: to_sympy(given["alpha2"])}))
    level = Formula(target.level).of(order)
    roots = source.mean.roots
    # Symmetric targets are largest at symmetric laws, no rare output among them.
    times = None if target.symmetric else factor_of(source.f, target.f)
    over = None if times is None else level.of({"v": put("c*v", c=from_sympy(times.value), v=source.mean.body)}, roots)
    if over is not None and times is not None and times.attained:
        return replace(tight(over, rare(source.mean.body, source.f), JOINT), roots=roots)
    shape = curve(source, target)
    if shape == "unbounded":
        return impossible(
            spread(source.mean.body, from_sympy(source.response)), "the quotient of the two is unbounded", roots
        )
    root = Root("x", from_sympy(source.response), source.mean.body)
    reached = level.of({"v": from_sympy(target.response)}, (*roots, root))
    if shape == "concave" and target.symmetric:
        return tight(reached, randomized_response("x"), JOINT)
    if shape == "convex" and target.symmetric:
        top = [limit(m.response.xreplace({X: _POSITIVE}), _POSITIVE, oo) for m in (source, target)]
        if all(e.is_finite and borne_out(m.response, X, e, _FAR) for m, e in zip((source, target), top, strict=True)):
            mean = put("v*b", v=source.mean.body, b=from_sympy(simplify(top[1] / top[0])))
            weight = put("v/b", v=source.mean.body, b=from_sympy(top[0]))
            return tight(level.of({"v": mean}, roots), disjoint(weight), JOINT)
    largest = largest_level(notion) if not has_table(notion) else None
    ends = [*([over] if over is not None else []), *([Formula(largest)] if largest is not None else [])]

    def upper(prec: int) -> Interval:
        return reduce(iv.minimum, (end.evaluate(given, prec) for end in ends))

    return Implication(
        Status.UPPER_BOUND if ends else Status.UNKNOWN, over, shown=None if over else f"at least {reached}",
        lower=lambda prec: (reached.evaluate(given, prec)[0], upper(prec)[1] if ends else finf, False, not ends),
        witness=randomized_response("x"), roots=(*roots, root), principles=("two-point-extremal",),
        note="randomized response reaches the lower end; it was not proved to be the worst law",
    )  # fmt: skip


@remembered(512)
def curve(source: Mean, target: Mean) -> str:
    """The shape of (F(x), G(x)): "concave", "convex", "unbounded" where G/F is, or "" where nothing was proved."""
    f, g = source.response, target.response
    try:
        quotient = limit((g / f).xreplace({X: _POSITIVE}), _POSITIVE, oo)
    except (NotImplementedError, ValueError, TypeError):
        quotient = None
    if quotient == oo:
        return "unbounded" if borne_out(g / f, X, oo, _FAR) else ""
    first = [diff(e, X) for e in (f, g)]
    bend = first[0] * diff(g, X, 2) - diff(f, X, 2) * first[1]
    if equal(bend, S.Zero, (Span(X, S.Zero, oo),)):
        return "concave"
    signs = {bool(bend.xreplace({X: S(k) / 4}).evalf(30) > 0) for k in (1, 3, 8, 25)}
    if len(signs) != 1:
        return ""
    rel, name = (">=", "convex") if signs == {True} else ("<=", "concave")
    # In w = exp(x/2) many of these are rational functions, which is what the kernel likes best.
    for form, start in ((_rational(bend), 1), (bend, 0)):
        symbols = form.free_symbols
        if len(symbols) == 1:
            span = Span(next(iter(symbols)), S(start), oo)
            with suppress(SymPrivacyError):
                certify(Statement(form, rel, S.Zero, (span,)), _PATIENCE)
                return name
    return ""


def _rational(e: Expr) -> Expr:
    """The expression in w = exp(x/2) > 1, over a common denominator."""
    w = Symbol("w", real=True)
    with sympy_attempt():
        # Put by hand: what simplifies powers of exponentials takes seconds.
        plain = e.rewrite(exp)
        powers = {n: w ** (2 * n.args[0] / X) for n in plain.atoms(exp) if (n.args[0] / X).is_Rational}
        return factor(plain.xreplace(powers).xreplace({X: 2 * log(w)}))
    return S.Zero


def to_mean(source: Notion, notion: Notion, given: Given) -> Implication | None:
    """What bounds on other means imply for a mean of one's own without a stand-in."""
    target, start = mean_of(notion), mean_of(source)
    if target is None or start is None:
        return None
    if source.kind in (Kind.POWER, Kind.BELOW) and has_table(source):
        alpha = Symbol("alpha", real=True)
        start = replace(start, f=start.f.xreplace({alpha: to_sympy(given["alpha"])}))
    return _between(start, target, notion, given)


def of_response(notion: Notion, eps: Formula) -> Implication:
    """A mean of one's own under a bound on the ratio."""
    target = mean_of(notion)
    assert target is not None
    formula = Formula(target.level).of({"v": from_sympy(target.response)}).of({"x": eps.body}, eps.roots)
    return tight(formula, randomized_response(eps.body), "two-point-extremal")


def of_slack(notion: Notion, eps: Part, delta: Part) -> Implication:
    """A mean of one's own under an additive slack: that of the pair that dominates all others."""
    target, d = mean_of(notion), notion.divergence
    assert target is not None
    assert d is not None
    ends = d.at_zero + d.slope
    if not ends.is_finite:
        return impossible(dominating(eps, delta), "P and Q may be disjoint with probability delta")
    mean = put("d*b", d=delta, b=from_sympy(ends))
    if eps != "0":
        mean = put("m + (1 - d)*v", m=mean, d=delta, v=put(from_sympy(target.response), x=eps))
    return tight(Formula(target.level).of({"v": mean}), dominating(eps, delta), "dominating-pair")


def of_gaussian(notion: Notion) -> Implication | None:
    """A mean of one's own under the Gaussian pair, for sums of powers of r, perhaps times log r."""
    target = mean_of(notion)
    assert target is not None
    total = gaussian_mean(target.f)
    if total is None:
        return None
    witness = {"family": "P = N(mu, 1), Q = N(0, 1)", "attained": True}
    return tight(Formula(target.level).of({"v": from_sympy(total)}), witness, "dominating-pair")


__all__ = ["Mean", "curve", "from_mean", "generator", "mean_of", "of_gaussian", "of_response", "of_slack", "to_mean"]
