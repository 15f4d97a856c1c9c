"""Export statements for a paper: claims, conversions such as DP=>KL, and notions, as LaTeX or their sources as BibTeX.
A claim is decided first and comes with its verdict.
A conversion comes as a theorem with its proof if one can be derived from the definitions, and otherwise, with --at,
as a proposition at the given parameters.
With --coq a saved certificate, a statement with its domain (--on), which is proved first, or a claim with all the
certificates that its finding rests on becomes a Coq file, to be compiled with coqc and coq-interval."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from symprivacy.cli import options, values
from symprivacy.errors import InputError, UnsupportedError

EPILOG = r"""examples:
  symprivacy export "DP=>KL" SP --latex
  symprivacy export "DP=>KL" --standalone --out theorem.tex
  symprivacy export "DP=>KL" --out theorem.pdf
  symprivacy export "DP=>ZCDP" --latex --at eps=1/2
  symprivacy export "DP=>KL" --latex --symbol "eps=\epsilon" --name "KL=\textsf{KL}" --calls
  symprivacy export SP --bib
  symprivacy export cert.json --out bound.v
  symprivacy export "tanh(eps/4) <= eps/4" --on "eps in [0, oo)" --out bound.v
  symprivacy export --coq claim.v ks14-eq6

quotes keep a shell from taking => for a redirection; --coq FILE is the earlier spelling of --out FILE.v

exit codes: 0 success, 1 a certificate is not accepted or a statement is refuted, 3 it is undecided, 2 bad input"""


# Which option writes files of which ending.
OUT = {".pdf": "pdf", ".v": "coq", ".tex": "latex", ".bib": "bib"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("ids", nargs="*", metavar="ID", help="a claim, a conversion such as 'DP=>KL', or a notion")
    parser.add_argument("--file", type=options.file, metavar="FILE", help="claims of one's own, JSON Lines")
    parser.add_argument("--latex", action="store_true", help="print LaTeX: definitions, theorems, proofs (default)")
    parser.add_argument("--standalone", action="store_true", help="a whole document instead of a fragment")
    parser.add_argument("--bib", action="store_true", help="print the cited sources as BibTeX")
    options.add_at(parser)
    parser.add_argument("--symbol", action="append", default=[], metavar="NAME=LATEX", help="one's own symbol")
    parser.add_argument("--name", action="append", default=[], metavar="KEY=LATEX", help="one's own name of a notion")
    parser.add_argument("--calls", action="store_true", help="write DP(eps) instead of eps-DP")
    parser.add_argument("--backwards", action="store_true", help="conclusion first: eps-DP <== ...")
    parser.add_argument(
        "--coq",
        type=options.file,
        metavar="FILE",
        help="write a Coq file; ID is a certificate's path, a statement or a claim; without an ID, FILE is the "
        "certificate and the Coq file goes to stdout",
    )
    parser.add_argument("--pdf", type=options.file, metavar="FILE", help=argparse.SUPPRESS)
    options.add_domain(parser)
    parser.add_argument(
        "--timeout",
        type=options.seconds,
        default=options.DEFAULT_TIMEOUT,
        metavar="S",
        help="give up proving a statement after this many seconds; default %(default)g",
    )


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    if args.coq is not None:
        from symprivacy.cli.coqfile import export_coq

        what, out = (args.ids, args.coq) if args.ids else ([args.coq], "-")
        return export_coq(what, out, args.on, args.timeout)
    if not args.ids:
        raise InputError("say what to export: a claim, a conversion such as 'DP=>KL', or a notion")
    if args.on:
        raise InputError("--on is for a statement that becomes a Coq file, with --coq")
    from symprivacy.render.bibtex import bibliography, cited
    from symprivacy.render.display import fragment
    from symprivacy.render.document import document, write_pdf
    from symprivacy.render.style import Style

    latex = args.latex or not args.bib
    style = Style(_pairs(args.symbol), _pairs(args.name), args.calls, args.backwards)
    at = values.assignments(args.at)
    parts = [fragment(find(name, at, args.file), style) for name in dict.fromkeys(args.ids)]
    if args.json:
        entries = bibliography(cited("\n".join(parts)))
        text = document(parts, bibtex=args.bib) if args.standalone else "\n\n".join(parts)
        print(options.to_line({"latex": text, "bib": entries}))
        return 0
    if args.pdf:
        write_pdf(document(parts), Path(args.pdf))
        return 0
    if latex and args.standalone:
        print(document(parts, bibtex=args.bib), end="")
        return 0
    if latex:
        print("\n\n".join(parts))
    if args.bib:
        entries = bibliography(cited("\n".join(parts)))
        # Beside LaTeX the entries are comments, so that the output still compiles.
        print("\n".join(f"% {line}" for line in entries.splitlines()) if latex else entries)
    return 0


def _pairs(texts: list[str]) -> dict[str, str]:
    found = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise InputError(f"expected NAME=VALUE, got {text[:60]!r}")
        found[name.strip()] = value.strip()
    return found


def find(name: str, at: dict[str, str], file: str | None = None) -> Any:
    """What an id names: a conversion such as DP=>KL, another statement, a notion, or a claim.

    >>> find("DP", {}).key, str(find("DP=>KL", {}))
    ('DP', 'DP(eps) => KL(eps*tanh(eps/2))')
    """
    from symprivacy.claims import decide

    if "(" in name or " satisfies " in name:
        return decide(name)
    if "=>" in name:
        source, _, target = (part.strip() for part in name.partition("=>"))
        return _conversion(source, target, at)
    from symprivacy.notions import all_notions, get

    for notion in all_notions():
        if notion.key == name:
            return notion
    if name.endswith("]"):
        return get(name)
    return decide(options.claim(name, file))


def _conversion(source: str, target: str, at: dict[str, str]) -> Any:
    from symprivacy.derivations import derive
    from symprivacy.implications import convert
    from symprivacy.notions.certify import NotCertified
    from symprivacy.notions.solve import NoClosedForm

    if at:
        return convert(source, at, target)
    try:
        found = derive(source, target)
    except (UnsupportedError, NoClosedForm, NotCertified) as e:
        raise InputError(f"{source}=>{target} has no derivation ({e}); give its parameters with --at") from None
    found.derivation.check()
    return found
