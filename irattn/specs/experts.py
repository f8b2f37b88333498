"""Experts as layers and ops have them: how many, how they are chosen, and what each of them is."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.errors import SpecError, shown
from irattn.core.numbers import real, whole
from irattn.core.weight_formats import check_columns
from irattn.specs.activation_formats import check_activation_format
from irattn.specs.base import check_flag, store_plain, stored_part
from irattn.specs.mlp import ACTIVATIONS
from irattn.specs.weight_formats import WeightFormats, format_of, is_apart, stored_formats

SPARSE_MIXER = "sparse_mixer"
SCORES = ("softmax", "sigmoid", SPARSE_MIXER)
CLAMPED_SWIGLU = "clamped_swiglu"


@dataclass(frozen=True, kw_only=True)
class Experts:
    """The experts of a layer and their router: MixtureOfExpertsSpec says what the fields mean."""

    swiglu_alpha: ClassVar[float] = 1.702
    swiglu_limit: ClassVar[float] = 7.0

    num_experts: int
    experts_per_token: int
    intermediate_size: int
    activation: str = "silu"
    has_bias: bool = False
    scores: str = "softmax"
    is_normalized: bool = True
    has_router_bias: bool = False
    has_choice_bias: bool = False
    num_groups: int = 1
    chosen_groups: int = 1
    routed_scale: float = 1.0
    shared_size: int | None = None
    has_shared_gate: bool = False
    scales_input: bool = False
    has_router_input: bool = False
    has_expert_scales: bool = False
    sum_eps: float | None = None
    is_plain: bool = False
    jitter: float | None = None
    biases_logits: bool = False
    weight_format: WeightFormats | None = None
    activation_format: str | None = None

    def __post_init__(self) -> None:
        store_plain(self)
        self.check_experts()

    def check_experts(self) -> None:
        """Refuse fields that are none, or that do not go together."""
        for name in _SIZES:
            whole(name, getattr(self, name), error=SpecError)
        for name in _FLAGS:
            check_flag(name, getattr(self, name))
        _check_one_of("activation", self.activation, (*ACTIVATIONS, CLAMPED_SWIGLU))
        _check_one_of("scores", self.scores, SCORES)
        object.__setattr__(self, "routed_scale", real("routed_scale", self.routed_scale, 0, 1e30))
        self._check_choice()
        self._check_sum()
        self._check_mixer()
        self._check_shared()
        self._check_plain()
        choices = [(*own, *shared) for own in (_ROUTED, _APART) for shared in ((), SHARED)]
        formats = stored_formats(self.weight_format, *choices)
        object.__setattr__(self, "weight_format", formats)
        if self.has_bias and self.gates_are_apart:
            raise SpecError("weight_format: experts with biases have gate_up; name no gate")
        check_activation_format(self)
        check_columns("intermediate_size", self.intermediate_size, format_of(formats, "down"))

    def _check_choice(self) -> None:
        if self.has_choice_bias and self.has_router_bias and self.scores == "softmax":
            raise SpecError(
                "has_router_bias: none beside has_choice_bias and softmax; leave it out"
            )
        if self.biases_logits and not (
            self.has_choice_bias and self.scores == "sigmoid" and self.num_groups == 1
        ):
            raise SpecError(
                "biases_logits: only scores of sigmoid with has_choice_bias and without groups "
                "have it; leave it out"
            )
        if self.scales_input and self.has_bias:
            raise SpecError("scales_input: no experts with biases have it; leave has_bias out")
        if self.num_experts % self.num_groups:
            raise SpecError(
                f"num_groups: expected a divisor of num_experts = {self.num_experts}, "
                f"got {self.num_groups}"
            )
        _check_most("chosen_groups", self.chosen_groups, self.num_groups, "num_groups")
        if self.num_groups > 1 and self.group_size < self.scored_of_group:
            raise SpecError(
                f"num_groups: a group's score is that of {self.scored_of_group} experts; "
                f"expected at most {self.num_experts // self.scored_of_group}, got "
                f"{self.num_groups}"
            )
        most = self.group_size * self.chosen_groups
        _check_most("experts_per_token", self.experts_per_token, most, "experts chosen from")

    def _check_sum(self) -> None:
        if self.sum_eps is None:
            return
        object.__setattr__(self, "sum_eps", real("sum_eps", self.sum_eps, 1e-30, 1.0))
        if self.scores != "sigmoid" or not self.is_normalized:
            raise SpecError("sum_eps: only normalized scores of sigmoid have it; leave it out")

    def _check_mixer(self) -> None:
        if self.scores != SPARSE_MIXER:
            if self.jitter is not None:
                raise SpecError(f"jitter: only scores of {SPARSE_MIXER} have it; leave it out")
            return
        if self.jitter is None:
            raise SpecError(f"jitter: missing; scores of {SPARSE_MIXER} have it")
        object.__setattr__(self, "jitter", real("jitter", self.jitter, 0, 1e3))
        for name in ("has_choice_bias", "num_groups", "is_normalized"):
            if getattr(self, name) != getattr(Experts, name):
                raise SpecError(
                    f"{name}: scores of {SPARSE_MIXER} have no such thing; leave it out"
                )

    def _check_shared(self) -> None:
        if self.shared_size is not None:
            whole("shared_size", self.shared_size, error=SpecError)
            if self.activation == CLAMPED_SWIGLU:
                raise SpecError(
                    f"shared_size: no expert of {CLAMPED_SWIGLU} is shared; leave it out"
                )
        elif is_apart(self.weight_format, "shared_down"):
            raise SpecError("weight_format: no expert is shared; name gate_up and down alone")
        elif self.has_shared_gate:
            raise SpecError("has_shared_gate: no expert is shared; give shared_size")

    def _check_plain(self) -> None:
        if not self.is_plain:
            return
        if self.has_bias or self.activation == CLAMPED_SWIGLU:
            raise SpecError("is_plain: experts with biases have gates; leave it out")
        if self.weight_format is not None:
            raise SpecError("weight_format: experts without gates have none; leave it out")

    @property
    def up_names(self) -> list[str]:
        """The names that weights of the first product are called by: one, or gate and up apart."""
        if self.is_plain:
            return ["up"]
        return ["gate", "up"] if self.gates_are_apart else ["gate_up"]

    @property
    def up_rows(self) -> int:
        """Rows of each weight of the first product, of one expert."""
        is_one = self.is_plain or self.gates_are_apart
        return self.intermediate_size * (1 if is_one else 2)

    @property
    def gates_are_apart(self) -> bool:
        """Whether gates and ups have weights of their own."""
        return is_apart(self.weight_format, "gate")

    @property
    def group_size(self) -> int:
        """Experts of a group."""
        return self.num_experts // self.num_groups

    @property
    def is_chosen_by_logits(self) -> bool:
        """Whether logits are chosen by: their best are the best scores, and equal less often."""
        if self.has_choice_bias:
            return self.biases_logits
        return self.scores != "sigmoid" or self.num_groups == 1

    @property
    def added_to_sum(self) -> float:
        """The number that is added to the sum that scores of `sigmoid` are divided by."""
        return 1e-20 if self.sum_eps is None else self.sum_eps

    @property
    def reach(self) -> float:
        """How far a logit may be from a chosen one to count beside it, relative to the larger."""
        return 2 * (self.jitter or 0.0)

    @property
    def scored_of_group(self) -> int:
        """How many of a group's experts make its score."""
        return 2 if self.scores == "sigmoid" else 1


def stored_experts(experts: object) -> Experts | None:
    """The experts as a spec stores them, of themselves or their JSON form; else a SpecError."""
    return stored_part(Experts, "experts", experts, "num_experts")


def _check_one_of(name: str, value: object, known: tuple[str, ...]) -> None:
    if value not in known:
        raise SpecError(f"{name}: expected one of {', '.join(known)}, got {shown(value)}")


def _check_most(name: str, value: int, most: int, of: str) -> None:
    if value > most:
        raise SpecError(f"{name}: expected at most {most}, the {of}, got {value}")


_ROUTED = ("gate_up", "down")
_APART = ("gate", "up", "down")
# The weights of what is shared, by the names of MlpSpec.
SHARED = {"shared_gate_up": "gate_up", "shared_down": "down"}
_SIZES = (
    *("num_experts", "experts_per_token", "intermediate_size", "num_groups", "chosen_groups"),
)
_FLAGS = (
    *("has_bias", "is_normalized", "has_router_bias", "has_choice_bias", "has_shared_gate"),
    *("scales_input", "has_router_input", "has_expert_scales", "is_plain", "biases_logits"),
)
