"""What the words of answers mean: principles, rules of derivations, verdicts and statuses."""

from __future__ import annotations

import argparse
from typing import Any

from symprivacy.cli import options
from symprivacy.errors import InputError
from symprivacy.language.names import no_such

WORDS = {
    "proved": "both checkers accept a certificate that the statement holds at every point of the domain",
    "refuted": "an exact point is known at which the statement fails, and both checkers accept it",
    "undecided": "neither was found; nothing follows from this",
    "tight": "it holds, and no better level or constant does: a witness attains or approaches it",
    "upper-bound": "a level that is proved to follow; a smaller one may follow too",
    "impossible": "no finite level follows: a witness satisfies the premise and exceeds every level of the conclusion",
    "unknown": "no answer was found; nothing follows from this",
    "gap": "the best level lies between two proved bounds that differ",
    "open": "neither a bound nor a counterexample is known",
    "trivial": "only the largest value that the target can have follows, and it is attained",
    "checked": "every step of the answer was verified by the checkers",
    "argued": "a step of the answer rests on a stated argument that no checker has verified",
    "complete": "all roots in the interval are listed",
}


def _rules() -> dict[str, Any]:
    import symprivacy.derivations  # noqa: F401  registers all rules
    from symprivacy.derivations.rulebook import RULES

    return RULES


def _words() -> dict[str, str]:
    from symprivacy.render.findings import VERDICTS

    return {**{word: text for word, (_, text) in VERDICTS.items()}, **WORDS}


def kind(name: str) -> str:
    """What a name names: a notion, a claim, a principle, a rule or a word.

    >>> kind("SP"), kind("two-point extremal"), kind("vacuous"), kind("ks14-eq6"), kind("monotone")
    ('notion', 'principle', 'word', 'claim', 'rule')
    """
    from symprivacy.claims import ledger
    from symprivacy.claims.library import library
    from symprivacy.derivations.principles import PRINCIPLES
    from symprivacy.notions import all_notions, get

    claims = {claim.id.casefold() for claim in (*ledger(), *library())}
    spelled = name.strip().casefold()
    if spelled in claims:
        return "claim"
    try:
        get(name)
        return "notion"
    except InputError as error:
        if "ambiguous" in str(error):
            raise
    dashed = spelled.replace(" ", "-").replace("_", "-")
    if dashed in {p.name for p in PRINCIPLES}:
        return "principle"
    if spelled in _words():
        return "word"
    if dashed in _rules():
        return "rule"
    known = [*(n.key for n in all_notions()), *claims, *(p.name for p in PRINCIPLES), *_words(), *_rules()]
    raise no_such("notion, claim, principle, rule or verdict", name, known, "see 'symprivacy notions'")


def show(what: str, args: argparse.Namespace) -> int:
    """Print what a principle, a rule or a word means."""
    name = args.name.strip().casefold()
    dashed = name.replace(" ", "-").replace("_", "-")
    record: dict[str, Any] = {"kind": what, "name": dashed}
    if what == "principle":
        from symprivacy.derivations.principles import get

        found = get(args.name)
        if args.latex:
            print(found.to_latex())
            return 0
        record |= {"assumes": found.assumes, "concludes": found.concludes, "conditions": found.conditions}
        record["rules"] = list(found.rules)
    elif what == "rule":
        rule = _rules()[dashed]
        record |= {"says": rule.words, "principle": rule.principle, "uses": rule.uses}
    else:
        record |= {"name": name, "means": _words()[name]}
    if args.json:
        print(options.to_line(record))
        return 0
    from symprivacy.render import terminal

    terminal.say(f"{record['name']}: a {'word of the answers' if what == 'word' else what}")
    shown = {k: v for k, v in record.items() if k not in ("kind", "name") and v not in (None, [], "none")}
    terminal.fields((k, ", ".join(v) if isinstance(v, list) else str(v)) for k, v in shown.items())
    return 0
