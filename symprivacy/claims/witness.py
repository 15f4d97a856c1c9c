"""Witnesses: mechanisms that satisfy one guarantee and not another, judged by exact levels."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from sympy import Expr as SymExpr
from sympy import oo

from symprivacy.claims.guarantees import Wanted, arguments, guarantee
from symprivacy.claims.pairs import admissible, diameter, spreads
from symprivacy.errors import InputError, SymPrivacyError
from symprivacy.implications.parameters import DIAMETER
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.language.exact import simplified
from symprivacy.language.notation import Text
from symprivacy.language.text import parse, to_text
from symprivacy.mechanisms import Mechanism, MechanismLevel, level
from symprivacy.mechanisms.jsonform import from_json, to_json
from symprivacy.notions import get
from symprivacy.notions.levels.result import as_rational
from symprivacy.notions.readings import ONE
from symprivacy.search.verdict import Status, decide


def holds(left: SymExpr, rel: str, right: SymExpr) -> bool | None:
    """Whether a comparison of two exact numbers is true; None where it could not be decided.

    >>> from sympy import exp, Integer
    >>> holds(exp(1), ">", Integer(2)), holds(oo, "<=", Integer(1))
    (True, False)
    """
    if left == oo or right == oo:
        up, down = bool(left == oo), bool(right == oo)
        return {"<": not up, "<=": down, ">": up and not down, ">=": up}[rel]
    found = decide(from_sympy(left), rel, from_sympy(right), {}).status
    return {Status.PROVED: True, Status.REFUTED: False, Status.UNDECIDED: None}[found]


def breaks(
    mechanism: Mechanism | None, premise: Wanted, conclusion: Wanted, options: Mapping[str, object] | None = None
) -> dict[str, Any] | None:
    """The witness, if the mechanism satisfies the premise and not the conclusion; both have numbers for parameters.

    >>> from symprivacy.claims.guarantees import guarantee
    >>> from symprivacy.mechanisms import randomized_response
    >>> breaks(randomized_response(ratio=2), guarantee("DP(log(2))"), guarantee("TV(1/4)"))["says"]
    'DP level log(2) <= log(2), but TV level 1/3 > 1/4'
    """
    if mechanism is None or not mechanism.rational or not admissible(mechanism, premise.notion, conclusion.notion):
        return None
    try:
        before = level(mechanism, premise.notion, **_options(premise, options))
        after = level(mechanism, conclusion.notion, **_options(conclusion, options))
    except SymPrivacyError:
        return None
    allowed, claimed = to_sympy(premise.level), to_sympy(conclusion.level)
    # An inexact level counts by the end of its enclosure that makes the witness harder to accept.
    # At a prior that was chosen the level is exact; that no other prior does better is not said.
    exact = before.exact or premise.notion.reading == ONE
    high = before.value if exact else as_rational(before.hi or Fraction(0))
    low = after.value if after.exact else as_rational(after.lo or Fraction(0))
    if holds(high, "<=", allowed) is not True or holds(low, ">", claimed) is not True:
        return None
    given = _given_prior(before) if premise.notion.reading == ONE else ""
    says = Text(
        f"{_called(premise)} level `{simplified(high)} <= {to_text(premise.level)}`{given}, "
        f"but {_called(conclusion)} level `{simplified(low)} > {to_text(conclusion.level)}`"
    )
    return {
        "mechanism": json.loads(to_json(mechanism)),
        "premise": str(premise),
        "conclusion": str(conclusion),
        "levels": {premise.notion.key: str(high), conclusion.notion.key: str(low)},
        "at": after.explanation,
        "says": says,
        "options": {name: _shown(value) for name, value in (options or {}).items()},
    }


def _called(wanted: Wanted) -> str:
    return wanted.written.key.partition("[")[0]


def _given_prior(found: MechanismLevel) -> str:
    """The prior for which a level was computed, where it was chosen."""
    law = None if found.witness is None else found.witness.prior
    return "" if law is None else f" at the prior `({', '.join(str(share) for _, share in law)})`"


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _options(wanted: Wanted, options: Mapping[str, object] | None) -> dict[str, Any]:
    """The parameters, and of the options of the statement those that the notion has."""
    priors = wanted.notion.priors
    known = {"prior": bool(priors.one), "data": priors.data, "family": bool(priors.families), "zero": priors.zero}
    return {**wanted.options(), **{name: value for name, value in (options or {}).items() if known.get(name, True)}}


def verify(witness: Mapping[str, Any]) -> bool:
    """Whether a printed witness does what it says, computed again from its data alone."""
    try:
        mechanism = from_json(json.dumps(witness["mechanism"]))
        premise, conclusion = guarantee(witness["premise"]), guarantee(witness["conclusion"])
    except (KeyError, TypeError):
        raise InputError("not a witness against an implication: mechanism, premise and conclusion expected") from None
    stated = (witness.get("parameters") or {}).get(DIAMETER)
    if stated is not None and spreads(premise.notion, conclusion.notion) and str(diameter(mechanism)) != stated:
        return False
    options = dict(witness.get("options") or {})
    if "prior" in options:
        # The same prior on both sides.
        options["prior"] = tuple(to_sympy(parse(part)) for part in arguments(options["prior"]))
    premise, conclusion = (
        _for_prior(premise, "prior" in options, False),
        _for_prior(conclusion, "prior" in options, True),
    )
    return breaks(mechanism, premise, conclusion, options or None) is not None


def _for_prior(wanted: Wanted, given: bool, conclusion: bool) -> Wanted:
    """One prior that is given belongs to the notion itself; a conclusion for whichever prior is one for all."""
    notion = wanted.notion
    plain = notion.reading == ONE and (given or conclusion)
    return replace(wanted, notion=get(notion.key.partition("[")[0]), said=notion) if plain else wanted
