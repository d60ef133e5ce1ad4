"""The reference meaning of every statement: what Python itself does.

Operators do the same without a call of this module, since most values are Python's own. It is a
backend for two readers: people who port this project to another tensor library, and the tests that
compare other backends with it.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NoReturn, TypeVar

from autograph.backends.protocol import Compare, Pattern, Thunk
from autograph.backends.try_block import TryBlock
from autograph.backends.with_block import WithBlock
from autograph.operators.state import State

T = TypeVar("T")


_NO_ITEM = object()


class PythonBackend:
    """Statements on Python values."""

    name = "python"

    def owned_types(self) -> tuple[type, ...]:
        """Return every type."""
        return (object,)

    def active(self) -> bool:
        """Return True: Python can always execute a statement."""
        return True

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

    def sequence(self, value: Any) -> Iterator[object]:
        """Return Python's iterator for a class with `__getitem__` alone."""
        return iter(value)

    def refused_use(self, message: str) -> Exception:
        """Return the error that Python raises for an unsupported use."""
        return TypeError(message)

    def refused_iteration(self, message: str) -> Exception:
        """Return the error that Python raises for a value that is not iterable."""
        return TypeError(message)

    def unpack_items(self, value: object, pattern: Pattern) -> object:
        """Return the value: Python unpacks it."""
        return value

    def star_items(self, value: object) -> object:
        """Return the value: Python iterates over it."""
        return value

    def add_operand(self, value: Any) -> Any:
        """Return the value: Python adds it."""
        return value

    def star_arguments(self, value: object, text: str | None) -> object:
        """Return the value: Python iterates over it."""
        return value

    def consuming(self, items: Iterator[object]) -> Iterator[object]:
        """Return the iterator unchanged."""
        return items

    def never_changes(self, value: object) -> bool:
        """Return whether the value is a number or a text."""
        return isinstance(value, (bool, int, float, complex, str, bytes))

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

    def pattern_test(self, value: object) -> object:
        """Return whether `value` is true."""
        return bool(value)

    def pattern_kind(self, value: object) -> type:
        """Return the type of `value`."""
        return type(value)

    def split_sequence(
        self, subject: object, ahead: int, behind: int | None
    ) -> tuple[object, Sequence[object], object] | None:
        """Return None: Python knows the lengths of its lists."""
        return None

    def item_under(self, subject: Any, key: object) -> tuple[object, object]:
        """Return whether a mapping has a key, and the value under it."""
        value = subject.get(key, _NO_ITEM)
        return value is not _NO_ITEM, value

    def pattern_alternatives(self, subject: object) -> Sequence[tuple[object, object]]:
        """Return the subject; attributes of None are looked up like others."""
        return [(True, subject)]

    def same(self, left: object, right: object) -> object:
        """Return `left is right`."""
        return left is right

    def callable_of(self, f: Any, callee: Callable[[Any], Any]) -> Callable[..., Any]:
        """Return `f` itself: the operators have found its converted form, if there is one."""
        return f

    def contains(
        self, item: object, container: object, again: Callable[[object, object], object]
    ) -> object:
        """Return `item in container`."""
        return item in container  # type: ignore[operator]

    def compares_parts(self, left: object, right: object) -> bool:
        """Return False: Python compares the containers."""
        return False

    def compare_containers(self, compare: Compare, left: object, right: object) -> object:
        """Return the result of Python's operator."""
        return compare(left, right)

    def list_method(
        self, target: list[Any] | tuple[Any, ...], name: str, args: Sequence[object]
    ) -> object:
        """Call the method."""
        return getattr(target, name)(*args)

    def get_item(self, container: object, index: object) -> object:
        """Return `container[index]`."""
        return container[index]  # type: ignore[index]

    def delete_item(self, target: list[Any], index: Any) -> None:
        """Remove the item."""
        del target[index]

    def repeat(self, value: list[Any] | tuple[Any, ...], count: Any) -> object:
        """Return `value * count`."""
        return value * count

    def stands_in(self, value: object) -> object | None:
        """Return None: every value stands for itself."""
        return None

    def try_stmt(self, tried: TryBlock, state: State) -> None:
        """Run the statement."""
        tried.run()

    def uncatchable(self, kinds: Thunk, message: str) -> AbstractContextManager[None]:
        """Return a context that does nothing: Python sees every exception."""
        return nullcontext()

    def raised(self, value: object) -> object:
        """Return the exception unchanged."""
        return value

    def with_stmt(self, managed: WithBlock, state: State) -> None:
        """Run the statement."""
        managed.run()

    def assert_(self, test: object, message: Thunk | None) -> None:
        """Raise AssertionError if `test` is false."""
        if not test:
            raise AssertionError if message is None else AssertionError(message())

    def returned(self, did_return: object, value: object) -> object:
        """Return `value` if a return was reached, else None."""
        return value if did_return else None

    def rows_to_unroll(self, iterated: object) -> object:
        """Return the iterable unchanged."""
        return iterated

    def generator(self, iterated: Any, over: Callable[..., Iterable[object]]) -> object:
        """Return Python's generator."""

        def take(element: Thunk, *tests: Thunk) -> tuple[object, ...]:
            return (element(),) if all(test() for test in tests) else ()

        return (each for taken in over(iterated, take) for each in taken)  # type: ignore[attr-defined]

    def reads_copy(self, owner: object, key: object) -> bool:
        """Return False: an item is the owner's own."""
        return False

    def put_item(self, owner: object, key: object, value: object) -> None:
        """Assign the item."""
        owner[key] = value  # type: ignore[index]

    def right_operand(self, target: object, value: object) -> object:
        """Return the right operand of `target += value`."""
        return value

    def rebinds(self, target: object) -> bool:
        """Return False: Python assigns in place."""
        return False

    def refuse_rebinding(self, name: str) -> NoReturn:
        """Raise AssertionError: an item assignment in Python never rebinds a variable."""
        raise AssertionError(f"'{name}' keeps its value")

    def set_item(self, target: object, index: object, value: object) -> object:
        """Assign the item in place."""
        target[index] = value  # type: ignore[index]
        return target

    def shape_owner(self, value: object) -> object:
        """Return the value."""
        return value

    def text(self, value: object) -> object:
        """Return the value: Python formats it."""
        return value

    def sized(self, value: object) -> object:
        """Return the value: Python formats it."""
        return value

    def joined(self, text: str, is_kept: bool = True) -> object:
        """Return the text."""
        return text

    def text_method(self, text: str, name: str, args: Sequence[object]) -> object:
        """Return the result of the method."""
        return getattr(text, name)(*args)

    def format_percent(self, template: str, values: object) -> object:
        """Return `template % values`."""
        return template % values

    def format_method(
        self, template: str, args: tuple[object, ...], kwargs: Mapping[str, object]
    ) -> object:
        """Return `template.format(*args, **kwargs)`."""
        return template.format(*args, **kwargs)

    def print_(self, values: Sequence[object], options: Mapping[str, Any]) -> None:
        """Print."""
        print(*values, **options)

    def join_strings(self, separator: str, parts: Sequence[str]) -> object:
        """Return `separator.join(parts)`."""
        return separator.join(parts)

    def namespace(self, owner: object, found: T) -> T:
        """Return the attributes."""
        return found

    def builtin(
        self,
        name: str,
        args: Sequence[object],
        kwargs: Mapping[str, object],
        again: Callable[..., object] | None = None,
    ) -> object:
        """Call the builtin."""
        return getattr(builtins, name)(*args, **kwargs)
