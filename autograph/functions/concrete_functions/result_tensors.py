"""Results as files have them: tensors in lists, tuples and dicts.

A list whose length only a run knows becomes a tensor whose rows are the items, or a tensor for each
part of an item. Dicts with the names of TensorFlow's attributes stand for lists of lists, and for
values that are None on some paths:

    [x1, x2, ...]                  ->   rt.stack([x1, x2, ...])
    [(x1, y1), (x2, y2), ...]      ->   (rt.stack([x1, x2, ...]), rt.stack([y1, y2, ...]))
    [[x1, x2], [x3]]               ->   {"values": rt.stack([x1, x2, x3]), "row_lengths": [2, 1]}
    x or None                      ->   {"has_value": True, "value": x}
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from autograph.backends.graph.tracing.value_tensors import tensor_specs
from autograph.backends.graph.values.leaf_spec import LiteralSpec, StaticSpec, TracedSpec
from autograph.backends.graph.values.object_values import ArrayRecord, ObjectRecord
from autograph.backends.graph.values.value_spec import (
    ContainerSpec,
    ItemsSpec,
    OptionalSpec,
    ValueSpec,
)
from autograph.errors import SignatureError
from autograph.functions.concrete_functions.concrete_function import ConcreteFunction
from autograph.functions.results.materialize import Materialized
from autograph.functions.results.result_structure import NoneResult, TensorOutput
from runtime import nest
from runtime.core.dtypes import bool_, float32, float64, int32
from runtime.core.spec import TensorSpec
from runtime.core.tensor import EagerTensor, SymbolicTensor, Tensor
from runtime.graph.graph import Graph
from runtime.graph.inlining import inlined
from runtime.graph.structured_control_flow import while_loop
from runtime.ops.arrays.creation import fill
from runtime.ops.constant import cast, convert_to_tensor
from runtime.ops.containers import lists
from runtime.ops.elementwise.comparison import less


class ResultTensors(NamedTuple):
    """The graph of a trace, with a tensor for each part of its result.

    Attributes:
        graph: the graph.
        result: the result, with numbers of outputs of the graph in the place of tensors.
        notes: the parts of the result that are other values than here.
    """

    graph: Graph
    result: Any
    notes: tuple[str, ...] = ()


def result_tensors(concrete: ConcreteFunction, state: Sequence[Any] = ()) -> ResultTensors:
    """Return the graph of a trace, with a tensor for each part of its result.

    Args:
        concrete: the trace.
        state: the arrays of its last inputs, which become constants.

    Raises:
        SignatureError: a part of the result is no tensor, such as an object.

    Example:
        >>> import autograph as ag, runtime as rt
        >>> @ag.function(input_signature=[rt.TensorSpec((), rt.int32)])
        ... def halves(n):
        ...     found = []
        ...     while n > 0:
        ...         found.append(n)
        ...         n = n // 2
        ...     return found
        >>> made = result_tensors(halves.get_concrete_function())
        >>> made.result, made.graph.outputs[0].spec
        (0, TensorSpec(shape=(None,), dtype=rt.int32, name=None))
    """
    if concrete.structure.is_plain() and not state:
        return ResultTensors(concrete.graph, concrete.structure.output_indices())
    graph = concrete.graph
    made = Graph(graph.name)
    own = graph.parameters[: len(graph.parameters) - len(state)]
    given = [made.add_input(each.spec, each.node.name, each.weak) for each in own]
    given += [made.capture(EagerTensor(each)) for each in state]
    captured = [made.capture(each.outer) for each in graph.captures]
    with made.recording():
        parts = _ResultTensors(concrete.name, inlined(graph, [*given, *captured], made))
        result = nest.map_structure(parts.of, concrete.structure.builders)
    made.set_outputs(parts.tensors)
    return ResultTensors(made, result, tuple(sorted(parts.notes)))


_ROWS = "a list is a tensor with an item in each row"
_RAGGED = "a list of lists is a dict of its values and row_lengths"
_OPTIONAL = "a value that may be None is a dict of has_value and value"
_FLAG, _LENGTH = TensorSpec((), bool_), TensorSpec((), int32)


class _ResultTensors:
    """The tensors of a result.

    Args:
        name: the function, for errors.
        outputs: the outputs of the graph.
    """

    def __init__(self, name: str, outputs: tuple[SymbolicTensor, ...]) -> None:
        self._name, self._outputs = name, outputs
        self.tensors: list[Tensor] = []
        self.notes = set[str]()

    def of(self, builder: object) -> Any:
        """Return a part of the result, with numbers of tensors."""
        if isinstance(builder, NoneResult):
            return None
        if isinstance(builder, TensorOutput):
            return self._number(self._outputs[builder.index])
        if not isinstance(builder, Materialized):
            raise self._refused("an object: return what it holds, such as its attributes")
        return self._value(builder.value_spec, _Single(builder.outputs_in(self._outputs)))

    def _number(self, tensor: Any) -> int:
        self.tensors.append(convert_to_tensor(tensor))
        return len(self.tensors) - 1

    def _value(self, spec: ValueSpec, source: _TensorSource) -> Any:
        if isinstance(spec, TracedSpec):
            return self._number(_handed_out(source.tensor(spec.tensor_spec), spec))
        if isinstance(spec, LiteralSpec):
            return self._number(source.constant(spec.value))
        if isinstance(spec, StaticSpec) and spec.value is None:
            return None
        if isinstance(spec, ItemsSpec):
            return self._items(spec, source)
        if isinstance(spec, OptionalSpec) and spec.absent == "none":
            self.notes.add(_OPTIONAL)
            has_value = self._number(source.tensor(_FLAG))
            return {"has_value": has_value, "value": self._value(spec.value, source)}
        if isinstance(spec, ContainerSpec):
            made = self._container(spec, source)
            if spec.has_number:
                source.tensor(_LENGTH)
            return made
        raise self._refused("an object: return what it holds, such as its attributes")

    def _container(self, spec: ContainerSpec, source: _TensorSource) -> Any:
        if isinstance(spec.like, ArrayRecord):
            return self._value(spec.children[0], source)
        if isinstance(spec.like, ObjectRecord):
            raise self._refused("an object: return what it holds, such as its attributes")
        return nest.rebuild(spec.like, [self._value(each, source) for each in spec.children])

    def _items(self, spec: ItemsSpec, source: _TensorSource) -> Any:
        handle, lengths = source.items(spec)
        if spec.has_number:
            source.tensor(_LENGTH)
        if any(each.shape.rank is None for each in tensor_specs(spec.element)):
            raise self._refused(
                "a list of tensors of unknown rank: give them a shape, as in "
                "rt.ensure_shape(x, [None])"
            )
        self.notes.add(_ROWS)
        rows = self._value(spec.element, _ItemRows(handle, tensor_specs(spec.element)))
        if lengths is None:
            return rows
        self.notes.add(_RAGGED)
        return {"values": rows, "row_lengths": self._number(lengths)}

    def _refused(self, told: str) -> SignatureError:
        return SignatureError(f"{self._name} cannot be saved: it returns {told}")


def _handed_out(tensor: Any, spec: TracedSpec) -> Any:
    """Return a tensor; Python floats, which are computed in 64 bits, are tensors of 32."""
    is_number = spec.weak and spec.tensor_spec.shape.rank == 0
    return cast(tensor, float32) if is_number and spec.tensor_spec.dtype is float64 else tensor


class _TensorSource(Protocol):
    """The tensors that carry a value, which are taken one after the other."""

    def tensor(self, spec: TensorSpec) -> Any:
        """Return the next tensor."""

    def constant(self, value: object) -> Any:
        """Return the tensor of a value that no tensor carries."""

    def items(self, spec: ItemsSpec) -> tuple[Any, Any]:
        """Return the handle of the next list, and the lengths of the lists in it, or None."""


class _Single:
    """The tensors of one value."""

    def __init__(self, tensors: Sequence[Any]) -> None:
        self._tensors = iter(tensors)

    def tensor(self, spec: TensorSpec) -> Any:
        return next(self._tensors)

    def constant(self, value: object) -> Any:
        return value

    def items(self, spec: ItemsSpec) -> tuple[Any, Any]:
        return next(self._tensors), None


class _ItemRows:
    """The tensors of all items of a list: a row for each item.

    Args:
        handle: the list.
        specs: the specs of the tensors of an item.
    """

    def __init__(self, handle: Any, specs: Sequence[TensorSpec]) -> None:
        self._handle, self._specs = handle, specs
        self._leaves: Iterator[int] = iter(range(len(specs)))

    def tensor(self, spec: TensorSpec) -> Any:
        return lists.list_stack(self._handle, next(self._leaves), spec)

    def constant(self, value: Any) -> Any:
        return fill([lists.list_length(self._handle)], convert_to_tensor(value))

    def items(self, spec: ItemsSpec) -> tuple[Any, Any]:
        """Return the items of all lists as one list, and the lengths of the lists."""
        leaf, width = next(self._leaves), len(tensor_specs(spec.element))
        count = lists.list_length(self._handle)

        def add(at: Any, values: Any, lengths: Any) -> tuple[Any, Any, Any]:
            inner = lists.list_get(self._handle, at, self._specs)
            inner = inner[leaf] if isinstance(inner, (list, tuple)) else inner
            length = lists.list_length(inner)
            return at + 1, lists.list_extend(values, inner), lists.list_append(lengths, length)

        start = (convert_to_tensor(0), lists.list_of(width=width), lists.list_new())
        _, values, lengths = while_loop(lambda at, *_: less(at, count), add, start)
        return values, lists.list_stack(lengths, 0, _LENGTH)
