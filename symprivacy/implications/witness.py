"""Witnesses with the parameters put in: exact texts where possible, else decimals rounded to the safe side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import mpmath
from mpmath.libmp import mpf_cmp

from symprivacy.errors import NoInformation
from symprivacy.implications.formula import Formula, Given, Part, Root, constants, expression, spelled
from symprivacy.implications.implication import Implication
from symprivacy.implications.numbers.decimals import decimal
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr, substitute
from symprivacy.kernel.interval import Interval
from symprivacy.language.notation import Text
from symprivacy.language.notation import written as written_text
from symprivacy.language.text import to_text

_TINY = mpmath.mpf("1e-400")._mpf_
# Keys of a witness whose texts are probabilities or ratios.
LAWS = ("P", "Q", "matrix", "ratio")


def spell(
    witness: Mapping[str, Any], roots: tuple[Root, ...], given: Given, digits: int, strict: bool = False
) -> dict[str, Any]:
    """The witness with the parameters put in; what depends on a root becomes a decimal number.

    With ``strict`` a test of ratio exp(eps2) that the level only approaches is moved inside: a little less mass, and a
    ratio that exceeds the threshold.

    >>> from symprivacy.language.text import parse
    >>> spell({"P": ["x", "1 - x"], "Q": ["1/2", "1/2"]}, (), {"x": parse("1/4")}, 5)
    {'P': ['1/4', '3/4'], 'Q': ['1/2', '1/2']}
    """
    prec = int(digits * 3.33) + 120
    box: dict[str, Interval] = {}
    solved: set[str] = set()
    try:
        box = Formula("0", roots).box(given, prec) if roots else constants(given, prec)
        solved = {root.name for root in roots}
    except NoInformation:
        return written(witness)

    def one(part: Part) -> str:
        e = expression(part)
        if not e.variables & solved:
            return to_text(substitute(e, dict(given)))
        if not e.variables <= set(box):
            return spelled(part)
        try:
            return str(mpmath.nstr(mpmath.mp.make_mpf(iv.midpoint(enclose(e, box, prec), prec)), digits + 12))
        except NoInformation:
            return spelled(part)

    found: dict[str, Any] = _laws(dict(witness), one)
    if strict and witness.get("attained") is False and len(witness.get("P", ())) in (2, 3) and "eps2" in given:
        try:
            moved = above(enclose(expression(witness["P"][0]), box, prec), given, digits)
            if len(witness["P"]) == 3:
                # What only Q produces stays; the second output makes up for the rest.
                only = found["Q"][2]
                moved = {"P": [*moved["P"], "0"], "Q": [*moved["Q"][:1], f"{moved['Q'][1]} - ({only})", only]}
            found |= moved
        except NoInformation:
            return found
    return found


def written(witness: Mapping[str, Any]) -> dict[str, Any]:
    """The witness with its laws as texts, the parameters as they are.

    >>> written({"P": [expression("1 - x")], "attained": True})
    {'P': ['1 - x'], 'attained': True}
    """
    return _laws(witness, spelled)  # type: ignore[no-any-return]


def above(mass: Interval, given: Given, digits: int) -> dict[str, Any]:
    """A test of almost that mass whose ratio exceeds exp(eps2), as exact decimals.

    >>> from symprivacy.language.text import parse
    >>> above(iv.ONE, {"eps2": parse("log(2)")}, 3)["P"]
    ['0.999999999998999', '1 - 0.999999999998999']
    """
    prec = int(digits * 3.33) + 160
    hair = iv.from_fraction(1 - Fraction(1, 10 ** (digits + 9)), prec)
    if mpf_cmp(mass[0], _TINY) < 0:
        raise NoInformation("the mass is too small to be written down")
    p = decimal(iv.mul(mass, hair, prec)[0], digits + 12, up=False)
    given_p = constants({"p": expression(p), "eps2": given["eps2"]}, prec)
    # As many digits more as keep the ratio within what the smaller mass makes up for.
    q = decimal(enclose(expression("p*exp(-eps2)"), given_p, prec)[0], digits + 14, up=False)
    return {"P": [p, f"1 - {p}"], "Q": [q, f"1 - {q}"]}


def with_parameters(answer: Implication, put: Mapping[str, Part]) -> Implication:
    """The answer with other expressions for its parameters: those of a stand-in written in those of the notion.

    >>> from symprivacy.implications.answer import tight
    >>> print(with_parameters(tight("t**2", None), {"t": "exp(l) - 1"}).level)
    (exp(l) - 1)**2
    """
    roots = Formula("0", answer.roots).of(put).roots
    formula = None if answer.level is None else answer.level.of(put)
    shown = answer.shown
    if isinstance(shown, Formula):
        shown = Formula(shown.body, (*shown.roots, *(Root(name, name, text) for name, text in put.items())))
    elif shown is not None:
        shown = Text(
            written_text(shown) + ", " + ", ".join(f"`{name} = {spelled(part)}`" for name, part in put.items())
        )
    mapping = {name: expression(text) for name, text in put.items()}
    witness = None
    if answer.witness is not None:
        witness = _laws(answer.witness, lambda part: substitute(expression(part), mapping))
    return replace(answer, level=formula, shown=shown, witness=witness, roots=roots)


def _laws(item: Any, change: Callable[[Part], Part], key: str = "") -> Any:
    """A witness with its laws changed entry by entry."""
    if isinstance(item, Mapping):
        return {name: _laws(entry, change, name) for name, entry in item.items()}
    if isinstance(item, list):
        return [_laws(entry, change, key) for entry in item]
    return change(item) if isinstance(item, str | Expr) and key in LAWS else item
