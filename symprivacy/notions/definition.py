"""What a notion says of likelihood ratios: the part of its record that levels and derivations compute from.

A constraint on posteriors, a ratio G(level, p), the mean of a convex function of a ratio, or the width of its range.

>>> from symprivacy.notions.registry import definition_of
>>> [str(s) for s in targets(definition_of("SP"))]
['E(Max(0, r_g - 1)) <= eta']
"""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr, Lambda, Symbol, exp
from sympy.core.relational import Relational

from symprivacy.errors import InputError, UnsupportedError
from symprivacy.notions.statement import Domain, Given, Span, Statement
from symprivacy.notions.symbols import NATURAL, RATIOS, A, E, P, Q, W

Constraint = tuple[Expr, str, Expr]
PRIOR = Span(P, *NATURAL[P])


@dataclass(frozen=True)
class Definition:
    """A notion as constraints on likelihood ratios.

    Attributes:
        level: the span of the parameter that conversions speak about; smaller is stronger.
        others: spans of further parameters, such as the order of a Renyi divergence.
        posterior: constraints on the posterior q of a secret of prior p, for every p in (0, 1).
        ratio: G(level, p), the largest likelihood ratio that is allowed.
        mean: f and T with the notion T(E f(r)) <= level, r of mean one; f is convex and T increasing.
        compares: what r is the ratio of: "outputs" (of neighbours), "secrets" (posterior to prior) or "games"
            (posteriors with and without one record).
        width: the largest ratio over the smallest, as a function of the level.
        uniform: the notion bounds |log posterior/prior| for the uniform prior on m secrets.
        events: the definition speaks about events, not only single outputs.
        relation: which pairs of inputs it compares; "any" for a notion of two given secrets.
        every: spans of variables that the definition quantifies over, such as the order of a concentrated notion.
        orders: in which order it compares a pair: "both", or only the secret that is "present" or "absent" first.
        quotient: bounds on posterior over prior of every input, for one prior that is not known.
    """

    key: str
    level: Span
    others: Domain = ()
    posterior: tuple[Constraint, ...] = ()
    ratio: Expr | None = None
    mean: tuple[Lambda, Lambda] | None = None
    compares: str = "outputs"
    width: Expr | None = None
    uniform: bool = False
    events: bool = True
    relation: str = "any"
    orders: str = "both"
    every: Domain = ()
    quotient: tuple[Expr, Expr] | None = None

    @property
    def both(self) -> bool:
        """Whether it compares each pair in both orders."""
        return self.orders == "both"

    def covers(self, other: Definition) -> bool:
        """Whether the pairs that this notion compares include those of the other one, in the other one's orders."""
        return covers(self.relation, other.relation) and self.orders in ("both", other.orders)

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """The parameters in order, the level last."""
        return (*(s.symbol for s in self.others), self.level.symbol)

    @property
    def domain(self) -> Domain:
        """The ranges of the parameters."""
        return (*self.others, self.level)

    @property
    def given(self) -> Given:
        """The guarantee with symbolic parameters."""
        return Given(self.key, self.symbols)

    @property
    def parts(self) -> tuple[tuple[str, str, str], ...]:
        """The posterior constraints as text."""
        return tuple((str(lhs), rel, str(rhs)) for lhs, rel, rhs in self.posterior)

    @property
    def bounds_ratio(self) -> bool:
        """Whether a likelihood ratio can be bounded from this notion."""
        return bool(self.posterior) or self.ratio is not None


def posterior_statements(notion: Definition) -> tuple[Statement, ...]:
    """The constraints on the posterior at symbolic parameters, for every prior."""
    # Where the prior is a parameter of the notion it has its range already.
    domain = tuple(s for s in notion.domain if s.symbol != P)
    return tuple(Statement(lhs, rel, rhs, (*domain, PRIOR)) for lhs, rel, rhs in notion.posterior)


def targets(notion: Definition) -> tuple[Statement, ...]:
    """What has to be shown for a guarantee of this notion, at symbolic parameters."""
    level = notion.level.symbol
    if notion.mean is not None:
        f, transform = notion.mean
        return (Statement(transform(E(f(RATIOS[notion.compares]))), "<=", level, (*notion.domain, *notion.every)),)
    if notion.uniform:
        r = RATIOS["uniform"]
        return Statement(r, "<=", exp(level), notion.domain), Statement(r, ">=", exp(-level), notion.domain)
    if notion.posterior:
        return posterior_statements(notion)
    if notion.ratio is not None:
        prior = (PRIOR,) if P in notion.ratio.free_symbols else ()
        return (Statement(A, "<=", notion.ratio, (*notion.domain, *prior)),)
    if notion.width is not None:
        return (Statement(W, "<=", notion.width, notion.domain),)
    raise UnsupportedError(f"{notion.key} has no constraint on ratios or posteriors")


def covers(relation: str, other: str) -> bool:
    """Whether the pairs of one relation include those of another.

    A notion of two given secrets ("any") is about whichever pairs the other side compares.

    >>> covers("all pairs", "neighbours"), covers("neighbours", "all pairs"), covers("unbounded", "adding a record")
    (True, False, True)
    """
    one = ("adding a record", "removing a record")
    # Statements about one record are read for databases whose neighbours are those that differ in one.
    smaller = {
        "correlated": ("neighbours", "one record"),
        "unbounded": one,
        # Under every law: also those on any two databases.
        "averaged": ("all pairs", "neighbours", "one record", "bounded", "unbounded", *one),
        "neighbours": ("one record",),
        "bounded": ("one record",),
        "one record": ("neighbours", "bounded", "unbounded", *one),
    }
    return "any" in (relation, other) or relation in ("all pairs", other) or other in smaller.get(relation, ())


def read_constraint(c: Relational) -> Constraint:
    """A posterior constraint such as ``Q <= P + eta``, with q (or 1 - q) alone on the left.

    >>> read_constraint(1 - Q >= 1 - 2 * P)
    (1 - q, '>=', 1 - 2*p)
    """
    rel = {"LessThan": "<=", "GreaterThan": ">="}.get(type(c).__name__)
    if rel is None:
        raise InputError(f"{c}: a posterior constraint is written with <= or >=")
    for lhs, sign, rhs in ((c.lhs, rel, c.rhs), (c.rhs, {"<=": ">=", ">=": "<="}[rel], c.lhs)):
        if lhs in (Q, 1 - Q) and Q not in rhs.free_symbols:
            return lhs, sign, rhs
    raise InputError(f"{c}: a posterior constraint has q or 1 - q alone on one side")
