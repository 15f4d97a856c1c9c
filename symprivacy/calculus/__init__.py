"""Likelihood-ratio views of privacy notions, named principles, and derivations that can be checked again."""
