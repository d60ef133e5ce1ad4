"""Errors of libraries that cannot use a symbolic tensor: their class and line."""

from __future__ import annotations

import io
import json
import linecache
import os
import statistics
from collections.abc import Callable
from pathlib import Path

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import StagingError, UnconvertedUseError


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
