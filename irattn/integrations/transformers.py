"""`attn_implementation="irattn"` for Hugging Face's models; importing this file registers it."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from irattn.core.errors import IrattnError
from irattn.integrations.extras import need
from irattn.specs.base import MAX_HEAD_DIM, WIDE_HEAD_DIMS

transformers = need("transformers")

# After it: who lacks both is told of the extra that brings both.
from irattn.integrations import continuous_batching as batching  # noqa: E402
from irattn.integrations import masks  # noqa: E402
from irattn.integrations.torch import scaled_dot_product_attention, torch  # noqa: E402

Tensor: TypeAlias = Any

logger = logging.getLogger("irattn")

NAME = "irattn"

_DTYPES = (torch.float32, torch.float16, torch.bfloat16)

# Theirs, which runs what irattn refuses.
_sdpa = transformers.AttentionInterface()["sdpa"]


def attention_forward(
    module: Any,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    dropout: float = 0.0,
    scaling: float | None = None,
    is_causal: bool | None = None,
    softcap: float | None = None,
    s_aux: Tensor | None = None,
    position_bias: Tensor | None = None,
    sliding_window: int | None = None,
    **others: Any,
) -> tuple[Tensor, None]:
    """A layer's attention as transformers asks for it: output `[batch, q_len, heads, value_dim]`.

    Windows, padding and what else hides keys come as the mask that transformers makes for `sdpa`;
    where it makes none, causal layers are causal. Where transformers asked for a causal mask, in
    the `sliding_window` of each query if the layer has one, the kernel is told so, and does not
    compute what that hides: what is padding stays a mask. Any other mask goes to the kernel as it
    is; what no query sees at the end of the keys is not computed. No mask on a GPU is read by the
    host. In a step of continuous batching the packed sequences see their own keys, and no mask is
    asked for. What irattn refuses (training, dropout, other devices and element types, a kernel
    that does not compile) runs in PyTorch, and the reason is logged, each once.
    """
    causal = getattr(module, "is_causal", True) if is_causal is None else is_causal
    causal = bool(causal and attention_mask is None and query.shape[2] > 1)
    mask = _with_bias(attention_mask, position_bias)
    call = _Call(query, key, value, mask, causal, scaling, softcap, s_aux, sliding_window)
    if batching.is_step(others):
        call = _StepCall.of(call, module, others)
    reason = call.refusal(dropout)
    if reason is None:
        try:
            return _laid_out(call.in_irattn()), None
        except IrattnError as error:
            reason = str(error)
    _say(reason)
    if not call.is_for_sdpa:
        return _laid_out(call.in_pytorch(dropout)), None
    output: tuple[Tensor, None] = _sdpa(
        module, query, key, value, attention_mask, dropout=dropout, scaling=scaling,
        is_causal=is_causal, position_bias=position_bias, sliding_window=sliding_window, **others,
    )  # fmt: skip
    return output


@dataclass
class _Call:
    """The call of a layer; mask is None, or bool (true: attend), or added to the logits."""

    query: Tensor
    key: Tensor
    value: Tensor
    mask: Tensor | None
    causal: bool
    scaling: float | None
    softcap: float | None
    s_aux: Tensor | None
    sliding_window: int | None

    @property
    def is_trained(self) -> bool:
        """Whether gradients are asked for."""
        given = (self.query, self.key, self.value, self.mask, self.s_aux)
        return torch.is_grad_enabled() and any(x is not None and x.requires_grad for x in given)

    @property
    def is_for_sdpa(self) -> bool:
        """Whether theirs computes it: it has no word for caps, and would leave out the sinks."""
        return self.softcap is None and self.s_aux is None

    def refusal(self, dropout: float) -> str | None:
        """Why irattn does not run it; None where it tries."""
        query, value = self.query, self.value
        if self.is_trained and max(query.shape[3], value.shape[3]) > MAX_HEAD_DIM:
            return f"it has no gradients of heads above {MAX_HEAD_DIM}"
        if dropout:
            return "it drops nothing; model.eval() turns dropout off"
        if query.device.type not in ("cpu", "cuda"):
            return f"it takes tensors on the CPU or a GPU, not on {query.device}"
        if query.dtype not in _DTYPES:
            return f"it takes float32, float16 and bfloat16, not {query.dtype}"
        wide = (size for size in (query.shape[3], value.shape[3]) if size > MAX_HEAD_DIM)
        if any(size not in WIDE_HEAD_DIMS for size in wide):
            return f"it takes no heads of {query.shape[3]}, {value.shape[3]} columns"
        return None

    def in_irattn(self) -> Tensor:
        """The output; IrattnError for what shows only now."""
        # A cache that stays where it is stays as large, and the kernel may know its size: of others
        # each step would compile one.
        exact = self.query.shape[2] == 1 and _is_static(self.key)
        return scaled_dot_product_attention(
            self.query,
            *self._keys(),
            **self._hiding(),
            scale=self.scaling,
            enable_gqa=True,
            logits_soft_cap=self.softcap,
            sinks=self.s_aux,
            exact_sizes=exact,
        )

    def _keys(self) -> tuple[Tensor, Tensor]:
        """Keys and values without those of a static cache that no query of a first call sees."""
        q_len = self.query.shape[2]
        if self.causal and q_len < self.key.shape[2]:
            return self.key[:, :, :q_len], self.value[:, :, :q_len]
        return self.key, self.value

    def _hiding(self) -> dict[str, Any]:
        """The arguments of irattn's function that say which keys are hidden."""
        pattern = masks.pattern_of(self.mask, self.sliding_window)
        if pattern is None:
            # With lengths there is no gradient.
            is_told = not self.is_trained
            lengths = masks.lengths_of(self.mask, self.query.shape[0]) if is_told else {}
            return {"attn_mask": self.mask, "is_causal": self.causal, **lengths}
        keep = None if pattern.padding is None else pattern.padding[:, None, None]
        window = None if pattern.window is None else (pattern.window - 1, -1)
        return {
            "attn_mask": keep, "is_causal": True, "alignment": "bottom_right", "window": window
        }  # fmt: skip

    def in_pytorch(self, dropout: float) -> Tensor:
        """The output, operation by operation."""
        group = self.query.shape[1] // self.key.shape[1]
        key, value = (x.repeat_interleave(group, dim=1) for x in (self.key, self.value))
        scale = self.query.shape[3] ** -0.5 if self.scaling is None else self.scaling
        logits, mask = self.query @ key.mT * scale, self.mask
        if self.softcap is not None:
            logits = self.softcap * torch.tanh(logits / self.softcap)
        if self.causal:
            mask = torch.ones(logits.shape[2:], dtype=torch.bool, device=logits.device).tril()
        if mask is not None:
            logits = logits + (_added(mask, logits.dtype) if mask.dtype == torch.bool else mask)
        if self.s_aux is not None:
            sinks = self.s_aux.to(logits.dtype).reshape(1, -1, 1, 1)
            logits = torch.cat([logits, sinks.expand(*logits.shape[:3], 1)], dim=-1)
        weights = logits.softmax(-1, dtype=torch.float32).to(value.dtype)[..., : key.shape[2]]
        return torch.nn.functional.dropout(weights, dropout) @ value


@dataclass
class _StepCall(_Call):
    """The call of a layer in a step of continuous batching, of sequences one after the other."""

    step: Mapping[str, Any]

    @classmethod
    def of(cls, call: _Call, module: Any, step: dict[str, Any]) -> "_StepCall":
        """The call with the keys that transformers' cache has for the step."""
        key, value = batching.updated(module, call.key, call.value, step)
        return cls(**vars(call) | {"key": key, "value": value, "mask": None, "step": step})

    @property
    def is_for_sdpa(self) -> bool:
        """Not without a mask of all queries and keys of the step."""
        return False

    def refusal(self, dropout: float) -> str | None:
        """Why irattn does not run it; None where it tries."""
        if self.is_trained:
            return "it has no gradients of continuous batching"
        if self.query.device.type != "cpu":
            return f"continuous batching takes tensors on the CPU, not on {self.query.device}"
        return super().refusal(dropout)

    def in_irattn(self) -> Tensor:
        """The output; IrattnError for what shows only now."""
        window = None if self.sliding_window is None else (self.sliding_window - 1, None)
        return batching.step_attention(
            self.query,
            self.key,
            self.value,
            self.step,
            softmax_scale=self.scaling,
            window=window,
            logits_soft_cap=self.softcap,
            sinks=self.s_aux,
        )

    def in_pytorch(self, dropout: float) -> Tensor:
        """The output, sequence by sequence; zeros for what is padding."""
        pages = batching.pages_of(self.step)
        key, value = (self.key, self.value) if pages is None else pages.gathered()
        output = torch.zeros_like(self.query)
        for q, k in batching.sequences(self.step):
            seen = _causal_window(q.stop - q.start, k.stop - k.start, self.sliding_window)
            one = _Call(
                self.query[:, :, q], key[:, :, k], value[:, :, k], seen.to(key.device),
                False, self.scaling, self.softcap, self.s_aux, None,
            )  # fmt: skip
            output[:, :, q] = one.in_pytorch(dropout)
        return output


def _is_static(key: Tensor) -> bool:
    """Whether keys are a static cache's, which transformers marks for graphs that are captured."""
    return getattr(key, "_dynamo_static_input_type", None) is not None


# Layers of two kinds make the same calls one after the other.
@lru_cache(maxsize=2)
def _causal_window(q_len: int, kv_len: int, window: int | None) -> Tensor:
    """The mask of the last queries: each sees the keys up to its own, in its window."""
    seen = torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len)
    return seen if window is None else seen.triu(kv_len - q_len - window + 1)


def _with_bias(mask: Tensor | None, bias: Tensor | None) -> Tensor | None:
    """The mask with a bias that a layer has learned; a hidden key stays hidden."""
    if mask is None or bias is None:
        return bias if mask is None else mask
    return bias + (_added(mask, bias.dtype) if mask.dtype == torch.bool else mask)


def _added(keep: Tensor, dtype: Any) -> Tensor:
    """A mask of bools as what is added to logits."""
    return torch.zeros_like(keep, dtype=dtype).masked_fill(~keep, torch.finfo(dtype).min)


def _laid_out(output: Tensor) -> Tensor:
    """`[batch, q_len, heads, value_dim]`, dense."""
    return output.transpose(1, 2).contiguous()


def _say(reason: str) -> None:
    # A log line would break a graph that is being compiled.
    if not torch.compiler.is_compiling():
        _say_once(reason)


@lru_cache(maxsize=256)
def _say_once(reason: str) -> None:
    logger.warning("attn_implementation %r is left to PyTorch: %s", NAME, reason)


transformers.AttentionInterface.register(NAME, attention_forward)
transformers.AttentionMaskInterface.register(
    NAME, masks.noting(transformers.AttentionMaskInterface()["sdpa"])
)
batching.register(NAME)
