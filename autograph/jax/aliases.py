"""Aliases: containers that may be one object when the program runs, and are two in the trace.

    y = a if x > 0 else b       y is a copy, which `lax.cond` returns
    a[0] = 7.0                  in Python, y[0] may be 7.0 as well

While nothing changes either of them, the copy is as good as the object. A change of one is refused
if code can still read the other one.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial
from types import BuiltinMethodType, CellType, FrameType, FunctionType, MethodType, TracebackType
from typing import Any, NamedTuple

from jax.tree_util import tree_leaves

from autograph.backends.graph.source.source_location import SourceLocation
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.errors import ContainerMutationError
from autograph.jax.forms import is_array
from autograph.jax.frame_variables import (
    ContainerItem,
    FrameVariable,
    assignable,
    frames_of_statement,
    marked,
)
from autograph.jax.heap import Heap, HeapObject, is_users_file, is_users_object, same_contents
from autograph.jax.internals import recorder
from autograph.jax.liveness import (
    has_not_read,
    has_unnamed_values,
    live_after,
    live_at_start,
    operands_of,
)
from autograph.jax.location import STACKS, location
from autograph.jax.optional_values import TracedOptional
from autograph.operators.frames import is_body
from autograph.operators.tracebacks import ConversionBoundary, drop_internal_frames
from runtime.core.context import is_internal_frame

Path = tuple[int, ...]
_POSITIONED: tuple[type, ...] = (type(iter(())), type(iter([])))
# The operators that call functions again, or later: what these read is live.
_CALLING = ("try_statements", "comprehensions", "comprehension_sinks", "generators", "iteration")


class AliasPair:
    """Two containers that may be one object when the program runs.

    Attributes:
        one, other: the containers, with their contents when the pair was found.
        where: the statement that made the copy.
        scope: the running function of which one container is the result, so that no code of it
            comes after; None for others.
        only_first: whether a change of the other one is harmless.
    """

    __slots__ = ("one", "other", "where", "scope", "only_first")

    def __init__(
        self,
        one: Named,
        other: Named,
        where: SourceLocation | None,
        scope: FrameType | None = None,
        only_first: bool = False,
    ) -> None:
        self.one, self.other = HeapObject(*one), HeapObject(*other)
        self.where, self.scope, self.only_first = where, scope, only_first

    def renewed(self) -> AliasPair:
        """Return the pair with the contents of now."""
        ends = [Named(each.name, each.owner) for each in (self.one, self.other)]
        return AliasPair(ends[0], ends[1], self.where, self.scope, self.only_first)

    def changed(self) -> HeapObject | None:
        """Return the container that has other contents than when the pair was found."""
        ends = (self.one,) if self.only_first else (self.one, self.other)
        return next((e for e in ends if not same_contents(e.read(), e.before)), None)


class Named(NamedTuple):
    """A container, and the source text that reaches it."""

    name: str
    value: Any


class PossibleAlias(NamedTuple):
    """Two containers that may be one object, before they are made: see `aliases_of`."""

    one: Any
    other: Any
    only_first: bool = False

    def key(self) -> tuple[Hashable, ...]:
        """Return a key that is the same for the same containers."""
        return (*map(_key_of, self[:2]), self.only_first)


def _key_of(end: Any) -> Hashable:
    return id(end.value) if isinstance(end, Named) else end


def mutable_parts(value: Any, is_kept: Callable[[Any], bool] | None = None) -> dict[Path, Any]:
    """Return the containers within a value, itself included, by their place in it.

    Args:
        is_kept: says which containers to leave out, with those within them.

    >>> mutable_parts(([1.0], {"a": 2}))
    {(0,): [1.0], (1,): {'a': 2}}
    """
    found: dict[Path, Any] = {}
    _find_parts(value, (), found, is_kept or _is_nothing)
    return found


def _is_nothing(value: object) -> bool:
    return False


def _find_parts(
    value: Any, path: Path, found: dict[Path, Any], is_kept: Callable[[Any], bool]
) -> None:
    if value is None or isinstance(value, str) or is_array(value) or is_kept(value):
        return
    if hasattr(type(value), "HOLDS_ITEMS"):
        found[path] = value
        return
    if type(value) in (TracedOptional, PossiblyUnbound):
        return _find_parts(value.value, path, found, is_kept)
    try:
        children = tree_leaves(value, is_leaf=lambda each: each is not value)
    except (TypeError, ValueError):
        return
    if len(children) == 1 and children[0] is value:
        return  # not a pytree
    if isinstance(value, (list, dict)) or (is_users_object(value) and not _is_frozen(value)):
        found[path] = value
    for at, child in enumerate(children):
        _find_parts(child, (*path, at), found, is_kept)


def _is_frozen(value: Any) -> bool:
    parameters = getattr(value, "__dataclass_params__", None)
    return isinstance(value, tuple) or (parameters is not None and parameters.frozen)


def aliases_of(
    values: Iterable[tuple[Any, Any]],
    pairs: Iterable[AliasPair],
    persisting: Callable[[Any], Named | None],
) -> list[PossibleAlias]:
    """Return the aliases after a statement that makes copies of containers.

    Args:
        values: each copy, or a mark for it, with the container that it is a copy of.
        pairs: the aliases among these containers.
        persisting: returns the container itself if it is the same object after the statement.
    """
    copies: dict[int, tuple[Any, list[Any]]] = {}
    for copy, value in values:
        copies.setdefault(id(value), (value, []))[1].append(copy)

    def after(value: Any) -> list[Any]:
        found = list(copies[id(value)][1]) if id(value) in copies else []
        same = persisting(value)
        return found if same is None else [*found, same]

    aliases: list[PossibleAlias] = []
    for value, _ in copies.values():
        ends = after(value)
        aliases += [PossibleAlias(a, b) for k, a in enumerate(ends) for b in ends[k + 1 :]]
    for pair in pairs:
        for one in after(pair.one.owner):
            aliases += [
                PossibleAlias(one, each, pair.only_first) for each in after(pair.other.owner)
            ]
    found = {each.key(): each for each in aliases}
    return [each for key, each in found.items() if key[0] != key[1]]


def record_aliases(aliases: Iterable[PossibleAlias], where: SourceLocation | None) -> None:
    """Record aliases among containers that are made.

    Raises:
        ContainerMutationError: there are some, and no converted function whose end checks them.
    """
    if recorder() is None:
        return
    known = {(id(p.one.owner), id(p.other.owner), p.only_first) for p in STACKS.pairs}
    for one, other, only_first in aliases:
        if (
            one.value is not other.value
            and (id(one.value), id(other.value), only_first) not in known
        ):
            is_result = any(is_result_name(each.name) for each in (one, other))
            scope = _function_frame() if is_result else None
            if STACKS.depth == 0 and not only_first:
                raise ContainerMutationError(
                    "a condition that only a run knows chooses one of several containers here, in "
                    "a lambda inside of a transformation: convert a function that has a `def`",
                    where,
                )
            STACKS.pairs.append(AliasPair(one, other, where, scope, only_first))


def is_result_name(name: str) -> bool:
    """Return whether a variable of converted code holds the result of the function."""
    return name.startswith("retval_")


def record_choice(made: Any, options: Iterable[Any]) -> None:
    """Record that a value is a copy of one of several others."""
    parts = mutable_parts(made)
    if not parts:
        return
    reach = ReadableContainers()
    found = [
        PossibleAlias(Named("", parts[path]), Named("", value))
        for option in options
        for path, value in mutable_parts(option).items()
        if path in parts and reach.may_hold(value)
    ]
    record_aliases(found, location())


def guard_copy(copy: Any, holder: Any) -> None:
    """Record that a value is a copy of an item of a list, which a change of it does not reach."""
    parts = mutable_parts(copy)
    if parts:
        aliases = [
            PossibleAlias(Named("", each), Named("", holder), True) for each in parts.values()
        ]
        record_aliases(aliases, location())


def check_aliases(
    functions: Iterable[Any] = (), drops: bool = True, operand: object = None
) -> None:
    """Refuse changes of containers that have aliases.

    Args:
        functions: the parts of the statement that begins.
        drops: whether pairs are forgotten of which code can read one container at most.
        operand: a container that the running operator holds, perhaps the last one to do so.

    Raises:
        ContainerMutationError: there was one.
    """
    if not STACKS.pairs:
        return
    running = list(_frames()) if any(pair.scope is not None for pair in STACKS.pairs) else []
    kept, reach = [], ReadableContainers(functions)
    reach.add(operand)
    for pair in STACKS.pairs:
        if pair.scope is not None and pair.scope in running:
            kept.append(pair.renewed())
            continue
        changed = pair.changed()
        if changed is not None:
            raise _refusal(pair, changed)
        if not drops or all(map(reach.may_hold, (pair.one.owner, pair.other.owner))):
            kept.append(pair)
    STACKS.pairs = kept


def check_use(value: object) -> None:
    """Check the aliases of a container that code reads or changes now.

    A name that is dead at a change does not matter: its aliases are forgotten before.
    """
    if any(value is end.owner for pair in STACKS.pairs for end in (pair.one, pair.other)):
        check_aliases(operand=value)


def _refusal(pair: AliasPair, changed: HeapObject) -> ContainerMutationError:
    reach = ReadableContainers(all_names=True)
    other = pair.other if changed is pair.one else pair.one
    named, beside = (reach.name_of(each.owner) or each.name for each in (changed, other))
    shown = f"'{named}'" if named else "the value of this expression"
    if pair.only_first:
        holder = f"'{beside}'" if beside else "a list"
        return ContainerMutationError(
            f"{shown} is changed after this line, and is an item of {holder}, which JAX keeps as "
            f"arrays: change it before it is appended, or append a copy, by {_copying(changed)}",
            pair.where,
        )
    others = f"'{beside}'" if beside and beside != named else "another container"
    return ContainerMutationError(
        f"{shown} is changed after this line, and only a run knows whether it is the same object "
        f"as {others}: JAX has values, not objects, so make a copy here, by {_copying(changed)}, "
        "or make the change on each path",
        pair.where,
    )


def _copying(place: HeapObject) -> str:
    kind = type(place.owner)
    return f"{kind.__name__}(...)" if kind in (list, dict) else "copy.copy(...)"


# -- the reach of running code ---------------------------------------------------------------------


class ReadableContainers:
    """The containers that code can read from now on.

    Args:
        functions: functions that have yet to run, beside those of open loops.
        all_names: whether names count that no code reads any more.
        is_over: whether the innermost statement has run its functions for the last time.
    """

    def __init__(
        self, functions: Iterable[Any] = (), all_names: bool = False, is_over: bool = False
    ) -> None:
        self._roots = list(_roots(functions, all_names, is_over))
        self._heap = Heap((), {})
        for _, name, value in self._roots:
            self._heap.add(name, value)

        # The items of a comprehension have no names before it ends.
        self._has_unnamed = (
            self._heap.is_cut
            or any(has_unnamed_values(each.f_code, each.f_lasti) for each in _converted_frames())
            or any(module.startswith("comprehension") for _, module in _calling_operators())
        )

    def add(self, value: object) -> None:
        """Add a container that code reads under no name."""
        self._heap.add("", value)

    def holds(self, value: object) -> bool:
        """Return whether code can read a container through a name."""
        return self._heap.holds(value)

    def may_hold(self, value: object) -> bool:
        """Return whether code can read a container that was there before, named or not."""
        return self._has_unnamed or self._heap.holds(value)

    def name_of(self, value: object) -> str | None:
        """Return the source text that reaches a container."""
        return next((each.name for each in self._heap.objects if each.owner is value), None)

    def other_names(
        self, value: object, variable: str, places: Sequence[tuple[object, object]]
    ) -> tuple[str | None, list[FrameVariable | ContainerItem]]:
        """Return the places that hold a container, beside a variable of the running function.

        Returns:
            A place that cannot get another value, if there is one; the places that can.

        Args:
            value: the container.
            variable: the name of the variable.
            places: the containers or cells, with the keys, that hold it for the function.
        """
        own = [*_frames_with(variable), *(owner for owner, key in places if key == "")]
        others = [
            (_shown(name, variable), name, source)
            for source, name, held in self._roots
            if (held is value or _is_of(held, value))
            and not (name == variable and (source is None or any(source is x for x in own)))
        ]
        names = dict.fromkeys(name for _, name, _ in others)
        assigned = [each for name in names for each in assignable(_frames(), name, value)]
        items = list[ContainerItem]()
        with marked(assigned) as mark:
            for shown, name, source in others:
                if _value_in(source, name) is not mark:
                    return shown, []
            for each in self._heap.objects:
                for key, held in each.read().items():
                    is_own = any(each.owner is owner and key == k for owner, k in places)
                    if held is value and not is_own:
                        items.append(ContainerItem(each, key))
            if self._heap.is_in_tuple(value):
                return "a tuple", []
        outer = _not_in_statement(items)
        if outer is None and items and _has_read(value):
            outer = items[0]
        if outer is not None:
            return f"'{outer.place.part(outer.key)}'", []
        found: list[FrameVariable | ContainerItem] = [*assigned, *items]
        return (_keeper_of(value, items) if found else None), found


def _shown(name: str, variable: str) -> str:
    # The names that conversion makes end with an underscore.
    if name.endswith("_"):
        return "a value of this expression"
    return f"'{name}' of the caller" if name == variable else f"'{name}'"


def _has_read(value: object) -> bool:
    """Return whether an unfinished expression of running code may have read a container."""
    for frame in _converted_frames():
        held = ((name, Heap((), {name: each})) for name, each in frame.f_locals.items())
        names = frozenset(name for name, heap in held if heap.holds(value))
        if not has_not_read(frame.f_code, frame.f_lasti, names):
            return True
    return False


def _not_in_statement(items: list[ContainerItem]) -> ContainerItem | None:
    """Return the first item of a container that the innermost statement may not assign."""
    heap = Heap((), {})
    for frame in frames_of_statement(_frames()) if items else ():
        for name, value in frame.f_locals.items():
            heap.add(name, value)
    return next((each for each in items if not heap.holds(each.place.owner)), None)


def _keeper_of(value: object, items: list[ContainerItem]) -> str | None:
    """Return the kind of an object without a name that keeps a container, for an error.

    Args:
        items: the items and attributes that hold it.
    """
    referrers = gc.get_referrers(value)
    for each in referrers:
        if isinstance(each, (Iterator, BuiltinMethodType)):
            return f"a {type(each).__name__}"
        if isinstance(each, dict) and "__module__" in each:
            return "an attribute of a class"
    owners = [item.place.owner for item in items]
    containers = [
        each
        for each in referrers
        if isinstance(each, (tuple, list)) and not any(each is owner for owner in owners)
    ]
    iterators = (each for each in gc.get_referrers(*containers) if type(each) in _POSITIONED)
    # A loop over `(a, b)` has yet to read the items from its position on.
    return next((f"a {type(each).__name__}" for each in iterators if _yields(each, value)), None)


def _yields(iterator: Any, value: object) -> bool:
    """Return whether an iterator of a list or tuple has yet to yield a value."""
    _, (items,), *position = iterator.__reduce__()
    return any(each is value for each in items[position[0] if position else 0 :])


def _is_of(held: object, value: object) -> bool:
    """Return whether a value is an iterator, a generator or a method that has a container."""
    is_kind = isinstance(held, (Iterator, BuiltinMethodType))
    return is_kind and any(each is value for each in gc.get_referents(held))


def _value_in(source: FrameType | CellType | None, name: str) -> object:
    """Return the value of a variable in a frame or cell; None for one of a module."""
    if isinstance(source, CellType):
        return source.cell_contents
    return None if source is None else source.f_locals.get(name)


def _roots(
    pending: Iterable[Any], all_names: bool, is_over: bool
) -> Iterator[tuple[FrameType | CellType | None, str, Any]]:
    """Yield the variables that code reads, innermost first, with the frame or cell of each."""
    for frame in _frames():
        code, held = frame.f_code, frame.f_locals
        names = frozenset(held) if all_names else live_after(code, frame.f_lasti)
        if not is_over:
            operands, captured = operands_of(code, frame.f_lasti)
            # A function among the operands may be called again.
            given = ((name, held.get(name, frame.f_globals.get(name))) for name in operands)
            names |= captured | {name for name, value in given if _is_users_function(value)}
        is_over = False
        for name in names:
            if name in held or name in frame.f_globals:
                yield frame, name, held[name] if name in held else frame.f_globals[name]
    of_loops = [each for loop in STACKS.loops for each in loop.functions]
    for function in (*pending, *of_loops, *_pending_functions()):
        yield from _read_by(function)


def _read_by(function: Any) -> Iterator[tuple[CellType | None, str, Any]]:
    """Yield the variables that a function of generated code reads before it assigns them."""
    if not isinstance(function, FunctionType):
        return
    code = function.__code__
    names = live_at_start(code)
    for name, cell in zip(code.co_freevars, function.__closure__ or ()):
        try:
            if name in names:
                yield cell, name, cell.cell_contents
        except ValueError:
            continue
    for name in names:
        if name in function.__globals__ and name not in code.co_freevars:
            yield None, name, function.__globals__[name]


def _pending_functions() -> Iterator[Any]:
    """Yield the functions that operators of running statements have yet to call."""
    for frame, _ in _calling_operators():
        for value in list(frame.f_locals.values()):
            yield from _functions_in(value)


def _calling_operators() -> Iterator[tuple[FrameType, str]]:
    """Yield the frames of running operators that call functions again or later, by module."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        package, _, module = frame.f_globals.get("__name__", "").rpartition(".")
        if package == "autograph.operators" and module in _CALLING:
            yield frame, module
        frame = frame.f_back


def _functions_in(value: Any) -> Iterator[Any]:
    if isinstance(value, FunctionType) and is_users_file(value.__code__.co_filename):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _functions_in(each)


def _is_users_function(value: Any) -> bool:
    if isinstance(value, (MethodType, partial)):
        return True
    return isinstance(value, FunctionType) and not is_body(value.__code__)


def _frames() -> Iterator[FrameType]:
    """Yield the frames of the user's code, the innermost first."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if not is_internal_frame(frame) and is_users_file(frame.f_code.co_filename):
            yield frame
        frame = frame.f_back


def cells_of(functions: Iterable[Any], variable: str) -> Iterator[CellType]:
    """Yield the cells that hold a variable for functions of generated code."""
    for each in functions:
        if isinstance(each, FunctionType) and variable in each.__code__.co_freevars:
            yield each.__closure__[each.__code__.co_freevars.index(variable)]  # type: ignore[index]


def _frames_with(variable: str) -> Iterator[FrameType]:
    """Yield the frames that share a variable: a caller's one of this name is another variable."""
    for frame in _frames():
        yield frame
        if variable in (*frame.f_code.co_varnames, *frame.f_code.co_cellvars):
            return


def _converted_frames() -> Iterator[FrameType]:
    """Yield the frames of the user's code up to that of the outermost converted function."""
    for frame in _frames():
        yield frame
        if frame is STACKS.outermost:
            return


def _function_frame() -> FrameType | None:
    """Return the frame of the running function, which is that of no statement's body."""
    return next((each for each in _frames() if not is_body(each.f_code)), None)


class Boundary(ConversionBoundary):
    """The context manager around the body of a function that the user converts."""

    def __enter__(self) -> None:
        if STACKS.depth <= 0:
            STACKS.depth, STACKS.pairs, STACKS.outermost = 0, [], sys._getframe(1)
            STACKS.facts.clear()
            STACKS.derived.clear()
        STACKS.depth += 1
        super().__enter__()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        STACKS.depth -= 1
        if STACKS.depth <= 0:
            STACKS.returned = location()
        try:
            if error is None:
                # The result of the function is in no variable now.
                check_aliases(drops=False)
        except ContainerMutationError as refusal:
            drop_internal_frames(refusal)
            raise
        finally:
            if STACKS.depth <= 0:
                STACKS.pairs, STACKS.outermost = [], None
                STACKS.facts.clear()
                STACKS.derived.clear()
        super().__exit__(kind, error, traceback)
