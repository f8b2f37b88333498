"""Nothing is read beyond an argument: each ends where memory does that nobody may read."""

import subprocess
import sys

import pytest

import irattn
from irattn import AttentionSpec, PackedAttentionSpec, PagedAttentionSpec

pytestmark = pytest.mark.slow

CODE = """
import ctypes, mmap, sys
import numpy as np
import irattn
from irattn.lab.inputs import random_tensors

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]

def at_the_end(array):
    size = -(-array.nbytes // 4096) * 4096
    start = libc.mmap(None, size + 4096, 3, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
    assert libc.mprotect(start + size, 4096, 0) == 0
    memory = (ctypes.c_char * array.nbytes).from_address(start + size - array.nbytes)
    placed = np.frombuffer(memory, array.dtype).reshape(array.shape)
    placed[...] = array
    return placed

for folder, ends in eval(sys.argv[1]):
    print(folder, ends, flush=True)
    run = irattn.load(folder, device="local-sync")
    tensors = random_tensors(run.spec)
    for name, places in ends.items():
        tensors[name] = np.array(places, np.int32)
    tensors = {name: at_the_end(array) for name, array in tensors.items()}
    assert np.isfinite(run(**tensors).astype(np.float32)).all()
"""

PACKED = PackedAttentionSpec(
    batch=3, num_q_heads=4, num_kv_heads=4, q_tokens=256, kv_tokens=256, head_dim=64, causal=True,
    io_dtype="f32",
)  # fmt: skip
OTHERS = [
    AttentionSpec(
        batch=2, num_q_heads=4, num_kv_heads=2, q_len=65, kv_len=77, head_dim=64, causal=True,
        ragged=True, io_dtype="f32",
    ),
    AttentionSpec(
        num_q_heads=32, num_kv_heads=4, q_len=5, kv_len=601, head_dim=64, bias="hqk",
        io_dtype="f32",
    ),
    AttentionSpec(num_q_heads=4, num_kv_heads=1, q_len=1, kv_len=177, head_dim=64, io_dtype="f32"),
    PagedAttentionSpec(
        batch=3, num_q_heads=48, num_kv_heads=4, q_len=1, head_dim=64, num_blocks=64, max_blocks=20,
        io_dtype="f32",
    ),
]  # fmt: skip
CALLS = [
    # The padding begins where the tokens end.
    (PACKED, {"cu_seqlens_q": [0, 100, 200, 256], "cu_seqlens_k": [0, 100, 200, 256]}),
    # A sequence without keys, at the end.
    (PACKED, {"cu_seqlens_q": [0, 100, 200, 256], "cu_seqlens_k": [0, 200, 256, 256]}),
    # One without queries.
    (PACKED, {"cu_seqlens_q": [0, 100, 256, 256], "cu_seqlens_k": [0, 100, 200, 256]}),
    *((spec, {}) for spec in OTHERS),
]


@pytest.mark.parametrize("formulation", ["fused", "blocked"])
def test_no_argument_is_left(formulation, tmp_path):
    """In a process of its own, which says what it calls before it does."""
    calls = []
    for spec, ends in CALLS:
        artifact = irattn.compile(spec, target="cpu", formulation=formulation, out=tmp_path)
        calls.append((str(artifact.path), ends))
    done = subprocess.run([sys.executable, "-c", CODE, repr(calls)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("\n") == len(CALLS)
