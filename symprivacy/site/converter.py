"""The converter: levels of every notion that a guarantee gives, computed at the points of a grid.

The slider of the page moves over these points only, so every number it shows is a certified enclosure and nothing is
interpolated.
"""

from __future__ import annotations

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


def places(own: Notion) -> list[str]:
    """The points of a notion's level, those in its domain.

    >>> places(get("TV"))[-2:], places(get("DP"))[-2:]
    (['9/10', '1'], ['8', '10'])
    """
    domain = own.parameter(own.answers).domain
    return [place for place in PLACES if to_sympy(parse(place)) in domain]


def grid(atlas: Atlas, source: str) -> dict[str, Any]:
    """Levels of every notion of the matrix at the points of one: ``levels[target][k] = [status, lo, hi]``."""
    own = get(source)
    points = places(own)
    fixed = {name: own.reference(name) for name in own.others}
    levels = {b: [_level(atlas.matrix[source, b], own.answers, place) for place in points] for b in atlas.matrix.keys}
    told = [f"{name} = {text}" for name, text in fixed.items()]
    reference = own.reference(own.answers)
    start = points.index(reference) if reference in points else 0
    return {"level": own.answers, "places": points, "fixed": ", ".join(told), "levels": levels, "start": start}


def _level(known: Implication, name: str, place: str) -> list[str]:
    if known.status is Status.IMPOSSIBLE:
        return [WORDS[known.status], "", ""]
    try:
        found = convert(known.source, {**known.at, name: place}, known.target, DIGITS)
    except SymPrivacyError:
        return ["open", "", ""]
    return [WORDS[found.status], found.lo, found.hi]


def page(atlas: Atlas) -> Page:
    """The page; its data are in a file of their own."""
    keys = atlas.matrix.keys
    asked = {key: get(key) for key in keys}
    given = {key: f"{own.asked} = {own.reference(own.asked)}" if own.asked else "" for key, own in asked.items()}
    return Page("converter.html", "Converter", "section", "converter.html",
                {"keys": keys, "names": {key: get(key).name for key in keys}, "given": given,
                 "levels": {key: own.answers for key, own in asked.items()}},
                "choose a guarantee, see the level of every other notion",
                "eps delta zCDP Renyi calculator")  # fmt: skip
