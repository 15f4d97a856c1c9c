"""What derivations need to know of a notion: plain data, no record and no mechanism.

A view says how the notion constrains likelihood ratios: by posteriors, by a ratio G(level, p), by the mean of a
convex function of a ratio, or by the width of a ratio's range. The three lines of a notion of one's own:

>>> from sympy import exp
>>> from symprivacy.notions.symbols import P, Q, real
>>> tau = real("tau")
>>> mine = View.of("Mine", tau, posterior=[Q <= P + tau * (1 - P)])
>>> mine.parts
(('q', '<=', 'p + tau*(1 - p)'),)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sympy import Expr, Lambda, Symbol, exp, oo
from sympy.core.relational import Relational

from symprivacy.errors import InputError, UnsupportedError
from symprivacy.notions.statement import Domain, Given, Span, Statement, span
from symprivacy.notions.symbols import NATURAL, RATIOS, A, E, P, Q, R, W

Constraint = tuple[Expr, str, Expr]
PRIOR = Span(P, *NATURAL[P])


@dataclass(frozen=True)
class View:
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

    @property
    def both(self) -> bool:
        """Whether it compares each pair in both orders."""
        return self.orders == "both"

    def covers(self, other: View) -> bool:
        """Whether the pairs that this notion compares include those of the other one, in the other one's orders."""
        return covers(self.relation, other.relation) and self.orders in ("both", other.orders)

    @staticmethod
    def of_ratio(key: str, level: Symbol, ratio: Expr, hi: Expr = oo) -> View:
        """A notion given by its G(level, p).

        >>> from sympy import exp
        >>> from symprivacy.notions.symbols import real
        >>> View.of_ratio("Mine", real("tau"), exp(2 * real("tau"))).ratio
        exp(2*tau)
        """
        return View(key, span(level, 0, hi), ratio=ratio)

    @staticmethod
    def of(
        key: str,
        level: Symbol,
        *,
        hi: Expr = oo,
        posterior: Iterable[Relational] = (),
        ratio: Expr | None = None,
        generator: Expr | None = None,
        transform: Expr | None = None,
    ) -> View:
        """A notion of one's own: posterior constraints in q and p, or G in p, or a convex f in r.

        >>> from symprivacy.notions.symbols import real
        >>> View.of("Half", real("h"), generator=(R - 1) ** 2 / 2).mean[0]
        Lambda(r, (r - 1)**2/2)
        """
        parts = tuple(read_constraint(c) for c in posterior)
        if sum((bool(parts), ratio is not None, generator is not None)) != 1:
            raise InputError(f"{key}: give exactly one of posterior=, ratio= and generator=")
        mean = None if generator is None else (Lambda(R, generator), Lambda(R, R if transform is None else transform))
        return View(key, span(level, 0, hi), posterior=parts, ratio=ratio, mean=mean)

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


def posterior_statements(view: View) -> tuple[Statement, ...]:
    """The constraints on the posterior at symbolic parameters, for every prior."""
    # Where the prior is a parameter of the notion it has its range already.
    domain = tuple(s for s in view.domain if s.symbol != P)
    return tuple(Statement(lhs, rel, rhs, (*domain, PRIOR)) for lhs, rel, rhs in view.posterior)


def targets(view: View) -> tuple[Statement, ...]:
    """What has to be shown for a guarantee of this notion, at symbolic parameters."""
    level = view.level.symbol
    if view.mean is not None:
        f, transform = view.mean
        return (Statement(transform(E(f(RATIOS[view.compares]))), "<=", level, (*view.domain, *view.every)),)
    if view.uniform:
        r = RATIOS["uniform"]
        return Statement(r, "<=", exp(level), view.domain), Statement(r, ">=", exp(-level), view.domain)
    if view.posterior:
        return posterior_statements(view)
    if view.ratio is not None:
        prior = (PRIOR,) if P in view.ratio.free_symbols else ()
        return (Statement(A, "<=", view.ratio, (*view.domain, *prior)),)
    if view.width is not None:
        return (Statement(W, "<=", view.width, view.domain),)
    raise UnsupportedError(f"{view.key} has no constraint on ratios or posteriors")


def covers(relation: str, other: str) -> bool:
    """Whether the pairs of one relation include those of another.

    A notion of two given secrets ("any") is about whichever pairs the other side compares.

    >>> covers("all pairs", "neighbours"), covers("neighbours", "all pairs"), covers("unbounded", "adding a record")
    (True, False, True)
    """
    smaller = {"correlated": ("neighbours",), "unbounded": ("adding a record", "removing a record")}
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
