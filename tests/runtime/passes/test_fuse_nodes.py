"""Fusion of two nodes on the same operands, where both are computed anyway."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import InvalidArgumentError
from runtime.graph import Graph
from runtime.ops.op import REGISTRY, apply
from runtime.passes.fuse_nodes import fuse_nodes
from tests.runtime.passes.graphs import BOOL, changed, graph_of, ops, plain

LOGITS, LABELS = rt.TensorSpec((40, 3), "float32"), rt.TensorSpec((40,), "int32")
X = np.random.default_rng(0).normal(size=(40, 3)).astype(np.float32)
Y = (np.arange(40) % 3).astype(np.int32)


def losses(y, x):
    return rt.nn.sparse_softmax_cross_entropy_with_logits(y, x)


def gradients(y, x):
    return apply(REGISTRY["sparse_softmax_grad"], (y, x))


def loss_and_gradient(y, x):
    with rt.GradientTape() as tape:
        tape.watch(x)
        loss = losses(y, x)
    return loss, tape.gradient(loss, x)


def entropies(graph: Graph) -> list[str]:
    return [name for name in ops(graph) if name.startswith("sparse_softmax")]


def test_losses_and_their_gradients_are_one_node() -> None:
    graph = graph_of(loss_and_gradient, LABELS, LOGITS)
    assert changed(fuse_nodes, graph, [Y, X])
    assert ["sparse_softmax_both"] == entropies(graph)


def test_losses_alone_stay() -> None:
    assert not changed(fuse_nodes, graph_of(losses, LABELS, LOGITS), [Y, X])


def test_losses_and_gradients_of_different_values_stay() -> None:
    def f(y, x):
        return losses(y, x), gradients(y, x + 1.0)

    graph = graph_of(f, LABELS, LOGITS)
    assert ["sparse_softmax_cross_entropy", "sparse_softmax_grad"] == entropies(graph)
    assert not changed(fuse_nodes, graph, [Y, X])


def test_nodes_needed_only_in_a_branch_are_not_fused() -> None:
    def f(p, y, x):
        return losses(y, x), rt.cond(p, plain(lambda: gradients(y, x)), lambda: x)

    graph = graph_of(f, BOOL, LABELS, LOGITS)
    before = entropies(graph)
    assert not changed(fuse_nodes, graph, [True, Y, X], [False, Y, X])
    assert before == entropies(graph)


@pytest.mark.parametrize("shape", [(40, 3), (3, 40), (4, 5, 6), (300, 200), (7,)])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_fused_results_are_bit_identical(shape: Any, dtype: str) -> None:
    rng = np.random.default_rng(1)
    x = (rng.normal(size=shape) * 4).astype(dtype)
    y = rng.integers(0, shape[-1], shape[:-1]).astype(np.int64)
    one_by_one = [apply(REGISTRY[f"sparse_softmax_{end}"], (rt.constant(y), rt.constant(x)))
                  for end in ("cross_entropy", "grad")]  # fmt: skip
    both = apply(REGISTRY["sparse_softmax_both"], (rt.constant(y), rt.constant(x)))
    assert [e.numpy().tobytes() for e in one_by_one] == [e.numpy().tobytes() for e in both]
    exact = x.astype(np.float64) - x.max(-1, keepdims=True)
    log = exact - np.log(np.exp(exact).sum(-1, keepdims=True))
    hot = np.eye(shape[-1])[y]
    tolerance = {"float16": 2e-2, "float32": 1e-5, "float64": 1e-12}[dtype]
    np.testing.assert_allclose(both[0].numpy(), -(log * hot).sum(-1), atol=tolerance)
    np.testing.assert_allclose(both[1].numpy(), np.exp(log) - hot, atol=tolerance)


def test_an_invalid_label_raises_the_same_error() -> None:
    messages = []
    for passes in ("fuse_nodes", "-fuse_nodes"):
        step = ag.function(loss_and_gradient, passes=passes)
        with pytest.raises(InvalidArgumentError) as caught:
            step(rt.constant(Y + 1), rt.constant(X))
        messages.append(str(caught.value))
    assert messages[0] == messages[1] and "outside the 3 classes" in messages[0]
