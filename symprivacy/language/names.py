"""Names as people spell them: other spellings of parameters, and what somebody may have meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from symprivacy.errors import InputError

_SPELLINGS = {"epsilon": "eps", "e_ps": "eps", "infinity": "oo"}
_LETTERS = str.maketrans({
    "ε": "eps", "ϵ": "eps", "δ": "delta", "η": "eta", "ξ": "xi", "α": "alpha", "ρ": "rho", "μ": "mu", "µ": "mu",
    "ω": "omega", "τ": "tau", "σ": "sigma", "λ": "lambda", "₂": "2",
})  # fmt: skip


def nearest(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """The known names that are spelled most like one, whatever their case.

    >>> nearest("Audti", ["audit", "prove", "export"])
    ['audit']
    """
    pool = {other.casefold(): other for other in known}
    return [pool[match] for match in difflib.get_close_matches(name.casefold()[:100], pool, most, 0.5)]


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """The end of a message about an unknown name.

    >>> did_you_mean("audti", ["audit", "prove"]), did_you_mean("xyz", ["audit"], "see 'symprivacy --help'")
    ('did you mean audit?', "see 'symprivacy --help'")
    """
    near = nearest(name, known)
    return f"did you mean {' or '.join([*filter(None, [', '.join(near[:-1])]), near[-1]])}?" if near else otherwise


def no_such(kind: str, name: object, known: Iterable[str], otherwise: str = "") -> InputError:
    """The error about an unknown name.

    >>> print(no_such("notion", "SPP", ["SP", "DP"]))
    no notion 'SPP'; did you mean SP?
    """
    hint = did_you_mean(str(name), known, otherwise)
    return InputError(f"no {kind} {str(name)[:60]!r}" + (f"; {hint}" if hint else ""))


def folded(name: str, known: Iterable[str]) -> str:
    """The known name that this one is in another case; a name that is none of them stays as it is.

    >>> folded("Gaussian", ["gaussian", "laplace"]), folded("nothing", ["gaussian"])
    ('gaussian', 'nothing')
    """
    names = list(known)
    fitting = [other for other in names if other.casefold() == name.strip().casefold()]
    return name.strip() if name.strip() in names or len(fitting) != 1 else fitting[0]


def parameter(name: str, known: Iterable[str]) -> str:
    """The parameter that a spelling means; a name that means none is returned as it is.

    >>> [parameter(name, ["eps", "eps2", "D"]) for name in ("epsilon", "ε", "Eps2", "D")]
    ['eps', 'eps', 'eps2', 'D']
    """
    names = set(known)
    plain = name.strip().translate(_LETTERS)
    digits = plain[len(plain.rstrip("0123456789")) :]
    base = plain[: len(plain) - len(digits)]
    for spelled in (plain, _SPELLINGS.get(base.lower(), base) + digits, plain.lower()):
        if spelled in names:
            return spelled
    return plain
