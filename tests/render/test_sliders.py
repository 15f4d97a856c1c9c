"""Sliders: alive with ipywidgets, a still picture without."""

from __future__ import annotations

import sys
from base64 import b64decode
from typing import Any

import pytest

pytest.importorskip("matplotlib")

from symprivacy.errors import InputError
from symprivacy.render.canvas import canvas
from symprivacy.render.sliders import Sliders


def drawing(drawn: list[float]) -> Any:
    def draw(eps: float) -> Any:
        drawn.append(eps)
        return canvas()[0]

    return draw


def test_still_picture_without_widgets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without ipywidgets the picture at the first value is all there is."""
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    drawn: list[float] = []
    bundle = Sliders(drawing(drawn), eps=(0, 3, 1))._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "image/png"}
    assert b64decode(bundle["image/png"]).startswith(b"\x89PNG")
    assert drawn == [1.0]


def test_sliders_carry_the_picture_along() -> None:
    """The live form and the still one are one output: a page without a kernel shows the latter."""
    pytest.importorskip("ipywidgets")
    bundle = Sliders(drawing([]), eps=(0, 3, 1))._repr_mimebundle_()
    assert {"application/vnd.jupyter.widget-view+json", "image/png"} <= set(bundle)
    assert bundle["text/plain"] == "picture at eps = 1"


def test_moving_a_slider_draws_again() -> None:
    pytest.importorskip("ipywidgets")
    drawn: list[float] = []
    widget = Sliders(drawing(drawn), eps=(0, 3, 1)).widget()
    widget.children[0].value = 2.0
    widget.update()
    assert drawn[-1] == 2.0


@pytest.mark.parametrize("ends", [(0, 3, 4), (2, 1, 1), (1, 1, 1)])
def test_ranges_that_are_none(ends: tuple[float, float, float]) -> None:
    with pytest.raises(InputError, match="lowest"):
        Sliders(drawing([]), eps=ends)
