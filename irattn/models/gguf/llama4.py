"""The architecture of GGUF files of Llama 4, much of which its code takes for granted."""

from typing import Any

from irattn.core.gguf_file import GgufFile
from irattn.models.gguf.architecture import LOCAL_EXPERTS, NAMES, WIDTH, Architecture
from irattn.models.gguf.experts import mlp_kinds
from irattn.models.gguf.heads import usual_fields
from irattn.models.gguf.said import Said

_WINDOW, _INNER = "attention.sliding_window", "feed_forward_length"
# Of so many layers, the last one sees all keys, and rotates nothing.
_EVERY = 4
# The tokens of a chunk of the others; models of so many experts have no norms of heads.
_CHUNK, _WITHOUT_NORMS = 8192, 128


def _fields(said: Said, file: GgufFile, layers: int) -> dict[str, Any]:
    """The heads, the kinds of layers, and which of them have experts.

    MobileLLM's files say a window of 0: all layers see all keys, and rotate.
    """
    has_chunks = said.value(_WINDOW) != 0
    in_chunks = [has_chunks and (number + 1) % _EVERY != 0 for number in range(layers)]
    inner, width = said.needed(_INNER), said.whole("expert_feed_forward_length", least=0)
    kinds = enumerate(mlp_kinds(file, layers))
    return {
        **usual_fields(said, file, layers),
        "attention_chunk_size": _CHUNK if has_chunks else None,
        "attn_temperature_tuning": has_chunks,
        "layer_types": ["chunked_attention" if one else "full_attention" for one in in_chunks],
        "no_rope_layers": [int(one or not has_chunks) for one in in_chunks],
        "intermediate_size": width or inner,
        "intermediate_size_mlp": inner,
        "moe_layers": [number for number, kind in kinds if kind == "sparse"],
        "use_qk_norm": said.value("expert_count") != _WITHOUT_NORMS,
    }


LLAMA_4 = Architecture(
    model_type="llama4_text",
    tensors=NAMES,
    keys=LOCAL_EXPERTS,
    needs=tuple(LOCAL_EXPERTS),
    only={"expert_gating_func": 2},
    silent=(*WIDTH, _WINDOW, "interleave_moe_layer_step", "leading_dense_block_count"),
    made=_fields,
)
