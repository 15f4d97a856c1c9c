"""A proof on a terminal: reasons as sentences, chains of formulas below each other, side conditions at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symprivacy.derivations.argument import Argument, argument
from symprivacy.derivations.derivation import Derivation
from symprivacy.render import terminal
from symprivacy.render.charset import signs
from symprivacy.render.steps import Row, blocks
from symprivacy.render.theorem import certificates

_INDENT = 6


def show(d: Derivation, definitions: dict[str, str]) -> None:
    """Print the theorem and its proof; ``definitions`` says what the notions in it mean."""
    told = argument(d)
    terminal.say(f"Theorem. {told.claim}" + (f" for {told.where}" if told.where else "") + ".")
    terminal.fields([(f"  {key}", text) for key, text in definitions.items()])
    terminal.say("", f"Proof. {told.objects}".rstrip())
    for p in told.paragraphs:
        terminal.say(p.words() + (f" ({certificates(p.notes).lower()})" if p.notes else ""))
        terminal.verbatim(*chain([Row.of(p)]))
    end = told.end[:1].upper() + told.end[1:]
    terminal.say(end + (" ∎" if signs().mathematics else " QED"), "")
    rows: list[tuple[str, Any]] = [("rests on", ", ".join(told.principles))] if told.principles else []
    terminal.fields([*rows, *_conditions(told)])


def chain(rows: Sequence[Row], indent: int = _INDENT) -> list[str]:
    """The lines of chains, relations below each other, with the number on the last one.

    >>> from symprivacy.derivations.argument import Link
    >>> chain([Row("A", (Link("<=", "eps**2"), Link("=", "x")), "2")])
    ['      A ≤ ε²', '        = x    (2)']
    """
    heads = [terminal.formula(row.lhs) for row in rows]
    # Below a long left side, which stands on a line of its own, the rest would be out of sight.
    margin = max(map(len, heads)) if max(map(len, heads)) <= terminal.WIDTH // 2 else 2
    lines = []
    for head, row in zip(heads, rows, strict=True):
        if len(head) > margin:
            lines.append(" " * indent + head)
            head = ""
        for k, link in enumerate(row.links):
            # The sign alone is no formula; between two names it is.
            sign = terminal.formula(f"a {link.relation} b")[2:-2]
            beside = f"    ({terminal.words(link.beside)})" if link.beside else ""
            before = head if k == 0 else ""
            lines.append(f"{' ' * indent}{before:>{margin}} {sign} {terminal.formula(link.formula)}{beside}")
        if row.number:
            lines[-1] += f"    ({row.number})"
    return lines


def told(steps: Sequence[str]) -> list[tuple[str, Any]]:
    """The proof of a finding: sentences, and the chains they lead to below them."""
    from rich.text import Text

    shown: list[Any] = []
    for block in blocks(steps):
        shown.append(block.words)
        if block.rows:
            shown.append(Text("\n".join(chain(block.rows, 2))))
    return [("proof" if k == 0 else "", content) for k, content in enumerate(shown)]


def _conditions(told: Argument) -> list[tuple[str, Any]]:
    """The side conditions with the numbers of their certificates."""
    rows = [(f"[{n}]", text) for n, text in told.certificates.items() if text]
    more = len(told.certificates) - len(rows)
    if more:
        rows.append(("", f"and {more} longer condition{'s' if more > 1 else ''}; 'derive --json' has all certificates"))
    return [("certified", ""), *rows] if rows else []
