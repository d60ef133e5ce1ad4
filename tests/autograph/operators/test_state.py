"""State reads and assigns its variables through cells or functions."""

from __future__ import annotations

import pytest

from autograph.operators.state import State, state_of


def two_variables() -> tuple[State, list[str]]:
    x, y = 1, 2
    calls: list[str] = []

    def get_state() -> tuple[object, ...]:
        return x, y

    def set_state(values: tuple[object, ...]) -> None:
        nonlocal x, y
        calls.append("set")
        x, y = values  # type: ignore[assignment]

    return state_of(get_state, set_state, ("x", "y"), 1), calls


def test_cells_are_read_and_assigned_without_a_call() -> None:
    state, calls = two_variables()
    assert (1, 2) == state.get()
    state.set((3, 4))
    assert (3, 4) == state.get()
    assert [] == calls and ("x",) == state.outputs


def test_a_wrong_number_of_values_is_refused() -> None:
    state, _ = two_variables()
    with pytest.raises(ValueError):
        state.set((3,))


def test_places_that_are_no_cells_use_getter_and_setter() -> None:
    found: list[object] = []
    state = state_of(lambda: (found[-1],), found.extend, ("o.x",), 1)
    state.set((5,))
    assert (5,) == state.get() and [5] == found


def test_a_variable_without_a_value_is_named() -> None:
    def read() -> State:
        state = state_of(lambda: (late,), tuple, ("late",), 1)  # type: ignore[arg-type]
        with pytest.raises(NameError, match="late"):
            state.get()
        late = 1
        return state

    assert (1,) == read().get()
