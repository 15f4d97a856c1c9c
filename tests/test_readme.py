"""The README and the guide say nothing that is not so."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from symprivacy.cli.main import run
from symprivacy.site.guide import CHAPTERS

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
GUIDE = ROOT / "symprivacy" / "site" / "guide"
TEXTS = [README, *sorted(GUIDE.glob("*.md"))]


def named(path: Path) -> str:
    return path.stem


def test_the_guide_shows_every_chapter_once() -> None:
    assert sorted(CHAPTERS) == sorted(path.stem for path in GUIDE.glob("*.md"))


def test_links_of_the_readme_lead_to_files() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README.read_text(encoding="utf-8"))
    assert len(links) > len(CHAPTERS)
    assert not [link for link in links if not (ROOT / link).is_file()]


@pytest.mark.parametrize("path", TEXTS, ids=named)
def test_the_python_examples_print_what_they_say(path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    done = doctest.testfile(str(path), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert done.failed == 0


@pytest.mark.parametrize("path", TEXTS, ids=named)
def test_the_commands_succeed(path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    everything = "\n".join(text.read_text(encoding="utf-8") for text in TEXTS)
    Path("statements.jsonl").write_text(
        next(line for line in everything.splitlines() if line.startswith('{"id": "a1"')), encoding="utf-8"
    )
    mechanism = re.search(r'`(\{"matrix": [^`]*\})`', everything)
    assert mechanism is not None
    Path("mechanism.json").write_text(mechanism.group(1), encoding="utf-8")
    for name, content in re.findall(
        r"^The file `(\S+)`:\n\n```json\n(.*?)\n```$", everything, flags=re.MULTILINE | re.DOTALL
    ):
        Path(name).write_text(content, encoding="utf-8")
    text = path.read_text(encoding="utf-8")
    if "cert.json" in text:
        assert run(["prove", "x**2 >= 0", "--on", "x in [-1, 1]", "--save", "cert.json"]) == 0
    # The whole audit and the whole site take minutes, and have tests of their own.
    lines = [line for line in text.splitlines() if line.startswith("symprivacy ")]
    for command in lines:
        if ">" not in shlex.split(command) and not command.startswith("symprivacy site "):
            assert run(shlex.split(command)[1:]) == 0, command
