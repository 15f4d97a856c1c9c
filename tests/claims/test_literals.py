"""The mathematics of the papers' claims is literal: texts are put together where they are words, and nowhere else."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from symprivacy.claims import papers
from symprivacy.claims.comparison import comparison, posterior, put
from symprivacy.claims.finite_sums import setting
from symprivacy.claims.instances import contradicts
from symprivacy.claims.language import proposition
from symprivacy.claims.laws import number
from symprivacy.claims.sum_proofs import Step, Sums
from symprivacy.errors import InputError

MODULES = sorted(Path(papers.__path__[0]).glob("*.py"))
# What is said of a claim, and of a witness.
WORDS = {"Argument", "Claim", "Counterexample", "Example", "Form", "_claim", "table_claim", "_shown", "broken"}
SAID = "says"


def _pasted(node: ast.AST) -> bool:
    """Whether a text is put together from others: not a list of things with commas or words in between."""
    match node:
        case ast.JoinedStr():
            return any(isinstance(value, ast.FormattedValue) for value in node.values)
        case ast.BinOp(op=ast.Add() | ast.Mod()):
            sides = (node.left, node.right)
            return any(isinstance(s, ast.JoinedStr | ast.Constant) and not _number(s) for s in sides)
        case ast.Call(func=ast.Attribute(attr="join", value=ast.Constant(value=str(between)))):
            return not between.strip(", ").isalpha() and bool(between.strip(", "))
        case ast.Call(func=ast.Attribute(attr="format" | "replace" | "translate")):
            return True
    return False


def _number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and not isinstance(node.value, str)


def _misplaced(source: str) -> Iterator[str]:
    """The lines where a text is put together that does not stand among words."""
    tree = ast.parse(source)
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in filter(_pasted, ast.walk(tree)):
        place, inside = node, False
        while not isinstance(place, ast.stmt):
            place = above[place]
            inside = inside or isinstance(place, ast.Dict)
            if isinstance(place, ast.Call) and _name(place.func) not in ("str", "join"):
                break
        match place:
            case ast.Call(func=func, keywords=keywords) if _name(func) in WORDS:
                # Without a proof the statement itself is read.
                given = {keyword.arg for keyword in keywords}
                fine = _name(func) not in ("_claim", "table_claim") or bool(given & {"proof", "uncheckable", None})
            case ast.Assign(targets=[ast.Name(id=name)]):
                fine = name == SAID
            case _:
                fine = isinstance(place, ast.Return) and inside
        if not fine:
            yield f"{node.lineno}: {ast.unparse(node)[:80]}"  # type: ignore[attr-defined]


def _name(func: ast.expr) -> str:
    return func.id if isinstance(func, ast.Name) else func.attr if isinstance(func, ast.Attribute) else ""


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_no_mathematics_is_pasted_into_texts(path: Path) -> None:
    assert not list(_misplaced(path.read_text()))


@pytest.mark.parametrize(
    "source",
    [
        'comparison(f"({high})/({low}) <= exp({level})")',
        'Sums(laws, {"each": f"u <= {once}*v"}, {"s": Step("u <= v", {"each": f"1/{n}"})})',
        '_AFTER = f"{_POSTERIOR} <= exp(eps)*b"',
        'bound = "exp(" + level + ")"',
        'number("exp({})".format(hat), growth)',
        'put(_TEXT.replace("delta2", "delta1"))',
        'equivalent(" + ".join(weights), "a <= b")',
        '_claim("eq8", "eq (8)", f"`{_SUM} >= {_SEVEN}`")',
        'def f(p):\n    return f"({p})*u"',
        'contradicts(f"r <= exp({_BACK})", r=2)',
    ],
)
def test_pasted_mathematics_is_seen(source: str) -> None:
    assert list(_misplaced(source))


@pytest.mark.parametrize(
    "source",
    [
        '_claim("eq8", "eq (8)", f"`{_SUM} >= {_SEVEN}`", proof=comparison("sum >= seven", sum=_SUM, seven=_SEVEN))',
        'says = f"ratio `{found} > {bound}`"',
        'def f():\n    return {"says": f"`{p} > {q}`", "laws": shown(one, other)}',
        'Form(f"`P[B in Bad] <= {MASS}`", APART)',
        "total = p + 1",
    ],
)
def test_words_are_put_together(source: str) -> None:
    assert not list(_misplaced(source))


def test_parts_need_no_brackets() -> None:
    """A part is put as an expression: 1 - p stays one thing in a product, a quotient and a power."""
    pasted, whole = comparison("a*p/p**2 <= 1", p="1 - b", a="b + 1"), comparison("(b+1)*(1-b)/(1-b)**2 <= 1")
    assert str(pasted) == str(whole)
    assert put("p/q", p="q", q="p") is put("q/p")
    assert posterior(("p", "1-p"), ("1-u", "u")) is put("p*(1-u)/(p*(1-u) + (1-p)*u)")
    assert str(proposition("DP(eps) => TV(t)", t="tanh(eps/2)")) == str(proposition("DP(eps) => TV(tanh(eps/2))"))
    laws = setting("u v: y", "c in (0, 1)", less=put("1 - c"), i="less*u > v")
    found = Sums(laws, {"each": "u <= v"}, {"s": Step("any[y] less*u - less*v <= 0", {"each": "less*test"})}).decide()
    assert found.proved
    assert "`(1 - c)*test`" in found.steps[-1]
    assert "`(1 - c)*u > v`" in found.steps[0]


def test_a_name_without_a_value_is_no_number() -> None:
    """Parts are put at once: a name inside of one is not meant by another, and is not taken for undecided."""
    with pytest.raises(InputError, match="no value for eps"):
        contradicts("r <= b", r=3, b="exp(eps)", eps=1)
    with pytest.raises(InputError, match="no value for delta"):
        number("exp(hat)", hat="delta", delta=1)
    with pytest.raises(InputError, match="another meaning"):
        Sums(setting("u v: y", u=put("1")), {"each": "u <= v"}, {"s": Step("u <= v", {"each": "1"})}).decide()
