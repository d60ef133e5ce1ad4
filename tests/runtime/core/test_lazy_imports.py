"""Garbage collection while modules are imported on first use."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator

import pytest

from runtime.core.lazy_imports import load_module

MODULE = "wave"  # small, and imported by nothing here


@pytest.fixture(autouse=True)
def unloaded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    # Objects that the test runner has frozen are put back by the next test.
    gc.unfreeze()
    monkeypatch.delitem(sys.modules, MODULE, raising=False)
    yield
    gc.unfreeze()


def test_loaded_objects_are_old_and_can_be_collected() -> None:
    module = load_module(MODULE)
    assert gc.isenabled() and gc.get_freeze_count() == 0
    assert any(each is vars(module) for each in gc.get_objects(generation=2))


def test_objects_that_the_user_froze_stay_frozen() -> None:
    gc.freeze()
    frozen = gc.get_freeze_count()
    load_module(MODULE)
    assert 0 < gc.get_freeze_count() <= frozen


def test_collection_that_is_off_stays_off() -> None:
    gc.disable()
    try:
        load_module(MODULE)
        assert not gc.isenabled()
    finally:
        gc.enable()
