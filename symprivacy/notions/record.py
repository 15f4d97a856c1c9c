"""A notion as one record: parameters, definition, likelihood ratio or divergence, properties, level."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from sympy import Expr, Interval, Lambda, Symbol, oo
from sympy.core.relational import Relational

from symprivacy.errors import InputError
from symprivacy.notions.guarantee import Guarantee, fill
from symprivacy.notions.levels.channel import Channel
from symprivacy.notions.levels.options import Options
from symprivacy.notions.levels.pairs import FixedTerm
from symprivacy.notions.levels.result import Level
from symprivacy.notions.levels.rough import Measure
from symprivacy.notions.quantifiers import NO_PRIOR, Orders, Pairs, Priors
from symprivacy.shown import Shown

# The probability of the secret in the two-secret view; every G(level, p) is written in it.
P = Symbol("p", real=True)
R = Symbol("r", real=True)
# Its probability after the output was seen.
Q = Symbol("q", real=True)

LevelRule = Callable[[Channel, Mapping[str, Expr], Options], Level]


class Direction(Enum):
    """How a parameter orders the guarantees of one notion."""

    SMALLER_IS_STRONGER = "smaller is stronger"
    LARGER_IS_STRONGER = "larger is stronger"
    NEITHER = "neither"


class Holds(Enum):
    """Three-valued: a property is known to hold, known to fail, or not known."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Parameter:
    """A named parameter with its domain; the symbol itself carries no domain.

    >>> Parameter("eps").domain
    Interval(0, oo)
    """

    name: str
    domain: Interval = field(default_factory=lambda: Interval(0, oo))
    direction: Direction = Direction.SMALLER_IS_STRONGER
    meaning: str = ""

    @property
    def symbol(self) -> Symbol:
        """The sympy symbol of this parameter."""
        return Symbol(self.name, real=True)


@dataclass(frozen=True)
class Property:
    """A known property (post-processing, convexity, composition) with where it is stated."""

    name: str
    holds: Holds
    source: str
    detail: str = ""


@dataclass(frozen=True)
class Alias:
    """Another name; ``ambiguous`` names are refused by lookup with the list of what they could mean."""

    name: str
    source: str = ""
    ambiguous: bool = False
    note: str = ""


@dataclass(frozen=True)
class Divergence:
    """transform(E_Q f(dP/dQ)) <= parameter, with f convex.

    ``slope`` is the limit of f(r)/r at infinity: the weight of outputs that Q never produces. ``fixed`` is
    an optional integer enclosure of b f(a/b), which makes large channels fast; tests compare it with
    ``generator``. ``rough`` measures the same in floating point, up to an increasing function, and is used to discard
    pairs only.
    """

    generator: Lambda
    slope: Expr
    transform: Lambda = field(default_factory=lambda: Lambda(R, R))
    symmetric: bool = False
    at_zero: Expr | None = None
    fixed: FixedTerm | None = field(default=None, repr=False, compare=False)
    rough: Measure | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class Notion(Shown):
    """A privacy definition with named parameters.

    Calling it fills the parameters and gives a :class:`Guarantee`.

    >>> from symprivacy.notions import get
    >>> get("DP")(1)
    DP(eps=1)
    >>> get("DP").ratio
    exp(eps)
    """

    key: str
    name: str
    parameters: tuple[Parameter, ...]
    statement: str
    latex: str
    dimensions: frozenset[str]
    source: str
    ratio: Expr | None = None
    divergence: Divergence | None = None
    # The definition as constraints on the posterior Q of a secret of prior P, from which the ratio follows.
    posterior: tuple[Relational, ...] = ()
    pairs: Pairs = Pairs.NEIGHBOURS
    orders: Orders = Orders.BOTH
    priors: Priors = NO_PRIOR
    properties: tuple[Property, ...] = ()
    aliases: tuple[Alias, ...] = ()
    target: str | None = None
    level: LevelRule | None = field(default=None, repr=False, compare=False)
    why_no_level: str = ""
    # Why derive has nothing to work with, where it has not.
    why_no_view: str = ""

    def __post_init__(self) -> None:
        if not self.dimensions <= frozenset("QNVBFRC"):
            letters = "".join(sorted(self.dimensions))
            raise InputError(f"notion {self.key}: dimensions {letters}, expected letters of QNVBFRC")

    def __call__(self, *values: object, **named: object) -> Guarantee:
        """The guarantee with these parameters; each may be an expression.

        >>> from symprivacy.notions import get
        >>> from sympy import Rational
        >>> get("ADP")(1, delta=Rational(1, 10))
        ADP(eps=1, delta=1/10)
        """
        return fill(self, values, named)

    @property
    def quantifiers(self) -> str:
        """Pairs, orders and priors in words.

        >>> from symprivacy.notions import get
        >>> get("MBP").quantifiers
        'any two inputs, both orders, every prior'
        """
        return ", ".join(filter(None, (self.pairs.words, self.orders.words, self.priors.words)))

    def parameter(self, name: str) -> Parameter:
        """One parameter by name."""
        for parameter in self.parameters:
            if parameter.name == name:
                return parameter
        known = ", ".join(parameter.name for parameter in self.parameters)
        raise InputError(f"{self.key} has no parameter {name!r}; it has {known}")

    def holds(self, name: str) -> Holds:
        """Whether a property is known to hold.

        >>> from symprivacy.notions import get
        >>> get("PDP").holds("post-processing")
        <Holds.NO: 'no'>
        """
        for known in self.properties:
            if known.name == name:
                return known.holds
        return Holds.UNKNOWN
