"""Statements for z3 and cvc5, as SMT-LIB text: the negation is satisfiable where the statement fails."""

from __future__ import annotations

from fractions import Fraction

from symprivacy.kernel.expr import Expr, rational
from tests.benchmarks.problems import Problem


class InexpressibleError(Exception):
    """A function that the solvers do not have."""


class _Script:
    def __init__(self, z3: bool) -> None:
        self.z3 = z3
        self.lines: list[str] = []
        self.known: dict[Expr, str] = {}

    def new(self) -> str:
        name = f"v{len(self.lines)}"
        self.lines.append(f"(declare-const {name} Real)")
        return name

    def exp(self, t: str) -> str:
        return f"(^ euler {t})" if self.z3 else f"(exp {t})"

    def term(self, e: Expr) -> str:
        if e not in self.known:
            text = self._term(e)
            if e.args and e.op not in ("<", "<=", "and", "or", "not"):
                name = self.new()
                self.lines.append(f"(assert (= {name} {text}))")
                text = name
            self.known[e] = text
        return self.known[e]

    def _term(self, e: Expr) -> str:
        if e.op == "num":
            return number(rational(e))
        if e.op == "var":
            return f"|{e.value}|"
        if e.op == "pi":
            return "pi" if self.z3 else "real.pi"
        if e.op in ("true", "false"):
            return e.op
        if e.op == "^" and e.args[1].op == "num":
            return self._power(e.args[0], rational(e.args[1]))
        args = [self.term(a) for a in e.args]
        if e.op in ("+", "*", "<", "<=", "and", "or", "not"):
            return f"({e.op} {' '.join(args)})"
        if e.op == "piecewise":
            text = args[-2]
            for value, condition in list(zip(args[::2], args[1::2], strict=True))[-2::-1]:
                text = f"(ite {condition} {value} {text})"
            return text
        if e.op in ("min", "max"):
            text = args[0]
            for other in args[1:]:
                text = f"(ite ({'<' if e.op == 'min' else '>'} {text} {other}) {text} {other})"
            return text
        return self._function(e.op, args)

    def _function(self, op: str, args: list[str]) -> str:
        t = args[0]
        if op == "abs":
            return f"(ite (< {t} 0.0) (- {t}) {t})"
        if op == "exp":
            return self.exp(t)
        if op in ("sinh", "cosh", "tanh"):
            up, down = self.exp(t), self.exp(f"(- {t})")
            top = f"({'+' if op == 'cosh' else '-'} {up} {down})"
            return f"(/ {top} (+ {up} {down}))" if op == "tanh" else f"(/ {top} 2.0)"
        inverse = {
            "log": lambda v: self.exp(v),
            "asinh": lambda v: f"(/ (- {self.exp(v)} {self.exp(f'(- {v})')}) 2.0)",
            "acosh": lambda v: f"(/ (+ {self.exp(v)} {self.exp(f'(- {v})')}) 2.0)",
            "atanh": lambda v: f"(/ (- {self.exp(v)} {self.exp(f'(- {v})')}) (+ {self.exp(v)} {self.exp(f'(- {v})')}))",
        }
        if op == "^":
            power = self.new()
            self.lines.append(f"(assert (= {self.exp(power)} {t}))")
            return self.exp(f"(* {power} {args[1]})")
        if op not in inverse:
            raise InexpressibleError(op)
        name = self.new()
        self.lines.append(f"(assert (= {inverse[op](name)} {t}))")
        if op == "acosh":
            self.lines.append(f"(assert (>= {name} 0.0))")
        return name

    def _power(self, base: Expr, k: Fraction) -> str:
        t = self.term(base)
        if k.denominator > 1:
            root = self.new()
            self.lines.append(f"(assert (and (>= {root} 0.0) (= {_repeat(root, k.denominator)} {t})))")
            t = root
        power = _repeat(t, abs(k.numerator))
        return power if k > 0 else f"(/ 1.0 {power})"


def _repeat(t: str, n: int) -> str:
    if n > 64:
        raise InexpressibleError(f"power {n}")
    return t if n == 1 else f"(* {' '.join([t] * n)})" if n else "1.0"


def number(q: Fraction) -> str:
    """A rational number.

    >>> number(Fraction(-1, 3))
    '(- (/ 1.0 3.0))'
    """
    text = f"{abs(q.numerator)}.0" if q.denominator == 1 else f"(/ {abs(q.numerator)}.0 {q.denominator}.0)"
    return f"(- {text})" if q < 0 else text


def script(problem: Problem, z3: bool) -> str:
    """Declarations and assertions; unsatisfiable if and only if the statement is true."""
    s = _Script(z3)
    variables = [f"(declare-const |{name}| Real)" for name in problem.box]
    asserted = []
    for name, r in problem.box.items():
        if r.lo is not None:
            asserted.append(f"({'>' if r.lo_open else '>='} |{name}| {s.term(r.lo)})")
        if r.hi is not None:
            asserted.append(f"({'<' if r.hi_open else '<='} |{name}| {s.term(r.hi)})")
    greater, less = (s.term(e) for e in problem.sides)
    asserted.append(f"({'<=' if problem.strict else '<'} {greater} {less})")
    return "\n".join([*variables, *s.lines, *(f"(assert {a})" for a in asserted)])


def by_z3(problem: Problem, limit: float) -> tuple[str, int]:
    import z3

    solver = z3.Solver()
    solver.set("timeout", int(1000 * limit))
    solver.from_string(script(problem, True))
    return _verdict(str(solver.check())), 0


def by_cvc5(problem: Problem, limit: float) -> tuple[str, int]:
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("tlimit-per", str(int(1000 * limit)))
    solver.setLogic("QF_NRAT")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script(problem, False), "statement")
    while not (command := parser.nextCommand()).isNull():
        command.invoke(solver, parser.getSymbolManager())
    result = solver.checkSat()
    return _verdict("unsat" if result.isUnsat() else "sat" if result.isSat() else "unknown"), 0


def _verdict(result: str) -> str:
    return {"unsat": "proved", "sat": "refuted"}.get(result, "undecided")
