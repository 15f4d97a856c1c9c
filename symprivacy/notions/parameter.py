"""Parameters of notions: where they lie, and which of two values is the stronger guarantee."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from sympy import Interval, Symbol, oo

from symprivacy.notions.statement import Span


class Direction(Enum):
    """How a parameter orders the guarantees of one notion."""

    SMALLER_IS_STRONGER = "smaller is stronger"
    LARGER_IS_STRONGER = "larger is stronger"
    NEITHER = "neither"


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
    # Where formulas are evaluated when nobody says where; ``asked`` where a conclusion is given this parameter.
    reference: str = ""
    asked: str = ""
    # Whether it stands for whole numbers only.
    whole: bool = False

    @property
    def weaker(self) -> str:
        """How a value that is weaker, or the same, compares to another.

        >>> Parameter("eps").weaker, PRIOR_OF_TWO.weaker
        ('>=', '==')
        """
        return {Direction.SMALLER_IS_STRONGER: ">=", Direction.LARGER_IS_STRONGER: "<="}.get(self.direction, "==")

    @property
    def inside(self) -> str:
        """A value of the parameter: the reference, else one above the start of its domain or a fifth of the way in.

        >>> Parameter("eps").inside, Parameter("t", Interval(0, 1)).inside
        ('1', '1/5')
        """
        lo, hi = self.domain.start, self.domain.end
        return self.reference or str(lo + 1 if hi == oo else lo + (hi - lo) / 5)

    @property
    def symbol(self) -> Symbol:
        """The sympy symbol of this parameter."""
        return Symbol(self.name, real=True)

    @property
    def span(self) -> Span:
        """Its range in derivations: open, because level 0 is the trivial end of every family and quotients have to be
        defined; closed below for a number of secrets or of steps.

        >>> print(Parameter("eps").span, Parameter("m", Interval(2, oo), whole=True).span)
        eps in (0, oo) m in [2, oo)
        """
        return Span(self.symbol, self.domain.start, self.domain.end, not self.whole, True)


#: What a mechanism determines by itself where it is not given.
SECRETS = Parameter("m", Interval(2, oo), Direction.NEITHER, "number of secrets", whole=True)
PRIOR_OF_TWO = Parameter("p", Interval.open(0, 1), Direction.NEITHER, "prior probability of the first of two", "1/3")
