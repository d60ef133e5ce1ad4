"""The contract of a backend, and the look-up from a value to the backend that owns it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

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

    A backend defines `name`, `owned_types`, `recorder`, `call` and `refusal` at least, and inherits
    the other methods from `PythonBackend`.

    A method that executes code is called only while the backend records, and with a value that it
    owns, unless the method says otherwise. `python.py` is the reference meaning of all methods.

    While a statement runs, its `state` may hold a `Placeholder` in the place of a value: a variable
    without a value (`Undefined`), with a value on some paths (`PossiblyUnbound`), a result before
    the `return` (`UndefinedReturnValue`), or a place whose value is computed (`StoredElsewhere`).

    A backend may have one more attribute: `replacement_of`, a function that returns the replacement
    of a converted function that is about to be called.
    """

    name: str

    def owned_types(self) -> tuple[type, ...]:
        """Return the types, with their subclasses, that this backend owns."""

    def stands_in(self, value: object) -> object | None:
        """Return the substitute for `value` in an operation; None if its contents are not owned.

        A list is checked only after `check_contents_of(list)`: most lists are Python's own.
        """

    def recorder(self) -> object | None:
        """Return None while this backend does not record: then Python's own meaning applies.

        A backend that always records returns itself. Each call of converted code asks this once.
        """

    def staging(self) -> bool:
        """Return whether values that only a run knows have been recorded so far.

        If so, this backend gets each `try` and `with`, and a `match` or comprehension may get
        owned values. A backend that records nothing, and computes at once, returns False.
        """

    def cond(self, test: object, body: Thunk, orelse: Thunk, state: State) -> None:
        """Run `body` if `test` holds, else `orelse`; leave the outcome in `state`.

        A part reads and assigns the variables of `state`: a backend that runs both parts sets the
        state back between them. `test` is any owned value: is it a condition at all?
        """

    def while_loop(
        self, test: Thunk, body: Thunk, state: State, opts: Mapping[str, object], first: object
    ) -> None:
        """Run `body` while `test()` holds.

        Python runs the iterations before the first owned test, so the loop may begin in its middle.

        Args:
            test: evaluates the test again; it may assign variables of `state`.
            body: runs one iteration.
            state: the variables, after the test that gave `first`.
            opts: the arguments of `set_loop_options`, and the loop's own: `exits`, the variables
                of its `break` and `return`.
            first: the result of a test that has been evaluated: do not evaluate it again.
        """

    def for_loop(
        self,
        iterated: object,
        extra_test: Thunk | None,
        body: Callable[[object], None],
        state: State,
        opts: Mapping[str, object],
    ) -> None:
        """Run `body(item)` for the items of `iterated` while `extra_test()` holds.

        Args:
            iterated: an owned value; `range(n)` of an owned `n` is what `call("range", ...)` gave.
            extra_test: called after each iteration: whether no `break` or `return` was reached, an
                owned value or a bool; None in a loop without them.
            body: runs one iteration.
            state: the variables.
            opts: as in `while_loop`, and `iterate_names`, the text of the target.
        """

    def for_rest(
        self,
        proceed: object,
        items: Iterator[object],
        extra_test: Thunk,
        body: Callable[[object], None],
        state: State,
    ) -> None:
        """Continue a Python loop over `items` whose `proceed` became an owned value.

        Args:
            proceed: the latest result of `extra_test()`; no other iteration may run without it.
            items: the items that are left, perhaps without an end.
            extra_test, body, state: as in `for_loop`.
        """

    def try_stmt(self, tried: TryBlock, state: State) -> None:
        """Execute a `try` statement that may depend on values known only when the program runs."""

    def with_stmt(self, managed: WithBlock, state: State) -> None:
        """Execute a `with` statement that may depend on values known only when the program runs."""

    def select(self, test: object, then: Thunk, orelse: Thunk, text: str) -> object:
        """Return `then()` if `test` holds, else `orelse()`.

        `test` is any owned value; `text` is its source, for errors. There is no state: a backend
        finds the variables that a path assigns (`y := x`) in the closures of the parts.
        """

    def logical_and(self, value: object, rest: Thunk, truth: object) -> object:
        """Return `value and rest()`, evaluating no more than Python does.

        `truth` is owned: the value itself, or the result of its `__bool__` or `__len__`.
        """

    def logical_or(self, value: object, rest: Thunk, truth: object) -> object:
        """Return `value or rest()`, evaluating no more than Python does.

        `truth` is owned: the value itself, or the result of its `__bool__` or `__len__`.
        """

    def logical_not(self, value: object) -> object:
        """Return `not value`."""

    def get_item(self, container: object, index: object) -> object:
        """Return `container[index]`, where the index, or a bound of it, is owned."""

    def set_item(self, target: object, index: object, value: object) -> object:
        """Execute `target[index] = value`; return the new value of the variable of `target`."""

    def call(
        self,
        word: str,
        args: Sequence[object],
        kwargs: Mapping[str, object],
        again: Callable[..., object] | None = None,
    ) -> Any:
        """Return the result of anything else that Python does with an owned value.

        Args:
            word: a builtin (`"len"`), a method of a list, deque, tuple or text (`"list.count"`,
                `"str.join"`), a function of `math` (`"math.fsum"`) or NumPy (`"np.sum"`, with the
                function as first argument), or an operation of `MEANINGS` in `python.py`.
            args: its arguments.
            kwargs: its keyword arguments.
            again: does the same with other arguments, whoever owns them; for an argument that is
                one of several objects. None if the operator has no such function.
        """

    def refusal(self, message: str, *, iterating: bool = False) -> Exception:
        """Return the error for an unsupported use of a value, at the user's line if it is known.

        `iterating`: Python would iterate over items that only a run knows.
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
        iterator_replacement_of: the same for an iterator of the user's, with the `__next__` of its
            class.
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
        self.iterator_replacement_of: Callable[..., Any] = lambda items, take_next: items
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
        if backend is None or backend.recorder() is None:
            return None
        return backend

    def is_python(self, value: object) -> bool:
        """Return whether Python itself executes statements on `value`."""
        kind = type(value)
        try:
            backend = self.by_type[id(kind)]
        except KeyError:
            backend = self._find(kind) or self._by_contents(value)
        return backend is None or backend.recorder() is None

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
        found = (b.stands_in(value) for b in self.backends if b.recorder() is not None)
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
        return next((b for b in self.backends if b.recorder() is not None), None)

    def _recorder(self) -> Callable[[], object]:
        """Return a function that returns None while no backend is active; every call runs it."""
        if len(self.backends) == 1:
            return self.backends[0].recorder
        return self.recording

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
