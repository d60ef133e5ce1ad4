"""Saves an object with its variables and the traces of its functions in a file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import partial
from inspect import Parameter
from typing import Any

from autograph.errors import ConversionError, SignatureError
from autograph.function.concrete import ConcreteFunction
from autograph.function.function import Function
from autograph.function.signature import CallSignature
from autograph.saved_model.restored import RestoredFunction, Trace
from autograph.saved_model.structures import structure_data
from runtime.core.argument_checks import file_path
from runtime.core.context import current_recorder
from runtime.core.spec import TensorSpec
from runtime.errors import GraphError
from runtime.graph.capture import Outer
from runtime.state.variable import Variable
from runtime.stored.attributes import Arrays, shape_data
from runtime.stored.writing import GraphWriter
from runtime.train import archive
from runtime.train.object_graph import TrackedObject, is_tracked, objects_in

Saveable = Function | ConcreteFunction | RestoredFunction

NAME = "saved_model"
DEFAULT = "serving_default"


def save(obj: Any, export_dir: Any, signatures: Any = None, options: Any = None) -> None:
    """Write an object to a folder: its variables, and all traces of its Functions.

    Variables and Functions are found by the attributes of modules and of objects of your classes,
    and in lists, tuples and dicts. The existing traces of a Function are saved; before that, call
    it, or its `get_concrete_function`, with each kind of arguments that the loaded one must take. A
    call that made variables is traced once more, as later calls are. Python code is not saved.

    Args:
        obj: the object: a module, or an object of a class of yours that can have attributes.
        export_dir: the folder, made if needed; an earlier saved model is replaced atomically.
        signatures: functions for `loaded.signatures[name]`, which take tensors by name and return a
            dict: a concrete function, a Function with an input signature, or a dict of these; a
            single one is called "serving_default". By default it is the only Function of the
            object, if that has an input signature.
        options: accepted as in TensorFlow; without effect.

    Raises:
        ConversionError: the object cannot have attributes, or a graph records.
        SignatureError: an argument or result of a function cannot be saved, or a signature is no
            concrete function, nor a Function with an `input_signature`.
        GraphError: a part of a graph cannot be saved, such as a Python function or a dataset, or a
            graph uses a variable that is not found by attributes.
        NotFoundError, PermissionDeniedError: the file cannot be written; then nothing has changed.

    Example:
        >>> import tempfile
        >>> import autograph as ag, runtime as rt
        >>> class Line(rt.Module):
        ...     def __init__(self):
        ...         self.gradient = rt.Variable(2.0)
        ...     @ag.function(input_signature=[rt.TensorSpec(None, rt.float32)])
        ...     def __call__(self, x):
        ...         return self.gradient * x
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     ag.saved_model.save(Line(), folder)
        ...     line = ag.saved_model.load(folder)
        >>> print(line(rt.constant([1.0, 3.0])), line.gradient.numpy())
        rt.Tensor([2. 6.], shape=(2,), dtype=float32) 2.0
    """
    if current_recorder() is not None:
        raise ConversionError("a model cannot be saved inside of a graph: save it outside")
    if not is_tracked(obj):
        raise ConversionError(
            f"saved_model.save takes an object with attributes, such as a Module, not {obj!r}"
        )
    prefix = os.path.join(file_path(export_dir, "export_dir"), NAME)
    for each in objects_in(obj):
        for _, function in functions_of(each.value):
            _make_missing_traces(function)
    found = objects_in(obj)
    places = {id(each.value): at for at, each in enumerate(found)}
    writer = GraphWriter(partial(outside, places))
    objects = [_object_data(each, writer) for each in found]
    signature_functions = _default(obj) if signatures is None else _signatures(signatures)
    signature_data = {
        name: _traces_of(each, writer)[-1] for name, each in signature_functions.items()
    }
    data = {"objects": objects, "graphs": writer.graphs, "signatures": signature_data}
    archive.write(prefix, data, writer.arrays.table)


def _object_data(found: TrackedObject, writer: GraphWriter) -> Data:
    value = found.value
    if isinstance(value, Variable):
        return {
            "kind": "variable",
            "name": value.name.partition(":")[0],
            "shape": shape_data(value.shape),
            "trainable": value.trainable,
            "value": writer.arrays.put(value._array),
        }
    functions = {name: _traces_of(each, writer) for name, each in functions_of(value)}
    return {
        "kind": _kind_of(value),
        "name": type(value).__name__,
        "parts": found.parts,
        "functions": {name: traces for name, traces in functions.items() if traces},
    }


def _kind_of(value: Any) -> str:
    for kind in (list, tuple):
        if isinstance(value, kind):
            return kind.__name__
    return "dict" if isinstance(value, Mapping) else "object"


def functions_of(value: Any) -> Iterator[tuple[str, Saveable]]:
    """Yield the Functions that are attributes of an object or methods of its class, by name."""
    names = dict.fromkeys(name for kind in type(value).__mro__ for name in vars(kind))
    names.update(dict.fromkeys(getattr(value, "__dict__", ())))
    for name in names:
        held = getattr(value, "__dict__", {}).get(name)
        if held is None:
            held = next((vars(k)[name] for k in type(value).__mro__ if name in vars(k)), None)
        if isinstance(held, Saveable):
            yield name, getattr(value, name)


def _traces_of(called: Saveable, writer: GraphWriter) -> list[Data]:
    if isinstance(called, RestoredFunction):
        return restored_data(called, writer)
    if isinstance(called, ConcreteFunction):
        return [trace_data(called, called._signature, writer)]
    return [trace_data(each, each._signature, writer) for each in called.traces.traces()]


def _make_missing_traces(called: Saveable) -> None:
    """Make the traces that a loaded Function needs.

    These are the trace of the input signature, and those for arguments of calls whose trace served
    only one call, such as a call that made variables.
    """
    if not isinstance(called, Function):
        return
    if called.input_signature is not None:
        called.get_concrete_function()
    for record in called.traces.history:
        if record.serves_one_call and not called.traces.state_keys(record.key):
            args, kwargs = called.call_signature.call_arguments(record.values)
            if _can_be_saved((args, kwargs)):
                called.get_concrete_function(*args, **kwargs)


def _can_be_saved(given: Any) -> bool:
    try:
        structure_data(given, Arrays())
    except GraphError:
        return False
    return True


def _default(obj: Any) -> dict[str, Function | ConcreteFunction]:
    """Return the only function of an object under the default name, if it can be a signature."""
    found = [each for _, each in functions_of(obj)]
    if len(found) != 1 or not isinstance(found[0], Function):
        return {}
    expected = found[0].input_signature
    if expected is None or not all(isinstance(each, TensorSpec) for each in expected):
        return {}
    return {DEFAULT: found[0]}


def _signatures(given: Any) -> dict[str, Function | ConcreteFunction]:
    if not isinstance(given, Mapping):
        given = {DEFAULT: given}
    for name, each in given.items():
        if not isinstance(name, str) or not isinstance(each, (Function, ConcreteFunction)):
            raise SignatureError(
                "a signature is a Function or a concrete function by a name, not "
                f"{name!r}: {each!r}"
            )
        if isinstance(each, Function) and each.input_signature is None:
            raise SignatureError(
                f"the signature {name!r} is a Function that takes arguments of any kind: give "
                "its get_concrete_function(...), or an input_signature"
            )
    return dict(given)


# -- traces as data of a file: graph, arguments and result -----------------------------------------


Data = dict[str, Any]


def trace_data(concrete: ConcreteFunction, signature: CallSignature, writer: GraphWriter) -> Data:
    """Return a concrete function as data, with its graph in `writer`.

    Raises:
        SignatureError: a file cannot hold an argument or the result.
        GraphError: a file cannot hold a part of the graph.
    """
    if any(isinstance(each, Variable) for each in concrete.inputs):
        raise SignatureError(f"{concrete.name} is given a Variable: use one of the object's own")
    if not concrete.structure.is_plain():
        raise SignatureError(
            f"{concrete.name} cannot be saved: it returns more than tensors in lists, tuples and "
            "dicts"
        )
    args, kwargs = concrete.structured_input_signature
    trace = Trace((args, kwargs), concrete.graph, concrete.structure.output_indices())
    return _data(signature, trace, writer)


def restored_data(called: RestoredFunction, writer: GraphWriter) -> list[Data]:
    """Return the traces of a loaded function as data."""
    return [_data(called.call_signature, trace, writer) for trace in called.traces]


def _data(signature: CallSignature, trace: Trace, writer: GraphWriter) -> Data:
    try:
        given = structure_data(trace.given, writer.arrays)
    except GraphError as error:
        raise SignatureError(
            f"{signature.name} cannot be saved: it was traced with {error.message}"
        ) from None
    return {
        "name": signature.name,
        "graph": writer.put(trace.graph),
        "parameters": [_parameter_data(each, writer) for each in signature.parameters],
        "given": given,
        "result": structure_data(trace.result, writer.arrays),
    }


def _parameter_data(parameter: Parameter, writer: GraphWriter) -> list[Any]:
    data: list[Any] = [parameter.name, parameter.kind.name]
    if parameter.default is not Parameter.empty:
        try:
            data.append(structure_data(parameter.default, writer.arrays))
        except GraphError:
            pass  # then the caller must pass it
    return data


def outside(places: dict[int, int], outer: Outer) -> Any:
    """Return a captured variable as data: its number among the objects.

    Raises:
        GraphError: it is not a variable of the object.
    """
    place = places.get(id(outer))
    if place is not None:
        return {"object": place}
    if isinstance(outer, Variable):
        raise GraphError(
            f"the variable {outer.name!r} is used by a function, and no attribute of the object "
            "that is saved leads to it: set it as an attribute"
        )
    raise GraphError(f"a function uses a {type(outer).__name__}, which no file can hold")
