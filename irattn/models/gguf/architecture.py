"""How the GGUF files of one architecture differ from others, and the names of their tensors."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from irattn.core.gguf_file import GgufFile
from irattn.models.families.tensor_names import TensorNames
from irattn.models.gguf.said import Said

RMS_EPS, LAYER_EPS = "attention.layer_norm_rms_epsilon", "attention.layer_norm_epsilon"


@dataclass(frozen=True, kw_only=True)
class Told:
    """A field that tensors tell: it is `here` where a name ends like that, and else `without`."""

    tensor: str
    here: Any
    without: Any


@dataclass(frozen=True, kw_only=True)
class Architecture:
    """Models of one architecture, by the type that Hugging Face has for them.

    `keys` are metadata that these models have besides those of all, by what `config.json` calls
    them; those of `needs` must be there, those of `only` say this alone, those of `equal` what
    another key says, and `silent` ones nothing that is computed. `told` are fields that tensors
    tell, `listed` keys of a number for each layer that others have as tensors of these shapes. Of
    sizes in `lacks`, files say 0, as their models have none. `eps` is the key of what norms add.
    `renamed` are fields that the type has other names for, `defaults` those of files that say
    nothing or 0. `fixed` is what their code takes for granted, `made` what is made of several keys
    and tensors, of a file with so many layers. With a window they are of `windowed` type, with
    experts of `expert` type, with one that is shared of `shared` type, where that is another one.
    `turns_neighbours`: rows of queries and keys are sorted so that rotation turns neighbours.
    `tiles_heads`: value heads of delta nets go round the key heads, where the code has those of a
    key head together. `exceeds_f16`: hidden states do, so that files in f16 are run in bf16.
    """

    model_type: str
    tensors: TensorNames
    keys: Mapping[str, str] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    only: Mapping[str, Any] = field(default_factory=dict)
    equal: Mapping[str, str] = field(default_factory=dict)
    silent: tuple[str, ...] = ()
    told: Mapping[str, Told] = field(default_factory=dict)
    listed: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    lacks: tuple[str, ...] = ()
    eps: str = RMS_EPS
    renamed: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    made: Callable[[Said, GgufFile, int], dict[str, Any]] | None = None
    windowed: str | None = None
    expert: str | None = None
    shared: str | None = None
    turns_neighbours: bool = False
    tiles_heads: bool = False
    exceeds_f16: bool = False

    def tensors_in(self, names: Collection[str]) -> TensorNames:
        """The names as a file has them, whose queries, keys and values may be one tensor."""
        own = replace(self.tensors.stored_in(names), as_stored=None)
        is_split = any(name.endswith(f".{own.qkv[0]}.weight") for name in names)
        # Delta nets have such a tensor, too.
        if is_split or self.turns_neighbours or own.delta:
            return own
        is_joint = any(name.endswith(f".{_JOINT}.weight") for name in names)
        return replace(own, qkv=(_JOINT,)) if is_joint else own


_JOINT = "attn_qkv"
NAMES = TensorNames(
    bases=("",),
    embedding="token_embd",
    norm="output_norm",
    head="output",
    layer="blk.{number}.",
    attention_norm="attn_norm",
    qkv=("attn_q", "attn_k", "attn_v"),
    query_norm="attn_q_norm",
    key_norm="attn_k_norm",
    output="attn_output",
    mlp_norm="ffn_norm",
    gate_up=("ffn_gate", "ffn_up"),
    up="ffn_up",
    down="ffn_down",
    router="ffn_gate_inp",
    choice_bias="exp_probs_b.bias",
    # Files have one tensor of all experts, which is read expert by expert.
    expert_gate_up=("ffn_gate_exps.{expert}", "ffn_up_exps.{expert}"),
    expert_down="ffn_down_exps.{expert}",
    shared_gate_up=("ffn_gate_shexp", "ffn_up_shexp"),
    shared_down="ffn_down_shexp",
    shared_gate="ffn_gate_inp_shexp",
    sinks="attn_sinks.weight",
)
POST_NORMS = replace(NAMES, post_norm="post_attention_norm", mlp_post_norm="post_ffw_norm")

CLIP = {"attention.clamp_kqv": "clip_qkv"}
WINDOW = {"attention.sliding_window": "sliding_window"}
EXPERTS = {"expert_count": "num_experts", "expert_used_count": "num_experts_per_tok"}
LOCAL_EXPERTS = {**EXPERTS, "expert_count": "num_local_experts"}
WIDTH = {"expert_feed_forward_length": "moe_intermediate_size"}
SCALES = {
    "attention.scale": "attention_multiplier",
    "embedding_scale": "embedding_multiplier",
    "residual_scale": "residual_multiplier",
    "logit_scale": "logits_scaling",
}
