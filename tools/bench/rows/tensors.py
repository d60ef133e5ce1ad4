"""The two files of programs over tensors, bound to a library that has TensorFlow's names."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent


def makers_for(tf: Any, library: str) -> dict[str, Callable[[], Any]]:
    """Return the functions that make the workloads for a library.

    Args:
        tf: the library.
        library: its name, as part of the names of the modules.
    """
    programs = _bound("tensor_programs", tf, library)
    training = _bound("tensor_training", tf, library, Made=programs.Made)
    return {**programs.MAKERS, **training.MAKERS}


def _bound(name: str, tf: Any, library: str, **others: Any) -> Any:
    spec = importlib.util.spec_from_file_location(f"{name}_{library}", _HERE / f"{name}.py")
    if spec is None or spec.loader is None:
        raise ImportError(f"no loader for {name}.py")
    module: Any = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    module.tf = tf
    for key, value in others.items():
        setattr(module, key, value)
    spec.loader.exec_module(module)
    return module
