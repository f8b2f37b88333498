"""vLLM's modules that the plug-in is made of."""

from importlib import import_module
from typing import Any

from irattn.integrations.extras import need

need("vllm")

# After it: who lacks it is told of it first, not of PyTorch.
from irattn.integrations.torch import torch  # noqa: E402

__all__ = ["attention", "cache", "envs", "logging", "registry", "torch"]

# Any: the package is an extra.
attention: Any = import_module("vllm.v1.attention.backend")
cache: Any = import_module("vllm.v1.kv_cache_interface")
envs: Any = import_module("vllm.envs")
logging: Any = import_module("vllm.logger")
registry: Any = import_module("vllm.v1.attention.backends.registry")
