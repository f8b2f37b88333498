"""The names of tensors of layers that keep states of sequences in the place of keys and values."""

from dataclasses import dataclass


@dataclass(frozen=True)
class DeltaNames:
    """Names of the tensors of gated delta nets; by default those of Qwen 3.5.

    `qkv` is one tensor, or three, and so is `conv`, which has no axis of one channel where it
    `is_flat`. `is_joined`: the tensor has the rows of the gate and of the two rates below its own.
    `is_grouped`: query, key, value and gate are one tensor whose rows go by key heads. So do those
    of `rates` where they are one tensor. `gates_down` and `decay` are of those with gates per
    channel, whose `rates` are shares alone. `decay_log` and `time_bias` have nothing behind their
    names.
    """

    qkv: tuple[str, ...] = ("linear_attn.in_proj_qkv",)
    gate: tuple[str, ...] = ("linear_attn.in_proj_z",)
    gates_down: tuple[str, ...] = ()
    decay: str = ""
    rates: tuple[str, ...] = ("linear_attn.in_proj_b", "linear_attn.in_proj_a")
    is_grouped: bool = False
    is_joined: bool = False
    conv: tuple[str, ...] = ("linear_attn.conv1d",)
    is_flat: bool = False
    decay_log: str = "linear_attn.A_log"
    time_bias: str = "linear_attn.dt_bias"
    norm: str = "linear_attn.norm"
    output: str = "linear_attn.out_proj"


@dataclass(frozen=True)
class ConvolutionNames:
    """Names of the tensors of short convolutions between gates: LFM2's.

    Where it `is_flat`, the weight of the convolution has no axis of one channel.
    """

    into: str = "conv.in_proj"
    conv: str = "conv.conv"
    out: str = "conv.out_proj"
    is_flat: bool = False


@dataclass(frozen=True)
class StateSpaceNames:
    """Names of the tensors of Mamba 2's steps: Bamba's.

    `into` has the rows of the gate, those of what is convolved and those of time steps. Where it
    `is_flat`, the weight of the convolution has no axis of one channel. `decay_log`, `time_bias`
    and `skip` have nothing behind their names.
    """

    into: str = "mamba.in_proj"
    conv: str = "mamba.conv1d"
    decay_log: str = "mamba.A_log"
    time_bias: str = "mamba.dt_bias"
    skip: str = "mamba.D"
    norm: str = "mamba.norm"
    output: str = "mamba.out_proj"
    is_flat: bool = False


# As Bamba has them, of what is called `mixer`.
MIXER_STEPS = StateSpaceNames(
    into="mixer.in_proj",
    conv="mixer.conv1d",
    decay_log="mixer.A_log",
    time_bias="mixer.dt_bias",
    skip="mixer.D",
    norm="mixer.norm",
    output="mixer.out_proj",
)


@dataclass(frozen=True)
class ScanNames:
    """Names of the tensors of Mamba 1's selective scans: Mamba's.

    `into` has the rows of what is convolved, and then those of the gate. `norms` are those of time
    steps, B and C, which have no weights where there are no names. `decay_log` and `skip` have
    nothing behind their names.
    """

    into: str = "mixer.in_proj"
    conv: str = "mixer.conv1d"
    selection: str = "mixer.x_proj"
    norms: tuple[str, ...] = ()
    steps: str = "mixer.dt_proj"
    decay_log: str = "mixer.A_log"
    skip: str = "mixer.D"
    output: str = "mixer.out_proj"


@dataclass(frozen=True)
class LightningNames:
    """Names of the tensors of lightning attention; `qkv` has query, key and value of each head."""

    qkv: str = "self_attn.qkv_proj"
    gate: str = "self_attn.output_gate"
    norm: str = "self_attn.norm"
    output: str = "self_attn.out_proj"
