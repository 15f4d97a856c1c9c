"""A notion or a claim in one new file appears everywhere, with no other edit."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

NOTION = """
from sympy import Lambda, exp, oo
from symprivacy.notions.record import Notion
from symprivacy.notions.f_divergence import Divergence
from symprivacy.notions.parameter import Parameter
from symprivacy.notions.symbols import R

TAU, W = Parameter("tau"), Parameter("w")
NOTIONS = (
    Notion("Twice", "twice the loss", (TAU,), "log ratio <= 2 tau", "x", frozenset("Q"), "mine",
           ratio=exp(2 * TAU.symbol), target="tau"),
    Notion("Halved", "half of chi-square", (W,), "mean of (r-1)^2/2", "x", frozenset("Q"), "mine",
           divergence=Divergence(Lambda(R, (R - 1) ** 2 / 2), oo), target="w"),
)
"""
CLAIM = """
from symprivacy.claims.record import Claim

CLAIMS = (
    Claim("mine-weak", "mine", "Thm 1", "DP(eps) => TV(eps)"),
    Claim("mine-wrong", "mine", "Thm 2", "DP(eps) => TV(eps/4)"),
)
"""


def run(code: str, *paths: str) -> str:
    done = subprocess.run([sys.executable, "-c", code, *paths], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_notion_in_one_file_appears_in_graph_matrix_chains_and_list(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(NOTION)
    code = """
import sys
import symprivacy.notions
symprivacy.notions.__path__.append(sys.argv[1])
from symprivacy.atlas import build, chain, matrix
from symprivacy.cli.main import run
assert {"Twice", "Halved"} <= set(build().graph.nodes)
assert [str(chain("Twice", key).best) for key in ("KL", "DP")] == [
    "Twice(tau) => KL(2*tau*tanh(tau))", "Twice(tau) => DP(2*tau)"]
assert str(chain("SP", "Twice").best) == "SP(eta) => Twice(2*atanh(eta))"
found = matrix(["DP", "KL", "TV", "Twice", "Halved"])
assert [found["Twice", key].status for key in ("DP", "KL", "TV", "Halved")] == ["tight"] * 4
assert found["KL", "Twice"].status == "impossible"
assert found["DP", "Halved"].status == "tight"
assert found["Halved", "TV"].status == "tight" and 0.5 < float(found["Halved", "TV"].hi) < 1
assert found["TV", "Halved"].status == "impossible"
assert set(matrix().keys) >= {"Twice", "Halved"}
run(["notions"])
"""
    listed = run(code, str(tmp_path))
    assert "Twice(" in listed
    assert "Halved(" in listed


def test_a_claim_in_one_file_becomes_an_edge_if_it_holds_and_never_if_it_is_false(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(CLAIM)
    code = """
import sys
import symprivacy.claims.papers
symprivacy.claims.papers.__path__.append(sys.argv[1])
from symprivacy.atlas import build, chain
from symprivacy.atlas.claim_edges import with_claims
from symprivacy.claims import decide, ledger
findings = [decide(claim) for claim in ledger() if claim.source == "mine"]
assert [str(finding.verdict) for finding in findings] == ["improvable", "false"], findings
atlas = with_claims(build(), findings)
assert [edge.origin for edge in atlas.edges if edge.origin.startswith("mine")] == ["mine-weak"]
assert "mine-weak" in [edge.origin for edge in chain("DP", "TV", atlas=atlas).ways[-1].path.edges] or any(
    "mine-weak" in way.path.label for way in chain("DP", "TV", atlas=atlas).ways)
assert all("mine-weak" not in way.path.label
           for way in chain("DP", "TV", atlas=atlas, without=["mine-weak"]).ways)
print(len(atlas.edges))
"""
    assert int(run(code, str(tmp_path))) > 250
