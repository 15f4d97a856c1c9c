"""Every record is complete, can be found, and builds guarantees."""

from fractions import Fraction

import pytest
from sympy import Lambda, Rational, Symbol, exp, log, oo

from symprivacy.errors import InputError
from symprivacy.notions import Holds, all_notions, get, meanings
from symprivacy.notions.levels.chords import expectation
from symprivacy.notions.symbols import P, R

INTERFACE_KEYS = [
    "DP",
    "RB",
    "ADP",
    "PDP",
    "TV",
    "KL",
    "CHI2",
    "JS",
    "HELL2",
    "RDP",
    "ZCDP",
    "GDP",
    "LDP",
    "MBP",
    "MBPU",
    "SP",
    "MP",
    "MPP",
    "ABP",
    "ABPW",
    "BDP",
    "BSP",
    "PMP",
    "NMP",
    "UDP",
    "BoundedDP",
    "GroupDP",
    "NPr",
    "ANPr",
    "InfPr",
    "AdvPr",
    "mCDP",
    "fDP",
    "FreeLunch",
]


def test_the_promised_keys_exist() -> None:
    assert {notion.key for notion in all_notions()} >= set(INTERFACE_KEYS)


@pytest.mark.parametrize("notion", all_notions(), ids=lambda n: n.key)
def test_a_record_is_complete(notion) -> None:
    """A definition in words and LaTeX, a source, properties with sources, and a level or the reason for none."""
    assert notion.statement
    assert notion.source
    assert notion.latex.count("{") == notion.latex.count("}")
    assert notion.properties
    assert all(known.source for known in notion.properties)
    assert notion.level is not None or notion.why_no_level
    assert notion.target is None or notion.parameter(notion.target)
    if notion.ratio is not None:
        assert {str(s) for s in notion.ratio.free_symbols} <= {p.name for p in notion.parameters} | {"p"}


@pytest.mark.parametrize("notion", all_notions(), ids=lambda n: n.key)
def test_keys_and_clear_aliases_find_their_notion(notion) -> None:
    assert get(notion.key) is notion
    for alias in notion.aliases:
        if not alias.ambiguous:
            assert get(alias.name) is notion
            assert get(alias.name.upper()) is notion


def test_the_three_meanings_of_bdp_are_told_apart() -> None:
    assert [n.key for n in meanings("BDP")] == ["BDP", "BoundedDP", "RanBDP"]
    assert get("BDP").name == "Bayesian differential privacy"


def test_a_wrong_name_suggests_near_ones() -> None:
    with pytest.raises(InputError, match=r"no notion 'KLL'; did you mean KL"):
        get("KLL")


def test_notions_are_attributes_of_the_package() -> None:
    from symprivacy import notions

    assert notions.DP is get("DP")
    with pytest.raises(AttributeError, match="did you mean"):
        notions.DPP  # noqa: B018


def test_guarantees_read_like_calls() -> None:
    x = Symbol("x")
    assert str(get("DP")(1)) == "DP(eps=1)"
    assert str(get("RDP")(alpha=2, e=x)) == "RDP(alpha=2, e=x)"
    assert get("ADP")(1, Fraction(1, 3))["delta"] == Rational(1, 3)
    assert get("DP")(x).ratio() == exp(x)
    assert str(get("DP")(oo)) == "DP(eps=oo)"


@pytest.mark.parametrize(
    ("key", "values", "message"),
    [
        ("DP", (-1,), "outside"),
        ("SP", (2,), "outside"),
        ("RDP", (Rational(1, 2), 1), "outside"),
        ("DP", (0.5,), "float"),
        ("DP", ("1",), "expected a number"),
        ("DP", (True,), "expected a number"),
        ("DP", (), "missing eps"),
        ("DP", (1, 2), "takes 1 parameters"),
        ("GDP", (-log(2),), "outside"),
    ],
)
def test_bad_parameters_are_refused(key, values, message) -> None:
    with pytest.raises(InputError, match=message):
        get(key)(*values)


def test_unknown_and_repeated_parameters_are_refused() -> None:
    with pytest.raises(InputError, match="no parameter 'eta'"):
        get("DP")(eta=1)
    with pytest.raises(InputError, match="given twice"):
        get("DP")(1, eps=2)


def test_semantic_ratio_is_the_posterior_bound_solved_for_the_ratio() -> None:
    eta = Symbol("eta", positive=True)
    g = get("SP").ratio.subs(get("SP").parameters[0].symbol, eta).args[0][0]
    assert (P * g / (P * g + 1 - P) - P - eta).simplify() == 0


def test_membership_ratio_is_the_piecewise_bound_of_zhao17() -> None:
    """Its switch is at p = 1/(1+exp(eps)), where it peaks at exp(2 eps); both ends give exp(eps)."""
    g = get("MP")(log(3)).ratio()
    assert g.subs(P, Rational(1, 4)) == 9
    assert g.subs(P, Rational(1, 8)) == Rational(7, 8) / (Rational(1, 3) - Rational(1, 8))
    assert g.subs(P, Rational(1, 2)) == (3 - Rational(1, 2)) * 2
    assert g.subs(P, 1) == 3
    assert g.subs(P, Rational(1, 10**9)) < Rational(3000001, 1000000)


@pytest.mark.parametrize("key", ["TV", "KL", "CHI2", "JS", "HELL2", "ABP"])
def test_integer_enclosures_contain_the_generator(key) -> None:
    """The fast path multiplies the generator out; here both are evaluated."""
    divergence = get(key).divergence
    for p, q in [((3, 1), (1, 3)), ((5, 2, 1), (1, 2, 5)), ((1, 98, 1), (2, 3, 95))]:
        scale = sum(p)
        exact = expectation(divergence, [(Rational(a, scale), Rational(b, scale)) for a, b in zip(p, q, strict=True)])
        low = sum(divergence.fixed(a, b, 60)[0] for a, b in zip(p, q, strict=True))
        high = sum(divergence.fixed(a, b, 60)[1] for a, b in zip(p, q, strict=True))
        assert Rational(low, scale << 60) <= exact <= Rational(high, scale << 60)
        assert high - low < scale * 2**14


@pytest.mark.parametrize("key", ["TV", "KL", "CHI2", "JS", "HELL2", "ABP"])
def test_generators_are_convex_and_vanish_at_one(key) -> None:
    f = get(key).divergence.generator
    assert f(Rational(1)) == 0
    points = [Rational(k, 4) for k in range(1, 20)]
    for a, b in zip(points, points[2:], strict=False):
        assert f((a + b) / 2).evalf(30) <= ((f(a) + f(b)) / 2).evalf(30) + Rational(1, 10**25)


def test_properties_are_three_valued() -> None:
    assert get("DP").holds("post-processing") is Holds.YES
    assert get("PDP").holds("convexity") is Holds.NO
    assert get("SP").holds("composition") is Holds.UNKNOWN


def test_a_notion_of_ones_own_needs_no_registration() -> None:
    from symprivacy.mechanisms import level, randomized_response
    from symprivacy.notions import Notion, Parameter
    from symprivacy.notions.divergences import from_generator

    mine = Notion(
        "MINE", "my notion", (Parameter("v"),), "E_Q (r-1)^4 <= v", "", frozenset("Q"), "here",
        divergence=from_generator(Lambda(R, (R - 1) ** 4)),
    )  # fmt: skip
    expected = Rational(1, 5) * 3**4 + Rational(4, 5) * Rational(3, 4) ** 4
    assert level(randomized_response(ratio=4), mine).value == expected
