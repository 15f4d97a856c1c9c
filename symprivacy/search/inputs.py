"""What users hand over (sympy objects or text) as the kernel's expressions and boxes.

Domains are explicit and real. sympy uses the assumptions of a symbol while an expression is built (``sqrt(x**2)``
of a positive ``x`` becomes ``x``), so a domain that a symbol's assumptions do not allow is refused, and so is a
symbol that stands for integers.
sympy is imported only when something that is not text arrives.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from symprivacy.errors import InputError
from symprivacy.kernel.box import Box, Range
from symprivacy.kernel.enclose import constant_sign
from symprivacy.kernel.expr import Expr
from symprivacy.language.domain import box_from_texts, make_range
from symprivacy.language.text import parse, parse_statement, shorten, to_text


def read_name(symbol: object) -> str:
    """The kernel's name of a variable given as text or as a sympy Symbol.

    >>> read_name("ε")
    'eps'
    """
    text = symbol if isinstance(symbol, str) else getattr(symbol, "name", None)
    if not isinstance(text, str):
        raise InputError(f"a variable is a sympy Symbol or its name, got {shorten(repr(symbol))}")
    e = parse(text)
    if e.op != "var":
        raise InputError(f"{shorten(text)!r} cannot be used as the name of a variable")
    return str(e.value)


def read_expression(e: Any) -> Expr:
    """An expression from text, a number or a sympy expression.

    >>> read_expression("eps/6")
    Expr('eps/6')
    """
    if isinstance(e, str):
        return parse(e)
    if isinstance(e, Expr):
        return e
    import sympy

    from symprivacy.language.bridge import from_sympy

    try:
        converted = sympy.sympify(e, strict=True)
    except sympy.SympifyError:
        raise InputError(f"expected text or a sympy expression, got {shorten(repr(e))}") from None
    if not isinstance(converted, sympy.Expr):
        raise InputError(f"expected an expression, got {shorten(str(converted))}")
    try:
        return from_sympy(_with_plain_names(converted))
    except RecursionError:
        raise InputError("the expression is nested too deeply") from None


def _with_plain_names(e: Any) -> Any:
    """The expression with each symbol under the kernel's name for it; two symbols never become one."""
    import sympy

    owner: dict[str, Any] = {}
    for symbol in sorted(e.free_symbols, key=str):
        name = read_name(symbol)
        if name in owner:
            raise InputError(
                f"two different symbols are both called {name}; they may differ in their assumptions only",
            )
        owner[name] = symbol
    renamed = {symbol: sympy.Symbol(name) for name, symbol in owner.items() if symbol.name != name}
    return e.xreplace(renamed) if renamed else e


def read_statement(statement: Any) -> tuple[Expr, str, Expr]:
    """``lhs REL rhs`` from text or from a sympy relation.

    >>> read_statement("eps/6 <= tanh(eps/2)")
    (Expr('eps/6'), '<=', Expr('tanh(eps/2)'))
    """
    if isinstance(statement, str):
        return parse_statement(statement)
    import sympy

    if isinstance(statement, bool | sympy.logic.boolalg.BooleanAtom):
        raise InputError(
            f"the statement is already {statement}: sympy decided it while it was built, perhaps from the "
            "assumptions of a symbol; give it as text, or build it with evaluate=False",
        )
    if not isinstance(statement, sympy.core.relational.Relational):
        raise InputError(f"expected text or a sympy relation such as x > 0, got {shorten(repr(statement))}")
    # Both sides at once, so that a symbol shared by name only is noticed.
    _with_plain_names(statement)
    return read_expression(statement.lhs), str(statement.rel_op), read_expression(statement.rhs)


def read_range(value: Any, name: str = "the variable") -> Range:
    """The range of one variable from text, a sympy Interval or ``[lo, hi, lo_open, hi_open]``.

    >>> str(read_range("(0, 27/20]"))
    '(0, 27/20]'
    """
    if isinstance(value, Range):
        return value
    if isinstance(value, str):
        return next(iter(box_from_texts([f"{name if name.isidentifier() else 'x'} in {value}"]).values()))
    if isinstance(value, list | tuple):
        if len(value) != 4 or not all(isinstance(b, bool) for b in value[2:]):
            raise InputError(f"the domain of {name} must be [lo, hi, lo_open, hi_open], got {shorten(repr(value))}")
        lo, hi, lo_open, hi_open = value
        return make_range(lo, hi, lo_open, hi_open, name)
    from symprivacy.language.bridge import range_from_sympy

    r = range_from_sympy(value)
    if any(end is not None and end.variables for end in (r.lo, r.hi)):
        raise InputError(f"the end points of the domain of {name} must be numbers, got {r}")
    # Again through text: there an empty range is noticed.
    lo, hi, lo_open, hi_open = r.to_json()
    return make_range(lo, hi, lo_open, hi_open, name)


def read_box(domain: Any, variables: Iterable[str] = ()) -> Box:
    """A box from any of the accepted forms; every variable must get a range.

    >>> {n: str(r) for n, r in read_box({"eps": "(0, 5]"}, ["eps"]).items()}
    {'eps': '(0, 5]'}
    >>> read_box("x in [0, 1]", ["x", "y"])
    Traceback (most recent call last):
      ...
    symprivacy.errors.InputError: no domain given for y; give such as 'y in (0, oo)'
    """
    needed = sorted(variables)
    box: dict[str, Range] = {}
    if domain is None:
        pass
    elif isinstance(domain, str):
        if needed and domain.strip()[:1] in ("(", "["):
            domain = {_only(needed): domain}
        else:
            box.update(box_from_texts([domain]))
    elif isinstance(domain, list | tuple) and all(isinstance(t, str) for t in domain):
        box.update(box_from_texts(list(domain)))
    elif not isinstance(domain, Mapping):
        domain = {_only(needed): domain}
    if isinstance(domain, Mapping):
        for key, value in domain.items():
            name = read_name(key)
            if name in box:
                raise InputError(f"two domains given for {name}")
            box[name] = read_range(value, name)
    missing = [name for name in needed if name not in box]
    if missing:
        raise InputError(f"no domain given for {', '.join(missing)}; give such as '{missing[0]} in (0, oo)'")
    if "e" in box and needed and "e" not in needed:
        # Whoever gives e a range and writes e^x did not mean exp(x).
        raise InputError("e has a range and no place: e^x is read as exp(x); write e**x for a variable e")
    return box


def check_assumptions(box: Box, *given: Any) -> None:
    """Refuse sympy symbols whose assumptions do not allow their domain: sympy has already used them.

    >>> from sympy import Symbol
    >>> check_assumptions(read_box("n in [0, 5]"), Symbol("n", integer=True))
    Traceback (most recent call last):
      ...
    symprivacy.errors.InputError: n stands for integers, a domain for all real numbers in it; use a plain symbol
    """
    for symbol in sorted({s for e in given for s in getattr(e, "free_symbols", ())}, key=str):
        name = read_name(symbol)
        r = box.get(name)
        if symbol.is_integer or symbol.is_real is False:
            kind = "integers" if symbol.is_integer else "no real number"
            raise InputError(f"{name} stands for {kind}, a domain for all real numbers in it; use a plain symbol")
        if r is None:
            continue
        positive, negative = (symbol.is_positive, symbol.is_nonnegative), (symbol.is_negative, symbol.is_nonpositive)
        for end, is_open, (strict, weak), side in ((r.lo, r.lo_open, positive, 1), (r.hi, r.hi_open, negative, -1)):
            sign = None if end is None else constant_sign(end)
            inside = sign == side or (sign == 0 and (is_open or not strict))
            if (strict or weak) and not inside:
                raise InputError(f"the assumptions of {name} do not allow its domain {r}; use a plain symbol")


def _only(names: list[str]) -> str:
    if len(names) != 1:
        raise InputError(
            f"one interval serves a statement in one variable, this has {len(names)}: {', '.join(names) or 'none'}",
        )
    return names[0]


def in_words(lhs: Expr, rel: str, rhs: Expr, box: Box) -> str:
    """The statement with its domain.

    >>> in_words(*read_statement("x**2 >= 0"), read_box("x in [0, 1]"))
    'x**2 >= 0 for x in [0, 1]'
    """
    text = f"{to_text(lhs)} {rel} {to_text(rhs)}"
    return text + (f" for {', '.join(f'{n} in {r}' for n, r in box.items())}" if box else "")
