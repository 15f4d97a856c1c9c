"""Families of mechanisms with symbolic parameters: noise on a number, randomized response, the exponential mechanism.

The sensitivity is how far the answers on neighbouring inputs may lie apart; the worst neighbours are that far apart,
because a smaller shift of a log-concave law is a post-processing of a larger one (and for PDP, which is not monotone
under processing, the tail of the loss rises with the shift). All pairs but those of the exponential mechanism are
mirror images of themselves, so both orders have the same level.

Every pair of laws whose loss has a range of eps is one of the exponential mechanism with some utility (weights
exp(eps u/2), u the log likelihoods, the loss put in the middle), so its level is that of the worst place of a
two-point law on ratios a and a exp(eps); the place is where the derivative vanishes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sympy import (
    Abs,
    Expr,
    Integer,
    Max,
    Min,
    Piecewise,
    S,
    Symbol,
    erf,
    erfc,
    erfinv,
    exp,
    limit,
    log,
    oo,
    simplify,
    sqrt,
)

from symprivacy.errors import InputError, UnsupportedError
from symprivacy.language.bridge import to_sympy
from symprivacy.language.text import parse, shorten
from symprivacy.mechanisms.families import kary_randomized_response
from symprivacy.mechanisms.gaussian_mean import MU, gaussian_mean
from symprivacy.mechanisms.loss_curves import ALPHA, EPS, K, T, fixed, renyi, tail, worst_pair
from symprivacy.mechanisms.loss_pair import BOUND, SCALE
from symprivacy.mechanisms.mechanism import Mechanism
from symprivacy.notions import Notion, Orders, Pairs, get
from symprivacy.notions.bayesian_privacy import worst_average
from symprivacy.notions.guarantee import number
from symprivacy.notions.kinds import Kind, kink, proportional
from symprivacy.notions.level_for_ratio import needed_level
from symprivacy.notions.parameter import SECRETS
from symprivacy.notions.symbols import A, R

#: the parameters of each family, in order
PARAMETERS = {
    "laplace": ("b",),
    "gaussian": ("sigma",),
    "geometric": ("eps",),
    "krr": ("k", "eps"),
    "exponential": ("eps",),
    "discrete_gaussian": ("sigma",),
    "truncated_gaussian": ("sigma", "B"),
}
# Levels that are functions of the largest log ratio alone; inputs pairwise neighbours.
_OF_LARGEST: dict[str, Callable[[Expr], Expr]] = {
    **{key: lambda eps: eps for key in ("DP", "LDP", "MBP", "MP", "PML", "LIP")},
    "ABPW": lambda eps: worst_average(exp(eps)),
}
# Notions that are the mean of a function itself.
_MEANS = ("TV", "KL", "CHI2", "HELL2", "JS")
_SCALED = ("laplace", "gaussian", "discrete_gaussian", "truncated_gaussian")
_COUNTED = ("geometric", "discrete_gaussian")
MOST_STEPS = 200


def _scale_of(f: Expr) -> Expr | None:
    """The factor of a function among those of its kind."""
    found = kink(f) if f.has(Max, Abs) else proportional(f)
    return None if found is None else found[1]


@dataclass(frozen=True)
class Family:
    """A family at given parameters, which may be expressions.

    >>> from sympy import Symbol
    >>> family("laplace", 2).level("DP"), family("gaussian", 2).level("KL")
    (1/2, 1/8)
    >>> print(family("krr", 3, Symbol("eps")))
    krr(3, eps)
    """

    name: str
    arguments: tuple[Expr, ...]
    sensitivity: Expr = S.One

    def __str__(self) -> str:
        shift = "" if self.sensitivity == 1 else f", sensitivity={self.sensitivity}"
        return f"{self.name}({', '.join(map(str, self.arguments))}{shift})"

    def level(self, notion: str | Notion, **given: object) -> Expr:
        """The smallest level of a notion that the family satisfies, exactly, the worst over both orders.

        ``given`` are the further parameters: eps for ADP and PDP, alpha for RDP, p for MPP, omega for tCDP.

        >>> from sympy import Symbol
        >>> family("laplace", Symbol("b")).level("KL")
        -1 + exp(-1/b) + 1/b
        >>> family("gaussian", 1).level("ADP", eps=1)
        -E*erfc(3*sqrt(2)/4)/2 + erfc(sqrt(2)/4)/2
        """
        record = get(notion)
        wanted = [p.name for p in record.parameters if p.name != record.target and p != SECRETS]
        if sorted(given) != sorted(wanted):
            named = ", ".join(f"{name}=" for name in wanted) or "no further parameter"
            raise InputError(f"{self} and {record.key}: expected {named}")
        at = {name: number(value, f"{record.key}: {name}") for name, value in given.items()}
        for name, value in at.items():
            if value.is_number and value not in record.parameter(name).domain and value != oo:
                raise InputError(f"{record.key}: {name}={value} is outside {record.parameter(name).domain}")
        if record.key == "RDP" and at["alpha"] in (1, oo):
            return self.level("KL" if at["alpha"] == 1 else "DP")
        found = self._level(record, at)
        if found is None:
            raise UnsupportedError(f"{self}: no closed form of {record.key} is known")
        return found

    def _level(self, record: Notion, at: dict[str, Expr]) -> Expr | None:
        key, place = record.key, self._filled()
        if key in _OF_LARGEST or key == "MPP":
            top = self.largest_loss()
            if key == "MPP":
                return oo if top == oo else log(1 + Max(at["p"], 1 - at["p"]) * (exp(top) - 1))
            return _OF_LARGEST[key](top)
        if key == "RB":
            return self.largest_loss() * (1 if self.name == "exponential" else 2)
        if self.name == "krr" and key == "MAXL":
            k, eps = self.arguments
            return log(k * exp(eps) / (k - 1 + exp(eps)))
        if key in ("ADP", "PDP"):
            curve = tail(self._kind(), key)
            return None if curve is None else curve.xreplace({**place, T: at["eps"]})
        if key in ("RDP", "RDPlow"):
            form = renyi(self._kind(), below_one=key == "RDPlow")
            if at["alpha"] == S.Half and self.name not in ("gaussian", "exponential", "discrete_gaussian"):
                pair = worst_pair(self._kind())
                form = None if pair is None else -2 * log(pair.power(S.Half))
            return None if form is None else form.xreplace({**place, ALPHA: at["alpha"]})
        form = fixed(self._kind(), key)
        return self._by_definition(record) if form is None else form.xreplace(place)

    def _by_definition(self, record: Notion) -> Expr | None:
        """The level of a notion of neighbours that no formula is about, from what its record bounds."""
        if record.pairs is not Pairs.NEIGHBOURS or record.orders is not Orders.BOTH or len(record.parameters) != 1:
            return None
        if record.divergence is not None:
            f = record.divergence.generator(R)
            mean = gaussian_mean(f) if self.name == "gaussian" else None
            mean = self._in_scale(f, record) if mean is None else simplify(mean.xreplace({MU: self._scale()}))
            return None if mean is None else record.divergence.transform(mean)
        if record.kind not in (Kind.RATIO, Kind.WIDTH):
            return None
        form, ratio = needed_level(record.definition), Symbol("A", positive=True)
        top = self.level("RB") if record.kind is Kind.WIDTH else self.largest_loss()
        return limit(form.xreplace({A: ratio}), ratio, oo) if top == oo else form.xreplace({A: exp(top)})

    def _in_scale(self, f: Expr, record: Notion) -> Expr | None:
        """The mean of a function that is a known one in another scale, up to a line, which counts for nothing."""
        known = next((get(key) for key in _MEANS if get(key).kind is record.kind and key != record.key), None)
        if known is None or known.divergence is None:
            return None
        mine, theirs = (_scale_of(e) for e in (f, known.divergence.generator(R)))
        level = self._level(known, {})
        return None if level is None or mine is None or theirs is None else simplify(mine / theirs * level)

    @property
    def neighbours(self) -> str:
        """Which inputs the levels compare, in words.

        >>> family("laplace", 2, sensitivity=3).neighbours
        'inputs whose answers are 3 apart'
        """
        if self.name == "krr":
            return "any two values"
        if self.name == "exponential":
            return f"inputs whose utilities differ by at most {self.sensitivity} at every output, the worst of them"
        return f"inputs whose answers are {self.sensitivity} apart"

    def speaks_of(self, notion: Notion) -> bool:
        """Whether a level under the notion has a meaning for neighbours alone, and needs no further parameter."""
        known = notion.key in _OF_LARGEST or notion.key in ("RB", "GDP", "ZCDP") or notion.divergence is not None
        return known and len(notion.parameters) == 1

    def largest_loss(self) -> Expr:
        """The supremum of |log dP/dQ|.

        >>> family("gaussian", 1).largest_loss(), family("laplace", 2, sensitivity=3).largest_loss()
        (oo, 3/2)
        """
        if self.name.endswith("gaussian"):
            return oo
        return self.arguments[-1] if self.name == "krr" else self._scale()

    def loss(self) -> dict[str, Expr]:
        """The law of the privacy loss under P for the worst neighbours: masses, and a density in u.

        >>> family("laplace", 1).loss()["mass at 1"], family("laplace", 1).loss()["density under P"]
        (1/2, exp(u/2 - 1/2)/4)
        """
        pair, place = worst_pair(self._kind()), self._filled()
        if pair is None:
            return {}
        found = {
            f"mass at {log(p / q).xreplace(place) if q != 0 else oo}": p.xreplace(place)
            for p, q in pair.atoms
            if p.xreplace(place) != 0
        }
        if pair.density is not None:
            found["density under P"] = pair.density.p.xreplace(place)
        return found

    def _scale(self) -> Expr:
        """What the loss is proportional to: the sensitivity over the noise, or times eps."""
        return self.sensitivity / self.arguments[0] if self.name in _SCALED else self.sensitivity * self.arguments[-1]

    def _kind(self) -> tuple[str, int]:
        """The family and the number of steps between neighbours, where they are counted."""
        steps = int(self.sensitivity) if self.name in _COUNTED else 1
        return self.name, steps

    def _filled(self) -> dict[Expr, Expr]:
        if self.name == "truncated_gaussian":
            return {SCALE: self._scale(), BOUND: self.arguments[1] / self.arguments[0]}
        if self.name in _SCALED:
            return {SCALE: self._scale()}
        if self.name == "krr":
            return {K: self.arguments[0], EPS: self.arguments[1]}
        return {EPS: self.arguments[0] if self.name == "geometric" else self._scale()}

    def mechanism(self) -> Mechanism:
        """The finite mechanism that has the same levels, where there is one.

        >>> family("krr", 3, log(2)).mechanism().matrix[0]
        (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
        """
        if self.name == "krr" and isinstance(self.arguments[0], Integer):
            return kary_randomized_response(int(self.arguments[0]), eps=self.arguments[1])
        raise UnsupportedError(f"{self} is not a finite mechanism")


def family(name: str, *arguments: object, sensitivity: object = 1) -> Family:
    """A family at its parameters, numbers or expressions.

    >>> family("laplace", -1)
    Traceback (most recent call last):
        ...
    symprivacy.errors.InputError: laplace: b=-1, expected a positive number
    """
    if name not in PARAMETERS:
        raise InputError(f"{shorten(str(name))!r} is no family of mechanisms; known are {', '.join(PARAMETERS)}")
    wanted = PARAMETERS[name]
    if len(arguments) != len(wanted):
        raise InputError(f"{name} takes {', '.join(wanted)}; got {len(arguments)} parameters")
    values = tuple(number(x, f"{name}: {n}") for n, x in zip(wanted, arguments, strict=True))
    shift = number(sensitivity, f"{name}: sensitivity")
    for label, value in (*zip(wanted, values, strict=True), ("sensitivity", shift)):
        if label == "k":
            if value.is_number and not (value.is_Integer and value >= 2):
                raise InputError(f"{name}: k={value}, expected a whole number of at least 2")
        elif value.is_number and not (value.is_real and value > 0 and value != oo):
            raise InputError(f"{name}: {label}={value}, expected a positive number")
    whole = name in _COUNTED
    if (whole and not (shift.is_Integer and shift <= MOST_STEPS)) or (name == "krr" and shift != 1):
        expected = f"a whole number from 1 to {MOST_STEPS}" if whole else "1, since any two values are neighbours"
        raise InputError(f"{name}: sensitivity={shift}, expected {expected}")
    return Family(name, values, shift)


def read_family(text: str) -> Family | None:
    """A family from text such as ``laplace(2)`` or ``gaussian(sigma, sensitivity=3)``; None if no family is named.

    >>> print(read_family("laplace(b, sensitivity=2)"), read_family("rr.json"))
    laplace(b, sensitivity=2) None
    """
    name, bracket, inside = text.strip().partition("(")
    if not bracket or not inside.endswith(")") or not name.strip().isidentifier():
        return None
    plain, shift = [], S.One
    for word in split_arguments(inside[:-1]):
        left, sign, right = word.partition("=")
        if sign and left.strip() != "sensitivity":
            raise InputError(f"{shorten(text)}: expected sensitivity=, got {shorten(left.strip())}=")
        if sign:
            shift = to_sympy(parse(right))
        else:
            plain.append(to_sympy(parse(word)))
    return family(name.strip(), *plain, sensitivity=shift)


def split_arguments(text: str) -> list[str]:
    """The parts between the commas that stand in no brackets.

    >>> split_arguments("3, max(1, 2)")
    ['3', ' max(1, 2)']
    """
    words, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            words.append("")
        else:
            words[-1] += letter
    return words if text.strip() else []


def trade_off(member: Family, error: Expr) -> Expr:
    """The least type II error of a test whose type I error is given, between the worst neighbours.

    >>> trade_off(family("gaussian", 1), S.Half)
    erfc(sqrt(2)/2)/2
    """
    a, place = error, member._filled()
    if member.name == "gaussian":
        # Phi(Phi^-1(1 - a) - s)
        return erfc(SCALE / sqrt(2) - erfinv(1 - 2 * a)).xreplace(place) / 2
    if member.name == "laplace":
        far = exp(-SCALE)
        form = Piecewise((1 - a / far, a < far / 2), (far / (4 * a), a <= S.Half), (far * (1 - a), True))
        return form.xreplace(place)
    if member.name == "truncated_gaussian":
        # The same with both laws cut off: as far as the outputs of P reach.
        share, root = erf(BOUND / sqrt(2)), sqrt(2)
        end = Min(BOUND / root, SCALE / root + erfinv(share * (2 * a - 1)))
        return ((1 - erf(end) / share) / 2).xreplace(place)
    if member.name == "exponential":
        # The largest 1 - delta(g) - g a over g, where sqrt(g) = E/(1 + a (E**2 - 1)) with E = exp(eps/2).
        return ((1 - a) / (1 + a * (exp(EPS) - 1))).xreplace(place)
    pair = worst_pair(member._kind())
    if pair is None:
        raise UnsupportedError(f"{member}: no closed form of the trade-off function is known")
    # The largest of the lines through neighbouring corners, since the curve is convex.
    lines, p, q = [], S.Zero, S.Zero
    for first, second in sorted(pair.atoms, key=lambda pq: -float(log(pq[0] / pq[1]).subs({EPS: 1, K: 5}))):
        if first != 0:
            lines.append(1 - p - (a - q) * first / second)
        p, q = p + first, q + second
    return Max(0, *(line.xreplace(place) for line in lines))
