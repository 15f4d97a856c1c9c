"""convert: the best level of one notion that another one guarantees."""

from __future__ import annotations

from collections.abc import Mapping

from symprivacy.errors import InputError
from symprivacy.implications.implication import Implication
from symprivacy.implications.provide import provide
from symprivacy.language.digits import require_digits
from symprivacy.notions import Guarantee, Notion


def convert(
    source: str | Notion | Guarantee,
    at: Mapping[str, object] | str | Notion | None = None,
    target: str | Notion | None = None,
    digits: int = 30,
    **more: object,
) -> Implication:
    """The best level of ``target`` that ``source`` at the given parameters guarantees.

    A guarantee may stand for the source and its parameters; a parameter of the target is then given by name.

    >>> c = convert("DP", {"eps": 1}, "KL", digits=20)
    >>> c.status.value, c.formula, c.lo, c.hi
    ('tight', 'eps*tanh(eps/2)', '0.4621171572600097585', '0.46211715726000975851')
    >>> convert("TV", {"t": "1/2"}, "KL").status
    <Status.IMPOSSIBLE: 'impossible'>
    >>> from symprivacy.notions import get
    >>> convert(get("DP")(1), "ADP", eps2="1/2", digits=8).hi
    '0.28764914'
    """
    require_digits(digits)
    if isinstance(source, Guarantee):
        if isinstance(at, str | Notion):
            at, target = None, at
        at, source = {**source.parameters, **(at or {})}, source.notion.key
    start, end = _key(source), _key(target)
    if start is None or end is None or not isinstance(at, Mapping | None):
        raise InputError("expected a source, its parameters and a target, such as convert('DP', {'eps': 1}, 'KL')")
    return provide(start, end, {**(at or {}), **more}, digits)


def _key(notion: object) -> str | None:
    """The key of a notion that is given as such or by its key; None for anything else."""
    return notion.key if isinstance(notion, Notion) else notion if isinstance(notion, str) else None
