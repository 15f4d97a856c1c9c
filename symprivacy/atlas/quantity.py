"""Which notions the matrix compares, what their parameters are called, and a reference value for each parameter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sympy import oo

from symprivacy.derivations.views import view_of
from symprivacy.errors import UnsupportedError
from symprivacy.implications.parameters import SIGNATURES
from symprivacy.notions import Notion, Parameter, all_notions, get
from symprivacy.notions.registry import remembered

# Where formulas are evaluated when nobody says where. A parameter that is not listed lies one above the start of
# its domain, or a fifth of the way into it.
REFERENCE = {
    "eps": "1", "delta": "1/10", "t": "3/10", "k": "3/10", "c": "3/10", "j": "1/10", "h": "1/10", "alpha": "3",
    "e": "3/10", "rho": "3/10", "mu": "1", "xi": "1/2", "m": "3", "eta": "1/5", "a": "1/10", "p": "1/3",
    "eps2": "1/2", "alpha2": "2", "m2": "3", "p2": "1/3", "D": "1",
}  # fmt: skip
# What a pair of laws is enough for; a notion of one role or of several records needs more than a pair.
_COMPARED = ("neighbours",)


@dataclass(frozen=True)
class Quantity:
    """A notion as rows and columns of the matrix see it.

    ``level`` is what a conversion answers, ``others`` the further parameters of a source, ``asked`` the parameter
    that a target is given, ``fills`` which parameter of the same notion as a source that is (None: none of them).
    """

    key: str
    level: str
    others: tuple[str, ...] = ()
    asked: str | None = None
    fills: str | None = None

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameters as a source."""
        return (*self.others, self.level)

    def reference(self, name: str) -> str:
        """A sample value of a parameter.

        >>> quantity("ADP").reference("delta")
        '1/10'
        """
        if name in REFERENCE and not get(self.key).own:
            return REFERENCE[name]
        return _inside(get(self.key).parameter(self.fills if name == self.asked and self.fills else name))


def _inside(parameter: Parameter) -> str:
    lo, hi = parameter.domain.start, parameter.domain.end
    return str(lo + 1 if hi == oo else lo + (hi - lo) / 5)


def _of_signature(key: str) -> Quantity:
    known = SIGNATURES[key]
    others = tuple(name for name in known.source if name != known.answers)
    fills = known.target[:-1] if known.target is not None and known.target.endswith("2") else None
    return Quantity(key, known.answers, others, known.target, fills)


@remembered(1)
def quantities() -> dict[str, Quantity]:
    """The notions of the matrix: those with conversions, and every other one that can be derived from or to.

    >>> list(quantities())[:4], "UDP" in quantities()
    (['DP', 'RB', 'ADP', 'PDP'], False)
    """
    found = {key: _of_signature(key) for key in SIGNATURES}
    for notion in _derivable():
        found[notion.key] = Quantity(notion.key, notion.parameters[-1].name)
    return found


def _derivable() -> Iterator[Notion]:
    """Notions of one parameter, about neighbours, with a definition that the calculus can use."""
    for notion in all_notions():
        if notion.key in SIGNATURES or len(notion.parameters) != 1:
            continue
        try:
            view = view_of(notion)
        except UnsupportedError:
            continue
        if view.relation in _COMPARED and view.both:
            yield notion


@remembered(256)
def quantity(key: str | Notion) -> Quantity:
    """One notion, or its key or alias; also one that is not in the matrix, because a claim may speak about it.

    >>> quantity("MPP")
    Quantity(key='MPP', level='eps', others=('p',), asked='p2', fills='p')
    >>> quantity("BDP").level
    'eps'
    """
    known = quantities()
    if isinstance(key, str) and key in known:
        return known[key]
    notion = get(key) if isinstance(key, str) else key
    if notion.key in known:
        return known[notion.key]
    level = notion.target or notion.parameters[-1].name
    others = tuple(p.name for p in notion.parameters if p.name != level)
    asked = (f"{others[0]}2", others[0]) if len(others) == 1 else (None, None)
    return Quantity(notion.key, level, others, *asked)
