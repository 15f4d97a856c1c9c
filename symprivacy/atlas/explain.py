"""A path in words: each step with its justification, and the derivation behind it where one can be found."""

from __future__ import annotations

from collections.abc import Mapping

from symprivacy.atlas.path import Path
from symprivacy.derivations import derive
from symprivacy.derivations.principles import get as principle
from symprivacy.errors import SymPrivacyError
from symprivacy.implications.implication import Implication
from symprivacy.implications.status import Kind
from symprivacy.kernel.expr import Expr
from symprivacy.language.text import to_text


def explained(path: Path, given: Mapping[str, Expr]) -> str:
    """The steps of a path, and below each the shortest justification that is known."""
    at = ", ".join(f"{name} = {to_text(number)}" for name, number in given.items())
    lines = [f"{path}   (cases as at {at})"]
    for k, edge in enumerate(path.edges, 1):
        lines.append(f"{k}. {edge}" + (f"   [{edge.origin}]" if edge.kind is not Kind.CONVERSION else ""))
        lines += [f"     {line}" for line in _because(edge)]
    if path.conditions:
        lines.append("conditions: " + "; ".join(path.conditions))
    return "\n".join(lines)


def _because(edge: Implication) -> list[str]:
    if edge.kind is Kind.PUBLISHED:
        return [f"published, for {edge.holds}" if edge.holds else "published; not tight unless it says so"]
    if edge.kind is Kind.CLAIM:
        return [f"claim, decided; rests on {', '.join(edge.principles) or 'its certificates'}"]
    try:
        return derive(edge.source, edge.target, solve="conclusion").to_text().splitlines()
    except SymPrivacyError:
        pass
    lines = [f"by {principle(name)}" for name in edge.principles]
    if edge.witness is not None:
        words = {key: text for key, text in edge.witness.items() if key != "attained"}
        lines.append(f"{edge.status.value}: {words}")
    return lines or [edge.status.value]
