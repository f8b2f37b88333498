"""A `config.json` or a GGUF file to the specs of that model's attention and of its layers."""

from collections.abc import Collection
from pathlib import Path

from irattn.models.attention import dtype_said
from irattn.models.config import read
from irattn.models.lengths import AskedSizes
from irattn.models.model import Model, Part, merged
from irattn.models.phases import parts_of
from irattn.models.values import Fields
from irattn.specs import Spec

__all__ = ["Model", "Part", "ignored_note", "model_from_config", "specs_from_config"]


def model_from_config(
    config: Fields | str | Path,
    *,
    batch: int = 1,
    q_len: int | None = None,
    kv_len: int | None = None,
    num_blocks: int | None = None,
    block_size: int | None = None,
    bidirectional: bool = False,
    ignore_keys: Collection[str] = (),
) -> Model:
    """The specs of a model, and which of its layers use them.

    `config` is a parsed `config.json`, its path or its folder's, or that of a GGUF file. A decoder
    gives causal prefill (`q_len` queries, 512 by default, against `kv_len` keys, `q_len` by
    default) and paged decode (contexts up to `kv_len`, by default 2048 or the prompt). Both come
    again with the layer around them, from hidden state to hidden state: norm, projections,
    rotation, cache write, attention, residual, and norm, MLP and residual. An encoder gives
    attention both ways, and so does any model with `bidirectional`; a vision transformer has as
    many tokens as an image of its `image_size`. CLIP and SigLIP give both of their encoders,
    Whisper its encoder and its decoder, with cross attention. Lengths that are left out are cut to
    the model's positions. A file without a dtype is taken as f32, which is what its weights are
    stored in.

    The cache of a decoder is cut into blocks of `block_size` tokens, 16 by default. `num_blocks`
    is the size of the pool that all sequences share, at least one context's; by default that of
    the contexts of the batch.

    Where layers differ, as in models that give every other one a sliding window, there is a spec
    for each kind, `full` or `sliding`; what comes out the same for both, as with a window that
    hides nothing within the context, is there once. `Model.layers` says which layers use which
    spec. Rotary and other position embeddings come before attention: they are part of the layer,
    not of the attention alone. ALiBi slopes and sinks are run-time tensors; Falcon scales its
    slopes like its logits.

    A layer is its attention half, up to the first residual, where the file has no
    `intermediate_size` or an activation that irattn does not have.

    No layer, only attention, comes from models of another structure: encoders, cross attention, or
    any other type than those of `irattn.models.families.LAYERED`. `Model.notes` says why. Where
    positions go along three axes, layers are those of text, which has the same along all.

    Each model type names the keys that it reads. A type that irattn does not know is refused, and
    so is a key that the type does not read and whose name says that it changes attention, unless
    its value says that there is none of it. `ignore_keys` are read as if they were not there, in
    any part of the file; without `model_type`, keys mean what they mean to most models. `notes`
    say it.

    Raises ConfigError, naming the key, for a feature that irattn does not have and for lengths that
    the model does not have; SpecError for blocks where no spec has any.
    """
    asked = AskedSizes(
        batch=batch, q_len=q_len, kv_len=kv_len, num_blocks=num_blocks, block_size=block_size
    )
    parts: list[Part] = []
    f32_because = None
    stacks = read(config, ignore_keys)
    notes = dict.fromkeys(map(ignored_note, ignore_keys))
    for stack in stacks:
        of_stack, of_its_own = parts_of(stack, asked, bidirectional)
        parts += of_stack
        notes |= dict.fromkeys(of_its_own)
        if of_stack[0].spec.io_dtype == "f32":
            f32_because = dtype_said(stack.fields)
    if any(part.layers is None for part in parts):
        notes["num_hidden_layers: missing, so that the layers cannot be numbered"] = None
    model = Model(merged(parts), tuple(notes), f32_because)
    for name, size in (("num_blocks", num_blocks), ("block_size", block_size)):
        if size is not None:
            model.check_field(name)
    return model


def ignored_note(key: str) -> str:
    """The note that a key was ignored."""
    return f"{key}: ignored, as if it were not there"


def specs_from_config(
    config: Fields | str | Path,
    *,
    batch: int = 1,
    q_len: int | None = None,
    kv_len: int | None = None,
    num_blocks: int | None = None,
    block_size: int | None = None,
    bidirectional: bool = False,
    ignore_keys: Collection[str] = (),
) -> dict[str, Spec]:
    """The specs of a model's attention and of its layers, by name, from its Hugging Face config.

    `config` is a parsed `config.json`, its path or its folder's, or that of a GGUF file. A decoder
    gives causal prefill (`q_len` queries, 512 by default, against `kv_len` keys, `q_len` by
    default) and paged decode, each also with the layer around it; an encoder gives attention both
    ways, and so does any model with `bidirectional`. The cache has `num_blocks` blocks of
    `block_size` tokens (16). Keys in `ignore_keys` are read as if they were not there. ConfigError
    names the key where irattn does not have what a model asks for.
    """
    return model_from_config(
        config,
        batch=batch,
        q_len=q_len,
        kv_len=kv_len,
        num_blocks=num_blocks,
        block_size=block_size,
        bidirectional=bidirectional,
        ignore_keys=ignore_keys,
    ).specs
