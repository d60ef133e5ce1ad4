"""Builds the nodes of a model: unique names, constants, and the dtypes of kernels."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from runtime.core.dtypes import DType, bool_, dtype_of_array, int32, int64
from runtime.core.tensor import Array
from runtime.errors import UnimplementedError
from runtime.export.onnx.data_types import ONNX_TYPES, computed_dtype, dtype_named
from runtime.export.onnx.package import onnx_package
from runtime.export.onnx.values import ModelTensor

# The type variable of operators whose first operand does not have the dtype of the results.
_TYPE_OF = {"Where": "T"}


class OperatorTypes(NamedTuple):
    """The dtypes of an operator, as its schema declares them.

    Attributes:
        variable: the type variable that the dtype of its kernel is named after.
        inputs: the type variable or type of each operand; the last is that of all others.
        outputs: the same of each result.
        fixed: the dtypes of type variables that have one only.
    """

    variable: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    fixed: dict[str, DType]

    def is_typed(self, position: int) -> bool:
        """Return whether an operand has the dtype of the kernel."""
        return self.inputs[min(position, len(self.inputs) - 1)] == self.variable

    def result(self, position: int, dtype: DType) -> DType:
        """Return the dtype of a result, given that of the kernel."""
        kind = self.outputs[min(position, len(self.outputs) - 1)]
        return dtype if kind == self.variable else self.fixed[kind]


@cache
def operator_types(operator: str, opset: int) -> OperatorTypes:
    """Return the dtypes of an operator in an opset.

    >>> operator_types("Less", 21).result(0, dtype_named("int32"))
    rt.bool
    """
    schema = onnx_package().defs.get_schema(operator, opset)
    inputs = tuple([each.type_str for each in schema.inputs])
    fixed = {"tensor(int64)": int64, "tensor(bool)": bool_}
    for each in schema.type_constraints:
        if len(each.allowed_type_strs) == 1:
            fixed[each.type_param_str] = _dtype_of(each.allowed_type_strs[0])
    first = inputs[0] if inputs else ""
    outputs = tuple([each.type_str for each in schema.outputs])
    return OperatorTypes(_TYPE_OF.get(operator, first), inputs, outputs, fixed)


@cache
def first_opset(operator: str, opset: int, attributes: tuple[str, ...], kernel: str = "") -> int:
    """Return the first opset from a given one that has an operator, with attributes and a dtype.

    >>> first_opset("StringConcat", 18, ()), first_opset("Equal", 18, (), "string")
    (20, 19)
    """
    defs = onnx_package().defs
    for version in range(opset, defs.onnx_opset_version()):
        if not defs.has(operator, version):
            continue
        schema = defs.get_schema(operator, version)
        variable = operator_types(operator, version).variable
        types = [x.allowed_type_strs for x in schema.type_constraints
                 if x.type_param_str == variable]  # fmt: skip
        is_typed = not kernel or not types or kernel in map(_name_of, types[0])
        if is_typed and schema.attributes.keys() >= set(attributes):
            return version
    return int(defs.onnx_opset_version())


def _name_of(text: str) -> str:
    """Return the name of a dtype, such as `float32` of "tensor(float)"."""
    name = text.removeprefix("tensor(").removesuffix(")")
    return {"float": "float32", "double": "float64"}.get(name, name)


def _dtype_of(text: str) -> DType:
    return dtype_named(_name_of(text))


class ModelBuilder:
    """The nodes and constants of a model.

    Args:
        opset: the version of the operators.

    Attributes:
        nodes: the nodes of the graph that is being built, the main one or one inside of a node.
        constants: the arrays of the model by name; nested graphs use them as well.

    >>> builder = ModelBuilder(21)
    >>> x = builder.constant(np.array(2, np.int32))
    >>> builder.add("Neg", [x])[0].dtype
    rt.int32
    """

    def __init__(self, opset: int) -> None:
        self.onnx = onnx_package()
        self.opset = opset
        self.nodes: list[Any] = []
        self.constants: dict[str, Array] = {}
        self._by_content: dict[Any, ModelTensor] = {}
        self._counts: dict[str, int] = {}

    def fresh(self, base: str) -> str:
        """Return a name that nothing else in the model has."""
        count = self._counts.get(base)
        if count is None:
            self._counts[base] = 1
            return base
        while (name := f"{base}_{count}") in self._counts:
            count += 1
        self._counts[base], self._counts[name] = count + 1, 1
        return name

    @contextlib.contextmanager
    def nested(self) -> Iterator[list[Any]]:
        """Add nodes to a new list meanwhile, for a graph inside of a node."""
        outer, self.nodes = self.nodes, []
        try:
            yield self.nodes
        finally:
            self.nodes = outer

    def constant(self, array: Array, base: str = "constant") -> ModelTensor:
        """Return a constant; equal small arrays are one."""
        array = np.asarray(array)
        dtype = dtype_of_array(array)
        if dtype.name not in ONNX_TYPES:
            raise UnimplementedError(f"engines of ONNX compute no values of {dtype.name}")
        key: Any = id(array)
        if array.size <= 64:
            content = tuple(array.ravel().tolist()) if dtype.is_string else array.tobytes()
            key = (dtype.name, array.shape, content)
        if key not in self._by_content:
            self._by_content[key] = ModelTensor(self.fresh(base), dtype)
            self.constants[self._by_content[key].name] = array
        return self._by_content[key]

    def used_constants(self) -> dict[str, Array]:
        """Return the constants that nodes use: engines warn of others."""
        used = set(_names_used(self.nodes))
        return {name: array for name, array in self.constants.items() if name in used}

    def known(self, tensor: ModelTensor) -> Array | None:
        """Return the array of a constant, None for any other tensor."""
        return self.constants.get(tensor.name)

    def cast(self, tensor: ModelTensor, dtype: DType, base: str = "Cast") -> ModelTensor:
        """Return a tensor with the values of another dtype."""
        if tensor.dtype is dtype:
            return tensor
        known = self.known(tensor)
        if known is not None and known.size <= 64 and known.dtype.kind in "biu":
            return self.constant(known.astype(dtype.np_dtype), base)
        name = self.fresh(base)
        self.raw("Cast", [tensor.name], [name], to=ONNX_TYPES[dtype.name])
        return ModelTensor(name, dtype)

    def add(
        self,
        operator: str,
        inputs: Sequence[ModelTensor | None],
        count: int = 1,
        base: str = "",
        dtype: DType | None = None,
        **attrs: Any,
    ) -> list[ModelTensor]:
        """Add a node and return its results, in a dtype for which there is a kernel.

        Args:
            operator: the ONNX operator.
            inputs: its operands, None for one that is left out.
            count: the number of its results.
            base: the start of their names.
            dtype: the dtype of the results of an operator that an attribute gives.
            attrs: its attributes.

        Raises:
            UnimplementedError: onnxruntime has no kernel for the dtype, or the opset no operator.
        """
        if operator == "Gather" and inputs[0] is not None and inputs[0].dtype.is_string:
            indices = inputs[1]
            assert indices is not None
            return self._gathered_texts(inputs[0], indices, base, **attrs)
        self._check_opset(operator, attrs)
        types = operator_types(operator, self.opset)
        typed = [x for at, x in enumerate(inputs) if x is not None and types.is_typed(at)]
        own = typed[0].dtype if typed else int64
        kernel = computed_dtype(operator, own)
        if kernel is None:
            raise UnimplementedError(f"onnxruntime has no {operator} of {own.name}")
        if kernel.is_bool and first_opset(operator, self.opset, (), "bool") > self.opset:
            kernel = int32
        self._check_opset(operator, attrs, kernel.name if typed else "")
        names = []
        for at, each in enumerate(inputs):
            if each is not None and types.is_typed(at):
                each = self.cast(each, kernel)
            names.append("" if each is None else each.name)
        # Older onnxruntimes end the process by an empty name after the last operand.
        while names and not names[-1]:
            names.pop()
        results = [self.fresh(base or operator) for _ in range(count)]
        self.raw(operator, names, results, **attrs)
        found = [dtype or types.result(at, kernel) for at in range(count)]
        wanted = [dtype or types.result(at, own) for at in range(count)]
        made = map(ModelTensor, results, found)
        return [self.cast(each, want, base or "Cast") for each, want in zip(made, wanted)]

    def _check_opset(self, operator: str, attrs: Mapping[str, Any], kernel: str = "") -> None:
        """Raise UnimplementedError if only a later opset has an operator."""
        first = first_opset(operator, self.opset, tuple(attrs), kernel)
        if first > self.opset:
            of = f" of {kernel}" if kernel else ""
            raise UnimplementedError(
                f"opset {self.opset} has no {operator}{of} as it is needed: choose {first} or later"
            )

    def _gathered_texts(
        self, x: ModelTensor, indices: ModelTensor, base: str, axis: int = 0
    ) -> list[ModelTensor]:
        """Return rows of texts, by their places among all: onnxruntime moves one text of a row."""
        flat, start = self.constant(np.array([-1])), self.constant(np.array(0))
        size, shape = self.add("Size", [x])[0], self.add("Shape", [x])[0]
        numbers = self.add("Range", [start, size, self.constant(np.array(1))])
        (places,) = self.add("Reshape", [*numbers, shape], allowzero=1)
        (chosen,) = self.add("Gather", [places, indices], axis=axis)
        (texts,) = self.add("Reshape", [x, flat])
        name = self.fresh(base or "Gather")
        self.raw("Gather", [texts.name, chosen.name], [name])
        return [ModelTensor(name, x.dtype)]

    def raw(
        self, operator: str, inputs: Sequence[str], outputs: Sequence[str], **attrs: Any
    ) -> None:
        """Add a node with these names and attributes as they are."""
        self.nodes.append(self.onnx.helper.make_node(operator, inputs, outputs, **attrs))

    def graph(
        self, nodes: list[Any], values: Sequence[ModelTensor], inputs: Sequence[Any], base: str
    ) -> Any:
        """Return a graph inside of a node; each of its results is that of a node of its own."""
        results = [ModelTensor(self.fresh(f"{base}/result"), each.dtype) for each in values]
        outer, self.nodes = self.nodes, nodes
        for value, result in zip(values, results):
            self.raw("Identity", [value.name], [result.name])
        self.nodes = outer
        infos = [self.value_info(each) for each in results]
        return self.onnx.helper.make_graph(nodes, self.fresh(f"{base}/graph"), inputs, infos)

    def value_info(self, tensor: ModelTensor, shape: Sequence[Any] | None = None) -> Any:
        """Return the description of an input or a result of a graph."""
        kind = ONNX_TYPES[tensor.dtype.name]
        return self.onnx.helper.make_tensor_value_info(tensor.name, kind, shape)


def _names_used(nodes: Iterable[Any]) -> Iterator[str]:
    """Yield the names that nodes use, also nodes of the graphs inside of them."""
    for node in nodes:
        yield from node.input
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from _names_used(attribute.g.node)
