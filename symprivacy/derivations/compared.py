"""Which pairs of inputs a notion compares: in words, and for one mechanism as the level takes them.

A notion of two given secrets is derived for whichever pairs the other notion compares. Its level on a mechanism is over
the pairs of that mechanism: every two databases for membership privacy, for example. A derivation speaks of a mechanism
if the pairs of its premise include those of its conclusion.
"""

from __future__ import annotations

from symprivacy.calculus.view import View
from symprivacy.mechanisms import Mechanism
from symprivacy.notions.levels.channel import Channel, Pair, all_pairs, hamming_pairs, removal_pairs
from symprivacy.notions.levels.membership import role_pairs

# Notions of two given secrets whose level is over every two inputs, also of a mechanism over secrets.
_EVERY = ("MBP", "MBPU", "ANPr", "InfPr")
_PER_RECORD = ("SP",)


def compares(view: View) -> str:
    """What a notion compares, in words.

    >>> from symprivacy.derivations.views import view_of
    >>> compares(view_of("DP")), compares(view_of("PMP"))
    ('DP compares neighbours', 'PMP compares two given secrets, what is present first')
    """
    pairs = "two given secrets" if view.relation == "any" else f"pairs of inputs ({view.relation})"
    pairs = view.relation if view.relation in ("neighbours", "all pairs") else pairs
    return f"{view.key} compares {pairs}" + ("" if view.both else f", what is {view.orders} first")


def compared(mechanism: Mechanism, view: View) -> tuple[frozenset[Pair], frozenset[Pair]]:
    """The ordered pairs whose ratios the level of a mechanism bounds, and those it needs bounds for.

    They differ for semantic privacy: it compares a database with the one without a record, and thereby bounds the
    ratio of any two that differ in that record.

    >>> from symprivacy.derivations.views import view_of
    >>> from symprivacy.mechanisms import xor_randomized_response
    >>> [len(compared(xor_randomized_response(2, ratio=2), view_of(key))[0]) for key in ("DP", "UDP", "MP")]
    [8, 8, 12]
    """
    channel = mechanism.channel()
    if view.key in _PER_RECORD and channel.shape is not None:
        return frozenset(hamming_pairs(*channel.shape)), _removals(channel, view, both=True)
    pairs = _pairs(channel, view)
    return pairs, pairs


def _pairs(channel: Channel, view: View) -> frozenset[Pair]:
    every = frozenset(all_pairs(channel.size))
    if view.relation == "any":
        if view.key in _EVERY:
            return every
        roles = frozenset(role_pairs(channel, "all"))
        other = frozenset((z, x) for x, z in roles)
        return {"present": roles, "absent": other}.get(view.orders, roles | other)
    if view.relation in ("neighbours", "chains of c neighbours"):
        return frozenset(channel.pairs)
    if view.relation == "bounded":
        return frozenset(hamming_pairs(*channel.databases(view.key)))
    if view.relation in ("unbounded", "adding a record", "removing a record"):
        return _removals(channel, view, view.relation == "unbounded")
    # All pairs, or correlated records; secrets have no records.
    return every if view.relation == "all pairs" or channel.shape is not None else frozenset(channel.pairs)


def _removals(channel: Channel, view: View, both: bool) -> frozenset[Pair]:
    removals = frozenset(removal_pairs(*channel.databases(view.key), channel.default_value(view.key)))
    other = frozenset((z, x) for x, z in removals)
    return removals | other if both else other if view.orders == "absent" else removals
