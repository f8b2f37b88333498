"""References of linear attention and experts against transformers' own; needs its extra."""

from importlib import import_module

import numpy as np
import pytest

pytest.importorskip("transformers", reason="needs: pip install 'irattn[transformers]'")

import torch
from transformers.models.bamba import modeling_bamba
from transformers.models.jamba import modeling_jamba
from transformers.models.mamba2 import modeling_mamba2 as mamba
from transformers.models.qwen3_next import modeling_qwen3_next as theirs

from irattn import (
    GatedDeltaRuleSpec,
    GatedRmsNormSpec,
    L2NormSpec,
    MixtureOfExpertsSpec,
    SelectiveScanLayerSpec,
    ShortConvolutionSpec,
    StateSpaceLayerSpec,
)
from irattn.lab.inputs import random_tensors
from irattn.reference import reference

DELTA_RULE = GatedDeltaRuleSpec(
    batch=2, num_v_heads=4, q_len=70, key_dim=16, value_dim=24, layout="NHD", io_dtype="f32"
)


def given(spec):
    """Inputs as arrays, and as tensors in the same memory."""
    tensors = random_tensors(spec)
    return tensors, {name: torch.from_numpy(tensor) for name, tensor in tensors.items()}


def assert_near(found, expected):
    np.testing.assert_allclose(found.detach().numpy(), expected, rtol=1e-4, atol=2e-5)


@pytest.mark.parametrize(
    "way", ["torch_chunk_gated_delta_rule", "torch_recurrent_gated_delta_rule"]
)
@pytest.mark.parametrize(
    "changes", [{}, {"num_k_heads": 2}, {"qk_l2_norm": True}, {"q_len": 1}], ids=str
)
def test_the_gated_delta_rule(way, changes):
    spec = DELTA_RULE.replace(**changes)
    tensors, as_torch = given(spec)
    # Chunks of transformers' make NaN of a state that nothing is kept of.
    as_torch["g"].clamp_(min=-30)
    found = getattr(theirs, way)(
        **as_torch, output_final_state=True, use_qk_l2norm_in_kernel=spec.qk_l2_norm
    )
    for one, expected in zip(found, reference(spec, tensors), strict=True):
        assert_near(one, expected)


STATE_SPACE = DELTA_RULE.replace(num_k_heads=2, scale=1.0, uncorrected=True)


def state_space(spec):
    """Inputs of a state-space step, and what transformers' functions take of them in f32.

    Their states have a row for each column of a value.
    """
    tensors, as_torch = given(spec)
    rates = torch.nn.functional.softplus(torch.randn(as_torch["beta"].shape))
    slopes = -torch.rand(spec.num_v_heads)
    as_torch["beta"].copy_(rates)
    as_torch["g"].copy_(rates * slopes)
    names = {"hidden_states": "value", "dt": "beta", "B": "key", "C": "query"}
    return tensors, slopes, {name: as_torch[ours] for name, ours in names.items()}


@pytest.mark.parametrize("q_len", [1, 70])
def test_a_state_that_is_not_corrected_is_that_of_mamba_2_in_chunks(q_len):
    spec = STATE_SPACE.replace(q_len=q_len)
    tensors, slopes, theirs = state_space(spec)
    found, state = mamba.mamba2_chunk_scan(
        **theirs,
        A=slopes,
        chunk_size=16,
        initial_states=torch.from_numpy(tensors["initial_state"]).mT,
        return_final_states=True,
    )
    for one, expected in zip((found, state.mT), reference(spec, tensors), strict=True):
        assert_near(one, expected)


def test_a_state_that_is_not_corrected_is_that_of_mamba_2_token_by_token():
    tensors, slopes, theirs = state_space(STATE_SPACE)
    state = torch.from_numpy(tensors["initial_state"]).mT.clone()
    # A time step for each column of a value.
    theirs["dt"] = theirs["dt"][..., None].expand(theirs["hidden_states"].shape)
    found = [
        mamba.mamba2_selective_state_update(
            state,
            **{name: tensor[:, token] for name, tensor in theirs.items()},
            A=slopes[:, None, None],
        )
        for token in range(STATE_SPACE.q_len)
    ]
    expected = reference(STATE_SPACE, tensors)
    assert_near(torch.stack(found, dim=1), expected[0])
    assert_near(state.mT, expected[1])


@pytest.mark.parametrize("groups", [1, 2])
def test_a_layer_with_a_state_space_step_is_bamba_s(groups):
    config = modeling_bamba.BambaConfig(
        **{"hidden_size": 16, "intermediate_size": 24, "num_attention_heads": 4},
        **{"num_hidden_layers": 1, "mamba_n_heads": 4, "mamba_d_head": 8, "mamba_d_state": 12},
        **{"mamba_n_groups": groups, "mamba_chunk_size": 4},
    )
    spec = StateSpaceLayerSpec(
        **{"q_tokens": 9, "hidden_size": 16, "intermediate_size": 24, "norm_eps": 1e-5},
        **{"num_groups": groups, "num_heads": 4, "state_size": 12, "head_dim": 8},
        **{"has_conv_bias": True, "io_dtype": "f32"},
    )
    tensors, as_torch = given(spec)
    for name in ("conv_state", "state"):
        tensors[name][...] = 0
    tensors["cu_seqlens_q"][...] = (0, 9)
    layer = modeling_bamba.BambaDecoderLayer(config, 0)
    rows = ("gate_weight", "channels_weight", "steps_weight")
    layer.load_state_dict(
        {
            "input_layernorm.weight": as_torch["norm_weight"],
            "pre_ff_layernorm.weight": as_torch["mlp_norm_weight"],
            "mamba.in_proj.weight": torch.cat([as_torch[name] for name in rows]),
            "mamba.conv1d.weight": as_torch["conv_weight"][:, None],
            "mamba.conv1d.bias": as_torch["conv_bias"],
            "mamba.A_log": as_torch["decay_log"],
            "mamba.dt_bias": as_torch["time_bias"],
            "mamba.D": as_torch["skip_weight"],
            "mamba.norm.weight": as_torch["group_norm_weight"],
            "mamba.out_proj.weight": as_torch["output_weight"],
            "feed_forward.gate_proj.weight": as_torch["gate_up_weight"][:24],
            "feed_forward.up_proj.weight": as_torch["gate_up_weight"][24:],
            "feed_forward.down_proj.weight": as_torch["down_weight"],
        }
    )
    with torch.no_grad():
        found, _ = layer(as_torch["hidden"][None])
    assert_near(found[0], reference(spec, tensors)[0])


@pytest.mark.parametrize("tokens", [1, 9])
def test_a_layer_with_a_selective_scan_is_jamba_s(tokens):
    config = modeling_jamba.JambaConfig(
        **{"hidden_size": 16, "intermediate_size": 24, "num_attention_heads": 4},
        **{"num_hidden_layers": 1, "num_experts": 1, "mamba_d_state": 12, "mamba_dt_rank": 5},
    )
    spec = SelectiveScanLayerSpec(
        **{"q_tokens": tokens, "hidden_size": 16, "intermediate_size": 24, "channels": 32},
        **{"state_size": 12, "rank": 5, "has_conv_bias": True, "step_norm_eps": 1e-6},
        io_dtype="f32",
    )
    tensors, as_torch = given(spec)
    for name in ("conv_state", "state"):
        tensors[name][...] = 0
    tensors["cu_seqlens_q"][...] = (0, tokens)
    layer = modeling_jamba.JambaMambaDecoderLayer(config, 0)
    layer.load_state_dict(
        {
            "input_layernorm.weight": as_torch["norm_weight"],
            "pre_ff_layernorm.weight": as_torch["mlp_norm_weight"],
            "mamba.in_proj.weight": torch.cat(
                [as_torch["channels_weight"], as_torch["gate_weight"]]
            ),
            "mamba.conv1d.weight": as_torch["conv_weight"][:, None],
            "mamba.conv1d.bias": as_torch["conv_bias"],
            "mamba.x_proj.weight": as_torch["selection_weight"],
            "mamba.dt_layernorm.weight": as_torch["steps_norm_weight"],
            "mamba.b_layernorm.weight": as_torch["key_norm_weight"],
            "mamba.c_layernorm.weight": as_torch["query_norm_weight"],
            "mamba.dt_proj.weight": as_torch["steps_weight"],
            "mamba.dt_proj.bias": as_torch["time_bias"],
            "mamba.A_log": as_torch["decay_log"].T,
            "mamba.D": as_torch["skip_weight"],
            "mamba.out_proj.weight": as_torch["output_weight"],
            "feed_forward.gate_proj.weight": as_torch["gate_up_weight"][:24],
            "feed_forward.up_proj.weight": as_torch["gate_up_weight"][24:],
            "feed_forward.down_proj.weight": as_torch["down_weight"],
        }
    )
    with torch.no_grad():
        found = layer(as_torch["hidden"][None])
    assert_near(found[0], reference(spec, tensors)[0])


def test_norms():
    sizes = {"rows": 5, "columns": 24, "io_dtype": "f32"}
    gated, unit = GatedRmsNormSpec(**sizes), L2NormSpec(**sizes)
    tensors, as_torch = given(gated)
    norm = theirs.Qwen3NextRMSNormGated(24, gated.eps)
    norm.weight.data = as_torch["weight"]
    assert_near(norm(as_torch["x"], as_torch["gate"]), reference(gated, tensors)[0])
    tensors, as_torch = given(unit)
    assert_near(theirs.l2norm(as_torch["x"]), reference(unit, tensors)[0])


@pytest.mark.parametrize("silu", [False, True])
def test_the_short_convolution(silu):
    """transformers pads with zeros where there is no state; its states have channels first."""
    spec = ShortConvolutionSpec(
        batch=2, q_len=9, channels=6, kernel=4, use_bias=True, silu=silu, io_dtype="f32"
    )
    tensors, as_torch = given(spec)
    tokens = torch.cat([as_torch["initial_state"], as_torch["x"]], dim=1).transpose(1, 2)
    weight = as_torch["weight"][:, None]
    found = torch.nn.functional.conv1d(tokens, weight, as_torch["bias"], groups=spec.channels)
    output, state = reference(spec, tensors)
    assert_near((torch.nn.functional.silu(found) if silu else found).transpose(1, 2), output)
    np.testing.assert_array_equal(tokens[..., -3:].transpose(1, 2).numpy(), state)


EXPERTS = MixtureOfExpertsSpec(
    batch=2,
    q_len=9,
    hidden_size=16,
    intermediate_size=12,
    num_experts=8,
    experts_per_token=3,
    io_dtype="f32",
)
GROUPED = EXPERTS.replace(
    scores="sigmoid", has_choice_bias=True, num_groups=4, chosen_groups=2, routed_scale=2.5
)
# The model and its block, the spec, and the keys of the model's configuration.
BLOCKS = {
    "mixtral": ("MixtralSparseMoeBlock", EXPERTS, {"num_local_experts": 8}),
    "qwen2_moe": (
        "Qwen2MoeSparseMoeBlock",
        EXPERTS.replace(is_normalized=False, shared_size=20, has_shared_gate=True),
        {"num_experts": 8, "moe_intermediate_size": 12, "shared_expert_intermediate_size": 20},
    ),
    "gpt_oss": (
        "GptOssMLP",
        EXPERTS.replace(activation="clamped_swiglu", has_bias=True, has_router_bias=True),
        {"num_local_experts": 8},
    ),
    "glm4_moe": (
        "Glm4MoeMoE",
        GROUPED.replace(shared_size=12),
        {
            **{"n_routed_experts": 8, "num_local_experts": 8, "moe_intermediate_size": 12},
            **{"n_group": 4, "topk_group": 2, "routed_scaling_factor": 2.5},
        },
    ),
    "llama4": (
        "Llama4TextMoe",
        EXPERTS.replace(scores="sigmoid", is_normalized=False, shared_size=12, scales_input=True),
        {"num_local_experts": 8},
    ),
    "minimax_m2": (
        "MiniMaxM2SparseMoeBlock",
        EXPERTS.replace(scores="sigmoid", has_choice_bias=True),
        {"num_local_experts": 8},
    ),
}
# Our names of the parameters of a block.
OURS = {
    **{"gate.weight": "router_weight", "router.weight": "router_weight"},
    **{"router.bias": "router_bias", "gate.e_score_correction_bias": "choice_bias"},
    **{"e_score_correction_bias": "choice_bias", "experts.gate_up_proj": "gate_up_weight"},
    **{"experts.gate_up_proj_bias": "gate_up_bias", "experts.down_proj": "down_weight"},
    **{"experts.down_proj_bias": "down_bias", "shared_expert_gate.weight": "shared_gate_weight"},
    "shared_expert.down_proj.weight": "shared_down_weight",
    "shared_experts.down_proj.weight": "shared_down_weight",
}


def parameters(block, name):
    """Random parameters of a block, as the op takes them."""
    theirs = dict(block.named_parameters()) | dict(block.named_buffers())
    with torch.no_grad():
        for tensor in theirs.values():
            tensor.copy_(torch.randn(tensor.shape) * tensor.shape[-1] ** -0.5)
    arrays = {key: tensor.detach().numpy() for key, tensor in theirs.items()}
    if name == "gpt_oss":
        # Gates and ups take turns; and inputs are rows.
        for key in ("experts.gate_up_proj", "experts.gate_up_proj_bias"):
            arrays[key] = np.concatenate([arrays[key][..., ::2], arrays[key][..., 1::2]], axis=-1)
    if name in ("gpt_oss", "llama4"):
        for key in ("experts.gate_up_proj", "experts.down_proj"):
            arrays[key] = arrays[key].swapaxes(1, 2)
    ours = {OURS[key]: array for key, array in arrays.items() if key in OURS}
    gates = [array for key, array in arrays.items() if "gate_proj" in key and "shared" in key]
    ups = [array for key, array in arrays.items() if "up_proj" in key and "shared" in key]
    return ours | ({"shared_gate_up_weight": np.concatenate([*gates, *ups])} if gates else {})


@pytest.mark.parametrize("name", BLOCKS)
def test_experts(name):
    class_name, spec, keys = BLOCKS[name]
    module = import_module(f"transformers.models.{name}.modeling_{name}")
    classes = [n for n in vars(module) if n.endswith("Config") and n != "PreTrainedConfig"]
    of_text = [n for n in classes if n.endswith("TextConfig")]
    config = vars(module)[(of_text or classes)[0]](
        hidden_size=16, intermediate_size=12, num_experts_per_tok=3, hidden_act="silu", **keys
    )
    config._experts_implementation = "eager"
    block = getattr(module, class_name)(config)
    tensors = parameters(block, name)
    hidden = torch.randn(2, 9, 16)
    with torch.no_grad():
        found = block(hidden)
    found = found[0] if isinstance(found, tuple) else found
    expected = reference(spec, {"hidden": hidden.numpy(), **tensors})[0]
    assert_near(found.reshape(hidden.shape), expected)
