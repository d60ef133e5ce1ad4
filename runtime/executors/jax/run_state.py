"""The state of a graph while JAX traces it: variables, the status, and the capacities of lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from runtime.executors.jax.rules.jax_modules import is_size, jnp, lax
from runtime.executors.jax.rules.table import Unsupported
from runtime.executors.jax.values.bounds import Bounds
from runtime.executors.jax.values.pytrees import is_known
from runtime.graph.graph import Graph

# The bits of a status.
ERROR, ROOM = 1, 2

Walk = Callable[["RunState", Graph, Sequence[Any]], list[Any]]


class RunState:
    """The state at one point of a graph.

    Args:
        walk: traces a graph on the values of its inputs.
        room: the capacity of a list that grows.
        variables: the values of the variables, by the keys of their handles.
        status: None if nothing so far can fail, else bits, known or traced.

    Attributes:
        levels: the calls of recursive functions that are traced, by the names of the functions.
        bounds: what is known of integers.
        sizes: by the identity of traced scalars, these and the sizes that they are: ints, or
            symbols of a program to export.
        is_file: whether the program is exported, so that it cannot be compiled again.
        repeats: whether the traced code is an iteration of a loop, which runs several times.
    """

    is_file = False
    repeats = False

    def __init__(
        self, walk: Walk, room: int, variables: dict[Any, Any], status: Any = None
    ) -> None:
        self._walk, self.room, self.variables, self.status = walk, room, variables, status
        self.levels: dict[str, Any] = {}
        self.bounds = Bounds()
        self.sizes: dict[int, tuple[Any, Any]] = {}

    def results(self, graph: Graph, inputs: Sequence[Any]) -> list[Any]:
        """Trace a graph, such as a region, and return its outputs."""
        return self._walk(self, graph, inputs)

    def inside(self, variables: dict[Any, Any], status: Any = None) -> RunState:
        """Return the state at the start of a region, which changes on its own."""
        return self._shared(RunState(self._walk, self.room, dict(variables), status))

    def _shared(self, made: Any) -> Any:
        """Return the state of a region with the knowledge of this one."""
        made.levels, made.bounds, made.sizes = self.levels, self.bounds, self.sizes
        made.repeats = self.repeats
        return made

    def fail(self, condition: Any) -> None:
        """End the run with an error if an element of the condition is true."""
        self._note(condition, ERROR)

    def outgrow(self, condition: Any) -> None:
        """End the run for want of capacity if the condition is true."""
        self._note(condition, ROOM)

    def _note(self, condition: Any, bit: int) -> None:
        if is_known(condition) or isinstance(condition, bool):
            if not np.any(condition):
                return
            found: Any = bit
        else:
            # Fewer steps than `jnp.where`: each is compiled.
            is_bool = condition.ndim == 0 and condition.dtype == bool
            holds = condition if is_bool else jnp.any(condition)
            found = lax.select(holds, np.int32(bit), np.int32(0))
        self.status = found if self.status is None else self.status | found

    def known_size(self, value: Any) -> Any:
        """Return a size that is known while JAX traces: an int, or a symbol; None for others."""
        if id(value) in self.sizes:
            return self.sizes[id(value)][1]
        return int(value) if is_known(value) and value.ndim == 0 else None

    @property
    def has_room(self) -> bool:
        """True if the list that the present node appends to is known to have capacity."""
        return False

    def grows(self, nodes: Iterable[Any], has_room: bool) -> None:
        """Note whether nodes append to a list that has capacity; only a program to export asks."""

    def note_size(self, value: Any, size: Any) -> None:
        """Note that a traced scalar is a size that is known while JAX traces."""
        if is_size(size):
            self.sizes[id(value)] = value, size

    def note_limit(self, condition: str) -> None:
        """Note a condition on symbols under which a node fits; a program to export asks."""

    def waiting(self, changed: dict[Any, Any]) -> list[Any]:
        """Return for each recursion around whether its function waits for a result.

        Args:
            changed: newer values of variables.
        """
        variables = {**self.variables, **changed}
        return [variables[level.key].waits for level in self.levels.values()]

    def read(self, key: Any) -> Any:
        """Return the value of a variable.

        Raises:
            Unsupported: it has none that JAX can hold.
        """
        if key not in self.variables:
            raise Unsupported("no value for a variable that is made elsewhere")
        return self.variables[key]


def traced_status(status: Any) -> Any:
    """Return a status as an array of JAX's."""
    return jnp.asarray(0 if status is None else status, np.int32)
