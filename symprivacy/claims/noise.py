"""Families of mechanisms in statements, all for sensitivity 1: ``laplace(b) satisfies ADP(eps, delta)``.

Their exact levels are those of :mod:`symprivacy.mechanisms.noise`. Where a family is the worst case of a notion, what
it satisfies is also what the notion implies: Gaussian noise is the pair of GDP, two-sided geometric noise has the
loss of randomized response, and the worst exponential mechanism is any pair of its range.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from sympy import Expr as SymExpr
from sympy import oo

from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.outcome import Outcome
from symprivacy.claims.points import truth
from symprivacy.claims.ranges import Ranges
from symprivacy.errors import SymPrivacyError
from symprivacy.implications.formula import expression, put
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range
from symprivacy.kernel.expr import Expr, substitute
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.language.notation import Text
from symprivacy.language.text import to_text
from symprivacy.mechanisms.lattice import bounds, theta_bounds
from symprivacy.mechanisms.noise import family
from symprivacy.notions import Pairs, get
from symprivacy.search.verdict import Status

_POSITIVE = Range(x.ZERO, None, True, True)
# Bits of a series, and points at which one is added up.
_BITS, _POINTS = 80, 120
# The exponent of Gaussian noise.
_RATE = expression("1/(2*sigma**2)")
_VALUES = Range(x.num(2), None, False, True)


@dataclass(frozen=True)
class Family:
    """Parameters with their ranges, and the notion (key and level) that it is the worst case of, if any."""

    example: str
    parameters: Mapping[str, Range]
    words: str
    notion: tuple[str, str] | None = None
    whole: frozenset[str] = frozenset()


NOISE: dict[str, Family] = {
    "laplace": Family("laplace(b)", {"b": _POSITIVE}, "a number plus Laplace noise of scale b"),
    "gaussian": Family(
        "gaussian(sigma)", {"sigma": _POSITIVE}, "a number plus normal noise of deviation sigma", ("GDP", "1/sigma"),
    ),
    "geometric": Family(
        "geometric(eps)", {"eps": _POSITIVE}, "a whole number plus two-sided geometric noise of ratio exp(-eps)",
        ("DP", "eps"),
    ),
    "krr": Family(
        "krr(k, eps)", {"k": _VALUES, "eps": _POSITIVE}, "k-ary randomized response, any two values neighbours",
        whole=frozenset({"k"}),
    ),
    "exponential": Family(
        "exponential(eps)", {"eps": _POSITIVE}, "the exponential mechanism, weights exp(eps u/2), the worst utility u",
        ("RB", "eps"),
    ),
    "discrete_gaussian": Family(
        "discrete_gaussian(sigma)", {"sigma": _POSITIVE},
        "a whole number plus noise with weights exp(-n**2/(2*sigma**2)) on the whole numbers n",
    ),
    "truncated_gaussian": Family(
        "truncated_gaussian(sigma, B)", {"sigma": _POSITIVE, "B": _POSITIVE},
        "a number plus normal noise of deviation sigma, conditioned on [-B, B]",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Noise:
    """A family with its parameters as expressions.

    >>> from symprivacy.language.text import parse
    >>> print(Noise("laplace", (parse("b"),)))
    laplace(b)
    """

    key: str
    values: tuple[Expr, ...]

    @property
    def family(self) -> Family:
        """The record of the family."""
        return NOISE[self.key]

    @property
    def named(self) -> dict[str, Expr]:
        """Values by the family's parameter names."""
        return dict(zip(self.family.parameters, self.values, strict=True))

    @property
    def variables(self) -> frozenset[str]:
        """Every name that occurs."""
        return frozenset[str]().union(*(value.variables for value in self.values))

    @property
    def places(self) -> dict[str, Range]:
        """The range of every name that stands alone for a parameter."""
        ranges = self.family.parameters.values()
        return {str(v.value): r for v, r in zip(self.values, ranges, strict=True) if v.op == "var"}

    @property
    def whole(self) -> frozenset[str]:
        """Names that stand alone for a whole number."""
        return frozenset(str(v.value) for n, v in self.named.items() if n in self.family.whole and v.op == "var")

    def put(self, mapping: Mapping[str, Expr]) -> Noise:
        """With expressions for its variables."""
        return Noise(self.key, tuple(substitute(v, dict(mapping)) for v in self.values))

    @property
    def worst_of(self) -> Wanted | None:
        """The guarantee whose worst pair the family is: it satisfies exactly what that implies."""
        if self.family.notion is None:
            return None
        key, text = self.family.notion
        return Wanted(get(key), (put(text, **self.named),))

    def compares(self, wanted: Wanted) -> bool:
        """Whether a guarantee speaks of the pairs of inputs that the family has."""
        if self.key != "krr":
            return wanted.notion.pairs is Pairs.NEIGHBOURS
        return wanted.notion.pairs in (Pairs.NEIGHBOURS, Pairs.ALL) and wanted.named.get("m") in (None, self.values[0])

    def level(self, wanted: Wanted) -> Expr | None:
        """The exact level under the notion of a guarantee, at its further parameters; None where none is known.

        >>> from symprivacy.language.text import parse
        >>> from symprivacy.claims.guarantees import guarantee
        >>> Noise("laplace", (parse("2"),)).level(guarantee("KL(k)"))
        Expr('exp(-1/2) - 1/2')
        """
        found = self._level(wanted)
        try:
            return None if found is None or found == oo else from_sympy(found)
        except SymPrivacyError:
            return None

    def unbounded(self, wanted: Wanted) -> bool:
        """Whether there is no finite level.

        >>> from symprivacy.language.text import parse
        >>> from symprivacy.claims.guarantees import guarantee
        >>> Noise("gaussian", (parse("2"),)).unbounded(guarantee("DP(eps)"))
        True
        """
        return bool(self._level(wanted) == oo)

    def bounds(self, wanted: Wanted) -> tuple[Expr, Expr] | None:
        """Proved bounds of a level that is a series: at numbers, and of total variation for all of them.

        >>> from symprivacy.language.text import parse
        >>> from symprivacy.claims.guarantees import guarantee
        >>> low, high = Noise("discrete_gaussian", (parse("1"),)).bounds(guarantee("HELL2(h)"))
        >>> truth(low, ">", parse("0.117503"), {}), truth(high, "<", parse("0.117504"), {})
        (True, True)
        """
        if self.key != "discrete_gaussian":
            return None
        found = self._level(wanted)
        if wanted.notion.key == "TV" and self.variables:
            low, high = theta_bounds(put(_RATE, sigma=self.named["sigma"]))
            return x.div(x.ONE, high), x.div(x.ONE, low)
        if not isinstance(found, SymExpr) or found.free_symbols:
            return None
        try:
            low_at, high_at = bounds(found, _BITS)
        except SymPrivacyError:
            return None
        return x.num(low_at), x.num(high_at)

    def _level(self, wanted: Wanted) -> object:
        others = {name: v for name, v in wanted.named.items() if name not in (wanted.judged, "m")}
        try:
            member = family(self.key, *map(to_sympy, self.values))
            return member.level(wanted.notion, **{name: to_sympy(v) for name, v in others.items()})
        except SymPrivacyError:
            return None

    def __str__(self) -> str:
        return f"{self.key}({', '.join(to_text(v) for v in self.values)})"


def above(
    noise: Noise, level: Expr | None, claimed: Wanted, ranges: Ranges, first: Sequence[Mapping[str, Expr]] = ()
) -> Outcome | None:
    """The refutation by a member of a family whose level is larger than the claimed one; None if none is seen.

    Without a level as an expression, by proved bounds of the level at points.
    """
    likely = (dict(point) for point in first if ranges.allows({**point}))
    for point in chain(likely, ranges.points() if level is not None else islice(ranges.points(), _POINTS)):
        one, asked = noise.put(point), claimed.at(point)
        least = substitute(level, point) if level is not None else (one.bounds(asked) or (x.ZERO,))[0]
        if truth(least, "<=", asked.level, {}) is False:
            texts = {name: to_text(v) for name, v in point.items()}
            value = to_text(least) if level is not None else str(float(x.rational(least)))
            sign = "is" if level is not None else "is about"
            says = Text(f"{claimed.notion.key} level of `{one}` {sign} `{value} > {to_text(asked.level)}`")
            witness = {"mechanism": str(one), "parameters": texts, "level": value, "says": says}
            return Outcome.shown(Status.REFUTED, witness)
    return None
