"""Mechanisms: validation names the row, JSON survives hostile input, operations keep rows laws."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import Symbol, exp, simplify, sqrt

from symprivacy.errors import InputError, SymPrivacyError, UnsupportedError
from symprivacy.mechanisms import (
    Mechanism,
    exponential,
    from_json,
    kary_randomized_response,
    marginalise,
    mixture,
    postprocess,
    product,
    publish_one_record,
    randomized_response,
    read_json,
    subsampled,
    to_json,
    truncated_geometric,
    write_json,
    xor_randomized_response,
)
from symprivacy.mechanisms.random import random_database_mechanism, random_mechanism

SEEDS = st.integers(0, 2**32)
HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[1], [HALF]], "row 1 sums to 1/2"),
        ([[1, 0], [1]], "row 1 has 1 entries"),
        ([[Fraction(3, 2), -HALF]], "row 0, column 1 is -1/2"),
        ([[0.5, 0.5]], "row 0, column 0: 0.5 is a float"),
        ([["1/2", "1/2"]], "row 0, column 0: expected a number"),
        ([], "at least one input"),
        ([[]], "at least one input"),
    ],
)
def test_bad_matrices_are_refused_with_the_row(rows, message) -> None:
    with pytest.raises(InputError, match=message):
        Mechanism.secrets(rows)


def test_symbolic_rows_must_sum_to_one() -> None:
    x = Symbol("x", positive=True)
    assert not Mechanism.secrets([[x, 1 - x], [sqrt(x) ** 2, 1 - x]]).rational
    with pytest.raises(InputError, match="row 0 sums to"):
        Mechanism.secrets([[x, x]])


def test_databases_check_their_shape() -> None:
    with pytest.raises(InputError, match=r"3 rows for 2\*\*2 = 4"):
        Mechanism.databases([[1]] * 3, ["0", "1"], 2)
    with pytest.raises(InputError, match="default 'x'"):
        Mechanism.databases([[1]] * 4, ["0", "1"], 2, default="x")
    with pytest.raises(InputError, match="need a default"):
        Mechanism.databases([[1]] * 4, ["0", "1"], 2, neighbours="unbounded")
    with pytest.raises(InputError, match="must be different"):
        Mechanism.databases([[1]] * 4, ["0", "0"], 2)


def test_neighbour_relations() -> None:
    m = Mechanism.databases([[1]] * 9, ["a", "b", "c"], 2, default="a")
    assert len(m.pairs) == 9 * 4
    unbounded = Mechanism.databases([[1]] * 9, ["a", "b", "c"], 2, default="a", neighbours="unbounded")
    assert set(unbounded.pairs) < set(m.pairs)
    # (b,b)-(a,b) but not (b,b)-(b,c)
    assert (4, 1) in unbounded.pairs
    assert (4, 5) not in unbounded.pairs
    listed = Mechanism.secrets([[1]] * 3, neighbours=[(0, 2)])
    assert listed.pairs == ((0, 2), (2, 0))
    with pytest.raises(InputError, match="two different rows"):
        Mechanism.secrets([[1]] * 3, neighbours=[(0, 3)])


@given(SEEDS, st.booleans())
def test_json_round_trip(seed, database) -> None:
    m = random_database_mechanism(seed) if database else random_mechanism(seed, zeros=True)
    assert from_json(to_json(m)) == m


def test_json_files_and_the_documented_form(tmp_path) -> None:
    text = '{"matrix": [["4/5","1/5"],["1/5","4/5"]], "inputs": ["0","1"], "outputs": ["0","1"], "neighbours": "all"}'
    m = from_json(text)
    assert m.matrix == randomized_response(ratio=4).matrix
    write_json(m, tmp_path / "m.json")
    assert read_json(tmp_path / "m.json") == m
    with pytest.raises(InputError, match=r"missing\.json"):
        read_json(tmp_path / "missing.json")
    d = from_json('{"n": 2, "domain": ["0","1"], "default": "0", "matrix": [[1],["1"],["1.0"],["2/2"]]}')
    assert (d.n, d.default, d.neighbours) == (2, "0", "bounded")
    with pytest.raises(UnsupportedError, match="rational"):
        to_json(randomized_response(eps=Symbol("x", real=True)))


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "1", "{", '{"matrix": 1}', '{"matrix": [1]}', '{"matrix": []}', '{"matrix": [[]]}',
        '{"matrix": [["1/0"]]}', '{"matrix": [["__import__(\'os\').system(\'true\')"]]}',
        '{"matrix": [["9**9**9"]]}', '{"matrix": [["1e999999999"]]}', '{"matrix": [["nan"]]}', '{"matrix": [[NaN]]}',
        '{"matrix": [[1e999]]}', '{"matrix": [[true]]}', '{"matrix": [[null]]}', '{"matrix": [["-1","2"]]}',
        '{"matrix": [[-1, 2]]}', '{"matrix": [["１"]]}', '{"matrix": [["1_0/1_0"]]}',
        '{"matrix": [["1"]], "extra": 1}', '{"matrix": [["1"]], "neighbours": [[0]]}',
        '{"matrix": [["1"]], "neighbours": [[0, true]]}', '{"matrix": [["1"]], "neighbours": "bounded"}',
        '{"matrix": [["1"]], "n": 1}', '{"matrix": [["1"]], "n": 10000000000, "domain": ["0", "1"]}',
        '{"matrix": [["1"]], "n": "1", "domain": ["0"]}', '{"matrix": [["1"]], "inputs": "a"}',
        '{"matrix": [["1"]], "inputs": ["a", "b"]}', "[" * 100000,
    ],
)  # fmt: skip
def test_hostile_json_is_refused_cleanly(text) -> None:
    with pytest.raises(InputError):
        from_json(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text("0123456789/.-a", max_size=5),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["matrix", "inputs", "outputs", "neighbours", "n", "domain", "default"]), JSON))
def test_any_json_object_is_read_or_refused(data) -> None:
    try:
        mechanism = from_json(json.dumps(data))
    except SymPrivacyError:
        return
    assert all(sum(row) == 1 for row in mechanism.matrix)


@given(SEEDS, SEEDS)
def test_operations_keep_rows_laws(seed, other) -> None:
    a, b = random_mechanism(seed), random_mechanism(other)
    kernel = random_mechanism(seed ^ other, 3, 2)
    for m in (product(a, b), postprocess(a, kernel), mixture(a, b, Fraction(1, 3))):
        assert all(sum(row) == 1 for row in m.matrix)
    assert mixture(a, b, 1).matrix == a.matrix
    with pytest.raises(InputError, match="different inputs"):
        product(a, random_mechanism(other, 4))


def test_operations_on_symbolic_mechanisms() -> None:
    x = Symbol("x", real=True)
    twice = product(randomized_response(eps=x), randomized_response(eps=x))
    assert simplify(twice.entry(0, 0) / twice.entry(1, 0) - exp(2 * x)) == 0
    flat = postprocess(randomized_response(eps=x), [[1], [1]])
    assert flat.entry(0, 0) == 1


@given(SEEDS)
def test_marginalisation_is_the_conditional_law(seed) -> None:
    m = random_database_mechanism(seed, values=3)
    law = [Fraction(k + 1, 45) for k in range(9)]
    channel = marginalise(m, 1, law)
    for value in range(3):
        rows = [x for x in range(9) if x % 3 == value]
        mass = sum(law[x] for x in rows)
        for y in range(2):
            assert channel.matrix[value][y] == sum(law[x] * m.matrix[x][y] for x in rows) / mass
    point = [Fraction(0)] * 9
    point[4] = Fraction(1)
    assert marginalise(m, 0, point).inputs == ("1",)


def test_families() -> None:
    assert kary_randomized_response(4, ratio=2).matrix[0] == tuple(Fraction(n, 5) for n in (2, 1, 1, 1))
    assert truncated_geometric(3, ratio=2).matrix[1] == tuple(Fraction(n, 12) for n in (4, 4, 2, 2))
    assert exponential([[2, 0], [0, 1]], ratio=2).matrix == (
        (Fraction(4, 5), Fraction(1, 5)),
        (Fraction(1, 3), Fraction(2, 3)),
    )
    assert publish_one_record(["a", "b"], 3).matrix[0][0] == Fraction(1, 3)
    assert xor_randomized_response(3, ratio=2).matrix[7] == (Fraction(1, 3), Fraction(2, 3))
    one = xor_randomized_response(1, ratio=3)
    assert subsampled(one, 2).matrix[3] == one.matrix[1]
    for bad in (lambda: randomized_response(), lambda: randomized_response(ratio=1, eps=1),
                lambda: randomized_response(ratio=-2), lambda: kary_randomized_response(1, ratio=2),
                lambda: truncated_geometric(0, ratio=2),
                lambda: subsampled(randomized_response(ratio=2), 2)):  # fmt: skip
        with pytest.raises(InputError):
            bad()
