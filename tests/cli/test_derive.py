"""derive from the command line."""

from __future__ import annotations

import json

import pytest

from symprivacy.cli.main import run


def test_the_uniform_prior_gives_the_known_conversion(capsys):
    """SP at 1/2 - 1/(exp(eps)+1) implies DP at eps, with the steps in between."""
    assert run(["derive", "SP(eta)", "DP", "--prior", "uniform"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Theorem. SP(1/2 - 1/(e^ε + 1)) ⇒ DP(ε) for ε > 0."
    assert any("Bayes" in line for line in lines)


def test_json_carries_the_certificates(capsys):
    """The JSON form has every step with what certifies it."""
    assert run(["derive", "SP", "DP", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["premise"] == {"notion": "SP", "values": ["tanh(eps/4)"]}
    assert answer["derivation"]


def test_latex_is_a_theorem_with_its_proof(capsys):
    """The LaTeX form starts with the theorem and ends with the proof."""
    assert run(["derive", "DP", "KL", "--latex"]) == 0
    text = capsys.readouterr().out.strip()
    assert text.startswith("\\begin{theorem}")
    assert text.endswith("\\end{proof}")


def test_an_unknown_notion_is_bad_input(capsys):
    """One line with the nearest names."""
    assert run(["derive", "SPP", "DP"]) == 2
    assert "did you mean" in capsys.readouterr().err


def test_no_derivation_is_not_an_error(capsys):
    """Total variation bounds no likelihood ratio, so nothing is derived."""
    assert run(["derive", "TV", "DP"]) == 3
    assert "no derivation" in capsys.readouterr().out


@pytest.mark.parametrize("prior", ["1e99999999", "9**9**9", "__import__('os')", "1/0", "nan", "2", ""])
def test_a_prior_that_is_no_probability_is_refused_at_once(prior: str) -> None:
    from symprivacy import InputError, derive

    with pytest.raises(InputError):
        derive("SP", "DP", prior=prior)


def test_a_search_for_steps_ends_in_time(capsys):
    """The worst width of a minimum of two expressions takes minutes."""
    assert run(["derive", "MPP", "ABPW", "--timeout", "1"]) == 3
    said = capsys.readouterr()
    assert "no answer within 1 s" in said.out
    assert said.err == ""
