"""Lemmas of a theorem, one per node of the proof tree, and the sentences that all rules use."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from symprivacy.coq.signs import sign_proof
from symprivacy.coq.terms import POINT, hypotheses, plain, term, unsimplified, variable
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Box
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.rules import Goal

Proof = Mapping[str, Any]


@dataclass(frozen=True)
class Node:
    """A goal with its proof, and the expression that the lemma is about: the goal's own, or an equal shorter one."""

    goal: Goal
    proof: Proof
    shape: Expr

    @property
    def claim(self) -> str:
        """What the lemma says."""
        return f"0 {'<' if self.goal.strict else '<='} {term(self.shape)}"

    @property
    def statement(self) -> str:
        """The claim with its variables, ranges and conditions."""
        names = " ".join(map(variable, self.goal.box))
        known = [h for name, r in self.goal.box.items() for h in hypotheses(name, r)]
        known += [condition(u, strict) for u, strict in self.goal.given]
        quantified = f"forall {names} : R, " if names else ""
        return quantified + " -> ".join([*known, self.claim])


def condition(u: Expr, strict: bool) -> str:
    """A given inequality."""
    return f"0 {'<' if strict else '<='} {term(plain(u))}"


@dataclass
class Script:
    """The lemmas so far, of the theorem with this name."""

    theorem: str
    # How to write the lemma of a node, by the rule of its proof.
    rules: Mapping[str, Callable[[Script, Node], list[str]]]
    lemmas: list[str] = field(default_factory=list)

    def prove(self, goal: Goal, proof: Proof, shape: Expr | None = None) -> str:
        """Write the lemmas of a proof tree; returns the name of the last one, which states the goal."""
        rule, shape = proof["by"], shape or plain(goal.expr)
        if rule not in self.rules:
            raise UnsupportedError(f"the rule {rule!r} has no Coq form")
        # Where bounds settle the sign, nothing else is needed.
        evident = sign_proof(shape, goal.strict, goal.box)
        node = Node(goal, proof, shape)
        if evident:
            # coq-interval may be less sharp than the kernel; finer parts then help.
            bisected = ", ".join(f"i_bisect {variable(v)}" for v in sorted(shape.variables))
            finer = f" | interval with (i_prec 90{', ' + bisected if bisected else ''})"
            body = [f"first [ solve [ {evident} ]{finer} ]."]
        else:
            body = self.rules[rule](self, node)
        name = f"{self.theorem}_step{len(self.lemmas) + 1}"
        script = "\n".join(f"  {line}" for line in ["intros.", *body])
        self.lemmas.append(f"Lemma {name} : {node.statement}.\nProof.\n{script}\nQed.\n")
        return name

    def use(self, label: str, goal: Goal, proof: Proof, at: Mapping[str, str] | None = None) -> str:
        """A tactic that makes the goal of a part known under a label."""
        name = self.prove(goal, proof)
        values = " ".join((at or {}).get(v, variable(v)) for v in goal.box)
        claim = Node(goal, proof, plain(goal.expr)).claim
        return f"assert ({label} : {claim}) by ({applied(name, values)})."


def applied(name: str, values: str) -> str:
    """A tactic that uses a lemma at some values."""
    return f"apply ({name} {values}); first [assumption | lra | interval]"


def by_equality(goal: Goal, label: str) -> str:
    """A sentence that turns to an equal expression."""
    return f"apply ({as_equal(goal)} _ _ {label})."


def as_equal(goal: Goal) -> str:
    """The lemma that a sign is that of an equal expression."""
    return "positive_as" if goal.strict else "nonnegative_as"


def defined(
    script: Script,
    goal: Goal,
    needs: list[tuple[Expr, str]],
    proofs: Sequence[Proof | None] | None,
    at: Mapping[str, Expr] | None = None,
) -> list[str]:
    """What the certificate proves of divisors and of what stands under logs and roots, where it is not evident.

    The facts are about the values ``at`` which some variables are taken.
    """
    put = {x.var(n): value for n, value in (at or {}).items()}
    lines = []
    for i, ((u, need), proof) in enumerate(zip(needs, proofs or [None] * len(needs), strict=True)):
        if proof is None:
            continue
        target = x.neg(u) if need == "!= 0" and proof.get("sign") == -1 else u
        part = replace(goal, expr=target, strict=need != ">= 0")
        claim = Node(part, proof, unsimplified(plain(target), put)).claim
        values = " ".join(term(put.get(x.var(n), x.var(n))) for n in goal.box)
        lines.append(f"assert (R{i} : {claim}) by ({applied(script.prove(part, proof), values)}).")
    return lines


def at_point(name: str) -> dict[str, Expr]:
    """The point of the mean value theorem in place of a variable."""
    return {name: x.var(POINT)}


def place(box: Box, name: str) -> str:
    """The values of all variables, with the point of the mean value theorem for one."""
    return " ".join(POINT if n == name else variable(n) for n in box)
