"""Functional models: the steps between their inputs and outputs, and the order of layers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from runtime import nest
from runtime.errors import ArgumentValueError, ShapeError
from runtime.nn.layers.symbolic import KerasTensor, Step
from runtime.ops.arrays.shape import ensure_shape, expand_dims, squeeze
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.op import Op, apply


def layers_by_depth(inputs: Sequence[KerasTensor], outputs: Sequence[KerasTensor]) -> list[Any]:
    """Return the layers on the paths from inputs to outputs in Keras's order.

    The layers farthest from the outputs come first; at equal distance, those that a walk from the
    outputs reaches first. An input without a path to the outputs has distance 0 and comes first.

    >>> from runtime.nn.layers import Add, Dense, Input
    >>> x = Input((2,), name="x")
    >>> first, other = Dense(2, name="first")(x), Dense(2, name="other")(x)
    >>> last = Add(name="last")([Dense(2, name="second")(first), other])
    >>> [layer.name for layer in layers_by_depth([x], [last])]
    ['x', 'first', 'second', 'other', 'last']
    """
    visits, finished = _walk_back(inputs, outputs)
    depths, of_steps = dict[int, int](), dict[int, int]()
    for step in reversed(finished):
        own = id(_caller(step))
        depths[own] = depth = max(of_steps.get(id(step), 0), depths.get(own, 0))
        for leaf in step.inputs:
            before = id(leaf.step)
            of_steps[before] = max(depth + 1, of_steps.get(before, 0))
    callees = {id(each): each for each in map(_caller, finished)}
    for leaf in inputs:
        if leaf.step is not None and id(leaf.step.callee) not in callees:
            callees[id(leaf.step.callee)] = leaf.step.callee
            visits[id(leaf.step.callee)] = -1
    order = sorted(callees, key=lambda each: (-depths.get(each, 0), visits[each]))
    return [callees[each] for each in order if not isinstance(callees[each], Step)]


def _caller(step: Step) -> Any:
    """Return the layer that a step calls; for an op, the step itself."""
    return step if isinstance(step.callee, Op) else step.callee


def _walk_back(
    inputs: Sequence[KerasTensor], outputs: Sequence[KerasTensor]
) -> tuple[dict[int, int], list[Step]]:
    """Walk from outputs to inputs: return the order of first visits, and the finished steps."""
    given = {id(leaf) for leaf in inputs}
    visits, begun, finished = dict[int, int](), set[int](), list[Step]()
    stack: list[tuple[Step | None, Iterator[KerasTensor]]] = [(None, iter(outputs))]
    while stack:
        step, before = stack[-1]
        leaf = next(before, None)
        if leaf is None:
            stack.pop()
            finished += [] if step is None else [step]
        elif leaf.step is not None and id(leaf.step) not in begun:
            begun.add(id(leaf.step))
            visits.setdefault(id(_caller(leaf.step)), len(visits))
            stack.append((leaf.step, iter(() if id(leaf) in given else leaf.step.inputs)))
    return visits, finished


# -- running the steps -----------------------------------------------------------------------------


class Wiring:
    """The steps of a functional model.

    Args:
        inputs, outputs: structures of KerasTensors.

    Attributes:
        layers: the called layers, in Keras's order, which is that of the weights.

    Raises:
        ArgumentValueError: an input is not from `Input`, or an output depends on another input.
    """

    def __init__(self, inputs: Any, outputs: Any) -> None:
        self.inputs, self.outputs = inputs, outputs
        for leaf in (*nest.flatten(inputs), *nest.flatten(outputs)):
            if not isinstance(leaf, KerasTensor):
                raise ArgumentValueError(
                    f"inputs and outputs of a model must be results of Input and layers, "
                    f"not {leaf!r:.80}"
                )
        self.steps = _steps(nest.flatten(inputs), nest.flatten(outputs))
        self.layers = layers_by_depth(nest.flatten(inputs), nest.flatten(outputs))

    @property
    def input_names(self) -> list[str]:
        """The names of the inputs: the keys of a dict, or their own names."""
        if isinstance(self.inputs, Mapping):
            return sorted(self.inputs)
        return [leaf.name for leaf in nest.flatten(self.inputs)]

    @property
    def output_names(self) -> list[str]:
        """The names of the outputs: the keys of a dict, or the names of the last layers."""
        if isinstance(self.outputs, Mapping):
            return list(self.outputs)
        found: list[str] = []
        for leaf in nest.flatten(self.outputs):
            name, number = leaf.name, 0
            while name in found:
                number += 1
                name = f"{leaf.name}_{number}"
            found.append(name)
        return found

    def run(self, owner: str, given: Any, training: Any = None) -> Any:
        """Return the outputs for inputs.

        Args:
            owner: the name of the model, for errors.
            given: tensors in the structure of the inputs, or a dict by their names.
            training: the training mode; it takes precedence, as in Keras, over the `training` of
                the recorded call of a layer.

        Raises:
            ArgumentValueError: the number of inputs is wrong.
            ShapeError: an input does not match.
        """
        values = dict[int, Any]()
        for leaf, name, value in zip(
            nest.flatten(self.inputs), self.input_names, self._in_order(owner, given)
        ):
            values[id(leaf)] = _fitted(owner, name, leaf, value)
        for step in self.steps:
            self._take(step, values, training)
        return nest.map_structure(lambda leaf: values[id(leaf)], self.outputs)

    def _take(self, step: Step, values: dict[int, Any], training: Any) -> None:
        def found(leaf: Any) -> Any:
            return values[id(leaf)] if isinstance(leaf, KerasTensor) else leaf

        args = [nest.map_structure(found, each) for each in step.args]
        if isinstance(step.callee, Op):
            outputs = apply(step.callee, args, **step.kwargs)
        else:
            kwargs = nest.map_structure(found, step.kwargs)
            if training is not None and kwargs.get("training") is not None:
                kwargs["training"] = training
            outputs = step.callee(*args, **kwargs)
        for leaf, value in zip(nest.flatten(step.outputs), nest.flatten(outputs)):
            values[id(leaf)] = value

    def _in_order(self, owner: str, given: Any) -> list[Any]:
        names = self.input_names
        if isinstance(given, Mapping):
            missing = [name for name in names if name not in given]
            if missing:
                raise ArgumentValueError(
                    f"model {owner!r} is not given its input {missing[0]!r}, only "
                    f"{', '.join(map(repr, given))}"
                )
            return [given[name] for name in names]
        found = nest.flatten(given)
        if len(found) != len(names):
            raise ArgumentValueError(
                f"model {owner!r} takes {len(names)} inputs ({', '.join(names)}), and is given "
                f"{len(found)}"
            )
        return found


def _number(step: Step) -> int:
    return step.number


def _steps(inputs: list[KerasTensor], outputs: list[KerasTensor]) -> list[Step]:
    """Return the steps from inputs to outputs, in the order of construction."""
    given = {id(leaf) for leaf in inputs}
    found: dict[int, Step] = {}
    waiting = list(outputs)
    while waiting:
        leaf = waiting.pop()
        step = leaf.step
        if id(leaf) in given or (step is not None and id(step) in found):
            continue
        if step is None or not step.inputs:
            raise ArgumentValueError(
                f"an output of the model needs the input {leaf.name!r}, which is not one of its "
                "inputs: add it to Model(inputs=...)"
            )
        found[id(step)] = step
        waiting += step.inputs
    return sorted(found.values(), key=_number)


def _fitted(owner: str, name: str, wanted: KerasTensor, value: Any) -> Any:
    """Return an input cast to the required dtype, with a last axis of size 1 added or removed."""
    tensor: Any = to_tensor(value)
    if tensor.dtype is not wanted.dtype and not (tensor.dtype.is_string or wanted.dtype.is_string):
        tensor = cast(tensor, wanted.dtype)
    tensor = with_axes_of(wanted.shape, tensor)
    if not tensor.shape.is_compatible_with(_with_any_batch(wanted.shape)):
        raise ShapeError(
            f"model {owner!r} takes input {name!r} of shape {wanted.shape}, and is given shape "
            f"{tensor.shape}"
        )
    if tensor.shape.rank is None and wanted.shape.rank is not None:
        return ensure_shape(tensor, _with_any_batch(wanted.shape))
    return tensor


def with_axes_of(wanted: Any, tensor: Any) -> Any:
    """Return a tensor with the rank of a shape, if a last axis of size 1 makes the difference.

    >>> from runtime.core.shapes import as_shape
    >>> with_axes_of(as_shape((None, 1)), to_tensor([1.0, 2.0])).shape
    TensorShape([2, 1])
    """
    rank, needed = tensor.shape.rank, wanted.rank
    if rank is None or needed is None:
        return tensor
    if rank == needed - 1 and wanted[-1] == 1:
        return expand_dims(tensor, axis=-1)
    if rank == needed + 1 and tensor.shape[-1] == 1:
        return squeeze(tensor, axis=-1)
    return tensor


def _with_any_batch(shape: Any) -> Any:
    return shape if not shape.rank else (None, *shape.dims[1:])
