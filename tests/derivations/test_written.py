"""What derive prints has the arguments of a guarantee where the notion's record has them."""

from __future__ import annotations

import re

import pytest

from symprivacy import derive
from symprivacy.derivations.argument import argument
from symprivacy.derivations.rulebook import DerivationError
from symprivacy.derivations.saved import from_json
from symprivacy.notions import get
from symprivacy.notions.statement import Given
from symprivacy.notions.written import in_order, written
from symprivacy.render.latex import math

# The number of secrets, or the prior, comes after the level in these records, and in derivations before it.
PAIRS = [("MBPU", "DP"), ("DP", "MBPU"), ("MPP", "DP"), ("SP", "MPP")]


def _shown(text: str, key: str) -> str:
    """The arguments of a guarantee in a text, up to the end of the text."""
    return text[re.search(rf"\b{key}\(", text).end() :]  # type: ignore[union-attr]


@pytest.mark.parametrize(("premise", "conclusion"), PAIRS)
def test_the_level_stands_where_the_record_has_it(premise: str, conclusion: str) -> None:
    found = derive(premise, conclusion)
    key = premise if premise in ("MBPU", "MPP") else conclusion
    level, other = get(key).names
    assert get(key).answers == level
    for text in (str(found), found.to_text(), argument(found.derivation).claim, found.to_latex()):
        assert not re.search(rf"{key}\W*{other}, ", text), text
    assert re.match(rf".*, {other}\)", _shown(str(found), key))
    given = found.to_json()["premise" if key == premise else "conclusion"]
    assert given["notion"] == key
    assert given["values"][1] == other


@pytest.mark.parametrize("key", ["MBPU", "MPP"])
def test_printed_guarantees_are_those_that_statements_have(key: str) -> None:
    record = get(key)
    given = Given(key, record.definition.symbols)
    assert written(given) == f"{key}({', '.join(record.names)})"
    assert math(given) == math(record(*(p.symbol for p in record.parameters)))


def test_what_is_no_notion_keeps_its_order() -> None:
    assert in_order("path", (1, 2)) == (1, 2)
    assert in_order("SomebodysNotion", (1, 2, 3)) == (1, 2, 3)


def test_a_file_that_states_the_arguments_in_another_order_is_refused() -> None:
    data = derive("DP", "MBPU").to_json()
    from_json(data).check()
    data["conclusion"]["values"].reverse()
    with pytest.raises(DerivationError, match="another premise or conclusion"):
        from_json(data)
