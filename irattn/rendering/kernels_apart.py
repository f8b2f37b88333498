"""Kernels that templates say where they are called, put after the function that calls them."""

import re

# Lines of their own; marked lines end with a comment.
_KERNEL = re.compile(r"^//> .*\n((?:.*\n)*?)//< .*\n", re.MULTILINE)


def with_kernels_apart(text: str) -> str:
    """The text of a function with its kernels after it.

    Each begins with a line `//> name` and ends with `//< name`, which are left out.
    """
    kernels = [found.group(1) for found in _KERNEL.finditer(text)]
    return _KERNEL.sub("", text) + "".join(kernels)
