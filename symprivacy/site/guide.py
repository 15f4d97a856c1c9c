"""The documentation: how-to pages, tutorials, the reference of commands and of Python names, and what is new."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import symprivacy
from symprivacy.site import api, tutorials
from symprivacy.site.howto import QUESTIONS
from symprivacy.site.markdown import markdown
from symprivacy.site.page import Page, safe


def pages(parsers: Mapping[str, argparse.ArgumentParser]) -> Iterator[Page]:
    """All pages of documentation."""
    yield Page("howto.html", "How to", "section", "howto.html", {"questions": QUESTIONS}, "questions and answers")
    for asked in QUESTIONS:
        words = " ".join((*asked.commands, asked.python, asked.words))
        yield Page(f"howto/{asked.key}.html", asked.question, "how to", "question.html", {"asked": asked},
                   " ".join(asked.answer)[:160], words)  # fmt: skip
    yield from chapters()
    yield from tutorials.pages()
    yield from api.pages()
    yield from commands(parsers)
    yield Page("news.html", "What is new", "section", "plain.html", {"body": safe(changelog())}, "changes by version")


# In the order in which a newcomer needs them.
CHAPTERS = (
    "audit", "inequalities", "notions", "conversions", "derivations", "runs", "atlas", "papers", "many",
    "command-line", "proved", "limits",
)  # fmt: skip


def chapters() -> Iterator[Page]:
    """The guide: a page for every file of the folder beside this module."""
    texts = {name: files("symprivacy.site").joinpath("guide", f"{name}.md").read_text("utf-8") for name in CHAPTERS}
    heads = {name: text.partition("\n")[0].lstrip("# ") for name, text in texts.items()}
    about = {name: _first(text.partition("\n")[2].strip())[:160].replace("`", "") for name, text in texts.items()}
    yield Page("guide.html", "Guide", "section", "guide.html", {"heads": heads, "about": about}, "how it all works")
    for name, text in texts.items():
        body = markdown(text.partition("\n")[2])
        yield Page(f"guide/{name}.html", heads[name], "guide", "plain.html", {"body": safe(body)}, about[name],
                   " ".join(sorted(set(re.findall(r"[A-Za-z]{4,}", text)))))  # fmt: skip


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
    """The changelog as HTML."""
    root = Path(symprivacy.__file__).parent
    # In an installed package it lies inside, in a clone beside the package.
    for path in (root / "CHANGELOG.md", root.parent / "CHANGELOG.md"):
        if path.is_file():
            return markdown(_body(path.read_text(encoding="utf-8")))
    return "<p>The changelog is not part of this installation.</p>"


def _body(text: str) -> str:
    """Without the title, which the page has, and with the names of versions as words."""
    return re.sub(r"^## \[([^\]]*)\]", r"## \1", text.split("\n", 1)[1], flags=re.MULTILINE)
