"""The folder of a package: `build/torch-rocm/` and `build/torch-cuda/`, each whole by itself."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from irattn.binary.compiled import Compiled
from irattn.binary.exporting import LAUNCH_JSON
from irattn.binary.launches import launch_plan_and_files
from irattn.core.errors import UsageError
from irattn.core.folders import new_folder
from irattn.runtime.hub.variants import INDEX
from irattn.runtime.hub_package.readme import Certified, readme
from irattn.runtime.hub_package.sources import sources
from irattn.runtime.hub_package.specs import HubSpec
from irattn.targets import get as get_target
from irattn.targets.architectures import capability

# By driver: how `kernels` calls PyTorch's builds.
_BACKENDS = {"hip": "rocm", "cuda": "cuda"}
_NAME = re.compile(r"[a-z][-a-z0-9]*[a-z0-9]")
_LICENSE = "Apache-2.0"
_VERSION = 1


def package_name(folder: Path) -> str:
    """The package's name as `kernels` has them: that of the folder; UsageError where it is none."""
    name = folder.absolute().name.lower().replace("_", "-").replace(".", "-")
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"--torch: expected a folder with a name of letters, digits and dashes, which the "
            f"package is called by, got {folder.name!r}"
        )
    return name


def write_package(
    specs: Mapping[str, HubSpec],
    artifacts: Sequence[Compiled],
    folder: Path,
    certificates: Mapping[str, Sequence[Certified]],
) -> dict[str, int]:
    """Write a new folder; gives the bytes of each file.

    Artifacts are those of `specs`, by the names of their manifests, for any GPUs. `certificates`
    are by the hash of an artifact's module. The folder appears complete or not at all. UsageError
    for an artifact that is for a CPU, and for a folder that holds anything already.
    """
    name = package_name(folder)
    files = {"README.md": readme(name, specs, artifacts, certificates).encode()}
    for driver, backend in _BACKENDS.items():
        own = [one for one in artifacts if get_target(one.target).driver == driver]
        if own:
            files |= _variant_files(name, backend, specs, own, certificates)
    with new_folder(folder, "--torch", f"package {name}") as staging:
        for path, data in files.items():
            place = staging / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
    return {path: len(data) for path, data in files.items()}


def _variant_files(
    name: str,
    backend: str,
    specs: Mapping[str, HubSpec],
    artifacts: Sequence[Compiled],
    certificates: Mapping[str, Sequence[Certified]],
) -> dict[str, bytes]:
    title = f"Attention kernels for PyTorch, {backend}: {name}."
    package = {path: text.encode() for path, text in sources(title).items()}
    index = {one: _entry(hub_spec) for one, hub_spec in specs.items()}
    for artifact in artifacts:
        plan, code = launch_plan_and_files(artifact)
        place = f"{artifact.target}/{plan.identifier}"
        index[plan.name]["folders"][artifact.target] = place
        launch = json.dumps(plan.to_dict(), separators=(",", ":")).encode()
        for file, data in {LAUNCH_JSON: launch, **code}.items():
            package[f"data/{place}/{file}"] = data
        for one in certificates.get(plan.vmfb_sha256, ()):
            package[f"certificates/{artifact.target}/{one.file}"] = one.text
    package[f"data/{INDEX}"] = _json([*index.values()])
    root = f"build/torch-{backend}"
    targets = list(dict.fromkeys(artifact.target for artifact in artifacts))
    metadata = _metadata(name, backend, targets, package)
    return {
        f"{root}/metadata.json": _json(metadata),
        **{f"{root}/{name.replace('-', '_')}/{path}": data for path, data in package.items()},
    }


def _entry(hub_spec: HubSpec) -> dict[str, Any]:
    return {"takes": asdict(hub_spec.takes), "block_size": hub_spec.block_size, "folders": {}}


def _metadata(
    name: str, backend: str, targets: Sequence[str], package: Mapping[str, bytes]
) -> dict[str, Any]:
    """The file that `kernels` reads; `id` is the name of the module in a process."""
    digest = hashlib.sha256()
    for path, data in sorted(package.items()):
        digest.update(hashlib.sha256(path.encode()).digest() + hashlib.sha256(data).digest())
    return {
        "id": f"{name.replace('-', '_')}_{backend}_{digest.hexdigest()[:16]}",
        "name": name,
        "version": _VERSION,
        "license": _LICENSE,
        "python-depends": [],
        "backend": {"type": backend, "archs": [_arch(target) for target in targets]},
    }


def _arch(target: str) -> str:
    """A target as `kernels` calls it: `8.0+PTX` of sm_80, which later GPUs translate."""
    if not target.startswith("sm_"):
        return target
    major, minor = divmod(capability(target), 10)
    return f"{major}.{minor}+PTX"


def _json(data: Any) -> bytes:
    return (json.dumps(data, indent=2) + "\n").encode()
