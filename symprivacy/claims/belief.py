"""Posteriors with symbols in them, written out from their definition."""

from __future__ import annotations

from collections.abc import Sequence


def posterior(prior: Sequence[str], likelihood: Sequence[str], k: int = 0) -> str:
    """The belief in the k-th of finitely many secrets after an output with these likelihoods, by Bayes' rule.

    >>> posterior(("p", "1-p"), ("u", "v"))
    '(p)*(u)/((p)*(u) + (1-p)*(v))'
    """
    weights = [f"({p})*({likely})" for p, likely in zip(prior, likelihood, strict=True)]
    return f"{weights[k]}/({' + '.join(weights)})"
