"""A layer and its attention half: what their parts make together, prefill and decode."""

import numpy as np
import pytest

from irattn import DecoderLayerSpec, LayerNormSpec, MlpSpec, PagedAttentionSpec, RmsNormSpec
from irattn.core.errors import SpecError
from irattn.lab.inputs import cases_for, random_tensors
from irattn.reference import reference
from irattn.specs import apply_settings, spec_from_dict
from support.joined import Graph, joined_graphs

pytestmark = pytest.mark.slow

ATTENTION = PagedAttentionSpec(
    batch=2, num_q_heads=4, num_kv_heads=2, q_len=6, head_dim=16, block_size=4, num_blocks=10,
    max_blocks=5, io_dtype="f32",
)  # fmt: skip
LAYER = DecoderLayerSpec(attention=ATTENTION, hidden_size=40, max_positions=64)
WHOLE = LAYER.replace(intermediate_size=56)
GEMMA = {"activation": "gelu_tanh", "post_norm": True, "norm_offset": 1.0}
OWN_INPUT = {"layer_input": {"width": 12, "vocab_size": 31}}
STREAMS = {
    **{"layer_input": {"width": 12, "vocab_size": 31, "known_tokens": 40}, "laurel_rank": 6},
    **{"streams": {"num_streams": 3}, "sparsity": 0.8, "activation": "gelu_tanh"},
}
BESIDE = {
    **GEMMA,
    "experts": {
        **{"num_experts": 6, "experts_per_token": 2, "intermediate_size": 20},
        **{"activation": "gelu_tanh", "has_router_input": True, "has_expert_scales": True},
    },
}
BEHIND = {"norm_kind": "layer", "pre_norm": False, "post_norm": True, "norms_residual": True}
MADE_SPARSE = {"intermediate_size": 8, "sparsity": 0.5}
OLMO = {"pre_norm": False, "post_norm": True, "qk_norm": True, "joint_qk_norm": True}


HALVES = [
    Graph(LAYER, "fused"),
    Graph(LAYER.replace(q_len=1, io_dtype="f16"), "blocked"),
    Graph(LAYER.replace(**BEHIND), "fused"),
]
# What attention and its projections have beside what norms and MLPs have.
WHOLE_LAYERS = [
    Graph(WHOLE.replace(**changes), formulation)
    for formulation, changes in (
        ("fused", {}),
        ("blocked", {"io_dtype": "bf16", "qk_norm": True}),
        ("blocked", {**GEMMA, "logits_soft_cap": 5.0, "window": (3, None)}),
        ("fused", {"gated": False, "mlp_bias": True, "activation": "gelu", "use_rope": False}),
        ("blocked", {**OLMO, "alibi": True, "num_kv_heads": 1}),
        (
            "fused",
            {
                **{"norm_kind": "layer", "norm_bias": True, "parallel_mlp": "own_norm"},
                **{"qkv_bias": True, "output_bias": True, "sinks": True},
            },
        ),
        (
            "blocked",
            {
                **{"norm_kind": "layer", "post_norm": True, "parallel_mlp": "shared_norm"},
                **{"use_rope": False, "ragged": True},
            },
        ),
        (
            "fused",
            {
                **{"residual_scale": 0.25, "temperature": 0.5, "temperature_tokens": 3},
                **{"rope_style": "interleaved", "rotary_dim": 8},
            },
        ),
        ("blocked", {"qk_norm": True, "value_norm": True, "norm_offset": 1.0, "io_dtype": "f16"}),
        (
            "fused",
            {
                **{"output_gate": True, "qkv_bias": True, "rotary_dim": 8, "io_dtype": "bf16"},
                **{"qk_norm": True, "qk_norm_weights": False, "norm_offset": 1.0, "q_len": 1},
            },
        ),
        ("blocked", {"output_gate": True, "softplus_gate": True, "qkv_bias": True}),
        ("fused", {"subtracts_heads": True, "softmax_scale": 0.35, "rotary_dim": 8}),
        ("blocked", {"subtracts_heads": True, "io_dtype": "bf16", "qkv_bias": True, "q_len": 1}),
        ("fused", {"reads_embedded": True, "activation": "gelu", "softmax_scale": 0.35}),
        ("blocked", {"reads_embedded": True, "io_dtype": "bf16", "use_rope": False, "q_len": 1}),
        ("blocked", {"qk_norm": True, "norms_after_rope": True, "rotary_dim": 8, "q_len": 4}),
        ("fused", {**BEHIND, "norm_bias": True, "residual_scale": 0.5, "scales_output": True}),
        ("blocked", {**BEHIND, "io_dtype": "bf16", "gated": False, "mlp_bias": True}),
        ("blocked", {"qk_norm": True, "layer_qk_norm": True, "rotary_dim": 8, "io_dtype": "f16"}),
        ("fused", {"qk_norm": True, "joint_qk_norm": True, "layer_qk_norm": True}),
        ("fused", {"mlp_post_norm": True, "norm_offset": 1.0, "residual_scale": 0.5}),
        ("blocked", {**OWN_INPUT, "scales_output": True, "norm_offset": 1.0}),
        ("fused", {**BESIDE, "scales_output": True}),
        ("blocked", {**STREAMS, "post_norm": True, "qk_norm": True, "value_norm": True}),
        ("fused", {**STREAMS, "streams": {"num_streams": 2, "active": 1, "has_scale": False}}),
        (
            "blocked",
            {
                **{"shares_kv": True, "qk_norm": True, "qkv_bias": True, "output_gate": True},
                **{"use_rope": False, "temperature": 2.0, "temperature_tokens": 4},
                "temperature_offset": 1,
            },
        ),
    )
]


def parts_of(whole):
    """A layer, its attention half, and the norm and the MLP after that."""
    mlp = MlpSpec(
        batch=2, q_len=6, hidden_size=40, intermediate_size=56, activation=whole.activation,
        io_dtype="f32",
    )  # fmt: skip
    half = whole.replace(intermediate_size=None, activation="silu")
    return (
        whole,
        half,
        RmsNormSpec(rows=12, columns=40, offset=whole.norm_offset, io_dtype="f32"),
        mlp,
    )


# One graph for any number of tokens, and one for each.
ANY_TOKENS, ALONE = LAYER.replace(batch=1, dynamic=("q_len",)), WHOLE.replace(batch=1)
WITH_POST_NORMS = parts_of(WHOLE.replace(**GEMMA))
PARTS = [
    *(*parts_of(WHOLE), *WITH_POST_NORMS, ANY_TOKENS),
    *(ALONE.replace(q_len=q_len) for q_len in (6, 5, 1)),
]
# All at once: they have kernels in common. The parts are in the formulation of the target.
LAYERS = joined_graphs([*HALVES, *WHOLE_LAYERS, *map(Graph, PARTS)])
COMPILED = {one.graph.spec: one for one in LAYERS if one.graph.formulation is None}


@pytest.mark.parametrize("one", [one for one in LAYERS if one.graph.formulation], ids=str)
def test_layers_meet_the_reference(one):
    verdict = one.verdict()
    assert verdict.passed, verdict


@pytest.mark.parametrize("changes", [{}, GEMMA], ids=str)
def test_a_whole_layer_is_its_attention_half_and_then_norm_and_mlp(changes):
    """Each of them a function of its own, and the reference of each."""
    whole, half, rows, mlp = parts_of(WHOLE.replace(**changes))
    tensors = random_tensors(whole)

    def by_reference(spec, **given):
        return reference(spec, given)[0]

    def compiled(spec, **given):
        found = COMPILED[spec].load()(**given)
        return found[0] if isinstance(found, tuple) else found

    for run in (compiled, by_reference):
        between = run(half, **{t.name: tensors[t.name] for t in half.inputs})
        normed = run(rows, x=between.reshape(12, 40), weight=tensors["mlp_norm_weight"])
        parameters = {t.name: tensors[t.name] for t in mlp.inputs[1:]}
        change = run(mlp, hidden=normed.reshape(2, 6, 40), **parameters)
        if whole.post_norm:
            weight = tensors["mlp_post_norm_weight"]
            change = run(rows, x=change.reshape(12, 40), weight=weight).reshape(2, 6, 40)
        np.testing.assert_allclose(run(whole, **tensors), between + change, atol=1e-5)


@pytest.mark.parametrize("layer", [ANY_TOKENS, ALONE], ids=["half", "whole"])
def test_decode_goes_on_where_prefill_ended(layer):
    """Five tokens, then the sixth from the caches, give what six tokens give at once."""
    tensors = random_tensors(layer.replace(dynamic=()))
    tensors["block_table"][:] = [[4, 2, 0, 1, 3]]
    slots = np.array([[16, 17, 18, 19, 8, 9]], np.int32)
    positions = np.arange(6, dtype=np.int32)[None]

    def run(start, end, caches):
        spec = layer if layer.dynamic else layer.replace(q_len=end - start)
        given = {
            **tensors,
            **caches,
            "hidden": tensors["hidden"][:, start:end],
            "slot_mapping": slots[:, start:end],
            "positions": positions[:, start:end],
            "context_lens": np.array([end], np.int32),
        }
        output, key_cache, value_cache = COMPILED[spec].load()(**given)
        return output, {"key_cache": key_cache, "value_cache": value_cache}

    at_once, _ = run(0, 6, {})
    first, caches = run(0, 5, {})
    last, _ = run(5, 6, caches)
    np.testing.assert_allclose(np.concatenate([first, last], axis=1), at_once, atol=1e-5)


def test_norm_by_hand():
    """Root mean square of 3 and 4 is sqrt(12.5)."""
    spec = RmsNormSpec(rows=1, columns=2, eps=1e-12, offset=1.0)
    x, weight = np.array([[3.0, 4.0]]), np.array([0.0, 1.0])
    (output,) = reference(spec, {"x": x, "weight": weight})
    np.testing.assert_allclose(output, [[3 / 12.5**0.5, 8 / 12.5**0.5]], rtol=1e-9)


def test_layer_norm_by_hand():
    """3 and 5 are 1 from their mean."""
    spec = LayerNormSpec(rows=1, columns=2, eps=1e-12)
    x, weight, bias = np.array([[3.0, 5.0]]), np.array([2.0, 3.0]), np.array([0.5, 7.0])
    (output,) = reference(spec, {"x": x, "weight": weight, "bias": bias})
    np.testing.assert_allclose(output, [[-1.5, 10.0]], rtol=1e-9)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"norms_after_rope": True},
            "norms_after_rope: has no effect without qk_norm; leave it out",
        ),
        (
            {"subtracts_heads": True, "num_q_heads": 3, "num_kv_heads": 3},
            "num_q_heads: expected an even number with subtracts_heads",
        ),
        ({"subtracts_heads": True, "output_gate": True}, "output_gate: layers with subtracts_"),
        ({"norm_kind": "batch"}, "norm_kind: expected rms or layer, got 'batch'"),
        ({"norm_bias": True}, "norm_bias: has no effect without norm_kind layer; leave it out"),
        ({"joint_qk_norm": True}, "joint_qk_norm: has no effect without qk_norm; leave it out"),
        ({"temperature": 0.1}, "temperature_tokens: missing"),
        ({"temperature_tokens": 8}, "temperature_tokens: has no effect without temperature"),
        ({"parallel_mlp": "both"}, "parallel_mlp: expected own_norm or shared_norm or none"),
        ({"parallel_mlp": "own_norm", "pre_norm": False}, "parallel_mlp: own_norm needs pre_norm"),
        ({"value_norm": True, "shares_kv": True}, "value_norm: with shares_kv there are no new"),
        ({"qk_norm_weights": False}, "qk_norm_weights: has no effect without qk_norm; leave it"),
        (
            {"qk_norm": True, "joint_qk_norm": True, "qk_norm_weights": False},
            "qk_norm_weights: joint_qk_norm has weights; leave it out",
        ),
        ({"norms_residual": True}, "norms_residual: has no effect without post_norm; leave it"),
        (
            {**BEHIND, "parallel_mlp": "shared_norm"},
            "parallel_mlp: layers with norms_residual have none; leave it out",
        ),
        ({"layer_qk_norm": True}, "layer_qk_norm: has no effect without qk_norm; leave it out"),
        (
            {"qk_norm": True, "layer_qk_norm": True, "qk_norm_weights": False},
            "qk_norm_weights: layer_qk_norm has weights; leave it out",
        ),
        (
            {"post_norm": True, "mlp_post_norm": True},
            "mlp_post_norm: layers with post_norm have it; leave it out",
        ),
        (
            {"intermediate_size": None, "mlp_post_norm": True},
            "mlp_post_norm: has no effect without intermediate_size; leave it out",
        ),
        ({"residual_scale": 0}, "residual_scale: expected a number from 1e-6 to 1e6, got 0"),
    ],
)
def test_what_norms_residuals_and_temperatures_may_be(changes, message):
    with pytest.raises(SpecError, match=f"^{message}"):
        WHOLE.replace(**changes)


@pytest.mark.parametrize("spec", WITH_POST_NORMS[:2], ids=["whole", "half"])
def test_nothing_added_leaves_the_hidden_state(spec):
    tensors = random_tensors(spec)
    for name in ("output_weight", "down_weight"):
        if name in tensors:
            tensors[name][:] = 0
    output, *_ = COMPILED[spec].load()(**tensors)
    np.testing.assert_array_equal(output, tensors["hidden"])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"return_lse": True}, "return_lse: a layer returns hidden states; leave it out"),
        ({"use_rope": False, "rotary_dim": 8}, "rotary_dim: has no effect without use_rope"),
        ({"norm_eps": 0}, "norm_eps: expected a number from 1e-12 to 1, got 0"),
        ({"hidden_size": 0}, "hidden_size: expected a whole number of at least 1, got 0"),
        ({"mlp_bias": True}, "mlp_bias: has no effect without intermediate_size; leave it out"),
        ({"activation": "relu"}, "activation: has no effect without intermediate_size; leave it"),
        ({"intermediate_size": 0}, "intermediate_size: expected a whole number of at least 1"),
        ({"intermediate_size": 8, "activation": "elu"}, "activation: expected one of silu, gelu,"),
        ({"intermediate_size": 8, "mlp_bias": 1}, "mlp_bias: expected true or false, got 1"),
        ({"rotary_dim": 18}, "rotary_dim: expected an even number up to head_dim = 16, got 18"),
        (OWN_INPUT, "layer_input: has no effect without intermediate_size; leave it out"),
        ({"intermediate_size": 8, **OWN_INPUT, "norm_kind": "layer"}, "norm_kind: with layer_inp"),
        ({"intermediate_size": 8, **OWN_INPUT, "residual_scale": 2}, "residual_scale: layers with"),
        ({"layer_input": {"width": 8}}, "layer_input: missing vocab_size"),
        ({"layer_input": {"width": 0, "vocab_size": 9}}, "layer_input.width: expected a whole num"),
        ({"sparsity": 0.5}, "sparsity: has no effect without intermediate_size; leave it out"),
        ({"laurel_rank": 8}, "laurel_rank: has no effect without intermediate_size; leave it out"),
        ({"intermediate_size": 8, "laurel_rank": 0}, "laurel_rank: expected a whole number of"),
        ({**MADE_SPARSE, "sparsity": 1.0}, "sparsity: expected a share from 0.001 to 0.999, got 1"),
        ({**MADE_SPARSE, "mlp_bias": True}, "sparsity: only a gate without a bias has it; leave"),
        ({**MADE_SPARSE, "parallel_mlp": "own_norm", "laurel_rank": 2}, "parallel_mlp: with la"),
        (
            {"reads_embedded": True},
            "reads_embedded: has no effect without intermediate_size; leave",
        ),
        ({"intermediate_size": 8, "reads_embedded": 1}, "reads_embedded: expected true or false"),
        (
            {"intermediate_size": 8, "reads_embedded": True, "post_norm": True},
            "post_norm: with reads_embedded it is False",
        ),
        ({"streams": {"num_streams": 1}}, "streams.num_streams: expected a whole number of at le"),
        ({"streams": {"num_streams": 2, "active": 2}}, "streams.active: expected less than num_st"),
        ({**MADE_SPARSE, "streams": {"num_streams": 2}}, "layer_input: missing; layers with strea"),
        (
            {**MADE_SPARSE, **STREAMS, "scales_output": True},
            "scales_output: layers with streams have no such thing; leave it out",
        ),
        (
            {"layer_input": {"width": 8, "vocab_size": 9, "known_tokens": 9}},
            "layer_input.known_tokens: expected a whole number of at least 10, got 9",
        ),
    ],
)
def test_impossible_layers_are_refused(changes, message):
    with pytest.raises(SpecError, match=message):
        LAYER.replace(**changes)


def test_tensors_follow_the_fields():
    spec = LAYER.replace(qk_norm=True, qkv_bias=True, output_bias=True, post_norm=True)
    assert [tensor.name for tensor in spec.inputs] == [
        "hidden", "norm_weight", "qkv_weight", "qkv_bias", "query_norm_weight",
        "key_norm_weight", "positions", "slot_mapping", "key_cache", "value_cache",
        "block_table", "context_lens", "output_weight", "output_bias", "post_norm_weight",
    ]  # fmt: skip


def test_tensors_of_a_whole_layer_follow_its_fields():
    half = LAYER.replace(post_norm=True)
    more = [tensor.name for tensor in half.inputs]
    whole = half.replace(intermediate_size=56, mlp_bias=True)
    assert [tensor.name for tensor in whole.inputs] == [
        *more, "mlp_norm_weight", "gate_up_weight", "gate_up_bias", "down_weight", "down_bias",
        "mlp_post_norm_weight",
    ]  # fmt: skip
    assert whole.flops == half.flops + 2 * 12 * 40 * 3 * 56
    assert spec_from_dict(whole.to_dict()) == whole


def test_values_near_the_largest_are_no_case_where_all_are_cached():
    """The output projection may make more of a few of them than f16 holds."""
    own, shared = (
        {case.name for case in cases_for(WHOLE.replace(shares_kv=shared))}
        for shared in (False, True)
    )
    assert own - shared == {"large_values"}


@pytest.mark.parametrize("path", ["window", "attention.window"])
def test_fields_of_the_attention_are_set_through_the_layer(path):
    changed = apply_settings(LAYER, (f"{path}=[7, null]", "hidden_size=48"))
    attention = ATTENTION.replace(window=(7, None))
    assert changed == DecoderLayerSpec(attention=attention, hidden_size=48, max_positions=64)
    assert spec_from_dict(changed.to_dict()) == changed
    assert changed.to_dict()["attention"]["window"] == [7, None]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"rope.theta": 3.0},
            "rope: not a field of decoder_layer; its fields are attention, hidden",
        ),
        (
            {"attention": ATTENTION, "attention.window": 3},
            "attention.window: attention is given as a whole, too",
        ),
        (
            {"attention": 5},
            "attention: expected a PagedAttentionSpec or a PackedPagedAttentionSpec, got 5",
        ),
        ({"attention": {"q_len": 4}}, "paged_attention: missing num_q_heads"),
        ({"width": 5}, "width: not a field of decoder_layer"),
    ],
)
def test_impossible_parts_are_refused(changes, message):
    with pytest.raises(SpecError, match=message):
        LAYER.replace(**changes)
