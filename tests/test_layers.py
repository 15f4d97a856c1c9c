"""Imports go one way: what is trusted knows nothing of what builds on it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import networkx
import pytest

import symprivacy

ROOT = Path(symprivacy.__file__).parent
LAYERS = [
    "errors",
    "version",
    "evidence",
    # Knows processes and nothing of mathematics.
    "parallel",
    # Before the kernel, which it must not share code with; only the entrance to both checkers knows it.
    "arb",
    "kernel",
    # Finds what the kernel verifies.
    "algebra",
    "language",
    "coq",
    "search",
    "notions",
    "mechanisms",
    # After mechanisms: a derived conversion names the mechanism that attains it.
    "derivations",
    "implications",
    # After implications: closed forms are theirs.
    "accounting",
    "claims",
    "atlas",
    "render",
    "site",
    "cli",
]
MODULES = sorted(ROOT.rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    """Absolute names of everything a module imports, at any depth of its functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} uses a relative import"
            assert node.module
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def layer(name: str) -> int | None:
    parts = name.split(".")
    return LAYERS.index(parts[1]) if parts[0] == "symprivacy" and len(parts) > 1 and parts[1] in LAYERS else None


def inside(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", [p for p in MODULES if p.parent != ROOT], ids=inside)
def test_a_module_imports_only_from_its_own_layer_and_those_before_it(path: Path) -> None:
    own = LAYERS.index(path.relative_to(ROOT).parts[0])
    later = {name for name in imported(path) if (layer(name) or 0) > own}
    assert not later


def name_of(path: Path) -> str:
    parts = ("symprivacy", *path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def only_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def at_run_time(node: ast.AST) -> Iterator[ast.AST]:
    """Everything in a module that runs at some time, in functions too."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not only_for_types(child):
            yield from at_run_time(child)


def test_no_module_needs_itself_however_late_it_imports() -> None:
    known = {name_of(path) for path in MODULES}
    graph = networkx.DiGraph()
    for path in MODULES:
        for node in at_run_time(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                wanted = {f"{node.module}.{alias.name}" for alias in node.names}
                graph.add_edges_from((name_of(path), name if name in known else node.module) for name in wanted)
            elif isinstance(node, ast.Import):
                graph.add_edges_from((name_of(path), alias.name) for alias in node.names)
    assert [sorted(ring) for ring in networkx.strongly_connected_components(graph) if len(ring) > 1] == []


def test_every_package_has_its_place_in_the_order() -> None:
    assert {p.relative_to(ROOT).parts[0] for p in MODULES if p.parent != ROOT} <= set(LAYERS)


@pytest.mark.parametrize("path", sorted((ROOT / "kernel").glob("*.py")), ids=inside)
def test_only_the_bridge_of_the_kernel_knows_sympy(path: Path) -> None:
    assert path.name == "bridge.py" or not [name for name in imported(path) if name.split(".")[0] == "sympy"]


def test_errors_version_and_shown_import_nothing_of_the_package() -> None:
    for name in ("errors.py", "version.py", "shown.py"):
        assert not [i for i in imported(ROOT / name) if i.startswith("symprivacy")]
