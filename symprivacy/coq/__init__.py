"""Certificates as Coq files: every step a lemma, the leaves proved by coq-interval."""
