"""Certificates forged by hand, as arrays, rule by rule: each checker alone must turn every one of them down.

Nearly all statements here are false or about points without a value, so no proof may pass; the proofs come as near to a
valid one as a forger can. Beside them stand a few that are true, so that a refusal is not due to the form.
"""

from __future__ import annotations

from typing import Any

import pytest

from symprivacy.errors import CertificateError
from symprivacy.kernel import chart, checker
from symprivacy.language.certificates import check
from tests.kernel.test_curves import FORGED as CURVES

Json = Any
BOX = {"by": "box"}
MEAN = {"by": "mean"}
HALF = ["/", 1, 2]
ROOT2 = ["^", 2, HALF]
UNIT = {"x": [0, 1, False, False]}
OPEN = {"x": [0, 1, True, True]}
SYM = {"x": [-1, 1, False, False]}
REAL = {"x": [None, None, True, True]}
RAY = {"x": [1, None, False, True]}
PLANE = {"x": [-1, 1, False, False], "y": [-1, 1, False, False]}
SQUARE = ["^", "x", 2]
ZERO_X = {"x": [0, 0, False, False]}


def nested(q: Json, depth: int = 8) -> Json:
    """Square roots of square roots."""
    for _ in range(depth):
        q = ["^", q, HALF]
    return q


def minus(a: Json, b: Json) -> Json:
    """A difference."""
    return ["+", a, ["*", -1, b]]


def jump(at: Json) -> Json:
    """1 up to a point, -1 from there on."""
    return ["piecewise", 1, ["<", "x", at], -1, ["true"]]


def claim(lhs: Json, rel: str, rhs: Json, domain: Json, *proofs: Json) -> Json:
    """A certificate of a proof."""
    head = {"format": checker.FORMAT, "lhs": lhs, "rel": rel, "rhs": rhs, "domain": domain}
    return {**head, "verdict": "proved", "proofs": list(proofs)}


def fails(lhs: Json, rel: str, rhs: Json, domain: Json, **at: Json) -> Json:
    """A certificate of a counterexample."""
    return {**claim(lhs, rel, rhs, domain), "verdict": "refuted", "at": at}


def slope(end: str, strict: str = "face", face: Json = BOX, inner: Json = BOX, **more: Json) -> Json:
    """The mean value theorem from one end of x."""
    return {"by": "slope", "var": "x", "end": end, "strict": strict, "face": face, "slope": inner, **more}


def limit(end: str = "hi", inner: Json = BOX, **more: Json) -> Json:
    """Monotone towards infinity."""
    return {"by": "limit", "var": "x", "end": end, "slope": inner, **more}


def split(at: Json, low: Json = BOX, high: Json = BOX, **more: Json) -> Json:
    """A cut of the range of x."""
    return {"by": "split", "var": "x", "at": at, "low": low, "high": high, **more}


def product(coefficient: Json, *factors: tuple[Json, Json, Json, Json], **more: Json) -> Json:
    """Factors (expression, power, sign, strict)."""
    keys = ("expr", "power", "sign", "strict")
    parts = [{**dict(zip(keys, f, strict=True)), "proof": BOX} for f in factors]
    return {"by": "product", "coefficient": coefficient, "factors": parts, **more}


def total(*parts: Json) -> Json:
    """Summands, each by an enclosure."""
    return {"by": "sum", "parts": [{"expr": p, "proof": BOX} for p in parts]}


def cases(of: Json, *parts: Json) -> Json:
    """The cases of a part."""
    return {"by": "cases", "of": of, "parts": list(parts)}


def bound(side: str, u: Json, factor: Json = 1, given: int = 0, proof: Json = BOX, **more: Json) -> Json:
    """A given condition as a bound of x."""
    own = {"by": "bound", "var": "x", "side": side, "given": given, "bound": u, "factor": factor, "new": "t"}
    return {**own, "factor_proof": BOX, "proof": proof, **more}


def logs(left: Json, right: Json, **more: Json) -> Json:
    """A difference by logarithms."""
    own = {"by": "logs", "left": left, "right": right, "left_proof": BOX, "right_proof": BOX, "proof": BOX}
    return {**own, **more}


def exps(left: Json, right: Json, scale: Json = 1, **more: Json) -> Json:
    """Logarithms by their arguments."""
    own = {"by": "exps", "left": left, "right": right, "scale": scale, "right_proof": BOX, "proof": BOX}
    return {**own, **more}


def zero(*rewrites: Json) -> Json:
    """An identity by rewrites."""
    return {"by": "zero", "rewrites": list(rewrites)}


R = nested(3)
NEGATIVE = {"x": [-2, -1, False, False], "y": [-2, -1, False, False]}
ROOT_OF_SQUARE = ["^", ["^", "x", 2], HALF]
LOG_XY, LOGS_XY = ["log", ["*", "x", "y"]], ["+", ["log", "x"], ["log", "y"]]
LOG_SQUARE = ["log", ["^", "x", 2]]
HIDDEN = ["*", "x", ["*", "y", ["^", "y", -1]]]
AROUND_R = {"x": [nested(["/", 5, 2]), nested(["/", 7, 2]), False, False]}
ULP = {"x": [nested(["/", 15, 8], 3), nested(["+", ["/", 15, 8], ["^", 2, -50]], 3), False, False]}
IN_ULP = nested(["+", ["/", 15, 8], ["^", 2, -51]], 3)
ABS = ["abs", "x"]
MAX = ["max", "x", "y"]
X_OVER_X = ["*", "x", ["^", "x", -1]]

TRUE: dict[str, Json] = {
    "mean": claim(["+", ["exp", "x"], ["*", -1, "x"]], ">", ["/", 1, 2], {"x": [0, ["/", 1, 8], False, False]}, MEAN),
    "a raw power": claim(["^", ["^", "x", 1], 2], ">=", 0, SYM, BOX),
    "slope": claim(["exp", "x"], ">=", 1, UNIT, slope("lo")),
    "limit": claim(["^", "x", -1], ">", 0, RAY, limit()),
    "product": claim(
        ["*", "x", ["exp", "x"]], ">=", 0, UNIT, product(1, ("x", 1, 1, False), (["exp", "x"], 1, 1, True))),
    "cases": claim(ABS, ">=", 0, SYM, cases(ABS, bound("lo", 0), bound("hi", 0))),
    "a point": fails(SQUARE, ">", 0, SYM, x=0),
    "a root of a square": claim(ROOT_OF_SQUARE, "<=", "x", UNIT, zero(["root", ROOT_OF_SQUARE, "x"])),
    "a log of a product": claim(LOG_XY, "<=", LOGS_XY, {"x": [1, 2, False, False], "y": [1, 2, False, False]},
                                zero(["log", LOG_XY, LOGS_XY])),
}  # fmt: skip

FORGED: dict[str, Json] = {
    # box and mean: a point outside the box, few bits, kinks, jumps, poles.
    "the mean value form at three bits": claim(["^", minus("x", R), 2], ">", 0, AROUND_R, {"by": "mean", "prec": 3}),
    "the mean value form at the least precision": claim(
        ["^", minus("x", R), 2], ">", 0, AROUND_R, {"by": "mean", "prec": 24}),
    "the mean value form within an ulp": claim(["^", minus("x", IN_ULP), 2], ">", 0, ULP, MEAN),
    "an enclosure within an ulp": claim(["^", minus("x", IN_ULP), 2], ">", 0, ULP, BOX),
    "a distance within an ulp": claim(["abs", minus("x", IN_ULP)], ">", 0, ULP, BOX),
    "a square at 23 bits": claim(["exp", "x"], ">", 0, UNIT, {"by": "box", "prec": 23}),
    "a precision of nothing": claim(["exp", "x"], ">", 0, UNIT, {"by": "mean", "prec": 0}),
    "a precision of null": claim(["exp", "x"], ">", 0, UNIT, {"by": "mean", "prec": None}),
    "the mean value form over a jump": claim(["*", jump(HALF), "x"], ">=", 0, UNIT, MEAN),
    "the mean value form over a pole": claim(["^", "x", -1], ">", 0, SYM, MEAN),
    "the mean value form over a root's end": claim(["+", ["^", "x", HALF], -1], ">=", 0, UNIT, MEAN),
    "the mean value form from infinity": claim(["tanh", "x"], ">=", 0, REAL, MEAN),
    "the mean value form from an open end without a value": claim(["log", "x"], ">", 0, OPEN, MEAN),
    "an open end of another factor": claim(
        ["*", "x", "y"], ">", 0, {"x": [0, 1, True, False], "y": [0, 1, False, False]}, BOX),
    "an open end that a square closes": claim(["^", "x", 2], ">", 0, {"x": [-1, 1, True, True]}, BOX),
    "an open end of a maximum": claim(
        ["min", "x", "y"], ">", 0, {"x": [0, 1, True, False], "y": [0, 1, False, False]}, BOX),
    "a difference of a thing with itself": claim(minus("x", "x"), ">", 0, OPEN, BOX),
    "zero times infinity": claim(["*", 0, "x"], ">", 0, RAY, BOX),
    "a raw product with zero and a pole": claim(["*", 0, ["^", "x", -1]], ">=", 0, SYM, BOX),
    "a raw product with zero and a logarithm": claim(["*", 0, ["log", "x"]], ">=", 0, UNIT, BOX),
    "a raw zeroth power of a pole": claim(["^", ["^", "x", -1], 0], ">=", 1, SYM, BOX),
    "a raw first power of a root": claim(["^", ["^", "x", HALF], 1], ">=", 0, SYM, BOX),
    "a square of a root": claim(["^", ["^", "x", HALF], 2], ">=", -1, SYM, BOX),
    "a root of a square is no x": claim(["^", ["^", "x", 2], HALF], "<=", "x", SYM, {"by": "zero"}),
    "a raw sum as an exponent": claim(["^", "x", ["+", 1, 1]], ">=", 0, SYM, BOX),
    "zero to a variable power": claim(["^", 0, "x"], ">=", 0, UNIT, BOX),
    "zero to a negative power": claim(["^", 0, -1], ">=", 0, {}, BOX),
    "a huge power": claim(["^", "x", 10**9], ">", 0, UNIT, BOX),
    "a huge odd power": claim(["^", "x", 10**9 + 1], ">=", 0, SYM, BOX),
    "erfinv up to 1": claim(["erfinv", "x"], ">=", 0, UNIT, BOX),
    "acosh below 1": claim(["acosh", "x"], ">=", 0, {"x": [minus(1, ["^", 2, -200]), 2, False, False]}, BOX),
    "acosh at 1 is zero": claim(["acosh", "x"], ">", 0, {"x": [1, 2, False, False]}, BOX),
    "atanh from -1": claim(["^", ["atanh", "x"], 2], ">=", 0, {"x": [-1, 0, False, False]}, BOX),
    "log of an end within an ulp of 0": claim(["log", minus("x", IN_ULP)], "<", 0, ULP, BOX),
    "tanh reaches 1": claim(["tanh", "x"], "<", minus(1, ["exp", -100]), RAY, BOX),
    "erfc reaches 0": claim(["erfc", "x"], ">", ["exp", -1000], RAY, BOX),
    "exp of what is not bounded": claim(["exp", "x"], "<", ["exp", ["exp", 30]], RAY, BOX),
    "a condition of equal sides": claim(["piecewise", 1, ["<", "x", "x"], -1, ["true"]], ">", 0, UNIT, BOX),
    "a condition of equal sides without a value": claim(
        ["piecewise", 1, ["<=", ["log", "x"], ["log", "x"]], -1, ["true"]], ">", 0, SYM, BOX),
    "a condition of sides that touch": claim(["piecewise", 1, ["<", "x", 1], -1, ["true"]], ">", 0, UNIT, BOX),
    "a branch of false": claim(["piecewise", 1, ["false"]], ">", 0, UNIT, BOX),
    "a negation of a negation": claim(
        ["piecewise", 1, ["not", ["not", ["<", "x", 1]]], -1, ["true"]], ">", 0, UNIT, BOX),
    # zero.
    "zero times a pole by algebra": claim(["*", 0, ["^", "x", -1]], ">=", 0, SYM, {"by": "zero"}),
    "a square that is no zero": claim(["*", -1, SQUARE], ">=", 0, SYM, {"by": "zero"}),
    "a pole that cancels": claim(minus(X_OVER_X, 1), ">=", 0, SYM, {"by": "zero"}),
    "a pole that cancels, with proofs for nothing": claim(
        minus(X_OVER_X, 1), ">=", 0, SYM, {"by": "zero", "defined": []}),
    "log of exp the other way": claim(minus(["exp", ["log", "x"]], "x"), ">=", 0, SYM, {"by": "zero"}),
    "a root of a square as the number": claim(minus("x", ["^", ["^", "x", 2], HALF]), ">=", 0, SYM, {"by": "zero"}),
    "a quarter of a fourth power": claim(minus("x", ["^", ["^", "x", 4], ["/", 1, 4]]), ">=", 0, SYM, {"by": "zero"}),
    "logs of a product of negative numbers": claim(
        minus(["log", ["*", "x", "y"]], ["+", ["log", "x"], ["log", "y"]]), ">=", 0,
        {"x": [-2, -1, False, False], "y": [-2, -1, False, False]}, {"by": "zero"}),
    "a strict zero at a point": claim(
        minus("x", 0), ">", 0, ZERO_X, {"by": "fix", "var": "x", "proof": {"by": "zero"}}),
    "nearly zero": claim(["*", -1, ["exp", -1000]], ">=", 0, {}, {"by": "zero"}),
    # Rewrites: laws of positive numbers where numbers are not positive, or are not numbers.
    "a root of a square": claim(ROOT_OF_SQUARE, "<=", "x", SYM, zero(["root", ROOT_OF_SQUARE, "x"])),
    "a root of a square with a number": claim(
        ["^", ["*", 4, ["^", "x", 2]], HALF], "<=", ["*", 2, "x"], SYM,
        zero(["root", ["^", ["*", 4, ["^", "x", 2]], HALF], ["*", 2, "x"]])),
    "a root of a square as its negative": claim(ROOT_OF_SQUARE, "<=", ["*", -1, "x"], SYM,
                                                zero(["root", ROOT_OF_SQUARE, ["*", -1, "x"]])),
    "a cube root of a cube": claim(["^", ["^", "x", 3], ["/", 1, 3]], "<=", "x", SYM,
                                   zero(["root", ["^", ["^", "x", 3], ["/", 1, 3]], "x"])),
    "a root of a product of negative numbers": claim(
        ["^", ["*", "x", "y"], HALF], "==", ["*", ["^", "x", HALF], ["^", "y", HALF]], NEGATIVE,
        *[zero(["root", ["^", ["*", "x", "y"], HALF], ["*", ["^", "x", HALF], ["^", "y", HALF]]])] * 2),
    "a log of a product of negative numbers": claim(
        LOG_XY, "==", LOGS_XY, NEGATIVE, *[zero(["log", LOG_XY, LOGS_XY])] * 2),
    "a log of a square": claim(LOG_SQUARE, "==", ["*", 2, ["log", "x"]], {"x": [-2, -1, False, False]},
                               *[zero(["log", LOG_SQUARE, ["*", 2, ["log", "x"]]])] * 2),
    "a log of a square as two": claim(
        LOG_SQUARE, "==", ["+", ["log", "x"], ["log", "x"]], {"x": [-2, -1, False, False]},
                                      *[zero(["log", LOG_SQUARE, ["+", ["log", "x"], ["log", "x"]]])] * 2),
    "a log that is another": claim(["log", 2], ">=", 1, {}, zero(["log", ["log", 2], 1])),
    "the same function of other numbers": claim(["tanh", "x"], ">=", ["tanh", ["+", "x", 1]], SYM,
                                                zero(["same", ["tanh", "x"], ["tanh", ["+", "x", 1]]])),
    "another function of the same number": claim(
        ["tanh", "x"], ">=", "x", SYM, zero(["same", ["tanh", "x"], ["sinh", "x"]])),
    "the same function of what has no value": claim(["exp", "x"], ">=", ["exp", HIDDEN], PLANE,
                                                    zero(["same", ["exp", "x"], ["exp", HIDDEN]])),
    "a rewrite of what has no value": claim("x", ">=", HIDDEN, PLANE, zero(["same", ["log", HIDDEN], ["log", "x"]])),
    "two rewrites in a circle": claim(["exp", "x"], ">=", ["exp", ["+", "x", 1]], SYM,
                                      zero(["same", ["exp", "x"], ["exp", ["*", 1, "x"]]],
                                           ["same", ["exp", ["*", 1, "x"]], ["exp", "x"]])),
    "a rewrite into itself": claim(["exp", "x"], ">=", 1, UNIT, zero(["same", ["exp", "x"], ["exp", "x"]])),
    "a rewrite by an axiom of its own": claim(["exp", "x"], ">=", 2, UNIT, zero(["trust", ["exp", "x"], 2])),
    "a rewrite by a list": claim(["exp", "x"], ">=", 2, UNIT, zero([["same"], ["exp", "x"], 2])),
    "a rewrite of two entries": claim(["exp", "x"], ">=", 2, UNIT, zero(["same", ["exp", "x"]])),
    "a rewrite that is text": claim(["exp", "x"], ">=", 2, UNIT, {"by": "zero", "rewrites": "same"}),
    "a rewrite of another variable": claim("x", ">=", 0, SYM, zero(["same", ["exp", "z"], ["exp", "z"]])),
    "a product by a false rewrite": claim(ROOT_OF_SQUARE, "<=", "x", SYM,
                                          product(1, rewrites=[["root", ROOT_OF_SQUARE, "x"]])),
    "a sum by a false rewrite": claim(minus("x", ROOT_OF_SQUARE), ">=", 0, SYM,
                                      {**total(0), "rewrites": [["root", ROOT_OF_SQUARE, "x"]]}),
    "a power with no value as its logarithm": claim(["^", "x", "y"], "==", ["exp", ["*", "y", ["log", "x"]]],
        {"x": [0, 1, False, False], "y": [1, 2, False, False]}, zero(), zero()),
    "a point by a false rewrite": {**fails(["log", 2], ">", ["+", ["log", 2], ["*", 0, 1], ["exp", -999]], {}),
                                   "rewrites": [["log", ["log", 2], ["+", ["log", 2], ["exp", -999]]]]},
    # empty, void, split, fix, sign.
    "a condition that holds at an end": claim(
        ABS, ">", 0, SYM, cases(ABS, {"by": "empty", "given": 0}, {"by": "empty", "given": 0})),
    "a condition that holds at one point": claim(
        ["*", -1, ABS], ">=", 0, UNIT, cases(ABS, BOX, {"by": "empty", "given": 0})),
    "a strict condition taken for a weak one": claim(
        jump(1), "<", 0, UNIT, cases(jump(1), {"by": "empty", "given": 0}, BOX)),
    "a condition counted from the end": claim(
        "x", ">", 0, SYM, {"by": "sign", "of": "x", "parts": [BOX, {"by": "empty", "given": -1}]}),
    "a range of one point is not empty": claim("x", ">", 0, ZERO_X, {"by": "void", "var": "x"}),
    "an unbounded range is not empty": claim("x", ">", 0, REAL, {"by": "void", "var": "x"}),
    "a half of a cut is not empty": claim("x", ">", 0, UNIT, split(0, {"by": "void", "var": "x"}, BOX)),
    "both halves leave out the cut": claim(["abs", "x"], ">", 0, SYM, split(0, BOX, BOX, open="both")),
    "the low half leaves out the cut, the high one has it": claim(
        ["abs", "x"], ">", 0, SYM, split(0, BOX, BOX, open="low")),
    "the high half leaves out the cut, the low one has it": claim(
        ["abs", "x"], ">", 0, SYM, split(0, BOX, BOX, open="high")),
    "a cut outside": claim("x", ">=", 0, SYM, split(2, {"by": "void", "var": "x"}, BOX)),
    "a cut at no number": claim("x", ">=", 0, SYM, split(["log", -1], {"by": "void", "var": "x"}, BOX)),
    "a cut at a variable": claim("x", ">=", 0, SYM, split("x", BOX, BOX)),
    "a cut at a condition": claim("x", ">=", 0, SYM, split(["true"], BOX, BOX)),
    "a cut of another variable": claim("x", ">=", 0, SYM, {**split(0), "var": "y"}),
    "two equal ends in different words": claim(
        "x", ">", 1, {"x": [1, ["+", HALF, HALF], True, False]}, {"by": "void", "var": "x"}),
    "a number fixed that is a range": claim("x", ">=", 0, SYM, {"by": "fix", "var": "x", "proof": BOX}),
    "an infinite end fixed": claim("x", ">=", 0, REAL, {"by": "fix", "var": "x", "proof": BOX}),
    "a sign of what has no value": claim(
        "x", ">=", -2, SYM, {"by": "sign", "of": ["log", "x"], "parts": [{"by": "trust"}, BOX]}),
    "a sign of what has a pole": claim(
        "x", ">", 0, SYM, {"by": "sign", "of": ["^", "x", -1], "parts": [bound("lo", 0), bound("lo", 0)]}),
    "one part of a sign": claim("x", ">=", 0, SYM, {"by": "sign", "of": "x", "parts": [bound("lo", 0)]}),
    "three parts of a sign": claim("x", ">=", 0, SYM, {"by": "sign", "of": "x", "parts": [BOX, BOX, BOX]}),
    "a sign of a condition": claim("x", ">=", 0, SYM, {"by": "sign", "of": ["<", "x", 0], "parts": [BOX, BOX]}),
    # cases and bound.
    "a case for two": claim(ABS, "<=", "x", SYM, cases(ABS, {"by": "zero"})),
    "cases of a sum": claim("x", ">=", 0, SYM, cases(["+", "x", 1], BOX, BOX)),
    "cases of what has no value": claim("x", ">=", 0, SYM, cases(["abs", ["log", "x"]], BOX, BOX)),
    "cases of a maximum with itself": claim("x", ">=", 0, SYM, cases(["max", "x", "x"], BOX, BOX)),
    "no case is left out of a Piecewise": claim(
        ["piecewise", 1, ["<", "x", 1]], ">", 0, UNIT, cases(["piecewise", 1, ["<", "x", 1]], BOX)),
    "the case of no branch": claim(["piecewise", 1, ["<", "x", 1]], ">", 0, UNIT,
                                   cases(["piecewise", 1, ["<", "x", 1]], BOX, {"by": "empty", "given": 0})),
    "conditions inside conditions": claim(["piecewise", 1, ["<", jump(0), 0], -1, ["true"]], ">", 0, SYM,
                                          cases(["piecewise", 1, ["<", jump(0), 0], -1, ["true"]], BOX, BOX)),
    "a bound on the other side": claim(ABS, ">", 0, SYM, cases(ABS, bound("hi", 0), bound("lo", 0))),
    "a bound with a negative factor": claim(ABS, "<=", 0, SYM, cases(ABS, bound("hi", 0, -1), bound("lo", 0, -1))),
    "a bound with a factor of no sign": claim(ABS, "<=", 0, SYM, cases(ABS, bound("hi", 0, "x"), bound("lo", 0, "x"))),
    "a bound that is not given": claim("x", ">=", 0, SYM, bound("lo", 0)),
    "a bound from another condition": claim(ABS, ">=", 0, SYM, cases(ABS, bound("lo", HALF), bound("hi", 0))),
    "a bound by the variable itself": claim(ABS, ">", 0, SYM, cases(ABS, bound("lo", "x"), bound("hi", "x"))),
    "a bound with no value": claim(MAX, ">=", 0, PLANE, cases(MAX, bound("lo", ["log", "y"]), BOX)),
    "a bound that takes an old name": claim(MAX, ">", "y", PLANE, cases(MAX, bound("lo", "y", new="y"), BOX)),
    "a bound that takes its own name": claim(MAX, ">", "y", PLANE, cases(MAX, bound("lo", "y", new="x"), BOX)),
    "a bound that takes a function's name": claim(MAX, ">", "y", PLANE, cases(MAX, bound("lo", "y", new="exp"), BOX)),
    "a bound from an infinite end": claim(MAX, ">", "y", {"x": [None, None, True, True], "y": [-1, 1, False, False]},
                                          cases(MAX, bound("lo", "y"), BOX)),
    "a weak bound taken for a strict one": claim(MAX, ">", "y", PLANE, cases(MAX, bound("lo", "y"), {"by": "zero"})),
    "an end that is neither": claim(ABS, ">=", 0, SYM, cases(ABS, bound("low", 0), bound("hi", 0))),
    # product, sum, root, logs, exps.
    "a product with a vanishing denominator": claim(X_OVER_X, ">", 0, SYM, product(1)),
    "a product with a squared pole": claim(["^", "x", -2], ">", 0, SYM, product(1, ("x", -2, 0, False))),
    "a product with a weak factor": claim(
        ["*", "x", ["exp", "x"]], ">", 0, UNIT, product(1, ("x", 1, 1, False), (["exp", "x"], 1, 1, True))),
    "a product whose strict factor is not": claim(
        ["*", "x", ["exp", "x"]], ">", 0, UNIT, product(1, ("x", 1, 1, True), (["exp", "x"], 1, 1, True))),
    "a product with a strict flag of 1": claim(
        ["*", "x", ["exp", "x"]], ">", 0, UNIT, product(1, ("x", 1, 1, 1), (["exp", "x"], 1, 1, True))),
    "a product of sign two": claim("x", "<=", 0, UNIT, product(1, ("x", 1, 2, False))),
    "a product with a negative coefficient": claim("x", "<=", 0, UNIT, product(-1, (["*", -1, "x"], 1, -1, False))),
    "a product with coefficient zero": claim("x", ">=", 0, SYM, product(0, ("x", 1, 0, False))),
    "a product with a coefficient of no value": claim("x", ">=", 0, SYM, product(["log", -1], ("x", 2, 0, False))),
    "a product with power zero": claim("x", ">=", 0, SYM, product(1, ("x", 0, 1, True))),
    "a product with a half power": claim("x", ">=", 0, SYM, product(1, ("x", HALF, 0, False))),
    "an even power of what has no value": claim(
        ["^", ["log", "x"], 2], ">=", 0, SYM, product(1, (["log", "x"], 2, 0, False))),
    "a product that is another": claim("x", ">=", 0, SYM, product(1, (["^", "x", 2], 1, 1, False))),
    "a product with null as its definedness": claim(X_OVER_X, ">=", 1, SYM, product(1, defined=None)),
    "a sum whose first part is weak": claim("x", ">", 0, UNIT, total("x", 0)),
    "a sum of another": claim("x", ">=", 1, UNIT, total("x", 1)),
    "a sum with a pole that cancels": claim(["+", ["^", "x", -1], ["*", -1, ["^", "x", -1]]], ">=", 0, SYM, total(0)),
    "a sum of negative parts": claim(minus("x", 1), ">=", 0, UNIT, total("x", -1)),
    "a root of a weak base": claim(["^", "x", HALF], ">", 0, UNIT, {"by": "root", "proof": BOX}),
    "a root that is a whole power": claim(["^", "x", 3], ">=", 0, SYM, {"by": "root", "proof": BOX}),
    "a negative root of a weak base": claim(["^", "x", ["/", -1, 3]], ">=", 0, UNIT, {"by": "root", "proof": BOX}),
    "a root with a raw exponent": claim(["^", "x", ["+", HALF, 1]], ">=", 0, SYM, {"by": "root", "proof": BOX}),
    "a root of a sum": claim(["+", ["^", "x", HALF], -1], ">=", 0, UNIT, {"by": "root", "proof": BOX}),
    "logs of a weak side": claim("x", ">=", SQUARE, UNIT, logs("x", SQUARE)),
    "logs of negative sides": claim(minus(-2, -1), ">", 0, {}, logs(-2, -1)),
    "logs of sides exchanged": claim(1, ">", 2, {}, logs(2, 1)),
    "logs of other sides": claim(1, ">", 2, {}, logs(3, 2)),
    "exps of a negative argument": claim(
        minus(["log", "x"], ["log", 2]), ">", 0, {"x": [-3, -2, False, False]}, exps("x", 2)),
    "exps with a scale of zero": claim(["*", -1, ["log", 2]], ">", 0, {}, exps(2, 1, 0)),
    "exps with a negative scale": claim(["*", -1, ["log", 2]], ">", 0, {}, exps(2, 1, -1)),
    "exps with a scale of no value": claim(["*", -1, ["log", 2]], ">", 0, {}, exps(2, 1, ["log", -1])),
    "exps with a variable scale": claim(["log", "x"], ">=", 0, UNIT, exps("x", 1, "x")),
    "exps strict from weak": claim(["log", "x"], ">", 0, {"x": [1, 2, False, False]}, exps("x", 1)),
    # slope and limit.
    "a slope from the wrong end": claim("x", ">=", 1, UNIT, slope("hi")),
    "a slope with a strict face that is 0": claim("x", ">", 0, UNIT, slope("lo")),
    "a strict slope from a closed end": claim("x", ">", 0, UNIT, slope("lo", "slope")),
    "a slope of no strictness": claim("x", ">", 0, OPEN, slope("lo", "")),
    "a slope over a jump": claim(jump(HALF), ">=", 0, UNIT, slope("lo")),
    "a slope over a jump by cases": claim(jump(HALF), ">=", 0, UNIT, slope("lo", inner=cases(jump(HALF), BOX, BOX))),
    "a slope over a kink": claim(["*", -1, ABS], ">=", 0, SYM, slope("lo")),
    "a slope from an end without a value": claim(["log", "x"], ">=", 0, OPEN, slope("lo")),
    "a slope over a pole": claim(["*", -1, ["^", "x", -1]], ">", 0, SYM, slope("lo")),
    "a slope over a pole said to be none": claim(
        ["*", -1, ["^", "x", -1]], ">", 0, SYM, slope("lo", smooth=[BOX], defined=[{**BOX, "sign": -1}])),
    "a slope whose conditions speak of it": claim(["*", ABS, ["+", "x", -1]], ">=", 0, SYM,
                                                  cases(ABS, slope("hi"), slope("lo"))),
    "a slope from infinity": claim(["exp", "x"], ">=", 1, REAL, slope("lo")),
    "a limit below": claim(["^", "x", -1], ">=", ["/", 1, 9], RAY, limit()),
    "a limit from the wrong side": claim(["*", -1, ["^", "x", -1]], ">=", 0, RAY, limit()),
    "a strict limit of a constant": claim(["*", 0, "x"], ">", 0, RAY, limit()),
    "a limit of infinity less infinity": claim(minus("x", ["+", "x", 1]), ">=", 0, RAY, limit()),
    "a limit of zero times infinity": claim(["*", -1, "x", ["^", "x", -1]], ">=", 0, RAY, limit()),
    "a limit of nothing": claim(["*", -1, "x", ["exp", ["*", -1, "x"]]], ">=", 0, RAY, limit()),
    "a limit over a jump": claim(jump(5), ">=", -2, RAY, limit()),
    "a limit over a jump that counts": claim(["*", -1, jump(5)], ">=", 0, RAY, limit()),
    "a limit at an end that is finite": claim("x", ">=", 1, UNIT, limit()),
    "a limit at the other end": claim(["exp", "x"], ">=", 1, {"x": [None, 1, True, False]}, limit("hi")),
    "a limit over a pole": claim(["^", "x", -1], ">", 0, {"x": [-1, None, False, True]}, limit()),
    # Counterexamples.
    "a point within an ulp outside": fails("x", "<=", 5, ULP, x=minus(nested(["/", 15, 8], 3), ["^", 2, -80])),
    "a point that is an open end": fails(minus("x", ROOT2), ">", 0, {"x": [ROOT2, 2, True, False]}, x=ROOT2),
    "a point that is an open end in other words": fails(minus("x", ROOT2), ">", 0, {"x": [ROOT2, 2, True, False]},
                                                       x=["*", 2, ["^", 2, ["/", -1, 2]]]),
    "a point at which it holds": fails("x", ">=", 0, SYM, x=0),
    "a point where one side has no value": fails(["log", "x"], ">", 0, SYM, x=0),
    "a point that is a condition": fails("x", ">", 0, SYM, x=["true"]),
    "a point that is text": fails("x", ">", 0, SYM, x="0"),
    "a point that is null": fails("x", ">", 0, SYM, x=None),
    "nearly a zero": fails(["exp", -1000], ">", 0, {}),
    # What is no expression, no range.
    "a true as a number": claim(["exp", True], ">", 0, {}, BOX),
    "a float": claim(0.5, ">", 0, {}, BOX),
    "a division by a number": claim(["/", "x", 2], ">=", 0, UNIT, BOX),
    "a fraction over zero": claim(["/", 1, 0], ">", 0, {}, BOX),
    "a fraction over a negative number": claim(["/", -1, -2], ">", 0, {}, BOX),
    "a condition as a number": claim(["<", 0, 1], ">", 0, {}, BOX),
    "a number as a condition": claim(["piecewise", 1, 1], ">", 0, {}, BOX),
    "an empty sum": claim(["+"], ">=", 0, {}, BOX),
    "an empty array": claim([], ">=", 0, {}, BOX),
    "exp of two": claim(["exp", 1, 1], ">", 0, {}, BOX),
    "three ends": claim("x", ">=", 0, {"x": [0, 1, 2, False, False]}, BOX),
    "an infinite end that is taken": claim("x", ">=", 0, {"x": [0, None, False, False]}, BOX),
    "an end with a variable": claim("x", ">=", 0, {"x": [0, "x", False, False]}, BOX),
    "an empty open range of one point": claim("x", ">", "x", {"x": [1, 1, True, False]}, {"by": "void", "var": "x"}),
    "ends upside down within an ulp": claim(
        "x", ">", "x", {"x": [ULP["x"][1], ULP["x"][0], False, False]}, {"by": "void", "var": "x"}),
    "a name that is an operation": claim(1, ">", 0, {"max": [0, 1, False, False]}, BOX),
    "a name of nothing": claim(1, ">", 0, {"": [0, 1, False, False]}, BOX),
}  # fmt: skip


def cell(kind: str, lo: Json = -1, hi: Json = 1, opens: tuple[bool, bool] = (False, False), **more: Json) -> Json:
    """A cell of a chart."""
    return {"kind": kind, "interval": [lo, hi, *opens], **more}


def root(factor: Json, **more: Json) -> Json:
    """A cell with a root at 0."""
    return cell("root", **{"factor": factor, "power": 1, "order": 1, "slope": 1, "at": 0, "proof": BOX, **more})


def chart_of(f: Json, *cells: Json, lo: Json = -1, hi: Json = 1) -> Json:
    """A chart of f on [lo, hi]."""
    return {
        "format": chart.FORMAT,
        "lhs": f,
        "rhs": 0,
        "var": "x",
        "domain": [lo, hi, False, False],
        "cells": list(cells),
    }


LEFT = cell("sign", -1, 0, (False, True), sign=-1, proof=BOX)
RIGHT = cell("sign", 0, 1, (True, False), sign=1, proof=BOX)
MIDDLE = cell("zero", 0, 0, proofs=[BOX, BOX])
TRUE_CHARTS = {
    "three cells": chart_of("x", LEFT, MIDDLE, RIGHT),
    "a root": chart_of("x", root("x")),
    "a double root": chart_of(SQUARE, root(SQUARE, order=2)),
    "a branch": chart_of(["+", ABS, 1], cell("branch", of=ABS, case=0, lo=0, defined=[None], proofs=[BOX],
                                            cells=[cell("sign", 0, 1, sign=1, proof=BOX)]), lo=0),
}  # fmt: skip
FORGED_CHARTS = {
    "cells that only touch": chart_of("x", LEFT, RIGHT),
    "cells that overlap at a point": chart_of("x", cell("sign", -1, 0, sign=-1, proof=BOX), MIDDLE, RIGHT),
    "cells out of order": chart_of("x", RIGHT, MIDDLE, LEFT),
    "a cell missing at the end": chart_of("x", LEFT, MIDDLE),
    "a cell missing at the start": chart_of("x", MIDDLE, RIGHT),
    "a gap": chart_of("x", LEFT, cell("unknown", ["^", 2, -99], 1)),
    "no cells": chart_of("x"),
    "cells of an object": {**chart_of("x"), "cells": {"kind": "unknown"}},
    "a cell beyond the range": chart_of("x", cell("unknown", -2, 1)),
    "an open start of a closed range": chart_of("x", cell("unknown", -1, 1, (True, False))),
    "an empty cell": chart_of("x", LEFT, cell("sign", 0, 0, (True, False), sign=1, proof=BOX), RIGHT),
    "a kind of its own": chart_of("x", cell("proved")),
    "a sign that is 0": chart_of("x", cell("sign", sign=0, proof=BOX)),
    "a sign that is 1.0": chart_of(["exp", "x"], cell("sign", sign=1.0, proof=BOX)),
    "a sign over a zero": chart_of(SQUARE, cell("sign", sign=1, proof=BOX)),
    "a sign over a pole": chart_of(["^", "x", -2], cell("sign", sign=1, proof=BOX)),
    "a sign of the other kind": chart_of("x", LEFT, MIDDLE, {**RIGHT, "sign": -1}),
    "a zero of one side": chart_of("x", cell("zero", 0, 1, proofs=[BOX]), lo=0),
    "a zero that is small": chart_of(["*", "x", ["exp", -1000]], cell("zero", proofs=[BOX, BOX])),
    "a zero without a value": chart_of(["*", 0, ["log", "x"]], cell("zero", proofs=[BOX, BOX])),
    "a root at the wrong place": chart_of("x", root("x", at=HALF)),
    "a root outside": chart_of("x", root("x", at=2)),
    "a root that is a double one": chart_of(SQUARE, root(SQUARE)),
    "a root of order 0": chart_of("x", root("x", order=0)),
    "a root of order true": chart_of("x", root("x", order=True)),
    "a root of power 0": chart_of("x", root("x", power=0)),
    "a root of order 2 that has order 1": chart_of(["+", SQUARE, "x"], root(["+", SQUARE, "x"], order=2)),
    "a root of a falling function": chart_of(["*", -1, "x"], root(["*", -1, "x"])),
    "a root in a point": chart_of("x", {**root("x"), "interval": [0, 0, False, False]}, lo=0, hi=0),
    "a root of another factor": chart_of(minus("x", 1), root("x")),
    "a root of another factor with a cofactor": chart_of(
        ["+", "x", 3], root("x", cofactor=1, cofactor_sign=1, cofactor_proof=BOX)),
    "a cofactor that vanishes": chart_of(SQUARE, root("x", cofactor="x", cofactor_sign=1, cofactor_proof=BOX)),
    "a cofactor with a pole": chart_of(
        X_OVER_X, root("x", cofactor=["^", "x", -1], cofactor_sign=1, cofactor_proof=BOX)),
    "a cofactor of another sign": chart_of(["*", -1, "x"], root("x", cofactor=-1, cofactor_sign=1, cofactor_proof=BOX)),
    "a root between points of one sign": chart_of(
        ["+", "x", 3], {k: v for k, v in root(["+", "x", 3], lo=-1, hi=1).items() if k != "at"}),
    "a root between points outside": chart_of(
        ["+", "x", 3], {k: v for k, v in root(["+", "x", 3], lo=-4, hi=1).items() if k != "at"}),
    "a root between points of the wrong order": chart_of(
        "x", {k: v for k, v in root("x", lo=1, hi=-1).items() if k != "at"}),
    "a root of a jump": chart_of(jump(0), root(jump(0))),
    "a root of a kink": chart_of(["+", ABS, "x"], root(["+", ABS, "x"])),
    "undefined where it is defined": chart_of(["log", "x"], cell("undefined", 0, 1, requirement=0, proofs=[BOX]), lo=0),
    "undefined on a part": chart_of(["log", "x"], cell("undefined", requirement=0, proofs=[BOX])),
    "undefined root at 0": chart_of(["^", "x", HALF], cell("undefined", -1, 0, requirement=0, proofs=[BOX]), hi=0),
    "undefined by a pole elsewhere": chart_of(["^", "x", -1], cell("undefined", requirement=0, proofs=[BOX, BOX])),
    "undefined power that has a value": chart_of(
        ["^", "x", "x"], cell("undefined", -1, -1, requirement=0, proofs=[BOX]), hi=-1),
    "undefined without a requirement": chart_of("x", cell("undefined", requirement=0, proofs=[BOX])),
    "a branch that does not apply": chart_of(ABS, cell("branch", of=ABS, case=0, defined=[None], proofs=[BOX],
                                                      cells=[LEFT, MIDDLE, RIGHT])),
    "a branch of another function": chart_of("x", cell("branch", 0, 1, of=ABS, case=0, defined=[None], proofs=[BOX],
                                                      cells=[cell("unknown", 0, 1)]), lo=0),
    "a branch of no value": chart_of(["piecewise", 1, ["<", "x", -5]],
                                     cell("branch", of=["piecewise", 1, ["<", "x", -5]], case=1, defined=[None, None],
                                          proofs=[BOX], cells=[cell("unknown")])),
    "a branch without what is compared": chart_of(ABS, cell("branch", 0, 1, of=ABS, case=0, defined=[], proofs=[BOX],
                                                           cells=[cell("unknown", 0, 1)]), lo=0),
    "a branch whose cells miss its end": chart_of(
        ABS, cell("branch", 0, 1, of=ABS, case=0, defined=[None], proofs=[BOX],
                                                           cells=[cell("unknown", 0, HALF)]), lo=0),
    "a chart of two variables": chart_of(["+", "x", "y"], cell("unknown")),
    "a chart of a function's name": {**chart_of(1, cell("unknown")), "var": "exp"},
    "a chart of a range upside down": chart_of("x", cell("unknown", 1, -1), lo=1, hi=-1),
}  # fmt: skip


@pytest.mark.parametrize("arithmetic", ["mpmath", "arb"])
@pytest.mark.parametrize("name", [*TRUE, *TRUE_CHARTS])
def test_the_true_neighbours_are_accepted(name: str, arithmetic: str) -> None:
    """What the forgeries imitate is accepted, so they are not refused for their form."""
    check({**TRUE, **TRUE_CHARTS}[name], arithmetic)


@pytest.mark.parametrize("arithmetic", ["mpmath", "arb"])
@pytest.mark.parametrize("name", [*FORGED, *FORGED_CHARTS])
def test_a_forged_certificate_is_turned_down(name: str, arithmetic: str) -> None:
    """Each checker, alone, refuses."""
    with pytest.raises(CertificateError):
        check({**FORGED, **FORGED_CHARTS}[name], arithmetic)


def test_every_rule_and_kind_of_cell_is_attacked() -> None:
    """At least two forgeries by each rule and with each kind of cell."""
    from symprivacy.arb.rules import RULES

    def rules(proof: Json) -> set[str]:
        if isinstance(proof, list):
            return set().union(*map(rules, proof))
        return {str(proof.get("by"))}.union(*map(rules, proof.values())) if isinstance(proof, dict) else set()

    used = [rules(c["proofs"]) for c in (*FORGED.values(), *CURVES.values())]
    assert {rule: n for rule in RULES if (n := sum(rule in u for u in used)) < 2} == {}
    kinds = [c["kind"] for f in FORGED_CHARTS.values() for c in f["cells"] if isinstance(c, dict)]
    for kind in ("sign", "zero", "root", "undefined", "branch", "unknown"):
        assert kinds.count(kind) >= 2
    assert len(FORGED) + len(FORGED_CHARTS) >= 100
