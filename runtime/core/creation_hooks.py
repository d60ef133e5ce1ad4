"""Hooks for created variables, and for code that runs outside of the recording graph.

with init_scope(): ...          once for each trace, beside the graph
layer.build(shape)              once for each layer: its weights outlive the graph
m = rt.nn.metrics.Mean()        in a traced function: a run of the graph makes its variables anew

A variable that is made when a checkpoint was restored, which may have its value, gets that when
somebody first asks for it: only then it has its place in the object that it belongs to.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar, Token
from typing import Any

from runtime.core.context import Recorder, current_recorder, recorder_around, recording

# Each looks for places of its own that are not filled yet, and is False once it needs no more.
Waiting = Callable[[], bool]

WAITING: list[Waiting] = []


def settle() -> None:
    """Let all who wait look at what has been made."""
    for each in list(WAITING):
        if not each() and each in WAITING:
            WAITING.remove(each)


class LiftedListener:
    """A listener for code that runs outside of the recording graph.

    Attributes:
        begins: called before such code runs, with its function if it is one, and since when it runs
            once; what it returns is called after it.
        since: gives when an object was made, if that was while a graph was recorded; else None.
        knows: tells whether an object was there before what is being recorded made others.
        makes: called with the graph, a variable that such code has made for nothing that was there
            before, and the object that it was made for, None if that is not told.
        stores: called with the graph and a variable that such code has given another value.
        bears: called with the graph and an object that makes variables later.
        looks: called before and after numbers are drawn that only one variable is made of; takes
            whether those drawn since count for no other.
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


# The recorder beside which an object that was there before makes its variables.
_ONCE: ContextVar[Recorder | None] = ContextVar("made_once", default=None)
# The recorder beside which an object makes variables, and the object.
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
        # Parts are made for the whole.
        is_part = around is None or _OWNER.get()[0] is around
        self._token = None if is_part else _OWNER.set((around, self.owner))

    def __exit__(self, *exception: object) -> None:
        if self._token is not None:
            _OWNER.reset(self._token)


class creating_once(creating_for_owner):
    """Create variables that an object keeps, once in its life.

    Args:
        owner: the object; None for code that runs once itself.
    """

    __slots__ = ("_once",)
    _once: Token[Recorder | None] | None

    def __enter__(self) -> None:
        super().__enter__()
        around, knows = recorder_around(), LiftedListener.knows
        is_known = around is None or self.owner is None or knows is None or knows(self.owner)
        self._once = _ONCE.set(around) if is_known else None

    def __exit__(self, *exception: object) -> None:
        if self._once is not None:
            _ONCE.reset(self._once)
        super().__exit__(*exception)


def made(variable: object) -> None:
    """Tell that a variable was made, if that is beside a graph, for nothing that was there before.

    >>> made("no graph records")
    """
    around = recorder_around()
    if around is None or current_recorder() is not None or _ONCE.get() is around:
        return
    if LiftedListener.makes is not None:
        at, owner = _OWNER.get()
        LiftedListener.makes(around, variable, owner if at is around else None)


def stored(variable: object) -> None:
    """Tell that a variable was given another value, if that is beside a graph.

    >>> stored("no graph records")
    """
    around = recorder_around()
    if around is not None and current_recorder() is None and LiftedListener.stores is not None:
        LiftedListener.stores(around, variable)


def born(owner: object) -> None:
    """Tell that an object was made which makes variables later, if a graph records.

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
        """Tell that a variable is made of what was drawn."""
        if recorder_around() is not None and LiftedListener.draws is not None:
            LiftedListener.draws(variable)


class lifting_out(recording):
    """Execute eagerly for a while, even inside a trace: the effects outlive the graph.

    Args:
        function: the function of the user's that is going to run, if it is a single one.
        owner: the object that it belongs to: one that a call makes is no part of the world.

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
    """Compute eagerly for a while, even inside a trace: what is made here outlives the graph.

    Inside a traced function the body runs once for each trace, not in each call. So Python state
    that it changes, and nothing else in the function, changes once for each trace, and holds
    Python's values. What the function changes elsewhere, too, changes as in Python.

    Example:
        >>> with init_scope():
        ...     current_recorder() is None
        True
    """

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__()
