"""Where a notion lies between others: guarantees that imply it, guarantees that it implies, and hard pairs of laws.

Part of the record of a notion that has no table of its own: what follows from it, and from what it follows, is computed
from its neighbours, exactly where both sides agree and as a gap elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass

#: The key of a notion and its parameters in order, as texts over the parameters of the notion that lies between; what
#: comes after them must not be negative.
Beside = tuple[str, ...]


@dataclass(frozen=True)
class Between:
    """Guarantees on either side of one notion.

    stronger
        Each of them implies the notion at its parameters.
    weaker
        The notion implies each of them; a text may also use what a conclusion is asked, such as alpha2.
    hard
        The rows of a mechanism with two inputs that satisfies the notion.
    why
        The principles by which all that is so.
    """

    stronger: tuple[Beside, ...] = ()
    weaker: tuple[Beside, ...] = ()
    hard: tuple[tuple[str, ...], ...] = ()
    why: tuple[str, ...] = ()


def part_of(share: str, *why: str, stronger: tuple[Beside, ...] = (), weaker: tuple[Beside, ...] = ()) -> Between:
    """Between of a notion that allows P to be Q given an event of this probability.

    >>> part_of("exp(-k)").hard
    (('1', '0'), ('exp(-k)', '1 - (exp(-k))'))
    """
    return Between(stronger, weaker, hard=(("1", "0"), (share, f"1 - ({share})")), why=why)
