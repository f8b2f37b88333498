"""Attention's gradients under torch.func's transforms: grad, vjp, jacrev, vmap and all of them.

torch.library's own rule of autograd knows none of them. An `autograd.Function` with
`setup_context` does, so operators with a gradient are one wherever a transform is active.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NoReturn, TypeAlias

from irattn.core.errors import ArgumentError
from irattn.functional.arrays import check_is_not_nested
from irattn.integrations import torch_autocast
from irattn.integrations.extras import need

torch = need("torch")

Tensor: TypeAlias = Any

# The key of dispatch that is first asked where a transform is active.
_TRANSFORMED = "FuncTorchDynamicLayerFrontMode"

# The keys of dispatch that a call for a gradient goes by.
AUTOGRAD = ("AutogradCPU", "AutogradCUDA", "AutogradMeta")

# The keys of dispatch of nested tensors, where gradients may be asked for, and where none are.
_NESTED = ("AutogradNestedTensor", "NestedTensorCPU", "NestedTensorCUDA")

# Rules of dispatch last as long as what they are registered with.
_library = torch.library.Library("irattn", "FRAGMENT")


@dataclass(frozen=True)
class _Options:
    """The options of a call, in a box that PyTorch does not look into."""

    named: dict[str, Any]


def follow(
    operator: Any, save: Callable[..., None], gradients: Callable[..., Any], lowered: int = 0
) -> None:
    """Have transforms see an operator of several results as a function with these gradients.

    `save` and `gradients` are what `register_autograd` takes. Of the first `lowered` tensors
    autocast decides the dtype: before a transform sees them, as outside of one.
    """
    function = _function(operator, save, gradients)

    def run(*tensors: Tensor | None, **options: Any) -> tuple[Tensor, ...]:
        schema = operator._opoverload._schema
        tensors, options = torch._library.utils.fill_defaults(schema, tensors, options)
        first = torch_autocast.cast(*tensors[:lowered]) if lowered else ()
        every = (*first, *tensors[lowered:])
        results: tuple[Tensor, ...] = function.apply(*every, _Options(options))
        return results

    _library.impl(operator._name, run, _TRANSFORMED)


def follow_first(operator: Any, run: Callable[..., Any]) -> None:
    """Have transforms see an operator of one result as the first one of what `run` gives."""
    _library.impl(operator._name, lambda *given, **named: run(*given, **named)[0], _TRANSFORMED)


def is_differentiated() -> bool:
    """Whether a transform that asks for gradients is active, of whichever tensors."""
    if torch.compiler.is_compiling():
        return False
    transforms = torch._C._functorch
    return any(
        one.key() == transforms.TransformType.Grad
        for one in transforms.get_interpreter_stack() or ()
    )


def refuse_tangents(operator: Any) -> None:
    """Have forward mode be refused by an operator; its gradients stay as torch.library has them."""
    usual = torch._library.autograd.make_autograd_impl(operator._opoverload, operator)

    def run(keys: Any, *tensors: Tensor | None, **options: Any) -> Any:
        check_no_tangents(tensors)
        return usual(keys, *tensors, **options)

    for key in AUTOGRAD:
        _library.impl(operator._name, run, key, with_keyset=True)


def refuse_nested(operator: Any) -> None:
    """Have nested tensors be refused by name: no rule of PyTorch's takes them apart."""
    names = [argument.name for argument in operator._opoverload._schema.arguments]

    def refuse(*tensors: Any, **_: Any) -> NoReturn:
        for name, one in zip(names, tensors, strict=False):
            check_is_not_nested(name, one)
        raise AssertionError(operator._name)

    def refuse_jagged(_class: Any, _operator: Any, _types: Any, tensors: Any, _: Any) -> NoReturn:
        refuse(*tensors)

    for key in _NESTED:
        _library.impl(operator._name, refuse, key)
    # In inference mode nothing is asked before the class itself.
    jagged = import_module("torch.nested._internal.nested_tensor").NestedTensor
    operator.register_torch_dispatch(jagged, refuse_jagged)


def check_no_tangents(given: Sequence[Tensor | None]) -> None:
    """ArgumentError where forward mode asks for a derivative: PyTorch would take it for zero."""
    forward = torch.autograd.forward_ad
    if forward._current_level < 0:
        return
    if any(one is not None and forward.unpack_dual(one).tangent is not None for one in given):
        _refuse_tangents()


def _refuse_tangents(*_: Any) -> NoReturn:
    raise ArgumentError(
        "irattn: there is no derivative in forward mode (jvp, jacfwd, hessian, dual numbers); "
        "torch.func.vjp and jacrev give those of attention"
    )


def _function(operator: Any, save: Callable[..., None], gradients: Callable[..., Any]) -> Any:
    def forward(*given: Any) -> tuple[Tensor, ...]:
        *tensors, options = given
        return tuple(operator(*tensors, **options.named))

    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        *tensors, options = inputs
        save(ctx, inputs=tensors, keyword_only_inputs=options.named, output=output)

    def backward(ctx: Any, *output_gradients: Tensor) -> tuple[Any, ...]:
        return *gradients(ctx, *output_gradients), None

    def one_by_one(info: Any, in_dims: Any, *given: Any) -> tuple[Any, Any]:
        """The results of calls of single ones: some of a call's tensors have no batch to add to."""
        batched = list(zip(given, in_dims, strict=True))
        calls = [
            forward(*(one if dim is None else one.select(dim, place) for one, dim in batched))
            for place in range(info.batch_size)
        ]
        results = tuple(map(torch.stack, zip(*calls, strict=True)))
        return results, (0,) * len(results)

    methods: dict[str, Callable[..., Any]] = {
        "forward": forward,
        "setup_context": setup_context,
        "backward": backward,
        "vmap": one_by_one,
        "jvp": _refuse_tangents,
    }
    statics: dict[str, Any] = {name: staticmethod(method) for name, method in methods.items()}
    return type(f"Transformed_{operator._name}", (torch.autograd.Function,), statics)
