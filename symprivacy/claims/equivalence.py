"""Equivalences of conditions on numbers: attacked at random exact points, then proved."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from symprivacy.claims.comparison import Comparison, Condition, condition, natural
from symprivacy.claims.outcome import Outcome, Proposition, point_text, together
from symprivacy.claims.points import random_point, truth
from symprivacy.evidence import Evidence
from symprivacy.implications.formula import Part
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range
from symprivacy.kernel.expr import Expr
from symprivacy.language.domain import box_from_texts
from symprivacy.language.notation import written
from symprivacy.language.text import to_text
from symprivacy.search.verdict import Status

POINTS = 60


@dataclass(frozen=True)
class Equivalent:
    """All conditions of ``left`` hold exactly where all of ``right`` do, on a box.

    Two single conditions are equivalent if one difference is a positive multiple of the other: the factor is computed
    and the checker proves the identity and the sign. Anything else needs ``lemmas`` that suffice for it.
    """

    left: tuple[Condition, ...]
    right: tuple[Condition, ...]
    box: Mapping[str, Range]
    lemmas: tuple[Proposition, ...] = field(default=(), compare=False)
    words: tuple[str, ...] = ()

    @property
    def reading(self) -> str:
        """The ranges of the variables."""
        return f"real numbers: {', '.join(f'`{name} in {r}`' for name, r in self.box.items())}"

    def decide(self) -> Outcome:
        """A point where only one side holds refutes it."""
        rng = random.Random(1763)
        for _ in range(POINTS):
            point = random_point(rng, self.box)
            if point is None:
                continue
            sides = [_all(truth(*c, point) for c in side) for side in (self.left, self.right)]
            if None not in sides and sides[0] != sides[1]:
                at = {name: to_text(value) for name, value in point.items()}
                which = "the first holds and the second fails" if sides[0] else "the second holds and the first fails"
                says = f"at {point_text(at)} {which}"
                shown = {"point": at, "statement": f"`{self}`", "says": says}
                return Outcome(Status.REFUTED, says, shown, evidence=Evidence.CHECKED)
        if self.lemmas:
            found = together([lemma.decide() for lemma in self.lemmas])
            words = " ".join(map(written, self.words))
            steps = (words, *found.steps)
            if found.proved:
                return replace(found, reason=words or found.reason, better=None, tight=False, steps=steps)
            return Outcome(Status.UNDECIDED, f"a step fails: {found.reason}", steps=steps)
        if len(self.left) == len(self.right) == 1:
            return self._multiple(_difference(self.left[0]), _difference(self.right[0]))
        return Outcome(Status.UNDECIDED, "no proof was given")

    def _multiple(self, left: Expr, right: Expr) -> Outcome:
        from sympy import cancel, simplify

        from symprivacy.language.bridge import from_sympy, to_sympy

        ratio = to_sympy(left) / to_sympy(right)
        factor = from_sympy(min((cancel(ratio), simplify(ratio)), key=lambda e: e.count_ops()))
        same = Comparison(left, "==", x.mul(factor, right), self.box).decide()
        sign = Comparison(factor, ">", x.num(0), self.box).decide()
        found = together([same, sign])
        if not found.proved or _kind(self.left[0]) != _kind(self.right[0]):
            # Not being a positive multiple does not show that the conditions differ.
            return Outcome(Status.UNDECIDED, f"no positive factor: {found.reason}", steps=found.steps)
        words = "each condition says the sign of a difference, and one of these is a positive multiple of the other"
        return replace(found, reason=words, better=None).because(words)

    def __str__(self) -> str:
        left, right = (
            " and ".join(f"{to_text(a)} {rel} {to_text(b)}" for a, rel, b in s) for s in (self.left, self.right)
        )
        return f"({left}) <=> ({right})"


def _all(values: Iterable[bool | None]) -> bool | None:
    """Conjunction in three values."""
    found = list(values)
    return False if False in found else None if None in found else True


def _kind(condition: Condition) -> str:
    """Which signs of the difference a condition allows: strict, not strict, or zero alone."""
    return {"<": "strict", ">": "strict", "==": "zero"}.get(condition[1], "not strict")


def _difference(condition: Condition) -> Expr:
    a, rel, b = condition
    return x.sub(b, a) if rel in ("<", "<=") else x.sub(a, b)


def equivalent(
    left: str | tuple[str, ...],
    right: str,
    /,
    *domain: str,
    lemmas: tuple[Proposition, ...] = (),
    words: tuple[str, ...] = (),
    **parts: Part,
) -> Equivalent:
    """An equivalence of one condition with one or several together, from text and its parts.

    >>> equivalent("a/b <= c", "a <= b*c", "a in (0, 9)", "b in (0, 9)", "c in (0, 9)").decide().status
    <Status.PROVED: 'proved'>
    >>> equivalent("a <= 1", "a <= 2", "a in (0, 9)").decide().status
    <Status.REFUTED: 'refuted'>
    """
    one = tuple(condition(text, **parts) for text in ((left,) if isinstance(left, str) else left))
    other = condition(right, **parts)
    names = frozenset[str]().union(*(side.variables for c in (*one, other) for side in (c[0], c[2])))
    return Equivalent(one, (other,), natural(names, box_from_texts(list(domain))), lemmas, words)
