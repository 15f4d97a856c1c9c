"""Which pairs of inputs a notion compares: in words, and for one mechanism as the level takes them.

A notion of two given secrets is derived for whichever pairs the other notion compares. Its level on a mechanism is over
the pairs of that mechanism: every two databases for membership privacy, for example. A derivation speaks of a mechanism
if the pairs of its premise include those of its conclusion.
"""

from __future__ import annotations

from symprivacy.mechanisms import Mechanism
from symprivacy.notions import Orders, Pairs
from symprivacy.notions.definition import Definition
from symprivacy.notions.levels.channel import Pair, hamming_pairs
from symprivacy.notions.levels.compared import compared as levels_compare


def compares(notion: Definition) -> str:
    """What a notion compares, in words.

    >>> from symprivacy.notions.registry import definition_of
    >>> compares(definition_of("DP")), compares(definition_of("PMP"))
    ('DP compares neighbours', 'PMP compares two given secrets, what is present first')
    """
    pairs = "two given secrets" if notion.relation == "any" else f"pairs of inputs ({notion.relation})"
    pairs = notion.relation if notion.relation in ("neighbours", "all pairs") else pairs
    return f"{notion.key} compares {pairs}" + ("" if notion.both else f", what is {notion.orders} first")


def compared(mechanism: Mechanism, notion: Definition) -> tuple[frozenset[Pair], frozenset[Pair]]:
    """The ordered pairs whose ratios the level of a mechanism bounds, and those it needs bounds for.

    They differ for semantic privacy: it compares a database with the one without a record, and thereby bounds the
    ratio of any two that differ in that record.

    >>> from symprivacy.notions.registry import definition_of
    >>> from symprivacy.mechanisms import xor_randomized_response
    >>> [len(compared(xor_randomized_response(2, ratio=2), definition_of(key))[0]) for key in ("DP", "UDP", "MP")]
    [8, 8, 12]
    """
    channel = mechanism.channel()
    if notion.compares == "games" and notion.relation == "neighbours" and channel.shape is not None:
        return frozenset(hamming_pairs(*channel.shape)), frozenset(levels_compare(notion.key, channel, Pairs.UNBOUNDED))
    orders = Orders(notion.orders)
    # What depends on the number of steps is judged by what it takes them between.
    relation = {"any": "all pairs", "chains of c neighbours": "neighbours"}.get(notion.relation, notion.relation)
    pairs = levels_compare(notion.key, channel, Pairs.ALL if notion.compares == "games" else Pairs(relation), orders)
    return frozenset(pairs), frozenset(pairs)
