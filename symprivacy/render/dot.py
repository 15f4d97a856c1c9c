"""Diagrams as Graphviz DOT, for those who want another layout."""

from __future__ import annotations

from symprivacy.atlas.strength import Diagram


def dot(diagram: Diagram) -> str:
    """The diagram as a digraph.

    >>> print(dot(Diagram({"A": ("A",), "B": ("B", "C")}, {("A", "B"): "implies"}, "t")))
    digraph atlas {
      label="t"; labelloc=t; rankdir=TB;
      node [shape=box, style="rounded,filled", fillcolor="#eef2fa", fontname="Helvetica"];
      "A" [label="A"];
      "B" [label="B\\nC"];
      "A" -> "B";
    }
    <BLANKLINE>
    """
    lines = [
        "digraph atlas {",
        f"  label={_quoted(diagram.title)}; labelloc=t; rankdir=TB;",
        '  node [shape=box, style="rounded,filled", fillcolor="#eef2fa", fontname="Helvetica"];',
    ]
    lines += [f"  {_quoted(name)} [label={_quoted(*rows)}];" for name, rows in diagram.nodes.items()]
    lines += [f"  {_quoted(a)} -> {_quoted(b)};" for a, b in diagram.edges]
    return "\n".join([*lines, "}", ""])


def _quoted(*rows: str) -> str:
    return '"' + "\\n".join(row.replace("\\", "\\\\").replace('"', '\\"') for row in rows) + '"'
