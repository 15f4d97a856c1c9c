"""The door: everything that asks what one notion implies of another asks here.

The tables of the two kinds answer first. Where they leave a gap, a derivation from the two definitions may give a
smaller level, and so may two known implications one after the other; a mechanism that was made for another pair may
give a larger lower bound. The smallest level wins; a tie goes to the derivation, whose steps check again, and then to
the table, which the stored theorems speak of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from mpmath.libmp import fzero, mpf_cmp

from symprivacy.errors import InputError, NoInformation, SymPrivacyError
from symprivacy.implications.attested import evidence
from symprivacy.implications.between import between, lies_between, takes_part
from symprivacy.implications.formula import Formula, Given, settle
from symprivacy.implications.implication import Implication
from symprivacy.implications.known_mechanisms import pulled
from symprivacy.implications.numbers.decimals import above
from symprivacy.implications.parameters import CONVERTIBLE, DIAMETER, asked_of, assigned, conditions, understood
from symprivacy.implications.short_forms import short
from symprivacy.implications.status import Status
from symprivacy.implications.stepwise import derivation, fitted, level_of, of_premise, why_not
from symprivacy.implications.tabled import exact_level, judged, of_finite_order, tabled
from symprivacy.kernel.enclose import constant_sign
from symprivacy.kernel.expr import num, sub, substitute, var
from symprivacy.kernel.interval import is_finite, to_fraction
from symprivacy.language.bridge import from_sympy
from symprivacy.notions import Notion, get, own_notions
from symprivacy.notions.statement import Span

# Digits of what lies between two implications.
_GUARD = 5


def provide(source: str, target: str, at: Mapping[str, object], digits: int = 30) -> Implication:
    """The best that is known of the level of ``target`` that ``source`` at these parameters guarantees.

    >>> found = provide("DP", "TV", {"eps": 1}, 8)
    >>> found.status.value, found.formula, found.hi, found.evidence.value
    ('tight', 'tanh(eps/2)', '0.46211716', 'checked')
    """
    return _presented(ungraded(source, target, at, digits))


def ungraded(source: str, target: str, at: Mapping[str, object], digits: int) -> Implication:
    """The same without its evidence, for those who ask many times and want the level alone.

    >>> ungraded("DP", "TV", {"eps": 1}, 8).hi
    '0.46211716'
    """
    if not takes_part(source) or not takes_part(target):
        return _by_steps(get(source), get(target), at, digits)
    if lies_between(source) or lies_between(target):
        return between(source, target, at, digits, ungraded)
    found = tabled(*of_finite_order(source, target, at), digits)
    if not found.settled:
        found = _closer(found, digits)
    return replace(found, source=source, target=target)


def _by_steps(source: Notion, target: Notion, at: Mapping[str, object], digits: int) -> Implication:
    """What a derivation says of notions that no table speaks of; why there is none, where there is none."""
    reason = why_not(source, target)
    if reason is not None:
        raise InputError(f"no conversion from {source.key} to {target.key}: {reason}")
    blank = Implication(
        Status.UNKNOWN, source=source.key, target=target.key, given=assigned(source.key, target.key, at), digits=digits,
        note="no derivation speaks of these parameters", conditions=conditions(source.key, target.key),
        reading=understood(source.key, target.key, {}),
    )  # fmt: skip
    for found in _stepwise(blank, digits):
        if found.value is not None:
            # An upper bound says nothing from below.
            return replace(found, status=Status.UPPER_BOUND, value=(fzero, found.value[1], False, False))
    return blank


def _presented(found: Implication) -> Implication:
    """With its evidence, and its formula written shortly where a notion of one's own takes part."""
    graded = replace(found, evidence=evidence(found))
    if found.level is None or not {found.source, found.target} & {n.key for n in own_notions()}:
        return graded
    plain = replace(graded, level=short(found.level))
    exact = exact_level(plain, found.given)
    if exact is None or found.value is None:
        return plain
    low, high = map(to_fraction, found.value[:2])
    return replace(plain, exact=exact) if low <= exact <= high else plain


def _closer(found: Implication, digits: int) -> Implication:
    """The smallest of all known upper bounds, with the largest known lower one."""
    steps, ways = [*_derived(found, digits)], [*_composed(found, digits)]
    for other in (*steps, *ways):
        side = -1 if found.value is None or other.value is None else mpf_cmp(other.value[1], found.value[1])
        tie = other in steps and other.hi == found.hi
        if other.value is not None and (side < 0 or tie):
            # An upper bound says nothing from below.
            low = found.value[0] if found.value is not None else fzero
            value = (low, other.value[1], False, False)
            found = replace(found, level=other.level, shown=other.shown, status=Status.UPPER_BOUND, value=value,
                            principles=other.principles, note=other.note)  # fmt: skip
    if DIAMETER not in found.given:
        lower = pulled(found.source, found.target, found.given, digits)
        if lower is not None and lower.value is not None:
            low, high = lower.value[0], None if found.value is None else found.value[1]
            if found.value is None or mpf_cmp(low, found.value[0]) > 0:
                ends = (low, high, False, False) if high is not None else None
                found = replace(found, witness=lower.witness, value=ends or found.value)
    status, note = judged(found.status, found.note, found.value, digits)
    return replace(found, status=status, note=note)


def _derived(found: Implication, digits: int) -> Iterator[Implication]:
    """The level of a derivation, where the tables do not know better."""
    source = get(found.source)
    # From one mean to another it is a long search, and the tables know the extremal laws.
    if source.divergence is None and not source.every:
        yield from _stepwise(found, digits)


def _stepwise(found: Implication, digits: int) -> Iterator[Implication]:
    """The level of a derivation from the definitions, where it speaks of these parameters and assumes nothing more."""
    source, target = get(found.source), get(found.target)
    if asked_of(found.target, found.given)[0] == "delta2" or DIAMETER in found.given:
        return
    proof = derivation(source, target)
    if proof is None or of_premise(proof):
        return
    asked = [target.asked] if target.asked is not None else []
    start, end = [*source.others, source.answers], [*asked, target.answers]
    # The level of the conclusion is what is asked for: any number stands for it.
    put = fitted(proof, [found.given[n] for n in start], [*(found.given[n] for n in asked), num(0)])
    if put is None or not all(_inside(span, put) for span in proof.derivation.claim.domain):
        return
    renamed = fitted(proof, [var(n) for n in start], [var(n) for n in end])
    assert renamed is not None
    level = Formula(substitute(level_of(proof), renamed))
    try:
        value = settle(lambda prec: level.evaluate(found.given, prec), digits)
    except NoInformation:
        return
    yield replace(found, level=level, shown=None, value=value, principles=proof.principles, note="derived")


def _inside(span: Span, put: Given) -> bool:
    """Whether a parameter is proved to lie where a derivation speaks of it."""
    if span.symbol.name not in put:
        return False
    for end, sign, opened in ((span.lo, 1, span.lo_open), (span.hi, -1, span.hi_open)):
        if end.is_infinite:
            continue
        side = constant_sign(sub(put[span.symbol.name], substitute(from_sympy(end), dict(put))))
        if side is None or side * sign < 0 or (side == 0 and opened):
            return False
    return True


def _direct(source: str, target: str, at: Mapping[str, object], digits: int) -> Implication:
    """What the tables say, or a derivation where they say nothing."""
    found = tabled(source, target, at, digits)
    return next(_derived(found, digits), found) if found.value is None else found


def _composed(found: Implication, digits: int) -> Iterator[Implication]:
    """Two known implications one after the other, by way of a notion that needs nothing but its level."""
    if DIAMETER in found.given:
        return
    asked = asked_of(found.target, found.given)[0]
    own = {name: found.given[name] for name in get(found.source).names}
    for middle in CONVERTIBLE.values():
        if middle.key in (found.source, found.target) or middle.asked is not None or middle.others:
            continue
        try:
            first = _direct(found.source, middle.key, own, digits + _GUARD)
            if first.value is None or not is_finite(first.value[1]):
                continue
            between = {middle.answers: num(above(first.value, digits + _GUARD))}
            extra = {} if asked is None else {asked: found.given[asked]}
            second = _direct(middle.key, found.target, {**between, **extra}, digits)
        except SymPrivacyError:
            continue
        if second.value is None or not is_finite(second.value[1]):
            continue
        level = None
        if first.level is not None and second.level is not None:
            level = second.level.after(middle.answers, first.level)
        principles = tuple(dict.fromkeys((*first.principles, *second.principles)))
        yield replace(second, level=level, shown=None, principles=principles, note=f"through {middle.key}")
