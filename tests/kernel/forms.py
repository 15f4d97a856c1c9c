"""Between certificates as a test writes them, with expressions as text, and as they are, with arrays."""

from __future__ import annotations

from typing import Any

from symprivacy.kernel.box import box_from_data
from symprivacy.language.certificates import _translate, as_text
from symprivacy.language.domain import box_to_json

Json = dict[str, Any]
OLD = "symprivacy-certificate/1"
OLD_CHART = "symprivacy-chart/1"


def changed(certificate: Json, change: Json) -> Json:
    """A certificate with some fields replaced by others, which are given as text."""
    return {**certificate, **{key: _translate(key, value) for key, value in change.items()}}


def spelled(certificate: Json) -> Json:
    """A certificate with its statement as text."""
    told = {"lhs": as_text(certificate["lhs"]), "rhs": as_text(certificate["rhs"])}
    told["domain"] = box_to_json(box_from_data(certificate["domain"]))
    if "at" in certificate:
        told["at"] = {name: as_text(value) for name, value in certificate["at"].items()}
    return {**certificate, **told}
