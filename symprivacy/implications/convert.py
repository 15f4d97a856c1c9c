"""convert: the best level of one notion that another one guarantees."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from mpmath.libmp import finf, fzero
from sympy import Expr, simplify

from symprivacy.errors import InputError, NoInformation
from symprivacy.implications.answer import LARGEST, Answer, evaluate, randomized_response, tight, zero
from symprivacy.implications.eps_at_delta import at_delta
from symprivacy.implications.formula import Formula, Given, Root, expression, narrow
from symprivacy.implications.own import from_own, to_own
from symprivacy.implications.parameters import DIAMETER, SIGNATURES, compare, read, understood
from symprivacy.implications.result import Conversion, Status
from symprivacy.implications.stand_in import largest_level, stand_in
from symprivacy.implications.tables import sharp
from symprivacy.implications.tables.concentrated import from_concentrated
from symprivacy.implications.tables.divergence import from_average, from_hellinger, from_js, from_kl, from_renyi
from symprivacy.implications.tables.gaussian import from_gaussian
from symprivacy.implications.tables.ratio import from_range, from_ratio, js_of, unconstrained
from symprivacy.implications.tables.slack import from_slack
from symprivacy.implications.tables.uniform import from_uniform
from symprivacy.implications.witness import spell
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import subexpressions, substitute
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.language.digits import require_digits
from symprivacy.language.text import to_text
from symprivacy.notions import get
from symprivacy.notions.guarantee import Guarantee
from symprivacy.notions.record import Notion, P, Q
from symprivacy.notions.registry import own_notions

NOTIONS = tuple(SIGNATURES)
_INFINITE = ("oo", "inf", "infinity")

# The level of DP that a posterior notion is equivalent to, as far as one pair of neighbours goes.
_RATIO_LEVEL = {
    "DP": "eps",
    "LDP": "eps",
    "MP": "eps",
    "MBP": "xi",
    # ks14: posteriors with and without a record differ by tanh(log(max ratio)/4).
    "SP": "4*atanh(eta)",
    # zhao17 Lemma 1 in both roles.
    "MPP": "log(1 + (exp(eps) - 1)/max(p, 1 - p))",
}
_MAGNITUDE = {"TV": "t", "KL": "k", "RDP": "e", "ZCDP": "rho", "GDP": "mu", "CHI2": "c", "HELL2": "h", "JS": "j"}
_MAGNITUDE |= {"SP": "eta", "MBP": "xi", "MBPU": "xi", "ABP": "a", "ABPW": "a"}


def convert(
    source: str | Notion | Guarantee,
    at: Mapping[str, object] | str | Notion | None = None,
    target: str | Notion | None = None,
    digits: int = 30,
    **more: object,
) -> Conversion:
    """The best level of ``target`` that ``source`` at the given parameters guarantees.

    A guarantee may stand for the source and its parameters; a parameter of the target is then given by name.

    >>> c = convert("DP", {"eps": 1}, "KL", digits=20)
    >>> c.status.value, c.formula, c.lo, c.hi
    ('tight', 'eps*tanh(eps/2)', '0.4621171572600097585', '0.46211715726000975851')
    >>> convert("TV", {"t": "1/2"}, "KL").status
    <Status.IMPOSSIBLE: 'impossible'>
    >>> from symprivacy.notions import get
    >>> convert(get("DP")(1), "ADP", eps2="1/2", digits=8).hi
    '0.28764914'
    """
    require_digits(digits)
    if isinstance(source, Guarantee):
        if isinstance(at, str | Notion):
            at, target = None, at
        at, source = {**source.parameters, **(at or {})}, source.notion.key
    start, end = _key(source), _key(target)
    if start is None or end is None or not isinstance(at, Mapping | None):
        raise InputError("expected a source, its parameters and a target, such as convert('DP', {'eps': 1}, 'KL')")
    return _convert(start, {**(at or {}), **more}, end, digits)


def _convert(source: str, asked: Mapping[str, object], target: str, digits: int) -> Conversion:
    if source == "RDP" and str(asked.get("alpha")) in _INFINITE and "e" in asked:
        # Order infinity is pure DP.
        found = _convert("DP", {"eps": asked["e"], **_without(asked, "alpha", "e")}, target, digits)
        return replace(found, source=source)
    if target == "RDP" and str(asked.get("alpha2")) in _INFINITE:
        return replace(_convert(source, _without(asked, "alpha2"), "DP", digits), target=target)
    given = read(source, target, asked)
    answer = rule(source, target, given)
    return _finish(source, target, given, answer, digits)


def _key(notion: object) -> str | None:
    """The key of a notion that is given as such or by its key; None for anything else."""
    return notion.key if isinstance(notion, Notion) else notion if isinstance(notion, str) else None


def _without(at: Mapping[str, object], *names: str) -> dict[str, object]:
    return {name: number for name, number in at.items() if name not in names}


def rule(source: str, target: str, given: Given) -> Answer:
    """The answer before it is evaluated."""
    if (mine := _own(source, target, given)) is not None:
        return mine
    if "delta2" in given and any(notion.key == source for notion in own_notions()):
        return at_delta(source, target, given, rule, None)
    if _is_zero(source, given):
        return zero()
    every = get(source).pairs.every
    if DIAMETER in given and target != "LDP" and not every:
        return _over_paths(source, target, given)
    if "delta2" in given:
        lost = source in ("SP", "ABPW") and _loses_everything(source, given)
        return at_delta(source, target, given, rule, None if lost else _ratio_level(source, given))
    if source == "SP" and target == "SP":
        return tight("eta", None, "identity")
    if source in ("SP", "ABPW") and _loses_everything(source, given):
        return unconstrained(target)
    if source == "LDP" and target == "LDP":
        return tight("eps", randomized_response("eps"), "identity", note="LDP already speaks of all pairs of inputs")
    if every and target == "LDP":
        # What is said of any two inputs needs no chain of neighbours.
        return replace(rule(source, "DP", given), note=f"{source} already speaks of all pairs of inputs")
    if source == "ABPW" and target == "ABPW":
        return tight("a", None, "identity")
    if (level := _ratio_level(source, given)) is not None:
        if target == "MBPU" == source and compare(Formula("m2"), Formula("2"), given) == 0:
            return tight("xi", None, "identity")
        return from_ratio(target, level, given)
    if source == "RB":
        return from_range(target, given)
    if source in ("ADP", "PDP"):
        return from_slack(source, target, "eps", "delta", given)
    if source == "TV":
        return from_slack("TV", target, "0", "t", given)
    if source == "MBPU":
        return from_uniform(target, given)
    if source == "RDP":
        if compare(Formula("alpha"), Formula("1"), given) == 0:
            return from_kl(target, {**given, "k": given["e"]})
        return from_renyi(target, "alpha", "e", given)
    if source == "CHI2":
        return from_renyi(target, "2", "log(1 + c)", given, "CHI2")
    rules = {"GDP": from_gaussian, "KL": from_kl, "HELL2": from_hellinger, "JS": from_js, "ABP": from_average,
             "ZCDP": from_concentrated}  # fmt: skip
    return rules[source](target, given)


def _over_paths(source: str, target: str, given: Given) -> Answer:
    """A target about any two inputs from a source about neighbours: the ratio grows along a chain of D of them.

    The level depends on the likelihoods of one output, and a rare output may gain the whole factor at every step.
    """
    chained = rule(source, "LDP", given)
    if chained.status is not Status.TIGHT or chained.formula is None:
        return rule(source, target, {name: number for name, number in given.items() if name != DIAMETER})
    found = from_ratio(target, chained.formula, given)
    return replace(found, witness=chained.witness, principles=("group-path", *found.principles))


def _own(source: str, target: str, given: Given) -> Answer | None:
    """The answer where one of the two is a notion of one's own."""
    defined = {notion.key: notion for notion in own_notions()}
    if source not in defined and target not in defined:
        return None
    if source == target:
        asked = SIGNATURES[target].target
        if asked is None or compare(Formula(asked), Formula(asked.removesuffix("2")), given) == 0:
            return tight(SIGNATURES[source].answers, None, "identity")
    found = None
    if source in defined:
        level, least = Formula(SIGNATURES[source].answers), defined[source].parameters[-1].domain.start
        if compare(level, Formula(to_text(from_sympy(least))), given) == 0 and not _allows(defined[source], least):
            return zero()
        largest = largest_level(defined[source])
        if largest is not None and compare(level, Formula(largest), given) in (0, 1):
            if "delta2" in given and compare(Formula("delta2"), Formula("1"), given) == 0:
                return zero("every mechanism has this slack")
            return unconstrained("DP" if "delta2" in given else target)
        if "delta2" in given and stand_in(defined[source]) is None:
            return at_delta(source, target, given, rule, None)
        found = from_own(defined[source], target, given, rule)
    elif _is_zero(source, given):
        return zero()
    elif target in defined:
        found = to_own(source, defined[target], given, rule)
    return found or Answer(Status.UNKNOWN, note="no extremal argument for this kind of definition is known")


def _allows(notion: Notion, least: Expr) -> bool:
    """Whether the least level of a notion of one's own still leaves room for a difference."""
    bound = notion.ratio if notion.ratio is not None else notion.width
    if notion.divergence is not None:
        return bool(least != 0)
    if bound is not None:
        return bool(simplify(bound.subs(notion.parameters[-1].symbol, least)) != 1)
    # At q = p nothing was learnt.
    at = {notion.parameters[-1].symbol: least}
    return not all(simplify((c.lhs - c.rhs).subs(at).subs(Q, P)) == 0 for c in notion.posterior)


def _ratio_level(source: str, given: Given) -> Formula | None:
    """The level of DP that the source is equivalent to, as far as one pair of neighbours goes."""
    if source in _RATIO_LEVEL:
        return Formula(_RATIO_LEVEL[source])
    if source == "ABPW":
        return Formula("4*y", (Root("y", js_of("y"), "a**2", (sharp.js("y"), "a**2")),))
    if source in ("ADP", "PDP") and compare(Formula("delta"), Formula("0"), given) == 0:
        return Formula("eps")
    if source == "MBPU" and compare(Formula("m"), Formula("2"), given) == 0:
        return Formula("log(2*exp(xi) - 1)")
    return None


def _is_zero(source: str, given: Given) -> bool:
    names = ("eps", "delta") if source in ("ADP", "PDP") else (_MAGNITUDE.get(source, "eps"),)
    return all(compare(Formula(name), Formula("0"), given) == 0 for name in names)


def _loses_everything(source: str, given: Given) -> bool:
    top = "1" if source == "SP" else "sqrt(log(2))"
    side = compare(Formula("eta" if source == "SP" else "a"), Formula(top), given)
    return side is not None and side >= 0


def _finish(source: str, target: str, given: Given, answer: Answer, digits: int) -> Conversion:
    if source == "RDP" and compare(Formula("alpha"), Formula("1"), given) == 0:
        given = {**given, "k": given["e"]}
    status, note, value = answer.status, answer.note, None
    largest = None if "delta2" in given else LARGEST.get(target)
    if status is Status.IMPOSSIBLE:
        value = (finf, finf, False, False)
    else:
        try:
            value = evaluate(answer, given, digits)
        except NoInformation as missing:
            status, note = Status.UNKNOWN, f"{note + '; ' if note else ''}{missing}"
            if largest is not None:
                top = enclose(expression(largest), {}, int(digits * 3.33) + 60)
                status, value = Status.UPPER_BOUND, (fzero, top[1], False, False)
    if value is not None and largest is not None and status is not Status.IMPOSSIBLE:
        top = enclose(expression(largest), {}, int(digits * 3.33) + 60)
        value = iv.minimum(value, (top[1], top[1], False, False))
    if value is not None and status is Status.TIGHT and not narrow(value, digits):
        status, note = Status.UPPER_BOUND, "the digits asked for were not reached"
    if value is not None and status is Status.UPPER_BOUND and narrow(value, digits):
        status = Status.TIGHT
    witness = answer.witness
    if answer.make_witness is not None and value is not None:
        witness = answer.make_witness(digits)
    elif witness is not None:
        witness = spell(witness, answer.roots, given, digits, strict=target == "PDP")
    formula = answer.shown or (str(answer.formula) if answer.formula is not None else None)
    at = {name: to_text(number) for name, number in given.items() if name != "k" or source == "KL"}
    exact = _exact(answer, given)
    reading = understood(source, target, given)
    return Conversion(
        source, target, at, status, value, formula, witness, answer.principles, note, digits, exact, reading
    )


def _exact(answer: Answer, given: Given) -> Fraction | None:
    """The level where it is a rational number that needs no computing."""
    if answer.formula is None or answer.formula.roots or answer.status is not Status.TIGHT:
        return None
    # A call of a function is not rational; no need to look closer.
    if re.search(r"[a-z]\(", answer.formula.text):
        return None
    plain = substitute(answer.formula.expr(), dict(given))
    if any(n.op not in ("num", "+", "*", "^") for n in subexpressions(plain)):
        return None
    found = to_sympy(plain)
    return Fraction(int(found.p), int(found.q)) if found.is_Rational else None
