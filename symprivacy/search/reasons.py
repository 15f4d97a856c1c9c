"""Why an inequality holds, in a sentence: what the outermost steps of its certificate do.

The checker reads every step; a reader wants to know which idea it was. A difference of both sides has the larger one
first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from symprivacy.kernel.box import box_from_data, range_from_data
from symprivacy.kernel.data import from_data
from symprivacy.language.notation import Text
from symprivacy.language.text import to_text

Proof = Mapping[str, Any]
# Formulas with more signs are left to the certificate.
LONGEST = 60
_DIFFERENCE = "the difference of both sides"


def rules_used(certificate: Mapping[str, Any]) -> Iterator[str]:
    """The rule of every step of a proof."""
    # An explicit stack: proofs by subdivision can be deeper than Python's recursion allows.
    stack = [certificate.get("proofs")]
    while stack:
        node = stack.pop()
        if isinstance(node, Mapping):
            if "by" in node:
                yield str(node["by"])
            stack.extend(node.values())
        elif isinstance(node, list):
            stack.extend(node)


def sentence(certificate: Mapping[str, Any]) -> Text:
    """The reason with its formulas marked, and how many steps were checked.

    >>> from symprivacy import prove
    >>> sentence(prove("x**2 >= 2*x - 1", "x in (0, oo)").certificate).marked
    'the difference of both sides is `(x - 1)**2` (1 checked step)'
    >>> str(sentence(prove("log(1 + x) <= x", "x in (0, oo)").certificate)).partition(", and ")[0]
    'the difference of both sides is not negative at x = 0'
    """
    steps = sum(Counter(rules_used(certificate)).values())
    proofs = [proof for proof in certificate.get("proofs") or () if isinstance(proof, Mapping)]
    ends = box_from_data(certificate["domain"])
    if certificate["lhs"] == certificate["rhs"]:
        said = "both sides are the same expression"
    else:
        said = "; ".join(dict.fromkeys(_said(proof, ends) for proof in proofs)) or "nothing has to be shown"
    return Text(f"{said} ({steps} checked step{'s' if steps != 1 else ''})")


def _said(proof: Proof, ends: Mapping[str, Any]) -> str:
    told = _SENTENCES.get(str(proof.get("by")))
    return told(proof, ends) if told is not None else f"an enclosure of {_DIFFERENCE} has one sign"


def _product(proof: Proof, ends: Mapping[str, Any]) -> str:
    known = "a product of factors whose signs are known"
    coefficient = to_text(from_data(proof["coefficient"]))
    shown = [] if coefficient == "1" else [f"({coefficient})" if "/" in coefficient else coefficient]
    for factor in proof["factors"]:
        e, power = from_data(factor["expr"]), to_text(from_data(factor["power"]))
        base = to_text(e) if e.op in ("var", "num", "exp") else f"({to_text(e)})"
        shown.append(base if power == "1" else f"{base}**{power if power.isdigit() else f'({power})'}")
    text = "*".join(shown)
    if len(text) > LONGEST:
        return f"{_DIFFERENCE} is {known}"
    return f"{_DIFFERENCE} is `{text}`" + ("" if len(proof["factors"]) == 1 else f", {known}")


def _slope(proof: Proof, ends: Mapping[str, Any]) -> str:
    name, top = proof["var"], proof["end"] == "hi"
    r = ends.get(name)
    end = None if r is None else r.hi if top else r.lo
    where = f"`{name} = {to_text(end)}`" if end is not None else f"the {'upper' if top else 'lower'} end of `{name}`"
    moves = "falls towards it" if top else f"grows with `{name}`"
    return f"{_DIFFERENCE} is not negative at {where}, and it {moves}"


def _limit(proof: Proof, ends: Mapping[str, Any]) -> str:
    return f"{_DIFFERENCE} falls to a limit that is not negative"


def _taylor(proof: Proof, ends: Mapping[str, Any]) -> str:
    at = to_text(from_data(proof["at"]))
    where = f" at `{proof['var']} = {at}`" if len(at) <= LONGEST else f" in `{proof['var']}`"
    return f"by Taylor's theorem of order {proof['order']}{where} {_DIFFERENCE} is nowhere negative"


def _split(proof: Proof, ends: Mapping[str, Any]) -> str:
    at = to_text(from_data(proof["at"]))
    parts = dict.fromkeys(_said(proof[side], {}) for side in ("low", "high"))
    where = f"`{proof['var']} = {at}`" if len(at) <= LONGEST else f"a point of `{proof['var']}`"
    return f"on either side of {where}: {'; '.join(parts)}" if len(parts) == 1 else f"in parts, cut at {where}"


def _instance(proof: Proof, ends: Mapping[str, Any]) -> str:
    value = to_text(from_data(proof["value"]))
    of = f"`{value}`" if len(value) <= LONGEST else "an expression"
    r = range_from_data(proof["range"])
    return f"with `{proof['new']}` in place of {of}: {_said(proof['proof'], {**ends, proof['new']: r})}"


def _then(words: str) -> Callable[[Proof, Mapping[str, Any]], str]:
    """A change of both sides, and why what is left holds."""
    return lambda proof, ends: f"{words}: {_said(proof['proof'], ends)}"


def _plain(words: str) -> Callable[[Proof, Mapping[str, Any]], str]:
    return lambda proof, ends: words


_SENTENCES: dict[str, Callable[[Proof, Mapping[str, Any]], str]] = {
    "box": _plain(f"an enclosure of {_DIFFERENCE} over the whole range has one sign"),
    "mean": _plain(f"{_DIFFERENCE} moves one way in each variable, and is not negative at the end where it is least"),
    "zero": _plain("both sides are the same expression"),
    "product": _product,
    "sum": _plain(f"{_DIFFERENCE} is a sum of terms none of which is negative"),
    "slope": _slope,
    "limit": _limit,
    "taylor": _taylor,
    "split": _split,
    "cases": _plain("it holds in every case of the maxima, minima, absolute values and pieces in it"),
    "sign": _plain("it holds where an expression is positive and where it is negative"),
    "concave": lambda proof, ends: f"{_DIFFERENCE} is concave in `{proof['var']}` and not negative at both ends",
    "rising": _plain(f"{_DIFFERENCE} changes its sign together with its other factor"),
    "logs": _then("by the logarithms of both sides"),
    "exps": _then("by the exponentials of both sides"),
    "squares": _then("by the squares of both sides"),
    "increasing": lambda proof, ends: f"by `{proof['of']}` of both sides, which increases",
    "root": _then("by a power of both sides"),
    "fix": _then("one variable has one value only"),
    "put": _then("in another variable"),
    "instance": _instance,
}  # fmt: skip
