"""A step of vLLM's engine: sequences over its cache, and what attention gives for them."""

from types import SimpleNamespace

import numpy as np
import torch
from vllm.forward_context import ForwardContext, override_forward_context
from vllm.model_executor.layers.attention.attention import unified_attention_with_output
from vllm.v1.attention.backend import CommonAttentionMetadata
from vllm.v1.kv_cache_interface import FullAttentionSpec, KVCacheTensor, create_kv_cache_views

HEADS, KV_HEADS, SIZE, BLOCK, BLOCKS = 4, 2, 32, 32, 20
SCALE = 0.3

# Queries and contexts: a prompt, a piece of a longer one, two decodes.
MIXED = [(5, 5), (3, 70), (1, 40), (1, 1)]
DECODES = [(1, 33), (1, 64), (1, 2)]

SLOPES, SINKS = [0.5, 0.25, 0.125, 0.0625], torch.tensor([0.5, -1.0, 3.0, 0.0]).bfloat16()
# What a layer is told, and what that means for `expected`.
KINDS = {
    "plain": ({}, {}),
    "window, cap": ({"sliding_window": 9, "logits_soft_cap": 2.0}, {"window": 9, "cap": 2.0}),
    "ALiBi": ({"alibi_slopes": SLOPES}, {"slopes": SLOPES}),
    "sinks, window": ({"sinks": SINKS, "sliding_window": 20}, {"sinks": SINKS, "window": 20}),
}
# Those of a layer with a quantised cache.
SCALES = {"_k_scale": torch.tensor(0.5), "_v_scale": torch.tensor(2.0)}


class Scene:
    """Sequences whose tokens lie in random blocks of a cache; the newest are not yet there.

    The cache is of two layers, in memory as vLLM lays it out; the second is the one that attends.
    `tell` is given each tensor that kernels are given, and gives it back. `shared` are tokens that
    each sequence has in the blocks of the first one.
    """

    def __init__(
        self,
        backend,
        sequences,
        element=torch.float32,
        tell=lambda tensor: tensor,
        stored=None,
        shared=(),
    ):
        self.stored, self.additional = stored, {}
        torch.manual_seed(0)
        self.backend, self.sequences, self.tell, self.element = backend, sequences, tell, element
        q_lens, contexts = (torch.tensor(x) for x in zip(*sequences, strict=True))
        self.spec = FullAttentionSpec(
            block_size=BLOCK,
            num_kv_heads=KV_HEADS,
            head_size=SIZE,
            dtype=torch.uint8 if stored else element,
        )
        self.caches = self._allocated()
        self.cache = self.caches[1]
        self.keys, self.values = (
            [self.drawn(n).to(element) for _, n in sequences] for _ in range(2)
        )
        self.query = tell(torch.randn(int(q_lens.sum()) + 2, HEADS, SIZE, dtype=element))
        self.table = torch.randperm(BLOCKS)[: 4 * len(sequences)].view(-1, 4).int()
        for i, alike in enumerate(shared):
            self.table[i, : alike // BLOCK] = self.table[0, : alike // BLOCK]
            for of in (self.keys, self.values):
                of[i][:alike] = of[0][:alike]
        new, slots = [], []
        for i, (q_len, n) in enumerate(sequences):
            places = torch.arange(n)
            where = self.table[i, places // BLOCK].long() * BLOCK + places % BLOCK
            self.write(where[: n - q_len], self.keys[i], self.values[i])
            new.append(torch.arange(n - q_len, n))
            slots.append(where[n - q_len :])
        self.slots = torch.cat(slots)
        # vLLM pads a batch's tokens: those have no slot.
        pad = torch.zeros(2, KV_HEADS, SIZE, dtype=element)
        self.key, self.value = (
            tell(torch.cat([*(x[rows] for x, rows in zip(of, new, strict=True)), pad]))
            for of in (self.keys, self.values)
        )
        starts = torch.cat([torch.zeros(1), q_lens.cumsum(0)]).int()
        self.common = CommonAttentionMetadata(
            query_start_loc=tell(starts.clone()),
            query_start_loc_cpu=starts,
            seq_lens=tell(contexts.int()),
            num_reqs=len(sequences),
            num_actual_tokens=int(q_lens.sum()),
            max_query_len=int(q_lens.max()),
            max_seq_len=int(contexts.max()),
            block_table_tensor=tell(self.table),
            slot_mapping=tell(torch.cat([self.slots, torch.full((2,), -1)])),
        )

    def _allocated(self):
        """vLLM's own views of a cache that holds nothing that is a number."""
        (layout,) = self.backend.supported_kv_cache_layouts()
        page = self.spec.page_size_bytes
        raw = self.tell(torch.full((2 * BLOCKS * page,), -1, dtype=torch.int8))
        tensor = KVCacheTensor(
            size=len(raw), layers=["first", "second"], layer_stride=BLOCKS * page, block_stride=page
        )
        return create_kv_cache_views(raw, self.spec, BLOCKS, layout, tensor)

    @property
    def halves(self):
        """The cache by vLLM's layout: a head's keys of a block, then its values."""
        cache = self.cache.view(self.stored) if self.stored else self.cache
        return cache.view(-1, KV_HEADS, 2, BLOCK, SIZE)

    def drawn(self, tokens):
        """Keys or values; of a quantised cache, such as it has exactly."""
        made = torch.randn(tokens, KV_HEADS, SIZE, dtype=self.element)
        return made.to(self.stored) if self.stored else made

    def write(self, slots, keys, values):
        """Old tokens into the cache."""
        for slot, key, value in zip(slots.tolist(), keys, values, strict=False):
            for half, new, name in ((0, key, "_k_scale"), (1, value, "_v_scale")):
                scaled = new.float() / SCALES[name] if self.stored else new
                self.halves[slot // BLOCK, :, half, slot % BLOCK] = scaled

    def layer(self, **options):
        """The layer that attends, as vLLM makes it."""
        return self.backend.get_impl_cls()(HEADS, SIZE, SCALE, KV_HEADS, **options)

    def builder(self, *layers):
        """vLLM's builder of batches for these layers."""
        names = [f"layer {i}" for i, _ in enumerate(layers)]
        known = dict(zip(names, [SimpleNamespace(impl=one) for one in layers], strict=True))
        config = SimpleNamespace(
            compilation_config=SimpleNamespace(static_forward_context=known),
            scheduler_config=SimpleNamespace(max_num_batched_tokens=64, max_num_seqs=5),
            model_config=SimpleNamespace(dtype=self.query.dtype, max_model_len=4 * BLOCK),
            cache_config=SimpleNamespace(enable_prefix_caching=True),
            additional_config=self.additional,
        )
        return self.backend.get_builder_cls()(self.spec, names, config, self.query.device)

    def run(self, layer=None, batch=None, **options):
        """What the layer gives for the batch's tokens, called as vLLM's model runner does."""
        layer = layer or self.layer(**options)
        batch = batch or self.builder(layer).build(0, self.common)
        output = self.tell(torch.full(self.query.shape, 7.0, dtype=self.query.dtype))
        context = ForwardContext(
            no_compile_layers={"layer": SimpleNamespace(impl=layer, kv_cache=self.cache, **SCALES)},
            attn_metadata={"layer": batch},
            slot_mapping={"layer": self.common.slot_mapping},
        )
        with override_forward_context(context):
            unified_attention_with_output(self.query, self.key, self.value, output, "layer")
        assert (output[-2:] == 7).all()
        return output[:-2]

    def expected(self, window=None, cap=None, slopes=(), sinks=()):
        """The expected output in float64, sequence by sequence."""
        outputs, start = [], 0
        for (q_len, n), keys, values in zip(self.sequences, self.keys, self.values, strict=True):
            query = self.query[start : start + q_len].double().numpy().swapaxes(0, 1)
            key, value = (
                x.double().numpy().swapaxes(0, 1).repeat(HEADS // KV_HEADS, 0)
                for x in (keys, values)
            )
            logits = query @ key.swapaxes(1, 2) * SCALE
            logits = logits if cap is None else cap * np.tanh(logits / cap)
            behind = np.arange(n - q_len, n)[:, None] - np.arange(n)
            for head, slope in enumerate(slopes):
                logits[head] -= slope * behind
            logits[:, (behind < 0) | (behind >= (window or n))] = -np.inf
            if len(sinks):
                one_more = np.broadcast_to(sinks.double().numpy()[:, None, None], (HEADS, q_len, 1))
                logits = np.concatenate([logits, one_more], -1)
            weights = np.exp(logits - logits.max(-1, keepdims=True))
            weights = (weights / weights.sum(-1, keepdims=True))[..., :n]
            outputs.append((weights @ value).swapaxes(0, 1))
            start += q_len
        return np.concatenate(outputs)


def is_close(found, expected, tolerance):
    """Whether an output is as near to the reference as its element type allows."""
    error = np.linalg.norm(found.double().numpy() - expected) / np.linalg.norm(expected)
    return error <= tolerance


def assert_new_tokens_alone_are_written(scene):
    """A step writes its new tokens but for one whose slot is -1, bit by bit, and nothing else."""
    before = scene.cache.clone()
    scene.common.slot_mapping[1] = -1
    scene.run()
    wanted, slots = before.view(scene.halves.shape), scene.slots.tolist()
    for token, slot in enumerate(slots):
        if token != 1:
            wanted[slot // BLOCK, :, 0, slot % BLOCK] = scene.key[token]
            wanted[slot // BLOCK, :, 1, slot % BLOCK] = scene.value[token]
    assert torch.equal(bits(scene.halves), bits(wanted))
    assert (bits(scene.caches[0]) == -1).all()


def assert_a_shared_cache_is_kept(scene):
    """A layer over the cache of another writes nothing to it."""
    before = scene.cache.clone()
    scene.run(kv_sharing_target_layer_name="another")
    assert torch.equal(bits(scene.cache), bits(before))


def bits(tensor):
    """The bits of a tensor's elements, as integers."""
    return tensor.view({2: torch.int16, 4: torch.int32}[tensor.itemsize])
