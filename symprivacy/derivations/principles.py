"""The named general steps that turn "for all mechanisms" into a question about one or two real numbers.

This is the only list of them: nothing prints another name. Each is an object that says what it assumes and concludes;
the rules that apply it check the side conditions every time they are used, and again whenever a derivation is checked.

>>> print(get("two-point-extremal").conditions)
f'' >= 0 on each smooth piece of f (certified); 0 < a < 1 < b (certified)
"""

from __future__ import annotations

from symprivacy.derivations.principle import Principle as Principle
from symprivacy.derivations.principles_of_beliefs import BELIEFS
from symprivacy.derivations.principles_of_operations import OPERATIONS
from symprivacy.derivations.principles_of_ratios import RATIOS
from symprivacy.language.names import no_such

PRINCIPLES = (*BELIEFS, *RATIOS, *OPERATIONS)


def get(name: str) -> Principle:
    """A principle by name.

    >>> get("bayes").rules
    ('bayes', 'belief-ratio', 'quotient')
    """
    known = {principle.name: principle for principle in PRINCIPLES}
    spelled = name.strip().casefold().replace(" ", "-").replace("_", "-")
    if spelled not in known:
        raise no_such("principle", name, known, f"there are {', '.join(known)}")
    return known[spelled]
