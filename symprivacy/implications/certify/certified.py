"""Conversions with their proof from both sides: a derivation of the level, and a mechanism that nearly needs it.

The upper side is a derivation of :mod:`symprivacy.implications.certify.dual`. The lower side is a mechanism with
rational entries: its level under the source is at most what is given, its level under the target at least ``lo``,
both computed by the definitions. :meth:`Certified.check` repeats all of that and uses no formula of a conversion.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mpmath
from sympy import Expr, Rational, oo

from symprivacy.derivations.answer import Derived
from symprivacy.derivations.derivation import Derivation
from symprivacy.derivations.saved import from_json as derivation_from_json
from symprivacy.errors import CertificateError, InputError, SymPrivacyError, UnsupportedError
from symprivacy.implications.certify.dual import upper
from symprivacy.implications.certify.lower import at_least, at_most, attained, read_mechanism
from symprivacy.implications.certify.multipliers import DIGITS, number
from symprivacy.implications.certify.problem import Problem
from symprivacy.implications.numbers.decimals import decimal
from symprivacy.implications.parameters import CONVERTIBLE, DIAMETER, read
from symprivacy.implications.status import Status
from symprivacy.language.bridge import to_sympy
from symprivacy.language.text import parse, shorten
from symprivacy.mechanisms import Mechanism
from symprivacy.mechanisms.jsonform import to_json as mechanism_to_json
from symprivacy.notions import get
from symprivacy.notions.registry import definition_of
from symprivacy.notions.statement import Given
from symprivacy.shown import Shown

if TYPE_CHECKING:
    from symprivacy.implications.implication import Implication

_RULES = ("dominated", "majorant", "width")
DIGITS_SHOWN = 20
SLACK = "1e-12"
# Certificates are for conversions that are known to be tight; a bound that is further off is no certificate of them.
_FARTHEST = mpmath.mpf("1e-9")


@dataclass(frozen=True)
class Certified(Shown):
    """A conversion at given parameters, proved: ``hi`` follows from the source, ``lo`` (if any) is reached.

    >>> from symprivacy.implications import convert
    >>> c = convert("CHI2", {"c": "1/2"}, "TV").certify()
    >>> c.lo < "0.3333333333333333334" < c.hi, c.hi
    (True, '0.33333333333367187501')
    >>> c.check()
    >>> sorted(c.multipliers)
    ['back', 'offset', 'scale', 'tilt']
    """

    source: str
    target: str
    at: Mapping[str, str]
    hi: str
    lo: str | None
    derived: Derived
    mechanism: Mechanism | None = None

    @property
    def derivation(self) -> Derivation:
        """The steps of the upper bound, with the kernel's certificates."""
        return self.derived.derivation

    @property
    def multipliers(self) -> dict[str, Expr]:
        """The weights of the dual bound: of the source's function, of its reverse, and of the line."""
        names = ("scale", "back", "tilt", "offset", "bound")
        for step in reversed(self.derivation.steps):
            if step.rule in _RULES:
                return {name: step.parameters[name] for name in names if name in step.parameters}
        return {}

    def check(self) -> None:
        """Verify both sides again from the definitions; raises CertificateError or DerivationError."""
        given, asked = numbers(self.source, self.target, self.at)
        self.derived.check()
        for key in (self.source, self.target):
            if self.derivation.lookup(key) != definition_of(key):
                raise CertificateError(f"the derivation is about another definition of {key}")
        if self.derivation.claim.domain:
            raise CertificateError(f"the derivation is about {self.derivation.claim.where()}, not about numbers")
        level = Rational(self.hi)
        premise = Given(self.source, tuple(given[s.name] for s in definition_of(self.source).symbols))
        others = tuple(asked[s.symbol.name] for s in definition_of(self.target).others)
        conclusion = Given(self.target, (*others, level))
        if (self.derived.premise, self.derived.conclusion) != (premise, conclusion):
            raise CertificateError(f"the derivation shows {self.derived}, not {premise} => {conclusion}")
        diameter = (Given("diameter", (asked["D"],)),) if "D" in asked else ()
        if not set(self.derived.assumptions) <= set(diameter):
            raise CertificateError(f"the derivation assumes more: {', '.join(map(str, self.derived.assumptions))}")
        if self.lo is not None:
            if self.mechanism is None:
                raise CertificateError("a lower bound needs a mechanism that reaches it")
            _reaches(self, given, asked)

    def to_json(self) -> dict[str, Any]:
        """Plain data for ``symprivacy check``: the derivation as derive writes it, and the mechanism."""
        mechanism = None if self.mechanism is None else json.loads(mechanism_to_json(self.mechanism))
        conversion = {"from": self.source, "to": self.target, "at": dict(self.at), "lo": self.lo, "hi": self.hi}
        return {"conversion": conversion, "mechanism": mechanism, **self.derived.to_json()}

    def save(self, path: str | Path) -> None:
        """Write the certificate to a file."""
        try:
            Path(path).write_text(json.dumps(self.to_json(), indent=1) + "\n", encoding="utf-8")
        except (OSError, ValueError) as e:
            raise InputError(f"cannot write {shorten(str(path))!r}: {getattr(e, 'strerror', None) or e}") from None

    def __str__(self) -> str:
        own = ", ".join(f"{name}={self.at[name]}" for name in get(self.source).names)
        asked, name = get(self.target).asked, get(self.target).answers
        second = f"{name}, {asked}={self.at[asked]}" if asked else name
        level = f"{name} in [{self.lo}, {self.hi}]" if self.lo is not None else f"{name} <= {self.hi}"
        return f"{self.source}({own}) => {self.target}({second}) with {level}"


def numbers(source: str, target: str, at: Mapping[str, object]) -> tuple[dict[str, Expr], dict[str, Expr]]:
    """The parameters of both definitions, by their own names.

    >>> numbers("KL", "ADP", {"k": "1/2", "eps2": "1"})
    ({'k': 1/2}, {'eps': 1})
    """
    found = {name: to_sympy(value) for name, value in read(source, target, at).items()}
    end = get(target)
    # What a target is given is called by the name of its definition.
    other = {own: found[name] for name, own in ((end.asked, end.fills), (DIAMETER, DIAMETER)) if own and name in found}
    return {name: found[name] for name in get(source).names}, other


def certify(conversion: Implication, slack: str = SLACK) -> Certified:
    """A certificate for a conversion; raises UnsupportedError where none is found."""
    name = f"{conversion.source} => {conversion.target}"
    if conversion.status is not Status.TIGHT:
        raise UnsupportedError(f"{name} is {conversion.status.value} here: there is no level to certify")
    if not {conversion.source, conversion.target} <= set(CONVERTIBLE):
        raise UnsupportedError(f"{name}: what bounds one order only is not certified at numbers")
    if "delta2" in conversion.at:
        raise UnsupportedError(f"{name} at delta2 is not certified; certify delta at eps2={conversion.hi}")
    if conversion.hi == "0":
        raise UnsupportedError(f"{name}: level 0 needs no certificate")
    room = _slack(slack)
    given, asked = numbers(conversion.source, conversion.target, conversion.at)
    try:
        with mpmath.workdps(DIGITS):
            problem = Problem.of(conversion.source, conversion.target, given, asked, _ratios(conversion), room)
            problem.guess = mpmath.mpf(conversion.hi)
            shown = upper(problem)
            level = shown.conclusion.values[-1]
            if number(level) > mpmath.mpf(conversion.hi) * (1 + max(_FARTHEST, 4 * room)):
                raise UnsupportedError(f"the definition of {conversion.source} gives {float(level):.12g} only")
    except SymPrivacyError as e:
        raise UnsupportedError(f"{name} is not certified: {e}") from e
    hi = decimal(Fraction(int(level.p), int(level.q)), DIGITS_SHOWN, up=True)
    if Rational(hi) != level:
        raise UnsupportedError(f"{name} is not certified: {level} is no decimal")
    found = attained(conversion, given, asked, room)
    mechanism, lo = found if found is not None else (None, None)
    return Certified(conversion.source, conversion.target, dict(conversion.at), hi, lo, shown, mechanism)


def _slack(slack: str) -> Any:
    e = parse(slack) if isinstance(slack, str) else None
    value = to_sympy(e) if e is not None else None
    if value is None or not value.is_Rational or not 0 < value < 1:
        raise InputError(f"slack={slack!r}: expected a text such as '1e-12', between 0 and 1")
    with mpmath.workdps(DIGITS):
        return mpmath.mpf(int(value.p)) / int(value.q)


def _ratios(conversion: Implication) -> list[Any]:
    """The ratios of the extremal law; outputs that hardly ever occur are left out."""
    laws = conversion.witness or {}
    if "P" not in laws or "parameter" in laws:
        return []
    least = mpmath.mpf(10) ** -35
    pairs = zip(*([number(to_sympy(parse(text))) for text in laws[side]] for side in "PQ"), strict=True)
    return [p / q if q else mpmath.inf for p, q in pairs if max(p, q) > least]


def _reaches(c: Certified, given: Mapping[str, Expr], asked: Mapping[str, Expr]) -> None:
    assert c.mechanism is not None
    if Rational(c.lo) > Rational(c.hi) or not c.derived.speaks_of(c.mechanism):
        raise CertificateError(f"the mechanism has other pairs of inputs than {c.source} => {c.target} is about")
    *_, bound = definition_of(c.source).symbols
    if not at_most(c.mechanism, c.source, given, given[bound.name]):
        raise CertificateError(f"the mechanism is not shown to satisfy {c.source}")
    if not at_least(c.mechanism, c.target, asked, Rational(c.lo)):
        raise CertificateError(f"the level of the mechanism under {c.target} is not shown to reach {c.lo}")


def from_json(data: Mapping[str, Any]) -> Certified:
    """A certificate from plain data; nothing in it is believed before :meth:`Certified.check`."""
    derivation = derivation_from_json(data)
    try:
        stated = data["conversion"]
        source, target, at, lo, hi = (stated[key] for key in ("from", "to", "at", "lo", "hi"))
        if not all(isinstance(text, str) for text in (source, target, hi, *at.values(), *([] if lo is None else [lo]))):
            raise InputError("expected texts in the conversion")
        level = Rational(to_sympy(parse(hi)))
        last = derivation.steps[-1].parameters
        given = next((g for g in derivation.premise if g.key == source), None)
        if given is None or last.get("view") != target or level == oo:
            raise CertificateError(f"the derivation is not about {shorten(source)} => {shorten(target)}")
        derived = Derived(given, Given(target, tuple(last["values"])), derivation, derivation.principles)
        mechanism = read_mechanism(data["mechanism"])
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as e:
        raise CertificateError(f"malformed certificate: {type(e).__name__} {e}") from None
    return Certified(source, target, at, hi, lo, derived, mechanism)
