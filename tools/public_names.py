"""The modules whose names users write, and the public names of each."""

from __future__ import annotations

import ast
import inspect
from types import ModuleType

# TensorFlow's names for them come in addition.
MODULES = """
    autograph autograph.errors autograph.jax autograph.saved_model
    runtime runtime.array_api runtime.array_api.fft runtime.array_api.linalg runtime.audio
    runtime.bitwise runtime.config runtime.data runtime.data.experimental runtime.debugging
    runtime.errors runtime.export runtime.graph runtime.io runtime.io.gfile runtime.linalg
    runtime.lookup runtime.math runtime.nest runtime.random
    runtime.session runtime.session.optimizers runtime.sets runtime.signal runtime.strings
    runtime.summary runtime.summary.experimental runtime.test runtime.train
    runtime.train.experimental runtime.typing runtime.nn runtime.nn.activations runtime.nn.backend
    runtime.nn.callbacks runtime.nn.constraints runtime.nn.dataset_utils
    runtime.nn.datasets.digits runtime.nn.datasets.mnist runtime.nn.initializers
    runtime.nn.layers runtime.nn.losses runtime.nn.metrics runtime.nn.models
    runtime.nn.ops.control_flow runtime.nn.ops.creation runtime.nn.ops.elementwise
    runtime.nn.ops.fourier runtime.nn.ops.linalg runtime.nn.ops.manipulation
    runtime.nn.ops.neural runtime.nn.ops.segments runtime.nn.ops.statistics
    runtime.nn.optimizers runtime.nn.optimizers.schedules runtime.nn.preprocessing
    runtime.nn.random runtime.nn.regularizers
""".split()


def names_of(module: ModuleType) -> list[str]:
    """The public names of a module: its `__all__`, or its own names and imports with `as`.

    >>> names_of(importlib.import_module("runtime.bitwise"))[:2]
    ['bitwise_and', 'bitwise_or']
    """
    if hasattr(module, "__all__"):
        return list(module.__all__)
    found: list[str] = []
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.append(node.name)
        elif isinstance(node, ast.Assign):
            found += [each.id for each in node.targets if isinstance(each, ast.Name)]
        elif isinstance(node, ast.ImportFrom):
            found += [each.name for each in node.names if each.asname == each.name]
    return [name for name in found if not name.startswith("_")]
