"""What limits do not say of an input's elements, and a call from Python checks or sees to."""

from collections.abc import Sequence

from irattn.tensors import Role, TensorType

_RULES = {
    Role.QUERY_LENGTHS: "how many queries of each sequence are real",
    Role.KEY_LENGTHS: "how many keys of each sequence are real",
    Role.BLOCK_IDS: "ids of blocks of the cache, past a context too: 0 will do there, -1 will not",
    Role.SLOTS: "block * block_size + offset, no slot twice; -1 skips a token",
    Role.QUERY_BOUNDS: "from 0, never falling",
    Role.KEY_BOUNDS: "from 0, never falling",
}

_CONTEXTS = {Role.KEY_LENGTHS, Role.KEY_BOUNDS}
_FINITE = "finite numbers, past a context too: those count with weight 0"


def rule_of(tensor: TensorType, inputs: Sequence[TensorType]) -> str | None:
    """The rule for one of some inputs, in words; None where there is none."""
    roles = {other.role for other in inputs}
    # New tokens for a cache are read only where a slot takes them.
    new = {Role.KEY, Role.VALUE} if Role.SLOTS in roles else set()
    hidden = {Role.KEY, Role.VALUE, Role.KEY_CACHE, Role.VALUE_CACHE} - new
    if tensor.role in hidden and roles & _CONTEXTS:
        return _FINITE
    return _RULES.get(tensor.role)
