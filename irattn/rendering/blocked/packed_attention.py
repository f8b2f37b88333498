"""The blocked graph of packed sequences."""

from dataclasses import dataclass

from irattn.core.tensors import AnySize, Role, TensorType
from irattn.rendering.blocked.kernels import KernelResult, whole
from irattn.rendering.blocked.plan import Blocked
from irattn.specs.packed_attention import PackedAttentionSpec


@dataclass(frozen=True)
class BlockedPackedAttention(Blocked):
    """Tokens of all sequences lie one after the other."""

    spec: PackedAttentionSpec

    @property
    def named_sizes(self) -> dict[str, AnySize]:
        return {
            "sequences": 1,
            "heads": self.spec.num_q_heads // self.tile.heads,
            "packed": self.spec.batch,
            "q_tokens": self.spec.q_tokens,
            "keys_of_axis": self.spec.kv_tokens,
        }

    @property
    def is_packed(self) -> bool:
        return True

    @property
    def is_split(self) -> bool:
        return False

    @property
    def tile_count(self) -> int:
        """Each sequence, and the padding after the last one, may have a tile that is not full."""
        return self.spec.q_tokens // self.tile.queries + self.spec.batch + 1

    def _result(self, tensor: TensorType) -> KernelResult:
        if tensor.role == Role.LSE:
            at, rows = ("%first_head", "%first_token"), (self.tile.heads, "%queries_here")
            return KernelResult(whole(tensor), at, rows, (0, 1))
        place = ("%first_token", "%first_head", "%none")
        sizes = ("%queries_here", self.tile.heads, self.spec.v_dim)
        return KernelResult(whole(tensor), place, sizes, (0, 1, 2))
