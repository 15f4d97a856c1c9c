"""What the letters in the certified formulas of each paper's proofs stand for, so that a reader meets no stranger.

A letter with one meaning throughout a module of ``papers`` is explained here, with its formulas marked. What is left
are numbers that say how much of a bound is used, or by how much it is missed; those are introduced as such.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from symprivacy.language.notation import parts

_LAWS = {
    "P": "the output law of an input",
    "Q": "that of a neighbour",
    "L": "the loss `log(P/Q)`",
    "D": "the Renyi divergence",
}
_RATIO = {**_LAWS, "u": "`P` at one output", "v": "`Q` there"}
_LOSS = {**_RATIO, "r": "the ratio `P/Q`", "w": "`log(1/delta)`"}
_MIXED = {
    "l": "the weight of the first of two mixed mechanisms",
    "v": "the probability of the output under the first one and `Q`",
    "w": "that under the second one and `Q`",
    "G": "the bound on the ratios",
    "x": "a ratio of the first one",
    "y": "a ratio of the second one",
    "a": "the level of the first of two mechanisms",
    "b": "the level of the second one",
}
LETTERS: Mapping[str, Mapping[str, str]] = {
    "ks14": {
        "u": "the probability of the output, or of the test, for the first of two databases",
        "v": "that for the second one",
        "p": "the probability of the first of two databases",
        "q": "the probability of the value `w`",
        "b": "`P[W | x_i in T]`",
        "d": "`P[W | x_i in S] - b`",
        "n": "the number of records",
    },
    "ks14_conditioning": {"d": "`dhat`", "p": "the probability of `S` under `A'|t`", "q": "that under `A|t`"},
    "ks14_lemma34": {
        "m": "`P[B = t]`",
        "p": "the probability of `S_t` under `A'|t`",
        "q": "that under `A|t`",
        "d": "`dhat`",
        "w": "the mass of the bad transcripts",
        "x": "`P[X in S]`",
    },
    "ks14_lemmas": {
        "x": "`P[X in S]`",
        "y": "`P[Y in S]`",
        "h": "`P[Y in S]` off Bad",
        "r": "`P[Y in S]` on Bad",
        "p": "the probability of the first of two values of `a`",
    },
    "ks14_theorem": {"h": "`P[A(y) in S]`", "v": "`P_y[E]`", "t": "`dhat/(1 - exp(-eps))`"},
    "ks14_local": {"t": "`dhat/(1 - exp(-eps))`"},
    "ks14_beyond": {"t": "`sqrt(n*delta2)/(1 - exp(-eps))`"},
    "li13": {
        "g": "`gamma`",
        "p": "the prior probability of the entity",
        "q": "its posterior probability",
        "a": "the amount by which `L` exceeds `gamma`",
        "G": "the bound on the ratio",
        "l": "the weight of the first of two mixed mechanisms",
        "v": "`P[S | not t]` under the first one",
        "w": "that under the second one",
    },
    "li13_udp": {
        "g": "`gamma`",
        "p": "the prior probability of the entity",
        "a": "the probability of a dataset without the entity",
        "b": "that of another one",
        "u": "the probability of `S` given the first dataset",
        "v": "that given the second one",
        "G": "`exp(eps)`",
        "c": "the probability of the output for the smallest dataset",
        "x": "its growth up to some dataset",
    },
    "sok22_axioms": _MIXED,
    "sok22_beyond": _LOSS,
    "sok22_concentrated": _LOSS,
    "sok22_divergences": {**_LOSS, "a": "`P` at another output", "b": "`P` at a third one", "w": "`Q` there"},
    "sok22_inference": {"s": "the share of the largest posterior", "t": "the share of the smallest one"},
    "sok22_knowledge": {
        "p": "the probability of the first value of the other records",
        "q": "the probability of the value of record `i`",
        "u": "the probability of the output given the first value of the other records",
        "v": "that given the second one",
    },
    "sok22_loss": {**_LOSS, "s": "the amount by which the loss, or its factor, differs from the bound"},
    "sok22_means": {**_LOSS, "s": "the amount by which a mean, or its factor, differs from the bound"},
    "sok22_neighbourhood": {
        "p": "the probability of the first of two datasets",
        "u": "the probability of the output given the first dataset",
        "v": "that given the second one",
    },
    "sok22_posterior": {
        "p": "the prior probability that `t` is in the dataset",
        "q": "its posterior probability",
        "A": "the likelihood ratio",
        "u": "`P(S|t)`",
    },
    "sok22_table": {
        "a": "the level, or mass, of the first mechanism",
        "b": "that of the second one",
        "c": "that of both together",
        "p": "the probability of a first output",
        "q": "that of a second one",
        "x": "the level of the first mechanism",
        "y": "that of the second one",
        "u": "the second parameter of the first mechanism",
        "v": "that of the second one",
    },
    "sok22_table_loss": {**_LOSS, "q": "`Q(S)`", "y": "`|x|`", "z": "an exponent"},
    "sok22_testing": {
        "p": "`P_FA`",
        "q": "`1 - P_MD`",
        "x": "a probability of false alarm",
        "y": "another one",
        "c": "the value at 0 of a line",
        "m": "its slope",
    },
    "sok22_truncated": _LOSS,
    "zhang24": {"z": "`eps_pm`", "p": "the prior", "e": "`epsbar`"},
    "zhang24_estimates": {"e": "the relative error"},
    "zhao17": {
        "b": "the prior probability of the value of the record",
        "A": "the ratio `P[Y|x_i]/P[Y|not x_i]`",
        "u": "`P[Y|x_i]`",
        "v": "`P[Y|not x_i]`",
    },
    "zhao17_beyond": {"u": "`P[Y|x_i]`", "v": "`P[Y|not x_i]`", "q": "the probability of `x_i`", "alpha": "the ratio"},
}
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*")
CERTIFIED = "certified for "


def _names(text: str) -> list[str]:
    return [name for part in parts(text) for name in _NAME.findall(part.text) if part.formula]


def introduction(steps: Iterable[str], known: Iterable[str], letters: Mapping[str, str]) -> str:
    """The sentence that introduces the letters of certified formulas that no text so far has used; empty if none.

    >>> introduction(["certified for `0 < u <= 1`, `0 <= k <= 1`: `k*u <= u`"], ["for `eps`"], {"u": "`P` at `y`"})
    'Write `u` for `P` at `y`. The letter `k` is any number in its range: it says how much of a bound is used'
    """
    told = {name for text in known for name in _names(text)}
    strange: list[str] = []
    words: list[str] = []
    for step in steps:
        if step.startswith(CERTIFIED):
            ranges = step.rpartition(": ")[0].removeprefix(CERTIFIED)
            strange += [name for name in _names(ranges) if name not in ("in", "oo")]
        else:
            words += [name for name in _names(step) if name not in strange]
    new = [name for name in dict.fromkeys(strange) if name not in told and name not in words]
    # Objects, which have capital letters, are introduced also where only words, or other letters, speak of them.
    meanings = [name for letter in new for name in _names(letters.get(letter, ""))]
    objects = [name for name in letters if name[0].isupper() and name in {*words, *meanings} - told and name not in new]
    said = [f"`{name}` for {letters[name]}" for name in (*objects, *new) if name in letters]
    rest = [f"`{name}`" for name in new if name not in letters]
    sentences = [f"Write {', '.join(said)}"] if said else []
    if len(rest) == 1:
        sentences.append(f"The letter {rest[0]} is any number in its range: it says how much of a bound is used")
    elif rest:
        listed = f"{', '.join(rest[:-1])} and {rest[-1]}"
        sentences.append(f"The letters {listed} are any numbers in their ranges: they say how much of a bound is used")
    return ". ".join(sentences)
