"""A notion as one record: parameters, definition, likelihood ratio or divergence, properties, level."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from sympy import Expr, Interval, Lambda, Piecewise, exp, oo
from sympy.core.relational import Relational

from symprivacy.errors import InputError
from symprivacy.language.bridge import to_sympy
from symprivacy.language.notation import Text
from symprivacy.language.text import parse
from symprivacy.notions import own, readings
from symprivacy.notions.between import Between
from symprivacy.notions.definition import Definition
from symprivacy.notions.f_divergence import Divergence, divergence
from symprivacy.notions.guarantee import Guarantee, fill
from symprivacy.notions.kinds import Kind, kind_of
from symprivacy.notions.level_rules import LevelRule, level_rule, mean_rule
from symprivacy.notions.parameter import PRIOR_OF_TWO, Direction, Parameter
from symprivacy.notions.property import Alias, Holds, Property
from symprivacy.notions.quantifiers import NO_PRIOR, Orders, Pairs, Priors
from symprivacy.notions.record_definition import definition_of
from symprivacy.notions.registry import get, register
from symprivacy.shown import Shown


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
    # The largest ratio over the smallest one, for a notion that bounds the width of their range.
    width: Expr | None = None
    # f and T with T(E f(r)) at most the level, where no divergence of neighbours says it; ``compares`` is what r is the
    # ratio of: outputs, secrets (posterior to prior) or games (posteriors with and without one record).
    mean: tuple[Lambda, Lambda] | None = None
    compares: str = "outputs"
    # What the mean is bounded for all values of at once, such as the order of a Renyi divergence.
    every: tuple[Parameter, ...] = ()
    # Bounds on posterior over prior of every input, for one prior that is not known.
    quotient: tuple[Expr, Expr] | None = None
    # The level bounds |log posterior/prior| for the uniform prior on m secrets.
    uniform: bool = False
    # The level bounds the log of the sum over outputs of the largest likelihood of m secrets.
    leakage: bool = False
    # The level is the width of the log ratio under P around its mean, which another parameter bounds.
    subgaussian: bool = False
    # The least error of the second kind of a test whose error of the first kind is a.
    tradeoff: Expr | None = None
    pairs: Pairs = Pairs.NEIGHBOURS
    orders: Orders = Orders.BOTH
    priors: Priors = NO_PRIOR
    properties: tuple[Property, ...] = ()
    aliases: tuple[Alias, ...] = ()
    # The parameter that a level is: of a mechanism, and of an implication to this notion.
    target: str | None = None
    # The level of DP that it is, for one pair of inputs compared in both orders, as a text; tests certify it.
    pure: str = ""
    # The level that ratios of one output up to exp(eps) need, as a text in eps and in what an implication to this
    # notion is given; nothing where the level is that eps itself.
    reached: str = ""
    # The largest level there is, as a text, where that is not the end of the level's range.
    top: str = ""
    # What an implication to this notion is given although the definition has no such parameter.
    needs: str | None = None
    level: LevelRule | None = field(default=None, repr=False, compare=False)
    why_no_level: str = ""
    # Why derive has nothing to work with, where it has not.
    why_not_derived: str = ""
    # The class of priors, where the record was computed from another one for that class.
    reading: str = ""
    # What it lies between, for a notion without a table; and what its first order alone lies between.
    between: Between | None = None
    one_order: Between | None = None
    # Defined by the user: everything about it is computed from the fields above.
    own: bool = False
    # What such a definition was given: it travels to other processes, which define the notion again.
    given: tuple[tuple[object, ...], Mapping[str, object]] | None = field(default=None, repr=False, compare=False)

    def __reduce__(self) -> tuple[Callable[..., Notion], tuple[object, ...]]:
        return (_defined_again, self.given) if self.given else (get, (self.key,))

    @classmethod
    def define(
        cls,
        key: str,
        *parameters: object,
        ratio: object = None,
        posterior: object = None,
        width: object = None,
        mean: object = None,
        transform: object = None,
        orders: object = "both",
        pairs: object = "neighbours",
        name: str = "",
        latex: str = "",
        source: str = "",
    ) -> Notion:
        """A notion of one's own, known to every command and function by its key from then on.

        Args:
            key: letters and digits, such as ``Half``.
            parameters: ranges such as ``"h in [0, oo)"``, or one mapping of names to ranges; the last one is the level.
            ratio: the allowed likelihood ratio, which may use the prior p of a secret.
            posterior: constraints on the posterior q of a secret of prior p, such as ``"q <= p + tau*(1 - p)"``.
            width: the largest ratio over the smallest one.
            mean: a convex function of r = dP/dQ, 0 at r = 1, whose mean under Q is bounded.
            transform: an increasing function of that mean m, 0 at m = 0.

        >>> half = Notion.define("Half", "h in [0, oo)", mean="(r - 1)**2/2")
        >>> half(1), half.statement
        (Half(h=1), 'for all neighbouring inputs with output laws P, Q and r = dP/dQ: E_Q[(r - 1)**2/2] <= h')
        >>> from symprivacy.notions import forget
        >>> forget("Half")
        """
        given = {"ratio": ratio, "posterior": posterior, "width": width, "mean": mean, "transform": transform}
        ranges = parameters[0] if len(parameters) == 1 else parameters
        d = own.read(key, ranges, given, orders, pairs)
        found = cls(
            d.key,
            str(name) or d.key,
            tuple(
                Parameter(n, r, Direction.NEITHER if k < len(d.parameters) - 1 else Direction.SMALLER_IS_STRONGER)
                for k, (n, r) in enumerate(d.parameters)
            ),
            d.statement,
            str(latex) or d.latex,
            frozenset("F" if d.kind in ("posterior", "width") else "Q"),
            str(source) or "defined by the user",
            ratio=d.ratio,
            divergence=None if d.mean is None else divergence(d.key, d.mean, d.transform, d.domain[:-1]),
            posterior=d.posterior,
            width=d.width,
            pairs=d.pairs,
            orders=d.orders,
            priors=Priors("every prior") if d.kind == "posterior" else NO_PRIOR,
            properties=(Property("post-processing", Holds.YES, "mediants and data processing, by its kind"),),
            own=True,
            given=(
                (key, *parameters),
                {**given, "orders": orders, "pairs": pairs, "name": name, "latex": latex, "source": source},
            ),
        )
        register(found)
        return found

    def __post_init__(self) -> None:
        # Plain for whoever compares it, with its formulas marked for whoever prints it.
        object.__setattr__(self, "statement", Text(self.statement))
        if self.target is None and self.kind is not Kind.OTHER:
            object.__setattr__(self, "target", self.bounded.name)
        if self.level is None and not self.why_no_level:
            object.__setattr__(self, "level", _computed_level(self))
        if not self.dimensions <= frozenset("QNVBFRC"):
            letters = "".join(sorted(self.dimensions))
            raise InputError(f"notion {self.key}: dimensions {letters}, expected letters of QNVBFRC")

    def __str__(self) -> str:
        return f"{self.key}({', '.join(p.name for p in self.parameters)}): {self.name}; {self.statement}"

    def __call__(self, *values: object, **named: object) -> Guarantee:
        """The guarantee with these parameters; each may be an expression.

        >>> from symprivacy.notions import get
        >>> from sympy import Rational
        >>> get("ADP")(1, delta=Rational(1, 10))
        ADP(eps=1, delta=1/10)
        """
        return fill(self, values, named)

    def read(self, priors: str) -> Notion:
        """The same notion for a class of priors: "all", "one", "independent" or "p", as far as it has such readings.

        Also "forward", for the first order of every pair only.

        >>> from symprivacy.notions import get
        >>> get("InfPr").read("one").quantifiers
        'any two inputs, both orders, one given prior, positive everywhere'
        """
        return readings.read(self, priors, PRIOR_OF_TWO)

    @property
    def quantifiers(self) -> str:
        """Pairs, orders and priors in words.

        >>> from symprivacy.notions import get
        >>> get("MBP").quantifiers
        'any two inputs, both orders, every prior'
        """
        return ", ".join(filter(None, (self.pairs.words, self.orders.words, self.priors.words)))

    @property
    def bounded(self) -> Parameter:
        """The parameter that the definition bounds."""
        return [p for p in self.parameters if p.direction is not Direction.NEITHER][-1]

    @cached_property
    def definition(self) -> Definition:
        """What it says of likelihood ratios, computed from the kind; raises UnsupportedError where it says nothing.

        >>> from symprivacy.notions import get
        >>> get("DP").definition.ratio, get("KL").definition.mean[0]
        (exp(eps), Lambda(r, r*log(r)))
        """
        return definition_of(self)

    @cached_property
    def kind(self) -> Kind:
        """What it bounds, computed from the fields above; closed forms are looked up by it.

        >>> from symprivacy.notions import get
        >>> get("KL").kind.value
        'the mean of r log r'
        """
        return kind_of(self)

    @property
    def of_ratio(self) -> str | None:
        """The level that ratios of one output up to exp(eps) need, where nothing else about the laws matters.

        >>> from symprivacy.notions import get
        >>> [get(key).of_ratio for key in ("DP", "LDP", "SP", "TV")]
        ['eps', 'D*eps', 'tanh(eps/2)', None]
        """
        plain = self.pure_level == self.answers
        return self.reached or (("D*eps" if self.needs else "eps") if plain else None)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters, in order."""
        return tuple(parameter.name for parameter in self.parameters)

    @property
    def answers(self) -> str:
        """The parameter that implications to this notion answer: its level."""
        return self.target or self.parameters[-1].name

    @cached_property
    def largest(self) -> str | None:
        """The level that every mechanism has, where there is one.

        >>> from symprivacy.notions import get
        >>> get("JS").largest, get("MAXL").largest, get("DP").largest
        ('log(2)', 'log(m)', None)
        """
        end = self.parameter(self.answers).domain.end
        return self.top or (None if end == oo else str(end))

    @cached_property
    def pure_level(self) -> str | None:
        """The level of DP that the notion says the same as, as far as one pair of inputs goes.

        >>> from symprivacy.notions import get
        >>> [get(key).pure_level for key in ("DP", "SP", "TV")]
        ['eps', '4*atanh(eta)', None]
        """
        level = self.parameter(self.answers)
        return self.pure or (level.name if self.ratio == exp(level.symbol) and not self.own else None)

    def range(self, parameter: Parameter) -> Interval:
        """Where a parameter lies: a level ends at the largest one there is.

        >>> from symprivacy.notions import get
        >>> get("TV").range(get("TV").parameter("t"))
        Interval(0, 1)
        """
        top = to_sympy(parse(self.top)) if self.top and parameter.name == self.answers else oo
        return parameter.domain if top.free_symbols or top == oo else Interval(parameter.domain.start, top)

    @property
    def others(self) -> tuple[str, ...]:
        """The further parameters."""
        return tuple(name for name in self.names if name != self.answers)

    @property
    def fills(self) -> str | None:
        """The further parameter that an implication to this notion is given, where there is just one."""
        return self.others[0] if len(self.others) == 1 else None

    @property
    def asked(self) -> str | None:
        """How that parameter is called there: with suffix 2, because the premise may have one of the same name.

        >>> from symprivacy.notions import get
        >>> [get(key).asked for key in ("DP", "ADP", "LDP")]
        [None, 'eps2', 'D']
        """
        return f"{self.fills}2" if self.fills is not None else self.needs

    def reference(self, name: str) -> str:
        """A sample value of a parameter, or of what the notion is asked for.

        >>> from symprivacy.notions import get
        >>> get("ADP").reference("delta"), get("ADP").reference("eps2"), get("LDP").reference("D")
        ('1/10', '1/2', '1')
        """
        if name == self.needs:
            return "1"
        if name == self.asked and self.fills is not None:
            return self.parameter(self.fills).asked or self.parameter(self.fills).inside
        return self.parameter(name).inside

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


def _computed_level(record: Notion) -> LevelRule | None:
    """The level by the definition alone, for a record that says nothing else of it."""
    if record.divergence is not None:
        return mean_rule(record.divergence)
    plain = record.ratio is not None and not record.ratio.has(Piecewise)
    return level_rule(record.definition) if plain or record.posterior or record.width is not None else None


def _defined_again(parameters: tuple[Any, ...], given: Mapping[str, Any]) -> Notion:
    return Notion.define(*parameters, **given)
