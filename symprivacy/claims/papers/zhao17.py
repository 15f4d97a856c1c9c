"""Zhao, Relations Among Different Privacy Notions."""

from __future__ import annotations

from symprivacy.claims.record import Claim

CLAIMS = (
    Claim("zhao17-thm2-converse", "zhao17", "Thm 2 / abstract minor result", "(1/2-1/(exp(eps)+1))-SP => eps-DP"),
    Claim("zhao17-thm2-forward", "zhao17", "Thm 2", "eps-DP => (exp(2*eps)-1)-SP"),
    Claim("zhao17-compare-eps6", "zhao17", "After Thm 2", "1/2-1/(exp(eps)+1) > eps/6 for eps<=1.35"),
    Claim(
        "zhao17-eq20",
        "zhao17",
        "eq (20)",
        "(1/2+(1/2-1/(exp(eps)+1)))/(1/2-(1/2-1/(exp(eps)+1))) == exp(eps)",
    ),
)
