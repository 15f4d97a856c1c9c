"""Extremal problems behind the levels that have no closed form."""
