"""What knows nothing of attention: errors, element types, tensors, progress, and files."""
