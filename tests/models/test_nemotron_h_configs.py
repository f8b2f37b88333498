"""Nemotron-H's files: layers of one block and of two, by either list of them, and refusals."""

import pytest

from irattn.core.errors import ConfigError
from irattn.models import model_from_config
from irattn.models.families import FAMILIES

# As Nemotron-H 8B has it.
DENSE = {
    **{"model_type": "nemotron_h", "hidden_size": 4096, "intermediate_size": 21504},
    **{"num_attention_heads": 32, "num_key_value_heads": 8, "attention_head_dim": 128},
    "hybrid_override_pattern": "M-M-M-MM-M-M-M*-M-M-M*-M-M-M-M*-M-M-M-M-M*-M-M-M-M-",
    **{"num_hidden_layers": 51, "layer_norm_epsilon": 1e-5, "rms_norm_eps": 1e-5, "expand": 2},
    **{"mamba_num_heads": 128, "mamba_head_dim": 64, "n_groups": 8, "ssm_state_size": 128},
    **{"conv_kernel": 4, "use_conv_bias": True, "chunk_size": 128, "mlp_hidden_act": "relu2"},
    **{"mamba_hidden_act": "silu", "mamba_proj_bias": False, "mlp_bias": False},
    **{"use_bias": False, "attention_bias": False, "residual_in_fp32": False},
    **{"time_step_limit": [0.0, float("inf")], "time_step_min": 0.001, "time_step_max": 0.1},
    **{"time_step_floor": 0.0001, "time_step_rank": 256, "rescale_prenorm_residual": True},
    **{"sliding_window": None, "num_logits_to_keep": 1, "use_mamba_kernels": True},
    **{"max_position_embeddings": 8192, "tie_word_embeddings": False, "vocab_size": 131072},
}
# Nemotron 3 Nano 30B A3B.
NANO = {
    **{key: value for key, value in DENSE.items() if key != "attention_head_dim"},
    "hybrid_override_pattern": "MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME",
    **{"hidden_size": 2688, "intermediate_size": 1856, "num_key_value_heads": 2},
    **{"head_dim": 128, "mamba_num_heads": 64, "n_routed_experts": 128, "n_shared_experts": 1},
    **{"moe_intermediate_size": 1856, "moe_shared_expert_intermediate_size": 3712},
    **{"num_experts_per_tok": 6, "n_group": 1, "topk_group": 1, "norm_topk_prob": True},
    **{"routed_scaling_factor": 2.5, "norm_eps": 1e-5, "partial_rotary_factor": 1.0},
    **{"rope_theta": 10000, "max_position_embeddings": 262144, "moe_latent_size": None},
    **{"mamba_ssm_cache_dtype": "float32", "moe_shared_expert_overlap": False},
}


def layers_of(fields, phase="layer_decode"):
    model = model_from_config(fields)
    return {part.kind: part for part in model.parts if part.phase == phase}


@pytest.mark.parametrize("phase", ["layer_prefill", "layer_decode"])
def test_an_mlp_belongs_to_the_block_before(phase):
    layers = layers_of(DENSE, phase)
    assert layers.keys() == {"full", "state_space", "state_space_half"}
    # A layer counts as one with the MLP behind it.
    assert layers["full"].layers == (8, 12, 17, 23)
    # Before another with Mamba 2, and before each attention.
    assert layers["state_space_half"].layers == (3, 7, 11, 16, 22)
    assert sum(len(part.layers) for part in layers.values()) == 28
    full, step = layers["full"].spec, layers["state_space"].spec
    assert (full.intermediate_size, full.gated, full.activation) == (21504, False, "relu_squared")
    assert (full.attention.head_dim, full.use_rope, full.norm_eps) == (128, False, 1e-5)
    assert (step.num_heads, step.head_dim, step.num_groups, step.state_size) == (128, 64, 8, 128)
    assert (step.intermediate_size, step.plain_mlp, step.activation) == (
        21504,
        True,
        "relu_squared",
    )
    assert (step.kernel, step.has_conv_bias, step.norm_eps) == (4, True, 1e-5)
    half = layers["state_space_half"].spec
    assert half == step.replace(intermediate_size=None, plain_mlp=False, activation="silu")


def test_experts_have_no_gates():
    layers = layers_of(NANO)
    assert layers["full"].layers == (3, 7, 11, 15, 19, 24)
    experts = layers["state_space"].spec.experts
    assert experts == layers["full"].spec.experts
    assert (experts.num_experts, experts.experts_per_token) == (128, 6)
    assert (experts.intermediate_size, experts.shared_size) == (1856, 3712)
    assert (experts.is_plain, experts.activation, experts.scores) == (
        True,
        "relu_squared",
        "sigmoid",
    )
    assert (experts.routed_scale, experts.has_choice_bias) == (2.5, True)


def test_blocks_are_listed_either_way():
    kinds = {"M": "mamba", "*": "attention", "-": "mlp", "E": "moe"}
    newer = {"mamba": "linear_attention", "attention": "full_attention"}
    old = {key: value for key, value in NANO.items() if key != "hybrid_override_pattern"}
    listed = [kinds[one] for one in NANO["hybrid_override_pattern"]]
    for names in (listed, [newer.get(one, one) for one in listed]):
        fields = {**old, "layers_block_type": names}
        assert model_from_config(fields).specs == model_from_config(NANO).specs


def test_names_of_tensors_are_by_blocks():
    stored = FAMILIES["nemotron_h"].tensors({"hybrid_override_pattern": "MM-*E"})
    assert [stored.before(number) for number in range(3)] == ["layers.0.", "layers.1.", "layers.3."]
    before = "backbone.layers.1."
    assert stored.in_files(f"{before}{stored.attention_norm}.weight", 1) == f"{before}norm.weight"
    own = stored.in_files(f"{before}{stored.up}.weight", 1)
    assert own == "backbone.layers.2.mixer.up_proj.weight"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"mlp_bias": True}, "mlp_bias: expected False"),
        ({"use_bias": True}, "use_bias: expected False"),
        ({"attention_bias": True}, "attention_bias: expected False"),
        ({"moe_latent_size": 1024}, "moe_latent_size: expected null"),
        ({"sliding_window": 4096}, "sliding_window: expected null"),
        ({"mamba_hidden_act": "gelu"}, "mamba_hidden_act: expected 'silu'"),
        ({"time_step_limit": [0.001, 0.1]}, "time_step_limit: expected"),
        ({"time_step_min": 0.05}, "time_step_min: expected 0.0 or 0.001"),
        ({"n_groups": 3}, "n_groups: expected a divisor of"),
        # The sizes of steps are none of attention's.
        ({"mamba_head_dim": None}, "mamba_head_dim: missing"),
        ({"mamba_num_heads": None}, "mamba_num_heads: missing"),
        ({"attention_head_dim": 64}, "attention_head_dim: expected head_dim = 128, got 64"),
        ({"quantization_config": {"quant_method": "fp8"}}, "quantization_config: expected null"),
        ({"hybrid_override_pattern": "-M*"}, "hybrid_override_pattern: expected an MLP or experts"),
        ({"hybrid_override_pattern": "ME-*"}, "hybrid_override_pattern: .* got block 2"),
        ({"hybrid_override_pattern": "MX*"}, "hybrid_override_pattern: expected of M, .*, got 'X'"),
        ({"layers_block_type": ["conv"]}, "layers_block_type: expected of linear_attention, "),
        (
            {"hybrid_override_pattern": None},
            "layers_block_type or hybrid_override_pattern: missing",
        ),
    ],
)
def test_what_nemotron_h_is_refused_for(changes, message):
    with pytest.raises(ConfigError, match=message):
        model_from_config({**NANO, **changes})
