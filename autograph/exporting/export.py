"""`ag.export`: one function for all formats."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from autograph.errors import ExportError
from autograph.exporting.served_model import ServedModel, served_model
from autograph.functions.concrete_functions.concrete_function import ConcreteFunction
from autograph.functions.function import Function
from autograph.saved_model.contents import DEFAULT, Contents, contents_of, functions_of, graphs_of
from autograph.saved_model.loading import contains_saved_model
from autograph.saved_model.restored import RestoredFunction
from autograph.saved_model.saving import nodes_of
from runtime.core.argument_checks import file_path, flag, shown
from runtime.core.files import StrPath
from runtime.display.progress_line import ProgressLine
from runtime.export.formats import FORMATS, Format
from runtime.export.report import ExportReport, Omission
from runtime.export.traces import ExportedProgram
from runtime.nn.models.model import Model
from runtime.nn.modules.module import Module
from runtime.state.asset import asset_of
from runtime.state.variable import UNNAMED, Variable
from runtime.train.object_graph import is_tracked

_CALLABLE = (Function, ConcreteFunction, RestoredFunction)

# Endings of files of other libraries that look like versions.
_OTHER_FILES = ("h5",)


class FunctionObject(Module):
    """The object that is exported for functions: it has their names, and calls the only one.

    Args:
        called: the functions.
    """

    def __init__(self, *called: Any) -> None:
        super().__init__()
        held = [each.outer for one in called for graph in graphs_of(one) for each in graph.captures]
        assets = [asset_of(each) for each in held]
        self.captured = list({id(x): x for x in held if isinstance(x, Variable)}.values())
        self.assets = list({id(x): x for x in assets if x is not None}.values())
        for each in called:
            setattr(self, attribute_of(each.name), each)
        if len(called) == 1:
            vars(self)["__call__"] = called[0]


def export(
    what: object,
    path: StrPath,
    format: str | None = None,
    signatures: object = None,
    strict: bool = False,
    **options: object,
) -> ExportReport:
    """Write a function, a model or an object to files that run without Python.

    Args:
        what: a concrete function; a Function with an input signature or one trace; a built model;
            or an object whose attributes are Functions, variables and other objects.
        path: the file, or for a SavedModel the folder.
        format: `saved_model`, `onnx`, `tflite`, `stablehlo` or `graph_def`; by default the one that
            the path ends in, as "model.onnx" does, else `saved_model`.
        signatures: the functions that are offered, by name, as for `ag.saved_model.save`.
        strict: refuses programs with parts that the format cannot have, such as `raise` in ONNX; by
            default the report lists them.
        options: those of the format: `opset` of ONNX, `converter` of TensorFlow Lite, `platforms`
            of StableHLO.

    Returns:
        the report: the files, and the parts of the program that they do not have.

    Raises:
        ExportError: the format is unknown, there is nothing to export, or a SavedModel would go to
            a folder that has other files.
        UnimplementedError: an op has no counterpart in the format; the error names its line.

    Example:
        >>> import tempfile
        >>> import autograph as ag, runtime as rt
        >>> @ag.function(input_signature=[rt.TensorSpec((), rt.int32)])
        ... def collatz(n):
        ...     steps = 0
        ...     while n != 1:
        ...         n = n // 2 if n % 2 == 0 else 3 * n + 1
        ...         steps += 1
        ...     return steps
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     report = ag.export(collatz, folder)
        ...     print(ag.saved_model.load(folder).collatz(rt.constant(27)).numpy())
        111
    """
    if format is None:
        format = format_of(path)
    if format not in FORMATS:
        known = ", ".join(FORMATS)
        raise ExportError(f"there is no format {format!r}: the formats are {known}")
    _check_options(FORMATS[format], options)
    strict = flag(strict, "strict")
    target = _target(path)
    _check_folder(target, format)
    obj, offered = _object_of(what)
    left = obj.take_functions(what) if isinstance(obj, ServedModel) else []
    contents = contents_of(obj, offered if signatures is None else signatures)
    program = ExportedProgram(nodes_of(contents), contents.signatures, _state_names(contents))
    if not program.signatures and not any(each.functions for each in program.objects):
        raise ExportError(
            f"there is nothing to export in {shown(what)}: give a model, a Function, or a Module "
            "with Functions that have an input_signature or were called"
        )
    with ProgressLine(lambda: f"exporting {target}"):
        report: ExportReport = FORMATS[format].write(program, target, strict=strict, **options)
    report.notes += _notes(program)
    report.omissions += [*_without_traces(contents), *left]
    if format != "saved_model" and signatures is None:
        report.omissions += _not_offered(contents)
    return report


def format_of(path: StrPath) -> str:
    """Return the format that the end of a path names, `saved_model` if it names none.

    >>> format_of("model.onnx"), format_of("model"), format_of("model.v2")
    ('onnx', 'saved_model', 'saved_model')
    """
    suffix = os.path.splitext(os.fspath(path))[1] if isinstance(path, (str, os.PathLike)) else ""
    name = str(suffix).removeprefix(".")
    if name in FORMATS:
        return name
    # Names of folders may end in versions, such as model.v2 and model.1.
    is_kind_of_file = name[:1].isalpha() and not name[1:].isdigit()
    if (is_kind_of_file or name in _OTHER_FILES) and not os.path.isdir(path):
        known = ", ".join(FORMATS)
        raise ExportError(
            f"no format writes {name!r} files: the formats are {known}; format='saved_model' makes "
            "a folder of any name"
        )
    return "saved_model"


def _check_options(chosen: Format, options: Mapping[str, Any]) -> None:
    for name in options:
        if name not in chosen.options:
            known = " and ".join(chosen.options) or "none"
            raise ExportError(f"the format {chosen.name} has no option {name!r}: it has {known}")


def _target(path: Any) -> str:
    target = file_path(path, "path")
    if not target:
        raise ExportError("path is empty: give the name of a file, or for a SavedModel of a folder")
    if os.path.exists(target) and not (os.path.isfile(target) or os.path.isdir(target)):
        raise ExportError(f"{target!r} is a device or a pipe, which no file replaces")
    return target


def _check_folder(target: str, format: str) -> None:
    """Raise ExportError for a folder, unless it is that of a SavedModel without other files."""
    if format != "saved_model" and os.path.isdir(target):
        file = os.path.join(target, f"model.{format}")
        raise ExportError(f"{target!r} is a folder: give the name of a file, such as {file!r}")
    if os.path.isdir(target) and os.listdir(target) and not contains_saved_model(target):
        new = os.path.join(target, "model")
        raise ExportError(
            f"{target!r} is a folder with other files: give a new folder, such as {new!r}"
        )


def _notes(program: ExportedProgram) -> list[str]:
    """Return the differences between the results of functions here and in the files."""
    offered = [each.function for each in program.signatures.values()]
    held = [function for each in program.objects for function in each.functions.values()]
    pairs = [(f.name, note) for f in (*offered, *held) for t in f.traces for note in t.notes]
    return [f"in the result of {name}, {note}" for name, note in dict.fromkeys(pairs)]


def _state_names(contents: Contents) -> dict[int, str]:
    """Return the names of variables without a name of their own: the attributes that hold them."""
    if isinstance(contents.objects[0].value, FunctionObject):
        return {}
    return {
        id(each.value): "/".join(each.path)
        for each in contents.objects
        if isinstance(each.value, Variable) and each.value.handle_name == UNNAMED
    }


def _without_traces(contents: Contents) -> list[Omission]:
    """Return the Functions that are left out, since nothing tells their arguments."""
    named = [pair for each in contents.objects for pair in functions_of(each.value)]
    return [
        Omission(name, "it has no input_signature and was not called")
        for name, each in named
        if isinstance(each, Function) and not each.traces.traces()
    ]


def _not_offered(contents: Contents) -> list[Omission]:
    """Return the functions that are not in a file of one function."""
    written = {id(each.trace.graph) for each in contents.signatures.values()}
    return [
        Omission(name, "the file has one function; write another file with signatures=")
        for functions in contents.functions
        for name, each in functions.items()
        if written.isdisjoint(id(trace.graph) for trace in each.traces)
    ]


def _object_of(what: Any) -> tuple[Any, Any]:
    """Return the object to export, and its signatures, or None for the usual ones."""
    if isinstance(what, Model):
        served = served_model(what)
        return served, served.signatures()
    if isinstance(what, _CALLABLE):
        offered = {DEFAULT: _only_trace(what)}
        return FunctionObject(what), offered
    if callable(what) and not isinstance(what, Module):
        raise ExportError(
            f"{getattr(what, '__name__', what)!r} is not a Function: decorate it with @ag.function "
            "and give it an input_signature, or export one of its concrete functions"
        )
    if not is_tracked(what):
        raise ExportError(
            f"export takes a model, a Function or a Module, not {shown(what)}: give the result of "
            "@ag.function"
        )
    return what, None


def _only_trace(called: Any) -> Any:
    """Return a function that is a signature: one with an input signature, or its only trace."""
    if not isinstance(called, Function):
        return called
    if called.input_signature is not None:
        return called.get_concrete_function()
    traces = called.traces.traces()
    if len(traces) != 1:
        raise ExportError(
            f"{called.name} has {len(traces)} traces, and export takes one: give it an "
            "input_signature, or export f.get_concrete_function(...)"
        )
    return traces[0]


def attribute_of(name: str) -> str:
    """Return the attribute under which a function that is exported alone is loaded.

    >>> attribute_of("collatz"), attribute_of("<lambda>")
    ('collatz', 'f')
    """
    return name if name.isidentifier() and not name.startswith("_") else "f"
