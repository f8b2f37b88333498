"""Models in GGUF files: the same graphs and the same numbers as the same models' folders give.

Folders are checked against transformers. Files are written as llama.cpp's converters do it.
"""

import numpy as np
import pytest

pytest.importorskip("safetensors", reason="the extra generate is not installed")
pytest.importorskip("tokenizers", reason="the extra generate is not installed")
pytest.importorskip("gguf", reason="it writes the files")
import gguf

import irattn
from irattn.core.errors import ArgumentError, ConfigError, ModelError
from irattn.core.gguf_file import GgufFile
from irattn.generation.gguf_model import GgufModel, model_at
from irattn.generation.model_graphs import graphs_of
from irattn.generation.sizes import Sizes
from irattn.generation.weights import Weights
from irattn.models import specs_from_config
from irattn.reference.packed_weights import numbers_of
from support.gguf_files import metadata_of, tensors_of_gguf, write_gguf
from support.model_folder import SIZES
from support.model_parts import graphs_of_small, parts_of, pieces_of, read_of, write_folder

YARN = {
    **{"rope_type": "yarn", "rope_theta": 1e4, "factor": 4.0, "beta_fast": 32.0, "beta_slow": 1.0},
    **{"original_max_position_embeddings": 32, "truncate": False},
}
SCALES = {
    **{"attention_multiplier": 0.25, "embedding_multiplier": 5.0, "logits_scaling": 3.0},
    "residual_multiplier": 0.6,
}
EXPERTS = {"num_local_experts": 4, "num_experts_per_tok": 2}
WIDE = {"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 20}
GEMMA = {"tie_word_embeddings": True, "sliding_window": 9, "query_pre_attn_scalar": 8}
CONVOLUTIONS = {
    **{"num_hidden_layers": 3, "layer_types": ["conv", "full_attention", "conv"]},
    **{"conv_L_cache": 3, "norm_eps": 1e-5, "tie_word_embeddings": True},
}
CONFIGS = {
    "llama": {},
    "mistral": {"sliding_window": 11},
    "mixtral": EXPERTS,
    "qwen2": {},
    "qwen3": {"tie_word_embeddings": True},
    "gemma": {"tie_word_embeddings": True},
    "gemma2": {**GEMMA, "attn_logit_softcapping": 50.0, "final_logit_softcapping": 30.0},
    "gemma3_text": {**GEMMA, "rope_local_base_freq": 5000.0},
    "gpt_oss": {**EXPERTS, "sliding_window": 9, "rope_parameters": YARN},
    "phi3": {"original_max_position_embeddings": 128},
    "qwen2_moe": {**WIDE, "shared_expert_intermediate_size": 24, "norm_topk_prob": False},
    "qwen3_moe": {**WIDE, "norm_topk_prob": True},
    "granite": SCALES,
    "granitemoe": {**SCALES, **EXPERTS},
    "lfm2": {**CONVOLUTIONS, "block_auto_adjust_ff_dim": False},
    "lfm2_moe": {**CONVOLUTIONS, **WIDE, "num_dense_layers": 1},
    "olmo2": {},
    "olmo3": {"sliding_window": 9, "rope_theta": 500000.0},
    "smollm3": {"num_hidden_layers": 4},
}


def config_of(model_type, **changes):
    sizes = {key: value for key, value in SIZES.items() if key != "hidden_act"}
    return {**sizes, "model_type": model_type, **CONFIGS[model_type], **changes}


@pytest.mark.parametrize("name", CONFIGS)
def test_a_file_is_the_model_of_its_folder(tmp_path, name):
    config = config_of(name)
    tensors = write_folder(tmp_path / "model", config)
    file = tmp_path / "model.gguf"
    write_gguf(file, metadata_of(config), tensors_of_gguf(config, tensors))
    read = []
    for path in (tmp_path / "model", file):
        model = model_at(path)
        weights = Weights(model)
        graphs, parameters = parts_of(model, weights)
        parameters.check(weights)
        arrays = {k: one.read(weights, "f32") for k, one in pieces_of(parameters).items()}
        read.append((graphs, arrays))
    (wanted_graphs, wanted), (graphs, arrays) = read
    assert graphs == wanted_graphs
    assert arrays.keys() == wanted.keys()
    # What Gemma's norms lack is added in the file.
    error = 2.0**-23 if name.startswith("gemma") else 0
    for key, array in wanted.items():
        np.testing.assert_allclose(arrays[key], array, rtol=error, atol=error, err_msg=key)


@pytest.fixture
def llama(tmp_path):
    """What a file of a Llama is made of, and a way to write it with changes."""
    config = config_of("llama")
    tensors = tensors_of_gguf(config, write_folder(tmp_path / "model", config))
    metadata = metadata_of(config)

    def write(said=(), without=(), types=None, **arrays):
        values = {key: v for key, v in {**metadata, **dict(said)}.items() if key not in without}
        there = {key: v for key, v in {**tensors, **arrays}.items() if key not in without}
        return write_gguf(tmp_path / "m.gguf", values, there, types)

    return write


def checked(file):
    model = model_at(file)
    weights = Weights(model)
    parts_of(model, weights)[1].check(weights)
    return model


def random_blocks(rng, kind, rows, columns):
    """Blocks of any numbers, whose scales are small ones of f16; MXFP4's scale is an exponent."""
    elements, size = gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType[kind]]
    blocks = rng.integers(0, 256, (rows, columns // elements, size), np.uint8)
    scales = {
        "Q4_K": (0, 2),
        "Q5_K": (0, 2),
        "Q6_K": (208,),
        "Q3_K": (108,),
        **dict.fromkeys(("Q4_0", "Q5_0", "Q8_0"), (0,)),
        **dict.fromkeys(("Q4_1", "Q5_1"), (0, 2)),
    }
    for at in scales.get(kind, ()):
        small = rng.uniform(-1e-3, 1e-3, blocks.shape[:2]).astype(np.float16)
        blocks[..., at : at + 2] = small[..., None].view(np.uint8)
    if kind == "MXFP4":
        blocks[..., 0] = rng.integers(118, 126, blocks.shape[:2])
    return blocks.reshape(rows, -1)


@pytest.fixture
def blocks(tmp_path):
    """A Llama whose matrices are blocks: of one kind, or of those that names are given."""
    config = config_of("llama", hidden_size=256, intermediate_size=256, head_dim=64)
    numbers = tensors_of_gguf(config, write_folder(tmp_path / "model", config))

    def write(kind, **others):
        rng, wide, packed = np.random.default_rng(0), dict(numbers), {}
        types = {name: kind for name, array in numbers.items() if array.ndim == 2}
        types |= {f"blk.{n}.{name}.weight": one for n in (0, 1) for name, one in others.items()}
        for name, one in types.items():
            if one != "F32":
                packed[name] = random_blocks(rng, one, *numbers[name].shape)
                wide[name] = gguf.dequantize(packed[name], gguf.GGMLQuantizationType[one])
        said = metadata_of(config)
        kinds = {name: types[name] for name in packed}
        return (
            write_gguf(tmp_path / "wide.gguf", said, wide),
            write_gguf(tmp_path / "blocks.gguf", said, {**wide, **packed}, kinds),
        )

    return write


WITH_LEASTS = ("Q4_1", "Q5_1", "Q4_K", "Q5_K")
KINDS = ["Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q4_K", "Q5_K", "Q6_K", "MXFP4"]


@pytest.mark.parametrize("kind", KINDS)
def test_blocks_are_read_as_they_are_or_widened(blocks, kind):
    wide, packed = blocks(kind)
    graphs, wanted = read_of(model_at(wide))
    assert np.abs(wanted["0 qkv_weight"]).max() > 1e-3
    widened_graphs, widened = read_of(model_at(packed, widens=True))
    for key, array in wanted.items():
        np.testing.assert_array_equal(widened[key], array, err_msg=key)
    assert graphs.norm.io_dtype == "f32"
    # Where weights are blocks, what is between them is bf16.
    assert widened_graphs.norm.io_dtype == "bf16"
    graphs, arrays = read_of(model_at(packed))
    formats = dict.fromkeys(("qkv", "output", "gate_up", "down"), kind.lower())
    assert [dict(layer.weight_format) for layer in graphs.phases[0].layers] == [formats] * 2
    assert graphs.head.weight_format == kind.lower()
    assert graphs.phases[0].embedding.weight_format == kind.lower()
    packed_keys = [key for key, array in arrays.items() if array.dtype == np.uint8]
    assert packed_keys == [key for key, one in wanted.items() if one.ndim == 2]
    for key, array in arrays.items():
        if array.dtype == np.uint8:
            array = gguf.dequantize(array, gguf.GGMLQuantizationType[kind])
        np.testing.assert_array_equal(array, wanted[key], err_msg=key)


def test_blocks_of_several_kinds(blocks):
    # As llama.cpp's Q4_K_M has them.
    wide, packed = blocks("Q4_K", attn_v="Q6_K", ffn_down="Q6_K")
    _, wanted = read_of(model_at(wide))
    graphs, arrays = read_of(model_at(packed))
    formats = dict(graphs.phases[0].layers[0].weight_format)
    own = {"qkv_query": "q4_k", "qkv_key": "q4_k", "qkv_value": "q6_k"}
    assert formats == {**own, "output": "q4_k", "gate_up": "q4_k", "down": "q6_k"}
    rows = [
        gguf.dequantize(arrays[f"1 {name}_weight"], gguf.GGMLQuantizationType[kind.upper()])
        for name, kind in own.items()
    ]
    np.testing.assert_array_equal(np.concatenate(rows), wanted["1 qkv_weight"])
    _, packed = blocks("Q4_K", ffn_gate="Q8_0", attn_output="F32")
    formats = dict(graphs_of_small(model_at(packed)).phases[0].layers[0].weight_format)
    assert formats == {"qkv": "q4_k", "gate": "q8_0", "up": "q4_k", "down": "q4_k"}


# Experts of each architecture: sizes, and types of tensors by a part of their names.
OF_EXPERTS = {
    "mixtral": ({"intermediate_size": 64}, {"exps": "Q8_0"}),
    "qwen3_moe": ({"moe_intermediate_size": 64}, {"exps": "Q4_0"}),
    "gpt_oss": ({"intermediate_size": 64}, {"exps": "MXFP4"}),
    "qwen2_moe": (
        {"moe_intermediate_size": 32, "shared_expert_intermediate_size": 64},
        {"exps": "Q4_0", "shexp": "Q8_0"},
    ),
}
# By those parts, what our weights are called.
NAMES = {"exps": ("gate_up", "down"), "shexp": ("shared_gate_up", "shared_down")}


def write_experts(path, name, **changes):
    """A model whose experts are made blocks of by the package itself."""
    sizes, kinds = OF_EXPERTS[name]
    config = config_of(name, **sizes, **changes)
    tensors = tensors_of_gguf(config, write_folder(path / "model", config))
    matrices = [key for key, array in tensors.items() if array.ndim > 1 and "inp" not in key]
    types = {
        key: kind
        for key in matrices
        for part, kind in kinds.items()
        if part in key and "bias" not in key
    }
    small = {key: array * np.float32(0.05) for key, array in tensors.items() if "bias" in key}
    small |= {key: tensors[key] * np.float32(0.2) for key in matrices if "bias" not in key}
    tensors |= small
    return write_gguf(path / "experts.gguf", metadata_of(config), tensors, types)


@pytest.mark.parametrize("name", OF_EXPERTS)
def test_blocks_of_experts_stay(tmp_path, name):
    file = write_experts(tmp_path, name)
    _, wanted = read_of(model_at(file, widens=True))
    graphs, arrays = read_of(model_at(file))
    kinds = {ours: kind for part, kind in OF_EXPERTS[name][1].items() for ours in NAMES[part]}
    formats = {ours: kind.lower() for ours, kind in kinds.items()}
    assert [dict(one.experts.weight_format) for one in graphs.phases[0].layers] == [formats] * 2
    for key in [f"{number} {ours}_weight" for number in (0, 1) for ours in kinds]:
        assert arrays[key].dtype == np.uint8
        kind = gguf.GGMLQuantizationType[kinds[key.split()[1].removesuffix("_weight")]]
        wide = gguf.dequantize(arrays[key], kind)
        np.testing.assert_array_equal(wide, wanted[key], err_msg=key)
    assert sum(array.dtype == np.uint8 for array in arrays.values()) == 2 * len(kinds)


def test_products_of_experts_round_by_choice(tmp_path):
    model = model_at(write_experts(tmp_path, "qwen3_moe"))
    sizes = Sizes.of_model(model, batch=2, context=64)
    layer = graphs_of(model, sizes, None, None, "int8").phases[0].layers[0]
    assert (layer.activation_format, layer.experts.activation_format) == (None, "int8")


def test_products_round_by_choice(blocks):
    wide, packed = (model_at(file) for file in blocks("Q4_K"))
    sizes = Sizes.of_model(packed, batch=2, context=64)
    graphs = graphs_of(packed, sizes, None, None, "int8")
    layers = graphs.phases[0].layers
    assert {spec.activation_format for spec in (*layers, graphs.head)} == {"int8"}
    with pytest.raises(ConfigError, match="activation_format: int8 is for a GGUF file with quant"):
        graphs_of(wide, sizes, None, None, "int8")


def experts_of(path, **kinds):
    """A model whose gates, ups and downs of experts are of these types."""
    config = config_of("mixtral", intermediate_size=64)
    tensors = tensors_of_gguf(config, write_folder(path / "model", config))
    types = {f"blk.{n}.ffn_{one}_exps.weight": kind for n in (0, 1) for one, kind in kinds.items()}
    return write_gguf(path / "m.gguf", metadata_of(config), tensors, types)


def test_gates_and_ups_of_experts_have_blocks_of_their_own(tmp_path):
    kinds = {"gate": "Q8_0", "up": "Q4_0", "down": "Q8_0"}
    file = experts_of(tmp_path, **kinds)
    _, wanted = read_of(model_at(file, widens=True))
    graphs, arrays = read_of(model_at(file))
    formats = {name: kind.lower() for name, kind in kinds.items()}
    assert [dict(one.experts.weight_format) for one in graphs.phases[0].layers] == [formats] * 2
    gates_and_ups = [
        gguf.dequantize(arrays[f"1 {name}_weight"], gguf.GGMLQuantizationType[kinds[name]])
        for name in ("gate", "up")
    ]
    np.testing.assert_array_equal(np.concatenate(gates_and_ups, 1), wanted["1 gate_up_weight"])


def test_gates_of_experts_with_ups_of_numbers_are_named(tmp_path):
    file = experts_of(tmp_path, gate="Q8_0", down="Q8_0")
    with pytest.raises(ModelError, match=r"ffn_gate_exps.0.weight: .*Q8_0.*--widen-weights"):
        checked(file)


@pytest.mark.slow
def test_blocks_of_experts_give_the_tokens_of_their_numbers(tmp_path):
    file = write_experts(tmp_path, "gpt_oss", num_hidden_layers=1)
    sizes = {"batch": 3, "step_tokens": 8, "context": 32, "block_size": 4, "io_dtype": "f32"}
    prompts = ["abc de", "Hello", "12345678901234567890"]
    kept, widened = (
        [one.tokens for one in irattn.Generator(file, **how, **sizes).generate(prompts, 4)]
        for how in ({}, {"widen_weights": True})
    )
    assert kept == widened
    assert len({token for tokens in kept for token in tokens}) > 2


@pytest.mark.parametrize(("name", "kind"), [("attn_k", "Q3_K"), ("ffn_up", "F32")])
def test_blocks_that_no_kernel_takes_are_named(blocks, name, kind):
    _, packed = blocks("Q4_K", **{name: kind})
    with pytest.raises(ModelError, match=r"blk.0.*of Q[34]_K in blocks.gguf; --widen-weights \(w"):
        checked(packed)
    read_of(model_at(packed, widens=True))


@pytest.mark.parametrize("kind", KINDS)
def test_scales_of_blocks_that_are_no_numbers(blocks, kind):
    _, file = blocks(kind)
    data, tensor = bytearray(file.read_bytes()), GgufFile(file).tensors["blk.1.attn_k.weight"]
    size = gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType[kind]][1]
    # The last block of the tensor; its scale is an infinity, or the exponent that is none.
    scale = bytes([255]) if kind == "MXFP4" else np.float16(np.inf).tobytes()
    whole = tensor.rows_of_bytes.tobytes()
    end = data.index(whole) + len(whole)
    at = end - size + (208 if kind == "Q6_K" else 2 if kind in WITH_LEASTS else 0)
    data[at : at + len(scale)] = scale
    other = file.with_name("other.gguf")
    other.write_bytes(data)
    with pytest.raises(ModelError, match=r"attn_k.weight: expected blocks with finite scales"):
        read_of(model_at(other))


def test_a_folder_has_nothing_to_widen(tmp_path):
    write_folder(tmp_path / "model", config_of("llama"))
    with pytest.raises(
        ArgumentError, match=r"--widen-weights\): goes with a GGUF file or a folder"
    ):
        model_at(tmp_path / "model", widens=True)


DOWN, OUTPUT = "blk.1.ffn_down.weight", "blk.0.attn_output.weight"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"said": {"general.architecture": "mamba"}}, "general.architecture: expected one of"),
        ({"said": {"llama.attention.clamp_kqv": 8.0}}, "--ignore-key llama.attention.clamp_kqv"),
        ({"said": {"llama.rope.scaling.type": "ntk"}}, "expected none, linear or yarn"),
        ({"said": {"llama.attention.value_length": 4}}, "expected attention.key_length = 8, got 4"),
        ({"said": {"llama.attention.head_count_kv": [2, 1]}}, "head_count_kv: expected a whole"),
        ({"said": {"split.count": 3}}, "expected the whole model in one file, got one of 3"),
        ({"said": {"llama.block_count": 4097}}, "as many layers as have tensors, got 4097"),
        ({"without": ["llama.block_count"]}, "llama.block_count: missing"),
        ({"without": ["output_norm.weight"]}, r"output_norm.weight: expected a tensor \[32\]"),
        (
            {"types": {OUTPUT: "IQ4_NL"}, OUTPUT: np.zeros((32, 18), np.uint8)},
            r"of F32, .* \[32, 32\] of IQ4_NL",
        ),
        ({DOWN: np.ones((32, 40), np.float32)}, rf"{DOWN}: expected \[32, 48\].*got \[32, 40\]"),
        ({"blk.0.attn_rot.weight": np.ones(4, np.float32)}, "a tensor of .* does not know"),
    ],
)  # fmt: skip
def test_what_is_not_known_is_named(llama, changes, words):
    with pytest.raises((ConfigError, ModelError), match=words) as caught:
        checked(llama(**changes))
    assert "\n" not in str(caught.value)


def test_keys_of_metadata_to_ignore(llama):
    file = llama({"llama.attention.clamp_kqv": 8.0})
    assert GgufModel(file, ["llama.attention.clamp_kqv"]).num_layers == 2
    assert specs_from_config(file, ignore_keys=["llama.attention.clamp_kqv"])
    with pytest.raises(ConfigError, match="ignore_keys: expected keys of the file's metadata"):
        GgufModel(file, ["clamp_kqv"])


@pytest.mark.parametrize(
    ("types", "wanted"),
    [({}, "f32"), ({DOWN: "F16"}, "f16"), ({DOWN: "BF16"}, "bf16"), ({DOWN: "F32"}, "f32")],
)
def test_the_type_of_activations_is_the_files(llama, types, wanted):
    file = llama(types=types)
    assert graphs_of_small(checked(file)).norm.io_dtype == wanted
    assert {spec.io_dtype for spec in specs_from_config(file).values()} == {wanted}


def test_factors_of_llama_3(llama):
    factors = np.array([1, 1, 3.5, 8], np.float32)
    model = checked(llama(**{"rope_freqs.weight": factors}))
    layer = graphs_of_small(model).phases[0].layers[0]
    np.testing.assert_array_equal(layer.scaling.factors, factors)
    # One of 1, which is that of a factor of 1.
    assert (layer.scaling.factor, layer.scaling.attention_factor) == (1.0, None)


@pytest.mark.parametrize(
    ("scaling", "wanted"),
    [
        ({"type": "linear", "factor": 4.0}, ("linear", 4.0)),
        ({"factor": 4.0}, ("linear", 4.0)),
        ({"type": "yarn", "factor": 4.0, "original_context_length": 32}, ("yarn", 4.0)),
        ({"type": "none", "factor": 4.0}, None),
    ],
)
def test_scaled_positions(llama, scaling, wanted):
    model = checked(llama({f"llama.rope.scaling.{key}": v for key, v in scaling.items()}))
    got = graphs_of_small(model).phases[0].layers[0].scaling
    assert (got and (got.rope_type, got.factor)) == wanted


def test_the_largest_gemmas_have_another_scale(tmp_path):
    for layers, scalar in ((3, 8), (62, 16)):
        config = config_of("gemma3_text", hidden_size=64, num_hidden_layers=layers)
        metadata, embedding = metadata_of(config), np.zeros((300, 64), np.float32)
        tensors = {"token_embd.weight": embedding, f"blk.{layers - 1}.attn_norm.weight": embedding}
        file = write_gguf(tmp_path / "m.gguf", metadata, tensors)
        (spec, *_) = specs_from_config(file).values()
        assert spec.softmax_scale == pytest.approx(scalar**-0.5)


@pytest.fixture
def convolutions(tmp_path):
    """A way to write a file of LFM2 with experts, with other metadata and types."""
    config = config_of("lfm2_moe")
    tensors = tensors_of_gguf(config, write_folder(tmp_path / "model", config))
    metadata = metadata_of(config)

    def write(types=None, **said):
        named = {f"lfm2moe.{key.replace('__', '.')}": value for key, value in said.items()}
        return write_gguf(tmp_path / "m.gguf", metadata | named, tensors, types)

    return write


def test_layers_of_lfm2_without_kv_heads_are_convolutions(convolutions):
    layers = graphs_of_small(model_at(convolutions())).phases[0].layers
    assert [layer.op for layer in layers] == [
        "convolution_layer",
        "decoder_layer",
        "convolution_layer",
    ]
    # As many have an MLP as the file says, none where it says so; transformers' default is 2.
    for count in (0, 1, 2):
        layers = graphs_of_small(model_at(convolutions(leading_dense_block_count=count)))
        experts = [layer.experts is not None for layer in layers.phases[0].layers]
        assert experts == [number >= count for number in range(3)]


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"expert_gating_func": 1}, "lfm2moe.expert_gating_func: expected 2, got 1"),
        ({"attention__head_count_kv": [0, 2, 4]}, "attention.head_count_kv: expected the same"),
        ({"attention__head_count_kv": [0, 2]}, "attention.head_count_kv: expected the same"),
        ({"attention__head_count_kv": [0, 0, 0]}, "attention.head_count_kv: expected a whole"),
        ({"shortconv__l_cache": 9}, "conv_L_cache: expected at most 8, got 9"),
    ],
)
def test_files_of_other_convolutions_are_refused(convolutions, said, message):
    with pytest.raises(ConfigError, match=message):
        graphs_of_small(model_at(convolutions(**said)))


# Types of the projections of a convolution, and of the MLP behind it.
OF_CONVOLUTIONS = {
    **{"shortconv.in_proj": "Q4_0", "shortconv.out_proj": "Q8_0"},
    **{"ffn_gate": "Q8_0", "ffn_up": "Q4_0", "ffn_down": "MXFP4"},
}


def quantised_convolutions(path):
    """A file of LFM2 whose first layer has blocks, and the last one in and out alone."""
    sizes = {"hidden_size": 32, "intermediate_size": 64, "head_dim": 8}
    config = config_of("lfm2", **sizes, block_auto_adjust_ff_dim=False)
    tensors = tensors_of_gguf(config, write_folder(path / "model", config))
    types = {f"blk.0.{name}.weight": kind for name, kind in OF_CONVOLUTIONS.items()}
    types |= {f"blk.2.shortconv.{name}_proj.weight": "Q8_0" for name in ("in", "out")}
    return write_gguf(path / "m.gguf", metadata_of(config), tensors, types)


def test_blocks_of_convolutions_stay(tmp_path):
    file = quantised_convolutions(tmp_path)
    _, wanted = read_of(model_at(file, widens=True))
    graphs, arrays = read_of(model_at(file))
    kinds = dict(zip(("in", "out", "gate", "up", "down"), OF_CONVOLUTIONS.values(), strict=True))
    first, _, last = graphs.phases[0].layers
    assert dict(first.weight_format) == {name: kind.lower() for name, kind in kinds.items()}
    assert dict(last.weight_format) == {"in": "q8_0", "out": "q8_0"}
    wide = {name: numbers_of(kinds[name].lower(), arrays[f"0 {name}_weight"]) for name in kinds}
    both = np.concatenate([wide.pop("gate"), wide.pop("up")])
    for name, numbers in {**wide, "gate_up": both}.items():
        np.testing.assert_array_equal(numbers, wanted[f"0 {name}_weight"], err_msg=name)
    sizes = Sizes.of_model(model_at(file), batch=2, context=64)
    rounded = graphs_of(model_at(file), sizes, None, None, "int8").phases[0].layers
    assert [layer.activation_format for layer in rounded] == ["int8", None, "int8"]


@pytest.mark.slow
def test_text_over_blocks_of_convolutions_is_that_over_their_numbers(tmp_path):
    file = quantised_convolutions(tmp_path)
    sizes = {"batch": 2, "context": 64, "io_dtype": "f32"}
    texts = [
        [
            one.tokens
            for one in irattn.Generator(file, **how, **sizes).generate(["abcdefghijk lm", "x"], 8)
        ]
        for how in ({}, {"widen_weights": True})
    ]
    assert texts[0] == texts[1]


def test_quantised_weights_of_convolutions_that_have_no_numbers_beside_are_refused(convolutions):
    file = convolutions({"blk.0.ffn_up.weight": "Q8_0"})
    with pytest.raises(ModelError, match=r"blk.0.ffn_up.weight.*--widen-weights"):
        checked(file)
    model = model_at(file, widens=True)
    weights = Weights(model)
    parts_of(model, weights)[1].check(weights)
