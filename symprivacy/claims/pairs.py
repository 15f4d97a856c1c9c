"""Which mechanisms a statement speaks of: the pairs of inputs that its two notions compare.

A notion of two secrets, such as membership privacy, is about whichever pairs the other side compares. The exact level
of a mechanism under it is over all pairs of inputs, so that only a mechanism in which those are the same is a witness.
"""

from __future__ import annotations

from symprivacy.calculus.view import covers
from symprivacy.derivations.views import view_of
from symprivacy.errors import SymPrivacyError
from symprivacy.mechanisms import Mechanism
from symprivacy.notions import Notion

_ANY = "any"
# Relations under which any two inputs are compared, through correlated records if need be.
_EVERY = ("all pairs", "correlated")


def relation(notion: Notion) -> str:
    """The pairs of inputs that a notion compares; "any" for one that is about two given secrets.

    >>> from symprivacy.notions import Pairs, get
    >>> relation(get("DP")), relation(get("LDP")), relation(get("MP"))
    ('neighbours', 'all pairs', 'any')
    """
    try:
        return view_of(notion).relation
    except SymPrivacyError:
        return notion.pairs.value


def reaches_all(premise: Notion) -> bool:
    """Whether what the premise says of its pairs is said of all pairs of inputs.

    >>> from symprivacy.notions import Pairs, get
    >>> reaches_all(get("DP")), reaches_all(get("MBP"))
    (False, True)
    """
    return covers(relation(premise), "all pairs")


def reading(premise: Notion, conclusion: Notion) -> str:
    """What a statement assumes about its pairs of inputs, in words; empty where it is taken literally.

    >>> from symprivacy.notions import Pairs, get
    >>> reading(get("DP"), get("MP")), reading(get("UDP"), get("DP"))
    ('the two secrets are two inputs that DP compares', '')
    """
    one, other = relation(premise), relation(conclusion)
    if _ANY not in (one, other):
        return ""
    if one == other:
        return "every two inputs are neighbours"
    return f"the two secrets are two inputs that {(conclusion if one == _ANY else premise).key} compares"


def admissible(mechanism: Mechanism, premise: Notion, conclusion: Notion) -> bool:
    """Whether the statement speaks of this mechanism.

    >>> from symprivacy.mechanisms import xor_randomized_response
    >>> from symprivacy.notions import Pairs, get
    >>> two_bits = xor_randomized_response(2, ratio=2)
    >>> admissible(two_bits, get("DP"), get("MP")), admissible(two_bits, get("DP"), get("TV"))
    (False, True)
    """
    one, size = relation(premise), len(mechanism.inputs)
    if size <= 2 or _ANY not in (one, relation(conclusion)) or one in _EVERY:
        return True
    # In databases a secret may be the presence of a record, which is not one of the inputs.
    complete = mechanism.n is None and len(set(mechanism.channel().pairs)) == size * (size - 1)
    return complete and one in (_ANY, "neighbours")
