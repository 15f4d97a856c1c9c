"""``A =/=> KEY``: no level of the notion below its trivial one follows from A, at any parameters in the ranges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from symprivacy.claims.fact import Where
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.normal import distance
from symprivacy.claims.operators import facts
from symprivacy.claims.outcome import Outcome
from symprivacy.claims.points import truth
from symprivacy.claims.ranges import Ranges
from symprivacy.claims.statement import reading
from symprivacy.claims.terms import Compose, Forward, Group, Sample, Term, Through, put
from symprivacy.derivations import derive
from symprivacy.derivations.impossible import Impossible
from symprivacy.errors import SymPrivacyError
from symprivacy.implications.parameters import DIAMETER
from symprivacy.implications.symbolic import nothing_follows
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range
from symprivacy.kernel.expr import Expr, substitute
from symprivacy.language.notation import Text
from symprivacy.language.text import parse, to_text
from symprivacy.notions import Notion, get
from symprivacy.search.verdict import Status, decide

# Further parameters at which a level is looked for that follows.
_OTHERS: dict[str, tuple[str, ...]] = {
    "alpha": ("2", "3/2"), "eps": ("1", "3", "0"), "delta": ("1/2",), "m": ("2",), "p": ("1/2",), "omega": ("2",),
    "xi": ("0",), "c": ("2",),
}  # fmt: skip


@dataclass(frozen=True)
class NotFollows:
    """Nothing about a notion follows from a side."""

    premise: tuple[Term, ...]
    key: str
    ranges: Ranges

    @property
    def reading(self) -> str:
        """Pairs, orders and ranges as they are understood."""
        notion = get(self.key)
        words = f"{notion.key}: {notion.quantifiers}; no level below the trivial one follows"
        return "; ".join(filter(None, (reading(self.premise, Ranges({})), words, self.ranges.words)))

    def decide(self) -> Outcome:
        """Refuted by a level that follows, proved by mechanisms that satisfy the premise and have no level."""
        where = Where(self.ranges.box, whole=self.ranges.whole & set(self.ranges.box))
        if len(self.premise) == 1:
            (term,) = self.premise
            nothing = self._nothing(self._inside(term)) or self._steps_apart(term) or self._other_order(term)
            if nothing is not None:
                return nothing
        for term in self.premise:
            found = self._level(put(term, self.ranges.dependent), where)
            if found is not None:
                return found
        noise = self._normal_noise()
        if noise is not None:
            return noise
        if len(self.premise) == 1:
            return self._impossible(self.premise[0])
        return Outcome(Status.UNDECIDED, "several guarantees at once: neither a level nor mechanisms without one")

    def _level(self, term: Term, where: Where) -> Outcome | None:
        for asked in _askings(get(self.key)):
            try:
                candidates = list(facts(term, asked, where))
            except SymPrivacyError:
                continue
            for fact in candidates:
                point = self._nontrivial(fact.wanted)
                if point is not None:
                    at = ", ".join(f"`{n} = {to_text(v)}`" for n, v in point.items())
                    says = Text(f"`{fact.wanted}` follows" + (f", which says something at {at}" if at else ""))
                    witness = {"follows": str(fact.wanted), "says": says}
                    return Outcome(Status.REFUTED, says, witness, fact.principles, (*fact.steps, says))
        return None

    def _nontrivial(self, found: Wanted) -> dict[str, Expr] | None:
        """A point of the ranges at which a level is below the largest one."""
        most = found.largest
        for point in self.ranges.points(20):
            if most is None or truth(found.level, "<", most, point) is True:
                return point
        return None

    def _steps_apart(self, term: Term) -> Outcome | None:
        """A bound on a moment of the ratio that neighbours have and inputs several steps apart do not.

        Let an output become rarer along the path so fast that the bound is just met at every step. With s = 1 - 1/order
        the logarithms of its probabilities are then in the ratio 1/s, and the moment of another order of its ends is
        bounded only if its s is at most s**k. For KL, s = 0, let the probabilities be k/log(1/p) of the following one
        p: that of the ends grows like log(1/p)/log(log(1/p)).
        """
        if not isinstance(term, Group) or not isinstance(term.term, Wanted):
            return None
        least = term.size if term.size.op == "num" else self.ranges.box.get(str(term.size.value), _ANY).lo
        source, target = _share(term.term), _SHARES.get(self.key)
        if source is None or target is None or least is None or least.op != "num" or x.rational(least) < 2:
            return None
        if source > 0 and target <= source ** int(x.rational(least)):
            return None
        words = f"an output that becomes rarer at every step as fast as `{term.term}` allows: {self.key} has no bound"
        return Outcome(Status.PROVED, words, None, ("rare-output", "counterexample"), (words,))

    def _normal_noise(self) -> Outcome | None:
        """Normal laws satisfy the premise, and their loss is not bounded."""
        found = [distance(put(term, self.ranges.dependent)) for term in self.premise]
        if self.key not in ("DP", "RB") or not all(
            mu is not None and decide(mu, ">", x.ZERO, self.ranges.box).status is Status.PROVED for mu in found
        ):
            return None
        words = f"normal laws satisfy `{' and '.join(map(str, self.premise))}`, and their loss is not bounded"
        return Outcome(Status.PROVED, words, None, ("counterexample",), (words,))

    def _other_order(self, term: Term) -> Outcome | None:
        """One order is bounded where Q has an output of small probability that P has not; the other is not."""
        inner = term.term if isinstance(term, Forward) else None
        if not isinstance(inner, Wanted) or inner.notion.key not in _ONE_ORDER or self.key not in _BOTH_ORDERS:
            return None
        words = f"(1, 0) against (1 - a, a) is `{term}` for a small enough a, and has no {self.key} in the other order"
        return Outcome(Status.PROVED, words, None, ("counterexample",), (words,))

    def _nothing(self, inner: Term) -> Outcome | None:
        """Proved by the rules of conversion, where they have one answer on the whole box."""
        if not isinstance(inner, Wanted):
            return None
        if inner.notion.key == "DP" and self.key in ("LDP", "MBP", "PML", "LIP") and DIAMETER not in self.ranges.spans:
            words = f"geometric noise on 0..n is `{inner}` between neighbours, and {self.key} of its ends grows with n"
            return Outcome(Status.PROVED, words, None, ("group-path", "counterexample"), (words,))
        shown, box = None, self.ranges.box
        for stronger in _stronger(inner.at(self.ranges.dependent)):
            shown = shown or nothing_follows(
                stronger.notion.key, self.key, stronger.named, box, self.ranges.whole & set(box)
            )
        if shown is None:
            return None
        words = f"mechanisms with `{inner}` have no common level of {self.key}"
        used = tuple(dict.fromkeys(("counterexample", *shown.principles)))
        return Outcome(Status.PROVED, words, shown.witness or None, used, (words,))

    def _inside(self, term: Term) -> Term:
        """What is not constant, if only one run of several, one step of a path, or one record of the data is not.

        With a share q of P in it, Q has ratios of 1 - q + q r, whose moments have no bound where those of r have none.
        """
        while not isinstance(term, Wanted | Forward | Through):
            if isinstance(term, Sample):
                share = substitute(term.share, self.ranges.dependent)
                taken = decide(share, ">", x.ZERO, self.ranges.box).status is Status.PROVED
                if not taken or self.key not in _MOMENTS:
                    break
            term = term.parts[0] if isinstance(term, Compose) else term.term
        return term

    def _impossible(self, term: Term) -> Outcome:
        inner = self._inside(term)
        if not isinstance(inner, Wanted):
            return Outcome(Status.UNDECIDED, f"nothing is known about {self.key} after this operation")
        try:
            derive(inner.notion.key, self.key, solve="conclusion")
        except Impossible as error:
            return Outcome(Status.PROVED, str(error), None, ("counterexample",), (str(error),))
        except SymPrivacyError:
            pass
        return Outcome(Status.UNDECIDED, f"whether a level of {self.key} follows from `{inner}` is not known")

    def __str__(self) -> str:
        ranges = str(self.ranges)
        side = " and ".join(map(str, self.premise))
        return f"{side} =/=> {self.key}" + (f" for {ranges}" if ranges else "")


# Bounds of P against Q that allow Q more outputs, and notions that do not allow that in one of the two orders.
_ONE_ORDER = ("DP", "LDP", "KL", "CHI2", "RDP", "ZCDP", "ADP", "PDP")
_BOTH_ORDERS = ("DP", "RB", "KL", "CHI2", "RDP", "ZCDP", "GDP")
# 1 - 1/order of the moments that notions bound; ratios are the limit of all orders.
_SHARES = {
    "KL": Fraction(0), "CHI2": Fraction(1, 2), **dict.fromkeys(("ZCDP", "DP", "LDP", "RB", "GDP"), Fraction(1))
}  # fmt: skip
# Notions whose levels are unbounded where ratios, or means of convex functions of ratios, are.
_MOMENTS = ("DP", "RB", "KL", "CHI2", "RDP", "ZCDP")
_ANY = Range(None, None, True, True)


def _share(given: Wanted) -> Fraction | None:
    if given.notion.key == "RDP" and given.values[0].op == "num":
        return 1 - 1 / x.rational(given.values[0])
    return _SHARES.get(given.notion.key) if given.notion.key in ("KL", "CHI2") else None


def _stronger(given: Wanted) -> Iterator[Wanted]:
    """The guarantee, and one of a notion with rules of conversion that implies it: what that leaves open, it does."""
    yield given
    named = given.named
    if given.notion.key == "tCDP":
        # The divergences of smaller orders are smaller, and rho <= rho*alpha.
        yield Wanted(get("RDP"), (named["omega"], named["rho"]))
    if given.notion.key == "MAXL":
        # The leakage of laws at distance t is at most log(1 + (m - 1) t), and 1 - exp(-l) is less than exp(l) - 1.
        yield Wanted(get("TV"), (x.div(x.sub(x.ONE, x.exp(x.neg(named["l"]))), x.sub(named["m"], x.ONE)),))
    if given.notion.key == "bCDP":
        yield Wanted(get("RDP"), (named["omega"], x.add(named["xi"], named["rho"])))


def _askings(notion: Notion) -> Iterator[Wanted]:
    """The notion at some further parameters, if it has any."""
    if notion.target is None:
        return
    others = [p.name for p in notion.parameters if p.name != notion.target]
    if not others:
        yield Wanted(notion, (x.ONE,))
        return
    for k in range(3):
        values = {notion.target: x.ONE}
        for name in others:
            texts = _OTHERS.get(name, ("1",))
            values[name] = parse(texts[min(k, len(texts) - 1)])
        yield Wanted(notion, tuple(values[p.name] for p in notion.parameters))
