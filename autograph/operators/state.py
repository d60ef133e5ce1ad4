"""The variables and places that a staged statement may change, as one value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import CellType, FunctionType

GetState = Callable[[], tuple[object, ...]]
SetState = Callable[[tuple[object, ...]], None]
Names = tuple[str, ...]


@dataclass(slots=True, repr=False)
class State:
    """The state of a statement: getter, setter, names and count, as generated code passes them.

    It has no changes inside of objects (`items.append(x)`): a backend that runs both parts of a
    statement compares the objects themselves.

    Attributes:
        get: returns the current values, one per name.
        set: puts new values, one per name.
        names: the user's variables, outputs first, and those for `break` and `return`; composites
            as written (`o.x`, `o.d['k']`), which are no identifiers. `d['k'] = v` assigns `d`.
        nouts: the number of names, from the first one, that are read after the statement.
    """

    get: GetState
    set: SetState
    names: Names
    nouts: int

    @property
    def outputs(self) -> tuple[str, ...]:
        """The names read after the statement."""
        return self.names[: self.nouts]


def state_of(get_state: GetState, set_state: SetState, names: Names, nouts: int) -> State:
    """Return the state of a statement from the arguments of generated code.

    Variables in closure cells, as most are, are read and assigned directly: a debugger would stop
    in each call of the functions.

    >>> def f():
    ...     x = 1
    ...     def set_state(values):
    ...         nonlocal x
    ...         (x,) = values
    ...     state = state_of(lambda: (x,), set_state, ("x",), 1)
    ...     state.set((2,))
    ...     return x, state.get()
    >>> f()
    (2, (2,))
    """
    cells = _cells_of(get_state)
    if not all(name in cells for name in names):
        return State(get_state, set_state, names, nouts)
    ordered = tuple([cells[name] for name in names])

    def get() -> tuple[object, ...]:
        try:
            return tuple([cell.cell_contents for cell in ordered])
        except ValueError:
            return get_state()  # which names the variable without a value

    def put(values: tuple[object, ...]) -> None:
        for cell, value in zip(ordered, values, strict=True):
            cell.cell_contents = value

    return State(get, put, names, nouts)


def _cells_of(function: Callable[..., object]) -> dict[str, CellType]:
    if type(function) is not FunctionType:
        return {}
    return dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
