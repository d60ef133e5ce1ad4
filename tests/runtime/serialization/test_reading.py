"""Files with graphs of older versions, and with invalid graphs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.errors import AutographError
from autograph.saved_model.archive_writing import NAME
from runtime.core.tensor import EagerTensor
from runtime.core.variant import boxed
from runtime.errors import DataLossError, OpError
from tests.hostile import change


class Read(rt.Module):
    """An object whose function reads a TensorArray twice."""

    @ag.function(input_signature=[rt.TensorSpec((3,), rt.float32)])
    def read(self, x: Any) -> Any:
        array = rt.TensorArray(rt.float32, 3).unstack(x)
        return array.read(0) + array.read(rt.cast(x[0], rt.int32))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    ag.saved_model.save_archive(Read(), tmp_path / "saved")
    return tmp_path / "saved" / f"{NAME}.ckpt"


def value(dtype: str) -> Any:
    return [[], dtype, None, "made", False]


def cleared(said: Any, index: int = 5) -> None:
    """Clear the element after the first reading, as versions did in which reading cleared."""
    graph = said["graph"]["graphs"][0]
    graph["outputs"] = [each + 1 for each in graph["outputs"]]
    for node in graph["nodes"]:
        node["inputs"] = [each + (each > 6) for each in node["inputs"]]
    clear = {"op": "tensor_array_clear", "name": "clear", "inputs": [4, index]}
    graph["nodes"].insert(6, {**clear, "outputs": [value("variant")]})
    assert "tensor_array_read" == graph["nodes"][9]["op"]
    graph["nodes"][9]["inputs"][0] = 7


def test_a_graph_in_which_reading_clears_reads_on(file: Path) -> None:
    change(file, cleared)
    loaded = ag.saved_model.load(file.parent)
    assert 3.0 == float(loaded.read(rt.constant([1.0, 2.0, 3.0])))
    assert 2.0 == float(loaded.read(rt.constant([0.0, 0.0, 0.0]) + 1.0))


def test_invalid_operand_numbers_are_refused(file: Path) -> None:
    change(file, lambda said: cleared(said, index=99))
    with pytest.raises(DataLossError, match="the index of an operand is 99"):
        ag.saved_model.load(file.parent)


WRONG = [3, "x", None, [1], object(), rt.data.Dataset.range(3)]
# The operands, where 0 is what the function is given and 1 a constant, and the result.
OPS = {
    "list_append": ([0, 1], "variant"),
    "list_extend": ([0, 0], "variant"),
    "list_length": ([0], "int32"),
    "list_repeat": ([0, 1], "variant"),
    "list_reverse": ([0], "variant"),
    "list_set": ([0, 1, 1], "variant"),
    "tensor_array_size": ([0], "int32"),
    "iterator_has_next": ([0], "bool"),
}


@pytest.mark.parametrize("op", OPS)
def test_arguments_of_another_dtype_are_refused(file: Path, op: str) -> None:
    inputs, dtype = OPS[op]

    def changed(said: Any) -> None:
        saved = said["graph"]
        graph, signature = saved["graphs"][0], saved["signatures"]["serving_default"]
        attrs = {"value": {"array": "array/0"}}
        graph["inputs"] = [[[], "variant", None, "x", False]]
        graph["nodes"] = [
            {
                "op": "constant",
                "name": "c",
                "inputs": [],
                "attrs": attrs,
                "outputs": [value("int32")],
            },
            {"op": op, "name": "made", "inputs": inputs, "outputs": [value(dtype)]},
        ]
        graph["outputs"] = [2]
        for trace in (saved["objects"][0]["functions"]["read"][0], signature):
            spec = {"tuple": [{"spec": [[], "variant", "x"]}]}
            trace["given"] = {"tuple": [spec, {"dict": []}]}

    change(file, changed)
    loaded = ag.saved_model.load(file.parent)
    ways = (loaded.read, loaded.read.concrete_functions[0])
    for given in (*WRONG, *(EagerTensor(boxed(each)) for each in WRONG), np.array("x", object)):
        for way in ways:
            with pytest.raises((OpError, AutographError)):
                way(given)
        with pytest.raises((OpError, AutographError)):
            loaded.signatures["serving_default"](x=given)
