"""Comparisons: inequalities and identities on a box, and whether they hold on more than was said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from symprivacy.claims.outcome import EQUAL, Outcome, together, told
from symprivacy.claims.rewriting import rewritten
from symprivacy.errors import InputError, SymPrivacyError
from symprivacy.implications.formula import Part, expression
from symprivacy.implications.formula import put as put
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range
from symprivacy.kernel.expr import Expr
from symprivacy.language.domain import box_from_texts
from symprivacy.language.text import to_text
from symprivacy.search.api import compare
from symprivacy.search.inputs import in_words
from symprivacy.search.verdict import Status, decide

RELATIONS = ("<=", ">=", "==", "<", ">")
Condition = tuple[Expr, str, Expr]
# What a name ranges over when a statement does not say: the parameters of the notions.
NATURAL = box_from_texts([
    "eps > 0", "eps1 > 0", "eps2 > 0", "xi > 0", "alpha > 1", "rho > 0", "mu > 0", "tau > 0", "s > 0", "0 < delta < 1",
    "0 < p < 1", "0 < q < 1", "0 < b < 1", "0 < eta < 1", "gamma > 1", "A > 0", "n >= 1", "m >= 2", "D >= 1",
])  # fmt: skip


def split(text: str) -> tuple[list[str], list[str]]:
    """Sides and relations of a chain of comparisons, at the outermost level of brackets.

    >>> split("0 < f(a <= b) <= 1")
    (['0', 'f(a <= b)', '1'], ['<', '<='])
    """
    sides, relations, depth, start, k = [], [], 0, 0, 0
    while k < len(text):
        depth += (text[k] in "([") - (text[k] in ")]")
        found = next((r for r in RELATIONS if text.startswith(r, k)), None) if depth == 0 else None
        if found:
            sides.append(text[start:k].strip())
            relations.append(found)
            start = k = k + len(found)
        else:
            k += 1
    sides.append(text[start:].strip())
    return sides, relations


def conditions(text: str, /, **parts: Part) -> tuple[Condition, ...]:
    """The comparisons of a chain such as ``a <= b < c``, one after the other.

    How a proposition is written: the text is a literal, read once; a name in it is a variable, unless a part is given
    under that name, for which it then stands. All parts are put for their names at once, as expressions: nothing is
    pasted into a text, so that none needs brackets. Parts are literals themselves, numbers, or expressions that
    ``put`` and ``posterior`` made of such. What a reader sees is printed from expressions, or a literal as it stands.

    >>> conditions("0 < high/low <= exp(level)", high="1 + a", low="b", level="2*eps")[1]
    (Expr('(a + 1)/b'), '<=', Expr('exp(2*eps)'))
    """
    sides, relations = split(text)
    if not relations:
        raise InputError(f"no comparison in {text[:80]!r}; expected such as 'exp(x) >= 1 + x'")
    found = pairwise(put(side, **parts) for side in sides)
    return tuple((a, rel, b) for (a, b), rel in zip(found, relations, strict=True))


def condition(text: str, /, **parts: Part) -> Condition:
    """The same, of one comparison."""
    first, *more = conditions(text, **parts)
    if more:
        raise InputError(f"one comparison expected, got {text[:80]!r}")
    return first


def natural(names: frozenset[str] | set[str], given: Mapping[str, Range]) -> dict[str, Range]:
    """The given ranges, and the natural one of every other name."""
    missing = sorted(names - set(given))
    unknown = [name for name in missing if name not in NATURAL]
    if unknown:
        raise InputError(f"no range for {', '.join(unknown)}; add such as 'for {unknown[0]} in (0, 1)'")
    return {**given, **{name: NATURAL[name] for name in missing}}


@dataclass(frozen=True)
class Comparison:
    """``lhs REL rhs`` everywhere on a box; ``==`` is an identity.

    >>> print(comparison("exp(eps) > 1 + eps", "eps in (0, 1]").decide().better)
    for `eps in (0, oo)`
    """

    lhs: Expr
    rel: str
    rhs: Expr
    box: Mapping[str, Range] = field(default_factory=dict)

    @property
    def reading(self) -> str:
        """The ranges of the variables.

        >>> comparison("exp(eps) > 1 + eps", "eps in (0, 1]").reading
        'real numbers: `eps in (0, 1]`'
        """
        ranges = ", ".join(f"`{name} in {r}`" for name, r in self.box.items())
        return f"real numbers: {ranges}" if ranges else "numbers, no variables"

    def decide(self) -> Outcome:
        """Prove or refute it; an inequality in one variable is followed to where it ends."""
        if self.rel == "==":
            halves = [decide(self.lhs, rel, self.rhs, dict(self.box)) for rel in ("<=", ">=")]
            both = together([Outcome.of(half) for half in halves])
            if both.proved:
                return replace(both, reason=EQUAL, steps=(told(halves[0], "="),))
            return both
        found = self._one(self.rel)
        return replace(found, better=self._further()) if found.proved else found

    def _one(self, rel: str) -> Outcome:
        found = decide(self.lhs, rel, self.rhs, dict(self.box))
        if found.status is Status.UNDECIDED and rel != "==":
            other = rewritten(self.lhs, rel, self.rhs, self.box)
            if other is not None:
                form, verdict = other
                shown = Outcome.of(verdict).because(*form.words)
                return replace(shown, certificates=(*form.certificates, *shown.certificates))
        return Outcome.of(found)

    def _further(self) -> str | None:
        """A certified larger range of the one variable, as text."""
        names = sorted(self.lhs.variables | self.rhs.variables)
        if len(names) != 1 or names[0] not in NATURAL or set(self.box) != set(names):
            return None
        (name,) = names
        full = natural({name}, {})[name]
        own = self.box[name]
        if (own.lo, own.hi) == (full.lo, full.hi):
            return None
        try:
            pieces = compare(self.lhs, self.rhs, {name: full}, timeout=None).pieces
        except SymPrivacyError:
            return None
        # The signs of a chart are <, = and >; a relation such as <= contains those under which it holds.
        runs: list[list[Range]] = [[]]
        for piece in pieces:
            if piece.sign in self.rel:
                runs[-1].append(piece.range)
            else:
                runs.append([])
        # Both sides may meet at single points, which are no pieces: what several pieces promise is proved as a whole.
        for run in [*runs, *([piece] for several in runs if len(several) > 1 for piece in several)]:
            larger = _larger(run, own) if run else None
            if larger is not None and replace(self, box={name: larger})._one(self.rel).proved:
                return f"for `{name} in {larger}`"
        return None

    def __str__(self) -> str:
        return in_words(self.lhs, self.rel, self.rhs, dict(self.box))


def _larger(run: list[Range], own: Range) -> Range | None:
    """A run of neighbouring pieces as one range, if it is larger than the own one."""
    found = Range(run[0].lo, run[-1].hi, run[0].lo_open, run[-1].hi_open)
    return found if _inside(own, found) and not _inside(found, own) else None


def _inside(inner: Range, outer: Range) -> bool:
    return not _beyond(inner.lo, outer.lo, inner.lo_open, outer.lo_open, -1) and not _beyond(
        inner.hi, outer.hi, inner.hi_open, outer.hi_open, 1
    )


def _beyond(a: Expr | None, b: Expr | None, a_open: bool, b_open: bool, side: int) -> bool:
    """Whether end ``a`` lies outside end ``b`` on the given side (1: above, -1: below)."""
    from symprivacy.kernel.enclose import constant_sign

    if b is None:
        return False
    if a is None:
        return True
    sign = constant_sign(x.sub(a, b))
    if sign is None:
        return True
    return sign * side > 0 or (sign == 0 and b_open and not a_open)


@dataclass(frozen=True)
class Chain:
    """Comparisons one after the other, as in ``a <= b < c``."""

    links: tuple[Comparison, ...]

    @property
    def reading(self) -> str:
        """The ranges of the variables."""
        return "; ".join(dict.fromkeys(link.reading for link in self.links))

    def decide(self) -> Outcome:
        """All of them."""
        return replace(together([link.decide() for link in self.links]), better=None)

    def __str__(self) -> str:
        ranges = {name: r for link in self.links for name, r in link.box.items()}
        body = to_text(self.links[0].lhs) + "".join(f" {link.rel} {to_text(link.rhs)}" for link in self.links)
        return body + (" for " + ", ".join(f"{name} in {r}" for name, r in ranges.items()) if ranges else "")


def comparison(text: str, /, *domain: str, **parts: Part) -> Comparison | Chain:
    """A comparison or a chain of them from text, with its parts (:func:`conditions`).

    >>> comparison("0 < eps <= growth", "eps in (0, 1]", growth="exp(eps)").decide().status
    <Status.PROVED: 'proved'>
    """
    return compared(conditions(text, **parts), box_from_texts(list(domain)))


def compared(found: Sequence[Condition], given: Mapping[str, Range]) -> Comparison | Chain:
    """Conditions on a box, with the natural ranges of the names that it does not have."""
    links = []
    for a, rel, b in found:
        names = a.variables | b.variables
        own = given if len(found) == 1 else {name: r for name, r in given.items() if name in names}
        links.append(Comparison(a, rel, b, natural(names, own)))
    return links[0] if len(links) == 1 else Chain(tuple(links))


def posterior(prior: Sequence[Part], likelihood: Sequence[Part], k: int = 0) -> Expr:
    """The belief in the k-th of finitely many secrets after an output with these likelihoods, by Bayes' rule.

    >>> posterior(("p", "1-p"), ("u", "v"))
    Expr('p*u/(p*u + (1 - p)*v)')
    """
    weights = [x.mul(expression(p), expression(likely)) for p, likely in zip(prior, likelihood, strict=True)]
    return x.div(weights[k], x.add(*weights))
