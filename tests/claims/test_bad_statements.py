"""Statements that cannot be meant: each is refused in one line that says what to write."""

from __future__ import annotations

import pytest

from symprivacy.claims.language import proposition
from symprivacy.errors import InputError

# The statement, and what the message has to say.
BAD = {
    "laplace(-1) satisfies DP(1)": "b = -1 is not in (0, oo); write laplace(b)",
    "gaussian(0) satisfies ZCDP(1)": "sigma = 0 is not in (0, oo)",
    "laplace(b) satisfies DP(1/b) for b > -1": "b has to be in (0, oo)",
    "exponential(0) satisfies DP(0)": "write exponential(eps)",
    "discrete_gaussian(-1) satisfies ZCDP(1)": "write discrete_gaussian(sigma)",
    "truncated_gaussian(1) satisfies TV(1)": "write truncated_gaussian(sigma, B)",
    "truncated_gaussian(1, 0) satisfies TV(1)": "B = 0 is not in (0, oo)",
    "discrete_gausian(1) satisfies TV(1)": "did you mean discrete_gaussian?",
    "geometric(eps, 1) satisfies DP(eps)": "takes 1 parameter; write geometric(eps)",
    "krr(1, eps) satisfies LDP(eps)": "k = 1 is not in [2, oo)",
    "krr(5/2, eps) satisfies LDP(eps)": "not a whole number",
    "krr(eps) satisfies LDP(eps)": "write krr(k, eps)",
    "sample(DP(eps), 2) => DP(eps)": "not a probability in [0, 1]",
    "sample(DP(eps), -1/2) => DP(eps)": "not a probability in [0, 1]",
    "sample(DP(eps), q) => DP(eps) for 0 < q < 2": "write such as 'for q in [0, 1]'",
    "sample(DP(eps), 5, 3) => DP(eps)": "with m <= n",
    "sample(DP(eps), 1, 2, 3) => DP(eps)": "expected such as sample(DP(eps), q)",
    "compose(DP(eps), 0) => DP(eps)": "not a whole number, at least 1",
    "compose(DP(eps), 3/2) => DP(2*eps)": "not a whole number, at least 1",
    "compose(DP(eps), k) => DP(k*eps) for k >= 0 integer": "k has to be in [1, oo)",
    "compose() => DP(1)": "expected such as compose(DP(eps), k)",
    "compose(DP(eps), DP(eps), 2) => DP(4*eps)": "expected such as compose(DP(eps), k)",
    "group(DP(eps), 0) => DP(eps)": "write group(DP(eps), k)",
    "group(DP(eps), -1) => DP(eps)": "write group(DP(eps), k)",
    "laplace(b) => DP(1/b)": "write 'laplace(b) satisfies DP(...)'",
    "DP(eps) => laplace(1/eps)": "laplace is a mechanism, not a notion",
    "compose(laplace(b), 2) => DP(2/b)": "laplace is a mechanism, not a notion",
    "gaussian(sigma) satisfies gaussian(sigma)": "gaussian is a mechanism, not a notion",
    "laplace(b)": "write 'laplace(b) satisfies DP(...)'",
    "DP(eps) satisfies TV(eps)": "DP is a notion, not a mechanism; write 'DP(eps) => ...'",
    "satisfies DP(1)": "a mechanism such as laplace(b) is expected",
    "laplace(b) satisfies": "a guarantee such as DP(eps) is expected after satisfies",
    "DP(eps) => TV(a*eps)": "no range for a; add such as 'for a in (0, 1)'",
    "ADP(eps) => DP(eps)": "write ADP(eps, delta)",
    "RDP(alpha) => KL(e)": "write RDP(alpha, e)",
    "RDP(1/2, e) => KL(e)": "alpha = 1/2 is not in [1, oo)",
    "MAXL(l, 1) => TV(l)": "m = 1 is not in [2, oo)",
    "MPP(eps, 2) => DP(eps)": "p = 2 is not in (0, 1)",
    "DP(-1) => TV(1)": "eps = -1 is negative",
    "through(DP(eps), TV(t)) => TV(t)": "expected such as through(LDP(eps), TV(t))",
    "forward(KL(k), 2) => TV(k)": "expected such as forward(KL(k))",
    "DP(eps) => compose(DP(eps), 2)": "expected on the right of =>",
    "DP(eps) =/=> TV(1)": "write '=/=> TV'",
    "DP(eps) =/=> laplace": "the key of a notion is expected",
    "DP(eps) => ": "a guarantee such as DP(eps) is expected after =>",
    "DP(eps) -> TV(eps)": "write =>, <=>, =/=> or satisfies",
    "DP(eps) => TV(eps) => KL(eps)": "got 2 of them",
    "DP(eps => TV(eps)": "2 opening and 1 closing brackets",
    "DP(eps) => TV(eps) for 1 < eps < 0": "the domain of eps is empty",
    "DP(eps) => TV(eps) for eps": "is not a range; expected such as",
    "DPP(eps) => TV(eps)": "did you mean DP",
}


@pytest.mark.parametrize("text", BAD)
def test_a_bad_statement_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(InputError) as error:
        proposition(text)
    assert BAD[text] in str(error.value)
    assert "\n" not in str(error.value)
