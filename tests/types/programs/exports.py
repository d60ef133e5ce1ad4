"""Exports, saved models, checkpoints and graphs."""

from __future__ import annotations

import tempfile
from pathlib import Path

from typing_extensions import assert_type

import autograph as ag
import autograph.runtime as rt
from autograph.runtime import Tensor

folder = Path(tempfile.mkdtemp())


class Doubling(rt.Module):
    """An object with one function."""

    def __init__(self) -> None:
        super().__init__()
        self.by = rt.Variable(2.0)

    @ag.function(input_signature=[rt.TensorSpec((None,), rt.float32)])
    def __call__(self, x: Tensor) -> Tensor:
        return x * self.by


model = Doubling()
report = ag.export(model, folder / "saved")
assert_type(str(report), str)
ag.saved_model.save(model, str(folder / "again"))
print(ag.saved_model.load(folder / "again"))

checkpoint = rt.train.Checkpoint(by=model.by)
path = checkpoint.save(folder / "point")
assert_type(path, str)
assert_type(rt.train.latest_checkpoint(folder), "str | None")
checkpoint.restore(path)

concrete = ag.function(lambda x: x + 1).get_concrete_function(rt.TensorSpec((), rt.int32))
graph = concrete.graph
assert_type(graph.as_text(), str)
assert_type([node.name for node in graph.nodes], list[str])
assert_type(graph.as_graph_def(), rt.export.GraphDef)


def mistakes() -> None:
    ag.export(model)  # error
    ag.export(model, folder, format=3)  # error
    ag.saved_model.sav(model, folder)  # error
    ag.saved_model.save(model)  # error
    rt.train.Checkpoin()  # error
    graph.as_tex()  # error
    graph.nodes[0].nam  # error
