"""The page of a package: what it has, how it is loaded, and what was proved of it on what."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from irattn.binary.compiled import Compiled
from irattn.binary.manifest import VMFB
from irattn.runtime.hub.variants import HubFeatures
from irattn.runtime.hub_package.specs import HubSpec

_FUNCTIONS = {
    "packed": "`flash_attn_func`, `flash_attn_varlen_func`",
    "paged": "`flash_attn_with_kvcache`",
    "few": "`flash_attn_func`, `flash_attn_varlen_func` for up to 8 queries over many keys",
    "by_head": "`flash_attn_func` for up to 8 queries over keys that lie by heads",
}


class Certified(NamedTuple):
    """A certificate's file name and text, and what it proves in a sentence."""

    file: str
    text: bytes
    summary: str


def readme(
    name: str,
    specs: Mapping[str, HubSpec],
    artifacts: Sequence[Compiled],
    certificates: Mapping[str, Sequence[Certified]],
) -> str:
    """Markdown."""
    return _PAGE.format(
        name=name,
        compiler=artifacts[0].manifest.compiler_version,
        kernels="\n".join(
            _row(one.takes, one.block_size)
            for one in specs.values()
            if isinstance(one.takes, HubFeatures)
        ),
        proved="\n".join(_proved(one, certificates) for one in artifacts),
    )


def _row(takes: HubFeatures, block_size: int | None) -> str:
    mask = "causal" if takes.causal else "full"
    others = {
        "window": takes.window,
        "softcap": takes.logits_soft_cap,
        "s_aux": takes.sinks,
        "pages of a multiple of": block_size if takes.op == "paged" else None,
    }
    told = ", ".join(f"{name} {value}" for name, value in others.items() if value)
    heads = f"{takes.num_q_heads} / {takes.num_kv_heads}"
    return (
        f"| {_FUNCTIONS[takes.op]} | {takes.io_dtype} | {heads} | {takes.head_dim} | {mask} | "
        f"{told} |"
    )


def _proved(artifact: Compiled, certificates: Mapping[str, Sequence[Certified]]) -> str:
    kernel = f"- `{artifact.manifest.name}` for {artifact.target}"
    found = certificates.get(artifact.manifest.sha256[VMFB], ())
    told = [f"{kernel}: `certificates/{artifact.target}/{x.file}`: {x.summary}." for x in found]
    return "\n".join(told) or f"{kernel}: nothing was proved, and it was run on no GPU."


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
from pathlib import Path

import kernels

attention = kernels.get_local_kernel(Path("{name}"))
output = attention.flash_attn_func(q, k, v, causal=True)
```

transformers takes it from the hub as `attn_implementation="OWNER/{name}"`, from a folder with
`LOCAL_KERNELS="OWNER/{name}=FOLDER"` in the environment.

## What was proved

AMD code is executed by an emulator, not on a card. Certificates lie beside the kernels.

{proved}
"""
