"""The test case for tensors: assertions that pass and fail."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as rt
from autograph.compat import tensorflow as tf
from runtime.errors import InvalidArgumentError

CASE = rt.test.TestCase()
NAN = float("nan")

PASSES = [
    ("assertAllEqual", (rt.constant([1, 2]), [1, 2])),
    ("assertAllEqual", (rt.Variable([1.0, NAN]), [1.0, NAN])),
    ("assertAllEqual", (rt.constant(["a"]), ["a"])),
    ("assertAllEqual", (rt.constant(["a"]), [b"a"])),
    ("assertAllEqual", ([rt.constant(1), 2], np.array([1, 2]))),
    ("assertNotAllEqual", ([1, 2], [1, 3])),
    ("assertAllClose", (rt.constant([1.0]), [1.0 + 1e-7])),
    ("assertAllClose", ({"a": [1.0], "b": 2.0}, {"a": rt.constant([1.0]), "b": 2.0})),
    ("assertAllClose", ([[1.0], [1.0, 2.0]], ([1.0], rt.constant([1.0, 2.0])))),
    ("assertAllClose", (np.float16(1.0), 1.0005)),
    ("assertNotAllClose", (1.0, 1.1)),
    ("assertNear", (1.0, 1.1, 0.2)),
    ("assertShapeEqual", (np.zeros((2, 3)), rt.zeros((2, 3)))),
    ("assertDTypeEqual", (rt.constant(1.0), rt.float32)),
    ("assertAllGreater", ([2, 3], 1)),
    ("assertAllLessEqual", ([2, 3], 3)),
    ("assertAllInRange", ([2, 3], 2, 3)),
    ("assertAllInSet", ([2, 3], {2, 3})),
    ("assertLen", ([1, 2], 2)),
]
FAILS = [
    ("assertAllEqual", ([1, 2], [1, 3]), r"1 of 2 elements differ; first at \(1,\): .*2.* and .*3"),
    ("assertAllEqual", ([1, 2], [[1, 2]]), r"shapes differ: \(2,\) and \(1, 2\)"),
    ("assertAllEqual", ([1.0], [NAN]), "1 of 1"),
    ("assertAllEqual", (["a"], ["b"]), "differ"),
    ("assertNotAllEqual", ([1], [1]), "all elements are equal"),
    ("assertAllClose", ([1.0], [1.1]), "further apart"),
    ("assertAllClose", ({"a": 1.0}, {"b": 1.0}), "'a'"),
    ("assertAllClose", ([[1.0], [1.0, 2.0]], [[1.0], [1.0, 3.0]]), "further apart"),
    ("assertAllClose", ({"a": 1.0}, [1.0]), "not of one structure"),
    ("assertNotAllClose", (1.0, 1.0), "close"),
    ("assertNear", (1.0, 1.3, 0.2), "further apart"),
    ("assertShapeEqual", (np.zeros(2), rt.zeros(3)), "shapes differ"),
    ("assertDTypeEqual", (rt.constant(1.0), rt.int32), "float32"),
    ("assertAllGreater", ([1, 3], 1), "not all elements are > 1"),
    ("assertAllInRange", ([1, 3], 2, 3), "between 2 and 3"),
    ("assertAllInSet", ([1, 3], {2, 3}), "in {2, 3}"),
    ("assertEmpty", ([1],), "0 != 1"),
]


@pytest.mark.parametrize(("name", "arguments"), PASSES)
def test_assertions_that_hold_pass(name: str, arguments: tuple[Any, ...]) -> None:
    getattr(CASE, name)(*arguments)


@pytest.mark.parametrize(("name", "arguments", "words"), FAILS)
def test_assertions_that_do_not_hold_fail(
    name: str, arguments: tuple[Any, ...], words: str
) -> None:
    with pytest.raises(AssertionError, match=words):
        getattr(CASE, name)(*arguments)


def test_values_are_read_in_structures() -> None:
    found = CASE.evaluate({"a": rt.constant(1), "b": [rt.Variable(2.0), 3]})
    assert {"a": 1, "b": [2.0, 3]} == found


def test_op_errors_are_matched_by_message() -> None:
    with CASE.assertRaisesOpError("shape"):
        rt.add([1, 2], [1, 2, 3])
    with CASE.assertRaisesWithPredicateMatch(InvalidArgumentError, lambda error: True):
        rt.add([1, 2], [1, 2, 3])
    with pytest.raises(AssertionError), CASE.assertRaisesOpError("no such words"):
        rt.add([1, 2], [1, 2, 3])
    with pytest.raises(AssertionError), CASE.assertRaisesOpError("shape"):
        pass


def test_a_test_has_a_folder_and_a_seed() -> None:
    seen: list[Any] = []

    class Two(tf.test.TestCase):
        def test_it(self) -> None:
            seen.append((self.get_temp_dir(), float(tf.random.uniform([]))))
            Path(self.get_temp_dir(), "file").write_text("")
            with self.session(), self.cached_session(), self.subTest(i=1):
                self.assertAllEqual(1, tf.constant(1))

    for _ in range(2):
        assert Two("test_it").run().wasSuccessful()
    (first, one), (second, other) = seen
    assert one == other
    assert not os.path.exists(first) and not os.path.exists(second)
