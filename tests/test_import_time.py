"""Waiting for imports is waiting for nothing: what is not needed is not loaded."""

from __future__ import annotations

import subprocess
import sys
import time
from statistics import median

import pytest


def python(*args: str) -> str:
    done = subprocess.run([sys.executable, *args], capture_output=True, text=True, check=True, timeout=120)
    return done.stdout


def loaded_after(code: str) -> set[str]:
    output = python("-c", f"{code}\nimport sys; print('\\n'.join(sys.modules))")
    return {name.split(".")[0] for name in output.splitlines()}


def test_importing_the_package_loads_neither_sympy_nor_mpmath() -> None:
    assert not {"sympy", "mpmath", "argparse"} & loaded_after("import symprivacy")


def test_checking_a_certificate_needs_no_sympy() -> None:
    assert "sympy" not in loaded_after("from symprivacy import check")


def test_help_and_version_load_no_numbers() -> None:
    code = "from symprivacy.cli.main import run\ntry: run(['prove', '--help'])\nexcept SystemExit: pass"
    assert not {"sympy", "mpmath", "multiprocessing"} & loaded_after(code)


def seconds(*args: str) -> float:
    start = time.perf_counter()
    python(*args)
    return time.perf_counter() - start


def compared(first: tuple[str, ...], second: tuple[str, ...], rounds: int = 5) -> tuple[float, float]:
    """Median times of two command lines, run in turns so that a busy machine slows both."""
    pairs = [(seconds(*first), seconds(*second)) for _ in range(rounds)]
    return median(a for a, _ in pairs), median(b for _, b in pairs)


@pytest.mark.clock
def test_version_answers_at_once() -> None:
    version, nothing = compared(("-m", "symprivacy", "--version"), ("-c", "pass"))
    # 0.06 s on a quiet machine, where an empty program takes about 0.02 s.
    assert version <= max(0.3, 8 * nothing)


@pytest.mark.clock
def test_one_prove_call_takes_little_more_than_the_import_of_sympy() -> None:
    call = ("-m", "symprivacy", "prove", "1/2 - 1/(exp(eps)+1) > eps/6", "--on", "eps in (0, 27/20]")
    prove, sympy = compared(call, ("-c", "import sympy"))
    # 1.5 to 1.7 times on a quiet machine; a busy one blurs the ratio.
    assert prove <= 3 * sympy + 0.05
