"""Untrusted search for certificates; knows nothing of privacy."""
