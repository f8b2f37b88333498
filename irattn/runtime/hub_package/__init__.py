"""Writes attention as a package for Hugging Face `kernels`, which needs PyTorch and no irattn."""

from irattn.runtime.hub_package.folder import package_name, write_package
from irattn.runtime.hub_package.readme import Certified
from irattn.runtime.hub_package.specs import HubSpec, hub_specs

__all__ = ["Certified", "HubSpec", "hub_specs", "package_name", "write_package"]
