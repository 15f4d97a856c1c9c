"""sympy objects in the notation of statements, from which all forms of a formula are printed."""

from __future__ import annotations

from typing import Any

from sympy.printing.str import StrPrinter


def spelled(value: Any) -> str:
    """A sympy object in the notation of statements.

    >>> from sympy import E, Interval, Symbol, oo
    >>> spelled(Interval.open(0, oo)), spelled(1 - E * Symbol("x"))
    ('(0, oo)', '1 - exp(1)*x')
    """
    return str(_Text().doprint(value))


class _Text(StrPrinter):  # type: ignore[misc]
    """sympy's texts in the notation of statements."""

    def _print_Exp1(self, e: Any) -> str:
        return "exp(1)"

    def _print_Function(self, e: Any) -> str:
        if e.func.__name__ == "E":
            return f"E[{self._print(e.args[0])}]"
        return str(super()._print_Function(e))

    def _as_ordered_terms(self, e: Any, order: Any = None) -> list[Any]:
        """A sum starts with a term that has no minus sign, if there is one."""
        terms: list[Any] = super()._as_ordered_terms(e, order)
        first = next((t for t in terms if not t.could_extract_minus_sign()), None)
        return terms if first is None else [first, *(t for t in terms if t is not first)]

    def _print_Interval(self, e: Any) -> str:
        left, right = "(" if e.left_open else "[", ")" if e.right_open else "]"
        return f"{left}{self._print(e.start)}, {self._print(e.end)}{right}"

    def _print_Lambda(self, e: Any) -> str:
        return f"{', '.join(map(self._print, e.signature))} -> {self._print(e.expr)}"

    def _print_Range(self, e: Any) -> str:
        return f"{{{self._print(e.start)}, {self._print(e.start + e.step)}, ...}}"

    def _print_Naturals(self, e: Any) -> str:
        return "{1, 2, ...}"

    def _print_Union(self, e: Any) -> str:
        return " ∪ ".join(map(self._print, e.args))
