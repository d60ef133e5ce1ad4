"""TensorFlow's side: each workload as its graph, and compiled by XLA where possible."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import numpy as np
import tensorflow as tf  # type: ignore[import-not-found,import-untyped,unused-ignore]

from tools.bench.rows import sources
from tools.bench.rows.data import generator_arrays
from tools.bench.rows.tensors import makers_for
from tools.bench.rows.timed import Timed

Run = Callable[[], Any]
tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(1)
tf.get_logger().setLevel("CRITICAL")
_MAKERS = makers_for(tf, "tensorflow")
# XLA accepts no dataset, and a gradient through a loop only if the length is bounded.
_NOT_XLA = ("train_keras", "dataset_loop", "dataset_arrays")


def _graph(row: str, xla: bool) -> Run:
    made = _MAKERS[row]()
    staged, args = tf.function(made.function, jit_compile=xla or None), made.args
    return lambda: staged(*args)


def _cold(row: str, xla: bool) -> Run:
    source, name = {
        "compile_500": (sources.straight_source(), "straight"),
        "nested_10": (sources.nested_source(), "nested"),
    }[row]
    x = tf.constant(generator_arrays(row)["x"])

    def run() -> Timed:
        function = sources.fresh(source, name, tf)
        began = time.process_time()
        staged = tf.function(function, jit_compile=xla or None)
        result = staged(x)
        return Timed(time.process_time() - began, result)

    return run


def _rows(xla: bool) -> dict[str, Callable[[], Run]]:
    rows = [row for row in _MAKERS if not (xla and row in _NOT_XLA) and row != "dataset_arrays"]
    warm = {row: lambda row=row: _graph(row, xla) for row in rows}
    cold = {row: lambda row=row: _cold(row, xla) for row in ("compile_500", "nested_10")}
    return {**warm, **cold}


MODES: dict[str, dict[str, Callable[[], Run]]] = {"tf": _rows(False), "tf_xla": _rows(True)}
VERSIONS = {"tensorflow": tf.__version__, "numpy": np.__version__}
