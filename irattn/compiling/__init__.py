"""Specs to artifacts: compiled, kept, bundled and found again."""
