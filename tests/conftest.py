"""``pytest -m quick``: a short choice of tests from every room; ``pytest`` alone runs everything."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from symprivacy.notions.registry import forget, own_notions
from tests import clock

# At least one file for every room; together they take a minute of processor time.
QUICK = (
    "tests/accounting/test_saved.py",
    "tests/arb/test_values.py",
    "tests/atlas/test_matrix.py",
    "tests/derivations/test_forged.py",
    "tests/claims/test_language.py",
    "tests/cli/test_own.py",
    "tests/coq/",
    "tests/golden/",
    "tests/implications/test_provide.py",
    "tests/kernel/test_checker.py",
    "tests/kernel/test_expressions.py",
    "tests/kernel/test_intervals.py",
    "tests/mechanisms/test_mechanism.py",
    "tests/notions/test_records.py",
    "tests/parallel/test_many.py",
    "tests/render/test_latex.py",
    "tests/search/test_compare.py",
    "tests/test_layers.py",
    "tests/test_principles.py",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--clock", action="store_true", help="assert the time limits too; for a quiet machine")


def pytest_configure(config: pytest.Config) -> None:
    clock.asserted = config.getoption("--clock")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not clock.asserted:
        left_out = [item for item in items if item.get_closest_marker("clock") is not None]
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=left_out)
    for item in items:
        path = item.path.as_posix()
        # The examples of all modules take half a minute together.
        listed = isinstance(item, pytest.DoctestItem) or any(f"/{name}" in path for name in QUICK)
        if listed and item.get_closest_marker("slow") is None:
            item.add_marker(pytest.mark.quick)


@pytest.fixture(autouse=True)
def _no_notion_outlives_its_test() -> Iterator[None]:
    """A command with ``--notions`` makes them known to the whole process."""
    before = set(own_notions())
    yield
    for notion in own_notions():
        if notion not in before:
            forget(notion.key)
