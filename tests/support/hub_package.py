"""Packages for Hugging Face `kernels`: written, imported as that does, and run on the stand-in."""

import importlib.util
import json
import sys

import irattn
from irattn.compiling import catalog
from irattn.lab.emulated_gpu import device as emulated_device
from irattn.runtime.hub_package import hub_specs, write_package


def written(folder, target, **fields):
    """A package for one target, of tiny heads with these features."""
    spec = catalog.get("gqa_causal_tiny").replace(**{"io_dtype": "f16", **fields})
    specs = hub_specs("tiny", spec)
    artifacts = [irattn.compile(one.spec, target=target, name=name) for name, one in specs.items()]
    write_package(specs, artifacts, folder, {})
    return folder


def loaded(folder, backend="rocm"):
    """The package, imported anew."""
    place = folder / f"build/torch-{backend}"
    name = json.loads((place / "metadata.json").read_text())["id"]
    path = place / folder.name.replace("-", "_") / "__init__.py"
    for known in [one for one in sys.modules if one.partition(".")[0] == name]:
        del sys.modules[known]
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def part(package, name):
    """A module of a package."""
    return sys.modules[f"{package.__name__}.{name}"]


def asked_of(package, monkeypatch):
    """The ops of the kernels that calls of a package ask for from now on."""
    functions, ops = part(package, "runtime.hub.functions"), []
    theirs = functions._kernel
    monkeypatch.setattr(
        functions, "_kernel", lambda one, *tensors: ops.append(one.op) or theirs(one, *tensors)
    )
    return ops


def put_on(stand_in, package, target, monkeypatch):
    """Let a package run on an emulated GPU, which is told of each tensor that a kernel gets."""
    known = set()

    def addresses(memory, tensors):
        for given in tensors:
            # A view's memory is that of others, too.
            storage = getattr(given, "tensor", given).untyped_storage()
            if storage.data_ptr() not in known:
                known.add(storage.data_ptr())
                stand_in.register(storage.data_ptr(), storage.nbytes(), storage)
        return [tensor.data_ptr() for tensor in tensors]

    kernels = part(package, "runtime.hub.kernels")
    monkeypatch.setattr(kernels.TorchMemory, "addresses", addresses)
    monkeypatch.setattr(kernels, "driver", lambda: emulated_device.direct_driver(target))
