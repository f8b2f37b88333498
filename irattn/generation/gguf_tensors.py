"""The tensors of a GGUF file, as a model's own files have them."""

import math
import re
from collections.abc import Collection
from pathlib import Path

import ml_dtypes
import numpy as np

from irattn.core.errors import ModelError
from irattn.core.gguf_file import GgufTensor
from irattn.core.weight_formats import weight_format
from irattn.generation.gguf_model import GgufModel
from irattn.generation.gguf_orders import FileOrders
from irattn.generation.packages import package
from irattn.models.values import whole

# Types whose rows are numbers.
_NUMBERS = {"F32": "<f4", "F16": "<f2", "BF16": ml_dtypes.bfloat16}

# Types whose rows are blocks, and which the package makes numbers of.
_BLOCKS = frozenset(
    {
        *("Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K"),
        *("IQ1_M", "IQ1_S", "IQ2_S", "IQ2_XS", "IQ2_XXS", "IQ3_S", "IQ3_XXS", "IQ4_NL", "IQ4_XS"),
        *("MXFP4", "TQ1_0", "TQ2_0"),
    }
)

# Where blocks have their scales, which are f16.
_SCALES = {
    **dict.fromkeys(("Q4_0", "Q5_0", "Q8_0"), (0,)),
    **dict.fromkeys(("Q4_1", "Q5_1", "Q4_K", "Q5_K"), (0, 2)),
    "Q6_K": (208,),
}
# The scale of MXFP4 that is none.
_NO_SCALE = 255

# One expert of a tensor that has all of them, and one of the products around hidden states beside
# one another.
_OF_SEVERAL = re.compile(r"(.*_exps|altup_(?:unembd_)?proj)\.(\d+)(\.weight|\.bias)")
# Norms, and those of delta nets that no code adds anything to.
_NORM, _GATED_NORM = "norm.weight", ".ssm_norm.weight"
# In front of MLPs.
_MLP_NORM = ".ffn_norm.weight"
# By which states decay, which files have in place of its logarithm.
_DECAY = ".ssm_a"
# Of one row, which the file does not count.
_ONE_ROW = ".ffn_gate_inp_shexp.weight"
# That converters of ERNIE leave a row.
_CHOICE = ".exp_probs_b.bias"
# Numbers of heads and channels of delta nets and Mamba 2, which files have with axes of one, and
# their norm, which may have one for groups.
_OF_STEPS = re.compile(r"blk\.\d+\.ssm_(a|d|norm\.weight|conv1d(_[qkv])?\.weight)")
# Weights whose blocks no graph takes, or not where heads move their columns or types differ: those
# that heads of latents have of their own, what decays and gates of channels are made with, and what
# is around the embeddings that layers have of their own.
_WIDENED = re.compile(
    r"blk\.\d+\.(attn_(k_b|v_b|kv_b)|ssm_(out|alpha|beta|[fg]_[ab])|inp_gate|proj|laurel_[lr]|altup_\w+)\.weight"
    r"|per_layer_\w+\.weight|altup_(unembd_)?proj(\.\d+)?\.weight"
)
# Of several types in delta nets with gates per channel, which have them as one weight.
_OF_NETS = re.compile(r"(blk\.\d+)\.attn_[qkv]\.weight")
# Of a layer.
_OF_LAYER = re.compile(r"blk\.(\d+)\.")
_OF_KEYS = re.compile(r"blk\.(\d+)\.attn_(k|v|k_norm)\.(weight|bias)")
_SHARED = "num_kv_shared_layers"

# Read as metadata, or told by what is read.
_OTHERS = {"rope_freqs.weight", "rope_factors_long.weight", "rope_factors_short.weight"}


class GgufTensors:
    """The tensors of a file, where they are mapped, and what is undone that its writer did.

    Rows and columns go back to their places, and weights of norms lose the 1 that the code of
    Gemma and Qwen 3.5 adds. `x_exps.3.weight` is expert 3 of
    `x_exps.weight`. Quantised ones are F32 where the model is to be widened, and so are those of
    which no graph takes blocks.
    """

    def __init__(self, model: GgufModel) -> None:
        self.said_by = "its metadata"
        self.remedy = "; --widen-weights (widen_weights) makes numbers of quantised ones"
        self._path, self._tensors = model.path, {**model.gguf.tensors, **model.listed}
        self._orders, self._norm_offset = FileOrders(model), model.norm_offset
        self._layers = model.num_blocks
        self._owners = self._layers - (whole(model.fields, _SHARED, least=0) or 0)
        self._widens = model.widens

    @property
    def names(self) -> Collection[str]:
        """The tensors that there are."""
        return self._tensors.keys()

    def place(self, name: str) -> Path:
        """The file, which has all of them."""
        return self._path

    def described(self, name: str, packed: bool = False) -> tuple[str, tuple[int, ...]] | None:
        """The type and the shape of a tensor, or of its bytes; None where there is none."""
        tensor = self._named(name)
        if tensor is None:
            return None
        if packed:
            return "U8", tensor.rows_of_bytes.shape
        is_widened = self._is_widened(name) and tensor.type in _BLOCKS and len(tensor.shape) > 1
        return "F32" if is_widened else tensor.type, tensor.shape

    def _is_widened(self, name: str) -> bool:
        """Whether a tensor is read as numbers though it may have blocks."""
        if self._widens or _WIDENED.fullmatch(name):
            return True
        beside = _OF_NETS.fullmatch(name)
        return beside is not None and f"{beside[1]}.ssm_f_a.weight" in self._tensors

    def rows(
        self, name: str, first: int, end: int, columns: tuple[int, int] | None = None
    ) -> np.ndarray:
        """Some rows of a tensor, in its own type, whole or some of their columns."""
        rows = self._whole_rows(name, first, end)
        return rows if columns is None else rows[:, slice(*columns)]

    def blocks(self, name: str, first: int, end: int) -> np.ndarray:
        """The bytes of some rows of a tensor; ModelError for scales that are NaN or infinite."""
        tensor = self._named(name)
        assert tensor is not None
        if not _has_finite_scales(tensor):
            raise ModelError(
                f"{name}: expected blocks with finite scales, got NaN or infinity in {self._path}"
            )
        rows = tensor.rows_of_bytes[self._wanted(name, tensor, slice(first, end))]
        columns = self._orders.columns(name)
        return rows if columns is None else _with_blocks(rows, columns, tensor.type)

    def _whole_rows(self, name: str, first: int, end: int) -> np.ndarray:
        tensor = self._named(name)
        assert tensor is not None
        numbers = _numbers(tensor, self._wanted(name, tensor, slice(first, end)))
        if self._norm_offset and name.endswith(_NORM) and not name.endswith(_GATED_NORM):
            numbers = numbers - numbers.dtype.type(self._norm_offset)
        if name.endswith(_DECAY):
            return self._logarithms(name, numbers)
        columns = self._orders.columns(name)
        return numbers if columns is None else numbers[:, columns]

    def _logarithms(self, name: str, decays: np.ndarray) -> np.ndarray:
        """The logarithms of what states decay by, which files have below zero."""
        if not (decays < 0).all():
            raise ModelError(f"{name}: expected numbers below 0 in {self._path}, got others")
        logarithms: np.ndarray = np.log(-decays)
        return logarithms

    def _wanted(self, name: str, tensor: GgufTensor, rows: slice) -> slice | np.ndarray:
        """Where the file has some rows."""
        places = self._orders.rows(name, tensor.shape[0]) if tensor.shape else None
        return rows if places is None else places[rows]

    def check_rest(self, read: Collection[str]) -> None:
        """ModelError for a tensor that nothing reads: the model would be another one without it."""
        known = {self._whole_name(name) for name in read} | _OTHERS
        names = [name for name in self._tensors if not self._is_behind(name)]
        if others := [name for name in names if name not in known]:
            more = f" and {len(others) - 1} others" if len(others) > 1 else ""
            raise ModelError(
                f"{others[0]:.80}: a tensor of {self._path} that irattn does not know in this "
                f"architecture{more}"
            )

    def _is_behind(self, name: str) -> bool:
        """Whether nothing reads a tensor: of layers that predict tokens after the next one.

        So it is with those of keys and values in layers that take these from others.
        """
        layer, keys = _OF_LAYER.match(name), _OF_KEYS.fullmatch(name)
        behind = layer is not None and int(layer[1]) >= self._layers
        return behind or (keys is not None and int(keys[1]) >= self._owners)

    def _named(self, name: str) -> GgufTensor | None:
        tensor = self._tensors.get(self._whole_name(name))
        if tensor is None:
            return None
        rows, shape = tensor.rows_of_bytes, tensor.shape
        if _OF_STEPS.fullmatch(name):
            return _without_ones(tensor)
        if name.endswith(_ONE_ROW) and len(shape) == 1:
            return GgufTensor(name, tensor.type, (1, *shape), rows[None])
        if name.endswith(_CHOICE) and shape[0] == 1 and len(shape) == 2:
            return GgufTensor(name, tensor.type, shape[1:], rows[0])
        one = _OF_SEVERAL.fullmatch(name)
        if one is None or name in self._tensors:
            return tensor
        number = int(one[2])
        if number >= shape[0] or len(shape) < 2:
            return None
        return GgufTensor(name, tensor.type, shape[1:], rows[number])

    def _whole_name(self, name: str) -> str:
        """The name of the tensor that has one; converters of Falcon-H1 leave off an ending."""
        if name.endswith(_MLP_NORM) and name not in self._tensors:
            return name.removesuffix(".weight")
        one = None if name in self._tensors else _OF_SEVERAL.fullmatch(name)
        return name if one is None else f"{one[1]}{one[3]}"


def _without_ones(tensor: GgufTensor) -> GgufTensor:
    """A tensor of numbers without axes of one; of norms, a single axis."""
    shape = tuple(size for size in tensor.shape if size > 1) or (1,)
    if ".ssm_norm" in tensor.name:
        shape = (math.prod(shape),)
    rows = tensor.rows_of_bytes.reshape(*shape[:-1], -1)
    return GgufTensor(tensor.name, tensor.type, shape, rows)


def _with_blocks(rows: np.ndarray, columns: np.ndarray, kind: str) -> np.ndarray:
    """Rows of bytes whose columns go to their places, which keep those of a block together."""
    known = weight_format(kind.lower())
    blocks = rows.reshape(len(rows), -1, known.block_bytes)
    places = columns[:: known.elements] // known.elements
    return blocks[:, places].reshape(rows.shape)


def _has_finite_scales(tensor: GgufTensor) -> bool:
    """Whether no block has a scale that makes no numbers."""
    blocks = tensor.rows_of_bytes.reshape(-1, weight_format(tensor.type.lower()).block_bytes)
    if tensor.type == "MXFP4":
        return bool((blocks[:, 0] != _NO_SCALE).all())
    return all(
        np.isfinite(np.ascontiguousarray(blocks[:, at : at + 2]).view("<f2")).all()
        for at in _SCALES[tensor.type]
    )


def _numbers(tensor: GgufTensor, rows: slice | np.ndarray) -> np.ndarray:
    """Some rows of a tensor as numbers; those of blocks become f32."""
    if tensor.type in _NUMBERS:
        numbers: np.ndarray = tensor.rows_of_bytes.view(_NUMBERS[tensor.type])[rows]
        return numbers
    own = package("gguf")
    with np.errstate(all="ignore"):
        wide: np.ndarray = own.dequantize(
            tensor.rows_of_bytes[rows], own.GGMLQuantizationType[tensor.type]
        )
    return wide
