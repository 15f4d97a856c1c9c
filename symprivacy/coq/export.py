"""A certificate as a Coq file with one theorem, its steps as lemmas."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from symprivacy.coq.steps import Script
from symprivacy.coq.terms import hypotheses, plain, term, variable
from symprivacy.errors import CertificateError, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.checker import FORMAT, check
from symprivacy.kernel.domain import box_from_json
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.goals import goals_of
from symprivacy.kernel.recheck import statement_of
from symprivacy.kernel.text import parse


def to_coq(certificate: Mapping[str, Any]) -> str:
    """The Coq file of a certificate that the checker accepts; raises UnsupportedError where Coq has no counterpart.

    The theorem is about Coq's total functions (``/ 0`` and ``ln 0`` are numbers there); that both sides are defined on
    the domain is part of what the certificate says and not of what the Coq file says.

    >>> text = to_coq({"format": FORMAT, "lhs": "exp(x)", "rel": ">", "rhs": "0", "verdict": "proved",
    ...                "domain": {"x": ["0", "1", False, False]}, "proofs": [{"by": "box"}]})
    >>> print(text[text.index("Theorem"):].splitlines()[0])
    Theorem main : forall x : R, 0 <= x -> x <= 1 -> (exp (x)) > 0.
    """
    if certificate.get("format") != FORMAT:
        raise UnsupportedError("only certificates of inequalities have a Coq form")
    if check(certificate) != "proved":
        raise UnsupportedError("only proofs have a Coq form, this certificate refutes its statement")
    box = box_from_json(certificate["domain"])
    names = frozenset(box)
    lhs, rhs, rel = parse(certificate["lhs"], names), parse(certificate["rhs"], names), str(certificate["rel"])
    script, lines = Script(), list[str]()
    try:
        for i, (goal, proof) in enumerate(zip(goals_of(lhs, rel, rhs, box), certificate["proofs"], strict=True)):
            lines.append(script.use(f"S{i}", goal, proof))
    except RecursionError as e:
        raise CertificateError("the proof is nested too deeply") from e
    known = [h for name, r in box.items() for h in hypotheses(name, r)]
    quantified = f"forall {' '.join(map(variable, box))} : R, " if box else ""
    claim = f"{term(lhs)} {'=' if rel == '==' else rel} {term(rhs)}"
    rewrites = [_rewrite(n) for e in (lhs, rhs) for n in x.subexpressions(e) if n.op in ("tanh", "sinh", "cosh")]
    body = ["intros.", *lines, *dict.fromkeys(rewrites), "first [ lra | nra ]."]
    theorem = f"Theorem main : {quantified}{' -> '.join([*known, claim])}."
    return "\n".join(
        [
            f"(* {_comment(statement_of(certificate))} *)",
            files("symprivacy.coq").joinpath("prelude.v").read_text(encoding="utf-8"),
            *script.lemmas,
            f"{theorem}\nProof.\n" + "\n".join(f"  {line}" for line in body) + "\nQed.",
            "",
        ]
    )


def _comment(text: str) -> str:
    return text.replace("(*", "( *").replace("*)", "* )").replace('"', "'")


def _rewrite(n: Expr) -> str:
    """A hyperbolic function as the steps write it."""
    (u,) = n.args
    argument, whole = term(u), term(plain(n))
    if n.op == "tanh":
        doubled = term(plain(x.mul(x.num(2), u)))
        how = f"rewrite tanh_exp; replace (2 * {argument}) with {doubled} by same; same"
    else:
        how = f"unfold {n.op}; replace (- {argument}) with {term(plain(x.neg(u)))} by same; same"
    return f"replace ({n.op} {argument}) with {whole} by ({how})."
