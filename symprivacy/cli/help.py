"""Explain a command, or a topic: expressions, domains, parameters, statements, verdicts, files, exit-codes, json."""

from __future__ import annotations

import argparse
import sys

from symprivacy.cli import options
from symprivacy.kernel.expr import FUNCTIONS
from symprivacy.language.names import no_such

EPILOG = """examples:
  symprivacy help convert
  symprivacy help expressions

exit codes: 0 explained, 2 no such topic"""

TOPICS = {
    "expressions": (
        f"numbers (27/20; 0.45 is exactly 9/20), + - * / ** ^, names, brackets; {' '.join(sorted(FUNCTIONS))} "
        "sqrt min max Piecewise, pi E. ln is log, the natural one. 2x is 2*x, e^x is exp(x), ε² is eps**2, √x is "
        "sqrt(x), |x| is abs(x). What can be read in two ways, such as 1/2x, is refused."
    ),
    "domains": (
        '--on "eps in (0, 27/20]", --on "0 < eps <= 27/20" or --on "eps > 0", once per variable; oo is infinity.'
    ),
    "parameters": (
        "--at NAME=VALUE, for every command: several after one --at, or separated by commas. Parameters of the "
        "target of a conversion end in 2: symprivacy convert DP ADP --at eps=1 eps2=1/2. epsilon and ε are eps; "
        "case does not matter."
    ),
    "statements": (
        "DP(eps) => KL(eps**2/2) for 0 < eps <= 1; A <=> B; A =/=> KEY; laplace(1) satisfies DP(1); or an "
        "inequality. 'symprivacy falsify STATEMENT' looks for a counterexample, 'symprivacy audit --file' decides "
        "a file of them."
    ),
    "verdicts": (
        "'symprivacy show WORD' explains one: proved, refuted, undecided; tight, upper-bound, impossible, unknown; "
        "holds, improvable, false, misprint, vacuous, not-checkable; gap, open."
    ),
    "files": (
        "--out FILE writes what the ending says: .json a certificate, .html .md .tex .pdf a report, .svg .png a "
        "picture. The older --save, --plot, --report, --html, --svg and --png mean the same."
    ),
    "exit-codes": (
        "0 proved or answered (impossible is an answer), 1 refuted or a check failed, 3 undecided or nothing "
        "found, 2 bad input, 4 a defect of this program, 130 interrupted. A batch exits 0 when every line was "
        "processed."
    ),
    "json": (
        "--json prints one JSON object, or one per line, and nothing else on stdout; messages go to stderr. "
        "--quiet prints nothing. --batch FILE reads JSON Lines."
    ),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("topic", nargs="?", metavar="TOPIC", help=f"a command, or one of {', '.join(TOPICS)}")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from symprivacy.cli.main import COMMANDS, parser_of

    if args.topic is None:
        from symprivacy.render.terminal import fields, say

        if args.json:
            print(options.to_line({"commands": COMMANDS, "topics": list(TOPICS)}))
            return 0
        say("symprivacy COMMAND --help explains a command, symprivacy help TOPIC a topic", "", "commands")
        fields((f"  {name}", about) for name, about in COMMANDS.items())
        say("", f"topics: {', '.join(TOPICS)}")
        return 0
    name = args.topic.strip().casefold().replace(" ", "-")
    name = f"{name}s" if f"{name}s" in {*COMMANDS, *TOPICS} else name
    if name not in {*COMMANDS, *TOPICS}:
        raise no_such("command or topic", args.topic, [*COMMANDS, *TOPICS], f"topics are {', '.join(TOPICS)}")
    text = parser_of(name).format_help() if name in COMMANDS else TOPICS[name]
    if args.json:
        print(options.to_line({"topic": name, "text": text}))
    elif name in COMMANDS:
        sys.stdout.write(text)
    else:
        from symprivacy.render.terminal import plain, say

        say(plain(text))
    return 0
