"""Kernels of CPUs stand after the function that calls them."""

import re

from irattn import targets
from irattn.compiling.catalog import get
from irattn.rendering import GraphRequest, render
from irattn.rendering.kernels_apart import with_kernels_apart

CALLED = "func.func @f() {\n  call a\n//> a\nkernel a\n//< a\n  call b\n//> b\nkernel b\n//< b\n}\n"


def test_kernels_follow_their_function_in_order():
    apart = "func.func @f() {\n  call a\n  call b\n}\nkernel a\nkernel b\n"
    assert with_kernels_apart(CALLED) == apart
    # Lines with the marks of where they come from.
    marked = CALLED.replace("\n", " //@file:1\n")
    assert with_kernels_apart(marked) == apart.replace("\n", " //@file:1\n")
    assert with_kernels_apart(apart) == apart


def test_each_kernel_of_a_layer_is_an_executable_that_is_called():
    """The compiler goes through functions again and again: no kernel is within one."""
    text = render(GraphRequest(get("packed_layer_tiny"), targets.get("cpu")))
    kernels = re.findall(r"^flow\.executable private @(\w+)", text, re.MULTILINE)
    assert len(kernels) == len(set(kernels)) > 6
    assert {f"flow.dispatch @{name}::@{name}" for name in kernels} == set(
        re.findall(r"flow\.dispatch @\w+::@\w+", text)
    )
    assert "flow.dispatch.workgroups" not in text
    assert "//>" not in text
