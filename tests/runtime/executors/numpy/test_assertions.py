"""Printed assertions test their condition inline and call their kernel on failure."""

from __future__ import annotations

import numpy as np

from tests.runtime.executors.graphs import body_of, both
from tests.runtime.executors.numpy.assertion_functions import bounded, of_arrays, swallowed


def test_assertions_agree_with_the_interpreter():
    for x, n in ((1, 0), (1, 9), (-9, 3), (30, 4)):
        _alike(bounded, x, n)
    for xs in ([], [1.0, 2.0], [9.0]):
        _alike(of_arrays, np.array(xs, np.float32))
    for x in (3, 4):
        _alike(swallowed, x)


def test_an_assertion_that_holds_calls_no_kernel():
    assert "        if not (x < 50 and x > -20):\n            " in body_of(bounded, 1, 3)
    assert "if not reduce_all" in body_of(of_arrays, np.ones(3, np.float32))


def _alike(function, *arguments):
    printed, interpreted = both(function, *arguments)
    assert interpreted == printed
