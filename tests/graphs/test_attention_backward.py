"""The gradient of attention: by finite differences, and what compiled code gives."""

import ml_dtypes
import numpy as np
import pytest

import irattn
from irattn import AttentionBackwardSpec
from irattn.core.errors import RenderError, SpecError
from irattn.lab.emulated_gpu.session import EmulatedSession
from irattn.lab.inputs import random_tensors
from irattn.lab.profiling import execute
from irattn.lab.verification.accuracy import measured, strain
from irattn.reference import reference
from irattn.rendering import GraphRequest, render
from irattn.rendering.attention_backward_lanes import LanesBackward, takes_lanes
from irattn.runtime.kernel import Kernel
from irattn.specs.packed_attention_backward import PackedAttentionBackwardSpec
from irattn.targets import get
from support.joined import artifact_of

SPEC = AttentionBackwardSpec(
    batch=2, num_q_heads=4, num_kv_heads=1, q_len=37, kv_len=53, head_dim=20, value_dim=24,
    causal=True, io_dtype="f32",
)  # fmt: skip
# More queries than keys, of which the first see nothing; more tiles than one of both.
SHORT = SPEC.replace(q_len=75, kv_len=40, batch=1)
TABLE = np.zeros((4, 300), np.float32)


def bent(score, batch, head, query, key):
    """Of what has a derivative, and of what hides keys."""
    low = np.where(score < -0.5, -np.sqrt(abs(score)), np.minimum(score, np.tanh(score) + 1))
    leaning = low * np.exp(TABLE[head, key] * 0.1) + TABLE[head, query] * (key - query) * 0.1
    return np.where(key % 7 == 3, -np.inf, leaning / (1 + score * score))


def striped(batch, head, query, key):
    return ((query + key) % 5 != 2) | (head == 1)


FUNCTIONS = {"score_mod": bent, "mask_mod": striped}
EVERYTHING = {
    "causal": {},
    "not causal": {"causal": False, "value_dim": None},
    "window": {"window": (9, None), "softmax_scale": 0.3},
    "window both ways": {"causal": False, "window": (5, 3), "num_kv_heads": 4},
    "top left, soft cap": {"alignment": "top_left", "logits_soft_cap": 1.5},
    "bias of heads": {"bias": "hqk", "logits_soft_cap": 2.0},
    "bias of keys, sinks": {"bias": "bk", "sinks": True, "num_kv_heads": 2, "keep_mask": "h"},
    "functions": {**FUNCTIONS, "logits_soft_cap": 2.0, "value_dim": None},
    "slopes and a mask": {"alibi": True, "keep_mask": "bqk", "sinks": True},
}


def spec_of(name, **changes):
    return SPEC.replace(**{**EVERYTHING[name], **changes})


def attended(spec, tensors, **changes):
    """The sum of what attention gives, each element as often as the gradient of the output says."""
    output, _ = reference(spec.forward, {**tensors, **changes})
    return float((output * tensors["output_gradient"]).sum())


@pytest.mark.parametrize("name", EVERYTHING)
def test_the_reference_by_finite_differences(name):
    spec = spec_of(name, batch=1, q_len=7, kv_len=9, head_dim=4, value_dim=5)
    tensors = {
        key: one.astype(np.float64) if one.dtype.kind == "f" else one
        for key, one in random_tensors(spec).items()
    }
    tensors["output"], tensors["lse"] = reference(spec.forward, tensors)
    rng = np.random.default_rng(1)
    for gradient, tensor in zip(reference(spec, tensors), spec.outputs, strict=True):
        given = tensor.name.removesuffix("_gradient")
        way = rng.standard_normal(gradient.shape)
        step = 1e-5 * way
        ahead, behind = (
            attended(spec, tensors, **{given: tensors[given] + s}) for s in (step, -step)
        )
        slope = (gradient * way).sum()
        assert abs((ahead - behind) / 2e-5 - slope) < 1e-6 * (1 + abs(slope)), tensor.name


def assert_right(spec, outputs, tensors):
    for one, wanted, tensor in zip(outputs, reference(spec, tensors), spec.outputs, strict=True):
        assert strain(measured(np.asarray(one), wanted, tensor)) < 1, tensor.name


def compiled(spec, target):
    """The artifact of a spec; all of a target are compiled together."""
    specs = [one for one, its_target in COMPILED if its_target == target]
    return artifact_of(spec, specs, target)


ON_CPUS = {
    "causal": spec_of("causal"),
    "top left, soft cap": spec_of("top left, soft cap", io_dtype="f16"),
    "slopes and a mask": spec_of("slopes and a mask", io_dtype="bf16"),
    "functions": spec_of("functions", io_dtype="f16"),
    "bias of keys, sinks": spec_of("bias of keys, sinks"),
    # More gradients of logits than the stack of a worker holds, all of which are summed.
    "bias of heads": spec_of("causal", io_dtype="f16", bias="h", q_len=129, kv_len=128),
}


@pytest.mark.parametrize("name", ON_CPUS)
def test_code_for_cpus(name):
    spec = ON_CPUS[name]
    tensors = random_tensors(spec)
    kernel = irattn.load(compiled(spec, "cpu"))
    outputs = [np.array(one) for one in kernel(*tensors.values())]
    assert_right(spec, outputs, tensors)
    # No sum is taken in the order in which threads come.
    for one, again in zip(outputs, kernel(*tensors.values()), strict=True):
        np.testing.assert_array_equal(one, again)


SEES_NOTHING = SHORT.replace(window=(6, 0), causal=False, softmax_scale=0.3, sinks=True)


def test_queries_and_keys_that_see_nothing_have_gradients_of_zero():
    tensors = random_tensors(SEES_NOTHING)
    outputs = irattn.load(compiled(SEES_NOTHING, "cpu"))(*tensors.values())
    assert_right(SEES_NOTHING, outputs, tensors)
    np.testing.assert_array_equal(np.asarray(outputs[0])[:, :, :35], 0)
    assert np.any(np.asarray(outputs[0])[:, :, 35:])


# Nothing is whole tiles. IREE's own sums over 21 rows of 20 columns are wrong.
NARROW = SPEC.replace(
    **{"io_dtype": "f16", "num_q_heads": 3, "q_len": 7, "kv_len": 77, "head_dim": 20},
    **{"value_dim": 12, "bias": "hqk", "keep_mask": "hqk"},
    **FUNCTIONS,
)
OF_TENSORS = NARROW.replace(head_dim=132, value_dim=140)


def test_products_of_whole_tensors_on_gpus():
    assert not takes_lanes(OF_TENSORS, get("gfx1100"))
    executed(OF_TENSORS, "gfx1100")


# Queries and keys of more than one tile, neither in whole steps.
LANES = SPEC.replace(
    batch=1, num_q_heads=2, q_len=70, kv_len=90, head_dim=64, value_dim=None, io_dtype="f16"
)


def executed(spec, target):
    """The FLOPs of matrix instructions of the target's code, which is asked to be right."""
    tensors = random_tensors(spec)
    if spec.bias:
        # The lowest number is a number: the first head's first keys are seen where all have it.
        bias = np.array(tensors["bias"])
        bias[:, 0, :, :8] = ml_dtypes.finfo(bias.dtype).min
        bias[..., 5::8] = -np.inf
        tensors = attended_tensors(spec, {"bias": bias})
    session = EmulatedSession(compiled(spec, target), "emulator")
    assert_right(spec, Kernel(session).outputs(**tensors), tensors)
    return sum(one.matrix_flops for one in session.counts)


IN_LANES = [
    # Two workgroups share the heads of each tile of keys.
    (LANES.replace(sinks=True, alignment="top_left", q_len=260), "gfx1100"),
    (LANES.replace(logits_soft_cap=2.0, causal=False, num_kv_heads=2, bias="bhqk"), "gfx1201"),
    (LANES.replace(window=(20, None), io_dtype="bf16", head_dim=128, bias="hk"), "gfx942"),
    (LANES.replace(**FUNCTIONS, logits_soft_cap=3.0, keep_mask="q"), "gfx1100"),
    (LANES.replace(**FUNCTIONS, alibi=True, keep_mask="hqk", causal=False), "gfx942"),
    # Four matrix instructions along 16 tokens.
    (LANES.replace(io_dtype="f32", head_dim=128, bias="hqk", sinks=True, q_len=260), "gfx942"),
    (NARROW, "gfx1100"),
    (LANES.replace(head_dim=80, value_dim=112, q_len=260), "gfx942"),
]


@pytest.mark.parametrize(("spec", "target"), IN_LANES, ids=range(len(IN_LANES)))
def test_kernels_of_lanes(spec, target):
    assert takes_lanes(spec, get(target))
    executed(spec, target)


def test_workgroups_share_heads_where_they_are_few():
    spec = LANES.replace(num_q_heads=32, num_kv_heads=8, q_len=1024, kv_len=1024, head_dim=128)

    def shares(target, **changes):
        found = LanesBackward(spec.replace(**changes), get(target)).shares
        return found.count if found else 1

    # Of 304 compute units, 256, 48 work-group processors, and of who knows how many.
    counts = [shares(target) for target in ("gfx942", "gfx950", "gfx1100", "gfx90a", "sm_89")]
    assert counts == [4, 4, 1, 1, 1]
    assert [shares("gfx942", kv_len=n) for n in (512, 2048, 4096, 8192)] == [4, 2, 1, 1]
    assert shares("gfx942", batch=2) == 2
    assert shares("gfx942", num_q_heads=8) == 1
    assert shares("gfx942", num_q_heads=24, num_kv_heads=8) == 3
    assert shares("gfx942", num_q_heads=40, num_kv_heads=8) == 1
    # Few queries are not worth the way of sums to memory, and bits of packed ones have no company.
    assert shares("gfx942", q_len=255) == shares("gfx942", window=(200, None)) == 1
    packed = PACKED.replace(num_q_heads=4, q_tokens=1024, head_dim=128)
    assert LanesBackward(packed, get("gfx942")).shares is None


SQUARE = LANES.replace(q_len=256, kv_len=256, num_q_heads=1, num_kv_heads=1)


@pytest.mark.parametrize(("element", "target"), [("f16", "gfx1201"), ("f32", "gfx942")])
def test_lanes_multiply_what_is_seen(element, target):
    spec = SQUARE.replace(io_dtype=element)
    seen = spec.q_len * (spec.q_len + 1) // 2
    # Scores, gradients of weights and a gradient for queries; for keys two gradients.
    products = 3 + 4
    needed = products * seen * 2 * spec.head_dim
    assert 1 <= executed(spec, target) / needed < 1.15


@pytest.mark.parametrize(("target", "columns"), [("gfx942", 128), ("gfx950", 64)])
def test_banks_of_lds_serve_all_lanes_of_a_phase(target, columns):
    spec = SQUARE.replace(q_len=64, kv_len=64, head_dim=columns, causal=False)
    artifact = artifact_of(spec, (spec,), target)
    for kernel in execute(artifact).dispatches:
        traffic = kernel.counts.traffic
        assert traffic.lds_cycles == traffic.lds_phases


# The second sequence has no queries, the third no keys, and tokens are padding at the end. Of so
# many queries IREE shares the sums of sinks among lanes.
PACKED = PackedAttentionBackwardSpec(
    batch=4, num_q_heads=2, num_kv_heads=1, q_tokens=128, kv_tokens=130, head_dim=64,
    io_dtype="f16", causal=True, sinks=True,
)  # fmt: skip
BOUNDS = {"cu_seqlens_q": [0, 70, 70, 85, 115], "cu_seqlens_k": [0, 40, 75, 75, 125]}
CHOSEN = {"q_tokens": 300, "kv_tokens": 200, "dynamic": ("q_tokens", "kv_tokens")}


OF_SEQUENCES = [
    (PACKED.replace(window=(20, None), **FUNCTIONS, keep_mask="hqk", **CHOSEN), "gfx1201"),
    (PACKED.replace(io_dtype="f32", softmax_scale=-0.2), "gfx942"),
    (PACKED.replace(head_dim=40, value_dim=72, **CHOSEN), "gfx1100"),
    (PACKED.replace(io_dtype="f32", head_dim=20, value_dim=24, window=(20, None)), "cpu"),
    (PACKED.replace(alibi=True, **FUNCTIONS, keep_mask="hqk"), "cpu"),
    (PACKED.replace(mask_mod=striped, keep_mask="hqk", **CHOSEN), "cpu"),
]
COMPILED = [
    *((spec, "cpu") for spec in (*ON_CPUS.values(), SEES_NOTHING)),
    *((OF_TENSORS, "gfx1100"), (SQUARE, "gfx1201"), (SQUARE.replace(io_dtype="f32"), "gfx942")),
    *(IN_LANES + OF_SEQUENCES),
]


@pytest.mark.parametrize(
    ("whole", "target"),
    OF_SEQUENCES,
    ids=["gfx1201", "f32", "narrow", "cpu", "functions", "chosen"],
)
def test_packed_sequences_know_nothing_of_each_other(whole, target):
    # Where calls choose, this one has fewer tokens than there may be.
    spec = whole.of_sizes({"q_tokens": PACKED.q_tokens, "kv_tokens": PACKED.kv_tokens})
    bounds = {name: np.array(one, np.int32) for name, one in BOUNDS.items()}
    tensors = attended_tensors(spec, bounds)
    artifact = compiled(whole, target)
    kernel = (
        irattn.load(artifact) if target == "cpu" else Kernel(EmulatedSession(artifact, "emulator"))
    )
    outputs = [np.array(one) for one in kernel.outputs(**tensors)]
    assert_right(spec, outputs, tensors)
    for name, (rows, tokens) in {"last": (85, 75), "none": (115, 125)}.items():
        junk = dict(tensors)
        for one in ("query", "output", "output_gradient"):
            junk[one] = np.array(tensors[one])
            junk[one][rows:] = np.nan
        for one in ("key", "value"):
            junk[one] = np.array(tensors[one])
            junk[one][tokens:] = np.nan
        junk["lse"] = np.array(tensors["lse"])
        junk["lse"][:, rows:] = np.nan
        of_query, of_key, of_value, of_sinks = kernel.outputs(**junk)
        for one, before, wanted in zip(
            (of_query, of_key, of_value), (rows, tokens, tokens), outputs, strict=False
        ):
            np.testing.assert_array_equal(np.asarray(one)[:before], wanted[:before])
        if name == "none":
            np.testing.assert_array_equal(np.asarray(of_sinks), outputs[3])


def attended_tensors(spec, bounds):
    """Random inputs with these bounds, and the output and log-sum-exp that belong to them."""
    tensors = random_tensors(spec) | bounds
    for name, one in zip(("output", "lse"), reference(spec.forward, tensors), strict=True):
        tensors[name] = one.astype(tensors[name].dtype)
    return tensors


# Queries and keys of a call, and where its sequences end: a token, all of one sequence, the most
# that there may be, and only padding.
CALLS = {
    "a token": (1, 1, [1, 1, 1, 1], [1, 1, 1, 1]),
    "odd": (67, 129, [0, 1, 66, 66], [0, 64, 65, 128]),
    "most": (300, 200, [0, 0, 0, 300], [0, 0, 0, 200]),
    "padding": (5, 9, [0, 0, 0, 0], [0, 0, 0, 0]),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls_on_gpus_choose_tokens(name):
    whole, target = OF_SEQUENCES[0]
    queries, keys, *ends = CALLS[name]
    spec = whole.of_sizes({"q_tokens": queries, "kv_tokens": keys})
    tensors = attended_tensors(spec, {
        f"cu_seqlens_{one}": np.array([0, *end], np.int32)
        for one, end in zip("qk", ends, strict=True)
    })  # fmt: skip
    outputs = Kernel(EmulatedSession(compiled(whole, target), "emulator")).outputs(**tensors)
    assert_right(spec, outputs, tensors)


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        (
            {"value_dim": 160},
            "expected f16, bf16 or, on CDNA, f32, heads of at most 128, .*, 160 and gf",
        ),
        ({"q_tokens": 2**30}, "query: expected less than 2\\*\\*31 elements"),
        ({"q_tokens": 2**26, "head_dim": 8}, "query: expected less than 2\\*\\*31 elements"),
    ],
)
def test_gpus_have_no_packed_gradients_without_lanes(fields, error):
    spec = PACKED.replace(**{**CHOSEN, **fields})
    with pytest.raises(RenderError, match=f"{error}.*; take the gradient of each sequence by"):
        render(GraphRequest(spec, get("gfx942")))


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"return_lse": True}, "return_lse: attention_backward has none; leave it out"),
        ({"alignment": "offsets"}, "alignment: attention_backward has no offsets"),
        ({"head_dim": 576}, "head_dim: expected at most 256, got 576"),
        ({"q_len": 0}, "q_len: expected"),
    ],
)
def test_specs_that_are_none(fields, error):
    with pytest.raises(SpecError, match=error):
        SPEC.replace(**fields)
