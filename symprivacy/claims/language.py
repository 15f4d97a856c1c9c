"""Statements as text: comparisons and implications, with the ranges of their variables.

1/2 - 1/(exp(eps)+1) > eps/6 for eps <= 1.35
(eps, delta)-DP => (0, delta + exp(eps) - 1)-DP
DP(eps) <=> MP(eps) for 0 < eps <= 2
compose(DP(eps), k) => DP(k*eps) for k >= 1 integer
laplace(b) satisfies DP(1/b)

The grammar of everything but comparisons is in :mod:`symprivacy.claims.grammar`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from symprivacy.claims.case import SIDE_STEPS
from symprivacy.claims.comparison import NATURAL, Chain, Comparison, compared, conditions, natural
from symprivacy.claims.grammar import Sentence, sentence
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.implication import Implication
from symprivacy.claims.implied import Implied
from symprivacy.claims.negation import NotFollows
from symprivacy.claims.noise import Noise
from symprivacy.claims.outcome import All
from symprivacy.claims.priors import SamePrior, decided_as, require_alone
from symprivacy.claims.ranges import Ranges, read_ranges
from symprivacy.claims.satisfies import Satisfies
from symprivacy.claims.statement import Follows
from symprivacy.claims.terms import (
    COUNT,
    RATE,
    Forward,
    Sample,
    Term,
    all_counts,
    leaves,
    operations,
    places,
    variables,
    whole,
)
from symprivacy.claims.whole_numbers import Within
from symprivacy.errors import InputError
from symprivacy.implications.formula import Part, expression
from symprivacy.kernel.box import Range, compare
from symprivacy.kernel.expr import ZERO, Expr, substitute, var
from symprivacy.language.notation import plain
from symprivacy.language.text import to_text
from symprivacy.notions import own_notions
from symprivacy.notions.readings import ONE
from symprivacy.search.verdict import Status, decide

Statement = Comparison | Chain | Within | Implication | Follows | SamePrior | NotFollows | Satisfies | All
_LONGEST = 4000
_FOR = re.compile(r"\s+for\s+(?:all\s+|every\s+)?")
_ARROWS = str.maketrans({"⇒": "=>", "⇔": "<=>", "⇏": "=/=>", "⟹": "=>", "⟺": "<=>", "∧": " and "})


@dataclass(frozen=True)
class Both(All):
    """An implication and its converse."""

    def __str__(self) -> str:
        return str(self.parts[0]).replace(" => ", " <=> ", 1)


def proposition(text: str, /, *domain: str, **parts: Part) -> Statement:
    """Read a statement; parts stand for their names in it, as in comparisons.

    >>> print(proposition("(eps, delta)-DP => (0, delta + exp(eps) - 1)-DP"))
    ADP(eps, delta) => ADP(0, delta + exp(eps) - 1) for delta in (0, 1), eps in (0, oo)
    >>> proposition("eps/6 < eps for 0 < eps <= 1").decide().status
    <Status.PROVED: 'proved'>
    >>> print(proposition("compose(DP(eps), k) => DP(k*eps)"))
    compose(DP(eps), k) => DP(k*eps) for eps in (0, oo), k in [1, oo) integer
    >>> print(proposition("DP(eps) => TV(level)", level="tanh(eps/2)"))
    DP(eps) => TV(tanh(eps/2)) for eps in (0, oo)
    """
    if not isinstance(text, str) or not text.strip():
        raise InputError(f"expected a statement such as 'DP(eps) => KL(eps)', got {text!r:.80}")
    if len(text) > _LONGEST:
        raise InputError(f"a statement of {len(text)} characters; at most {_LONGEST} are read")
    body, *ranges = _FOR.split(plain(text).strip().translate(_ARROWS))
    if len(ranges) > 1:
        raise InputError("'for' may occur once in a statement")
    clause = ranges[0] if ranges else ""
    read = sentence(body)
    if read is None:
        return _compared(body, clause, domain, parts)
    return _said(read.put({name: expression(part) for name, part in parts.items()}), clause, domain)


def _compared(body: str, clause: str, domain: tuple[str, ...], parts: Mapping[str, Part]) -> Statement:
    given = read_ranges(clause, frozenset(), {}, extra=domain)
    if any(s.variables for s in given.spans.values()) or given.whole:
        return Within(body, given, parts)
    return compared(conditions(body, **parts), given.box)


def _said(read: Sentence, clause: str, domain: tuple[str, ...]) -> Statement:
    left = () if isinstance(read.left, Noise) else read.left
    right = () if isinstance(read.right, str) else read.right
    for term in right:
        _require_plain(term, read.sign)
    counted = _counts(read, left, right)
    drawn = {str(e.value): of for e, of in _drawn(left) if e.op == "var"}
    ranges = read_ranges(clause, _names(read), _placed(read, left, right), counted, domain, drawn)
    _require_inside(read, (*left, *right), ranges)
    _require_some((*left, *right), ranges)
    if isinstance(read.left, Noise):
        return Satisfies(read.left, _decided_as(right, True), ranges)
    if isinstance(read.right, str):
        return NotFollows(left, read.right, ranges)
    forth = _implied(left, right, ranges)
    if read.sign == "=>":
        return forth
    for term in left:
        _require_plain(term, read.sign)
    return Both((forth, _implied(right, left, ranges)))


def _implied(left: tuple[Term, ...], right: tuple[Term, ...], ranges: Ranges) -> Implication | Follows | SamePrior:
    """A plain implication where both sides are one guarantee and every range has numbers as ends."""
    simple = all(not s.variables for s in ranges.spans.values())
    before, after = _decided_as(left, False), _decided_as(right, True)
    if simple and len(left) == len(right) == 1 and isinstance(left[0], Wanted) and isinstance(right[0], Wanted):
        if left[0].notion.reading == right[0].notion.reading == ONE:
            return SamePrior(left[0], right[0], ranges.box, ranges.whole)
        return Implied(before[0], after[0], ranges.box, whole=ranges.whole)  # type: ignore[arg-type]
    require_alone(left)
    return Follows(before, after, ranges)


def _decided_as(terms: tuple[Term, ...], conclusion: bool) -> tuple[Term, ...]:
    return tuple(decided_as(term, conclusion) if isinstance(term, Wanted) else term for term in terms)


def _require_plain(term: Term, sign: str) -> None:
    """Operations make new mechanisms out of those of the premise; a conclusion speaks of the result."""
    if isinstance(term, Wanted) or (isinstance(term, Forward) and isinstance(term.term, Wanted)):
        return
    if sign == "<=>":
        raise InputError(f"{term}: operations stand on the left of =>; write '{term} => ...' instead of <=>")
    raise InputError(f"{term}: a guarantee such as DP(eps) or forward(KL(k)) is expected on the right of {sign}")


def _require_inside(read: Sentence, terms: tuple[Term, ...], ranges: Ranges) -> None:
    """Counts, rates, orders and noise are never outside what they may be, whatever the variables are."""
    every = [(e, replace(r, lo_open=False) if r is RATE else r) for t in terms for e, r in all_counts(t)]
    if isinstance(read.left, Noise):
        every += zip(read.left.values, read.left.family.parameters.values(), strict=True)
    stated = read.right if isinstance(read.right, tuple) and not isinstance(read.left, Noise) else ()
    for term in terms:
        # How far a bound on a tail reaches may be claimed in closed form, which may be negative somewhere.
        loose = any(term is claimed for claimed in stated)
        own = [pair for leaf in leaves(term) for pair in leaf.limits]
        every += [(e, r) for e, r in own if not (loose and e.op != "var" and r.lo == ZERO)]
    for few, many in _drawn(terms):
        sides = (substitute(e, ranges.dependent) for e in (few, many))
        if decide(next(sides), "<=", next(sides), ranges.box, steps=SIDE_STEPS).status is Status.REFUTED:
            raise InputError(
                f"{to_text(few)} of {to_text(many)} records cannot be drawn everywhere; bound {to_text(few)}"
            )
    for e, r in every:
        value = substitute(e, ranges.dependent)
        if not e.variables or (e.op == "var" and str(e.value) in ranges.whole and r == COUNT and _positive(ranges, e)):
            continue
        for end, rel in ((r.lo, ">" if r.lo_open else ">="), (r.hi, "<" if r.hi_open else "<=")):
            found = None if end is None else decide(value, rel, end, ranges.box, steps=SIDE_STEPS)
            if found is not None and found.status is Status.REFUTED:
                at = ", ".join(f"{n} = {text}" for n, text in (found.witness_text or {}).items() if n in e.variables)
                names = ", ".join(sorted(e.variables))
                hint = f"write such as 'for {names} in {r}'" if e.op == "var" else f"bound {names} so that it is"
                raise InputError(f"{to_text(e)} has to be in {r} and is not at {at}; {hint}")


def _drawn(terms: tuple[Term, ...]) -> list[tuple[Expr, Expr]]:
    """How many records samples without replacement have, and of how many."""
    every = [o for term in terms for o in operations(term) if isinstance(o, Sample)]
    return [(o.rate, o.total) for o in every if o.total is not None]


def _positive(ranges: Ranges, name: Expr) -> bool:
    """A whole number above 0 is at least 1."""
    lo = ranges.spans[str(name.value)].lo
    return lo == ZERO and ranges.spans[str(name.value)].lo_open


def _names(read: Sentence) -> frozenset[str]:
    own = read.left.variables if isinstance(read.left, Noise) else frozenset[str]()
    sides = [side for side in (read.left, read.right) if isinstance(side, tuple)]
    return own.union(*(variables(term) for side in sides for term in side))


def _placed(read: Sentence, left: tuple[Term, ...], right: tuple[Term, ...]) -> dict[str, Range]:
    """The ranges of names that stand alone, those of the premise first: a level of KL called b has no upper end."""
    found: dict[str, Range] = {}
    every = [leaf for term in (*left, *right) for leaf in leaves(term)]
    # A parameter that stands under its own name somewhere has the range that the name has everywhere: alpha > 1.
    # Parameters of notions of one's own have the ranges that their author gave them.
    theirs = {notion.key for notion in own_notions()}
    known = [leaf for leaf in every if leaf.notion.key not in theirs]
    usual = {(leaf, n) for leaf in known for n, v in leaf.named.items() if v == var(n) and n in NATURAL}
    own = {n for leaf, n in usual if not _elsewhere(leaf, n)}
    for term in (*right[::-1], *left[::-1]):
        found |= {name: r for name, r in places(term).items() if name not in own}
    if isinstance(read.left, Noise):
        found |= read.left.places
    for term in left:
        clash = whole(term) & {name for leaf in leaves(term) for name in leaf.places if name not in leaf.whole}
        if clash:
            raise InputError(f"{min(clash)} stands for a count and for a level; use two names")
    return found


def _elsewhere(leaf: Wanted, name: str) -> bool:
    """Whether a notion has a parameter where the name usually is not: orders below 1."""
    own, usual = leaf.places.get(name), natural({name}, {})[name]
    return own is not None and own.hi is not None and usual.lo is not None and compare(own.hi, usual.lo) in (-1, 0)


def _require_some(terms: tuple[Term, ...], ranges: Ranges) -> None:
    """A parameter is not always outside of what the notion allows."""
    for leaf in (leaf for term in terms for leaf in leaves(term)):
        for e, r in leaf.limits:
            s = ranges.spans.get(str(e.value)) if e.op == "var" else None
            if s is not None and (_before(s.hi, r.lo, s.hi_open or r.lo_open) or _before(r.hi, s.lo, s.lo_open)):
                raise InputError(f"{leaf.notion.key}: {e.value} has to be in {r}, and it is in {s}")


def _before(high: Expr | None, low: Expr | None, touching: bool) -> bool:
    """Whether one range ends before another begins; ``touching``: or where it begins."""
    if high is None or low is None or high.variables | low.variables:
        return False
    sign = compare(high, low)
    return sign == -1 or (sign == 0 and touching)


def _counts(read: Sentence, left: tuple[Term, ...], right: tuple[Term, ...]) -> frozenset[str]:
    own = read.left.whole if isinstance(read.left, Noise) else frozenset[str]()
    return own.union(*(whole(term) for term in (*left, *right)))
