"""The contract of a backend, and the look-up from a value to the backend that owns it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, TypeVar

from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.undefined import Undefined
from runtime.core.weak_tables import IdentityTable, dropping

if TYPE_CHECKING:
    from autograph.backends.try_block import TryBlock
    from autograph.backends.with_block import WithBlock
    from autograph.operators.state import State

Thunk = Callable[[], object]
Compare = Callable[[Any, Any], object]
# The targets of an unpacking: None for a single target, "*" for the one that takes the rest, a
# pattern for a nested unpacking.
Pattern = tuple[Any, ...]
T = TypeVar("T")


class Backend(Protocol):
    """The meaning of statements and expressions for the values of one library.

    The methods are called only with values this backend owns, and only while it is `active`.
    `python.py` is the reference meaning of every one of them. A backend may also have `recorder`, a
    function that gives None exactly while it is not active: a quicker way to ask; and `around`,
    which takes a converted function that is about to be called to what is called in its place.
    """

    name: str

    def owned_types(self) -> tuple[type, ...]:
        """Return the types (with their subclasses) this backend gives a meaning to."""

    def stands_in(self, value: object) -> object | None:
        """Return the substitute for `value` in an operation, if its contents make it owned.

        Asked of lists once `look_into(list)` was called: most are Python's own.
        """

    def active(self) -> bool:
        """Return whether values are being recorded now; else Python's own meaning applies."""

    def staging(self) -> bool:
        """Return whether anything known only when the program runs has been recorded so far."""

    def cond(self, test: object, body: Thunk, orelse: Thunk, state: State) -> None:
        """Run `body` if `test` holds, else `orelse`; leave the outcome in `state`."""

    def while_loop(
        self, test: Thunk, body: Thunk, state: State, opts: Mapping[str, object], first: object
    ) -> None:
        """Run `body` while `test()` holds; `first` is the value the first test gave."""

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
        """Go on with a Python loop over `items` whose `proceed` became a value of this backend."""

    def sequence(self, value: Any) -> Iterator[object]:
        """Yield `value[0]`, `value[1]`, ... up to an IndexError, while this backend records."""

    def never_changes(self, value: object) -> bool:
        """Return whether an owned value is the same at any time of a run."""

    def refused_use(self, message: str) -> Exception:
        """Return the error for an unsupported use of a value, at the user's line."""

    def refused_iteration(self, message: str) -> Exception:
        """Return the error for an iterator that cannot be iterated over where the user does."""

    def drawn(self, items: Iterator[object]) -> Iterator[object]:
        """Yield the items of an iterator of Python's of which a run may take fewer."""

    def unpack_items(self, value: object, pattern: Pattern) -> object:
        """Return the items that Python unpacks for an owned value: one for each target."""

    def star_items(self, value: object) -> object:
        """Return the iterable for `[*value]`."""

    def add_operand(self, value: Any) -> Any:
        """Return the operand, or the iterable, for an owned value in `x += value`."""

    def star_arguments(self, value: object, text: str | None) -> object:
        """Return the iterable for `f(*value)`, spelled `text`, or `yield from` (None)."""

    def select(self, test: object, then: Thunk, orelse: Thunk, text: str) -> object:
        """Return `then()` if `test` holds, else `orelse()`; `text` is the source of the test."""

    def logical_and(self, value: object, rest: Thunk, truth: object) -> object:
        """Return `value and rest()`; owned is `truth`: the value, or what it says of its truth."""

    def logical_or(self, value: object, rest: Thunk, truth: object) -> object:
        """Return `value or rest()`, evaluating no more than Python does.

        Owned is `truth`: the value itself, or what it says about whether it is true.
        """

    def logical_not(self, value: object) -> object:
        """Return `not value`."""

    def pattern_test(self, value: object) -> object:
        """Return the truth of `value`, the result of comparing a subject with a pattern."""

    def pattern_kind(self, value: object) -> type:
        """Return the type of `value`, or of the Python value it stands for."""

    def run_apart(
        self, subject: object, ahead: int, behind: int | None
    ) -> tuple[object, Sequence[object], object] | None:
        """Return whether an owned list has so many items, those, and what is between them; None for
        what is no list of which only a run knows the length."""

    def pattern_parts(self, subject: object) -> Sequence[tuple[object, object]]:
        """Return the alternatives of a subject to look into, each with its condition."""

    def same(self, left: object, right: object) -> object:
        """Return `left is right`, for two that are not the same object; neither need be owned."""

    def callable_of(self, f: Any, callee: Callable[[Any], Any]) -> Callable[..., Any]:
        """Return the callable for `f`, which is owned; `callee` finds the converted form."""

    def contains(
        self, item: object, container: object, again: Callable[[object, object], object]
    ) -> object:
        """Return `item in container`, where either or an item of the container is owned.

        A container that is one of several is asked as each of them: `again` does so.
        """

    def compares_parts(self, left: object, right: object) -> bool:
        """Tell whether an owned value and another are compared by the parts Python sees in them."""

    def compared(self, compare: Compare, left: object, right: object) -> object:
        """Return `compare(left, right)`, one of Python's operators, of containers that hold an
        owned value."""

    def repeated(self, value: list[Any] | tuple[Any, ...], count: Any) -> object:
        """Return `value * count`, of an owned `count`."""

    def list_method(
        self, target: list[Any] | tuple[Any, ...], name: str, args: Sequence[object]
    ) -> object:
        """Return the result of a list or tuple method that compares items, some of them owned."""

    def get_item(self, container: object, index: object) -> object:
        """Return `container[index]`, where the index, or a bound of it, is owned."""

    def attempt(self, tried: TryBlock, state: State) -> None:
        """Execute a `try` statement that may depend on values known only when the program runs."""

    def uncatchable(self, kinds: Thunk, message: str) -> AbstractContextManager[None]:
        """Return a context for statements in which no run may raise one of `kinds()`."""

    def raised(self, value: object) -> object:
        """Return the exception, or class of one, that an owned value stands for."""

    def manage(self, managed: WithBlock, state: State) -> None:
        """Execute a `with` statement that may depend on values known only when the program runs."""

    def assert_(self, test: object, message: Thunk | None) -> None:
        """Raise AssertionError when the program runs and `test` does not hold."""

    def returned(self, did_return: object, value: object) -> object:
        """Return the result of a call that returned `value` only if `did_return` holds."""

    def delete_item(self, target: list[Any], index: object) -> None:
        """Execute `del target[index]`, where the index, or a bound of it, is owned."""

    def refuse_rebinding(self, name: str) -> NoReturn:
        """Raise an error: an item is assigned of a variable that cannot be given another value."""

    def few_items(self, iterated: object) -> object:
        """Return the items of `iterated` in a list if a comprehension is written out for them."""

    def generator(self, iterated: object, over: Callable[..., Iterable[object]]) -> object:
        """Return the value of a generator expression over `iterated`; `over(items, take)` makes the
        user's generator over other items, which calls `take(element, *tests)` with thunks."""

    def picks_copy(self, owner: object, key: object) -> bool:
        """Tell whether `owner[key]`, of an owned `owner`, is a copy that is not the owner's own."""

    def put_item(self, owner: object, key: object, value: object) -> None:
        """Execute `owner[key] = value`, where either is owned and `value` was read there before."""

    def right_operand(self, target: object, value: object) -> object:
        """Return the operand of `target += value`, where the type of `target` is not owned."""

    def rebinds(self, target: object) -> bool:
        """Tell whether assigning an item of `target`, which is owned, makes another value of it."""

    def set_item(self, target: object, index: object, value: object) -> object:
        """Return the value of the variable that holds `target` after `target[index] = value`."""

    def shape_owner(self, value: object) -> object:
        """Return the object whose attribute `shape` is read for an owned value."""

    def text(self, value: object) -> object:
        """Return the value that Python formats in place of one that is, or holds, one of these."""

    def sized(self, value: object) -> object:
        """Return the value that Python formats in place of its own, by a specification that may
        have values of this backend in it."""

    def joined(self, text: str, is_kept: bool = True) -> object:
        """Return a string that Python has joined, or its staged form if it has such values in it.

        What is not kept is printed at once.
        """

    def text_method(self, text: str, name: str, args: Sequence[object]) -> object:
        """Return `text.name(*args)`, where an argument is owned."""

    def percent(self, template: str, values: object) -> object:
        """Return `template % values`, with one of these among the values."""

    def formatted(
        self, template: str, args: tuple[object, ...], kwargs: Mapping[str, object]
    ) -> object:
        """Return `template.format(*args, **kwargs)`, with one of these among the arguments."""

    def print_(self, values: Sequence[object], options: Mapping[str, object]) -> None:
        """Print when the program runs: `print(*values, **options)`, one of these among them."""

    def together(self, separator: str, parts: Sequence[object]) -> object:
        """Return `separator.join(parts)`, with one of these among the parts."""

    def namespace(self, owner: object, found: T) -> T:
        """Return `found`, what an object not owned has: all its attributes, or its cause."""

    def builtin(
        self,
        name: str,
        args: Sequence[object],
        kwargs: Mapping[str, object],
        again: Callable[..., object] | None = None,
    ) -> object:
        """Return the result of the builtin function `name` for these arguments.

        An argument that is one of several objects is asked as each of them: `again` gives what the
        builtin gives for other arguments, whoever owns them.
        """


class Backends:
    """An ordered set of backends, asked by the type of a value.

    Attributes:
        backends: the backends.
        by_type: who owns values of the types met so far, by the identity of the type, for which no
            metaclass is asked.
        recorder: a function that gives None while none of them is active.
        around: takes a converted function to what is called in its place.
        generator: takes a generator function to what is called in its place.
        over_sieve: what a builtin makes of an iterator that a sieve is; None for Python's own.
        on_new_type: called with the type of a value when the first one of it is met.

    >>> Backends(()).of(3) is None
    True
    """

    def __init__(self, backends: Iterable[Backend]) -> None:
        self.backends = tuple(backends)
        self.recorder = self._recorder()
        self.around = self._around()
        self.on_new_type: Callable[[type], object] = lambda kind: None
        self.looked_into: tuple[type, ...] = ()
        self.generator: Callable[[Any], Any] = lambda made: made
        self.over_sieve: Callable[..., object] = lambda name, args, kwargs: None
        ALL_BACKENDS.put(self, None)
        self._owners = [(kind, b) for b in self.backends for kind in b.owned_types()]
        self.by_type: dict[int, Backend | None] = {}
        self._met: dict[int, object] = {}

    def owner(self, value: object) -> Backend | None:
        """Return the backend that owns `value`, recording or not, else None."""
        kind = type(value)
        try:
            return self.by_type[id(kind)]
        except KeyError:
            return self._find(kind) or self._by_contents(value)

    def of(self, value: object) -> Backend | None:
        """Return the backend that executes statements on `value`, None for Python."""
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
        """Return `value` or its substitute; its type is registered now if it is new."""
        if id(type(value)) not in self.by_type:
            if type(value) is PossiblyUnbound:
                return value.read()  # type: ignore[attr-defined]
            self._find(type(value))
            if self.looked_into and isinstance(value, self.looked_into):
                return self._stand_in(value)
        return value

    def look_into(self, kind: type) -> None:
        """From now on let backends say of each value of a type of Python's whether it is theirs."""
        if kind not in self.looked_into:
            self.looked_into = (*self.looked_into, kind)
            self.by_type.clear()

    def _stand_in(self, value: T) -> T:
        found = (b.stands_in(value) for b in self.backends if b.active())
        # No function of another module is called here: a debugger would step into it.
        return next((f for f in found if f is not None), value)  # type: ignore[return-value]

    def _by_contents(self, value: object) -> Backend | None:
        """Return the backend that owns a value for what it holds."""
        if not self.looked_into or not isinstance(value, self.looked_into):
            return None
        return next((b for b in self.backends if b.stands_in(value) is not None), None)

    def meet(self, kind: type) -> None:
        """Register a type of which values are going to be made."""
        if id(kind) not in self.by_type:
            self._find(kind)

    def of_any(self, values: Iterable[object]) -> Backend | None:
        """Return the backend of the first value that has one, None when Python decides."""
        for value in values:
            backend = self.of(value)
            if backend is not None:
                return backend
        return None

    def recording(self) -> Backend | None:
        """Return the backend that is active, whose values or not; None when Python decides."""
        return next((backend for backend in self.backends if backend.active()), None)

    def _recorder(self) -> Callable[[], object]:
        """Return a function that gives None while no backend is active; every call asks it."""
        given = [getattr(backend, "recorder", None) for backend in self.backends]
        if len(given) == 1 and given[0] is not None:
            return given[0]
        return lambda: next((b for b in self.backends if b.active()), None)

    def _around(self) -> Callable[[Any], Any]:
        given = [getattr(backend, "around", None) for backend in self.backends]
        return next((each for each in given if each is not None), lambda made: made)

    def _find(self, kind: type) -> Backend | None:
        if issubclass(kind, Undefined):
            # Never met: who finds a type met takes the value for one.
            return None
        identity = id(kind)
        if identity in self._met and issubclass(kind, self.looked_into):
            return None  # known, but looked into each time
        # CPython 3.11 makes some of its types ready when an attribute of them is asked for; of one
        # that is not, ABCs must not be asked: `type(code.co_positions())` ends the process.
        _ = kind.__mro__
        found = next((b for owned, b in self._owners if issubclass(kind, owned)), None)

        if found is None:
            # Before others take it for met.
            self.on_new_type(kind)
        tables: tuple[dict[int, Any], ...] = (self._met, self.by_type)
        self._met[identity] = [dropping(kind, table, identity) for table in tables]
        if not issubclass(kind, self.looked_into):
            self.by_type[identity] = found
        return found


ALL_BACKENDS: IdentityTable[Backends, None] = IdentityTable()
