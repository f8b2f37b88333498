"""The target table and what it says of names that it refuses."""

import pytest

from irattn import targets
from irattn.compiler import compile_mlir
from irattn.errors import TargetError

SMALLEST = "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }"


def test_aliases_and_case():
    assert targets.get("rx7900xtx").name == "gfx1100"
    assert targets.get("MI300X").name == "gfx942"
    assert targets.get("strix-halo").name == "gfx1151"


@pytest.mark.parametrize("target", targets.all_targets(), ids=lambda target: target.name)
def test_the_pinned_compiler_accepts_every_target(target):
    assert compile_mlir(SMALLEST, target.flags)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "gfx1030",
            "gfx1030: the pinned IREE compiler has no code generation for it; nearest accepted: "
            "gfx1200, gfx1103, gfx1100; `irattn targets` lists all",
        ),
        ("gfx942:sramecc+:xnack-", "feature suffixes are not accepted; use gfx942"),
        ("rdna3", "rdna3: a family of chips, and machine code is made for one gfx; "),
        ("sm_90", "sm_90: the pinned IREE compiler refuses it; code for sm_89 runs there; "),
        ("rx7900", "rx7900: not a target of irattn; nearest accepted: rx7900xt"),
        ("", ": not a target of irattn; `irattn targets` lists all"),
    ],
)
def test_refused_names_get_a_reason_and_the_nearest(name, message):
    with pytest.raises(TargetError) as caught:
        targets.get(name)
    assert message in str(caught.value)
