"""Measure what the emulator can execute, what a launch executed, and what that costs."""
