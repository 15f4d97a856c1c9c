"""The program itself inside the pages: Python for browsers (Pyodide), and everything that this program imports.

Two parts are not on this machine and are brought by npm and pip when pages are built, each with the checksum below;
the packages that are pure Python are those that are installed here.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path, PurePosixPath

import symprivacy
from symprivacy.errors import InputError

PYODIDE = ("pyodide@314.0.7", "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0")
FLINT = ("python-flint==0.9.0", "b31f5c00e0e36040ab58d00b3025156e20869b990d776e4bf90f870b1ee11ad3")
# Of the same release: the interpreter, its version, and the kind of wheels that it loads.
_WHEELS = ("--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14", "--only-binary", ":all:")
_PARTS = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
# What the four questions of the page import; notebooks, processes of other machines and pictures are not among it.
_PURE = ("sympy", "mpmath", "latex2mathml", "networkx", "jinja2", "markupsafe", "markdown-it-py", "mdurl", "rich",
         "pygments")  # fmt: skip
_ENDINGS = (".py", ".json", ".jsonl", ".txt", ".md", ".html", ".gz", ".xz", ".zip")
_PATIENCE = 600


def brought(folder: Path) -> dict[str, bytes]:
    """The files of the folder ``live``; ``folder`` is where downloads are kept meanwhile."""
    pyodide = _download(folder, PYODIDE, ["npm", "pack", "--silent", "--pack-destination", str(folder)], "*.tgz")
    flint = _download(folder, FLINT, [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *_WHEELS,
                                      "--dest", str(folder)], "*.whl")  # fmt: skip
    with tarfile.open(pyodide) as packed:
        found = {name: _member(packed, f"package/{name}") for name in _PARTS}
    return {**found, "flint.whl": flint.read_bytes(), "packages.zip": _zipped(folder / "packages.zip")}


def bundle() -> dict[str, bytes]:
    """The same, by way of a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        return brought(Path(folder))


def _download(folder: Path, part: tuple[str, str], command: list[str], pattern: str) -> Path:
    name, checksum = part
    try:
        done = subprocess.run([*command, name], capture_output=True, text=True, timeout=_PATIENCE)
    except (OSError, subprocess.SubprocessError) as error:
        raise InputError(f"{name} cannot be brought by {command[0]}: {error}") from None
    found = next(iter(folder.glob(pattern)), None)
    if done.returncode or found is None:
        told = (done.stderr.strip() or "no file came").splitlines()[-1][:200]
        raise InputError(f"{name} cannot be brought by {command[0]}: {told}")
    if hashlib.sha256(found.read_bytes()).hexdigest() != checksum:
        raise InputError(f"{name}: the file that came is not the one that is known, so it is not used")
    return found


def _member(packed: tarfile.TarFile, name: str) -> bytes:
    try:
        file = packed.extractfile(name)
    except KeyError:
        file = None
    if file is None:
        raise InputError(f"{PYODIDE[0]} has no file {name}")
    return file.read()


def _zipped(path: Path) -> bytes:
    """The packages in one archive, the same bytes each time."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(_sources()):
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return path.read_bytes()


def _sources() -> Iterator[tuple[str, bytes]]:
    """The modules and the data that they read, by their place among installed packages."""
    for name in _PURE:
        try:
            files = distribution(name).files or []
        except PackageNotFoundError:
            raise InputError(f"the package {name} is needed for live pages and not installed") from None
        for file in files:
            if _wanted(PurePosixPath(file.as_posix())):
                yield file.as_posix(), Path(str(file.locate())).read_bytes()
    root = Path(symprivacy.__file__).parent
    for path in root.rglob("*"):
        place = PurePosixPath("symprivacy") / path.relative_to(root).as_posix()
        # The pages and the notebooks are not needed inside the pages.
        if path.is_file() and _wanted(place) and place.parts[1] not in ("site", "notebooks"):
            yield str(place), path.read_bytes()


def _wanted(place: PurePosixPath) -> bool:
    """Not tests and scripts; the names and versions of packages, which some ask for, are in METADATA.

    >>> [_wanted(PurePosixPath(p)) for p in ("sympy/core/add.py", "sympy/core/tests/test_add.py", "../bin/isympy")]
    [True, False, False]
    """
    if place.parts[0] == ".." or {"tests", "__pycache__", "benchmarks"} & set(place.parts):
        return False
    return place.name == "METADATA" or place.suffix in _ENDINGS
