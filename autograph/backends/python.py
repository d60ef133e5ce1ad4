"""The Python backend: the reference semantics of every statement, which are Python's own.

Operators do the same without a call of this module, since most values are Python's own. It is a
backend for two readers: people who port this project to another tensor library, and the tests that
compare other backends with it.
"""

from __future__ import annotations

import builtins
import functools
import math
import operator
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import Any, NoReturn

from autograph.backends.protocol import Thunk
from autograph.backends.try_block import TryBlock
from autograph.backends.with_block import WithBlock
from autograph.operators.state import State


class PythonBackend:
    """Statements on Python values.

    >>> PythonBackend().call("len", ([1, 2],), {}), PythonBackend().call("same", (1, None), {})
    (2, False)
    """

    name = "python"

    def owned_types(self) -> tuple[type, ...]:
        """Return every type.

        Raises:
            TypeError: a class that inherits from this one does not define the method.
        """
        if type(self) is not PythonBackend:
            raise TypeError(f"{type(self).__name__} owns every type: define its `owned_types`")
        return (object,)

    def stands_in(self, value: object) -> object | None:
        """Return None: every value stands for itself."""
        return None

    def recorder(self) -> object | None:
        """Return this backend: it can always execute a statement."""
        return self

    def staging(self) -> bool:
        """Return False: Python knows every value at once."""
        return False

    def cond(self, test: object, body: Thunk, orelse: Thunk, state: State) -> None:
        """Run one branch."""
        if test:
            body()
        else:
            orelse()

    def while_loop(
        self, test: Thunk, body: Thunk, state: State, opts: Mapping[str, object], first: object
    ) -> None:
        """Run `body` while the test holds; `first` is the result of the first test."""
        proceed = first
        while proceed:
            body()
            proceed = test()

    def for_loop(
        self,
        iterated: Iterable[object],
        extra_test: Thunk | None,
        body: Callable[[object], None],
        state: State,
        opts: Mapping[str, object],
    ) -> None:
        """Run `body(item)` for each item until `extra_test()` fails."""
        for item in iterated:
            body(item)
            if extra_test is not None and not extra_test():
                return

    def for_rest(
        self,
        proceed: object,
        items: Iterator[object],
        extra_test: Thunk,
        body: Callable[[object], None],
        state: State,
    ) -> None:
        """Continue a loop if `proceed` holds."""
        if proceed:
            self.for_loop(items, extra_test, body, state, {})

    def try_stmt(self, tried: TryBlock, state: State) -> None:
        """Run the statement."""
        tried.run()

    def with_stmt(self, managed: WithBlock, state: State) -> None:
        """Run the statement."""
        managed.run()

    def select(self, test: object, then: Thunk, orelse: Thunk, text: str) -> object:
        """Return the value of one branch."""
        return then() if test else orelse()

    def logical_and(self, value: object, rest: Thunk, truth: object) -> object:
        """Return the operand that decides."""
        return rest() if truth else value

    def logical_or(self, value: object, rest: Thunk, truth: object) -> object:
        """Return the operand that decides."""
        return value if truth else rest()

    def logical_not(self, value: object) -> object:
        """Return `not value`."""
        return not value

    def get_item(self, container: object, index: object) -> object:
        """Return `container[index]`."""
        return container[index]  # type: ignore[index]

    def set_item(self, target: object, index: object, value: object) -> object:
        """Assign the item in place."""
        target[index] = value  # type: ignore[index]
        return target

    def call(
        self,
        word: str,
        args: Sequence[object],
        kwargs: Mapping[str, object],
        again: Callable[..., object] | None = None,
    ) -> Any:
        """Return the result that Python gives."""
        if word.startswith("np."):
            function, *args = args
            return function(*args, **kwargs)  # type: ignore[operator]
        return meaning_of(word)(*args, **kwargs)

    def refusal(self, message: str, *, iterating: bool = False) -> Exception:
        """Return the error that Python raises for an unsupported use."""
        return TypeError(message)


# -- operation names -------------------------------------------------------------------------------


_NO_ITEM = object()
# The owners of the functions that an operation name with a dot denotes.
_HOMES = {"": builtins, "str": str, "list": list, "tuple": tuple, "deque": deque, "math": math}


def meaning_of(word: str) -> Callable[..., Any]:
    """Return Python's function for an operation name of `call`.

    >>> meaning_of("str.upper")("a"), meaning_of("contains")(1, [1, 2])
    ('A', True)
    """
    if word in MEANINGS:
        return MEANINGS[word]
    home, _, name = word.rpartition(".")
    return getattr(_HOMES[home], name)


def _assert(test: object, message: Thunk | None) -> None:
    if not test:
        raise AssertionError if message is None else AssertionError(message())


def _item_under(subject: Any, key: object) -> tuple[bool, object]:
    value = subject.get(key, _NO_ITEM)
    return value is not _NO_ITEM, value


def _put_item(owner: Any, key: object, value: object) -> None:
    owner[key] = value


def _refuse_rebinding(name: str) -> NoReturn:
    raise AssertionError(f"'{name}' keeps its value")


def _generator(iterated: Iterable[object], over: Callable[..., Any]) -> Iterator[object]:
    """Return Python's generator.

    `over(items, take)` creates the user's generator over other items. For each item it calls
    `take(element, *tests)` with thunks of the element and of the conditions.
    """

    def take(element: Thunk, *tests: Thunk) -> tuple[object, ...]:
        return (element(),) if all(test() for test in tests) else ()

    return (each for taken in over(iterated, take) for each in taken)


# The operations that `call` is asked for beside builtins and methods. Most are operators of
# generated code: `ag__.star_items` asks "star_items". One of the parameters is owned.
MEANINGS: Mapping[str, Callable[..., Any]] = {
    # The value of `assert test, message()`.
    "assert": _assert,
    # `left is right` for two different objects; neither need be owned.
    "same": lambda left, right: left is right,
    # `item in container`; an item of the container may be owned.
    "contains": lambda item, container: item in container,
    # The list or tuple of the items of several parts, one after another: `[*l, x]`.
    "display": lambda kind, parts: kind([item for part in parts for item in part]),
    # Whether Python compares two values item by item, and such a comparison.
    "compares_parts": lambda left, right: False,
    "compare_containers": lambda compare, left, right: compare(left, right),
    # The result of a call: `value` if a `return` was reached, else None.
    "returned": lambda did_return, value: value if did_return else None,
    # The callable for an owned `f`; `callee` finds the converted form.
    "callable_of": lambda f, callee: f,
    # The exception, or its class, in `raise value`.
    "raised": lambda value: value,
    # A context in which code is refused that may raise one of `kinds()` when the program runs.
    "endless_while": lambda test, body, state, opts: False,
    "uncatchable": lambda kinds, message: nullcontext(),
    # -- iteration
    # An iterator over `value[0]`, `value[1]`, ... up to an IndexError; the value is not owned.
    "sequence": lambda value: iter(value),
    # The items of a Python iterator, of which a run may consume fewer.
    "consuming": lambda items: items,
    # The items of `a, (b, *c) = value`: one for each target.
    "unpack_items": lambda value, pattern: value,
    # The iterables for `[*value]`, and for `f(*value)` (its text) or `yield from value` (None).
    "star_items": lambda value: value,
    "star_arguments": lambda value, text: value,
    # The items as a list if a comprehension over them is unrolled.
    "rows_to_unroll": lambda iterated: iterated,
    # The value of a generator expression.
    "generator": _generator,
    # True for a value that Python can iterate over.
    "is_iterable_in_python": lambda value: True,
    # True for a value that cannot change during a run.
    "never_changes": lambda value: isinstance(value, (bool, int, float, complex, str, bytes)),
    "reduce": functools.reduce,
    # -- places
    # The operand, or the iterable, in `x += value`; and for an array or deque `target`, owned or
    # not.
    "add_operand": lambda value: value,
    "right_operand": lambda target, value: value,
    # Whether an item assignment gives the variable of `target` another value, and the error for
    # that where the variable cannot be assigned.
    "rebinds": lambda target: False,
    "refuse_rebinding": _refuse_rebinding,
    # Whether `owner[key]` is a copy, and its assignment after a change of the copy.
    "reads_copy": lambda owner, key: False,
    # True if the backend, not the value itself, gets a slice of an owned value.
    "takes_slice": lambda container, index: False,
    "put_item": _put_item,
    "update": dict.update,
    "get": dict.get,
    # `value` if there is one, else `default`, for a PossiblyUnbound value.
    "either": lambda value, default: value.value if value.defined else default,
    # `found`, the attributes of `owner`, after a check of it; neither need be owned.
    "namespace": lambda owner, found: found,
    # The object whose attribute `shape` is read.
    "shape_owner": lambda value: value,
    # -- match
    # The truth of the comparison of a subject with a value pattern.
    "pattern_test": operator.truth,
    # The type of a value, or of the Python value that it stands for.
    "pattern_kind": lambda value: type(value),
    # The alternatives of a subject, each with its condition.
    "pattern_alternatives": lambda subject: [(True, subject)],
    # Whether a list of unknown length matches, its `ahead` and `behind` items, and those between;
    # None for other values.
    "split_sequence": lambda subject, ahead, behind: None,
    # Whether a mapping has a key, and the value under it.
    "item_under": _item_under,
    # -- text
    # The stand-in that Python formats in place of a value that is, or holds, an owned one; and in
    # place of a Python value whose format spec may hold owned values.
    "text": lambda value: value,
    "sized": lambda value: value,
    # A text that Python has formatted, perhaps with stand-ins in it; one that is not kept is
    # printed at once. No argument is owned.
    "joined": lambda text, is_kept: text,
}
