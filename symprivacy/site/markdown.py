"""Markdown as HTML, with the formulas between dollars as MathML; pages lead nowhere outside the folder."""

from __future__ import annotations

import re
from functools import lru_cache

from markdown_it import MarkdownIt

from symprivacy.render.mathml import formula

_MATH = re.compile(r"\$\$(.+?)\$\$|(?<![\\$\w])\$((?:[^$\n]|\n(?!\n))+?)\$(?!\w)", re.DOTALL)
_CODE = re.compile(r"(```.*?```|`[^`\n]+`)", re.DOTALL)


@lru_cache(maxsize=1)
def _reader() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def markdown(text: str) -> str:
    """A text whose largest heading becomes ``<h2>``.

    >>> markdown("# T\\n\\n- a `b`\\n- $x^2$\\n").replace("\\n", "")[:60]
    '<h2>T</h2><ul><li>a <code>b</code></li><li><math xmlns="http'
    """
    formulas: list[str] = []

    def put(match: re.Match[str]) -> str:
        formulas.append(formula((match[1] or match[2]).strip(), bool(match[1])))
        return f"\x02{len(formulas) - 1}\x03"

    # What is code is not mathematics, whatever its dollars.
    parts = _CODE.split(text.replace("\x02", "").replace("\x03", ""))
    marked = "".join(part if k % 2 else _MATH.sub(put, part) for k, part in enumerate(parts))
    found = str(_reader().render(marked))
    # Links keep their words.
    found = re.sub(r"<a href=[^>]*>(.*?)</a>", r"\1", found, flags=re.DOTALL)
    found = re.sub(r"<img [^>]*>", "", found)
    heads = [int(level) for level in re.findall(r"<h([1-6])>", found)]
    shift = 2 - min(heads, default=2)
    found = re.sub(r"<(/?)h([1-6])>", lambda m: f"<{m[1]}h{min(6, int(m[2]) + shift)}>", found)
    return re.sub("\x02(\\d+)\x03", lambda m: formulas[int(m[1])], found)
