"""A certificate as a Coq file with one theorem, its steps as lemmas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from symprivacy.coq.atoms import equality
from symprivacy.coq.script import Script
from symprivacy.coq.steps import RULES
from symprivacy.coq.terms import hypotheses, is_real_power, meaning, plain, term, variable
from symprivacy.errors import CertificateError, NoInformation, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import Box, box_from_data, intervals
from symprivacy.kernel.checker import FORMAT, check
from symprivacy.kernel.data import from_data
from symprivacy.kernel.enclose import constant_sign, enclose
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import goals_of
from symprivacy.language.certificates import statement_of
from symprivacy.language.text import to_text


def to_coq(certificate: Mapping[str, Any]) -> str:
    """The Coq file of a certificate that the checker accepts; raises UnsupportedError where Coq has no counterpart.

    A proof becomes a theorem about all points of the domain, a refutation one that there is a point where it fails.

    The theorem is about Coq's total functions (``/ 0`` and ``ln 0`` are numbers there); that both sides are defined on
    the domain is part of what the certificate says and not of what the Coq file says.

    >>> text = to_coq({"format": FORMAT, "lhs": ["exp", "x"], "rel": ">", "rhs": 0, "verdict": "proved",
    ...                "domain": {"x": [0, 1, False, False]}, "proofs": [{"by": "box"}]})
    >>> print(text[text.index("Theorem"):].splitlines()[0])
    Theorem main : forall x : R, 0 <= x -> x <= 1 -> (exp (x)) > 0.
    """
    return coq_file([theorem(certificate, "main")])


def coq_file(parts: Sequence[str], about: str = "") -> str:
    """One file of several theorems, each from :func:`theorem`, and remarks."""
    head = [remark(about)] if about else []
    prelude = files("symprivacy.coq").joinpath("prelude.v").read_text(encoding="utf-8")
    return "\n".join([*head, prelude, *parts, ""])


def theorem(certificate: Mapping[str, Any], name: str) -> str:
    """The theorem of one certificate after the lemmas it rests on, whose names begin with that of the theorem."""
    if certificate.get("format") != FORMAT:
        raise UnsupportedError("only certificates of inequalities have a Coq form")
    verdict, box = check(certificate), box_from_data(certificate["domain"])
    lhs, rhs, rel = from_data(certificate["lhs"]), from_data(certificate["rhs"]), str(certificate["rel"])
    for n in (n for e in (lhs, rhs) for n in x.subexpressions(e)):
        if is_real_power(n) and not _is_positive(n.args[0], box):
            raise UnsupportedError(f"{to_text(n)}: a real power whose base may be 0 has no Coq form")
    if verdict == "refuted":
        return _counterexample(certificate, name, lhs, rel, rhs, box)
    script, lines = Script(name, RULES), list[str]()
    try:
        for i, (goal, proof) in enumerate(zip(goals_of(lhs, rel, rhs, box), certificate["proofs"], strict=True)):
            lines.append(script.use(f"S{i}", goal, proof))
    except RecursionError as e:
        raise CertificateError("the proof is nested too deeply") from e
    known = [h for name_, r in box.items() for h in hypotheses(name_, r)]
    quantified = f"forall {' '.join(map(variable, box))} : R, " if box else ""
    claim = f"{term(lhs)} {'=' if rel == '==' else rel} {term(rhs)}"
    body = ["intros.", *lines, *_rewrites(lhs, rhs), "first [ lra | nra ]."]
    return "\n".join(
        [
            remark(statement_of(certificate)),
            *script.lemmas,
            f"Theorem {name} : {quantified}{' -> '.join([*known, claim])}.",
            "Proof.",
            *(f"  {line}" for line in body),
            "Qed.",
        ]
    )


def _counterexample(certificate: Mapping[str, Any], name: str, lhs: Expr, rel: str, rhs: Expr, box: Box) -> str:
    """The theorem that the statement fails at the point of a refutation."""
    at = {n: from_data(v) for n, v in certificate["at"].items()}
    known = [h for n, r in box.items() for h in hypotheses(n, r)]
    claim = f"{term(lhs)} {'=' if rel == '==' else rel} {term(rhs)}"
    some, together = "".join(f"exists {variable(n)} : R, " for n in box), " /\\ ".join([*known, f"~ ({claim})"])
    put = [x.substitute(side, at) for side in (lhs, rhs)]
    body = [
        *(f"exists {term(plain(at[n]))}." for n in box),
        *([] if constant_sign(x.sub(*put)) else [equality("E0", plain(put[0]), plain(put[1]), {})]),
        # The ends of the ranges first; what remains is that the relation does not hold.
        "repeat split; try (first [ lra | interval ]).",
        *(f"all: try ({line[:-1]})." for line in _rewrites(*put)),
        "all: fails.",
    ]
    return "\n".join(
        [
            remark(statement_of(certificate)),
            f"Theorem {name} : {some}{together}.",
            "Proof.",
            *(f"  {line}" for line in body),
            "Qed.",
        ]
    )


def remark(text: str) -> str:
    """A comment; what would end it, or begin another or a string, is taken apart.

    >>> remark("2*(*)")
    '(* 2*( * ) *)'
    """
    while "(*" in text or "*)" in text:
        text = text.replace("(*", "( *").replace("*)", "* )")
    return "(* " + text.replace('"', "'") + " *)"


def _is_positive(e: Expr, box: Box) -> bool:
    try:
        return iv.sign_known(enclose(e, intervals(box, 53))) == 1
    except NoInformation:
        return False


def _rewrites(*sides: Expr) -> list[str]:
    """The functions that coq-interval lacks, one by one as the steps write them, and arguments in their short form."""
    lines: dict[str, None] = {}
    for e in sides:
        done: dict[Expr, Expr] = {}
        # As Coq has it: 4*((1/2)*u) stays what it is there.
        raw: dict[Expr, Expr] = {}
        for n in x.subexpressions(e):
            args = [done[a] for a in n.args]
            now = x.make(n.op, tuple(args), n.value) if args else n
            new = meaning(n, args)
            if new is not None:
                lines[f"replace {term(now)} with {term(new)} by ({_why(n, args)})."] = None
            done[n] = new or (x.rebuild(n, args) if args else n)
            raw[n] = new or (x.make(n.op, tuple(raw[a] for a in n.args), n.value) if args else n)
            if n.op in ("exp", "log") and term(raw[n]) != term(done[n]):
                lines[f"replace {term(raw[n])} with {term(done[n])} by (f_equal; same)."] = None
                raw[n] = done[n]
    return list(lines)


def _why(n: Expr, args: list[Expr]) -> str:
    """The definition of a function, with its argument as the steps write it."""
    u = term(args[0])
    put = {
        "tanh": [(f"(2 * {u})", x.mul(x.num(2), args[0]))],
        "sinh": [(f"(- {u})", x.neg(args[0]))],
        "cosh": [(f"(- {u})", x.neg(args[0]))],
        "atanh": [(f"(1 + {u})", x.add(x.ONE, args[0])), (f"(1 + -1 * {u})", x.sub(x.ONE, args[0]))],
        "asinh": [],
        "acosh": [],
        "^": [],
    }[n.op]
    steps = [f"replace {old} with {term(new)} by same" for old, new in put]
    if n.op == "^":
        return "unfold Rpower; f_equal; same"
    if n.op in ("asinh", "acosh"):
        return f"unfold {n.op}; f_equal; same"
    return "; ".join(["rewrite tanh_exp" if n.op == "tanh" else f"unfold {n.op}", *steps, "same"])
