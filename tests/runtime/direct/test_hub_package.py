"""Packages for Hugging Face `kernels`: loaded with PyTorch alone, right on the stand-in for HIP."""

import math
import os
import shutil
import subprocess
import sys
from itertools import pairwise

import pytest

from support.hub_package import asked_of, loaded, part, put_on, written
from support.places import TESTS

torch = pytest.importorskip("torch", reason="needs PyTorch: pip install 'irattn[torch]'")

from torch.utils._python_dispatch import TorchDispatchMode  # noqa: E402


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    pytest.importorskip("tinygrad", reason="needs AMD's tables: pip install 'irattn[isa]'")
    return written(tmp_path_factory.mktemp("hub") / "tiny-flash", "gfx1100", window=(5, None))


@pytest.fixture
def package(folder, gpu, monkeypatch):
    """The package on the emulated GPU."""
    package = loaded(folder)
    put_on(gpu, package, "gfx1100", monkeypatch)
    return package


@pytest.fixture
def asked(package, monkeypatch):
    return asked_of(package, monkeypatch)


def drawn(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed)).half()


def expected(q, k, v, *, causal, window=None, cap=None, sinks=None):
    """float64 attention of `[tokens, heads, dim]`, aligned to the last query and key."""
    q, k, v = (x.double().transpose(0, 1) for x in (q, k, v))
    k, v = (x.repeat_interleave(len(q) // len(k), 0) for x in (k, v))
    logits = q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])
    if cap is not None:
        logits = cap * torch.tanh(logits / cap)
    queries, keys = logits.shape[1:]
    ahead = torch.arange(keys)[None] - (torch.arange(queries)[:, None] + keys - queries)
    hidden = (ahead > 0) if causal else torch.zeros_like(ahead, dtype=torch.bool)
    if window is not None:
        hidden |= ahead < -window
    logits = logits.masked_fill(hidden, -math.inf)
    if sinks is not None:
        # One more key, of no value.
        logits = torch.cat([logits, sinks.double()[:, None, None].expand(-1, queries, 1)], -1)
    weights = logits.softmax(-1).nan_to_num(0.0)[..., :keys]
    return (weights @ v).transpose(0, 1)


def assert_close(found, wanted):
    torch.testing.assert_close(found.double(), wanted, rtol=4e-3, atol=2e-3)


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize(("q_len", "kv_len"), [(1, 7), (33, 33), (5, 20)])
def test_a_batch_of_one_length(package, causal, q_len, kv_len):
    q, k, v = drawn(2, q_len, 4, 32), drawn(2, kv_len, 2, 32, seed=1), drawn(2, kv_len, 2, 32)
    found = package.flash_attn_func(q, k, v, causal=causal)
    assert found.shape == q.shape
    for i in range(2):
        assert_close(found[i], expected(q[i], k[i], v[i], causal=causal))


@pytest.mark.parametrize("q_len", [1, 3])
def test_a_few_queries_over_many_keys(package, asked, q_len):
    """Keys of a sequence are shared by workgroups; the second call has what the first has made."""
    q = drawn(2, q_len, 4, 32)
    for kv_len in (600, 515):
        k, v = drawn(2, kv_len, 2, 32, seed=1), drawn(2, kv_len, 2, 32, seed=2)
        found = package.flash_attn_func(q, k, v, causal=True)
        for i in range(2):
            assert_close(found[i], expected(q[i], k[i], v[i], causal=True))
    assert asked == ["few", "few"]
    package.flash_attn_func(q, k, v, causal=True, window_size=(5, 0))
    package.flash_attn_func(drawn(2, 9, 4, 32), k, v, causal=True)
    assert asked[2:] == ["packed", "packed"]


class Operations(TorchDispatchMode):
    """The operations that PyTorch is asked for, views and new tensors included."""

    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        self.names.append(function.name())
        return function(*args, **(kwargs or {}))


def operations(call):
    """The operations that a call asks of PyTorch, once its sizes are known."""
    call()
    with Operations() as mode:
        call()
    return mode.names


@pytest.mark.parametrize("page_size", [16, 64])
@pytest.mark.parametrize("writes", [True, False])
def test_what_a_call_over_pages_asks_of_pytorch(package, page_size, writes):
    """A tensor for the result, one for what is found of pages, and one for parts of the keys."""
    lengths = torch.tensor([16, 35, -1], dtype=torch.int32)
    table = torch.tensor([[3, 0, -1], [5, 1, 2], [-1, -1, -1]], dtype=torch.int32)
    k_cache, v_cache = (drawn(7, page_size, 2, 32, seed=seed) for seed in (1, 2))
    q, k, v = drawn(3, 1, 4, 32), drawn(3, 1, 2, 32, seed=3), drawn(3, 1, 2, 32)
    new = (k, v) if writes else ()
    places = {"cache_seqlens": lengths, "block_table": table}
    names = operations(lambda: package.flash_attn_with_kvcache(q, k_cache, v_cache, *new, **places))
    assert names == 3 * ["aten::empty.memory_format"] + ["aten::view"]


@pytest.mark.parametrize(("kv_len", "most"), [(40, 2), (600, 4)])
def test_what_a_call_asks_of_pytorch(package, kv_len, most):
    q, k = drawn(2, 1, 4, 32), drawn(2, kv_len, 2, 32, seed=1)
    assert len(operations(lambda: package.flash_attn_func(q, k, k))) == most


def by_heads(*shape, seed):
    """Keys or values `[batch, tokens, heads, dim]` as transformers' caches have them."""
    batch, tokens, heads, dim = shape
    return drawn(batch, heads, tokens, dim, seed=seed).transpose(1, 2)


@pytest.mark.parametrize("q_len", [1, 3])
def test_a_few_queries_over_keys_by_heads(package, asked, q_len):
    """The keys stay where they are: of few queries alone the order is another."""
    q, k, v = drawn(2, q_len, 4, 32), by_heads(2, 40, 2, 32, seed=1), by_heads(2, 40, 2, 32, seed=2)
    found = package.flash_attn_func(q, k, v, causal=True)
    for i in range(2):
        assert_close(found[i], expected(q[i], k[i], v[i], causal=True))
    assert asked == ["by_head"]
    with Copied() as copied:
        package.flash_attn_func(q, k, v, causal=True)
    # Queries and the output, where there are several of a head.
    assert copied.num_bytes == (0 if q_len == 1 else 2 * q.nbytes)


class Copied(TorchDispatchMode):
    """The bytes that PyTorch copies."""

    def __init__(self):
        super().__init__()
        self.num_bytes = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        made = function(*args, **(kwargs or {}))
        if function.name() in ("aten::clone", "aten::copy_", "aten::contiguous"):
            self.num_bytes += made.nbytes
        return made


def test_heads_before_tokens_in_memory(package):
    q, k, v = (drawn(1, heads, 20, 32, seed=heads).transpose(1, 2) for heads in (4, 2, 2))
    found = package.flash_attn_func(q, k, v, causal=True)
    assert_close(found[0], expected(q[0], k[0], v[0], causal=True))


def test_a_window(package):
    q, k, v = drawn(1, 20, 4, 32), drawn(1, 20, 2, 32, seed=1), drawn(1, 20, 2, 32, seed=2)
    found = package.flash_attn_func(q, k, v, causal=True, window_size=(5, 5))
    assert_close(found[0], expected(q[0], k[0], v[0], causal=True, window=5))


def test_a_soft_cap_and_sinks(tmp_path, gpu, monkeypatch):
    package = loaded(written(tmp_path / "more", "gfx1100", logits_soft_cap=2.0, sinks=True))
    put_on(gpu, package, "gfx1100", monkeypatch)
    q, k, v = drawn(1, 6, 4, 32), drawn(1, 9, 2, 32, seed=1), drawn(1, 9, 2, 32, seed=2)
    sinks, how = drawn(4, seed=3), {"causal": True}
    wanted = expected(q[0], k[0], v[0], cap=2.0, sinks=sinks, **how)
    found = package.flash_attn_func(q, k, v, softcap=2.0, s_aux=sinks, **how)
    assert_close(found[0], wanted)
    k_cache, v_cache = (torch.zeros(1, 16, 2, 32).half() for _ in "kv")
    k_cache[:, :3], v_cache[:, :3] = k[:, :3], v[:, :3]
    found = package.flash_attn_with_kvcache(
        q, k_cache, v_cache, k[:, 3:], v[:, 3:], cache_seqlens=3, softcap=2.0, s_aux=sinks, **how
    )
    assert_close(found[0], wanted)


def test_packed_sequences(package):
    q, k, v = drawn(30, 4, 32), drawn(40, 2, 32, seed=1), drawn(40, 2, 32, seed=2)
    bounds_q, bounds_k = (torch.tensor(x) for x in ([0, 9, 10, 30], [0, 9, 20, 40]))
    found = package.flash_attn_varlen_func(q, k, v, bounds_q, bounds_k, 20, 20, causal=True)
    for (a, b), (c, d) in zip(pairwise(bounds_q), pairwise(bounds_k), strict=True):
        assert_close(found[a:b], expected(q[a:b], k[c:d], v[c:d], causal=True))


def test_a_few_packed_queries_over_many_keys(package, asked, monkeypatch):
    """Keys of a sequence are shared by workgroups; a sequence may have no queries, or few keys."""
    monkeypatch.setattr(part(package, "runtime.hub.functions"), "_FEW_PACKED_KEYS", 512)
    q, k, v = drawn(6, 4, 32), drawn(650, 2, 32, seed=1), drawn(650, 2, 32, seed=2)
    bounds_q, bounds_k = (torch.tensor(x) for x in ([0, 3, 3, 6], [0, 600, 610, 650]))
    found = package.flash_attn_varlen_func(q, k, v, bounds_q, bounds_k, 3, 600, causal=True)
    for (a, b), (c, d) in zip(pairwise(bounds_q), pairwise(bounds_k), strict=True):
        assert_close(found[a:b], expected(q[a:b], k[c:d], v[c:d], causal=True))
    package.flash_attn_varlen_func(q, k, v, bounds_q, bounds_k, 3, 600)
    package.flash_attn_varlen_func(q, k, v, bounds_q, bounds_k, causal=True)
    assert asked == ["few", "packed", "packed"]


@pytest.mark.parametrize("page_size", [16, 32])
@pytest.mark.parametrize("q_len", [1, 3])
def test_a_cache_in_pages_takes_new_tokens(package, page_size, q_len):
    """The last sequence is padding, as transformers has it: nothing is written for it."""
    lengths = torch.tensor([16, 35, -1], dtype=torch.int32)
    table = torch.tensor([[3, 0, -1], [5, 1, 2], [-1, -1, -1]], dtype=torch.int32)
    k_cache, v_cache = (drawn(7, page_size, 2, 32, seed=seed) for seed in (1, 2))
    q, k, v = drawn(3, q_len, 4, 32), drawn(3, q_len, 2, 32, seed=3), drawn(3, q_len, 2, 32)
    wanted = [k_cache.clone(), v_cache.clone()]
    for i in range(2):
        for j in range(q_len):
            page, slot = divmod(int(lengths[i]) + j, page_size)
            wanted[0][table[i, page], slot], wanted[1][table[i, page], slot] = k[i, j], v[i, j]
    found = package.flash_attn_with_kvcache(
        q, k_cache, v_cache, k, v, cache_seqlens=lengths, block_table=table, causal=True
    )
    assert torch.equal(k_cache, wanted[0])
    assert torch.equal(v_cache, wanted[1])
    for i in range(2):
        rows = table[i][table[i] >= 0].long()
        keys, values = (x[rows].flatten(0, 1)[: lengths[i] + q_len] for x in wanted)
        assert_close(found[i], expected(q[i], keys, values, causal=True))


def test_a_cache_without_pages(package):
    q, k_cache, v_cache = drawn(2, 1, 4, 32), drawn(2, 48, 2, 32, seed=1), drawn(2, 48, 2, 32)
    before = k_cache.clone()
    found = package.flash_attn_with_kvcache(q, k_cache, v_cache, cache_seqlens=41)
    assert torch.equal(k_cache, before)
    for i in range(2):
        assert_close(found[i], expected(q[i], k_cache[i, :41], v_cache[i, :41], causal=False))


def test_what_the_package_has_not_is_refused_by_name(package):
    error = part(package, "core.errors").ArgumentError
    q, k = drawn(1, 8, 4, 32), drawn(1, 8, 2, 32)

    def refused(message, *tensors, **how):
        with pytest.raises(error, match=message):
            package.flash_attn_func(*(tensors or (q, k, k)), **how)

    refused("head_dim: expected 32, got 64", *(drawn(1, 8, heads, 64) for heads in (4, 2, 2)))
    refused("io_dtype: expected f16, got f32", q.float(), k.float(), k.float())
    refused("num_q_heads: expected 4, got 8", drawn(1, 8, 8, 32), k, k)
    refused(r"dropout_p: expected none, .*got 0\.5", dropout_p=0.5)
    refused(r"softcap|logits_soft_cap: expected None, got 30\.0", softcap=30.0)
    refused(
        r"window: expected None or \(5, None\), got \(9, None\)", causal=True, window_size=(9, 0)
    )
    refused("softmax_scale: expected 0.17.*, got 1.0", softmax_scale=1.0)
    refused(r"value: expected \[any, 2, 32\], got \[8, 2, 64\]", q, k, drawn(1, 8, 2, 64))
    refused(r"value: expected 8 along axis 0 as in key, got 9", q, k, drawn(1, 9, 2, 32))
    refused("need no gradients", q.clone().requires_grad_(), k, k)
    with pytest.raises(error, match="k_cache: expected pages of a multiple of 16 tokens, got 24"):
        package.flash_attn_with_kvcache(q[:, :1], drawn(2, 24, 2, 32), drawn(2, 24, 2, 32))


def test_code_for_other_gpus_is_refused(package, gpu, monkeypatch):
    put_on(gpu, package, "gfx942", monkeypatch)
    q, k = drawn(1, 8, 4, 32), drawn(1, 8, 2, 32)
    error = part(package, "core.errors").DeviceError
    with pytest.raises(error, match=r"expected one of gfx1100, .*, got gfx942"):
        package.flash_attn_func(q, k, k)


# Nothing but PyTorch and what Python brings, and a driver that counts launches.
ALONE = """
import sys
class Without:
    def __init__(self, finder):
        self.finder = finder
    def find_spec(self, name, *where):
        blocked = name.partition(".")[0] in ("irattn", "iree", "jinja2", "numpy", "msgspec")
        return None if blocked else self.finder.find_spec(name, *where)
sys.meta_path[:] = map(Without, sys.meta_path)
import ctypes, torch
sys.path.insert(0, sys.argv[1])
import tiny_flash
from tiny_flash.runtime.hub import kernels
kernels.Cuda.number_of = lambda driver, place: 0
q, k = torch.zeros(2, 8, 4, 32).half(), torch.zeros(2, 9, 2, 32).half()
print(list(tiny_flash.flash_attn_func(q, k, k, causal=True).shape))
cache = torch.zeros(3, 16, 2, 32).half()
print(list(tiny_flash.flash_attn_with_kvcache(q[:1, :1], cache, cache.clone()).shape))
launches = ctypes.c_int.in_dll(kernels.driver()._library, "cuda_stub_launches").value
print(launches > 1)
assert not {"irattn", "numpy"} & {name.partition(".")[0] for name in sys.modules}
"""


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_it_needs_pytorch_alone(tmp_path):
    folder = written(tmp_path / "tiny-flash", "sm_80")
    library, source = tmp_path / "libcuda.so", TESTS / "support" / "cuda_stub.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    command = [sys.executable, "-c", ALONE, str(folder / "build/torch-cuda")]
    env = {**os.environ, "LD_LIBRARY_PATH": str(tmp_path)}
    ran = subprocess.run(command, capture_output=True, text=True, env=env, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == "[2, 8, 4, 32]\n[1, 1, 4, 32]\nTrue\n"
