"""The grammar of statements about notions.

    statement := side => side | side <=> side | side =/=> KEY | mechanism satisfies side      each with [for ranges]
    side      := term [and term ...]
    term      := KEY(args) | (args)-KEY | compose(term, k) | compose(term, term, ...) | group(term, k)
               | sample(term, q) | sample(term, m, n) | forward(term) | through(LDP(eps), term)
    args      := as many as the notion has, and for a notion about priors prior=all|one|independent|p

An error says where it is, what was expected there and, for a name, which one may have been meant.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass

from symprivacy.claims.guarantees import arguments, guarantee
from symprivacy.claims.noise import NOISE, Noise
from symprivacy.claims.terms import Compose, Forward, Group, Sample, Term, Through, counts, operations, put
from symprivacy.errors import InputError, SymPrivacyError
from symprivacy.kernel.box import Range, contains
from symprivacy.kernel.enclose import constant_sign
from symprivacy.kernel.expr import Expr, rational
from symprivacy.language.names import folded
from symprivacy.language.text import parse, shorten, to_text
from symprivacy.notions import all_notions

OPERATORS = {
    "compose": "compose(DP(eps), k) or compose(DP(eps1), DP(eps2))",
    "group": "group(DP(eps), k)",
    "sample": "sample(DP(eps), q) or sample(DP(eps), m, n)",
    "forward": "forward(KL(k))",
    "through": "through(LDP(eps), TV(t))",
}
_HEAD = re.compile(r"\s*([A-Za-z]\w*)\s*\(")
_DEEPEST = 12
SIGNS = ("=/=>", "<=>", "=>")


@dataclass(frozen=True)
class Written:
    """A part of a statement and where it begins, so that an error can say so."""

    text: str
    at: int = 0

    def error(self, message: str) -> InputError:
        """An error at this part."""
        return InputError(f"character {self.at + 1}, {shorten(self.text.strip(), 60)!r}: {message}")

    def cut(self, start: int, end: int) -> Written:
        """A piece without the blanks around it."""
        piece = self.text[start:end]
        lead = len(piece) - len(piece.lstrip())
        return Written(piece.strip(), self.at + start + lead)


@dataclass(frozen=True)
class Sentence:
    """What a statement says before its ranges are looked at: two sides and the sign between them."""

    left: tuple[Term, ...] | Noise
    sign: str
    right: tuple[Term, ...] | str

    def put(self, parts: Mapping[str, Expr]) -> Sentence:
        """With expressions for names."""
        left = self.left.put(parts) if isinstance(self.left, Noise) else tuple(put(t, parts) for t in self.left)
        right = self.right if isinstance(self.right, str) else tuple(put(t, parts) for t in self.right)
        return Sentence(left, self.sign, right)


def sentence(text: str) -> Sentence | None:
    """A statement about notions without its ranges; None if it is something else, a comparison.

    >>> sentence("DP(eps) and TV(t) => KL(eps*t)").sign
    '=>'
    >>> sentence("laplace(b) satisfies DP(1/b)").left
    Noise(key='laplace', values=(Expr('b'),))
    """
    whole = Written(text)
    found = [(k, sign) for k, sign in _outside(text) if sign in SIGNS or sign == "satisfies"]
    if text.count("(") != text.count(")"):
        raise whole.error(f"{text.count('(')} opening and {text.count(')')} closing brackets; expected as many of both")
    if not found:
        called = _call(Written(text.strip()))
        if called and called[0] in NOISE:
            raise whole.error(f"{called[0]} is a mechanism; write '{NOISE[called[0]].example} satisfies DP(...)'")
        wrong = re.search(r"->|\bimplies\b|\biff\b|\bdoes not imply\b", text)
        if wrong and _HEAD.match(text):
            raise whole.error(f"{wrong[0]!r} is no sign of the language; write =>, <=>, =/=> or satisfies")
        return None
    if len(found) > 1:
        raise whole.error(f"one of =>, <=>, =/=> or satisfies expected, got {len(found)} of them")
    ((k, sign),) = found
    left, right = whole.cut(0, k), whole.cut(k + len(sign), len(text))
    for part, where in ((left, "before"), (right, "after")):
        if not part.text:
            what = (
                "mechanism such as laplace(b)"
                if (sign, where) == ("satisfies", "before")
                else "guarantee such as DP(eps)"
            )
            raise part.error(f"a {what} is expected {where} {sign}")
    if sign == "satisfies":
        return Sentence(mechanism(left), sign, side(right))
    return Sentence(side(left), sign, _key(right) if sign == "=/=>" else side(right))


def _outside(text: str) -> list[tuple[int, str]]:
    """The signs and joining words at the outermost level of brackets, with their places."""
    found, depth, k = [], 0, 0
    while k < len(text):
        depth += (text[k] in "([") - (text[k] in ")]")
        sign = next((s for s in SIGNS if text.startswith(s, k)), None)
        if sign is None and (match := re.compile(r"\b(satisfies|and)\b").match(text, k)):
            sign = match[1]
        if sign is not None and depth == 0:
            found.append((k, sign))
        k += len(sign) if sign is not None else 1
    return found


def side(whole: Written) -> tuple[Term, ...]:
    """Terms joined by ``and``."""
    ends = [k for k, sign in _outside(whole.text) if sign == "and"]
    starts = [0, *(k + len("and") for k in ends)]
    parts = [whole.cut(a, b) for a, b in zip(starts, [*ends, len(whole.text)], strict=True)]
    return tuple(_term(part) for part in parts)


def term(text: str) -> Term:
    """One term.

    >>> print(term("compose(sample((eps, delta)-DP, q), k)"))
    compose(sample(ADP(eps, delta), q), k)
    """
    return _term(Written(text.strip()))


def _call(part: Written) -> tuple[str, list[Written]] | None:
    """The name and the arguments of a call that is all of a part."""
    match = _HEAD.match(part.text)
    if match is None or not part.text.endswith(")"):
        return None
    depth = 1
    for k in range(match.end(), len(part.text) - 1):
        depth += (part.text[k] == "(") - (part.text[k] == ")")
        if depth == 0:
            return None
    found, start = [], match.end()
    for text in arguments(part.text[match.end() : -1]):
        k = part.text.index(text, start)
        found.append(part.cut(k, k + len(text)))
        start = k + len(text)
    return match[1], found


def _term(part: Written, depth: int = 0) -> Term:
    if depth > _DEEPEST:
        raise part.error(f"operations nested more than {_DEEPEST} deep")
    called = _call(part)
    if called is None:
        if not part.text:
            raise part.error("a guarantee such as DP(eps) is expected here")
        return _leaf(part)
    name, given = folded(called[0], (*NOISE, *OPERATORS)), called[1]
    if name in NOISE:
        raise part.error(f"{name} is a mechanism, not a notion; write '{NOISE[name].example} satisfies DP(...)'")
    if name not in OPERATORS:
        return _leaf(part, name)
    wrong = part.error(f"expected such as {OPERATORS[name]}")
    if not all(p.text for p in given):
        raise wrong
    inner = [_term(p, depth + 1) if _is_term(p) else _number(p) for p in given]
    terms = [t for t in inner if not isinstance(t, Expr)]
    numbers = [t for t in inner if isinstance(t, Expr)]
    if inner[: len(terms)] != terms or not terms:
        raise wrong
    found: Term
    match name, len(terms), len(numbers):
        case "compose", _, 0 if len(terms) > 1:
            found = Compose(tuple(terms))
        case "compose", 1, 1:
            found = Compose(tuple(terms), numbers[0])
        case "group", 1, 1:
            found = Group(terms[0], numbers[0])
        case "sample", 1, 1:
            found = Sample(terms[0], numbers[0])
        case "sample", 1, 2:
            found = Sample(terms[0], numbers[0], numbers[1])
        case "forward", 1, 0:
            found = Forward(terms[0])
        case "through", 2, 0:
            channel, inside = terms
            if getattr(getattr(channel, "notion", None), "key", "") != "LDP":
                raise wrong
            found = Through(channel, inside)  # type: ignore[arg-type]
        case _:
            raise wrong
    _check(found, part)
    return found


def _is_term(part: Written) -> bool:
    """Whether an argument is a term and not a number: a call of something that is no function of numbers."""
    called = _call(part)
    if called is not None:
        name = folded(called[0], (*NOISE, *OPERATORS))
        return name in OPERATORS or name in NOISE or name in _keys() or name[:1].isupper()
    return re.search(r"-[A-Za-z]*[A-Z][A-Za-z0-9]*$", part.text) is not None and _keys_end(part.text)


def _keys() -> frozenset[str]:
    return frozenset(name for n in all_notions() for name in (n.key, *(a.name for a in n.aliases))) | {"DP"}


def _keys_end(text: str) -> bool:
    return text.rpartition("-")[2] in _keys()


def _leaf(part: Written, name: str = "") -> Term:
    try:
        found = guarantee(part.text)
    except SymPrivacyError as error:
        near = difflib.get_close_matches(name, [*OPERATORS, *NOISE, *sorted(_keys())], n=1, cutoff=0.6) if name else []
        hint = f"; did you mean {near[0]}?" if near and near[0] not in str(error) and near[0] != name else ""
        raise part.error(f"{error}{hint}") from None
    for parameter, value in zip(found.notion.parameters, found.values, strict=True):
        if not value.variables and constant_sign(value) == -1:
            raise part.error(f"{parameter.name} = {to_text(value)} is negative; expected a number from 0 on")
    for value, r in found.limits:
        if not value.variables and not contains(r, value):
            name = next(n for n, v in found.named.items() if v == value)
            like = f"{found.notion.key}({', '.join(found.named)})"
            raise part.error(f"{name} = {to_text(value)} is not in {r}; write {like} with {name} in it")
    return found


def _number(part: Written) -> Expr:
    try:
        return parse(part.text)
    except SymPrivacyError as error:
        raise part.error(str(error)) from None


def _check(found: Term, part: Written) -> None:
    """Counts are whole and at least 1, rates lie in [0, 1]."""
    for e, r in counts(found):
        if e.variables:
            continue
        count = r.hi is None
        if not (contains(r, e) or (not count and e == r.lo)) or (
            count and (e.op != "num" or rational(e).denominator != 1)
        ):
            words = "a whole number, at least 1" if count else "a probability in [0, 1]"
            raise part.error(f"{to_text(e)} is not {words}; write {OPERATORS[type(found).__name__.lower()]}")
    if isinstance(found, Sample) and found.share.op == "num" and rational(found.share) > 1:
        raise part.error(f"more records than there are cannot be drawn; write {OPERATORS['sample']} with m <= n")
    if isinstance(found, Through) and any(isinstance(o, Through) for o in operations(found.term)):
        raise part.error("one channel at a time: through(LDP(eps), term)")


def mechanism(part: Written) -> Noise:
    """A family of mechanisms with its parameters."""
    called = _call(part)
    name, given = (folded(called[0], NOISE), called[1]) if called else (part.text, [])
    if name not in NOISE:
        near = difflib.get_close_matches(name, list(NOISE), n=1, cutoff=0.5)
        hint = f"; did you mean {near[0]}?" if near else ""
        if name in _keys():
            raise part.error(f"{name} is a notion, not a mechanism; write '{part.text} => ...'")
        raise part.error(f"no mechanism; expected one of {', '.join(f.example for f in NOISE.values())}{hint}")
    family = NOISE[name]
    if len(given) != len(family.parameters):
        count = f"{len(family.parameters)} parameter{'s' * (len(family.parameters) != 1)}"
        raise part.error(f"{name} takes {count}; write {family.example}")
    values = tuple(_number(p) for p in given)
    for value, (parameter, r) in zip(values, family.parameters.items(), strict=True):
        if not value.variables and not contains(r, value):
            raise part.error(f"{parameter} = {to_text(value)} is not in {r}; write {family.example}")
        if parameter in family.whole and value.op == "num" and rational(value).denominator != 1:
            raise part.error(f"{parameter} = {to_text(value)} is not a whole number; write {family.example}")
    return Noise(name, values)


def _key(part: Written) -> str:
    """The notion after =/=>: its key alone, or with parameters that are then left out."""
    name = called[0] if (called := _call(part)) else part.text
    if name not in _keys():
        near = difflib.get_close_matches(name, sorted(_keys()), n=1, cutoff=0.5)
        raise part.error(f"the key of a notion is expected after =/=>{f'; did you mean {near[0]}?' if near else ''}")
    if called is not None:
        raise part.error(f"=/=> takes the key alone, it speaks of every level; write '=/=> {name}'")
    return name


__all__ = ["OPERATORS", "Range", "Sentence", "Written", "mechanism", "sentence", "side", "term"]
