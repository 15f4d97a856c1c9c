"""The picture of a region in two variables: where one bound is below the other, above it, or undecided."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from symprivacy.errors import InputError
from symprivacy.kernel.text import shorten, to_text
from symprivacy.render.style import SYMBOLS
from symprivacy.search.region import Region

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# A power of two, so that every cell that is not smaller than a pixel fills whole pixels.
PIXELS = 1024
_COLOURS = {"<": "#4477aa", ">": "#ddcc77", "?": "#222222"}
_CODES = {"<": 1, ">": 2, "?": 3}


def pixels(region: Region, size: int = PIXELS) -> Any:
    """The region as an array of codes, 1 for ``<``, 2 for ``>`` and 3 for the rim; rows go along the second variable.

    A pixel that is not of one sign belongs to the rim: the picture never shows more than was proved.
    """
    import numpy

    if len(region.question.box) != 2:
        raise InputError(f"a picture needs two variables, the region has {len(region.question.box)}")
    image = numpy.zeros((size, size), dtype=numpy.uint8)
    for ((k, i), (m, j)), finding in region.findings():
        code = _CODES[finding.sign]
        across = slice(i * size >> k, max((i + 1) * size >> k, (i * size >> k) + 1))
        along = slice(j * size >> m, max((j + 1) * size >> m, (j * size >> m) + 1))
        part = image[along, across]
        part[(part != 0) & (part != code)] = _CODES["?"]
        part[part == 0] = code
    return image


def draw_region(region: Region, path: str | os.PathLike[str] | None = None) -> Figure:
    """The picture as a matplotlib figure, written to a file if a path is given.

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
        raise InputError("pictures need matplotlib: pip install 'symprivacy[notebook]'") from None
    image = pixels(region)
    figure = Figure(figsize=(6.4, 5.2), layout="constrained")
    axes = figure.add_subplot()
    (left, right), (bottom, top) = ((float(lo), float(hi)) for lo, hi in region.question.ends)
    axes.imshow(
        image,
        origin="lower",
        extent=(left, right, bottom, top),
        aspect="auto",
        interpolation="nearest",
        cmap=ListedColormap(list(_COLOURS.values())),
        vmin=1,
        vmax=3,
    )
    across, along = (
        SYMBOLS.get(name, name if len(name) == 1 else f"\\mathit{{{name}}}") for name in region.question.box
    )
    axes.set_xlabel(f"${across}$")
    axes.set_ylabel(f"${along}$")
    a, b = (shorten(to_text(e), 60) for e in (region.question.a, region.question.b))
    shares = {"<": region.less, ">": region.greater, "?": region.rim}
    names = {"<": "a < b", ">": "a > b", "?": "undecided"}
    handles = [Patch(color=_COLOURS[s], label=f"{names[s]}  ({float(shares[s]):.2%})") for s in shares]
    figure.suptitle(f"a = {a}\nb = {b}", fontsize=9, x=0.02, ha="left", parse_math=False)
    figure.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False, fontsize=9)
    if path is not None:
        try:
            figure.savefig(path, dpi=150)
        except (OSError, ValueError) as e:
            raise InputError(f"cannot write {shorten(str(path))!r}: {getattr(e, 'strerror', None) or e}") from None
    return figure
