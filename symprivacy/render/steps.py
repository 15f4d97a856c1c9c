"""The steps of a finding as paragraphs: words, and below them the formulas they lead to, one under the other.

A step is a text with marked formulas. One that ends in a colon and a chain of relations is displayed; formulas with the
same words before them stand under each other, and a chain goes on where its last side is the next one's first.

>>> for block in blocks(["certified for `x > 0`: `x <= 2*x`", "certified for `x > 0`: `2*x = y`", "hence it holds"]):
...     print(block.words, [(row.lhs, [link.formula for link in row.links]) for row in block.rows])
Certified for `x > 0`: [('x', ['2*x', 'y'])]
Hence it holds. []
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from symprivacy.derivations.argument import Link, Paragraph
from symprivacy.errors import InputError
from symprivacy.language.notation import MARK, chain, plain, read, written

_DISPLAYED = re.compile(rf"(.*:)\s*{MARK}([^{MARK}]+){MARK}(?:\s+\((\d+)\))?\.?", re.DOTALL)


@dataclass(frozen=True)
class Row:
    """A chain of relations, and its number if others refer to it."""

    lhs: str
    links: tuple[Link, ...]
    number: str = ""

    @classmethod
    def of(cls, p: Paragraph) -> Row:
        """The chain of a paragraph of an argument."""
        return cls(p.lhs, p.links, str(p.number))


@dataclass(frozen=True)
class Block:
    """A sentence and the rows below it."""

    words: str
    rows: tuple[Row, ...] = ()


def blocks(steps: Iterable[str]) -> list[Block]:
    """The paragraphs of some steps."""
    found: list[Block] = []
    for step in steps:
        block = _block(written(step).strip())
        if block.rows and found and found[-1].rows and found[-1].words == block.words:
            found[-1] = replace(found[-1], rows=_joined(found[-1].rows, block.rows[0]))
        else:
            found.append(block)
    return found


def tells(steps: Iterable[str], reason: str) -> bool:
    """Whether the steps say all of a reason already.

    >>> tells(["a mean of ratios", "certified: `a <= b`"], "a mean of ratios; certified: `a <= b`")
    True
    """
    left = written(reason)
    for step in sorted(map(written, steps), key=len, reverse=True):
        left = left.replace(step, "")
    return not re.sub(r"[\s;,.]", "", left)


def _block(step: str) -> Block:
    match = _DISPLAYED.fullmatch(step)
    sides = chain(match[2]) if match is not None else None
    if match is None or sides is None or not all(map(_readable, (sides[0], *(side for _, side in sides[1])))):
        end = "" if step.endswith((".", ":", ";", ",", "!")) else "."
        return Block(_sentence(step) + end)
    lhs, links = sides
    return Block(_sentence(match[1]), (Row(lhs, tuple(Link(sign, side) for sign, side in links), match[3] or ""),))


def _readable(text: str) -> bool:
    try:
        read(text)
    except InputError:
        return False
    return True


def _sentence(text: str) -> str:
    """With a capital letter, if it begins with a word."""
    return text[:1].upper() + text[1:] if re.match(r"[a-z]+[ ,;:']", plain(text)) and text[0] != MARK else text


def _joined(rows: tuple[Row, ...], row: Row) -> tuple[Row, ...]:
    last = rows[-1]
    if row.lhs == last.links[-1].formula and not (last.number or row.number):
        return (*rows[:-1], replace(last, links=(*last.links, *row.links)))
    return (*rows, row)
