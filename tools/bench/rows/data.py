"""The inputs of the workloads: the same arrays for every library, from a fixed seed.

This file needs only NumPy: other interpreters read it too.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

Arrays = dict[str, Any]

BATCH, STEPS, WIDTH, HIDDEN, CLASSES = 100, 20, 784, 128, 10
RATE, BETA_1, BETA_2, EPSILON = 1e-3, 0.9, 0.999, 1e-7
SMALL_RATE = 0.1
COLLATZ_UP_TO = 200
POWER = 100
ROOTS_UP_TO = 200


@functools.cache
def generator_arrays(name: str) -> Arrays:
    """Return the arrays of a row, by name."""
    return _MAKERS[name](np.random.default_rng(7))


def _floats(random: np.random.Generator, *shape: int, scale: float = 1.0) -> Any:
    return (random.standard_normal(shape) * scale).astype(np.float32)


def _power(random: np.random.Generator) -> Arrays:
    return {"x": random.integers(0, 10, (10, 10), dtype=np.int32)}


def _weights(random: np.random.Generator) -> Arrays:
    return {
        "w1": _floats(random, WIDTH, HIDDEN, scale=0.05),
        "b1": np.zeros(HIDDEN, np.float32),
        "w2": _floats(random, HIDDEN, CLASSES, scale=0.1),
        "b2": np.zeros(CLASSES, np.float32),
    }


def _images(random: np.random.Generator) -> Arrays:
    return {"x": random.random((60, 28, 28), dtype=np.float32), **_weights(random)}


def _pairs(random: np.random.Generator) -> Arrays:
    return {
        "truth": random.integers(0, 10, 5, dtype=np.int32),
        "guess": random.integers(0, 10, 5, dtype=np.int32),
    }


def _lstm(random: np.random.Generator) -> Arrays:
    return {
        "x": _floats(random, 100, 32, 64),
        "wx": _floats(random, 64, 256, scale=0.1),
        "wh": _floats(random, 64, 256, scale=0.1),
        "b": _floats(random, 256, scale=0.1),
    }


def _logreg(random: np.random.Generator) -> Arrays:
    x = _floats(random, 32, 10)
    return {
        "x": x,
        "y": (x.sum(1) > 0).astype(np.float32),
        "w": _floats(random, 10, scale=0.1),
    }


def _mlp(random: np.random.Generator) -> Arrays:
    return {
        "x": random.random((60, WIDTH), dtype=np.float32),
        "y": random.integers(0, CLASSES, 60, dtype=np.int32),
        **_weights(random),
    }


def _digits(random: np.random.Generator) -> Arrays:
    """Blurred prototypes with noise, in ten distinguishable classes."""
    labels = random.integers(0, CLASSES, BATCH * STEPS, dtype=np.int32)
    prototypes = random.random((CLASSES, WIDTH), dtype=np.float32)
    noise = _floats(random, BATCH * STEPS, WIDTH, scale=0.3)
    return {"x": prototypes[labels] + noise, "y": labels, **_weights(random)}


def _turns(random: np.random.Generator) -> Arrays:
    w = _floats(random, 64, 64, scale=0.1)
    return {"w": w, "x": _floats(random, 64)}


def _scalar(value: float, kind: type) -> Any:
    return lambda random: {"x": np.asarray(value, kind)}


def _vector(length: int) -> Any:
    return lambda random: {"x": _floats(random, length)}


def _two(random: np.random.Generator) -> Arrays:
    return {"x": _floats(random, 100), "y": _floats(random, 100)}


_MAKERS: dict[str, Any] = {
    "power": _power,
    "seq_model": _images,
    "seq_keras": _images,
    "get_mse": _pairs,
    "simple_relu": _scalar(3.0, np.float32),
    "dispatch_1": _scalar(3.0, np.float32),
    "one_op_100": _two,
    "collatz": _scalar(COLLATZ_UP_TO, np.int32),
    "newton": _scalar(612.0, np.float32),
    "newton_64": _scalar(ROOTS_UP_TO, np.float64),
    "chain_100": _vector(100),
    "chain_1e6": _vector(1_000_000),
    "lstm": _lstm,
    "logreg_step": _logreg,
    "mlp_step": _mlp,
    "train": _digits,
    "train_keras": _digits,
    "dataset_loop": _digits,
    "grad_while": _turns,
    "compile_500": _vector(100),
    "nested_10": _scalar(2, np.int32),
}
