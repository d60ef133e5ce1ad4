"""Items of a list taken into another one: a loop of the file, since they may differ in shape."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import DType, int32
from runtime.core.shapes import TensorShape
from runtime.core.variant import VARIANT
from runtime.export.function_body import Body, Ref
from runtime.export.functions import Results, function_def, parameter
from runtime.export.graphdef import FunctionDef, NameAttrList
from runtime.export.node_lowering import Step

List = tuple[Ref, ...]
"""What stands for a list: one of TensorFlow's for each part of an item."""


def any_shape(step: Step) -> Ref:
    """Return the shape of items that may have any."""
    return step.const(-1, "element_shape")


def empty_list(step: Step, dtype: Any) -> Ref:
    """Return a list of TensorFlow's without items."""
    most = step.const(-1, "max_num_elements")
    made: Ref = step.add("EmptyTensorList", any_shape(step), most, element_dtype=dtype)
    return made


def taken(step: Step, target: List, places: Ref) -> List:
    """Return the items at places, in the order of those."""
    shape = step.add("Shape", places, out_type=int32)
    count = step.add("Reshape", shape, step.const(np.zeros(0, np.int32), "scalar"))
    start = step.const(0, "loop_counter")
    found = []
    for one, dtype in zip(target, step.region.library.types.of(step.node.inputs[0])):
        cond, body = _taking(step, dtype)
        inputs = [start, count, places, one, empty_list(step, dtype)]
        shapes = [TensorShape.of(dims) for dims in ((), (), (None,), (), ())]
        loop = step.add("StatelessWhile", inputs, cond=cond, body=body, output_shapes=shapes,
                        parallel_iterations=10, _lower_using_switch_merge=True)  # fmt: skip
        found.append(loop[-1])
    return tuple(found)


def _taking(step: Step, dtype: DType) -> tuple[NameAttrList, NameAttrList]:
    """Return the functions of a loop that takes items of a dtype."""
    library = step.region.library
    return library.add(_taking_test()), library.add(_taking_turn(dtype))


def _taking_start() -> tuple[Body, list[Ref]]:
    body = Body("take/", is_function=True)
    words = ("counter", "count", "places", "source", "target")
    kinds = (int32, int32, int32, *2 * (VARIANT.dtype,))
    return body, [parameter(body, word, kind) for word, kind in zip(words, kinds)]


def _taking_test() -> FunctionDef:
    body, parameters = _taking_start()
    found = body.add("Less", parameters[:2])
    return function_def("list_take_cond", body, parameters, Results(found))


def _taking_turn(dtype: DType) -> FunctionDef:
    body, parameters = _taking_start()
    counter, _, places, source, target = parameters
    axis, one = (body.const(np.array(value, np.int32)) for value in (0, 1))
    shape = body.const(np.array(-1, np.int32))
    place = body.add("GatherV2", [places, counter, axis], {"batch_dims": 0})[0]
    item = body.add("TensorListGetItem", [source, place, shape], {"element_dtype": dtype})[0]
    pushed = body.add("TensorListPushBack", [target, item])[0]
    following = body.add("AddV2", [counter, one])[0]
    results = Results([following, *parameters[1:4], pushed])
    return function_def("list_take_body", body, parameters, results)
