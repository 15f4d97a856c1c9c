"""convert and derive never contradict each other: a derived level is the best one, or it is presented as a bound."""

from __future__ import annotations

import re

import mpmath
import pytest

from symprivacy.claims.guarantees import arguments
from symprivacy.cli.main import run
from symprivacy.implications import Status, convert
from symprivacy.implications.best_known import better_at
from symprivacy.implications.parameters import CONVERTIBLE
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr, substitute
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.language.text import parse
from symprivacy.notions import get
from symprivacy.notions.statement import Given
from tests.golden.answers import read

# A point that lies in every range of the derivations.
POINT = {name: parse(text) for name, text in {
    "eps": "3/5", "eps2": "1/5", "delta": "1/9", "t": "1/7", "k": "1/3", "c": "1/2", "h": "1/8", "j": "1/10",
    "eta": "1/6", "xi": "2/5", "m": "3", "a": "1/9", "p": "1/3", "alpha": "3", "alpha2": "2", "e": "1/3", "rho": "1/4",
    "mu": "1/2", "d": "1", "delta2": "1/5",
}.items()}  # fmt: skip
DERIVED = {pair: text for pair, text in read("derivations").items() if " => " in text and " for " not in text}


def guarantee(side: str) -> Given:
    """What is printed has the parameters in the order of the record, a derivation has the level last."""
    match = re.fullmatch(r"(\w+)\((.*)\)", side.split(" and ")[0])
    assert match is not None
    record = get(match[1])
    written = dict(zip(record.names, (to_sympy(parse(text)) for text in arguments(match[2])), strict=True))
    return Given(record.key, tuple(written[name] for name in (*record.others, record.answers)))


def values(side: Given, point: dict[str, Expr]) -> list[Expr]:
    return [substitute(from_sympy(value), point) for value in side.values]


@pytest.mark.parametrize("pair", sorted(DERIVED))
def test_a_derived_level_is_what_convert_says_or_is_presented_as_a_bound(pair: str) -> None:
    source, target = pair.split()
    sides = [guarantee(side) for side in DERIVED[pair].split(" => ")]
    # Orders below one have their own.
    point = {**POINT, **({"alpha": parse("2/5")} if target == "RDPlow" else {})}
    premise, conclusion = (values(side, point) for side in sides)
    level = CONVERTIBLE[source].answers
    # Derivations have the level last.
    given = dict(zip([*(n for n in CONVERTIBLE[source].names if n != level), level], premise, strict=True))
    asked = CONVERTIBLE[target].asked
    if asked is not None:
        given[asked] = conclusion[0] if len(conclusion) > 1 else parse("1")
    best = convert(source, given, target, 15)
    assert best.status is Status.TIGHT
    derived = enclose(conclusion[-1], {}, 120)
    low, high = (mpmath.mp.make_mpf(end) for end in derived[:2])
    assert high >= mpmath.mpf(best.lo) * (1 - mpmath.mpf(10) ** -12), "better than the best"
    shown = better_at(*sides, point)
    if low > mpmath.mpf(best.hi) * (1 + mpmath.mpf(10) ** -9) + mpmath.mpf(10) ** -12:
        assert shown is not None
        assert shown.formula == best.formula
    else:
        assert shown is None or low > mpmath.mpf(shown.hi)


def test_the_command_says_that_a_derived_level_is_not_the_best(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["derive", "SP", "DP", "--prior", "uniform"]) == 0
    assert "This is a bound. The best level is" in " ".join(capsys.readouterr().out.split())
    assert run(["derive", "SP", "DP"]) == 0
    assert "This is a bound" not in capsys.readouterr().out
