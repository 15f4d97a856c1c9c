"""Closed forms of the best level, one module per kind of premise."""
