"""The definition of a notion of one's own: read from text or sympy, checked, put into words.

Exactly one kind: the allowed likelihood ratio, constraints on the posterior q of a secret of prior p, the width of the
range of ratios, or the mean of a convex function of the ratio r = dP/dQ under Q. What is no privacy notion is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sympy import Expr, Interval, Rational, S, Symbol, diff, latex, limit, oo, simplify, sympify
from sympy.core.relational import Relational

from symprivacy.errors import InputError, SymPrivacyError
from symprivacy.kernel.box import Range
from symprivacy.language.attempt import sympy_attempt
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.language.domain import box_from_texts
from symprivacy.language.text import parse, parse_statement, shorten
from symprivacy.notions.certify import NotCertified, certify
from symprivacy.notions.convex import NotSeenConvex, convexity
from symprivacy.notions.definition import PRIOR, read_constraint
from symprivacy.notions.quantifiers import Orders, Pairs
from symprivacy.notions.statement import ASSUMPTIONS, Domain, Span, Statement
from symprivacy.notions.symbols import QUANTITIES, D, M, P, Q, R, real

KINDS = ("ratio", "posterior", "width", "mean")
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9]{0,39}")
# Quantities of definitions, and what formulas call their implicit variables, there also with a number.
_RESERVED = {s.name for s in (*QUANTITIES, P, M, D)} | {"x", "y", "z", "u", "v", "w", "zz", "K"}
# Levels and priors at which a definition is tried, as parts of the way from the least to the largest, or from there on.
_LEVELS, _EXTREME = ("1/10", "1/2", "9/10"), (Rational(1, 10**12), 1 - Rational(1, 10**12))
_POSITIVE = Span(R, sympify(0), oo)


@dataclass(frozen=True)
class Own:
    """A checked definition; the level is the last parameter."""

    key: str
    parameters: tuple[tuple[str, Interval], ...]
    kind: str
    ratio: Expr | None = None
    posterior: tuple[Relational, ...] = ()
    width: Expr | None = None
    mean: Expr | None = None
    transform: Expr = R
    orders: Orders = Orders.BOTH
    pairs: Pairs = Pairs.NEIGHBOURS

    @property
    def level(self) -> Symbol:
        """The symbol of the level."""
        return real(self.parameters[-1][0])

    @property
    def domain(self) -> Domain:
        """The open ranges of the parameters."""
        return tuple(Span(real(name), r.start, r.end) for name, r in self.parameters)

    @property
    def statement(self) -> str:
        """The definition in words."""
        x = f"for all {self.pairs.words}"
        orders = "" if self.orders is Orders.BOTH else ", in the first order only"
        if self.kind == "mean":
            body = str(self.transform.xreplace({R: Symbol(f"E_Q[{self.mean}]")}))
            return f"{x} with output laws `P, Q` and `r = dP/dQ`{orders}: `{body} <= {self.level}`"
        if self.kind == "posterior":
            rows = ", ".join(f"`{lhs} {rel} {rhs}`" for lhs, rel, rhs in map(read_constraint, self.posterior))
            return f"{x}{orders}, every prior `p` of one of the two and every output, with the posterior `q`: {rows}"
        if self.kind == "width":
            return f"{x}{orders}: the largest ratio `dP/dQ` is at most `{self.width}` times the smallest"
        prior = ", every prior `p` of one of the two" if P in self.ratio.free_symbols else ""  # type: ignore[union-attr]
        return f"{x}{orders}{prior} and every output `y`: `P(y) <= ({self.ratio}) Q(y)`"

    @property
    def latex(self) -> str:
        """The definition in LaTeX."""
        level = latex(self.level)
        if self.kind == "mean":
            inner = Symbol(r"\mathbb{E}_Q\left[" + latex(self.mean) + r"\right]")
            return rf"\forall x\sim x':\ {latex(self.transform.xreplace({R: inner}))}\le {level},\ r=dP/dQ"
        if self.kind == "posterior":
            rows = r",\ ".join(latex(c) for c in self.posterior)
            return rf"\forall x\sim x',\ \forall p\in(0,1),\ \forall y:\ {rows}"
        if self.kind == "width":
            return rf"\forall x\sim x':\ \sup_y\frac{{P(y)}}{{Q(y)}}\le {latex(self.width)}\inf_y\frac{{P(y)}}{{Q(y)}}"
        return rf"\forall x\sim x',\ \forall y:\ P(y)\le {latex(self.ratio)}\,Q(y)"


def read(
    key: str, parameters: object, given: Mapping[str, object], orders: object = "both", pairs: object = "neighbours"
) -> Own:
    """A definition from texts or sympy expressions; ``given`` holds one of the kinds, and perhaps a transform.

    >>> read("Half", "h in [0, oo)", {"mean": "(r - 1)**2/2"}).statement
    'for all neighbouring inputs with output laws `P, Q` and `r = dP/dQ`: `E_Q[(r - 1)**2/2] <= h`'
    >>> read("Bad", "h in [0, oo)", {"mean": "1 - r**2"})
    Traceback (most recent call last):
        ...
    symprivacy.errors.InputError: Bad: 1 - r**2 is not convex in r
    """
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        raise InputError(f"{shorten(repr(key))} cannot be the key of a notion: expected letters and digits")
    if key in ASSUMPTIONS or not _is_name(key):
        raise InputError(f"{key} is a reserved name")
    kinds = [kind for kind in KINDS if given.get(kind) not in (None, (), [])]
    if len(kinds) != 1:
        raise InputError(
            f"{key}: give exactly one of {', '.join(KINDS)}" + (f", got {' and '.join(kinds)}" if kinds else "")
        )
    (kind,) = kinds
    if given.get("transform") is not None and kind != "mean":
        raise InputError(f"{key}: a transform belongs to a mean")
    ranges = _parameters(key, parameters)
    names = frozenset(name for name, _ in ranges)
    what = given[kind]
    fields: dict[str, Any] = {"key": key, "parameters": ranges, "kind": kind}
    fields["orders"], fields["pairs"] = _one_of(key, Orders, orders), _one_of(key, Pairs, pairs)
    if kind == "posterior":
        rows = [what] if isinstance(what, str | Relational) else what
        if not isinstance(rows, Iterable):
            raise InputError(f"{key}: posterior is a list of constraints on q, got {shorten(repr(what))}")
        fields["posterior"] = tuple(_constraint(key, row, names | {"p", "q"}) for row in rows)
    else:
        fields[kind] = _expression(key, what, names | {"ratio": {"p"}, "width": set(), "mean": {"r"}}[kind])
    if given.get("transform") is not None:
        fields["transform"] = _expression(key, given["transform"], names | {"m"}).xreplace({M: R})
    found = Own(**fields)
    {"ratio": _check_ratio, "width": _check_ratio, "posterior": _check_posterior, "mean": _check_mean}[kind](found)
    return found


def _is_name(key: str) -> bool:
    try:
        return parse(key).op == "var"
    except InputError:
        return False


def _one_of(key: str, kind: Any, value: object) -> Any:
    name = {"all": "all pairs"}.get(str(value), str(value))
    if name not in [one.value for one in kind]:
        known = ", ".join(one.value for one in kind)
        raise InputError(f"{key}: {kind.__name__.lower()}={shorten(name)!r}, expected one of {known}")
    return kind(name)


def _parameters(key: str, given: object) -> tuple[tuple[str, Interval], ...]:
    if isinstance(given, Mapping):
        if not all(isinstance(r, str) and r.strip() for r in given.values()):
            raise InputError(f'{key}: every parameter needs a range, such as {{"h": "[0, oo)"}}')
        texts = [f"{name} in {r}" for name, r in given.items()]
    else:
        texts = [given] if isinstance(given, str) else list(given) if isinstance(given, Iterable) else []
    if not texts or not all(isinstance(text, str) and re.search(r"\sin\s*[\[(]", text) for text in texts):
        raise InputError(f"{key}: every parameter needs a range, such as 'h in [0, oo)'")
    box = box_from_texts(texts)
    for name, r in box.items():
        if name in _RESERVED or name.endswith(("2", "_")) or re.search(r"_\d+$", name):
            raise InputError(f"{key}: the parameter name {name} is reserved for formulas, unlike {name[0]}a")
        if r.lo is None:
            raise InputError(f"{key}: the range of {name} needs a lower end")
    return tuple((name, _interval(r)) for name, r in box.items())


def _interval(r: Range) -> Interval:
    assert r.lo is not None
    hi = oo if r.hi is None else to_sympy(r.hi)
    return Interval(to_sympy(r.lo), hi, r.lo_open, r.hi_open or r.hi is None)


def _expression(key: str, given: object, names: Iterable[str]) -> Expr:
    """A text, parsed and never evaluated, or a sympy expression, in the real symbols of these names."""
    allowed = frozenset(names)
    try:
        parsed = parse(given) if isinstance(given, str) else from_sympy(given)
    except SymPrivacyError as e:
        raise InputError(f"{key}: {e}") from None
    except (TypeError, ValueError, AttributeError):
        raise InputError(f"{key}: expected a text or an expression, got {shorten(repr(given))}") from None
    if stray := sorted(parsed.variables - allowed):
        raise InputError(f"{key}: {stray[0]} has no range; known here are {', '.join(sorted(allowed))}")
    return to_sympy(parsed, {name: real(name) for name in allowed})


def _constraint(key: str, given: object, names: Iterable[str]) -> Relational:
    if isinstance(given, Relational):
        sides = (given.lhs, given.rel_op, given.rhs)
    elif isinstance(given, str):
        sides = parse_statement(given)
    else:
        raise InputError(f"{key}: a constraint is a text such as 'q <= p + tau', got {shorten(repr(given))}")
    if sides[1] not in ("<=", ">="):
        raise InputError(f"{key}: a posterior constraint is written with <= or >=, got {shorten(sides[1])}")
    left, right = (_expression(key, to_sympy(s) if not isinstance(s, Expr) else s, names) for s in (sides[0], sides[2]))
    found = left <= right if sides[1] == "<=" else left >= right
    if not isinstance(found, Relational):
        raise InputError(f"{key}: {shorten(str(given))} says nothing about q")
    read_constraint(found)
    return found


def _shown(key: str, lhs: Expr, rel: str, rhs: Expr, domain: Domain, reason: str) -> None:
    """Refuse the definition unless an inequality is certified."""
    used = tuple(s for s in domain if s.symbol in lhs.free_symbols | rhs.free_symbols)
    try:
        certify(Statement(lhs, rel, rhs, used))
    except NotCertified as e:
        words = reason if "refuted" in str(e) else f"could not be shown that it is otherwise: {reason}"
        raise InputError(f"{key}: {words}") from None
    except SymPrivacyError as e:
        raise InputError(f"{key}: {reason}, as far as can be seen ({shorten(str(e))})") from None


def _check_ratio(d: Own) -> None:
    bound = d.ratio if d.ratio is not None else d.width
    assert bound is not None
    domain = (*d.domain, PRIOR)
    if d.level not in bound.free_symbols:
        raise InputError(f"{d.key}: {bound} does not depend on the level {d.level}")
    _shown(d.key, bound, ">=", sympify(1), domain, f"{bound} may be below 1, which no two laws allow")
    _shown(d.key, diff(bound, d.level), ">=", sympify(0), domain, f"{bound} does not increase with {d.level}")
    if P in bound.free_symbols:
        _check_room(d, (bound,))


def _check_room(d: Own, ratios: Iterable[Expr]) -> None:
    """Refuse what allows no difference at any level because the allowed ratio tends to 1 with the prior."""
    low, high = d.parameters[-1][1].start, d.parameters[-1][1].end
    put = {real(name): r.start + 1 if r.end == oo else (r.start + r.end) / 2 for name, r in d.parameters[:-1]}
    levels = [low + Rational(k) * (1 if high == oo else high - low) for k in _LEVELS]
    for prior in _EXTREME:
        values = [[e.xreplace({**put, d.level: v, P: prior}).evalf(40) for e in ratios] for v in levels]
        if all(any(e.is_number and abs(e - 1) < Rational(1, 10**9) for e in row) for row in values):
            end = "0" if prior < S.Half else "1"
            raise InputError(f"{d.key}: for p -> {end} it allows no difference at all, whatever {d.level} is")


def _check_posterior(d: Own) -> None:
    domain, rows = (*d.domain, PRIOR), [*map(read_constraint, d.posterior)]
    for lhs, rel, rhs in rows:
        own = P if lhs == Q else 1 - P
        _shown(d.key, own, rel, rhs, domain, f"{lhs} {rel} {rhs} is broken by q = p, where nothing was learnt")
        way = "increase" if rel == "<=" else "decrease"
        if d.level not in rhs.free_symbols:
            raise InputError(f"{d.key}: {rhs} does not depend on the level {d.level}")
        _shown(d.key, diff(rhs, d.level), rel.replace("<", ">") if rel == "<=" else "<=", sympify(0), domain,
               f"{rhs} does not {way} with {d.level}")  # fmt: skip
    bounds = [(q, rel) if lhs == Q else (1 - q, ">=" if rel == "<=" else "<=") for lhs, rel, q in rows]
    # By Bayes' rule; a bound from below is one on the ratio the other way round.
    ratios = [(q * (1 - P) / (P * (1 - q))) ** (1 if rel == "<=" else -1) for q, rel in bounds]
    _check_room(d, ratios)


def _check_mean(d: Own) -> None:
    f, wide = d.mean, (*d.domain[:-1], _POSITIVE)
    assert f is not None
    if d.level in f.free_symbols:
        raise InputError(f"{d.key}: the function of r depends on the level {d.level}; a transform may not, either")
    if simplify(f.xreplace({R: sympify(1)})) != 0:
        raise InputError(
            f"{d.key}: f(1) = {simplify(f.xreplace({R: sympify(1)}))}, expected 0, the value for equal laws"
        )
    _shown(d.key, f, "==", f, wide, f"{f} is not defined for all r > 0")
    try:
        conditions = convexity(f, R, wide)
    except NotSeenConvex:
        raise InputError(f"{d.key}: {f} is not convex in r, as far as can be seen") from None
    for s in conditions:
        _shown(d.key, s.lhs, s.rel, s.rhs, s.domain, f"{f} is not convex in r")
    if simplify(diff(f, R, 2)) == 0:
        raise InputError(f"{d.key}: {f} is a line in r, which tells no two laws apart")
    if d.transform != R:
        if d.level in d.transform.free_symbols or simplify(d.transform.xreplace({R: sympify(0)})) != 0:
            raise InputError(f"{d.key}: the transform of m has to be 0 at m = 0 and free of {d.level}")
        top = _largest_mean(f)
        means = (*d.domain[:-1], Span(R, sympify(0), top))
        _shown(d.key, diff(d.transform, R), ">", sympify(0), means, f"the transform {d.transform} does not increase")
        if top == oo:
            _check_end(d)


def _check_end(d: Own) -> None:
    """Refuse levels that are as large as those of all finite means: an infinite mean is none, and has no level."""
    mean, found = Symbol("m", positive=True), oo
    with sympy_attempt():
        found = limit(d.transform.xreplace({R: mean}), mean, oo)
    levels = d.parameters[-1][1]
    if found.is_number and found.is_finite and (levels.end > found or found in levels):
        whole = f"{d.level} in [{levels.start}, {found})"
        raise InputError(f"{d.key}: whatever its mean is, the level is below {found}; give the range as '{whole}'")


def _largest_mean(f: Expr) -> Expr:
    """The mean for laws that never meet, f(0) and the slope of f at infinity; no mean is larger."""
    r = Symbol("r", positive=True)
    with sympy_attempt():
        found = limit(f.xreplace({R: r}), r, 0, "+") + limit(f.xreplace({R: r}) / r, r, oo)
        if found.is_number and found.is_finite:
            return found
    return oo


__all__ = ["KINDS", "Own", "read"]
