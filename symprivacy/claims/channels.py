"""What a channel of a known LDP level makes of levels of the laws of its input, by notion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from symprivacy.claims.effect import Effect
from symprivacy.claims.fact import Fact, Facts, Where, asking, joined, with_level
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.terms import Through
from symprivacy.implications.formula import expression
from symprivacy.kernel import expr as x
from symprivacy.notions import get

_ROWS = "mixtures of rows of the channel"
_CONTRACTED = Effect(expression("tanh(eps/2)**2*v"), "contraction", "the contraction of the channel")
# Both laws share a part of 1 - v; the rest of them is compared as in samples without replacement. Where it falls, from
# v = 8/9 on, it is above the level of two rows, which is that at v = 1.
_REST = Effect(expression("v**2*(4 - 3*v)*(exp(eps) - 1)**2*exp(-eps)"), "mixture", _ROWS, "TV", capped=True)
# Response on the best event, and response after response, attain two of them.
_DOBRUSHIN = Effect(
    expression("tanh(eps/2)*v"), "contraction", "Dobrushin's coefficient of the channel", "TV", sharp=True, alone=True
)
_MIXED = Effect(expression("log(1 + v*(exp(eps) - 1))"), "contraction", _ROWS, "TV")
_TWO_RESPONSES = Effect(
    expression("log((1 + exp(eps + v))/(exp(eps) + exp(v)))"), "contraction", "two responses one after the other",
    sharp=True, alone=True,
)  # fmt: skip
_CONTRACTIONS: dict[str, tuple[Effect, ...]] = {
    "TV": (_DOBRUSHIN,),
    "KL": (_CONTRACTED,),
    "CHI2": (_CONTRACTED,),
    "HELL2": (_CONTRACTED,),
    "JS": (_CONTRACTED,),
    "DP": (_MIXED, _TWO_RESPONSES),
}
_FURTHER_LAWS = Effect(
    expression("log(1 + (m - 1)*v)"), "best-event", "each further law adds its total variation from the first one", "TV"
)


def of_channel(term: Through, asked: Wanted, where: Where, facts: Facts) -> Iterator[Fact]:
    """Guarantees of the outputs of a channel, from those of its input and from its own."""
    key, eps = asked.notion.key, term.channel.level
    pure = Wanted(get("DP"), (eps,))
    for effect in _CONTRACTIONS.get(key, ()):
        yield from effect.on(term.term, asked, where, facts, eps=eps)
    if key in ("KL", "CHI2", "HELL2", "JS"):
        # What the laws have in common comes out of the channel the same: by convexity the rest counts for as much as
        # it weighs.
        for inner in facts(term.term, asking("TV"), where):
            for row in facts(pure, asked, where):
                level = x.mul(inner.wanted.level, row.wanted.level)
                yield joined([inner, row]).then(with_level(asked, level), "mixture", "two rows, so much of the time")
    if key in ("CHI2", "KL"):
        yield from _REST.on(term.term, asked, where, facts, eps=eps)
    if key == "MAXL":
        yield from _leaked(term, asked, where, facts)
    if key == "LDP":
        # Any two of the laws that are sent are as the term says.
        for known in facts(term, asking("DP"), where):
            yield replace(known, wanted=with_level(asked, known.wanted.level), exact=False)
    if key == "DP":
        at = with_level(asked, eps)
        yield Fact(at, ("mixture",), (f"{_ROWS}: `{at}`",))
    if asked.notion.divergence is not None or key in ("ADP", "RDP", "ZCDP", "tCDP", "GDP", "DP", "RB"):
        for inner in facts(term.term, asked, where):
            yield inner.then(inner.wanted, "post-processing", "the outputs of a channel")
        if key != "DP":
            for inner in facts(pure, asked, where):
                yield inner.then(inner.wanted, "mixture", _ROWS)


def _leaked(term: Through, asked: Wanted, where: Where, facts: Facts) -> Iterator[Fact]:
    """The leakage about which of several laws the input of a channel has, of which any two are as the term says."""
    m = asked.named["m"]
    yield from replace(_FURTHER_LAWS, sharp=m == x.num(2)).on(term, asked, where, facts, m=m)
    for known in facts(term, asking("DP"), where):
        for fact in facts(Wanted(get("LDP"), (known.wanted.level,)), asked, where):
            yield known.and_then(fact)
