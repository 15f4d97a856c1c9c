"""Theorems about two notions: what follows, that nothing better follows, that nothing follows; each checked again."""
