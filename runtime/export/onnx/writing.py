"""Writes a graph as an ONNX model: inputs, results, state, checks and files."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from runtime.core.argument_checks import shown
from runtime.core.dtypes import dtype_of_array
from runtime.core.files import write_atomically
from runtime.core.shapes import TensorShape
from runtime.core.tensor import Array, EagerTensor, SymbolicTensor
from runtime.errors import ArgumentValueError, GraphError, UnimplementedError
from runtime.export.graphdef.item_types import ItemTypes
from runtime.export.onnx.builder import ModelBuilder
from runtime.export.onnx.data_types import ONNX_TYPES
from runtime.export.onnx.node_lowering import MODEL, GraphLowering, unsupported
from runtime.export.onnx.package import onnx_package, onnxruntime_package
from runtime.export.onnx.rules import rule_for
from runtime.export.onnx.values import (
    MISSING,
    ListColumns,
    ModelTensor,
    NestedColumn,
    ShapedColumn,
    VariableHandle,
)
from runtime.export.refusals import refused_nodes
from runtime.export.report import ExportReport, Omission, refuse_omissions
from runtime.export.traces import ExportedProgram, Signature
from runtime.export.try_statements import without_tries
from runtime.graph.capture import outermost
from runtime.graph.inlining import copied
from runtime.passes.cse import written_handles
from runtime.passes.manager import optimize
from runtime.passes.scalar_narrowing import narrow_scalars

# The version of the operators, which onnxruntime runs since 1.18, and the range that may be asked.
DEFAULT_OPSET = 21
LEAST_OPSET = 18
# Protocol buffers end at 2 GB; the nodes need a part of it.
LARGEST_FILE = 2**31 - 2**24
# Weights of at least this number of bytes go into a file of their own if the model is too large.
_LARGE = 1024


def write_onnx(
    signature: Signature,
    path: str | os.PathLike[str],
    *,
    strict: bool = False,
    opset: int | None = None,
    largest_file: int = LARGEST_FILE,
) -> ExportReport:
    """Write a graph as an ONNX model, and return the report of the export.

    Variables that the graph only reads are constants of the model. One that it writes is an input
    under its name, and a result called `NAME:out`. The model is checked by onnx, and loaded by
    onnxruntime if that is installed, before the file is written.

    Args:
        signature: the graph, and the names of its inputs and results.
        path: the file; weights of a large model are beside it in `PATH.data`.
        strict: whether parts of the program that a model cannot have, such as `raise`, are an
            error; by default they are left out, and the report lists them.
        opset: the version of the operators.
        largest_file: the number of bytes of weights above which they are in a file of their own.

    Raises:
        UnimplementedError: the package onnx is missing, or nodes of the graph have no form in ONNX;
            the error lists all of them.
        ArgumentValueError: there is no such opset, or two names are the same.
        GraphError: the graph is a branch or the body of a loop.

    >>> import os, tempfile
    >>> import autograph.runtime as rt
    >>> graph = rt.Graph("double")
    >>> x = graph.add_input(rt.TensorSpec((None,), rt.float32), "x")
    >>> with graph.recording():
    ...     graph.set_outputs([x + x])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report = write_onnx(Signature.of(graph), os.path.join(folder, "double.onnx"))
    >>> report.omissions
    []
    """
    path = os.fspath(path)
    export = _OnnxExport(signature, _checked_opset(opset))
    export.lower()
    refusals = export.lowering.refusals
    if refusals:
        raise refused_nodes(refusals, MODEL)
    omissions = _distinct(export.lowering.omissions)
    if strict:
        refuse_omissions("a model", omissions)
    files = _write(export, path, largest_file)
    return ExportReport("onnx", files, export.notes, omissions)


def write_program(program: ExportedProgram, path: str, **options: Any) -> ExportReport:
    """Write the only signature of a program as an ONNX model; see `write_onnx` for the options.

    Raises:
        ArgumentValueError: it has no signature, or several.
    """
    return write_onnx(program.only_signature(MODEL), path, **options)


def _checked_opset(opset: int | None) -> int:
    latest = onnx_package().defs.onnx_opset_version()
    chosen = DEFAULT_OPSET if opset is None else opset
    if type(chosen) is not int or not LEAST_OPSET <= chosen <= latest:
        raise ArgumentValueError(
            f"opset must be a number from {LEAST_OPSET} to {latest}, not {shown(opset)}"
        )
    return chosen


def _distinct(omissions: Sequence[Omission]) -> list[Omission]:
    return list(dict.fromkeys(omissions))


class _Part(NamedTuple):
    """A tensor that a model returns: its name, and its known shape."""

    name: str
    tensor: ModelTensor
    shape: TensorShape


class _OnnxExport:
    """One export: the graph that is lowered, and the model as far as it is built.

    Args:
        signature: the graph and its names.
        opset: the version of the operators.
    """

    def __init__(self, signature: Signature, opset: int) -> None:
        if signature.graph.outer is not None:
            raise GraphError(f"'{signature.graph.name}' is part of another graph: export that one")
        self.signature = signature
        self.graph = optimize(copied(without_tries(signature.graph, MODEL), flat=True))
        narrow_scalars(self.graph)
        self.builder = ModelBuilder(opset)
        self.notes: list[str] = []
        self.inputs: list[Any] = []
        self.outputs: list[_Part] = []
        self._changed: list[tuple[int, str, TensorShape]] = []
        refusals: list[Any] = []
        types = ItemTypes(self.graph, refusals.append, unsupported)
        self.lowering = GraphLowering(self.builder, types, rule_for)
        self.lowering.refusals = refusals
        self.results = [self._result_name(name) for name in signature.results]
        self._reserve_names()

    def _reserve_names(self) -> None:
        names = [*self.signature.inputs, *self.results]
        for name in names:
            if self.builder.fresh(name) != name:
                raise ArgumentValueError(f"two inputs or results of the model are called {name!r}")

    def _result_name(self, name: str) -> str:
        """Return the name of a result, which must not be that of an input."""
        if name not in self.signature.inputs:
            return name
        self.notes.append(f"the result '{name}' is '{name}:out', since an input is called '{name}'")
        return f"{name}:out"

    def lower(self) -> None:
        """Build the nodes, inputs and results."""
        inputs = [
            self._parameter(*pair) for pair in zip(self.graph.parameters, self.signature.inputs)
        ]
        inputs += [self._captured(held.outer, held.inner) for held in self.graph.captures]
        results = self.lowering.lower(self.graph, inputs)
        for name, tensor, value in zip(self.results, self.graph.outputs, results):
            self._result(name, tensor, value)
        for key, name, shape in self._changed:
            part = _Part(self.builder.fresh(f"{name}:out"), self.lowering.state[key], shape)
            self.outputs.append(self._named(part))
        if not self.builder.nodes:
            # onnxruntime loads no model without values.
            self.builder.raw("Constant", [], [self.builder.fresh("nothing")], value_int=0)

    def _parameter(self, tensor: SymbolicTensor, name: str) -> Any:
        if tensor.dtype.is_variant:
            self._refuse(tensor, f"'{name}' is a list: give a tensor, and make the list of it")
            return MISSING
        if getattr(tensor.spec, "kind", "") == "variable":
            return self._state(tensor, tensor, name)
        return self._input(tensor, name)

    def _input(self, tensor: SymbolicTensor, name: str) -> Any:
        if tensor.dtype.name not in ONNX_TYPES:
            self._refuse(
                tensor, f"'{name}' is of {tensor.dtype.name}, which engines do not compute"
            )
            return MISSING
        if tensor.shape.rank is None:
            self._refuse(tensor, f"'{name}' is of any rank: give its axes in the signature")
            return MISSING
        value = ModelTensor(name, tensor.dtype)
        self.inputs.append(self.builder.value_info(value, _dims(name, tensor.shape)))
        return value

    def _refuse(self, tensor: SymbolicTensor, reason: str) -> None:
        self.lowering.refusals.append(
            UnimplementedError(
                f"an ONNX model cannot have this input: {reason}", tensor.node.origin
            )
        )

    def _captured(self, outer: Any, inner: SymbolicTensor) -> Any:
        if isinstance(outer, EagerTensor):
            if inner.dtype.is_variant:
                self._refuse(inner, "a list made before the function: make it in the function")
                return MISSING
            return self._constant(outer._array, inner)
        return self._state(outer, inner, self.signature.state_name(outer))

    def _constant(self, array: Array, inner: SymbolicTensor) -> Any:
        try:
            return self.builder.constant(array, inner.node.name)
        except UnimplementedError as error:
            self._refuse(inner, error.message)
            return MISSING

    def _state(self, outer: Any, inner: SymbolicTensor, name: str) -> Any:
        """Return the handle of a variable, whose first value is a constant or an input."""
        is_given = outer is inner
        if id(outer) in self.lowering.state:
            return VariableHandle(outer)
        written = any(
            outermost(handle) is outer
            for node in self.graph.walk()
            for handle in written_handles(node)
        )
        if not (written or is_given):
            value = self._constant(outer._array, inner)
        else:
            name = name if is_given else self.builder.fresh(name)
            value = self._input(inner, name)
            self._changed.append((id(outer), name, inner.shape))
            self.notes.append(
                f"the variable '{name}' is an input of the model, and its new value is the result "
                f"'{name}:out'"
            )
        if value is MISSING:
            return MISSING
        self.lowering.state[id(outer)] = value
        return VariableHandle(outer)

    def _result(self, name: str, tensor: SymbolicTensor, value: Any) -> None:
        if value is MISSING:
            return
        if isinstance(value, VariableHandle):
            reason = "a model cannot return a variable: return its value"
            self.lowering.refusals.append(unsupported(tensor.node, reason))
            return
        parts = list(_parts(name, tensor, value))
        if isinstance(value, ListColumns):
            names = ", ".join(part.name for part in parts)
            self.notes.append(f"the list '{name}' is returned as tensors: {names}")
        self.outputs += [self._named(part) for part in parts]

    def _named(self, part: _Part) -> _Part:
        """Return a result under its own name."""
        self.builder.raw("Identity", [part.tensor.name], [part.name])
        return part._replace(tensor=ModelTensor(part.name, part.tensor.dtype))


def _parts(name: str, tensor: SymbolicTensor, value: Any) -> Iterator[_Part]:
    """Yield the tensors of a result: one, or for a list those of its columns."""
    if isinstance(value, ModelTensor):
        yield _Part(name, value, tensor.shape)
        return
    for number, column in enumerate(value.columns):
        own = name if len(value.columns) == 1 else f"{name}.{number}"
        if isinstance(column, NestedColumn):
            yield _Part(f"{own}.lengths", column.lengths, TensorShape.of((None,)))
            yield from _parts(f"{own}.items", tensor, column.items)
        elif isinstance(column, ShapedColumn):
            rank = column.shape.rank
            yield _Part(f"{own}.elements", column.elements, TensorShape.of((None,)))
            yield _Part(f"{own}.shapes", column.shapes, TensorShape.of((None, rank)))
        else:
            yield _Part(own, column.rows, TensorShape.of((None,)) + column.shape)


def _dims(name: str, shape: TensorShape) -> list[Any] | None:
    """Return the dimensions of a shape, with names for those that only a run knows."""
    if shape.dims is None:
        return None
    return [f"{name}_{at}" if dim is None else dim for at, dim in enumerate(shape.dims)]


# -- files -----------------------------------------------------------------------------------------


def _write(export: _OnnxExport, path: str, largest_file: int) -> list[str]:
    model = _model(export)
    weights = export.builder.used_constants()
    if sum(array.nbytes for array in weights.values()) > largest_file:
        return _write_with_weights(export, model, weights, path)
    for name, array in weights.items():
        model.graph.initializer.append(_tensor(export.builder, name, array))
    _check(model)
    _load(model.SerializeToString())
    write_atomically(path, model.SerializeToString())
    return [path]


def _model(export: _OnnxExport) -> Any:
    """Return the model without its weights."""
    builder, helper = export.builder, export.builder.onnx.helper
    results = [
        builder.value_info(part.tensor, _dims(part.name, part.shape)) for part in export.outputs
    ]
    graph = helper.make_graph(builder.nodes, export.graph.name, export.inputs, results)
    opsets = [helper.make_opsetid("", builder.opset)]
    version = helper.find_min_ir_version_for(opsets)
    return helper.make_model(
        graph, opset_imports=opsets, ir_version=version, producer_name="autograph"
    )


def _tensor(builder: ModelBuilder, name: str, array: Array) -> Any:
    if dtype_of_array(array).is_string:
        texts = [_bytes(each) for each in array.ravel().tolist()]
        return builder.onnx.helper.make_tensor(name, ONNX_TYPES["string"], array.shape, texts)
    return _filled(builder, name, array, array.tobytes())


def _bytes(text: Any) -> bytes:
    return text.encode("utf-8", "surrogateescape") if isinstance(text, str) else bytes(text)


def _filled(builder: ModelBuilder, name: str, array: Array, data: bytes) -> Any:
    kind = ONNX_TYPES[dtype_of_array(array).name]
    return builder.onnx.helper.make_tensor(name, kind, array.shape, data, raw=True)


def _write_with_weights(
    export: _OnnxExport, model: Any, weights: Mapping[str, Array], path: str
) -> list[str]:
    """Write a model and its large weights into two files, after a check of both."""
    beside, data = f"{path}.data", []
    offset = 0
    for name, array in weights.items():
        if array.nbytes < _LARGE or dtype_of_array(array).is_string:
            model.graph.initializer.append(_tensor(export.builder, name, array))
            continue
        tensor = model.graph.initializer.add(name=name, dims=array.shape)
        tensor.data_type = ONNX_TYPES[dtype_of_array(array).name]
        tensor.data_location = export.builder.onnx.TensorProto.EXTERNAL
        values = (os.path.basename(beside), offset, array.nbytes)
        for key, value in zip(("location", "offset", "length"), values):
            tensor.external_data.add(key=key, value=str(value))
        data.append(array.tobytes())
        offset += array.nbytes
    _check_with_weights(model, b"".join(data), os.path.basename(beside), os.path.dirname(path))
    write_atomically(beside, b"".join(data))
    write_atomically(path, model.SerializeToString())
    return [path, beside]


def _check_with_weights(model: Any, data: bytes, name: str, folder: str) -> None:
    with tempfile.TemporaryDirectory(dir=folder or None) as temporary:
        path = os.path.join(temporary, "model.onnx")
        write_atomically(os.path.join(temporary, name), data)
        write_atomically(path, model.SerializeToString())
        onnx_package().checker.check_model(path, full_check=True)
        _load(path)


def _check(model: Any) -> None:
    """Check a model; results whose rank is found by ONNX alone are given it first."""
    onnx = onnx_package()
    if any(not each.type.tensor_type.HasField("shape") for each in model.graph.output):
        inferred = onnx.shape_inference.infer_shapes(model, strict_mode=True)
        for mine, found in zip(model.graph.output, inferred.graph.output):
            mine.CopyFrom(found)
    ranked = [each for each in model.graph.output if each.type.tensor_type.HasField("shape")]
    if len(ranked) == len(model.graph.output):
        onnx.checker.check_model(model, full_check=True)
        return
    # The checker wants the rank of every result: it sees a model without those of any rank.
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    del copy.graph.output[:]
    copy.graph.output.extend(ranked)
    onnx.checker.check_model(copy, full_check=True)


def _load(model: Any) -> None:
    """Load a model, bytes or a path, in onnxruntime if that is installed."""
    engine = onnxruntime_package()
    if engine is None:
        return
    options = engine.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = engine.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        engine.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        words = " ".join(str(error).split())
        raise UnimplementedError(f"onnxruntime does not load the model: {words}") from None
