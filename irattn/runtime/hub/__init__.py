"""What a package for Hugging Face `kernels` runs: PyTorch, Python's own library, and no irattn.

`irattn export --torch` copies these modules, and those of the launcher that they import, into it.
"""
