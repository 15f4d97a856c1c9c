"""Explicit finite families with symbols in them: every bound is written out, element by element, and certified."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, combinations

from symprivacy.claims.comparison import Comparison
from symprivacy.claims.finite_sums import Bound, Setting
from symprivacy.claims.outcome import Outcome, together
from symprivacy.errors import InputError
from symprivacy.implications.formula import Part, expression, put, spelled
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.language.domain import box_from_texts
from symprivacy.search.verdict import Status


@dataclass(frozen=True)
class Exhibited:
    """A family that has everything that is said of it, for the whole range of its symbols.

    ``values`` has the elements of every column; a bound for ``any`` subset is certified for every subset. It shows that
    something exists, such as a case in which a bound is attained.

    >>> response = {"u": ("exp(eps)/(1+exp(eps))", "1/(1+exp(eps))"), "v": ("1/(1+exp(eps))", "exp(eps)/(1+exp(eps))")}
    >>> says = ("any[y] u - exp(eps)*v <= 0", "sum[y] event*(u - v) == tanh(eps/2)")
    >>> Exhibited({**response, "event": ("1", "0")}, says).decide().status
    <Status.PROVED: 'proved'>
    """

    values: Mapping[str, tuple[Part, ...]]
    says: tuple[str | Bound, ...]
    ranges: tuple[str, ...] = ()
    #: names that stand for expressions
    put: Mapping[str, Part] = field(default_factory=dict)

    @property
    def bounds(self) -> list[Bound]:
        """What is said, read."""
        return [says if isinstance(says, Bound) else Bound.read(says) for says in self.says]

    @property
    def reading(self) -> str:
        """The range of its symbols."""
        return f"an explicit family; {', '.join(f'`{text}`' for text in self.ranges)}".rstrip("; ")

    def decide(self) -> Outcome:
        """Proved if every bound is certified."""
        self._readable()
        box = Setting({}, self.ranges).box
        shown = {name: f"`{name} = ({', '.join(map(spelled, column))})`" for name, column in self.values.items()}
        found: list[Outcome] = []
        # What a name stands for has to lie in the range that the name has elsewhere.
        own = [(x.var(name), box[name]) for name in self.put if name in box]
        ends = [(e, ">" if r.lo_open else ">=", r.lo) for e, r in own] + [
            (e, "<" if r.hi_open else "<=", r.hi) for e, r in own
        ]
        inside = [(put(e, **self.put), rel, end) for e, rel, end in ends if end is not None]
        for text, written in [
            ("the range of what is put for a name", inside),
            *((str(bound), self._written(bound)) for bound in self.bounds),
        ]:
            for lhs, rel, rhs in written:
                names = lhs.variables | rhs.variables
                missing = sorted(names - set(box))
                if missing:
                    raise InputError(f"no range for {', '.join(missing)}")
                one = Comparison(lhs, rel, rhs, {name: box[name] for name in sorted(names)}).decide()
                if not one.proved:
                    return Outcome(Status.UNDECIDED, f"{text} is not certified: {one.reason}")
                found.append(replace(one, steps=()))
        says = f"the family {', '.join(shown.values())} shows it"
        told = (f"certified{', for every set `S`' if b.kind == 'any' else ''}: `{b.formula}`" for b in self.bounds)
        joined = replace(together(found), witness={"family": list(shown.values()), "says": says}, better=None)
        return replace(joined, reason=says, steps=(says, *told), principles=("exact-level",))

    def _readable(self) -> None:
        """Refuse what does not say one thing: there is one index set, and columns are not symbols."""
        sizes, columns = {len(column) for column in self.values.values()}, {*self.values}
        bounds = self.bounds
        if not bounds or len(sizes) > 1 or 0 in sizes or len({b.over for b in bounds if b.kind}) > 1:
            raise InputError("expected columns of one length that is not 0, and bounds over one index set")
        parts = [*self.put.values(), *(part for column in self.values.values() for part in column)]
        symbols = frozenset[str]().union(
            *(expression(part).variables for part in parts), *(b.rhs.variables for b in bounds if b.kind)
        )
        if any(len(b.over) > 1 for b in bounds) or columns & {*symbols, *self.put, *box_from_texts([*self.ranges])}:
            raise InputError(f"one of {', '.join(sorted(columns))} is also a symbol, or a sum is over several sets")

    def _written(self, bound: Bound) -> list[tuple[Expr, str, Expr]]:
        """The comparisons that a bound stands for."""
        scalars = {name: expression(part) for name, part in self.put.items()}
        size = max((len(column) for column in self.values.values()), default=1)
        rows = [
            {**scalars, **{name: put(column[k], **self.put) for name, column in self.values.items()}}
            for k in range(size)
        ]
        left = [x.substitute(bound.lhs, row) for row in rows]
        if not bound.kind:
            return [(a, bound.rel, x.substitute(bound.rhs, row)) for a, row in zip(left, rows, strict=True)]
        whole = tuple(range(size))
        every = chain.from_iterable(combinations(whole, k) for k in range(size + 1))
        subsets = every if bound.kind == "any" else [whole]
        right = x.substitute(bound.rhs, scalars)
        return [(x.add(x.num(0), *(left[k] for k in subset)), bound.rel, right) for subset in subsets]

    def __str__(self) -> str:
        return f"some family has {', '.join(map(str, self.says))}"
