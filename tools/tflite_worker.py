"""Converts modules to TensorFlow Lite models and runs them in LiteRT, one request after another."""

from __future__ import annotations

import base64
import pickle
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from runtime.export.tflite import converter_process as converter


class Request(NamedTuple):
    """A program with its inputs.

    Attributes:
        program: the request to the converter.
        inputs: the arrays, by name.
        outputs: the names of the results.
        runs: the number of runs in one interpreter.
    """

    program: converter.ConversionRequest
    inputs: dict[str, Any]
    outputs: tuple[str, ...]
    runs: int = 1


class Answer(NamedTuple):
    """The results of each run of a model, or the error of LiteRT.

    Attributes:
        values: for each run the results.
        error: the error of the first run that fails.
        refused: the answer of the converter if it makes no model.
    """

    values: list[list[Any]]
    error: str = ""
    refused: converter.ConversionResult | None = None


def answer(request: Request) -> Answer:
    """Return the results of a program for its inputs."""
    made = converter.answer(request.program)
    if "model" not in made:
        return Answer([], refused=made)
    return ran(base64.b64decode(made["model"]), request)


def ran(model: bytes, request: Request) -> Answer:
    """Return the results of the only signature of a model."""
    from ai_edge_litert.interpreter import Interpreter

    values: list[list[Any]] = []
    try:
        interpreter = Interpreter(model_content=model, num_threads=1)
        (name,) = interpreter.get_signature_list()
        signature = interpreter.get_signature_runner(name)
        taken = signature.get_input_details()
        given = {key: array for key, array in request.inputs.items() if key in taken}
        for _ in range(request.runs):
            found = _called(interpreter, signature, given)
            values.append([found[name] for name in request.outputs])
    except Exception as error:
        return Answer(values, " ".join(str(error).split())[:400] or repr(error))
    return Answer(values)


def _called(interpreter: Any, signature: Any, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Run a signature; return its results, which LiteRT's own call refuses if one is empty."""
    try:
        found: Mapping[str, Any] = signature(**given)
        return found
    except ValueError as error:
        if str(error) != "Invalid tensor size.":
            raise
    tensors = signature.get_output_details()
    return {name: _result(interpreter, tensor) for name, tensor in tensors.items()}


def _result(interpreter: Any, tensor: Mapping[str, Any]) -> Any:
    if 0 in tensor["shape"]:
        return np.zeros(tensor["shape"], tensor["dtype"])
    return interpreter.get_tensor(tensor["index"])


def main() -> None:
    """Answer requests of standard input on standard output."""
    from importlib.metadata import version

    out = sys.stdout.buffer
    packages = f"{version('ai-edge-litert')} (litert-converter {version('litert-converter')})"
    out.write(base64.b64encode(pickle.dumps(packages)) + b"\n")
    out.flush()
    for line in sys.stdin.buffer:
        # Plain tuples, since this module has another name in the process that asks.
        found = tuple(answer(Request(*pickle.loads(base64.b64decode(line)))))
        out.write(base64.b64encode(pickle.dumps(found)) + b"\n")
        out.flush()


if __name__ == "__main__":
    main()
