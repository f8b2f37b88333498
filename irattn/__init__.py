"""irattn: attention kernels for AMD GPUs, generated, compiled, verified and shipped from Python.

Importing it is light: the compiler, the runtime and the template engine load on first use.
"""

import importlib
from typing import Any

_HOMES = {
    "Artifact": "irattn.compiling.artifact",
    "BlockAllocator": "irattn.kvcache",
    "BlockMask": "irattn.functional",
    "Bundle": "irattn.compiling.bundles",
    "Certificate": "irattn.lab.certificates",
    "Comparison": "irattn.lab.comparison",
    "DeviceArray": "irattn.runtime",
    "Generator": "irattn.generation",
    "IrattnError": "irattn.core.errors",
    "Kernel": "irattn.runtime",
    "KernelCache": "irattn.runtime.kernel_cache",
    "PageTable": "irattn.kvcache",
    "PagedCache": "irattn.kvcache",
    "Provider": "irattn.runtime",
    "Selection": "irattn.runtime",
    "Transfers": "irattn.runtime",
    "apply_rope": "irattn.functional",
    "attention": "irattn.functional",
    "bench": "irattn.api.figures",
    "block_mask": "irattn.functional",
    "bundle": "irattn.api.kernels",
    "cascade_attention": "irattn.functional",
    "certify": "irattn.api.proofs",
    "check_certificate": "irattn.api.proofs",
    "compare": "irattn.api.proofs",
    "compile": "irattn.api.kernels",
    "gated_delta_rule": "irattn.functional",
    "load": "irattn.api.kernels",
    "masks": "irattn.specs",
    "packed_paged_attention": "irattn.functional",
    "paged_attention": "irattn.functional",
    "register_provider": "irattn.runtime",
    "render": "irattn.api.kernels",
    "run_stages": "irattn.api.kernels",
    "short_convolution": "irattn.functional",
    "sparse_paged_attention": "irattn.functional",
    "specs_from_config": "irattn.models",
    "transfers": "irattn.runtime",
    "tree_attention": "irattn.functional",
    "tune": "irattn.api.figures",
    "verify": "irattn.api.kernels",
}


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return __dir__()
    if name == "__version__":
        return _version()
    # Specs name themselves, op by op.
    home = "irattn.specs" if name.endswith("Spec") else _HOMES.get(name)
    value = getattr(importlib.import_module(home), name, None) if home else None
    if value is None:
        raise AttributeError(f"module 'irattn' has no attribute {name!r}")
    return value


def _version() -> str:
    """The version that is installed, as `irattn --version` tells it."""
    from irattn.core.packages import installed_version

    if found := installed_version("irattn"):
        return found
    raise AttributeError("irattn.__version__: irattn is not installed, only on the path")


def __dir__() -> list[str]:
    from irattn.specs import SPEC_NAMES

    return sorted([*_HOMES, *SPEC_NAMES])
