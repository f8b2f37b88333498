"""The words of a comparison: its verdicts, the layers that it looks at, and what it measures."""

from dataclasses import dataclass

from irattn.binary.inspection.figures import INSTRUCTION_CLASSES

# From the worst to the best; the first that holds is an artifact's verdict.
VERDICTS = (
    *("wrong", "incompatible", "missing", "slower-likely"),
    *("new", "better", "equivalent", "identical"),
)

# From what is asked for down to what comes out.
LAYERS = (
    *("spec", "signature", "mlir", "compiler", "dispatches", "resources", "instructions", "work"),
    *("execution", "code", "numerics"),
)

# Classes of instructions that are counted as they are executed, besides all of them.
EXECUTED_CLASSES = ("matrix", "vector", "lds", "global", "scratch")

EFFECTS = ("breaking", "worse", "better", "neutral")


@dataclass(frozen=True)
class Metric:
    """One number of a compiled module: the layer that it belongs to and what it is in words.

    Numbers of the layer `execution` are there where `irattn compare --execute` runs both sides.
    """

    layer: str
    words: str


# The names that a policy file uses.
METRICS = {
    "dispatches": Metric("dispatches", "dispatches"),
    "transfers": Metric("dispatches", "fills and copies"),
    "workgroups": Metric("dispatches", "workgroups"),
    "transient_bytes": Metric("dispatches", "bytes of transient memory"),
    "memory_bytes": Metric("dispatches", "bytes of inputs, outputs and transient memory"),
    "work": Metric("work", "matrix FLOPs executed per FLOP needed"),
    "waves_per_simd": Metric("resources", "waves per SIMD"),
    "vgpr_spills": Metric("resources", "spilled VGPRs"),
    "sgpr_spills": Metric("resources", "spilled SGPRs"),
    "scratch_bytes": Metric("resources", "bytes of scratch"),
    "vgprs": Metric("resources", "VGPRs"),
    "agprs": Metric("resources", "AGPRs"),
    "sgprs": Metric("resources", "SGPRs"),
    "lds_bytes": Metric("resources", "bytes of LDS"),
    "threads": Metric("resources", "threads of a workgroup"),
    "code_bytes": Metric("resources", "bytes of code"),
    "overhead": Metric("instructions", "other instructions per matrix instruction"),
    "instructions": Metric("instructions", "instructions"),
    **{
        f"{kind}_instructions": Metric("instructions", f"{kind} instructions")
        for kind in INSTRUCTION_CLASSES
    },
    "estimated_time": Metric("execution", "estimated microseconds"),
    "executed_instructions": Metric("execution", "instructions executed"),
    **{
        f"executed_{kind}_instructions": Metric("execution", f"{kind} instructions executed")
        for kind in EXECUTED_CLASSES
    },
    "executed_matrix_flops": Metric("execution", "matrix FLOPs executed"),
    "cache_lines": Metric("execution", "cache lines moved"),
    "touched_bytes": Metric("execution", "bytes of memory touched, in whole lines"),
    "lds_cycles": Metric("execution", "LDS cycles"),
    "lds_conflicts": Metric("execution", "LDS cycles per cycle without bank conflicts"),
    "barriers": Metric("execution", "barriers, a wave each"),
}
