"""Runs exported programs with TensorFlow or onnxruntime alone, and compares their results.

    python -I run_exported.py FOLDER saved_model
    python -I run_exported.py FOLDER onnx

The folder is one of `exported_programs.py`. This file imports nothing of the project.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

PROJECT = ("autograph", "runtime")
RELATIVE = 1e-5

Call = Callable[[dict[str, np.ndarray]], dict[str, Any]]


def saved_model(path: Path, state: dict[str, np.ndarray]) -> Call:
    """Return the signature of a SavedModel."""
    tf = importlib.import_module("tensorflow")
    loaded = tf.saved_model.load(str(path.with_suffix("")))
    served = loaded.signatures["serving_default"]
    for name, value in state.items():
        assert getattr(loaded, name).numpy() == value, name

    def call(inputs: dict[str, np.ndarray]) -> dict[str, Any]:
        found = served(**{name: tf.constant(value) for name, value in inputs.items()})
        return {name: each.numpy() for name, each in found.items()}

    call.keeps_alive = loaded  # type: ignore[attr-defined]
    return call


def onnx(path: Path, state: dict[str, np.ndarray]) -> Call:
    """Return an ONNX model, with its state from call to call."""
    engine = importlib.import_module("onnxruntime")
    session = engine.InferenceSession(str(path.with_suffix(".onnx")))
    names = [each.name for each in session.get_outputs()]

    def call(inputs: dict[str, np.ndarray]) -> dict[str, Any]:
        found = dict(zip(names, session.run(names, {**inputs, **state})))
        state.update({name: found.pop(f"{name}:out") for name in list(state)})
        return found

    return call


def check(path: Path, make: Callable[[Path, dict[str, np.ndarray]], Call]) -> int:
    """Run the calls of a program; return their number.

    Raises:
        AssertionError: a result differs.
    """
    parts: dict[str, dict[str, dict[str, np.ndarray]]] = {}
    for key, array in np.load(path).items():
        group, _, rest = key.partition("/")
        kind, _, name = rest.rpartition("/")
        parts.setdefault(group, {}).setdefault(kind, {})[name] = array
    state = parts.pop("state", {}).get("", {})
    call = make(path, state)
    for each in parts.values():
        found = call(each["in"])
        assert found.keys() == each["out"].keys(), (path, found)
        for name, expected in each["out"].items():
            value = np.asarray(found[name])
            assert (value.dtype, value.shape) == (expected.dtype, expected.shape), (path, value)
            np.testing.assert_allclose(value, expected, RELATIVE, 1e-6, err_msg=str(path))
    return len(parts)


def main() -> None:
    """Check all programs of a folder."""
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    assert not any(map(importlib.util.find_spec, PROJECT)), "the project is installed here"
    folder, make = Path(sys.argv[1]), {"saved_model": saved_model, "onnx": onnx}[sys.argv[2]]
    for path in sorted(folder.glob("*.npz")):
        print(f"{path.stem}: {check(path, make)} calls are the same")


if __name__ == "__main__":
    main()
