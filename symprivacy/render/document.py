"""A stand-alone LaTeX document around fragments, and a PDF of it if a TeX is installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from symprivacy.errors import InputError, UnsupportedError
from symprivacy.render.bibtex import bibliography, cited, references

PREAMBLE = r"""\documentclass[11pt]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{lmodern}
\usepackage[a4paper,margin=27mm]{geometry}
\usepackage{amsmath,amssymb,amsthm}
\usepackage{array,booktabs,graphicx,longtable}
\usepackage{microtype}
\usepackage[hidelinks]{hyperref}
\IfFileExists{cleveref.sty}{\usepackage{cleveref}}{}
\newtheorem{theorem}{Theorem}
\newtheorem{proposition}[theorem]{Proposition}
\newtheorem{conjecture}[theorem]{Conjecture}
\theoremstyle{definition}
\newtheorem{definition}[theorem]{Definition}
\newtheorem{remark}[theorem]{Remark}
\allowdisplaybreaks
\emergencystretch=3em
\raggedbottom
"""
ENGINES = ("pdflatex", "lualatex", "xelatex", "tectonic")
TIME = 120
RUNS = 3


def document(fragments: Iterable[str], title: str = "", bibtex: bool = False) -> str:
    r"""Everything that TeX needs; with ``bibtex`` the sources come as a .bib file inside, else as a list.

    >>> print(document(["Hello."]).splitlines()[-1])
    \end{document}
    """
    body = "\n\n".join(fragments)
    sources = cited(body)
    start = end = ""
    if sources and bibtex:
        start = (
            f"\\begin{{filecontents*}}[overwrite]{{symprivacy.bib}}\n{bibliography(sources)}\n\\end{{filecontents*}}\n"
        )
        end = "\n\\bibliographystyle{plain}\n\\bibliography{symprivacy}\n"
    elif sources:
        end = f"\n{references(sources)}\n"
    head = f"\\title{{{title}}}\n\\date{{}}\n" if title else ""
    top = "\\maketitle\n" if title else ""
    return f"{start}{PREAMBLE}{head}\\begin{{document}}\n{top}{body}\n{end}\\end{{document}}\n"


def engine() -> str:
    """The first TeX that is installed; raises UnsupportedError if there is none."""
    for name in ENGINES:
        path = shutil.which(name)
        if path is not None:
            return path
    raise UnsupportedError(f"a PDF needs a TeX ({', '.join(ENGINES)}) and none is installed; write .tex instead")


def write_pdf(source: str, path: Path) -> None:
    """Typeset a document; raises InputError if it does not compile, and then leaves its source beside it."""
    pdf, log = typeset(source, engine())
    if pdf is None:
        wrong = re.findall(r"^! .*", log, re.MULTILINE)
        kept = path.with_suffix(".tex")
        kept.write_text(source, encoding="utf-8")
        raise InputError(f"TeX stopped: {wrong[0] if wrong else 'see its log'}; its source is in {kept}")
    path.write_bytes(pdf)


def typeset(source: str, tex: str) -> tuple[bytes | None, str]:
    """The PDF (None if TeX stopped) and the log of the last run; further runs settle references.

    The document may hold text of any origin: TeX may run no program and open no file elsewhere.
    """
    quiet = ["-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape"]
    command = [tex, *([] if Path(tex).name == "tectonic" else quiet), "paper.tex"]
    allowed = {**os.environ, "openin_any": "p", "openout_any": "p"}
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "paper.tex").write_text(source, encoding="utf-8")
        log = ""
        for _ in range(RUNS):
            try:
                done = subprocess.run(
                    command, cwd=folder, env=allowed, capture_output=True, timeout=TIME, stdin=subprocess.DEVNULL
                )
            except subprocess.TimeoutExpired:
                return None, f"! no result after {TIME} s"
            written = Path(folder) / "paper.log"
            log = (written.read_bytes() if written.exists() else done.stdout).decode("utf-8", "replace")
            if done.returncode:
                return None, log
            if "Rerun" not in log:
                break
        return (Path(folder) / "paper.pdf").read_bytes(), log


def complaints(log: str) -> list[str]:
    """Overfull boxes and undefined references in a log of TeX.

    >>> complaints("Overfull \\\\hbox (3.0pt too wide) in paragraph\\nfine")
    ['Overfull \\\\hbox (3.0pt too wide) in paragraph']
    """
    found = re.findall(r"^(?:Overfull.*|LaTeX Warning: (?:Reference|Citation|Label|There were).*)", log, re.MULTILINE)
    return [line for line in found if "Rerun" not in line]
