"""Which waits code needs, and whether they are there."""
