"""Hooks for created variables, and for code that runs outside of the recording graph.

with init_scope(): ...          once per trace, outside of the graph
layer.build(shape)              once per layer: its weights outlive the graph
m = rt.nn.metrics.Mean()        in a traced function: each run of the graph creates its variables

A variable that is created after a checkpoint was restored may have a value in the checkpoint. It
gets this value at its first use, since only then it has its place in the object that owns it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar, Token
from typing import Any

from runtime.core.context import Recorder, current_recorder, recorder_around, recording

# Each fills places that have values in a checkpoint, and returns False when none is left.
Waiting = Callable[[], bool]

WAITING: list[Waiting] = []


def settle() -> None:
    """Let all restored checkpoints look for new variables."""
    for each in list(WAITING):
        if not each() and each in WAITING:
            WAITING.remove(each)


class LiftedListener:
    """A listener for code that runs outside of the recording graph.

    Attributes:
        begins: called before such code runs, with its function (if it is a single one) and the time
            since which the code runs once; its result is called after the code.
        since: returns the time at which an object was created, if a graph was recording then; else
            None.
        knows: returns whether an object existed before the current recording created others.
        makes: called with the graph, a variable that such code created for a new object, and that
            object, None if it is unknown.
        stores: called with the graph and a variable to which such code assigned a value.
        bears: called with the graph and an object that creates variables later.
        looks: called before and after the random numbers of a single variable are drawn; the
            argument is whether they were only for that variable.
        draws: called with that variable.
        draws: called with that variable.
    """

    begins: Callable[[Any, Any], Callable[[], None]] | None = None
    since: Callable[[object], int | None] | None = None
    knows: Callable[[object], bool] | None = None
    makes: Callable[[Any, Any, object], None] | None = None
    stores: Callable[[Any, Any], None] | None = None
    bears: Callable[[Any, Any], None] | None = None
    looks: Callable[[bool], None] | None = None
    draws: Callable[[Any], None] | None = None


# The recorder while an object that existed before it creates variables.
_ONCE: ContextVar[Recorder | None] = ContextVar("made_once", default=None)
# The recorder while an object creates variables, and the object.
_OWNER: ContextVar[tuple[Recorder | None, object]] = ContextVar("owner", default=(None, None))


class creating_for_owner:
    """Create variables for an object.

    Args:
        owner: the object.
    """

    __slots__ = ("_token", "owner")
    _token: Token[tuple[Recorder | None, object]] | None

    def __init__(self, owner: object) -> None:
        self.owner = owner

    def __enter__(self) -> None:
        around = recorder_around()
        # The parts of an object create variables for the whole object.
        is_part = around is None or _OWNER.get()[0] is around
        self._token = None if is_part else _OWNER.set((around, self.owner))

    def __exit__(self, *exception: object) -> None:
        if self._token is not None:
            _OWNER.reset(self._token)


class creating_once(creating_for_owner):
    """Create variables that an object keeps for its lifetime.

    Args:
        owner: the object; None for code that itself runs once.
    """

    __slots__ = ("_once",)
    _once: Token[Recorder | None] | None

    def __enter__(self) -> None:
        super().__enter__()
        is_lasting = self.owner is None or outlasts_trace(self.owner)
        self._once = _ONCE.set(recorder_around()) if is_lasting else None

    def __exit__(self, *exception: object) -> None:
        if self._once is not None:
            _ONCE.reset(self._once)
        super().__exit__(*exception)


def outlasts_trace(owner: object) -> bool:
    """Tell whether an object was there before the trace that goes on, if there is one.

    >>> outlasts_trace("no graph records")
    True
    """
    knows = LiftedListener.knows
    return recorder_around() is None or knows is None or knows(owner)


def made(variable: object) -> None:
    """Note that a variable was created outside of a recording graph, for a new object.

    >>> made("no graph records")
    """
    around = recorder_around()
    if around is None or current_recorder() is not None or _ONCE.get() is around:
        return
    if LiftedListener.makes is not None:
        at, owner = _OWNER.get()
        LiftedListener.makes(around, variable, owner if at is around else None)


def stored(variable: object) -> None:
    """Note that a variable was assigned outside of a recording graph.

    >>> stored("no graph records")
    """
    around = recorder_around()
    if around is not None and current_recorder() is None and LiftedListener.stores is not None:
        LiftedListener.stores(around, variable)


def born(owner: object) -> None:
    """Note that an object was created that creates variables later, if a graph is recording.

    >>> born("no graph records")
    """
    around = recorder_around()
    if around is not None and LiftedListener.bears is not None:
        LiftedListener.bears(around, owner)


class drawing_initial_value:
    """Draw the random numbers of a single variable's initial value.

    >>> with drawing_initial_value() as drawn:
    ...     drawn("no graph records")
    """

    __slots__ = ()

    def __enter__(self) -> Callable[[object], None]:
        self._look(False)
        return self._drawn

    def __exit__(self, *exception: object) -> None:
        self._look(True)

    def _look(self, is_of_one: bool) -> None:
        if recorder_around() is not None and LiftedListener.looks is not None:
            LiftedListener.looks(is_of_one)

    def _drawn(self, variable: object) -> None:
        """Note the variable whose initial value was drawn."""
        if recorder_around() is not None and LiftedListener.draws is not None:
            LiftedListener.draws(variable)


class lifting_out(recording):
    """Execute eagerly, even inside a trace: the effects outlive the graph.

    Args:
        function: the user function that is going to run, if it is a single one.
        owner: the object that it belongs to; the state of an object that a call creates does not
            outlive the call.

    >>> with lifting_out():
    ...     current_recorder() is None
    True
    """

    __slots__ = ("_ends", "_function", "_making")
    _ends: Callable[[], None] | None

    def __init__(self, function: Callable[..., object] | None = None, owner: object = None) -> None:
        super().__init__(None)
        self._function, self._making = function, creating_once(owner)

    def __enter__(self) -> Recorder | None:
        is_recorded, owner = current_recorder() is not None, self._making.owner
        recorder = recorder_around() if is_recorded else None
        self._making.__enter__()
        self._ends = None
        if (
            recorder is not None
            and LiftedListener.begins is not None
            and LiftedListener.since is not None
        ):
            since = 0 if _ONCE.get() is recorder else LiftedListener.since(owner)
            self._ends = None if since is None else LiftedListener.begins(self._function, since)
        return super().__enter__()

    def __exit__(self, *exception: object) -> None:
        super().__exit__(*exception)
        self._making.__exit__()
        if self._ends is not None:
            self._ends()


class init_scope(lifting_out):
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
