"""What instructions mean: families, encodings, arithmetic. Knows no registers."""
