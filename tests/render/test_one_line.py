"""Every formula on a line is read again as the same expression."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from symprivacy.atlas import matrix
from symprivacy.errors import InputError
from symprivacy.kernel.expr import is_num, subexpressions
from symprivacy.language.notation import is_formula
from symprivacy.language.text import parse
from symprivacy.render.charset import ASCII, UNICODE
from symprivacy.render.one_line import linear

names = st.sampled_from(["x", "eps", "delta2", "p", "e", "1/3", "2", "7", "pi"])


def deeper(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "**"]), inner).map(lambda t: f"({t[0]}){t[1]}({t[2]})"),
        inner.map(lambda t: f"-({t})"),
        st.tuples(st.sampled_from(["exp", "sqrt", "tanh", "asinh", "Abs", "log"]), inner).map(
            lambda t: f"{t[0]}({t[1]})"
        ),
        st.tuples(inner, inner).map(lambda t: f"Max({t[0]}, {t[1]})"),
    )


def assert_same(text: str) -> None:
    meant = parse(text)
    for signs in (UNICODE, ASCII):
        shown = linear(text, signs)
        assert parse(shown, meant.variables) is meant, (text, shown)


@given(st.recursive(names, deeper, max_leaves=8))
@settings(max_examples=300, deadline=None)
def test_any_formula(text: str) -> None:
    try:
        meant = parse(text)
    except InputError:
        return
    # exp(0), which is written for 1/3 - 1/3 and the like, is e^0 on a line, and that is 1.
    assume(not any(n.op == "exp" and is_num(n.args[0], 0) for n in subexpressions(meant)))
    assert_same(text)


@pytest.mark.slow
def test_every_formula_of_the_matrix() -> None:
    shown = [cell.formula for cell in matrix() if cell.formula and " where " not in cell.formula]
    for text in filter(is_formula, shown):
        if "Piecewise" not in text:
            assert_same(text)
