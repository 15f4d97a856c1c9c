"""How-to pages, the reference of commands from their parsers, and what is new from the changelog."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path

import symprivacy
from symprivacy.site.howto import QUESTIONS
from symprivacy.site.page import Page, safe


def pages(parsers: Mapping[str, argparse.ArgumentParser]) -> Iterator[Page]:
    """All pages of documentation."""
    yield Page("howto.html", "How to", "section", "howto.html", {"questions": QUESTIONS}, "questions and answers")
    for asked in QUESTIONS:
        words = " ".join((*asked.commands, asked.python, asked.words))
        yield Page(f"howto/{asked.key}.html", asked.question, "how to", "question.html", {"asked": asked},
                   " ".join(asked.answer)[:160], words)  # fmt: skip
    yield from commands(parsers)
    yield Page("news.html", "What is new", "section", "plain.html", {"body": safe(changelog())}, "changes by version")


@dataclass(frozen=True)
class Option:
    """One argument of a command."""

    names: str
    help: str


def commands(parsers: Mapping[str, argparse.ArgumentParser]) -> Iterator[Page]:
    """The list of commands and a page for each, made from its parser."""
    about = {name: _first(parser.description or "") for name, parser in parsers.items()}
    yield Page(
        "commands.html", "Commands", "section", "commands.html", {"about": about}, "every command and its options"
    )
    for name, parser in parsers.items():
        groups = {"Arguments": [], "Options": []}  # type: dict[str, list[Option]]
        for action in parser._actions:
            if action.help != argparse.SUPPRESS:
                groups["Options" if action.option_strings else "Arguments"].append(_option(parser, action))
        needed = " ".join(option.names for option in groups["Arguments"])
        content = {"parser": parser, "groups": groups, "usage": f"{parser.prog} {needed} [options]",
                   "paragraphs": (parser.description or "").split("\n\n")}  # fmt: skip
        words = " ".join(option.names for option in groups["Options"])
        yield Page(
            f"commands/{name}.html", f"symprivacy {name}", "command", "command.html", content, about[name], words
        )


def _first(text: str) -> str:
    return " ".join(text.split("\n\n")[0].split())


def _option(parser: argparse.ArgumentParser, action: argparse.Action) -> Option:
    """Names with the place of a value, and the help with its defaults put in."""
    value = "" if action.nargs == 0 else str(action.metavar or (action.dest.upper()))
    if action.choices is not None and action.metavar is None:
        value = "{" + ",".join(map(str, action.choices)) + "}"
    names = ", ".join(action.option_strings)
    told = (action.help or "") % {**vars(action), "prog": parser.prog}
    return Option(f"{names} {value}".strip(), told)


def changelog() -> str:
    """The changelog as HTML: headings, lists, paragraphs and code, which is all it has."""
    root = Path(symprivacy.__file__).parent
    # In an installed package it lies inside, in a clone beside the package.
    for path in (root / "CHANGELOG.md", root.parent / "CHANGELOG.md"):
        if path.is_file():
            return markdown(path.read_text(encoding="utf-8"))
    return "<p>The changelog is not part of this installation.</p>"


def markdown(text: str) -> str:
    """The little of Markdown that a changelog needs.

    >>> markdown("# T\\n\\n## [1.0]\\n\\n- a `b`\\n  c\\n- d\\n")
    '<h2>1.0</h2>\\n<ul><li>a <code>b</code> c</li><li>d</li></ul>'
    """
    parts: list[str] = []
    for block in re.split(r"\n\s*\n|\n(?=#)", text.strip()):
        heading = re.fullmatch(r"(#+) (.*)", block)
        if heading:
            if len(heading[1]) > 1:
                parts.append(f"<h{len(heading[1])}>{_inline(heading[2])}</h{len(heading[1])}>")
        elif block.startswith("- "):
            items = re.split(r"\n- ", block[2:])
            parts.append("<ul>" + "".join(f"<li>{_inline(' '.join(item.split()))}</li>" for item in items) + "</ul>")
        else:
            parts.append(f"<p>{_inline(' '.join(block.split()))}</p>")
    return "\n".join(parts)


def _inline(text: str) -> str:
    # Code first: what is in it is not markup. Links keep their words; pages lead nowhere outside.
    parts = re.split(r"`([^`]*)`", text)
    told = []
    for k, part in enumerate(parts):
        if k % 2:
            told.append(f"<code>{escape(part)}</code>")
        else:
            plain = re.sub(r"\[([^\]]*)\](?:\([^)]*\))?", r"\1", part)
            told.append(re.sub(r"\*([^*]+)\*", r"<em>\1</em>", escape(plain)))
    return "".join(told)
