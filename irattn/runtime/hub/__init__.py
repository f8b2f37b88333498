"""The code of packages for Hugging Face `kernels`: FlashAttention's functions over the launcher.

`irattn export --torch` copies these modules, and those that they import, into a package: they need
PyTorch and Python's own library alone.
"""
