"""Gradient checkpointing of eager loops: the tape stores only the inputs of iterations.

    while ...:                     one step per iteration, in place of its sin, multiply, ...
        x = sin(x) * x             backward: the iteration runs again, and is differentiated

Results that may differ in a second run (of variables, random numbers, dataset elements) are logged
in the first run, and reused. As in T. Chen et al., "Training deep nets with sublinear
memory cost" (2016), with an iteration as a segment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from runtime.autodiff.backward import GradientSums, backpropagate
from runtime.autodiff.tape_steps import (
    TapeStep,
    distinct,
    eager_step,
    identity_of,
    is_differentiable,
)
from runtime.core.context import Watcher, current_watchers, recording, set_watchers
from runtime.core.tensor import Array, EagerTensor
from runtime.executors.interpreter import InstructionList, execute, scalar_condition
from runtime.ops.effects.variables import READ_VARIABLE
from runtime.ops.op import Op, results_on_tapes, run_kernel

Values: TypeAlias = Sequence[Any]
Attrs: TypeAlias = Mapping[str, Any]
# The results of the ops with effects, in the order of execution.
EffectLog: TypeAlias = "list[tuple[Array, ...]]"

_HANDLERS = ("try_except", "note_state")


def checkpointed_loop(
    operands: Values, attrs: Attrs, regions: Sequence[InstructionList]
) -> Values | None:
    """Run a `while_loop` and record one step per iteration on the tapes.

    Args:
        operands: tensors and variables: the initial values of the loop, then its captures.
        attrs, regions: those of the node.

    Returns:
        The loop's variables after the last iteration, as tensors; None if it cannot be run this
        way.
    """
    test, body = regions
    if not (_is_repeatable(test) and _is_repeatable(body)):
        return None
    count, limit = attrs["variables"], attrs["maximum_iterations"]
    state, captured = list(operands[:count]), operands[count:]
    watchers = current_watchers()
    set_watchers(())
    try:
        iterations = 0
        while limit is None or iterations < limit:
            if not scalar_condition(_first_run(test, [*state, *captured], [], watchers)[0]):
                break
            state = _iteration(body, [*state, *captured], watchers)
            iterations += 1
    finally:
        set_watchers(watchers)
    return state


def _is_repeatable(program: InstructionList) -> bool:
    """Return whether a second run repeats the first: without handlers and Python functions."""
    return not any(
        instruction.op.name in _HANDLERS or (instruction.op.effects == "io" and instruction.writes)
        for instruction in _instructions_in(program, set())
    )


def _instructions_in(program: InstructionList, seen: set[int]) -> Iterator[Any]:
    if id(program) in seen:
        return
    seen.add(id(program))
    for instruction in program.instructions:
        yield instruction
        for region in instruction.regions:
            yield from _instructions_in(region, seen)


def _iteration(body: InstructionList, inputs: Values, watchers: Sequence[Watcher]) -> list[Any]:
    log: EffectLog = []
    outputs = list(map(EagerTensor, _first_run(body, inputs, log, watchers)))
    attrs = {"program": body, "log": log}
    for watcher in watchers:
        watcher.note(None, ITERATION, inputs, attrs, outputs)
    return outputs


def _first_run(
    program: InstructionList, inputs: Values, log: EffectLog, watchers: Sequence[Watcher]
) -> Values:
    arrays = [each._array if isinstance(each, EagerTensor) else each for each in inputs]
    return execute(program, arrays, partial(_run_and_log, log, watchers))


def _run_and_log(
    log: EffectLog, watchers: Sequence[Watcher], op: Op, operands: Values, attrs: Attrs
) -> Values:
    results = run_kernel(op, operands, attrs)
    if op.effects != "none":
        log.append(results)
    if op is READ_VARIABLE:
        # A tape watches the variables that are read.
        results_on_tapes(watchers, op, operands, attrs, results)
    return results


class _StepRecorder:
    """Records all ops, as a tape does."""

    def __init__(self) -> None:
        self.steps: list[TapeStep] = []

    def note(self, graph: Any, op: Op, inputs: Values, attrs: Attrs, outputs: Values) -> None:
        if graph is None:
            self.steps.append(eager_step(op, inputs, attrs, outputs))

    def records_in(self, graph: Any) -> bool:
        return graph is None

    def watches(self, value: Any) -> bool:
        return True

    def note_number(self, path: tuple[object, ...]) -> None:
        """Leave numbers to the tapes of the user."""


def _run_again(
    program: InstructionList, log: EffectLog, inputs: Values
) -> tuple[list[TapeStep], Values, Values]:
    """Run an iteration again, and return its steps, its inputs and its outputs."""
    steps, before = _StepRecorder(), current_watchers()
    watchers = (*before, steps)
    set_watchers(watchers)
    try:
        with recording(None):
            # Two inputs may be the same tensor, but each has its own gradient.
            inputs = list(map(distinct, inputs))
            logged = iter(log)
            outputs = execute(program, inputs, partial(_replay, logged, watchers))
    finally:
        set_watchers(before)
    return steps.steps, inputs, outputs


def _replay(
    logged: Iterator[tuple[Array, ...]],
    watchers: Sequence[Watcher],
    op: Op,
    operands: Values,
    attrs: Attrs,
) -> Values:
    arrays = [each._array if isinstance(each, EagerTensor) else each for each in operands]
    results = run_kernel(op, arrays, attrs) if op.effects == "none" else next(logged)
    return results_on_tapes(watchers, op, operands, attrs, results)


def _iteration_infer(*specs: Any, **attrs: Any) -> tuple[Any, ...]:
    return specs


def _iteration_grad(
    dys: Values, outputs: Values, inputs: Values, *, program: InstructionList, log: EffectLog
) -> Values:
    steps, again, results = _run_again(program, log, inputs)
    seeds = GradientSums()
    for result, dy in zip(results, dys):
        seeds.add(identity_of(result), dy)
    sources = [identity_of(each) for each in again]
    wanted = [of for of, each in zip(sources, again) if is_differentiable(each.dtype)]
    sums = backpropagate(steps, seeds, wanted)
    return [sums.of(each) for each in sources]


# It is not in the registry, since no graph contains it.
ITERATION = Op("loop_iteration", None, _iteration_infer, _iteration_grad, n_outputs=None)
