"""Taylor around a curve, concave between two faces, another variable: what each rule must refuse and what not.

Every forged proof is of a statement that is false, or has no value somewhere, and comes as near to a valid one as a
forger can. Each checker alone must turn it down.
"""

from __future__ import annotations

from typing import Any

import pytest

from symprivacy.algebra.complete import complete
from symprivacy.errors import CertificateError
from symprivacy.kernel.box import box_to_data
from symprivacy.kernel.checker import FORMAT
from symprivacy.kernel.data import to_data
from symprivacy.language.certificates import check
from symprivacy.language.domain import box_from_texts
from symprivacy.language.text import parse, parse_statement

Json = dict[str, Any]
BOX, ZERO = {"by": "box"}, {"by": "zero"}
EVEN = {"by": "product", "coefficient": 2, "factors": [{"expr": "x", "power": 2, "sign": 0, "strict": True}]}


def claim(statement: str, domain: str, proof: Json) -> Json:
    """A certificate of a proof, with the rewrites that its identities need where there are any."""
    box = box_from_texts(domain.split("; "))
    lhs, rel, rhs = parse_statement(statement, frozenset(box))
    head = {"format": FORMAT, "lhs": to_data(lhs), "rel": rel, "rhs": to_data(rhs), "domain": box_to_data(box)}
    return complete({**head, "verdict": "proved", "proofs": [proof]})


def taylor(at: str, order: Any, known: list[Json], rest: Json = BOX, within: int = 2, **more: Any) -> Json:
    node = {"by": "taylor", "var": "x", "at": to_data(parse(at)), "order": order, "known": known, "rest": rest}
    return {**node, "within": [BOX] * within, **more}


def concave(faces: int = 2, bend: Json = BOX, **more: Any) -> Json:
    return {"by": "concave", "var": "x", "faces": [BOX] * faces, "bend": bend, **more}


def put(value: str, inverse: str, r: list[Any], proof: Json = BOX, within: int = 0, **more: Any) -> Json:
    node = {"by": "put", "var": "x", "new": "t", "value": to_data(parse(value)), "inverse": to_data(parse(inverse))}
    return {**node, "range": r, "within": [BOX] * within, "proof": proof, **more}


def instance(expr: str, value: str, r: list[Any], proof: Json = BOX, within: int = 0, **more: Any) -> Json:
    node = {"by": "instance", "new": "t", "expr": to_data(parse(expr)), "value": to_data(parse(value))}
    return {**node, "range": r, "within": [BOX] * within, "proof": proof, **more}


def rising(at: str, of: str, slope: Json = BOX, known: int = 2, within: int = 2, **more: Any) -> Json:
    node = {"by": "rising", "var": "x", "at": to_data(parse(at)), "of": to_data(parse(of)), "slope": slope}
    return {**node, "within": [BOX] * within, "known": [ZERO] * known, **more}


def squares(left: str, right: str, above: Json = BOX, proof: Json = BOX, **more: Any) -> Json:
    sides = {"left": to_data(parse(left)), "right": to_data(parse(right))}
    return {"by": "squares", **sides, "left_proof": above, "proof": proof, **more}


def increasing(of: str, left: str, right: str, scale: Any = 1, proof: Json = BOX, **more: Any) -> Json:
    sides = {"left": to_data(parse(left)), "right": to_data(parse(right)), "scale": scale}
    return {"by": "increasing", "of": of, **sides, "proof": proof, **more}


def on_two_sides(of: str, *parts: Json) -> Json:
    return {"by": "sign", "of": to_data(parse(of)), "parts": list(parts)}


def given(scale: Any = 1, index: int = -1) -> Json:
    return {"by": "given", "given": index, "scale": scale}


ABOVE = [0, None, False, True]
REAL = [None, None, True, True]
TRUE: dict[str, Json] = {
    "a square": claim("x**2 >= 0", "x in [-1, 1]", taylor("0", 2, [BOX] * 3)),
    "a square around a curve": claim("(x - y)**2 >= 0", "x in [0, 1]; y in [0, 1]", taylor("y", 2, [ZERO] * 3)),
    "order one": claim("x**2 >= 0", "x in [-1, 1]", taylor("0", 1, [BOX], EVEN)),
    "order four": claim("x**4 + x**2 >= 0", "x in [-1, 1]", taylor("0", 4, [BOX] * 6)),
    "on the line": claim("cosh(x) >= 1", "x in (-oo, oo)", taylor("0", 2, [BOX, ZERO, ZERO], within=0)),
    "concave": claim("x*(1 - x) >= 0", "x in [0, 1]", concave()),
    "linear": claim("1 - x + x*exp(y) > 0", "x in [0, 1]; y in (-oo, oo)", concave(bend=ZERO)),
    "another variable": claim("x > 0", "x in (0, oo)", put("exp(t)", "log(x)", REAL)),
    "a part of the line": claim("x > 0", "x in [1, 2]", put("exp(t)", "log(x)", [0, 1, False, False], within=2)),
}
TRUE |= {
    "given": claim("Abs(x) >= 0", "x in [-1, 1]", {"by": "cases", "of": ["abs", "x"], "parts": [given(), given()]}),
    "a multiple of what is given": claim(
        "3*Abs(x) >= 0", "x in [-1, 1]", {"by": "cases", "of": ["abs", "x"], "parts": [given(3), given(3)]}
    ),
    "an instance": claim("x**2*y**2 + 1 > 0", "x in [-1, 1]; y in [0, 1]", instance("t**2 + 1", "x*y", REAL)),
    "an instance on a range": claim(
        "exp(x*y) >= 1/3", "x in [-1, 1]; y in [0, 1]", instance("exp(t) - 1/3", "x*y", [-1, 1, False, False], within=2)
    ),
    "an instance that takes a free name again": claim(
        "x**2 >= 0",
        "x in [-1, 1]",
        instance("t", "x**2", ABOVE, {**instance("x", "t", ABOVE, within=1), "new": "x"}, within=1),
    ),
    "an instance beside the variable": claim(
        "x + x**2 >= 0", "x in [0, 1]", instance("x + t", "x**2", ABOVE, within=1)
    ),
    "rising": claim("x*sinh(x) >= 0", "x in [-1, 1]", rising("0", "sinh(x)")),
    "rising from an open end": claim("x*sinh(x) >= 0", "x in (0, 1)", rising("0", "sinh(x)")),
    "rising on a curve": claim(
        "(x - y)*(exp(x) - exp(y)) >= 0", "x in [0, 1]; y in [0, 1]", rising("y", "exp(x) - exp(y)")
    ),
    "squares": claim("2 >= x", "x in [-1, 1]", squares("2", "x")),
    "increasing": claim("1 >= x", "x in [-1, 1/2]", increasing("erf", "1", "x")),
    "strictly increasing": claim("1 > x", "x in [-1, 1/2]", increasing("tanh", "1", "x")),
    "increasing, scaled": claim("2 > 2*x", "x in [-1, 1/2]", increasing("sinh", "1", "x", ["/", 1, 2])),
    "strict squares": claim("sqrt(x) > x - 1/2", "x in [1, 5/4]", squares("sqrt(x)", "x - 1/2")),
}
# sqrt(t)**2 has no value below 0, and a condition on it holds nowhere there.
_PARTIAL: Json = ["^", ["^", "t", ["/", 1, 2]], 2]
_SAME: Json = [["root", ["^", ["^", _PARTIAL, 2], ["/", 1, 2]], "t"]]


def renamed_to_a_partial(goal: str, below: Json, proof: Json) -> Json:
    """x becomes sqrt(t)**2 under the condition sqrt(x**2) >= 0, on a range on which that has no value."""
    put = {
        "by": "put", "var": "x", "new": "t", "value": _PARTIAL, "inverse": "x", "range": below,
        "within": [BOX, BOX], "value_defined": [proof], "proof": proof,
    }  # fmt: skip
    parts = [put, {"by": "empty", "given": 0}]
    ends = ", ".join("/".join(map(str, e[1:])) if isinstance(e, list) else str(e) for e in below[:2])
    return claim(goal, f"x in [{ends}]", {"by": "sign", "of": ["^", ["^", "x", 2], ["/", 1, 2]], "parts": parts})


_NEVER: Json = {
    "by": "bound", "var": "t", "side": "lo", "given": 0, "bound": 0, "factor": 1, "factor_proof": BOX, "new": "w",
    "rewrites": _SAME, "proof": {"by": "void", "var": "t"},
}  # fmt: skip
_GIVEN: Json = {"by": "given", "given": 0, "scale": 1, "rewrites": _SAME}
FORGED: dict[str, Json] = {
    "put where the value is none, nothing left": renamed_to_a_partial("0 > 1 + 0*x", [-2, -1, False, False], _NEVER),
    "put where the value is none, as given": renamed_to_a_partial(
        "x >= 0", [-1, ["/", -1, 2], False, False], {**_GIVEN, "defined": [_GIVEN]}
    ),
    "an instance of something else": claim("x >= 0", "x in [-1, 1]", instance("t**2", "x", REAL)),
    "an instance up to sign": claim("x >= 0", "x in [-1, 1]", instance("t", "(x**2)**(1/2)", ABOVE, within=1)),
    "an instance beyond the range": claim("x >= 0", "x in [-1, 1]", instance("t", "x", ABOVE, within=1)),
    "an instance on a range nobody sees to": claim("x >= 0", "x in [-1, 1]", instance("t", "x", ABOVE)),
    "an instance above the range": claim(
        "1 - x >= 0", "x in [0, 2]", instance("1 - t", "x", [0, 1, False, False], within=2)
    ),
    "an instance at an open end": claim("x > 0", "x in [0, 1]", instance("t", "x", [0, None, True, True], within=1)),
    "an instance without a value": claim("0*log(x) >= 0", "x in [-1, 1]", instance("0*t", "log(x)", REAL)),
    "an instance of what has no value": claim("x + 0*log(x) >= 0", "x in [0, 1]", instance("t", "x", ABOVE, within=1)),
    "an instance by a variable that is taken": claim(
        "x - y >= 0", "x in [0, 1]; y in [-1, 1]", {**instance("x - x", "y", REAL, ZERO), "new": "x"}
    ),
    # The first variable is left out, so that its name is free; what was known of its range is not known of the new one.
    "an instance that takes a name again": claim(
        "x >= 0",
        "x in [-1, 1]",
        instance("t", "x", [-1, 1, False, False], {**instance("x", "t", ABOVE, within=1), "new": "x"}, within=2),
    ),
    "an instance of a name that was put away": claim(
        "x >= 0",
        "x in [-1, 1]",
        put("t", "x", [-1, 1, False, False], {**instance("x", "t", ABOVE, within=1), "new": "x"}, within=2),
    ),
    "an instance on a range that moves": claim(
        "x >= 0", "x in [-1, 1]", instance("t", "x", ["x", None, False, True], within=1)
    ),
    "an instance by a rewrite": claim(
        "x >= 0",
        "x in [-1, 1]",
        instance("t", "x**2", ABOVE, within=1, rewrites=[["same", "t", "x"]]),
    ),
    "an instance of a partial power": claim(
        "x**3 >= 0", "x in [-1, 1]", instance("x**t", "3", [3, 3, False, False], within=2)
    ),
    "an instance that is not strict": claim("x > 0", "x in [0, 1]", instance("t", "x", ABOVE, within=1)),
    "an instance under a condition on another": claim(
        "x >= 0",
        "x in [-1, 1]",
        on_two_sides("x", instance("t", "x", REAL, given()), instance("t", "x", REAL, given())),
    ),
    "an instance with a name that is none": claim(
        "x**2 >= 0", "x in [-1, 1]", {**instance("t**2", "x", REAL), "new": 1}
    ),
    "given is not strict": claim(
        "Abs(x) > 0", "x in [-1, 1]", {"by": "cases", "of": ["abs", "x"], "parts": [given(), given()]}
    ),
    "given on the other side": claim("x >= 0", "x in [-1, 1]", on_two_sides("x", given(), given())),
    "given and turned": claim("x >= 0", "x in [-1, 1]", on_two_sides("x", given(), given(-1))),
    "given and lost": claim("x >= 0", "x in [-1, 1]", on_two_sides("x", given(), given(0))),
    "nothing is given": claim("x >= 0", "x in [-1, 1]", given()),
    "given to something else": claim("x - 1/2 >= 0", "x in [0, 1]", on_two_sides("x", given(), given())),
    "given without a value": claim("x + 0*log(x) >= 0", "x in [0, 1]", on_two_sides("x", given(), BOX)),
    "rising is not strict": claim("x*sinh(x) > 0", "x in [-1, 1]", rising("0", "sinh(x)")),
    "falling": claim("-x*sinh(x) >= 0", "x in [-1, 1]", rising("0", "-sinh(x)")),
    "rising elsewhere": claim("x*(x + 1/10) >= 0", "x in [-1, 1]", rising("0", "x + 1/10")),
    "rising elsewhere, seen from above": claim("x*(x + 1/10) >= 0", "x in [-1, 1]", rising("0", "x + 1/10", known=1)),
    "rising from a point outside": claim(
        "(x - 2)*(2 - 1/(x - 3/2)) >= 0", "x in [0, 1]", rising("2", "2 - 1/(x - 3/2)")
    ),
    "rising over a pole": claim("(x - 1)*(2 - 1/(x - 1/2)) >= 0", "x in [0, 1]", rising("1", "2 - 1/(x - 1/2)")),
    "rising of something else": claim("-x >= 0", "x in [-1, 1]", rising("0", "sinh(x)")),
    "rising with a fold": claim("(x - 1)*(Abs(x) - 1) >= 0", "x in [-2, 1]", rising("1", "Abs(x) - 1")),
    "rising from an end without a value": claim("x*(1 - 1/x) >= 0", "x in (0, 1)", rising("0", "1 - 1/x")),
    "rising around x": claim("x >= 0", "x in [-1, 1]", rising("x", "x")),
    "what falls": claim("x >= 1", "x in [-1, 1]", increasing("erfc", "x", "1")),
    "what rises and falls": claim("-2 >= x", "x in [-1, 1]", increasing("cosh", "-2", "x")),
    "what is not defined everywhere": claim("x >= -1", "x in [-2, 1]", increasing("log", "x", "-1")),
    "what is no function": claim("x >= 2", "x in [1, 3/2]", increasing("", "x", "2")),
    "what is no name": claim("x >= 2", "x in [1, 3/2]", increasing(["erf"], "x", "2")),  # type: ignore[arg-type]
    "increasing the wrong way": claim("x >= 2", "x in [1, 3/2]", increasing("erf", "x", "2")),
    "increasing by a negative scale": claim("x >= 2", "x in [1, 3/2]", increasing("erf", "2", "x", -1)),
    "increasing by nothing": claim("x >= 2", "x in [1, 3/2]", increasing("erf", "x", "x", 0)),
    "increasing and equal": claim("1 > x", "x in [-1, 1]", increasing("tanh", "1", "x")),
    "increasing from something else": claim("x >= 2", "x in [1, 3/2]", increasing("exp", "x", "0")),
    "increasing without a value": claim("2 + 0*log(x) >= x", "x in [-1, 1]", increasing("erf", "2", "x")),
    "increasing of what has no value": claim("2 >= x", "x in [-1, 1]", increasing("erf", "2 + 0*log(x)", "x")),
    "squares of a negative side": claim("-2 >= x", "x in [-1, 1]", squares("-2", "x")),
    "squares of equal size": claim("1 > x", "x in [-1, 1]", squares("1", "x")),
    "squares the wrong way": claim("x >= 2", "x in [1, 3/2]", squares("x", "2")),
    "squares of something else": claim("x >= 2", "x in [1, 3/2]", squares("x", "0")),
    "a root without a value": claim("2 >= sqrt(x)", "x in [-1, 1]", squares("2", "sqrt(x)")),
    "squares without a value": claim("2 + 0*log(x) >= x", "x in [-1, 1]", squares("2", "x")),
    "below zero on the curve": claim("(x - y)**2 >= 1/10**9", "x in [0, 1]; y in [0, 1]", taylor("y", 2, [ZERO] * 3)),
    "touching is not strict": claim("x**2 > 0", "x in [-1, 1]", taylor("0", 2, [BOX] * 3)),
    "a slope at the centre": claim("x**2 + x/10 >= 0", "x in [-1, 1]", taylor("0", 2, [BOX] * 3)),
    "a slope with one sign shown": claim("x**2 + x/10 >= 0", "x in [-1, 1]", taylor("0", 2, [BOX] * 2)),
    "bent down at the centre": claim("x**4 - x**2 >= 0", "x in [-1, 1]", taylor("0", 4, [BOX] * 6)),
    "odd order": claim("x**3 >= 0", "x in [-1, 1]", taylor("0", 3, [BOX] * 4)),
    "falling on one side": claim("x**3 >= 0", "x in [-1, 1]", taylor("0", 1, [BOX])),
    "the centre beyond a pole outside": claim("1/(x - 3/2) >= 0", "x in [0, 1]", taylor("2", 1, [BOX])),
    "the centre beyond a pole inside": claim("1/(x - 1/2) >= 0", "x in [0, 1]", taylor("1", 1, [BOX])),
    "a curve that leaves the box": claim("1/(x - 3/2) >= 0", "x in [0, 1]; y in [0, 1]", taylor("2 - y/4", 1, [BOX])),
    "the centre at an open end": claim("1/x - 10 >= -9", "x in (0, 2]", taylor("0", 1, [BOX])),
    "a fold at the centre": claim("1/10 >= sqrt(x**2)", "x in [-1, 1]", taylor("0", 2, [BOX] * 3)),
    "a kink at the centre": claim("1/10 >= Abs(x)", "x in [-1, 1]", taylor("0", 2, [BOX] * 3)),
    "a jump": claim("Piecewise((1, x > 1/2), (-1, True)) >= 0", "x in [0, 1]", taylor("1", 2, [BOX] * 3)),
    "the centre moves with x": claim("x >= 1/2", "x in [0, 1]", taylor("x", 2, [BOX] * 3)),
    "the centre has no value": claim("x**2 + 0*y >= 0", "x in [-1, 1]; y in [0, 1]", taylor("0*log(y)", 2, [BOX] * 3)),
    "no value on one side": claim("(x - 1/2)**2 + 0*log(x) >= 0", "x in [-1, 1]", taylor("1/2", 2, [BOX, BOX, BOX])),
    "no value between": claim("x*(1 - x) + 0*log((x - 1/2)**2) >= 0", "x in [0, 1]", concave()),
    "an end without value": claim("sqrt(x) >= 0", "x in [-1, 1]", taylor("1", 1, [BOX])),
    "order zero": claim("x >= 0", "x in [-1, 1]", taylor("0", 0, [BOX])),
    "no order": claim("x >= 0", "x in [-1, 1]", taylor("0", True, [BOX])),
    "an order that is too high": claim("x**10 >= 0", "x in [-1, 1]", taylor("0", 10, [BOX] * 14)),
    "nobody sees to the range": claim("1/(x - 3/2) >= 0", "x in [0, 1]", taylor("2", 1, [BOX], within=0)),
    "convex": claim("x**2 >= x/2", "x in [0, 1]", concave()),
    "a negative face": claim("x*(1 - x) >= 1/10", "x in [0, 1]", concave()),
    "one face only": claim("x*(1 - x) >= x/10", "x in [0, 1]", concave(faces=1)),
    "a strict face": claim("x*(1 - x) > 0", "x in [0, 1]", concave()),
    "a pole between": claim("5 - 1/(x - 1/2)**2 >= 0", "x in [0, 1]", concave()),
    "a cusp between": claim("(x**2)**(1/4) >= 1/2", "x in [-1, 1]", concave()),
    "a fold between": claim("Abs(x) >= 1/2", "x in [-1, 1]", concave(bend=ZERO)),
    "no second face": claim("10 - x >= 0", "x in [0, oo)", concave(bend=ZERO)),
    "an end without a value": claim("x*(1 - x) + 0*log(x) >= 0", "x in [0, 1]", concave()),
    "an inverse without value": claim("x > 0", "x in [-1, 1]", put("exp(t)", "log(x)", REAL)),
    "no inverse": claim("x > 0", "x in [-1, 1]", put("exp(t)", "x", REAL)),
    "an inverse up to sign": claim("x >= 0", "x in [-1, 1]", put("t**2", "(x**2)**(1/4)", REAL, within=0)),
    "a range that is too short": claim(
        "x >= 1/2", "x in [0, 1]", put("t", "x", [["/", 1, 2], 1, False, False], within=2)
    ),
    "an open range": claim("x > 0", "x in [0, 1]", put("t", "x", [0, 1, True, False], within=2)),
    "a range upside down": claim("x >= 2", "x in [0, 1]", put("t", "x", [1, 0, False, False], within=2)),
    "a range nobody sees to": claim("x >= 2", "x in [0, 1]", put("t", "x", [3, 4, False, False])),
    "a variable that is taken": claim("x >= y", "x in [-1, 1]; y in [0, 1]", {**put("y", "x", REAL, ZERO), "new": "y"}),
    "a variable that is x": claim("x >= 0", "x in [-1, 1]", {**put("x", "x", REAL, ZERO), "new": "x"}),
    "a value without the variable": claim("x >= 0", "x in [-1, 1]", put("1", "x", REAL)),
    "a value that is not defined": claim("0*x >= 0", "x in [-1, 1]", put("exp(log(t))", "x", REAL)),
}


@pytest.mark.parametrize("arithmetic", ["mpmath", "arb"])
@pytest.mark.parametrize("name", TRUE)
def test_a_true_certificate_is_accepted(name: str, arithmetic: str) -> None:
    assert check(TRUE[name], arithmetic) == "proved"


@pytest.mark.parametrize("arithmetic", ["mpmath", "arb"])
@pytest.mark.parametrize("name", FORGED)
def test_a_forged_certificate_is_turned_down(name: str, arithmetic: str) -> None:
    with pytest.raises(CertificateError):
        check(FORGED[name], arithmetic)
