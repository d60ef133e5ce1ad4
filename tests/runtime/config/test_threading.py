"""Threads: settings are read back, and reach NumPy's BLAS where threadpoolctl is installed."""

from __future__ import annotations

import importlib.util
import warnings
from typing import Any

import numpy as np
import pytest

import runtime as rt
from autograph.compat import tensorflow as tf
from runtime.core import blas_threads as module
from runtime.errors import ArgumentValueError

threading = rt.config.threading


class Controller:
    """As threadpoolctl's, of one library."""

    def __init__(self) -> None:
        self.threads = 3

    def info(self) -> list[dict[str, Any]]:
        return [
            {"user_api": "openmp", "num_threads": 9},
            {"user_api": "blas", "num_threads": self.threads},
        ]

    def limit(self, *, limits: int, user_api: str) -> None:
        assert "blas" == user_api
        self.threads = limits


@pytest.fixture(autouse=True)
def settings(monkeypatch):
    monkeypatch.setitem(threading._SET, "intra_op", 0)
    monkeypatch.setitem(threading._SET, "inter_op", 0)
    monkeypatch.setattr(module, "_processors", lambda: 5)
    for name in module.VARIABLES:
        monkeypatch.delenv(name, raising=False)
    threading.has_one_thread.cache_clear()
    yield
    threading.has_one_thread.cache_clear()


def test_a_number_is_read_back_and_reaches_blas(monkeypatch):
    controller = Controller()
    monkeypatch.setattr(module, "_controller", lambda: controller)
    assert (3, "threadpoolctl") == threading.blas_threads()
    assert not threading.has_one_thread()
    tf.config.threading.set_intra_op_parallelism_threads(1)
    assert 1 == tf.config.threading.get_intra_op_parallelism_threads() == controller.threads
    assert threading.has_one_thread()
    threading.set_intra_op_parallelism_threads(0)
    assert (0, 5) == (threading.get_intra_op_parallelism_threads(), controller.threads)
    threading.set_inter_op_parallelism_threads(4)
    assert 4 == threading.get_inter_op_parallelism_threads()


def test_without_threadpoolctl_a_warning_names_the_variable(monkeypatch):
    monkeypatch.setattr(module, "_controller", lambda: None)
    assert (5, "processors") == threading.blas_threads()
    monkeypatch.setenv("OMP_NUM_THREADS", "4")
    assert (4, "OMP_NUM_THREADS") == threading.blas_threads()
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")
    assert (2, "OPENBLAS_NUM_THREADS") == threading.blas_threads()
    with pytest.warns(RuntimeWarning, match="keep 2 threads: .* or set OPENBLAS_NUM_THREADS=1 bef"):
        threading.set_intra_op_parallelism_threads(1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        threading.set_intra_op_parallelism_threads(2)


@pytest.mark.parametrize("number", [-1, "two", 1.5])
def test_a_number_of_threads_is_whole(number):
    for call in (
        threading.set_intra_op_parallelism_threads,
        threading.set_inter_op_parallelism_threads,
    ):
        with pytest.raises((ArgumentValueError, TypeError)):
            call(number)


@pytest.mark.skipif(
    importlib.util.find_spec("threadpoolctl") is None, reason="threadpoolctl is not installed"
)
def test_numpy_takes_the_number():
    from threadpoolctl import threadpool_info

    def numbers() -> set[int]:
        return {each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"}

    np.ones((2, 2)) @ np.ones((2, 2))
    before = threading.blas_threads().threads
    try:
        threading.set_intra_op_parallelism_threads(2)
        assert {2} == numbers()
    finally:
        module.set_blas_threads(before)
    assert {before} == numbers()
