"""A proof on a terminal: reasons as sentences, chains of formulas below each other, side conditions at the end."""

from __future__ import annotations

from typing import Any

from symprivacy.derivations.derivation import Derivation
from symprivacy.render import terminal
from symprivacy.render.argument import Argument, Paragraph, argument
from symprivacy.render.signs import signs
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
        terminal.verbatim(*chain(p))
    end = told.end[:1].upper() + told.end[1:]
    terminal.say(end + (" ∎" if signs().mathematics else " QED"), "")
    rows: list[tuple[str, Any]] = [("rests on", ", ".join(told.principles))] if told.principles else []
    terminal.fields([*rows, *_conditions(told)])


def chain(p: Paragraph) -> list[str]:
    """The lines of a chain, relations below each other, with the number of the paragraph on the last one.

    >>> from symprivacy.render.argument import Link
    >>> chain(Paragraph(2, "", "A", (Link("<=", "eps**2"), Link("=", "x"))))
    ['      A ≤ ε²', '        = x    (2)']
    """
    lhs = terminal.formula(p.lhs)
    lines = []
    for k, link in enumerate(p.links):
        # The sign alone is no formula; between two names it is.
        sign = terminal.formula(f"a {link.relation} b")[2:-2]
        beside = f"    ({terminal.words(link.beside)})" if link.beside else ""
        head = lhs if k == 0 else " " * len(lhs)
        lines.append(f"{' ' * _INDENT}{head} {sign} {terminal.formula(link.formula)}{beside}")
    lines[-1] += f"    ({p.number})"
    return lines


def _conditions(told: Argument) -> list[tuple[str, Any]]:
    """The side conditions with the numbers of their certificates."""
    rows = [(f"[{n}]", text) for n, text in told.certificates.items() if text]
    more = len(told.certificates) - len(rows)
    if more:
        rows.append(("", f"and {more} longer condition{'s' if more > 1 else ''}; 'derive --json' has all certificates"))
    return [("certified", ""), *rows] if rows else []
