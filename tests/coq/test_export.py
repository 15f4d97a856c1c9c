"""Certificates as Coq files: the inequalities of the papers compile, and what has no Coq form says so in one line."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import warnings
from pathlib import Path
from typing import Any

import pytest

from symprivacy import compare, prove
from symprivacy.algebra.complete import complete
from symprivacy.cli.main import run as command
from symprivacy.coq.export import coq_file, theorem, to_coq
from symprivacy.coq.steps import RULES
from symprivacy.coq.terms import term, tidy
from symprivacy.errors import CertificateError, UnsupportedError
from symprivacy.kernel import rules
from symprivacy.kernel.checker import FORMAT
from symprivacy.kernel.data import to_data
from symprivacy.language.text import parse

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
    ("eps*tanh(eps/2) <= Min(eps, eps**2/2)", "eps in [0, 10]"),
    ("eps*(exp(eps) - 1)/(exp(eps) + 1) <= eps**2/2", "eps in (0, 1]"),
    ("log((exp(s) + 1)/2) < s", "s in (0, oo)"),
]
# Every function and every rule that has a Coq form.
FORMS = [
    ("Piecewise((x, x < 1/2), (1 - x, x >= 1/2)) <= 1/2", "x in [0, 1]"),
    ("Piecewise((x, (x < 1/2) & (y < 1)), (1 - x, True)) <= 1 - x + x*y", ["x in [0, 1]", "y in [1, 2]"]),
    ("Min(x, y, 1) <= x*y + 1", ["x in [0, 2]", "y in [0, 2]"]),
    ("Max(x, 1 - x, x**2) >= 1/2", "x in [0, 2]"),
    ("Abs(x) <= exp(x)", "x in [0, 3]"),
    ("asinh(x) <= x", "x in [0, 3]"),
    ("acosh(x) <= x", "x in [2, 3]"),
    ("atanh(x) >= x", "x in [0, 1/2]"),
    ("sinh(x) >= x", "x in [0, 4]"),
    ("x**(1/3) >= x", "x in [1/10, 1]"),
    ("x**y >= 1", ["x in [1, 3]", "y in [0, 5]"]),
    ("sqrt(x*y) <= (x + y)/2", ["x in [0, 1]", "y in [0, 1]"]),
    ("1/x - log(1 + 1/x) > 0", "x in [1, oo)"),
    ("sqrt(2*x)**2/2 == x", "x in (0, oo)"),
    ("exp(log(x**2 + 1)) - 1 <= x**2", "x in (0, oo)"),
]
# What touches zero on a curve or a face: Taylor's theorem, concave functions, squares, given inequalities.
CURVES = [
    ("log(1 - p + p*exp(s)) <= p*s + s**2/8", ["p in (0, 1)", "s in (-oo, oo)"]),
    ("x*log(x) - x + 1 >= 0", "x in (0, oo)"),
    ("exp(x*y) >= 1 + x*y", ["x in [-2, 2]", "y in [-2, 2]"]),
    ("(x + y)/2 <= sqrt((x**2 + y**2)/2)", ["x in [0, 1]", "y in [0, 1]"]),
    ("(e + 1)*log(e + 1) - e >= e**2/3", "e in (0, 1]"),
    ("Max(0, a + b) <= Max(0, a) + Max(0, b)", ["a in (-oo, oo)", "b in (-oo, oo)"]),
    ("sqrt(x) + sqrt(1 - x) >= 1", "x in [0, 1]"),
    ("exp(-sqrt(2*log(1/delta))**2/2) <= delta", "delta in (0, 1)"),
]
# One certificate per rule, as a search may not choose that rule tomorrow: (x, rel, 0, domain, proof).
BOX = {"by": "box"}
BY_HAND: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = [
    (
        "x**2*exp(x)",
        ">=",
        {"x": [-1, 1, False, False]},
        {
            "by": "taylor",
            "var": "x",
            "at": 0,
            "order": 1,
            "within": [BOX, BOX],
            "known": [{"by": "zero"}],
            "rest": {
                "by": "product",
                "coefficient": 1,
                "factors": [
                    {"expr": "x", "power": 2, "sign": 0, "strict": False},
                    {"expr": ["+", "x", 2], "power": 1, "sign": 1, "strict": True, "proof": BOX},
                    {"expr": ["exp", "x"], "power": 1, "sign": 1, "strict": True, "proof": BOX},
                ],
            },
        },
    ),
    (
        "x**4 + x**5/10",
        ">=",
        {"x": [-1, 1, False, False]},
        {
            "by": "taylor",
            "var": "x",
            "at": 0,
            "order": 4,
            "within": [BOX, BOX],
            "known": [{"by": "zero"}] * 6,
            "rest": BOX,
        },
    ),
    (
        "x**3 + x**4/10",
        ">=",
        {"x": [0, 1, False, False]},
        {
            "by": "taylor",
            "var": "x",
            "at": 0,
            "order": 3,
            "within": [BOX, BOX],
            "known": [{"by": "zero"}] * 4,
            "rest": BOX,
        },
    ),
    (
        "x*(exp(x) - 1)",
        ">=",
        {"x": [-1, 1, True, True]},
        {
            "by": "rising",
            "var": "x",
            "at": 0,
            "of": ["+", ["exp", "x"], -1],
            "within": [BOX, BOX],
            "known": [{"by": "zero"}] * 2,
            "slope": BOX,
        },
    ),
    (
        "sqrt(x) - x",
        ">=",
        {"x": [0, 1, False, False]},
        {"by": "concave", "var": "x", "faces": [{"by": "zero"}] * 2, "bend": BOX},
    ),
    (
        "exp(2*x) + 1",
        ">",
        {"x": [0, 1, False, False]},
        {
            "by": "put",
            "var": "x",
            "new": "t",
            "range": [1, 9, False, False],
            "value": ["log", "t"],
            "inverse": ["exp", "x"],
            "within": [BOX, BOX],
            "proof": BOX,
        },
    ),
    (
        "exp(x*y) - x*y - 1/4",
        ">",
        {"x": [0, 1, False, False], "y": [-1, 1, False, False]},
        {
            "by": "instance",
            "new": "t",
            "range": [-1, 1, False, False],
            "expr": ["+", ["exp", "t"], ["*", -1, "t"], ["/", -1, 4]],
            "value": ["*", "x", "y"],
            "within": [BOX, BOX],
            "proof": {"by": "split", "var": "t", "at": 0, "low": BOX, "high": {"by": "mean"}},
        },
    ),
    (
        "log(1 + x**2) + 1",
        ">",
        {"x": [None, None, True, True]},
        {
            "by": "instance",
            "new": "t",
            "range": [0, None, False, True],
            "expr": ["+", ["log", ["+", "t", 1]], 1],
            "value": ["^", "x", 2],
            "within": [BOX],
            "proof": BOX,
        },
    ),
]


def compiled(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """What coqc says of a file; skips, and says so, where there is no coqc."""
    if COQC is None:
        warnings.warn("coqc is not installed: the exported proofs are NOT compiled", stacklevel=2)
        pytest.skip("coqc is not installed: the exported proofs are NOT compiled")
    (folder / "proof.v").write_text(text, encoding="utf-8")
    command = [COQC, "-q", "-w", "none", "proof.v"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.parametrize("statements", [HEADLINES, FORMS, CURVES], ids=["headlines", "forms", "curves"])
def test_the_inequalities_of_the_papers_and_all_forms_compile(statements: list[Any], tmp_path: Path) -> None:
    verdicts = [prove(statement, domain) for statement, domain in statements]
    assert all(v.certificate for v in verdicts)
    text = coq_file([theorem(v.certificate or {}, f"main{i}") for i, v in enumerate(verdicts)])
    done = compiled(text, tmp_path)
    where = re.search(r"line (\d+)", done.stderr)
    lines = text.splitlines()[: int(where.group(1))] if where else []
    failed = [line for line in lines if line.startswith("(* ")][-1:]
    assert done.returncode == 0, f"{failed}: {done.stderr}"


def test_rules_about_curves_have_lemmas_that_compile(tmp_path: Path) -> None:
    parts = []
    for i, (lhs, rel, domain, proof) in enumerate(BY_HAND):
        head = {"format": FORMAT, "lhs": to_data(parse(lhs)), "rel": rel, "rhs": 0, "domain": domain}
        certificate = complete({**head, "verdict": "proved", "proofs": [proof]})
        parts.append(theorem(certificate, f"main{i}"))
    done = compiled(coq_file(parts), tmp_path)
    assert done.returncode == 0, done.stderr


def test_every_rule_of_the_checker_has_a_form() -> None:
    """What the checker accepts can be exported."""
    assert set(rules._RULES) == set(RULES)


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


def test_a_refutation_is_a_theorem_that_there_is_a_point(tmp_path: Path) -> None:
    """Strict failures by interval arithmetic, an equality exactly, and an irrational point."""
    false = [
        ("(eps + 1/2)/(1/2 - eps) <= exp(3*eps)", "eps in (0, 9/20]"),
        ("x**2 + x > 0", "x in [-1, 1]"),
        ("tanh(x) >= x", "x in [0, 1]"),
        ("x**2 + 2 > 2*sqrt(2)*x", "x in [0, 3]"),
        ("x*y == x + y", ["x in [0, 1]", "y in [0, 1]"]),
    ]
    verdicts = [prove(statement, domain) for statement, domain in false]
    text = coq_file([theorem(v.certificate, f"main{i}") for i, v in enumerate(verdicts) if v.certificate is not None])
    assert text.count("Theorem main") == len(false)
    assert "exists eps : R, 0 < eps /\\ eps <= (9 / 20) /\\ ~ (" in text
    done = compiled(text, tmp_path)
    assert done.returncode == 0, done.stderr


def test_charts_and_forgeries_have_no_coq_form() -> None:
    with pytest.raises(UnsupportedError, match="inequalities"):
        to_coq(compare("x", "1/2", "x in [0, 1]").certificate)
    with pytest.raises(CertificateError):
        to_coq({**prove("x <= 1", "x in [0, 1]").certificate, "rhs": "1/2"})  # type: ignore[dict-item]


def test_terms_are_bracketed_so_that_nothing_can_be_misread() -> None:
    assert term(parse("-x**2/(2*y)**3")) == "((-1) * (x ^ 2) * (/ ((2 * y) ^ 3)))"
    assert term(parse("sqrt(x)**3 + forall - 1/3")) == "((sqrt x) ^ 3 + forall_ + -1 / 3)"
    assert term(tidy(parse("x/(x + 1) + 1/(x + 1)"))) == "1"


def test_the_command_writes_a_file_or_says_why_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    def run(*args: str) -> subprocess.CompletedProcess[str]:
        code = command(["export", *args])
        said = capsys.readouterr()
        return subprocess.CompletedProcess(args, code, said.out, said.err)

    prove("exp(x) >= 1 + x", "x in [0, 1]").save(tmp_path / "good.json")
    done = run("--coq", "out.v", "good.json")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert "Theorem main : forall x : R, 0 <= x -> x <= 1 -> " in (tmp_path / "out.v").read_text(encoding="utf-8")
    prove("erf(x) <= 2*x", "x in [0, 1]").save(tmp_path / "erf.json")
    bad = json.loads((tmp_path / "good.json").read_text(encoding="utf-8")) | {"rel": "<"}
    (tmp_path / "bad.json").write_text(json.dumps(bad), encoding="utf-8")
    done = run("--coq", "statement.v", "exp(x) >= 1 + x", "--on", "x in [0, 1]")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / "statement.v").read_text(encoding="utf-8") == (tmp_path / "out.v").read_text(encoding="utf-8")
    done = run("--coq", "good.json")
    assert (done.returncode, done.stdout) == (0, (tmp_path / "out.v").read_text(encoding="utf-8"))
    done = run("--coq", "-", "zhao17-eq20")
    assert (done.returncode, done.stderr) == (0, "")
    assert "zhao17-eq20" in done.stdout.splitlines()[0]
    assert "\nTheorem main1 : " in done.stdout
    for args, code in [
        (("erf.json",), 2),
        (("bad.json",), 1),
        (("good.json", "erf.json"), 2),
        (("x < 1", "--on", "x in [0, 1]"), 1),
        (("x <", "--on", "x in [0, 1]"), 2),
        (("x < 2",), 2),
        (("erf(x) < 2", "--on", "x in [0, 1]"), 2),
        (("good.json", "--on", "x in [0, 1]"), 2),
        (("no-such-claim",), 2),
        (("no-such.json",), 2),
    ]:
        done = run("--coq", "no.v", *args)
        assert (done.returncode, done.stdout) == (code, "")
        assert len(done.stderr.splitlines()) == 1
        assert not (tmp_path / "no.v").exists()
