"""level(mechanism, notion): the smallest parameter a mechanism satisfies, with its witness in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sympy import Expr, oo

from symprivacy.errors import InputError, SymPrivacyError, UnsupportedError
from symprivacy.mechanisms.jensen_shannon import js_bounds
from symprivacy.mechanisms.mechanism import Mechanism
from symprivacy.mechanisms.noise import Family
from symprivacy.notions import Guarantee, Notion, Orders, Pairs, all_notions, get
from symprivacy.notions.guarantee import check, number
from symprivacy.notions.levels.compared import compared
from symprivacy.notions.levels.options import Options
from symprivacy.notions.levels.result import Level, as_rational, spelled
from symprivacy.notions.parameter import SECRETS
from symprivacy.notions.readings import INDEPENDENT


@dataclass(frozen=True)
class MechanismLevel(Level):
    """A level with its notion, the guarantee it amounts to and a witness in the mechanism's labels."""

    notion: Notion | None = None
    labels: tuple[tuple[str, Any], ...] = ()
    #: which pairs of inputs and which priors the level is over, in words
    pairs: str = ""
    priors: str = ""

    @property
    def guarantee(self) -> Guarantee:
        """The guarantee that the mechanism satisfies.

        >>> from symprivacy.mechanisms import randomized_response
        >>> level(randomized_response(ratio=4), "DP").guarantee
        DP(eps=log(4))
        """
        assert self.notion is not None
        return self.notion(**{self.parameter: self.value, **dict(self.fixed)})

    @property
    def explanation(self) -> dict[str, Any]:
        """The witness as a plain dictionary of labels and strings, ready for JSON."""
        return dict(self.labels)

    def to_dict(self, digits: int = 15) -> dict[str, Any]:
        """The answer as plain data for JSON; ``lo`` and ``hi`` are decimal bounds of an inexact level.

        >>> from symprivacy.mechanisms import randomized_response
        >>> answer = level(randomized_response(ratio=4), "SP").to_dict()
        >>> answer["level"], answer["value"], answer["witness"]["prior"]
        ('tanh(log(4)/4)', '0.333333333333333', {'0': '1/3', '1': '2/3'})
        """
        assert self.notion is not None
        number = not self.value.free_symbols and self.value.is_number
        answer: dict[str, Any] = {
            "notion": self.notion.key,
            "parameter": self.parameter,
            "at": {name: str(value) for name, value in self.fixed},
            "level": spelled(self.value),
            "value": str(self.evalf(digits)) if number else None,
            "exact": self.exact,
            "pairs": self.pairs,
            "priors": self.priors or None,
            "witness": self.explanation,
        }
        if not self.exact:
            answer |= {"lo": str(self.lo), "hi": str(self.hi)}
        return answer


def level(
    mechanism: Mechanism | Family,
    notion: Notion | str,
    *,
    prior: object = None,
    data: Sequence[object] | None = None,
    family: str | None = None,
    zero: str = "breach",
    default: str | None = None,
    **parameters: object,
) -> MechanismLevel:
    """The smallest parameter of ``notion`` that ``mechanism`` satisfies.

    Args:
        mechanism: the channel, or a family such as ``family("laplace", 2)``, which takes parameters of the notion only.
        notion: a notion, its key or an alias.
        prior: one prior over all inputs (a sequence or a dict by label), or one probability p that stands
            for the two-point priors (p, 1-p) on ordered neighbours; None means every prior.
        data: a (correlated) law of the database for BDP, BSP and NPr; None means every law.
        family: "all", "independent", "fixed" or "scalable", for membership-like notions.
        zero: what a 0/0 posterior counts as in SP and BSP: "breach" (1), "skip" or "prior" (no update).
        default: a default value that replaces the one of the mechanism.
        **parameters: all but one of the notion's parameters, such as eps=1 for ADP or alpha=2 for RDP.

    >>> from symprivacy.mechanisms import randomized_response
    >>> from sympy import Rational, Symbol, log
    >>> m = randomized_response(ratio=4)
    >>> print(level(m, "DP"), level(m, "ADP", eps=log(2)))
    eps=log(4) delta=2/5, eps=log(2)
    >>> p = Symbol("p", positive=True)
    >>> level(m, "SP", prior=p).value.subs(p, Rational(1, 3))
    1/3
    """
    _is_one(mechanism)
    record = get(notion)
    if isinstance(mechanism, Family):
        if any(option is not None for option in (prior, data, family, default)) or zero != "breach":
            raise InputError(f"{mechanism}: priors, data and defaults are for finite mechanisms")
        return _family_level(mechanism, record, parameters)
    wanted, given = _parameters(record, parameters)
    if record.level is None:
        raise UnsupportedError(f"{record.key} has no level: {record.why_no_level or 'none is defined'}")
    options = Options(
        zero=zero,
        prior=_prior(prior, mechanism),
        family=family,
        data=None if data is None else tuple(number(value, f"data[{k}]") for k, value in enumerate(data)),
    )
    record.priors.check(record.key, options)
    channel = mechanism.channel(default)
    pairs = record.read(family).pairs if family == INDEPENDENT else record.pairs
    channel = replace(channel, pairs=compared(record.key, channel, pairs, record.orders, given, options))
    try:
        found = record.level(channel, given, options)
    except OverflowError:
        # sympy takes roots of numbers by way of floats.
        raise UnsupportedError(f"{record.key}: the numbers of this mechanism are too large or too small") from None
    _in_range(record, wanted, found.value)
    return MechanismLevel(
        value=found.value, witness=found.witness, exact=found.exact, lo=found.lo, hi=found.hi,
        parameter=wanted, fixed=tuple(given.items()), notion=record, labels=_labels(found, mechanism),
        pairs=_pairs(record, mechanism, options), priors=record.priors.taken(options),
    )  # fmt: skip


def _in_range(record: Notion, wanted: str, value: Expr) -> None:
    """Raise where the range that a notion of one's own gives its level ends below what the mechanism needs."""
    domain = record.parameter(wanted).domain
    if record.own and value.is_number and value != oo and domain.contains(value) == False:  # noqa: E712
        raise UnsupportedError(
            f"{record.key} has no level here: {wanted} = {value} is needed, and {wanted} lies in {domain}"
        )


def _pairs(record: Notion, mechanism: Mechanism, options: Options) -> str:
    pairs = record.pairs
    if options.prior_point is not None:
        pairs = Pairs.NEIGHBOURS
    elif mechanism.n is None and pairs in (Pairs.GAMES, Pairs.CORRELATED, Pairs.AVERAGED):
        pairs = Pairs.ALL  # a secret is a database of one record
    words = pairs.words
    return words if record.orders is Orders.BOTH else f"{words}, {record.orders.words}"


def _parameters(notion: Notion, parameters: Mapping[str, object]) -> tuple[str, dict[str, Expr]]:
    """Which parameter is asked for, and the given ones checked against their domains."""
    given: dict[str, Expr] = {}
    for name, value in parameters.items():
        domain = notion.parameter(name).domain
        given[name] = number(value, f"{notion.key}: {name}")
        check(given[name], domain, f"{notion.key}: {name}")
    missing = [p.name for p in notion.parameters if p.name not in given and p != SECRETS]
    if len(missing) == 1:
        # A slack can be traded for what it is the slack of.
        if missing[0] != notion.target and notion.target not in (None, "delta"):
            raise UnsupportedError(f"{notion.key}: only {notion.target} is computed, not {missing[0]}")
        return missing[0], given
    names = ", ".join(p.name for p in notion.parameters)
    if not missing:
        raise InputError(f"{notion.key}: every parameter ({names}) is given, none is left to compute")
    example = f"{missing[0]}=1/2 (--at {missing[0]}=1/2 on the command line)"
    raise InputError(f"{notion.key} has parameters {names}: give all but one, for example {example}")


def _prior(prior: object, mechanism: Mechanism) -> Expr | tuple[Expr, ...] | None:
    if prior is None:
        return None
    if isinstance(prior, str):
        if prior == "uniform":
            size = len(mechanism.inputs)
            return tuple(number(1, "prior") / size for _ in range(size))
        raise InputError(f"prior={prior!r}: expected 'uniform', a probability or one number per input")
    if isinstance(prior, Mapping):
        unknown = [label for label in prior if label not in mechanism.inputs]
        if unknown:
            raise InputError(f"prior names {unknown[0]!r}, which is not an input")
        return tuple(number(prior.get(label, 0), f"prior[{label}]") for label in mechanism.inputs)
    if isinstance(prior, Sequence):
        return tuple(number(value, f"prior[{k}]") for k, value in enumerate(prior))
    p = number(prior, "prior")
    if p.is_number and not (0 < p < 1):
        raise InputError(f"prior={p}: a probability strictly between 0 and 1 expected")
    return p


def _labels(found: Level, mechanism: Mechanism) -> tuple[tuple[str, Any], ...]:
    witness = found.witness
    if witness is None:
        return ()
    labels: dict[str, Any] = {}
    if witness.pair is not None:
        labels["inputs"] = [mechanism.inputs[x] for x in witness.pair]
    if witness.output is not None:
        labels["output"] = mechanism.outputs[witness.output]
    if witness.outputs is not None:
        labels["outputs"] = [mechanism.outputs[y] for y in witness.outputs]
    if witness.prior is not None:
        labels["prior"] = {mechanism.inputs[x]: str(value) for x, value in witness.prior}
    if witness.record is not None and mechanism.n is not None:
        labels["record"] = witness.record
    if witness.note:
        labels["note"] = witness.note
    labels["attained"] = witness.attained
    return tuple(labels.items())


def _family_level(member: Family, record: Notion, parameters: Mapping[str, object]) -> MechanismLevel:
    try:
        value = member.level(record, **parameters)
    except UnsupportedError:
        if record.key == "JS" and member.name.endswith("gaussian"):
            low, high = js_bounds(member)
            return replace(_of_family(member, record, as_rational(high), parameters), exact=False, lo=low, hi=high)
        if member.name != "krr" or any(x.free_symbols for x in member.arguments):
            raise
        return level(member.mechanism(), record, **dict(parameters))  # type: ignore[arg-type]
    _in_range(record, record.answers, value)
    return _of_family(member, record, value, parameters)


def _of_family(member: Family, record: Notion, value: Expr, parameters: Mapping[str, object]) -> MechanismLevel:
    given = tuple((name, number(x, name)) for name, x in parameters.items())
    words = member.neighbours if not record.pairs.every else f"{member.neighbours}, any two of which are compared"
    return MechanismLevel(
        value=value, parameter=record.target or "", fixed=given, notion=record,
        labels=(("inputs", member.neighbours), ("attained", True)), pairs=words, priors=record.priors.words,
    )  # fmt: skip


def _is_one(mechanism: object) -> None:
    if not isinstance(mechanism, Mechanism | Family):
        raise InputError(f"{repr(mechanism)[:60]} is no mechanism, such as randomized_response(ratio=4)")


def profile(mechanism: Mechanism | Family) -> dict[str, MechanismLevel | SymPrivacyError]:
    """The level under every notion that needs no further parameter; errors where it has none.

    >>> from symprivacy.mechanisms import randomized_response
    >>> table = profile(randomized_response(ratio=4))
    >>> table["DP"].value, table["TV"].value
    (log(4), 3/5)
    """
    _is_one(mechanism)
    table: dict[str, MechanismLevel | SymPrivacyError] = {}
    for notion in all_notions():
        if notion.level is None or len([p for p in notion.parameters if p != SECRETS]) > 1:
            continue
        if isinstance(mechanism, Family) and not mechanism.speaks_of(notion):
            continue
        try:
            table[notion.key] = level(mechanism, notion)
        except SymPrivacyError as error:
            table[notion.key] = error
    return table
