"""Symbolic values of functional models: shape, dtype, and the step that computes them.

x = Input((3,)); y = Dense(4)(x) + 1.0     ->    x, and two steps: a call of a layer, an op
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from runtime import nest
from runtime.core.context import caller_origin
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, SymbolicTensor
from runtime.errors import OutOfScopeError, SymbolicTensorError
from runtime.nn.layers.masks import mask_of, put_mask
from runtime.ops.op import Op, output_specs

_NUMBERS = itertools.count()


@dataclass(eq=False, repr=False)
class Step:
    """A step of a functional model: a call of a layer, or an op.

    Attributes:
        callee: a layer, or an Op.
        args, kwargs: the arguments; a call of the model replaces the KerasTensors among them.
        outputs: the structure of the results.
        number: the number of the step in the order of construction.
    """

    callee: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    outputs: Any = None
    number: int = field(default_factory=lambda: next(_NUMBERS))

    @property
    def inputs(self) -> list[KerasTensor]:
        """The KerasTensors among its arguments."""
        return keras_tensors_in((self.args, self.kwargs))

    @property
    def name(self) -> str:
        """The name of the callee."""
        return str(self.callee.name)


class _SymbolicNode:
    """Stands in for the node of a KerasTensor, and for its graph: it has only a name."""

    __slots__ = ("attrs", "name", "op", "refusals")

    outer = None
    origin = None

    def __init__(self, name: str) -> None:
        self.name, self.op = name, self
        self.attrs: dict[str, Any] = {}
        self.refusals: list[Exception] = []

    def known_value(self, value: KerasTensor) -> Array:
        """Raise an OutOfScopeError: the value is not known."""
        return value._array


class KerasTensor(SymbolicTensor):
    """A symbolic value of a functional model; ops on it become steps of the model.

    Example:
        >>> value = KerasTensor(TensorSpec((None, 3)), "x", None)
        >>> value.shape, value.dtype.name
        (TensorShape([None, 3]), 'float32')
    """

    __slots__ = ("step",)

    def __init__(self, spec: TensorSpec, name: str, step: Step | None) -> None:
        place = _SymbolicNode(name)
        super().__init__(place, place, 0, spec)
        self.step = step

    @property
    def name(self) -> str:
        return str(self.node.name)

    @property
    def _array(self) -> Array:
        raise OutOfScopeError(self._why())

    def defer(self, op: Op, inputs: Sequence[Any], attrs: Mapping[str, Any]) -> Any:
        """Return the symbolic outputs of an op on these inputs: a step of the model."""
        step = Step(op, tuple(inputs), dict(attrs))
        found = output_specs(op, [each.spec for each in inputs], attrs)
        if op.effects not in ("none", "random"):
            raise OutOfScopeError(f"{op.name} of {self._why()}")
        outputs = tuple(KerasTensor(spec, op.name, step) for spec in found)
        step.outputs = outputs[0] if op.n_outputs == 1 else outputs
        return step.outputs

    def __hash__(self) -> int:
        return id(self)

    def __str__(self) -> str:
        return repr(self)

    def __repr__(self) -> str:
        return f"<KerasTensor shape={self.shape}, dtype={self.dtype.name}, name={self.name}>"

    def _no_value(self, what: str, instead: str) -> SymbolicTensorError:
        return SymbolicTensorError(
            f"{self._why()} and cannot become {what}: write a layer with a `call` for that",
            caller_origin(),
        )

    def _why(self) -> str:
        return f"{self}, which stands for a value of a model, has no value while the model is built"


def keras_tensors_in(value: Any) -> list[KerasTensor]:
    """Return the KerasTensors in a structure, in order."""
    return [leaf for leaf in nest.flatten(value) if isinstance(leaf, KerasTensor)]


def has_keras_tensors(args: Any, kwargs: Any) -> bool:
    """Return whether there is a KerasTensor among the arguments of a call."""
    return any(True for _ in _keras_tensors(args)) or any(
        True for _ in _keras_tensors(list(kwargs.values()))
    )


def _keras_tensors(values: Any) -> Iterator[KerasTensor]:
    for each in values:
        if isinstance(each, KerasTensor):
            yield each
        elif isinstance(each, (list, tuple)):
            yield from _keras_tensors(each)
        elif isinstance(each, dict):
            yield from _keras_tensors(each.values())


def symbolic_call(layer: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return the symbolic output of a layer's call, and add the step to the layer."""
    found = layer.outputs_for(args, kwargs)
    step = Step(layer, args, kwargs)

    def symbolic(leaf: Any) -> KerasTensor:
        value, mask = KerasTensor(getattr(leaf, "spec", leaf), layer.name, step), mask_of(leaf)
        if mask is not None:
            put_mask(value, mask.spec)  # A mask has only a spec, too.
        return value

    step.outputs = nest.map_structure(symbolic, found)
    layer._own.steps.append(step)
    return step.outputs
