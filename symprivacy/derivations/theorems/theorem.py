"""Theorems between two notions, and the steps that show them.

A theorem is one of five sentences about a premise and a conclusion, for all values of its domain:

- ``implies``: every mechanism with the premise has the conclusion;
- ``sharp``: for every smaller level of the conclusion some mechanism has the premise and not that conclusion;
- ``tight``: both of these;
- ``finite``: every level of the premise below its largest value gives some finite level of the conclusion;
- ``nothing``: for every level of the conclusion below its largest value some mechanism has the premise and not it.

A rule makes a theorem of earlier ones and of parameters, and says which inequalities between real numbers have to be
certified. :func:`check` believes nothing of a stored step: it runs the rule again, compares, and lets the kernel's
checker verify every certificate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from sympy import Expr, Max, Min, Symbol, exp, log

from symprivacy.derivations.derivation import DerivationError, need
from symprivacy.errors import SymPrivacyError
from symprivacy.notions import get
from symprivacy.notions.certify import certify, equal, verify
from symprivacy.notions.statement import ASSUMPTIONS, Domain, Given, Statement, replace
from symprivacy.search.effort import STEPS
from symprivacy.shown import Shown


class Kind(StrEnum):
    """Which of the sentences a theorem is."""

    IMPLIES = "implies"
    SHARP = "sharp"
    TIGHT = "tight"
    FINITE = "finite"
    NOTHING = "nothing"


_SIGNS = {
    Kind.IMPLIES: "=>",
    Kind.SHARP: "=> at best",
    Kind.TIGHT: "=> exactly",
    Kind.FINITE: "=> some",
    Kind.NOTHING: "=/=>",
}


@dataclass(frozen=True)
class Theorem(Shown):
    """One of the sentences; ``assuming`` holds what is said of the inputs, such as the diameter of their graph.

    Values stand in the order of the calculus, the level last. Levels are left out of both sides of ``finite`` and of
    the conclusion of ``nothing``.

    >>> x = Symbol("x", real=True)
    >>> print(Theorem(Kind.IMPLIES, Given("DP", (x,)), Given("RB", (2 * x,))))
    DP(x) => RB(2*x)
    """

    kind: Kind
    premise: Given
    conclusion: Given
    domain: Domain = ()
    assuming: tuple[Given, ...] = ()
    # What shows that a level is reached or that nothing follows, in words.
    witness: str = ""
    # What an implicit quantity in the conclusion stands for.
    where: str = ""

    def subs(self, mapping: Mapping[Symbol, Expr], domain: Domain) -> Theorem:
        """The instance of the theorem, with another domain."""

        def at(g: Given) -> Given:
            return Given(g.key, tuple(replace(v, mapping) for v in g.values))

        return Theorem(
            self.kind, at(self.premise), at(self.conclusion), domain, tuple(map(at, self.assuming)), self.witness,
            self.where,
        )  # fmt: skip

    def to_json(self) -> dict[str, Any]:
        """Plain data; expressions as text."""
        return {
            "kind": self.kind.value,
            "premise": str(self.premise),
            "conclusion": str(self.conclusion),
            "domain": [s.to_json() for s in self.domain],
            "assuming": [str(g) for g in self.assuming],
            "witness": self.witness,
            "where": self.where,
        }

    def __str__(self) -> str:
        sign = _SIGNS[self.kind]
        return " and ".join(map(str, (self.premise, *self.assuming))) + f" {sign} {self.conclusion}"


@dataclass(frozen=True)
class Result:
    """What a rule gives: a theorem and the inequalities it needs."""

    theorem: Theorem
    obligations: tuple[Statement, ...] = ()


Rule = Callable[..., Result]
RULES: dict[str, tuple[Rule, tuple[str, ...]]] = {}


def rule(name: str, *principles: str) -> Callable[[Rule], Rule]:
    """Register a rule with the principles it applies; its parameters are the keywords of the function."""

    def register(function: Rule) -> Rule:
        RULES[name] = (function, principles)
        return function

    return register


@dataclass(frozen=True)
class Step:
    """How one theorem was shown: rule, names of the theorems it uses, parameters, certificates."""

    name: str
    theorem: Theorem
    rule: str
    uses: tuple[str, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    certificates: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)


def applied(name: str, used: tuple[Theorem, ...], parameters: Mapping[str, Any]) -> Result:
    """What a rule gives; raises DerivationError where it does not apply."""
    if name not in RULES:
        raise DerivationError(f"unknown rule {name!r}")
    try:
        found = RULES[name][0](*used, **parameters)
        _well_formed(found)
        return found
    except SymPrivacyError:
        raise
    except (TypeError, ValueError, AttributeError, KeyError, IndexError) as e:
        raise DerivationError(f"{name}: malformed: {type(e).__name__} {e}") from e


def _well_formed(found: Result) -> None:
    """Every variable has one range, in terms of earlier ones, and every guarantee is a notion with its parameters.

    Otherwise one name would stand for two variables, and what is certified for both at once be taken for all of both.
    """
    t = found.theorem
    for domain in (t.domain, *(o.domain for o in found.obligations)):
        known: set[Symbol] = set()
        for s in domain:
            need(isinstance(s.symbol, Symbol) and s.symbol.name.isidentifier(), f"{s.symbol} is not a variable")
            need(s.symbol not in known, f"two ranges for {s.symbol}")
            need(s.lo.free_symbols | s.hi.free_symbols <= known, f"{s} depends on what has no range before it")
            known.add(s.symbol)
    bound = {s.symbol for s in t.domain}
    levels = (t.kind is not Kind.FINITE, t.kind not in (Kind.FINITE, Kind.NOTHING))
    for g, level in zip((t.premise, t.conclusion), levels, strict=True):
        record = get(g.key)
        need(record.key == g.key, f"{g.key} is called {record.key}")
        need(len(g.values) == len(record.others) + level, f"{g} has another number of parameters")
    need(all(g.key in ASSUMPTIONS for g in t.assuming), "only what is said of the inputs is assumed beside the premise")
    for g in (t.premise, t.conclusion, *t.assuming):
        need(all(v.free_symbols <= bound for v in g.values), f"{g} has variables without a range")


def make(
    name: str, rule_name: str, used: tuple[tuple[str, Theorem], ...], parameters: Mapping[str, Any], steps: int = STEPS
) -> Step:
    """Apply a rule and find the certificates; raises NotCertified."""
    found = applied(rule_name, tuple(t for _, t in used), parameters)
    certificates = tuple(certify(o, steps) for o in found.obligations)
    return Step(name, found.theorem, rule_name, tuple(n for n, _ in used), parameters, certificates)


def check(step: Step, known: Mapping[str, Theorem]) -> None:
    """Run the rule of a step again on theorems that are known already, and verify its certificates."""
    missing = [name for name in step.uses if name not in known]
    need(not missing, f"{step.name} uses {missing}, which is not shown before it")
    found = applied(step.rule, tuple(known[name] for name in step.uses), step.parameters)
    need(found.theorem == step.theorem, f"{step.name}: the rule gives {found.theorem}, the step says {step.theorem}")
    certified(step, found)


def certified(step: Step, found: Result) -> None:
    """Verify the certificates of a step, one for every inequality that its rule has just asked for."""
    need(
        len(found.obligations) == len(step.certificates),
        f"{step.name}: {len(found.obligations)} side conditions, {len(step.certificates)} certificates",
    )
    for obligation, certificate in zip(found.obligations, step.certificates, strict=True):
        verify(obligation, certificate)


def way(kind: str) -> Kind:
    """The direction that a rule for both shows: what follows, or that nothing better does.

    >>> way("sharp")
    <Kind.SHARP: 'sharp'>
    """
    need(kind in ("implies", "sharp"), "expected implies or sharp")
    return Kind(kind)


def agree(a: Expr, b: Expr, domain: Domain) -> bool:
    """Whether two values are equal by the kernel's algebra, or are logarithms (or one is) of equal values.

    >>> from sympy import S, exp, log, oo
    >>> from symprivacy.notions.statement import Span
    >>> x = Symbol("x", real=True)
    >>> agree(log(1 + (exp(x) - 1)), x, (Span(x, S.Zero, oo),))
    True
    """
    if equal(a, b, domain):
        return True
    parts = [e.args[0] if isinstance(e, log) else exp(e) for e in (a, b)]
    return any(isinstance(e, log) for e in (a, b)) and equal(parts[0], parts[1], domain)


def same(a: Given, b: Given, domain: Domain) -> bool:
    """Whether two guarantees are the same by the kernel's algebra."""
    return (
        a.key == b.key
        and len(a.values) == len(b.values)
        and all(agree(u, v, domain) for u, v in zip(a.values, b.values, strict=True))
    )


def settled(e: Expr, cases: tuple[tuple[Expr, Expr], ...], domain: Domain) -> tuple[Expr, tuple[Statement, ...]]:
    """Maxima and minima replaced by the case that is said to occur, and what has to be certified for that.

    >>> from sympy import Max, S, oo
    >>> from symprivacy.notions.statement import Span
    >>> x = Symbol("x", real=True)
    >>> form, conditions = settled(Max(0, x), ((Max(0, x), x),), (Span(x, S.Zero, oo),))
    >>> form, str(conditions[0])
    (x, 'x >= 0')
    """
    obligations: list[Statement] = []
    for node, choice in cases:
        need(isinstance(node, Max | Min) and choice in node.args, f"{choice} is not a case of {node}")
        rel = ">=" if isinstance(node, Max) else "<="
        obligations += [Statement(choice, rel, other, domain) for other in node.args if other != choice]
        e = e.xreplace({node: choice})
    return e, tuple(obligations)
