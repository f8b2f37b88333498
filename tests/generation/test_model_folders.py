"""What is said of models that are no folder of safetensors, and of weights that are no numbers."""

import json
import os
import shutil

import ml_dtypes
import numpy as np
import pytest

from irattn.core.dtypes import dtype as dtype_of
from irattn.core.errors import ConfigError, ModelError
from irattn.generation import Generator, Sizes
from irattn.generation import weights as weights_module
from irattn.generation.folder import ModelFolder
from irattn.generation.model_graphs import graphs_of
from irattn.generation.parameters import Pieces
from irattn.generation.texts import Tokenizer
from irattn.generation.weights import Weights
from support.command import run
from support.model_folder import config_of, tensors_of, write_model

pytest.importorskip("safetensors", reason="the extra generate is not installed")
pytest.importorskip("tokenizers", reason="the extra generate is not installed")
from safetensors.numpy import save_file

CONFIG = config_of("llama")
HOW = ".save_pretrained('FOLDER')"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_model(tmp_path / "model", CONFIG)
    return tmp_path / "model"


def keep(*names):
    """Only these of the folder's files, new ones empty."""

    def change(folder):
        for file in folder.iterdir():
            if file.name not in names:
                file.unlink()
        for name in names:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).touch()

    return change


@pytest.mark.parametrize(
    ("change", "given", "said"),
    [
        (keep("a.gguf"), "model", ["has no config.json, but a.gguf; give that file, model/a.gguf"]),
        (keep("config.json", "a.gguf", "tokenizer.json"), "model", [".safetensors, but a.gguf"]),
        (
            keep("config.json", "tokenizer.json", "pytorch_model.bin"),
            "model",
            ["has no *.safetensors, but pytorch_model.bin", "from_pretrained('model')", HOW],
        ),
        (keep("pytorch_model.bin"), "model/pytorch_model.bin", ["is no safetensors", HOW]),
        (None, "model/model.safetensors", ["got a file of it; give the folder, model"]),
        (None, "meta-llama/Llama-1B", ["hf download meta-llama/Llama-1B --local-dir Llama-1B"]),
        (None, "./nowhere", ["got nowhere, where nothing is"]),
        (keep("snapshots/abc/config.json"), "model", ["hub's cache; give model/snapshots/abc"]),
        (
            keep("config.json", "model.safetensors", "tokenizer.model"),
            "model",
            ["has no tokenizer.json; transformers' AutoTokenizer.from_pretrained('model')"],
        ),
        (keep("model.safetensors"), "model", ["no config.json; expected a folder with"]),
    ],
)  # fmt: skip
def test_what_is_no_folder_of_safetensors(folder, change, given, said):
    if change:
        change(folder)
    if (folder / "config.json").exists():
        (folder / "config.json").write_text(json.dumps(CONFIG))
    told = run("generate", given, "--prompt", "a", code=2).stderr
    assert told.startswith("Error: model folder: ")
    for words in said:
        assert words in told


def test_a_folder_may_be_given_by_its_config(folder):
    assert ModelFolder(folder / "config.json").path == folder
    shutil.move(folder / "config.json", folder / "other.json")
    with pytest.raises(ModelError, match=r"got the file .*other\.json"):
        ModelFolder(folder / "other.json")


def test_pipes_are_not_waited_for(folder):
    (folder / "model.safetensors").unlink()
    os.mkfifo(folder / "model.safetensors")
    told = run("generate", "model", "--prompt", "a", code=2).stderr
    assert told.startswith("Error: model/model.safetensors: is no safetensors file")


def test_tensors_that_are_there_twice_are_refused(folder):
    """Without an index nothing says whose numbers count."""
    shutil.copy(folder / "model.safetensors", folder / "other.safetensors")
    twice = r"lm_head.weight: is in model.safetensors and in other.safetensors of .*; leave one"
    with pytest.raises(ModelError, match=twice):
        Weights(ModelFolder(folder))
    index = {"weight_map": dict.fromkeys(tensors_of(CONFIG), "other.safetensors")}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    assert Weights(ModelFolder(folder)).names == index["weight_map"].keys()


@pytest.mark.parametrize("file", ["x" * 5000, None])
def test_an_index_may_name_no_file(folder, file):
    index = {"weight_map": {"lm_head.weight": file} if file else [1]}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    with pytest.raises(ModelError, match="expected a JSON object with a weight_map"):
        Weights(ModelFolder(folder))


def test_texts_are_neither_padded_nor_cut(folder):
    """As tokenizer.json says of texts that a model was trained with."""
    file = folder / "tokenizer.json"
    said = json.loads(file.read_text())
    said["truncation"] = {"max_length": 2, "strategy": "LongestFirst", "stride": 0}
    said["truncation"]["direction"] = "Right"
    said["padding"] = {"strategy": {"Fixed": 9}, "direction": "Left", "pad_to_multiple_of": None}
    said["padding"] |= {"pad_id": 0, "pad_type_id": 0, "pad_token": "!"}
    plain = Tokenizer(ModelFolder(folder)).encode("Hello")
    file.write_text(json.dumps(said))
    assert Tokenizer(ModelFolder(folder)).encode("Hello") == plain
    assert len(plain) == 5


NAME = "model.layers.1.mlp.down_proj.weight"


def filled(weights, tensors, io_dtype):
    rows = np.empty(tensors[NAME].shape, dtype_of(io_dtype).numpy)
    weights.read_into(rows, NAME)
    return rows


def added_tokens(folder, added):
    told = json.dumps({"added_tokens_decoder": added})
    (folder / "tokenizer_config.json").write_text(told)
    return Tokenizer(ModelFolder(folder))


def test_tokens_that_only_tokenizer_config_has_are_found(folder):
    """As transformers finds them, in the order of their ids, with their own words on spaces."""
    (a, b), count = Tokenizer(ModelFolder(folder)).encode("ab"), 256
    new = {"content": "<|two|>", "special": True, "rstrip": True}
    added = {str(count + 1): new, str(count): {"content": "<|one|>"}, "9": {"content": ""}}
    tokenizer = added_tokens(folder, added)
    assert tokenizer.encode("a<|two|>  b<|one|>") == [a, count + 1, b, count]
    assert tokenizer.decode([a, count + 1, b, count]) == "ab<|one|>"
    with pytest.raises(
        ConfigError, match=r"'<\|two\|>', which .*lacks, .* next token, 256, got 900"
    ):
        added_tokens(folder, {"900": new})
    # Of a token that tokenizer.json has, its id there counts, in transformers too.
    moved = added_tokens(folder, {"900": {"content": "a", "rstrip": True}})
    assert moved.encode("a  b") == [a, b]
    for wrong in ([new], {"1": "x"}, {"x": new}, {"1" * 50: new}, {"1": {"content": 5}}, 7):
        with pytest.raises(ConfigError, match="added_tokens_decoder: expected tokens with their c"):
            added_tokens(folder, wrong)


def test_tokens_that_only_older_files_have_are_found(folder):
    """As transformers finds them, where tokenizer_config.json has no added_tokens_decoder."""
    (a, b), count = Tokenizer(ModelFolder(folder)).encode("ab"), 256
    older, names = folder / "added_tokens.json", folder / "special_tokens_map.json"
    older.write_text(json.dumps({"<|two|>": count + 1, "<one>": count}))
    names.write_text(json.dumps({"eos_token": {"content": "<|two|>", "lstrip": False}}))
    told = {"pad_token": "<pad>", "additional_special_tokens": ["<|a|>", "a"]}
    (folder / "tokenizer_config.json").write_text(json.dumps(told))
    tokenizer = Tokenizer(ModelFolder(folder))
    ids = [b, count + 1, count, count + 2, count + 3, a]
    assert tokenizer.encode("b<|two|><one><pad><|a|>a") == ids
    # Those that have a part of their own are no text.
    assert tokenizer.decode(ids) == "b<one>"
    for wrong, message in (({"<one>": 900}, "next token, 256, got 900"), ({"x": "y"}, "the id of")):
        older.write_text(json.dumps(wrong))
        with pytest.raises(ConfigError, match=rf"added_tokens.json: expected .*{message}"):
            Tokenizer(ModelFolder(folder))


@pytest.mark.parametrize("at_once", [1, 1000, 2**24])
def test_weights_are_read_a_few_rows_at_once(folder, at_once, monkeypatch):
    monkeypatch.setattr(weights_module, "_BYTES_AT_ONCE", at_once)
    tensors = tensors_of(CONFIG)
    weights = Weights(ModelFolder(folder))
    np.testing.assert_array_equal(filled(weights, tensors, "f32"), tensors[NAME])
    turned = Pieces({NAME: tensors[NAME].shape}, turned=True).read(weights, "f32")
    np.testing.assert_array_equal(turned, tensors[NAME].T)
    parts = [NAME.replace("down", name) for name in ("gate", "up")]
    both = Pieces({name: tensors[name].shape for name in parts}).read(weights, "f16")
    assert both.flags.c_contiguous
    wanted = np.concatenate([tensors[name] for name in parts]).astype(np.float16)
    np.testing.assert_array_equal(both, wanted)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16])
@pytest.mark.parametrize("value", [np.nan, -np.nan, np.inf, -np.inf])
def test_weights_that_are_no_numbers_are_refused(folder, dtype, value):
    tensors = tensors_of(CONFIG, dtype=dtype)
    tensors[NAME][3, 4:6] = value
    save_file(tensors, folder / "model.safetensors")
    weights, io_dtype = Weights(ModelFolder(folder)), {2: "f16", 4: "f32"}[tensors[NAME].itemsize]
    io_dtype = "bf16" if dtype is ml_dtypes.bfloat16 else io_dtype
    with pytest.raises(ModelError) as caught:
        filled(weights, tensors, io_dtype)
    counts = "NaN 2 times and infinity 0" if np.isnan(value) else "NaN 0 times and infinity 2"
    assert str(caught.value) == (
        f"{NAME}: expected finite numbers, got {counts} times among 1536 in "
        f"{folder / 'model.safetensors'}"
    )


def test_so_are_those_that_a_type_cannot_hold(folder):
    tensors = tensors_of(CONFIG, dtype=ml_dtypes.bfloat16)
    limits = ml_dtypes.finfo(ml_dtypes.bfloat16)
    tensors[NAME][0, :2] = limits.max, limits.min
    save_file(tensors, folder / "model.safetensors")
    weights = Weights(ModelFolder(folder))
    np.testing.assert_array_equal(filled(weights, tensors, "bf16"), tensors[NAME])
    words = r"expected numbers that f16 can hold, got up to 3\.39e\+38; give io_dtype bf16 or f32"
    with pytest.raises(ModelError, match=words):
        filled(weights, tensors, "f16")


@pytest.mark.parametrize(
    ("said", "head", "own"),
    [(True, None, False), (True, 0, False), (True, 1, True), (False, 0, True)],
)
def test_the_head_is_the_embedding_unless_the_files_have_another(folder, said, head, own):
    tensors = tensors_of({**CONFIG, "tie_word_embeddings": True})
    if head is not None:
        tensors["lm_head.weight"] = tensors["model.embed_tokens.weight"] + head
    write_model(folder, {**CONFIG, "tie_word_embeddings": said}, tensors)
    parameters = Generator(folder, context=16)._parameters
    assert (parameters.head != parameters.embedding) == own


@pytest.mark.parametrize("name", ["lm_head", "model.layers.1.self_attn.q_proj", "model.norm"])
def test_biases_that_the_config_does_not_name_are_refused(folder, name):
    """Where they change anything; what belongs to no weight that is read does not."""
    tensors, bias = tensors_of(CONFIG), np.zeros(3, np.float32)
    others = {"model.layers.0.self_attn.rotary_emb.inv_freq": bias + 1, "mtp.norm.bias": bias + 1}
    write_model(folder, CONFIG, {**tensors, **others, f"{name}.bias": bias})
    Generator(folder, context=16)
    write_model(folder, CONFIG, {**tensors, f"{name}.bias": bias + 1})
    path = folder / "model.safetensors"
    with pytest.raises(ModelError) as caught:
        Generator(folder, context=16)
    said = f"{name}.bias: a bias of {path} that config.json does not name"
    assert str(caught.value) == said


def test_a_file_says_of_the_head_what_its_language_model_does_not(folder):
    part = {**CONFIG, "tie_word_embeddings": True}
    whole = {"model_type": "mistral3", "tie_word_embeddings": False, "text_config": part}
    write_model(folder, whole, tensors_of(CONFIG))
    assert not ModelFolder(folder).shares_embedding


def test_gemma_3_leaves_its_vocabulary_to_its_class(folder):
    """Files of 4B name ends beside the language model, and no size of the vocabulary."""
    inner = {"hidden_size": 2560, "model_type": "gemma3_text", "num_hidden_layers": 34}
    config = {"model_type": "gemma3", "eos_token_id": [1, 106], "text_config": inner}
    (folder / "config.json").write_text(json.dumps(config))
    read = ModelFolder(folder)
    assert (read.vocab_size, read.end_tokens) == (262208, {1, 106})
    inner |= {"vocab_size": 10, "eos_token_id": 3}
    (folder / "config.json").write_text(json.dumps(config))
    assert (ModelFolder(folder).vocab_size, ModelFolder(folder).end_tokens) == (10, {3})


def test_models_that_look_both_ways_are_no_generators(folder):
    gemma = {**CONFIG, "model_type": "gemma3_text", "use_bidirectional_attention": True}
    (folder / "config.json").write_text(json.dumps(gemma))
    with pytest.raises(ConfigError, match=r"^use_bidirectional_attention: expected none"):
        ModelFolder(folder)


def test_what_is_not_done_to_tokens_is_told(folder, caplog):
    said = {"num_beams": 1, "suppress_tokens": [], "no_repeat_ngram_size": 3, "min_p": None}
    (folder / "generation_config.json").write_text(json.dumps(said))
    Generator(folder, context=16)
    assert [record.message for record in caplog.records] == [
        "generation_config.json: no_repeat_ngram_size: not done: tokens are chosen without"
    ]


def test_a_sequence_may_be_longer_than_the_chunks_of_all_layers(folder):
    chunks = {"model_type": "llama4_text", "attention_chunk_size": 16, "no_rope_layers": [1, 1]}
    (folder / "config.json").write_text(json.dumps({**CONFIG, **chunks, "num_local_experts": 2}))
    read = ModelFolder(folder)
    graphs = graphs_of(read, Sizes.of_model(read, context=64, block_size=4), None)
    assert {one.attention.max_blocks for one in graphs.phases[0].attending.values()} == {4}
    assert graphs.max_blocks == 16
