"""Saves an object as a SavedModel: its variables, its functions, and signatures for servers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import Parameter
from itertools import repeat
from typing import Any

from autograph.errors import SignatureError, SourcePosition
from autograph.saved_model.contents import Contents, contents_of
from autograph.syntax.user_lines import parameter_of, result_of
from runtime.core.argument_checks import file_path
from runtime.core.files import StrPath
from runtime.errors import GraphError
from runtime.export.report import ExportReport
from runtime.export.saved_model.structured_values import structured_value
from runtime.export.saved_model.writer import write_saved_model
from runtime.export.traces import ExportedProgram, FunctionTrace, ObjectNode, TracedFunction
from runtime.state.asset import Asset
from runtime.state.variable import Variable
from runtime.train.object_graph import TrackedObject


def save(
    obj: object, export_dir: StrPath, signatures: Any = None, options: Any = None
) -> ExportReport:
    """Write an object to a folder that TensorFlow, its servers and `load` read.

    Variables, assets and Functions are found by the attributes of modules and of objects of your
    classes, and in lists, tuples and dicts. The existing traces of a Function are saved; before
    that, call it, or its `get_concrete_function`, with each kind of arguments that the loaded one
    must take. A call that made variables is traced once more, as later calls are. Python code is
    not saved.

    Args:
        obj: the object: a module, or an object of a class of yours that can have attributes.
        export_dir: the folder, made if needed; an earlier SavedModel is replaced atomically.
        signatures: functions for `loaded.signatures[name]`, which take tensors by name and return a
            dict: a concrete function, a Function with an input signature, a signature of a loaded
            object, or a dict of these; a single one is called "serving_default". By default it is
            the only Function of the object, if that has an input signature, else the call of a
            model, whose inputs are declared or known from its first call.
        options: accepted as in TensorFlow; without effect.

    Returns:
        the report of the export.

    Raises:
        ConversionError: the object cannot have attributes, or a graph records.
        SignatureError: an argument or result of a function cannot be saved, or a signature is no
            concrete function, nor a Function with an `input_signature`.
        UnimplementedError: an op of a function has no counterpart in TensorFlow; `save_archive`
            keeps it.
        GraphError: a graph uses a variable that is not found by attributes.
        AlreadyExistsError: the folder has no SavedModel, but a folder `assets` or `variables`.
        NotFoundError, PermissionDeniedError: the folder cannot be written, or the file of an asset
            cannot be read; then nothing has changed.

    Example:
        >>> import os, tempfile
        >>> import autograph as ag, runtime as rt
        >>> class Line(rt.Module):
        ...     def __init__(self):
        ...         self.gradient = rt.Variable(2.0)
        ...     @ag.function(input_signature=[rt.TensorSpec(None, rt.float32)])
        ...     def __call__(self, x):
        ...         return self.gradient * x
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = ag.saved_model.save(Line(), folder)
        ...     sorted(os.listdir(folder))
        ['assets', 'saved_model.pb', 'variables']
    """
    contents = contents_of(obj, signatures)
    folder = file_path(export_dir, "export_dir")
    report = write_saved_model(ExportedProgram(nodes_of(contents), contents.signatures), folder)
    report.omissions += contents.omissions
    return report


def nodes_of(contents: Contents) -> list[ObjectNode]:
    """Return the objects of contents as they are written: those that lead to state or functions."""
    nodes = [_node(*pair) for pair in zip(contents.objects, contents.functions)]
    kept = sorted(_leading(nodes) | {0})
    numbers = {place: number for number, place in enumerate(kept)}
    return [
        nodes[place]._replace(
            children={
                name: numbers[part]
                for name, part in nodes[place].children.items()
                if part in numbers
            }
        )
        for place in kept
    ]


def _leading(nodes: Sequence[ObjectNode]) -> set[int]:
    """Return the numbers of the nodes from which a variable, an asset or a function is reached."""
    parents: dict[int, list[int]] = {}
    for place, node in enumerate(nodes):
        for part in node.children.values():
            parents.setdefault(part, []).append(place)
    waiting = [
        place
        for place, node in enumerate(nodes)
        if node.variable is not None or node.asset is not None or node.functions
    ]
    found = set(waiting)
    while waiting:
        for parent in parents.get(waiting.pop(), ()):
            if parent not in found:
                found.add(parent)
                waiting.append(parent)
    return found


def _node(found: TrackedObject, functions: Mapping[str, TracedFunction]) -> ObjectNode:
    value = found.value
    if isinstance(value, Variable):
        return ObjectNode("variable", {}, {}, value, found.key)
    if isinstance(value, Asset):
        return ObjectNode("asset", {}, {}, asset=value)
    for function in functions.values():
        for trace in function.traces:
            check_values(function, trace, structured_value)
    return ObjectNode(kind_of(value), found.parts, functions)


def check_values(
    function: TracedFunction, trace: FunctionTrace, write: Callable[[Any], object]
) -> None:
    """Raise SignatureError for an argument, or a result, that a file cannot hold.

    Args:
        write: raises GraphError for such a value.
    """
    args, kwargs = trace.given
    own = function.python_function
    for name, part in (*zip(_names(function.parameters), args), *kwargs.items()):
        words = f"{function.name} cannot be saved: its parameter {name!r} was given"
        _check_value(words, part, write, lambda: parameter_of(own, name))  # noqa: B023
    words = f"{function.name} cannot be saved: it returns"
    _check_value(words, trace.result, write, lambda: result_of(own))


def _names(parameters: Sequence[Parameter]) -> Iterator[str]:
    """Yield the names of positional parameters; that of `*args` for all arguments of it."""
    for each in parameters:
        if each.kind is Parameter.VAR_POSITIONAL:
            yield from repeat(each.name)
        yield each.name


def _check_value(
    words: str,
    value: Any,
    write: Callable[[Any], object],
    line: Callable[[], SourcePosition | None],
) -> None:
    try:
        write(value)
    except GraphError as error:
        raise SignatureError(f"{words} {error.message}", line()) from None


def kind_of(value: Any) -> str:
    """Return `list`, `tuple`, `dict` or `object`.

    >>> kind_of([1]), kind_of({})
    ('list', 'dict')
    """
    for kind in (list, tuple):
        if isinstance(value, kind):
            return kind.__name__
    return "dict" if isinstance(value, Mapping) else "object"
