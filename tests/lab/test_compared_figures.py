"""Figures of two sides of a comparison, and the verdict that they come to."""

import dataclasses

import pytest

from irattn.binary.inspection.figures import Occupancy, StepFigures
from irattn.lab.comparison.differences import differences
from irattn.lab.comparison.policy import read_policy
from irattn.lab.comparison.verdicts import judged
from support.comparisons import KERNEL, MODULE, SPEC, recorded, with_kernel

pytestmark = pytest.mark.slow


def verdict_on(module, **manifest_fields):
    policy = read_policy()
    found = differences(recorded(), recorded(module, **manifest_fields), policy)
    return judged(found, None, policy)


def test_equal_figures_are_identical():
    assert verdict_on(MODULE) == ("identical", ())


@pytest.mark.parametrize(
    ("changes", "verdict", "reason"),
    [
        ({"vgpr_spills": 4}, "slower-likely", "spilled VGPRs 0 → 4"),
        ({"occupancy": Occupancy(4, 4, 8, 16)}, "slower-likely", "waves per SIMD 8 → 4 (-50%)"),
        ({"occupancy": Occupancy(10, 10, 12, 16)}, "better", "waves per SIMD 8 → 10 (+25%)"),
        ({"vgprs": 100}, "equivalent", "VGPRs 96 → 100 (+4%)"),
        ({"code_sha256": "b" * 64}, "equivalent", "other machine code"),
        ({"code_bytes": 20000}, "slower-likely", "bytes of code 4,000 → 20,000 (+400%)"),
        ({"code_bytes": 6000}, "equivalent", "bytes of code 4,000 → 6,000 (+50%)"),
        ({"code_bytes": 16384}, "equivalent", "bytes of code 4,000 → 16,384 (+310%)"),
        ({"code_bytes": 2000}, "equivalent", "bytes of code 4,000 → 2,000 (-50%)"),
        ({"workgroup_size": (64, 1, 1)}, "equivalent", "threads of a workgroup 128 → 64 (-50%)"),
        ({"lds_bytes": 65536}, "equivalent", "bytes of LDS 8,192 → 65,536 (+700%)"),
    ],
)
def test_figures_of_a_kernel(changes, verdict, reason):
    found, reasons = verdict_on(with_kernel(**changes))
    assert found == verdict
    assert reasons[0] == f"attention_dispatch_0: {reason}"


@pytest.mark.parametrize(
    ("matrix", "vector", "verdict"),
    [
        (32, 500, "slower-likely"),
        (16, 300, "slower-likely"),
        (64, 500, "equivalent"),
        # Twice unrolled: how often each of them runs is not known.
        (64, 800, "equivalent"),
        (0, 2000, "equivalent"),
    ],
)
def test_instructions_count_by_the_products_that_they_serve(matrix, vector, verdict):
    mix = {**KERNEL.instructions, "matrix": matrix, "vector": vector}
    assert verdict_on(with_kernel(instructions=mix))[0] == verdict


def test_figures_of_the_host_side():
    step = MODULE.steps[0]
    more = dataclasses.replace(MODULE, steps=(*MODULE.steps, step))
    assert verdict_on(more)[1] == (
        "dispatches 1 → 2 (+100%)", _doubled_work(), "attention_dispatch_0 is new",
    )  # fmt: skip
    for groups in ((4, 2, 1), (1, 1, 1)):
        other = dataclasses.replace(MODULE, steps=(dataclasses.replace(step, workgroups=groups),))
        assert verdict_on(other)[0] == "equivalent"
    dynamic = dataclasses.replace(step, workgroups=("n", 2, 1))
    found = verdict_on(dataclasses.replace(MODULE, steps=(dynamic,)))
    assert found == ("equivalent", ("attention_dispatch_0: workgroups 2 → n * 2 * 1",))


def test_transient_memory_counts_beside_inputs_and_outputs():
    """28 KiB in all, 4 of it transient: 1 KiB more is little of that."""
    for kib, verdict in ((5, "equivalent"), (7, "slower-likely"), (0, "better")):
        assert verdict_on(dataclasses.replace(MODULE, transient_bytes=kib * 1024))[0] == verdict
    dynamic = dataclasses.replace(MODULE, transient_bytes="input0_dim2 * 64")
    assert verdict_on(dynamic)[0] == "equivalent"


def _doubled_work():
    work = 1.0e6 / SPEC.least_flops
    return f"matrix FLOPs executed per FLOP needed {work:.3g} → {2 * work:.3g} (+100%)"


def test_what_decides_comes_first():
    """Not what is found first, and of what decides the larger change: halved is as doubled."""
    step = dataclasses.replace(MODULE.steps[0], workgroups=(2, 2, 1))
    kernel = dataclasses.replace(
        KERNEL, occupancy=Occupancy(4, 4, 8, 16), vgprs=200, lds_bytes=8000, code_sha256="b" * 64
    )
    changed = dataclasses.replace(MODULE, steps=(step,), kernels=(kernel,))
    fields = {"flags": ["--more"]}
    in_order = (
        "waves per SIMD 8 → 4 (-50%)", "workgroups 2 → 4 (+100%)", "VGPRs 96 → 200 (+108%)",
        "bytes of LDS 8,192 → 8,000 (-2%)", "other machine code",
    )  # fmt: skip
    verdict, (first, flags, *others) = verdict_on(changed, **fields)
    assert verdict == "slower-likely"
    assert (first, *others) == tuple(
        f"attention_dispatch_0: {in_order[i]}" for i in (0, 2, 1, 3, 4)
    )
    assert flags.startswith("flags: ")
    kernel = dataclasses.replace(kernel, vgpr_spills=3, scratch_bytes=16, code_bytes=20000)
    _, reasons = verdict_on(dataclasses.replace(changed, kernels=(kernel,)))
    assert [reason.removeprefix("attention_dispatch_0: ") for reason in reasons[:4]] == [
        "spilled VGPRs 0 → 3", "bytes of scratch 0 → 16", "bytes of code 4,000 → 20,000 (+400%)",
        "waves per SIMD 8 → 4 (-50%)",
    ]  # fmt: skip


PAD, MERGE = "attention_dispatch_0_slow_memcpy", "attention_dispatch_2_reduction_8x16x2_f32"


def module_of(*launches):
    """Steps and kernels: a kernel's name, waves of a SIMD, and what its step reads and writes.

    Before each copy there is a fill.
    """
    steps, kernels = [], []
    for name, waves, reads, writes in launches:
        if "memcpy" in name:
            steps.append(StepFigures("fill", None, None, 64, None, (), writes))
        steps.append(StepFigures("dispatch", name, (1, 2, 1), None, None, reads, writes))
        occupancy = Occupancy(waves, waves, 16, 16)
        kernels.append(dataclasses.replace(KERNEL, name=name, occupancy=occupancy))
    return dataclasses.replace(MODULE, steps=tuple(steps), kernels=tuple(kernels))


@pytest.mark.parametrize("knows_buffers", [True, False])
def test_what_does_the_same_is_compared(knows_buffers):
    """An attention in one piece is held against that of parts, not against what came first."""
    buffers = {
        "pad": (("input0",), ("transient0",)),
        "attention": (("transient0", "input1"), ("transient1",)),
        "merge": (("transient1",), ("output0",)),
    }
    if not knows_buffers:
        buffers = dict.fromkeys(buffers, ((), ()))
    parts = module_of(
        (PAD, 16, *buffers["pad"]),
        ("attention_dispatch_1_online_attention_8x2x16x128", 4, *buffers["attention"]),
        (MERGE, 16, *buffers["merge"]),
    )
    whole = module_of(("attention_dispatch_0_online_attention_8x16x256", 8, *buffers["attention"]))
    policy = read_policy()
    found = differences(recorded(parts), recorded(whole), policy)
    reasons = judged(found, None, policy)[1]
    assert reasons == (
        "fills and copies 1 → 0 (-100%)",
        "dispatches 3 → 1 (-67%)",
        "attention: waves per SIMD 4 → 8 (+100%)",
        "fill is gone",
        f"{'pad query' if knows_buffers else 'copy'} is gone",
        f"{'merge' if knows_buffers else 'reduction'} is gone",
        "attention: kernel online_attention_8x2x16x128 → online_attention_8x16x256",
    )


def test_of_alike_steps_the_one_that_went_is_told():
    """Not another one, which would leave as many launches of the same kinds in line."""
    query, key = (
        (f"attention_dispatch_{number}_slow_memcpy", 16, (f"input{number}",), ("transient0",))
        for number in (0, 1)
    )
    attention = ("attention_dispatch_2_online_attention_8", 8, ("transient0",), ("output0",))
    policy = read_policy()
    both, first = recorded(module_of(query, key, attention)), recorded(module_of(query, attention))
    assert judged(differences(both, first, policy), None, policy)[1] == (
        "fills and copies 2 → 1 (-50%)", "dispatches 3 → 2 (-33%)",
        "fill is gone", "pad key is gone",
    )  # fmt: skip


def test_other_contracts_are_incompatible():
    changed = SPEC.replace(softmax_scale=0.5).to_dict()
    assert verdict_on(MODULE, spec=changed) == (
        "incompatible", ("softmax_scale None → 0.5",),
    )  # fmt: skip
    inputs = recorded().manifest.inputs[:-1]
    verdict, reasons = verdict_on(MODULE, inputs=inputs)
    assert verdict == "incompatible"
    assert reasons[0].startswith("value: inputs f16 [1, 1, 64, 32]")
