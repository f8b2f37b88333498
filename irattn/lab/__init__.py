"""The laboratory, which proves and measures: only the commands and the verbs import it."""
