"""The common ground of CPU graphs: kernels as dispatches, the vector registers of a core."""
