"""Check that the files of an artifact are whole, well formed, and those of its manifest.

Hashes cannot show that whoever changed a program, machine code or bytecode, changed its hash too:
such an artifact is another one, and is as trustworthy as its author. What is checked here is that
the parts belong together.
"""

import re

from irattn.binary.manifest import MLIR, VMFB, Manifest, sha256
from irattn.binary.vmfb import ASYNC_SUFFIX, BYTECODE_VERSION, CompiledModule, read_module
from irattn.core.dtypes import dtype
from irattn.core.errors import ArtifactError, printable, shown
from irattn.core.tensors import DynamicSize, TensorType
from irattn.specs import Spec, spec_from_dict
from irattn.targets import Target
from irattn.targets import get as get_target

# How the executables of a driver begin; the constants of a module hold them, and names.
_EXECUTABLES = {"hip": b"HIP1", "cuda": b"CDA1", "local": b"\x7fELF"}
# What the runtime calls when it loads a module, and the calling convention of nothing to nothing.
_INIT, _TAKES_NOTHING = "__init", "0v_v"
_GFX_OF_CODE = re.compile(rb"-amd-amdhsa-[a-z]*-(gfx[0-9a-f]+)")
_DECLARATION = re.compile(r"(a?sync) func @([\w$]+)\((.*)\) -> \((.*)\)")
_TENSOR = re.compile(r"%\w+: tensor<([^<>]*)>")


def check_contents(manifest: Manifest, mlir: bytes, vmfb: bytes) -> None:
    """Refuse files that are not those of the manifest; ArtifactError names the file."""
    for name, data in ((MLIR, mlir), (VMFB, vmfb)):
        if sha256(data) != manifest.sha256[name]:
            raise ArtifactError(
                f"{name}: altered or truncated (its sha256 differs from the manifest's)"
            )
    try:
        mlir.decode()
    except UnicodeDecodeError as error:
        raise ArtifactError(f"{MLIR}: not text: {error}") from error
    try:
        _check_module(manifest, vmfb)
    except (ArtifactError, RecursionError) as error:
        raise ArtifactError(f"{VMFB}: {printable(error)}") from error


def _check_module(manifest: Manifest, vmfb: bytes) -> None:
    """Refuse a module that is malformed, or that is not what the manifest says."""
    module = read_module(vmfb)
    if module.bytecode_version != BYTECODE_VERSION:
        actual, wanted = (
            ".".join(map(str, version)) for version in (module.bytecode_version, BYTECODE_VERSION)
        )
        raise ArtifactError(f"expected bytecode version {wanted}, got {actual}")
    if not module.bytecode or len(module.exports) > len(module.functions):
        raise ArtifactError("expected a program, got none")
    _check_initialiser(module)
    spec = spec_from_dict(manifest.spec)
    _check_function(spec, manifest.dialect, module, spec.op, "sync")
    if spec.op + ASYNC_SUFFIX in module.exports:
        _check_function(spec, manifest.dialect, module, spec.op + ASYNC_SUFFIX, "async")
    _check_executables(get_target(manifest.target), module)


def _check_initialiser(module: CompiledModule) -> None:
    """Refuse one that takes or gives something: the runtime calls it unasked, with nothing."""
    if _INIT not in module.exports:
        return
    convention = module.function(_INIT).calling_convention
    if convention != _TAKES_NOTHING:
        raise ArtifactError(
            f"function {_INIT}: expected calling convention {_TAKES_NOTHING}, got "
            f"{shown(convention)}"
        )


def _check_function(spec: Spec, dialect: str, module: CompiledModule, name: str, kind: str) -> None:
    """Refuse a module that does not export a function of the spec's tensors."""
    function = module.function(name)
    if dialect == "torch" and not function.declaration:
        # The compiler keeps no declaration of these; their code checks the shapes of its inputs.
        return
    tensors = (spec.compiled.inputs, spec.compiled.outputs)
    expected = [[_mlir_type(tensor) for tensor in listed] for listed in tensors]
    declared = _DECLARATION.fullmatch(function.declaration)
    listed = [_TENSOR.findall(part) for part in declared.groups()[2:]] if declared else []
    if declared is None or declared.groups()[:2] != (kind, name) or listed != expected:
        raise ArtifactError(
            f"function {name}: expected {' and '.join(expected[0])} to "
            f"{' and '.join(expected[1])}, as the manifest has it, got "
            f"{shown(function.declaration)}"
        )


def _mlir_type(tensor: TensorType) -> str:
    sizes = ["?" if isinstance(size, DynamicSize) else str(size) for size in tensor.shape]
    return "x".join([*sizes, dtype(tensor.dtype).mlir])


def _check_executables(target: Target, module: CompiledModule) -> None:
    """Refuse machine code of another kind of device, or of another gfx."""
    for data in module.rodata:
        driver = next((name for name, magic in _EXECUTABLES.items() if data[:4] == magic), None)
        if driver is None:
            continue
        if driver != target.driver:
            raise ArtifactError(f"expected code for {target.name}, got code for {driver} devices")
        gfx = {of_code.decode() for of_code in _GFX_OF_CODE.findall(data)}
        if driver == "hip" and gfx != {target.name}:
            names = ", ".join(sorted(gfx)) or "code that names no gfx"
            raise ArtifactError(f"expected machine code of {target.name}, got {names}")
