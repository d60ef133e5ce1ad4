"""Staged generators: their code is the loop, with the consumer's body at each `yield`.

    def evens(n):                           for v in evens(n): total += v
        for i in range(n):
            if i % 2 == 0: yield i      ->  evens(n, take_=body), with `if not take_(i): return`

A loop of a graph cannot suspend its body, as a generator does, but the generator's code can call
the consumer. Python runs generators if it can; otherwise the function is traced again with some
staged.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import CodeType, FrameType, FunctionType, GeneratorType
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import ref

from autograph.backends.lazy_iterator import LazyIterator
from autograph.backends.protocol import Backends, Thunk
from autograph.operators.call_listeners import GeneratorCalls, generator_calls, notify_call
from autograph.operators.comprehension_sinks import CollectSink
from autograph.operators.frames import is_internal_code
from autograph.operators.lazy_filter import FilteredIterator
from autograph.operators.special_methods import SpecialMethodOperators
from autograph.operators.state import State
from autograph.operators.tracebacks import drop_internal_frames
from runtime.core.lazy_imports import load_module

if TYPE_CHECKING:
    from autograph.operators.generator_references import TailsOf

ConsumerForm = Callable[..., "tuple[FunctionType, tuple[str, ...], GeneratorProperties] | None"]


# The functions of `generator_builtins`, by the backends' names of builtins. Few programs need that
# module, so it is imported on first use.
FORMS = {
    "enumerate": "enumerated",
    "zip": "zipped",
    "starmap": "mapped",
    "islice": "sliced",
    "islice.bounds": "check_bounds",
    "chain": "chained",
    "from_iterable": "chained_from",
    "compress": "compressed",
    "takewhile": "take_while",
    "dropwhile": "dropped_while",
    "accumulate": "accumulated",
    "pairwise": "in_pairs",
    "product": "products",
    "combinations": "combined",
    "combinations_with_replacement": "combined_again",
    "zip_longest": "longest_zipped",
    "groupby": "grouped",
    "items": "items_of",
    "next.default": "next_or",
}


def form_of_builtin(name: str) -> Any:
    """Return the function that does the same as a builtin; None if there is none.

    >>> list(form_of_builtin("chain")([1], [2]))
    [1, 2]
    """
    if name not in FORMS:
        return None
    return getattr(load_module("autograph.operators.generator_builtins"), FORMS[name])


_COLLECTIONS = (list, tuple, range, str, bytes, dict, set, frozenset)
_UNCHANGING = (bool, int, float, complex, str, bytes, range, type(None))


class Generators:
    """The calls of generator functions.

    Args:
        backends: the backends that may be recording.
        consumer_form: takes a converted generator function, and whether its return value is used;
            see `calls.Functions.consumer_form`.
        tails_of: finds the operations of a function after a line.
        exit_of: returns the way in which the end of a `with` depends on an exception; see
            `calls.Functions.exit_of`.
    """

    def __init__(
        self,
        backends: Backends,
        consumer_form: ConsumerForm,
        tails_of: TailsOf,
        exit_of: Callable[[FunctionType], str],
    ) -> None:
        self._backends, self._consumer_form = backends, consumer_form
        self._tails_of, self._exit_of = tails_of, exit_of

    def around(self, made: FunctionType) -> Callable[..., Any]:
        """Return the replacement of a converted generator function in the current trace."""
        calls = generator_calls()
        if calls is None or self._backends.recorder() is None:
            return made
        if made.__code__ in calls.staged.codes:
            return partial(self._consumed, made)
        calls.in_python.setdefault(made.__code__, partial(self._consumer_form, made))
        return partial(_driven, calls, made)

    def of_iterator(self, items: Any, take_next: FunctionType) -> Any:
        """Return the replacement of a user's iterator in the current trace.

        It is staged as a generator of its items, which ends at its StopIteration.

        Args:
            items: the iterator.
            take_next: the `__next__` of its class.
        """
        calls, form = generator_calls(), form_of_builtin("items")
        if calls is None:
            return items
        if take_next.__code__ in calls.staged.codes:
            return self._consumed(form, items)
        calls.in_python.setdefault(take_next.__code__, partial(self._consumer_form, form))
        return items

    def lazy_builtin(
        self, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> ConsumedGenerator | None:
        """Return the stand-in for a builtin's iterator over others, one of them a lazy filter.

        None if the builtin has no form as a generator.

        The builtin is written as a generator, which is converted as the user's are.
        """
        if name == "map" and not kwargs:
            function, *several = args
            return self.lazy_builtin(
                "starmap", (function, self.lazy_builtin("zip", several, {})), {}
            )
        function = None if name == "zip" and kwargs else form_of_builtin(name)
        if function is None:
            return None
        given = self._zip_arguments(args) if name == "zip" else args
        made: ConsumedGenerator = self._consumed(function, *given, **kwargs)
        return made

    def _zip_arguments(self, args: Sequence[Any]) -> tuple[Any, list[Any], list[Any]]:
        """Return the argument of `zip` to iterate over, and lists of those before and after it.

        The loop iterates over one argument. The items of the others are computed ahead of time, if
        that makes no difference.
        """
        sources = [id(source) for each in args for source in _sources(each)]
        if len(set(sources)) < len(sources):
            raise self._refused("zip() iterates over a generator at several places,")
        sieves = [at for at, each in enumerate(args) if isinstance(each, LazyIterator)]
        at = next((at for at in sieves if not args[at].is_free), sieves[0])
        return args[at], self._lists(args[:at]), self._lists(args[at + 1 :])

    def _never_changes(self, value: Any) -> bool:
        if isinstance(value, LazyIterator):
            return value.is_free
        owner = self._backends.of(value)
        if owner is None:
            return isinstance(value, _UNCHANGING)
        return owner.call("never_changes", (value,), {})

    def _lists(self, values: Sequence[Any]) -> list[Any]:
        return [self._list(each) for each in values]

    def _list(self, value: Any) -> Any:
        if isinstance(value, LazyIterator) and not value.is_free:
            raise self._refused(
                "zip() iterates over two generators that have no end, or act as they go,"
            )
        value = SpecialMethodOperators(self._backends).iterable(value)
        owner = self._backends.of(value)
        if owner is not None:
            return owner.call("star_items", (value,), {})
        if not isinstance(value, _COLLECTIONS):
            raise self._refused(
                f"zip() iterates over a generator and {type(value).__name__} objects"
            )
        return list(value) if isinstance(value, (str, bytes, dict, set, frozenset)) else value

    def _refused(self, what: str) -> Exception:
        backend: Any = self._backends.recording()
        return backend.refusal(
            f"{what} step by step, and only one of them can be iterated over so when the graph "
            "runs: make a list of the items of the other first",
            iterating=True,
        )

    def _consumed(self, made: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Return a staged generator; Python's own generator if it cannot be staged."""
        try:
            generator = made(*args, **kwargs)
        except BaseException as error:  # of arguments that do not fit
            drop_internal_frames(error)
            raise
        found = self._consumer_form(made)
        if found is None:
            return generator
        *_, properties = found
        call = partial(_call, partial(self._consumer_form, made), self._delegated, args, kwargs)
        consumed = ConsumedGenerator(self._backends, generator, call, self._outlives)
        consumed.exit_of = self._exit_of_manager
        consumed.recreate = partial(self._copy_of, made, args, kwargs)
        consumed.operands = (*args, *kwargs.values())
        within = [each for each in consumed.operands if isinstance(each, FilteredIterator)]
        consumed.functions = (made, *(f for each in within for f in each.functions))
        given = (each.tidies_up for each in within if isinstance(each, ConsumedGenerator))
        consumed.tidies_up = properties.tidies_up or any(given)
        consumed.is_free = properties.is_free and all(map(self._never_changes, consumed.operands))
        consumed.code = made.__code__
        consumed.may_be_listed = consumed.is_free and not properties.may_raise
        calls = generator_calls()
        is_listed = calls is not None and consumed.code in calls.staged.listed
        if consumed.may_be_listed and is_listed:
            return self._iterator_of(consumed.listed())
        return consumed

    def _iterator_of(self, items: list[Any]) -> Any:
        """Return an iterator over the items of a generator.

        If a backend owns them, the iterator refuses `close`, `send` and `throw`.
        """
        backend: Any = self._backends.of(self._backends.operand(items))
        if backend is None:
            return (item for item in items)

        def refuse(*sent: Any) -> Any:
            raise backend.refusal(
                "a generator that is gone on with after a loop cannot be closed, or be sent "
                "anything: let a variable hold something else in its place",
                iterating=True,
            )

        made = backend.call("iter", (items,), {})
        made.close = made.send = made.throw = refuse
        return made

    def _copy_of(
        self, made: FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> ConsumedGenerator:
        copies = [each.copied() if isinstance(each, LazyIterator) else each for each in args]
        named = {
            name: each.copied() if isinstance(each, LazyIterator) else each
            for name, each in kwargs.items()
        }
        recreate: ConsumedGenerator = self._consumed(made, *copies, **named)
        recreate.is_copy = True
        return recreate

    def _exit_of_manager(self, manager: Any) -> str:
        """Return the way in which the end of a `with` depends on a jump or an exception."""
        is_generator = isinstance(manager, contextlib._GeneratorContextManager)
        end = manager.func if is_generator else getattr(type(manager), "__exit__", None)
        if not isinstance(end, FunctionType) or is_internal_code(end.__code__):
            return "alike"
        return self._exit_of(end)

    def _outlives(self, frame: FrameType) -> bool:
        """Return whether code may run between the end of a loop and the generator's closing."""
        references = load_module(
            "autograph.operators.generator_references"
        ).GeneratorReferences  # Few programs need it.
        return bool(references(self._tails_of, self._never_changes).outlive(frame))

    def _delegated(self, delegate: Any) -> tuple[Any, Callable[[], object]]:
        """Return the iterable of a `yield from`, and a function that returns its final value."""
        if isinstance(delegate, ConsumedGenerator):
            return delegate.delegate(), delegate.value
        if not hasattr(type(delegate), "__next__") or self._backends.of(delegate) is not None:
            return delegate, _nothing
        value: list[Any] = [None]

        def delegating() -> Iterator[Any]:
            value[0] = yield from delegate

        return delegating(), lambda: value[0]


class GeneratorProperties(NamedTuple):
    """Facts about a generator that its code shows.

    Attributes:
        is_free: whether its items may be computed ahead of time.
        tidies_up: whether closing it at a `yield` has effects.
        is_endless: whether it yields in a loop that only a jump ends.
        may_raise: whether the computation of an item may raise an error.
    """

    is_free: bool
    tidies_up: bool
    is_endless: bool
    may_raise: bool


class ConsumedGenerator(FilteredIterator):
    """A staged generator: a loop over it calls the generator's function with a consumer.

    Args:
        backends: the possible owners of a loop's condition.
        generator: Python's generator, which never starts; it is closed when the iteration begins.
        call: calls the function. Its arguments are whether the return value is used, the consumer
            of an item, which returns whether to go on, and a function that each context manager
            around a `yield` passes.
        outlives: returns whether code may run between the end of a loop, given by the frame of
            `for_each`, and the closing of the generator.
    """

    recreate: Callable[[], ConsumedGenerator]
    code: CodeType
    tidies_up = is_copy = may_be_listed = False
    exit_of: Callable[[Any], str]
    _call: Callable[..., object]
    _generator: GeneratorType[Any, Any, Any]
    _outlives: Callable[[FrameType], bool]
    _is_delegate: bool
    _made_in: object
    _value: object

    def __new__(
        cls,
        backends: Backends,
        generator: GeneratorType[Any, Any, Any],
        call: Callable[..., object],
        outlives: Callable[[FrameType], bool],
    ) -> ConsumedGenerator:
        """Create the iterator; a `filter` takes its arguments in `__new__`."""
        made: Any = super().__new__(cls, backends, "generator", generator, _each)
        made._generator, made._call, made._outlives = generator, call, outlives
        made._is_delegate, made._value, made._made_in = False, None, backends.recorder()
        return made

    def __next__(self, *sent: Any) -> Any:
        raise self._refused(
            "Python iterates over it here, and its items are known only when the graph runs: make "
            "a list of it first, or iterate over it with a `for` statement of converted code"
        )

    def __repr__(self) -> str:
        return repr(self._generator)

    send = throw = __next__

    def delegate(self) -> ConsumedGenerator:
        """Keep the return value of the function, for a `yield from`; return this generator."""
        self._is_delegate = True
        return self

    def value(self) -> object:
        """Return the return value of the function, after the iteration of a delegate."""
        return self._value

    def refuse_staged_rest(self) -> None:
        if self._rest_is_staged:
            self._record_resumed()
        super().refuse_staged_rest()

    def _record_resumed(self) -> None:
        """Record that the program resumes it after a loop, so that its items should be listed."""
        calls = generator_calls()
        if self.may_be_listed and calls is not None:
            calls.resumed = self.code

    def mark_rest_staged(self) -> None:
        if self._generator.gi_frame is not None:
            self._generator.close()
            self._rest_is_staged = True
            for each in self.operands:
                if isinstance(each, LazyIterator):
                    each.mark_rest_staged()

    def copied(self) -> ConsumedGenerator:
        return self.recreate() if self._rest_is_staged else self

    def close(self) -> None:
        """Drop the remaining items."""
        self._generator.close()
        self._rest_is_staged = False

    def for_each(self, goes_on: Thunk | None, body: Callable[[object], None], state: State) -> None:
        """Run `body(item)` for each item, while `goes_on()` holds."""
        self.refuse_staged_rest()
        if self._generator.gi_frame is None:
            return
        if self._backends.recorder() is not self._made_in:
            self._record_resumed()
        self._generator.close()
        self._rest_is_staged = True
        # An unbound variable gets its mark here, since the called code may bind it.
        state.set(state.get())
        raised: list[Any] = [None, None]
        take: Callable[[object], object]
        managers = _Managers(self.exit_of, self._backends)
        goes_on = None if goes_on is None else partial(managers.goes_on, goes_on)
        # A comprehension has its state in a sink, where no change is detected: pass it on by hand.
        values = [*state.get()]
        fills = getattr(state.get, "__module__", "") == CollectSink.__module__
        if fills:
            take = partial(_take_element, values, state, partial(_run, body, raised), goes_on)
        else:
            take = partial(_take, partial(_run, body, raised), body, goes_on)
        try:
            self._value = self._call(self._is_delegate, take, managers.entered)
        except RecursionError:
            raise self._refused(
                "it calls itself, and how deep is known only when the graph runs: keep the "
                "remaining work in a list, and iterate over that in a `while` loop"
            ) from None
        except BaseException as error:
            if error is raised[0]:
                # As in Python, the frames of the generator are not in the body's traceback.
                raise error.with_traceback(raised[1])  # noqa: B904
            raise
        self._rest_is_staged = goes_on is not None
        if fills:
            state.set(tuple(values))
        if not (self._rest_is_staged and self.tidies_up):
            return
        if self.is_copy or self._outlives(sys._getframe()):
            raise self._refused(
                "the loop may end earlier, and a `finally` of it runs when the generator "
                "is deleted, which is later here: iterate over it where it is made, as in "
                "`for v in numbers(n):`, or close it after the loop, as in `numbers.close()`"
            )

    def _iterable(self) -> Iterator[Any]:
        return self


class _Managers:
    """Checks the context managers around each `yield`.

    At the exit of a loop, Python raises GeneratorExit at the `yield`; a staged generator raises
    nothing. This object holds no generator, since `GeneratorReferences` searches for references.
    """

    def __init__(self, exit_of: Callable[[Any], str], backends: Backends) -> None:
        self._exit_of, self._backends = exit_of, backends
        self._end_alike = True

    def entered(self, manager: Any) -> Any:
        """Return a manager after a check.

        Raises:
            StagedIterationError: its end inspects the exception.
        """
        end = self._exit_of(manager)
        if end == "seen":
            raise self._refused(
                f"`{type(manager).__name__}.__exit__` around a `yield` inspects exceptions, and "
                "those of the loop over the items cannot reach it when the graph runs: put that "
                "loop into the `with`, or keep only the lines that need the `with` in the generator"
            )
        self._end_alike = self._end_alike and end == "alike"
        return manager

    def goes_on(self, goes_on: Thunk) -> object:
        """Return whether the loop goes on.

        Raises:
            StagedIterationError: the loop may end early, and a manager acts only at the end of its
                body.
        """
        answer = goes_on()
        if answer is not True and not self._end_alike:
            raise self._refused(
                "the loop over this generator may end early, and the context manager around its "
                "`yield` then skips the work after its own `yield`: do that work in a `finally`"
            )
        return answer

    def _refused(self, why: str) -> Exception:
        backend: Any = self._backends.recording()
        refused: Exception = backend.refusal(why, iterating=True)
        return refused


def _sources(value: Any) -> Iterator[LazyIterator]:
    """Yield a lazy iterator, and those that its items come from."""
    if isinstance(value, LazyIterator):
        yield value
    operands = value.operands if isinstance(value, ConsumedGenerator) else ()
    for each in (value._items,) if type(value) is FilteredIterator else operands:
        yield from _sources(each)


def _call(
    consumer_form: Callable[[bool], Any],
    delegated: Callable[[Any], object],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    returns: bool,
    take: Callable[[Any], object],
    entered: Callable[[Any], object],
) -> object:
    function, names, _ = consumer_form(returns)
    notify_call(function)
    return function(*args, **kwargs, **dict(zip(names, (take, delegated, entered))))


def _driven(calls: GeneratorCalls, made: FunctionType, /, *args: Any, **kwargs: Any) -> Any:
    """Return Python's generator; record it in the calls of the trace."""
    try:
        generator = made(*args, **kwargs)
    except BaseException as error:  # of arguments that do not fit
        drop_internal_frames(error)
        raise
    calls.driven.append(ref(generator))
    return generator


def _nothing() -> None:
    return None


def _run(body: Callable[[object], None], raised: list[Any], item: object) -> None:
    """Run the body of a loop; record its exception with the traceback of the body alone."""
    try:
        body(item)
    except BaseException as error:
        raised[:] = error, error.__traceback__ and error.__traceback__.tb_next
        raise


def _take(
    run: Callable[[object], None],
    body: Callable[[object], None],
    goes_on: Thunk | None,
    item: object,
) -> object:
    notify_call(body)
    run(item)
    return True if goes_on is None else goes_on()


def _take_element(
    values: list[Any],
    state: State,
    body: Callable[[object], None],
    goes_on: Thunk | None,
    item: object,
) -> object:
    state.set(tuple(values))
    body(item)
    values[:] = state.get()
    return True if goes_on is None else goes_on()


def _each(items: Any, take: Any) -> Iterator[None]:
    for item in items:
        yield take(partial(_same, item))


def _same(value: Any) -> Any:
    return value
