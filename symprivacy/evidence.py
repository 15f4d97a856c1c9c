"""What an answer rests on: a proof that is checked again, or words."""

from __future__ import annotations

from enum import StrEnum


class Evidence(StrEnum):
    """``checked``: both directions re-verify from the definitions, modulo registered principles; else ``argued``.

    >>> print(Evidence.CHECKED, min([Evidence.CHECKED, Evidence.ARGUED], key=Evidence.strength))
    checked argued
    """

    CHECKED = "checked"
    ARGUED = "argued"

    def strength(self) -> int:
        """Larger is stronger: a conclusion is as strong as the weakest thing it rests on."""
        return int(self is Evidence.CHECKED)
