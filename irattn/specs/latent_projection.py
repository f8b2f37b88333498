"""Hidden states to queries that meet latents, and to the latents of a cache."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from irattn.core.errors import SpecError
from irattn.core.tensors import AnySize, TensorType, hidden
from irattn.core.weight_formats import WEIGHT_FORMATS, weight_format
from irattn.specs.base import check_flag, check_positive
from irattn.specs.dynamic import BatchOfTokens
from irattn.specs.head_projection import HeadProjectionSpec
from irattn.specs.latent_sizes import LatentSizes, stored_latent
from irattn.specs.linear import LinearSpec
from irattn.specs.rms_norm import RmsNormSpec
from irattn.specs.rope import RopeSpec
from irattn.specs.rope_scaling import RopeScaling
from irattn.specs.weight_formats import WeightFormats, format_of, stored_some

# The weights that may have blocks: those that heads have of their own are multiplied head by head.
LATENT_WEIGHTS = ("query_down", "query", "latent")


@dataclass(frozen=True, kw_only=True)
class LatentProjectionSpec(BatchOfTokens):
    """The inputs of absorbed latent attention (DeepSeek-AI 2024, DeepSeek-V2, section 2.1).

    A token's latent is RMSNorm(hidden · latent_weightᵀ), but for the last `rope_dim` columns, which
    are rotated instead: the key that all heads share. A head's query is made of the hidden state
    or, with a `q_lora_rank`, of RMSNorm(hidden · query_down_weightᵀ). Its last `rope_dim` columns
    are rotated, and the others multiplied with the head's key_weight: the product of that and a
    latent is that of the query and the key that the latent would make. Tensors in `io_dtype`; sums
    are f32, and what each step makes is rounded:

    - hidden `[batch, q_len, hidden_size]`
    - with a `q_lora_rank`, query_down_weight `[q_lora_rank, hidden_size]` and
      query_down_norm_weight `[q_lora_rank]`
    - query_weight `[num_q_heads * (nope_dim + rope_dim), q_lora_rank or hidden_size]`
    - key_weight `[num_q_heads, kv_lora_rank, nope_dim]`
    - latent_weight `[kv_lora_rank + rope_dim, hidden_size]`, latent_norm_weight `[kv_lora_rank]`
    - positions int32 (int64 accepted) `[batch, q_len]`, 0 to `max_positions - 1`; `rope_style`,
      `theta` and `scaling`: RopeSpec. There are none where it is `unrotated` (Kimi Linear)
    - query `[batch, num_q_heads, q_len, kv_lora_rank + rope_dim]`
    - latents `[batch, 1, q_len, kv_lora_rank + rope_dim]`

    `latent` is a LatentSizes or its JSON form. `weight_format` is a block format of LinearSpec, of
    query_down, query and latent, or maps some of these to one each. `dynamic` may name batch and
    q_len.
    """

    op: ClassVar[str] = "latent_projection"
    late: ClassVar[tuple[str, ...]] = ("unrotated",)

    io_dtype: str = "f16"
    batch: int = 1
    num_q_heads: int
    q_len: int
    hidden_size: int
    latent: LatentSizes
    max_positions: int
    rope_style: str = "rotate_half"
    theta: float = 10000.0
    scaling: RopeScaling | None = None
    unrotated: bool = False
    weight_format: WeightFormats | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "batch", "num_q_heads", "q_len", "hidden_size")
        latent = stored_latent(self.latent)
        if latent is None:
            raise SpecError("latent: missing")
        object.__setattr__(self, "latent", latent)
        self._check_dynamic()
        check_flag("unrotated", self.unrotated)
        formats = stored_some(self.weight_format, LATENT_WEIGHTS)
        object.__setattr__(self, "weight_format", formats)
        for name in LATENT_WEIGHTS:
            _check_blocks(format_of(formats, name))
        rope = self.rope
        for name in ("theta", "scaling"):
            object.__setattr__(self, name, getattr(rope, name))

    @property
    def _tokens(self) -> dict[str, Any]:
        names = ("io_dtype", "batch", "q_len", "dynamic")
        return {name: getattr(self, name) for name in names}

    @property
    def query_down(self) -> LinearSpec | None:
        """The narrow states that queries are made of, where these are not the hidden ones."""
        rank = self.latent.q_lora_rank
        return None if rank is None else self._linear(self.hidden_size, rank, "query_down")

    @property
    def query_down_norm(self) -> RmsNormSpec | None:
        """The norm of those states."""
        rank = self.latent.q_lora_rank
        return None if rank is None else self._norm(rank)

    @property
    def query_up(self) -> LinearSpec:
        """The queries of all heads."""
        rank = self.latent.q_lora_rank or self.hidden_size
        return self._linear(rank, self.num_q_heads * self.latent.head_dim, "query")

    @property
    def latent_down(self) -> LinearSpec:
        """The latent and the shared key of each token."""
        return self._linear(self.hidden_size, self.latent.cache_dim, "latent")

    @property
    def latent_norm(self) -> RmsNormSpec:
        """The norm of latents."""
        return self._norm(self.latent.kv_lora_rank)

    @property
    def rope(self) -> RopeSpec:
        """The rotation of the last columns of queries, and of the shared key."""
        return RopeSpec(
            **self._tokens,
            num_q_heads=self.num_q_heads,
            num_kv_heads=1,
            head_dim=self.latent.rope_dim,
            max_positions=self.max_positions,
            rope_style=self.rope_style,
            theta=self.theta,
            scaling=self.scaling,
        )

    @property
    def absorption(self) -> HeadProjectionSpec:
        """The other columns of queries through the keys' weights."""
        return HeadProjectionSpec(
            **self._tokens,
            num_heads=self.num_q_heads,
            in_columns=self.latent.nope_dim,
            out_columns=self.latent.kv_lora_rank,
        )

    def _linear(self, in_columns: int, out_columns: int, name: str) -> LinearSpec:
        return LinearSpec(
            **self._tokens,
            in_columns=in_columns,
            out_columns=out_columns,
            weight_format=format_of(self.weight_format, name),
        )

    def _norm(self, columns: int) -> RmsNormSpec:
        rows = self.rows
        return RmsNormSpec(
            rows=self.batch * self.q_len,
            columns=columns,
            eps=self.latent.norm_eps,
            io_dtype=self.io_dtype,
            dynamic=() if isinstance(rows, int) else ("rows",),
        )

    @property
    def weights(self) -> tuple[TensorType, ...]:
        """The parameters."""
        parts = {
            "query_down_weight": self.query_down,
            "query_down_norm_weight": self.query_down_norm,
            "query_weight": self.query_up,
            "key_weight": self.absorption,
            "latent_weight": self.latent_down,
            "latent_norm_weight": self.latent_norm,
        }
        given = ((name, part) for name, part in parts.items() if part)
        return tuple(replace(part.inputs[1], name=name) for name, part in given)

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        of_tokens = hidden((*self.tokens, self.hidden_size), self.io_dtype)
        positions = () if self.unrotated else (self.rope.positions,)
        return (of_tokens, *self.weights, *positions)

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (
            TensorType("query", self._heads(self.num_q_heads), self.io_dtype),
            TensorType("latents", self._heads(1), self.io_dtype),
        )

    def _heads(self, heads: int) -> tuple[AnySize, ...]:
        return (self.size("batch"), heads, self.size("q_len"), self.latent.cache_dim)

    @property
    def flops(self) -> int:
        parts = (self.query_down, self.query_up, self.latent_down, self.absorption)
        return sum(part.flops for part in parts if part)


def _check_blocks(name: str | None) -> None:
    if name and weight_format(name).scaled:
        known = ", ".join(WEIGHT_FORMATS)
        raise SpecError(f"weight_format: beside latents expected one of {known}, got {name}")


CATALOGUE = {
    "latent_projection_tiny": LatentProjectionSpec(
        batch=2,
        num_q_heads=4,
        q_len=16,
        hidden_size=128,
        latent=LatentSizes(kv_lora_rank=32, q_lora_rank=24, nope_dim=16, rope_dim=8, value_dim=24),
        max_positions=64,
        io_dtype="f32",
    ),
}
