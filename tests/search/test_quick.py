"""The quick look: spans contain values, claims are what the checker accepts, and wrong ones do no harm."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range, box_to_data
from symprivacy.kernel.checker import FORMAT, check
from symprivacy.kernel.data import to_data
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal, goals_of
from symprivacy.language.domain import box_from_texts
from symprivacy.language.text import parse_statement, to_text
from symprivacy.search import prove as proving
from symprivacy.search.effort import Effort, OutOfTimeError
from symprivacy.search.float_enclosures import around, least, slopes, span
from symprivacy.search.floats import estimate
from symprivacy.search.quick import claims
from symprivacy.search.squares import by_squares
from symprivacy.search.verdict import Status, prove
from tests.benchmarks.problems import ROOMY
from tests.clock import within
from tests.kernel.strategies import FIXED, boxes_with_points, expressions, small, smooth_expressions


def spans_of(box: dict[str, Range]) -> dict[str, tuple[float, float]] | None:
    if any(r.lo is None or r.hi is None for r in box.values()):
        return None
    return {n: (around(x.rational(r.lo))[0], around(x.rational(r.hi))[1]) for n, r in box.items()}


@given(expressions, boxes_with_points())
@FIXED
def test_a_span_contains_the_values(e: Expr, where: tuple) -> None:
    """As far as floating point can tell."""
    box, points = where
    spans = spans_of(box)
    found = span(e, spans) if spans else None
    for at in points if found else []:
        value, error = estimate(e, {n: float(v) for n, v in at.items()})
        if math.isfinite(value) and math.isfinite(error):
            slack = 16 * error + 1e-300
            assert found[0] - slack <= value <= found[1] + slack, to_text(e)


@given(smooth_expressions, boxes_with_points())
@FIXED
def test_a_least_value_is_below_the_values(e: Expr, where: tuple) -> None:
    """The mean value form in floating point."""
    box, points = where
    spans = spans_of(box)
    rise = slopes(e, spans) if spans else None
    low = least(e, spans, rise) if spans and rise is not None else -math.inf
    for at in points:
        value, error = estimate(e, {n: float(v) for n, v in at.items()})
        if math.isfinite(value) and math.isfinite(error):
            assert low - 16 * error - 1e-300 <= value, to_text(e)


def certificate(statement: str, domain: str, claim: dict[str, Any]) -> dict[str, Any]:
    lhs, rel, rhs = parse_statement(statement)
    head = {"format": FORMAT, "lhs": to_data(lhs), "rel": rel, "rhs": to_data(rhs)}
    return {**head, "domain": box_to_data(box_from_texts(domain.split("; "))), **claim}


@pytest.mark.parametrize(("statement", "domain", "true"), ROOMY)
def test_where_there_is_room_the_first_claim_is_accepted(statement: str, domain: str, true: bool) -> None:
    goals = goals_of(*parse_statement(statement), box_from_texts(domain.split("; ")))
    found = next(claims(goals[0]), None)
    if found is not None:
        assert check(certificate(statement, domain, found)) == ("proved" if true else "refuted")
    # Touching at a corner is left to calculus.
    assert found is not None or "erf" in statement


def test_a_wrong_claim_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    """The checker turns it down, and the search goes on."""

    def wrong(goal: Goal, until: float) -> Iterator[dict[str, Any]]:
        yield {"verdict": "refuted", "at": {"x": ["/", 1, 2]}}
        yield {"verdict": "proved", "proofs": [{"by": "box"}]}
        yield {"verdict": "proved", "proofs": [{}]}

    monkeypatch.setattr(proving, "claims", wrong)
    assert prove("exp(x) >= 1 + x", "x in [0, 1]").status is Status.PROVED
    assert prove("exp(x) > 1 + x", "x in [0, 1]").status is Status.REFUTED


@given(st.lists(st.lists(small, min_size=4, max_size=4), min_size=1, max_size=4), small)
@FIXED
def test_sums_of_squares_are_recognised(rows: list[list[Fraction]], constant: Fraction) -> None:
    """A sum of squares of affine forms and a constant: the squares found add up to it, whichever they are."""
    names = [x.var(n) for n in ("u", "v", "w")]
    forms = [x.add(x.num(row[3]), *(x.mul(x.num(c), v) for c, v in zip(row, names, strict=False))) for row in rows]
    e = x.add(*(x.power(f, x.num(2)) for f in forms), x.num(abs(constant)))
    proof = by_squares(Goal(e, False, {}))
    if e.variables:
        assert proof is not None
        domain = {n: [None, None, True, True] for n in ("u", "v", "w")}
        head = {"format": FORMAT, "lhs": to_data(e), "rel": ">=", "rhs": 0, "domain": domain}
        assert check({**head, "verdict": "proved", "proofs": [proof]}) == "proved"


@pytest.mark.parametrize("text", ["x*y >= 0", "x**2 - y**2 >= 0", "x**2 + y**2 - 3*x*y >= 0", "x**2 + y**2 - 1 >= 0"])
def test_indefinite_forms_have_no_squares(text: str) -> None:
    lhs, rel, rhs = parse_statement(text)
    box = box_from_texts(["x in (-oo, oo)", "y in (-oo, oo)"])
    assert by_squares(goals_of(lhs, rel, rhs, box)[0]) is None


def test_reasons_say_what_the_certificate_shows() -> None:
    assert prove("exp(x) <= 2*x + 1", "x in [1/10, 3]").reason == "fails at x = 3: 20.0855369231877 <= 7.0"
    reason = prove("(x + y)**2 <= 2*x**2 + 2*y**2", ["x in [0, 1]", "y in [0, 1]"]).reason
    assert reason == "the difference of both sides is a sum of terms none of which is negative (2 checked steps)"


def test_nodes_that_nobody_needs_are_forgotten() -> None:
    gc.collect()
    before = len(x._table)
    kept = [x.add(x.var("q"), x.num(Fraction(1, 10**9 + i))) for i in range(50)]
    # Nodes of other tests may go at any time.
    assert len(x._table) >= before + 50
    assert kept[3] is x.add(x.var("q"), x.num(Fraction(1, 10**9 + 3)))
    del kept
    gc.collect()
    assert len(x._table) <= before + 2


def test_the_quick_look_ends_in_time() -> None:
    """A long expression of two variables with hardly any room, and no time at all."""
    terms = " + ".join(f"(x - {k}/97)**2*(y - {k}/89)**2" for k in range(60))
    goals = goals_of(*parse_statement(f"{terms} > 1/10**9"), box_from_texts(["x in [0, 1]", "y in [0, 1]"]))
    with within(0.5), pytest.raises(OutOfTimeError):
        list(claims(goals[0], Effort(deadline=time.monotonic())))
