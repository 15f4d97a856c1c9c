"""Pages shown to this machine only, and the program inside a page."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from symprivacy.cli.main import run
from symprivacy.cli.site import parsers
from symprivacy.errors import InputError
from symprivacy.site import live
from symprivacy.site.build import build
from symprivacy.site.serve import server

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Path, int]]:
    folder = tmp_path / "atlas"
    (folder / "live").mkdir(parents=True)
    (folder / "index.html").write_text("start")
    (folder / "live" / "a.wasm").write_bytes(b"\0asm")
    (tmp_path / "secret.txt").write_text("not for you")
    with server(folder) as found:
        thread = threading.Thread(target=found.serve_forever, daemon=True)
        thread.start()
        yield folder, found.server_address[1]
        found.shutdown()


def asked(port: int, path: str, method: str = "GET", host: str | None = None) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request(method, path, headers={"Host": host or f"127.0.0.1:{port}"})
    return connection.getresponse()


def test_files_are_served_under_their_kinds(served: tuple[Path, int]) -> None:
    assert asked(served[1], "/index.html").read() == b"start"
    assert asked(served[1], "/live/a.wasm").getheader("Content-Type") == "application/wasm"


@pytest.mark.parametrize("path", ["/live/", "/../secret.txt", "/%2e%2e/secret.txt", "/live/../../secret.txt"])
def test_no_folder_is_listed_and_nothing_outside_is_read(served: tuple[Path, int], path: str) -> None:
    answer = asked(served[1], path)
    assert answer.status == 404
    assert b"not for you" not in answer.read()


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example:80", ""])
def test_a_foreign_name_that_points_here_gets_nothing(served: tuple[Path, int], host: str) -> None:
    """A page elsewhere whose name was moved to this machine cannot read what is served."""
    answer = asked(served[1], "/index.html", host=host or "x")
    assert answer.status == 403
    assert b"start" not in answer.read()


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_nothing_can_be_sent(served: tuple[Path, int], method: str) -> None:
    assert asked(served[1], "/index.html", method).status == 501


def test_a_port_that_is_taken_is_told_before_any_work(
    served: tuple[Path, int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["site", str(tmp_path / "new"), "--serve", str(served[1])]) == 2
    assert "cannot serve on port" in capsys.readouterr().err


def test_a_part_with_another_checksum_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "part.whl").write_bytes(b"something else")
    with pytest.raises(InputError, match="not the one that is known"):
        live._download(tmp_path, ("part", "0" * 64), ["true"], "*.whl")
    with pytest.raises(InputError, match="cannot be brought"):
        live._download(tmp_path / "empty", ("part", "0" * 64), ["no-such-program"], "*.whl")


@pytest.mark.skipif(
    not os.environ.get("SYMPRIVACY_LIVE") or CHROMIUM is None,
    reason="NOT RUN: the program inside a page; set SYMPRIVACY_LIVE=1, with npm, pip, a network and chromium",
)
def test_the_program_answers_inside_a_page(tmp_path: Path) -> None:
    """Prove, convert, derive, check and bad input, with nothing but the files of the folder."""
    playwright = pytest.importorskip("playwright.sync_api")
    folder = build(tmp_path / "atlas", [], parsers(), ["DP", "KL", "ZCDP"], jobs=1, live=live.bundle()).folder
    with server(folder) as found, playwright.sync_playwright() as driver:
        threading.Thread(target=found.serve_forever, daemon=True).start()
        origin = f"http://127.0.0.1:{found.server_address[1]}/"
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page: Any = browser.new_page()
        page.set_default_timeout(300_000)
        outside: list[str] = []
        page.on("request", lambda r: None if r.url.startswith((origin, "blob:", "data:")) else outside.append(r.url))
        page.goto(f"{origin}live.html#run=symprivacy+show+DP")
        page.wait_for_function("document.getElementById('ready').textContent === 'Ready.'")

        def answer(kind: str) -> tuple[str, str]:
            before = page.locator("#log article").count()
            page.click(f"form[data-words={kind}] button")
            # A file is read first, so that the answer may have no place yet.
            page.wait_for_selector(f"#log article:nth-last-child({before + 1})[data-code]")
            box = page.locator("#log article").first
            return box.locator("pre").inner_text(), box.get_attribute("data-code")

        assert answer("any")[1] == "0"
        text, code = answer("prove")
        assert (text.split(":")[0], code) == ("proved", "0")
        assert "0.46211715726000975" in answer("convert")[0]
        assert "tanh" in answer("derive")[0]
        page.set_input_files("form[data-words=check] input", folder / "certificates" / "DP-KL.json")
        assert answer("check")[1] == "0"
        forged = json.loads((folder / "certificates" / "DP-KL.json").read_text())
        forged["theorems"][-1]["theorem"]["conclusion"] = "KL(0)"
        (tmp_path / "forged.json").write_text(json.dumps(forged))
        page.set_input_files("form[data-words=check] input", tmp_path / "forged.json")
        assert answer("check")[1] == "1"
        page.fill("form[data-words=prove] input[name=statement]", "__import__('os')")
        assert answer("prove")[1] == "2"
        assert not outside
        browser.close()
        found.shutdown()
