"""The errors a user can meet: one root class, messages that say what was given and what was expected."""

from __future__ import annotations


class SymPrivacyError(Exception):
    """Root of every error this package raises on purpose."""


class InputError(SymPrivacyError):
    """A text, domain, file or option that cannot be read as what it should be."""


class UnsupportedError(SymPrivacyError):
    """An expression outside the language that the kernel can enclose."""


class CertificateError(SymPrivacyError):
    """A certificate that does not prove its statement.

    The statement may still be true: a failed check refutes the certificate only.
    """


# How the words of a disagreement begin, wherever they are reported.
DISAGREEMENT = "the two checkers disagree"


class DisagreementError(CertificateError):
    """A certificate that one checker accepts and the other does not: one of the two has a mistake."""


class NoInformation(SymPrivacyError):
    """An enclosure was asked for where the expression may be undefined.

    This says nothing about the expression's value; a smaller box may well have an enclosure.
    """
