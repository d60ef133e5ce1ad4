"""Errors of libraries that cannot use a symbolic tensor: their class and line."""

from __future__ import annotations

import enum
import io
import json
import linecache
import os
import pickle
import random
import statistics
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import StagingError, UnconvertedUseError
from runtime.errors import SymbolicTensorError


def dumped(x: object) -> str:
    return json.dumps({"x": x})


def averaged(x: list[float]) -> float:
    return statistics.mean(x)


def called(x: Callable[[], int]) -> int:
    return x()


def raised_by_the_user(x: int) -> None:
    raise TypeError(f"no {type(x).__name__}")


def set_in_environment(x: object) -> None:
    os.environ["AUTOGRAPH_X"] = str(x)


def read_from(x: str) -> str:
    return open(x).read()


@pytest.mark.parametrize("function", [dumped, averaged, set_in_environment, read_from])
def test_the_error_is_ours_and_at_the_users_line(function: Callable[[object], object]) -> None:
    with pytest.raises(UnconvertedUseError) as raised:
        ag.function(function)(rt.constant([1.0, 2.0]))
    error = raised.value
    assert isinstance(error, StagingError) and isinstance(error, TypeError)
    assert type(error.__cause__) is TypeError and str(error.__cause__) in error.message
    place = error.origin
    assert place is not None
    line = linecache.getline(__file__, function.__code__.co_firstlineno + 1).strip()
    assert line in place.describe() and __file__ in place.describe()
    assert (function is read_from) == ("rt.io.read_file(path)" in error.message)


class Level(enum.IntEnum):
    """Its constructor compares a value with those of its members."""

    LOW = 1
    HIGH = 3


def made_member(x: int) -> Level:
    return Level(x)


def drawn(x: int) -> int:
    return random.randint(0, x)


@pytest.mark.parametrize("function", [made_member, drawn])
def test_a_value_that_a_library_asks_for_is_at_the_users_line(
    function: Callable[[object], object],
) -> None:
    if function is made_member and sys.version_info >= (3, 13):
        # This enum compares first, and raises its own error about a value that is no member's.
        with pytest.raises(ValueError, match="is not a valid Level"):
            ag.function(function)(rt.constant(3))
        return
    with pytest.raises(UnconvertedUseError, match="give it the result of the function") as raised:
        ag.function(function)(rt.constant(3))
    place = raised.value.origin
    assert place is not None and f"in {function.__name__}" in place.describe()


def test_a_tensor_of_a_graph_is_not_pickled() -> None:
    with pytest.raises(SymbolicTensorError, match="used as data to pickle"):
        ag.function(lambda x: pickle.dumps(x))(rt.constant(1))


@pytest.mark.parametrize("function", [called, raised_by_the_user])
def test_errors_of_python_and_of_the_user_are_unchanged(
    function: Callable[[object], object],
) -> None:
    with pytest.raises(TypeError) as raised:
        ag.function(function)(rt.constant(1))
    assert type(raised.value) is TypeError


def written_in_a_branch(file: io.StringIO, x: int) -> None:
    if x > 0:
        file.write(f"{x}")


def written_in_a_loop(file: io.StringIO, x: int) -> None:
    for at in range(x):
        file.write(f"{at}")


def written_in_a_try(file: io.StringIO, x: int) -> None:
    try:
        file.write(f"{x}")
    except TypeError:
        pass


@pytest.mark.parametrize("function", [written_in_a_branch, written_in_a_loop, written_in_a_try])
def test_on_a_path_it_is_no_error_of_the_run(function: Callable[..., None], tmp_path: Path) -> None:
    with (tmp_path / "log").open("w") as file, pytest.raises(UnconvertedUseError) as raised:
        ag.function(lambda x: function(file, x))(rt.constant(1))
    assert "write the file after the call, or write rt.print(" in raised.value.message
