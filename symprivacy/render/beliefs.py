"""Prior-posterior regions side by side: what each notion lets an attacker conclude (the SoK's Figure 2 and more)."""

from __future__ import annotations

from collections.abc import Sequence

from symprivacy.atlas.beliefs import Region
from symprivacy.render.scene import Area, Label, Line, Scene, Shape

_SIZE, _MARGIN, _TOP = 220.0, 46.0, 40.0


def scene(regions: Sequence[Region]) -> Scene:
    """One square per region: prior to the right, posterior upwards, the diagonal where nothing is learned.

    >>> from symprivacy.atlas.beliefs import region
    >>> drawn = scene([region("DP", {"eps": 1})])
    >>> drawn.title
    'posterior against prior: DP(eps=1)'
    """
    shapes: list[Shape] = []
    for k, region in enumerate(regions):
        shapes += _square(region, _MARGIN + k * (_SIZE + _MARGIN), _TOP)
    title = "posterior against prior: " + ", ".join(region.label for region in regions)
    return Scene(_MARGIN + len(regions) * (_SIZE + _MARGIN), _TOP + _SIZE + 48, tuple(shapes), title)


def _square(region: Region, left: float, top: float) -> list[Shape]:
    def at(point: tuple[float, float]) -> tuple[float, float]:
        return left + point[0] * _SIZE, top + (1 - point[1]) * _SIZE

    upper = [at(point) for point in region.curve("upper")]
    lower = [at(point) for point in region.curve("lower")]
    frame = tuple(at(corner) for corner in ((0, 0), (1, 0), (1, 1), (0, 1), (0, 0)))
    shapes: list[Shape] = [
        Area((*upper, *reversed(lower)), "#7fa8d9", 0.45),
        Line((at((0, 0)), at((1, 1))), "#77777f", 1, dashed=True),
        Line(tuple(upper), "#1f4e8c", 1.8),
        Line(tuple(lower), "#1f4e8c", 1.8),
        Line(frame, "#333338", 1),
        Label(left + _SIZE / 2, top - 12, region.label, 12, "middle", bold=True),
        Label(left + _SIZE / 2, top + _SIZE + 32, "prior", 11, "middle"),
        Label(left - 28, top + _SIZE / 2, "posterior", 11, "middle", turn=-90),
    ]
    for tick in (0, 0.5, 1):
        shapes.append(Label(left + tick * _SIZE, top + _SIZE + 15, f"{tick:g}", 10, "middle"))
        shapes.append(Label(left - 6, top + (1 - tick) * _SIZE + 4, f"{tick:g}", 10, "end"))
    return shapes
