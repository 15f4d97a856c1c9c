"""Answers on a terminal: text wrapped between words, tables, formulas in the signs that the terminal can show.

Colour only where somebody looks, and never against NO_COLOR; ASCII where the encoding of the output is not UTF-8.
Programs read ``--json``, people read this.
"""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import sympy

from symprivacy.language.exact import simplified
from symprivacy.language.notation import MARK, is_formula, written
from symprivacy.language.spelled import spelled as spelled
from symprivacy.render.charset import signs
from symprivacy.render.findings import witness_parts
from symprivacy.render.marked import in_words, to_line
from symprivacy.render.numbers import approximation, fraction_of, rounded
from symprivacy.render.numbers import short as short
from symprivacy.render.one_line import number, of

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

WIDTH = 100
# Digits of an enclosure when nobody asked for more.
DIGITS = 10
_END = r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
_ENCLOSED = re.compile(rf"(\[{_END}, {_END}\])")
_COLOURS = {
    **dict.fromkeys(("proved", "tight", "holds", "accepted", "yes"), "green"),
    **dict.fromkeys(("refuted", "false", "impossible", "no"), "red"),
    **dict.fromkeys(("improvable", "misprint", "upper-bound", "gap"), "yellow"),
    **dict.fromkeys(("undecided", "unknown", "open", "not-checkable", "vacuous"), "magenta"),
}


def _console() -> Console:
    from rich.console import Console

    # Somebody who reads a pipe later has a window too; COLUMNS says how wide.
    wide = None if sys.stdout.isatty() else int(os.environ.get("COLUMNS") or 0) or WIDTH
    return Console(width=wide, highlight=False, markup=False, emoji=False)


def _clean(text: str) -> str:
    """The text in ASCII, where nothing else can be shown."""
    if signs().mathematics or text.isascii():
        return text
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


def words(text: object) -> str:
    """A text with marked formulas, as a line.

    >>> words("at `eps >= 1/2` it fails")
    'at ε ≥ 1/2 it fails'

    Numbers have few digits, but for an enclosure, which has as many as were asked for.

    >>> words("1.01234567890123456 ∈ [1.01234567890123456, 1.01234567890123457]")
    '1.012345678... ∈ [1.01234567890123456, 1.01234567890123457]'
    """
    parts = _ENCLOSED.split(written(text if isinstance(text, str) else str(text)))
    return _clean(to_line("".join(part if k % 2 else short(part) for k, part in enumerate(parts)), signs()))


def formula(text: object) -> str:
    """A formula, as a line.

    >>> formula("eps*tanh(eps/2)")
    'ε·tanh(ε/2)'
    """
    return words(f"{MARK}{text}{MARK}")


def enclosure(lo: str, hi: str, digits: int = DIGITS) -> str:
    """Both ends with few digits, rounded outward.

    >>> enclosure("0.46211715726000975850", "0.46211715726000975851")
    '∈ [0.4621171572, 0.4621171573]'
    >>> enclosure("1/4", "1/4"), enclosure("oo", "oo")
    ('= 0.25', '= ∞')
    """
    is_in, infinity = ("∈", "∞") if signs().mathematics else ("in", "oo")
    low, high = fraction_of(lo), fraction_of(hi)
    if low is None:
        return f"= {infinity}"
    if high is None:
        return f"{is_in} [{rounded(low, False, digits)}, {infinity})"
    ends = rounded(low, False, digits), rounded(high, True, digits)
    return f"= {ends[0]}" if ends[0] == ends[1] else f"{is_in} [{ends[0]}, {ends[1]}]"


def exact(value: Any, digits: int = DIGITS) -> str:
    """An exact value, simplified, with decimals where it does not show its size.

    >>> import sympy
    >>> exact(sympy.tanh(sympy.log(4) / 4)), exact(sympy.log(4))
    ('1/3', 'log(4) ≈ 1.386294361')
    """
    decimal = approximation(value, digits, latex=False) if isinstance(value, sympy.Expr) else None
    shown = _clean(of(value, signs()))
    about = "≈" if signs().mathematics else "~"
    return f"{shown} {about} {decimal}" if decimal and decimal != shown and not simplified(value).is_Rational else shown


def coloured(word: str) -> Text:
    """A verdict or status in its colour."""
    from rich.text import Text

    return Text(_clean(word), style=_COLOURS.get(word.split(":")[0].split()[0] if word else "", ""))


def plain(text: str) -> Text:
    """Words in which nothing is a formula."""
    from rich.text import Text

    return Text(_clean(in_words(text, signs().mathematics)))


def say(*texts: Any) -> None:
    """Paragraphs: each a text with formulas, or something that rich shows."""
    from rich.text import Text

    for text in texts:
        _print(Text(words(text)) if isinstance(text, str) else text)


def verdict(word: str, text: str) -> None:
    """A verdict in its colour, and what it speaks of."""
    from rich.text import Text

    _print(Text.assemble(coloured(word), ": ", words(text)))


def verbatim(*texts: str) -> None:
    """Lines that are laid out already."""
    for text in texts:
        print(_clean(text))


def _print(shown: Any) -> None:
    """Without the spaces that fill the lines of a table up."""
    console = _console()
    with console.capture() as caught:
        console.print(shown)
    print("\n".join(line.rstrip() for line in caught.get().split("\n")).strip("\n"))


def fields(rows: Iterable[tuple[str, Any]]) -> None:
    """Labels and what they name, side by side; an empty label goes on with the one before."""
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True, style="dim")
    grid.add_column(overflow="fold")
    for label, content in rows:
        grid.add_row(words(label), Text(words(content)) if isinstance(content, str) else content)
    _print(grid)


def table(heads: Sequence[str], rows: Iterable[Sequence[Any]], whole: frozenset[int] = frozenset()) -> None:
    """A table that fits the window; columns in ``whole`` are never broken."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    frame = box.SIMPLE_HEAD if signs().mathematics else None
    made = Table(box=frame, pad_edge=False, header_style="bold", padding=(0, 1))
    for k, head in enumerate(heads):
        made.add_column(head, no_wrap=k in whole, overflow="fold")
    for row in rows:
        made.add_row(*(Text(words(cell)) if isinstance(cell, str) else cell for cell in row))
    _print(made)


def vector(entries: Sequence[str]) -> str:
    """A row of numbers: exact where that is short, with decimals where those say more.

    >>> vector(["1/3", "2/3"]), vector(["1/(exp(1) + 1)", "1/(exp(-1) + 1)"])
    ('(1/3, 2/3)', '(1/(e + 1), e/(1 + e)) ≈ (0.268941, 0.731059)')
    """
    about = "≈" if signs().mathematics else "~"
    shown = [number(entry, signs()) for entry in entries]
    exact = [entry.partition(about)[0].strip() for entry in shown]
    decimal = [entry.rpartition(about)[2].strip() for entry in shown]
    if exact == decimal:
        return f"({', '.join(exact)})"
    if all(exact) and sum(map(len, exact)) < WIDTH // 2:
        return f"({', '.join(exact)}) {about} ({', '.join(decimal)})"
    return f"{about} ({', '.join(decimal)})"


def matrix(rows: Sequence[Sequence[str]], left: Sequence[str] = (), above: Sequence[str] = ()) -> list[str]:
    """A matrix in brackets, with names before its rows and above its columns.

    >>> print("\\n".join(matrix([["4/5", "1/5"], ["1/5", "4/5"]], ["a", "b"], ["0", "1"])))
          0    1
    a ⎡ 4/5  1/5 ⎤
    b ⎣ 1/5  4/5 ⎦
    """
    about = "≈" if signs().mathematics else "~"
    cells = [[number(entry, signs()).rpartition(about)[2].strip() for entry in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, *([above] if above else []), strict=True)]
    margin = max(map(len, left), default=0)
    shown = []
    if above:
        names = "  ".join(f"{name:>{w}}" for name, w in zip(above, widths, strict=True))
        shown.append(" " * (margin + 3 if margin else 2) + names)
    for k, row in enumerate(cells):
        entries = "  ".join(f"{cell:>{w}}" for cell, w in zip(row, widths, strict=True))
        pair = _brackets(k, len(cells))
        name = f"{left[k]:<{margin}} " if margin else ""
        shown.append(f"{name}{pair[0]} {entries} {pair[1]}")
    return shown


def _brackets(k: int, count: int) -> str:
    if not signs().mathematics or count == 1:
        return "[]"
    return "⎡⎤" if k == 0 else "⎣⎦" if k == count - 1 else "⎢⎥"


def witness(found: Mapping[str, Any], told: Iterable[str] = ()) -> list[tuple[str, Any]]:
    """The fields of a witness: what it says, unless that is told elsewhere, laws as vectors, channels as matrices."""
    from rich.text import Text

    shown: list[Any] = []
    for line in witness_parts(found, told):
        if len(line.rows) == 1 and line.above:
            on = [f"{number(p, signs())} on {name}" for name, p in zip(line.above, line.rows[0], strict=True)]
            shown.append(Text(_clean(f"{line.label} {', '.join(on)}")))
        elif len(line.rows) == 1:
            laws = vector(line.rows[0])
            shown.append(Text(f"{line.label}{'' if laws[0] in '≈~' else ' ='} {laws}"))
        elif line.rows:
            named = "" if line.label in ("Channel", "Witness") else f"{line.label} =\n"
            shown.append(Text(_clean(named + "\n".join(matrix(line.rows, line.left, line.above))), no_wrap=True))
        else:
            said = short(line.text).split("; ")
            shown.append("; ".join(formula(part) if is_formula(part) else words(part) for part in said))
    return [("witness" if k == 0 else "", content) for k, content in enumerate(shown)]
