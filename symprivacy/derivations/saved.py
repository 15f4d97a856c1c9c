"""Derivations from JSON: read strictly, then every rule is run again.

The statements in the file are not believed. Each is what its rule gives on the earlier ones, and has to read the same.
A notion that the package knows must have the package's definition; any other is a notion of the file's author, and
what is derived is about that definition.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Basic, Lambda, Symbol, oo

from symprivacy.derivations import joint, secrets, widths  # noqa: F401  registers every rule
from symprivacy.derivations.derivation import Derivation, DerivationError, Lookup, Step, outcome
from symprivacy.derivations.engine import apart
from symprivacy.errors import InputError, SymPrivacyError
from symprivacy.kernel.expr import subexpressions
from symprivacy.language.bridge import to_sympy
from symprivacy.language.certificates import DERIVATION
from symprivacy.language.text import parse
from symprivacy.notions import get
from symprivacy.notions.definition import Definition
from symprivacy.notions.statement import Given, Span
from symprivacy.notions.symbols import R, real
from symprivacy.notions.written import plain_guarantee

# Numbers of steps beyond this are no derivation that anybody reads.
LONGEST = 10_000


def expression(text: str) -> Basic:
    """A sympy expression in real symbols from text, without evaluating the text.

    >>> expression("exp(eps)/2")
    exp(eps)/2
    """
    if text in ("oo", "-oo"):
        return oo if text == "oo" else -oo
    parsed = parse(text)
    names = {str(n.value) for n in subexpressions(parsed) if n.op == "var"}
    return to_sympy(parsed, {name: real(name) for name in names})


def value(data: Any) -> Any:
    """A parameter of a step, as :func:`symprivacy.derivations.show.plain` wrote it."""
    if isinstance(data, list):
        return tuple(value(part) for part in data)
    if not isinstance(data, dict):
        return data
    if set(data) == {"expr"} and isinstance(data["expr"], str):
        return expression(data["expr"])
    if set(data) == {"span"} and isinstance(data["span"], list) and len(data["span"]) == 5:
        name, lo, hi, *opens = data["span"]
        if not all(isinstance(is_open, bool) for is_open in opens):
            raise InputError(f"a range ends in two truth values, got {opens}")
        return Span(Symbol(name, real=True), expression(lo), expression(hi), *opens)
    if set(data) == {"map"}:
        return {real(name): value(part) for name, part in data["map"]}
    raise InputError(f"cannot read a parameter with {sorted(data)}")


def _definition(key: str, data: Mapping[str, Any]) -> Definition:
    mean = data["mean"]
    return Definition(
        key,
        value(data["level"]),
        value(data["others"]),
        tuple((value(lhs), rel, value(rhs)) for lhs, rel, rhs in data["posterior"]),
        value(data["ratio"]),
        None if mean is None else (Lambda(R, value(mean[0])), Lambda(R, value(mean[1]))),
        data["compares"],
        value(data["width"]),
        data["uniform"],
        data["events"],
        data["relation"],
        data["orders"],
        value(data.get("every", [])),
        value(data.get("quotient")),
    )


def _definitions(data: Mapping[str, Any]) -> Lookup:
    """The definitions of a file, after those of known notions were compared with the package's."""
    definitions = {key: _definition(key, entry) for key, entry in data.items()}
    for key, notion in definitions.items():
        try:
            record = get(key)
        except SymPrivacyError:
            continue
        try:
            known = record.definition
        except SymPrivacyError as e:
            raise DerivationError(f"{key} is a notion from which nothing is derived: {e}") from None
        # Parameters that two notions of one derivation have in common get another name in one of them.
        same = [known, *(apart(other, known) for other in definitions.values() if other.key != key)]
        if notion not in same:
            raise DerivationError(f"{key} is a notion with another definition than the one in the file")

    def lookup(key: str) -> Definition:
        if key not in definitions:
            raise DerivationError(f"no definition of {key} in the file")
        return definitions[key]

    return lookup


def from_json(data: Mapping[str, Any]) -> Derivation:
    """The derivation in plain data, also inside what derive writes; raises DerivationError where a rule disagrees.

    >>> import json
    >>> from symprivacy.derivations import derive
    >>> again = from_json(json.loads(json.dumps(derive("SP", "DP").to_json())))
    >>> again.check()
    >>> print(again.claim)
    DP <= eps
    """
    outside, data = data, data.get("derivation", data)
    if not isinstance(data, Mapping) or data.get("format") != DERIVATION:
        raise InputError(f"not a derivation: the format is not {DERIVATION}")
    try:
        lookup = _definitions(data["definitions"])
        steps: list[Step] = []
        if len(data["steps"]) > LONGEST:
            raise InputError(f"more than {LONGEST} steps")
        for k, entry in enumerate(data["steps"]):
            steps.append(_step(k, entry, steps, lookup))
        used = {step.parameters["view"] for step in steps if "view" in step.parameters}
        if idle := sorted(set(data["definitions"]) - used):
            raise DerivationError(f"no step uses the definition of {idle[0]}")
        if not steps or steps[-1].statement.to_json() != data["claim"]:
            raise DerivationError("the last step is not the claim")
        if outside is not data:
            _same_guarantees(outside, steps[-1])
        return Derivation(tuple(steps), steps[-1].statement, lookup, str(data.get("title", "")))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as e:
        raise DerivationError(f"malformed derivation: {type(e).__name__} {e}") from None


def _same_guarantees(outside: Mapping[str, Any], last: Step) -> None:
    """What stands beside the derivation in the file is what its last step shows."""
    shown = plain_guarantee(Given(last.parameters["view"], tuple(last.parameters["values"])))
    if outside["conclusion"] != shown or outside["premise"] not in map(plain_guarantee, last.statement.given):
        raise DerivationError("the file states another premise or conclusion than its derivation shows")


def _step(k: int, entry: Mapping[str, Any], earlier: list[Step], lookup: Lookup) -> Step:
    uses = tuple(entry["uses"])
    if not all(isinstance(i, int) and 0 <= i < k for i in uses):
        raise DerivationError(f"step {k + 1} uses a step that is not earlier")
    parameters = {name: value(part) for name, part in entry["parameters"].items()}
    found = outcome(entry["rule"], tuple(earlier[i].statement for i in uses), parameters, lookup)
    if found.statement.to_json() != entry["statement"]:
        raise DerivationError(f"step {k + 1}: the rule gives {found.statement}, the file says {entry['statement']}")
    return Step(found.statement, entry["rule"], uses, parameters, tuple(entry["certificates"]))
