"""Desfontaines and Pejo, SoK: Differential Privacies, section 6: limited background knowledge.

theta is a law of the dataset (x_1, ..., x_n), for the partial knowledge variants of the dataset and the knowledge B.
Conditions on values of probability zero are empty (Definition 29), and eps-DP is its bounded form: one record changes.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

from symprivacy.claims.argument import Attacked, Counterexample, Witness
from symprivacy.claims.comparison import put
from symprivacy.claims.finite_sums import setting
from symprivacy.claims.instances import Ratio, conditional, contradicts, log, mixed, random_rows, shown, spread
from symprivacy.claims.laws import hockey_stick, random_growth
from symprivacy.claims.outcome import Fails, every, needs
from symprivacy.claims.papers.closure import SAME_LAW
from symprivacy.claims.papers.li13 import ROWS
from symprivacy.claims.papers.sok22_loss import LOSS_ABOVE, NO_LOSS
from symprivacy.claims.record import claims_of
from symprivacy.claims.sum_proofs import Step, Sums
from symprivacy.mechanisms.random import random_law

_claim = claims_of("sok22")

Data = tuple[str, ...]
Theta = dict[Data, Fraction]
Rows = dict[Data, list[Fraction]]
_VALUES, _N = "ab", 2
_TUPLES: list[Data] = list(product(_VALUES, repeat=_N))
_NOISELESS = "eps"


def _moved(weights: Theta, index: int, value: str) -> Theta:
    """The law after record ``index`` is set to a value."""
    found: Theta = {}
    for data, p in weights.items():
        changed = (*data[:index], value, *data[index + 1 :])
        found[changed] = found.get(changed, Fraction(0)) + p
    return found


def noiseless(theta: Theta, rows: Rows) -> Ratio:
    """exp of the level of noiseless privacy: laws of the output given two values of a record."""
    worst: Ratio = Fraction(1)
    for index in range(_N):
        laws = [mixed(given, rows) for value in _VALUES if (given := conditional(theta, index, value))]
        worst = max(worst, spread(laws, [(a, b) for a in range(len(laws)) for b in range(a)]))
    return worst


def causal(theta: Theta, rows: Rows) -> Ratio:
    """exp of the level of causal DP: the record is changed after the data were drawn."""
    worst: Ratio = Fraction(1)
    for index in range(_N):
        for value in _VALUES:
            given = conditional(theta, index, value)
            for other in _VALUES if given else "":
                laws = [mixed(given, rows), mixed(_moved(given, index, other), rows)]
                worst = max(worst, spread(laws, [(0, 1)]))
    return worst


def bounded(rows: Rows) -> Ratio:
    """exp of the level of bounded DP."""
    pairs = [
        (one, other)
        for one, other in product(_TUPLES, repeat=2)
        if sum(s != t for s, t in zip(one, other, strict=True)) == 1
    ]
    return max(spread([rows[one], rows[other]], [(0, 1)]) for one, other in pairs)


def _random_rows(rng: Random, zeros: bool = False) -> Rows:
    return dict(zip(_TUPLES, random_rows(rng, len(_TUPLES), zeros=zeros), strict=True))


def _independent(rng: Random) -> Witness:
    parts = [dict(zip(_VALUES, random_law(rng, 2), strict=True)) for _ in range(_N)]
    theta: Theta = {(s, t): parts[0][s] * parts[1][t] for s, t in _TUPLES}
    rows = _random_rows(rng, zeros=rng.random() < 0.3)
    one, other = noiseless(theta, rows), causal(theta, rows)
    return None if one == other else {"says": f"NPr ratio {one}, CausDP ratio {other}", "laws": shown(*rows.values())}


def _any_law(rng: Random) -> Witness:
    """A correlated law against DP; and all laws on a dataset and its neighbour together."""
    rows = _random_rows(rng)
    theta = dict(zip(_TUPLES, random_law(rng, len(_TUPLES), zeros=True), strict=True))
    plain, found = bounded(rows), causal(theta, rows)
    if found > plain:
        return {"says": f"CausDP ratio {found}, DP ratio {plain}", "laws": shown(*rows.values())}
    half = Fraction(1, 2)
    changes = [(data, i, v) for data in _TUPLES for i in range(_N) for v in _VALUES if data[i] != v]
    laws: list[Theta] = [{data: half, **_moved({data: half}, i, v)} for data, i, v in changes]
    together = max(causal(law, rows) for law in laws)
    return None if together == plain else {"says": f"CausDP ratio {together} over two-point laws, DP {plain}"}


def _correlated() -> Witness:
    """Two equal bits; the output depends on their sum."""
    by_sum = [[Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 4), Fraction(3, 4)], [Fraction(1, 8), Fraction(7, 8)]]
    rows = {data: by_sum[data.count("b")] for data in _TUPLES}
    theta: Theta = {("a", "a"): Fraction(1, 2), ("b", "b"): Fraction(1, 2)}
    plain, found = bounded(rows), noiseless(theta, rows)
    if not contradicts("r <= exp(b)", r=Fraction(found), b=put(_NOISELESS, eps=log(Fraction(plain)))):
        return None
    return {"says": f"two equal records, uniform: DP ratio {plain}, but given a record the ratio is {found}",
            "mechanism": {"inputs": ["".join(d) for d in _TUPLES], "matrix": shown(*rows.values())},
            "prior": {"aa": "1/2", "bb": "1/2"}}  # fmt: skip


def partial(theta: Theta, rows: Rows, growth: Fraction) -> tuple[Fraction, Fraction]:
    """The smallest delta of active and of passive partial knowledge DP; the last entry of a key is B."""
    active = passive = Fraction(0)
    for index, value, other in product(range(_N), _VALUES, _VALUES):
        given = conditional(theta, index, value)
        mean = Fraction(0)
        for known in sorted({key[-1] for key in given}):
            here = conditional(given, _N, known)
            there = conditional(conditional(theta, index, other), _N, known)
            # The loss is 0 where the knowledge excludes the other value.
            excess = hockey_stick(_output(here, rows), _output(there, rows), growth) if there else Fraction(0)
            active = max(active, excess)
            mean += excess * sum((p for key, p in given.items() if key[-1] == known), Fraction(0))
        passive = max(passive, mean)
    return active, passive


def _output(weights: Theta, rows: Rows) -> list[Fraction]:
    data: Theta = {}
    for key, p in weights.items():
        data[key[:_N]] = data.get(key[:_N], Fraction(0)) + p
    return mixed(data, rows)


def _with_knowledge(rng: Random) -> Theta:
    keys = [(*data, known) for data in _TUPLES for known in "01"]
    return dict(zip(keys, random_law(rng, len(keys), zeros=True), strict=True))


def _passive(rng: Random) -> Witness:
    theta, rows = _with_knowledge(rng), _random_rows(rng, zeros=True)
    active, passive = partial(theta, rows, random_growth(rng))
    if passive > active:
        return {"says": f"passive {passive} above active {active}", "laws": shown(*rows.values())}
    return None


def _rarely_known() -> Witness:
    """B = x2 and M = x1 if x2 = b, else a: the passive delta is P[x2 = b], the active one is 1 at every eps."""
    first, second = [Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]
    rows = {data: second if data == ("b", "b") else first for data in _TUPLES}
    for share, growth in product((Fraction(1, 4), Fraction(1, 1000)), (Fraction(2), Fraction(10**6))):
        theta: Theta = {(s, t, t): Fraction(1, 2) * (share if t == "b" else 1 - share) for s, t in _TUPLES}
        if partial(theta, rows, growth) != (Fraction(1), share):
            return None
    return {"says": "`x1` a fair coin, `P[x2 = b] = s`, `B = x2`, `M = x1` if `x2 = b`, else a: `(eps, s)-PPKDP` for "
    "every `eps`, but the `delta` of APKDP is 1 for every `eps`; `s` may be as small as one likes",
            "mechanism": {"inputs": ["".join(d) for d in _TUPLES], "matrix": shown(*rows.values())}}  # fmt: skip


def _no_knowledge(rng: Random) -> Witness:
    """B constant: delta = 0 exactly if noiseless privacy holds; B not constant: for every value of B."""
    rows, growth = _random_rows(rng), random_growth(rng)
    plain = dict(zip(_TUPLES, random_law(rng, len(_TUPLES)), strict=True))
    constant = {(*data, "0"): p for data, p in plain.items()}
    found = partial(constant, rows, growth)
    if (noiseless(plain, rows) <= growth) != (found[0] == 0) or (found[0] == 0) != (found[1] == 0):
        return {
            "says": f"NPr ratio {noiseless(plain, rows)} at {growth}, deltas {found}",
            "laws": shown(*rows.values()),
        }
    theta = _with_knowledge(rng)
    parts = [{key[:_N]: p for key, p in conditional(theta, _N, known).items()} for known in "01"]
    private = all(noiseless(part, rows) <= growth for part in parts if part)
    if private != (partial(theta, rows, growth)[0] == 0):
        return {"says": f"NPr given every `B` is {private}", "laws": shown(*rows.values())}
    return None


CLAIMS = (
    _claim(
        "npr-caus-indep",
        "Sec 6.2",
        "records independent: CausDP equivalent to NPr",
        reading="identical with the same `eps`; values `t`, `t'` of positive probability",
        # w is the law of the other records and p the probability of the value: given the value it is w again, and
        # CausDP averages under w as well.
        words="the law of the other records does not depend on the value of record `i`",
        proof=Attacked(
            Sums(
                setting("w u: z", "p in (0, 1]", "x in [0, 1]"),
                {"given": "sum[z] (p*w)/p*u == x"},
                {"moved": Step("sum[z] w*u == x", {"given": "1"})},
                ("independence",),
            ),
            _independent,
        ),
    ),
    _claim(
        "dp-caus",
        "Table 3",
        "`(Theta,eps)-CausDP` extends and is weaker than `eps-DP`",
        reading="`eps-DP` for the change that the definition itself makes: in Definition 28 one record is replaced",
        words=(
            "both sides are means over the same law of the other records, so `eps-DP` implies it with the "
            "same `eps`; with `Theta` all laws on a dataset and a neighbour it is `eps-DP`"
        ),
        proof=Attacked(needs(SAME_LAW, ROWS), _any_law, 15),
    ),
    _claim(
        "npr-dp-corr",
        "Sec 6.1-6.2",
        f"`eps-DP => (Theta,{_NOISELESS})-NPr`",
        reading="`eps-DP` for a replaced record; for every family `Theta`, so also for correlated records",
        proof=Counterexample(f"`eps-DP => (Theta,{_NOISELESS})-NPr` for every `Theta`", _correlated),
    ),
    _claim(
        "apk-ppk",
        "Sec 6.3, Table 3",
        "APKDP stronger than PPKDP (strictly)",
        words="the passive expectation is the mean over `B` of the active ones",
        proof=every(
            # d is the active expectation at a value of B, and w the law of B.
            Attacked(
                Sums(
                    setting("w d: B"),
                    {"active": "d <= delta", "law": "sum[B] w == 1"},
                    {"passive": Step("sum[B] w*d <= delta", {"law": "delta", "active": "w"})},
                    ("mixture",),
                ),
                _passive,
                30,
            ),
            Fails(Counterexample("PPKDP => APKDP with some `eps'` and `delta' < 1`", _rarely_known)),
        ),
    ),
    _claim(
        "npr-apk",
        "Table 3",
        "APKDP extends NPr `(delta=0)`, PPKDP extends NPr",
        reading="a constant `B` adds no knowledge",
        # With delta = 0 no output may have a loss above eps, which is NPr.
        words="`E max(0, 1 - exp(eps - L)) = 0` says that `L <= eps` almost surely, which is NPr",
        proof=Attacked(needs(*LOSS_ABOVE, *NO_LOSS), _no_knowledge, 30),
    ),
)
