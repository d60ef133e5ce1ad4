"""The process in which a converter makes a model: a crash of native code ends only that.

It reads a request from standard input, and writes the answer to standard output, both as JSON.
"""

from __future__ import annotations

import base64
import json
import os
import re
import sys
from collections.abc import Sequence
from typing import Any, TypedDict

from runtime.export.tflite.loop_regions import LoopRegions, operations


class NamedFunction(TypedDict):
    """A function of a module that is called from outside.

    Attributes:
        function: its name in the module.
        name: the name of the signature.
        inputs: the names of its inputs.
        outputs: the names of its results.
    """

    function: str
    name: str
    inputs: Sequence[str]
    outputs: Sequence[str]


class ConversionRequest(TypedDict, total=False):
    """A program for a converter.

    Attributes:
        module: the text of a module in TensorFlow's dialect, for litert-converter.
        signatures: the functions of the module that are called from outside.
        initializer: the function of the module that sets the variables; empty for none.
        folder: the SavedModel, for TensorFlow.
    """

    module: str
    signatures: Sequence[NamedFunction]
    initializer: str
    folder: str


class ConversionResult(TypedDict, total=False):
    """The result of a converter.

    Attributes:
        model: the bytes of the model, in base 64.
        refused: the ops that the model cannot have: the location in the module, -1 if it is
            unknown, and the name.
        error: the error of the converter.
    """

    model: str
    refused: Sequence[tuple[int, str]]
    error: str


def answer(request: ConversionRequest) -> ConversionResult:
    """Return the answer to a request."""
    try:
        if "folder" in request:
            return _model(_by_tensorflow(request["folder"]))
        return _by_litert(request)
    except Exception as error:
        return ConversionResult(
            error=f"{type(error).__name__}: {error}", refused=_ops_of(str(error))
        )


def _model(data: bytes) -> ConversionResult:
    _load(data)
    return ConversionResult(model=base64.b64encode(data).decode())


def _load(data: bytes) -> None:
    """Load a model in LiteRT if that is installed; of known sizes it is made ready to run, too.

    Raises:
        Exception: LiteRT does not load it.
    """
    try:
        from ai_edge_litert.interpreter import Interpreter
    except ImportError:
        return
    interpreter = Interpreter(model_content=data, num_threads=1)
    for name in interpreter.get_signature_list():
        interpreter.get_signature_runner(name)
    if all((each["shape_signature"] >= 0).all() for each in interpreter.get_input_details()):
        interpreter.allocate_tensors()


# -- TensorFlow ------------------------------------------------------------------------------------


def _by_tensorflow(folder: str) -> bytes:
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import tensorflow as tf

    model: bytes = tf.lite.TFLiteConverter.from_saved_model(folder).convert()
    return model


# -- litert-converter ------------------------------------------------------------------------------


def _by_litert(request: ConversionRequest) -> ConversionResult:
    from litert_converter import converter_api_ext as api
    from litert_converter.mlir import ir

    with ir.Context() as context, ir.Location.unknown():
        api.prepare_mlir_context(context)
        # The first run of the passes loads TensorFlow's dialect. An op that is read before has
        # names that do not live as long as it does.
        _run_passes(api, ir.Module.parse("module {}"))
        module = ir.Module.parse(request["module"])
        for each in request["signatures"]:
            function = _function(ir, module, each["function"])
            api.set_signature(function, each["name"], list(each["inputs"]), list(each["outputs"]))
        _run_passes(api, module)
        return _exported(api, ir, module, request["initializer"])


def _run_passes(api: Any, module: Any) -> None:
    from litert_converter.mlir import passmanager

    api.run_convert_to_tfl_passes(module, passmanager.PassManager(), api.ConvertToTFLConfig())


def _exported(api: Any, ir: Any, module: Any, initializer: str) -> ConversionResult:
    from litert_converter.mlir.dialects import func

    refused = [
        (_location(str(each.location)), each.name)
        for each in operations(module.operation)
        if each.name.startswith("tf.") and each.name != "tf.If" or each.name == "tfl.custom"
    ]
    if refused:
        return ConversionResult(refused=refused)
    regions = LoopRegions(ir, func, module)
    regions.type_constants()
    regions.outline()
    regions.copy_results()
    if initializer:
        _call_once(ir, module, initializer)
    module.operation.verify()
    return _model(api.export_flatbuffer_to_bytes(module.operation))


def _call_once(ir: Any, module: Any, initializer: str) -> None:
    """Let each signature call a function that sets the variables, once in an interpreter."""
    own = _function(ir, module, initializer)
    own.attributes["sym_visibility"] = ir.StringAttr.get("private")
    for function in module.body.operations:
        if "tf_saved_model.exported_names" in function.operation.attributes:
            ir.Operation.create(
                "tfl.call_once",
                attributes={"session_init_function": ir.StringAttr.get(initializer)},
                ip=ir.InsertionPoint.at_block_begin(function.operation.regions[0].blocks[0]),
            )


def _function(ir: Any, module: Any, name: str) -> Any:
    """Return the operation of a function."""
    return next(
        each.operation
        for each in module.body.operations
        if ir.StringAttr(each.operation.attributes["sym_name"]).value == name
    )


def _location(text: str) -> int:
    """Return the number that is a location.

    >>> _location('loc("12")'), _location("loc(unknown)")
    (12, -1)
    """
    found = re.search(r'"(\d+)"', text)
    return int(found.group(1)) if found else -1


def _ops_of(words: str) -> list[tuple[int, str]]:
    """Return the ops that an error is about; the name is "" if it names none.

    >>> _ops_of("loc(\\"7\\"): error: failed to legalize operation 'tf.Case' that was illegal")
    [(7, 'tf.Case')]
    >>> _ops_of('loc(fused["3", "1"]): error: \\'tfl.gather\\' op operand #0 must be a tensor')
    [(3, 'tfl.gather')]
    >>> _ops_of("unknown: error: 'tf.Sign' op is not a constant")
    [(-1, 'tf.Sign')]
    """
    found = []
    for line in words.splitlines():
        place, name = _location(line), re.search(r"'((?:tf|tfl)\.\w+)'", line)
        if name or (place >= 0 and "error:" in line):
            found.append((place, name.group(1) if name else ""))
    return list(dict.fromkeys(found))


def main() -> None:
    """Answer the request of standard input on standard output."""
    out = os.dup(1)
    os.dup2(2, 1)  # Native code prints to standard output, too.
    found = answer(json.load(sys.stdin))
    with os.fdopen(out, "w") as file:
        json.dump(found, file)


if __name__ == "__main__":
    main()
