"""``mechanism satisfies side``: the exact level of a family of mechanisms against the claimed one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain

from symprivacy.claims.fact import Where
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.implication import Implication
from symprivacy.claims.noise import Noise, above
from symprivacy.claims.normal_tail import below
from symprivacy.claims.operators import facts
from symprivacy.claims.outcome import Better, Outcome, because, together, told
from symprivacy.claims.points import truth
from symprivacy.claims.ranges import Ranges
from symprivacy.claims.rewriting import rewritten
from symprivacy.claims.tails import tails
from symprivacy.claims.terms import Forward, Term, variables
from symprivacy.errors import SymPrivacyError
from symprivacy.implications.formula import expression, put
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr, num, substitute
from symprivacy.language.notation import Text
from symprivacy.language.text import to_text
from symprivacy.notions import get
from symprivacy.search.verdict import Status, decide

# Points at which a level is looked for that is smaller than the claimed one.
_FEW = 5
# The Renyi divergence of a loss of such a mean and subgaussian width.
_MOMENT = expression("mean + (alpha - 1)*width**2/2")


@dataclass(frozen=True)
class Satisfies:
    """Every member of a family has every one of some guarantees."""

    mechanism: Noise
    conclusion: tuple[Term, ...]
    ranges: Ranges

    @property
    def reading(self) -> str:
        """The mechanism, its sensitivity, the quantifiers of the notions and the ranges."""
        words = [f"{self.mechanism.key}: {self.mechanism.family.words}, sensitivity 1"]
        for term in self.conclusion:
            notion = _plain(term).written
            words.append(f"{notion.key}: {notion.quantifiers}")
        return "; ".join([*words, *([self.ranges.words] if self.ranges.spans else [])])

    def decide(self) -> Outcome:
        """Every guarantee."""
        least = self._least_noise()
        found = [least._one(_plain(term)) for term in self.conclusion]
        return found[0] if len(found) == 1 else together(found)

    def _least_noise(self) -> Satisfies:
        """Where the noise is a variable from some amount on, the least amount: more noise has smaller levels."""
        value, spans = self.mechanism.values[0], self.ranges.spans
        name = str(value.value) if value.op == "var" and self.mechanism.key in ("gaussian", "laplace") else ""
        elsewhere = [variables(term) for term in self.conclusion] + [s.variables for s in spans.values()]
        if name not in spans or any(name in names for names in elsewhere):
            return self
        lo, hi = spans[name].lo, spans[name].hi
        if lo is None or not lo.variables or hi is not None or spans[name].lo_open:
            return self
        rest = Ranges({n: s for n, s in spans.items() if n != name}, self.ranges.whole)
        return Satisfies(self.mechanism.put({name: lo}), self.conclusion, rest)

    def _one(self, claimed: Wanted) -> Outcome:
        key = claimed.notion.key
        if key == "mCDP":
            return self._concentrated(claimed)
        if not self.mechanism.compares(claimed):
            return Outcome(Status.UNDECIDED, f"{key} speaks of other pairs of inputs than {self.mechanism.key} has")
        if self.mechanism.unbounded(claimed):
            says = Text(f"{self.mechanism.key} has no finite level of {key}: its loss is not bounded")
            witness = {"mechanism": str(self.mechanism), "says": says}
            return Outcome(Status.REFUTED, says, witness, ("exact-level",), (says,))
        worst = self.mechanism.worst_of
        shown = None if worst is None else self._implied(worst, claimed)
        if shown is not None:
            return shown
        level = self.mechanism.level(claimed)
        if level is not None:
            found = self._by_normal_tail(claimed, level) or self._compared(claimed, level)
        elif worst is not None:
            found = self._as_worst(worst, claimed)
        else:
            found = self._by_series(claimed) or self._bounded(claimed)
        if found.proved or found.refuted:
            return found
        shown = self._by_pure_or_concentrated(claimed)
        if shown is None and worst is not None and level is not None:
            shown = self._as_worst(worst, claimed)
        return shown or found

    def _better(self, guarantee: Wanted) -> Better:
        return Better(self.mechanism, guarantee, "satisfies")

    def _as_worst(self, worst: Wanted, claimed: Wanted) -> Outcome:
        """What the guarantee implies whose worst case the family is."""
        at, box = self.ranges.dependent, self.ranges.box
        found = Implication(worst.at(at), claimed.at(at), box, whole=self.ranges.whole & set(box)).decide()
        found = found.because(f"`{self.mechanism}` is the worst case of `{worst}`")
        if not isinstance(found.better, Better) or found.better.side != worst.at(at):
            return found
        return replace(found, better=replace(found.better, side=self.mechanism, verb="satisfies"))

    def _by_normal_tail(self, claimed: Wanted, level: Expr) -> Outcome | None:
        """Normal noise, by the tail of its loss; a claim that names tails itself is held against the level."""
        if self.mechanism.key != "gaussian" or claimed.notion.key not in ("ADP", "PDP"):
            return None
        if not self.ranges.spans or "erf" in to_text(claimed.level):
            return None
        values = (self.mechanism.values[0], *claimed.values)
        sigma, eps, delta = (substitute(v, self.ranges.dependent) for v in values)
        found = below(sigma, eps, delta, self.ranges.box)
        if found is None:
            return None
        verdicts, words = found
        certificates = tuple(v.certificate for v in verdicts if v.certificate is not None)
        steps = (words, *(told(v) for v in verdicts))
        best = Wanted(claimed.notion, (*claimed.values[:-1], level))
        less = any(truth(level, "<", claimed.level, point) for point in self.ranges.points(_FEW))
        return replace(
            Outcome.of(verdicts[-1]), principles=("exact-level", "tail"), steps=steps, certificates=certificates,
            better=self._better(best) if less else None,
        )  # fmt: skip

    def _by_series(self, claimed: Wanted) -> Outcome | None:
        """By bounds of the series that the level is, where there are some; refuted by them at points."""
        ends = self.mechanism.bounds(claimed)
        if ends is not None:
            at, box = self.ranges.dependent, self.ranges.box
            shown = decide(substitute(ends[1], at), "<=", substitute(claimed.level, at), box)
            if shown.status is Status.PROVED:
                words = f"the level of {claimed.notion.key} of `{self.mechanism}` is at most `{to_text(ends[1])}`"
                return replace(Outcome.of(shown), principles=("exact-level",), steps=(words, told(shown)))
        return above(self.mechanism, None, claimed, self.ranges)

    def _concentrated(self, claimed: Wanted) -> Outcome:
        """The mean of the loss is KL; around it a normal loss is as subgaussian as it is wide, a bounded one too."""
        mean, width = (claimed.named[name] for name in ("mu", "tau"))
        found = self._one(Wanted(get("KL"), (mean,)))
        if not found.proved:
            return found.because(f"the mean of the loss is KL: `KL({to_text(mean)})` is needed")
        at, box = self.ranges.dependent, self.ranges.box
        # The loss of Gaussian noise on the whole numbers is no less subgaussian than that of normal noise.
        bound = self.mechanism.named.get("sigma") if self.mechanism.key in ("gaussian", "discrete_gaussian") else None
        own = self.mechanism.level(Wanted(get("DP"), (width,))) if bound is None else x.div(x.ONE, bound)
        if own is not None:
            shown = decide(substitute(own, at), "<=", substitute(width, at), box)
            if shown.status is Status.PROVED:
                words = f"the loss around its mean is `{to_text(own)}`-subgaussian"
                rest = replace(Outcome.of(shown), principles=("hoeffding",), steps=(words, told(shown)))
                return together([found, rest])
        for order in (2, 4, 16):
            moment = put(_MOMENT, mean=mean, width=width, alpha=num(order))
            broken = self._one(Wanted(get("RDP"), (num(order), moment)))
            if broken.refuted:
                return broken.because(f"it would imply `RDP({order}, {to_text(moment)})`")
        return Outcome(Status.UNDECIDED, f"how subgaussian the loss of {self.mechanism.key} is, is not known exactly")

    def _compared(self, claimed: Wanted, level: Expr) -> Outcome:
        at, box = self.ranges.dependent, self.ranges.box
        lhs, rhs = substitute(level, at), substitute(claimed.level, at)
        says = f"the level of {claimed.notion.key} of `{self.mechanism}` is `{to_text(level)}`"
        shown = decide(lhs, "<=", rhs, box)
        if shown.status is Status.PROVED:
            below = decide(lhs, ">=", rhs, box)
            found = replace(Outcome.of(shown), principles=("exact-level",), steps=(says, told(shown)))
            better = None
            if below.status is Status.REFUTED:
                named = {**claimed.named, claimed.judged: level}
                better = self._better(Wanted(claimed.notion, tuple(named.values())))
            return replace(found, tight=below.status is Status.PROVED, better=better)
        likely = [shown.point] if shown.point.keys() == self.ranges.spans.keys() else []
        exceeded = above(self.mechanism, level, claimed, self.ranges, likely)
        if exceeded is not None:
            return replace(exceeded, steps=(says, *exceeded.steps))
        other = rewritten(lhs, "<=", rhs, box)
        if other is not None:
            form, settled = other
            found = Outcome.of(settled)
            certificates, steps = (*form.certificates, *found.certificates), (says, *form.words, told(settled))
            return replace(found, principles=("exact-level",), steps=steps, certificates=certificates)
        pure = None if claimed.notion.key == "DP" else self.mechanism.level(Wanted(get("DP"), (claimed.level,)))
        implied = None if pure is None else self._implied(Wanted(get("DP"), (pure,)), claimed)
        if implied is not None:
            return implied
        return Outcome(Status.UNDECIDED, because(shown), None, (), (says,))

    def _by_pure_or_concentrated(self, claimed: Wanted) -> Outcome | None:
        """By what the family's levels of DP and of ZCDP imply."""
        for key in ("LDP",) if claimed.notion.pairs.every else ("DP", "ZCDP"):
            level = self.mechanism.level(Wanted(get(key), (claimed.level,)))
            found = None if level is None else self._implied(Wanted(get(key), (level,)), claimed)
            if found is not None:
                return found
        return None

    def _bounded(self, claimed: Wanted) -> Outcome:
        """Where no closed form is known: by other levels."""
        found = self._by_pure_or_concentrated(claimed) or self._contradicted(claimed)
        if found is not None:
            return found
        return Outcome(Status.UNDECIDED, f"the exact level of {claimed.notion.key} is not known, only that by pure DP")

    def _implied(self, known: Wanted, claimed: Wanted) -> Outcome | None:
        """Proved by what another guarantee of the family implies."""
        at, where = self.ranges.dependent, Where(self.ranges.box)
        asked = claimed.at(at)
        found = facts(known.at(at), asked, where)
        if known.notion.key == "ZCDP" and claimed.notion.key in ("ADP", "PDP"):
            found = chain(tails(known.at(at), asked, where), found)
        try:
            for fact in found:
                if not _at_most(fact.wanted, asked, where):
                    continue
                shown = where.settled(fact.wanted.level, "<=", asked.level)
                if shown.status is Status.PROVED:
                    below = where.settled(fact.wanted.level, ">=", asked.level)
                    exact = known == self.mechanism.worst_of and fact.exact
                    better = self._better(fact.wanted) if below.status is Status.REFUTED else None
                    return replace(
                        Outcome.of(shown), principles=fact.principles, steps=(*fact.steps, told(shown)),
                        tight=exact and below.status is Status.PROVED,
                        better=better,
                    )  # fmt: skip
        except SymPrivacyError:
            return None
        return None

    def _contradicted(self, claimed: Wanted) -> Outcome | None:
        """Refuted by a consequence of the claim whose exact level is known to be larger."""
        for key in ("TV", "KL", "HELL2", "CHI2", "DP"):
            notion = get(key)
            asked = Wanted(notion, (claimed.level,))
            level = self.mechanism.level(asked)
            try:
                implied = [f.wanted.level for f in facts(claimed, asked, Where(self.ranges.box))]
            except SymPrivacyError:
                continue
            for bound in implied:
                asked = Wanted(notion, (bound,))
                found = self._by_series(asked) if level is None else self._compared(asked, level)
                if found is not None and found.refuted:
                    return found.because(f"`{claimed}` would imply `{Wanted(notion, (bound,))}`")
        return None

    def __str__(self) -> str:
        ranges = str(self.ranges)
        side = " and ".join(map(str, self.conclusion))
        return f"{self.mechanism} satisfies {side}" + (f" for {ranges}" if ranges else "")


def _at_most(known: Wanted, asked: Wanted, where: Where) -> bool:
    """Whether a guarantee speaks of the further parameters that are asked about; for tails, or of a smaller eps."""
    tail = asked.notion.key in ("ADP", "PDP")
    return all(
        value == asked.named[name] or (tail and where.settled(value, "<=", asked.named[name]).status is Status.PROVED)
        for name, value in known.named.items()
        if name != asked.judged
    )


def _plain(term: Term) -> Wanted:
    """The guarantee; the families are symmetric, so that one order is as good as both."""
    found = term.term if isinstance(term, Forward) else term
    assert isinstance(found, Wanted)
    return found
