"""Sliders for a picture, where a notebook has them; a still picture everywhere else.

>>> from symprivacy.render.canvas import canvas
>>> def draw(eps):
...     return canvas(f"eps = {eps}")[0]
>>> shown = Sliders(draw, eps=(0, 3, 1))
>>> shown.start
{'eps': 1.0}
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from typing import Any

from symprivacy.errors import InputError

STEPS = 100


class Sliders:
    """A picture with one slider per parameter: a function that draws, and (lowest, highest, first) for each.

    The picture at the first values goes along, so that a page without a kernel, a printout or an installation without
    ipywidgets shows that one.
    """

    def __init__(self, draw: Callable[..., Any], **ranges: tuple[float, float, float]) -> None:
        for name, (lo, hi, first) in ranges.items():
            if not lo <= first <= hi or lo == hi:
                raise InputError(f"{name}: expected lowest <= first <= highest, got {lo}, {first}, {hi}")
        self.draw = draw
        self.ranges = {name: tuple(map(float, r)) for name, r in ranges.items()}

    @property
    def start(self) -> dict[str, float]:
        """The first values."""
        return {name: first for name, (_, _, first) in self.ranges.items()}

    def __str__(self) -> str:
        return "picture at " + ", ".join(f"{name} = {value:g}" for name, value in self.start.items())

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        still = {"text/plain": str(self), "image/png": b64encode(self.draw(**self.start)._repr_png_()).decode()}
        widget = self.widget()
        live = {} if widget is None else widget._repr_mimebundle_()
        return {**live, **still}

    def widget(self) -> Any:
        """The ipywidgets object; None where that package is missing."""
        try:
            from ipywidgets import FloatSlider, interactive
        except ImportError:
            return None
        sliders = {
            name: FloatSlider(first, min=lo, max=hi, step=(hi - lo) / STEPS, description=name, continuous_update=False)
            for name, (lo, hi, first) in self.ranges.items()
        }
        return interactive(self.draw, **sliders)
