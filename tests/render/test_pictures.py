"""Pictures: valid SVG without any other program, readable without colour, drawn from exact constraints."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from sympy import Rational, log

from symprivacy.atlas import matrix
from symprivacy.atlas.beliefs import region
from symprivacy.atlas.strength import implications, stated_order
from symprivacy.errors import InputError, UnsupportedError
from symprivacy.render import beliefs, diagram, table
from symprivacy.render.dot import dot
from symprivacy.render.scene import Box, Label, Scene, to_png, to_svg

SVG = "{http://www.w3.org/2000/svg}"


def parsed(scene: Scene) -> ET.Element:
    return ET.fromstring(to_svg(scene))


def test_text_is_escaped_and_titled() -> None:
    root = parsed(Scene(50, 20, (Label(1, 9, "a < b & c"),), "x < y"))
    assert root.find(f"{SVG}title").text == "x < y"  # type: ignore[union-attr]
    assert root.find(f"{SVG}text").text == "a < b & c"  # type: ignore[union-attr]


def test_the_matrix_has_a_box_with_its_formula_for_every_pair() -> None:
    found = matrix(["DP", "TV", "KL"])
    titles = [t.text or "" for t in parsed(table.scene(found)).iter(f"{SVG}title")]
    assert sum(" => " in title for title in titles) == 9
    assert any(title.startswith("DP => KL: tight, eps*tanh(eps/2)") for title in titles)
    page = table.html(found)
    assert page.startswith("<!DOCTYPE html>")
    assert "<math" in page
    assert "src=" not in page
    assert "http" not in page.replace("http://www.w3.org", "")
    assert table.latex(found).count(r"\\") == 4


def test_statuses_differ_in_sign_and_not_only_in_colour() -> None:
    assert len({sign for _, sign, _ in table.LOOK.values()}) == len(table.LOOK)


def test_arrows_of_the_drawing_point_down_and_boxes_do_not_overlap() -> None:
    for drawn in (implications(), stated_order("Q"), stated_order()):
        scene = diagram.scene(drawn)
        boxes = [shape for shape in scene.shapes if isinstance(shape, Box)]
        assert len(boxes) == len(drawn.nodes)
        for k, a in enumerate(boxes):
            assert a.x >= 0
            assert a.x + a.width <= scene.width
            for b in boxes[k + 1 :]:
                apart = a.x + a.width <= b.x or b.x + b.width <= a.x or a.y + a.height <= b.y or b.y + b.height <= a.y
                assert apart
        place = {box.title: box.y for box in boxes}
        for a, b in drawn.edges:
            assert place[", ".join(drawn.nodes[a])] < place[", ".join(drawn.nodes[b])]
        assert parsed(scene) is not None


def test_notions_that_bound_each_other_share_a_box() -> None:
    boxes = [set(name.split()) for name in implications().nodes]
    assert any({"DP", "MP", "SP", "RB"} <= box for box in boxes)
    assert any({"TV", "ADP", "JS"} <= box for box in boxes)
    assert {"KL"} in boxes
    # One order lies between both orders and what is the same in both.
    assert {"KL[forward]"} in boxes
    assert any({"CHI2[forward]", "RDP[forward]"} == box for box in boxes)
    drawn = dot(implications())
    assert '"KL" -> "KL[forward]"' in drawn
    assert '"KL[forward]" -> "ABP' in drawn


def test_the_regions_of_the_sok_figure() -> None:
    """sok22 Figure 2 at eps = ln 3: end points and corners, exactly."""
    dp, pmp = (dict(region(key, {"eps": log(3)}).curve("upper", 4)) for key in ("DP", "PMP"))
    assert (dp[0.25], dp[0.5], dp[1.0]) == (0.5, 0.75, 1.0)
    assert (pmp[0.25], pmp[0.5]) == (0.75, pytest.approx(5 / 6))
    adversarial = region("AdvPr", {"eps": log(3), "delta": Rational(1, 20)})
    assert adversarial.curve("upper", 4)[0] == (0.0, 0.05)
    # Positive membership and adversarial privacy bound the posterior from above only.
    assert {q for _, q in adversarial.curve("lower", 4)} == {0.0}
    scene = beliefs.scene([region("DP", {"eps": 1}), region("SP", {"eta": Rational(1, 5)})])
    assert len(list(parsed(scene).iter(f"{SVG}polygon"))) == 2


def test_a_region_needs_parameters_and_a_notion_about_posteriors() -> None:
    with pytest.raises(InputError):
        region("DP", {})
    with pytest.raises(UnsupportedError):
        region("KL", {"k": 1})


def test_png_is_written_where_matplotlib_is_there() -> None:
    pytest.importorskip("matplotlib")
    assert to_png(table.scene(matrix(["DP", "TV"]))).startswith(b"\x89PNG")
