"""Runs ONNX models in onnxruntime, one request after another, for tools that compare results."""

from __future__ import annotations

import base64
import pickle
import sys
from typing import Any, NamedTuple


class Request(NamedTuple):
    """A model with its inputs.

    Attributes:
        model: the bytes of the model.
        inputs: the arrays, by name.
        outputs: the names of the results.
    """

    model: bytes
    inputs: dict[str, Any]
    outputs: tuple[str, ...]


class Answer(NamedTuple):
    """The results of a model, or the error of the engine."""

    values: list[Any]
    error: str = ""


def answer(request: Request) -> Answer:
    """Return the results of a model for its inputs."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(
            request.model, options, providers=["CPUExecutionProvider"]
        )
        given = {each.name for each in session.get_inputs()}
        inputs = {name: array for name, array in request.inputs.items() if name in given}
        return Answer(session.run(list(request.outputs), inputs) if request.outputs else [])
    except Exception as error:
        return Answer([], " ".join(str(error).split())[:400] or repr(error))


def main() -> None:
    """Answer requests of standard input on standard output."""
    import onnxruntime

    out = sys.stdout.buffer
    out.write(base64.b64encode(pickle.dumps(onnxruntime.__version__)) + b"\n")
    out.flush()
    for line in sys.stdin.buffer:
        # Plain tuples, since this module has another name in the process that asks.
        found = tuple(answer(Request(*pickle.loads(base64.b64decode(line)))))
        out.write(base64.b64encode(pickle.dumps(found)) + b"\n")
        out.flush()


if __name__ == "__main__":
    main()
