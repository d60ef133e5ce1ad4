"""The contract of a backend, and the look-up from a value to the backend that owns it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, TypeVar

from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.try_block import TryBlock
from autograph.backends.undefined import Undefined
from autograph.backends.with_block import WithBlock
from runtime.core.weak_tables import IdentityTable, weakref_removing

if TYPE_CHECKING:
    from autograph.operators.state import State

Thunk = Callable[[], object]
Compare = Callable[[Any, Any], object]
# The targets of an unpacking: None for a single target, "*" for the one that takes the rest, a
# pattern for a nested unpacking.
Pattern = tuple[Any, ...]
T = TypeVar("T")


class Backend(Protocol):
    """The meaning of statements and expressions for the values of one library.

    A method that executes code is called only while the backend is `active`, and with a value that
    it owns, unless the method says otherwise. `python.py` is the reference meaning of all methods.
    A backend may have two more attributes: `recorder`, a function that returns None exactly while
    the backend is not active, and is faster than `active`; and `replacement_of`, a function that
    returns the replacement of a converted function that is about to be called.
    """

    name: str

    def owned_types(self) -> tuple[type, ...]:
        """Return the types, with their subclasses, that this backend owns."""

    def stands_in(self, value: object) -> object | None:
        """Return the substitute for `value` in an operation; None if its contents are not owned.

        A list is checked only after `check_contents_of(list)`: most lists are Python's own.
        """

    def active(self) -> bool:
        """Return whether the backend is recording; otherwise Python's own meaning applies."""

    def staging(self) -> bool:
        """Return whether values that only a run knows have been recorded so far."""

    def cond(self, test: object, body: Thunk, orelse: Thunk, state: State) -> None:
        """Run `body` if `test` holds, else `orelse`; leave the outcome in `state`."""

    def while_loop(
        self, test: Thunk, body: Thunk, state: State, opts: Mapping[str, object], first: object
    ) -> None:
        """Run `body` while `test()` holds; `first` is the result of the first test."""

    def for_loop(
        self,
        iterated: object,
        extra_test: Thunk | None,
        body: Callable[[object], None],
        state: State,
        opts: Mapping[str, object],
    ) -> None:
        """Run `body(item)` for the items of `iterated` while `extra_test()` holds."""

    def for_rest(
        self,
        proceed: object,
        items: Iterator[object],
        extra_test: Thunk,
        body: Callable[[object], None],
        state: State,
    ) -> None:
        """Continue a Python loop over `items` whose `proceed` became an owned value."""

    def sequence(self, value: Any) -> Iterator[object]:
        """Yield `value[0]`, `value[1]`, ... up to an IndexError, while this backend records."""

    def never_changes(self, value: object) -> bool:
        """Return whether an owned value cannot change during a run."""

    def refused_use(self, message: str) -> Exception:
        """Return the error for an unsupported use of a value, at the user's line."""

    def refused_iteration(self, message: str) -> Exception:
        """Return the error for an iteration that is not supported, at the user's line."""

    def consuming(self, items: Iterator[object]) -> Iterator[object]:
        """Yield the items of a Python iterator, of which a run may consume fewer."""

    def unpack_items(self, value: object, pattern: Pattern) -> object:
        """Return the items of an owned value for an unpacking: one for each target."""

    def star_items(self, value: object) -> object:
        """Return the iterable for `[*value]`."""

    def add_operand(self, value: Any) -> Any:
        """Return the operand, or the iterable, for an owned value in `x += value`."""

    def star_arguments(self, value: object, text: str | None) -> object:
        """Return the iterable for `f(*value)`, spelled `text`, or `yield from` (None)."""

    def select(self, test: object, then: Thunk, orelse: Thunk, text: str) -> object:
        """Return `then()` if `test` holds, else `orelse()`; `text` is the source of the test."""

    def logical_and(self, value: object, rest: Thunk, truth: object) -> object:
        """Return `value and rest()`; `truth`, the value or its truth, is owned."""

    def logical_or(self, value: object, rest: Thunk, truth: object) -> object:
        """Return `value or rest()`, evaluating no more than Python does.

        `truth`, the value itself or its truth, is owned.
        """

    def logical_not(self, value: object) -> object:
        """Return `not value`."""

    def pattern_test(self, value: object) -> object:
        """Return the truth of `value`, the comparison of a subject with a value pattern."""

    def pattern_kind(self, value: object) -> type:
        """Return the type of `value`, or of the Python value it stands for."""

    def split_sequence(
        self, subject: object, ahead: int, behind: int | None
    ) -> tuple[object, Sequence[object], object] | None:
        """Return whether a list matches a sequence pattern, its items, and those of the star.

        The result is None for a value that is not a staged list.

        Args:
            subject: the value.
            ahead: the number of patterns before the star, or of all patterns without one.
            behind: the number of patterns after the star; None without a star.
        """

    def item_under(self, subject: object, key: object) -> tuple[object, object]:
        """Return whether a mapping has a key: a truth value or a tensor, and the value under it."""

    def pattern_alternatives(self, subject: object) -> Sequence[tuple[object, object]]:
        """Return the alternatives of a match subject, each with its condition."""

    def same(self, left: object, right: object) -> object:
        """Return `left is right` for two different objects; neither need be owned."""

    def callable_of(self, f: Any, callee: Callable[[Any], Any]) -> Callable[..., Any]:
        """Return the callable for an owned `f`; `callee` finds the converted form."""

    def contains(
        self, item: object, container: object, again: Callable[[object, object], object]
    ) -> object:
        """Return `item in container`, where either or an item of the container is owned.

        For a container that is one of several, `again` tests each of them.
        """

    def compares_parts(self, left: object, right: object) -> bool:
        """Return whether Python compares two values, one of them owned, item by item."""

    def compare_containers(self, compare: Compare, left: object, right: object) -> object:
        """Return `compare(left, right)`, a comparison of containers with owned values."""

    def repeat(self, value: list[Any] | tuple[Any, ...], count: Any) -> object:
        """Return `value * count` for an owned `count`."""

    def list_method(
        self, target: list[Any] | tuple[Any, ...], name: str, args: Sequence[object]
    ) -> object:
        """Return the result of a list or tuple method that compares items or takes an index.

        Some of the items, or the index, are owned.
        """

    def get_item(self, container: object, index: object) -> object:
        """Return `container[index]`, where the index, or a bound of it, is owned."""

    def try_stmt(self, tried: TryBlock, state: State) -> None:
        """Execute a `try` statement that may depend on values known only when the program runs."""

    def uncatchable(self, kinds: Thunk, message: str) -> AbstractContextManager[None]:
        """Return a context in which nodes that may raise one of `kinds()` are refused."""

    def raised(self, value: object) -> object:
        """Return the exception, or exception class, of an owned value."""

    def with_stmt(self, managed: WithBlock, state: State) -> None:
        """Execute a `with` statement that may depend on values known only when the program runs."""

    def assert_(self, test: object, message: Thunk | None) -> None:
        """Raise AssertionError at run time if `test` does not hold."""

    def returned(self, did_return: object, value: object) -> object:
        """Return the result of a call: `value` if `did_return` holds, else None."""

    def delete_item(self, target: list[Any], index: object) -> None:
        """Execute `del target[index]`, where the index, or a bound of it, is owned."""

    def refuse_rebinding(self, name: str) -> NoReturn:
        """Raise the error for an item assignment that would have to rebind an outer variable."""

    def rows_to_unroll(self, iterated: object) -> object:
        """Return the items of `iterated` as a list if a comprehension over them is unrolled."""

    def generator(self, iterated: object, over: Callable[..., Iterable[object]]) -> object:
        """Return the value of a generator expression over `iterated`.

        `over(items, take)` creates the user's generator over other items. For each item it calls
        `take(element, *tests)` with thunks of the element and of the conditions.
        """

    def reads_copy(self, owner: object, key: object) -> bool:
        """Return whether `owner[key]`, of an owned `owner`, is a copy of the owner's item."""

    def put_item(self, owner: object, key: object, value: object) -> None:
        """Execute `owner[key] = value`, where `value` was read from there before."""

    def right_operand(self, target: object, value: object) -> object:
        """Return the operand of `target += value`, where the type of `target` is not owned."""

    def rebinds(self, target: object) -> bool:
        """Return whether an item assignment to an owned `target` gives its variable a new value."""

    def set_item(self, target: object, index: object, value: object) -> object:
        """Execute `target[index] = value`; return the new value of the variable of `target`."""

    def shape_owner(self, value: object) -> object:
        """Return the object whose attribute `shape` is read for an owned value."""

    def text(self, value: object) -> object:
        """Return the stand-in to format in place of a value that is, or holds, an owned one."""

    def sized(self, value: object) -> object:
        """Return the stand-in for a Python value whose format spec may contain owned values."""

    def joined(self, text: str, is_kept: bool = True) -> object:
        """Return a string that Python has formatted, or its staged form if it has stand-ins in it.

        A text that is not kept is printed at once.
        """

    def text_method(self, text: str, name: str, args: Sequence[object]) -> object:
        """Return `text.name(*args)`, where an argument is owned."""

    def format_percent(self, template: str, values: object) -> object:
        """Return `template % values`, with an owned value among the values."""

    def format_method(
        self, template: str, args: tuple[object, ...], kwargs: Mapping[str, object]
    ) -> object:
        """Return `template.format(*args, **kwargs)`, with an owned value among the arguments."""

    def print_(self, values: Sequence[object], options: Mapping[str, object]) -> None:
        """Record `print(*values, **options)`, with an owned value among the values."""

    def join_strings(self, separator: str, parts: Sequence[object]) -> object:
        """Return `separator.join(parts)`, with an owned value among the parts."""

    def namespace(self, owner: object, found: T) -> T:
        """Return `found`, the attributes or the cause of an object, after a check of the object."""

    def builtin(
        self,
        name: str,
        args: Sequence[object],
        kwargs: Mapping[str, object],
        again: Callable[..., object] | None = None,
    ) -> object:
        """Return the result of the builtin function `name` for these arguments.

        For an argument that is one of several objects, `again` calls the builtin with each of them,
        whoever owns them.
        """


class Backends:
    """An ordered set of backends, with a look-up by the type of a value.

    Attributes:
        backends: the backends.
        by_type: the backend that owns a registered type, None for Python, by the identity of the
            type: a look-up by the type itself could run the code of a metaclass.
        recorder: a function that returns None while no backend is active.
        replacement_of: returns the replacement of a converted function that is about to be called.
        generator_replacement_of: the same for a converted generator function.
        lazy_builtin: returns the iterator that a builtin makes of a lazy filter; None if Python's
            own builtin makes it.
        on_new_type: called with each type that is registered.
        checked_types: types whose values backends may own because of their contents.

    >>> Backends(()).of(3) is None
    True
    """

    def __init__(self, backends: Iterable[Backend]) -> None:
        self.backends = tuple(backends)
        self.recorder = self._recorder()
        self.replacement_of = self._replacement_of()
        self.on_new_type: Callable[[type], object] = lambda kind: None
        self.checked_types: tuple[type, ...] = ()
        self.generator_replacement_of: Callable[[Any], Any] = lambda made: made
        self.lazy_builtin: Callable[..., object] = lambda name, args, kwargs: None
        ALL_BACKENDS.put(self, None)
        self._owners = [(kind, b) for b in self.backends for kind in b.owned_types()]
        self.by_type: dict[int, Backend | None] = {}
        self._registered: dict[int, object] = {}

    def owner(self, value: object) -> Backend | None:
        """Return the backend that owns `value`, recording or not; None for Python."""
        kind = type(value)
        try:
            return self.by_type[id(kind)]
        except KeyError:
            return self._find(kind) or self._by_contents(value)

    def of(self, value: object) -> Backend | None:
        """Return the backend that executes statements on `value`; None for Python."""
        kind = type(value)
        try:
            backend = self.by_type[id(kind)]
        except KeyError:
            backend = self._find(kind) or self._by_contents(value)
        if backend is None or not backend.active():
            return None
        return backend

    def is_python(self, value: object) -> bool:
        """Return whether Python itself executes statements on `value`."""
        kind = type(value)
        try:
            backend = self.by_type[id(kind)]
        except KeyError:
            backend = self._find(kind) or self._by_contents(value)
        return backend is None or not backend.active()

    def operand(self, value: T) -> T:
        """Return `value` or its substitute; register its type if it is new."""
        if id(type(value)) not in self.by_type:
            if type(value) is PossiblyUnbound:
                return value.read()  # type: ignore[attr-defined]
            self._find(type(value))
            if self.checked_types and isinstance(value, self.checked_types):
                return self._stand_in(value)
        return value

    def check_contents_of(self, kind: type) -> None:
        """Let backends check the contents of each value of a type from now on."""
        if kind not in self.checked_types:
            self.checked_types = (*self.checked_types, kind)
            self.by_type.clear()

    def _stand_in(self, value: T) -> T:
        found = (b.stands_in(value) for b in self.backends if b.active())
        # This calls no function of another module: a debugger would step into it.
        return next((f for f in found if f is not None), value)  # type: ignore[return-value]

    def _by_contents(self, value: object) -> Backend | None:
        """Return the backend that owns a value because of its contents."""
        if not self.checked_types or not isinstance(value, self.checked_types):
            return None
        return next((b for b in self.backends if b.stands_in(value) is not None), None)

    def register_type(self, kind: type) -> None:
        """Register a type before its first value."""
        if id(kind) not in self.by_type:
            self._find(kind)

    def of_any(self, values: Iterable[object]) -> Backend | None:
        """Return the backend of the first value that has one; None if Python decides."""
        for value in values:
            backend = self.of(value)
            if backend is not None:
                return backend
        return None

    def recording(self) -> Backend | None:
        """Return the active backend, whoever owns the values; None if Python decides."""
        return next((backend for backend in self.backends if backend.active()), None)

    def _recorder(self) -> Callable[[], object]:
        """Return a function that returns None while no backend is active; every call runs it."""
        given = [getattr(backend, "recorder", None) for backend in self.backends]
        if len(given) == 1 and given[0] is not None:
            return given[0]
        return lambda: next((b for b in self.backends if b.active()), None)

    def _replacement_of(self) -> Callable[[Any], Any]:
        given = [getattr(backend, "replacement_of", None) for backend in self.backends]
        return next((each for each in given if each is not None), lambda made: made)

    def _find(self, kind: type) -> Backend | None:
        if issubclass(kind, Undefined):
            # Such a type is never registered: values of registered types count as bound.
            return None
        identity = id(kind)
        if identity in self._registered and issubclass(kind, self.checked_types):
            return None  # registered, but the contents of each value are checked
        # CPython 3.11 initializes some of its types when an attribute of them is read. ABCs must
        # not test a type before that: `type(code.co_positions())` ends the process.
        _ = kind.__mro__
        found = next((b for owned, b in self._owners if issubclass(kind, owned)), None)

        if found is None:
            # Called before others can find the type registered.
            self.on_new_type(kind)
        tables: tuple[dict[int, Any], ...] = (self._registered, self.by_type)
        self._registered[identity] = [weakref_removing(kind, table, identity) for table in tables]
        if not issubclass(kind, self.checked_types):
            self.by_type[identity] = found
        return found


ALL_BACKENDS: IdentityTable[Backends, None] = IdentityTable()
