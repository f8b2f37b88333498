"""What limits do not say of an input's elements, and a call from Python checks or sees to."""

from collections.abc import Set

_RULES = {
    "q_lens": "how many queries of each sequence are real",
    "context_lens": "how many keys of each sequence are real",
    "block_table": "ids of blocks of the cache, past a context too: 0 will do there, -1 will not",
    "slot_mapping": "block * block_size + offset, no slot twice; -1 skips a token",
    "cu_seqlens_q": "from 0, never falling",
    "cu_seqlens_k": "from 0, never falling",
}

_CONTEXTS = {"context_lens", "cu_seqlens_k"}
_FINITE = "finite numbers, past a context too: those count with weight 0"


def rule_of(name: str, inputs: Set[str]) -> str | None:
    """The rule for the input of a name beside the others, in words; None where there is none."""
    # New tokens for a cache are read only where a slot takes them.
    new = {"key", "value"} if "slot_mapping" in inputs else set()
    hidden = {"key", "value", "key_cache", "value_cache"} - new
    if name in hidden and inputs & _CONTEXTS:
        return _FINITE
    return _RULES.get(name)
