"""The notebooks run from start to end, and what is stored in them is fit to be read."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")

FOLDER = Path(__file__).parents[1] / "notebooks"
NAMES = ("01_tour", "02_zhao", "03_semantics", "04_ldp_mbp_abp", "05_own_notion", "06_auditing_software")
LARGEST = 500_000
# What must not be in an output: errors, paths of some machine, the text of a piecewise function.
UNWANTED = re.compile(r"Traceback|/home/|/tmp/|/work/|/usr/|/root/|[A-Z]:\\\\Users|Warning:")


def read(name: str) -> Any:
    return nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)


def outputs(notebook: Any) -> list[dict[str, str]]:
    """The forms of every output by kind; printed text counts as plain."""
    found = []
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            assert output.output_type != "error", output
            found.append(dict(output.get("data", {"text/plain": output.get("text", "")})))
    return found


def lasting(shown: str) -> str:
    """What does not change from run to run: words and formulas without numbers, addresses and made-up names."""
    return re.sub(r"0x[0-9a-f]+|\b[0-9a-f]{8,}\b|\bid=\S+|#\w+|\d+(\.\d*)?", "", shown)


def test_nothing_is_missing() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.ipynb")) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_stored_form(name: str) -> None:
    """Small, valid, without traces of the machine; every run of code is counted from one."""
    path = FOLDER / f"{name}.ipynb"
    assert path.stat().st_size < LARGEST
    notebook = read(name)
    nbformat.validate(notebook)
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    assert not any(cell.metadata for cell in notebook.cells)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert not UNWANTED.search(re.sub(r'"image/png": "[^"]*"', "", path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", NAMES)
def test_parts(name: str) -> None:
    """It says how to install, and ends with exercises."""
    cells = read(name).cells
    assert 'pip install "symprivacy[notebook]"' in cells[0].source
    assert "## Exercises" in cells[-1].source


@pytest.mark.parametrize("name", NAMES)
def test_stored_outputs(name: str) -> None:
    """Formulas are typeset: no names of sympy in what is shown."""
    shown = outputs(read(name))
    assert len(shown) > 5
    for forms in shown:
        text = " ".join(re.sub(r"<[^>]*>", " ", form) for kind, form in forms.items() if kind != "image/png")
        assert "Piecewise(" not in text
        for kind in ("text/html", "text/latex"):
            # The titles of a picture are shown by the pointer only.
            seen = re.sub(r"<title>.*?</title>", "", forms.get(kind, ""))
            assert not re.search(r"Piecewise|\b(eps|delta|eta|tau)\*|\*\*|Fraction\(|Rational\(", seen)


@pytest.mark.parametrize("name", NAMES)
def test_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No cell fails, and a run shows what is stored: the same kinds of output, and the same words and formulas."""
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.setenv("MPLBACKEND", "agg")
    notebook = read(name)
    stored = outputs(notebook)
    before = [sorted(forms) for forms in stored]
    client = nbclient.NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": os.fspath(tmp_path)}}
    )
    client.execute()
    live = "application/vnd.jupyter.widget-view+json"
    assert [sorted(set(forms) - {live}) for forms in outputs(notebook)] == before
    for then, now in zip(stored, outputs(notebook), strict=True):
        for kind in ("text/html", "text/latex", "text/plain"):
            assert lasting(now.get(kind, "")) == lasting(then.get(kind, "")), name
    assert not UNWANTED.search(json.dumps([forms.get("text/plain", "") for forms in outputs(notebook)]))
