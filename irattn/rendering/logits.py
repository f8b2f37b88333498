"""What happens to the logits of a spec between the two products, for every formulation.

The rules run in the body of one `linalg.generic` over (some of) the dimensions b batch, h KV head,
g query head of the group, m query, and the KV tokens. A new mask is a name in `conditions`, a new
change to the logits one in `addends`; `templates/lib/logits.mlir.j2` says what each name does.
"""

from dataclasses import dataclass

from irattn.dtypes import dtype
from irattn.specs.features import AttentionFeatures
from irattn.specs.packed_attention import PackedAttentionSpec
from irattn.specs.paged_attention import PagedAttentionSpec
from irattn.tensors import TensorType

# Sums and differences of two such numbers are in range of i32; longer specs are not rendered.
MOST_TOKENS = 2**30

# The loop dimensions behind each axis of a broadcast tensor; "k" depends on the graph.
_DIMS_OF_AXES = {"b": ["b"], "h": ["h", "g"], "q": ["m"]}


@dataclass(frozen=True)
class Operand:
    """A run-time tensor that the rules read, without the axes that it is broadcast along.

    `local` is its element in the body, `axes` and `sizes` the loop dimensions that it has and
    their sizes before padding.
    """

    tensor: TensorType
    local: str
    axes: tuple[str, ...]
    sizes: list[int]

    @property
    def argument(self) -> str:
        """The function's argument."""
        return self.tensor.name

    @property
    def is_place(self) -> bool:
        """Whether the graph makes it itself, in the sizes of the loop."""
        return self.argument.endswith(("_sequences", "_positions"))

    @property
    def element(self) -> str:
        """MLIR element type."""
        return dtype(self.tensor.dtype).mlir


@dataclass(frozen=True)
class LogitRules:
    """The rules of a spec over loop dimensions of these sizes, before padding.

    `token_dims` are the dimensions of KV tokens, outermost first; `pads_keys` says that tokens
    past the spec's own are in the loop.
    """

    spec: AttentionFeatures
    sizes: dict[str, int]
    token_dims: tuple[str, ...]
    pads_keys: bool = False

    @property
    def has_lens(self) -> bool:
        """Whether contexts are known only at run time."""
        return self.is_ragged or isinstance(self.spec, PagedAttentionSpec)

    @property
    def is_ragged(self) -> bool:
        """Whether the numbers of queries are known only at run time."""
        return bool(getattr(self.spec, "ragged", False))

    @property
    def is_packed(self) -> bool:
        """Whether the tokens of all sequences lie in one row."""
        return isinstance(self.spec, PackedAttentionSpec)

    @property
    def is_static(self) -> bool:
        """Whether every length is known."""
        return not (self.has_lens or self.is_packed)

    @property
    def first_position(self) -> int:
        """The position of query 0, where lengths are static."""
        bottom_right = self.spec.alignment == "bottom_right"
        return self.spec.num_keys - self.spec.num_queries if bottom_right else 0

    @property
    def follows_lens(self) -> bool:
        """Whether positions depend on lengths known only at run time."""
        return self.has_lens and self.spec.alignment == "bottom_right"

    @property
    def conditions(self) -> list[str]:
        """What must hold for a query to see a key."""
        spec = self.spec
        last_position = self.first_position + spec.num_queries - 1
        left, right = spec.window_left, spec.window_right
        static = self.is_static
        named = {
            "same_sequence": self.is_packed,
            "key_is_real": self.has_lens or (self.pads_keys and not self.is_packed),
            "query_is_real": self.is_ragged,
            # What always holds for static lengths is left out.
            "causal": spec.causal and not (static and self.first_position >= spec.num_keys - 1),
            "window_left": left is not None and not (static and last_position <= left),
            "window_right": right is not None
            and not (static and self.first_position + right >= spec.num_keys - 1),
            "keep_mask": spec.keep_mask is not None,
        }
        return [name for name, wanted in named.items() if wanted]

    @property
    def addends(self) -> list[str]:
        """What is added to the logits."""
        named = {"bias": self.spec.bias is not None, "alibi": self.spec.alibi}
        return [name for name, wanted in named.items() if wanted]

    def tokens_seen(self, first_query: int, last_query: int) -> tuple[int, int]:
        """The tokens `[begin, end)` that some query of a range may see."""
        if not self.is_static:
            return 0, self.spec.num_keys
        spec, begin, end = self.spec, 0, self.spec.num_keys
        if spec.window_left is not None:
            begin = first_query + self.first_position - spec.window_left
        if spec.causal:
            end = last_query + self.first_position + 1
        elif spec.window_right is not None:
            end = last_query + self.first_position + spec.window_right + 1
        return max(0, begin), min(spec.num_keys, end)

    @property
    def first_seen(self) -> int:
        """The first token of the window, counted from the query's position."""
        return -min(self.spec.window_left or 0, MOST_TOKENS)

    @property
    def last_seen(self) -> int:
        """The last token of the window, counted from the query's position."""
        return min(self.spec.window_right or 0, MOST_TOKENS)

    @property
    def uses_position(self) -> bool:
        """Whether any rule asks where a query stands."""
        return bool({"causal", "window_left", "window_right", "alibi"} & {*self._names})

    @property
    def uses_token(self) -> bool:
        """Whether any rule asks which token a key is."""
        return not self.is_packed and (self.uses_position or "key_is_real" in self.conditions)

    @property
    def uses_query(self) -> bool:
        """Whether any rule asks which query a row is."""
        return not self.is_packed and (self.uses_position or "query_is_real" in self.conditions)

    @property
    def asks_lens(self) -> bool:
        """Whether any rule asks how many keys are real."""
        return self.has_lens and ("key_is_real" in self.conditions or self.uses_position)

    @property
    def operands(self) -> list[Operand]:
        """The tensors that the rules read, in the order of the generic's inputs."""
        # Name in the body and axes; the heads of slopes are query heads.
        known = {
            "context_lens": ("context_len", "b" if self.asks_lens else None),
            "q_lens": ("q_len", "b"),
            "q_sequences": ("q_sequence", "q"),
            "k_sequences": ("k_sequence", "k"),
            "q_positions": ("q_position", "q" if self.uses_position else None),
            "k_positions": ("k_position", "k" if self.uses_position else None),
            "alibi_slopes": ("slope", "h"),
            "bias": ("bias_at", self.spec.bias),
            "keep_mask": ("kept", self.spec.keep_mask),
        }
        found = []
        for tensor in (*self.places, *self.spec.inputs):
            local, letters = known.get(tensor.name, ("", None))
            if letters:
                found.append(self._operand(tensor, local, letters))
        return found

    @property
    def places(self) -> list[TensorType]:
        """Where packed tokens stand: made in the graph, not given."""
        if not self.is_packed:
            return []
        lengths = {"q": self.spec.num_queries, "k": self.spec.num_keys}
        return [
            TensorType(f"{letter}_{what}", (length,), "i32")
            for letter, length in lengths.items()
            for what in ("sequences", "positions")
        ]

    @property
    def changes_logits(self) -> bool:
        """Whether there is any rule at all."""
        return bool(self._names)

    @property
    def result(self) -> str:
        """Element type of what the fused rules yield: what is added, or just what is seen."""
        return "f32" if self.addends else "i1"

    @property
    def axes(self) -> tuple[str, ...]:
        """The loop dimensions that the rules depend on, in loop order."""
        used = {axis for operand in self.operands for axis in operand.axes}
        if self.uses_query:
            used.add("m")
        used.update(self.token_dims)
        return tuple(axis for axis in self.sizes if axis in used)

    @property
    def _names(self) -> list[str]:
        return self.conditions + self.addends

    def _operand(self, tensor: TensorType, local: str, letters: str) -> Operand:
        dims_of = {**_DIMS_OF_AXES, "k": list(self.token_dims)}
        axes = tuple(dim for letter in letters for dim in dims_of[letter])
        return Operand(tensor, local, axes, [self.sizes[axis] for axis in axes])
