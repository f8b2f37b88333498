"""What `irattn generate` calls the graphs of a model, and a cache that some of its layers lack."""

import json

import pytest

from irattn.core.errors import ConfigError
from irattn.generation import Sizes
from irattn.generation.folder import ModelFolder
from irattn.generation.model_graphs import graphs_of
from support.model_folder import SIZES, write_tokenizer

pytest.importorskip("tokenizers", reason="the extra generate is not installed")

NEMOTRON_H = {
    **{**SIZES, "model_type": "nemotron_h", "hidden_act": None, "mlp_hidden_act": "relu2"},
    **{"hybrid_override_pattern": "M-*-M", "num_hidden_layers": 5, "mamba_hidden_act": "silu"},
    **{"mamba_num_heads": 4, "mamba_head_dim": 16, "n_groups": 2, "ssm_state_size": 16},
    **{"conv_kernel": 4, "rms_norm_eps": None, "layer_norm_epsilon": 1e-5},
}
GEMMA_4 = {
    **{**SIZES, "model_type": "gemma4_text", "hidden_act": None, "num_hidden_layers": 5},
    **{"hidden_activation": "gelu_pytorch_tanh", "tie_word_embeddings": True, "rope_theta": None},
    **{"sliding_window": 9, "num_kv_shared_layers": 2, "global_head_dim": 16},
    **{"layer_types": ["sliding_attention", "full_attention"] * 2 + ["full_attention"]},
    "hidden_size_per_layer_input": 0,
    "rope_parameters": {
        "full_attention": {
            **{"rope_type": "proportional", "partial_rotary_factor": 0.25, "rope_theta": 1e6},
        },
        "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
    },
}


def graphs_at(folder, config, cache_dtype=None):
    """The graphs of a folder without weights."""
    said = {key: value for key, value in config.items() if value is not None}
    (folder / "config.json").write_text(json.dumps(said))
    write_tokenizer(folder / "tokenizer.json")
    read = ModelFolder(folder)
    return graphs_of(read, Sizes.of_model(read, batch=2, context=64), None, cache_dtype)


@pytest.mark.parametrize(
    ("config", "wanted"),
    [
        (NEMOTRON_H, {"half state space ", "state space ", "full unrotated "}),
        (GEMMA_4, {"windowed ", "full ", "full shared "}),
    ],
)
def test_each_kind_of_layer_has_a_name(tmp_path, config, wanted):
    graphs = graphs_at(tmp_path, config)
    names = graphs.named(graphs.phases)
    of_layers = [name for spec, name in names.items() if spec in graphs.phases[0].layers]
    assert sorted(of_layers) == sorted(f"{kind}layer of up to 128 tokens" for kind in wanted)


def test_a_quantised_cache_beside_states_is_refused(tmp_path):
    with pytest.raises(ConfigError, match=r"states in place of keys, got int8; leave it out"):
        graphs_at(tmp_path, NEMOTRON_H, "int8")
