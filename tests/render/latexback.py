"""A reader of the LaTeX that formulas are printed in, back to the notation they were written in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from symprivacy.language.notation import GREEK, Node, parts, read, written
from symprivacy.render.typeset import typeset

_SIGNS = {
    r"\le": "<=", r"\ge": ">=", r"\ne": "!=", r"\in": " in ", r"\sim": "~", r"\Longrightarrow": "=>",
    r"\Longleftrightarrow": "<=>", r"\Longleftarrow": "<==", r"\to": "->", r"\leftrightarrow": "<->", r"\mid": "|",
    r"\cup": "∪", r"\times": "×", r"\setminus": "∖", r"\pm": "±", r"\neg": "not ", r"\infty": "oo", r"\ldots": "...",
    r"\Pr": "P", r"\cdot": "*", r"\{": "{", r"\}": "}", r"\sum": "sum", r"\prod": "prod", r"\varepsilon": "eps",
    r"\left": "", r"\right": "", r"\,": "", r"\;": " ", "\\": "",
    **{rf"\{name}": name for name in GREEK | {"log", "sinh", "cosh", "tanh", "min", "max", "sup", "inf", "exp"}},
}  # fmt: skip
_WORDS = {"arsinh": "asinh", "arcosh": "acosh", "artanh": "atanh", "otherwise": "True"}
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|.", re.DOTALL)


def back(latex: str) -> str:
    r"""The notation of a printed formula.

    >>> back(r"\frac{e^{-\varepsilon}}{2} \le b_{0}'")
    "((exp(-eps))/(2)) <= b_{0}'"
    """
    latex = latex.replace(r"\,\cdot\,", ".").replace(r"\,\|\,", "||").replace(r":\,", ":")
    latex = latex.replace(r"\text{ or }", " or ").replace(r"\text{ and }", " and ").replace(r"\text{-}", "-")
    found = re.search(r"\\begin\{cases\}(.*?)\\end\{cases\}", latex, re.DOTALL)
    while found:
        rows = [row.replace(r"\text{if } ", "").split("&") for row in found[1].split(r"\\")]
        inner = ", ".join(f"({value.strip()}, {condition.strip()})" for value, condition in rows)
        latex = f"{latex[: found.start()]}Piecewise({inner}){latex[found.end() :]}"
        found = re.search(r"\\begin\{cases\}(.*?)\\end\{cases\}", latex, re.DOTALL)
    out, tokens, k = "", _TOKEN.findall(latex), 0

    def group(k: int) -> tuple[str, int]:
        assert tokens[k] == "{", latex
        depth, start = 1, k + 1
        while depth:
            k += 1
            depth += {"{": 1, "}": -1}.get(tokens[k], 0)
        return "".join(tokens[start:k]), k + 1

    while k < len(tokens):
        token, k = tokens[k], k + 1
        if token == r"\frac":
            top, k = group(k)
            bottom, k = group(k)
            out += f"(({back(top)})/({back(bottom)}))"
        elif token == r"\sqrt":
            inner, k = group(k)
            out += f"sqrt({back(inner)})"
        elif token in (r"\hat", r"\bar"):
            inner, k = group(k)
            out += back(inner) + token[1:]
        elif token in (r"\mathrm", r"\text", r"\operatorname", r"\mathbb"):
            inner, k = group(k)
            out += _WORDS.get(inner, inner)
        elif token == "e" and k < len(tokens) and tokens[k] == "^":
            inner, k = group(k + 1)
            out += f"exp({back(inner)})"
        elif token in "^_" and k < len(tokens) and tokens[k] == "{":
            inner, k = group(k)
            out += "^*" if inner == "*" else f"^({back(inner)})" if token == "^" else f"_{{{back(inner)}}}"
        else:
            out += _SIGNS.get(token, token)
    return out


def canonical(e: Node) -> Node:
    """The tree without what two spellings of one formula may differ in: indices, accents, DP(eps) and eps-DP."""
    if e.op == "name":
        return _name(e.text)
    if e.op == "number":
        base, _, power = e.text.partition("e")
        if not power:
            return e
        exponent = Node("number", (), str(abs(int(power))))
        tail = Node("-1", (exponent,)) if int(power) < 0 else exponent
        return Node("*", (Node("number", (), base), Node("^", (Node("number", (), "10"), tail))))
    args = tuple(map(canonical, e.args))
    if e.op == "brackets" and e.text == "()" and args[0].op == "number":
        return args[0]
    if e.op == "chain":
        return Node("chain", args, e.text.replace("==", "="))
    if e.op == "has":
        return Node("has", (args[0].args[0] if args[0].op == "brackets" else args[0],), e.text)
    if e.op == "at" and args[0].op == "name":
        if args[0].text in ("Abs", "abs"):
            return Node("abs", args[1:])
        if _key(args[0].text) and e.text == "(" and args[1].op not in ("|", "||"):
            return Node("has", args[1:], args[0].text)
    return Node(e.op, args, e.text)


def _key(text: str) -> bool:
    from symprivacy.notions import all_notions

    return text in {notion.key for notion in all_notions()}


def _name(text: str) -> Node:
    known = {
        "dhat": "deltahat",
        "e": "epsbar",
        "Min": "min",
        "Max": "max",
        "eps_pa": "eps_{p,a}",
        "eps_pm": "eps_{p,m}",
    }
    text = known.get(text, text)
    if "{" in text:
        letters = text[text.index("{") + 1 : -1].split(",")
        return Node("index", (Node("name", (), "eps"), Node("list", tuple(Node("name", (), x) for x in letters), ",")))
    base, _, index = text.partition("_")
    found = re.fullmatch(r"([A-Za-z]+?)(hat|bar|)(\d*)(hat|bar|)", base)
    if found is None or _key(text):
        return Node("name", (), text)
    letters, first, digits, second = found.groups()
    indices = [part for part in (digits, *index.split("_")) if part]
    shown = Node("name", (), letters + (first or second))
    if not indices:
        return shown
    nodes = [Node("number", (), part) if part.isdigit() else _name(part) for part in indices]
    return Node("index", (shown, nodes[0] if len(nodes) == 1 else Node("list", tuple(nodes), "," * (len(nodes) - 1))))


def texts(shown: Any) -> Iterator[str]:
    """Every text in a record, however deep: statements, readings, forms, words of arguments."""
    if isinstance(shown, str):
        yield written(shown)
    elif is_dataclass(shown) and not isinstance(shown, type):
        for field in fields(shown):
            yield from texts(getattr(shown, field.name))
    elif isinstance(shown, Mapping):
        yield from texts(tuple(shown.values()))
    elif isinstance(shown, tuple | list):
        for part in shown:
            yield from texts(part)


def formulas(*shown: Any) -> set[str]:
    return {p.text for record in shown for text in texts(record) if "`" in text for p in parts(text) if p.formula}


def assert_kept(formula: str) -> None:
    """What is printed reads back as the same formula."""
    assert canonical(read(back(typeset(formula)))) == canonical(read(formula)), formula
