"""What is checked before the runtime sees a file: bytes and manifests, on their own.

Hashes cannot show that whoever changed a program, machine code or bytecode, changed its hash too:
such an artifact is another one, and is as trustworthy as its author. What is checked here is that
the parts belong together and are well formed.
"""

import json
import re
import shlex
from dataclasses import fields as fields_of
from pathlib import Path
from typing import Any

from irattn import catalog
from irattn.dtypes import dtype
from irattn.errors import ArtifactError, IrattnError, UsageError
from irattn.manifest import FORMAT_VERSION, MLIR, VMFB, Manifest, compilation_key, sha256
from irattn.specs import Spec, apply_settings, spec_from_dict
from irattn.targets import Target
from irattn.targets import get as get_target
from irattn.tensors import DynamicSize, TensorType
from irattn.vmfb import BYTECODE_VERSION, Module, read_module

# Names that are safe as a folder's, with a suffix for the formulation or dialect.
PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+=-]{0,219}")

_MAX_JSON_BYTES = 1 << 20
_MAX_MESSAGE = 600

_TYPES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("name", "target", "dialect", "key"), (str,)),
    **dict.fromkeys(("irattn_version", "compiler", "compiler_version"), (str,)),
    **dict.fromkeys(("target_identity", "formulation"), (str, type(None))),
    **dict.fromkeys(("entry_points", "inputs", "outputs", "flags"), (list,)),
    **dict.fromkeys(("spec", "sha256"), (dict,)),
    "format_version": (int,),
}
_TYPE_NAMES = {str: "text", list: "a list", dict: "an object", int: "a number", type(None): "null"}

# How the executables of a driver begin; the constants of a module hold them, and names.
_EXECUTABLES = {"hip": b"HIP1", "cuda": b"CDA1", "local": b"\x7fELF"}
_GFX_OF_CODE = re.compile(rb"-amd-amdhsa-[a-z]*-(gfx[0-9a-f]+)")
_DECLARATION = re.compile(r"sync func @(\w+)\((.*)\) -> \((.*)\)")
_TENSOR = re.compile(r"%\w+: tensor<([^<>]*)>")


def parse_json(data: bytes) -> dict[str, Any]:
    """A JSON object; ArtifactError for anything else, and for a key that is there twice."""
    if len(data) > _MAX_JSON_BYTES:
        raise ArtifactError(f"expected at most {_MAX_JSON_BYTES} bytes, got {len(data)}")
    try:
        found = json.loads(
            data.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_refuse_constant
        )
    except (ValueError, RecursionError) as error:
        raise ArtifactError(f"not readable as JSON: {said(error)}") from error
    if not isinstance(found, dict):
        raise ArtifactError(f"expected a JSON object, got {_TYPE_NAMES.get(type(found), 'other')}")
    return found


def check_format(fields: dict[str, Any], version: int) -> None:
    """Refuse another format version before anything else is read."""
    found = fields.get("format_version")
    if type(found) is not int or found != version:
        raise ArtifactError(f"expected format version {version}, got {found!r:.40}")


def read_manifest_bytes(data: bytes) -> Manifest:
    """The manifest that these bytes are; ArtifactError where any field cannot be true."""
    return read_manifest_fields(parse_json(data))


def read_manifest_fields(fields: dict[str, Any]) -> Manifest:
    """The manifest of these fields; ArtifactError where any of them cannot be true."""
    check_format(fields, FORMAT_VERSION)
    try:
        manifest = _checked_manifest(fields)
        if manifest.key != compilation_key(fields):
            raise ArtifactError(
                "key: differs from the hash of the other fields: the manifest was edited"
            )
        return manifest
    except (IrattnError, RecursionError) as error:
        raise ArtifactError(f"not a manifest: {said(error)}") from error


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
        check_module(manifest, vmfb)
    except (ArtifactError, RecursionError) as error:
        raise ArtifactError(f"{VMFB}: {said(error)}") from error


def check_module(manifest: Manifest, vmfb: bytes) -> None:
    """Refuse a module that is malformed, or that is not what the manifest says."""
    module = read_module(vmfb)
    if module.bytecode_version != BYTECODE_VERSION:
        found, wanted = (
            ".".join(map(str, version)) for version in (module.bytecode_version, BYTECODE_VERSION)
        )
        raise ArtifactError(f"expected bytecode version {wanted}, got {found}")
    if not module.bytecode or len(module.exports) > len(module.functions):
        raise ArtifactError("expected a program, got none")
    _check_function(manifest, module)
    _check_executables(get_target(manifest.target), module)


def said(error: BaseException) -> str:
    """An error's message, short and printable whatever the file put into it."""
    text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(error))
    return text if len(text) <= _MAX_MESSAGE else f"{text[:_MAX_MESSAGE]}…"


def remedy(path: Path) -> str:
    """How to make the artifact of a folder `<out>/<target>/<name>` again, or one of a bundle."""
    out, target, name = path.absolute().parent.parent, path.parent.name, path.name
    if out.suffix == ".irattn":
        return f"bundle it again: `irattn bundle -o {shlex.quote(str(out))} {name} --target …`"
    words = _compile_words(name, target)
    if words is None:
        return "compile it again"
    return f"compile it again: `{shlex.join([*words, '--out', str(out)])}`"


def _compile_words(name: str, target: str) -> list[str] | None:
    """The command line that an artifact's name stands for; None for one made from Python."""
    options: list[str] = []
    for suffix, option in (
        (".torch", ["--dialect", "torch"]),
        (".fused", ["--formulation", "fused"]),
        (".blocked", ["--formulation", "blocked"]),
    ):
        if name.endswith(suffix):
            name, options = name.removesuffix(suffix), option
    base, *settings = name.split("+")
    try:
        get_target(target)
        apply_settings(catalog.get(base), tuple(settings))
    except UsageError:
        return None
    sets = [word for setting in settings for word in ("--set", setting)]
    return ["irattn", "compile", base, "--target", target, *options, *sets]


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is there twice")
    return found


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _checked_manifest(fields: dict[str, Any]) -> Manifest:
    known = {field.name for field in fields_of(Manifest)}
    for name in sorted(known ^ set(fields)):
        raise ArtifactError(f"{name:.40}: " + ("missing" if name in known else "not a field"))
    for name, types in _TYPES.items():
        if type(fields[name]) not in types:
            expected = " or ".join(_TYPE_NAMES[one] for one in types)
            raise ArtifactError(f"{name}: expected {expected}, got {fields[name]!r:.80}")
    manifest = Manifest(**fields)
    if not PLAIN_NAME.fullmatch(manifest.name):
        raise ArtifactError(f"name: expected a plain folder name, got {manifest.name!r:.80}")
    if not all(isinstance(flag, str) for flag in manifest.flags):
        raise ArtifactError("flags: expected a list of text")
    if set(manifest.sha256) != {MLIR, VMFB} or not all(
        isinstance(digest, str) for digest in manifest.sha256.values()
    ):
        raise ArtifactError(f"sha256: expected the hashes of {MLIR} and {VMFB}")
    _check_target(manifest)
    _check_derived(manifest, _checked_spec(manifest.spec))
    return manifest


def _check_target(manifest: Manifest) -> None:
    name = manifest.target[:64]
    if get_target(name).name != manifest.target:
        raise ArtifactError(f"target: expected {get_target(name).name}, got {name!r}")
    if (manifest.target_identity is None) != (name != "cpu"):
        raise ArtifactError("target_identity: only the target cpu has one, and it must")


def _checked_spec(fields: dict[str, Any]) -> Spec:
    try:
        return spec_from_dict(fields)
    except (TypeError, ValueError, AttributeError, ArithmeticError, LookupError) as error:
        raise ArtifactError(f"spec: {error}") from error


def _check_derived(manifest: Manifest, spec: Spec) -> None:
    """Compare as JSON what follows from the spec: to Python, 1 and true are equal."""
    derived = {
        "entry_points": [spec.op],
        "inputs": [tensor.to_dict() for tensor in spec.compiled.inputs],
        "outputs": [tensor.to_dict() for tensor in spec.compiled.outputs],
    }
    for name, expected in derived.items():
        found = getattr(manifest, name)
        if json.dumps(found, sort_keys=True) != json.dumps(expected, sort_keys=True):
            raise ArtifactError(f"{name}: expected {expected}, as the spec has it, got {found!r}")


def _check_function(manifest: Manifest, module: Module) -> None:
    """Refuse a module that does not export the spec's function with the spec's tensors."""
    spec = spec_from_dict(manifest.spec)
    function = module.function(spec.op)
    if manifest.dialect == "torch" and not function.declaration:
        # The compiler keeps no declaration of these; their code checks the shapes of its inputs.
        return
    tensors = (spec.compiled.inputs, spec.compiled.outputs)
    expected = [[_mlir_type(tensor) for tensor in listed] for listed in tensors]
    found = _DECLARATION.fullmatch(function.declaration)
    listed = [_TENSOR.findall(part) for part in found.groups()[1:]] if found else []
    if found is None or found[1] != spec.op or listed != expected:
        raise ArtifactError(
            f"function {spec.op}: expected {' and '.join(expected[0])} to "
            f"{' and '.join(expected[1])}, as the manifest has it, got {function.declaration!r}"
        )


def _mlir_type(tensor: TensorType) -> str:
    sizes = ["?" if isinstance(size, DynamicSize) else str(size) for size in tensor.shape]
    return "x".join([*sizes, dtype(tensor.dtype).mlir])


def _check_executables(target: Target, module: Module) -> None:
    """Refuse machine code of another kind of device, or of another gfx."""
    for data in module.rodata:
        driver = next((name for name, magic in _EXECUTABLES.items() if data[:4] == magic), None)
        if driver is None:
            continue
        if driver != target.driver:
            raise ArtifactError(f"expected code for {target.name}, got code for {driver} devices")
        gfx = {found.decode() for found in _GFX_OF_CODE.findall(data)}
        if driver == "hip" and gfx != {target.name}:
            names = ", ".join(sorted(gfx)) or "code that names no gfx"
            raise ArtifactError(f"expected machine code of {target.name}, got {names}")
