"""The meaning of instructions: families, encodings, arithmetic. Knows no registers."""
