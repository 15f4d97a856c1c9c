"""Choose the command, run it, turn every outcome into an exit code.

Exit codes: 0 proved / success, 1 refuted / check failed, 3 undecided, 2 bad input, 4 a defect of this program,
130 interrupted.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import tempfile
import traceback
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, NoReturn, TextIO

from symprivacy.errors import InputError, SymPrivacyError
from symprivacy.language.names import no_such
from symprivacy.render.charset import remember
from symprivacy.version import __version__

# Each command is a module of this package with add_arguments(parser) and run(args); only the one asked for
# is imported, so that --version and --help answer at once.
COMMANDS = {
    "audit": "decide the claims of the papers, or of a file of one's own",
    "falsify": "look for a small exact counterexample",
    "prove": "prove or refute an inequality on a domain",
    "check": "verify a saved certificate",
    "roots": "isolate all roots of an expression in an interval",
    "convert": "the best level of one notion that another one guarantees",
    "compose": "eps and delta of several runs from both sides, of a group, on samples",
    "vectors": "certified test vectors for accounting libraries",
    "compare": "on which subintervals one expression is below, equal to or above another",
    "sweep": "partition a box into where one expression is below and where it is above another",
    "notions": "list the privacy notions",
    "show": "show one notion or one claim",
    "level": "the smallest parameter of a notion that a mechanism satisfies",
    "profile": "the level of a mechanism under every notion",
    "derive": "derive one notion from another, step by step",
    "chain": "the ways from one notion to another, composed and ranked",
    "matrix": "every ordered pair of notions: tight, impossible, gap or open",
    "wanted": "unsettled pairs, the most useful first",
    "graph": "draw who implies whom",
    "beliefs": "draw which posteriors notions allow at each prior",
    "export": "LaTeX and BibTeX of claims, conversions and notions",
    "site": "write the atlas as a folder of static pages",
    "help": "explain a command, or a topic such as expressions or verdicts",
    "completion": "print what makes a shell complete commands, options and notions",
}

# Commands that take a notion or a statement about notions, and therefore notions of one's own.
NAMING = frozenset(COMMANDS) - {"prove", "roots", "compare", "sweep", "help", "completion"}

ABOUT = "Privacy notions, what follows from what, and certified statements about the functions in between."
EPILOG = """examples:
  symprivacy audit --paper zhao17
  symprivacy prove "1/2 - 1/(exp(eps)+1) > eps/6" --on "eps in (0, 27/20]" --save cert.json
  symprivacy check cert.json
  symprivacy roots "exp(x) - 3*x" --on "x in [0, 5]" --digits 30
  symprivacy compare "1/2 - 1/(exp(eps)+1)" "eps/6" --on "eps in (0, 5]"
  symprivacy level mechanism.json SP
  symprivacy derive "SP(eta)" DP --prior uniform
  symprivacy convert DP KL --at eps=1 --digits 30

exit codes: 0 proved / answered (impossible is an answer), 1 refuted / check failed, 3 undecided or not found,
2 bad input, 4 a defect of this program"""


class Parser(argparse.ArgumentParser):
    """argparse, but an error is one line."""

    def __init__(self, **options: Any) -> None:
        raw = argparse.RawDescriptionHelpFormatter
        super().__init__(formatter_class=raw, allow_abbrev=False, **options)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As always, after --at was given its one meaning."""
        return super().parse_known_args(gathered(sys.argv[1:] if args is None else list(args)), namespace)

    def error(self, message: str) -> NoReturn:
        complain(f"{message} (see {self.prog} --help)", self.prog)
        sys.exit(2)


def complain(message: object, prog: str = "symprivacy") -> None:
    """One line on stderr, whatever is in the message."""
    line = " ".join(str(message).split())
    with contextlib.suppress(OSError, ValueError):
        print(f"{prog}: error: {line[:2000]}", file=sys.stderr)


def _positional(argv: Sequence[str]) -> list[str]:
    # An expression may begin with a minus sign; only -h and -V are short options.
    return [f" {a}" if a[:1] == "-" and a[1:2] != "-" and a not in ("-", "-h", "-V") else a for a in argv]


def gathered(argv: Sequence[str]) -> list[str]:
    """--at takes every NAME=VALUE that follows it, wherever it stands: one meaning for all commands.

    >>> gathered(["DP", "--at", "eps=1", "eps2=2", "ADP", "--json"])
    ['DP', 'ADP', '--json', '--at', 'eps=1', '--at', 'eps2=2']
    """
    end = argv.index("--") if "--" in argv else len(argv)
    words: list[str] = []
    at: list[str] = []
    taking = False
    for k, word in enumerate(argv[:end]):
        follows = k + 1 < end and "=" in argv[k + 1] and not argv[k + 1].startswith("--")
        if word == "--at" and follows:
            taking = True
        elif word.startswith("--at="):
            at += ["--at", word[5:]]
        elif taking and "=" in word and not word.startswith("--"):
            at += ["--at", word]
        else:
            taking = False
            words.append(word)
    return [*words, *at, *argv[end:]]


def _top_level(argv: Sequence[str]) -> int:
    listing = "\n".join(f"  {name:<12}{about}" for name, about in COMMANDS.items())
    parser = Parser(
        prog="symprivacy",
        usage="symprivacy COMMAND ... | --version | --help",
        description=f"{ABOUT}\n\ncommands:\n{listing}",
        epilog=EPILOG + "\n\nsymprivacy COMMAND --help explains a command",
    )
    parser.add_argument("-V", "--version", action="version", version=f"symprivacy {__version__}")
    parser.add_argument("command", nargs="?", help=argparse.SUPPRESS)
    args, _ = parser.parse_known_args(argv)
    if args.command is None:
        parser.error("no command given")
    parser.error(str(no_such("command", args.command, COMMANDS, f"commands are {', '.join(COMMANDS)}")))


def parser_of(name: str) -> Parser:
    """The parser of a command.

    >>> parser_of("prove").prog
    'symprivacy prove'
    """
    module = import_module(f"symprivacy.cli.{name}")
    parser = Parser(prog=f"symprivacy {name}", description=module.__doc__, epilog=module.EPILOG)
    module.add_arguments(parser)
    if name in NAMING:
        parser.add_argument(
            "--notions", dest="definitions", action="append", default=[], metavar="FILE",
            help="notions of one's own, as JSON; repeatable",
        )  # fmt: skip
    known = parser._option_string_actions
    if "--out" not in known:
        kinds = ", ".join(_endings(module))
        parser.add_argument(
            "--out", dest="outs", action="append", default=[], metavar="FILE", help=f"write a file: {kinds}; repeatable"
        )
    if "--json" not in known:
        parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quiet", action="store_true", help="print nothing; the exit code and written files tell")
    return parser


# What a command prints can be written by all of them: as text, or as JSON.
_PRINTED = {".txt": "", ".json": "json", ".jsonl": "json"}


def _endings(module: Any) -> dict[str, str]:
    """Endings of files that a command writes, with the option behind each."""
    return {**_PRINTED, **getattr(module, "OUT", {})}


def _place(args: argparse.Namespace, endings: Mapping[str, str]) -> str | None:
    """--out FILE is the option that writes files of this ending; returns the file for what is printed, if any."""
    printed = None
    for path in args.outs:
        ending = os.path.splitext(path)[1].lower()
        if ending not in endings:
            raise InputError(f"--out {path[:60]!r}: expected a name that ends in {', '.join(endings)}")
        option = endings[ending]
        switch = isinstance(getattr(args, option, False), bool)
        if printed is not None if switch else getattr(args, option):
            raise InputError(f"--out {path[:60]!r}: one file of this kind is written already")
        if switch:
            printed = path
        if option:
            setattr(args, option, True if switch else path)
    return printed


def _opened(path: str) -> TextIO:
    try:
        return open(path, "w", encoding="utf-8")
    except (OSError, ValueError) as e:
        raise InputError(f"cannot write {path[:60]!r}: {getattr(e, 'strerror', None) or e}") from None


def _command(argv: Sequence[str]) -> int:
    name = argv[0].casefold() if argv else ""
    if name not in COMMANDS:
        return _top_level(argv)
    args = parser_of(name).parse_args(_positional(argv[1:]))
    module = import_module(f"symprivacy.cli.{name}")
    printed = _place(args, _endings(module)) if getattr(args, "outs", None) else None
    with contextlib.ExitStack() as stack:
        if printed is not None:
            stack.enter_context(contextlib.redirect_stdout(stack.enter_context(_opened(printed))))
        elif args.quiet:
            stack.enter_context(contextlib.redirect_stdout(stack.enter_context(open(os.devnull, "w"))))
        if hasattr(args, "arithmetic"):
            from symprivacy.language.certificates import using

            stack.enter_context(using(args.arithmetic))
        if name in NAMING and args.definitions:
            from symprivacy.notions.files import load

            for path in args.definitions:
                load(path)
        code: int = module.run(args)
    return code


def run(argv: Sequence[str]) -> int:
    """Run one command line and return its exit code.

    >>> run(["prove", "exp(x) >= 1 + x", "--on", "x in [-1, oo)"])
    proved: e^x ≥ x + 1 for x ∈ [-1, ∞)
    0
    """
    remember(getattr(sys.stdout, "encoding", None))
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    try:
        code = _command(argv)
        sys.stdout.flush()
        return code
    except SymPrivacyError as e:
        complain(e)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader has gone; keep Python from complaining when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except (MemoryError, RecursionError) as e:
        complain(f"the input needs too much {'memory' if isinstance(e, MemoryError) else 'nesting'}")
        return 2
    except Exception as e:
        # Nothing follows from a defect: not an answer, and above all not "refuted".
        kept = report(argv, e)
        complain(f"internal error, {type(e).__name__}: {str(e)[:200]}" + (f" (report in {kept})" if kept else ""))
        return 4


def report(argv: Sequence[str], error: BaseException) -> str | None:
    """Keep what is needed to mend a defect in a temporary file; its path, None if there is no room for one."""
    lines = [f"symprivacy {__version__}, Python {sys.version}", f"command: {list(argv)!r}"[:100_000], ""]
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="symprivacy-", suffix=".txt", delete=False, encoding="utf-8", errors="backslashreplace"
        ) as file:
            file.write("\n".join([*lines, *traceback.format_exception(error)]))
            return file.name
    except OSError:
        return None
