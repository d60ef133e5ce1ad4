"""A graph as a program of JAX, compiled for each combination of shapes and dtypes.

    one call: variables, results of other calls and arrays in; results and the status out

Results and new values of variables stay on the device, as arrays of JAX's. A run of a program that
cannot fail does not wait for them; of others it waits for the status. A program that has outgrown
the capacity of a list is compiled with more, which it keeps for later calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from operator import itemgetter
from typing import Any

import numpy as np

from runtime.core.mesh import current_mesh, host_array, keep_on_devices
from runtime.core.tensor import Array
from runtime.executors.engine import Direct, Outcome, Refusal, Status, assigned_inputs
from runtime.executors.jax import random_streams, variables
from runtime.executors.jax.arguments import array_of, refuse_absent, value_of
from runtime.executors.jax.control_flow import errors, recursion, statements
from runtime.executors.jax.dynamic_shapes import manipulation, results, segments
from runtime.executors.jax.lists import gradients, operations
from runtime.executors.jax.lowering import Refused, known_value, walk
from runtime.executors.jax.random_streams import (
    move_on,
    position_of,
    stream_key,
    streams_of,
)
from runtime.executors.jax.rules.jax_modules import jax, jnp, lax
from runtime.executors.jax.rules.sharding import named_sharding
from runtime.executors.jax.rules.table import Unsupported
from runtime.executors.jax.run_state import ROOM, RunState, traced_status
from runtime.executors.jax.sharding import placed
from runtime.executors.jax.values.pytrees import (
    Padded,
    VariableKey,
    is_array,
    is_known,
    register_pytrees,
    traced,
)
from runtime.graph.graph import Graph
from runtime.graph.text import graph_text

# The modules whose rules are in the table of rules for lists, variables and statements.
CORE_MODULES = (
    errors,
    gradients,
    manipulation,
    operations,
    random_streams,
    recursion,
    results,
    segments,
    statements,
    variables,
)

# The capacity of lists: the least, the largest that is guessed from the arguments, and the end.
_LEAST, _GUESSED, _MOST = 16, 4096, 1 << 20
# The number of elements up to which a captured tensor is a constant of the program.
_SMALL = 64
# The number of bytes from which on a variable is changed in place.
_LARGE = 1 << 14
# XLA rounds each result of a narrow float, as a kernel does.
_COMPILER_OPTIONS = {"xla_allow_excess_precision": False}
_NDARRAY = np.ndarray
_OF_64_BITS = frozenset("int64 uint64 float64 complex128".split())


class JaxProgram:
    """A graph that JAX runs.

    Args:
        graph: the optimized graph.
    """

    def __init__(self, graph: Graph) -> None:
        register_pytrees()
        self._graph = graph
        self._is_variable = [getattr(each.spec, "kind", "") == "variable" for each in graph.inputs]
        own = len(graph.parameters)
        self._constants = {
            at: capture.outer._array  # type: ignore[union-attr]
            for at, capture in enumerate(graph.captures, own)
            if not self._is_variable[at]
        }
        self._small = {
            at: array
            for at, array in self._constants.items()
            if array.dtype.kind not in "biufc" or array.size <= _SMALL
        }
        self._given = [at for at in range(len(graph.inputs)) if at not in self._small]
        self._changing = [at for at in self._given if at not in self._constants]
        self._assigned = assigned_inputs(graph)
        self._streams = streams_of(graph)
        self._forms: dict[Any, _Compiled | Refusal] = {}
        self._enable_x64 = _enable_x64()
        self._large: dict[tuple[int, Any], Any] = {}
        # Whether all arguments are arrays of known shapes: there is one form, then.
        self._has_one_form = not self._constants and not self._streams and _is_closed(graph)
        self._only: _Compiled | None = None

    @property
    def source(self) -> str:
        """The programs so far, in JAX's language, with the shapes that they are for."""
        compiled = [each for each in self._forms.values() if isinstance(each, _Compiled)]
        return "\n\n".join(each.text for each in compiled) or graph_text(self._graph)

    def refusals(self) -> Sequence[Refusal]:
        """Return the nodes that JAX cannot run at the shapes of the inputs, if they are known."""
        specs = [self._graph.inputs[at].spec for at in self._given]
        if not all(x.shape.is_fully_defined() and x.dtype.kind in "biufc" for x in specs):
            return ()
        with self._enable_x64(True):
            given = [jax.ShapeDtypeStruct(x.shape.dims, x.dtype.np_dtype) for x in specs]
            given += [jax.ShapeDtypeStruct((3,), np.uint64) for _ in self._streams]
            made = self._compiled(given, _LEAST)
        return (made,) if isinstance(made, Refusal) else ()

    @property
    def compiled_source(self) -> str:
        """The programs so far, in the language of XLA after its passes, for the devices in use."""
        compiled = [each for each in self._forms.values() if isinstance(each, _Compiled)]
        with self._enable_x64(True):
            return "\n\n".join(each.compiled_text for each in compiled)

    @property
    def direct(self) -> Direct | None:
        """The compiled program, if there is one for all arguments."""
        return None if self._only is None else self._only.direct

    @property
    def changed(self) -> Sequence[int]:
        """The numbers of the inputs whose new values `direct` returns after the results."""
        return () if self._only is None else self._only.changed

    @property
    def donated(self) -> Sequence[int]:
        """The numbers of the inputs that `direct` changes in place."""
        return () if self._only is None else self._only.donated

    @property
    def direct_from_numpy(self) -> Direct | None:
        """The function `direct` for arrays of NumPy among the arguments, which it does not keep."""
        return None if self._only is None else self._only.direct_from_numpy

    def run(self, inputs: Sequence[Array]) -> Outcome:
        """Run on one array per input: of NumPy, or of JAX."""
        if self._only is not None and current_mesh() is None:
            outcome = self._only.run(inputs)
            if outcome.status is not Status.ROOM:
                return outcome
        try:
            given, key = self._arguments(inputs)
        except Unsupported as error:
            return Outcome(Status.REFUSED, refused=(Refusal("argument", error.reason),))
        positions = list(map(position_of, self._streams))
        given += positions
        found = self._forms.get(key)
        with self._enable_x64(True):
            if found is None:
                found = self._forms[key] = self._compiled(given, _guessed_room(given))
            while isinstance(found, _Compiled):
                outcome = found.run(given)
                if outcome.status is not Status.ROOM or found.room >= _MOST:
                    if self._has_one_form and current_mesh() is None:
                        self._only = found
                    return self._without_streams(outcome, positions)
                found = self._forms[key] = self._compiled(given, found.room * 4)
        return Outcome(Status.REFUSED, refused=(found,))

    def _without_streams(self, outcome: Outcome, positions: Sequence[Array]) -> Outcome:
        """Move the streams on, and return the outcome without their positions."""
        if not positions or outcome.status is not Status.OK:
            return outcome
        values, first = dict(outcome.values), len(self._graph.inputs)
        for at, (stream, before) in enumerate(zip(self._streams, positions), first):
            if at in values:
                move_on(stream, before, values.pop(at))
        return outcome._replace(values=values)

    def _arguments(self, inputs: Sequence[Any]) -> tuple[list[Any], Any]:
        """Return the values that are passed to JAX, and the key of their forms."""
        given, key = [], []
        for at in self._given:
            array = inputs[at]
            if at in self._constants:
                given.append(self._on_device(at, array))
                continue
            kind = array.dtype
            if kind.kind in "biufc":
                key.append((kind, array.shape))
            else:
                array = value_of(array)
                leaves, tree = jax.tree_util.tree_flatten(array)
                key.append((tree, *((x.dtype, x.shape) for x in leaves)))
            given.append(array)
        if current_mesh() is not None:
            key.append((current_mesh(), *(getattr(x, "sharding", None) for x in given)))
        return given, tuple(key)

    def _on_device(self, at: int, array: Array) -> Any:
        """Return a large captured tensor, which never changes, as an array of JAX's."""
        mesh = current_mesh()
        if (at, mesh) not in self._large:
            with self._enable_x64(True):
                whole = None if mesh is None else named_sharding(mesh)
                self._large[at, mesh] = placed(array, whole)
        return self._large[at, mesh]

    def _compiled(self, given: Sequence[Any], room: int) -> _Compiled | Refusal:
        shardings = {}
        if current_mesh() is not None:
            shardings = {at: getattr(x, "sharding", None) for at, x in zip(self._given, given)}
        can_donate = self._has_one_form and current_mesh() is None
        made = _Compiled(self._traced, room, shardings, can_donate)
        try:
            made.compile(given)
        except Refused as refused:
            return refused.refusal
        return made

    def _traced(self, room: int, given: Sequence[Any]) -> tuple[list[Any], dict[int, Any], Any]:
        """Trace the graph, and return the results, changed variables and the status."""
        values: list[Any] = [None] * len(self._is_variable)
        for at, array in self._small.items():
            values[at] = known_value(array)
        for at, value in zip(self._given, given):
            values[at] = value
        held = {_key(at): at for at, is_held in enumerate(self._is_variable) if is_held}
        streams = {stream_key(x): at for at, x in enumerate(self._streams, len(values))}
        first = {key: values[at] for key, at in held.items()}
        first.update(zip(streams, given[len(self._given) :]))
        run = RunState(walk, room, dict(first))
        for key, at in held.items():
            values[at] = VariableKey(key)
        results = walk(run, self._graph, values)
        for tensor, value in zip(self._graph.outputs, results):
            _check_result(tensor, value)
        changed = {
            at: run.variables[key]
            for key, at in {**held, **streams}.items()
            if run.variables[key] is not first[key] or at in self._assigned
        }
        return results, changed, run.status


def _is_closed(graph: Graph) -> bool:
    """Return whether all inputs are arrays of known shapes and dtypes, or variables of them."""
    specs = [tensor.spec for tensor in graph.inputs]
    return all(x.shape.is_fully_defined() and x.dtype.kind in "biufc" for x in specs)


def _key(at: int) -> str:
    """Return the key of the variable that an input stands for."""
    return f"input {at}"


def _check_result(tensor: Any, value: Any) -> None:
    try:
        if isinstance(value, VariableKey):
            raise Unsupported("no variables as results")
        refuse_absent(value)
    except Unsupported as error:
        node = tensor.node
        raise Refused(Refusal(node.op.name, error.reason, node.origin)) from None


class _Compiled:
    """A program for arguments of certain shapes and dtypes.

    Args:
        trace: takes the capacity of lists and the arguments, and returns results, changed variables
            and the status.
        room: the capacity of lists that grow.
        shardings: on a mesh, the shardings of arguments by their numbers; variables keep theirs.
        can_donate: whether large variables may be changed in place; arguments have the numbers of
            inputs, then.

    Attributes:
        changed: the numbers of the inputs that get new values.
        donated: those of them that are changed in place, which a run that fails must not be.
    """

    def __init__(
        self,
        trace: Callable[..., Any],
        room: int,
        shardings: Mapping[int, Any] | None = None,
        can_donate: bool = False,
    ) -> None:
        self.room = room
        self.donated: Sequence[int] = ()
        self._trace, self._shardings, self._can_donate = trace, shardings or {}, can_donate
        # On a CPU there is no copy to wait for.
        self._is_far = jax.default_backend() != "cpu"

    def compile(self, given: Sequence[Any]) -> None:
        """Trace the program for arguments; JAX compiles it at the first run."""

        def flat(*arguments: Any) -> Any:
            results, changed, status = self._trace(self.room, arguments)
            self.changed = list(changed)
            leaves = jax.tree_util.tree_leaves(results)
            lengths = {at: leaves[at] for at in _lengths_of(results) if not is_known(leaves[at])}
            self._make = list(_result_makers(results))
            self._is_plain = all(map(is_array, results))
            # Known results are no part of the program. A length is added at each run.
            added: dict[int, Any] = dict.fromkeys(lengths)
            added.update((at, leaf) for at, leaf in enumerate(leaves) if is_known(leaf))
            self._added = sorted(added.items(), key=itemgetter(0))
            found = [traced(leaf) for at, leaf in enumerate(leaves) if at not in added]
            self._can_fail = status is not None
            self._always = status if isinstance(status, int) else None
            # The status and the lengths are one output: each output costs time, and each reading.
            self._has_numbers = status is not None or bool(lengths)
            numbers = [traced_status(status), *map(traced, lengths.values())]
            head = [jnp.stack(numbers)] if self._has_numbers else []
            outputs = [*head, *found, *map(self._as_before, changed, changed.values())]
            # A variable that is assigned and returned is one output.
            unique = {id(each): each for each in outputs}
            at = {each: number for number, each in enumerate(unique)}
            self._places = [at[id(each)] for each in outputs]
            return list(unique.values())

        self._has_64_bits = any(
            x.dtype.name in _OF_64_BITS for x in jax.tree_util.tree_leaves(given)
        )
        self._jitted = jax.jit(flat, compiler_options=_COMPILER_OPTIONS)
        self._traced = self._jitted.trace(*given)
        if self._can_donate and not self._can_fail:
            self.donated = tuple(self._in_place(given))
            # JAX traces a function with other options only once.
            in_place = {"donate_argnums": self.donated, "compiler_options": _COMPILER_OPTIONS}
            self._traced = jax.jit(flat, **in_place).trace(*given)
        # It has the dtypes of 64 bits whatever the setting is when it is called.
        self._call = self._traced.lower().compile()

    def _in_place(self, given: Sequence[Any]) -> Iterator[int]:
        """Yield the numbers of large arguments whose new values only the variables get."""
        first = len(self._places) - len(self.changed)
        seen = set(self._places[:first])
        for at, place in zip(self.changed, self._places[first:]):
            if place not in seen and given[at].size * given[at].dtype.itemsize >= _LARGE:
                yield at
            seen.add(place)

    def _as_before(self, at: int, value: Any) -> Any:
        """Return a new value of a variable with the sharding of the old one."""
        sharding = self._shardings.get(at)
        return value if sharding is None else lax.with_sharding_constraint(value, sharding)

    @property
    def text(self) -> str:
        """The program in JAX's language."""
        return str(self._traced.jaxpr)

    @property
    def compiled_text(self) -> str:
        """The program in the language of XLA, after its passes."""
        return str(self._traced.lower().compile().as_text())

    def run(self, given: Sequence[Any]) -> Outcome:
        """Run the program."""
        if self._always is not None:
            return _failed(self._always)
        if self.donated:
            with _enable_x64()(True):
                given = [_copied(x) if at in self.donated else x for at, x in enumerate(given)]
        has_numpy = _NDARRAY in map(type, given)
        found = self._called_with_numpy(given) if has_numpy else self._called(given)
        status, results, changed = self._parts(found)
        if status:
            return _failed(status)
        return Outcome(Status.OK, results, dict(zip(self.changed, changed)), (), self)

    def _parts(self, found: Sequence[Any]) -> tuple[int, Sequence[Any], Sequence[Any]]:
        """Return the status, the results and the new values of variables in the outputs."""
        if len(found) < len(self._places):
            found = [found[at] for at in self._places]
        lengths: list[int] = []
        if self._has_numbers:
            read = np.asarray if current_mesh() is None else host_array
            status, *lengths = read(found[0]).tolist()
            if status:
                return status, (), ()
            found = found[1:]
        if not self.changed:
            return 0, self._results(found, lengths), ()
        last = len(found) - len(self.changed)
        return 0, self._results(found[:last], lengths), found[last:]

    @property
    def direct(self) -> Direct | None:
        """The function that takes arrays of JAX's; None if the program always fails.

        It returns the results, and the new values of variables; None for a run that is not good.
        """
        if self._always:
            return None
        # JAX makes a faster function inside of it at the first call.
        call: Callable[..., Sequence[Any]] = getattr(self._call, "_call", None) or self._call
        is_each_once = len(set(self._places)) == len(self._places)
        if self._is_plain and is_each_once and not (self._added or self._has_numbers):
            return call

        def checked(*arrays: Any) -> Sequence[Any] | None:
            status, results, changed = self._parts(call(*arrays))
            if status:
                return None
            return [*results, *changed] if changed else results

        return checked

    @property
    def direct_from_numpy(self) -> Direct | None:
        """The same for arrays of NumPy among the arguments; None if they need more."""
        call = None if self._has_64_bits else self.direct
        if call is None:
            return None

        def waited(*arrays: Any) -> Sequence[Any] | None:
            found = call(*arrays)
            for each in found or ():
                if type(each) is not _NDARRAY:
                    each.block_until_ready()
            return found

        return waited

    def _called(self, given: Sequence[Any]) -> Any:
        try:
            return self._call(*given)
        except (TypeError, ValueError):
            # Arrays on other devices, or of weak types, than those that it was compiled for.
            with _enable_x64()(True):
                return self._jitted(*given)

    def _called_with_numpy(self, given: Sequence[Any]) -> Any:
        """Run on arrays of NumPy among others, and wait: JAX may read their memory until then."""
        if self._has_64_bits:
            with _enable_x64()(True):
                found = self._called(given)
        else:
            found = self._called(given)
        for each in found:
            each.block_until_ready()
        return found

    def _results(self, leaves: Sequence[Any], lengths: Sequence[int] = ()) -> Sequence[Any]:
        if current_mesh() is not None:
            leaves = list(map(_kept_on_devices, leaves))
        elif self._is_plain:
            if not self._added:
                return leaves
        else:
            for each in leaves if self._is_far else ():
                each.copy_to_host_async()
            leaves = list(map(np.asarray, leaves))
        arrays = leaves
        if self._added:
            arrays, run_lengths = list(leaves), iter(lengths)
            for at, known in self._added:
                arrays.insert(at, next(run_lengths) if known is None else known)
        return arrays if self._is_plain else [make(arrays) for make in self._make]


def _lengths_of(results: Sequence[Any]) -> Iterator[int]:
    """Yield the numbers of the leaves that are lengths of padded results."""
    first = 0
    for each in results:
        if isinstance(each, Padded):
            yield first + 1
        first += len(jax.tree_util.tree_leaves(each))


def _copied(array: Any) -> Any:
    """Return a copy of an array of JAX's; JAX copies one of NumPy itself."""
    return array if type(array) is _NDARRAY else array.copy()


def _result_makers(results: Sequence[Any]) -> Iterator[Callable[[Sequence[Any]], Any]]:
    """Yield a function for each result that makes it from the leaves of all results."""
    first = 0
    for each in results:
        leaves, tree = jax.tree_util.tree_flatten(each)
        last = first + len(leaves)
        if is_array(each):
            yield itemgetter(first)
        elif isinstance(each, Padded):
            yield partial(_filled_part, first)
        else:
            yield partial(_unflattened, tree, slice(first, last))
        first = last


def _filled_part(first: int, leaves: Sequence[Any]) -> Any:
    part: Array = leaves[first][: int(leaves[first + 1])]
    return part


def _unflattened(tree: Any, part: slice, leaves: Sequence[Any]) -> Any:
    return array_of(jax.tree_util.tree_unflatten(tree, leaves[part]))


def _kept_on_devices(array: Any) -> Array:
    """Return the values of an array, which is the next call's argument in place of them."""
    host = host_array(array)
    if host.ndim:
        host = host.copy() if host.base is not None else host
        keep_on_devices(host, array)
    return host


def _failed(status: int) -> Outcome:
    return Outcome(Status.ROOM if status & ROOM else Status.ERROR)


def _guessed_room(given: Sequence[Any]) -> int:
    """Return a capacity for lists: an item per row of the longest argument, or a given number."""
    leaves = jax.tree_util.tree_leaves(given)
    sizes = [size for each in leaves for size in each.shape]
    sizes += [int(each) for each in leaves if each.dtype.kind in "iu" and not each.shape]
    longest = max([_LEAST, *(size for size in sizes if size <= _GUESSED)])
    return 1 << (longest - 1).bit_length()


def _enable_x64() -> Any:
    """Return the context manager in which JAX has dtypes of 64 bits."""
    return jax.enable_x64 if hasattr(jax, "enable_x64") else jax.experimental.enable_x64
