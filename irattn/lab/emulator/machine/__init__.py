"""The emulated machine: waves, memory, LDS, and who goes first."""
