"""Loops under a tape that checkpoints: it keeps only the inputs of each iteration.

    while ...:                     one step per turn, in place of its sin, its multiply, ...
        x = sin(x) * x             going back: the turn is run again, and gone back over

What a second run might give otherwise (variables, random numbers, elements of datasets) is noted in
the first one, and given again. As in T. Chen et al., "Training deep nets with sublinear memory
cost" (2016), with a turn for a segment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from runtime.autodiff.backward import GradientSums, backpropagate
from runtime.autodiff.tape_steps import TapeStep, eager_step, identity_of, is_differentiable
from runtime.core.context import Watcher, current_watchers, recording, set_watchers
from runtime.core.tensor import Array, EagerTensor, Tensor
from runtime.executors.interpreter import Program, decided, execute
from runtime.ops.effects.variables import READ_VARIABLE
from runtime.ops.gradient_rules import IDENTITY
from runtime.ops.op import Op, apply, noted, run_kernel

Values: TypeAlias = Sequence[Any]
Attrs: TypeAlias = Mapping[str, Any]
# What the ops with effects gave, in the order in which they were done.
Journal: TypeAlias = "list[tuple[Array, ...]]"

_HANDLERS = ("try_except", "note_state")


def checkpointed_loop(operands: Values, attrs: Attrs, regions: Sequence[Program]) -> Values | None:
    """Run a `while_loop` and tell the tapes of one step per turn.

    Args:
        operands: tensors and variables: what the loop starts from, then what it captures.
        attrs, regions: of the node.

    Returns:
        The loop's variables after its last turn, as tensors; None if it cannot be run so.
    """
    test, body = regions
    if not (_can_be_run_again(test) and _can_be_run_again(body)):
        return None
    count, limit = attrs["variables"], attrs["maximum_iterations"]
    state, captured = list(operands[:count]), operands[count:]
    watchers = current_watchers()
    set_watchers(())
    try:
        turns = 0
        while limit is None or turns < limit:
            if not decided(_first_run(test, [*state, *captured], [], watchers)[0]):
                break
            state = _turn(body, [*state, *captured], watchers)
            turns += 1
    finally:
        set_watchers(watchers)
    return state


def _can_be_run_again(program: Program) -> bool:
    """Tell whether a run can be repeated: handlers change what they note, functions are unknown."""
    return not any(
        step.op.name in _HANDLERS or (step.op.effects == "io" and step.writes)
        for step in _steps_in(program, set())
    )


def _steps_in(program: Program, seen: set[int]) -> Iterator[Any]:
    if id(program) in seen:
        return
    seen.add(id(program))
    for step in program.steps:
        yield step
        for region in step.regions:
            yield from _steps_in(region, seen)


def _turn(body: Program, inputs: Values, watchers: Sequence[Watcher]) -> list[Any]:
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
        noted(watchers, op, operands, attrs, results)
    return results


class _Steps:
    """Notes all that is computed."""

    def __init__(self) -> None:
        self.steps: list[TapeStep] = []

    def note(self, graph: Any, op: Op, inputs: Values, attrs: Attrs, outputs: Values) -> None:
        if graph is None:
            self.steps.append(eager_step(op, inputs, attrs, outputs))

    def follows(self, graph: Any) -> bool:
        return graph is None

    def watches(self, value: Any) -> bool:
        return True


def _again(
    program: Program, journal: Journal, given: Values
) -> tuple[list[TapeStep], Values, Values]:
    """Run a turn once more, and return its steps, what it started from and what it gave."""
    steps, before = _Steps(), current_watchers()
    watchers = (*before, steps)
    set_watchers(watchers)
    try:
        with recording(None):
            # Two of them may be one tensor, whose gradient is the sum of theirs.
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
    return noted(watchers, op, operands, attrs, results)


def _turn_infer(*specs: Any, **attrs: Any) -> tuple[Any, ...]:
    return specs


def _turn_grad(
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


# No graph has it, so that it is not in the registry.
TURN = Op("loop_turn", None, _turn_infer, _turn_grad, n_outputs=None)
