"""Statements people can read: LaTeX, HTML, plots and reports. This room renders; it never computes."""
