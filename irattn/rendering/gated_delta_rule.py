"""Choose the kernel of the gated delta rule."""

from irattn.rendering.delta_rule_chunks import ChunkedDeltaRule, takes_chunks
from irattn.rendering.delta_rule_cpu import CpuDeltaRule
from irattn.rendering.delta_rule_gpu import GpuDeltaRule
from irattn.specs.gated_delta_rule import GatedDeltaRuleSpec
from irattn.targets import Target


def _plan(spec: GatedDeltaRuleSpec, target: Target) -> CpuDeltaRule | GpuDeltaRule:
    if not target.is_gpu:
        return CpuDeltaRule(spec, target)
    return (ChunkedDeltaRule if takes_chunks(spec, target) else GpuDeltaRule)(spec, target)


PLANS = {("gated_delta_rule", "linalg"): _plan}
