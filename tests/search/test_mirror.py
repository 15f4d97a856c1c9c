"""What is the same from both ends of a range, and powers whose exponent is no fraction."""

from __future__ import annotations

import pytest

from symprivacy import prove
from symprivacy.language.certificates import check
from symprivacy.language.domain import box_from_texts
from symprivacy.language.text import parse_statement
from symprivacy.search.prove import search

ENTROPY = "-p*log(p) - (1 - p)*log(1 - p)"


@pytest.mark.parametrize(
    ("statement", "status"),
    [
        # Topsoe: contact of order four in the middle, and at both ends.
        (f"{ENTROPY} <= log(2)*(4*p*(1 - p))**(1/log(4))", "proved"),
        (f"{ENTROPY} <= log(2)*(4*p*(1 - p))**(1/log(4)) - 1/10**12", "refuted"),
        (f"{ENTROPY} < log(2)*(4*p*(1 - p))**(1/log(4))", "refuted"),
        (f"{ENTROPY} <= log(2)*(4*p*(1 - p))**(1/log(39/10))", "refuted"),
        ("p**sqrt(2) + (1 - p)**sqrt(2) >= 2**(1 - sqrt(2))", "proved"),
    ],
)
def test_powers_are_compared_by_their_logarithms(statement: str, status: str) -> None:
    found = prove(statement, "p in (0, 1)", timeout=None)
    assert found.status.value == status
    assert found.certificate is not None
    assert check(found.certificate, "both") == status


@pytest.mark.parametrize(
    ("statement", "domain"),
    [
        (f"{ENTROPY} >= 4*p*(1 - p)*log(2)", "p in (0, 1)"),
        (f"{ENTROPY} >= 4*p*(1 - p)*log(2)", "p in [1/10, 9/10]"),
        (f"{ENTROPY} <= log(2) - 2*(p - 1/2)**2", "p in (0, 1)"),
        # The same with the middle at 3.
        ("-(p - 2)/2*log((p - 2)/2) - (4 - p)/2*log((4 - p)/2) >= (p - 2)*(4 - p)*log(2)", "p in (2, 4)"),
    ],
)
def test_one_half_of_a_symmetric_range_is_soon_enough(statement: str, domain: str) -> None:
    """Both halves of the whole range, each met again and again on the way, took more steps than this."""
    box = box_from_texts([domain])
    certificate, why = search(*parse_statement(statement), box, None, 150_000)
    assert certificate is not None, why
    assert check(certificate, "both") == "proved"


def test_what_looks_the_same_from_both_ends_and_is_not_gets_no_half() -> None:
    found = prove(f"{ENTROPY} >= 4*p*(1 - p)*log(2) + (p - 1/2)*10**(-9)", "p in (0, 1)")
    assert found.status.value != "proved"
