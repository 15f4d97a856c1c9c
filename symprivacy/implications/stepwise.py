"""Derivations as implications: the checked derivation of a pair, and what its variables stand for in a question.

A derivation has the level last, whatever its place in the notion's record, and names of its own for the parameters of
the conclusion that the premise has as well.
"""

from __future__ import annotations

from collections.abc import Sequence

from symprivacy.derivations import Derived, derive
from symprivacy.errors import SymPrivacyError
from symprivacy.kernel.expr import Expr
from symprivacy.language.bridge import from_sympy
from symprivacy.notions import Notion
from symprivacy.notions.registry import remembered


def derivation(source: Notion, target: Notion) -> Derived | None:
    """The derivation of the conclusion's level that assumes nothing more, checked; the same pairs come again and again.

    >>> from symprivacy.notions import get
    >>> print(derivation(get("DP"), get("TV")))
    DP(eps) => TV(tanh(eps/2))
    """
    found = _attempt(source, target)
    return None if isinstance(found, str) or found.assumptions else found


def why_not(source: Notion, target: Notion) -> str | None:
    """Why there is no derivation, in a line; None where there is one.

    >>> from symprivacy.notions import get
    >>> why_not(get("DP"), get("FreeLunch")), why_not(get("LDP"), get("FreeLunch"))
    ('it needs diameter(d)', None)
    """
    found = _attempt(source, target)
    if isinstance(found, str):
        return found
    return f"it needs {', '.join(map(str, found.assumptions))}" if found.assumptions else None


@remembered(1024)
def _attempt(source: Notion, target: Notion) -> Derived | str:
    try:
        found = derive(source, target, solve="conclusion")
        found.check()
    except SymPrivacyError as reason:
        return str(reason)
    return found


def of_premise(found: Derived) -> bool:
    """Whether a derivation says which level of the premise is enough for a level of the conclusion."""
    return not found.premise.values[-1].is_Symbol


def fitted(found: Derived, premise: Sequence[Expr], conclusion: Sequence[Expr]) -> dict[str, Expr] | None:
    """What the variables of a derivation stand for, both sides with their further parameters first and the level last.

    The level that is derived is not looked at. None where the derivation has no variable of its own for each value.
    """
    start, end = found.premise.values, found.conclusion.values
    if of_premise(found):
        symbols, values = (*start[:-1], *end), (*premise[:-1], *conclusion)
    else:
        symbols, values = (*start, *end[:-1]), (*premise, *conclusion[:-1])
    if len(set(symbols)) != len(values) or not all(s.is_Symbol for s in symbols):
        return None
    put = {s.name: value for s, value in zip(symbols, values, strict=True)}
    return put if level_of(found).variables <= set(put) else None


def level_of(found: Derived) -> Expr:
    """The level that is derived, in the variables of the derivation."""
    return from_sympy((found.premise if of_premise(found) else found.conclusion).values[-1])
