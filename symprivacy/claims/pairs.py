"""Which mechanisms a statement speaks of, by the pairs of inputs, orders and priors in the records of its two notions.

A statement is read for every neighbour graph. Where the conclusion speaks of any two inputs and the premise of
neighbours only, D may stand in it for the diameter of the graph.
"""

from __future__ import annotations

from symprivacy.implications.parameters import DIAMETER
from symprivacy.mechanisms import Mechanism
from symprivacy.notions import Notion, Pairs
from symprivacy.notions.levels.channel import hamming_pairs, removal_pairs, within_distance


def spreads(premise: Notion, conclusion: Notion) -> bool:
    """Whether the conclusion speaks of any two inputs and the premise does not.

    >>> from symprivacy.notions import get
    >>> spreads(get("DP"), get("MBP")), spreads(get("LDP"), get("MBP")), spreads(get("DP"), get("SP"))
    (True, False, False)
    """
    return conclusion.pairs.every and not premise.pairs.every


def reading(premise: Notion, conclusion: Notion, names: frozenset[str] = frozenset()) -> str:
    """The pairs, orders and priors of both sides, and which neighbour graphs are meant.

    >>> from symprivacy.notions import get
    >>> print(reading(get("DP"), get("MBP"), frozenset({"D"})))
    DP: neighbouring inputs, both orders; MBP: any two inputs, both orders, every prior; D is the diameter of the \
neighbour graph
    """
    words = [f"{notion.key}: {notion.quantifiers}" for notion in dict.fromkeys((premise, conclusion))]
    if DIAMETER in names:
        words.append("D is the diameter of the neighbour graph")
    elif Pairs.RECORD in (premise.pairs, conclusion.pairs):
        words.append("databases, neighbours are those that differ in one record")
    elif Pairs.GAMES in (premise.pairs, conclusion.pairs) and not premise.pairs.every:
        words.append("databases, neighbours differ in one record")
    else:
        words.append("every neighbour graph")
    return "; ".join(words)


def admissible(mechanism: Mechanism, premise: Notion, conclusion: Notion) -> bool:
    """Whether the statement speaks of this mechanism.

    Between semantic privacy and neighbours it speaks of databases whose neighbours differ in one record; secrets are
    databases of one record, of which any two are neighbours.

    >>> from symprivacy.mechanisms.families import truncated_geometric
    >>> from symprivacy.notions import get
    >>> admissible(truncated_geometric(2, ratio=2), get("DP"), get("SP"))
    False
    """
    if Pairs.RECORD in (premise.pairs, conclusion.pairs):
        channel = mechanism.channel()
        if mechanism.n is None:
            return diameter(mechanism) == 1
        return set(channel.pairs) == set(hamming_pairs(*channel.databases("one record")))
    if Pairs.GAMES not in (premise.pairs, conclusion.pairs) or premise.pairs.every:
        return True
    if mechanism.n is None:
        return premise.pairs is Pairs.GAMES or diameter(mechanism) == 1
    channel = mechanism.channel()
    shape = channel.databases("SP")
    return set(removal_pairs(*shape, channel.default or 0)) <= set(channel.pairs) <= set(hamming_pairs(*shape))


def diameter(mechanism: Mechanism) -> int | None:
    """How many steps between neighbours join any two inputs at most; None where some are not joined.

    >>> from symprivacy.mechanisms.families import truncated_geometric
    >>> diameter(truncated_geometric(3, ratio=2))
    3
    """
    channel = mechanism.channel()
    size = channel.size
    return next(
        (k for k in range(1, size) if len(within_distance(channel.pairs, size, k)) == size * (size - 1)),
        None,
    )
