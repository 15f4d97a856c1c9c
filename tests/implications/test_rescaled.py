"""Notions of the package in another scale, with other names: every answer is that of the package, in the other scale.

A formula that is looked up by the kind of a definition is written in the package's scale and names; whoever takes it
for a notion of one's own without translating it is wrong by the factor, and is found here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import mpmath
import pytest

from symprivacy.implications import Implication, Status, convert
from symprivacy.implications.parameters import ATLAS, TABLED, referenced
from symprivacy.kernel.expr import substitute
from symprivacy.language.text import parse, to_text
from symprivacy.notions import Notion, forget, get

Scale = Callable[[mpmath.mpf], mpmath.mpf]
# The range of the level, the definition, the notion it is in other words, that one's level of its own, and back.
TWINS: dict[str, tuple[str, dict[str, object], str, str, Scale]] = {
    "Ratio": ("ab in [0, oo)", {"ratio": "1 + ab"}, "DP", "log(1 + ab)", lambda v: mpmath.exp(v) - 1),
    "Width": ("bb in [0, oo)", {"width": "(1 + bb)**2"}, "RB", "2*log(1 + bb)", lambda v: mpmath.exp(v / 2) - 1),
    "Thrice": ("cc in [0, 3]", {"mean": "3*Abs(r - 1)/2"}, "TV", "cc/3", lambda v: 3 * v),
    "Nats": ("dd in [0, oo)", {"mean": "3*(r*log(r) - r + 1)"}, "KL", "dd/3", lambda v: 3 * v),
    "Seven": ("ee in [0, oo)", {"mean": "7*(r - 1)**2"}, "CHI2", "ee/7", lambda v: 7 * v),
    "Eight": ("ff in [0, 8]", {"mean": "4*(1 - sqrt(r))**2"}, "HELL2", "ff/8", lambda v: 8 * v),
    "Five": ("gg in [0, 5*log(2)]", {"mean": "5*(r*log(2*r/(1 + r)) + log(2/(1 + r)))/2"}, "JS", "gg/5",
             lambda v: 5 * v),
    "Backward": ("hh in [0, oo)", {"mean": "-2*log(r)"}, "KL", "hh/2", lambda v: 2 * v),
}  # fmt: skip
# One order alone: a scale of the first order of a notion, and such whose two orders are the same.
FIRST: dict[str, tuple[str, dict[str, object], str, str, Scale]] = {
    "FirstSeven": ("ii in [0, oo)", {"mean": "7*(r - 1)**2"}, "CHI2[forward]", "ii/7", lambda v: 7 * v),
    "FirstNats": ("jj in [0, oo)", {"mean": "3*r*log(r)"}, "KL[forward]", "jj/3", lambda v: 3 * v),
    "FirstThrice": ("kk in [0, 3]", {"mean": "3*Abs(r - 1)/2"}, "TV", "kk/3", lambda v: 3 * v),
}
OTHERS = [*TABLED, *(key for key in ATLAS if key not in TABLED), "mCDP"]
AT: dict[str, dict[str, str]] = {"mCDP": {"mu": "1/5", "tau": "1"}}
ASKED = {"mCDP": {"mu2": "1/2"}}


@pytest.fixture(scope="module", autouse=True)
def definitions() -> Iterator[None]:
    for key, (level, given, *_) in TWINS.items():
        Notion.define(key, level, **given)
    for key, (level, given, *_) in FIRST.items():
        Notion.define(key, level, orders="forward", **given)
    yield
    for key in (*TWINS, *FIRST):
        forget(key)


def texts(at: Mapping[str, Any]) -> dict[str, str]:
    return {name: to_text(value) for name, value in at.items()}


def number(text: str) -> mpmath.mpf:
    return mpmath.inf if text == "oo" else mpmath.mpf(text)


def same(one: str, other: mpmath.mpf, scale: Scale) -> bool:
    expected = number(one) if number(one) == mpmath.inf else scale(number(one))
    return expected == other or abs(expected - other) <= mpmath.mpf("1e-5") * max(1, abs(expected))


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("key", [*TWINS, *FIRST])
def test_what_is_in_another_scale_follows_in_that_scale(key: str, other: str) -> None:
    base, scale = {**TWINS, **FIRST}[key][2], {**TWINS, **FIRST}[key][4]
    at = AT.get(other) or texts({n: v for n, v in referenced(other, base).items() if n in get(other).names})
    known, found = convert(other, at, base, 8), convert(other, at, key, 8)
    assert found.status is known.status, (known, found.note)
    if known.status is not Status.IMPOSSIBLE:
        assert same(known.lo, number(found.lo), scale)
        assert same(known.hi, number(found.hi), scale)


def from_both(key: str, other: str) -> tuple[Implication, Implication]:
    level, _, base, back, _ = {**TWINS, **FIRST}[key]
    name = level.partition(" ")[0]
    asked = get(other).asked
    extra = ASKED.get(other) or ({} if asked is None else {asked: texts(referenced(base, other))[asked]})
    there = to_text(substitute(parse(back), {name: parse("1/2")}))
    return convert(base, {get(base).answers: there, **extra}, other, 8), convert(key, {name: "1/2", **extra}, other, 8)


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("key", [*TWINS, *FIRST])
def test_what_follows_from_another_scale_is_the_same(key: str, other: str) -> None:
    known, found = from_both(key, other)
    assert found.status is known.status, (known, found.note)
    if known.status is not Status.IMPOSSIBLE:
        assert same(known.lo, number(found.lo), lambda v: v)
        assert same(known.hi, number(found.hi), lambda v: v)


@pytest.mark.parametrize(
    "given", [{"mean": "r**(-2) - 1"}, {"mean": "-log(r)"}, {"mean": "max(0, r - 2)"}, {"ratio": "1 + ll"}]
)
def test_one_order_of_what_no_closed_form_is_about_claims_nothing(given: dict[str, object]) -> None:
    """The second order of a known divergence, or one of a test, is not the first order that the formulas are about."""
    Notion.define("Alone", "ll in [0, oo)" if "max" not in str(given) else "ll in [0, 1]", orders="forward", **given)
    try:
        for other in ("TV", "DP", "CHI2[forward]", "HELL2"):
            assert convert("Alone", {"ll": "1/2"}, other, 8).status is Status.UNKNOWN
    finally:
        forget("Alone")
