"""The parts of packed attention over pages: sequences of many queries, those of few, and writing.

Many queries of a sequence share tiles of rows; a few have their keys cut into parts. Which
sequences are which is told by their own length alone, so that bits depend on no other.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from irattn.core.tensors import AnySize, DynamicSize, Role, TensorType
from irattn.specs.cache_write import CacheWriteSpec
from irattn.specs.merge_states import MergeStatesSpec
from irattn.specs.packed_paged_attention import (
    FEW_QUERIES,
    SHARED_NAMES,
    PackedPagedAttentionSpec,
)
from irattn.specs.packed_paged_update_attention import PackedPagedUpdateAttentionSpec
from irattn.targets import Target

# What the part of few queries is given of the one of many, which it completes in its own memory.
_COMPLETED = {"output": "output_of_many", "lse": "lse_of_many"}


@dataclass(frozen=True, kw_only=True)
class ManyQueriesSpec(PackedPagedAttentionSpec):
    """Sequences of more than `few_queries` queries, and the padding after all of them.

    Rows of other sequences are left as they are, which is nothing in particular.
    """

    op: ClassVar[str] = "packed_paged_many"


@dataclass(frozen=True, kw_only=True)
class FewQueriesSpec(PackedPagedAttentionSpec):
    """Sequences of 1 to `few_queries` queries, whose rows go into the memory of the others'."""

    op: ClassVar[str] = "packed_paged_few"

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        return (
            *super().inputs,
            *(
                replace(tensor, name=_COMPLETED[tensor.name], role=Role.ACTIVATION)
                for tensor in self.outputs
            ),
        )

    @property
    def updates(self) -> dict[str, str]:
        return {tensor.name: _COMPLETED[tensor.name] for tensor in self.outputs}

    @property
    def rows(self) -> AnySize:
        """Rows of a KV head's queries, of all sequences together: at most `few_queries` of each."""
        most = min(self.q_tokens, most_few(self) * self.batch) * self.group_size
        is_chosen = not {"batch", "q_tokens"}.isdisjoint(self.dynamic)
        return DynamicSize(most, "few_rows") if is_chosen else most


@dataclass(frozen=True, kw_only=True)
class ManyOfGroupsSpec(ManyQueriesSpec):
    """Groups of many queries, over what their sequences share: a kernel beside the others'."""

    op: ClassVar[str] = "packed_paged_shared_many"


@dataclass(frozen=True, kw_only=True)
class FewOfGroupsSpec(FewQueriesSpec):
    """Groups of few queries, over what their sequences share."""

    op: ClassVar[str] = "packed_paged_shared_few"


# The parts of a half: of sequences, and of groups, whose keys are shared.
_OF_SEQUENCES = (ManyQueriesSpec, FewQueriesSpec)
_OF_GROUPS = (ManyOfGroupsSpec, FewOfGroupsSpec)


@dataclass(frozen=True, kw_only=True)
class Attending:
    """The two parts that attend to some keys, and the names of what goes in and comes out.

    Their functions' names begin with `prefix`.
    """

    many: ManyQueriesSpec
    few: FewQueriesSpec
    prefix: str
    given: list[str]
    completed: list[str]
    attended: list[str]


@dataclass(frozen=True, kw_only=True)
class PackedPagedPlan:
    """The graph's parts, and the names of what goes into each and comes out of it.

    `writing` is None where the call has no new tokens for the cache, and `merge` where all keys are
    attended to at once; otherwise it makes one of what each of `attending` gives.
    """

    template: ClassVar = "linalg/packed_paged_attention.mlir.j2"

    writing: CacheWriteSpec | None
    to_write: list[str]
    written: list[str]
    attending: list[Attending]
    merge: MergeStatesSpec | None


def most_few(spec: PackedPagedAttentionSpec) -> int:
    """The most queries of a sequence that count as few."""
    return spec.few_queries or FEW_QUERIES


def plan_packed_paged(spec: PackedPagedAttentionSpec, target: Target) -> PackedPagedPlan:
    """The parts of a spec; of a cascade, what is shared comes first: its workgroups are few."""
    writing = _writing(spec) if isinstance(spec, PackedPagedUpdateAttentionSpec) else None
    # Caches are read as they are once new tokens are written.
    left = {before: after for after, before in spec.updates.items()}
    if spec.cascade:
        attending = [
            _attending(spec.of_shared, target, left | SHARED_NAMES, _OF_GROUPS, "shared_"),
            _attending(spec.of_own, target, left, _OF_SEQUENCES, "own_"),
        ]
    else:
        attending = [_attending(spec, target, left, _OF_SEQUENCES)]
    return PackedPagedPlan(
        writing=writing,
        to_write=_names(writing.inputs) if writing else [],
        written=_names(writing.outputs) if writing else [],
        attending=attending,
        merge=spec.merge if spec.cascade else None,
    )


def _attending(
    spec: PackedPagedAttentionSpec,
    target: Target,
    called: Mapping[str, str],
    parts: tuple[type[ManyQueriesSpec], type[FewQueriesSpec]],
    prefix: str = "",
) -> Attending:
    """The parts that attend: on CPUs, whose cores are few, more queries have tiles enough."""
    own = spec.packed_fields
    if not target.is_gpu:
        own["few_queries"] = None
    of_many, of_few = parts
    many, few = of_many(**own), of_few(**own)
    return Attending(
        many=many,
        few=few,
        prefix=prefix,
        given=[called.get(name, name) for name in _names(many.inputs)],
        completed=[prefix + name for name in few.updates.values()],
        attended=[prefix + name for name in few.updates],
    )


def _names(tensors: tuple[TensorType, ...]) -> list[str]:
    return [tensor.name for tensor in tensors]


def _writing(spec: PackedPagedUpdateAttentionSpec) -> CacheWriteSpec:
    sizes = {"q_tokens": "num_tokens", "num_blocks": "num_blocks"}
    return CacheWriteSpec(
        io_dtype=spec.io_dtype,
        num_tokens=spec.q_tokens,
        num_kv_heads=spec.num_kv_heads,
        head_dim=spec.head_dim,
        value_dim=None if spec.latent_cache else spec.value_dim,
        block_size=spec.block_size,
        num_blocks=spec.num_blocks,
        layout=spec.layout,
        joint_cache=spec.joint_cache,
        latent_cache=spec.latent_cache,
        cache_dtype=spec.cache_dtype,
        cache_scale=spec.cache_scale,
        dynamic=tuple(sizes[name] for name in spec.dynamic if name in sizes),
    )
