"""Why a step of a derivation follows, in a sentence that leads to its formula.

Sentences are texts with marked formulas. A rule without a sentence here is introduced by its own words, so that a new
rule reads tolerably before somebody writes it a better one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sympy import Expr

from symprivacy.derivations.derivation import Derivation, Step
from symprivacy.derivations.rulebook import RULES
from symprivacy.language.certificates import as_text
from symprivacy.language.spelled import spelled
from symprivacy.notions.statement import Statement
from symprivacy.notions.symbols import E
from symprivacy.notions.written import in_order

Sentence = Callable[[Step, Sequence[Statement], Derivation], str]
# Conditions with more signs than this are told by the number of their certificate alone.
LONGEST = 80


def reason(step: Step, d: Derivation) -> str:
    """The words before the formula of a step.

    >>> from symprivacy import derive
    >>> d = derive("SP", "DP").derivation
    >>> [reason(step, d) for step in d.steps[1:3]]
    ["By Bayes' rule", 'Solved for `A`, this is']
    """
    inputs = [d.steps[k].statement for k in step.uses]
    told = _SENTENCES.get(step.rule)
    if told is not None:
        return told(step, inputs, d)
    words = RULES[step.rule].words
    return words[:1].upper() + words[1:]


def link(step: Step) -> str:
    """The words beside a formula that goes on with the line before; empty where algebra is enough."""
    return {"case": "only this case of the maximum occurs", "weaken": "a maximum is at least each of its cases"}.get(
        step.rule, ""
    )


def _marked(e: Expr) -> str:
    return f"`{spelled(e)}`"


def _inside(s: Statement) -> Expr:
    """The function whose mean a statement bounds."""
    return s.lhs.args[0] if s.lhs.func == E else s.lhs


def _definition(step: Step, inputs: Sequence[Statement], d: Derivation) -> str:
    key = step.parameters["view"]
    if d.principle(step) == "two-point-belief":
        return (
            "Take the belief that gives `x` the probability `p` and `x'` the rest. Without the record in which they "
            f"differ the two databases are the same, so that posterior is the prior, and {key} says"
        )
    return f"By the definition of {key}"


def _monotone(step: Step, inputs: Sequence[Statement], d: Derivation) -> str:
    rises = "increases" if step.parameters.get("direction") == "increasing" else "decreases"
    return f"The right side {rises} in {_marked(inputs[1].lhs)}; hence"


def _substitute(step: Step, inputs: Sequence[Statement], d: Derivation) -> str:
    put = " and ".join(f"`{k} = {spelled(v)}`" for k, v in step.parameters["mapping"].items())
    return f"With {put} this becomes" if put else "On a smaller range"


def _limit(step: Step, inputs: Sequence[Statement], d: Derivation) -> str:
    return f"It holds for every `{step.parameters['variable']}`; in the limit at `{spelled(step.parameters['at'])}`"


def _dominated(step: Step, inputs: Sequence[Statement], d: Derivation) -> str:
    shown = [c for c in step.certificates if {"lhs", "rhs"} <= set(c) and c["lhs"] != c["rhs"]]
    if len(shown) == 1:
        texts = f"{as_text(shown[0]['lhs'])} {shown[0]['rel']} {as_text(shown[0]['rhs'])}"
        if len(texts) <= LONGEST:
            both = ", with the bounds of both orders" if step.parameters.get("back", 0) != 0 else ""
            return f"For every `r > 0`, `{texts}`; taking means{both}"
    return f"{_marked(_inside(step.statement))} lies below a line in the function of the premise; in the mean"


def _convex(step: Step, inputs: Sequence[Statement], d: Derivation) -> str:
    r = next(iter(_inside(step.statement).free_symbols & inputs[0].lhs.free_symbols), "r")
    return f"Because `{r} -> {spelled(_inside(step.statement))}` is convex, the worst law sits on the ends of the range"


def _position(step: Step, inputs: Sequence[Statement], d: Derivation) -> str:
    f = spelled(_inside(step.statement))
    return f"Because `{f}` is convex, the worst law sits on two ends, and at the worst position of these"


def _conclude(step: Step, inputs: Sequence[Statement], d: Derivation) -> str:
    key = step.parameters["view"]
    values = ", ".join(map(spelled, in_order(key, step.parameters["values"])))
    said = f"this is `{key}({values})`"
    if d.principle(step) == "events-to-points":
        return f"{said}, for events because a ratio of sums is at most the largest ratio"
    return said


def _one_prior(step: Step, inputs: Sequence[Statement], d: Derivation) -> str:
    key = step.parameters["view"]
    return (
        f"By the definition of {key} an output multiplies the probability of `x` by at most the one bound and that of "
        "`x'` by at least the other. By Bayes' rule each factor is a likelihood over the same mean; their quotient is"
    )


def _both_orders(step: Step, inputs: Sequence[Statement], d: Derivation) -> str:
    if step.statement.rel == ">=":
        return "The same with the two laws exchanged bounds the inverse of the ratio"
    return "The bound holds at every output"


def _path(step: Step, inputs: Sequence[Statement], d: Derivation) -> str:
    return "Two inputs at distance `d` are joined by `d` steps between neighbours, each with one factor"


def _said(text: str) -> Sentence:
    return lambda step, inputs, d: text


_SENTENCES: dict[str, Sentence] = {
    "definition": _definition,
    "monotone": _monotone,
    "one-prior": _one_prior,
    "substitute": _substitute,
    "limit": _limit,
    "dominated": _dominated,
    "two-point": _convex,
    "majorant": _convex,
    "width": _position,
    "turning-width": _position,
    "concave-width": _position,
    "conclude": _conclude,
    "both-orders": _both_orders,
    "exchange": _said("The two secrets may exchange their roles"),
    "group-path": _path,
    "bayes": _said("By Bayes' rule"),
    "uniform-bayes": _said("By Bayes' rule for the uniform prior on `m` secrets"),
    "invert": lambda step, inputs, d: f"Solved for `{step.parameters['variable']}`, this is",
    "identity": _said("That is"),
    "rearrange": _said("That is"),
    "inequality": _said("Certified"),
    "transitive": _said("Together"),
    "mean-one": _said("A ratio of laws has mean one"),
    "pointwise": _said("A mean is at most the largest value"),
    "on-range": _said("On the range of the ratio"),
    "transform": _said("The transform of the mean increases"),
    "games": _said("The likelihood with the record over the one without it is a mean of such ratios"),
    "mixture": _said("A mean of likelihoods lies between them"),
    "secrets-width": _said("Posterior over prior is likelihood over its mean"),
    "belief-ratio": _said("For a belief on two secrets"),
    "averaged": _said("An average of posteriors keeps their bounds"),
    "minimum": _said("Both bounds hold"),
    "tail": _said("By Markov's inequality"),
    "total": _said("The `m` values of posterior over prior sum to `m`"),
    "quotient": _said("A likelihood ratio is a quotient of posterior over prior at two secrets"),
    "range-width": _said("The largest ratio over the smallest one is bounded"),
    "width-ratio": _said("The smallest value of a ratio of mean one is at most one"),
}
