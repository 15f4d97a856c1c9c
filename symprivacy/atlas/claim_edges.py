"""Claims as edges: an implication that the audit found to hold becomes an edge, one that it refuted never does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from mpmath.libmp import mpf_cmp

from symprivacy.atlas.edge import level_of
from symprivacy.atlas.graph import Atlas, Contradiction
from symprivacy.claims import Claim, Finding, Ruling, ledger
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.implication import Implication as Claimed
from symprivacy.claims.language import proposition
from symprivacy.claims.outcome import All
from symprivacy.errors import InputError, NoInformation, SymPrivacyError
from symprivacy.implications.formula import Formula, Root
from symprivacy.implications.implication import Implication
from symprivacy.implications.parameters import conditions
from symprivacy.implications.status import Kind, Status
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range
from symprivacy.kernel.enclose import enclose
from symprivacy.language.text import parse, to_text

HOLDS = (Ruling.TIGHT, Ruling.HOLDS, Ruling.IMPROVABLE)


def edges_from_claims(findings: Iterable[Finding]) -> list[Implication]:
    """The edges of all implications that hold, as printed or, for a misprint, as corrected.

    >>> from symprivacy.claims import Finding, Ruling
    >>> found = Finding("mine-1", "mine", "Thm 1", "DP(eps) => TV(eps) for 0 < eps <= 1", Ruling.IMPROVABLE)
    >>> print(*edges_from_claims([found]))
    DP(eps) => TV(eps)
    """
    known = {claim.id: claim for claim in ledger()}
    edges: list[Implication] = []
    for finding in findings:
        if finding.verdict in HOLDS or finding.verdict is Ruling.MISPRINT:
            for implication in _implications(finding, known.get(finding.id)):
                edge = _edge(finding, implication)
                if edge is not None:
                    edges.append(edge)
    return edges


def _implications(finding: Finding, claim: Claim | None) -> Iterator[Claimed]:
    """What the verdict is about: the proposition of the record if there is one, else the statement itself."""
    corrected = finding.verdict is Ruling.MISPRINT
    if claim is not None and corrected and claim.corrected is not None:
        part: object = claim.corrected.proof
    elif claim is not None and claim.proof is not None and not corrected:
        part = claim.proof
    else:
        text = finding.corrected if corrected else finding.statement
        try:
            part = proposition(text or "")
        except SymPrivacyError:
            return
    todo = [part]
    while todo:
        one = todo.pop()
        if isinstance(one, All):
            todo.extend(reversed(one.parts))
        elif isinstance(one, Claimed) and not one.options:
            yield one


def _edge(finding: Finding, implication: Claimed) -> Implication | None:
    """The implication as a level of the conclusion in the parameters of the premise; None where that fails."""
    premise, conclusion = implication.premise, implication.conclusion
    start, end = premise.notion, conclusion.notion
    if start.key == end.key or len(end.others) > 1:
        return None
    renamed: dict[str, x.Expr] = {}
    roots: list[Root] = []
    for name, given in premise.named.items():
        if given.op == "var" and str(given.value) not in renamed:
            renamed[str(given.value)] = x.var(name)
        elif len(given.variables) == 1 and not given.variables & set(renamed) and not roots:
            # SP(f(eps)) => DP(eps): for a given level the eps is where f reaches it.
            (unknown,) = given.variables
            renamed[unknown] = x.var(f"{unknown}_1")
            roots.append(Root(f"{unknown}_1", x.substitute(given, renamed), name))
        else:
            return None
    holds: str | None = None
    for name, given in conclusion.named.items():
        if name == end.answers:
            continue
        assert end.asked is not None
        if given.op == "var" and str(given.value) not in renamed:
            renamed[str(given.value)] = x.var(end.asked)
        else:
            # A fixed value of a further parameter serves all that are weaker.
            holds = f"{end.asked} {end.parameter(name).weaker} {to_text(x.substitute(given, renamed))}"
    level = conclusion.named[end.answers]
    if not level.variables <= set(renamed):
        return None
    limits = tuple(
        (str(renamed[name].value), _range(r, renamed)) for name, r in implication.box.items() if name in renamed
    )
    status = Status.TIGHT if finding.verdict is Ruling.TIGHT else Status.UPPER_BOUND
    formula = Formula(x.substitute(level, renamed), tuple(roots))
    return Implication(
        status, formula, source=start.key, target=end.key, kind=Kind.CLAIM, origin=finding.id, holds=holds,
        principles=finding.principles, conditions=conditions(start.key, end.key), limits=limits,
    )  # fmt: skip


def _range(r: Range, renamed: Mapping[str, x.Expr]) -> Range:
    lo, hi = (None if end is None else x.substitute(end, dict(renamed)) for end in (r.lo, r.hi))
    return Range(lo, hi, r.lo_open, r.hi_open)


def with_claims(atlas: Atlas, findings: Iterable[Finding]) -> Atlas:
    """The atlas with the claims that hold; what a refuted claim's witness refutes must not be an edge.

    >>> from symprivacy.atlas.graph import build
    >>> from symprivacy.claims import decide, get_claim
    >>> atlas = with_claims(build(), [decide(get_claim("zhao17-thm2-forward"))])
    >>> [edge.origin for edge in atlas.between("DP", "SP")]
    ['conversion', 'ks14 Theorem 2.2', 'zhao17-thm2-forward']
    """
    known = tuple(findings)
    full = atlas.plus(edges_from_claims(known))
    claims = {claim.id: claim for claim in ledger()}
    for finding in known:
        if finding.verdict is Ruling.FALSE and finding.witness is not None:
            for implication in _implications(finding, claims.get(finding.id)):
                _against(full, finding, implication)
    return full


def _against(atlas: Atlas, finding: Finding, implication: Claimed) -> None:
    """Raise if an edge promises what the witness of a refuted implication breaks."""
    point = (finding.witness or {}).get("parameters")
    if not isinstance(point, Mapping):
        return
    at = {str(name): parse(str(text)) for name, text in point.items()}
    premise, conclusion = implication.premise.at(at), implication.conclusion.at(at)
    broken = enclose(conclusion.level, {}, 200)
    for edge in atlas.between(premise.notion.key, conclusion.notion.key):
        try:
            promised = level_of(edge, _given(premise, conclusion), 15)
        except (NoInformation, InputError):
            continue
        if mpf_cmp(promised[1], broken[0]) <= 0:
            raise Contradiction(
                f"{edge.origin} says {edge}, but the witness against {finding.id} breaks it: {finding.witness}"
            )


def _given(premise: Wanted, conclusion: Wanted) -> dict[str, x.Expr]:
    end = conclusion.notion
    given = dict(premise.named)
    for name, number in conclusion.named.items():
        if name != end.answers and end.asked is not None:
            given[end.asked] = number
    return given
