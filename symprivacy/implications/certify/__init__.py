"""Proofs of a level at given numbers, from both sides."""
