"""Errors put into true claims are never reported as holding.

Numeric constants and directions of statements and lemmas are altered one at a time. Whether the altered statement is
false is found out independently of the prover: by its exact sign at random points.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest

from symprivacy.claims import Claim, decide, get_claim, ledger
from symprivacy.claims.argument import Argument, Attacked
from symprivacy.claims.best_level import best_levels
from symprivacy.claims.comparison import Chain, Comparison
from symprivacy.claims.equivalence import Equivalent
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.implication import Implication
from symprivacy.claims.language import proposition
from symprivacy.claims.outcome import All, Lemmas
from symprivacy.claims.points import random_point, truth
from symprivacy.errors import SymPrivacyError
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr

GOOD = {"tight", "holds", "improvable", "vacuous"}
FLIPPED = {"<": ">", "<=": ">", ">": "<", ">=": "<", "==": "<"}


def altered_constants(e: Expr) -> Iterator[Expr]:
    """The expression with one number changed, for each of its numbers."""
    for number in {n for n in x.subexpressions(e) if n.op == "num"}:
        value = x.rational(number)
        for new in (value * Fraction(7, 4) + Fraction(1, 3), value * Fraction(1, 3) - Fraction(1, 5)):
            try:
                yield x.replace(e, number, x.num(new))
            except (SymPrivacyError, ArithmeticError):
                continue


def is_false(c: Comparison) -> bool:
    rng = random.Random(5)
    for _ in range(60):
        point = random_point(rng, c.box)
        if point is not None and truth(c.lhs, c.rel, c.rhs, point) is False:
            return True
    return False


def differs(e: Equivalent) -> bool:
    """Whether the two sides of an equivalence disagree at a random point."""
    rng = random.Random(7)
    for _ in range(80):
        point = random_point(rng, e.box)
        if point is not None:
            sides = [[truth(*condition, point) for condition in side] for side in (e.left, e.right)]
            if None not in [*sides[0], *sides[1]] and all(sides[0]) != all(sides[1]):
                return True
    return False


def errors(what: Any, limit: int) -> Iterator[Any]:
    """Versions of a proposition that are false (or rest on something false), one alteration each."""
    if isinstance(what, Comparison):
        made: list[Comparison] = [dataclasses.replace(what, rel=FLIPPED[what.rel])]
        made += [dataclasses.replace(what, lhs=e) for e in altered_constants(what.lhs)]
        made += [dataclasses.replace(what, rhs=e) for e in altered_constants(what.rhs)]
        yield from [c for c in made if is_false(c)][:limit]
    elif isinstance(what, Implication) and what.conclusion.notion.target is not None:
        for level in [x.mul(x.num(Fraction(1, 10)), what.conclusion.level), *altered_constants(what.conclusion.level)]:
            values = what.conclusion.named | {what.conclusion.judged: level}
            changed = dataclasses.replace(what, conclusion=Wanted(what.conclusion.notion, tuple(values.values())))
            if any(is_false(Comparison(b.level, "<=", level, what.box)) for b in tight_levels(changed)):
                yield changed
    elif isinstance(what, Equivalent) and not what.lemmas:
        (a, rel, b), *rest = what.right
        changed = [(a, FLIPPED[rel], b), *((a, rel, e) for e in altered_constants(b))]
        made = [dataclasses.replace(what, right=(condition, *rest)) for condition in changed]
        yield from [e for e in made if differs(e)][:limit]
    elif isinstance(what, Attacked):
        for bad in errors(what.part, limit):
            yield dataclasses.replace(what, part=bad)
    elif isinstance(what, All | Lemmas | Chain | Argument | Equivalent):
        names = {All: "parts", Lemmas: "parts", Chain: "links", Argument: "lemmas", Equivalent: "lemmas"}
        name = names[type(what)]
        parts = getattr(what, name)
        for k, part in enumerate(parts):
            for bad in errors(part, 1):
                yield dataclasses.replace(what, **{name: (*parts[:k], bad, *parts[k + 1 :])})


def tight_levels(i: Implication) -> list[Any]:
    try:
        return list(best_levels(i.premise, i.conclusion, i.box))
    except SymPrivacyError:
        return []


def alterable() -> list[Claim]:
    """Claims with something to alter, spread over the papers, the cheap ones of them."""
    chosen = []
    for claim in ledger():
        try:
            what = claim.proof or proposition(claim.statement)
        except SymPrivacyError:
            continue
        inner = what.part if isinstance(what, Attacked) else what
        kinds = Comparison | Implication | All | Lemmas | Chain | Argument | Equivalent
        if isinstance(inner, kinds) and not _empty(inner):
            chosen.append(claim)
    random.Random(3).shuffle(chosen)
    return chosen[:52]


def _empty(what: Any) -> bool:
    return isinstance(what, Argument) and not what.lemmas


@pytest.mark.parametrize("name", [claim.id for claim in alterable()])
def test_altered_claims_never_hold(name: str) -> None:
    claim = get_claim(name)
    what = claim.proof or proposition(claim.statement)
    made = list(islice(errors(what, 2), 2))
    if not made:
        pytest.skip("its lemmas are examples, or identities without constants")
    for bad in made:
        changed = dataclasses.replace(claim, proof=bad, corrected=None, better=None, sharp=None, trivial=None)
        assert decide(changed).verdict.value not in GOOD, str(bad)


def test_there_are_enough_claims_to_alter() -> None:
    assert len(alterable()) >= 50
