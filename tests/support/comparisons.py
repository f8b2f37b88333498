"""Subjects of comparisons: an artifact with other texts, and figures made by hand."""

import dataclasses
import json

import irattn
from irattn import AttentionSpec, targets
from irattn.binary.inspection.figures import KernelFigures, ModuleFigures, Occupancy, StepFigures
from irattn.binary.manifest import MLIR, VMFB, compilation_key, sha256
from irattn.compiling.store import Store
from irattn.core.declared import read_as
from irattn.lab.comparison.subjects import Recorded, Subject
from irattn.rendering import GraphRequest
from support.compiled_once import compiled_once

# Small, and with the matrix tiles of a real one.
SPEC = AttentionSpec(num_q_heads=2, num_kv_heads=1, q_len=64, kv_len=64, head_dim=32, causal=True)

KERNEL = KernelFigures(
    name="attention_dispatch_0",
    vgprs=96,
    agprs=0,
    sgprs=30,
    vgpr_spills=0,
    sgpr_spills=0,
    scratch_bytes=0,
    lds_bytes=8192,
    wave_size=32,
    workgroup_size=(128, 1, 1),
    code_bytes=4000,
    code_sha256="a" * 64,
    occupancy=Occupancy(8, 10, 8, 16),
    instructions={"matrix": 32, "vector": 400, "scalar": 60, "lds": 20, "global": 16,
                  "scratch": 0, "wait": 30, "branch": 4},
)  # fmt: skip
MODULE = ModuleFigures(
    bytecode_version="16.0",
    signature="0rr_r",
    steps=(StepFigures("dispatch", KERNEL.name, (1, 2, 1), None, 1.0e6),),
    transient_bytes=4096,
    kernels=(KERNEL,),
)


def mutated(artifact, root, *edits, **manifest_fields):
    """The artifact with its MLIR text edited, compiled for its target and published."""
    text = artifact.mlir
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    target = targets.get(artifact.target)
    vmfb = compiled_once(text, target.flags)
    hashes = {MLIR: sha256(text.encode()), VMFB: sha256(vmfb)}
    manifest = dataclasses.replace(artifact.manifest, sha256=hashes, **manifest_fields)
    key = compilation_key(dataclasses.asdict(manifest))
    return Store(root).publish(dataclasses.replace(manifest, key=key), text, vmfb)


def with_kernel(**changes):
    return dataclasses.replace(MODULE, kernels=(dataclasses.replace(KERNEL, **changes),))


def recorded(module=MODULE, name="small", **manifest_fields):
    """A subject as a baseline file keeps it, with figures made by hand."""
    request = GraphRequest(SPEC, targets.get("gfx1100"))
    manifest = irattn.compiling.build._manifest(request, name, sha256(b"text"))
    manifest.sha256[VMFB] = sha256(repr(module).encode())
    manifest = dataclasses.replace(manifest, **manifest_fields)
    kept = read_as(ModuleFigures, json.loads(json.dumps(module.to_dict())))
    return Subject(manifest, recorded=Recorded("0" * 64, kept))
