"""Rigorous enclosures, certificates and the checker that re-proves them; knows nothing of privacy."""
