"""What the plans of all formulations of attention know: sizes, lengths, arguments and outputs."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, ClassVar

from irattn.core.dtypes import dtype
from irattn.core.tensors import AnySize, DynamicSize, Role, TensorType, largest
from irattn.rendering.dynamic import dynamic_sizes, value_of
from irattn.specs.features import AttentionFeatures
from irattn.targets import Target

# New keys and values that the function writes into a cache before the kernel reads that.
_WRITTEN = frozenset((Role.KEY, Role.VALUE, Role.SLOTS))


# Keys of a part, where keys are cut into parts.
_PART_KEYS = (64, 128, 256, 512, 1024)


@dataclass(frozen=True)
class AttentionPlan:
    """A spec and a target; formulations say how work is cut.

    `chosen` are numbers of a tile that take the place of those of the formulation's table.
    Templates read numbers and names and compute none themselves.
    """

    spec: AttentionFeatures
    target: Target
    chosen: Mapping[str, int] | None = None

    # The kernel's template, where it is one for all ops.
    template: ClassVar[str | None] = None

    @property
    def chosen_fields(self) -> dict[str, Any]:
        """What is chosen, as fields to put into a tile: all but how keys are cut into parts."""
        return {name: number for name, number in (self.chosen or {}).items() if name != "part_keys"}

    @property
    def tile_numbers(self) -> dict[str, int]:
        """What may be chosen of the tile, as it is now."""
        raise NotImplementedError

    def with_parts(self, tiles: list[dict[str, int]]) -> list[dict[str, int]]:
        """The same with what parts of the keys may have, if there are: whole steps, and several."""
        if not self.is_split:
            return tiles
        keys = largest(self.spec.num_keys)
        return [
            {**tile, "part_keys": part}
            for tile, part in product(tiles, _PART_KEYS)
            if part < keys and part % tile["keys"] == 0
        ]

    @property
    def allowed_tiles(self) -> list[dict[str, int]]:
        """All that may be chosen: what the templates can say, and what fits by its sizes."""
        raise NotImplementedError

    @property
    def element(self) -> str:
        """MLIR element type of storage."""
        return dtype(self.spec.io_dtype).mlir

    @property
    def queries_of_head(self) -> AnySize:
        """Queries of one head and sequence."""
        return self.spec.num_queries

    @property
    def is_split(self) -> bool:
        """Whether keys are cut into parts, which are attended to apart and merged."""
        raise NotImplementedError

    @property
    def part_keys(self) -> int:
        """Keys of a part."""
        raise NotImplementedError

    @property
    def and_merge(self) -> str:
        """What the graph does besides attending, for the reader."""
        return ", and a merge of parts of the keys" if self.is_split else ""

    # Sizes, as values of the kernel.

    @property
    def named_sizes(self) -> dict[str, AnySize]:
        """Sizes that the kernel asks for by name."""
        return {name: size for name, size in self.lengths.items() if name not in self.lens}

    @property
    def lengths(self) -> dict[str, AnySize]:
        """The most queries and keys of a sequence."""
        return {"q_len": self.queries_of_head, "context_len": self.spec.num_keys}

    @property
    def lens(self) -> list[str]:
        """Those of them that the call tells, for each sequence."""
        told = {"q_len": Role.QUERY_LENGTHS, "context_len": Role.KEY_LENGTHS}
        return [name for name, role in told.items() if self.has(role)]

    @property
    def known_sizes(self) -> dict[str, int]:
        """Those of the named sizes that are known."""
        sizes = self.named_sizes.items()
        return {name: size for name, size in sizes if not isinstance(size, DynamicSize)}

    @property
    def chosen_sizes(self) -> list[str]:
        """The sizes that a call chooses, by the shapes of its tensors."""
        return [size.name for size, _, _ in dynamic_sizes(self.inputs)]

    def at(self, name: str) -> str:
        """The value that has a size."""
        size = self.named_sizes.get(name)
        return str(value_of(size)) if isinstance(size, DynamicSize) else f"%{name}"

    @property
    def sequence(self) -> str:
        """The value that counts sequences."""
        return "%b"

    # What the kernel reads and gives.

    @cached_property
    def inputs(self) -> tuple[TensorType, ...]:
        """What a call gives. A spec makes them anew each time, and templates ask often."""
        return self.spec.inputs

    def has(self, role: Role) -> bool:
        """Whether a call gives a tensor for this."""
        return any(tensor.role == role for tensor in self.inputs)

    def argument(self, role: Role) -> TensorType:
        """The first tensor that a call gives for this."""
        return next(tensor for tensor in self.inputs if tensor.role == role)

    @property
    def has_table(self) -> bool:
        """Whether a table tells where keys lie."""
        return self.has(Role.BLOCK_IDS)

    @property
    def key_argument(self) -> TensorType:
        """The argument that has the keys."""
        return self.argument(Role.KEY_CACHE if self.has_table else Role.KEY)

    @property
    def value_argument(self) -> TensorType:
        """The argument that has the values."""
        return self.argument(Role.VALUE_CACHE if self.has_table else Role.VALUE)

    @property
    def arguments(self) -> list[TensorType]:
        """What the kernel reads."""
        left_out = _WRITTEN if self.has_table else ()
        return [tensor for tensor in self.inputs if tensor.role not in left_out]

    def source_of(self, tensor: TensorType) -> TensorType:
        """What the function has for an argument: a cache that it has written as it left it."""
        left = {self.spec.updates.get(output.name): output for output in self.spec.outputs}
        return left.get(tensor.name, tensor)

    @property
    def outputs(self) -> list[TensorType]:
        """What attention itself returns."""
        return list(self.spec.new_outputs)
