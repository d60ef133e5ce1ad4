"""The paths of conditionals: each is traced to a jaxpr, with the values that it leaves in places.

A value that a path leaves is a `PathValue`: its structure, with a `PathOutput` for each array that
the jaxpr computes.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax.extend.core import jaxpr_as_fun

from autograph.backends.undefined import StoredElsewhere
from autograph.errors import AutographError
from autograph.jax.aliases import AliasPair, check_aliases, mutable_parts
from autograph.jax.forms import Form, form_of, is_array
from autograph.jax.heap import Heap, is_users_file
from autograph.jax.location import STACKS
from autograph.jax.optional_values import is_possibly_bound, known_truth, learn, narrowed, present
from autograph.jax.pytrees import flattened
from autograph.jax.raised_errors import catching_try, uncertain
from autograph.operators.state import State

Run = Callable[[], object]


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


class PathValue(NamedTuple):
    """A value that a path leaves: its structure, with a `PathOutput` for each array.

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

    def narrowed(self) -> PathValue:
        """Return an optional value as that which it is on this path."""
        return self.known or self

    def as_copy(self) -> PathValue:
        """Return the value with a `PathOutput` for each array in containers from before, too."""
        return self.copied or self


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
        self.raised: list[PathValue] = []
        self.variables: list[PathValue] = []
        self.contents: dict[int, dict[Any, PathValue]] = {}
        self.pairs: list[AliasPair] = []
        self._outputs: list[Any] = []
        start, pairs = state.get(), STACKS.pairs

        def traced() -> list[Any]:
            outputs: list[Any] = []
            known = len(STACKS.facts)
            learn(*fact)
            entered = tuple(map(present, start))
            state.set(entered)
            heap.narrow()
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

        with heap.opened():
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


def _end(
    value: object, outputs: list[Any], is_kept: Callable[[Any], bool] | None = None
) -> PathValue:
    if is_possibly_bound(value):
        # The bool that tells whether there is a value, and the value.
        parts = value.defined, value.value  # type: ignore[attr-defined]
        inner, now = _end(parts, outputs).as_copy(), narrowed(value)
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
    now = narrowed(value)
    known = None if now is value else _end(now, outputs, is_kept)
    return PathValue(value, structure, held, mutable_parts(value, is_kept), copied, known)


def known_end(value: object) -> PathValue:
    """Return the end of a path for a value whose leaves are known."""
    parts: Any = value
    if is_possibly_bound(parts):
        parts = parts.defined, parts.value
    leaves, structure = flattened(parts)
    return PathValue(value, structure, leaves, mutable_parts(value))


def _truth_on_path(leaf: Any) -> bool | None:
    is_bool = leaf.ndim == 0 and leaf.dtype == jnp.bool_
    return known_truth(leaf) if is_bool and STACKS.facts else None


def known_leaf(leaf: Any) -> Any:
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


def recorded(thunk: Run, heap: Heap) -> tuple[object, Any, bool]:
    """Return the value of a thunk, not to be used, its jaxpr, and whether it changes objects."""
    found: list[object] = []

    def traced() -> list[Any]:
        found.append(thunk())
        return [found[0]] if is_array(found[0]) else []

    try:
        with uncertain(), heap.opened():
            jaxpr = jax.make_jaxpr(traced)()
        return found[0], jaxpr, bool(heap.changes())
    finally:
        heap.restore()
