"""How wide a formula will be, roughly, and how to break one that does not fit a line."""

from __future__ import annotations

import re
from collections.abc import Sequence

# Characters of an average formula on a line of an article.
LINE = 62
_SPACES = re.compile(r"\\[ ,;:!]|\\q?quad|\\(left|right)(?![a-z])\.?|[{}]|\\(mathrm|text|mathcal|mathbb|operatorname)")


def width(latex: str) -> float:
    r"""An estimate in characters of text.

    >>> width(r"\\frac{a + b}{c}") < width("a + b + c")
    True
    """
    for inner in re.findall(r"\\begin\{cases\}(.*?)\\end\{cases\}", latex, re.DOTALL):
        latex = latex.replace(inner, max(inner.split(r"\\"), key=len))
    found = True
    while found:
        found = False
        for match in re.finditer(r"\\t?frac\{([^{}]*)\}\{([^{}]*)\}|\\sqrt\{([^{}]*)\}|[\^_]\{([^{}]*)\}", latex):
            top, bottom, root, script = match.groups()
            if top is not None:
                kept = max((top, bottom), key=width)
            else:
                kept = root + "--" if root is not None else "." * round(0.7 * width(script))
            latex, found = latex.replace(match.group(), kept, 1), True
            break
        else:
            # Braces of words hide fractions around them.
            bare = re.sub(r"\\(?:mathrm|text|mathcal|mathbb|operatorname|bar)\{([^{}]*)\}", r"\1", latex)
            found, latex = bare != latex, bare
    latex = re.sub(r"\\(log|exp|max|min|tanh|sinh|cosh|Pr|sup|inf)\b", lambda m: m.group()[1:], latex)
    latex = re.sub(r"\\(Long|long)[a-z]+", "====", latex)
    return len(re.sub(r"\\[A-Za-z]+", "w", _SPACES.sub("", latex)).replace(" ", "")) + 0.4 * latex.count(" ")


def broken(latex: str, line: float = LINE) -> list[str]:
    r"""The lines of a formula, broken before top-level relations, and then before top-level sums.

    >>> broken(r"a \le b", 1)
    ['a', '\\le b']
    """
    lines = [latex]
    for signs in (r"\\text\{ where \}", r"\\Long(?:left|right)arrow|\\le |\\ge |= |< |> |\\in ", r"\+ |- "):
        parts = []
        for whole in lines:
            parts += [whole] if width(whole) <= line else _filled(_pieces(whole, signs), line)
        lines = parts
    return [part for whole in lines for part in (_rooted(whole, line) if width(whole) > line else [whole])]


def _rooted(latex: str, line: float) -> list[str]:
    """A long root as a power, whose sum can be broken; anything else stays whole."""
    found = re.search(r"\\sqrt\{", latex)
    if found is None:
        return [latex]
    depth, end = 1, found.end()
    while depth and end < len(latex):
        depth += {"{": 1, "}": -1}.get(latex[end], 0)
        end += 1
    inside = latex[found.end() : end - 1]
    if 2 * width(inside) < width(latex) or "{" in latex[: found.start()]:
        return [latex]
    first, *rest = _filled(_pieces(inside, r"\+ |- "), line)
    terms = [rf"{latex[: found.start()]}\Big({first}", *rest]
    terms[-1] += rf"\Big)^{{1/2}}{latex[end:]}"
    return terms


def _pieces(latex: str, signs: str) -> list[str]:
    """The formula cut before each of these signs that is inside no braces, brackets or environments."""
    depth, cuts = 0, [0]
    for match in re.finditer(r"\\begin|\\end|\\left|\\right|[{}()\[\]]|" + signs, latex):
        sign = match.group()
        if sign in ("\\begin", "{", "(", "["):
            depth += 1
        elif sign in ("\\end", "}", ")", "]"):
            depth -= 1
        elif sign not in ("\\left", "\\right") and depth == 0 and match.start() > 0:
            cuts.append(match.start())
    return [latex[a:b].strip() for a, b in zip(cuts, [*cuts[1:], len(latex)], strict=True)]


def _filled(pieces: list[str], line: float) -> list[str]:
    """As many pieces on each line as fit."""
    lines = [pieces[0]]
    for piece in pieces[1:]:
        together = f"{lines[-1]} {piece}"
        if width(together) <= line:
            lines[-1] = together
        else:
            lines.append(piece)
    return lines


def _fitted(latex: str, line: float) -> str:
    """A line that cannot be broken any further, such as a long numerator, is made smaller instead."""
    over = width(latex) / line
    return latex if over <= 1 else rf"\scalebox{{{max(0.25, 0.92 / over):.2f}}}{{$\displaystyle {latex}$}}"


def aligned(lhs: str, links: Sequence[tuple[str, str, str]], label: str | None = None, end: str = "") -> str:
    r"""A chain of relations, one under the other; each link is a sign, a formula and words beside it.

    >>> print(aligned("x", [("=", "1", ""), (r"\le", "2", "")], None, "."))
    \[
      \begin{aligned}
        x & = 1 \\
        & \le 2.
      \end{aligned}
    \]
    """
    room = LINE - width(lhs)
    if len(links) == 1 or room < LINE / 2:
        return displayed(" ".join([lhs, *(f"{sign} {formula}" for sign, formula, _ in links)]), label, end)
    rows = []
    for sign, formula, beside in links:
        first, *rest = (_fitted(part, room - 4) for part in broken(formula, room - 4))
        rows += [f"& {sign} {first}", *(rf"& \qquad {part}" for part in rest)]
        rows[-1] += rf" && \text{{({beside})}}" if beside and width(rest[-1] if rest else first) < room / 2 else ""
    head, tail = (rf"\begin{{equation}}\label{{{label}}}", r"\end{equation}") if label else (r"\[", r"\]")
    rows[0] = f"{lhs} {rows[0]}"
    body = " \\\\\n    ".join(rows) + end
    return f"{head}\n  \\begin{{aligned}}\n    {body}\n  \\end{{aligned}}\n{tail}"


def stacked(rows: Sequence[tuple[str, Sequence[tuple[str, str]], str]]) -> str:
    r"""Several chains with their signs under each other; a side that is too wide is broken, or made smaller.

    >>> print(stacked([("x", [("=", "1"), (r"\le", "2")], "1"), ("y", [("<", "3")], "")]))
    \[
      \begin{aligned}
        x & = 1 \\
        & \le 2 & (1) \\
        y & < 3
      \end{aligned}
    \]
    """
    left = max(width(lhs) for lhs, _, _ in rows)
    # A long left side stands on a line of its own, and what follows below it.
    own = left > LINE / 2
    room = LINE - 6 - (4 if own else left) - 6 * any(tag for _, _, tag in rows)
    lines = []
    for lhs, links, tag in rows:
        if own:
            lines += [f"& {_fitted(part, LINE - 6)}" for part in broken(lhs, LINE - 6)]
        for k, (sign, formula) in enumerate(links):
            first, *rest = (_fitted(part, room) for part in broken(formula, room))
            head = rf"& \quad {sign} {first}" if own else f"{'' if k else lhs + ' '}& {sign} {first}"
            lines += [head, *(rf"& \qquad {part}" for part in rest)]
        lines[-1] += f" & ({tag})" if tag else ""
    body = " \\\\\n    ".join(lines)
    return f"\\[\n  \\begin{{aligned}}\n    {body}\n  \\end{{aligned}}\n\\]"


def displayed(latex: str, label: str | None = None, end: str = "") -> str:
    r"""A displayed formula, in several lines if it has to be; numbered if it has a label.

    >>> print(displayed("x = 1", "eq:x", "."))
    \begin{equation}\label{eq:x}
      x = 1.
    \end{equation}
    """
    lines = [_fitted(part, LINE - 2 * (k > 0)) for k, part in enumerate(broken(latex))]
    # The full stop stands at the end of the last line, not beside the whole.
    lines[-1] += end
    body = lines[0]
    if len(lines) > 1:
        body = "\\begin{split}\n    & " + " \\\\\n    & \\quad ".join(lines) + "\n  \\end{split}"
    head, tail = (rf"\begin{{equation}}\label{{{label}}}", r"\end{equation}") if label else (r"\[", r"\]")
    return f"{head}\n  {body}\n{tail}"
