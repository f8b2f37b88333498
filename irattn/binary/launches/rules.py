"""Rules for an input's elements beyond limits, which calls from Python check or see to."""

from irattn.core.tensors import Role, TensorType

_RULES = {
    Role.QUERY_LENGTHS: "how many queries of each sequence are real",
    Role.KEY_LENGTHS: "how many keys of each sequence are real",
    Role.OFFSETS: "where each sequence's first query stands among its keys",
    Role.BLOCK_IDS: "ids of blocks of the cache; those past a context are not looked at",
    Role.SLOTS: "block * block_size + offset, no slot twice; -1 skips a token",
    Role.QUERY_BOUNDS: "from 0, never falling",
    Role.KEY_BOUNDS: "from 0, never falling",
    Role.GROUP_BOUNDS: "from 0, never falling",
    Role.SHARED_LENGTHS: "how many keys all sequences of each group share",
    Role.SHARED_IDS: "ids of blocks of the cache; those past what is shared are not looked at",
}


def rule_of(tensor: TensorType) -> str | None:
    """The rule for an input, in words; None where there is none."""
    return _RULES.get(tensor.role)
