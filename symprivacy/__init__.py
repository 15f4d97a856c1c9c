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
    from symprivacy.atlas import chain, matrix
    from symprivacy.claims import decide
    from symprivacy.derivations import derive
    from symprivacy.errors import CertificateError, InputError, SymPrivacyError, UnsupportedError
    from symprivacy.implications import convert
    from symprivacy.language.certificates import check, check_both
    from symprivacy.mechanisms import level
    from symprivacy.notions import Notion
    from symprivacy.search.api import compare, roots
    from symprivacy.search.many import prove_many
    from symprivacy.search.sweep import certify_region
    from symprivacy.search.verdict import Status, Verdict, prove

__all__ = [
    "CertificateError",
    "InputError",
    "Notion",
    "Status",
    "SymPrivacyError",
    "UnsupportedError",
    "Verdict",
    "__version__",
    "certify_region",
    "chain",
    "check",
    "check_both",
    "compare",
    "convert",
    "decide",
    "derive",
    "level",
    "matrix",
    "prove",
    "prove_many",
    "roots",
]

# Names are looked up on first use (PEP 562): importing the package costs nothing, sympy and mpmath do.
_HOME = {
    "CertificateError": "symprivacy.errors",
    "InputError": "symprivacy.errors",
    "Notion": "symprivacy.notions",
    "Status": "symprivacy.search.verdict",
    "SymPrivacyError": "symprivacy.errors",
    "UnsupportedError": "symprivacy.errors",
    "Verdict": "symprivacy.search.verdict",
    "certify_region": "symprivacy.search.sweep",
    "chain": "symprivacy.atlas",
    "check": "symprivacy.language.certificates",
    "check_both": "symprivacy.language.certificates",
    "compare": "symprivacy.search.api",
    "convert": "symprivacy.implications",
    "decide": "symprivacy.claims",
    "derive": "symprivacy.derivations",
    "level": "symprivacy.mechanisms",
    "matrix": "symprivacy.atlas",
    "prove": "symprivacy.search.verdict",
    "prove_many": "symprivacy.search.many",
    "roots": "symprivacy.search.api",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
