"""What is positive on a box, as far as an enclosure shows it."""

from __future__ import annotations

from symprivacy.algebra.polynomials import Poly, Rational, poly_expr, tidy
from symprivacy.errors import NoInformation, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import Box, intervals
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr


class Signs:
    """Signs of expressions on one box; what was enclosed once is remembered."""

    def __init__(self, box: Box) -> None:
        self._intervals = intervals(box, 53)
        self._positive: dict[Expr, bool] = {}

    def is_positive(self, p: Poly) -> bool:
        """Whether a polynomial is positive on the box: all its terms are, or its enclosure is."""
        if all(c > 0 and all(a.op in ("exp", "pi", "num") for a, _ in m) for m, c in p.items()):
            return True
        return self._encloses_positive(poly_expr(p))

    def positive_factors(self, e: Expr) -> list[tuple[Expr, Rational]]:
        """A product as factors with powers, taken apart as far as every factor is enclosed as positive."""
        if e.op == "*" and all(self._encloses_positive(u) for u in e.args):
            return [part for u in e.args for part in self.positive_factors(u)]
        if e.op == "^" and x.is_num(e.args[1]) and not x.is_num(e.args[1], 0) and self._encloses_positive(e.args[0]):
            return [(u, tidy(k * x.rational(e.args[1]))) for u, k in self.positive_factors(e.args[0])]
        return [(e, 1)]

    def log_of_power(self, e: Expr) -> Expr | None:
        """v*log(b) for log(b**v), where v is no number and b is enclosed as positive."""
        if e.op == "^" and not x.is_num(e.args[1]) and self._encloses_positive(e.args[0]):
            return x.mul(e.args[1], x.log(e.args[0]))
        return None

    def _encloses_positive(self, e: Expr) -> bool:
        if e not in self._positive:
            try:
                self._positive[e] = iv.sign_known(enclose(e, self._intervals, 53)) == 1
            except (NoInformation, UnsupportedError):
                self._positive[e] = False
        return self._positive[e]

    def is_nonnegative(self, e: Expr) -> bool:
        """Whether an enclosure shows that an expression is nowhere negative."""
        try:
            return iv.is_nonnegative(enclose(e, self._intervals, 53))
        except (NoInformation, UnsupportedError):
            return False
