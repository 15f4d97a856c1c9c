"""Options that several commands share, and how their values are read."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from symprivacy.errors import InputError
from symprivacy.language.digits import MOST_DIGITS

if TYPE_CHECKING:
    from symprivacy.claims import Claim

DEFAULT_TIMEOUT = 30.0
# Digits that are printed when nobody asked for more.
SHOWN = 10


def seconds(text: str) -> float:
    """A positive number of seconds.

    >>> seconds("1.5")
    1.5
    """
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value <= 1e6:
        raise argparse.ArgumentTypeError(f"expected a positive number of seconds, got {text[:40]!r}")
    return value


def positive(text: str, digits: int = 6) -> int:
    """A positive whole number.

    >>> positive("30")
    30
    """
    if not (text.isascii() and text.isdigit() and 0 < len(text) <= digits and int(text) > 0):
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 to {'9' * digits}, got {text[:40]!r}")
    return int(text)


def file(text: str) -> str:
    """A name of a file, ``-`` for a standard stream where that is meant; nothing is no name.

    >>> file("cert.json")
    'cert.json'
    """
    if not text.strip():
        raise argparse.ArgumentTypeError("expected the name of a file, got nothing")
    return text


def add_domain(parser: argparse.ArgumentParser) -> None:
    """--on, once per variable."""
    parser.add_argument(
        "--on",
        action="append",
        default=[],
        metavar="DOMAIN",
        help="range of one variable, such as 'eps in (0, 27/20]' or 's in (0, oo)'; repeatable",
    )


def add_at(parser: argparse.ArgumentParser, more: str = "") -> None:
    """--at, which means the same for all commands: parameters by their names, several after one --at or by commas."""
    parser.add_argument(
        "--at", action="append", default=[], metavar="NAME=VALUE", help=f"parameters, such as eps=1 eps2=1/2{more}"
    )


def add_arithmetic(parser: argparse.ArgumentParser) -> None:
    """--arithmetic: which of the two checkers has to accept; the command line's main sets it for the process."""
    parser.add_argument(
        "--arithmetic",
        choices=("mpmath", "arb", "both"),
        default="both",
        help="the checkers that must accept: the kernel on mpmath, the independent one on Arb, or (default) both",
    )


def add_output(parser: argparse.ArgumentParser, timeout: float = DEFAULT_TIMEOUT) -> None:
    """--json and --timeout."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--timeout",
        type=seconds,
        default=timeout,
        metavar="S",
        help="give up after this many seconds (per line of a batch); default %(default)g",
    )


def add_batch(parser: argparse.ArgumentParser) -> None:
    """--batch and --jobs."""
    parser.add_argument(
        "--batch", type=file, metavar="FILE", help="read JSON Lines from a file, or from stdin if it is -"
    )
    parser.add_argument(
        "--jobs",
        type=positive,
        metavar="N",
        help="lines of a batch worked on at a time; default: number of processors",
    )


def to_line(record: dict[str, Any]) -> str:
    """One line of JSON, pure ASCII so that no terminal setting can break it.

    >>> to_line({"id": "ε"})
    '{"id": "\\\\u03b5"}'
    """
    return json.dumps(record)


def digits(text: str) -> int:
    """A number of digits that is not out of reach.

    >>> digits("30")
    30
    """
    value = positive(text)
    if value > MOST_DIGITS:
        raise argparse.ArgumentTypeError(f"at most {MOST_DIGITS} digits, got {value}")
    return value


class _Digits(argparse.Action):
    """Digits that were asked for are also shown; without, people see few and programs all."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: Any, values: Any, option: str | None = None) -> None:
        namespace.digits = namespace.shown = values


def add_digits(parser: argparse.ArgumentParser, of: str, default: int = 30) -> None:
    """--digits, with ``args.shown`` for what is printed for people."""
    parser.add_argument(
        "--digits", type=digits, action=_Digits, default=default, metavar="N",
        help=f"digits of {of}; default {default} with --json, {SHOWN} without",
    )  # fmt: skip
    parser.set_defaults(shown=SHOWN)


def save(certificate: Mapping[str, Any], path: str) -> None:
    """Write a certificate as JSON."""
    try:
        Path(path).write_text(json.dumps(certificate, indent=1) + "\n", encoding="utf-8")
    except (OSError, ValueError) as e:
        raise InputError(f"cannot write {path[:60]!r}: {getattr(e, 'strerror', None) or e}") from None


def claim(name: str, path: str | None) -> Claim:
    """A claim of a file of one's own, or of the ledger or the library."""
    from symprivacy.claims import get_claim
    from symprivacy.claims.own_claims import read_claims

    if path is None:
        return get_claim(name)
    for found in read_claims(path):
        if found.id == name:
            return found
    raise InputError(f"no claim {name[:80]!r} in {path[:80]!r}")
