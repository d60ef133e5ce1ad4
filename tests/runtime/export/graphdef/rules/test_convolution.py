"""Convolutions and pools with one to three spatial axes as TensorFlow's nodes.

They are read again here, and run by TensorFlow where it is installed.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import UnimplementedError
from runtime.executors.interpreter import run
from runtime.export.graphdef.importer import graph_between
from runtime.export.graphdef.to_graphdef import graph_def
from tests.shipped_layers import LAYERS

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

RNG = np.random.default_rng(3)
IMAGED = [name for name in LAYERS if any(w in name for w in ("conv", "pool", "transp", "separ"))]


def _floats(*sizes: int) -> np.ndarray:
    return RNG.standard_normal(sizes).astype(np.float32)


LINES, LINE_FILTERS = _floats(2, 9, 4), _floats(3, 4, 6)
VOLUMES, VOLUME_FILTERS = _floats(2, 5, 6, 5, 2), _floats(2, 3, 2, 2, 3)
GROUPED = _floats(3, 2, 6)

Program = Callable[..., Any]


def _line(stride: int, padding: Any, apart: int = 1) -> Program:
    return lambda x, w: rt.nn.conv1d(x, w, stride, padding, dilations=apart)


def _volume(strides: Any, padding: str, apart: Any = 1) -> Program:
    return lambda x, w: rt.nn.conv3d(x, w, strides, padding, dilations=apart)


def _gradient(program: Program) -> Program:
    def gradients(*given: Any) -> Any:
        with rt.GradientTape() as tape:
            tape.watch(given)
            y = program(*given)
            loss = rt.reduce_sum(y * y)
        return tape.gradient(loss, given)

    return gradients


POOLS: dict[str, tuple[Program, tuple[np.ndarray, ...]]] = {
    f"{name}, {padding}": ((lambda x, f=f, p=padding, k=k, s=s: f(x, k, s, p)), (given,))
    for padding in ("SAME", "VALID")
    for name, f, k, s, given in (
        ("max 1d", rt.nn.max_pool1d, 3, 2, LINES),
        ("average 1d", rt.nn.avg_pool1d, 3, 2, LINES),
        ("max 3d", rt.nn.max_pool3d, (2, 3, 2), (1, 2, 2), VOLUMES),
        ("average 3d", rt.nn.avg_pool3d, (2, 3, 2), (1, 2, 2), VOLUMES),
    )
}
CASES: dict[str, tuple[Program, tuple[np.ndarray, ...]]] = {
    **{
        f"1d, {how}": (_line(*how), (LINES, LINE_FILTERS))
        for how in (
            (1, "SAME"), (2, "VALID"), (3, "SAME"), (1, "SAME", 2), (1, "VALID", 3),
            (2, [[0, 0], [2, 1], [0, 0]]),
        )
    },
    "1d, grouped": (_line(1, "SAME"), (LINES, GROUPED)),
    "1d, each channel": (_line(1, "VALID"), (LINES, _floats(3, 1, 8))),
    **{
        f"3d, {how}": (_volume(*how), (VOLUMES, VOLUME_FILTERS))
        for how in ((1, "SAME"), ((2, 1, 2), "VALID"), (2, "SAME"), (1, "VALID", (1, 2, 1)))
    },
    "transposed 1d": (
        lambda x, w: rt.nn.conv1d_transpose(x, w, [2, 18, 4], 2), (_floats(2, 9, 6), LINE_FILTERS)
    ),
    "transposed 3d": (
        lambda x, w: rt.nn.conv3d_transpose(x, w, [2, 6, 6, 6, 2], (2, 2, 2)),
        (_floats(2, 3, 3, 3, 3), VOLUME_FILTERS),
    ),
    **POOLS,
    "gradient 1d": (_gradient(_line(2, "SAME")), (LINES, LINE_FILTERS)),
    "gradient 3d": (_gradient(_volume(2, "SAME")), (VOLUMES, VOLUME_FILTERS)),
    **{
        f"gradient, {name}": (_gradient(program), given)
        for name, (program, given) in POOLS.items()
        if not name.startswith("max 3d")
    },
}  # fmt: skip


def _exported(program: Program, given: Any, known: bool) -> tuple[bytes, list[str], list[str], Any]:
    """Return a GraphDef with the names of its inputs and outputs, and the results here."""
    specs = [
        rt.TensorSpec(x.shape if known else (None, *x.shape[1:]), rt.as_dtype(x.dtype))
        for x in given
    ]
    graph = ag.function(program).get_concrete_function(*specs).graph
    expected = run(graph, list(given))
    message = graph_def(graph)
    feeds = [f"{node.name}:0" for node in message.node if node.op == "Placeholder"]
    fetches = [f"Identity_{at}:0" if at else "Identity:0" for at in range(len(expected))]
    return message.SerializeToString(), feeds, fetches, expected


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("name", CASES)
def test_values_are_those_of_the_nodes(name: str, known: bool) -> None:
    data, feeds, fetches, expected = _exported(*CASES[name], known)
    _, given = CASES[name]
    specs = {feed: rt.TensorSpec(x.shape, rt.float32) for feed, x in zip(feeds, given)}
    for found, value in zip(run(graph_between(data, specs, fetches), list(given)), expected):
        np.testing.assert_allclose(found, value, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("name", CASES)
def test_values_are_those_of_tensorflow(name: str, known: bool) -> None:
    data, feeds, fetches, expected = _exported(*CASES[name], known)
    for found, value in zip(_by_tensorflow(data, feeds, fetches, CASES[name][1]), expected):
        np.testing.assert_allclose(found, value, rtol=2e-4, atol=2e-4)


def _by_tensorflow(data: bytes, feeds: Any, fetches: Any, given: Any) -> list[np.ndarray]:
    tf: Any = pytest.importorskip("tensorflow")
    if not hasattr(tf, "raw_ops"):
        pytest.skip("this is another package of the name")
    message = tf.compat.v1.GraphDef.FromString(data)

    def imported(*inputs: Any) -> Any:
        named = dict(zip(feeds, inputs))
        return tf.graph_util.import_graph_def(message, named, fetches, name="")

    specs = [tf.TensorSpec((None, *x.shape[1:]), x.dtype) for x in given]
    return [each.numpy() for each in tf.compat.v1.wrap_function(imported, specs)(*given)]


@pytest.mark.parametrize("name", IMAGED)
def test_layers_of_images_are_lowered(name: str) -> None:
    make, dims = LAYERS[name]
    concrete = ag.function(make()).get_concrete_function(rt.TensorSpec(dims, rt.float32))
    assert graph_def(concrete.graph).node


def test_what_tensorflow_lacks_for_volumes_is_refused() -> None:
    volumes = rt.TensorSpec((2, 5, 6, 5, 4), rt.float32)
    filters = rt.constant(_floats(2, 2, 2, 2, 4))

    def refused(program: Program, match: str) -> None:
        graph = ag.function(program).get_concrete_function(volumes).graph
        with pytest.raises(UnimplementedError, match=match):
            graph_def(graph)

    pads = [[0, 0], [1, 0], [0, 0], [0, 1], [0, 0]]
    refused(lambda x: rt.nn.conv3d(x, filters, 1, "SAME"), "no groups of channels for volumes")
    full = rt.constant(_floats(2, 2, 2, 4, 4))
    refused(lambda x: rt.nn.conv3d(x, full, 1, pads), "no padding of given sizes")
    largest = _gradient(lambda x: rt.nn.max_pool3d(x, 2, 2, "SAME"))
    refused(largest, "all equal largest elements")
