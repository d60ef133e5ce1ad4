"""The text of one function of a module of the compiler MLIR, under construction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from runtime.core.dtypes import DType, dtype_of_array, int32
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.errors import UnimplementedError
from runtime.export.graphdef.function_body import NodeFacts
from runtime.export.tflite.narrow_integers import is_computed_wide, is_narrow
from runtime.export.tflite.rules import unsupported
from runtime.export.tflite.tf_dialect import attribute, attributes_of, constant, tensor_type, text
from runtime.graph.node import Node

INT = TensorSpec((), int32)
SEVERAL_SHAPES = (
    "the items of a list have several shapes, or an unknown one: give the inputs known sizes, such "
    "as a batch of 1"
)
NOT_COMPUTED = MappingProxyType(
    {
        "string": "LiteRT does not compute with texts",
        "complex64": "LiteRT does not compute with complex numbers",
        "complex128": "LiteRT does not compute with complex numbers",
    }
)
"""The reasons why tensors of these dtypes are refused."""
_UNKNOWN = TensorShape(None)


class FunctionValue(NamedTuple):
    """An SSA value of a function.

    Attributes:
        name: its name.
        spec: its spec.
    """

    name: str
    spec: TensorSpec


def rows(item: TensorSpec) -> TensorSpec:
    """Return the spec of a list of any number of items of one shape.

    >>> rows(TensorSpec((2,), "int32"))
    TensorSpec(shape=(None, 2), dtype=rt.int32, name=None)
    """
    return TensorSpec(TensorShape.of((None,)) + item.shape, item.dtype)


def item(spec: TensorSpec) -> TensorSpec:
    """Return the spec of the items of a list.

    >>> item(TensorSpec((None, 2), "int32"))
    TensorSpec(shape=(2,), dtype=rt.int32, name=None)
    """
    return TensorSpec(spec.shape[1:], spec.dtype)


def any_length(spec: TensorSpec) -> TensorSpec:
    """Return the spec of a list of any number of such rows.

    >>> any_length(TensorSpec((3, 2), "int32"))
    TensorSpec(shape=(None, 2), dtype=rt.int32, name=None)
    """
    return rows(item(spec))


def _wide_dtype(dtype: DType) -> DType:
    return int32 if is_narrow(dtype.name) else dtype


class MlirFunction:
    """One function, as lines of text.

    Args:
        name: the name of the function.
        location: returns a location for an op.
        is_public: whether it is called from outside.

    Attributes:
        results: its results.
        constants: the values of its constants, by name.

    >>> function = MlirFunction("next", lambda: "")
    >>> x = function.parameter(INT)
    >>> function.results = function.op("AddV2", [x, function.ints(1)], [INT])
    >>> print(function.text())
      func.func private @next(%v1: tensor<i32>) -> (tensor<i32>) {
        %v2 = "tf.Const"() {value = dense<"0x01000000"> : tensor<i32>} : () -> (tensor<i32>)
        %v3 = "tf.AddV2"(%v1, %v2) {} : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
        func.return %v3 : tensor<i32>
      }
    """

    def __init__(self, name: str, location: Callable[[], str], is_public: bool = False) -> None:
        self.name = name
        self.results: Sequence[FunctionValue] = ()
        self.constants: dict[str, Array] = {}
        self._location = location
        self._is_public = is_public
        self._parameters: list[FunctionValue] = []
        self._lines: list[str] = []
        self._count = 0

    def parameter(self, spec: TensorSpec) -> FunctionValue:
        """Add a parameter."""
        self._parameters.append(FunctionValue(self._fresh(), spec))
        return self._parameters[-1]

    @property
    def specs(self) -> list[TensorSpec]:
        """The specs of the results."""
        return [each.spec for each in self.results]

    def op(
        self,
        op: str,
        inputs: Sequence[FunctionValue],
        specs: Sequence[TensorSpec],
        attrs: Mapping[str, Any] | None = None,
    ) -> list[FunctionValue]:
        """Add an op of TensorFlow's; return its results.

        Args:
            op: its name.
            inputs: its operands.
            specs: the specs of its results.
            attrs: its attributes; those that follow from the specs are not needed.
        """
        if any(is_computed_wide(op, each.spec.dtype.name) for each in inputs):
            return self._wide(op, inputs, specs, attrs or {})
        written = attributes_of(op, attrs or {})
        given = [(each.name, tensor_type(each.spec)) for each in inputs]
        names = self.line(op, given, written, [tensor_type(each) for each in specs])
        return [FunctionValue(name, spec) for name, spec in zip(names, specs)]

    def _wide(
        self,
        op: str,
        inputs: Sequence[FunctionValue],
        specs: Sequence[TensorSpec],
        attrs: Mapping[str, Any],
    ) -> list[FunctionValue]:
        """Add an op that computes narrow integers in int32."""
        kinds = [TensorSpec(each.shape, _wide_dtype(each.dtype)) for each in specs]
        given = [self._as_int32(each) for each in inputs]
        if op == "GatherV2":
            # The converter swaps it with a cast, but not with Abs, which leaves unsigned numbers.
            given[0] = self.one("Abs", given[:1], given[0].spec)
        found = self.op(op, given, kinds, attrs)
        pairs = zip(found, specs)
        return [self.one("Cast", [x], to) if x.spec.dtype is not to.dtype else x for x, to in pairs]

    def _as_int32(self, value: FunctionValue) -> FunctionValue:
        known = self.constants.get(value.name)
        if not is_narrow(value.spec.dtype.name):
            return value
        if known is not None:
            return self.const(known.astype(np.int32), int32)
        return self.one("Cast", [value], TensorSpec(value.spec.shape, int32))

    def one(
        self, op: str, inputs: Sequence[FunctionValue], spec: TensorSpec, **attrs: Any
    ) -> FunctionValue:
        """Add an op with one result; return it."""
        return self.op(op, inputs, [spec], attrs)[0]

    def line(
        self, op: str, inputs: Sequence[tuple[str, str]], attrs: Iterable[str], types: Sequence[str]
    ) -> list[str]:
        """Add a line; return the names of its results.

        Args:
            op: the name of the op.
            inputs: the names and types of the operands.
            attrs: the attributes.
            types: the types of the results.
        """
        name = self._fresh()
        several = len(types) > 1
        head = f"{name}:{len(types)} = " if several else f"{name} = " if types else ""
        names, kinds = ", ".join(x for x, _ in inputs), ", ".join(x for _, x in inputs)
        line = (
            f'    {head}"tf.{op}"({names}) {{{", ".join(attrs)}}} : ({kinds}) -> '
            f"({', '.join(types)}) {self._location()}"
        )
        self._lines.append(line.rstrip())
        return [f"{name}#{at}" if several else name for at in range(len(types))]

    def continue_from(self, other: MlirFunction) -> None:
        """Add the lines to those of another function."""
        self._lines, self._fresh = other._lines, other._fresh  # type: ignore[method-assign]
        self.constants = other.constants

    def const(self, array: Array, dtype: DType) -> FunctionValue:
        """Add a constant.

        The converter writes the greatest number for infinity, so that is made of its bits.
        """
        spec = TensorSpec(TensorShape.of(array.shape), dtype)
        if dtype.is_floating and np.isinf(array).any():
            found = self._bitcast_constant(array, spec)
            self.constants[found.name] = array
            return found
        (name,) = self.line("Const", [], [f"value = {constant(array, dtype)}"], [tensor_type(spec)])
        self.constants[name] = array
        return FunctionValue(name, spec)

    def _bitcast_constant(self, array: Array, spec: TensorSpec) -> FunctionValue:
        bits = np.ascontiguousarray(array).view(f"i{array.itemsize}")
        vector = TensorSpec(bits.shape, spec.dtype)
        found = self.one("Bitcast", [self.const(bits, dtype_of_array(bits))], vector)
        return found if array.ndim else self.one("Reshape", [found, self.ints([])], spec)

    def ints(self, value: int | Sequence[int]) -> FunctionValue:
        """Add a constant of int32."""
        return self.const(np.array(value, np.int32), int32)

    def text(self) -> str:
        """Return the function."""
        word = "" if self._is_public else "private "
        given = ", ".join([f"{each.name}: {tensor_type(each.spec)}" for each in self._parameters])
        values = ", ".join([each.name for each in self.results])
        types = ", ".join(map(tensor_type, self.specs))
        end = f"func.return {values} : {types}" if values else "func.return"
        head = f"  func.func {word}@{self.name}({given}) -> ({types}) {{"
        return "\n".join([head, *self._lines, f"    {end}", "  }"])

    def _fresh(self) -> str:
        self._count += 1
        return f"%v{self._count}"


class NodeMlirFunction(MlirFunction):
    """A function whose lines are made of nodes of a graph.

    Attributes:
        source: the node of the graph that lines are added for.
    """

    source: Node | None = None

    def spec(self, facts: NodeFacts, number: int) -> TensorSpec:
        """Return the spec of a result of a node; of a list that of its rows.

        Raises:
            UnimplementedError: it is a list whose items have several ranks, or are lists.
        """
        ref = facts.results[number]
        known = facts.specs.get(ref.index)
        assert isinstance(ref.kind, DType)
        if not ref.kind.is_variant:
            self.check(ref.kind)
            return TensorSpec(_UNKNOWN, ref.kind) if known is None else known
        element = facts.attrs.get("element_dtype")
        if known is None and isinstance(element, DType):
            known = TensorSpec(_UNKNOWN, element)
        if known is None or known.dtype.is_variant:
            raise self.unsupported("a list of lists has no rows of one shape")
        self.check(known.dtype)
        if known.shape.rank is None:
            raise self.unsupported(SEVERAL_SHAPES)
        return rows(known)

    def check(self, dtype: DType) -> None:
        """Raise an error if LiteRT does not compute with a dtype."""
        if dtype.name in NOT_COMPUTED:
            raise self.unsupported(NOT_COMPUTED[dtype.name])

    def unsupported(self, reason: str) -> UnimplementedError:
        """Return the error that explains why the node does not go into a model."""
        return unsupported(self.source, reason)


def functions(names: Mapping[str, str], has_effects: bool) -> list[str]:
    """Return the attributes of an op that calls functions.

    >>> functions({"cond": "f"}, False)
    ['cond = @f', 'is_stateless = true']
    """
    called = [f"{key} = @{name}" for key, name in names.items()]
    return [*called, f"is_stateless = {attribute(not has_effects)}"]


def handle(function: MlirFunction, name: str, kind: str) -> tuple[str, str]:
    """Add the handle of a variable; return its name and its type."""
    attrs = [f"shared_name = {text(name)}", 'container = ""']
    return function.line("VarHandleOp", [], attrs, [kind])[0], kind
