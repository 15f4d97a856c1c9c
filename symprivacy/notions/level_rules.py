"""How the level of a mechanism under a notion of one's own is computed, from the definition alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from sympy import Expr, Integer, Lambda, Symbol, exp, limit, oo

from symprivacy.notions.definition import Definition
from symprivacy.notions.f_divergence import Divergence
from symprivacy.notions.level_for_ratio import needed_level
from symprivacy.notions.levels.channel import Channel
from symprivacy.notions.levels.options import Options
from symprivacy.notions.levels.pairs import divergence_level, range_level, ratio_level
from symprivacy.notions.levels.result import Level
from symprivacy.notions.symbols import A, R

LevelRule = Callable[[Channel, Mapping[str, Expr], Options], Level]


def mean_rule(whole: Divergence) -> LevelRule:
    """The level of a notion about means, at numbers for its further parameters."""

    def rule(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
        at = {Symbol(name, real=True): value for name, value in given.items()}
        placed = Divergence(
            Lambda(R, whole.generator(R).xreplace(at)),
            whole.slope.xreplace(at),
            Lambda(R, whole.transform(R).xreplace(at)),
            at_zero=whole.at_zero.xreplace(at),
        )
        return divergence_level(channel, channel.pairs, placed)

    return rule


def level_rule(definition: Definition) -> LevelRule:
    """The level of a notion about ratios: that of the largest ratio, or of the widest range of ratios."""

    def rule(channel: Channel, given: Mapping[str, Expr], options: Options) -> Level:
        form = needed_level(definition).xreplace({s.symbol: given[s.symbol.name] for s in definition.others})

        def value(ratio: Expr) -> Expr:
            positive = Symbol("A", positive=True)
            return limit(form.xreplace({A: positive}), positive, oo) if ratio == oo else form.xreplace({A: ratio})

        if definition.width is None:
            return ratio_level(channel, channel.pairs, value, least=value(Integer(1)))
        found = range_level(channel, channel.pairs)
        return replace(found, value=value(exp(found.value)), exact=found.exact, lo=None, hi=None)

    return rule
