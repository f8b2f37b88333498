"""How many terms the sums of each op have."""

from irattn.specs import Spec

# The fields that say how many terms the sums of an op have.
_TERMS = {
    "attention": ("head_dim", "kv_len"),
    "packed_attention": ("head_dim", "kv_tokens"),
    "paged_attention": ("head_dim", "max_context"),
    "paged_update_attention": ("head_dim", "max_context"),
    "packed_paged_attention": ("head_dim", "max_context"),
    "packed_paged_update_attention": ("head_dim", "max_context"),
    "attention_backward": ("head_dim", "q_len", "kv_len"),
    "packed_attention_backward": ("head_dim", "q_tokens", "kv_tokens"),
    "attention_scores": ("head_dim",),
    "softmax": ("kv_len",),
    "softmax_with_sinks": ("kv_len",),
    "weighted_values": ("kv_len",),
    "qkv_projection": ("hidden_size",),
    "output_projection": ("attended_size",),
    "lm_head": ("hidden_size",),
    "linear": ("in_columns",),
    "head_projection": ("in_columns",),
    "latent_projection": ("hidden_size",),
    "mlp": ("hidden_size", "intermediate_size"),
    "rms_norm": ("columns",),
    "layer_norm": ("columns",),
    "gated_rms_norm": ("columns",),
    "l2_norm": ("columns",),
    "gated_delta_rule": ("key_dim", "q_len"),
    "selective_scan": ("state_size", "q_tokens"),
    "short_convolution": ("kernel",),
    "decoder_layer": ("hidden_size",),
    "split_streams": ("hidden_size",),
    "join_streams": ("hidden_size",),
    "stream_coefficients": ("hidden_size",),
}


def terms_of(spec: Spec) -> dict[str, int]:
    """How many terms the sums of a spec have, by the field that says so."""
    own = {name: getattr(spec, name) for name in _TERMS.get(spec.op, ())}
    attention = getattr(spec, "attention", None)
    return own if attention is None else {**terms_of(attention), **own}
