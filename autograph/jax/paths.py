"""Conditionals: each path is traced once, and `lax.cond` chooses between the recorded paths.

    if x > 0:                  lax.cond(x > 0, lambda: x * 2, lambda: x)
        x = x * 2

A path is traced to a jaxpr, with the values that it leaves in variables and containers. The values
of both paths are joined, and the branches of `lax.cond` evaluate the jaxprs.
"""

from __future__ import annotations

import dis
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FunctionType
from typing import Any, NamedTuple, NoReturn

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.extend.core import jaxpr_as_fun
from jax.tree_util import tree_flatten, tree_unflatten

from autograph.backends.attribute_fallback import fallback_of
from autograph.backends.backend_registry import note_missing
from autograph.backends.graph.program.source_location import SourceLocation
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.undefined import (
    Placeholder,
    StoredElsewhere,
    Undefined,
    UndefinedReturnValue,
)
from autograph.errors import (
    AutographError,
    BranchMismatch,
    ConditionError,
    StagingError,
    UnknownLengthError,
)
from autograph.jax.aliases import (
    AliasPair,
    Named,
    ReadableContainers,
    aliases_of,
    check_aliases,
    mutable_parts,
    note_aliases,
)
from autograph.jax.arrays import Form, blank, fitted, form_of, is_array, joined
from autograph.jax.growing_lists import Appender, RoomyList, StackedList, grown_list, rows_in
from autograph.jax.heap import (
    Contents,
    Heap,
    has_tracers,
    is_users_file,
    is_users_object,
    text_of_new_object,
)
from autograph.jax.location import STACKS, location, nested
from autograph.jax.optional_values import (
    OptionalValue,
    are_opposite,
    derive,
    known_truth,
    learn,
    optional_structure,
    partly_bound,
    present,
    settled,
)
from autograph.jax.raised_errors import Raised, catching_try, check, message_of, uncertain
from autograph.operators.state import State

Run = Callable[[], object]
# The name of the value of an expression, which no variable has.
_EXPRESSION = ""


def truth(value: Any, what: str) -> Any:
    """Return a condition as one bool.

    Raises:
        ConditionError: it is an array of several values.
    """
    if np.size(value) != 1:
        raise ConditionError(
            f"{what} is an array of shape {np.shape(value)}, not one truth value: use jnp.all or "
            "jnp.any, or jnp.where for a choice of elements",
            location(),
        )
    array = jnp.asarray(value)
    if array.ndim:
        array = array.reshape(())
    return array if array.dtype == bool else array != 0


# -- values that a path leaves ---------------------------------------------------------------------


class PathOutput(NamedTuple):
    """An array that a path computes.

    Attributes:
        at: its position among the results.
        form: its form.
        known: the truth of a bool that the path knows; None for others.
    """

    at: int
    form: Form
    known: bool | None = None


class End(NamedTuple):
    """A value that a path leaves: its structure, with an `PathOutput` for each array.

    Attributes:
        value: the value itself, to see whether both paths leave the same object.
        parts: the containers within the value, by their place in it.
        copied: the same with the contents of containers that were there before the statement,
            where these are leaves of this one.
        known: an optional value as that which it is on this path, if the path knows.
    """

    value: object
    structure: Any
    leaves: list[Any]
    parts: dict[tuple[int, ...], Any]
    copied: Any = None
    known: Any = None

    def settled(self) -> End:
        """Return an optional value as that which it is on this path."""
        return self.known or self

    def as_copy(self) -> End:
        """Return the value with an `PathOutput` for each array in containers from before, too."""
        return self.copied or self


def is_placeholder(value: object) -> bool:
    """Return whether a variable holds no value of the program."""
    return isinstance(value, Placeholder)


def is_possibly_bound(value: object) -> bool:
    """Return whether a bool tells whether a variable has a value."""
    return type(value) is PossiblyUnbound and is_array(value.defined)


def flattened(value: object, is_kept: Callable[[Any], bool] | None = None) -> tuple[list[Any], Any]:
    """Return the leaves of a pytree, and its structure; a value that is none is one leaf.

    Args:
        is_kept: says which containers are leaves.
    """

    def is_leaf(each: object) -> bool:
        return is_placeholder(each) or (is_kept is not None and is_kept(each))

    try:
        return tree_flatten(value, is_leaf=is_leaf)
    except (TypeError, ValueError):
        return tree_flatten([value], is_leaf=lambda each: each is value)


class TracedPath:
    """One path of a conditional, traced.

    Attributes:
        variables: what it leaves in each variable.
        contents: what it leaves in the containers that it changes, by position and key.
        error: the exception with which it ends: of the user's `raise`, or caught by a `try`.
        raised: the arguments and the attributes of the exception.
        pairs: the aliases at its end.
    """

    def __init__(
        self,
        run: Run,
        state: State,
        heap: Heap,
        condition: Callable[[], Any],
        fact: tuple[object, bool],
    ) -> None:
        self.error: BaseException | None = None
        self.raised: list[End] = []
        self.variables: list[End] = []
        self.contents: dict[int, dict[Any, End]] = {}
        self.pairs: list[AliasPair] = []
        self._outputs: list[Any] = []
        start, pairs = state.get(), STACKS.pairs

        def traced() -> list[Any]:
            outputs: list[Any] = []
            known = len(STACKS.facts)
            learn(*fact)
            entered = tuple(map(present, start))
            state.set(entered)
            heap.settle()
            try:
                self.error = _error_of(run, condition)
                if self.error is not None:
                    self.raised = [
                        _end(each, outputs) for each in (self.error.args, dict(vars(self.error)))
                    ]
                left = map(_left_on_path, start, entered, state.get())
                self.variables = [_end(value, outputs, heap.keeps) for value in left]
                self.contents = {
                    at: {key: _end(value, outputs, heap.keeps) for key, value in held.items()}
                    for at, held in heap.changes().items()
                }
            finally:
                del STACKS.facts[known:]
                heap.restore()
                state.set(start)
                self.pairs, STACKS.pairs = STACKS.pairs, pairs
            self._outputs = outputs
            return outputs

        self.jaxpr = jax.make_jaxpr(traced)()

    def array(self, source: Any) -> Any:
        """Return the value of a result, as the path has it."""
        return self._outputs[source.at] if isinstance(source, PathOutput) else source

    def results(self) -> list[Any]:
        """Compute the outputs, in the code that is traced now."""
        return jaxpr_as_fun(self.jaxpr)()


def _left_on_path(before: object, entered: object, now: object) -> object:
    """Return the value that a path leaves in a variable; that from before if it is the same."""
    return before if now is entered or type(before) is StoredElsewhere else now


def _error_of(run: Run, condition: Callable[[], Any]) -> BaseException | None:
    """Run a path; return the user's exception that ends it, if one does."""
    try:
        with _on_path(condition):
            run()
            check_aliases()
    except Exception as error:
        if not is_raised_by_user(error) and catching_try(error) is None:
            raise
        return error
    return None


def _end(value: object, outputs: list[Any], is_kept: Callable[[Any], bool] | None = None) -> End:
    if is_possibly_bound(value):
        # The bool that tells whether there is a value, and the value.
        parts = value.defined, value.value  # type: ignore[attr-defined]
        inner, now = _end(parts, outputs).as_copy(), settled(value)
        known = None if now is value else _end(now, outputs, is_kept)
        return inner._replace(value=value, parts=mutable_parts(value), known=known)
    leaves, structure = flattened(value, is_kept)
    held: list[Any] = []
    for leaf in leaves:
        if isinstance(leaf, jax.Array):
            index = next((k for k, each in enumerate(outputs) if each is leaf), len(outputs))
            if index == len(outputs):
                outputs.append(leaf)
            held.append(PathOutput(index, form_of(leaf), _truth_on_path(leaf)))
        else:
            held.append(leaf)
    has_kept = is_kept is not None and any(map(is_kept, leaves))
    copied = _end(value, outputs) if has_kept else None
    now = settled(value)
    known = None if now is value else _end(now, outputs, is_kept)
    return End(value, structure, held, mutable_parts(value, is_kept), copied, known)


def _truth_on_path(leaf: Any) -> bool | None:
    is_bool = leaf.ndim == 0 and leaf.dtype == jnp.bool_
    return known_truth(leaf) if is_bool and STACKS.facts else None


def _known_leaf(leaf: Any) -> Any:
    """Return the bool that a path knows in the place of an output."""
    return leaf.known if isinstance(leaf, PathOutput) and leaf.known is not None else leaf


def is_raised_by_user(error: BaseException) -> bool:
    """Return whether a `raise` or `assert` of the user's raised an exception."""
    last = error.__traceback__
    if last is None or isinstance(error, AutographError):
        return False
    while last.tb_next is not None:
        last = last.tb_next
    code = last.tb_frame.f_code
    instruction = dis.opname[code.co_code[last.tb_lasti]]
    return is_users_file(code.co_filename) and instruction == "RAISE_VARARGS"


@contextmanager
def _on_path(condition: Callable[[], Any]) -> Iterator[None]:
    STACKS.conditions.append(condition)
    try:
        yield
    finally:
        STACKS.conditions.pop()


def on_path(condition: Callable[[], Any]) -> Any:
    """Return a context in which checks count only where a condition holds."""
    return _on_path(condition)


# -- the statement ---------------------------------------------------------------------------------


class Joined(NamedTuple):
    """The value after a conditional: a structure with a form, or a known value, for each leaf.

    Attributes:
        is_copy: whether it has copies of containers from before the statement.
        bound: makes a variable that has the value on some paths only, of the bool and the value.
        defined: the bool.
    """

    structure: Any
    leaves: list[Any]
    is_copy: bool = False
    bound: Callable[[Any, Any], PossiblyUnbound] | None = None
    defined: Any = None


def staged_cond(
    test: Any,
    body: Run,
    orelse: Run,
    state: State,
    what: str,
    truths: tuple[tuple[object, bool], ...] = (),
    parts: Sequence[Any] = (),
    is_over: bool = True,
    tested: object = None,
) -> None:
    """Record a conditional, and leave the joined values in the state.

    Args:
        test: a scalar bool.
        what: the statement, for errors: "this `if`".
        truths: values that are bools with the truth that they have where the test holds.
        parts: the user's functions that the paths call, if the paths are not the user's.
        is_over: whether the statement calls these functions no more.
        tested: the bool of the program that `test` is; None if it is `test` itself.
    """
    where = location()
    tested = test if tested is None else tested
    parts = parts or (_users_part(body), _users_part(orelse))
    check_aliases(parts)
    heap = Heap(parts, dict(zip(state.names, state.get())))
    with nested(getattr(parts[0], "__code__", body), where):
        paths = [
            TracedPath(body, state, heap, lambda: test, (tested, True)),
            TracedPath(orelse, state, heap, lambda: jnp.logical_not(test), (tested, False)),
        ]
    if any(path.error is not None for path in paths):
        return _after_raise(test, tested, paths, state, heap, where)
    is_flag = isinstance(tested, jax.Array) and (tested.ndim, tested.dtype) == (0, jnp.bool_)
    flag = tested if is_flag else test
    join = _Join(what, where, state.outputs, flag, heap)
    values = [
        join.variable(name, *ends)
        for name, *ends in zip(state.names, *(path.variables for path in paths))
    ]
    contents = {
        at: join.contents(heap, at, [path.contents.get(at) for path in paths])
        for at in sorted({at for path in paths for at in path.contents})
    }
    has_effects = any(path.jaxpr.effects for path in paths)
    results = iter(())
    if join.forms or has_effects:
        branches = [join.branch(path, side) for side, path in enumerate(paths)]
        # `not` costs nothing: the branches change objects.
        operand = next((value for value, holds in truths if not holds), None)
        if operand is not None:
            test, branches = operand, branches[::-1]
        results = iter(lax.cond(test, *branches))
    made = _Made(list(results), paths, heap, where)
    join.derive(made.results, paths)
    for at, held in contents.items():
        place = heap.objects[at]
        before = {key: _known_end(value) for key, value in place.before.items()}
        sides = [path.contents.get(at, before) for path in paths]
        missing = _known_end(Undefined(place.name))
        values_of_keys = {
            key: made.joined(place.part(key), value, [side.get(key, missing) for side in sides])
            for key, value in held.items()
        }
        for key, value in values_of_keys.items():
            if type(value) is PossiblyUnbound and is_users_object(place.owner):
                note_missing(value, place.owner, key, is_indexed=False)
        place.write(values_of_keys)
    variables = zip(state.names, values, *(path.variables for path in paths))
    state.set(tuple(made.joined(name, value, ends) for name, value, *ends in variables))
    made.note_aliases(is_over)
    return None


class _Made:
    """The values after a conditional, made of the results of `lax.cond`.

    Args:
        results: the arrays.
        paths: the paths that it chooses from, or the only one.
        heap: the containers from before.
        test: the condition; None for the only path.
    """

    def __init__(
        self,
        results: list[Any],
        paths: Sequence[TracedPath],
        heap: Heap,
        where: SourceLocation | None,
    ) -> None:
        self.results, self._paths, self._heap, self._where = results, paths, heap, where
        # For each path, the new containers with those of which they are copies.
        self._copies: list[list[tuple[Named, Any]]] = [[] for _ in paths]
        self._known: list[tuple[list[object], object]] = []

    def joined(self, name: str, value: object, ends: Sequence[End]) -> object:
        """Return the value of a variable, or of a part of a container, from its join."""
        if not isinstance(value, Joined):
            return value
        if value.is_copy:
            ends = [end.as_copy() for end in ends]
        made = self._made(name, value.structure, value.leaves, ends)
        if value.bound is None:
            return made
        return value.bound(self._array(value.defined), made)

    def _array(self, leaf: Any) -> Any:
        return self.results[leaf.at] if isinstance(leaf, PathOutput) else leaf

    def only(self, name: str, end: End) -> object:
        """Return the value that the only path leaves in a place."""
        has_outputs = any(isinstance(leaf, PathOutput) for leaf in end.leaves)
        if not has_outputs or self._heap.holds(end.value):
            return end.value
        if is_possibly_bound(end.value):
            parts: Any = tree_unflatten(end.structure, [self._array(each) for each in end.leaves])
            return partly_bound(name, "has no value on some paths", self._where, *parts)
        return self._made(name, end.structure, end.leaves, [end])

    def _made(self, name: str, structure: Any, leaves: list[Any], ends: Sequence[End]) -> object:
        for known, made in self._known:
            if all(value is end.value for value, end in zip(known, ends)):
                return made
        made = tree_unflatten(structure, [self._array(leaf) for leaf in leaves])
        for path, part in mutable_parts(made).items():
            for copies, end in zip(self._copies, ends):
                if path in end.parts:
                    copies.append((Named(name, part), end.parts[path]))
        self._known.append(([end.value for end in ends], made))
        return made

    def note_aliases(self, is_over: bool = False) -> None:
        """Record the new containers that may be the same object as others."""
        outer = STACKS.pairs
        if not any(self._copies) and all(path.pairs == outer for path in self._paths):
            return
        reach = ReadableContainers(is_over=is_over)
        paired = {id(each.owner) for pair in outer for each in (pair.one, pair.other)}

        def persisting(value: Any) -> Named | None:
            holds = reach.may_hold if id(value) in paired else reach.holds
            return Named(reach.name_of(value) or "", value) if holds(value) else None

        for copies, path in zip(self._copies, self._paths):
            note_aliases(aliases_of(copies, path.pairs, persisting), self._where)


def _users_part(run: Run) -> Run:
    """Return the function of the user's code that a path runs."""
    return next(
        (
            cell.cell_contents
            for cell in getattr(run, "__closure__", None) or ()
            if run.__module__ == __name__ and callable(cell.cell_contents)
        ),
        run,
    )


def _after_raise(
    test: Any,
    tested: object,
    paths: list[TracedPath],
    state: State,
    heap: Heap,
    where: SourceLocation | None,
) -> None:
    """Record a check for the path that raises, and go on with the other one."""
    one, other = (
        None if path.error is None else Raised(path.error, _entered(path, state, heap, where))
        for path in paths
    )
    found = (catching_try(each.error) for each in (one, other) if each is not None)
    tried = next((each for each in found if each is not None), None)
    if one is not None and other is not None:
        if tried is not None:
            tried.meet(test, one, other)
        check(test, *message_of(other.error))
        raise one.error
    side, raised = (0, one) if one is not None else (1, other)
    assert raised is not None
    if tried is not None:
        tried.meet(test if side == 0 else jnp.logical_not(test), raised)
    else:
        check(jnp.logical_not(test) if side == 0 else test, *message_of(raised.error))
    _entered(paths[1 - side], state, heap, where)()
    learn(tested, side == 1)


def _entered(
    path: TracedPath, state: State, heap: Heap, where: SourceLocation | None
) -> Callable[[], None]:
    """Return a function that goes on at the end of a path, as the only one."""

    def enter() -> None:
        made = _Made(path.results(), [path], heap, where)
        if path.error is not None:
            arguments, attributes = (made.only("", end) for end in path.raised)
            path.error.args = arguments  # type: ignore[assignment]
            vars(path.error).update(attributes)  # type: ignore[call-overload]
        for at, held in path.contents.items():
            place = heap.objects[at]
            place.write({key: made.only(place.part(key), end) for key, end in held.items()})
        variables = zip(state.names, path.variables)
        state.set(tuple(made.only(name, end) for name, end in variables))
        made.note_aliases()

    return enter


class _Join:
    """The joins of one conditional.

    Attributes:
        forms: the forms of its results.
        sources: for each result, where each path has it: an `PathOutput`, a value, or None.
    """

    def __init__(
        self,
        what: str,
        where: SourceLocation | None,
        read: tuple[str, ...],
        test: Any,
        heap: Heap,
    ) -> None:
        self._what, self._where, self._read, self._heap = what, where, frozenset(read), heap
        self._test, self._negated = test, None
        self.forms: list[Form] = []
        self.sources: list[tuple[Any, Any]] = []

    def branch(self, path: TracedPath, side: int) -> Callable[[], list[Any]]:
        """Return the branch of a path: it computes the results."""

        def computed() -> list[Any]:
            results = path.results()
            return [
                self._result(sources[side], form, results)
                for sources, form in zip(self.sources, self.forms)
            ]

        return computed

    @staticmethod
    def _result(source: Any, form: Form, results: Sequence[Any]) -> Any:
        if source is None:
            return blank(form)
        return fitted(results[source.at] if isinstance(source, PathOutput) else source, form)

    def variable(self, name: str, one: End, other: End) -> object:
        """Return the value of a variable after the conditional."""
        if one.value is other.value:
            return one.value
        one, other = one.settled(), other.settled()
        missing = [is_placeholder(end.value) for end in (one, other)]
        if not any(missing):
            if name not in self._read:
                try:
                    return self.value(name, one, other)
                except BranchMismatch as error:
                    return partly_bound(name, f"has no value: {error.message}", self._where)
            return self.value(name, one, other)
        if UndefinedReturnValue in (type(one.value), type(other.value)) and not all(missing):
            side = missing.index(False)
            return self._made(name, (one, other)[side], side)
        return self._partly_bound(name, one, other, name in self._read)

    def _partly_bound(self, name: str, one: End, other: End, is_read: bool) -> object:
        """Return the placeholder of a variable that has no value on some paths."""
        flags, values = zip(*map(_bound_flag_and_value, (one.as_copy(), other.as_copy())))
        given = [each for each in values if each is not None]
        if None in flags or not given:
            return (one if isinstance(one.value, PossiblyUnbound) else other).value
        holds = "holds" if flags[0] is False else "does not hold"
        why = f"has no value where the condition of {self._what} {holds}: give it one before"
        if len(given) == 2:
            why = f"has no value on some paths of {self._what}: give it one before"
        leaves = [leaf for each in given for leaf in each.leaves]
        if not is_read or not all(map(_outlives_path, leaves)):
            return partly_bound(name, why, self._where)
        try:
            made: Any = (
                self.value(name, *given)
                if len(given) == 2
                else self._made(name, given[0], values.index(given[0]))
            )
        except BranchMismatch as error:
            return partly_bound(name, f"has no value: {error.message}", self._where)
        if flags == (True, False):
            defined = self._test
        elif flags == (False, True):
            defined = self._not_test()
        else:
            defined = self._add(form_of(True), flags)
        return made._replace(
            is_copy=True,
            bound=lambda bound, value: partly_bound(name, why, self._where, bound, value),
            defined=defined,
        )

    def derive(self, results: Sequence[Any], paths: Sequence[TracedPath]) -> None:
        """Record which of the results are the `not`, `and` or `or` of other bools."""
        found: list[tuple[Any, list[Any]]] = []
        for result, sources, form in zip(results, self.sources, self.forms):
            if form.shape or form.dtype != jnp.bool_:
                continue
            ends = [path.array(source) for path, source in zip(paths, sources)]
            for side, (end, other) in enumerate((ends, ends[::-1])):
                if type(end) is bool:
                    tested = self._test if end is (side == 0) else self._not_test()
                    derive(result, "or" if end else "and", tested, other)
            for earlier, known in found:
                if all(map(are_opposite, ends, known)):
                    derive(result, "not", earlier)
            found.append((result, ends))

    def _not_test(self) -> Any:
        if self._negated is None:
            self._negated = jnp.logical_not(self._test)
            derive(self._negated, "not", self._test)
        return self._negated

    def _made(self, name: str, end: End, side: int) -> object:
        """Return a result that one path has; on the other one it is blank, and is not read."""
        leaves: list[Any] = []
        for leaf in end.leaves:
            if not is_array(leaf) and not isinstance(leaf, PathOutput):
                if self._is_new(leaf) and has_tracers(leaf):
                    self._refuse_object(name, leaf)
                leaves.append(leaf)
                continue
            form = leaf.form if isinstance(leaf, PathOutput) else form_of(leaf)
            leaves.append(self._add(form, (leaf, None) if side == 0 else (None, leaf)))
        return Joined(end.structure, leaves)

    def contents(self, heap: Heap, at: int, ends: list[dict[Any, End] | None]) -> Contents:
        """Return the contents of a container after the conditional."""
        place = heap.objects[at]
        before = {key: _known_end(value) for key, value in place.before.items()}
        one, other = (before if end is None else end for end in ends)
        if isinstance(place.owner, RoomyList):
            if rows_in(one["buffer"].value) != rows_in(other["buffer"].value):
                raise UnknownLengthError(self._of_lengths(place.name), self._where, place.owner)
            if place.owner.growth is not None:
                place.owner.growth.is_exact &= one["length"].value is other["length"].value
        if isinstance(place.owner, StackedList):
            if rows_in(one["stacked"].value) != rows_in(other["stacked"].value):
                raise UnknownLengthError(self._of_lengths(place.name), self._where, place.owner)
        if isinstance(place.owner, Appender) and len(one["items"].leaves) != len(
            other["items"].leaves
        ):
            raise UnknownLengthError(self._of_lengths(place.owner.name), self._where, place.owner)
        if one.keys() != other.keys():
            if isinstance(place.owner, list):
                raise UnknownLengthError(self._of_lengths(place.name), self._where, place.owner)
            key = next(iter(one.keys() ^ other.keys()))
            if isinstance(place.owner, (dict, set, deque)) or fallback_of(place.owner, key):
                raise StagingError(
                    f"{place.part(key)} exists on one path of {self._what} only: give it a value "
                    "before",
                    self._where,
                )
        missing = _known_end(Undefined(place.name))
        return {
            key: self._part(place.part(key), one.get(key, missing), other.get(key, missing))
            for key in {**one, **other}
        }

    def _part(self, name: str, one: End, other: End) -> object:
        if one.value is other.value:
            return one.value
        one, other = one.settled(), other.settled()
        if is_placeholder(one.value) or is_placeholder(other.value):
            return self._partly_bound(name, one, other, True)
        return self.value(name, one, other)

    def _of_lengths(self, name: str) -> str:
        return (
            f"'{name}' has another length where the condition of {self._what} holds than where it "
            "does not: assign an item of an array, or append in both cases, or in a loop over "
            "jnp.arange(n) in the place of range(n)"
        )

    def value(self, name: str, one: End, other: End) -> object:
        """Return the join of two values.

        Raises:
            BranchMismatch: they have different structures, shapes or dtypes, or are other objects
                than arrays.
        """
        one, other = one.settled(), other.settled()
        if _differ_by_none(one, other):
            return self._optional(name, one, other)
        is_copy = not _keep_the_same(one, other)
        if is_copy:
            one, other = one.as_copy(), other.as_copy()
        owner: Any = grown_list(one.value, other.value)
        first: Any = one.value
        second: Any = other.value
        kinds = {type(first), type(second)}
        if kinds == {StackedList} and len(first) != len(second):
            owner = min(first, second, key=len)
        elif RoomyList in kinds and kinds & {StackedList, list}:
            owner = second if isinstance(first, RoomyList) else first
        if owner is not None:
            raise UnknownLengthError(self._of_lengths(name), self._where, owner)
        if isinstance(one.value, RoomyList) and isinstance(other.value, RoomyList):
            before = min(one.value, other.value, key=lambda each: rows_in(each.buffer) or 0)
            if rows_in(one.value.buffer) != rows_in(other.value.buffer):
                raise UnknownLengthError(self._of_lengths(name), self._where, before)
            if one.value.growth is not None:
                one.value.growth.is_exact = False
        if one.structure != other.structure:
            self._refuse(name, _shown(one), _shown(other), "one structure")
        leaves: list[Any] = []
        for a, b in zip(map(_known_leaf, one.leaves), map(_known_leaf, other.leaves)):
            if not isinstance(a, PathOutput) and not isinstance(b, PathOutput) and is_same(a, b):
                leaves.append(a)
                continue
            if type(a) is type(b) is bool:
                leaves.append(self._test if a else self._not_test())
                continue
            forms = [_form(each) for each in (a, b)]
            if None in forms:
                if type(a) is type(b) and (self._is_new(a) or self._is_new(b)):
                    self._refuse_object(name, a)
                self._refuse(name, _leaf_text(a), _leaf_text(b), "one value, or arrays")
            form = joined(*forms)  # type: ignore[arg-type]
            if form is None:
                kind = "one shape" if forms[0].shape != forms[1].shape else "one dtype"  # type: ignore[union-attr]
                self._refuse(name, _leaf_text(a), _leaf_text(b), kind)
            assert form is not None
            leaves.append(self._add(form, (a, b)))
        return Joined(one.structure, leaves, is_copy)

    def _optional(self, name: str, one: End, other: End) -> Joined:
        """Return the join of a value with None, or with one that may be None."""
        flags, values = zip(*map(_flag_and_value, (one.as_copy(), other.as_copy())))
        given = [each for each in values if each is not None]
        if len(given) == 2:
            made: Any = self.value(name, *given)
        else:
            made = self._made(name, given[0], values.index(given[0]))
        is_known = not any(isinstance(flag, PathOutput) for flag in flags) and is_same(*flags)
        flag = flags[0] if is_known else self._add(form_of(True), flags)
        return Joined(optional_structure(made.structure), [flag, *made.leaves], True)

    def _add(self, form: Form, sources: tuple[Any, Any]) -> PathOutput:
        for at, (known, each) in enumerate(zip(self.forms, self.sources)):
            if known == form and all(map(_is_one_source, each, sources)):
                return PathOutput(at, form)
        self.forms.append(form)
        self.sources.append(sources)
        return PathOutput(len(self.forms) - 1, form)

    def _is_new(self, leaf: Any) -> bool:
        return is_users_object(leaf) and not self._heap.keeps(leaf)

    def _refuse_object(self, name: str, value: Any) -> NoReturn:
        raise BranchMismatch(f"{_shown_name(name)} {text_of_new_object(value)}", self._where)

    def _refuse(self, name: str, one: str, other: str, kind: str) -> None:
        raise BranchMismatch(
            f"{_shown_name(name)} is {one} where the condition of {self._what} holds, and "
            f"{other} where it does not: both paths have to give it {kind}",
            self._where,
        )


def _shown_name(name: str) -> str:
    if name.startswith("retval_"):
        return "the result of the function"
    return "the value" if name == _EXPRESSION else f"'{name}'"


def _keep_the_same(one: End, other: End) -> bool:
    """Return whether both values hold the same containers from before, at the same places."""
    if one.copied is None and other.copied is None:
        return True
    if one.structure != other.structure:
        return False
    return all(
        a is b
        or (
            (isinstance(a, PathOutput) or is_array(a))
            and (isinstance(b, PathOutput) or is_array(b))
        )
        for a, b in zip(one.leaves, other.leaves)
    )


def _differ_by_none(one: End, other: End) -> bool:
    """Return whether one value, or both in a different way, may be None."""
    kinds = [each.value is None or type(each.value) is OptionalValue for each in (one, other)]
    return any(kinds) and one.structure != other.structure


def _flag_and_value(end: End) -> tuple[Any, End | None]:
    """Return whether a value is None, and the value; None without one."""
    if end.value is None:
        return True, None
    if type(end.value) is not OptionalValue:
        return False, end
    flag, *leaves = end.leaves
    value = end.value.value
    return flag, End(value, flattened(value)[1], leaves, end.parts)


def _outlives_path(leaf: object) -> bool:
    """Return whether a leaf of a value is the same after a path, whose tracers are gone then."""
    return isinstance(leaf, PathOutput) or is_array(leaf) or leaf is None or type(leaf) is str


def _bound_flag_and_value(end: End) -> tuple[Any, End | None]:
    """Return whether a variable has a value, and the value; None and None if none tells."""
    if type(end.value) is Undefined:
        return False, None
    if not is_possibly_bound(end.value):
        return (None, None) if is_placeholder(end.value) else (True, end)
    output, *leaves = end.leaves
    flag = _known_leaf(output)
    if flag is False:
        return False, None
    value = end.value.value  # type: ignore[attr-defined]
    return flag, End(value, flattened(value)[1], leaves, end.parts)


def _known_end(value: object) -> End:
    leaves, structure = flattened(value)
    return End(value, structure, leaves, mutable_parts(value))


def _is_one_source(one: Any, other: Any) -> bool:
    """Return whether a path has two results at one place."""
    return one is other or (isinstance(one, PathOutput) and one == other)


def _form(leaf: Any) -> Form | None:
    if isinstance(leaf, PathOutput):
        return leaf.form
    return form_of(leaf) if is_array(leaf) else None


def _leaf_text(leaf: Any) -> str:
    form = _form(leaf)
    return repr(leaf) if form is None else str(form)


def _shown(end: End) -> str:
    if len(end.leaves) == 1 and end.structure == flattened(0)[1]:
        return _leaf_text(end.leaves[0])
    if type(end.value) is OptionalValue:
        return f"None or {_shown(_known_end(end.value.value))}"
    return f"a {type(end.value).__name__} ({end.structure})"


def is_same(one: Any, other: Any) -> bool:
    """Return whether two values that a trace knows are equal, and of one type."""
    if one is other:
        return True
    if type(one) is type(other) is FunctionType:
        return _is_same_function(one, other)
    if type(one) is not type(other) or isinstance(one, (np.ndarray, jax.Array)):
        return False
    try:
        return bool(one == other)
    except Exception:
        return False


def _is_same_function(one: FunctionType, other: FunctionType) -> bool:
    """Return whether two functions are of one `lambda` or `def`, with the same values in it."""
    held = [_held_by(one), _held_by(other)]
    return one.__code__ is other.__code__ and all(map(is_same, *held))


def _held_by(function: FunctionType) -> list[object]:
    named = (function.__kwdefaults__ or {}).values()
    return [*(function.__closure__ or ()), *(function.__defaults__ or ()), *named]


class _Value:
    """The value of an expression, as the only variable of a state."""

    __slots__ = ("value",)

    def __init__(self) -> None:
        self.value: object = None

    def state(self) -> State:
        """Return the state, whose variable has no name."""

        def put(values: tuple[object, ...]) -> None:
            (self.value,) = values

        return State(lambda: (self.value,), put, (_EXPRESSION,), 1)

    def assigned(self, thunk: Run) -> Run:
        """Return a function that assigns the value of a thunk."""

        def run() -> None:
            self.value = thunk()

        return run


def chosen(test: Any, then: Run, orelse: Run, what: str, tested: object = None) -> object:
    """Return the value of a conditional expression, of `and` or of `or`.

    Args:
        tested: the bool of the program that `test` is.
    """
    held = _Value()
    runs = held.assigned(then), held.assigned(orelse)
    staged_cond(test, *runs, held.state(), what, tested=tested)
    return held.value


def recorded(thunk: Run) -> tuple[object, Any]:
    """Return the value of a thunk, not to be used, and its jaxpr."""
    found: list[object] = []

    def traced() -> list[Any]:
        found.append(thunk())
        return [found[0]] if is_array(found[0]) else []

    with uncertain():
        jaxpr = jax.make_jaxpr(traced)()
    return found[0], jaxpr
