"""The base of layers that keep states of sequences in the place of keys and values."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from irattn.core.errors import SpecError
from irattn.core.numbers import real
from irattn.core.tensors import AnySize, Role, TensorType
from irattn.specs.base import Spec, check_flag, check_positive
from irattn.specs.dynamic import DynamicSizes
from irattn.specs.experts import Experts, stored_experts
from irattn.specs.linear import LinearSpec
from irattn.specs.mixture_of_experts import MixtureOfExpertsSpec
from irattn.specs.mlp import MlpSpec
from irattn.specs.projections import OutputProjectionSpec, QkvProjectionSpec
from irattn.specs.rms_norm import RmsNormSpec
from irattn.specs.row_norm import check_eps, check_offset

# The weights of an MLP behind a layer's own, among which `gate` may be another one.
OF_MLP = ("gate_up", "up", "down")


@dataclass(frozen=True, kw_only=True)
class StateLayer(DynamicSizes):
    """The base of layers over packed tokens of `batch` sequences, whose states they take and give.

    What a layer adds to the hidden state comes first, and then an MLP or experts, where it has any.
    Both are multiplied with `residual_scale` before (Granite); None is 1.
    A `plain_mlp` has no gate.
    """

    dynamic_names: ClassVar[tuple[str, ...]] = ("q_tokens",)
    late: ClassVar[tuple[str, ...]] = ("residual_scale",)

    io_dtype: str = "f16"
    batch: int = 1
    q_tokens: int
    hidden_size: int
    norm_eps: float = 1e-6
    norm_offset: float = 0.0
    intermediate_size: int | None = None
    activation: str = "silu"
    experts: Experts | None = None
    residual_scale: float | None = None
    plain_mlp: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "experts", stored_experts(self.experts))
        check_positive(self, "batch", "q_tokens", "hidden_size")
        check_eps(self, "norm_eps")
        check_offset(self, "norm_offset")
        object.__setattr__(self, "residual_scale", _stored_scale(self.residual_scale))
        self._check_dynamic()
        check_flag("plain_mlp", self.plain_mlp)
        if self.plain_mlp and self.intermediate_size is None:
            raise SpecError("plain_mlp: has no effect without intermediate_size; leave it out")
        if self.mlp is None and self.activation != StateLayer.activation:
            raise SpecError("activation: has no effect without intermediate_size; leave it out")
        for name in ("intermediate_size", "activation") if self.experts else ():
            if getattr(self, name) != getattr(StateLayer, name):
                raise SpecError(f"{name}: experts have their own; leave it out")

    @property
    def norm(self) -> RmsNormSpec:
        """The norms of the hidden state."""
        return RmsNormSpec(
            **self._rows(1), columns=self.hidden_size, eps=self.norm_eps, offset=self.norm_offset
        )

    @property
    def mlp(self) -> MlpSpec | MixtureOfExpertsSpec | None:
        """The MLP, or the experts in its place, where the layer is a whole one."""
        if self.experts:
            return MixtureOfExpertsSpec(
                **vars(self.experts), **self._tokens, hidden_size=self.hidden_size
            )
        if self.intermediate_size is None:
            return None
        return MlpSpec(
            **self._tokens,
            hidden_size=self.hidden_size,
            intermediate_size=self.intermediate_size,
            activation=self.activation,
            gated=not self.plain_mlp,
            **self._mlp_formats,
        )

    @property
    def _mlp_formats(self) -> dict[str, Any]:
        """The formats of the MLP's weights, and of what they multiply, in layers that have any."""
        return {}

    @property
    def norms_change(self) -> bool:
        """Whether there is a norm of what is added to the hidden state, by the MLP too."""
        return False

    @property
    def _products(self) -> tuple[Spec, ...]:
        """The parts that multiply, but for the MLP."""
        raise NotImplementedError

    @property
    def flops(self) -> int:
        return sum(part.flops for part in (*self._products, self.mlp) if part)

    @property
    def size_words(self) -> list[str]:
        """The sizes that tell layers of one op apart, a word each, as names have them."""
        return [f"c{self.hidden_size}"]

    @property
    def mlp_arguments(self) -> list[str]:
        """The names of what the MLP takes besides the hidden state."""
        return [tensor.name for tensor in self.mlp.inputs[1:]] if self.mlp else []

    @property
    def states(self) -> dict[str, TensorType]:
        """The inputs that are states of sequences, by name, in the order of `updated_` outputs."""
        return {tensor.name: tensor for tensor in self.inputs if tensor.role is Role.STATE}

    @property
    def _mlp_inputs(self) -> tuple[TensorType, ...]:
        """The parameters of the MLP and of the norm before it, where there are any."""
        mlp = self.mlp
        return (named("mlp_norm_weight", self.norm.inputs[1]), *mlp.inputs[1:]) if mlp else ()

    @property
    def _hidden(self) -> tuple[AnySize, ...]:
        return (self.size("q_tokens"), self.hidden_size)

    @property
    def _packed(self) -> dict[str, Any]:
        """The tokens as what takes states takes them."""
        dynamic = ("q_len",) if self.dynamic else ()
        sizes = {"batch": self.batch, "q_len": self.q_tokens, "packed": True}
        return {**sizes, "io_dtype": self.io_dtype, "dynamic": dynamic}

    @property
    def _tokens(self) -> dict[str, Any]:
        """The tokens as products take them, each a sequence of its own."""
        dynamic = ("batch",) if self.dynamic else ()
        sizes = {"batch": self.q_tokens, "q_len": 1}
        return {**sizes, "io_dtype": self.io_dtype, "dynamic": dynamic}

    def _rows(self, of_token: int) -> dict[str, Any]:
        """So many rows of each token, as norms take them."""
        dynamic = ("rows",) if self.dynamic else ()
        return {"rows": self.q_tokens * of_token, "io_dtype": self.io_dtype, "dynamic": dynamic}

    def _into_heads(
        self, heads: int, size: int, weight_format: str | None = None, rank: int | None = None
    ) -> QkvProjectionSpec:
        """The projection of the hidden state, or of so many columns, into so many heads."""
        return QkvProjectionSpec(
            **self._tokens,
            weight_format=weight_format,
            num_q_heads=heads,
            num_kv_heads=0,
            head_dim=size,
            hidden_size=rank or self.hidden_size,
        )

    def _from_heads(
        self, heads: int, size: int, weight_format: str | None = None
    ) -> OutputProjectionSpec:
        """The projection of so many heads back into the hidden state."""
        return OutputProjectionSpec(
            **self._tokens,
            weight_format=weight_format,
            num_q_heads=heads,
            head_dim=size,
            hidden_size=self.hidden_size,
        )


def parameters(
    name: str, part: LinearSpec | QkvProjectionSpec | OutputProjectionSpec
) -> tuple[TensorType, ...]:
    """The weight of a product, and its scales where these are apart, under the whole's name."""
    return tuple(named(f"{name}_{tensor.name}", tensor) for tensor in part.inputs[1:])


def _stored_scale(scale: float | None) -> float | None:
    """The factor of residuals as a spec stores it: 1 is None, so that equal ones are equal text."""
    if scale is None:
        return None
    number = real("residual_scale", scale, 1e-6, 1e6, expected="a number from 1e-6 to 1e6")
    return None if number == 1 else number


def named(name: str, tensor: TensorType) -> TensorType:
    """A tensor of a part under the name that the whole has for it."""
    return replace(tensor, name=name)
