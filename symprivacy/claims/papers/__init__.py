"""The claims of each paper, one module each."""
