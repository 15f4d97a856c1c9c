"""What is stored about a notion's stand-in becomes a theorem about the notion, and only where both say the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from symprivacy import Notion, convert
from symprivacy.derivations.theorems.store import check_rows, needed
from symprivacy.errors import InputError
from symprivacy.evidence import Evidence
from symprivacy.implications import own_theorems
from symprivacy.implications.own_theorems import named, theorems
from symprivacy.implications.parameters import CONVERTIBLE
from symprivacy.implications.proofs import settled
from symprivacy.kernel.expr import mul, num
from symprivacy.notions import forget

pytestmark = pytest.mark.quick

DEFINITIONS = {
    "Half": ("h in [0, oo)", {"mean": "(r - 1)**2/2"}),
    "Mine": ("tau in [0, 1]", {"posterior": "q <= p + tau*(1 - p)"}),
    "Factor": ("b in [1, oo)", {"ratio": "b"}),
    "Wide": ("ww in [1, oo)", {"width": "ww**2"}),
    "Rooted": ("hh in [0, 1]", {"mean": "(1 - sqrt(r))**2/2", "transform": "sqrt(m)"}),
    "Apart": ("vv in [0, 2]", {"mean": "Abs(r - 1)"}),
    "Distance": ("s in [0, oo)", {"mean": "(1 - sqrt(r))**2/2", "transform": "-log(1 - m)"}),
}


@pytest.fixture(params=DEFINITIONS)
def own(request: pytest.FixtureRequest) -> Iterator[Notion]:
    ranges, kind = DEFINITIONS[request.param]
    yield Notion.define(request.param, ranges, **kind)
    forget(request.param)


def _theorems(source: str, target: str) -> list[str]:
    return [*named(source, "~", target), *named(source, "/", target)]


def test_nearly_every_pair_has_a_theorem(own: Notion) -> None:
    """Only the uniform prior on m secrets, whose levels are defined in words, may have none."""
    pairs = [pair for key in CONVERTIBLE for pair in ((own.key, key), (key, own.key)) if key != own.key]
    assert {pair for pair in pairs if not _theorems(*pair)} <= {("MBPU", own.key)}


def test_each_theorem_is_shown_again_from_its_rows(own: Notion) -> None:
    """A file with the rows of a pair and of all they rest on checks like any other."""
    for key in ("DP", "KL", "TV", "GDP", "SP"):
        for name in (*_theorems(own.key, key), *_theorems(key, own.key)):
            rows = {n: theorems()[n] for n in needed(name, theorems())}
            assert name in check_rows(rows)


def test_doors_say_checked() -> None:
    """Conversions and settled pairs of one's own notion rest on the theorem."""
    Notion.define("Half", DEFINITIONS["Half"][0], **DEFINITIONS["Half"][1])
    try:
        found = convert("Half", {"h": "1"}, "TV", digits=12)
        assert (found.status.value, found.evidence) == ("tight", Evidence.CHECKED)
        assert convert("Half", {"h": "1"}, "DP", digits=12).evidence is Evidence.CHECKED
        told = settled("DP", "Half")
        assert (told.status, told.conclusion, told.evidence) == ("tight", "Half(2*sinh(x/2)**2)", Evidence.CHECKED)
    finally:
        forget("Half")


def test_another_level_is_no_theorem(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the stand-in's level is not the notion's, nothing is shown, whatever the translation claims."""
    true = own_theorems.stand_in

    def wrong(notion: Notion) -> object:
        found = true(notion)
        return found and replace(found, back=mul(num(2), found.back))

    monkeypatch.setattr(own_theorems, "stand_in", wrong)
    Notion.define("Half", DEFINITIONS["Half"][0], **DEFINITIONS["Half"][1])
    try:
        assert _theorems("Half", "TV") == _theorems("DP", "Half") == []
    finally:
        forget("Half")


def test_a_transform_increases_where_means_are() -> None:
    """The distance of Bhattacharyya is infinite for laws that never meet, and defined for all others."""
    Notion.define("Distance", DEFINITIONS["Distance"][0], **DEFINITIONS["Distance"][1])
    try:
        assert convert("TV", {"t": "1/2"}, "Distance", digits=9).formula == "-log(1 - t)"
        assert convert("TV", {"t": "1"}, "Distance", digits=9).status.value == "impossible"
        with pytest.raises(InputError, match="does not increase"):
            Notion.define("Bent", "s in [0, oo)", mean="(1 - sqrt(r))**2/2", transform="m - m**2")
    finally:
        forget("Distance")


def test_what_differs_from_its_neighbour_has_no_theorem() -> None:
    """A notion about any two inputs is not its stand-in about neighbours."""
    Notion.define("Anywhere", "b in [1, oo)", ratio="b", pairs="all")
    try:
        assert _theorems("DP", "Anywhere") == []
    finally:
        forget("Anywhere")


def test_a_notion_defined_anew_loses_its_theorems() -> None:
    """What was shown for one definition is not said of the next one with its name."""
    for scale, level in (("2", "Half(2*sinh(x/2)**2)"), ("4", "Half(sinh(x/2)**2)")):
        Notion.define("Half", "h in [0, oo)", mean=f"(r - 1)**2/{scale}")
        assert settled("Half", "TV").premise == level
    forget("Half")
