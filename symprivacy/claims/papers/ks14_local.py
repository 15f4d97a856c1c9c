"""Kasiviswanathan and Smith, On the 'Semantics' of Differential Privacy: Section 4 and Appendix B.

Local semantic privacy is for one belief b. E is the set of databases that are (eps, delta)-indistinguishable from all
their neighbours, with b[E] >= 1-delta1; delta2 = delta + delta1.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from random import Random

from symprivacy.claims.argument import Argument, Attack, Attacked, Example, Witness
from symprivacy.claims.comparison import comparison, put
from symprivacy.claims.comparison import posterior as belief_in
from symprivacy.claims.games import (
    Belief,
    Database,
    Rows,
    breach,
    databases,
    distance,
    forget,
    json_belief,
    json_rows,
    neighbours,
    posterior,
    random_belief,
    random_rows,
    smallest_delta,
)
from symprivacy.claims.language import proposition
from symprivacy.claims.laws import Law, closeness, exceeds, number, random_growth
from symprivacy.claims.outcome import Proposition, every
from symprivacy.claims.papers.ks14_conditioning import MIXED, MIXED_BETTER, MOVED, UNMOVED, mixed_pairs, moved_little
from symprivacy.claims.record import Form, claims_of
from symprivacy.language.text import to_text

_claim = claims_of("ks14")

_EPS, _N, _UNIT = "eps in (0, oo)", "n in [1, oo)", "delta2 in (0, 2]"
_LEVEL, _FAILURE = "exp(3*eps)-1+sqrt(n*delta2)", "4*sqrt(n*delta2)"
_BETTER_LEVEL, _BETTER_FAILURE = "tanh(eps/2) + sqrt(n*delta2)", "(1 + exp(-eps))*sqrt(n*delta2)"
_CONDITION = "eps - sqrt(n*delta2)"
_ALGEBRA = "exp(-n**2/(2*sigma))/exp(-(n-1)**2/(2*sigma)) == exp((-2*n+1)/(2*sigma))"
# The mechanism for Theorem A.2: P[yes|x] = kappa + |x| d with kappa + n d = 1, and the belief p on (1, 0, ..., 0).
_BELIEF, _KAPPA, _D = "(1-goal)/2", "(1-goal)**2/8*d", "1/(n + (1-goal)**2/8)"
_AT_D = {"p": put(_BELIEF), "kappa": put(_KAPPA, d=_D), "d": put(_D)}
_GOALS = ("goal in [0, 1)", "n in [1, oo)")


def _local(level: str, failure: str, delta2: str, rng: Random, condition: str | None = None) -> Witness:
    """Look for a mechanism and a belief that break (level, failure)-local SP."""
    growth, n = random_growth(rng), rng.randint(1, 2)
    rows, belief = random_rows(rng, n), random_belief(rng, n)
    needs = {z: max(closeness(rows[z], rows[y], growth) for y in neighbours(z)) for z in rows}
    delta = rng.choice(sorted(needs.values()))
    rest = sum((belief[z] for z, need in needs.items() if need > delta), Fraction(0))
    values = {"n": Fraction(n), "delta": delta, "delta1": rest}
    allowed, mass = (number(put(text, delta2=delta2), growth, **values) for text in (level, failure))
    if condition is not None and not exceeds(Fraction(0), -number(put(condition, delta2=delta2), growth, **values)):
        return None
    found = breach(rows, belief, lambda shift: exceeds(shift, allowed))
    if exceeds(found, mass):
        says = f"`exp(eps) = {growth}`, `delta = {delta}`, `delta1 = {rest}`: probability `{found} > {mass}`"
        return {"says": says, "mechanism": json_rows(rows), "belief": json_belief(belief)}
    return None


def _semantic(level: str, failure: str, pairs: Proposition, attack: Attack) -> Attacked:
    """As in Theorem 2.4: the pairs are (eps, delta2)-indistinguishable, or the same where delta2 = 0."""
    return moved_little(level, failure, (pairs, MOVED, UNMOVED), attack, _UNIT, _N, _EPS, delta2="delta2")


def _part_of_rows() -> Witness:
    """Two bits; 01 has an output of its own, the others are randomized response at delta = 1/10."""
    growth, delta, rest = Fraction(2), Fraction(1, 10), Fraction(1, 5)
    a = (growth + delta) / (1 + growth)
    low, high, own = [1 - a, a, Fraction(0)], [a, 1 - a, Fraction(0)], [Fraction(0), Fraction(0), Fraction(1)]
    rows: dict[Database, Law] = {(0, 0): low, (0, 1): own, (1, 0): high, (1, 1): high}
    belief: dict[Database, Fraction] = {(1, 0): 1 - rest, (1, 1): rest}
    need = max(closeness(rows[1, 0], rows[y], growth) for y in neighbours((1, 0)))
    real = [mass * p for z, mass in belief.items() for p in rows[z]]
    other = [mass * p for z, mass in belief.items() for p in rows[forget(z, 0)]]
    found = closeness(real, other, growth)
    if need != delta or found != number(MIXED_BETTER, delta=delta, delta1=rest):
        return None
    says = f"`exp(eps) = 2`, `delta = {delta}`, `delta1 = {rest}`: `{found}` is attained"
    return {"says": says, "mechanism": json_rows(rows), "belief": json_belief(belief)}


def _tilted(f: Mapping[Database, int], belief: Belief, base: Fraction, without: int | None = None) -> Belief:
    """The belief after an output beyond all values of f: the likelihood is proportional to base**f."""
    weights = {z: mass * base ** f[z if without is None else forget(z, without)] for z, mass in belief.items()}
    total = sum(weights.values(), Fraction(0))
    return {z: weight / total for z, weight in weights.items()}


def _noisy(level: str, failure: str, rng: Random, condition: str | None = None) -> Witness:
    """Laplace noise on a function with integer values; outputs beyond all its values are what is looked at."""
    base, s, n = random_growth(rng), rng.randint(1, 2), rng.randint(1, 2)
    growth, belief = base**s, random_belief(rng, n)
    f = {z: rng.randint(0, 4) for z in belief}
    calm = {z for z in f if max(abs(f[z] - f[y]) for y in neighbours(z)) <= s}
    rest = sum((mass for z, mass in belief.items() if z not in calm), Fraction(0))
    allowed, mass = (number(text, growth, n=n, delta2=rest) for text in (level, failure))
    if condition is not None and not exceeds(Fraction(0), -number(condition, growth, n=n, delta2=rest)):
        return None
    found = Fraction(0)
    for sign, end in ((1, max(f.values())), (-1, min(f.values()))):
        real = _tilted(f, belief, base**sign)
        if any(exceeds(distance(real, _tilted(f, belief, base**sign, i)), allowed) for i in range(n)):
            found += sum((b / 2 * base ** -abs(end - f[z]) for z, b in belief.items()), Fraction(0))
    if exceeds(found, mass):
        says = f"`exp(eps) = {growth}`, `s = {s}`, `delta1 = {rest}`: probability at least `{found} > {mass}`"
        return {"says": says, "f": {str(z): v for z, v in f.items()}, "belief": json_belief(belief)}
    return None


def _threshold(n: int, kappa: Fraction) -> Rows:
    """Yes with a probability that grows from kappa to 1 with the number of ones."""
    return {z: [kappa + sum(z) * (1 - kappa) / n, (1 - sum(z) / Fraction(n)) * (1 - kappa)] for z in databases(n)}


def _oblivious(n: int, kappa: Fraction, p: Fraction, goal: Fraction) -> Witness:
    """Reality 1...1, belief p on 10...0 and 1-p on 0...0: the witness if the output moves it by more than the goal."""
    rows = _threshold(n, kappa)
    one, zero, reality = (1,) + (0,) * (n - 1), (0,) * n, (1,) * n
    belief = {one: p, zero: 1 - p}
    real, without = posterior(rows, belief, 0), posterior(rows, belief, 0, without=0)
    if real is None or without is None or rows[reality][0] != 1 or distance(real, without) <= goal:
        return None
    says = (
        f"`(0, {smallest_delta(rows, Fraction(1))})-DP`; if the database is {''.join(map(str, reality))}, the output "
        f"is yes with probability 1 and the posteriors differ by `{distance(real, without)} > {goal}`"
    )
    return {"says": says, "mechanism": json_rows(rows), "belief": json_belief(belief)}


def _too_private(rng: Random) -> Witness:
    """The family at random parameters; a witness if it does not move the belief enough, or is less private."""
    n, goal = rng.randint(2, 4), Fraction(rng.randint(0, 19), 20)
    d = Fraction(str(number(_D, n=n, goal=goal)))
    kappa, p = (Fraction(str(number(text, goal=goal, d=d))) for text in (_KAPPA, _BELIEF))
    if smallest_delta(_threshold(n, kappa), Fraction(1)) == d and _oblivious(n, kappa, p, goal) is not None:
        return None
    return {"says": f"`n = {n}`, goal = {goal}: not moved far enough", "mechanism": json_rows(_threshold(n, kappa))}


def _without_first(rng: Random) -> Witness:
    n = rng.randint(1, 3)
    rows, half = random_rows(rng, n), Fraction(1, 2)
    one, zero = (1,) + (0,) * (n - 1), (0,) * n
    for t in range(3):
        found = posterior(rows, {one: half, zero: half}, t, without=0)
        if found is not None and found[one] != half:
            return {"says": f"posterior {found[one]}", "mechanism": json_rows(rows)}
    return None


def _strictly(better: str, printed: str, deltas: tuple[str, str], *domain: str) -> Proposition:
    """That the better bound is smaller than the printed one, each with its own delta2."""
    own, other = deltas
    return comparison("better < printed", *domain, better=put(better, delta2=own), printed=put(printed, delta2=other))


# In units of s the function moves by at most one, and the noise has the scale 1/eps.
_LAPLACE = proposition("laplace(1/eps) satisfies DP(eps)")
_TWO, _ONE = (MIXED_BETTER, MIXED), ("delta1", "delta1")
_DELTAS = ("delta in (0, 1]", "delta1 in (0, 1]", _N, _EPS)
# With delta = 0, where delta2 is delta1.
_ALONE = put(_BETTER_LEVEL, delta2="delta1"), put(_BETTER_FAILURE, delta2="delta1")

CLAIMS = (
    _claim(
        "thm4.2",
        "Thm 4.2",
        f"`b[E]>=1-delta1` => `({_LEVEL}, {_FAILURE})`-local SP if `eps>sqrt(n*delta2)`, `delta2={MIXED}`",
        reading="the printed proof uses the Conditioning Lemma, which is false; the theorem follows without it",
        words=(
            "given the output, the law of `x` is `b_0` and `b_i`: they differ by at most `tanh(eps/2) + eta` but for a "
            "mass of `(1 + exp(-eps)) delta2/eta`, and by at most `tanh(eps/2)` if `delta2 = 0`; `eta = sqrt(n "
            "delta2)`, and the bad outputs of the `n` records add up; for `eta > 1` the failure exceeds one"
        ),
        proof=_semantic(
            _LEVEL, _FAILURE, mixed_pairs(MIXED), partial(_local, _LEVEL, _FAILURE, MIXED, condition=_CONDITION)
        ),
        better=Form(
            f"`({_BETTER_LEVEL}, {_BETTER_FAILURE})`-local SP with `delta2={MIXED_BETTER}`, without the "
            "condition on `eps`",
            every(
                _semantic(
                    _BETTER_LEVEL, _BETTER_FAILURE, mixed_pairs(MIXED_BETTER),
                    partial(_local, _BETTER_LEVEL, _BETTER_FAILURE, MIXED_BETTER),
                ),
                _strictly(_BETTER_LEVEL, _LEVEL, _TWO, *_DELTAS),
                _strictly(_BETTER_FAILURE, _FAILURE, _TWO, *_DELTAS),
            ),
        ),
    ),
    _claim(
        "thm4.2-part4-use",
        "Proof of Thm 4.2",
        f"`(x,A(x)),(x,A_i(x))` are `(eps,{MIXED})-indist`",
        words=(
            "the pairs' largest `P(S) - exp(eps) Q(S)` is a mean: at most `delta` outside a mass of `delta1`, one on it"
        ),
        proof=mixed_pairs(MIXED),
        better=Form(
            f"`(x,A(x)),(x,A_i(x))` are `(eps,{MIXED_BETTER})-indist`",
            every(
                mixed_pairs(MIXED_BETTER),
                comparison(
                    "better < mixed", "delta in (0, 1]", "delta1 in (0, 1]", better=MIXED_BETTER, mixed=MIXED
                ),
                Example("the better bound is attained", _part_of_rows),
            ),
        ),
    ),
    _claim(
        "cor4.4",
        "Cor 4.4",
        "`f+Lap(s/eps)` with `b[LS_f<=s]>=1-delta1` is `(exp(3*eps)-1+sqrt(n*delta1),4*sqrt(n*delta1))`-local SP "
        "if `eps>sqrt(n*delta1)`",
        reading="densities in the place of probabilities; `s > 0`",
        argued="the outputs are real numbers, and densities take the place of probabilities in words",
        proof=Argument(
            ("games", "tail"),
            (_semantic(
                _LEVEL, _FAILURE, every(_LAPLACE, mixed_pairs(MIXED)),
                partial(_noisy, _LEVEL, _FAILURE, condition=_CONDITION),
            ),),
            ("Theorem 4.2 with `delta = 0`, for densities in the place of probabilities",),
        ),
        better=Form(
            f"`({to_text(_ALONE[0])}, {to_text(_ALONE[1])})`-local SP without the condition on `eps`",
            every(
                _semantic(
                    _BETTER_LEVEL, _BETTER_FAILURE, every(_LAPLACE, mixed_pairs(MIXED)),
                    partial(_noisy, _BETTER_LEVEL, _BETTER_FAILURE),
                ),
                _strictly(_BETTER_LEVEL, _LEVEL, _ONE, *_DELTAS[1:]),
                _strictly(_BETTER_FAILURE, _FAILURE, _ONE, *_DELTAS[1:]),
            ),
        ),
    ),
    _claim(
        "cor4.4-laplace-indist",
        "Proof of Cor 4.4",
        "`LS_f(x)<=s => A(x),A(x_-i)` are `(eps,0)-indist`",
        words="in units of `s` the function moves by at most one, and the noise has the scale `1/eps`",
        proof=_LAPLACE,
        # f(x_-i) = f(x) - s and the event that the output is at least f(x): 1/2 against exp(-eps)/2.
        sharp=comparison("1/2 >= exp(eps)*(exp(-s*eps/s)/2)", "s in (0, oo)", _EPS),
    ),
    _claim(
        "thmA.2",
        "Thm A.2",
        "`(eps,delta)-DP` does not imply reality-oblivious `(eps',delta')-SP` for reasonable `eps',delta'`",
        reading="for every `delta > 0`, `eps' < 1` and `delta' < 1` some mechanism is `(0,delta)-DP` and fails; with "
        "two outputs in the place of Gaussian noise",
        # Yes with probability kappa + |x| d: neighbours differ by d < 1/n, the database 1...1 gives yes with
        # probability one. Belief p on 10...0, else 0...0: it stays p in Game 1, and moves by more than eps' in Game 0.
        words=(
            "yes with probability `kappa + |x| d`, `kappa + n d = 1`: `(0, d)-DP` with `d < 1/n`; the "
            "database 1...1 gives yes with probability 1; belief `p` on 10...0, else 0...0: in Game 1 nothing "
            "is learned, in Game 0 the posterior moves by more than the goal `eps'`"
        ),
        proof=every(Attacked(
            every(
                comparison("(kappa + (k+1)*d) - (kappa + k*d) == d", "k in [0, oo)", "d in (0, 1]", "kappa in (0, 1]"),
                comparison(
                    "q - p > goal", *_GOALS, **_AT_D, q=put(belief_in(("p", "1-p"), ("kappa + d", "kappa")), **_AT_D)
                ),
                comparison(
                    "q == p", "p in (0, 1)", "kappa in (0, 1]", q=belief_in(("p", "1-p"), ("kappa", "kappa"))
                ),
                comparison("kappa + n*d == 1", *_GOALS, **_AT_D),
                comparison("0 < d < 1/n", *_GOALS, d=_D),
            ),
            _too_private,
            principles=("bayes", "games"),
        ), Example("three records", lambda: _oblivious(3, Fraction(1, 1000), Fraction(1, 10), Fraction(4, 5)))),
    ),
    _claim(
        "thmA.2-ratio-algebra",
        "Proof of Thm A.2, display",
        f"`{_ALGEBRA}`",
        reading="the identity; with variance `sigma**2` the denominators should be `2*sigma**2`",
        proof=comparison(_ALGEBRA, "sigma in (0, oo)"),
    ),
    _claim(
        "thmA.2-game1",
        "Proof of Thm A.2",
        "on `x_-1` the posterior stays uniform over `{(0^n),(1,0^{n-1})}`",
        reading="where the posterior is defined",
        words="without record 1 the two databases are the same one, so both have the same likelihood `u`",
        proof=Attacked(
            comparison("q == 1/2", "u in (0, 1]", q=belief_in(("1/2", "1/2"), ("u", "u"))),
            _without_first,
            principles=("bayes",),
        ),
    ),
)  # fmt: skip
