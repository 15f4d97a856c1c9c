"""The language of statements: what is read, written again, refused, and decided."""

from __future__ import annotations

import pytest

from symprivacy import InputError, decide
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.language import proposition
from symprivacy.claims.library import library, sources
from symprivacy.claims.own_claims import unreadable
from symprivacy.claims.statement import Follows
from symprivacy.claims.term_instances import confirmed
from symprivacy.notions import get

OPERATIONS = ("compose(", "group(", "sample(", "forward(", "through(", "DP(eps) and")
# Statements of every form, with what is true of them.
DECIDED = [
    ("compose(DP(eps), k) => DP(k*eps) for k >= 1 integer", True),
    ("compose(DP(eps1), DP(eps2)) => DP(Max(eps1, eps2))", False),
    ("compose(ADP(eps, delta), 3) => ADP(3*eps, 3*delta)", True),
    ("compose(KL(a), KL(b)) => KL(a + b) for a > 0, b > 0", True),
    ("compose(CHI2(c), 2) => CHI2(2*c)", False),
    ("compose(TV(t), k) => TV(k*t)", True),
    ("compose(RB(eps), 2) => RB(2*eps)", False),
    ("compose(GDP(mu), 4) => GDP(3*mu/2)", False),
    ("compose(DP(eps), 2) => ADP(eps, exp(eps)*(exp(eps) - 1)/(1 + exp(eps))**2)", True),
    ("group(DP(eps), k) => DP(k*eps)", True),
    ("group(ZCDP(rho), 2) => ZCDP(2*rho)", False),
    ("group(KL(a), 2) => KL(100*a) for a > 0", False),
    ("group(RDP(alpha, e), 2) => RDP(alpha/2, 3*e) for alpha >= 4, e > 0", True),
    ("group(ADP(eps, delta), 2) => ADP(2*eps, 2*delta)", False),
    ("sample(DP(eps), q) => DP(log(1 + q*(exp(eps) - 1)))", True),
    ("sample(DP(eps), q) => DP(q*eps) for 0 < q < 1", False),
    ("sample(ADP(eps, delta), m, n) => ADP(log(1 + (m/n)*(exp(eps)-1)), (m/n)*delta) for 1 <= m <= n integers", True),
    ("forward(KL(k)) => TV(sqrt(k/2)) for 0 < k < 2", True),
    ("forward(KL(k)) => HELL2(k/4)", False),
    ("forward(DP(eps)) => DP(eps)", False),
    ("forward(DP(eps)) => TV(1 - exp(-eps))", True),
    ("through(LDP(eps), TV(t)) => TV(tanh(eps/2)*t)", True),
    ("through(LDP(eps), TV(t)) => KL((exp(eps) - 1)**2*t**2/8)", False),
    ("DP(eps) and TV(t) => KL(eps*t/2) for eps > 0, 0 < t <= tanh(eps/2)", False),
    ("DP(eps) => TV(tanh(eps/2)) and KL(eps*tanh(eps/2))", True),
    ("DP(eps) => ADP(eps2, (exp(eps) - exp(eps2))/(1 + exp(eps))) for 0 <= eps2 < eps <= 1", True),
    ("RDP(alpha, e) => RDP(beta, e) for 1 < beta <= alpha, e > 0", True),
    ("ZCDP(rho) =/=> DP", True),
    ("DP(eps) =/=> KL", False),
    ("laplace(b) satisfies DP(1/b)", True),
    ("laplace(b) satisfies TV(1/(4*b))", False),
    ("laplace(b) satisfies GDP(1/b)", False),
    ("gaussian(sigma) satisfies ZCDP(1/(2*sigma**2)) and KL(1/sigma**2)", True),
    ("gaussian(sigma) satisfies DP(1/sigma)", False),
    ("krr(k, eps) satisfies LDP(eps)", True),
    ("geometric(eps) satisfies TV(tanh(eps/2))", True),
    ("exponential(eps) satisfies RB(eps)", True),
    ("m/n <= 1 for 1 <= m <= n integers", True),
    ("k**2 <= 2**k for k >= 1 integer", False),
]


@pytest.mark.parametrize(("text", "true"), DECIDED)
def test_statements_are_decided(text: str, true: bool) -> None:
    found = decide(text)
    verdict = str(found.verdict)
    assert verdict in (("tight", "holds", "improvable") if true else ("false",)), found.reason
    assert found.reading
    assert found.witness if not true else True
    assert found.to_latex()


@pytest.mark.parametrize("text", [text for text, true in DECIDED if not true and text.startswith(OPERATIONS)])
def test_witnesses_are_confirmed_from_their_parts_alone(text: str) -> None:
    statement = proposition(text)
    assert isinstance(statement, Follows)
    witness = statement.decide().witness
    assert witness is not None
    if "parts" in witness:
        (conclusion,) = statement.conclusion
        assert isinstance(conclusion, Wanted)
        assert confirmed(witness, statement.premise, conclusion, both=True)
        easier = {**witness, "parts": [[[["1/2", "1/2"]] * len(c) for c in options] for options in witness["parts"]]}
        assert not confirmed(easier, statement.premise, conclusion, both=True)


@pytest.mark.parametrize("text", [text for text, _ in DECIDED])
def test_text_is_read_again(text: str) -> None:
    first = proposition(text)
    assert str(proposition(str(first))) == str(first)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("laplace(-1) satisfies DP(1)", "write laplace(b)"),
        ("gaussian(0) satisfies ZCDP(1)", "write gaussian(sigma)"),
        ("sample(DP(eps), 2) => DP(eps)", "a probability in [0, 1]"),
        ("sample(DP(eps), 3, 2) => DP(eps)", "m <= n"),
        ("compose(DP(eps), 0) => DP(eps)", "at least 1"),
        ("group(DP(eps), 3/2) => DP(eps)", "a whole number"),
        ("laplace(b) => DP(1/b)", "laplace(b) satisfies"),
        ("compose(laplace(b), 2) => DP(2/b)", "is a mechanism, not a notion"),
        ("gausian(1) satisfies DP(1)", "did you mean gaussian"),
        ("compos(DP(eps), 2) => DP(eps)", "did you mean compose"),
        ("DP(eps) =/=> DPP", "did you mean"),
        ("DP(eps) =/=> KL(k)", "the key alone"),
        ("DP(eps) => compose(DP(eps), 2)", "on the right"),
        ("compose(GDP(mu), 2) <=> GDP(2*mu)", "on the left of =>"),
        ("through(DP(eps), TV(t)) => TV(t)", "through(LDP(eps), TV(t))"),
        ("DP(eps) and => TV(eps)", "is expected here"),
        ("DP(eps) =>", "is expected after =>"),
        ("DP(-1) => TV(1)", "negative"),
        ("TV(w*t) => TV(t)", "no range for w"),
        ("DP(eps) => TV(eps) for 0 < eps < eps2 < eps", "circle"),
        ("compose(KL(k), k) => KL(k*k)", "two names"),
        ("krr(1, eps) satisfies DP(eps)", "write krr(k, eps)"),
        ("compose(DP(eps), k) => DP(k*eps) for k >= 0 integer", "'for k in [1, oo)'"),
        ("compose(DP(eps), n - 1) => DP(n*eps)", "bound n"),
        ("sample(DP(eps), q) => DP(eps) for 0 < q < 2", "'for q in [0, 1]'"),
        ("sample(DP(eps), -1/2) => DP(eps)", "a probability in [0, 1]"),
        ("laplace(b) satisfies DP(1/b) for b >= 0", "'for b in (0, oo)'"),
        ("MAXL(l, m) => TV(l) for m >= 1 integer", "'for m in [2, oo)'"),
        ("MAXL(l, 1) => TV(l)", "not in [2, oo)"),
        ("RDP(1/2, e) => KL(e)", "not in [1, oo)"),
        ("DP(eps) -> KL(eps)", "write =>"),
        ("DP(eps) implies KL(eps)", "write =>"),
        ("DP(eps) satisfies TV(eps)", "not a mechanism"),
        ("krr(5/2, eps) satisfies DP(eps)", "not a whole number"),
        ("krr(eps) satisfies DP(eps)", "takes 2 parameters"),
        ("DP(eps) => KL(eps) => TV(eps)", "got 2 of them"),
        ("DP(eps) => TV(eps) for eps > 2, eps < 1", "empty"),
        ("DP(eps) => ADP(eps)", "write ADP(eps, delta)"),
        ("ADP(eps, delta) => TV(delta) for delta > 1", "empty"),
    ],
)
def test_bad_statements_say_what_to_write(text: str, hint: str) -> None:
    with pytest.raises(InputError) as raised:
        proposition(text)
    assert hint in str(raised.value)
    assert "\n" not in str(raised.value)


def test_an_error_says_where_it_is() -> None:
    with pytest.raises(InputError, match=r"character 12, 'TVV\(eps\)'"):
        proposition("DP(eps) => TVV(eps)")


@pytest.mark.parametrize(
    ("text", "ranges"),
    [
        ("DP(eps) => TV(eps)", "eps in (0, oo)"),
        ("KL(b) => TV(sqrt(b/2))", "b in (0, oo)"),
        ("TV(p) => HELL2(p)", "p in (0, 1)"),
        ("RDP(alpha, s) => KL(s)", "alpha in (1, oo), s in (0, oo)"),
        ("DP(eps) => MPP(eps, p)", "eps in (0, oo), p in (0, 1)"),
        ("LDP(eps) => MAXL(eps, m)", "eps in (0, oo), m in [2, oo)"),
        ("sample(TV(t), q) => TV(t)", "q in (0, 1], t in (0, 1)"),
    ],
)
def test_a_name_has_the_range_of_its_place(text: str, ranges: str) -> None:
    assert str(proposition(text)).partition(" for ")[2] == ranges


def test_a_rate_of_zero_is_a_rate() -> None:
    assert decide("sample(DP(eps), 0) => TV(0)").verdict == decide("TV(0) => TV(0)").verdict
    assert str(decide("sample(DP(eps), q) => DP(q*(exp(eps) - 1)) for 0 <= q <= 1").verdict) == "improvable"


def test_the_library_is_large_and_can_be_read() -> None:
    claims = library()
    assert len(claims) >= 150
    assert len({claim.source for claim in claims}) >= 25
    assert {claim.source for claim in claims} == set(sources())
    assert [claim.id for claim in claims if unreadable(claim)] == []


@pytest.mark.parametrize("key", ["LDP", "PML", "LIP", "MP", "MBP"])
def test_a_group_of_what_speaks_of_any_two_inputs_says_nothing_more(key: str) -> None:
    """Inputs at distance k are two inputs."""
    (level,) = (p.name for p in get(key).parameters)
    found = proposition(f"group({key}({level}), 3) => {key}({level})").decide()
    assert found.proved
    assert found.tight
    assert proposition(f"group({key}({level}), 3) => {key}({level}/2)").decide().refuted


@pytest.mark.parametrize(
    ("scaled", "plain"),
    [
        ("laplace(8*b) satisfies mCDP(1/b, 1/(64*b)) for b > 0", "laplace(s) satisfies mCDP(8/s, 1/(8*s)) for s > 0"),
        ("laplace(2*b) satisfies mCDP(1/b, 1/(2*b)) for b > 0", "laplace(s) satisfies mCDP(2/s, 1/s) for s > 0"),
        ("krr(3, eps/2) satisfies mCDP(eps, eps/4)", "krr(3, e) satisfies mCDP(2*e, e/2)"),
        (
            "gaussian(3*s) satisfies mCDP(1/s**2, 1/(9*s)) for s > 0",
            "gaussian(t) satisfies mCDP(9/t**2, 1/(3*t)) for t > 0",
        ),
    ],
)
def test_the_width_of_the_loss_is_that_of_the_noise_whatever_its_scale_is_called(scaled: str, plain: str) -> None:
    assert decide(scaled).verdict == decide(plain).verdict


@pytest.mark.parametrize("name", ["p", "delta", "b", "eta", "x", "eps", "alpha"])
@pytest.mark.parametrize("written", ["{0} in (-oo, oo)", "-oo < {0} < oo"])
def test_a_range_that_is_written_is_the_range(name: str, written: str) -> None:
    ranges = written.format(name)
    assert (
        str(decide(f"{name} <= 1 for {ranges}").verdict) == str(decide(f"{name} >= 0 for {ranges}").verdict) == "false"
    )
    assert str(decide(f"exp({name}) >= 1 + {name} for {ranges}").verdict) == "holds"
