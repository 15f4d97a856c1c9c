"""What operations do to levels, by notion: each entry is a theorem for all mechanisms.

``v`` is the level of what is run, ``k`` the size of a group, ``q`` the share of a sample, ``e`` the level of a channel.
"""

from __future__ import annotations

from collections.abc import Callable

from symprivacy.claims.fact import formula
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr

#: the levels of runs, each with how many times it is run
Runs = list[tuple[Expr, Expr]]


def added(levels: Runs) -> Expr:
    """The sum of all levels.

    >>> from symprivacy.language.text import parse
    >>> added([(parse("a"), parse("2")), (parse("b"), parse("k"))])
    Expr('2*a + k*b')
    """
    return x.add(*(x.mul(times, level) for level, times in levels))


def missed(levels: Runs) -> Expr:
    """The probability that one of independent events, with these probabilities, happens."""
    return x.sub(x.ONE, x.mul(*(x.power(x.sub(x.ONE, level), times) for level, times in levels)))


def _grown(levels: Runs) -> Expr:
    return x.sub(x.mul(*(x.power(x.add(x.ONE, level), times) for level, times in levels)), x.ONE)


def root_of_squares(levels: Runs) -> Expr:
    """The length of a vector with these entries."""
    total = x.add(*(x.mul(times, x.power(level, x.num(2))) for level, times in levels))
    return formula("sqrt(s)", s=total)


def _placed_anew(levels: Runs) -> Expr:
    """What the first run gives counts once, what each later one gives, placed anew for every output, twice."""
    return x.sub(x.mul(x.num(2), added(levels)), levels[0][0])


#: by key, the level of all runs together, and the principle
COMPOSED: dict[str, tuple[Callable[[Runs], Expr], str]] = {
    **dict.fromkeys(
        ("DP", "LDP", "PML", "LIP", "MBP", "KL", "RDP", "RDPlow", "ZCDP", "tCDP", "MAXL"),
        (added, "sequential-composition"),
    ),
    "GDP": (root_of_squares, "sequential-composition"),
    "TV": (missed, "coupling"),
    "HELL2": (missed, "sequential-composition"),
    "CHI2": (_grown, "sequential-composition"),
    "RB": (_placed_anew, "sequential-composition"),
    # The information about which of the two laws it is, under a belief that earlier runs have moved: at most twice.
    "JS": (_placed_anew, "sequential-composition"),
}
# Independent runs of what attains the parts attain the whole: losses, or means of powers of the ratio, multiply.
MULTIPLIED = ("DP", "LDP", "KL", "RDP", "RDPlow", "CHI2", "HELL2")
# For these the parts have to be attained by laws of one kind: leaks that add up, or normal laws, whose orders agree.
OF_ONE_KIND = ("TV", "ZCDP", "tCDP", "GDP")
GROUPED = {
    "DP": "k*v", "RB": "k*v", "ZCDP": "k**2*v", "GDP": "k*v", "TV": "k*v", "HELL2": "k**2*v", "JS": "k**2*v",
}  # fmt: skip
# 1 - cos(k arccos(1 - v)); from k = 4 on that is no bound where the angle exceeds the half circle.
ANGLES = {2: "4*v - 2*v**2", 3: "1 + 3*(1 - v) - 4*(1 - v)**3"}
SAMPLED = {
    "DP": "log(1 + q*(exp(v) - 1))", "TV": "q*v", "KL": "q*v", "HELL2": "q*v", "JS": "q*v", "CHI2": "q*v",
    # Ratios between exp(-v) and exp(v), wherever the range lies for one sample of the other records.
    "RB": "log((1 - q + q*exp(v))/(1 - q + q*exp(-v)))",
    # A mixture over samples has no larger level than they have.
    **dict.fromkeys(("LDP", "PML", "LIP", "MBP", "ZCDP", "GDP", "tCDP"), "v"),
}  # fmt: skip
# Identities for the pair of the mixture and the law without the record.
MIXED_EXACTLY = ("log(1 + q*(exp(v) - 1))", "q**2*v", "log(1 + q**2*(exp(v) - 1))")
# The level of what a channel of the level e makes of something, by its own notion or another one.
CONTRACTED = {
    "TV": [("TV", "tanh(e/2)*v", "Dobrushin's coefficient of the channel")],
    **{key: [(key, "tanh(e/2)**2*v", "the contraction of the channel")] for key in ("KL", "CHI2", "HELL2", "JS")},
    "DP": [
        ("TV", "log(1 + v*(exp(e) - 1))", "mixtures of rows of the channel"),
        ("DP", "log((1 + exp(e + v))/(exp(e) + exp(v)))", "two responses one after the other"),
    ],
}
