"""Pictures of a region: where one bound is below the other, above it, equal to it, or undecided."""

from __future__ import annotations

import os
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from symprivacy.errors import InputError
from symprivacy.language.text import shorten, to_text
from symprivacy.render.style import SYMBOLS
from symprivacy.search.region import Region

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# A power of two, so that every cell that is not smaller than a pixel fills whole pixels.
PIXELS = 1024
_COLOURS = {"<": "#4477aa", ">": "#ddcc77", "?": "#222222", "=": "#ffffff"}
_CODES = {"<": 1, ">": 2, "?": 3, "=": 4}
_NAMES = {"<": "a < b", ">": "a > b", "?": "undecided", "=": "a = b"}
# Where a region in three variables is cut, as parts of the third one's range.
SLICES = (Fraction(1, 8), Fraction(3, 8), Fraction(5, 8), Fraction(7, 8))


def pixels(region: Region, size: int = PIXELS, at: Fraction | None = None) -> Any:
    """The region as an array of codes, 1 for ``<``, 2 for ``>``, 3 for the rim and 4 for ``=``.

    Rows go along the second variable. Of a region in three variables ``at`` chooses a slice, by the part of the third
    variable's range that lies below it. A pixel that is not of one sign belongs to the rim: the picture never shows
    more than was proved.
    """
    import numpy

    if len(region.question.box) != (2 if at is None else 3):
        raise InputError(f"a picture needs two variables, or three to cut, the region has {len(region.question.box)}")
    image = numpy.zeros((size, size), dtype=numpy.uint8)
    for ((k, i), (m, j), *third), finding in region.findings():
        if at is not None and int(at * 2 ** third[0][0]) != third[0][1]:
            continue
        code = _CODES[finding.sign]
        across = slice(i * size >> k, max((i + 1) * size >> k, (i * size >> k) + 1))
        along = slice(j * size >> m, max((j + 1) * size >> m, (j * size >> m) + 1))
        part = image[along, across]
        part[(part != 0) & (part != code)] = _CODES["?"]
        part[part == 0] = code
    return image


def draw_region(region: Region, path: str | os.PathLike[str] | None = None) -> Figure:
    """The picture as a matplotlib figure, of four slices if there are three variables; written to a path if given.

    >>> from symprivacy import certify_region
    >>> region = certify_region("x*y", "1/4", ["x in [0, 1]", "y in [0, 1]"], rim="1/5")
    >>> draw_region(region).axes[0].get_xlabel()
    '$x$'
    """
    try:
        from matplotlib.colors import ListedColormap
        from matplotlib.figure import Figure
        from matplotlib.patches import Patch
    except ImportError:
        raise InputError('pictures need matplotlib: pip install "symprivacy[notebook]"') from None
    variables = len(region.question.box)
    slices: tuple[Fraction | None, ...] = (None,) if variables == 2 else SLICES
    images = [pixels(region, PIXELS if at is None else PIXELS // 2, at) for at in slices]
    figure = Figure(figsize=(6.4, 5.2) if len(images) == 1 else (8.4, 7.4), layout="constrained")
    grid = figure.subplots(1 if len(images) == 1 else 2, 1 if len(images) == 1 else 2, squeeze=False)
    (left, right), (bottom, top), *third = ((float(lo), float(hi)) for lo, hi in region.question.ends)
    across, along, *through = (
        SYMBOLS.get(name, name if len(name) == 1 else f"\\mathit{{{name}}}") for name in region.question.box
    )
    for axes, image, at in zip(grid.flat, images, slices, strict=True):
        axes.imshow(
            image,
            origin="lower",
            extent=(left, right, bottom, top),
            aspect="auto",
            interpolation="nearest",
            cmap=ListedColormap(list(_COLOURS.values())),
            vmin=1,
            vmax=len(_COLOURS),
        )
        axes.set_xlabel(f"${across}$")
        axes.set_ylabel(f"${along}$")
        if at is not None:
            lo, hi = third[0]
            axes.set_title(f"${through[0]} = {lo + (hi - lo) * float(at):.6g}$", fontsize=9)
    a, b = (shorten(to_text(e), 60) for e in (region.question.a, region.question.b))
    shares = {"<": region.less, ">": region.greater, "?": region.rim, **({"=": region.equal} if region.equal else {})}
    handles = [
        Patch(facecolor=_COLOURS[s], edgecolor="#888888", label=f"{_NAMES[s]}  ({float(part):.2%})")
        for s, part in shares.items()
    ]
    figure.suptitle(f"a = {a}\nb = {b}", fontsize=9, x=0.02, ha="left", parse_math=False)
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), frameon=False, fontsize=9)
    if path is not None:
        try:
            figure.savefig(path, dpi=150)
        except (OSError, ValueError) as e:
            raise InputError(f"cannot write {shorten(str(path))!r}: {getattr(e, 'strerror', None) or e}") from None
    return figure
