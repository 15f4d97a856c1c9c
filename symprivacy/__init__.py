"""Privacy notions, what follows from what, and certified statements about the functions in between.

>>> from symprivacy import prove
>>> print(prove("1/2 - 1/(exp(eps) + 1) > eps/6", "eps in (0, 27/20]"))
proved: 1/2 - 1/(exp(eps) + 1) > eps/6 for eps in (0, 27/20]
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from symprivacy.version import __version__

if TYPE_CHECKING:
    from symprivacy.accounting import Plan, compose
    from symprivacy.atlas import chain, matrix
    from symprivacy.claims import decide
    from symprivacy.claims.audit import audit
    from symprivacy.claims.falsify import falsify
    from symprivacy.derivations import derive
    from symprivacy.errors import CertificateError, InputError, SymPrivacyError, UnsupportedError
    from symprivacy.implications import convert
    from symprivacy.language.certificates import check, check_both
    from symprivacy.mechanisms import (
        Mechanism,
        family,
        kary_randomized_response,
        level,
        profile,
        randomized_response,
        truncated_geometric,
    )
    from symprivacy.notions import Notion
    from symprivacy.notions import get as notion
    from symprivacy.search.api import compare, roots
    from symprivacy.search.prove_many import prove_many
    from symprivacy.search.sweep import certify_region
    from symprivacy.search.verdict import Status, Verdict, prove

__all__ = [
    "CertificateError",
    "InputError",
    "Mechanism",
    "Notion",
    "Plan",
    "Status",
    "SymPrivacyError",
    "UnsupportedError",
    "Verdict",
    "__version__",
    "audit",
    "certify_region",
    "chain",
    "check",
    "check_both",
    "compare",
    "compose",
    "convert",
    "decide",
    "derive",
    "falsify",
    "family",
    "kary_randomized_response",
    "level",
    "matrix",
    "notion",
    "profile",
    "prove",
    "prove_many",
    "randomized_response",
    "roots",
    "truncated_geometric",
]

# Names are looked up on first use (PEP 562): importing the package costs nothing, sympy and mpmath do.
_HOME = {
    "CertificateError": "symprivacy.errors",
    "InputError": "symprivacy.errors",
    "Mechanism": "symprivacy.mechanisms",
    "Notion": "symprivacy.notions",
    "Plan": "symprivacy.accounting",
    "Status": "symprivacy.search.verdict",
    "SymPrivacyError": "symprivacy.errors",
    "UnsupportedError": "symprivacy.errors",
    "Verdict": "symprivacy.search.verdict",
    "audit": "symprivacy.claims.audit",
    "certify_region": "symprivacy.search.sweep",
    "chain": "symprivacy.atlas",
    "check": "symprivacy.language.certificates",
    "check_both": "symprivacy.language.certificates",
    "compare": "symprivacy.search.api",
    "compose": "symprivacy.accounting",
    "convert": "symprivacy.implications",
    "decide": "symprivacy.claims",
    "derive": "symprivacy.derivations",
    "falsify": "symprivacy.claims.falsify",
    "family": "symprivacy.mechanisms",
    "kary_randomized_response": "symprivacy.mechanisms",
    "level": "symprivacy.mechanisms",
    "matrix": "symprivacy.atlas",
    "notion": "symprivacy.notions",
    "profile": "symprivacy.mechanisms",
    "prove": "symprivacy.search.verdict",
    "prove_many": "symprivacy.search.prove_many",
    "randomized_response": "symprivacy.mechanisms",
    "roots": "symprivacy.search.api",
    "truncated_geometric": "symprivacy.mechanisms",
}
# Names that are others where they live.
_THERE = {"notion": "get"}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), _THERE.get(name, name))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
