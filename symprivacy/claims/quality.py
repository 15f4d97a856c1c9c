"""How good an implication is that holds: whether something better holds, or nothing does."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import islice

from symprivacy.claims.best_level import Best, derived_level, weakest_premise
from symprivacy.claims.case import Case, certain, ends
from symprivacy.claims.covering import covers
from symprivacy.claims.hard_mechanisms import hard_cases
from symprivacy.claims.outcome import Better, Outcome, point_text
from symprivacy.claims.pairs import spreads
from symprivacy.claims.points import readable_points
from symprivacy.claims.procedure import Shown, by_derivation, proved
from symprivacy.claims.scan import Seen
from symprivacy.claims.witness import breaks
from symprivacy.evidence import Evidence
from symprivacy.implications.formula import Formula
from symprivacy.implications.parameters import DIAMETER
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range
from symprivacy.kernel.enclose import constant_sign
from symprivacy.kernel.expr import Expr
from symprivacy.language.text import to_text
from symprivacy.mechanisms import Mechanism
from symprivacy.search.verdict import Status, decide

# Next to a level, below it.
_LESS = x.num(Fraction(999, 1000))


def how_good(case: Case, shown: Shown, points: list[Seen], found: Outcome) -> Outcome:
    """The outcome with what is better, or with the remark that nothing is."""
    if shown.evidence is Evidence.ARGUED and shown.best is not None and not shown.best.roots:
        found = _checked(case, found)
    room = next((seen for seen in points if seen.sign > 0), None)
    if room is not None:
        at = point_text({name: to_text(value) for name, value in case.told(room.point).items()})
        line = f"strictly better{' at ' + at if at else ''}: `{room.best.hi} < {to_text(_level(case, room))}`"
        return replace(found, better=_better(case, shown, room), steps=(*found.steps, line))
    if shown.parts:
        parts = [how_good(part, own, [], found) for part, own in shown.parts]
        # Strictly better somewhere inside the range is better; nothing better anywhere needs every part.
        inside = parts[0]
        if inside.better is not None or all(part.tight for part in parts):
            return replace(inside, evidence=min((part.evidence for part in parts), key=Evidence.strength))
        return found
    level = _best_level(shown)
    if level is None:
        return found
    below = covers(*_sides(case, shown, level), case.box, case.conclusion.notion.key, ">=")
    if below is None:
        return found
    if below[1].status is Status.REFUTED and shown.derived is not None:
        at = point_text(below[1].witness_text or {})
        line = f"strictly better{' at ' + at if at else ''}: `{level.text}`"
        return replace(found, better=_improved(case, shown), steps=(*found.steps, line))
    if below[1].status is Status.PROVED:
        settled = shown.best is not None and shown.evidence is Evidence.CHECKED
        reached = settled or _attained(case, shown)
        if reached or shown.best is not None:
            line = "the level is attained: nothing better holds"
            evidence = found.evidence if reached else Evidence.ARGUED
            return replace(found, tight=True, steps=(*found.steps, line), evidence=evidence)
    return found


def _checked(case: Case, found: Outcome) -> Outcome:
    """The same outcome resting on a derivation, where one covers the claimed level."""
    shown = by_derivation(case)
    if shown is None:
        return found
    return replace(
        found,
        evidence=Evidence.CHECKED,
        steps=(*found.steps, *shown.steps),
        principles=tuple(dict.fromkeys((*found.principles, *shown.principles))),
        certificates=(*found.certificates, *shown.certificates),
    )


def _level(case: Case, seen: Seen) -> Expr:
    return case.conclusion.at(dict(seen.point)).level


def _best_level(shown: Shown) -> Formula | None:
    if shown.best is not None:
        return shown.best
    return None if shown.derived is None else Formula(shown.derived.level)


def _sides(case: Case, shown: Shown, level: Formula) -> tuple[Formula, Expr]:
    if shown.derived is not None and shown.derived.of_premise:
        return Formula(case.premise.level), shown.derived.level
    return level, case.conclusion.level


def _better(case: Case, shown: Shown, seen: Seen) -> Better | str:
    """The better implication where what was shown has a formula that is better, else the best level in words."""
    if shown.best is not None or (shown.derived is not None and _below_claimed(case, shown.derived, seen)):
        return _improved(case, shown)
    general = shown
    while general.parts:
        general = general.parts[0][1]
    level = _best_level(general)
    if shown.parts and level is not None and not level.roots and general.best is not None:
        better = replace(case, conclusion=case.conclusion.at_level(level.expr()))
        if _at_every_end(better):
            return Better(better.premise, better.conclusion)
    # Another formula may give the best level elsewhere.
    place = ", ".join(f"`{name} = {to_text(value)}`" for name, value in seen.point.items())
    where = f", which is at most {seen.best.hi}" + (f" at {place}" if place else "")
    return f"`{case.premise}` => {case.conclusion.notion.key} at the best level{where}"


def _below_claimed(case: Case, derived: Best, seen: Seen) -> bool:
    """Whether what was derived, which may be the claim itself, is better than it where the best level is."""
    sides = (derived.level, case.premise.level) if derived.of_premise else (case.conclusion.level, derived.level)
    return constant_sign(x.substitute(x.sub(*sides), dict(seen.point))) == 1


def _at_every_end(case: Case) -> bool:
    """Whether what is known to hold on the open range holds at the ends as well."""
    parts = ends(case)
    return parts is None or (_at_every_end(parts[0]) and all(proved(part, [], over=False) for part in parts[1:]))


def _improved(case: Case, shown: Shown) -> Better:
    """The better implication: a weaker premise if the conclusion is a plain variable, else a smaller level."""
    if shown.derived is not None and shown.derived.of_premise:
        return Better(case.premise.at_level(shown.derived.level), case.conclusion)
    level = _best_level(shown)
    assert level is not None
    apart = spreads(case.premise.notion, case.conclusion.notion)
    enough = None if apart else weakest_premise(case.premise, case.conclusion)
    if enough is not None:
        weaker = decide(case.premise.level, "<=", enough.level, dict(case.box))
        if weaker.status is Status.PROVED:
            return Better(enough, case.conclusion)
    return Better(case.premise, case.conclusion.at_level(level.expr()), where=level.where)


def _attained(case: Case, shown: Shown) -> bool:
    """Whether a mechanism breaks every smaller level, at three points of the box.

    Of a level that is only derived this says nothing of the other points, unless the derivation names the mechanisms
    that attain it or the way back shows it.
    """
    named = shown.best is not None or (shown.derived is not None and shown.derived.named)
    if case.box and not named and not _way_back(case):
        return False
    names = case.whole | {DIAMETER}
    points = list(islice(readable_points(case.box, names), 3)) if case.box else [{}]
    return bool(points) and all(_attained_at(case, shown, point) for point in points)


def _way_back(case: Case) -> bool:
    """Whether every smaller level of the conclusion implies a smaller one of the premise than some mechanisms have."""
    share = case.fresh()
    less = case.conclusion.at_level(x.mul(x.var(share), case.conclusion.level))
    box = {**case.box, share: Range(x.ZERO, x.ONE, True, True)}
    found = derived_level(less, case.premise, box)
    return found is not None and not found.of_premise and certain(found.level, "<", case.premise.level, box) is not None


def _attained_at(case: Case, shown: Shown, point: dict[str, Expr]) -> bool:
    premise, conclusion = case.premise.at(point), case.conclusion.at(point)
    if not conclusion.level.variables and constant_sign(conclusion.level) == 0:
        # No level is below 0.
        return True
    less = conclusion.at_level(x.mul(_LESS, conclusion.level))
    candidates: list[Mechanism | None] = []
    if shown.derived is not None:
        candidates.append(shown.derived.mechanism(point))
    candidates.extend(hard_cases(premise, conclusion, point.get(DIAMETER)))
    return any(breaks(mechanism, premise, less, case.options) is not None for mechanism in candidates)
