"""Text of certificates to trees, by a reader of its own (operator precedence, no recursion through Python's parser).

It reads what certificates contain and refuses the rest; every size is bounded before a number is computed.
"""

from __future__ import annotations

import re
from fractions import Fraction

from symprivacy.arb import tree as t
from symprivacy.arb.tree import Node
from symprivacy.errors import CertificateError

_PIECES = re.compile(
    r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,5})?|[A-Za-z][A-Za-z0-9_]*|\*\*|<=|>=|==|!=|[-+*/^()<>,&|~]",
    re.ASCII,
)
_GREEK = {"ε": "eps", "ϵ": "eps", "δ": "delta", "η": "eta", "ξ": "xi", "α": "alpha", "ρ": "rho", "μ": "mu", "π": "pi"}
_SYMBOLS = {**_GREEK, "µ": "mu", "≤": "<=", "≥": ">=", "−": "-", "·": "*", "×": "*"}
_ALIASES = {"ln": "log", "abs": "Abs", "min": "Min", "max": "Max"}
_CALLS = t.SMOOTH | {"sqrt", "Abs", "Min", "Max"}
_WORDS = _CALLS | set(_ALIASES) | {"Piecewise", "And", "Or", "Not", "True", "False", "oo", "inf", "nan", "NaN", "zoo"}
_RESERVED = _WORDS | {"I", "in", "lambda", "E", "pi"}
_ORDER = ("<", "<=", ">", ">=", "==", "!=")
_BITS = 20_000
_LENGTH, _DEPTH = 200_000, 60


def is_variable(text: object) -> bool:
    """Whether a text can name a variable."""
    if not isinstance(text, str) or len(text) > 40 or "__" in text or text in _RESERVED:
        return False
    return re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", text, re.ASCII) is not None


def read(text: object, names: frozenset[str] = frozenset()) -> Node:
    """The tree of a text in which only these variables may stand.

    >>> read("1/2 - 1/(exp(x) + 1)", frozenset("x"))
    ((-1 * ((exp(x) + 1) ** -1)) + 1/2)
    """
    reader = _Reader(text, names)
    e = reader.arithmetic()
    reader.finish()
    return e


class _Reader:
    def __init__(self, text: object, names: frozenset[str]) -> None:
        if not isinstance(text, str) or len(text) > _LENGTH:
            raise CertificateError(f"an expression is a text of at most {_LENGTH} characters")
        plain = "".join(_SYMBOLS.get(c, c) for c in text)
        self.tokens = _PIECES.findall(plain)
        if "".join(self.tokens) != re.sub(r"\s+", "", plain, flags=re.ASCII):
            raise CertificateError(f"unreadable signs in {text[:60]!r}")
        self.tokens.append("")
        self.text, self.names, self.at, self.depth = text, names, 0, 0
        # A bracket may be read twice; nested ones must not double the work at every level.
        self.fuel = 20 * len(self.tokens)

    def fail(self, what: str) -> CertificateError:
        return CertificateError(f"cannot read {self.text[:60]!r}: {what}")

    @property
    def now(self) -> str:
        return str(self.tokens[self.at])

    def take(self, *wanted: str) -> str:
        token = self.now
        if not token or (wanted and token not in wanted):
            raise self.fail(f"expected {' or '.join(wanted) or 'more'}, found {token or 'the end'}")
        self.at += 1
        self.fuel -= 1
        if self.fuel < 0:
            raise CertificateError(f"cannot read {self.text[:60]!r}: too many nested conditions")
        return token

    def finish(self) -> None:
        if self.now:
            raise self.fail(f"unexpected {self.now}")

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > _DEPTH:
            raise self.fail("nested too deeply")

    def arithmetic(self) -> Node:
        self.deeper()
        terms = [self.term()]
        while self.now in ("+", "-"):
            sign = self.take()
            terms.append(self.term() if sign == "+" else t.minus(self.term()))
        self.depth -= 1
        return t.total(*terms) if len(terms) > 1 else terms[0]

    def term(self) -> Node:
        factors = [self.factor()]
        while self.now in ("*", "/"):
            sign, f = self.take(), self.factor()
            factors.append(f if sign == "*" else self.raise_to(f, t.MINUS))
        return t.times(*factors) if len(factors) > 1 else factors[0]

    def signs(self) -> bool:
        negative = False
        while self.now in ("+", "-"):
            negative ^= self.take() == "-"
        return negative

    def factor(self) -> Node:
        negative = self.signs()
        chain, flips = [self.item()], [False]
        while self.now in ("**", "^"):
            self.take()
            flips.append(self.signs())
            chain.append(self.item())
        e = chain[-1]
        for k in range(len(chain) - 1, 0, -1):
            e = self.raise_to(chain[k - 1], t.minus(e) if flips[k] else e)
        return t.minus(e) if negative else e

    def raise_to(self, base: Node, exponent: Node) -> Node:
        if t.is_number(exponent):
            n = exponent.value
            if max(abs(n.numerator), n.denominator) > 10**7:
                raise self.fail("an exponent that is too large")
            if t.is_number(base):
                if base.value == 0 and n <= 0:
                    raise self.fail("0 to a power that is not positive")
                if abs(n) * max(abs(base.value.numerator), base.value.denominator).bit_length() > _BITS:
                    raise self.fail("a number that is too large")
        return t.power(base, exponent)

    def item(self) -> Node:
        token = self.take()
        if token[0].isdigit() or token[0] == ".":
            digits, _, shift = token.lower().partition("e")
            if len(digits) > 1200 or abs(int(shift or 0)) > 1200:
                raise self.fail("a number with too many digits")
            return t.number(Fraction(token))
        if token == "(":
            e = self.arithmetic()
            self.take(")")
            return e
        if self.now == "(" and token[0].isalpha():
            return self.pieces() if token == "Piecewise" else self.call(_ALIASES.get(token, token))
        if token == "pi":
            return t.PI
        if token == "E":
            return t.node("exp", t.ONE)
        if not is_variable(token) or token not in self.names:
            raise self.fail(f"unknown name {token[:40]}")
        return t.name(token)

    def call(self, function: str) -> Node:
        if function not in _CALLS:
            raise self.fail(f"unknown function {function[:40]}")
        self.take("(")
        args = [self.arithmetic()]
        while self.now == ",":
            self.take()
            args.append(self.arithmetic())
        self.take(")")
        if function in ("Min", "Max"):
            return t.node(function, *args) if len(args) > 1 else args[0]
        if len(args) != 1:
            raise self.fail(f"{function} takes one argument")
        if function == "sqrt":
            return t.power(args[0], t.HALF)
        return t.node(function, args[0])

    def pieces(self) -> Node:
        self.take("(")
        args = list[Node]()
        while True:
            self.take("(")
            args.append(self.arithmetic())
            self.take(",")
            args.append(self.condition())
            self.take(")")
            if self.take(",", ")") == ")":
                return t.node("Piecewise", *args)

    def condition(self) -> Node:
        self.deeper()
        cases = [self.conjunction()]
        while self.now == "|":
            self.take()
            cases.append(self.conjunction())
        self.depth -= 1
        return t.node("or", *cases) if len(cases) > 1 else cases[0]

    def conjunction(self) -> Node:
        conditions = [self.simple()]
        while self.now == "&":
            self.take()
            conditions.append(self.simple())
        return t.node("and", *conditions) if len(conditions) > 1 else conditions[0]

    def simple(self) -> Node:
        if self.now in ("True", "False"):
            return t.node(self.take().lower())
        if self.now == "~":
            self.take()
            self.deeper()
            inner = self.simple()
            self.depth -= 1
            return t.node("not", inner)
        if self.now in ("And", "Or", "Not"):
            word = self.take().lower()
            self.take("(")
            args = [self.condition()]
            while self.now == ",":
                self.take()
                args.append(self.condition())
            self.take(")")
            if word == "not" and len(args) > 1:
                raise self.fail("Not takes one condition")
            return t.node(word, *args) if word == "not" or len(args) > 1 else args[0]
        return self.bracketed() if self.now == "(" else self.comparison()

    def bracketed(self) -> Node:
        """A bracket is around a condition or begins the left side of a comparison; the second is tried first."""
        start, depth = self.at, self.depth
        try:
            return self.comparison()
        except CertificateError:
            self.at, self.depth = start, depth
        self.take("(")
        inner = self.condition()
        self.take(")")
        return inner

    def comparison(self) -> Node:
        left, found = self.arithmetic(), list[Node]()
        while not found or self.now in _ORDER:
            sign, right = self.take(*_ORDER), self.arithmetic()
            found.append(_compare(left, sign, right))
            left = right
        return found[0] if len(found) == 1 else t.node("and", *found)


def _compare(left: Node, sign: str, right: Node) -> Node:
    if sign in (">", ">="):
        return t.node(sign.replace(">", "<"), right, left)
    if sign == "==":
        return t.node("and", t.node("<=", left, right), t.node("<=", right, left))
    if sign == "!=":
        return t.node("or", t.node("<", left, right), t.node("<", right, left))
    return t.node(sign, left, right)
