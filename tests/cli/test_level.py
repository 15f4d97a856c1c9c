"""notions, show, level and profile from the command line."""

from __future__ import annotations

import json

import pytest

from symprivacy.cli.main import run

RR = {"matrix": [["4/5", "1/5"], ["1/5", "4/5"]], "inputs": ["0", "1"], "outputs": ["0", "1"], "neighbours": "all"}


@pytest.fixture
def response(tmp_path):
    """Binary randomized response of ratio 4 as a file."""
    path = tmp_path / "rr.json"
    path.write_text(json.dumps(RR))
    return str(path)


def test_semantic_level_of_randomized_response(response, capsys):
    """SP of ratio r is tanh(log(r)/4), attained at the prior 1/3."""
    assert run(["level", response, "SP", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["notion"], answer["level"], answer["value"]) == ("SP", "tanh(log(4)/4)", "0.333333333333333")
    assert answer["witness"]["prior"] == {"0": "1/3", "1": "2/3"}


def test_level_at_a_fixed_prior(response, capsys):
    """At p = 1/2 the posterior is 4/5, so SP is 3/10."""
    assert run(["level", response, "SP", "--prior", "p=1/2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["level"] == "3/10"


def test_level_with_a_further_parameter(response, capsys):
    """delta at eps = 0 is the total variation."""
    assert run(["level", response, "ADP", "--at", "eps=0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["level"] == "3/5"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["XX"], "no notion 'XX'"),
        (["RDP"], "give all but one"),
        (["ADP", "--at", "eps"], "expected such as eps=1"),
        (["ADP", "--at", "eps=nan"], "nan"),
        (["SP", "--prior", "2"], "prior"),
    ],
)
def test_bad_requests_are_one_line(response, capsys, words, complaint):
    """What was given and what is expected, on one line, with exit code 2."""
    assert run(["level", response, *words]) == 2
    error = capsys.readouterr().err
    assert complaint in error
    assert error.count("\n") == 1


def test_profile_lists_levels_and_reasons(response, capsys):
    """A profile has a line for each notion; one that does not apply says why."""
    assert run(["profile", response, "--json"]) == 0
    rows = {row["notion"]: row for row in map(json.loads, capsys.readouterr().out.splitlines())}
    assert rows["KL"]["level"] == "3*log(4)/5"
    assert "records" in rows["UDP"]["error"]


def test_notions_can_be_filtered(capsys):
    """--dimension keeps the notions that change all of the given dimensions."""
    assert run(["notions", "--dimension", "BF", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {"MP", "MBP"} <= {row["key"] for row in rows}
    assert all({"B", "F"} <= set(row["dimensions"]) for row in rows)


def test_show_tells_the_likelihood_ratio_and_other_meanings(capsys):
    """A name with several meanings names them."""
    assert run(["show", "BDP", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["also_called_so"] == ["BoundedDP", "RanBDP"]
