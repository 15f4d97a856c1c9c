"""Certificates of side conditions are about the very statement, in whatever form they were found."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sympy import Expr, Symbol

from symprivacy.notions import certify as module
from symprivacy.notions.certify import NotCertified, certify, verify
from symprivacy.notions.statement import Statement, span

pytestmark = pytest.mark.quick
X = Symbol("x", real=True)


def test_a_form_that_is_not_shown_to_be_the_same_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other form is true and would be proved, but it is another statement."""

    def other(lhs: Expr, rhs: Expr) -> Iterator[tuple[Expr, Expr]]:
        yield lhs + 7, rhs

    monkeypatch.setattr(module, "_forms", other)
    with pytest.raises(NotCertified):
        certify(Statement(X**3 + 5, ">", 2 * X, (span(X, 0, 3),)))


def test_another_form_of_the_same_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    def other(lhs: Expr, rhs: Expr) -> Iterator[tuple[Expr, Expr]]:
        yield (X + 1) ** 2, rhs

    monkeypatch.setattr(module, "_forms", other)
    statement = Statement(X**2 + 2 * X + 1, ">", X, (span(X, 0, 3),))
    verify(statement, certify(statement))


def test_what_was_not_certified_is_told_in_one_line() -> None:
    long = sum(((X + k) ** k for k in range(1, 40)), X)
    with pytest.raises(NotCertified) as told:
        certify(Statement(-long, ">", 0 * X, (span(X, 0, 3),)))
    assert len(str(told.value)) < 500
