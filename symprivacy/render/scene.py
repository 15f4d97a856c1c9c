"""Pictures as plain shapes, written as SVG without any library, or as PNG through matplotlib.

Coordinates are pixels from the top left corner.

>>> scene = Scene(80, 40, (Box(5, 5, 70, 30, "#dde"), Label(40, 24, "DP", anchor="middle")), "one box")
>>> to_svg(scene).splitlines()[0][:44]
'<svg xmlns="http://www.w3.org/2000/svg" widt'
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from symprivacy.errors import UnsupportedError

Point = tuple[float, float]
FONT = "DejaVu Sans, Verdana, sans-serif"


@dataclass(frozen=True)
class Box:
    """A rectangle; ``title`` is shown by browsers when the pointer rests on it."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    stroke: str = "none"
    title: str = ""
    radius: float = 0


@dataclass(frozen=True)
class Line:
    """An open polygon of lines."""

    points: tuple[Point, ...]
    stroke: str = "#444444"
    width: float = 1.2
    dashed: bool = False


@dataclass(frozen=True)
class Area:
    """A filled polygon."""

    points: tuple[Point, ...]
    fill: str
    opacity: float = 1.0


@dataclass(frozen=True)
class Label:
    """A line of text; ``anchor`` is start, middle or end, ``turn`` is in degrees."""

    x: float
    y: float
    text: str
    size: float = 12
    anchor: str = "start"
    fill: str = "#1b1b1f"
    bold: bool = False
    turn: float = 0


Shape = Box | Line | Area | Label


@dataclass(frozen=True)
class Scene:
    """Shapes on a white page, later ones on top; ``title`` says in words what is to be seen."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    title: str


def arrow(points: Sequence[Point], stroke: str = "#444444", dashed: bool = False) -> list[Shape]:
    """A line with a head at its end.

    >>> [type(shape).__name__ for shape in arrow([(0, 0), (10, 0)])]
    ['Line', 'Area']
    """
    (x0, y0), (x1, y1) = points[-2:]
    length = math.hypot(x1 - x0, y1 - y0) or 1.0
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    back = (x1 - 8 * ux, y1 - 8 * uy)
    head = ((x1, y1), (back[0] - 3.5 * uy, back[1] + 3.5 * ux), (back[0] + 3.5 * uy, back[1] - 3.5 * ux))
    return [Line((*points[:-1], back), stroke, 1.2, dashed), Area(head, stroke)]


def to_svg(scene: Scene) -> str:
    """The scene as one SVG file that needs nothing else."""
    size = f'width="{scene.width:g}" height="{scene.height:g}" viewBox="0 0 {scene.width:g} {scene.height:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="{FONT}">'
    body = "\n".join(_svg(shape) for shape in scene.shapes)
    back = f'<rect width="{scene.width:g}" height="{scene.height:g}" fill="#ffffff"/>'
    return f"{head}\n<title>{escape(scene.title)}</title>\n{back}\n{body}\n</svg>\n"


def _svg(shape: Shape) -> str:
    match shape:
        case Box():
            title = f"<title>{escape(shape.title)}</title>" if shape.title else ""
            place = f'x="{shape.x:g}" y="{shape.y:g}" width="{shape.width:g}" height="{shape.height:g}"'
            look = f'rx="{shape.radius:g}" fill="{shape.fill}" stroke="{shape.stroke}"'
            return f"<rect {place} {look}>{title}</rect>"
        case Line():
            dash = ' stroke-dasharray="5 4"' if shape.dashed else ""
            look = f'fill="none" stroke="{shape.stroke}" stroke-width="{shape.width:g}"{dash}'
            return f'<polyline points="{_points(shape.points)}" {look}/>'
        case Area():
            return f'<polygon points="{_points(shape.points)}" fill="{shape.fill}" fill-opacity="{shape.opacity:g}"/>'
        case Label():
            turn = f' transform="rotate({shape.turn:g} {shape.x:g} {shape.y:g})"' if shape.turn else ""
            bold = ' font-weight="bold"' if shape.bold else ""
            place = f'x="{shape.x:g}" y="{shape.y:g}" font-size="{shape.size:g}" text-anchor="{shape.anchor}"'
            return f'<text {place} fill="{shape.fill}"{bold}{turn}>{escape(shape.text)}</text>'


def _points(points: Sequence[Point]) -> str:
    return " ".join(f"{x:.2f},{y:.2f}" for x, y in points)


def to_png(scene: Scene) -> bytes:
    """The scene as PNG; raises UnsupportedError without matplotlib."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        from matplotlib.patches import FancyBboxPatch, Polygon, Rectangle
    except ImportError:
        raise UnsupportedError('PNG needs matplotlib: pip install "symprivacy[notebook]"; SVG needs nothing') from None
    dpi = 100.0
    figure = Figure(figsize=(scene.width / dpi, scene.height / dpi), dpi=2 * dpi)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, scene.width)
    axes.set_ylim(scene.height, 0)
    axes.axis("off")
    point = 72 / dpi
    for order, shape in enumerate(scene.shapes):
        match shape:
            case Box():
                style: dict[str, Any] = {
                    "facecolor": shape.fill,
                    "edgecolor": shape.stroke,
                    "linewidth": 0.8,
                    "zorder": order,
                }
                corner, size = (shape.x, shape.y), (shape.width, shape.height)
                if shape.radius:
                    rounding = f"round,pad=0,rounding_size={shape.radius}"
                    axes.add_patch(FancyBboxPatch(corner, *size, boxstyle=rounding, **style))
                else:
                    axes.add_patch(Rectangle(corner, *size, **style))
            case Line():
                xs, ys = zip(*shape.points, strict=True)
                look: dict[str, Any] = {"color": shape.stroke, "linewidth": shape.width * point, "zorder": order}
                axes.plot(xs, ys, linestyle="--" if shape.dashed else "-", **look)
            case Area():
                axes.add_patch(Polygon(shape.points, color=shape.fill, alpha=shape.opacity, linewidth=0, zorder=order))
            case Label():
                side = {"start": "left", "middle": "center", "end": "right"}[shape.anchor]
                weight = "bold" if shape.bold else "normal"
                axes.text(shape.x, shape.y, shape.text, fontsize=shape.size * point, color=shape.fill, ha=side,
                          va="baseline", rotation=-shape.turn, rotation_mode="anchor", weight=weight,
                          zorder=order, parse_math=False)  # fmt: skip
    stream = io.BytesIO()
    figure.savefig(stream, format="png", metadata={"Software": None})
    return stream.getvalue()
