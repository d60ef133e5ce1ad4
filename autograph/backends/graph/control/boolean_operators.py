"""`and` and `or` on tensors, which evaluate the operands that Python evaluates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import runtime as rt
from autograph.backends.graph.aliases.item_containers import mutable_parts
from autograph.backends.graph.control.conditional import choice_of_regions, staged_choice
from autograph.backends.graph.state import change_detection as watch
from autograph.backends.graph.state.alias_state import present_value
from autograph.backends.graph.tracing.regions import new_region, run_body
from autograph.backends.graph.values.branch_facts import learn
from autograph.backends.graph.values.container_snapshot import with_contents
from autograph.backends.graph.values.join import join
from autograph.backends.graph.values.join_errors import VALUE
from autograph.backends.graph.values.spec_inference import spec_of
from autograph.backends.graph.values.truth import UnjoinableValue, truth
from autograph.backends.graph.values.value_spec import UNREACHED, JoinError
from autograph.backends.protocol import Thunk
from autograph.errors import BranchMismatch
from runtime.core.context import current_recorder
from runtime.graph.graph import Graph
from runtime.passes.node_traits import may_not_fit

# Ops without effects that cannot fail: an operand of these ops alone may be computed although
# Python skips it. Python numbers that may be too large for a dtype are checked separately.
_SAFE = frozenset(
    "add subtract multiply negative abs sign square maximum minimum "
    "equal not_equal less less_equal greater greater_equal "
    "logical_and logical_or logical_not logical_xor constant identity cast "
    "shape size rank".split()
)


def staged_and(value: object, rest: Thunk, told: object) -> object:
    """Return `value and rest()`; `told` is the value or its truth, which a run knows."""
    decided = truth(told, "an operand of `and`, or of a chain of comparisons,")
    operand = _Operand(rest, (decided, True))
    if operand.movable and _is_bool(operand.value) and _is_number(value):
        # A number that is false is 0, and 0 == False: the value is the same.
        return rt.logical_and(decided, operand.moved())
    if operand.changes_containers or _is_container(value, operand.value):
        return _container_choice(decided, operand.run, lambda: value, "and")
    unchanged = (new_region("else"), value)
    return choice_of_regions(
        decided, (operand.region, operand.value), unchanged, f"{VALUE}this `and`"
    )


def staged_or(value: object, rest: Thunk, told: object) -> object:
    """Return `value or rest()`; `told` is the value or its truth, which a run knows."""
    decided = truth(told, "an operand of `or`")
    operand = _Operand(rest, (decided, False))
    if operand.movable and _is_bool(operand.value) and _is_bool(value):
        return rt.logical_or(decided, operand.moved())
    is_container = _is_container(value, operand.value)
    if operand.changes_containers or is_container:
        # A true value is not None.
        chosen = present_value(value) if is_container else value
        return _container_choice(decided, lambda: chosen, operand.run, "or")
    unchanged = (new_region("then"), value)
    return choice_of_regions(
        decided, unchanged, (operand.region, operand.value), f"{VALUE}this `or`"
    )


def _container_choice(
    decided: rt.Tensor, then: Callable[[], object], orelse: Callable[[], object], text: str
) -> object:
    """Record the choice of a value; if the two values have no join, only that of its truth."""
    try:
        return staged_choice(decided, then, orelse, text)
    except BranchMismatch as error:
        told = staged_choice(decided, lambda: truth(then()), lambda: truth(orelse()), text)
        return UnjoinableValue(told, error)  # type: ignore[arg-type]


class _Operand:
    """The second operand, traced into a region.

    Args:
        rest: evaluates it.
        fact: a tensor, and the value that it has where the operand is evaluated.
    """

    def __init__(self, rest: Thunk, fact: tuple[rt.Tensor, bool]) -> None:
        self.run = rest
        self.value: object = None
        watched = watch.watch(rest)
        self.region = new_region("operand")
        learn(self.region, *fact)
        try:
            with self.region.recording():
                reached = run_body(self._evaluate)
            self.value = self.value if reached else UNREACHED
            self.changes_containers = bool(watch.changed(watched))
        finally:
            watch.restore(watched)

    def _evaluate(self) -> None:
        self.value = self.run()

    @property
    def movable(self) -> bool:
        """Return whether no one can observe that the operand is computed where Python skips it."""
        nodes = self.region.nodes
        safe = all(node.op.name in _SAFE and _same_shapes(node) for node in nodes)
        return safe and not self.changes_containers and not any(map(may_not_fit, nodes))

    def moved(self) -> Any:
        """Record the nodes in the current graph instead; return the value there."""
        return _copied_nodes(self.region, self.value)


def _is_container(value: object, other: object) -> bool:
    """Return whether two operands are containers that can be joined to one container."""
    if not all(map(_holds_lists_or_dicts, (value, other))):
        return False
    try:
        join(*(spec_of(with_contents(present_value(each))) for each in (value, other)))
    except JoinError:
        return False
    return True


def _holds_lists_or_dicts(value: object) -> bool:
    # Objects of user classes keep their identity without it.
    parts = [part.value for part in mutable_parts(value)]
    return bool(parts) and all(map(rt.nest.is_nested, parts))


def _same_shapes(node: object) -> bool:
    """Return whether all operands are scalars or have one known shape, so that they broadcast."""
    shapes = {str(t.shape) for t in node.inputs if t.shape.rank != 0}  # type: ignore[attr-defined]
    known = all(t.shape.is_fully_defined() for t in node.inputs)  # type: ignore[attr-defined]
    return known and len(shapes) <= 1


def _copied_nodes(region: Graph, value: object) -> object:
    """Record the nodes of `region` in the current graph instead; return `value` there."""
    recorder = current_recorder()
    assert recorder is not None
    place: dict[int, Any] = {id(c.inner): c.outer for c in region.captures}
    for node in region.nodes:
        inputs = [place[id(t)] for t in node.inputs]
        outputs = recorder.record(node.op, inputs, node.attrs)
        for old, new in zip(node.outputs, outputs):
            new.weak = old.weak
            place[id(old)] = new
    return place.get(id(value), value)


def _is_number(value: object) -> bool:
    """Return whether a value is a number or a tensor: if it is false, it is 0."""
    return isinstance(value, (rt.Tensor, rt.Variable, bool, int, float))


def _is_bool(value: object) -> bool:
    if isinstance(value, rt.Tensor):
        return value.dtype == rt.bool and value.shape.rank == 0
    return isinstance(value, bool)
