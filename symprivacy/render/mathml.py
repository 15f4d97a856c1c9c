"""MathML from the LaTeX of the one printer: shown by browsers without any script."""

from __future__ import annotations

import html
import re
from functools import lru_cache

import latex2mathml.converter
import latex2mathml.exceptions

# LaTeX of any origin is read, and a display must not fail: what the converter raises has no common class.
UNREADABLE: tuple[type[Exception], ...] = (
    *(e for e in vars(latex2mathml.exceptions).values() if isinstance(e, type) and issubclass(e, Exception)),
    AttributeError, LookupError, RuntimeError, StopIteration, TypeError, ValueError,
)  # fmt: skip
# A stroke through an arrow has no MathML form; the struck arrows are signs of their own.
_STRUCK = {r"\not\Longrightarrow": " ⇏ ", r"\not\Longleftarrow": " ⇍ "}


@lru_cache(maxsize=4096)
def mathml(latex: str, block: bool = False) -> str:
    """A ``<math>`` element; the LaTeX itself is its text for readers of the source.

    >>> mathml("x")
    '<math xmlns="http://www.w3.org/1998/Math/MathML" display="inline" alttext="x"><mrow><mi>x</mi></mrow></math>'
    """
    for arrow, struck in _STRUCK.items():
        latex = latex.replace(arrow, struck)
    # The converter takes braces where TeX takes one letter, and leaves no room before the name of a function.
    latex = re.sub(r"\\(mathcal|mathbb|mathrm) ([A-Za-z])", r"\\\1{\2}", latex)
    spaced = re.sub(r"(?<=[\w})']) (?=\\(?:log|tanh|sinh|cosh|max|min|operatorname)(?![a-z]))", r" \\, ", latex)
    # Strokes around a value close and open; conditions have a sign of their own.
    spaced = re.sub(r"(?<![\\A-Za-z])\|([^|]*)\|", r"\\left|\1\\right|", spaced)
    kind = "block" if block else "inline"
    found: str = latex2mathml.converter.convert(spaced, display=kind)
    # MathML Core, which browsers follow, aligns cells by style; and an arrow is an operator.
    found = re.sub(r'columnalign="(left|right)"', r'style="text-align:\1"', found)
    found = re.sub(r"<mi>(&#x0?(?:27F9|27F8|21CF|21CD|21D2);|[⇏⇍⟹⟸])</mi>", r"<mo>\1</mo>", found)
    found = found.replace("<mo>&#x0221E;</mo>", "<mi>&#x0221E;</mi>")
    # Before brackets words are names of functions, with no room around them.
    found = re.sub(r"<mo[^>]*>([A-Za-z]{2,})</mo>(?=(?:<mrow>)?<mo stretchy)", r"<mi>\1</mi>", found)
    return found.replace(f'display="{kind}"', f'display="{kind}" alttext="{html.escape(latex)}"', 1)


def displayed(latex: str) -> str:
    """A formula on the line with fractions of full size."""
    return formula(latex).replace(">", ' displaystyle="true">', 1)


def formula(latex: str, block: bool = False) -> str:
    """A formula; if it cannot be turned into MathML its LaTeX is shown."""
    try:
        return mathml(latex, block)
    except UNREADABLE:
        return f"<code>{html.escape(latex)}</code>"
