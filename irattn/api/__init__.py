"""The public verbs, from render and compile to compare, certify and tune."""
