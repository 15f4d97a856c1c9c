"""The conventions that the papers leave open, as explicit parameters of a level."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr

from symprivacy.errors import InputError

ZERO_POSTERIORS = ("breach", "skip", "prior")
FAMILIES = ("all", "independent", "fixed", "scalable")


@dataclass(frozen=True)
class Options:
    """Conventions; every field has a documented default.

    zero
        What a posterior 0/0 counts as, when the output is possible in one of the two compared worlds only:
        ``"breach"`` (distance 1, the default), ``"skip"`` (such beliefs are not compared) or ``"prior"``
        (no update: the posterior is the prior).
    prior
        None: every prior of the family. A tuple: one prior over the inputs. A single expression p: the
        two-point priors (p, 1 - p) on every ordered neighbouring pair.
    family
        For notions with a family of priors: ``"all"``, ``"independent"`` (records independent), ``"fixed"``
        (only ``prior``), ``"scalable"`` (``prior`` and everything obtained from it by rescaling the
        probability of the secret event).
    data
        A (correlated) law of the database, for notions that average over unknown records; None means every
        law.

    >>> Options(zero="maybe")
    Traceback (most recent call last):
        ...
    symprivacy.errors.InputError: zero='maybe': expected one of breach, skip, prior
    """

    zero: str = "breach"
    prior: Expr | tuple[Expr, ...] | None = None
    family: str | None = None
    data: tuple[Expr, ...] | None = None

    def __post_init__(self) -> None:
        for name, given, allowed in (
            ("zero", self.zero, ZERO_POSTERIORS),
            ("family", self.family, (*FAMILIES, None)),
        ):
            if given not in allowed:
                words = ", ".join(word for word in allowed if word)
                raise InputError(f"{name}={given!r}: expected one of {words}")

    @property
    def prior_vector(self) -> tuple[Expr, ...] | None:
        """The prior over all inputs, if one was given."""
        return self.prior if isinstance(self.prior, tuple) else None

    @property
    def prior_point(self) -> Expr | None:
        """The probability p of the two-point priors, if one was given."""
        return None if self.prior is None or isinstance(self.prior, tuple) else self.prior
