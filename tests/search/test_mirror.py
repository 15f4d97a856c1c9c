"""What is the same from both ends of a range, and powers whose exponent is no fraction."""

from __future__ import annotations

import pytest

from symprivacy import prove
from symprivacy.language.certificates import check

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
    found = prove(statement, "p in (0, 1)")
    assert found.status.value == status
    assert found.certificate is not None
    assert check(found.certificate, "both") == status
