"""Turns a kernel's code into what the machine runs."""
