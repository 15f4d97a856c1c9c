"""The notation of statements: formulas as people write them, read into trees without evaluating anything.

It holds what the language of expressions does not: probabilities, conditions, sets, guarantees, primes and indices.
A text marks its formulas with backticks, so that nobody who prints it has to guess what is a word and what is not:

>>> [(p.formula, p.text) for p in parts("it fails for `P[B in Bad_1'] <= delta/2`.")]
[(False, 'it fails for '), (True, "P[B in Bad_1'] <= delta/2"), (False, '.')]
>>> read("(1 + exp(-eps)) delta/eta").op
'/'
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from symprivacy.errors import InputError
from symprivacy.kernel import expr as x

MARK = "`"
MAX_DEPTH = 100
MAX_TOKENS = 20_000
GREEK = frozenset((
    "alpha", "beta", "gamma", "delta", "eps", "epsilon", "zeta", "eta", "theta", "kappa", "lambda", "mu", "nu", "xi",
    "rho", "sigma", "tau", "phi", "chi", "psi", "omega", "Gamma", "Delta", "Theta", "Lambda", "Sigma", "Phi", "Psi",
    "Omega", "pi",
))  # fmt: skip
FUNCTIONS = (x.FUNCTIONS - {"abs"}).union((
    "sqrt", "Abs", "Min", "Max", "min", "max", "sup", "inf", "sum", "prod", "supp", "Piecewise", "True", "Lap",
))  # fmt: skip
# As people write the inverse hyperbolic functions, which give an area.
AREA = {f"a{name}": f"ar{name}" for name in ("sinh", "cosh", "tanh")}
_TOKEN = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<number>\d+(?:\.\d+(?:\.\.\.)?)?(?:e[+-]?\d+(?![A-Za-z]))?)"
    r"|(?P<name>[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*)"
    r"|(?P<sign>=/=>|<=>|<==|<->|\.\.\.|=>|->|<=|>=|==|!=|\|\||\^\*|\*\*|\+-|[-+*/^=<>~±∪×∖(),;:\[\]{}|_'.])"
    r"|(?P<other>.)",
    re.ASCII | re.DOTALL,
)
_KEY = re.compile(r"-((?=[A-Za-z0-9]*[A-Z][A-Za-z0-9]*[A-Z]|\w*Pr\b)[A-Za-z][A-Za-z0-9]+|indist\b)")
RELATIONS = ("<=", ">=", "==", "!=", "<", ">", "=", "in", "~", ":")
ARROWS = ("=/=>", "<=>", "<==", "=>", "->", "<->")
# How strongly a sign binds; a condition (given) weaker than the comparisons on its sides, as in P[x = 1 | y = 2].
_BINDING = {
    **dict.fromkeys(ARROWS, 1), "or": 2, "and": 3, "|": 4, "||": 4, **dict.fromkeys(RELATIONS, 6),
    "∪": 8, "×": 8, "∖": 8, "has": 9, "+": 10, "-": 10, "±": 10, "*": 12, "/": 12, "^": 14,
}  # fmt: skip
_NOT, _MINUS = 5, 11
_CLOSING = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True)
class Node:
    """A formula: a sign with its parts; ``text`` is a name, a number, the signs of a chain or a pair of brackets."""

    op: str
    args: tuple[Node, ...] = ()
    text: str = ""


@dataclass(frozen=True)
class Part:
    """Words, or a formula."""

    formula: bool
    text: str


def parts(text: str) -> list[Part]:
    """The words and formulas of a marked text; an unpaired mark is a word."""
    pieces = text.split(MARK)
    if len(pieces) % 2 == 0:
        pieces[-2:] = [MARK.join(pieces[-2:])]
    return [Part(k % 2 == 1, piece) for k, piece in enumerate(pieces) if piece]


def plain(text: str) -> str:
    """A marked text for those who read plain text.

    >>> plain("at `eps = 1/2` it fails")
    'at eps = 1/2 it fails'
    """
    return "".join(part.text for part in parts(text))


class Text(str):
    """A plain text that remembers its marks: what people and programs compare is plain, what is typeset is marked.

    >>> t = Text("at `eps = 1/2` it fails")
    >>> t == "at eps = 1/2 it fails", t.marked
    (True, 'at `eps = 1/2` it fails')
    """

    __slots__ = ("marked",)
    marked: str

    def __new__(cls, text: str) -> Text:
        made = super().__new__(cls, plain(written(text)))
        made.marked = written(text)
        return made

    def __getnewargs__(self) -> tuple[str]:
        return (self.marked,)


def written(text: str) -> str:
    """A text with its marks."""
    return text.marked if isinstance(text, Text) else text


_FOR = re.compile(r"\s+for\s+(?:all\s+|every\s+)?")
_STATED = re.compile(r"[<>=]|\bin\b")
_WHOLE = re.compile(r"(\s+integers?)\s*$")
_SATISFIES = " satisfies "


def mark(text: str) -> str:
    """A statement of the package's language, ``A REL B for RANGES``, with its formulas marked; other texts as they are.

    >>> mark("eps-DP => (eps/2)-TV for 0 < eps <= 1"), mark("it fails for eps = 1")
    ('`eps-DP => (eps/2)-TV` for `0 < eps <= 1`', 'it fails for eps = 1')
    >>> mark("laplace(b) satisfies DP(1/b) for b > 0"), mark("k >= 1 for k >= 1 integer")
    ('`laplace(b)` satisfies `DP(1/b)` for `b > 0`', '`k >= 1` for `k >= 1` integer')
    """
    halves = _FOR.split(text.strip())
    if MARK in text or len(halves) > 2:
        return text
    sides = halves[0].split(_SATISFIES) if halves[0].count(_SATISFIES) == 1 else [halves[0]]
    if not all(is_formula(side) and (len(sides) == 2 or _STATED.search(side)) for side in sides):
        return text
    body = _SATISFIES.join(f"{MARK}{side}{MARK}" for side in sides)
    found = _FOR.search(text.strip())
    if found is None:
        return body
    # One formula, unless words stand between the ranges.
    items = [_WHOLE.split(item) for item in (halves[1].split(", ") if "integer" in halves[1] else [halves[1]])]
    if not all(is_formula(item[0]) and _STATED.search(item[0]) for item in items):
        return text
    ranges = ", ".join(f"{MARK}{item[0]}{MARK}{item[1] if len(item) > 1 else ''}" for item in items)
    return f"{body}{found.group()}{ranges}"


def is_formula(text: str) -> bool:
    """Whether a text can be read as a formula of names that are no words of a language.

    >>> is_formula("tanh(eps/2)"), is_formula("least eps at which it holds")
    (True, False)
    """
    words = re.findall(r"(?<![A-Za-z_])[a-z]{2,}(?![\w(])", text)
    if any(word not in GREEK | FUNCTIONS | {"in", "and", "or", "not", "oo", "dhat"} for word in words):
        return False
    try:
        read(text)
    except InputError:
        return False
    return True


def chain(text: str) -> tuple[str, tuple[tuple[str, str], ...]] | None:
    """The first side of a chain of relations, and each sign with the side after it; None where it is no such chain.

    >>> chain("A <= (a < b) + 1 = x"), chain("a => b <= c")
    (('A', (('<=', '(a < b) + 1'), ('=', 'x'))), None)
    """
    found: list[tuple[int, int, str]] = []
    depth, bars = 0, False
    for match in _TOKEN.finditer(text):
        sign = match.group()
        depth += (sign in ("(", "[", "{")) - (sign in (")", "]", "}"))
        bars ^= sign == "|"
        if depth == 0 and sign in (*ARROWS, "and", "or", ",", ";"):
            return None
        if depth == 0 and not bars and sign in ("<=", ">=", "==", "!=", "<", ">", "="):
            found.append((match.start(), match.end(), sign))
    if not found:
        return None
    ends = [start for start, _, _ in found[1:]] + [len(text)]
    links = tuple((sign, text[end:stop].strip()) for (_, end, sign), stop in zip(found, ends, strict=True))
    lhs = text[: found[0][0]].strip()
    return (lhs, links) if lhs and all(side for _, side in links) else None


def marked(name: str, value: object) -> str:
    """An equation with a name on its left.

    >>> marked("eps", "1/2")
    '`eps = 1/2`'
    """
    return f"{MARK}{name} = {value}{MARK}"


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    # Whether a space stands before: f (x) is a product, f(x) a value.
    spaced: bool


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    spaced, at = False, 0
    while at < len(text):
        key = _KEY.match(text, at) if at and not spaced else None
        match = key or _TOKEN.match(text, at)
        assert match is not None
        at = match.end()
        if key is not None:
            found.append(_Token("has", key[1], False))
        elif match.lastgroup == "space":
            spaced = True
            continue
        elif match.lastgroup == "other":
            raise InputError(f"{match.group()!r} is no sign of a formula")
        else:
            sign = {"**": "^", "+-": "±"}.get(match.group(), match.group())
            word = sign in ("in", "and", "or", "not")
            found.append(_Token("sign" if word else str(match.lastgroup), sign, spaced))
        spaced = False
        if len(found) > MAX_TOKENS:
            raise InputError(f"a formula of more than {MAX_TOKENS} signs")
    return found


def read(text: str) -> Node:
    """The tree of a formula; several, separated by commas, are a list.

    >>> read("b0[x|t] <= 1/2 + eps")
    Node(op='chain', args=(Node(op='at', args=(Node(op='name', args=(), text='b0'), Node(op='|', args=(Node(op='name', \
args=(), text='x'), Node(op='name', args=(), text='t')), text='')), text='['), Node(op='+', args=(Node(op='/', \
args=(Node(op='number', args=(), text='1'), Node(op='number', args=(), text='2')), text=''), Node(op='name', \
args=(), text='eps')), text='')), text='<=')
    """
    reader = _Reader(_tokens(text))
    found = reader.list()
    if reader.token is not None:
        raise InputError(f"{reader.token.text!r} is not expected in the formula {text[:80]!r}")
    return found


class _Reader:
    """Operator precedence over the tokens; ``bar`` is set between the strokes of an absolute value."""

    def __init__(self, tokens: list[_Token]) -> None:
        self.tokens = tokens
        self.k = 0
        self.depth = 0
        self.bar = False

    @property
    def token(self) -> _Token | None:
        return self.tokens[self.k] if self.k < len(self.tokens) else None

    def sign(self, *signs: str) -> bool:
        return self.token is not None and self.token.kind == "sign" and self.token.text in signs

    def take(self) -> _Token:
        if self.token is None:
            raise InputError("the formula ends too early")
        self.k += 1
        return self.tokens[self.k - 1]

    def list(self) -> Node:
        items, signs = [self.sum(0)], ""
        while self.sign(",", ";"):
            signs += self.take().text
            items.append(self.sum(0))
        return Node("list", tuple(items), signs) if signs else items[0]

    def inside(self, *closing: str) -> tuple[Node, str]:
        """What stands between brackets, and the bracket that closes it."""
        before, self.bar = self.bar, False
        found = self.list()
        self.bar = before
        end = self.take().text
        if end not in closing:
            raise InputError(f"{end!r} where {closing[0]!r} is expected")
        return found, end

    def sum(self, least: int) -> Node:
        """An expression whose signs bind at least so strongly."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise InputError("the formula is nested too deeply")
        left = self.prefix()
        while (found := self.infix()) is not None:
            op, binding = found
            if binding < least:
                break
            if op == "has":
                left = Node("has", (left,), self.take().text)
                continue
            if op != "juxtaposed":
                self.k += 1
            if op in RELATIONS:
                right = self.sum(binding + 1)
                left = (
                    Node("chain", (*left.args, right), f"{left.text} {op}")
                    if left.op == "chain"
                    else Node("chain", (left, right), op)
                )
            else:
                right = self.sum(binding if op == "^" else binding + 1)
                left = Node("*" if op == "juxtaposed" else op, (left, right))
        self.depth -= 1
        return left

    def infix(self) -> tuple[str, int] | None:
        token = self.token
        if token is None or self.sign(",", ";", ")", "]", "}", "not") or (self.bar and self.sign("|")):
            return None
        if token.kind == "has":
            return "has", _BINDING["has"]
        if token.kind == "sign" and token.text in _BINDING:
            return token.text, _BINDING[token.text]
        if token.kind in ("name", "number") or self.sign("(", "[", "{", "..."):
            return "juxtaposed", _BINDING["*"]
        raise InputError(f"{token.text!r} is not expected here")

    def prefix(self) -> Node:
        if self.sign("-", "±"):
            return Node(f"{self.take().text}1", (self.sum(_MINUS),))
        if self.sign("not"):
            self.k += 1
            return Node("not", (self.sum(_NOT),))
        return self.postfix(self.atom())

    def atom(self) -> Node:
        token = self.take()
        if token.kind in ("number", "name"):
            return Node(token.kind, (), token.text)
        if token.text in (".", "..."):
            return Node("name", (), token.text)
        if token.text == "|":
            before, self.bar = self.bar, True
            found = self.sum(0)
            self.bar = before
            if self.take().text != "|":
                raise InputError("a stroke is not closed")
            return Node("abs", (found,))
        if token.text == "{":
            return Node("set", (self.inside("}")[0],))
        if token.text in ("(", "["):
            found, end = self.inside(")", "]")
            grouping = token.text + end == "()" and found.op not in ("list", "number")
            return found if grouping else Node("brackets", (found,), token.text + end)
        raise InputError(f"{token.text!r} is not expected here")

    def postfix(self, left: Node) -> Node:
        while (token := self.token) is not None and not token.spaced and token.kind == "sign":
            if token.text in ("'", "^*"):
                self.k += 1
                left = Node("prime" if token.text == "'" else "star", (left,))
            elif token.text == "_":
                self.k += 1
                left = Node("index", (left, self.index()))
            elif token.text in ("(", "[") and left.op in ("name", "prime", "star", "index", "at"):
                self.k += 1
                # Empty brackets belong to a mechanism without an argument that matters.
                left = Node("at", (left, self.inside(_CLOSING[token.text])[0]), token.text)
            else:
                break
        return left

    def index(self) -> Node:
        if self.sign("{"):
            self.k += 1
            return self.inside("}")[0]
        if self.sign("-"):
            self.k += 1
            return Node("-1", (self.atom(),))
        return self.atom()
