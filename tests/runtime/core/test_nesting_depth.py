"""Containers that contain themselves or nest thousands of levels deep, as arguments and results."""

from __future__ import annotations

from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import SignatureError
from runtime.core.nesting_depth import depth_error
from runtime.errors import ArgumentValueError, DTypeError


def deep(levels: int = 5000) -> Any:
    made: Any = 1
    for _ in range(levels):
        made = [made]
    return made


def deep_dict(levels: int = 5000) -> Any:
    made: Any = 1
    for _ in range(levels):
        made = {"a": made}
    return made


def looped() -> Any:
    made: list[Any] = [1]
    made.append([made])
    return made


def looped_dict() -> Any:
    made: dict[str, Any] = {"a": 1}
    made["b"] = (made,)
    return made


VALUES = [(deep, "levels deep"), (deep_dict, "levels deep"), (looped, "holds itself")]
each_value = pytest.mark.parametrize(
    ("make", "told"), [*VALUES, (looped_dict, "holds itself")], ids=lambda each: str(each)[:16]
)
TAKERS: dict[str, Any] = {
    "flatten": rt.nest.flatten,
    "map_structure": lambda value: rt.nest.map_structure(str, value),
    "pack_sequence_as": lambda value: rt.nest.pack_sequence_as(value, [1]),
    "assert_same_structure": lambda value: rt.nest.assert_same_structure(value, value),
}


@each_value
@pytest.mark.parametrize("taker", TAKERS)
def test_functions_of_structures_refuse_deep_containers(make: Any, told: str, taker: str) -> None:
    with pytest.raises(ArgumentValueError, match=f"the structure .*{told}"):
        TAKERS[taker](make())


@pytest.mark.parametrize(("make", "told"), [VALUES[0], VALUES[2]])
@pytest.mark.parametrize("taker", ["constant", "stack", "convert_to_tensor", "reduce_sum"])
def test_functions_of_tensors_refuse_deep_containers(make: Any, told: str, taker: str) -> None:
    with pytest.raises(ArgumentValueError, match=f"the list .*{told}"):
        getattr(rt, taker)(make())


@each_value
def test_deep_arguments_are_refused(make: Any, told: str) -> None:
    @ag.function
    def increased(given: Any, x: Any) -> Any:
        return x + 1

    value, words = make(), f"the argument 'given' .*{told}"
    with pytest.raises(SignatureError, match=words):
        increased(value, rt.constant(1))
    with pytest.raises(SignatureError, match=words):
        increased(x=rt.constant(1), given=value)
    with pytest.raises(SignatureError, match=words):
        increased.get_concrete_function(value, rt.constant(1))
    concrete = increased.get_concrete_function([1, 2], rt.constant(1))
    with pytest.raises(SignatureError, match=words):
        concrete(value, rt.constant(1))


@each_value
def test_deep_rest_arguments_are_refused(make: Any, told: str) -> None:
    @ag.function
    def counted(x: Any, *rows: Any, **named: Any) -> Any:
        return x + len(rows) + len(named)

    x, value = rt.constant(1), make()
    with pytest.raises(SignatureError, match=f"the argument 'rows' .*{told}"):
        counted(x, 1, value)
    with pytest.raises(SignatureError, match=f"the argument 'named' .*{told}"):
        counted(x, 1, other=value)


@each_value
def test_deep_dataset_elements_are_refused(make: Any, told: str) -> None:
    for maker in (rt.data.Dataset.from_tensors, rt.data.Dataset.from_tensor_slices):
        with pytest.raises(ArgumentValueError, match=told):
            maker({"given": make()})


@pytest.mark.parametrize(("make", "told"), [VALUES[0], VALUES[2]])
def test_functions_of_tensors_in_a_trace_refuse_deep_containers(make: Any, told: str) -> None:
    value = make()
    with pytest.raises(ArgumentValueError, match=f"the list .*{told}"):
        ag.function(lambda x: x + rt.convert_to_tensor(value))(rt.constant(1))


def test_a_deep_dict_is_no_tensor() -> None:
    with pytest.raises(DTypeError, match="a dict cannot be made a tensor"):
        rt.constant(deep_dict())


@each_value
def test_deep_results_are_refused(make: Any, told: str) -> None:
    @ag.function
    def wrapped(x: Any) -> Any:
        return [x, made]

    made = make()
    with pytest.raises(SignatureError, match=f"the result of wrapped .*{told}"):
        wrapped(rt.constant(1))


@each_value
def test_a_function_may_read_deep_closure_variables(make: Any, told: str) -> None:
    @ag.function
    def counted(x: Any) -> Any:
        if x > 0:
            x += len(seen)
        return x

    seen = make()
    assert 1 + len(seen) == int(counted(rt.constant(1)))


def test_a_shallow_structure_keeps_pythons_recursion_error() -> None:
    error = RecursionError("the stack was full before")
    assert depth_error([[1], {"a": (2,)}], "it", error) is error

    def down() -> None:
        rt.nest.flatten([1, [2]])
        down()

    with pytest.raises(RecursionError):
        down()


def test_a_shared_container_is_no_cycle() -> None:
    part = [1]
    error = RecursionError()
    assert depth_error([part, part, [part]], "it", error) is error
