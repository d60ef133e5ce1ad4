"""Conditionals: each path is traced once, and `lax.cond` chooses between the recorded paths.

    if x > 0:                  lax.cond(x > 0, lambda: x * 2, lambda: x)
        x = x * 2

A path is traced to a jaxpr, with the values that it leaves in variables and containers. The values
of both paths are joined, and the branches of `lax.cond` evaluate the jaxprs.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import checkify
from jax.extend.core import jaxpr_as_fun
from jax.tree_util import tree_flatten, tree_unflatten

from autograph.backends.graph.program.source_location import SourceLocation
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.undefined import Placeholder, UndefinedReturnValue
from autograph.errors import (
    AutographError,
    BranchMismatch,
    ConditionError,
    StagingError,
    UnknownLengthError,
)
from autograph.jax.arrays import Form, blank, fitted, form_of, is_array, joined
from autograph.jax.growing_lists import Appender
from autograph.jax.heap import Contents, Heap, is_users_file
from autograph.jax.location import STACKS, location, nested, partly_bound
from autograph.jax.text import TracedText
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


class Output(NamedTuple):
    """An array that a path computes: its position among the results, and its form."""

    at: int
    form: Form


class End(NamedTuple):
    """A value that a path leaves: its structure, with an `Output` for each array.

    Attributes:
        value: the value itself, to see whether both paths leave the same object.
    """

    value: object
    structure: Any
    leaves: list[Any]


def is_placeholder(value: object) -> bool:
    """Return whether a variable holds no value of the program."""
    return isinstance(value, Placeholder)


def flattened(value: object) -> tuple[list[Any], Any]:
    """Return the leaves of a pytree, and its structure; a value that is none is one leaf."""
    try:
        return tree_flatten(value, is_leaf=is_placeholder)
    except (TypeError, ValueError):
        return tree_flatten([value], is_leaf=lambda each: each is value)


class Path:
    """One path of a conditional, traced.

    Attributes:
        variables: what it leaves in each variable.
        contents: what it leaves in the containers that it changes, by position and key.
        error: the exception that the user's `raise` raises on it, if it ends so.
    """

    def __init__(
        self,
        run: Run,
        state: State,
        heap: Heap,
        condition: Callable[[], Any],
        keeps: Callable[[], object] | None = None,
    ) -> None:
        self.error: BaseException | None = None
        self.variables: list[End] = []
        self.contents: dict[int, dict[Any, End]] = {}
        start = state.get()

        def traced() -> list[Any]:
            outputs: list[Any] = []
            try:
                with _on_path(condition):
                    run()
            except Exception as error:
                if not is_raised_by_user(error):
                    raise
                self.error = error
            else:
                self.variables = [_end(value, outputs) for value in state.get()]
                self.contents = {
                    at: {key: _end(value, outputs) for key, value in held.items()}
                    for at, held in heap.changes().items()
                }
            finally:
                heap.restore()
                state.set(start)
            return outputs

        self.jaxpr = jax.make_jaxpr(traced)()

    def know(self, value: object, holds: bool) -> None:
        """Note the truth of a value on this path: a variable that still has it has this bool."""
        for at, end in enumerate(self.variables):
            if end.value is value:
                self.variables[at] = _end(holds, [])

    def results(self) -> list[Any]:
        """Compute the outputs, in the code that is traced now."""
        return jaxpr_as_fun(self.jaxpr)()


def _end(value: object, outputs: list[Any]) -> End:
    leaves, structure = flattened(value)
    held: list[Any] = []
    for leaf in leaves:
        if isinstance(leaf, jax.Array):
            index = next((k for k, each in enumerate(outputs) if each is leaf), len(outputs))
            if index == len(outputs):
                outputs.append(leaf)
            held.append(Output(index, form_of(leaf)))
        else:
            held.append(leaf)
    return End(value, structure, held)


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


def check(holds: Any, kind: str, message: object) -> None:
    """Record a check of `checkify`: an error unless `holds`, on this path.

    Args:
        holds: a scalar bool.
        kind: the name of the class of Python's error.
        message: its message, a text or a `TracedText`; None without one.
    """
    template, arrays = f"{kind}: ", ()
    if isinstance(message, TracedText):
        template, arrays = template + message.template, message.arrays
    elif message is None:
        template = kind
    else:
        template += str(message).replace("{", "{{").replace("}", "}}")
    for condition in STACKS.conditions:
        holds = jnp.logical_or(holds, jnp.logical_not(condition()))
    checkify.check(holds, template, *arrays)


# -- the statement ---------------------------------------------------------------------------------


class Joined(NamedTuple):
    """The value after a conditional: a structure with a form, or a known value, for each leaf."""

    structure: Any
    leaves: list[Any]


def staged_cond(
    test: Any,
    body: Run,
    orelse: Run,
    state: State,
    what: str,
    truths: tuple[tuple[object, bool], ...] = (),
) -> None:
    """Record a conditional, and leave the joined values in the state.

    Args:
        test: a scalar bool.
        what: the statement, for errors: "this `if`".
        truths: values that are bools with the truth that they have where the test holds.
    """
    where = location()
    heap = Heap((body, orelse), dict(zip(state.names, state.get())))
    with nested(_code_of(body), where):
        paths = [
            Path(body, state, heap, lambda: test),
            Path(orelse, state, heap, lambda: jnp.logical_not(test)),
        ]
    for value, holds in truths:
        paths[0].know(value, holds)
        paths[1].know(value, not holds)
    if any(path.error is not None for path in paths):
        return _after_raise(test, paths, state, heap)
    join = _Join(what, where, state.outputs)
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
    made = list(results)
    for at, held in contents.items():
        heap.objects[at].write({key: _built(value, made) for key, value in held.items()})
    state.set(tuple(_built(value, made) for value in values))
    return None


def _code_of(run: Run) -> object:
    """Return the code of the user's that a path runs."""
    thunk = next(
        (
            cell.cell_contents
            for cell in getattr(run, "__closure__", None) or ()
            if run.__module__ == __name__ and callable(cell.cell_contents)
        ),
        run,
    )
    return getattr(thunk, "__code__", thunk)


def _built(value: object, results: Sequence[Any]) -> object:
    if not isinstance(value, Joined):
        return value
    leaves = [results[leaf.at] if isinstance(leaf, Output) else leaf for leaf in value.leaves]
    return tree_unflatten(value.structure, leaves)


def _after_raise(test: Any, paths: list[Path], state: State, heap: Heap) -> None:
    """Record a check for the path that raises, and go on with the other one."""
    raising = [path.error is not None for path in paths]
    if all(raising):
        check(test, *_message(paths[1].error))
        raise paths[0].error  # type: ignore[misc]
    side = raising.index(True)
    check(jnp.logical_not(test) if side == 0 else test, *_message(paths[side].error))
    other = paths[1 - side]
    results = other.results()
    for at, held in other.contents.items():
        heap.objects[at].write({key: _value_of(end, results) for key, end in held.items()})
    state.set(tuple(_value_of(end, results) for end in other.variables))


def _message(error: BaseException | None) -> tuple[str, object]:
    """Return the name of an exception's class, and its message."""
    assert error is not None
    given = error.args[0] if len(error.args) == 1 else str(error) or None
    return type(error).__name__, given


def _value_of(end: End, results: Sequence[Any]) -> object:
    if not any(isinstance(leaf, Output) for leaf in end.leaves):
        return end.value
    leaves = [results[leaf.at] if isinstance(leaf, Output) else leaf for leaf in end.leaves]
    return tree_unflatten(end.structure, leaves)


class _Join:
    """The joins of one conditional.

    Attributes:
        forms: the forms of its results.
        sources: for each result, where each path has it: an `Output`, a value, or None.
    """

    def __init__(self, what: str, where: SourceLocation | None, read: tuple[str, ...]) -> None:
        self._what, self._where, self._read = what, where, frozenset(read)
        self.forms: list[Form] = []
        self.sources: list[tuple[Any, Any]] = []

    def branch(self, path: Path, side: int) -> Callable[[], list[Any]]:
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
        return fitted(results[source.at] if isinstance(source, Output) else source, form)

    def variable(self, name: str, one: End, other: End) -> object:
        """Return the value of a variable after the conditional."""
        if one.value is other.value:
            return one.value
        missing = [is_placeholder(end.value) for end in (one, other)]
        if not any(missing):
            if name not in self._read:
                try:
                    return self.value(name, one, other)
                except BranchMismatch as error:
                    return partly_bound(name, f"has no value: {error.message}", self._where)
            return self.value(name, one, other)
        if all(missing):
            return one.value if isinstance(one.value, PossiblyUnbound) else other.value
        side = missing.index(False)
        end, placeholder = (one, other)[side], (one, other)[1 - side].value
        if isinstance(placeholder, UndefinedReturnValue):
            return self._made(end, side)
        holds = "does not hold" if side == 0 else "holds"
        return partly_bound(
            name,
            f"has no value where the condition of {self._what} {holds}: give it one before",
            self._where,
        )

    def _made(self, end: End, side: int) -> object:
        """Return a result that one path has; on the other one it is blank, and is not read."""
        leaves: list[Any] = []
        for leaf in end.leaves:
            if not is_array(leaf) and not isinstance(leaf, Output):
                leaves.append(leaf)
                continue
            form = leaf.form if isinstance(leaf, Output) else form_of(leaf)
            leaves.append(self._add(form, (leaf, None) if side == 0 else (None, leaf)))
        return Joined(end.structure, leaves)

    def contents(self, heap: Heap, at: int, ends: list[dict[Any, End] | None]) -> Contents:
        """Return the contents of a container after the conditional."""
        place = heap.objects[at]
        before = {key: End(value, *_parts(value)) for key, value in place.before.items()}
        one, other = (before if end is None else end for end in ends)
        if isinstance(place.owner, Appender) and len(one["items"].leaves) != len(
            other["items"].leaves
        ):
            raise UnknownLengthError(self._of_lengths(place.owner.name), self._where, place.owner)
        if one.keys() != other.keys():
            if isinstance(place.owner, list):
                raise UnknownLengthError(self._of_lengths(place.name), self._where, place.owner)
            key = next(iter(one.keys() ^ other.keys()))
            raise StagingError(
                f"{place.part(key)} exists on one path of {self._what} only: give it a value "
                "before",
                self._where,
            )
        return {
            key: one[key].value
            if one[key].value is other[key].value
            else self.value(place.part(key), one[key], other[key])
            for key in one
        }

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
        if one.structure != other.structure:
            self._refuse(name, _shown(one), _shown(other), "one structure")
        leaves: list[Any] = []
        for a, b in zip(one.leaves, other.leaves):
            if not isinstance(a, Output) and not isinstance(b, Output) and is_same(a, b):
                leaves.append(a)
                continue
            forms = [_form(each) for each in (a, b)]
            if None in forms:
                self._refuse(name, _leaf_text(a), _leaf_text(b), "one value, or arrays")
            form = joined(*forms)  # type: ignore[arg-type]
            if form is None:
                kind = "one shape" if forms[0].shape != forms[1].shape else "one dtype"  # type: ignore[union-attr]
                self._refuse(name, _leaf_text(a), _leaf_text(b), kind)
            assert form is not None
            leaves.append(self._add(form, (a, b)))
        return Joined(one.structure, leaves)

    def _add(self, form: Form, sources: tuple[Any, Any]) -> Output:
        for at, (known, each) in enumerate(zip(self.forms, self.sources)):
            if known == form and all(a is b for a, b in zip(each, sources)):
                return Output(at, form)
        self.forms.append(form)
        self.sources.append(sources)
        return Output(len(self.forms) - 1, form)

    def _refuse(self, name: str, one: str, other: str, kind: str) -> None:
        if name.startswith("retval_"):
            shown = "the result of the function"
        else:
            shown = "the value" if name == _EXPRESSION else f"'{name}'"
        raise BranchMismatch(
            f"{shown} is {one} where the condition of {self._what} holds, and {other} where it "
            f"does not: both paths have to give it {kind}",
            self._where,
        )


def _parts(value: object) -> tuple[Any, list[Any]]:
    leaves, structure = flattened(value)
    return structure, leaves


def _form(leaf: Any) -> Form | None:
    if isinstance(leaf, Output):
        return leaf.form
    return form_of(leaf) if is_array(leaf) else None


def _leaf_text(leaf: Any) -> str:
    form = _form(leaf)
    return repr(leaf) if form is None else str(form)


def _shown(end: End) -> str:
    if len(end.leaves) == 1 and end.structure == flattened(0)[1]:
        return _leaf_text(end.leaves[0])
    return "None" if end.value is None else f"a {type(end.value).__name__} ({end.structure})"


def is_same(one: Any, other: Any) -> bool:
    """Return whether two values that a trace knows are equal, and of one type."""
    if one is other:
        return True
    if type(one) is not type(other) or isinstance(one, (np.ndarray, jax.Array)):
        return False
    try:
        return bool(one == other)
    except Exception:
        return False


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


def chosen(test: Any, then: Run, orelse: Run, what: str) -> object:
    """Return the value of a conditional expression, of `and` or of `or`."""
    held = _Value()
    staged_cond(test, held.assigned(then), held.assigned(orelse), held.state(), what)
    return held.value


def recorded(thunk: Run) -> tuple[object, Any]:
    """Return the value of a thunk, not to be used, and its jaxpr."""
    found: list[object] = []

    def traced() -> list[Any]:
        found.append(thunk())
        return [found[0]] if is_array(found[0]) else []

    jaxpr = jax.make_jaxpr(traced)()
    return found[0], jaxpr
