"""The page of a package: what it has, how it is loaded, and what was proved of it on what."""

from collections.abc import Mapping, Sequence
from typing import Any

from irattn.binary.compiled import Compiled
from irattn.binary.manifest import VMFB
from irattn.runtime.hub_package.specs import HubSpec
from irattn.targets import get as get_target

_FUNCTIONS = {
    "packed": "`flash_attn_func`, `flash_attn_varlen_func`",
    "paged": "`flash_attn_with_kvcache`",
}


def readme(
    name: str,
    specs: Mapping[str, HubSpec],
    artifacts: Sequence[Compiled],
    certificates: Mapping[str, Sequence[Any]],
) -> str:
    """Markdown."""
    proved = {one.target: [0, 0] for one in artifacts}
    for one in artifacts:
        proved[one.target][0] += bool(certificates.get(one.manifest.sha256[VMFB]))
        proved[one.target][1] += 1
    rows = [_row(one) for one in specs.values()]
    compiler = artifacts[0].manifest.compiler_version
    return _PAGE.format(
        name=name,
        compiler=compiler,
        kernels="\n".join(rows),
        proved="\n".join(_proved(target, *counts) for target, counts in proved.items()),
    )


def _row(one: HubSpec) -> str:
    takes = one.takes
    mask = "causal" if takes.causal else "full"
    others = {
        "window": takes.window,
        "softcap": takes.logits_soft_cap,
        "s_aux": takes.sinks,
        "pages of a multiple of": one.block_size,
    }
    told = ", ".join(f"{name} {value}" for name, value in others.items() if value)
    heads = f"{takes.num_q_heads} / {takes.num_kv_heads}"
    return (
        f"| {_FUNCTIONS[takes.op]} | {takes.io_dtype} | {heads} | {takes.head_dim} | {mask} | "
        f"{told} |"
    )


def _proved(target: str, num_certified: int, num_kernels: int) -> str:
    where = "an emulator" if get_target(target).driver == "hip" else "a GPU"
    if not num_certified:
        return f"- {target}: nothing was proved of its {num_kernels} kernels, on no GPU either."
    return (
        f"- {target}: {num_certified} of {num_kernels} kernels have a certificate in "
        f"`certificates/{target}/`, which says what was proved by executing them in {where}."
    )


_PAGE = """\
---
library_name: kernels
license: apache-2.0
---
# {name}

Attention for PyTorch, compiled ahead of time by irattn with IREE {compiler}. It needs PyTorch
alone: neither a compiler nor irattn. Each call chooses batch, lengths and number of pages.

| functions | dtype | heads, of queries / keys | head_dim | mask | |
| --- | --- | --- | --- | --- | --- |
{kernels}

Other calls are refused with a message that says what there is. Gradients are not computed.

```python
import kernels

attention = kernels.get_local_kernel("{name}")
output = attention.flash_attn_func(q, k, v, causal=True)
```

transformers takes it from the hub as `attn_implementation="OWNER/{name}"`, from a folder with
`LOCAL_KERNELS="OWNER/{name}=FOLDER"` in the environment.

## What was proved

{proved}
"""
