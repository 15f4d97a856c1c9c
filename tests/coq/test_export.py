"""Certificates as Coq files: the inequalities of the papers compile, and what has no Coq form says so in one line."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from symprivacy import compare, prove
from symprivacy.coq.export import to_coq
from symprivacy.coq.terms import term, tidy
from symprivacy.errors import CertificateError, UnsupportedError
from symprivacy.kernel.text import parse

COQC = shutil.which("coqc")
# The steps behind the conversions between semantic privacy and differential privacy, touching at 0.
HEADLINES = [
    ("1/2 - 1/(exp(eps) + 1) > eps/6", "eps in (0, 27/20]"),
    ("(1/2 + eps)/(1/2 - eps) <= exp(6*eps)", "eps in (0, 9/40]"),
    ("(1 + eps)/(1 - eps) <= exp(3*eps)", "eps in (0, 9/20]"),
    ("eps*(exp(eps) - 1)/(exp(eps) + 1) <= eps**2/2", "eps in [0, oo)"),
    ("tanh(eps/4) > 1/2 - 1/(exp(eps) + 1)", "eps in (0, 5]"),
    ("tanh(eps/4) <= eps/4", "eps in [0, 4]"),
    ("p*(1 - p)*q*(1 - q) <= 1/16", ["p in [0, 1]", "q in [0, 1]"]),
]


def compiled(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """What coqc says of a file; skips, and says so, where there is no coqc."""
    if COQC is None:
        warnings.warn("coqc is not installed: the exported proofs are NOT compiled", stacklevel=2)
        pytest.skip("coqc is not installed: the exported proofs are NOT compiled")
    (folder / "proof.v").write_text(text, encoding="utf-8")
    command = [COQC, "-q", "-w", "none", "proof.v"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.parametrize(("statement", "domain"), HEADLINES, ids=[s for s, _ in HEADLINES])
def test_the_inequalities_of_the_papers_compile(statement: str, domain: str | list[str], tmp_path: Path) -> None:
    verdict = prove(statement, domain)
    assert verdict.certificate is not None
    done = compiled(to_coq(verdict.certificate), tmp_path)
    assert done.returncode == 0, done.stderr


def test_coq_rejects_the_proof_under_a_false_theorem(tmp_path: Path) -> None:
    """The theorem is proved by Coq, not by assumption: with another constant it does not go through."""
    certificate = prove("tanh(eps/4) <= eps/4", "eps in [0, 4]").certificate
    assert certificate is not None
    text = to_coq(certificate)
    assert not {"Admitted", "Axiom", "admit"} & set(text.replace(".", " ").split())
    head, theorem = text.split("Theorem main")
    forged = head + "Theorem main" + theorem.replace("(tanh ((1 / 4) * eps)) <= ((1 / 4) * eps)", "1 <= 0", 1)
    assert forged != text
    assert compiled(forged, tmp_path).returncode != 0


@pytest.mark.parametrize(
    ("statement", "domain", "why"),
    [
        ("erf(x) <= 2*x", "x in [0, 1]", "coq-interval has no erf"),
        ("x**pi <= x**3", "x in [0, 1]", "a real power whose base may be 0"),
    ],
)
def test_what_coq_interval_lacks_is_unsupported(statement: str, domain: str, why: str) -> None:
    certificate = prove(statement, domain).certificate
    assert certificate is not None
    with pytest.raises(UnsupportedError, match=why):
        to_coq(certificate)


def test_refutations_charts_and_forgeries_have_no_coq_form() -> None:
    refuted = prove("x**2 > 0", "x in [-1, 1]").certificate
    assert refuted is not None
    with pytest.raises(UnsupportedError, match="refutes"):
        to_coq(refuted)
    with pytest.raises(UnsupportedError, match="inequalities"):
        to_coq(compare("x", "1/2", "x in [0, 1]").certificate)
    with pytest.raises(CertificateError):
        to_coq({**prove("x <= 1", "x in [0, 1]").certificate, "rhs": "1/2"})  # type: ignore[dict-item]


def test_terms_are_bracketed_so_that_nothing_can_be_misread() -> None:
    assert term(parse("-x**2/(2*y)**3")) == "((-1) * (x ^ 2) * (/ ((2 * y) ^ 3)))"
    assert term(parse("sqrt(x)**3 + forall - 1/3")) == "((sqrt x) ^ 3 + forall_ + -1 / 3)"
    assert term(tidy(parse("x/(x + 1) + 1/(x + 1)"))) == "1"


def test_the_command_writes_a_file_or_says_why_not(tmp_path: Path) -> None:
    def run(*args: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "symprivacy", "export", *args]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)

    prove("exp(x) >= 1 + x", "x in [0, 1]").save(tmp_path / "good.json")
    done = run("--coq", "out.v", "good.json")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert "Theorem main : forall x : R, 0 <= x -> x <= 1 -> " in (tmp_path / "out.v").read_text(encoding="utf-8")
    prove("erf(x) <= 2*x", "x in [0, 1]").save(tmp_path / "erf.json")
    bad = json.loads((tmp_path / "good.json").read_text(encoding="utf-8")) | {"rel": "<"}
    (tmp_path / "bad.json").write_text(json.dumps(bad), encoding="utf-8")
    for args, code in [(("erf.json",), 2), (("bad.json",), 1), (("good.json", "erf.json"), 2)]:
        done = run("--coq", "no.v", *args)
        assert (done.returncode, done.stdout) == (code, "")
        assert len(done.stderr.splitlines()) == 1
        assert not (tmp_path / "no.v").exists()
