"""Ordinary and rigorous numbers that searches and formulas share."""
