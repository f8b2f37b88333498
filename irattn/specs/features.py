"""The features that every attention has: heads, masks and changes to the logits."""

from dataclasses import dataclass
from typing import Any, ClassVar

from irattn.core.errors import SpecError, shown
from irattn.core.numbers import real
from irattn.core.tensors import AnySize, Role, TensorType, integers, largest
from irattn.specs.base import (
    WIDE_HEAD_DIMS,
    Spec,
    check_flag,
    check_head_dim,
    check_heads,
    check_positive,
    check_scale,
    stored_scale,
)
from irattn.specs.expressions import (
    Expression,
    ExpressionStep,
    captured_by,
    captured_inputs,
    check_reads,
    kept_by_dropout,
    limits_of,
    reads_beyond,
    stored_functions,
)
from irattn.specs.logits import (
    ALIGNMENTS,
    AXES,
    bias_tensor,
    capped_sum,
    check_axes,
    keep_mask_tensor,
    stored_cap,
    stored_window,
)

# The largest offset: sums of such numbers are in range of int32.
MAX_OFFSET = 2**30

# A workgroup's sums of weighted values are as wide.
MAX_VALUE_DIM = 512
_WIDE_VALUE_DIMS = tuple(size for size in WIDE_HEAD_DIMS if size <= MAX_VALUE_DIM)


@dataclass(frozen=True, kw_only=True)
class AttentionFeatures(Spec):
    """The features of attention: logits are made, changed and masked in this order:

    1. `query · key * softmax_scale`; None means `head_dim ** -0.5`, and 0 that all seen keys weigh
       the same, where nothing else tells them apart; a `score_mod` that does nothing is kept then.
    2. `logits_soft_cap`: `cap * tanh(logit / cap)` (Gemma 2); None, or 0, for no cap.
    3. `score_mod` (He et al. 2024, FlexAttention), a function of `(score, batch, head, query,
       key)`, gives another logit in its place; -inf hides the key.
    4. `bias`, a run-time tensor in `io_dtype`, is added; -inf hides the key, whatever its logit.
       `alibi` adds `-alibi_slopes[head] * |position - j|` (Press et al. 2022).
    5. Keys are hidden: by `causal` those with `j > position`; by `window` `(left, right)` those
       with `j < position - left` or `j > position + right` (None, or -1: no limit on that side;
       the token at `position` itself is always inside); by `keep_mask`, a run-time tensor of
       bools, those where it is false; by `mask_mod`, a function of `(batch, head, query, key)`,
       those of which it is false.
    6. The softmax. `sinks` (Xiao et al. 2023, as a learned logit: GPT-OSS) gives every head one
       more key that has the logit `sinks[head]` and no value; it is neither scaled, capped nor
       masked.

    Values, and the output, have `value_dim` columns; None means `head_dim`. Both may be up to 256,
    or 288, 320, 384 or 512; `head_dim` may be 576 where `value_dim` is less.

    The position of query `i` is `i + keys - queries` of its sequence (`alignment`
    `bottom_right`: the last query stands at the last key), `i` (`top_left`), or `i + offsets[b]`
    (`offsets`: the call tells where the first query of sequence `b` stands, as for a chunk of a
    prompt or for drafted tokens; int32, int64 accepted, `[batch]`).

    `bias` and `keep_mask` name the axes along which their tensor varies, some of `bhqk` (batch,
    query head, query, key) in this order; the tensor `[batch, num_q_heads, q_len, kv_len]` has
    size 1 along the others. `alibi_slopes` and `sinks` are f32 `[num_q_heads]`.

    `score_mod` and `mask_mod` are Python functions that are called once, with symbolic numbers, and
    stored as what they compute: an Expression. They may use + - * / // % **, comparisons, & | ^ ~
    << >>, abs, and NumPy's or torch's where, exp, log, sqrt, tanh, sin, floor and others. Floats
    are f32 and integers int32; whole numbers divided by 0 give 0, as NumPy's. Arrays among a
    function's variables (f32, f16, bf16, int32, int64 or bool) are read by index and become inputs
    of the call, `captured_` and the variable's name; their values are not in the spec. A negative
    index counts from the end, and one beyond an array takes its nearest element; by a name of these
    alone, such a one is refused.

    `query` and `key` are their places in their arrays, from 0, whatever the alignment: where there
    are more keys than queries, query `i` of `bottom_right` stands at key `i + kv_len - q_len`, and
    `key <= query` is `top_left`'s causal mask. In packed sequences both count within their own
    sequence, which is `batch`. Over a cache in blocks `query` is the query's position, as `key` is,
    from 0 to the last token of a table: `key <= query` is causal. A mask that must hold and only
    asks how far a key is from the query is stored as `causal` and `window`, where these can say it.

    With `dropout_p`, up to 0.999, as training has it, each weight of a value is dropped with that
    likelihood, after the softmax, and the others are divided by `1 - dropout_p`. `lse` knows
    nothing of it. `dropout_seed`, int32 `[3]`, has the lower and the upper half of a seed and an
    offset: for the same numbers the same weights are dropped, on every machine and in every tiling.
    The weight of batch b, head h, query i and key j is kept if word `j % 4` of Philox 4x32-10
    (Salmon et al. 2011) is at least `round(dropout_p * 2**32)`, of the key (lower, upper) and the
    counter `(j // 4, i, b * num_q_heads + h, offset)`; i and j are places as functions have them.

    A query that sees no key gives zeros. `return_lse` adds the output `lse`, f32
    `[batch, num_q_heads, q_len]`: the natural logarithm of the softmax's denominator, the sink's
    share included; -inf where nothing is seen.
    """

    io_dtype: str = "f16"
    batch: int = 1
    num_q_heads: int
    num_kv_heads: int
    head_dim: int
    value_dim: int | None = None
    softmax_scale: float | None = None
    causal: bool = False
    alignment: str = "bottom_right"
    window: tuple[int | None, int | None] | None = None
    logits_soft_cap: float | None = None
    alibi: bool = False
    bias: str | None = None
    keep_mask: str | None = None
    sinks: bool = False
    return_lse: bool = False
    # Expressions, of whatever users give for them.
    score_mod: Any = None
    mask_mod: Any = None
    dropout_p: float | None = None

    # Whether the op takes functions of scores, and dropout, and whether a query is its position.
    takes_functions: ClassVar[bool] = False
    takes_dropout: ClassVar[bool] = False
    asks_positions: ClassVar[bool] = False

    def _check_features(self) -> None:
        check_positive(self, "batch", "num_q_heads", "num_kv_heads")
        check_heads(self.num_q_heads, self.num_kv_heads)
        self._check_head_dims()
        check_scale(self.softmax_scale)
        for flag in ("causal", "alibi", "sinks", "return_lse"):
            check_flag(flag, getattr(self, flag))
        if self.alignment not in (*ALIGNMENTS, "offsets"):
            raise SpecError(
                f"alignment: expected {', '.join(ALIGNMENTS)} or offsets, got "
                f"{shown(self.alignment)}"
            )
        for name in ("bias", "keep_mask"):
            if getattr(self, name) is not None:
                check_axes(name, getattr(self, name), "".join(self.axis_sizes))
        # Equal meaning, equal value: what says the default is stored as the default.
        object.__setattr__(self, "softmax_scale", stored_scale(self.softmax_scale, self.head_dim))
        object.__setattr__(self, "logits_soft_cap", stored_cap(self.logits_soft_cap))
        object.__setattr__(self, "window", stored_window(self.window, self.causal))
        object.__setattr__(self, "dropout_p", self._stored_dropout())
        self._check_functions()

    def _stored_dropout(self) -> float | None:
        """The likelihood of dropping a weight; None for none."""
        if self.dropout_p is None:
            return None
        likelihood = real("dropout_p", self.dropout_p, 0, 0.999)
        if likelihood and not self.takes_dropout:
            raise SpecError(f"dropout_p: {self.op} drops nothing; leave it out")
        return likelihood or None

    def _check_functions(self) -> None:
        functions = stored_functions(score_mod=self.score_mod, mask_mod=self.mask_mod)
        for name, function in functions.items():
            if function is not None and not self.takes_functions:
                raise SpecError(f"{name}: {self.op} takes none")
            object.__setattr__(self, name, function)
            if function is not None:
                check_reads(name, function, self.function_sizes)
        if self.mask_mod is not None:
            self._store_limits()
        if self.softmax_scale == 0 and self.score_mod is None:
            self._store_same_score()

    def _store_same_score(self) -> None:
        """Have kernels add a bias to the scaled logit: they divide it by the scale elsewhere."""
        same = Expression((ExpressionStep("score"),))
        object.__setattr__(self, "score_mod", same)

    def _store_limits(self) -> None:
        """Store what a mask says of distances as `causal` and `window`, whose work follows it."""
        is_first = not (self.causal or self.window or self.alibi)
        if self.alignment == "offsets" or not (self.counts_from_first_key or is_first):
            return
        limits = limits_of(self.mask_mod)
        if limits.behind is None and limits.ahead is None:
            return
        left = [one for one in (self.window_left, limits.behind) if one is not None]
        right = [one for one in (self.window_right, limits.ahead) if one is not None]
        window = (min(left, default=None), min(right, default=None))
        causal = self.causal or window[1] == 0
        object.__setattr__(self, "causal", causal)
        object.__setattr__(self, "window", stored_window(window, causal))
        object.__setattr__(self, "mask_mod", limits.rest)
        if not self.counts_from_first_key:
            object.__setattr__(self, "alignment", "top_left")

    @property
    def counts_from_first_key(self) -> bool:
        """Whether a query stands at the key of the number that functions of scores have for it."""
        return self.asks_positions or self.alignment == "top_left"

    @property
    def captured(self) -> list[TensorType]:
        """The inputs that are arrays which functions read, the seed of dropout among them."""
        return captured_inputs(captured_by(*self.functions.values()))

    @property
    def functions(self) -> dict[str, Expression]:
        """`score_mod`, `mask_mod`, and which weights `dropout_p` keeps, those that there are."""
        given = {"score_mod": self.score_mod, "mask_mod": self.mask_mod}
        if self.dropout_p is not None:
            given["dropout_p"] = kept_by_dropout(self.dropout_p, self.num_q_heads)
        return {name: one for name, one in given.items() if one is not None}

    @property
    def kept_factor(self) -> float:
        """The factor on the weights that dropout keeps."""
        return 1.0 / (1.0 - (self.dropout_p or 0.0))

    @property
    def outgrows_values(self) -> bool:
        """Whether outputs may be larger than the largest value: as weights are, with dropout."""
        return self.dropout_p is not None

    @property
    def function_sizes(self) -> dict[str, int]:
        """How many batches, heads, queries and keys `score_mod` and `mask_mod` are asked about."""
        keys = largest(self.num_keys)
        queries = keys if self.asks_positions else largest(self.num_queries)
        sizes = (self.batch, self.num_q_heads, queries, keys)
        return dict(zip(("batch", "head", "query", "key"), sizes, strict=True))

    def reads_enough(self, **sizes: int) -> bool:
        """Whether arrays that functions read by a name alone are as long where sizes are these."""
        functions = self.functions.values()
        if not functions:
            return True
        asked = self.replace(score_mod=None, mask_mod=None, **sizes).function_sizes
        return not any(beyond for one in functions for beyond in reads_beyond(one, asked))

    def _check_head_dims(self) -> None:
        check_head_dim(self, "head_dim", also=WIDE_HEAD_DIMS)
        if self.value_dim is not None:
            check_head_dim(self, "value_dim", also=_WIDE_VALUE_DIMS)
        if self.value_dim == self.head_dim:
            object.__setattr__(self, "value_dim", None)
        if self.v_dim > MAX_VALUE_DIM:
            raise SpecError(
                f"value_dim: expected at most {MAX_VALUE_DIM}, got {self.v_dim}, which is head_dim "
                "where none is given"
            )

    def size(self, name: str) -> AnySize:
        """A field that is the size of an axis; a DynamicSize where every call chooses its own."""
        value: int = getattr(self, name)
        return value

    @property
    def num_queries(self) -> AnySize:
        """Length of the query axis."""
        raise NotImplementedError

    @property
    def num_keys(self) -> AnySize:
        """Length of the key axis of the logits."""
        raise NotImplementedError

    @property
    def axis_sizes(self) -> dict[str, AnySize]:
        """The axes of the logits that `bias` and `keep_mask` can have."""
        rows = (self.size("batch"), self.num_q_heads, self.num_queries)
        return dict(zip(AXES, (*rows, self.num_keys), strict=True))

    @property
    def v_dim(self) -> int:
        """Columns of value and output."""
        return self.head_dim if self.value_dim is None else self.value_dim

    @property
    def has_tokens_first(self) -> bool:
        """Whether tokens come before heads in queries, keys, values and the output."""
        raise NotImplementedError

    @property
    def group_size(self) -> int:
        """Query heads per KV head."""
        return self.num_q_heads // self.num_kv_heads

    @property
    def scale(self) -> float:
        """The factor on the logits."""
        return self.head_dim**-0.5 if self.softmax_scale is None else self.softmax_scale

    @property
    def window_left(self) -> int | None:
        """Tokens before its own position that a query sees; None where there is no limit."""
        return self.window[0] if self.window else None

    @property
    def window_right(self) -> int | None:
        """Tokens after its own position that a query sees; None where there is no limit."""
        return self.window[1] if self.window else None

    @property
    def feature_inputs(self) -> tuple[TensorType, ...]:
        """The run-time tensors of the features, in call order after all others."""
        heads = (self.num_q_heads,)
        batch, at = self.size("batch"), self.alignment
        named: tuple[tuple[bool, TensorType], ...] = (
            (at == "offsets", integers("offsets", (batch,), Role.OFFSETS, (0, MAX_OFFSET))),
            (self.alibi, TensorType("alibi_slopes", heads, "f32", role=Role.SLOPES)),
            (bool(self.bias), bias_tensor(self.bias, self.axis_sizes, self.io_dtype)),
            (bool(self.keep_mask), keep_mask_tensor(self.keep_mask, self.axis_sizes)),
            (self.sinks, TensorType("sinks", heads, "f32", role=Role.SINKS)),
        )
        return (*(tensor for wanted, tensor in named if wanted), *self.captured)

    def _output(self, *rows: AnySize) -> TensorType:
        """The output of attention, with a row for each of the queries.

        Weights are stored beside the largest of their row, which is 1: of smaller ones, f16 loses
        up to 2^-25 each. Where the largest are dropped, that may be all of a row that is nearly 0.
        """
        loses = self.dropout_p is not None and self.io_dtype == "f16"
        return TensorType("output", (*rows, self.v_dim), self.io_dtype, by_row=not loses)

    def _lse(self, *rows: AnySize) -> TensorType:
        """The logarithms of denominators, one for each of the rows.

        Over caches of whole numbers a query's numbers may be off by 2^-16 of its largest, so logits
        by that times the sum of a key's magnitudes: f16 would lose more, unless the largest number
        is 32 times the mean of magnitudes. Keys of int4 may be rounded to `io_dtype`.
        """
        cache = getattr(self, "cache_dtype", None) or ""
        rounded = {"int8": "f16", "int4": self.io_dtype} if self.io_dtype != "f32" else {}
        return TensorType("lse", rows, "f32", rounded=rounded.get(cache), role=Role.LSE)

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        rows = (self.size("batch"), self.num_q_heads, self.num_queries)
        output = self._output(*rows)
        return (output, self._lse(*rows)) if self.return_lse else (output,)

    @property
    def flops(self) -> int:
        rows = self.batch * self.num_q_heads * largest(self.num_queries)
        scores = rows * largest(self.num_keys)
        return 2 * scores * (self.head_dim + self.v_dim)

    @property
    def least_flops(self) -> int:
        queries, keys = largest(self.num_queries), largest(self.num_keys)
        return self.flops * self._visible_pairs(queries, keys) // (queries * keys)

    def _visible_pairs(self, q_len: int, kv_len: int) -> int:
        """Pairs of query and key that causal and window leave in a sequence of these lengths."""
        # Offsets may be anything: counted are those of the last queries.
        first = 0 if self.alignment == "top_left" else kv_len - q_len
        left, right = self.window_left, 0 if self.causal else self.window_right
        # Keys before the end of each query's window, less those before its start.
        ended = q_len * kv_len if right is None else capped_sum(first + right + 1, q_len, kv_len)
        return ended - (0 if left is None else capped_sum(first - left, q_len, kv_len))
