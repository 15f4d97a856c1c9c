"""Families of mechanisms in statements, all for sensitivity 1: ``laplace(b) satisfies ADP(eps, delta)``.

Where a family is the worst case of a notion, what it satisfies is what the notion implies: Gaussian noise is the pair
of GDP, two-sided geometric noise has the loss of randomized response, and the worst exponential mechanism is any pair
of its range. Other families have closed forms for each notion.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from symprivacy.claims.guarantees import Wanted
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range
from symprivacy.kernel.expr import Expr, substitute
from symprivacy.language.text import parse, to_text
from symprivacy.notions import get

_POSITIVE = Range(x.ZERO, None, True, True)
_VALUES = Range(x.num(2), None, False, True)


@dataclass(frozen=True)
class Family:
    """Parameters with their ranges; the notion it is the worst case of, or its levels under each notion."""

    example: str
    parameters: Mapping[str, Range]
    words: str
    whole: frozenset[str] = frozenset()
    #: key and level of the notion whose worst pair this is
    notion: tuple[str, str] | None = None
    #: by the key of a notion: its exact level, in the parameters of the family and of the notion
    levels: Mapping[str, str] = field(default_factory=dict)
    #: notions under which it has no finite level
    infinite: tuple[str, ...] = ()
    #: P, Q and loss of every outcome, where they are few
    atoms: tuple[tuple[str, str, str], ...] = ()


NOISE: dict[str, Family] = {
    "laplace": Family(
        "laplace(b)",
        {"b": _POSITIVE},
        "a number plus Laplace noise of scale b",
        levels={
            "DP": "1/b",
            "RB": "2/b",
            "TV": "1 - exp(-1/(2*b))",
            "ADP": "Max(0, 1 - exp((eps - 1/b)/2))",
            "PDP": "Piecewise((1 - exp((eps - 1/b)/2)/2, eps < 1/b), (0, True))",
            "KL": "1/b + exp(-1/b) - 1",
            "CHI2": "2*exp(1/b)/3 + exp(-2/b)/3 - 1",
            "HELL2": "1 - exp(-1/(2*b))*(1 + 1/(2*b))",
            "RDP": "log(alpha*exp((alpha - 1)/b)/(2*alpha - 1) + (alpha - 1)*exp(-alpha/b)/(2*alpha - 1))/(alpha - 1)",
        },
    ),
    "gaussian": Family(
        "gaussian(sigma)", {"sigma": _POSITIVE}, "a number plus normal noise of deviation sigma",
        notion=("GDP", "1/sigma"),
        levels={
            "GDP": "1/sigma",
            "TV": "erf(1/(2*sqrt(2)*sigma))",
            "ADP": "(erfc((eps*sigma - 1/(2*sigma))/sqrt(2)) - exp(eps)*erfc((eps*sigma + 1/(2*sigma))/sqrt(2)))/2",
            "PDP": "erfc((eps*sigma - 1/(2*sigma))/sqrt(2))/2",
            "KL": "1/(2*sigma**2)",
            "ZCDP": "1/(2*sigma**2)",
            "RDP": "alpha/(2*sigma**2)",
            "CHI2": "exp(1/sigma**2) - 1",
            "HELL2": "1 - exp(-1/(8*sigma**2))",
        },
        infinite=("DP", "RB", "LDP"),
    ),
    "geometric": Family(
        "geometric(eps)", {"eps": _POSITIVE}, "a whole number plus two-sided geometric noise of ratio exp(-eps)",
        notion=("DP", "eps"),
    ),
    "krr": Family(
        "krr(k, eps)", {"k": _VALUES, "eps": _POSITIVE}, "k-ary randomized response", frozenset({"k"}),
        atoms=(
            ("exp(eps)/(exp(eps) + k - 1)", "1/(exp(eps) + k - 1)", "eps"),
            ("1/(exp(eps) + k - 1)", "exp(eps)/(exp(eps) + k - 1)", "-eps"),
            ("(k - 2)/(exp(eps) + k - 1)", "(k - 2)/(exp(eps) + k - 1)", "0"),
        ),
    ),
    "exponential": Family(
        "exponential(eps)", {"eps": _POSITIVE}, "the exponential mechanism, weights exp(eps u/2), the worst utility u",
        notion=("RB", "eps"),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Noise:
    """A family with its parameters as expressions.

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
        return Wanted(get(key), (substitute(parse(text), self.named),))

    def level(self, wanted: Wanted) -> Expr | None:
        """The exact level under the notion of a guarantee, at its further parameters; None where none is known.

        >>> from symprivacy.claims.guarantees import guarantee
        >>> Noise("laplace", (parse("2"),)).level(guarantee("KL(k)"))
        Expr('exp(-1/2) - 1/2')
        """
        text = self.family.levels.get(wanted.notion.key)
        if text is None:
            return None
        # The family's parameters may share names with the notion's (eps): the two are put in at once.
        others = {name: value for name, value in wanted.named.items() if name != wanted.judged}
        return substitute(parse(text), {**others, **self.named})

    def atoms(self) -> tuple[tuple[Expr, Expr, Expr], ...]:
        """P, Q and loss of every outcome, for a family with few; else nothing."""
        put = self.named
        return tuple(
            (substitute(parse(p), put), substitute(parse(q), put), substitute(parse(loss), put))
            for p, q, loss in self.family.atoms
        )

    def __str__(self) -> str:
        return f"{self.key}({', '.join(to_text(v) for v in self.values)})"
