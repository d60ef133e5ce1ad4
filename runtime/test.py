"""Test cases for tensors: `unittest.TestCase` with assertions on their values.

class SumTest(rt.test.TestCase):
    def test_sum(self):
        self.assertAllEqual(rt.reduce_sum([1, 2]), 3)

if __name__ == "__main__":
    rt.test.main()
"""

from __future__ import annotations

import shutil
import tempfile
import unittest
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import numpy as np

from runtime import nest
from runtime.core.lazy_imports import own_names
from runtime.core.tensor import Array, TensorLike
from runtime.errors import OpError
from runtime.ops.convert import is_tensor_like, to_tensor
from runtime.random import set_seed

SEED = 87654321


class TestCase(unittest.TestCase):
    """A test case with assertions on tensors, arrays, variables, and nested lists of numbers.

    Random numbers begin with the same seed in every test.

    Example:
        >>> import autograph.runtime as rt
        >>> class Doubling(rt.test.TestCase):
        ...     def test_double(self) -> None:
        ...         self.assertAllClose(rt.constant([1.0, 2.0]) * 2, [2.0, 4.0])
        >>> Doubling("test_double").run().wasSuccessful()
        True
    """

    def setUp(self) -> None:
        """Set the seed; a test case with a `setUp` of its own has to call this one."""
        set_seed(SEED)

    # -- values --------------------------------------------------------------------------------

    def evaluate(self, tensors: Any) -> Any:
        """Return the values of tensors, alone or in lists, tuples and dicts, as NumPy arrays."""
        return nest.map_structure(_value, tensors)

    def get_temp_dir(self) -> str:
        """Return a folder for the files of this test; it is removed after the test."""
        if not hasattr(self, "_folder"):
            self._folder = tempfile.mkdtemp()
            self.addCleanup(shutil.rmtree, self._folder, ignore_errors=True)
        return self._folder

    @contextmanager
    def session(self, *args: Any, **kwargs: Any) -> Iterator[TestCase]:
        """Do nothing: `evaluate` needs no session."""
        yield self

    cached_session = session

    # -- equality ------------------------------------------------------------------------------

    def assertAllEqual(self, a: TensorLike, b: TensorLike, msg: str | None = None) -> None:
        """Fail unless shapes and all elements are the same; a NaN is the same as a NaN."""
        first, second = _pair(a, b)
        self._assert_same_shape(first, second, msg)
        differ = first != second
        if first.dtype.kind in "fc" and second.dtype.kind in "fc":
            differ &= ~(np.isnan(first) & np.isnan(second))
        self._assert_none(differ, first, second, "differ", msg)

    def assertNotAllEqual(self, a: TensorLike, b: TensorLike, msg: str | None = None) -> None:
        """Fail if shapes and all elements are the same."""
        try:
            self.assertAllEqual(a, b)
        except self.failureException:
            return
        self.fail(self._formatMessage(msg, "all elements are equal"))

    def assertAllClose(
        self,
        a: TensorLike,
        b: TensorLike,
        rtol: float = 1e-6,
        atol: float = 1e-6,
        msg: str | None = None,
    ) -> None:
        """Fail unless `|a - b| <= atol + rtol * |b|` for all elements; float16 may differ by more.

        Args:
            a, b: numbers, or lists, tuples and dicts of them of one structure.
        """
        if isinstance(a, Mapping) or isinstance(b, Mapping) or _is_ragged(a) or _is_ragged(b):
            self._assert_close_inside(a, b, rtol, atol, msg)
            return
        first, second = _pair(a, b)
        self._assert_same_shape(first, second, msg)
        if np.float16 in (first.dtype, second.dtype):
            rtol, atol = max(rtol, 1e-3), max(atol, 1e-3)
        close = np.isclose(first, second, rtol, atol, equal_nan=True)
        self._assert_none(~close, first, second, f"are further apart than {rtol=}, {atol=}", msg)

    def assertNotAllClose(
        self,
        a: TensorLike,
        b: TensorLike,
        rtol: float = 1e-6,
        atol: float = 1e-6,
        msg: str | None = None,
    ) -> None:
        """Fail if `assertAllClose` would not."""
        try:
            self.assertAllClose(a, b, rtol, atol, msg)
        except self.failureException:
            return
        self.fail("all elements are close")

    def assertAllCloseAccordingToType(
        self,
        a: TensorLike,
        b: TensorLike,
        rtol: float = 1e-6,
        atol: float = 1e-6,
        float_rtol: float = 1e-6,
        float_atol: float = 1e-6,
        half_rtol: float = 1e-3,
        half_atol: float = 1e-3,
        bfloat16_rtol: float = 1e-2,
        bfloat16_atol: float = 1e-2,
        msg: str | None = None,
    ) -> None:
        """Fail unless all elements are close, with the tolerances of the less exact dtype."""
        leaves = nest.flatten([a, b])
        kinds = {each.dtype.name for each in leaves if hasattr(each, "dtype")}
        limits = {
            "float32": (float_rtol, float_atol),
            "float16": (half_rtol, half_atol),
            "bfloat16": (bfloat16_rtol, bfloat16_atol),
        }
        for kind in kinds & limits.keys():
            rtol, atol = max(rtol, limits[kind][0]), max(atol, limits[kind][1])
        self.assertAllClose(a, b, rtol, atol, msg)

    def assertNear(
        self, f1: TensorLike, f2: TensorLike, err: float, msg: str | None = None
    ) -> None:
        """Fail unless two numbers differ by at most `err`."""
        self.assertAllClose(f1, f2, rtol=0.0, atol=err, msg=msg)

    def assertArrayNear(
        self, farray1: TensorLike, farray2: TensorLike, err: float, msg: str | None = None
    ) -> None:
        """Fail unless all elements differ by at most `err`."""
        self.assertAllClose(farray1, farray2, rtol=0.0, atol=err, msg=msg)

    # -- other properties ----------------------------------------------------------------------

    def assertShapeEqual(
        self, input_a: TensorLike, input_b: TensorLike, msg: str | None = None
    ) -> None:
        """Fail unless two shapes are the same."""
        self._assert_same_shape(_array(input_a), _array(input_b), msg)

    def assertDTypeEqual(self, target: TensorLike, expected_dtype: Any) -> None:
        """Fail unless a dtype is the expected one, given as a dtype of ours or NumPy's."""
        wanted = getattr(expected_dtype, "np_dtype", expected_dtype)
        self.assertEqual(_array(target).dtype, np.dtype(wanted))

    def assertEmpty(self, container: Sized, msg: str | None = None) -> None:
        """Fail unless a container is empty."""
        self.assertEqual(0, len(container), msg)

    def assertLen(self, container: Sized, expected_len: int, msg: str | None = None) -> None:
        """Fail unless a container has `expected_len` items."""
        self.assertEqual(expected_len, len(container), msg)

    def assertAllGreater(self, a: TensorLike, comparison_target: float) -> None:
        """Fail unless all elements are greater than the target."""
        self._assert_all(_array(a) > comparison_target, a, f"> {comparison_target}")

    def assertAllGreaterEqual(self, a: TensorLike, comparison_target: float) -> None:
        """Fail unless all elements are greater than or equal to the target."""
        self._assert_all(_array(a) >= comparison_target, a, f">= {comparison_target}")

    def assertAllLess(self, a: TensorLike, comparison_target: float) -> None:
        """Fail unless all elements are less than the target."""
        self._assert_all(_array(a) < comparison_target, a, f"< {comparison_target}")

    def assertAllLessEqual(self, a: TensorLike, comparison_target: float) -> None:
        """Fail unless all elements are less than or equal to the target."""
        self._assert_all(_array(a) <= comparison_target, a, f"<= {comparison_target}")

    def assertAllInRange(
        self,
        target: TensorLike,
        lower_bound: float,
        upper_bound: float,
        open_lower_bound: bool = False,
        open_upper_bound: bool = False,
    ) -> None:
        """Fail unless all elements are between two bounds; each bound is included unless open."""
        array = _array(target)
        above = array > lower_bound if open_lower_bound else array >= lower_bound
        inside = above & (array < upper_bound if open_upper_bound else array <= upper_bound)
        self._assert_all(inside, target, f"between {lower_bound} and {upper_bound}")

    def assertAllInSet(self, target: TensorLike, expected_set: Iterable[object]) -> None:
        """Fail unless all elements are among the expected ones."""
        array = _array(target)
        self._assert_all(np.isin(array, list[Any](expected_set)), target, f"in {expected_set}")

    # -- errors --------------------------------------------------------------------------------

    def assertRaisesOpError(
        self, expected_err_re_or_predicate: str | Callable[[Any], Any]
    ) -> AbstractContextManager[Any]:
        """Return a context manager that fails unless an OpError with this message is raised."""
        return self.assertRaisesWithPredicateMatch(OpError, expected_err_re_or_predicate)

    @contextmanager
    def assertRaisesWithPredicateMatch(
        self, exception_type: Any, expected_err_re_or_predicate: str | Callable[[Any], Any]
    ) -> Iterator[None]:
        """Fail unless an exception is raised that matches.

        Args:
            exception_type: the class of the exception, or a tuple of classes.
            expected_err_re_or_predicate: a pattern to search for, or a predicate of the exception.
        """
        with self.assertRaises(exception_type) as caught:
            yield
        wanted = expected_err_re_or_predicate
        if callable(wanted):
            self.assertTrue(wanted(caught.exception), f"another error: {caught.exception!r}")
        else:
            self.assertRegex(str(caught.exception), wanted)

    # -- helpers -------------------------------------------------------------------------------

    def _assert_same_shape(self, first: Array, second: Array, msg: str | None) -> None:
        if first.shape != second.shape:
            words = f"shapes differ: {first.shape} and {second.shape}"
            self.fail(self._formatMessage(msg, words))

    def _assert_none(
        self, wrong: Any, first: Array, second: Array, words: str, msg: str | None
    ) -> None:
        wrong = np.asarray(wrong, bool)
        if not wrong.any():
            return
        place = tuple(int(each) for each in np.argwhere(wrong)[0])
        text = f"{np.count_nonzero(wrong)} of {wrong.size} elements {words}; first at {place}: "
        self.fail(self._formatMessage(msg, f"{text}{first[place]!r} and {second[place]!r}"))

    def _assert_all(self, holds: Any, given: Any, words: str) -> None:
        if not np.all(holds):
            self.fail(f"not all elements are {words}: {_array(given)!r}")

    def _assert_close_inside(
        self, a: Any, b: Any, rtol: float, atol: float, msg: str | None
    ) -> None:
        """Compare the parts of two structures that are not single arrays."""
        if isinstance(a, Mapping) and isinstance(b, Mapping):
            self.assertEqual(sorted(a), sorted(b), msg)
            pairs = [(a[key], b[key]) for key in a]
        elif isinstance(a, Sequence) and isinstance(b, Sequence):
            self.assertEqual(len(a), len(b), msg)
            pairs = list(zip(a, b))
        else:
            self.fail(self._formatMessage(msg, f"{a!r} and {b!r} are not of one structure"))
        for first, second in pairs:
            self.assertAllClose(first, second, rtol, atol, msg)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the tests of the main file, and exit.

    Args:
        argv: the command line; by default that of the process.

    >>> if __name__ == "__main__":
    ...     main()
    """
    unittest.main(module="__main__", argv=None if argv is None else list(argv))


def _value(value: Any) -> Any:
    return value.numpy() if hasattr(value, "numpy") else value


def _array(value: Any) -> Array:
    if is_tensor_like(value):
        return np.asarray(to_tensor(value))
    if isinstance(value, (list, tuple)):
        return np.asarray([_array(each) for each in value])
    return np.asarray(value.encode() if isinstance(value, str) else value)


def _pair(a: Any, b: Any) -> tuple[Array, Array]:
    """Return two values as arrays; texts and bytes are compared as objects."""
    first, second = _array(a), _array(b)
    if {first.dtype.kind, second.dtype.kind} & set("OSU"):
        return first.astype(object), second.astype(object)
    return first, second


def _is_ragged(value: Any) -> bool:
    """Return whether a list cannot be one array: it has dicts in it, or items of several shapes."""
    if not isinstance(value, (list, tuple)):
        return False
    if any(isinstance(each, Mapping) or _is_ragged(each) for each in value):
        return True
    return len({_array(each).shape for each in value}) > 1


__dir__ = own_names(__name__)
