"""The ground floor, which knows no attention: errors, element types, tensors, progress, files."""
