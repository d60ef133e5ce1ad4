"""Concrete functions whose graph reads and writes state outside of the function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.errors import SignatureError, StagingError
from autograph.functions.arguments.key_relations import covers_call
from autograph.functions.arguments.signature import CallSignature
from autograph.functions.arguments.trace_key import Key
from autograph.functions.concrete_functions.call_effects import CallEffects
from autograph.functions.concrete_functions.concrete_function import ConcreteFunction
from autograph.functions.results.call_objects import CallObjects
from autograph.functions.results.result_structure import CallResults
from autograph.functions.state.fast_key import MISSED
from autograph.functions.state.keys import StateValues, state_values
from autograph.functions.state.place_access import Put, owner_getter
from autograph.functions.state.places import StatePlace
from runtime import nest
from runtime.core.spec import TensorSpec
from runtime.graph.graph import Graph

# Runs a call on the arrays of its tensors, and the owners of the places.
StateRunner = Callable[[list[Any], list[Any]], Any]


class MissingStateInput(Exception):
    """A place whose value must be an input of the graph: the function is traced again with one.

    Args:
        place: the place.
    """

    def __init__(self, place: StatePlace) -> None:
        super().__init__(place.name)
        self.place = place


class StatefulConcreteFunction(ConcreteFunction):
    """A concrete function whose graph reads and writes places outside of it.

    Args:
        signature, key, template, graph: as in `ConcreteFunction`.
        held: the values of the places that it was traced for.
        recorded: its effects; a call that raises writes nothing.

    Attributes:
        places: the places that the function writes; their values are inputs.
        has_irreversible_effects: whether its trace advanced an iterator, or had one of `effects`.
        effects: the texts of the effects that cannot be undone.
    """

    has_irreversible_effects = False
    effects: Sequence[str] = ()

    def __init__(
        self,
        signature: CallSignature,
        key: Key,
        template: tuple[object, ...],
        graph: Graph,
        held: StateValues,
        recorded: CallEffects,
    ) -> None:
        super().__init__(signature, key, template, graph, recorded.structure)
        self.writes = tuple(recorded.writes)
        self._unwritten = tuple(recorded.unwritten)
        self._containers = recorded.containers
        self._finds_containers = recorded.containers.any_to_find
        self._makes_objects = not recorded.structure.is_plain()
        self.set_state(held)

    def set_state(self, held: StateValues) -> None:
        """Set the places and the values that it serves."""
        self.places = held.places
        self._held_keys = held.keys
        paths = {(place.key, place.steps) for place in held.places}
        writes = (write.place for write in self.writes)
        self._only_written = [each for each in writes if (each.key, each.steps) not in paths]

    def is_in_place(self) -> bool:
        """Return whether the objects that it writes to, but does not read, are at their paths."""
        return all(place.owner() is not None for place in self._only_written)

    @property
    def new_places(self) -> tuple[StatePlace, ...]:
        """The places that it writes, or may write, and that were not inputs of its trace."""
        known = {place.identity for place in self.places}
        places = (*(write.place for write in self.writes), *self._unwritten)
        return tuple(place for place in places if place.identity not in known)

    def arrays_read(self) -> Sequence[Any] | None:
        """Return the NumPy arrays that are inputs of the graph; None if other state is, or changes.

        A file has their contents at the time of the export.
        """
        if self.writes or not all(isinstance(each.owner(), np.ndarray) for each in self.places):
            return None
        values = state_values(self.places)
        return None if values is None else values.arrays

    @property
    def names_of_state(self) -> str:
        """The names of the state that it writes, or reads as inputs of the graph; for messages."""
        names = [write.place.name for write in self.writes]
        given = [each for each in nest.flatten(self.template) if isinstance(each, TensorSpec)]
        if not names and len(self.graph.parameters) > len(given):
            names = [place.name for place in self.places]
        return ", ".join(dict.fromkeys(map(repr, names)))

    def run(self, arrays: Sequence[Any]) -> Any:
        """Run on the arrays of the arguments, then of the places; write the new state."""
        owners = [write.place.owner() for write in self.writes]
        return self._finished(self.executable(arrays), owners, [each.put for each in self.writes])

    def state_runner(self, owners: Sequence[Any]) -> StateRunner:
        """Return a function that runs and counts a call without a tape.

        It takes the arrays and the owners of the places. It returns `MISSED`, without a run, if an
        object that it writes to is not at its path.

        Args:
            owners: the current owners.
        """
        index = {_path_key(place): at for at, place in enumerate(self.places)}
        only_written = [write.place for write in self.writes if _path_key(write.place) not in index]
        others = [owner_getter(place) for place in only_written]
        owners = [*owners, *(find() for find in others)]
        index |= {_path_key(place): at for at, place in enumerate(only_written, len(self.places))}
        targets = [index[_path_key(write.place)] for write in self.writes]
        puts = [write.fast_put(owners[at]) for write, at in zip(self.writes, targets)]
        executable, counter = self.executable, self.counter

        def run(arrays: list[Any], owners: list[Any]) -> Any:
            for find in others:
                owner = find()
                if owner is None:
                    return MISSED
                owners.append(owner)
            counter.calls += 1
            results = executable.run(arrays)
            return self._finished(results, [owners[at] for at in targets], puts)

        return run

    def _finished(self, arrays: Sequence[Any], owners: Sequence[Any], puts: Sequence[Put]) -> Any:
        made = CallObjects()
        if self._makes_objects:
            arrays = CallResults.begun(arrays, made)
        if self._finds_containers:
            self._containers.find(arrays, made)
        returned = self._make_result(arrays)
        for write, owner, put in zip(self.writes, owners, puts):
            put(owner, write.make(arrays, made))
        made.fill(arrays)
        return returned

    def refuse_recording(self) -> None:
        """Raise a StagingError: a node for the call would not write the state."""
        names = self.names_of_state
        raise StagingError(
            f"the concrete function {self.name} writes {names or 'state outside of it'} when it "
            "is called, which is not seen while another function is traced; call the Function it "
            "was made of"
        )

    def run_alone(self, arrays: Sequence[Any]) -> Any:
        """Run on the arrays of the arguments, for a caller that references this concrete function.

        Raises:
            SignatureError: the places do not have the values that it was traced for.
        """
        held = state_values(self.places)
        if held is None or not covers_call(self._held_keys, held.keys):
            names = ", ".join(repr(place.name) for place in self.places)
            raise SignatureError(
                f"{self.name} was traced when {names} held something else: "
                "call the Function itself to trace again"
            )
        return self.run([*arrays, *held.arrays])


def _path_key(place: StatePlace) -> object:
    """Return a key of the owner of a place and its path, unique while the owner is alive."""
    return place.identity[0], place.steps
