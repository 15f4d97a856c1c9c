"""The decision procedure for an implication between two guarantees on a box.

First numbers: at points of the box the claimed level is held against the best one; where it is too small, a mechanism
that nearly attains the best level refutes the claim. Then proofs: the best level as a formula, explicit or implicit, on
the whole box or on the parts of it where one formula holds; a level that is derived; the way over a station. At last a
hunt for small mechanisms.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from symprivacy.claims.best_level import Best, derived_level
from symprivacy.claims.case import SIDE_STEPS, Case, cut, ends, parameters, tight_at
from symprivacy.claims.covering import covers
from symprivacy.claims.generators import in_proportion
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.hard_mechanisms import chain, hard_cases
from symprivacy.claims.intermediate import enough, needed, stations, stronger, weaker
from symprivacy.claims.outcome import Outcome, told
from symprivacy.claims.points import readable_points, within
from symprivacy.claims.rewriting import LONG, SHORT, Form
from symprivacy.claims.scan import Seen, beyond, scan
from symprivacy.claims.witness import breaks
from symprivacy.errors import SymPrivacyError
from symprivacy.evidence import Evidence
from symprivacy.implications.formula import Formula, expression, put
from symprivacy.implications.parameters import CONVERTIBLE, DIAMETER
from symprivacy.implications.proofs import evidence_of
from symprivacy.implications.symbolic import Undetermined, everywhere
from symprivacy.kernel import expr as x
from symprivacy.kernel.enclose import enclose_constant
from symprivacy.kernel.expr import Expr, substitute
from symprivacy.kernel.interval import to_fraction
from symprivacy.language.text import parse, to_text
from symprivacy.search.verdict import Status, Verdict, decide

# How often a box is cut, one part after the other.
_CUTS = 3
# How many steps between neighbours the chains have that are tried.
_CHAINS = (2, 3, 4, 8, 16, 32)
# Points at which mechanisms are built against a claim that fails there.
_TRIED = 4


@dataclass(frozen=True)
class Shown:
    """A proof of a case: lines, principles, certificates, and the best level if the proof knows it."""

    steps: tuple[str, ...]
    principles: tuple[str, ...] = ()
    certificates: tuple[Mapping[str, Any], ...] = ()
    evidence: Evidence = Evidence.CHECKED
    best: Formula | None = None
    derived: Best | None = None
    #: the proofs for the open range and for its ends, where it is put together from them
    parts: tuple[tuple[Case, Shown], ...] = ()

    def after(self, steps: tuple[str, ...], principles: tuple[str, ...], certificates: tuple[Any, ...]) -> Shown:
        """The same proof after other steps."""
        names = tuple(dict.fromkeys((*principles, *self.principles)))
        return Shown((*steps, *self.steps), names, (*certificates, *self.certificates), self.evidence)


def trivially(case: Case) -> Shown | None:
    """The claimed level is nowhere below the largest there is."""
    largest = case.conclusion.largest
    if largest is None:
        return None
    found = decide(case.conclusion.level, ">=", largest, dict(case.box), steps=SIDE_STEPS)
    if found.status is not Status.PROVED or found.certificate is None:
        return None
    words = f"{case.conclusion.notion.key} is never above `{to_text(largest)}`"
    return Shown((words, told(found)), (), (found.certificate,))


def refuted_at(case: Case, points: list[Seen]) -> Outcome | None:
    """A mechanism against the claim at one of the points where it is below the best level."""
    failing = [seen.point for seen in points if seen.sign < 0]
    for point in failing[:_TRIED]:
        found = against(case, point)
        if found is not None:
            return found
    return None


def against(case: Case, point: Mapping[str, Expr]) -> Outcome | None:
    """A mechanism that breaks the claim at a point, if the extremal ones do."""
    premise, conclusion = case.premise.at(dict(point)), case.conclusion.at(dict(point))
    for mechanism in hard_cases(premise, conclusion, point.get(DIAMETER)):
        found = breaks(mechanism, premise, conclusion, case.options)
        if found is not None:
            shown = {**found, "parameters": {n: to_text(v) for n, v in case.told(point).items()}}
            return Outcome.shown(Status.REFUTED, shown)
    return None


Points = list[dict[str, Expr]]


def far_apart(case: Case) -> Outcome | None:
    """A chain of neighbours so long that its ends break the conclusion, where that says nothing of how long."""
    for point in islice(readable_points(case.box, case.whole), 3):
        premise, conclusion = case.premise.at(point), case.conclusion.at(point)
        for steps in _CHAINS:
            found = breaks(chain(premise, steps), premise, conclusion, case.options)
            if found is not None:
                shown = {**found, "parameters": {name: to_text(v) for name, v in case.told(point).items()}}
                return Outcome.shown(Status.REFUTED, shown, "group-path")
    return None


def proved(case: Case, hints: Points, depth: int = _CUTS, over: bool = True) -> Shown | None:
    """A proof of the case; ``over``: also by way of stations. Points where it seems to fail are added to ``hints``."""
    shown = weaker(case)
    if shown is not None and case.conclusion.notion.key not in CONVERTIBLE:
        return Shown(("the same notion with weaker parameters",), ("identity",), shown)
    # Where there may be a way over a station, the long searches wait.
    found = _by_level(case, hints, depth, (SHORT,) if over else (SHORT, LONG)) or _by_numbers(case)
    if found is None and (shown is not None):
        found = Shown(("the same notion with weaker parameters",), ("identity",), shown)
    if found is None and not hints:
        found = _by_generators(case)
    if found is None and not hints:
        found = by_derivation(case, (SHORT,) if over else (SHORT, LONG))
    if found is not None or not over:
        return found
    found = _by_layers(case) or _by_stations(case) or _by_enough(case) or _at_ends(case, hints, depth)
    if found is None and not hints:
        found = _by_level(case, hints, depth, (LONG,)) or by_derivation(case, (LONG,))
    return found


def _by_level(case: Case, hints: Points, depth: int, rounds: tuple[int, ...]) -> Shown | None:
    """The best level, as a formula that holds on the whole box or on its parts."""
    values = parameters(case.premise, case.conclusion)
    if values is None:
        return None
    source, target = case.premise.notion.key, case.conclusion.notion.key
    known = everywhere(source, target, values, case.box, case.whole)
    if isinstance(known, Undetermined):
        parts = cut(case, known.left, known.right) if depth else None
        return None if parts is None else _all(parts, hints, depth - 1)
    if known is None or known.level is None:
        return None
    found = covers(known.level, case.conclusion.level, case.box, target, rounds=rounds)
    if found is None:
        return None
    form, verdict = found
    if verdict.status is not Status.PROVED:
        hints.extend(case.told(point) for point in _failing(case, form, verdict))
        return None
    assert verdict.certificate is not None
    called, level = case.conclusion.written.key, known.level
    words = f"the best level of {called} that follows from `{case.premise}` is `{level.text}`{level.where}"
    certificates = (*known.certificates, *form.certificates, verdict.certificate)
    evidence = rests(case.premise, case.conclusion)
    return Shown((words, *form.words, told(verdict)), known.principles, certificates, evidence, best=level)


def _by_generators(case: Case) -> Shown | None:
    """One inequality between the functions of the ratio."""
    found = in_proportion(case)
    if found is None:
        return None
    lines, verdicts = found
    certificates = tuple(v.certificate for v in verdicts if v.certificate is not None)
    return Shown(lines, ("convex-duality", "mean-one"), certificates)


def rests(premise: Wanted, conclusion: Wanted) -> Evidence:
    """What the best level of a pair rests on: ``checked`` where a stored theorem shows both directions.

    From a notion nothing better follows than itself, if its further parameters stay the same.
    """
    source, target = premise.notion, conclusion.notion
    if source == target and all(premise.named[name] == conclusion.named[name] for name in source.others):
        return Evidence.CHECKED
    return evidence_of(source.key, target.key)


def _failing(case: Case, form: Form, verdict: Verdict) -> Iterator[dict[str, Expr]]:
    """Where a form is refuted, as points of the case: an implicit variable gives way to a fraction near its value."""
    at = verdict.point
    for limit in (10, 100, 10**4):
        point = {name: value for name, value in at.items() if name in case.box}
        try:
            for name, value in (form.put or {}).items():
                near = to_fraction(enclose_constant(substitute(value, at), 80)[0])
                point[name] = x.num(near.limit_denominator(limit))
        except SymPrivacyError:
            return
        if set(point) == set(case.box) and all(within(case.box[name], value) for name, value in point.items()):
            yield point


def _all(parts: list[Case], hints: Points, depth: int, keep: bool = False) -> Shown | None:
    """Every part of a box; ``keep``: with the parts, so that each can be looked at by itself."""
    found: list[Shown] = []
    for part in parts:
        shown = proved(part, hints, depth, over=False) or _at_ends(part, hints, depth)
        if shown is None:
            return None
        found.append(shown)
    joined = _joined(found)
    return replace(joined, parts=tuple(zip(parts, found, strict=True))) if keep else joined


def _at_ends(case: Case, hints: Points, depth: int) -> Shown | None:
    """Closed ends one by one, and what is between them."""
    parts = ends(case)
    return None if parts is None else _all(parts, hints, depth, keep=True)


def _by_numbers(case: Case) -> Shown | None:
    """Numbers only: the enclosure of the best level, and its proof from the definitions."""
    if case.box:
        return None
    best = tight_at(case.premise, case.conclusion)
    sign = None if best is None else beyond(case.conclusion, best)
    if best is None or sign != 1:
        return None
    words = f"the best level is in `[{best.lo}, {best.hi}]`"
    try:
        certified = best.certify()
        certified.check()
    except SymPrivacyError:
        return Shown((words,), best.principles, (), Evidence.ARGUED)
    if decide(parse(certified.hi), "<=", case.conclusion.level, {}, steps=SIDE_STEPS).status is not Status.PROVED:
        return Shown((words,), best.principles, (), Evidence.ARGUED)
    kept = tuple(c for step in certified.derivation.steps for c in step.certificates)
    return Shown((words, f"certified: at most `{certified.hi}`"), certified.derivation.principles, kept)


def by_derivation(case: Case, rounds: tuple[int, ...] = (SHORT, LONG)) -> Shown | None:
    """A derived level that covers the claimed one."""
    best = derived_level(case.premise, case.conclusion, case.box)
    return None if best is None else _covered(case, best, rounds)


def _covered(case: Case, best: Best, rounds: tuple[int, ...]) -> Shown | None:
    """A derived level covers the claimed one."""
    if best.of_premise:
        level, claimed = case.premise.level, best.level
    else:
        level, claimed = best.level, case.conclusion.level
    found = covers(Formula(level), claimed, case.box, "", rounds=rounds)
    if found is None or found[1].status is not Status.PROVED:
        return None
    form, verdict = found
    assert verdict.certificate is not None
    steps = (*best.steps, *form.words, told(verdict))
    return Shown(steps, best.principles, (*best.certificates, *form.certificates, verdict.certificate), derived=best)


# The integral of exp(-t) times the tail bound exp(-(eps + t - rho)**2/(4*rho)) over t > 0.
_LAYERS = expression("sqrt(pi*rho)*exp(eps)*erfc((eps + rho)/(2*sqrt(rho)))")


def _by_layers(case: Case) -> Shown | None:
    """From the tails of the loss at all thresholds: what all orders give for ADP."""
    if (case.premise.notion.key, case.conclusion.notion.key) != ("ZCDP", "ADP"):
        return None
    rho, eps = case.premise.level, case.conclusion.named["eps"]
    above = decide(eps, ">=", rho, dict(case.box), steps=SIDE_STEPS)
    if above.status is not Status.PROVED or above.certificate is None:
        return None
    level = Formula(put(_LAYERS, rho=rho, eps=eps))
    found = covers(level, case.conclusion.level, case.box, "")
    if found is None or found[1].status is not Status.PROVED or found[1].certificate is None:
        return None
    words = f"the tails of the loss give the level `{level.text}`"
    certificates = (above.certificate, *found[0].certificates, found[1].certificate)
    return Shown((words, *found[0].words, told(found[1])), ("tail", "layers"), certificates, Evidence.ARGUED)


def _by_stations(case: Case) -> Shown | None:
    """By way of a guarantee in between, if that is good enough at the points that are looked at."""
    for station in stations(case):
        second = replace(station.case or case, premise=station.reached)
        if any(seen.sign < 0 for seen in scan(second, 6)):
            continue
        shown = proved(second, [], depth=1, over=False)
        if shown is None:
            continue
        words = f"`{(station.case or case).premise} => {station.reached}`: {station.words}"
        joined = shown.after((words,), station.principles, station.certificates)
        if station.hub:
            first = rests(case.premise, station.reached)
            return replace(joined, evidence=min(first, shown.evidence, key=Evidence.strength))
        return joined
    return None


def _by_enough(case: Case) -> Shown | None:
    for parts, words, principles in enough(case):
        found = [_part_shown(replace(case, conclusion=part)) for part in parts]
        if all(shown is not None for shown in found):
            steps = (f"it is enough that {' and '.join(f'`{part}`' for part in parts)}: {words}",)
            joined = _joined([shown for shown in found if shown is not None])
            return joined.after(steps, principles, ())
    return None


def _part_shown(case: Case) -> Shown | None:
    """A proof of what is enough, by a guarantee in between where there is no other."""
    return proved(case, [], over=False) or _by_stations(case)


def _joined(found: list[Shown]) -> Shown:
    return Shown(
        tuple(line for shown in found for line in shown.steps),
        tuple(dict.fromkeys(name for shown in found for name in shown.principles)),
        tuple(c for shown in found for c in shown.certificates),
        min((shown.evidence for shown in found), key=Evidence.strength),
    )


def broken_parts(case: Case) -> Iterator[tuple[Case, str]]:
    """The claim from more or to less, each as a case of its own: a refutation of one refutes the claim."""
    for wanted, words in needed(case.conclusion):
        yield replace(case, conclusion=wanted), f"it would imply `{wanted}`: {words}"
    for wanted, words in stronger(case.premise):
        yield replace(case, premise=wanted), f"`{wanted}` implies the premise: {words}"
        for part, less in needed(case.conclusion):
            yield replace(case, premise=wanted, conclusion=part), f"`{wanted}` is enough for `{part}`: {words}; {less}"


__all__ = ["Shown", "against", "broken_parts", "far_apart", "proved", "refuted_at", "trivially"]
