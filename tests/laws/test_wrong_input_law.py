"""Wrong inputs raise our errors or return the right result: never NumPy's errors.

Right calls are found by themselves: the samples of the ops, and every call that an example in a
docstring of a public function, class or method makes. Each is made wrong in all the ways that
`wrong_inputs/mistakes.py` knows, and made in all modes: eager, under a tape, and recorded with
full shapes, with unknown dimensions and with unknown ranks. By default a seeded part of the wrong
calls is tried; set AUTOGRAPH_LONG_TESTS=1 for all of them, which takes a quarter of an hour.
"""

from __future__ import annotations

import contextlib
import os
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import runtime as rt
from runtime.errors import DTypeError, OpError
from runtime.executors import interpreter
from runtime.ops import infer, op
from runtime.ops.arrays import reduction
from tests.laws.wrong_inputs import (
    examples,
    execution_modes,
    mistakes,
    more_calls,
    network_calls,
    op_calls,
    recorded,
)
from tests.laws.wrong_inputs.examples import Call
from tests.laws.wrong_inputs.execution_modes import Fault
from tests.suite_length import IS_LONG

# Of so many wrong calls one is tried; eager ones cost the least.
OF_OPS, OF_EAGER, OF_RECORDED = (1, 1, 1) if IS_LONG else (40, 480, 640)
PARTS = range(16 if IS_LONG else 4)
# Memory that a wrong size may take; more is refused as by a machine that has no more.
MOST_MEMORY = 12 << 30


@pytest.fixture(autouse=True)
def a_place_of_its_own(tmp_path: Path) -> Iterator[None]:
    """Run where files may be written, with a limit to memory where the system knows one."""
    with contextlib.chdir(tmp_path) if hasattr(contextlib, "chdir") else _moved_to(tmp_path):
        with _limited_memory():
            yield


@contextlib.contextmanager
def _moved_to(folder: Path) -> Iterator[None]:
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextlib.contextmanager
def _limited_memory() -> Iterator[None]:
    try:
        import resource
    except ImportError:
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def all_calls() -> list[Call]:
    """The right calls that are made wrong."""
    texts = (more_calls.EXAMPLES, network_calls.EXAMPLES)
    more = [call for text in texts for call in examples.calls_in("no docstring", text, rt)]
    return [*examples.calls(), *more, *more_calls.operations()]


def distinct_faults(faults: list[Fault]) -> list[str]:
    """Faults as texts, of each kind one."""
    return list({(fault.call, fault.mode): str(fault) for fault in faults}.values())


@pytest.mark.parametrize("part", PARTS)
def test_ops_refuse_wrong_operands_as_their_inference_does(part: int) -> None:
    chosen = random.Random(part)
    faults: list[Fault] = []
    for sample in op_calls.samples()[part :: len(PARTS)]:
        for mistake, wrong in op_calls.wrong_operands(sample):
            if not chosen.randrange(OF_OPS):
                faults += op_calls.faults_of(wrong, mistake)
    assert [] == distinct_faults(faults)


@pytest.mark.parametrize("part", PARTS)
def test_wrong_calls_return_results_or_raise_our_errors(part: int) -> None:
    chosen = random.Random(part)
    faults: list[Fault] = []
    for call in all_calls()[part :: len(PARTS)]:
        for mistake, wrong in mistakes.mistakes_in(call):
            if not chosen.randrange(OF_EAGER):
                fault = execution_modes.eager(wrong).fault
                faults += [Fault(str(call), mistake, "eager", fault)] if fault else []
    assert [] == distinct_faults(faults)


@pytest.mark.parametrize("part", PARTS)
def test_wrong_calls_agree_in_graphs_and_eagerly(part: int) -> None:
    chosen = random.Random(part)
    faults: list[Fault] = []
    for call in examples.calls()[part :: len(PARTS)]:
        for mistake, wrong in mistakes.mistakes_in(call):
            if not chosen.randrange(OF_RECORDED):
                faults += execution_modes.compared(wrong, mistake)
    assert [] == distinct_faults(faults)


@pytest.mark.parametrize("line", recorded.REFUSED.strip().splitlines())
def test_calls_that_tensorflow_refuses_are_refused(line: str) -> None:
    with pytest.raises(OpError):
        eval(line, {"t": rt})


@pytest.mark.parametrize("line", recorded.GIVEN)
def test_calls_agree_with_tensorflows_results(line: str) -> None:
    arrays = [tensor._array for tensor in execution_modes.leaves(eval(line, {"t": rt}))]
    found = [(array.dtype.name, array.tolist()) for array in arrays]
    assert recorded.GIVEN[line] == str(found)


# Their functions take or return datasets and models, of which this law makes none.
_OF_OTHER_LAWS = ("rt.nn.datasets", "rt.nn.models", "rt.data.experimental")


def test_most_public_functions_have_a_valid_call() -> None:
    """New ones are found by their examples; a namespace without any is a hole in this law."""
    called = {id(call.function) for call in all_calls()}
    namespaces: dict[str, list[bool]] = {}
    for name, value in examples.public_objects().items():
        if not isinstance(value, type):
            namespaces.setdefault(name.rpartition(".")[0], []).append(id(value) in called)
    shares = {name: sum(found) / len(found) for name, found in namespaces.items() if found}
    assert {} == {
        name: share
        for name, share in shares.items()
        if share < 0.25 and not name.startswith(_OF_OTHER_LAWS)
    }


# -- the law can fail ------------------------------------------------------------------------------


def of_name(name: str, **kwargs: object) -> Call:
    (call, *_) = [call for call in examples.calls() if call.name == name]
    return replace(call, kwargs=call.kwargs | kwargs)


def test_the_law_finds_an_error_of_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = of_name("reduce_sum", keepdims=np.array([True, False]))
    assert "" == execution_modes.eager(wrong).fault
    monkeypatch.setattr(reduction, "flag", lambda value, what: bool(value))
    assert "truth value of an array" in execution_modes.eager(wrong).fault


def test_the_law_finds_a_message_of_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = of_name("reduce_max", axis=[0, 0])
    assert "" == execution_modes.eager(wrong).fault
    monkeypatch.setattr(infer, "distinct_axes", lambda axes, rank: list(axes))
    assert "the words of ValueError" in execution_modes.eager(wrong).fault


def test_the_law_finds_a_kernel_that_accepts_more_than_its_inference(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (sample, *_) = [each for each in op_calls.samples() if each.op == "gather"]
    wrong = replace(sample, inputs=(sample.inputs[0], sample.inputs[1] > 0))
    assert [] == list(op_calls.faults_of(wrong, "bool"))
    monkeypatch.setattr(op, "check_operands", lambda *_: None)
    assert ["full shapes", "unknown dimensions", "unknown ranks"] == [
        fault.mode for fault in op_calls.faults_of(wrong, "bool")
    ]


def test_the_law_finds_a_graph_with_another_result(monkeypatch: pytest.MonkeyPatch) -> None:
    call = of_name("reduce_sum")
    assert [] == list(execution_modes.compared(call, "as it is"))
    monkeypatch.setattr(interpreter, "run_kernel", lambda op, arrays, attrs: (arrays[0] + 1,))
    assert 3 == len(list(execution_modes.compared(call, "as it is")))


def test_the_law_finds_a_partial_change(monkeypatch: pytest.MonkeyPatch) -> None:
    (call,) = examples.calls_in("v", ">>> rt.Variable([1.0]).assign([2.0])", rt)[1:]
    wrong = replace(call, kwargs={"read_value": "wrong"})
    assert "" == execution_modes.eager(wrong).fault

    def assign(self: rt.Variable, value: object, read_value: object) -> None:
        self.assign_add([1.0])
        raise DTypeError(f"read_value must be True or False, not {read_value!r}")

    monkeypatch.setattr(rt.Variable, "assign", assign)
    assert "changes what it is of" in execution_modes.eager(wrong).fault
