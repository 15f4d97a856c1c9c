"""The named general steps that turn "for all mechanisms" into a question about one or two real numbers.

Each is an object that says what it assumes and concludes; the rules that apply it check the side conditions every
time they are used, and again whenever a derivation is checked.

>>> print(get("two-point-extremal").conditions)
f'' >= 0 on each smooth piece of f (certified); 0 < a < 1 < b (certified)
"""

from __future__ import annotations

from dataclasses import dataclass

from symprivacy.calculus import definitions, joint, secrets  # noqa: F401  register every rule
from symprivacy.calculus.derivation import RULES
from symprivacy.errors import InputError
from symprivacy.shown import Shown


@dataclass(frozen=True)
class Principle(Shown):
    """A general step: what it assumes, what it concludes, which side conditions its rules certify."""

    name: str
    assumes: str
    concludes: str
    latex: str
    conditions: str = "none"

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules of derivations that apply this principle."""
        return tuple(sorted(rule.name for rule in RULES.values() if rule.principle == self.name))

    def __str__(self) -> str:
        return f"{self.name}: if {self.assumes}, then {self.concludes}"


PRINCIPLES = (
    Principle(
        "bayes",
        "a secret has prior p and likelihood ratio A",
        "its posterior is pA/(pA + 1 - p)",
        r"q = \frac{pA}{pA+1-p}",
        "0 < p < 1, A > 0",
    ),
    Principle(
        "events-to-points",
        "a ratio bound holds for every single output",
        "it holds for every event, because a mediant lies between the ratios it is made of",
        r"\frac{\sum_y P(y)}{\sum_y Q(y)} \le \max_y \frac{P(y)}{Q(y)}",
        "countably many outputs",
    ),
    Principle(
        "two-point-belief",
        "posteriors with and without a record differ by at most eta in total variation, for all beliefs",
        "for a belief (p, 1-p) on two databases that differ in that record, |q - p| <= eta: without the record "
        "the two are the same database, and the posterior is the prior",
        r"|q - p| \le \eta",
        "0 < p < 1",
    ),
    Principle(
        "both-orders",
        "a ratio bound B holds for every ordered pair",
        "every ratio lies between 1/B and B",
        r"\frac1B \le \frac{dP}{dQ} \le B",
        "the notion compares each pair in both orders; B > 0 (certified)",
    ),
    Principle(
        "mixture",
        "likelihoods L lie between a and b",
        "so does every mean of them; r = L/E(L) lies between a/b and b/a, and sup r/inf r <= b/a",
        r"a \le L \le b \Rightarrow a \le \mathbb{E}L \le b",
        "a > 0 (certified)",
    ),
    Principle(
        "worst-prior",
        "A <= G(level, p) for every prior p",
        "A <= G at any prior, and A <= the limit of G at an end of the range",
        r"A \le \inf_p G(\ell, p)",
        "G is defined at the end (certified)",
    ),
    Principle(
        "mean-one",
        "r is a density ratio, or posterior over prior",
        "its mean under the reference law is one",
        r"\mathbb{E}_Q\,\frac{dP}{dQ} = 1",
        "P is absolutely continuous with respect to Q",
    ),
    Principle(
        "two-point-extremal",
        "f is convex and r has mean one and values in [a, b]",
        "E f(r) is at most ((b-1) f(a) + (1-a) f(b))/(b-a), the mean for the law on a and b alone",
        r"\mathbb{E}f(r) \le \frac{(b-1)f(a)+(1-a)f(b)}{b-a}",
        "f'' >= 0 on each smooth piece of f (certified); 0 < a < 1 < b (certified)",
    ),
    Principle(
        "pointwise",
        "f(r) <= M for every possible r",
        "E f(r) <= M",
        r"\mathbb{E}f(r) \le \sup f",
    ),
    Principle(
        "games",
        "a ratio bound holds for databases that differ in one record",
        "it bounds the likelihood of each database against that of the same database without the record",
        r"L(z)=\frac{\Pr[M(z)=t]}{\Pr[M(z_{-i})=t]} \in [1/B, B]",
        "the notion compares each pair in both orders; B > 0 (certified)",
    ),
    Principle(
        "uniform-secrets",
        "the prior is uniform on m secrets",
        "posterior over prior is m/(1 + S), S the sum of the other likelihoods over this one; the m values sum to m",
        r"r(d) = \frac{m}{1+\sum_{d'\ne d}L(d')/L(d)},\quad \sum_d r(d) = m",
        "m >= 2",
    ),
    Principle(
        "close-prior",
        "the adversary's prior is within a factor exp(t) of the prior in the definition",
        "ratios to it are within a factor exp(t) of ratios to the other",
        r"f^B/f \in [e^{-t}, e^{t}]",
    ),
    Principle(
        "group-path",
        "a ratio bound B holds for neighbours",
        "B**c holds for inputs that are c steps apart",
        r"A \le B \Rightarrow A^{(c)} \le B^{c}",
        "the notion compares each pair in both orders; B >= 1 (certified); the chain is one of those listed",
    ),
    Principle(
        "joint-range",
        "two f-divergences are compared over all pairs of laws",
        "their joint range is the convex hull of the range over pairs of laws on two points (Harremoes, Vajda)",
        r"\{(D_f,D_g)\} = \mathrm{conv}\{(D_f,D_g)\text{ on two points}\}",
        "the supporting line lies above the function for every ratio (certified), or touches each of its pieces",
    ),
    Principle(
        "tail",
        "a nonnegative quantity has mean at most d",
        "it exceeds t with probability at most d/t; probabilities of bad events add up",
        r"\Pr[X \ge t] \le \mathbb{E}X/t",
        "the tail lies below a multiple of the bounded function for every ratio (certified)",
    ),
)


def get(name: str) -> Principle:
    """A principle by name.

    >>> get("bayes").rules
    ('bayes', 'belief-ratio', 'quotient')
    """
    for principle in PRINCIPLES:
        if principle.name == name:
            return principle
    raise InputError(f"no principle {name!r}; there are {', '.join(p.name for p in PRINCIPLES)}")
