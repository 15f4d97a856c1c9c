"""Every stored theorem is shown again: its rule gives it, its certificates hold, and it is about the whole range."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import mpmath
import pytest
from sympy import Integer, N, Rational, oo

from symprivacy.derivations.principles import PRINCIPLES
from symprivacy.derivations.theorems.store import check_rows, lines, needed, read
from symprivacy.derivations.theorems.theorem import RULES, Theorem
from symprivacy.errors import SymPrivacyError
from symprivacy.evidence import Evidence
from symprivacy.implications import convert
from symprivacy.implications.parameters import ATLAS, CONVERTIBLE
from symprivacy.implications.proofs import evidence_of, proof_of, settled
from symprivacy.implications.status import Status
from symprivacy.notions import get
from symprivacy.notions.registry import definition_of

KEYS = (
    "DP", "RB", "ADP", "PDP", "TV", "KL", "CHI2", "JS", "HELL2", "RDP", "ZCDP", "GDP", "LDP", "MBP", "MBPU", "SP", "MP",
    "MPP", "ABP", "ABPW", "MAXL", "PML", "LIP", "tCDP", "RDPlow", "KL[forward]", "CHI2[forward]", "RDP[forward]",
)  # fmt: skip
PAIRS = [(a, b) for a in KEYS for b in KEYS if a != b]
POINT = {
    "x": Rational(13, 10), "eps": Rational(13, 10), "eps2": Rational(7, 10), "delta": Rational(1, 7), "d": Integer(1),
    "alpha": Rational(5, 2), "p": Rational(1, 3), "m": Integer(4), "t": Rational(1, 5), "rho": Rational(1, 3),
    "mu": Rational(5, 4), "z": Rational(3, 4), "k": Rational(1, 3), "c": Rational(2, 3), "j": Rational(1, 5),
    "h": Rational(1, 5), "a": Rational(1, 5), "e": Rational(1, 2), "xi": Rational(1, 2), "w": Rational(4, 5),
    "u": Rational(1, 2), "alpha2": Rational(3, 2), "omega": Integer(3), "omega2": Integer(2), "l": Rational(1, 5),
    "m2": Integer(3),
}  # fmt: skip


# A level that is the logarithm of the variable.
SLOWLY = {("KL[forward]", "ABP"): 5}


def placed(found: Theorem) -> dict[Any, Any]:
    """A point of the ranges of a theorem: the usual one, or the middle of a range that it is not in."""
    at: dict[Any, Any] = {}
    for s in found.domain:
        low, high = (e.xreplace(at) for e in (s.lo, s.hi))
        usual = POINT[s.symbol.name]
        at[s.symbol] = usual if low < usual < high else (low + high) / 2 if high.is_finite else low + 1
    return at


def names_of(key: str) -> list[str]:
    return [*get(key).others, get(key).answers]


@pytest.fixture(scope="module")
def shown() -> Mapping[str, Theorem]:
    return check_rows(lines())


def test_every_stored_theorem_is_shown_again(shown: Mapping[str, Theorem]) -> None:
    assert shown.keys() == lines().keys()


def test_every_pair_is_settled_by_a_theorem() -> None:
    for a in ATLAS:
        for b in ATLAS:
            if a != b:
                assert proof_of(a, b)[-1]["name"] in (f"{a}~{b}", f"{a}/{b}")


def test_a_theorem_about_some_parameters_is_none_about_all() -> None:
    """A pair counts as shown whatever the parameters are only where its theorem leaves none of them out."""
    partly = {(a, b) for a, b in PAIRS if evidence_of(a, b) is not Evidence.CHECKED}
    # What depends on which order is the larger one, on the number of secrets, or on the part of a range.
    orders = {(a, b) for a in ("RDP", "RDP[forward]", "tCDP") for b in ("CHI2", "CHI2[forward]")}
    orders |= {("CHI2", "RDP"), ("CHI2", "RDP[forward]"), ("CHI2[forward]", "RDP[forward]"), ("CHI2", "tCDP")}
    parts = {("JS", "RDPlow"), ("ABP", "RDPlow"), ("RDP[forward]", "ABP")}
    secrets = {("MBPU", "SP"), ("MBPU", "MAXL"), ("ZCDP", "MAXL"), ("tCDP", "MAXL")}
    assert (orders - {("RDP[forward]", "CHI2")}) | parts | secrets == partly
    own = [a for a in CONVERTIBLE if evidence_of(a, a) is not Evidence.CHECKED]
    assert sorted(own) == ["MAXL", "MBPU", "MPP", "PDP", "RDPlow"]


def test_rules_name_registered_principles() -> None:
    known = {principle.name for principle in PRINCIPLES}
    assert {name for _, names in RULES.values() for name in names} <= known


def test_the_theorem_of_a_pair_is_about_that_pair_and_every_level(shown: Mapping[str, Theorem]) -> None:
    for a, b in PAIRS:
        for sign in ("~", "/"):
            found = shown.get(f"{a}{sign}{b}")
            if found is None or a == "MAXL":
                # Those of MAXL are those of TV.
                continue
            assert (found.premise.key, found.conclusion.key) == (a, b)
            level = found.premise.values[-1]
            span = None if a == "GDP" else definition_of(a).level
            if sign == "/":
                assert level.is_Symbol
            values = [_end(found, level, low) for low in (True, False)]
            top = oo if span is None else span.hi
            # The average over a uniform prior is at most that of a revealed secret.
            if (a, sign) == ("ABP", "~"):
                top = _end(shown["ABP~HELL2"], shown["ABP~HELL2"].premise.values[0], False)
            assert abs(values[0]) < 0.01, (a, b)
            assert values[1] > (SLOWLY.get((a, b), 40) if top == oo else float(top) - 0.01), (a, b)


def _end(t: Theorem, level: Any, low: bool) -> float:
    """The level near an end of the ranges of the variables in it, other parameters in the middle."""
    at = {}
    for s in t.domain:
        middle = placed(t)[s.symbol]
        if s.symbol.name in ("p", "m", "m2", "alpha", "alpha2", "eps2", "d", "omega", "omega2"):
            at[s.symbol] = middle
        elif low:
            start = s.lo.xreplace(at)
            at[s.symbol] = (start if start.is_finite else 0) + Rational(1, 10**6)
        else:
            at[s.symbol] = Integer(200) if s.hi == oo else s.hi - Rational(1, 10**400)
    return float(N(level.xreplace(at), 30))


@pytest.mark.parametrize(("a", "b"), PAIRS[::29], ids=str)
def test_convert_gives_the_same_level(a: str, b: str, shown: Mapping[str, Theorem]) -> None:
    """Two ways to the same number: the theorem in the variable of its law, and the formula or search of convert."""
    found = shown.get(f"{a}~{b}") or shown.get(f"{a}/{b}")
    if found is None or found.where:
        return
    at = placed(found)
    names = [names_of(key) for key in (a, b)]
    given = {n: str(N(v.xreplace(at), 30)) for n, v in zip(names[0], found.premise.values, strict=True)}
    others = found.conclusion.values if f"{a}/{b}" in shown else found.conclusion.values[:-1]
    given.update({f"{n}2": str(N(v.xreplace(at), 30)) for n, v in zip(names[1], others, strict=False)})
    answer = convert(a, {n: v.rstrip("0").rstrip(".") if "." in v else v for n, v in given.items()}, b, 12)
    if f"{a}/{b}" in shown:
        largest = settled(a, b)
        assert answer.status is (Status.TIGHT if largest.trivial else Status.IMPOSSIBLE)
        return
    level = mpmath.mpf(str(N(found.conclusion.values[-1].xreplace(at), 25)))
    assert answer.status is Status.TIGHT
    assert mpmath.mpf(answer.lo) - 1e-9 <= level <= mpmath.mpf(answer.hi) + 1e-9


FORGERIES: list[tuple[str, str, Any]] = [
    ("KL=>TV", "certificates", []),
    ("KL=>TV", "rule", "response-level"),
    ("KL=>TV", "rule", "no such rule"),
    ("DP!KL", "theorem", {"kind": "tight"}),
    ("KL~TV", "uses", ["KL=>TV", "DP!TV"]),
    ("KL~TV", "uses", ["KL=>TV"]),
    ("KL/DP", "parameters", {"source": "DP", "cases": []}),
    ("KL/DP", "parameters", None),
    ("RB=>ADP", "parameters", {"kind": "tight"}),
    ("RB=>ADP", "parameters", {"kind": "nothing"}),
    ("MBPU=>MAXL", "parameters", {"kind": "sharp"}),
    ("RB=>RDP", "certificates", []),
    ("RB=>ZCDP", "uses", ["RB!RDP"]),
    ("DP=>MAXL", "parameters", {"source": "KL"}),
    ("DP=>MAXL", "parameters", {"source": "RB"}),
    ("MAXL!JS", "uses", ["DP!JS"]),
    ("MBPU!RB", "uses", ["DP!DP"]),
    ("ZCDP!MAXL", "parameters", {"most": {"expr": "7"}}),
    ("KL!TV", "parameters", {"mapping": {"map": [["x", {"expr": "2*x"}]]}, "extra": []}),
]


@pytest.mark.parametrize(("name", "field", "forged"), FORGERIES)
def test_a_forged_step_is_refused(name: str, field: str, forged: Any) -> None:
    rows = {n: copy.deepcopy(dict(lines()[n])) for n in needed(name, lines())}
    rows[name][field] = forged
    with pytest.raises(SymPrivacyError):
        check_rows(rows)


def test_certificates_of_another_inequality_are_refused() -> None:
    rows = {n: copy.deepcopy(dict(lines()[n])) for n in needed("KL=>TV", lines())}
    rows["KL=>TV"]["certificates"] = copy.deepcopy(lines()["KL=>JS"]["certificates"])
    with pytest.raises(SymPrivacyError):
        check_rows(rows)


def test_a_theorem_does_not_use_itself() -> None:
    with pytest.raises(SymPrivacyError, match="not shown before"):
        read({**lines()["KL~TV"], "uses": ["KL~TV", "KL~TV"]}, {})


def test_a_proof_holds_everything_it_rests_on() -> None:
    assert [row["name"] for row in proof_of("KL", "HELL2")][-1] == "KL~HELL2"
    assert proof_of("KL", "SP")[-1]["theorem"]["kind"] == "nothing"
