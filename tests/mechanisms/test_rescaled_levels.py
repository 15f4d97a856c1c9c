"""The level of noise under a notion in another scale is the level in that scale."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sympy import exp

from symprivacy.mechanisms.noise import family
from symprivacy.notions import Notion, forget

FAMILIES = [("laplace", (2,)), ("gaussian", (2,)), ("geometric", (1,)), ("krr", (3, 1)), ("exponential", (1,))]
SCALED: dict[str, tuple[str, dict[str, object], str, int]] = {
    "Thrice": ("aa in [0, 3]", {"mean": "3*Abs(r - 1)/2"}, "TV", 3),
    "Backward": ("bb in [0, oo)", {"mean": "-3*log(r)"}, "KL", 3),
    "Seven": ("cc in [0, oo)", {"mean": "7*(r - 1)**2"}, "CHI2", 7),
    "Eight": ("dd in [0, 8]", {"mean": "4*(1 - sqrt(r))**2"}, "HELL2", 8),
}


@pytest.fixture(scope="module", autouse=True)
def definitions() -> Iterator[None]:
    for key, (level, given, *_) in SCALED.items():
        Notion.define(key, level, **given)
    Notion.define("Wide", "ee in [0, oo)", width="(1 + ee)**2")
    yield
    for key in (*SCALED, "Wide"):
        forget(key)


@pytest.mark.parametrize(("name", "arguments"), FAMILIES)
def test_levels_in_another_scale(name: str, arguments: tuple[int, ...]) -> None:
    member = family(name, *arguments)
    for key, (_, _, base, factor) in SCALED.items():
        assert abs((member.level(key) - factor * member.level(base)).evalf(30)) < 1e-20, key
    width = member.level("RB")
    assert (
        member.level("Wide") == width
        if width.is_infinite
        else abs((member.level("Wide") + 1 - exp(width / 2)).evalf(30)) < 1e-20
    )
