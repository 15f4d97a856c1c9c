"""Attacks on both checkers whose outcome Arb or exact algebra knows; each returns counts and what went wrong."""

from __future__ import annotations

import json
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any
from unittest import mock

from symprivacy.algebra.complete import complete
from symprivacy.arb import enclose as arb_enclose
from symprivacy.arb import rules as arb_rules
from symprivacy.arb.domain import read_box, spans
from symprivacy.arb.enclose import bits
from symprivacy.arb.reader import read
from symprivacy.errors import CertificateError, NoInformation, SymPrivacyError, UnsupportedError
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import box_from_data, intervals
from symprivacy.kernel.checker import FORMAT
from symprivacy.kernel.data import from_data, to_data
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import substitute, var
from symprivacy.kernel.rules import enclose_mean
from symprivacy.language.certificates import check, using
from symprivacy.search import prove as prove_module
from symprivacy.search.prove import search
from tests.kernel.arb import UndefinedError, UnresolvedError, Value, ball, outside, sign, value
from tests.soundness import generate as g

Data = Any
NAMES = frozenset("xy")
# What the search may spend on one statement: few, because most of these statements have no proof.
STEPS, FEW_STEPS = 1_000, 60


@dataclass
class Outcome:
    """How often what happened, and every violation as data that reproduces it."""

    counts: Counter[str] = field(default_factory=Counter)
    violations: list[Any] = field(default_factory=list)

    def violate(self, kind: str, *what: Any) -> None:
        """Note something that must not happen."""
        self.counts["violations"] += 1
        self.violations.append([kind, *map(repr, what)])

    def add(self, other: Outcome) -> None:
        """Put two outcomes together."""
        self.counts.update(other.counts)
        self.violations += other.violations


def _numbers(points: list[dict[str, Data]]) -> list[dict[str, Value]]:
    return [{n: g.number(v) for n, v in p.items()} for p in points]


def _box(rng: Random) -> tuple[dict[str, Data], list[dict[str, Data]]]:
    """A box that both checkers take for one: ends that cannot be told apart are refused, and rightly so."""
    while True:
        data, points = g.box(rng)
        try:
            box_from_data(data)
            read_box(data)
        except CertificateError:
            continue
        return data, points


def enclosures(rng: Random, least: int) -> Outcome:
    """Enclosures, plain and by the mean value theorem, in both arithmetics, at 2 to 400 bits."""
    out = Outcome()
    while out.counts["enclosures"] < least:
        data, points = _box(rng)
        box, second, at = box_from_data(data), read_box(data), _numbers(points)
        leaves = ["x", "x", "y", rng.choice(points)["x"]]
        for _ in range(2):
            prec = g.precision(rng)
            ranges = intervals(box, prec)
            with bits(prec - arb_enclose.EXTRA):
                others = spans(second)
            for _ in range(6):
                e = g.tree(rng, leaves, rng.choice((1, 1, 2, 2, 3)), smooth=rng.random() < 0.5)
                _enclosure(out, e, prec, ranges, others, at, data)
    return out


def _attempt(f: Callable[[], Any]) -> Any:
    try:
        return f()
    except (NoInformation, UnsupportedError, CertificateError):
        return None


def _enclosure(
    out: Outcome,
    e: Data,
    prec: int,
    ranges: Mapping[str, iv.Interval],
    others: Mapping[str, Any],
    at: list[dict[str, Value]],
    data: Data,
) -> None:
    tree, node = from_data(e, NAMES), read(e, NAMES)
    plain = _attempt(lambda: enclose(tree, ranges, prec))
    found = [plain, _attempt(lambda: enclose_mean(tree, ranges, prec))] if plain is not None else []
    with bits(prec - arb_enclose.EXTRA):
        span = _attempt(lambda: arb_enclose.enclose(node, others))
        spans_found = [span, _attempt(lambda: arb_rules.mean_value(node, others))] if span is not None else []
    found = [r for r in found if r is not None]
    spans_found = [r for r in spans_found if r is not None]
    out.counts["enclosures"] += len(found) + len(spans_found)
    out.counts["no information"] += (not found) + (not spans_found)
    if any(end[3] > prec for r in found for end in r[:2]):
        out.violate("too many bits", prec, e, data)
    if not found and not spans_found:
        return
    for p in at:
        try:
            v = value(tree, p, g.BITS)
        except UnresolvedError:
            out.counts["points not resolved"] += 1
            continue
        except UndefinedError:
            out.violate("an enclosure where there is no value", e, data, p, prec)
            continue
        out.counts["points"] += 1
        if any(outside(v, r) for r in found):
            out.violate("outside, mpmath", e, data, p, prec, v)
        if any(_beyond(v, r) for r in spans_found):
            out.violate("outside, arb", e, data, p, prec, v)


def _beyond(v: Value, span: Any) -> bool:
    """Whether a value certainly lies outside a span."""
    lo, hi, lo_open, hi_open = span
    b = ball(v)
    if b < lo or b > hi:
        return True
    return isinstance(v, Fraction) and b.is_exact() and bool((lo_open and b == lo) or (hi_open and b == hi))


# Statements.


def certificate(lhs: Data, rel: str, rhs: Data, domain: Data, *proofs: Data) -> dict[str, Any]:
    """A certificate that claims a proof."""
    head = {"format": FORMAT, "lhs": lhs, "rel": rel, "rhs": rhs, "domain": domain}
    return {**head, "verdict": "proved", "proofs": list(proofs)}


def accepted(certificate: Mapping[str, Any], arithmetic: str) -> bool:
    """Whether a checker accepts; anything but a clean refusal is an error."""
    try:
        check(certificate, arithmetic)
    except CertificateError:
        return False
    return True


def random_proof(rng: Random, points: list[Data], parts: list[Data], depth: int) -> dict[str, Any]:
    """A proof tree that fits no statement in particular; ``points`` are numbers to cut at, ``parts`` expressions."""
    if depth == 0:
        kind = rng.random()
        if kind < 0.15:
            return {"by": rng.choice(("zero", "void", "empty")), "var": "x", "given": rng.choice((0, -1))}
        return {"by": rng.choice(("box", "mean", "mean")), "prec": g.precision(rng, 24)}

    def sub() -> dict[str, Any]:
        return random_proof(rng, points, parts, depth - 1)

    var, end, of = rng.choice("xxy"), rng.choice(("lo", "hi")), rng.choice(parts)
    # Most ranges have two finite ends, and each needs a proof that a point does not lie beyond it.
    two = [{"by": "box"} for _ in range(rng.choice((0, 1, 2, 2, 2, 2)))]
    match rng.randrange(12):
        case 9:
            order = rng.choice((1, 2, 2, 3, 4))
            known = [sub() for _ in range(1 + sum(2 if k % 2 else 1 for k in range(1, order)))]
            centre = rng.choice([*points, "y" if var == "x" else "x"])
            return {
                "by": "taylor",
                "var": var,
                "at": centre,
                "order": order,
                "within": two,
                "known": known,
                "rest": sub(),
            }
        case 10:
            return {"by": "concave", "var": var, "faces": [sub(), sub()], "bend": sub()}
        case 11:
            value, inverse, span = rng.choice(
                [
                    (["+", "t", points[0]], g.minus(var, points[0]), [rng.choice([0, None]), None, True, True]),
                    (["^", "t", 2], ["^", var, ["/", 1, 2]], [0, None, False, True]),
                    (["log", "t"], ["exp", var], [0, None, True, True]),
                    (["exp", "t"], ["log", var], [None, None, True, True]),
                    (["^", "t", -1], ["^", var, -1], [None, None, True, True]),
                ]
            )
            inside = [sub() for _ in range(2 - span[:2].count(None))]
            put = {"by": "put", "var": var, "new": "t", "range": span, "value": value, "inverse": inverse}
            return {**put, "within": inside, "proof": sub()}
        case 0 | 1:
            cut = {"by": "split", "var": var, "at": rng.choice(points), "low": sub(), "high": sub()}
            return {**cut, "open": rng.choice(("", "low", "high"))}
        case 2 | 3:
            strict = rng.choice(("face", "slope"))
            return {"by": "slope", "var": var, "end": end, "strict": strict, "face": sub(), "slope": sub()}
        case 4:
            return {"by": "limit", "var": var, "end": end, "slope": sub()}
        case 5:
            return {"by": "sign", "of": of, "parts": [sub(), sub()]}
        case 6:
            return {"by": "cases", "of": ["abs", of], "parts": [sub(), sub()]}
        case 7:
            return {"by": "cases", "of": ["max", of, rng.choice(points)], "parts": [sub(), sub()]}
        case _:
            return {"by": "fix", "var": var, "proof": sub()}


def _rising(rng: Random, out: Outcome, k: Data, c: Data, data: Data, at: list[dict[str, Value]]) -> None:
    """``(x - c)*(k - k(c)) >= 0``, which holds if k rises, with a proof that says so."""
    at_c = to_data(substitute(from_data(k, NAMES), {"x": from_data(c)}))
    factor = g.minus(k, at_c)
    product = ["*", g.minus("x", c), factor]
    finite = 2 - data["x"][:2].count(None)
    slope = random_proof(rng, [c, 0], [k], rng.choice((0, 0, 1)))
    shown = {"within": [{"by": "box"}] * finite, "known": [{"by": "zero"}] * 2, "slope": slope}
    claim = complete(certificate(product, ">=", 0, data, {"by": "rising", "var": "x", "at": c, "of": factor, **shown}))
    out.counts["rule attacks"] += 1
    for arithmetic in ("mpmath", "arb"):
        if accepted(claim, arithmetic):
            out.counts["accepted by rising"] += 1
            if _fails(from_data(product, NAMES), Fraction(0), at):
                out.violate(f"a false statement is accepted by {arithmetic}", claim)


def _renamed(data: Data, old: str) -> Data:
    return to_data(substitute(from_data(data, NAMES), {old: var("t")}))


def proof_of(rng: Random, goal: Data, points: list[Data], parts: list[Data], depth: int) -> dict[str, Any]:
    """A random proof that takes this goal apart first: by squares, by a sum, as a case, under a condition."""

    def sub() -> dict[str, Any]:
        return random_proof(rng, points, parts, max(depth - 1, 0))

    of = rng.choice(parts)
    match rng.randrange(9):
        case 8:
            # The goal itself at one of its variables, which is put back for the new one.
            old, span = rng.choice(("x", "y")), rng.choice([[None, None, True, True], [0, None, False, True]])
            case = {"by": "instance", "new": "t", "range": span, "value": old, "expr": _renamed(goal, old)}
            return {**case, "within": [sub() for _ in range(2 - span[:2].count(None))], "proof": sub()}
        case 0:
            return {"by": "squares", "left": ["+", goal, of], "right": of, "left_proof": sub(), "proof": sub()}
        case 1:
            given = {"by": "given", "given": 0, "scale": rng.choice((1, 2, ["/", 1, 3]))}
            return {"by": "sign", "of": goal, "parts": [given, rng.choice((given, sub()))]}
        case 2:
            summands = [of, g.minus(goal, of)]
            return {"by": "sum", "parts": [{"expr": e, "proof": sub()} for e in summands]}
    return random_proof(rng, points, parts, depth)


def rules(rng: Random, count: int) -> Outcome:
    """Random proofs of ``e > c`` (or >=) where c is hardly more than the value of e at a point of the box."""
    out = Outcome()
    while out.counts["rule attacks"] < count:
        data, points = _box(rng)
        at = _numbers(points)
        cuts = [p[n] for p in points for n in "xy"] + [0, 1]
        # A square has a slope that vanishes, as Taylor's theorem takes it.
        leaves = ["x", "x", "y", points[0]["x"], ["^", g.minus("x", rng.choice([*cuts, "y"])), 2]]
        for _ in range(4):
            e = g.tree(rng, leaves, rng.choice((1, 2, 2)), smooth=True)
            tree = from_data(e, NAMES)
            try:
                v = value(tree, at[0], g.BITS)
                short = g.near(v, 8)
            except (UndefinedError, UnresolvedError):
                continue
            # A difference of zero is false for >, the least one for >= too.
            k = rng.choice((4, 12, 24, 53, 60, 120, 250))
            c = g.near(v, k) + Fraction(1, 2**k) * abs(g.near(v, k) or 1)
            if not ball(v) < ball(c):
                continue
            _rising(rng, out, e, rng.choice(cuts), data, at)
            for _ in range(5):
                inner = e[1:] if isinstance(e, list) else []
                parts, depth = [*inner, e, *leaves], rng.choice((0, 1, 1, 2))
                out.counts["rule attacks"] += 1
                for low, name in ((c, "false"), (short - abs(short) - 1, "open")):
                    proof = proof_of(rng, g.minus(e, g.rational(low)), cuts, parts, depth)
                    claim = complete(certificate(e, rng.choice((">", ">=")), g.rational(low), data, proof))
                    for arithmetic in ("mpmath", "arb"):
                        if not accepted(claim, arithmetic):
                            continue
                        out.counts[f"{name} statements accepted"] += 1
                        out.counts[f"accepted by {proof['by']}"] += 1
                        if name == "false" or _fails(tree, low, at):
                            out.violate(f"a false statement is accepted by {arithmetic}", claim)
    return out


def _fails(tree: Any, low: Fraction, at: list[dict[str, Value]]) -> bool:
    """Whether ``tree >= low`` certainly fails at a point, or has no value there."""
    for p in at:
        try:
            if ball(value(tree, p, g.BITS)) < ball(low):
                return True
        except UndefinedError:
            return True
        except UnresolvedError:
            continue
    return False


class OverstayedError(BaseException):
    """The search did not keep its time; a BaseException, so that nothing on the way catches it."""


def _interrupt(*_: object) -> None:
    raise OverstayedError


def asked(
    lhs: Any, rel: str, rhs: Any, box: Any, arithmetic: str, steps: int, hunt: bool = True
) -> tuple[str, dict[str, Any] | None]:
    """What the search says with one arithmetic; an error or too long a search proves nothing and is counted apart.

    The hunt for counterexamples takes most of the time and can prove nothing: without ``hunt`` it is left out. Errors
    that are not ours are raised: an attack whose searches all fail would show nothing.
    """
    before = signal.signal(signal.SIGPROF, _interrupt)
    signal.setitimer(signal.ITIMER_PROF, 0.5)
    try:
        with ExitStack() as stack:
            stack.enter_context(using(arithmetic))
            for look in () if hunt else ("look_around", "look_again", "look_closer"):
                stack.enter_context(mock.patch.object(prove_module, look, return_value=None))
            found, _ = search(lhs, rel, rhs, box, None, steps)
    except OverstayedError:
        return "overstayed", None
    except SymPrivacyError as e:
        return f"error {type(e).__name__}", None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return ("undecided", None) if found is None else (str(found["verdict"]), found)


def statements(rng: Random, count: int, steps: int = STEPS) -> Outcome:
    """Random statements through the search in one arithmetic; what is claimed must agree with samples in Arb."""
    out = Outcome()
    while out.counts["statements"] < count:
        data, points = _box(rng)
        at, box = _numbers(points), box_from_data(data)
        leaves = ["x", "x", "y", rng.choice(points)["x"]]
        for _ in range(3):
            e = g.tree(rng, leaves, rng.choice((1, 2, 2, 3)))
            tree = from_data(e, NAMES)
            try:
                values = [g.as_fraction(value(tree, p, g.BITS)) for p in at]
            except (UndefinedError, UnresolvedError):
                values = [Fraction(0)]
            k, low = rng.choice((3, 8, 30, 53, 60)), min(values)
            c = g.near(low, rng.choice((8, 53, 70))) + rng.choice((-1, 0, 1)) * abs(g.near(low, 8)) / 2**k
            rel = rng.choice((">", ">="))
            rhs, arithmetic = from_data(g.rational(c), NAMES), rng.choice(("mpmath", "arb"))
            # What is decided is mostly decided early; some are searched for longer.
            effort = steps if rng.random() < 0.1 else min(steps, FEW_STEPS)
            verdict, found = asked(tree, rel, rhs, box, arithmetic, effort, hunt=rng.random() < 0.1)
            out.counts["statements"] += 1
            out.counts[f"{verdict}, {arithmetic}"] += 1
            if found is None:
                continue
            if verdict == "proved" and _fails(tree, c, at):
                out.violate(f"proved, but false, by {arithmetic}", found)
            if verdict == "refuted" and _holds(tree, c, rel, found["at"]):
                out.violate(f"refuted at a point where it holds, by {arithmetic}", found)
    return out


def _holds(tree: Any, c: Fraction, rel: str, at: Mapping[str, Data]) -> bool:
    try:
        v = value(tree, {n: g.number(p) for n, p in at.items()}, g.BITS)
        gap = v - c if isinstance(v, Fraction) else ball(v) - ball(c)
        found = sign(gap)
    except (UndefinedError, UnresolvedError):
        return False
    return found > 0 or (found == 0 and rel == ">=")


def mutations(rng: Random, count: int) -> Outcome:
    """Certificates that were accepted, with one thing changed: what is accepted still must agree with samples."""
    out = Outcome()
    while out.counts["mutations"] < count:
        data, points = _box(rng)
        at = _numbers(points)
        e = g.tree(rng, ["x", "x", "y"], rng.choice((1, 2, 2)))
        tree = from_data(e, NAMES)
        try:
            low = min(g.near(value(tree, p, g.BITS), 20) for p in at)
        except (UndefinedError, UnresolvedError):
            continue
        c = low - rng.choice((Fraction(0), abs(low) / 16, abs(low) + 1))
        rhs = from_data(g.rational(c), NAMES)
        _, found = asked(tree, rng.choice((">", ">=")), rhs, box_from_data(data), "mpmath", STEPS)
        if found is None:
            continue
        for _ in range(8):
            changed = _changed(rng, found)
            out.counts["mutations"] += 1
            for arithmetic in ("mpmath", "arb"):
                if accepted(changed, arithmetic):
                    out.counts["mutations accepted"] += 1
                    if _contradicted(changed, at):
                        out.violate(f"a false mutation is accepted by {arithmetic}", changed)
    return out


def _changed(rng: Random, data: Data) -> Data:
    """The same JSON with one leaf, or one element of a list, replaced."""
    paths = list(_paths(data))
    path = rng.choice([p for p in paths if p and p[0] not in ("format", "verdict")])
    copy = json.loads(json.dumps(data))
    place = copy
    for key in path[:-1]:
        place = place[key]
    old = place[path[-1]]
    others = [0, 1, -1, 2, "x", "y", ["/", 1, 2], True, False, None, "lo", "hi", {"by": "box"}, {"by": "mean"}]
    near = [old + 1, -old, old * 2] if type(old) is int else [not old] if type(old) is bool else []
    rels = [">", ">=", "<", "<=", "=="] if path == ("rel",) else []
    place[path[-1]] = rng.choice(near or rels or others) if rng.random() < 0.7 else rng.choice(others)
    return copy


def _paths(data: Data, so_far: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield so_far
    if isinstance(data, (dict, list)):
        for key in data if isinstance(data, dict) else range(len(data)):
            yield from _paths(data[key], (*so_far, key))


def _contradicted(claim: Mapping[str, Any], at: list[dict[str, Value]]) -> bool:
    """Whether a sample that lies in the domain of the certificate contradicts it."""
    names = frozenset(claim["domain"])
    above = from_data(g.minus(claim["lhs"], claim["rhs"]), names)
    if claim["verdict"] == "refuted":
        at = [{n: g.number(v) for n, v in claim["at"].items()}]
    for p in at:
        if not names <= p.keys() or not all(_inside(p[n], claim["domain"][n]) for n in names):
            continue
        try:
            found = sign(value(above, p, g.BITS))
        except UndefinedError:
            return True
        except UnresolvedError:
            continue
        true = {">": found > 0, ">=": found >= 0, "<": found < 0, "<=": found <= 0, "==": found == 0}[claim["rel"]]
        if true is (claim["verdict"] == "refuted"):
            return True
    return False


def _inside(v: Value, r: Data) -> bool:
    """Whether a number certainly lies strictly between the ends of a range, or is one that belongs to it."""
    try:
        lo, hi = (None if end is None else g.number(end) for end in r[:2])
    except UnresolvedError:
        return False
    if isinstance(v, Fraction) and v in (lo, hi):
        return not (v == lo and r[2]) and not (v == hi and r[3])
    return (lo is None or bool(ball(v) > ball(lo))) and (hi is None or bool(ball(v) < ball(hi)))


# Families of statements that exact algebra knows to be false.


def _inner(rng: Random) -> tuple[Data, Data, list[Any]]:
    """Two numbers c < d inside a range, and the range; all of them the same function of rational numbers."""
    depth, k = rng.randint(1, 12), rng.choice((rng.randint(1, 30), rng.randint(44, 60), rng.randint(60, 200)))
    base = Fraction(rng.randint(9, 60), rng.choice((5, 7, 8)))

    def curve(q: Fraction) -> Data:
        return shape(g.rational(q))

    shape: Callable[[Data], Data] = rng.choice(
        (
            lambda q: g.nested(depth, q),
            lambda q: ["exp", ["+", q, ["/", -1, 3]]],
            lambda q: ["log", ["+", 1, q]],
            lambda q: ["exp", g.nested(min(depth, 4), q)],
            lambda q: ["+", ["pi"], g.nested(min(depth, 4), q)],
        ),
    )
    w = Fraction(1, 2**k)
    flags = [rng.random() < 0.2, rng.random() < 0.2]
    return curve(base + w / 3), curve(base + w / 2), [curve(base), curve(base + w), *flags]


def _nested_roots(rng: Random) -> tuple[Data, str, Data, Data]:
    """The square of a distance from a nested root is 0 there."""
    depth, gap = rng.randint(1, 12), rng.choice((rng.randint(44, 56), rng.randint(4, 200)))
    base, w = Fraction(rng.randint(9, 60), 8), Fraction(1, 2**gap)
    low, mid, high = (g.nested(depth, g.rational(base + t * w)) for t in (0, Fraction(1, 2), 1))
    return ["^", g.minus("x", mid), 2], ">", 0, {"x": [low, high, False, False]}


def _touching(rng: Random) -> tuple[Data, str, Data, Data]:
    """Convex functions lie above their tangents, except at the point itself."""
    c, _, r = _inner(rng)
    u = g.minus("x", c)
    lhs, rhs = rng.choice(
        (
            (["exp", u], ["+", 1, u]),
            (["*", "x", ["exp", u]], ["+", ["*", ["+", 1, c], u], c]),
            (["cosh", u], 1),
            (["^", u, 4], 0),
            (["+", ["^", "x", 2], ["^", c, 2]], ["*", 2, c, "x"]),
            (u, ["log", ["+", 1, u]]),
        ),
    )
    return lhs, ">", rhs, {"x": r}


def _kinks(rng: Random) -> tuple[Data, str, Data, Data]:
    """Abs, Min and Max that meet at an inner irrational point, or a jump of a Piecewise there."""
    c, d, r = _inner(rng)
    lhs, rhs = rng.choice(
        (
            (["abs", g.minus("x", c)], 0),
            (["max", "x", c], ["min", "x", c]),
            (["max", g.minus("x", c), g.minus(c, "x")], 0),
            (["piecewise", 1, ["<", "x", c], 0, ["<=", "x", c], 1, ["true"]], 0),
            (["piecewise", g.minus(c, "x"), ["<", "x", c], g.minus("x", c), ["true"]], 0),
            (["abs", ["*", g.minus("x", c), g.minus("x", d)]], 0),
        ),
    )
    return lhs, ">", rhs, {"x": r}


def _products(rng: Random) -> tuple[Data, str, Data, Data]:
    """Products that vanish, or are negative between two inner zeros."""
    c, d, r = _inner(rng)
    u, v = g.minus("x", c), g.minus("x", d)
    return rng.choice(
        (
            (["*", u, v], ">=", 0, {"x": r}),
            (["*", ["^", u, 2], ["exp", "x"]], ">", 0, {"x": r}),
            (["*", ["^", g.minus("x", "y"), 2], ["+", 1, ["^", "y", 2]]], ">", 0, {"x": r, "y": r}),
            (["*", u, ["^", v, 2]], ">=", 0, {"x": r}),
            (["*", ["^", u, 2], ["^", v, 2]], ">", 0, {"x": r}),
            (["+", ["^", u, 2], ["^", g.minus("y", d), 2]], ">", 0, {"x": r, "y": r}),
            (["*", ["^", "x", 2], ["^", u, 2]], ">", 0, {"x": [0, None, True, True]}),
        ),
    )


FAMILIES = {"nested roots": _nested_roots, "touching": _touching, "kinks": _kinks, "products": _products}


def family(name: str, rng: Random, count: int, steps: int = STEPS) -> Outcome:
    """False statements of one family: neither arithmetic may prove one, by the search or by proofs made by hand."""
    out = Outcome()
    for _ in range(count):
        lhs, rel, rhs, domain = FAMILIES[name](rng)
        out.counts[f"{name}: statements"] += 1
        for arithmetic in ("mpmath", "arb"):
            verdict = _verdict(lhs, rel, rhs, domain, arithmetic, steps)
            out.counts[f"{name}: {verdict}, {arithmetic}"] += 1
            if verdict == "proved":
                out.violate(f"{name}, {arithmetic}", lhs, rel, rhs, domain)
        ends = [end for r in domain.values() for end in r[:2] if end is not None]
        for _ in range(2):
            proof = random_proof(rng, [*ends, *_numbers_in(lhs)], [lhs, "x"], rng.choice((0, 0, 1, 1, 2)))
            claim = certificate(lhs, rel, rhs, domain, proof)
            for arithmetic in ("mpmath", "arb"):
                out.counts[f"{name}: proofs tried"] += 1
                if accepted(claim, arithmetic):
                    out.violate(f"{name}, forged, {arithmetic}", claim)
    return out


def _numbers_in(e: Data) -> Iterator[Data]:
    """The parts of an expression that are constants."""
    if isinstance(e, list) and e[0] in ("^", "exp", "log", "+"):
        if not from_data(e).variables:
            yield e
        else:
            for part in e[1:]:
                yield from _numbers_in(part)


def _verdict(lhs: Data, rel: str, rhs: Data, domain: Data, arithmetic: str, steps: int) -> str:
    try:
        box = box_from_data(domain)
    except CertificateError:
        return "refused"
    names = frozenset(domain)
    return asked(from_data(lhs, names), rel, from_data(rhs, names), box, arithmetic, steps, hunt=False)[0]
