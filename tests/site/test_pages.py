"""A small site: every link leads to a page, nothing comes from outside, pages are well-formed, and twice the same."""

from __future__ import annotations

import json
import re
import shlex
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest

from symprivacy.atlas.matrix import matrix
from symprivacy.claims import decide, get_claim
from symprivacy.cli.main import Parser, run
from symprivacy.cli.site import parsers
from symprivacy.derivations.theorems.store import check_rows, rows_of
from symprivacy.errors import InputError
from symprivacy.implications import convert
from symprivacy.mechanisms.noise import PARAMETERS
from symprivacy.site.atlas import Atlas
from symprivacy.site.build import Built, build
from symprivacy.site.converter import grid
from symprivacy.site.howto import QUESTIONS, HowTo
from symprivacy.version import __version__

KEYS = ["DP", "KL", "TV"]
CLAIMS = ["ks14-thm2.2-forward-headline", "ks14-eq6", "ks14-eq6-bayes", "zhao17-eq20"]
VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}


def made(folder: Path) -> Built:
    return build(folder, [decide(get_claim(name)) for name in CLAIMS], parsers(), KEYS, jobs=1)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("site") / "atlas").folder


class Reader(HTMLParser):
    """Links, resources, ids and whether every element that opens is closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.resources: list[str] = []
        self.ids: list[str] = []
        self.wrong: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if given.get("id"):
            self.ids.append(given["id"] or "")
        if tag == "a" and given.get("href"):
            self.links.append(given["href"] or "")
        elif given.get("src") or (tag == "link" and given.get("href")):
            self.resources.append(given.get("src") or given.get("href") or "")

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def read(path: Path) -> Reader:
    return Reader(path.read_text(encoding="utf-8"))


def test_every_link_and_resource_is_a_file_of_the_site(site: Path) -> None:
    missing = []
    for path in site.rglob("*.html"):
        found = read(path)
        for link in (*found.links, *(r for r in found.resources if not r.startswith("data:"))):
            assert not re.match(r"[a-z]+:|//", link), f"{path.name} leads outside: {link}"
            name, place = urldefrag(link)
            target = (path.parent / unquote(name)).resolve() if name else path
            if not target.is_file() or (place and "=" not in place and place not in read(target).ids):
                missing.append((path.name, link))
    assert not missing


def test_pages_are_well_formed_and_say_their_version(site: Path) -> None:
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        found = Reader(text)
        assert not found.wrong, f"{path.name}: {found.wrong}"
        assert not found.open, f"{path.name}: {found.open}"
        assert len(found.ids) == len(set(found.ids)), path.name
        assert f"symprivacy {__version__}" in text
        assert text.count("<h1>") == 1


def test_the_search_knows_every_page(site: Path) -> None:
    text = (site / "data" / "search.js").read_text(encoding="utf-8")
    index = json.loads(text.removeprefix("window.SEARCH = ").rstrip(";\n"))
    assert {entry[1] for entry in index} == {p.relative_to(site).as_posix() for p in site.rglob("*.html")}


def test_the_converter_shows_what_convert_answers(site: Path) -> None:
    text = (site / "data" / "grid.js").read_text(encoding="utf-8")
    grid = json.loads(text.removeprefix("window.GRID = ").rstrip(";\n"))["DP"]
    best = convert("DP", {"eps": 3}, "KL", 8)
    assert grid["levels"]["KL"][grid["places"].index("3")] == ["tight", best.lo, best.hi]


def test_the_converter_moves_eps_and_delta_and_answers_both() -> None:
    """What is known of (eps, delta) is asked for at several of both, and eps is answered at a small delta too."""
    found = grid(Atlas(matrix(["ADP", "GDP", "TV"]), ()), "ADP")
    best = convert("ADP", {"eps": 2, "delta": "1/1000000"}, "TV", 8)
    place = found["places"].index("1/1000000")
    assert found["second"]["at"]["2"]["TV"][place] == ["tight", best.lo, best.hi]
    turned = grid(Atlas(matrix(["ADP", "GDP"]), ()), "GDP")
    best = convert("GDP", {"mu": 1, "delta2": "1/1000000"}, "ADP", 8)
    assert turned["levels"]["ADP-eps"][turned["places"].index("1")] == ["tight", best.lo, best.hi]


def test_a_pair_has_its_theorem_proof_published_bounds_and_claims(site: Path) -> None:
    text = (site / "pairs" / "DP-TV.html").read_text(encoding="utf-8")
    for part in ("tanh", "Proof</summary>", "Kairouz, Oh, Viswanath 2015", "symprivacy convert DP TV"):
        assert part in text
    assert "no finite level follows" in (site / "pairs" / "KL-DP.html").read_text(encoding="utf-8")


def test_the_proof_of_a_pair_can_be_taken_away_and_checked(site: Path) -> None:
    """The file beside the page of KL => TV proves what the page says, by rules and certificates alone."""
    assert 'href="../certificates/KL-TV.json"' in (site / "pairs" / "KL-TV.html").read_text(encoding="utf-8")
    *_, last = check_rows(rows_of(json.loads((site / "certificates" / "KL-TV.json").read_text()))).values()
    assert (last.kind, last.premise.key, last.conclusion.key) == ("tight", "KL", "TV")


def test_the_ledger_can_be_filtered_by_evidence(site: Path) -> None:
    """Each claim carries what its verdict rests on."""
    text = (site / "ledger.html").read_text(encoding="utf-8")
    assert 'id="f-evidence"' in text
    assert len(re.findall(r'data-evidence="(?:checked|argued)"', text)) == len(CLAIMS)


def test_no_page_shows_how_a_record_is_stored(site: Path) -> None:
    """Laws of families are formulas on every page."""
    for path in (site / "separations.html", site / "graph.html", *(site / "pairs").iterdir()):
        assert "Expr(" not in path.read_text(encoding="utf-8"), path.name
    assert "<math" in (site / "separations.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PARAMETERS)
def test_every_family_has_a_page(site: Path, name: str) -> None:
    """A family of mechanisms shows its level under the notions, in closed form."""
    assert "notions/KL.html" in (site / "mechanisms" / f"{name}.html").read_text(encoding="utf-8")


def test_a_false_claim_shows_the_point_at_which_it_fails(site: Path) -> None:
    text = (site / "claims" / "ks14-eq6.html").read_text(encoding="utf-8")
    assert "✗ false" in text
    assert "What holds instead" in text


def test_formulas_inside_a_statement_of_words_are_typeset(site: Path) -> None:
    text = (site / "claims" / "ks14-eq6-bayes.html").read_text(encoding="utf-8")
    assert r'alttext="\frac{\Pr[A(x) = t]}' in text


def test_the_same_site_twice_has_the_same_bytes(site: Path, tmp_path: Path) -> None:
    again = made(tmp_path / "again").folder
    names = sorted(p.relative_to(site) for p in site.rglob("*") if p.is_file())
    assert names == sorted(p.relative_to(again) for p in again.rglob("*") if p.is_file())
    assert not [name for name in names if (site / name).read_bytes() != (again / name).read_bytes()]


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(InputError, match="not empty"):
        build(tmp_path, [], {}, KEYS)
    assert run(["site", str(tmp_path)]) == 2
    assert (tmp_path / "thesis.tex").read_text() == "mine"


@pytest.mark.parametrize("asked", [q for q in QUESTIONS if q.files], ids=lambda asked: asked.key)
def test_answers_with_files_work_as_they_are_printed(
    asked: HowTo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever copies the file and the command gets an answer."""
    monkeypatch.chdir(tmp_path)
    for name, content in asked.files:
        (tmp_path / name).write_text(content, encoding="utf-8")
    for line in asked.commands:
        assert run(shlex.split(line)[1:]) == 0
        assert '"error"' not in capsys.readouterr().out


@pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: asked.key)
def test_commands_of_the_answers_are_commands(asked: object) -> None:
    known = parsers()
    for line in asked.commands:  # type: ignore[attr-defined]
        _, name, *words = shlex.split(re.sub(r" > [a-z.]+$", "", line))
        assert isinstance(known[name], Parser)
        known[name].parse_args(words)
