"""Seeded inputs for a spec: random distributions and adversarial cases."""

from irattn.lab.inputs.cases import CASES, Case, Tensors, cases_for, random_tensors
from irattn.lab.inputs.sequences import slots_of_queries

__all__ = ["CASES", "Case", "Tensors", "cases_for", "random_tensors", "slots_of_queries"]
