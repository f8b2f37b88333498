"""Machine code in the emulator beside the float64 reference, on a few of a verdict's cases."""

from irattn.compiling.artifact import Artifact
from irattn.lab.inputs import Case, cases_for
from irattn.lab.verification import measured, strain
from irattn.reference import reference
from irattn.runtime import load_artifact
from irattn.runtime.kernel import Kernel
from irattn.specs import Spec

# Numbers as usual, those near the ends of a type's range, and contexts of other lengths. What a
# graph makes of the other cases is seen on CPUs, where they cost next to nothing.
_KEPT = ("normal", "large_values", "subnormals", "full_context", "masked_rows")


def failed_cases(artifact: Artifact) -> list[str]:
    """What does not meet the reference: of the largest call all cases kept, of others one."""
    kernel = load_artifact(artifact, "emulator")
    *smaller, largest = artifact.spec.calls
    calls = [(largest, case) for case in cases_for(largest) if case.name in _KEPT]
    calls += [(call, cases_for(call)[0]) for call in smaller]
    return [f"{case.name}: {call!r}" for call, case in calls if not _is_met(kernel, call, case)]


def _is_met(kernel: Kernel, call: Spec, case: Case) -> bool:
    tensors = case.tensors(call)
    pairs = zip(kernel.outputs(**tensors), reference(call, tensors), call.outputs, strict=True)
    return all(strain(measured(*pair)) <= 1 for pair in pairs)
