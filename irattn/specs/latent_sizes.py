"""The sizes of latent attention."""

from dataclasses import dataclass

from irattn.core.errors import SpecError
from irattn.core.numbers import whole
from irattn.specs.base import MAX_HEAD_DIM, store_plain, stored_part
from irattn.specs.row_norm import check_eps


@dataclass(frozen=True, kw_only=True)
class LatentSizes:
    """The sizes of multi-head latent attention (DeepSeek-AI 2024, DeepSeek-V2, section 2.1).

    - kv_lora_rank: columns of a token's latent, which keys and values of all heads are made of
    - q_lora_rank: columns that queries are made of; None: those of the hidden state
    - nope_dim, rope_dim: columns of a query and a key that are not rotated, and that are; the
      rotated columns of a key are the same for all heads
    - value_dim: columns of a value
    - norm_eps: that of the norms of latents
    """

    kv_lora_rank: int
    q_lora_rank: int | None = None
    nope_dim: int
    rope_dim: int
    value_dim: int
    norm_eps: float = 1e-6

    def __post_init__(self) -> None:
        store_plain(self)
        for name in ("kv_lora_rank", "nope_dim", "rope_dim", "value_dim"):
            whole(f"latent.{name}", getattr(self, name), error=SpecError)
        if self.q_lora_rank is not None:
            whole("latent.q_lora_rank", self.q_lora_rank, error=SpecError)
        check_eps(self, "norm_eps")
        for name, size in (("value_dim", self.value_dim), ("rope_dim", self.rope_dim)):
            if size > MAX_HEAD_DIM:
                raise SpecError(f"latent.{name}: expected at most {MAX_HEAD_DIM}, got {size}")
        if self.rope_dim % 2:
            raise SpecError(f"latent.rope_dim: expected an even number, got {self.rope_dim}")

    @property
    def head_dim(self) -> int:
        """Columns of a query and a key."""
        return self.nope_dim + self.rope_dim

    @property
    def cache_dim(self) -> int:
        """Columns that a token has in the cache: its latent, and its rotated key."""
        return self.kv_lora_rank + self.rope_dim


def stored_latent(latent: object) -> LatentSizes | None:
    """The sizes as a spec stores them, from themselves or their JSON form; SpecError otherwise."""
    return stored_part(LatentSizes, "latent", latent, "a kv_lora_rank")
