"""The converter: levels of every notion that a guarantee gives, computed at the points of a grid.

The slider of the page moves over these points only, so every number it shows is a certified enclosure and nothing is
interpolated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from symprivacy.atlas.matrix import WORDS
from symprivacy.errors import SymPrivacyError
from symprivacy.implications import Status, convert
from symprivacy.implications.implication import Implication
from symprivacy.language.bridge import to_sympy
from symprivacy.language.text import parse
from symprivacy.notions import Notion, get
from symprivacy.site.atlas import Atlas
from symprivacy.site.page import Page

DIGITS = 8
# About equal steps of the logarithm, at numbers that people ask for.
PLACES = ("1/100", "1/50", "1/20", "1/10", "1/5", "3/10", "1/2", "7/10", "9/10", "1", "3/2", "2", "3", "5", "8", "10")
# A probability of failure is small or of no use.
RARE = ("1/1000000000", "1/1000000", "1/100000", "1/10000", "1/1000", "1/100", "1/20", "1/10", "1/5", "1/2", "1")
# Beside the level one more parameter of what is known can be chosen, where it has one of these names.
SECOND = {"eps": ("1/10", "1/2", "1", "2", "5")}
# Approximate differential privacy is asked for both ways: delta at an eps, and eps at a delta.
TURNED = {"ADP": ("eps", {"delta2": "1/1000000"})}


@dataclass(frozen=True)
class Row:
    """A line of the table: a notion, the name of its level, and what is asked for beside it."""

    id: str
    key: str
    level: str
    given: Mapping[str, str]


def rows(keys: Iterable[str]) -> Iterator[Row]:
    """The lines for some notions.

    >>> [(row.id, row.level, dict(row.given)) for row in rows(["ADP"])]
    [('ADP', 'delta', {'eps2': '1/2'}), ('ADP-eps', 'eps', {'delta2': '1/1000000'})]
    """
    for key in keys:
        own = get(key)
        yield Row(key, key, own.answers, {own.asked: own.reference(own.asked)} if own.asked else {})
        if key in TURNED:
            level, given = TURNED[key]
            yield Row(f"{key}-{level}", key, level, given)


def places(own: Notion) -> list[str]:
    """The points of a notion's level, those in its domain.

    >>> places(get("TV"))[-2:], places(get("DP"))[-2:], places(get("ADP"))[1]
    (['9/10', '1'], ['8', '10'], '1/1000000')
    """
    domain = own.parameter(own.answers).domain
    return [place for place in (RARE if own.answers == "delta" else PLACES) if to_sympy(parse(place)) in domain]


def grid(atlas: Atlas, source: str) -> dict[str, Any]:
    """Levels of every notion of the matrix at the points of one: ``levels[row][k] = [status, lo, hi]``.

    A notion with a second parameter that can be chosen has ``second``: its name, its values, and the levels at each.
    """
    own = get(source)
    points = places(own)
    fixed = {name: own.reference(name) for name in own.others}
    chosen = next((name for name in fixed if name in SECOND), None)

    def levels(**more: str) -> dict[str, list[list[str]]]:
        return {row.id: [_level(atlas.matrix[source, row.key], {**more, own.answers: place}, row) for place in points]
                for row in rows(atlas.matrix.keys)}  # fmt: skip

    reference = own.reference(own.answers)
    found: dict[str, Any] = {
        "level": own.answers, "places": points, "start": points.index(reference) if reference in points else 0,
        "fixed": ", ".join(f"{name} = {text}" for name, text in fixed.items() if name != chosen),
    }  # fmt: skip
    if chosen is None:
        return {**found, "levels": levels()}
    at = {place: levels(**{chosen: place}) for place in SECOND[chosen]}
    return {**found, "second": {"name": chosen, "start": fixed[chosen], "at": at}, "levels": at[fixed[chosen]]}


def _level(known: Implication, given: Mapping[str, str], row: Row) -> list[str]:
    if known.status is Status.IMPOSSIBLE:
        return [WORDS[known.status], "", ""]
    # What is asked for the other way round takes the place of what is usual.
    usual = known.at if row.id == row.key else {name: known.at[name] for name in get(known.source).names}
    try:
        found = convert(known.source, {**usual, **given, **row.given}, known.target, DIGITS)
    except SymPrivacyError:
        return ["open", "", ""]
    none = found.status is Status.IMPOSSIBLE
    return [WORDS[found.status], "" if none else found.lo, "" if none else found.hi]


def page(atlas: Atlas) -> Page:
    """The page; its data are in a file of their own."""
    keys = atlas.matrix.keys
    return Page("converter.html", "Converter", "section", "converter.html",
                {"keys": keys, "names": {key: get(key).name for key in keys}, "rows": list(rows(keys))},
                "choose a guarantee, see the level of every other notion",
                "eps delta zCDP Renyi calculator")  # fmt: skip
