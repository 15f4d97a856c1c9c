"""The notions between which implications are computed: which they are, and how values are read and compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from functools import lru_cache

from sympy import Basic, oo

from symprivacy.errors import InputError, NoInformation, UnsupportedError
from symprivacy.implications.formula import Formula, Given, Seen
from symprivacy.implications.numbers.order import below
from symprivacy.kernel.enclose import constant_sign
from symprivacy.kernel.expr import Expr, num, rational, sub, substitute
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.language.names import did_you_mean
from symprivacy.language.text import parse, shorten, to_text
from symprivacy.notions import Notion, Orders, Pairs, get
from symprivacy.notions.kinds import Kind
from symprivacy.notions.readings import FORWARD
from symprivacy.notions.registry import built_in, own_notions, remembered

# The diameter of the neighbour graph, for targets that speak of any two inputs.
DIAMETER = "D"


# The notions with tables of their own, in the order of the matrix.
TABLED = ("DP", "RB", "ADP", "PDP", "TV", "KL", "RDP", "ZCDP", "GDP", "CHI2", "HELL2", "JS", "SP", "MP", "MPP", "LDP",
          "MBP", "MBPU", "ABP", "ABPW", "MAXL", "PML", "LIP", "tCDP", "RDPlow")  # fmt: skip


def has_table(notion: Notion) -> bool:
    """Whether closed forms speak of a notion by the names of its parameters; all else is computed from its record.

    >>> has_table(get("KL")), has_table(get("DivDP"))
    (True, False)
    """
    return notion.key in TABLED


class Convertible(Mapping[str, Notion]):
    """Notions by key, looked up when they are asked for, because a notion of one's own may come later."""

    def __init__(self, known: Callable[[], Mapping[str, Notion]]) -> None:
        self._known = known

    def __getitem__(self, key: str) -> Notion:
        return self._known()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known())

    def __len__(self) -> int:
        return len(self._known())


@remembered(1)
def _convertible() -> dict[str, Notion]:
    plain = (n for n in built_in() if n.key not in TABLED and len(n.parameters) == 1 and _of_neighbours(n))
    # With more than one further parameter, what a conclusion is asked has no name.
    own = (n for n in own_notions() if len(n.parameters) <= 2)
    return {n.key: n for n in (*map(get, TABLED), *plain, *own)}


def _of_neighbours(notion: Notion) -> bool:
    """Whether a record without tables is defined like one's own notions, from which everything is computed."""
    defined = notion.posterior or any(d is not None for d in (notion.ratio, notion.width, notion.divergence))
    return bool(defined) and notion.pairs is Pairs.NEIGHBOURS and notion.orders is Orders.BOTH and not notion.reading


@remembered(1)
def _of_the_atlas() -> dict[str, Notion]:
    first = {n.key: n for n in (get(key).read(FORWARD) for key in TABLED if get(key).one_order is not None)}
    tables = {key: get(key) for key in TABLED}
    return {**tables, **first, **{key: n for key, n in CONVERTIBLE.items() if key not in tables}}


#: The notions between which implications are computed by the tables: of the package, of one file each, and one's own.
#: >>> CONVERTIBLE["ADP"].asked, "nothing" in CONVERTIBLE
#: ('eps2', False)
CONVERTIBLE = Convertible(_convertible)
#: Those of the matrix, the chains and the graph: also one order of a divergence, which has no table by its kind.
#: >>> [key for key in ATLAS if key not in CONVERTIBLE]
#: ['KL[forward]', 'RDP[forward]', 'CHI2[forward]']
ATLAS = Convertible(_of_the_atlas)


@lru_cache(maxsize=32)
def canonical(kind: Kind) -> Notion:
    """The notion of the package in whose parameters the closed forms of a kind are written.

    >>> canonical(Kind.RATIO).key, canonical(Kind.STICK).key
    ('DP', 'ADP')
    """
    found = next((notion for notion in map(get, TABLED) if notion.kind is kind), None)
    if found is None:
        raise UnsupportedError(f"no notion with a table bounds {kind.value}")
    return found


@lru_cache(maxsize=1)
def any_two() -> Notion:
    """The bound on the ratio of any two inputs, from neighbours by way of the diameter.

    >>> any_two().key
    'LDP'
    """
    return next(notion for notion in map(get, TABLED) if notion.needs == DIAMETER)


def asked_of(target: str, at: Mapping[str, object]) -> tuple[str | None, str]:
    """What a target is given at these parameters and what it answers: ADP and PDP delta at eps2, or eps at delta2.

    >>> asked_of("ADP", {"eps": 1, "eps2": 2}), asked_of("ADP", {"eps": 1, "delta2": "1e-6"})
    (('eps2', 'delta'), ('delta2', 'eps'))
    """
    notion = get(target)
    return ("delta2", "eps") if notion.asked == "eps2" and "delta2" in at else (notion.asked, notion.answers)


def value(given: object, name: str) -> Expr:
    """A parameter value: a whole number, a fraction, a sympy expression or a text; floats are refused.

    >>> value("0.45", "eps")
    Expr('9/20')
    """
    if isinstance(given, Expr):
        found = given
    elif isinstance(given, bool | float):
        raise InputError(f"{name}={given!r} is inexact; give text such as '0.1' or a fraction")
    elif isinstance(given, int | Fraction):
        found = num(Fraction(given))
    elif isinstance(given, str):
        found = parse(given)
    elif isinstance(given, Basic):
        found = from_sympy(given)
    else:
        raise InputError(f"{name}={shorten(str(given))}: expected a number, got {type(given).__name__}")
    if found.variables:
        raise InputError(f"{name}={shorten(str(given))!r}: expected a number")
    return found


def read(source: str, target: str, at: Mapping[str, object]) -> dict[str, Expr]:
    """The parameters of a conversion, checked.

    >>> sorted(read("DP", "ADP", {"eps": 1, "eps2": "1/2"}))
    ['eps', 'eps2']
    """
    for key in (source, target):
        if key not in CONVERTIBLE:
            raise InputError(f"no table speaks of {get(str(key)).key}; known are {', '.join(CONVERTIBLE)}")
    return assigned(source, target, at)


def assigned(source: str, target: str, at: Mapping[str, object]) -> dict[str, Expr]:
    """What the parameters of a premise are, and of a conclusion what is not its level; any notions of the package.

    >>> sorted(assigned("DP", "GroupDP", {"eps": 1, "c2": 3}))
    ['c2', 'eps']
    """
    start, end = get(source), get(target)
    wanted = [*start.names]
    asked = asked_of(target, at)[0]
    if asked == "delta2" and "eps2" in at:
        raise InputError(f"{source} to {target} takes eps2 and answers delta, or delta2 and answers eps; not both")
    if asked is not None:
        wanted.append(asked)
    if asked == DIAMETER:
        at = {DIAMETER: 1, **at}
    elif DIAMETER in at and end.pairs.every and {source, target} <= CONVERTIBLE.keys():
        wanted.append(DIAMETER)
    missing = [name for name in wanted if name not in at]
    if missing:
        either = " (or delta2)" if "eps2" in missing else ""
        strange = next((str(name) for name in at if name not in wanted), None)
        if strange is not None:
            hint = did_you_mean(strange, wanted, f"it takes {', '.join(wanted)}")
            raise InputError(f"{source} to {target} has no parameter {shorten(strange)!r}; {hint}")
        owner = {name: start if name in start.names else end for name in wanted}
        typed = " ".join(f"{name}={notion.reference(name)}" for name, notion in owner.items())
        raise InputError(f"{source} to {target} needs {', '.join(missing)}{either}; such as --at {typed}")
    extra = [shorten(str(name)) for name in at if name not in wanted]
    if extra:
        raise InputError(f"{source} to {target} takes {', '.join(wanted)}; not {', '.join(extra)}")
    return {name: checked(at[name], name, source if name in start.names else target) for name in wanted}


def referenced(source: str | Notion, target: str | Notion, at: Mapping[str, object] | None = None) -> dict[str, Expr]:
    """The parameters of a pair of notions, reference values for those that are not given.

    >>> sorted(referenced("DP", "ADP", {"eps": 2}).items())
    [('eps', Expr('2')), ('eps2', Expr('1/2'))]
    """
    start, end = get(source), get(target)
    wanted = [*start.others, start.answers, *([end.asked] if end.asked is not None else [])]
    extra = [name for name in at or {} if name not in wanted]
    if extra:
        raise InputError(f"{start.key} to {end.key} takes {', '.join(wanted)}; not {str(extra[0])[:40]}")
    sample = {name: (start if name in start.names else end).reference(name) for name in wanted}
    full = {name: (at or {}).get(name, sample[name]) for name in wanted}
    if start.key in CONVERTIBLE and end.key in CONVERTIBLE:
        return read(start.key, end.key, full)
    return {name: value(number, name) for name, number in full.items()}


def conditions(source: str, target: str) -> tuple[str, ...]:
    """What an implication between two notions needs or quantifies over, from their records.

    >>> conditions("DP", "MBPU")
    ('every two secrets are neighbours', 'priors: uniform on m secrets')
    """
    premise, conclusion = get(source), get(target)
    words = []
    if conclusion.asked == DIAMETER:
        words.append("D is the diameter of the neighbour graph")
    elif conclusion.pairs is Pairs.ALL is not premise.pairs:
        words.append("every two secrets are neighbours")
    if conclusion.priors:
        words.append(f"priors: {conclusion.priors}")
    if premise.priors and premise.priors != conclusion.priors:
        words.append(f"premise at priors: {premise.priors}")
    if conclusion.pairs is Pairs.GAMES:
        words.append("n >= 2 records")
    return tuple(words)


def understood(source: str, target: str, at: Mapping[str, Expr]) -> str:
    """How the neighbours are read.

    >>> understood("DP", "MBP", {}), understood("DP", "MBP", {"D": num(2)}), understood("DP", "KL", {})
    ('inputs pairwise neighbours', 'neighbour graph of diameter 2', 'neighbouring inputs, both orders')
    """
    premise, conclusion = get(source), get(target)
    if conclusion.pairs.every and not premise.pairs.every:
        steps = to_text(at[DIAMETER]) if DIAMETER in at else "1"
        return "inputs pairwise neighbours" if steps == "1" else f"neighbour graph of diameter {steps}"
    if Pairs.GAMES in (premise.pairs, conclusion.pairs):
        return "databases of n >= 2 records, neighbours differ in one"
    return f"{conclusion.pairs.words}, {conclusion.orders.words}"


def checked(given: object, name: str, key: str) -> Expr:
    """The value of a parameter of a notion, within its range.

    >>> checked("1/2", "delta", "ADP")
    Expr('1/2')
    """
    number = value(given, name)
    _check(name, number, key)
    return number


def limits(name: str, key: str) -> tuple[str, bool, str | None, bool, bool]:
    """Smallest value, whether it is excluded, largest value, whether it is excluded, whole numbers only.

    ``key`` is the notion that the parameter belongs to; a level ends at the largest one there is.

    >>> limits("delta2", "ADP"), limits("j", "JS")
    (('0', False, '1', False, False), ('0', False, 'log(2)', False, False))
    """
    if name == DIAMETER:
        return "1", False, None, True, True
    notion = get(key)
    found = notion.parameter(name if name in notion.names else name.removesuffix("2"))
    span = notion.range(found)
    high = None if span.end == oo else to_text(from_sympy(span.end))
    return to_text(from_sympy(span.start)), bool(span.left_open), high, bool(span.right_open), found.whole


def _check(name: str, number: Expr, key: str) -> None:
    low, low_open, high, high_open, whole = limits(name, key)
    below = _side(number, parse(low))
    above = _side(parse(high), number) if high is not None else 1
    bad = below is None or above is None or below < 0 or above < 0
    bad = bad or (below == 0 and low_open) or (above == 0 and high_open and high is not None)
    if whole and (number.op != "num" or rational(number).denominator != 1):
        bad = True
    if bad:
        bounds = f"{'(' if low_open else '['}{low}, {high if high is not None else 'oo'}{')' if high_open else ']'}"
        kind = "a whole number" if whole else "a number"
        raise InputError(f"{name}={shorten(to_text(number))}: expected {kind} in {bounds}")


_observed: ContextVar[list[Seen] | None] = ContextVar("observed", default=None)


@contextmanager
def observed() -> Iterator[list[Seen]]:
    """Collect every comparison by which a rule chooses its branch: together they say where its answer is valid."""
    found: list[Seen] = []
    token = _observed.set(found)
    try:
        yield found
    finally:
        _observed.reset(token)


def compare(left: Formula, right: Formula, given: Given) -> int | None:
    """The sign of left - right at the parameters; None if it cannot be told."""
    sign = _sign(left, right, given)
    note_comparison(left, right, sign)
    return sign


def note_comparison(left: Formula, right: Formula, sign: int | None) -> None:
    """Tell whoever observes that a branch was chosen by this comparison."""
    if (seen := _observed.get()) is not None:
        seen.append((left, right, sign))


def _side(a: Expr, b: Expr) -> int | None:
    """The sign of the difference of two numbers; None if it cannot be told."""
    if a is b:
        return 0
    sign = constant_sign(sub(a, b), 5000)
    if sign is not None:
        return sign
    from sympy import simplify

    return 0 if simplify(to_sympy(a) - to_sympy(b)) == 0 else None


def _sign(left: Formula, right: Formula, given: Given) -> int | None:
    if not left.roots and not right.roots:
        mapping = dict(given)
        a = substitute(Formula.expr(left), mapping)
        b = substitute(Formula.expr(right), mapping)
        return _side(a, b)
    for prec in (100, 400, 1600):
        try:
            x, y = left.evaluate(given, prec), right.evaluate(given, prec)
        except NoInformation:
            continue
        if below(x, y):
            return -1
        if below(y, x):
            return 1
    return None
