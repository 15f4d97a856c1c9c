"""Normal noise below a claimed delta, by Chernoff's bound with a constant: Q(x) <= c exp(-x**2/2) from some x on.

With x = eps sigma - 1/(2 sigma), the hockey-stick of normal noise is at most Q(x), the tail of its loss. In logarithms
the comparison is rational in eps and sigma**2, also where sigma is the root of a logarithm of 1/delta.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from sympy import Symbol, expand, expand_log

from symprivacy.errors import SymPrivacyError
from symprivacy.implications.formula import expression, put
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range, compare
from symprivacy.kernel.expr import Expr
from symprivacy.language.attempt import sympy_attempt
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.language.text import to_text
from symprivacy.search.verdict import Status, Verdict, decide

#: constants, and from where on they are enough
CONSTANTS = ((x.num(Fraction(1, 2)), x.ZERO), (x.num(Fraction(3, 4)), x.num(Fraction(-2, 5))))
#: x is at least t, or the claim is empty; and c exp(-x**2/2) is at most delta
_SHOWN = (
    expression("Max(e*s - 1/(2*s) - t, log(d))"),
    expression("e**2*s**2/2 - e/2 + 1/(8*s**2) + log(d) - log(c)"),
)
_NORMAL_TAIL, _CHERNOFF = expression("erfc(t/sqrt(2))/2"), expression("c*exp(-t**2/2)")
_STEPS = 40_000


def below(sigma: Expr, eps: Expr, delta: Expr, box: Mapping[str, Range]) -> tuple[tuple[Verdict, ...], str] | None:
    """Certificates that normal noise satisfies (eps, delta) everywhere on a box, and what they show; None without.

    >>> from symprivacy.language.domain import box_from_texts
    >>> from symprivacy.language.text import parse
    >>> box = box_from_texts(["eps in (0, 1]", "delta in (0, 1)"])
    >>> sigma = parse("sqrt(2*log(5/4/delta))/eps")
    >>> below(sigma, parse("eps"), parse("delta"), box)[1]
    'the tail of a normal law is at most 3/4*exp(-x**2/2) for x >= -2/5'
    """
    if any(r.lo is None or compare(r.lo, x.ZERO) not in (0, 1) for r in box.values()):
        return None
    for constant, start in CONSTANTS:
        line = {"t": Range(start, None, False, True)}
        tail = decide(_NORMAL_TAIL, "<=", put(_CHERNOFF, c=constant), line)
        shown = [tail]
        for form in _SHOWN:
            positive = _expanded(put(form, s=sigma, e=eps, d=delta, c=constant, t=start))
            try:
                shown.append(decide(positive, ">=", x.ZERO, dict(box), None, _STEPS))
            except SymPrivacyError:
                break
            if shown[-1].status is not Status.PROVED:
                break
        else:
            if tail.status is Status.PROVED:
                words = (
                    f"the tail of a normal law is at most {to_text(constant)}*exp(-x**2/2) for x >= {to_text(start)}"
                )
                return tuple(shown), words
    return None


def _expanded(e: Expr) -> Expr:
    """Logarithms of products as sums, for positive variables."""
    with sympy_attempt():
        form = to_sympy(e)
        positive = {s: Symbol(s.name, positive=True) for s in form.free_symbols}
        found = expand(expand_log(form.xreplace(positive)))
        return from_sympy(found.xreplace({s: n for n, s in positive.items()}))
    return e
