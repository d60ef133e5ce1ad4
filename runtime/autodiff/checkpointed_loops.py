"""Loops under a tape that checkpoints: it keeps only the inputs of each iteration.

    while ...:                     one step per iteration, in place of its sin, multiply, ...
        x = sin(x) * x             backward: the iteration runs again, and is differentiated

Results that may differ in a second run (of variables, random numbers, dataset elements) are
recorded in the first run, and reused. As in T. Chen et al., "Training deep nets with sublinear
memory cost" (2016), with an iteration as a segment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from runtime.autodiff.backward import GradientSums, backpropagate
from runtime.autodiff.tape_steps import TapeStep, eager_step, identity_of, is_differentiable
from runtime.core.context import Watcher, current_watchers, recording, set_watchers
from runtime.core.tensor import Array, EagerTensor, Tensor
from runtime.executors.interpreter import Program, execute, scalar_condition
from runtime.ops.effects.variables import READ_VARIABLE
from runtime.ops.gradient_rules import IDENTITY
from runtime.ops.op import Op, apply, results_on_tapes, run_kernel

Values: TypeAlias = Sequence[Any]
Attrs: TypeAlias = Mapping[str, Any]
# The results of the ops with effects, in the order of execution.
Journal: TypeAlias = "list[tuple[Array, ...]]"

_HANDLERS = ("try_except", "note_state")


def checkpointed_loop(operands: Values, attrs: Attrs, regions: Sequence[Program]) -> Values | None:
    """Run a `while_loop` and record one step per iteration on the tapes.

    Args:
        operands: tensors and variables: the initial values of the loop, then its captures.
        attrs, regions: those of the node.

    Returns:
        The loop's variables after the last iteration, as tensors; None if it cannot be run this
        way.
    """
    test, body = regions
    if not (_can_be_run_again(test) and _can_be_run_again(body)):
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


def _can_be_run_again(program: Program) -> bool:
    """Return whether a second run gives the same: not with handlers and Python functions."""
    return not any(
        instruction.op.name in _HANDLERS or (instruction.op.effects == "io" and instruction.writes)
        for instruction in _instructions_in(program, set())
    )


def _instructions_in(program: Program, seen: set[int]) -> Iterator[Any]:
    if id(program) in seen:
        return
    seen.add(id(program))
    for instruction in program.instructions:
        yield instruction
        for region in instruction.regions:
            yield from _instructions_in(region, seen)


def _iteration(body: Program, inputs: Values, watchers: Sequence[Watcher]) -> list[Any]:
    journal: Journal = []
    outputs = list(map(EagerTensor, _first_run(body, inputs, journal, watchers)))
    attrs = {"program": body, "journal": journal}
    for watcher in watchers:
        watcher.note(None, TURN, inputs, attrs, outputs)
    return outputs


def _first_run(
    program: Program, inputs: Values, journal: Journal, watchers: Sequence[Watcher]
) -> Values:
    arrays = [each._array if isinstance(each, EagerTensor) else each for each in inputs]
    return execute(program, arrays, partial(_journaled, journal, watchers))


def _journaled(
    journal: Journal, watchers: Sequence[Watcher], op: Op, operands: Values, attrs: Attrs
) -> Values:
    results = run_kernel(op, operands, attrs)
    if op.effects != "none":
        journal.append(results)
    if op is READ_VARIABLE:
        # A tape watches the variables that are read.
        results_on_tapes(watchers, op, operands, attrs, results)
    return results


class _Steps:
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


def _again(
    program: Program, journal: Journal, given: Values
) -> tuple[list[TapeStep], Values, Values]:
    """Run an iteration again, and return its steps, its inputs and its outputs."""
    steps, before = _Steps(), current_watchers()
    watchers = (*before, steps)
    set_watchers(watchers)
    try:
        with recording(None):
            # Two inputs may be the same tensor, whose gradient is the sum of theirs.
            inputs = [_apart(each) if isinstance(each, Tensor) else each for each in given]
            known = iter(journal)
            outputs = execute(program, inputs, partial(_repeated, known, watchers))
    finally:
        set_watchers(before)
    return steps.steps, inputs, outputs


def _apart(tensor: Tensor) -> Tensor:
    apart: Tensor = apply(IDENTITY, (tensor,))
    return apart


def _repeated(
    known: Iterator[tuple[Array, ...]],
    watchers: Sequence[Watcher],
    op: Op,
    operands: Values,
    attrs: Attrs,
) -> Values:
    arrays = [each._array if isinstance(each, EagerTensor) else each for each in operands]
    results = run_kernel(op, arrays, attrs) if op.effects == "none" else next(known)
    return results_on_tapes(watchers, op, operands, attrs, results)


def _iteration_infer(*specs: Any, **attrs: Any) -> tuple[Any, ...]:
    return specs


def _iteration_grad(
    dys: Values, outputs: Values, inputs: Values, *, program: Program, journal: Journal
) -> Values:
    steps, given, results = _again(program, journal, inputs)
    seeds = GradientSums()
    for result, dy in zip(results, dys):
        seeds.add(identity_of(result), dy)
    sources = [identity_of(each) for each in given]
    wanted = [of for of, each in zip(sources, given) if is_differentiable(each.dtype)]
    sums = backpropagate(steps, seeds, wanted)
    return [sums.of(each) for each in sources]


# It is not in the registry, since no graph contains it.
TURN = Op("loop_iteration", None, _iteration_infer, _iteration_grad, n_outputs=None)
