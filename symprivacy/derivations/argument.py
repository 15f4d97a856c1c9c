"""A derivation as a theorist tells it: objects first, then one chain of formulas for each argument.

Steps that repeat the line before are left out, algebra goes on in the same chain, and side conditions are footnotes
that name their certificates. LaTeX, HTML and terminals print the same :class:`Argument`; formulas in it are marked.

>>> from symprivacy import derive
>>> told = argument(derive("KL", "HELL2").derivation)
>>> [(p.reason, p.lhs, p.links) for p in told.paragraphs][2][0]
'For every `r > 0`, `r/2 - sqrt(r) + 1/2 <= log(1/r)/8 + r*log(r)/8`; taking means, with the bounds of both orders'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sympy import oo

from symprivacy.derivations.derivation import Derivation, Step
from symprivacy.derivations.objects import introduced
from symprivacy.derivations.reasons import LONGEST, link, reason
from symprivacy.derivations.show import goal_of
from symprivacy.kernel.box import box_from_data
from symprivacy.kernel.data import from_data
from symprivacy.language.certificates import as_text
from symprivacy.language.domain import between, in_between
from symprivacy.language.spelled import spelled
from symprivacy.notions.written import in_order

# Rules whose result is the same number in another form, or a bound of the bound: the chain goes on.
_ALGEBRA = frozenset({"identity", "case", "weaken"})


@dataclass(frozen=True)
class Link:
    """One more formula of a chain: its sign, the formula, and words beside it."""

    relation: str
    formula: str
    beside: str = ""


@dataclass(frozen=True)
class Paragraph:
    """A reason and the chain it leads to; ``number`` names it, ``notes`` are numbers of certificates."""

    number: int
    reason: str
    lhs: str
    links: tuple[Link, ...]
    where: str = ""
    uses: tuple[int, ...] = ()
    notes: tuple[int, ...] = ()
    principle: str | None = None

    def words(self, cite: Callable[[int], str] = lambda n: f"({n})") -> str:
        """The sentence before the chain, which names what it uses unless that stands just above."""
        said = self.reason
        if self.principle and self.principle not in ("bayes", "two-point-belief"):
            said += f" [{self.principle.replace('-', ' ')}]"
        if self.uses and self.uses != (self.number - 1,):
            said += f", by {', '.join(map(cite, self.uses))}"
        return said + (f", for {self.where}" if self.where else "") + ":"


@dataclass(frozen=True)
class Argument:
    """What is claimed, the objects, the paragraphs, the last sentence, and the certificates by their numbers."""

    title: str
    claim: str
    where: str
    objects: str
    paragraphs: tuple[Paragraph, ...]
    end: str
    principles: tuple[str, ...]
    certificates: Mapping[int, str]


def argument(d: Derivation) -> Argument:
    """The argument of a derivation."""
    teller = _Teller(d)
    for k, step in enumerate(d.steps):
        teller.tell(k, step)
    goal = goal_of(d.steps[-1], d)
    shown = written_statement(d.steps[-1]) if goal is None else _guarantee(goal.key, goal.values)
    premise = " and ".join(_guarantee(g.key, g.values) for g in d.claim.given)
    claim = f"`{premise} => {shown}`" if premise else f"`{shown}`"
    return Argument(
        d.title, claim, ", ".join(_ranges(d.claim.domain)), introduced(d), tuple(teller.paragraphs), teller.end,
        d.principles, teller.certificates,
    )  # fmt: skip


def told(d: Derivation) -> tuple[str, ...]:
    """The argument as texts with marked formulas: the objects, then words, a colon and the chain they lead to.

    >>> from symprivacy import derive
    >>> told(derive("KL", "HELL2").derivation)[1]
    'By the definition of KL, for `k > 0`: `E[r*log(r)] <= k` (1)'
    """
    said = argument(d)
    chains = [
        f"{p.words()} `{p.lhs}{''.join(f' {x.relation} {x.formula}' for x in p.links)}` ({p.number})"
        for p in said.paragraphs
    ]
    end = said.end[:1].upper() + said.end[1:]
    return tuple(line for line in (said.objects, *chains, end) if line)


def written_statement(step: Step) -> str:
    """The statement of a step in the notation of statements."""
    s = step.statement
    return f"{spelled(s.lhs)} {'=' if s.rel == '==' else s.rel} {spelled(s.rhs)}"


def _guarantee(key: str, values: tuple[Any, ...]) -> str:
    return f"{key}({', '.join(map(spelled, in_order(key, values)))})" if values else key


def _ranges(domain: Any) -> tuple[str, ...]:
    """Each range as inequalities."""
    return tuple(_range(str(s.symbol), s.lo, s.hi, s.lo_open, s.hi_open) for s in domain)


def _range(name: str, lo: Any, hi: Any, lo_open: bool, hi_open: bool) -> str:
    low, high = (None if end in (None, -oo, oo) else spelled(end) for end in (lo, hi))
    return f"`{in_between(name, low, high, lo_open, hi_open)}`"


class _Teller:
    """Goes through the steps once; ``told`` maps each step to the paragraph that says it."""

    def __init__(self, d: Derivation) -> None:
        self.d = d
        self.paragraphs: list[Paragraph] = []
        self.told: dict[int, int] = {}
        # The step whose statement a paragraph ends with.
        self.last: dict[int, int] = {}
        self.certificates: dict[int, str] = {}
        self.count = 0
        self.ranges: set[str] = set()
        self.end = ""

    def tell(self, k: int, step: Step) -> None:
        """One step: in a paragraph of its own, at the end of a chain, or not at all."""
        notes = self.numbered(step)
        text = written_statement(step)
        same = [i for i in step.uses if written_statement(self.d.steps[i]) == text and i in self.told]
        if step.rule in ("conclude", "summary"):
            from_ = [self.told[i] for i in step.uses if i in self.told]
            cited = self.cited(from_)
            self.end = (f"By {cited}: " if cited else "") + reason(step, self.d) + "."
            return
        if same:
            self.told[k] = self.told[same[0]]
            if self.last.get(self.told[k]) == same[0]:
                self.last[self.told[k]] = k
            return
        s = step.statement
        if step.rule == "inequality" and (self.only_in_chains(k) or spelled(s.lhs) == spelled(s.rhs)):
            return
        base = self.base(step)
        if base is not None:
            self.extend(k, step, base, notes)
            return
        where = [r for r in _ranges(s.domain) if r not in self.ranges]
        uses = tuple(dict.fromkeys(self.told[i] for i in step.uses if i in self.told))
        paragraph = Paragraph(
            len(self.paragraphs) + 1, reason(step, self.d), spelled(s.lhs),
            (Link("=" if s.rel == "==" else s.rel, spelled(s.rhs)),), ", ".join(where), uses, notes,
            self.d.principle(step),
        )  # fmt: skip
        self.ranges = {*self.ranges, *where}
        self.add(k, paragraph)

    def add(self, k: int, paragraph: Paragraph) -> None:
        self.paragraphs.append(paragraph)
        self.told[k] = paragraph.number
        self.last[paragraph.number] = k

    def base(self, step: Step) -> int | None:
        """The step whose chain this one goes on with."""
        s = step.statement
        if step.rule in _ALGEBRA or step.rule == "transitive":
            i = step.uses[0]
            before = self.d.steps[i].statement
            if i in self.told and before.lhs == s.lhs and before.rel == s.rel:
                return i
        return None

    def extend(self, k: int, step: Step, base: int, notes: tuple[int, ...]) -> None:
        """The chain of the base goes on; a second chain from the same base starts with it again."""
        s = step.statement
        relation = "=" if s.rel == "==" or step.rule in ("identity", "case") else s.rel
        beside = link(step)
        if step.rule == "transitive":
            other = self.d.steps[step.uses[1]]
            relation = "=" if other.statement.rel == "==" else other.statement.rel
            notes += tuple(n for n in self.numbers.get(step.uses[1], ()) if n in self.certificates)
        number = self.told[base]
        added = Link(relation, spelled(s.rhs), beside)
        if self.last[number] == base:
            p = self.paragraphs[number - 1]
            self.paragraphs[number - 1] = replace(p, links=(*p.links, added), notes=(*p.notes, *notes))
            self.told[k] = number
            self.last[number] = k
            return
        before = self.d.steps[base].statement
        first = Link("=" if before.rel == "==" else before.rel, spelled(before.rhs))
        links = (first, added)
        self.add(k, Paragraph(len(self.paragraphs) + 1, "Also", spelled(s.lhs), links, "", (number,), notes))

    def only_in_chains(self, k: int) -> bool:
        users = [step for step in self.d.steps if k in step.uses]
        return bool(users) and all(step.rule == "transitive" and step.uses[1] == k for step in users)

    def cited(self, numbers: list[int]) -> str:
        """References to paragraphs, except to the one just above."""
        far = [n for n in dict.fromkeys(numbers) if n != len(self.paragraphs)]
        if not far:
            return ""
        return ", ".join(f"({n})" for n in dict.fromkeys(numbers))

    @property
    def numbers(self) -> dict[int, tuple[int, ...]]:
        """The numbers of the certificates of each step, in the order in which they are saved."""
        found, count = {}, 0
        for k, step in enumerate(self.d.steps):
            found[k] = tuple(range(count + 1, count + 1 + len(step.certificates)))
            count += len(step.certificates)
        return found

    def numbered(self, step: Step) -> tuple[int, ...]:
        """The certificates of a step that say something."""
        notes = []
        for c in step.certificates:
            self.count += 1
            if {"lhs", "rel", "rhs", "domain"} <= set(c) and _says_something(c):
                self.certificates[self.count] = _condition(c)
                notes.append(self.count)
        return tuple(notes)


def _says_something(c: Mapping[str, Any]) -> bool:
    """Not that a number exceeds another one, nor that something is equal to itself."""
    return c["lhs"] != c["rhs"] and bool(from_data(c["lhs"]).variables | from_data(c["rhs"]).variables)


def _condition(c: Mapping[str, Any]) -> str:
    """What a certificate certifies, where a reader can take it in; empty otherwise."""
    ranges = box_from_data(c["domain"])
    text = f"{as_text(c['lhs'])} {'=' if c['rel'] == '==' else c['rel']} {as_text(c['rhs'])}"
    # Variables that only scale a range to (0, 1) are of the search, not of the proof.
    if len(text) > LONGEST or any(name.startswith("t_") for name in ranges):
        return ""
    where = ", ".join(f"`{between(name, r)}`" for name, r in ranges.items())
    return f"`{text}`" + (f" for {where}" if where else "")
