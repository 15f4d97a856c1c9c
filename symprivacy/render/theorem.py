r"""Definitions, theorems and proofs as LaTeX environments with labels, to paste into a paper.

Labels follow one pattern (``def:dp``, ``thm:dp-kl``, ``eq:dp-kl:3``), so that ``\cref`` finds them.

>>> from symprivacy import prove
>>> from symprivacy.render.style import PAPERS
>>> print(environment(prove("log(1 + x) <= x", "x in [0, oo)"), PAPERS))  # doctest: +ELLIPSIS
\begin{proposition}
For all $x \in [0, \infty)$,
\[
  \log(x + 1) \le x.
\]
\end{proposition}
\begin{proof}
By a certificate that was checked: the difference of both sides is not negative at $x = 0$, ...
\end{proof}
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import singledispatch
from typing import Any

from symprivacy.derivations.argument import Argument, Paragraph, argument
from symprivacy.derivations.derivation import Derivation
from symprivacy.derivations.engine import Derived
from symprivacy.derivations.principles import get as principle
from symprivacy.errors import InputError
from symprivacy.implications.implication import Implication
from symprivacy.implications.status import Status
from symprivacy.kernel.box import box_from_data
from symprivacy.language.certificates import as_text
from symprivacy.language.notation import written
from symprivacy.mechanisms import Mechanism
from symprivacy.notions import Notion
from symprivacy.notions.statement import Statement
from symprivacy.render.bibtex import cite
from symprivacy.render.conversion import entry, laws, level, remarks, sides
from symprivacy.render.latex import RELATIONS, claim_of, guarantee, implication, joined, math, of_text, point, ranged
from symprivacy.render.marked import to_latex
from symprivacy.render.style import Style, escape
from symprivacy.render.typeset import typeset
from symprivacy.render.width import LINE, aligned, displayed, width
from symprivacy.search.compare import SignChart
from symprivacy.search.verdict import Status as Found
from symprivacy.search.verdict import Verdict


def slug(text: str) -> str:
    """A label's middle part.

    >>> slug("DP => KL, at 1/2")
    'dp-kl-at-1-2'
    """
    return "-".join(re.findall(r"[a-z0-9]+", text.lower()))


def stated(kind: str, title: str, label: str | None, body: str) -> str:
    """One environment; the title and the label may be missing."""
    head = rf"\begin{{{kind}}}" + (f"[{{{title}}}]" if title else "") + (rf"\label{{{label}}}" if label else "")
    return f"{head}\n{body}\n\\end{{{kind}}}"


def proof(body: str) -> str:
    """A proof environment."""
    return f"\\begin{{proof}}\n{body}\n\\end{{proof}}"


@singledispatch
def environment(shown: Any, style: Style, label: str | None = None) -> str:
    """The environment of a record; by default its formula, displayed."""
    return displayed(math(shown, style), label)


@environment.register
def _(shown: Notion, style: Style, label: str | None = None) -> str:
    who = guarantee(shown.key, [p.symbol for p in shown.parameters], style)
    quantifiers, colon, condition = math(shown, style).partition(r":\ ")
    if not colon:
        quantifiers, condition = "", quantifiers
    parts = condition.split(r",\ ") if width(condition) > LINE else [condition]
    lines = ([quantifiers + ":"] if quantifiers else []) + [f"{p}," for p in parts[:-1]] + [f"{parts[-1]}."]
    if width(" ".join(lines)) <= LINE:
        lines = [r"\ ".join(lines)]
    rows = " \\\\\n  ".join(lines)
    shape = "gather*" if len(lines) > 1 else "equation*"
    body = f"A mechanism $M$ satisfies ${who}$ if\n\\begin{{{shape}}}\n  {rows}\n\\end{{{shape}}}"
    # The record says over what, so that no reader has to guess what its formula leaves open.
    body += f"\nThis is about {escape(shown.quantifiers)}."
    title = shown.name[0].upper() + shown.name[1:]
    return stated(
        "definition", f"{to_latex(title)}; {cite(shown.source, to_latex)}", label or f"def:{slug(shown.key)}", body
    )


@environment.register
def _(shown: Verdict, style: Style, label: str | None = None) -> str:
    if shown.certificate is None:
        return stated("conjecture", "undecided", label, f"{escape(shown.statement)} ({escape(shown.reason)}).")
    c = shown.certificate
    domain = joined(ranged(name, r, style) for name, r in box_from_data(c["domain"]).items())
    formula = displayed(
        f"{of_text(as_text(c['lhs']), style)} {RELATIONS[c['rel']]} {of_text(as_text(c['rhs']), style)}", None, "."
    )
    where = f"for all ${domain}$,\n" if domain else ""
    if shown.status is Found.REFUTED:
        at = f"At ${point(shown.witness_text or {}, style)}$ " if c["at"] else "Here "
        said = f"{at}it would say that {escape(shown.reason.rpartition(': ')[2])}."
        return stated("proposition", "", label, f"It is not true that {where}{formula}") + "\n" + proof(said)
    body = (where[:1].upper() + where[1:]) + formula
    checked = f"By a certificate that was checked: {to_latex(written(shown.reason))}."
    return stated("proposition", "", label, body) + "\n" + proof(checked)


@environment.register
def _(shown: SignChart, style: Style, label: str | None = None) -> str:
    c = shown.certificate
    a, b = (of_text(as_text(c[side]), style) for side in ("lhs", "rhs"))
    items = [
        rf"  \item ${a} {RELATIONS[p.sign]} {b}$ for ${ranged(c['var'], p.range, style)}$;"
        for p in shown.pieces
        if p.sign != "?"
    ]
    name = of_text(c["var"], style)
    for verb, found in (("cross", shown.crossings), ("touch", shown.touches)):
        for root in found:
            where = ("" if root.exact is None else "= ") + math(root, style)
            items.append(rf"  \item they {verb} at {'one' if root.exact is None else ''} ${name} {where}$;")
    if not items:
        raise InputError("nothing is known on any part of the range")
    rows = "\n".join(items)[:-1] + "."
    return stated("proposition", "", label, f"\\leavevmode\n\\begin{{itemize}}\n{rows}\n\\end{{itemize}}")


@environment.register
def _(shown: Derived, style: Style, label: str | None = None) -> str:
    name = slug(f"{shown.premise.key} {shown.conclusion.key}")
    title = f"{shown.premise.key} implies {shown.conclusion.key}"
    return theorem(shown.derivation, style, label or f"thm:{name}", title)


@environment.register
def _(shown: Derivation, style: Style, label: str | None = None) -> str:
    return theorem(shown, style, label or f"thm:{slug(shown.title)}", shown.title)


def theorem(d: Derivation, style: Style, label: str, title: str) -> str:
    """A derivation as a theorem with its proof: one chain of formulas for each argument."""
    told = argument(d)
    eq = "eq:" + label.partition(":")[2]
    body = (f"For all {to_latex(told.where, style)},\n" if told.where else "") + displayed(
        claim_of(d, style), None, "."
    )
    steps = [*filter(None, [to_latex(told.objects, style)]), *(_paragraph(p, told, style, eq) for p in told.paragraphs)]
    used = [f"\\emph{{{name}}} (${math(principle(name), style)}$)" for name in told.principles]
    rests = f"The proof rests on the following general principles: {listed(used)}." if used else ""
    end = re.sub(r"\((\d+)\)", rf"\\eqref{{{eq}:\1}}", to_latex(told.end, style))
    end = end[:1].upper() + end[1:]
    return stated("theorem", escape(title), label, body) + "\n" + proof("\n".join(filter(None, [*steps, end, rests])))


def _paragraph(p: Paragraph, told: Argument, style: Style, eq: str) -> str:
    words = to_latex(p.words(lambda n: f"@{n}@"), style)
    words = re.sub(r"@(\d+)@", lambda found: rf"\eqref{{{eq}:{found[1]}}}", words)
    links = [
        (RELATIONS.get(x.relation, x.relation), typeset(x.formula, style), to_latex(x.beside, style)) for x in p.links
    ]
    chain = aligned(typeset(p.lhs, style), links, f"{eq}:{p.number}", ".")
    return f"{words}{_footnote(p, told, style)}\n{chain}"


def _footnote(p: Paragraph, told: Argument, style: Style) -> str:
    """The side conditions of a paragraph and where their certificates are."""
    if not p.notes:
        return ""
    said = [to_latex(told.certificates[n], style) for n in p.notes if told.certificates[n]]
    fit = [text for text in said if width(text) < LINE]
    which = certificates(p.notes)
    return rf"\footnote{{{which}{': ' if fit else ''}{'; '.join(fit)}.}}"


def certificates(numbers: Sequence[int]) -> str:
    """Which certificates, in words.

    >>> certificates([3]), certificates([1, 2, 3, 7])
    ('Certificate 3', 'Certificates 1-3 and 7')
    """
    runs: list[list[int]] = []
    for n in numbers:
        if runs and n == runs[-1][-1] + 1:
            runs[-1].append(n)
        else:
            runs.append([n])
    shown = [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]
    return f"Certificate{'s' if len(numbers) > 1 else ''} {listed(shown)}"


def listed(parts: Iterable[str]) -> str:
    """Words in a row.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


@environment.register
def _(shown: Statement, style: Style, label: str | None = None) -> str:
    domain = joined(math(s, style) for s in shown.domain)
    given = r" \wedge ".join(math(g, style) for g in shown.given)
    formula = implication(given, math(shown, style)) if given else math(shown, style)
    return (f"For all ${domain}$,\n" if domain else "") + displayed(formula, label, ".")


@environment.register
def _(shown: Implication, style: Style, label: str | None = None) -> str:
    premise, conclusion = sides(shown, style)
    words = {
        Status.TIGHT: f"Every mechanism that satisfies ${premise}$ satisfies ${conclusion}$ with",
        Status.UPPER_BOUND: f"Every mechanism that satisfies ${premise}$ satisfies ${conclusion}$ for some",
        Status.IMPOSSIBLE: f"There are mechanisms that satisfy ${premise}$ and ${conclusion}$ for no finite level.",
        Status.UNKNOWN: f"Whether ${premise}$ implies ${conclusion}$ for some level is not known.",
    }[shown.status]
    known = shown.status in (Status.TIGHT, Status.UPPER_BOUND)
    body = words + (f"\n{displayed(level(shown, style), None, '.')}" if known else "")
    if shown.status is Status.TIGHT:
        body += "\nNo smaller level follows" + ("; this pair shows it:" if witness(shown, style) else ".")
    return stated("proposition", f"{shown.source} and {shown.target}", label, f"{body}{witness(shown, style)}")


def witness(c: Implication, style: Style) -> str:
    """The laws that attain a conversion, as a small table; empty if there are none."""
    if c.witness is None:
        return ""
    rows = laws(c.witness)
    said = escape(remarks(c.witness))
    if not rows:
        return f"\n({said}.)" if said else ""
    shown = [" & ".join([name, *(f"${entry(str(e), style)}$" for e in row)]) for name, row in rows.items()]
    columns = max(len(row) for row in rows.values())
    table = " \\\\\n".join(shown)
    words = f"\n({said}.)" if said else ""
    tabular = f"\\begin{{tabular}}{{l|{'l' * columns}}}\n{table}\n\\end{{tabular}}"
    return f"\n\\begin{{center}}\n{tabular}\n\\end{{center}}{words}"


@environment.register
def _(shown: Mechanism, style: Style, label: str | None = None) -> str:
    rows = [
        " & ".join([escape(name), *(f"${math(shown.entry(i, j), style)}$" for j in range(len(shown.outputs)))])
        for i, name in enumerate(shown.inputs)
    ]
    head = " & ".join(["", *map(escape, shown.outputs)])
    body = " \\\\\n".join([head + r" \\ \hline", *rows]).replace(r"\hline \\", r"\hline")
    return f"\\begin{{tabular}}{{l|{'c' * len(shown.outputs)}}}\n{body}\n\\end{{tabular}}"
