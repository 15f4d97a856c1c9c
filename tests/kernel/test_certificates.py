"""Certificates cannot be bent: whatever the checker accepts after a change is true, decided without the kernel."""

from __future__ import annotations

import copy
import itertools
import json
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import flint
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symprivacy.errors import CertificateError
from symprivacy.kernel.rules import _RULES as RULES
from symprivacy.language.certificates import check, translated
from symprivacy.language.domain import box_from_json
from symprivacy.language.text import parse
from symprivacy.search.prove import search
from tests.kernel.arb import UndefinedError, UnresolvedError, Value, ball, sign, value
from tests.kernel.forms import OLD, changed, spelled
from tests.kernel.strategies import FIXED

Json = dict[str, Any]

HALF_OPEN = ["0", "oo", True, True]
REAL = ["-oo", "oo", True, True]
UNIT = ["0", "1", False, False]
# A true statement and changes of it that make it false (or undefined somewhere).
STATEMENTS: list[tuple[str, str, str, Json, list[Json]]] = [
    (
        "1/2 - 1/(exp(e) + 1)",
        ">",
        "e/6",
        {"e": ["0", "27/20", True, False]},
        [
            {"domain": {"e": ["0", "13/5", True, False]}},
            {"domain": {"e": ["0", "27/20", False, False]}},
            {"domain": {"e": ["-1", "27/20", True, False]}},
            {"rhs": "e/4"},
            {"rhs": "e/6 + 1/10**12"},
            {"rel": "<"},
            {"rel": "=="},
        ],
    ),
    ("exp(x)", ">=", "E*x", {"x": REAL}, [{"rel": ">"}, {"rhs": "E*x + 1/10**9"}, {"rel": "<="}, {"rhs": "3*x"}]),
    (
        "Max(0, 1 - exp(x - 2))",
        "<=",
        "Max(0, 2 - x)",
        {"x": ["0", "5", False, False]},
        [{"rel": "<"}, {"rhs": "Max(0, 2 - x) - 1/10**6"}, {"lhs": "Max(1/10**6, 1 - exp(x - 2))"}, {"rel": ">="}],
    ),
    ("Abs(x) + Abs(1 - x)", ">=", "1", {"x": REAL}, [{"rel": ">"}, {"rhs": "1 + 1/10**9"}, {"lhs": "Abs(x) + x"}]),
    (
        "Piecewise((0, x < 1/3), (1, True))",
        "<",
        "1",
        {"x": ["0", "1/3", False, True]},
        [
            {"domain": {"x": ["0", "1/3", False, False]}},
            {"lhs": "Piecewise((0, x < 1/4), (1, True))"},
            {"lhs": "Piecewise((0, x < 1/4), (1/2, x > 1/4))"},
            {"rhs": "0"},
        ],
    ),
    ("x**4 - 2*x**2 + 1", ">=", "0", {"x": ["-3", "3", False, False]}, [{"rel": ">"}, {"rhs": "1/10**9"}]),
    (
        "log(x)",
        "<=",
        "x - 1",
        {"x": HALF_OPEN},
        [{"rel": "<"}, {"domain": {"x": ["0", "oo", False, True]}}, {"domain": {"x": REAL}}, {"lhs": "2*log(x)"}],
    ),
    (
        "x/(1 + x)",
        "<",
        "1",
        {"x": ["0", "oo", False, True]},
        [{"rhs": "999/1000"}, {"domain": {"x": ["-2", "oo", False, True]}}, {"domain": {"x": REAL}}, {"rel": ">"}],
    ),
    ("x**pi", "<=", "x**3", {"x": UNIT}, [{"domain": {"x": ["0", "2", False, False]}}, {"rel": "<"}, {"lhs": "x**2"}]),
    (
        "p*(1 - p)*q*(1 - q)",
        "<=",
        "1/16",
        {"p": UNIT, "q": UNIT},
        [{"rel": "<"}, {"rhs": "1/17"}, {"domain": {"p": ["0", "2", False, False], "q": ["-1", "1", False, False]}}],
    ),
    (
        "exp(e)*p/(1 + (exp(e) - 1)*p)",
        "<=",
        "Min(exp(e)*p, (exp(e) - 1 + p)/exp(e))",
        {"p": UNIT, "e": ["0", "10", False, False]},
        [{"rel": "<"}, {"rel": "=="}, {"domain": {"p": UNIT, "e": ["-1", "10", False, False]}}],
    ),
    ("1/sqrt(exp(x) - 1 - x)", ">", "0", {"x": HALF_OPEN}, [{"domain": {"x": REAL}}, {"rhs": "1"}, {"rel": "<="}]),
    ("erfc(x) + erfc(-x)", "==", "2", {"x": REAL}, [{"rhs": "1"}, {"lhs": "erfc(x) + erfc(x)"}, {"rel": ">"}]),
    ("x**2 + y**2 - 2*x*y", ">=", "-1/10**13", {"x": UNIT, "y": UNIT}, [{"rhs": "1/10**13"}, {"lhs": "x**2 - 2*x*y"}]),
    ("sqrt(x)", "<=", "(1 + x)/2", {"x": ["0", "oo", False, True]}, [{"rel": "<"}, {"domain": {"x": REAL}}]),
    ("log(1 + 1/x)", ">=", "1/(x + 1)", {"x": ["1", "oo", False, True]}, [{"lhs": "log(1 + 1/x)/2"}, {"rel": "<"}]),
    ("x**x", ">=", "exp(x - 1)", {"x": ["0", "oo", True, True]}, [{"rel": ">"}, {"rhs": "exp(x - 1) + 1/10**9"}]),
    ("log((1 - exp(-x))/x)", ">", "-x", {"x": ["0", "oo", True, True]}, [{"rhs": "-x/3"}, {"rel": "<"}]),
]
KEYS = [f"{lhs} {rel} {rhs}" for lhs, rel, rhs, _, _ in STATEMENTS]


@cache
def _found(index: int) -> str:
    lhs, rel, rhs, domain, _ = STATEMENTS[index]
    box = box_from_json(domain)
    certificate, why = search(parse(lhs), rel, parse(rhs), box, 20)
    assert certificate is not None, why
    assert certificate["verdict"] == "proved"
    return json.dumps(certificate)


def certificate_of(index: int) -> Json:
    """A fresh copy of the certificate of one of the statements."""
    return dict(json.loads(_found(index)))


# Truth by sampling: it finds the falsehood of every false statement above, and never blames a true one.


def _sample(lo: str, hi: str, lo_open: bool, hi_open: bool) -> list[Fraction]:
    low = None if lo == "-oo" else _rational(lo)
    high = None if hi == "oo" else _rational(hi)
    if low is None or high is None:
        start = low if low is not None else high if high is not None else Fraction(0)
        way = -1 if high is not None else 1
        steps = [Fraction(n, 4) for n in range(13)] + [
            Fraction(1, 10**9),
            Fraction(1, 10**4),
            Fraction(50),
            Fraction(2000),
        ]
        found = [start + way * s for s in steps]
        if low is None and high is None:
            found += [-v for v in found]
    else:
        shares = [Fraction(n, 12) for n in range(13)] + [Fraction(1, 10**12), 1 - Fraction(1, 10**9), Fraction(1, 1000)]
        found = [low + (high - low) * s for s in shares]
    return [v for v in found if not ((lo_open and v == low) or (hi_open and v == high))]


def _rational(text: str) -> Fraction:
    v = value(parse(text), {})
    return v if isinstance(v, Fraction) else Fraction(str(ball(v).mid().str(40, radius=False)))


def _sign_or_tiny(v: Value) -> int:
    """The sign; a ball around 0 that is narrower than any gap of these statements counts as 0."""
    if isinstance(v, flint.arb) and v.contains(0) and v.rad() < flint.arb("1e-100"):
        return 0
    return sign(v)


@cache
def counterexample(lhs: str, rel: str, rhs: str, domain: str) -> dict[str, Fraction] | None:
    """A point of a sample at which the statement fails or has no value."""
    box = json.loads(domain)
    gap = parse(f"({lhs}) - ({rhs})")
    grids = [_sample(*entry) for entry in box.values()]
    for numbers in itertools.product(*grids):
        at = dict(zip(box, numbers, strict=True))
        try:
            s = _sign_or_tiny(value(gap, at, 600))
        except UndefinedError:
            return at
        except UnresolvedError:
            continue
        if not {">": s > 0, ">=": s >= 0, "<": s < 0, "<=": s <= 0, "==": s == 0}[rel]:
            return at
    return None


def _refute(certificate: Json) -> dict[str, Fraction] | None:
    certificate = spelled(certificate)
    return counterexample(*(certificate[k] for k in ("lhs", "rel", "rhs")), json.dumps(certificate["domain"]))


def accepted(certificate: Json) -> bool:
    """Whether the checker accepts; anything but CertificateError is a failure of the test."""
    try:
        check(certificate, "mpmath")
    except CertificateError:
        return False
    return True


# Changes of plain JSON.


def changes(node: Any, key: str = "") -> Iterator[Any]:
    """The node with one thing changed, in many ways."""
    if isinstance(node, dict):
        for k in node:
            yield {n: v for n, v in node.items() if n != k}
            for changed in changes(node[k], k):
                yield {**node, k: changed}
        if "by" in node:
            for rule in RULES:
                if rule != node["by"]:
                    yield {**node, "by": rule}
    elif isinstance(node, list):
        for i, v in enumerate(node):
            yield node[:i] + node[i + 1 :]
            for changed in changes(v, key):
                yield [*node[:i], changed, *node[i + 1 :]]
        if len(node) > 1:
            yield node[::-1]
    elif isinstance(node, bool):
        yield not node
        yield int(node)
    elif isinstance(node, int):
        yield from (node + 1, node - 1, -node, 0, 10 * node, float(node), str(node), None, ["/", node, 7])
    elif isinstance(node, str) and key != "by":
        yield from _text_changes(node, key)


def _text_changes(text: str, key: str) -> Iterator[Any]:
    if key == "rel":
        yield from ({">", ">=", "<", "<=", "=="} - {text})
        return
    if key in ("end", "side", "open", "strict"):
        yield from ({"lo", "hi", "low", "high", "", "face", "slope"} - {text})
        return
    # An operation becomes another, a variable a number or an expression.
    yield from ({"+", "*", "^", "exp", "log", "min", "abs", "/"} - {text})
    yield from (0, ["*", -1, text], ["+", text, ["/", 1, 1000]], ["pi"], "z", "")


def _thinned(items: list[Any], count: int) -> list[Any]:
    return items[:: 1 + len(items) // count]


@pytest.mark.parametrize("index", range(len(STATEMENTS)), ids=KEYS)
def test_the_certificate_is_accepted(index: int) -> None:
    """The statement has a certificate, which survives being written to JSON and read again."""
    certificate = certificate_of(index)
    assert check(certificate) == "proved"
    assert _refute(certificate) is None


def test_every_rule_is_exercised() -> None:
    """Together the certificates use every rule of the checker but those that have tests of their own."""
    text = " ".join(_found(i) for i in range(len(STATEMENTS)))
    used = {rule for rule in RULES if f'"by": "{rule}"' in text}
    assert used >= set(RULES) - {
        "fix",
        "sum",
        "sign",
        "given",
        "squares",
        "increasing",
        "taylor",
        "rising",
        "concave",
        "put",
        "instance",
    }


@pytest.mark.parametrize("index", range(len(STATEMENTS)), ids=KEYS)
def test_a_false_statement_is_not_proved_by_the_proof_of_a_true_one(index: int) -> None:
    """Moved or closed end points, widened domains, swapped relations and changed constants are rejected."""
    for change in STATEMENTS[index][4]:
        forged = changed(certificate_of(index), change)
        assert _refute(forged) is not None, f"the sample does not see that {change} makes it false"
        assert not accepted(forged), change
        if forged["rel"] == "==" or STATEMENTS[index][1] == "==":
            for proof in certificate_of(index)["proofs"]:
                assert not accepted({**forged, "proofs": [proof, proof]})
                assert not accepted({**forged, "proofs": [proof]})


@pytest.mark.parametrize("index", range(len(STATEMENTS)), ids=KEYS)
def test_a_changed_certificate_states_something_true(index: int) -> None:
    """Every single change that the checker accepts leaves a statement that is true on a dense sample."""
    certificate = certificate_of(index)
    for other in _thinned(list(changes(certificate)), 500):
        if accepted(other):
            at = _refute(other)
            assert at is None, f"{other} is accepted but false at {at}"


@pytest.mark.parametrize("index", range(len(STATEMENTS)), ids=KEYS)
def test_no_changed_proof_proves_a_false_statement(index: int) -> None:
    """No single change of the proof makes it a proof of a false neighbour of the statement."""
    certificate = certificate_of(index)
    proofs = _thinned(list(changes(certificate["proofs"])), 200)
    for change in STATEMENTS[index][4][:3]:
        for proof in proofs:
            forged = {**changed(certificate, change), "proofs": proof}
            assert not accepted(forged), forged


@st.composite
def forgeries(draw: st.DrawFn) -> Json:
    """A false statement with a proof that was pieced together from proofs of true ones."""
    index = draw(st.integers(0, len(STATEMENTS) - 1))
    certificate = changed(certificate_of(index), draw(st.sampled_from(STATEMENTS[index][4])))
    donors = [p for i in (index, draw(st.integers(0, len(STATEMENTS) - 1))) for p in _subproofs(certificate_of(i))]
    for _ in range(draw(st.integers(1, 3))):
        certificate = copy.deepcopy(certificate)
        holes = list(_subproofs(certificate))
        hole, donor = draw(st.sampled_from(holes)), draw(st.sampled_from(donors))
        kept = {k: v for k, v in hole.items() if draw(st.booleans()) and k != "by"}
        hole.clear()
        hole.update(copy.deepcopy(donor) | kept)
    return certificate


def _subproofs(node: Any) -> Iterator[Json]:
    if isinstance(node, dict):
        if "by" in node:
            yield node
        for v in node.values():
            yield from _subproofs(v)
    elif isinstance(node, list):
        for v in node:
            yield from _subproofs(v)


@given(forgeries())
@settings(FIXED, max_examples=300)
def test_pieced_together_proofs_of_false_statements_are_rejected(forged: Json) -> None:
    """Swapping whole parts of proofs never proves a false statement."""
    assert not accepted(forged)


REFUTED: list[tuple[str, str, str, Json, Json]] = [
    ("x**2", ">", "2*x - 1", {"x": ["0", "2", False, False]}, {"x": "1"}),
    ("exp(x)", "<", "x + 2", {"x": ["0", "2", False, False]}, {"x": "2"}),
    ("(x - log(2))**2", ">", "0", {"x": ["0", "1", False, False]}, {"x": "log(2)"}),
    ("x*y", "<=", "1", {"x": ["0", "oo", True, True], "y": ["0", "oo", True, True]}, {"x": "2", "y": "2/3"}),
    ("Piecewise((x, x < 1), (0, True))", ">", "0", {"x": ["0", "1", True, False]}, {"x": "1"}),
    ("sqrt(x)", "==", "x", {"x": ["0", "1", False, False]}, {"x": "1/4"}),
]


@pytest.mark.parametrize(("lhs", "rel", "rhs", "domain", "at"), REFUTED)
def test_a_changed_refutation_is_a_refutation(lhs: str, rel: str, rhs: str, domain: Json, at: Json) -> None:
    """A counterexample that was changed is accepted only if it lies in the domain and the statement fails there."""
    certificate = {"format": OLD, "lhs": lhs, "rel": rel, "rhs": rhs, "domain": domain}
    certificate |= {"verdict": "refuted", "at": at}
    assert check(certificate) == "refuted"
    for other in changes(dict(translated(certificate))):
        if accepted(other):
            _assert_fails(spelled(other))


def _assert_fails(certificate: Json) -> None:
    point = {n: value(parse(v), {}) for n, v in certificate["at"].items()}
    for name, (lo, hi, lo_open, hi_open) in certificate["domain"].items():
        for text, is_open, way in ((lo, lo_open, 1), (hi, hi_open, -1)):
            if text not in ("oo", "-oo"):
                gap = parse(f"({certificate['at'][name]}) - ({text})")
                assert way * sign(value(gap, {})) >= (1 if is_open else 0)
    # An irrational point is written into the expression; the sign of a zero is then settled by being tiny.
    text = f"({certificate['lhs']}) - ({certificate['rhs']})"
    for name, v in certificate["at"].items():
        text = re.sub(rf"\b{name}\b(?!\()", f"({v})", text)
    s, rel = _sign_or_tiny(value(parse(text), {}, 600)), certificate["rel"]
    assert not {">": s > 0, ">=": s >= 0, "<": s < 0, "<=": s <= 0, "==": s == 0}[rel], (certificate, point)


@pytest.mark.parametrize("end", ["", "-1", 0, None, {}, ["hi"], True])
def test_an_end_is_one_of_two_words(end: object) -> None:
    """What is not understood is refused, not read as the lower end."""
    proof = {"by": "slope", "var": "x", "end": "lo", "strict": "slope", "face": {"by": "box"}, "slope": {"by": "box"}}
    certificate = {"format": OLD, "lhs": "exp(x)", "rel": ">", "rhs": "x + 1", "verdict": "proved",
                   "domain": {"x": ["0", "5", True, False]}, "proofs": [proof]}  # fmt: skip
    assert check(certificate) == "proved"
    with pytest.raises(CertificateError):
        check({**certificate, "proofs": [{**proof, "end": end}]})
