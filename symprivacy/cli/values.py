"""Exact values in options: ``eps=1`` for a parameter, ``p=1/3`` or ``1/2,1/4,1/4`` for a prior."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from symprivacy.errors import InputError
from symprivacy.language.text import parse, shorten

if TYPE_CHECKING:
    from symprivacy.mechanisms import Family, Mechanism


def value(text: str, symbols: frozenset[str] | None = frozenset()) -> Any:
    """A number, or an expression in the given symbols (None: in any), as a sympy object.

    >>> value("0.45"), value("exp(1)/2")
    (9/20, E/2)
    """
    from symprivacy.language.bridge import to_sympy

    return to_sympy(parse(text, symbols))


def assignment(text: str) -> tuple[str, str]:
    """``name=value`` in two.

    >>> assignment("eps=1/2")
    ('eps', '1/2')
    """
    name, sign, rest = text.partition("=")
    if not sign or not rest.strip() or parse(name.strip()).op != "var":
        raise InputError(f"expected such as eps=1, got {shorten(text)!r}")
    return parameter_name(name), rest.strip()


def parameter_name(text: str) -> str:
    """The parameter that a spelling means.

    >>> parameter_name("Epsilon"), parameter_name("δ2"), parameter_name("D")
    ('eps', 'delta2', 'D')
    """
    from symprivacy.language.names import parameter
    from symprivacy.notions import all_notions

    own = {p.name for notion in all_notions() for p in notion.parameters}
    return parameter(text, {*own, *(f"{name}2" for name in own), "D", "p", "sigma", "b"})


def key(text: str) -> str:
    """The key of a notion, from any of its names in any case.

    >>> key("dp"), key("Renyi differential privacy")
    ('DP', 'RDP')
    """
    from symprivacy.notions import get

    return get(text.strip()).key


def assignments(texts: list[str]) -> dict[str, str]:
    """Parameters from ``--at`` options, one after the other or separated by commas; each name once.

    >>> assignments(["eps=1, delta=1/10", "alpha=2"])
    {'eps': '1', 'delta': '1/10', 'alpha': '2'}
    """
    found: dict[str, str] = {}
    for part in (p for text in texts for p in text.split(",")):
        name, right = assignment(part)
        if name in found:
            raise InputError(f"{name} is given twice")
        found[name] = right
    return found


def parameters(texts: list[str], symbols: frozenset[str] | None = frozenset()) -> dict[str, Any]:
    """Parameters from ``--at`` options, several in one separated by commas; None allows every symbol.

    >>> parameters(["eps=1,delta=1/10", "alpha=2"])
    {'eps': 1, 'delta': 1/10, 'alpha': 2}
    """
    return {name: value(right, symbols) for name, right in assignments(texts).items()}


def prior(text: str | None) -> Any:
    """A prior: ``uniform``, one probability (``p=1/3``, or ``p`` itself), or one number per input.

    >>> prior("p=1/3"), prior("1/2, 1/2"), prior("uniform")
    (1/3, (1/2, 1/2), 'uniform')
    """
    if text is None or text.strip().casefold() == "uniform":
        return None if text is None else "uniform"
    if "," in text:
        return tuple(value(part) for part in text.split(","))
    right = assignment(text)[1] if "=" in text else text
    return value(right, frozenset(["p"]))


def read_subject(text: str) -> Mechanism | Family:
    """A mechanism from a JSON file or from stdin (``-``), or a family such as ``laplace(2)``.

    >>> print(read_subject("gaussian(sigma)"))
    gaussian(sigma)
    """
    from symprivacy.mechanisms import read_family

    return read_family(text) or read_mechanism(text)


def read_mechanism(path: str) -> Mechanism:
    """A mechanism from a JSON file, or from stdin if the path is ``-``."""
    from symprivacy.mechanisms import from_json, read_json

    return from_json(sys.stdin.read()) if path == "-" else read_json(path)
