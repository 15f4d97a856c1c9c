"""Notions of one's own: the same answers by two ways, witnesses whose levels are computed, and honest refusals."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import mpmath
import pytest
from sympy import Rational

from symprivacy.errors import InputError
from symprivacy.implications import Implication, Status, convert
from symprivacy.implications.certify.lower import at_least, at_most
from symprivacy.implications.extremal.joint_range import from_mean, of_gaussian, of_response, of_slack, to_mean
from symprivacy.implications.formula import Formula
from symprivacy.implications.parameters import CONVERTIBLE, read
from symprivacy.implications.stand_in import stand_in
from symprivacy.language.bridge import to_sympy
from symprivacy.language.text import parse
from symprivacy.mechanisms import Mechanism, level, randomized_response
from symprivacy.notions import Notion, forget, get
from tests.golden.answers import at as points

MEANS = {
    "OwnHalf": {"mean": "(r - 1)**2/2"},
    "OwnCam": {"mean": "(r - 1)**2/(r + 1)"},
    "OwnJeff": {"mean": "(r - 1)*log(r)", "transform": "sqrt(m)"},
    "OwnFour": {"mean": "(r - 1)**4"},
    "OwnAbs": {"mean": "Abs(r - 1)"},
    "OwnHell": {"mean": "(sqrt(r) - 1)**2"},
    "OwnBack": {"mean": "-log(r)"},
    "OwnCube": {"mean": "r**3 - 1", "transform": "log(1 + m)"},
}
RATIOS = {
    "OwnPost": {"posterior": ["q <= p + tau*(1 - p)"]},
    "OwnMove": {"posterior": ["q <= p + tau", "q >= p - tau"]},
    "OwnOdds": {"ratio": "1 + tau"},
    "OwnWide": {"width": "exp(3*tau)"},
}
BOUNDED = ("OwnPost", "OwnMove")


@pytest.fixture(scope="module", autouse=True)
def definitions() -> Iterator[None]:
    """All of them at once: what is computed from one is kept until another one is defined."""
    for key, given in (MEANS | RATIOS).items():
        Notion.define(key, "tau in [0, 1]" if key in BOUNDED else "tau in [0, oo)", **given)
    yield
    for key in MEANS | RATIOS:
        forget(key)


def at(source: str, target: str, k: int = 0) -> dict[str, str]:
    return points(source, target, k)


def same(one: Implication, other: tuple[object, object]) -> bool:
    return all(
        abs(mpmath.mpf(a) - mpmath.mpf(b)) <= 1e-8 * (1 + abs(mpmath.mpf(b)))
        for a, b in zip((one.lo, one.hi), other, strict=True)
    )


@pytest.mark.parametrize("key", [key for key in MEANS if key not in ("OwnJeff", "OwnFour")])
def test_a_stand_in_agrees_with_the_extremal_laws_of_the_kind(key: str) -> None:
    notion = get(key)
    assert stand_in(notion) is not None
    for source, direct in (
        ("DP", of_response(notion, Formula("eps"))),
        ("ADP", of_slack(notion, "eps", "delta")),
        ("GDP", of_gaussian(notion)),
    ):
        found = convert(source, at(source, key), key, 12)
        if direct is None or direct.level is None:
            assert direct is None or found.status is direct.status
            continue
        value = direct.level.evaluate(read(source, key, at(source, key)), 120)
        assert same(found, tuple(mpmath.mp.make_mpf(end) for end in value[:2]))


@pytest.mark.slow
@pytest.mark.parametrize("key", ["OwnHalf", "OwnCam", "OwnHell", "OwnBack"])
@pytest.mark.parametrize("other", ["TV", "HELL2", "KL"])
def test_joint_ranges_agree_with_the_rules(key: str, other: str) -> None:
    notion = get(key)
    there = from_mean(notion, get(other), read(key, other, at(key, other, 1)))
    back = to_mean(get(other), notion, read(other, key, at(other, key, 1)))
    for source, target, direct in ((key, other, there), (other, key, back)):
        found = convert(source, at(source, target, 1), target, 12)
        assert direct is not None
        if direct.status is Status.TIGHT:
            assert direct.level is not None
            value = direct.level.evaluate(read(source, target, at(source, target, 1)), 120)
            assert same(found, tuple(mpmath.mp.make_mpf(end) for end in value[:2]))
        elif direct.status is Status.IMPOSSIBLE:
            assert found.status is Status.IMPOSSIBLE


def witness_of(found: Implication) -> Mechanism | None:
    laws = found.witness or {}
    if "P" not in laws or "parameter" in laws or laws.get("attained") is False:
        return None
    rows = [
        [Rational(str(mpmath.nstr(mpmath.mpf(str(to_sympy(parse(t)).evalf(40))), 30))) for t in laws[s]] for s in "PQ"
    ]
    rows = [[*row[:-1], 1 - sum(row[:-1])] for row in rows]
    return Mechanism.secrets(rows)


@pytest.mark.parametrize("key", [*MEANS, *RATIOS])
@pytest.mark.parametrize("other", ["DP", "RB", "TV", "CHI2", "ADP"])
def test_witnesses_have_the_levels_that_conversions_say(key: str, other: str) -> None:
    notion = get(key)
    for source, target in ((key, other), (other, key)):
        found = convert(source, at(source, target, 1), target, 20)
        mechanism = witness_of(found) if found.status is Status.TIGHT else None
        if mechanism is None or any(x < 0 for row in mechanism.matrix for x in row):
            continue
        level_name = CONVERTIBLE[source].answers
        bound = to_sympy(parse(found.at[level_name]))
        given = {n: to_sympy(parse(found.at[n])) for n in CONVERTIBLE[source].names if n != level_name}
        assert at_most(mechanism, source, given, bound * (1 + Rational(1, 10**9)) + Rational(1, 10**12))
        asked = CONVERTIBLE[target].asked
        own = {} if asked is None else {asked.removesuffix("2"): to_sympy(parse(found.at[asked]))}
        assert at_least(mechanism, target, own, Rational(found.lo) * (1 - Rational(1, 10**9)) - Rational(1, 10**12))
    assert notion.key == key


@pytest.mark.parametrize("key", [*MEANS, *RATIOS])
def test_no_random_mechanism_beats_a_conversion(key: str) -> None:
    mechanisms = [
        randomized_response(ratio=3),
        Mechanism.secrets(
            [[Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)], [Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)]]
        ),
    ]
    notion = get(key)
    for mechanism in mechanisms:
        own = level(mechanism, notion)
        for other in ("DP", "TV", "KL", "HELL2", "SP", "MBP", "ABP"):
            theirs = level(mechanism, other)
            for source, target, given, reached in ((key, other, own, theirs), (other, key, theirs, own)):
                name = CONVERTIBLE[source].answers
                found = convert(source, {name: Rational(str(given.value.evalf(25))) + Rational(1, 10**15)}, target, 12)
                if found.status in (Status.TIGHT, Status.UPPER_BOUND):
                    assert float(reached.value) <= float(found.hi) * (1 + 1e-9) + 1e-9


@pytest.mark.parametrize(
    ("key", "parameters", "given", "reason"),
    [
        ("Bad", "h in [0, oo)", {"mean": "1 - r**2"}, "not convex"),
        ("Bad", "h in [0, oo)", {"mean": "r**2"}, "f\\(1\\) = 1"),
        ("Bad", "h in [0, oo)", {"mean": "r - 1"}, "a line"),
        ("Bad", "h in [0, oo)", {"mean": "(r - k)**2"}, "k has no range"),
        ("Bad", "h in [0, oo)", {"mean": "(r - 1)**2", "transform": "-m"}, "does not increase"),
        ("Bad", "h in [0, oo)", {"ratio": "1/(1 + h)"}, "below 1"),
        ("Bad", "h in [0, oo)", {"posterior": ["q <= h*p"]}, "broken by q = p"),
        ("Bad", "h in [0, oo)", {"mean": "(r - 1)**2", "ratio": "h"}, "exactly one"),
        ("Bad", "h in [0, oo)", {}, "exactly one"),
        ("Bad", "h", {"mean": "(r - 1)**2"}, "needs a range"),
        ("Bad", "r in [0, 1]", {"mean": "(r - 1)**2"}, "reserved"),
        ("DP", "h in [0, oo)", {"mean": "(r - 1)**2"}, "reserved"),
        ("exp", "h in [0, oo)", {"mean": "(r - 1)**2"}, "reserved"),
        ("Bad", "h in [0, oo)", {"mean": "__import__('os').system('true')"}, "unexpected"),
    ],
)
def test_what_is_no_notion_is_refused_in_one_line(
    key: str, parameters: str, given: dict[str, str], reason: str
) -> None:

    with pytest.raises(InputError, match=reason) as error:
        Notion.define(key, parameters, **given)
    assert "\n" not in str(error.value)


def test_the_ends_of_the_ranges() -> None:
    for source, level_, target in (("OwnJeff", 0, "TV"), ("OwnPost", 0, "KL"), ("OwnHalf", 0, "DP")):
        found = convert(source, {"tau": level_}, target, 12)
        assert (found.status, found.lo, found.hi) == (Status.TIGHT, "0", "0")
    assert convert("OwnPost", {"tau": 1}, "TV", 12).hi == "1"
    assert convert("OwnPost", {"tau": 1}, "DP", 12).status is Status.IMPOSSIBLE
    assert convert("RB", {"eps": 0}, "OwnJeff", 12).hi == "0"
