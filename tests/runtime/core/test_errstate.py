"""NumPy's warnings are off while ops compute, and restored afterwards."""

from __future__ import annotations

import threading
import warnings

import numpy as np
import pytest

from runtime.core import errstate as quiet
from runtime.core.errstate import (
    IGNORING,
    by_context_variable,
    by_seterr,
    ignore_warnings,
    restore_warnings,
    state,
)

WAYS = [by_seterr(), *([by_context_variable()] if by_context_variable() else [])]


@pytest.mark.parametrize("way", WAYS)
def test_numpy_errors_are_suppressed_in_between(way: quiet.Way) -> None:
    with np.errstate(all="raise"):
        token = way.ignore_warnings()
        assert np.isinf(np.float32(1) / np.zeros(3, np.float32)).all()
        way.restore_warnings(token)
        with pytest.raises(FloatingPointError):
            np.float32(1) / np.zeros(3, np.float32)


@pytest.mark.parametrize("way", WAYS)
def test_suppressions_nest(way: quiet.Way) -> None:
    with np.errstate(divide="raise"):
        before = np.geterr()
        outer = way.ignore_warnings()
        inner = way.ignore_warnings()
        way.restore_warnings(inner)
        assert set(np.geterr().values()) == {"ignore"}
        way.restore_warnings(outer)
        assert before == np.geterr()


def test_other_threads_keep_their_settings() -> None:
    seen: list[object] = []
    token = ignore_warnings()
    thread = threading.Thread(target=lambda: seen.append(np.geterr()["divide"]))
    thread.start()
    thread.join()
    restore_warnings(token)
    assert ["warn"] == seen


def test_the_fast_suppression_supports_this_numpy() -> None:
    assert by_context_variable() is not None
    token = ignore_warnings()
    assert state() is IGNORING
    restore_warnings(token)
    assert state() is not IGNORING


def test_an_older_numpy_is_suppressed_by_seterr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quiet, "_CORE", object())
    assert by_context_variable() is None


def test_ops_ignore_the_users_error_settings() -> None:
    import runtime as rt

    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        assert float("inf") == float(rt.constant(1.0) / rt.constant(0.0))
        assert {"raise"} == set(np.geterr().values())


def test_the_numpy_buffer_is_small_and_restored() -> None:
    before = np.getbufsize()
    token = ignore_warnings()
    during = np.getbufsize()
    restore_warnings(token)
    assert (during <= 2048 or not by_context_variable()) and before == np.getbufsize()
