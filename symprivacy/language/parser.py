"""The grammar of expressions, read from the left without a look at Python.

Sizes are bounded before anything is computed, so that hostile text ends in an :class:`InputError` at once.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from symprivacy.errors import InputError
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.spelling import to_text
from symprivacy.language.names import did_you_mean
from symprivacy.language.notation import AREA
from symprivacy.language.tokens import MAX_NODES, shorten, tokens_of

MAX_TEXT = 200_000
MAX_DEPTH = 60
MAX_DIGITS = 1_200
MAX_EXPONENT = 10_000_000
MAX_BITS = 20_000
MAX_NUMBER_BITS = 14_000
# All numbers of one text together: their sum or product is one number.
MAX_TOTAL_BITS = 400_000
_FUNCTIONS: dict[str, str] = {
    **{f: f for f in (*x.FUNCTIONS, "sqrt", "min", "max")},
    "Abs": "abs",
    "Min": "min",
    "Max": "max",
    "ln": "log",
    **{written: f for f, area in AREA.items() for written in (area, f"arc{f[1:]}")},
}
# Only a function stands before a bracket: EXP(x) and Log(x) mean one thing.
_FOLDED = {name.casefold(): function for name, function in _FUNCTIONS.items()}
_LOGICAL = {"And": "and", "Or": "or", "Not": "not"}
# As sympy writes these two; the others it writes with their signs.
_COMPARED = {"Eq": "==", "Ne": "!="}
_RESERVED = frozenset(["oo", "inf", "nan", "NaN", "zoo", "I", "in", "lambda", "Piecewise", "True", "False"])
RELATIONS = ("<=", ">=", "==", "!=", "<", ">")
_REASONS = {
    "oo": "oo stands only as an end point of a domain",
    "inf": "write oo, and only as an end point of a domain",
    "I": "only real expressions are supported",
}


class Parser:
    """One text and how far it has been read; each method reads one kind of phrase."""

    def __init__(self, text: str, names: frozenset[str] | None) -> None:
        if not isinstance(text, str):
            raise InputError(f"expected a text, got {type(text).__name__}")
        if len(text) > MAX_TEXT:
            raise InputError(f"text of {len(text)} characters; at most {MAX_TEXT} are read")
        self.text = text
        self.names = names
        self.tokens = tokens_of(text)
        self.position = self.depth = self.nodes = self.bits = 0
        # Whether e stood for the base of exp, and whether for a variable.
        self.euler = self.variable = False
        # What comes next, nothing at the end.
        self.ahead = self.tokens[0]

    def next(self) -> str:
        token = self.ahead
        if not token:
            raise self.error("it ends too early")
        self.position += 1
        self.ahead = self.tokens[self.position]
        return token

    def expect(self, token: str) -> None:
        if self.ahead != token:
            raise self.error(f"expected {token!r}, found {self.ahead or 'the end'!r}")
        self.next()

    def error(self, what: str) -> InputError:
        return InputError(f"cannot read {shorten(self.text)!r}: {what}")

    def count(self, e: Expr) -> Expr:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise self.error(f"more than {MAX_NODES} operations")
        if e.op == "num":
            q = x.rational(e)
            self.bits += q.numerator.bit_length() + q.denominator.bit_length()
            if self.bits > MAX_TOTAL_BITS:
                raise self.error(f"numbers of more than {MAX_TOTAL_BITS} bits together")
        return e

    # Arithmetic, from loose to tight: sums, products, signs, powers, atoms.

    def sum(self) -> Expr:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error(f"nested deeper than {MAX_DEPTH}")
        e = self.product()
        if self.ahead in ("+", "-"):
            terms = [e]
            while self.ahead in ("+", "-"):
                sign = self.next()
                term = self.product()
                terms.append(self.count(term if sign == "+" else x.neg(term)))
            e = self.short(x.add(*terms))
        self.depth -= 1
        return e

    def product(self) -> Expr:
        e = self.signed()
        if self.ahead not in ("*", "/") and not self.juxtaposed():
            return e
        factors = [e]
        while self.ahead in ("*", "/") or self.juxtaposed():
            # 2x is 2*x, after a number only: f(x) is a value and no product.
            sign = self.next() if self.ahead in ("*", "/") else "*"
            factor = self.signed()
            factors.append(self.count(factor if sign == "*" else self.power_of(factor, x.MINUS_ONE)))
        return self.short(x.mul(*factors))

    def juxtaposed(self) -> bool:
        """Whether a name, a bracket or a root follows a number without a sign; refused where it is ambiguous."""
        number = self.tokens[self.position - 1] if self.position else ""
        follows = self.ahead[:1].isalpha() or self.ahead in ("(", "√")
        if not follows or not (number[:1].isdigit() or number[:1] == "."):
            return False
        euler = self.ahead == "e" and self.tokens[self.position + 1] == "^"
        if number == "0" or self.ahead in ("j", "J") or (self.ahead in ("e", "E") and not euler):
            raise self.error(f"'{number}{self.ahead}' is no number; write decimals, or the sign of multiplication")
        before = self.position - 2
        while before >= 0 and self.tokens[before] in ("+", "-"):
            before -= 1
        if before >= 0 and self.tokens[before] in ("/", "**", "^"):
            both = f"{self.tokens[before]}{number}{self.ahead}"
            raise self.error(f"{both!r} may mean two things; write the sign of multiplication, and brackets")
        return True

    def short(self, e: Expr) -> Expr:
        """What numbers were put together to is no longer than what a certificate holds."""
        number = e if e.op == "num" else e.args[0] if e.op == "*" else e.args[-1] if e.op == "+" else x.ZERO
        if number.op == "num" and max(abs(x.rational(number)).as_integer_ratio()).bit_length() > MAX_NUMBER_BITS:
            raise self.error(f"a number of more than {MAX_NUMBER_BITS} bits")
        return e

    def signed(self) -> Expr:
        minus = False
        while self.ahead in ("+", "-"):
            minus ^= self.next() == "-"
        e = self.power()
        return self.count(x.neg(e)) if minus else e

    def power(self) -> Expr:
        euler = self.ahead == "e"
        e = self.atom()
        if self.ahead not in ("**", "^"):
            return e
        # Right associative, without recursion: collect the tower, then fold it from the top.
        tower = [(False, e)]
        while self.ahead in ("**", "^"):
            self.next()
            minus = False
            while self.ahead in ("+", "-"):
                minus ^= self.next() == "-"
            tower.append((minus, self.atom()))
        minus, e = tower.pop()
        e = x.neg(e) if minus else e
        while tower:
            minus, base = tower.pop()
            e = self.count(x.exp(e)) if euler and not tower and base.op != "var" else self.power_of(base, e)
            e = x.neg(e) if minus else e
        return e

    def power_of(self, base: Expr, exponent: Expr) -> Expr:
        if exponent.op == "num":
            n = x.rational(exponent)
            if max(abs(n.numerator), n.denominator) > MAX_EXPONENT:
                raise self.error(f"an exponent beyond {MAX_EXPONENT}")
            if base.op == "num":
                b = x.rational(base)
                # 0**0 is 1, as x**0 is at 0 and x**y is at 0, 0.
                if b == 0 and n < 0:
                    raise self.error("division by zero")
                size = max(abs(b.numerator), b.denominator).bit_length()
                if abs(n) * size > MAX_BITS:
                    raise self.error(f"a number of more than {MAX_BITS} bits")
        return self.count(x.power(base, exponent))

    def atom(self) -> Expr:
        token = self.next()
        first = token[0]
        if first.isdigit() or first == ".":
            return self.count(self.number(token))
        if first.isalpha() or first == "_":
            return self.named(token)
        if token in ("(", "|"):
            e = self.sum()
            self.expect(")" if token == "(" else "|")
            return e if token == "(" else self.count(x.call("abs", e))
        if token == "√":
            return self.root()
        raise self.error(f"unexpected {token!r}")

    def root(self) -> Expr:
        """What follows the sign of a square root: a number, a name or brackets."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error(f"nested deeper than {MAX_DEPTH}")
        inner = self.atom()
        self.depth -= 1
        if inner.op == "num" and x.rational(inner) < 0:
            raise self.error(f"sqrt({to_text(inner)}) has no real value")
        return self.count(x.call("sqrt", inner))

    def number(self, token: str) -> Expr:
        if len(token) < 4 and token.isdigit():
            return _small(token)
        mantissa, _, exponent = token.lower().partition("e")
        if len(mantissa) > MAX_DIGITS or (exponent and (len(exponent) > 6 or abs(int(exponent)) > MAX_DIGITS)):
            raise self.error("a number with too many digits")
        return x.num(int(token) if token.isdigit() else Fraction(token))

    def named(self, name: str) -> Expr:
        if self.ahead == "(":
            if name == "Piecewise":
                return self.piecewise()
            function = _FOLDED.get(name.casefold(), "")
            if not function:
                known = f"known are {', '.join(sorted(set(_FUNCTIONS.values())))}"
                hint = did_you_mean(name, _FUNCTIONS, known)
                raise self.error(f"unknown function {shorten(name, 30)!r}; {hint}")
            self.next()
            args = [self.sum()]
            while self.ahead == ",":
                self.next()
                args.append(self.sum())
            self.expect(")")
            if len(args) != 1 and function not in ("min", "max"):
                raise self.error(f"{name} takes one argument, got {len(args)}")
            if args[0].op == "num" and not _defined_at(function, x.rational(args[0])):
                raise self.error(f"{name}({to_text(args[0])}) has no real value")
            return self.count(x.call(function, *args))
        if name == "pi":
            return x.PI
        if name == "E" or self.is_euler(name):
            return x.exp(x.ONE)
        if name in _RESERVED or name in _FUNCTIONS or name.startswith("_") or "__" in name or len(name) > 40:
            raise self.error(_REASONS.get(name, f"{shorten(name, 30)!r} cannot be used as a variable"))
        if self.names is not None and name not in self.names:
            known = ", ".join(sorted(self.names)) or "none"
            raise self.error(f"unknown name {name!r}; variables here: {known}")
        return x.var(name)

    def is_euler(self, name: str) -> bool:
        """Whether e is the base of exp: as e^x, and where no variable can be called so. In e**x it is a variable."""
        if name != "e" or (self.names is not None and name in self.names):
            return False
        base = self.ahead == "^" or self.names is not None
        self.euler |= base
        self.variable |= not base
        return base

    def piecewise(self) -> Expr:
        self.expect("(")
        parts: list[Expr] = []
        while True:
            self.expect("(")
            value = self.sum()
            self.expect(",")
            parts += [value, self.condition()]
            self.expect(")")
            if self.ahead != ",":
                break
            self.next()
        self.expect(")")
        return self.count(x.make("piecewise", tuple(parts)))

    # Conditions: or, and, not, comparisons (also chained).

    def condition(self) -> Expr:
        return self.junction("|", "or", lambda: self.junction("&", "and", self.negation))

    def junction(self, sign: str, op: str, part: Callable[[], Expr]) -> Expr:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error(f"nested deeper than {MAX_DEPTH}")
        parts = [part()]
        while self.ahead == sign:
            self.next()
            parts.append(part())
        self.depth -= 1
        return self.count(x.make(op, tuple(parts))) if len(parts) > 1 else parts[0]

    def negation(self) -> Expr:
        token = self.ahead
        if token == "~":
            self.next()
            return x.make("not", (self.negation_guarded(),))
        if token in ("True", "False"):
            self.next()
            return x.TRUE if token == "True" else x.FALSE
        if token in _LOGICAL:
            self.next()
            self.expect("(")
            parts = [self.condition()]
            while self.ahead == ",":
                self.next()
                parts.append(self.condition())
            self.expect(")")
            if token == "Not" and len(parts) != 1:
                raise self.error("Not takes one condition")
            return x.make(_LOGICAL[token], tuple(parts)) if token == "Not" or len(parts) > 1 else parts[0]
        if token in _COMPARED:
            self.next()
            self.expect("(")
            left = self.sum()
            self.expect(",")
            right = self.sum()
            self.expect(")")
            return compare(left, _COMPARED[token], right)
        return self.comparison_or_group()

    def negation_guarded(self) -> Expr:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error(f"nested deeper than {MAX_DEPTH}")
        inner = self.negation()
        self.depth -= 1
        return inner

    def comparison_or_group(self) -> Expr:
        # "(" may open a condition or an expression; only what follows its ")" tells, so try the condition.
        if self.ahead == "(":
            state = (self.position, self.depth)
            try:
                self.next()
                inner = self.condition()
                self.expect(")")
                if self.ahead not in (*RELATIONS, "+", "-", "*", "/", "**", "^"):
                    return inner
            except InputError:
                pass
            self.position, self.depth = state
            self.ahead = self.tokens[self.position]
        left = self.sum()
        if self.ahead not in RELATIONS:
            raise self.error("expected a comparison")
        parts = []
        while self.ahead in RELATIONS:
            sign = self.next()
            right = self.sum()
            parts.append(compare(left, sign, right))
            left = right
        return parts[0] if len(parts) == 1 else x.make("and", tuple(parts))

    def end(self) -> None:
        if self.ahead:
            raise self.error(f"unexpected {self.ahead!r}")
        if self.euler and self.variable:
            raise self.error("e is a variable in one place and the base of exp in another; write exp(...)")


@lru_cache(maxsize=1024)
def _small(digits: str) -> Expr:
    return x.num(int(digits))


def _defined_at(function: str, value: Fraction) -> bool:
    if function == "sqrt":
        return value >= 0
    from symprivacy.kernel.functions import FUNCTIONS

    known = FUNCTIONS.get(function)
    needed = map(x.rational, known.domain(x.num(value))) if known is not None else ()
    return all(v > 0 or (v == 0 and known is not None and known.closed) for v in needed)


def compare(left: Expr, sign: str, right: Expr) -> Expr:
    """A condition from a comparison sign; only < and <= are kept as nodes."""
    match sign:
        case "<" | "<=":
            return x.make(sign, (left, right))
        case ">":
            return x.make("<", (right, left))
        case ">=":
            return x.make("<=", (right, left))
        case "==":
            return x.make("and", (x.make("<=", (left, right)), x.make("<=", (right, left))))
        case "!=":
            return x.make("or", (x.make("<", (left, right)), x.make("<", (right, left))))
    raise InputError(f"unknown relation {sign!r}; expected one of {', '.join(RELATIONS)}")
