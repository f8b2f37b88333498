"""Executes AMD machine code on this CPU."""
