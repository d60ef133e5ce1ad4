"""Hooks for created variables, and for code that runs outside of the recording graph.

with init_scope(): ...          once per trace, outside of the graph
layer.build(shape)              once per layer: its weights outlive the graph
m = rt.nn.metrics.Mean()        in a traced function: each run of the graph creates its variables

A checkpoint may be restored before a variable that it has a value for is created. The variable gets
the value at its first use, since only then it is an attribute of its owner.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar, Token
from typing import Any

from runtime.core.context import Recorder, current_recorder, enclosing_recorder, recording

# Assigns values of a checkpoint to variables created since; returns False when none is left.
DeferredRestore = Callable[[], bool]

DEFERRED_RESTORES: list[DeferredRestore] = []


def restore_new_variables() -> None:
    """Let all restored checkpoints assign their values to new variables."""
    for each in list(DEFERRED_RESTORES):
        if not each() and each in DEFERRED_RESTORES:
            DEFERRED_RESTORES.remove(each)


class CreationHooks:
    """The hooks of the converter for variables, and for code that runs outside of the graph.

    Attributes:
        on_begin: called before such code runs, with its function (if it is a single one) and the
            time since which the code runs once; its result is called after the code.
        creation_time: returns the time at which an object was created, if a graph was recording
            then; else None.
        existed_before: returns whether an object existed before the current trace.
        on_create: called with the graph, a variable that such code created for a new object, and
            that object, None if it is unknown.
        on_assign: called with the graph and a variable to which such code assigned a value.
        on_new_owner: called with the graph and an object that creates variables later.
        around_initial_draw: called before and after the random numbers of an initial value are
            drawn; the argument is True after they were drawn for a single variable.
        on_initial_draw: called with that variable.
    """

    on_begin: Callable[[Any, Any], Callable[[], None]] | None = None
    creation_time: Callable[[object], int | None] | None = None
    existed_before: Callable[[object], bool] | None = None
    on_create: Callable[[Any, Any, object], None] | None = None
    on_assign: Callable[[Any, Any], None] | None = None
    on_new_owner: Callable[[Any, Any], None] | None = None
    around_initial_draw: Callable[[bool], None] | None = None
    on_initial_draw: Callable[[Any], None] | None = None


# The recorder while an object that existed before it creates variables.
_ONCE: ContextVar[Recorder | None] = ContextVar("made_once", default=None)
# The recorder while an object creates variables, and the object.
_OWNER: ContextVar[tuple[Recorder | None, object]] = ContextVar("owner", default=(None, None))


class creating_for_owner:
    """A context manager: variables created inside belong to an object.

    Args:
        owner: the object.
    """

    __slots__ = ("_token", "owner")
    _token: Token[tuple[Recorder | None, object]] | None

    def __init__(self, owner: object) -> None:
        self.owner = owner

    def __enter__(self) -> None:
        around = enclosing_recorder()
        # The parts of an object create variables for the whole object.
        is_part = around is None or _OWNER.get()[0] is around
        self._token = None if is_part else _OWNER.set((around, self.owner))

    def __exit__(self, *exception: object) -> None:
        if self._token is not None:
            _OWNER.reset(self._token)


class creating_once(creating_for_owner):
    """A context manager: variables created inside live as long as an object.

    Args:
        owner: the object; None for code that itself runs once.
    """

    __slots__ = ("_once",)
    _once: Token[Recorder | None] | None

    def __enter__(self) -> None:
        super().__enter__()
        is_lasting = self.owner is None or outlasts_trace(self.owner)
        self._once = _ONCE.set(enclosing_recorder()) if is_lasting else None

    def __exit__(self, *exception: object) -> None:
        if self._once is not None:
            _ONCE.reset(self._once)
        super().__exit__(*exception)


def outlasts_trace(owner: object) -> bool:
    """Return whether an object existed before the current trace; True if there is none.

    >>> outlasts_trace("no graph records")
    True
    """
    existed_before = CreationHooks.existed_before
    return enclosing_recorder() is None or existed_before is None or existed_before(owner)


def note_created(variable: object) -> None:
    """Report a variable that was created outside of a recording graph, for a new object.

    >>> note_created("no graph records")
    """
    around = enclosing_recorder()
    if around is None or current_recorder() is not None or _ONCE.get() is around:
        return
    if CreationHooks.on_create is not None:
        at, owner = _OWNER.get()
        CreationHooks.on_create(around, variable, owner if at is around else None)


def note_assigned(variable: object) -> None:
    """Report a variable that was assigned outside of a recording graph.

    >>> note_assigned("no graph records")
    """
    around = enclosing_recorder()
    if around is not None and current_recorder() is None and CreationHooks.on_assign is not None:
        CreationHooks.on_assign(around, variable)


def note_new_owner(owner: object) -> None:
    """Report a new object that creates variables later, if a graph is recording.

    >>> note_new_owner("no graph records")
    """
    around = enclosing_recorder()
    if around is not None and CreationHooks.on_new_owner is not None:
        CreationHooks.on_new_owner(around, owner)


class drawing_initial_value:
    """A context manager in which the random numbers of one variable's initial value are drawn.

    >>> with drawing_initial_value() as drawn:
    ...     drawn("no graph records")
    """

    __slots__ = ()

    def __enter__(self) -> Callable[[object], None]:
        self._call_around(False)
        return self._note_draw

    def __exit__(self, *exception: object) -> None:
        self._call_around(True)

    def _call_around(self, is_of_one: bool) -> None:
        if enclosing_recorder() is not None and CreationHooks.around_initial_draw is not None:
            CreationHooks.around_initial_draw(is_of_one)

    def _note_draw(self, variable: object) -> None:
        """Report the variable whose initial value was drawn."""
        if enclosing_recorder() is not None and CreationHooks.on_initial_draw is not None:
            CreationHooks.on_initial_draw(variable)


class outside_graph(recording):
    """Execute eagerly, even inside a trace: the effects outlive the graph.

    Args:
        function: the user function that is going to run, if it is a single one.
        owner: the object that it belongs to; the state of an object that a call creates does not
            outlive the call.

    >>> with outside_graph():
    ...     current_recorder() is None
    True
    """

    __slots__ = ("_on_end", "_function", "_making")
    _on_end: Callable[[], None] | None

    def __init__(self, function: Callable[..., object] | None = None, owner: object = None) -> None:
        super().__init__(None)
        self._function, self._making = function, creating_once(owner)

    def __enter__(self) -> Recorder | None:
        is_recorded, owner = current_recorder() is not None, self._making.owner
        recorder = enclosing_recorder() if is_recorded else None
        self._making.__enter__()
        self._on_end = None
        if (
            recorder is not None
            and CreationHooks.on_begin is not None
            and CreationHooks.creation_time is not None
        ):
            since = 0 if _ONCE.get() is recorder else CreationHooks.creation_time(owner)
            self._on_end = None if since is None else CreationHooks.on_begin(self._function, since)
        return super().__enter__()

    def __exit__(self, *exception: object) -> None:
        super().__exit__(*exception)
        self._making.__exit__()
        if self._on_end is not None:
            self._on_end()


class init_scope(outside_graph):
    """Execute eagerly, even inside a trace: objects created here outlive the graph.

    Inside a traced function the body runs once per trace, not once per call. Python state that only
    the body changes therefore changes once per trace, and holds Python values. State that the rest
    of the function changes too behaves as in Python.

    Example:
        >>> with init_scope():
        ...     current_recorder() is None
        True
    """

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__()
