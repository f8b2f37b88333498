"""The architectures of GGUF files of latent attention, but DeepSeek's: Kimi Linear, MiniCPM 3."""

from dataclasses import replace
from typing import Any

from irattn.core.gguf_file import GgufFile
from irattn.models.families.state_tensor_names import DeltaNames
from irattn.models.gguf.architecture import LOCAL_EXPERTS, WIDTH, Architecture
from irattn.models.gguf.deepseek import LATENT_KEYS, LATENT_NAMES, latent_sizes
from irattn.models.gguf.experts import DEEPSEEK_KEYS
from irattn.models.gguf.heads import heads_by_layer
from irattn.models.gguf.rotation import rotation
from irattn.models.gguf.said import Said

_DELTA = DeltaNames(
    qkv=("attn_q", "attn_k", "attn_v"),
    gates_down=("ssm_f_a", "ssm_g_a"),
    gate=("ssm_g_b",),
    decay="ssm_f_b",
    rates=("ssm_beta",),
    conv=("ssm_conv1d_q", "ssm_conv1d_k", "ssm_conv1d_v"),
    is_flat=True,
    decay_log="ssm_a",
    time_bias="ssm_dt.bias",
    norm="ssm_norm",
    output="attn_output",
)
_TAPS, _COLUMNS = "ssm.conv_kernel", "kda.head_dim"
_RATES = ".ssm_beta.weight"
_KIMI_KEYS = {key: name for key, name in DEEPSEEK_KEYS.items() if key not in LOCAL_EXPERTS}


def _kimi(said: Said, file: GgufFile, layers: int) -> dict[str, Any]:
    """The sizes of latents and of delta nets; layers without KV heads are these."""
    _, attending = heads_by_layer(said, layers)
    return {
        **latent_sizes(said),
        "layer_types": ["full_attention" if one else "linear_attention" for one in attending],
        "linear_num_heads": _delta_heads(said, file),
        "linear_head_dim": said.needed(_COLUMNS),
    }


def _delta_heads(said: Said, file: GgufFile) -> int:
    """The heads of delta nets: those of attention, unless tensors have others."""
    rates = (tensor for name, tensor in file.tensors.items() if name.endswith(_RATES))
    first = next(rates, None)
    return first.shape[0] if first else said.needed("attention.head_count")


def _minicpm(said: Said, file: GgufFile, layers: int) -> dict[str, Any]:
    """The sizes of latents; values have the columns that the width has room for."""
    rotated, columns = (said.needed(key) for key in ("rope.dimension_count", _KEY_COLUMNS))
    heads, width = (said.needed(key) for key in ("attention.head_count", "embedding_length"))
    return {
        "num_key_value_heads": heads,
        "kv_lora_rank": said.needed("attention.kv_lora_rank"),
        "q_lora_rank": said.needed("attention.q_lora_rank"),
        "qk_rope_head_dim": rotated,
        "qk_nope_head_dim": columns - rotated,
        "v_head_dim": width // heads,
        **rotation(said, file, rotated),
    }


_KEY_COLUMNS = "attention.key_length"

OF_LATENTS: dict[str, Architecture] = {
    "kimi-linear": Architecture(
        model_type="kimi_linear",
        tensors=replace(LATENT_NAMES, query="attn_q", delta=_DELTA, as_stored=None),
        keys=_KIMI_KEYS | LOCAL_EXPERTS | {_TAPS: "linear_conv_kernel_dim"},
        needs=(*LATENT_KEYS, *LOCAL_EXPERTS, *WIDTH, _TAPS, _COLUMNS),
        only={"expert_gating_func": 2},
        defaults={"first_k_dense_replace": 0, "norm_topk_prob": True},
        made=_kimi,
    ),
    # MiniCPM 3's files lack the factors that its code has as defaults.
    "minicpm3": Architecture(
        model_type="minicpm3",
        tensors=replace(
            LATENT_NAMES,
            query="attn_q_b",
            keys_from_latents="",
            from_latents="attn_kv_b",
            as_stored=None,
        ),
        needs=("attention.kv_lora_rank", "attention.q_lora_rank"),
        fixed={"scale_emb": 12, "scale_depth": 1.4, "dim_model_base": 256},
        made=_minicpm,
    ),
}
