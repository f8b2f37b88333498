"""The sizes up to which a graph is rendered, and how long it compiles."""

from irattn.errors import RenderError
from irattn.rendering.blocked import unrolled_blocks
from irattn.rendering.logits import MOST_TOKENS
from irattn.specs import Spec
from irattn.specs.features import AttentionFeatures

# What IREE's runtime counts bytes in, and graphs rows and blocks.
_MOST_BYTES, _LONGEST_AXIS = 2**63 - 1, 2**31

# Measured: 0.2 to 1 s of processor time a block, and for 1024 of them, which are 262144 queries, as
# long as a compilation may take by default.
_SECONDS_OF_A_BLOCK = 1.0
_MOST_BLOCKS = 1024


def check_sizes(spec: Spec) -> None:
    """RenderError for tensors that no memory holds, and for sizes that a graph cannot count."""
    for tensor in (*spec.inputs, *spec.outputs):
        if max(tensor.shape) > _LONGEST_AXIS:
            raise RenderError(f"{tensor.name}: expected at most 2**31 of anything, got {tensor}")
        if tensor.bytes > _MOST_BYTES:
            raise RenderError(f"{tensor.name}: expected less than 2**63 bytes, got {tensor}")
    if isinstance(spec, AttentionFeatures):
        for what, length in (("queries", spec.num_queries), ("keys", spec.num_keys)):
            if length > MOST_TOKENS:
                raise RenderError(
                    f"{spec.op}: expected at most 2**30 {what} in a sequence, as graphs count "
                    f"positions in int32, got {int(length)}"
                )


def check_blocks(spec: Spec) -> None:
    """RenderError for more query blocks than compile in a reasonable time."""
    blocks = unrolled_blocks(spec)
    if blocks > _MOST_BLOCKS:
        has_loop = "q_len" in getattr(spec, "dynamic_names", ())
        remedy = "make q_len dynamic, which is a loop" if has_loop else "split the queries"
        raise RenderError(
            f"formulation: a blocked graph writes out at most {_MOST_BLOCKS} blocks of queries, "
            f"got {blocks}; {remedy}"
        )


def compile_seconds(spec: Spec, formulation: str | None) -> float:
    """About how much processor time the query blocks of a graph take to compile, at most."""
    return unrolled_blocks(spec) * _SECONDS_OF_A_BLOCK if formulation == "blocked" else 0.0
