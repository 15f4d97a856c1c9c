"""Proofs about sums over finite sets: every step is a rule, and what the rule needs is certified.

``weigh``: for every element the left side is at most a sum of what is bounded, with weights that are not negative and
    do not depend on the elements that are summed over; then the sums are in the same relation, and so are the bounds.
    Bounds for every element may have weights that depend on everything. A bound for ``any`` subset has a weight and a
    factor between 0 and 1, a subset or a test. Indicators are replaced by their values, case by case.
``term``: a term of a sum of terms that are not negative is at most the sum; an element is a subset.
``fold``: a bound on a double sum, or on any part of it, bounds the sum of what the inner sums are, or are at least.
``same``: what a sum is, and a bound of it, bound the value.
``lift``: a bound of the inner sum for every outer element, and a bound of the sum of these, bound the double sum.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from symprivacy.claims.comparison import Comparison
from symprivacy.claims.finite_sums import TEST, Bound, Setting
from symprivacy.claims.outcome import Outcome, together
from symprivacy.errors import InputError
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.search.verdict import Status

Weight = str | tuple[str, str]
Values = dict[str, Expr]
_ZERO = x.num(0)


@dataclass(frozen=True)
class Step:
    """A bound, and the rule and the weights that give it."""

    says: str
    uses: Mapping[str, Weight] = field(default_factory=dict)
    #: weights of bounds on numbers in the comparison of the bounds of sums
    bound: Mapping[str, str] = field(default_factory=dict)
    #: weights with which what holds in a case of the indicators contradicts itself
    absurd: Mapping[str, str] = field(default_factory=dict)
    rule: str = "weigh"


@dataclass(frozen=True)
class Sums:
    """What follows for all finite families of numbers with the given bounds; the last step is the conclusion.

    >>> laws = Setting({"u": "y", "v": "y"})
    >>> given = {"each": "u <= exp(eps)*v", "law": "sum[y] v == 1"}
    >>> Sums(laws, given, {"event": Step("any[y] u - exp(eps)*v <= 0", {"each": "test"})}).decide().status
    <Status.PROVED: 'proved'>
    """

    setting: Setting
    given: Mapping[str, str]
    steps: Mapping[str, Step]
    principles: tuple[str, ...] = ()

    @property
    def reading(self) -> str:
        """Over which sets and numbers it speaks."""
        return f"finite sums; {self.setting}"

    def decide(self) -> Outcome:
        """Check every step; one that does not check leaves everything undecided."""
        known = {name: self.stated(text) for name, text in self.given.items()}
        numbers = {name: f"({k})" for k, name in enumerate([*self.given, *self.steps], 1)}
        lines = [f"Take {self.setting}" if str(self.setting) else ""]
        lines += [_line("given", bound, numbers[name]) for name, bound in known.items()]
        outcomes: list[Outcome] = []
        for name, step in self.steps.items():
            goal = self.stated(step.says)
            found = _RULES[step.rule](self.setting, known, goal, step)
            if not found.proved:
                return Outcome(Status.UNDECIDED, f"the step {name} fails: {found.reason}", steps=tuple(lines))
            known[name] = goal
            lines.append(_line(_told(step, numbers, self.setting), goal, numbers[name]))
            outcomes.append(found)
        joined = together(outcomes)
        principles = tuple(dict.fromkeys((*self.principles, "weighted-sums")))
        count = len(self.steps)
        reason = f"{goal.words}, in {count} certified step{'s' if count > 1 else ''}"
        return replace(joined, reason=reason, principles=principles, steps=tuple(lines), better=None)

    def stated(self, text: str) -> Bound:
        """A bound, of which the right side must be the same for everything that is summed over."""
        bound = self.setting.bound(text)
        if TEST in bound.variables:
            raise InputError(f"{bound}: {TEST} is a subset in proofs, and no number")
        if self.setting.indices(bound.rhs.variables) & set(bound.over) or (bound.kind == "any" and bound.rel == "=="):
            raise InputError(f"{bound} says nothing")
        return bound

    def __str__(self) -> str:
        last = list(self.steps.values())[-1]
        return f"{', '.join(self.given.values())} => {last.says}"


def _line(words: str, bound: Bound, number: str) -> str:
    """Words, the formula they lead to, and its number."""
    sets = ", for every set `S`" if bound.kind == "any" else ""
    return f"{words}{sets}: `{bound.formula}` {number}"


def _told(step: Step, numbers: Mapping[str, str], setting: Setting) -> str:
    """How a step follows, for a reader."""
    if step.rule != "weigh":
        how = {"term": "a term of", "fold": "from", "lift": "from", "same": "from"}[step.rule]
        return f"{how} {' and '.join(numbers[name] for name in step.uses)}"
    added = []
    for name, (first, second) in ((name, _pair(weight)) for name, weight in step.uses.items()):
        if name in setting.where:
            cases = ((1, first), (0, second))
            added += [f"what `{name} = {k}` says times `{setting.shown(w)}`" for k, w in cases if w]
        else:
            sums = f" on `{setting.shown(second)}`" if second and second != TEST else ""
            added.append(numbers[name] + (f" times `{setting.shown(first)}`" if first != "1" else "") + sums)
    added += [f"the range of `{name}` times `{setting.shown(weight)}`" for name, weight in step.bound.items()]
    without = ""
    if step.absurd:
        said = (numbers.get(name, f"`{name} = 1`") for name in step.absurd)
        without = f", without the cases that {' and '.join(said)} exclude"
    if not added:
        return f"certified{without}"
    return f"adding {' and '.join(filter(None, [', '.join(added[:-1]), added[-1]]))}{without}"


def _pair(weight: Weight) -> tuple[str, str]:
    return (weight, "") if isinstance(weight, str) else weight


class _Check:
    """The comparisons that a rule needs, and what became of them."""

    def __init__(self, setting: Setting) -> None:
        self.box, self.found = setting.box, list[Outcome]()
        self.asked = set[tuple[Expr, str, Expr]]()

    def that(self, lhs: Expr, rel: str, rhs: Expr) -> None:
        """Ask for one; the same is asked once."""
        if (lhs, rel, rhs) in self.asked:
            return
        self.asked.add((lhs, rel, rhs))
        names = lhs.variables | rhs.variables
        missing = sorted(names - set(self.box))
        if missing:
            raise InputError(f"no range for {', '.join(missing)}")
        self.found.append(Comparison(lhs, rel, rhs, {name: self.box[name] for name in sorted(names)}).decide())

    def positive(self, weight: Expr) -> bool:
        """Whether a weight is certified to be positive everywhere."""
        return self.holds(weight, ">", _ZERO)

    def holds(self, lhs: Expr, rel: str, rhs: Expr) -> bool:
        """Whether a comparison is certified; its certificate is kept if so."""
        names = lhs.variables | rhs.variables
        found = Comparison(lhs, rel, rhs, {name: self.box[name] for name in sorted(names)}).decide()
        if found.proved:
            self.found.append(found)
        return found.proved

    def outcome(self) -> Outcome:
        """Proved if all are."""
        found = together(self.found)
        # That a certificate is not to be had says nothing about the statement.
        return replace(found, status=Status.UNDECIDED) if found.refuted else found


def _weigh(setting: Setting, known: Mapping[str, Bound], goal: Bound, step: Step) -> Outcome:
    check = _Check(setting)
    body = x.mul(x.var(TEST), goal.lhs) if goal.kind == "any" else goal.lhs
    weights = {n: [setting.number(w) if w else None for w in _pair(weight)] for n, weight in step.uses.items()}
    absurd = {name: setting.number(text) for name, text in step.absurd.items()}
    used = {name: known[name] for name in weights if name not in setting.where}
    named: list[Expr | Bound] = [w for pair in weights.values() for w in pair if w is not None]
    names = frozenset(name for part in (body, goal, *named, *used.values()) for name in part.variables) | set(weights)
    for name, fact in used.items():
        _fits(setting, name, fact, weights[name][0], goal)
    for values, holds in setting.cases(names):
        if step.absurd and _impossible(check, holds, known, absurd, values):
            continue
        above, given, total, strict = [_ZERO], [_ZERO], [_ZERO], False
        for name, (first, second) in weights.items():
            fact = holds[name] if name in holds else used[name].at(values)
            chosen = second if name in holds and values[name] == _ZERO else first
            if chosen is None:
                continue
            weight = x.substitute(chosen, values)
            if fact.rel != "==":
                _no_identity(name, goal)
                check.that(weight, ">=", _ZERO)
            if fact.kind:
                factor = x.num(1)
                if fact.kind == "any" and second is not None:
                    factor = x.substitute(second, values)
                    check.that(factor, ">=", _ZERO)
                    check.that(factor, "<=", x.num(1))
                above.append(x.mul(weight, factor, fact.lhs))
                total.append(x.mul(weight, fact.rhs))
            else:
                given.append(x.mul(weight, fact.slack))
                strict = strict or (fact.rel == "<" and check.positive(weight))
        left, right = x.add(x.substitute(body, values), *given), x.substitute(goal.rhs, values)
        if not goal.kind:
            check.that(left, "<=" if goal.rel == "<" and strict else goal.rel, right)
            continue
        check.that(left, "==" if goal.rel == "==" else "<=", x.add(*above))
        for name, text in step.bound.items():
            fact, weight = known[name], setting.number(text)
            if fact.kind:
                raise InputError(f"{name} is a bound on sums")
            total.append(x.mul(weight, fact.slack))
            if fact.rel != "==":
                _no_identity(name, goal)
                check.that(weight, ">=", _ZERO)
        check.that(x.add(*total), goal.rel, right)
    return check.outcome()


def _impossible(
    check: _Check, holds: Mapping[str, Bound], known: Mapping[str, Bound], absurd: Mapping[str, Expr], values: Values
) -> bool:
    """Whether a case can not be: what holds in it, with positive weights, adds up to nothing though some is strict."""
    facts = {name: holds[name] if name in holds else known[name].at(values) for name in absurd}
    weights = {name: x.substitute(weight, values) for name, weight in absurd.items()}
    total = x.add(*(x.mul(weights[name], fact.slack) for name, fact in facts.items()))
    strict = any(fact.rel == "<" and check.positive(weights[name]) for name, fact in facts.items())
    plain = all(not fact.kind and check.holds(weights[name], ">=", _ZERO) for name, fact in facts.items())
    return strict and plain and check.holds(total, "<=", _ZERO)


def _no_identity(name: str, goal: Bound) -> None:
    """Refuse a step that concludes an identity from what is none, be it a fact, a case of an indicator or a bound."""
    if goal.rel == "==":
        raise InputError(f"{name} is no identity and the step is one")


def _fits(setting: Setting, name: str, fact: Bound, weight: Expr | None, goal: Bound) -> None:
    """Whether a bound can be used with a weight: it is the same for everything that is summed over."""
    if weight is None:
        raise InputError(f"{name} has no weight")
    if fact.kind and {*fact.over} != {*goal.over}:
        raise InputError(f"{name} is about other sums than {goal}")
    if fact.kind and (setting.indices(weight.variables, goal.over) & set(fact.over)):
        raise InputError(f"the weight of {name} depends on what is summed over")


def _term(setting: Setting, known: Mapping[str, Bound], goal: Bound, step: Step) -> Outcome:
    """Each term against the bound of the sum; the others are not negative by what else is used, or left out."""
    check = _Check(setting)
    (name, *others) = step.uses
    fact = known[name]
    if not fact.kind or goal.kind or fact.rel != goal.rel or goal.rel == "==":
        raise InputError("a term is at most a sum of terms that are not negative")
    given = [_ZERO]
    for other in others:
        weight = setting.number(_pair(step.uses[other])[0])
        check.that(weight, ">=", _ZERO)
        if known[other].kind:
            raise InputError(f"{other} is a bound on sums")
        given.append(x.mul(weight, known[other].slack))
    if fact.kind == "sum":
        check.that(x.add(*given), "<=", fact.lhs)
    check.that(goal.lhs, "==", fact.lhs)
    check.that(goal.rhs, "==", fact.rhs)
    return check.outcome()


def _fold(setting: Setting, known: Mapping[str, Bound], goal: Bound, step: Step) -> Outcome:
    """The first fact used bounds the double sum, the second says what the inner sum is, or is at least."""
    check = _Check(setting)
    double, inner = (known[name] for name in step.uses)
    value, body = (inner.rhs, inner.lhs) if inner.rel == "==" else (x.neg(inner.rhs), x.neg(inner.lhs))
    fits = {*double.over} == {*inner.over, *goal.over} and not {*inner.over} & {*goal.over}
    if not fits or goal.kind != double.kind or goal.rel != double.rel or inner.kind != "sum" or inner.rel == "<":
        raise InputError(f"{goal} is not what {double} says of {inner}")
    if goal.rel == "==" and inner.rel != "==":
        raise InputError("an identity follows from identities")
    check.that(double.lhs, "==", body)
    check.that(goal.lhs, "==", value)
    check.that(goal.rhs, "==", double.rhs)
    return check.outcome()


def _lift(setting: Setting, known: Mapping[str, Bound], goal: Bound, step: Step) -> Outcome:
    """The first fact used bounds the inner sum, the second the sum of its bounds."""
    check = _Check(setting)
    inner, outer = (known[name] for name in step.uses)
    kinds = {inner.kind, outer.kind, goal.kind} == {"sum"} and {inner.rel, outer.rel, goal.rel} <= {"<=", "=="}
    if not kinds or {*inner.over, *outer.over} != {*goal.over} or set(inner.over) & set(outer.over):
        raise InputError(f"{goal} is not a double sum of {inner} and {outer}")
    if goal.rel == "==" and {inner.rel, outer.rel} != {"=="}:
        raise InputError("an identity follows from identities")
    check.that(goal.lhs, "==", inner.lhs)
    check.that(inner.rhs, "==", outer.lhs)
    check.that(goal.rhs, "==", outer.rhs)
    return check.outcome()


def _same(setting: Setting, known: Mapping[str, Bound], goal: Bound, step: Step) -> Outcome:
    """The first fact used says what a sum is, the second bounds it."""
    check = _Check(setting)
    value, bound = (known[name] for name in step.uses)
    if goal.kind or (value.kind, bound.kind, value.rel) != ("sum", "sum", "==") or {*value.over} != {*bound.over}:
        raise InputError(f"{goal} does not compare {value} with {bound}")
    if goal.rel != bound.rel:
        raise InputError(f"{goal} has another relation than {bound}")
    check.that(value.lhs, "==", bound.lhs)
    check.that(goal.lhs, "==", value.rhs)
    check.that(goal.rhs, "==", bound.rhs)
    return check.outcome()


_RULES = {"weigh": _weigh, "term": _term, "fold": _fold, "lift": _lift, "same": _same}
