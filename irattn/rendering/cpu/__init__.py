"""What the graphs of CPUs share: kernels as dispatches, and the vector registers of a core."""
