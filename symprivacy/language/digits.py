"""How many digits may be asked for."""

from __future__ import annotations

from symprivacy.errors import InputError

# The longest number that is read again is a little longer; see symprivacy.language.text.
MOST_DIGITS = 1000


def require_digits(digits: object) -> int:
    """The number of digits, if it is one that can be had.

    >>> require_digits(30)
    30
    >>> require_digits(5000)
    Traceback (most recent call last):
      ...
    symprivacy.errors.InputError: digits=5000: expected a whole number from 1 to 1000
    """
    if isinstance(digits, bool) or not isinstance(digits, int) or not 1 <= digits <= MOST_DIGITS:
        raise InputError(f"digits={str(digits)[:40]}: expected a whole number from 1 to {MOST_DIGITS}")
    return digits
