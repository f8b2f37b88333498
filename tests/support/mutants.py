"""Mutated artifacts and bundles, by number, and what becomes of each when it is loaded.

Not among them, because nothing can tell: a changed program, which is machine code or bytecode,
whose hash was changed to match. That is another artifact, and may do anything. Everything around
the programs is mutated with its hashes made to match too.
"""

import dataclasses
import io
import json
import random
import re
import stat
import struct
import sys
import zipfile
import zlib
from functools import cache
from pathlib import Path

import numpy as np

import irattn
import irattn.runtime
from irattn.binary.manifest import compilation_key, sha256
from irattn.binary.vmfb import read_module
from irattn.compiling import catalog
from irattn.compiling.artifact import read_artifact
from irattn.compiling.bundles import bundle_of
from irattn.core.errors import IrattnError
from irattn.core.stored_zip import write_stored
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.specs import spec_from_dict

NAMES = ("gqa_causal_tiny", "gqa_decode_tiny")
TARGETS = ("x86-64-v3", "gfx1100")
FILES = ("manifest.json", "module.mlir", "module.vmfb")

NESTED = "[" * 100_000 + "]" * 100_000
VALUES = (
    *(None, True, 0, -1, 1, 2.5, 10**40, float("nan"), "", "attention", "gfx942", "x" * 5000),
    *("\ud800", "../up", [], {}, [[]], [None], {"op": "attention"}, {"op": []}, {"": {"": {}}}),
)


def parts_of(folder):
    return {file: (folder / file).read_bytes() for file in FILES}


def flip(rng, data, start=0, end=None):
    at = rng.randrange(start, end or len(data))
    return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]


def cut(rng, data):
    return data[: rng.randrange(len(data))]


def edit(rng, fields, depth=0):
    """One change somewhere in a JSON value."""
    if isinstance(fields, dict) and fields and (depth < 3 and rng.random() < 0.8):
        fields = dict(fields)
        name = rng.choice(sorted(fields))
        how = rng.randrange(6)
        if how == 0:
            del fields[name]
        elif how == 1:
            fields[rng.choice(["unknown", "", name + "_"])] = rng.choice(VALUES)
        else:
            fields[name] = edit(rng, fields[name], depth + 1)
        return fields
    if isinstance(fields, list) and fields and rng.random() < 0.6:
        at = rng.randrange(len(fields))
        return [*fields[:at], edit(rng, fields[at], depth + 1), *fields[at + 1 :]]
    return rng.choice(VALUES)


def to_json(rng, fields):
    text = json.dumps(fields, indent=2)
    if rng.random() < 0.05:
        text = text.replace("{", '{"spec": ' + NESTED + ",", 1)
    elif rng.random() < 0.05:
        text = text.replace("{", '{"format_version": 2,', 1)
    return text.encode()


def sealed(parts, rekey=False):
    """The parts with the hashes in the manifest, and its key if asked for, made to match."""
    manifest = json.loads(parts["manifest.json"])
    manifest["sha256"] = {file: sha256(parts[file]) for file in FILES[1:]}
    if rekey:
        manifest["key"] = compilation_key(manifest)
    return {**parts, "manifest.json": json.dumps(manifest).encode()}


def flip_a_file(rng, parts, other):
    file = rng.choice(FILES)
    return {**parts, file: flip(rng, parts[file])}


def cut_a_file(rng, parts, other):
    file = rng.choice(FILES)
    return {**parts, file: cut(rng, parts[file])}


def remove_a_file(rng, parts, other):
    removed = rng.choice(FILES)
    return {file: parts[file] for file in FILES if file != removed}


def swap_a_file(rng, parts, other):
    file = rng.choice(FILES)
    return {**parts, file: other[file]}


def swap_the_module_and_seal(rng, parts, other):
    return sealed({**parts, "module.vmfb": other["module.vmfb"]})


def edit_the_manifest(rng, parts, other):
    fields = edit(rng, json.loads(parts["manifest.json"]))
    return {**parts, "manifest.json": to_json(rng, fields)}


def edit_the_manifest_and_rekey(rng, parts, other):
    fields = json.loads(parts["manifest.json"])
    name = rng.choice(sorted(fields))
    fields[name] = edit(rng, fields[name], 1)
    if name == "spec" and is_another_of_the_same_tensors(fields):
        return parts
    parts = {**parts, "manifest.json": to_json(rng, fields)}
    try:
        return sealed(parts, rekey=True)
    except (KeyError, ValueError, RecursionError):
        return parts


def is_another_of_the_same_tensors(fields):
    """Whether it is a spec that fits all the rest: a forgery, as a manifest is not signed."""
    try:
        spec = spec_from_dict(fields["spec"]).compiled
    except IrattnError:
        return False
    told = [[tensor.to_dict() for tensor in side] for side in (spec.inputs, spec.outputs)]
    return told == [fields["inputs"], fields["outputs"]]


def flip_the_text_and_seal(rng, parts, other):
    return sealed({**parts, "module.mlir": flip(rng, parts["module.mlir"])}, rekey=True)


def cut_the_module_and_seal(rng, parts, other):
    return sealed({**parts, "module.vmfb": cut(rng, parts["module.vmfb"])})


def flip_the_module_and_seal(rng, parts, other):
    """Flip bits around the programs: ZIP headers, tables, offsets, names; one or several."""
    vmfb = parts["module.vmfb"]
    places = around_programs(vmfb)
    for _ in range(rng.choice((1, 1, 2, 8))):
        at = rng.choice(places)
        vmfb = flip(rng, vmfb, at, at + 1)
    return sealed({**parts, "module.vmfb": with_checksum(vmfb) if rng.random() < 0.8 else vmfb})


@cache
def around_programs(vmfb):
    """Offsets of all bytes of a module that are no program."""
    module = read_module(vmfb)
    programs = [module.bytecode, *(data for data in module.rodata if len(data) > 1000)]
    inside = bytearray(len(vmfb))
    for program in programs:
        start = vmfb.index(program)
        inside[start : start + len(program)] = b"\1" * len(program)
    return [at for at, is_program in enumerate(inside) if not is_program]


def with_checksum(vmfb):
    """The module with the checksum of its first member made to match, if it still has one."""
    try:
        with zipfile.ZipFile(io.BytesIO(vmfb)) as archive:
            info = archive.infolist()[0]
            entry = archive.start_dir
    except Exception:
        return vmfb
    start = 30 + sum(struct.unpack_from("<2H", vmfb, 26))
    crc = struct.pack("<I", zlib.crc32(vmfb[start : start + info.file_size]))
    vmfb = vmfb[:14] + crc + vmfb[18:]
    return vmfb[: entry + 16] + crc + vmfb[entry + 20 :]


FOLDER_MUTATIONS = (
    *(flip_a_file, cut_a_file, remove_a_file, swap_a_file, swap_the_module_and_seal),
    *(edit_the_manifest, edit_the_manifest, edit_the_manifest_and_rekey),
    *(edit_the_manifest_and_rekey, flip_the_text_and_seal, cut_the_module_and_seal),
    *(flip_the_module_and_seal,) * 6,
)


def bundle_flip(rng, members, data):
    return flip(rng, data)


def bundle_cut(rng, members, data):
    return cut(rng, data)


def bundle_edit_index(rng, members, data):
    fields = edit(rng, json.loads(members["bundle.json"]))
    return write_stored({**members, "bundle.json": to_json(rng, fields)})


def bundle_edit_and_seal(rng, members, data):
    """Mutate the artifact of a variant, and make every hash match that of the bundle too."""
    folder = rng.choice(sorted({path.rpartition("/")[0] for path in members} - {""}))
    parts = {file: members[f"{folder}/{file}"] for file in FILES}
    mutate = rng.choice([m for m in FOLDER_MUTATIONS if m is not remove_a_file])
    other = {file: members[f"gfx1100/gqa_decode_tiny/{file}"] for file in FILES}
    mutated = mutate(rng, parts, other)
    return sealed_bundle(members | {f"{folder}/{file}": mutated[file] for file in FILES})


def sealed_bundle(members):
    index = json.loads(members["bundle.json"])
    index["sha256"] = {path: sha256(data) for path, data in members.items() if "/" in path}
    return write_stored({**members, "bundle.json": json.dumps(index).encode()})


def bundle_swap(rng, members, data):
    """Two members change places, with the hashes of the bundle made to match."""
    one, two = rng.sample([path for path in members if "/" in path], 2)
    return sealed_bundle({**members, one: members[two], two: members[one]})


def bundle_reorder(rng, members, data):
    paths = list(members)
    rng.shuffle(paths)
    return write_stored({path: members[path] for path in paths})


def bundle_rezip(rng, members, data):
    """Duplicates, compression, links, and paths that lead elsewhere."""
    buffer = io.BytesIO()
    victim = rng.choice(list(members))
    how = rng.randrange(6)
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, contents in members.items():
            info = zipfile.ZipInfo(path)
            if path == victim and how == 0:
                archive.writestr(zipfile.ZipInfo(path), contents)
            elif path == victim and how == 1:
                info.compress_type = zipfile.ZIP_DEFLATED
            elif path == victim and how == 2:
                info.external_attr = (stat.S_IFLNK | 0o777) << 16
            elif path == victim and how == 3:
                info.filename = rng.choice(["/", "../", "C:/", "a/../../", "./", "a\\..\\"]) + path
            archive.writestr(info, contents)
        if how == 4:
            archive.writestr("bomb", b"\0" * 1_000_000, zipfile.ZIP_DEFLATED)
        if how == 5:
            archive.comment = b"x" * rng.randrange(1, 99)
    return buffer.getvalue()


def bundle_lie(rng, members, data):
    """A number in a header says something else."""
    magic = rng.choice([b"PK\3\4", b"PK\1\2", b"PK\5\6"])
    places = [found.start() for found in re.finditer(re.escape(magic), data)]
    at = rng.choice(places) + rng.randrange(4, 22 if magic == b"PK\5\6" else 30)
    return data[:at] + struct.pack("<I", rng.choice((0, 1, 0xFFFF, 0xFFFFFFFF))) + data[at + 4 :]


def bundle_surround(rng, members, data):
    junk = rng.randbytes(rng.randrange(1, 99))
    return junk + data if rng.random() < 0.5 else data + junk


BUNDLE_MUTATIONS = (
    *(bundle_flip, bundle_cut, bundle_edit_index, bundle_edit_index, bundle_edit_and_seal),
    *(bundle_edit_and_seal, bundle_edit_and_seal, bundle_swap, bundle_reorder, bundle_rezip),
    *(bundle_rezip, bundle_lie, bundle_lie, bundle_surround),
)


class Mutants:
    """Mutant number n is the same in every process."""

    def __init__(self, store, bundle):
        self.bundle = bundle.read_bytes()
        self.members = read_members(self.bundle)
        self.folders = {(t, n): parts_of(store / t / n) for t in TARGETS for n in NAMES}
        self.expected = {name: self._expected(name) for name in NAMES}

    def _expected(self, name):
        spec = catalog.get(name)
        tensors = random_tensors(spec)
        return spec, tensors, reference(spec, tensors)

    def outcome(self, number, scratch):
        """What became of a mutant: how it was made, and `refused: …`, `right` or `WRONG: …`."""
        rng = random.Random(number)
        if rng.random() < 0.5:
            mutate = rng.choice(BUNDLE_MUTATIONS)
            data = mutate(rng, self.members, self.bundle)
            return mutate.__name__, self._judge(lambda: self._run_bundle(data))
        target, name = rng.choice(list(self.folders))
        mutate = rng.choice(FOLDER_MUTATIONS)
        other = self.folders[rng.choice([key for key in self.folders if key != (target, name)])]
        parts = mutate(rng, self.folders[target, name], other)
        for file in FILES:
            (scratch / file).unlink(missing_ok=True)
            if file in parts:
                (scratch / file).write_bytes(parts[file])
        return mutate.__name__, self._judge(lambda: self._run_folder(scratch, target))

    def _judge(self, run):
        try:
            wrong = run()
        except IrattnError as error:
            return f"refused: {error}"
        return f"WRONG: {wrong}" if wrong else "right"

    def _run_folder(self, scratch, target):
        artifact = read_artifact(scratch)
        # Without a GPU, reading is as far as its code gets.
        return self._compare(irattn.load(artifact)) if target != "gfx1100" else None

    def _run_bundle(self, data):
        bundle = bundle_of(Path("mutant.irattn"), data)
        for name, variants in bundle.entries.items():
            for target in variants:
                bundle.artifact(name, target)
            wrong = self._compare(irattn.runtime.load_variant(bundle, name, "cpu"))
            if wrong:
                return wrong
        return None

    def _compare(self, kernel):
        for spec, tensors, expected in self.expected.values():
            if spec == kernel.spec:
                (output,) = kernel.outputs(**tensors)
                close = np.allclose(output, expected[0], atol=1e-4)
                return None if close else f"off by {np.abs(output - expected[0]).max()}"
        return f"another spec: {dataclasses.asdict(kernel.spec)}"


def read_members(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {path: archive.read(path) for path in archive.namelist()}


def main(store, bundle, scratch, first, last, step):
    """Print the outcome of some mutants, one a line; a number without one was the last."""
    mutants = Mutants(Path(store), Path(bundle))
    for number in range(int(first), int(last), int(step)):
        print(number, end=" ", flush=True)
        outcome = " ".join(mutants.outcome(number, Path(scratch)))
        print(outcome.encode("unicode_escape").decode(), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
