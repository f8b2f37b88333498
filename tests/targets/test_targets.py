"""The target table and what it says of names that it refuses."""

import pytest

from irattn import targets
from irattn.compiling.compiler import DiagnosticsError, compile_mlir
from irattn.core.errors import TargetError
from irattn.targets.cards import plain_name
from irattn.targets.chips import CHIPS

WITHOUT_TARGET = [chip.name for chip in CHIPS.values() if not chip.has_target]
SMALLEST = "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }"


@pytest.mark.parametrize(
    ("name", "gfx"),
    [
        ("rx7900xtx", "gfx1100"),
        ("RX 7900 XTX", "gfx1100"),
        ("rx-7900-xtx", "gfx1100"),
        ("7900_XTX", "gfx1100"),
        ("Radeon RX 7900 XTX", "gfx1100"),
        ("AMD Radeon(TM) PRO W7900", "gfx1100"),
        ("AMD Radeon AI PRO R9700", "gfx1201"),
        ("AMD Radeon 780M Graphics", "gfx1103"),
        ("MI300X", "gfx942"),
        ("Instinct MI300X", "gfx942"),
        ("AMD Instinct MI210", "gfx90a"),
        ("Strix Halo", "gfx1151"),
        ("NVIDIA GeForce RTX 4090", "sm_89"),
        ("GFX1100", "gfx1100"),
        ("X86_64-v3", "x86-64-v3"),
    ],
)
def test_names_are_read_as_people_write_them(name, gfx):
    assert targets.get(name).name == gfx


def test_the_name_of_every_chip_is_one_of_its_target():
    for target in targets.all_targets():
        if target.chip and target.chip.peak:
            assert targets.get(target.chip.peak.product.partition(",")[0]) == target


def test_no_name_has_two_meanings():
    names = [(name, t) for t in targets.all_targets() for name in (t.name, *t.aliases)]
    others = [name for gfx in WITHOUT_TARGET for name in CHIPS[gfx].products.split()]
    plain = {plain_name(name) for name in (*others, *(name for name, _ in names))}
    assert len(plain) == len(names) + len(others)
    for name, target in names:
        assert targets.get(name) == target


@pytest.mark.slow
@pytest.mark.parametrize("target", targets.all_targets(), ids=lambda target: target.name)
def test_the_pinned_compiler_accepts_every_target(target):
    assert compile_mlir(SMALLEST, target.flags)


@pytest.mark.slow
@pytest.mark.parametrize("gfx", WITHOUT_TARGET)
def test_the_pinned_compiler_refuses_what_is_said_to_have_no_target(gfx):
    with pytest.raises(DiagnosticsError) as caught:
        compile_mlir(SMALLEST, targets.Target(gfx, "hip").flags)
    assert f"Unknown ROCM target '{gfx}'" in caught.value.text


NO_TARGET = (
    "the pinned IREE compiler has no target for it, and code for another gfx does not run on it; "
    "`irattn targets` lists all"
)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        *((gfx, f"{gfx}: {NO_TARGET}") for gfx in ("gfx1030", "gfx1102", "gfx90c", "gfx1170")),
        ("gfx1102:xnack-", f"gfx1102:xnack-: {NO_TARGET}"),
        ("rx7600", f"rx7600 (gfx1102): {NO_TARGET}"),
        ("RX 7600 XT", f"RX 7600 XT (gfx1102): {NO_TARGET}"),
        ("AMD Radeon RX 6800", f"AMD Radeon RX 6800 (gfx1030): {NO_TARGET}"),
        ("radeon vii", f"radeon vii (gfx906): {NO_TARGET}"),
        ("Radeon Pro VII", f"Radeon Pro VII (gfx906): {NO_TARGET}"),
        ("RX Vega 64", f"RX Vega 64 (gfx900): {NO_TARGET}"),
        ("Instinct MI50", f"Instinct MI50 (gfx906): {NO_TARGET}"),
        ("gfx942:sramecc+:xnack-", "feature suffixes are not accepted; use gfx942"),
        ("rdna3", "rdna3: a family of chips, and machine code is made for one gfx; "),
        ("sm_90", "sm_90: the pinned IREE compiler refuses it; code for sm_89 runs there; "),
        ("rx7900", "rx7900: not a target of irattn; nearest accepted: rx7900xtx, rx7900xt, "),
        ("gfx110", "gfx110: not a target of irattn; nearest accepted: gfx1100, gfx1101, gfx1103; "),
        ("GFX12", "GFX12: not a target of irattn; nearest accepted: gfx1200, gfx1201, gfx1250; "),
        ("", ": not a target of irattn; `irattn targets` lists all"),
        ("../cpu", "../cpu: not a target of irattn; nearest accepted: cpu"),
    ],
)
def test_refused_names_get_a_reason_and_the_nearest(name, message):
    with pytest.raises(TargetError) as caught:
        targets.get(name)
    assert message in str(caught.value)
