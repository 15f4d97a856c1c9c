"""The symbols of a text: numbers, names and signs, as people type them."""

from __future__ import annotations

import re

from symprivacy.errors import InputError

MAX_NODES = 20_000
_TOKEN = re.compile(
    r"((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|([A-Za-z_]\w*)"
    r"|(\*\*|<=|>=|==|!=|[-+*/^()<>=,&|~\[\]√])"
    r"|(\S)",
    # Letters that only look like ASCII would make two variables of what a reader takes for one.
    re.ASCII,
)
UNICODE = str.maketrans(
    {
        "ε": "eps",
        "ϵ": "eps",
        "δ": "delta",
        "η": "eta",
        "ξ": "xi",
        "α": "alpha",
        "ρ": "rho",
        "μ": "mu",
        "µ": "mu",
        "π": "pi",
        "∞": "oo",
        "≤": "<=",
        "≥": ">=",
        "−": "-",
        "·": "*",
        "×": "*",
        "∈": " in ",
        "≠": "!=",
        **dict(zip("βγζθκλν", ("beta", "gamma", "zeta", "theta", "kappa", "lam", "nu"), strict=True)),
        **dict(zip("στφχψω", ("sigma", "tau", "phi", "chi", "psi", "omega"), strict=True)),
        **dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True)),
    },
)
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+")
_POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


def shorten(text: str, limit: int = 60) -> str:
    """The text, or its beginning if it is long, for a one-line message.

    >>> shorten("a rather long text", 12)
    'a rather ...'
    """
    flat = " ".join(text[: 2 * limit].split())
    return flat if len(flat) <= limit and len(text) <= 2 * limit else flat[: limit - 3] + "..."


def tokens_of(text: str) -> list[str]:
    """The symbols of a text, and an empty one at its end.

    >>> tokens_of("2.5*ε² ≤ x_1")
    ['2.5', '*', 'eps', '^', '(', '2', ')', '<=', 'x_1', '']
    """
    tokens = []
    plain = _RAISED.sub(lambda raised: f"^({raised.group().translate(_POWERS)})", text.translate(UNICODE).rstrip())
    for number, name, sign, other in _TOKEN.findall(plain):
        if other:
            raise InputError(f"unexpected {other!r} in {shorten(text)!r}")
        tokens.append(number or name or sign)
        if len(tokens) > 2 * MAX_NODES:
            raise InputError(f"more than {2 * MAX_NODES} symbols in one text")
    return [*tokens, ""]
