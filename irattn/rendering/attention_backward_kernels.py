"""The kernels that take the gradient of attention in lanes: what each has, reads and gives."""

from dataclasses import dataclass

from irattn.core.tensors import AnySize, largest
from irattn.rendering.values import Value


@dataclass(frozen=True)
class Gradient:
    """A result of a kernel: sums of columns of `step`, as often as `weights` of scores say."""

    name: str
    value: Value
    weights: str
    step: str
    factor: float


@dataclass(frozen=True)
class TokenSide:
    """Tensors of queries, or of keys, and their heads and tokens; `bounds` tell sequences."""

    tensors: list[str]
    bounds: str
    heads: int
    length: AnySize


@dataclass(frozen=True, kw_only=True)
class LanesKernel:
    """A kernel: a workgroup has `rows` of its `own` tensors, and takes others in steps.

    The first tensors of `own` and `steps` are multiplied to scores, the second ones to gradients of
    weights. An own row at r sees steps' tokens from r + `shift` - `behind` to r + `shift` +
    `ahead`; None: no limit. `by_step` says that a step's tokens are queries. Lengths, and heads,
    are those of the tensors; of `packed` ones calls tell which tokens a sequence has, by bounds,
    and may choose how many there are of all.
    So many workgroups have the `shares` of the query heads of each tile of keys.
    A kernel that `makes_delta` gives it besides, for the one after it; one that `gives_logits`
    gives the gradients of these.
    """

    name: str
    own: list[str]
    steps: list[str]
    results: list[Gradient]
    by_step: bool
    packed: bool
    own_bounds: str
    step_bounds: str
    sequences: int
    heads: int
    step_heads: int
    own_len: AnySize
    step_len: AnySize
    shift: int
    behind: int | None
    ahead: int | None
    rows: int
    tokens: int
    keeps_own: bool
    makes_delta: bool
    gives_logits: bool
    shares: int = 1

    @property
    def turned(self) -> list[str]:
        """The steps' tensors of which columns are multiplied, too."""
        return [result.step for result in self.results]

    @property
    def own_shares(self) -> int:
        """Heads of own tensors, each as often as it has shares."""
        return self.heads * self.shares

    @property
    def share_heads(self) -> int:
        """Query heads of a share."""
        return self.step_heads // self.own_shares

    @property
    def more_blocks(self) -> int:
        """Workgroups of a head besides those of all rows: packed, each sequence may cut one."""
        return self.sequences if self.packed else 0

    @property
    def step_stride(self) -> int:
        """From a step's row to the next token's of the same head."""
        return self.step_heads if self.packed else 1

    @property
    def cuts_rows(self) -> bool:
        """Whether the last workgroup has fewer rows."""
        return self.packed or largest(self.own_len) % self.rows > 0

    @property
    def cuts_tokens(self) -> bool:
        """Whether the last step has fewer tokens."""
        return self.packed or largest(self.step_len) % self.tokens > 0

    @property
    def hides(self) -> bool:
        """Whether some token of a step may be hidden."""
        return self.cuts_tokens or not self.behind is self.ahead is None
