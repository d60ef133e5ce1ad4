"""Complex numbers, guarded quotients, remainders and bits against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as rt
from runtime.errors import DivisionByZeroError, DTypeError, ShapeError

Z = np.array([1 + 2j, -3 + 0.5j, -2j, 4])


def test_parts_against_numpy() -> None:
    for name in ("real", "imag", "conj", "angle"):
        np.testing.assert_array_equal(getattr(rt.math, name)(Z).numpy(), getattr(np, name)(Z))
    assert rt.complex64 is rt.math.conj(Z.astype(np.complex64)).dtype


def test_real_numbers_have_parts_too() -> None:
    x = np.array([-1.5, 0.0, np.inf])
    for name in ("real", "imag", "angle"):
        np.testing.assert_array_equal(getattr(rt.math, name)(x).numpy(), getattr(np, name)(x))


def test_a_number_of_two_parts() -> None:
    found = rt.complex(rt.constant([[1.0], [np.inf]]), rt.constant([2.0, -0.5]))
    assert rt.complex64 is found.dtype and (2, 2) == found.shape
    assert complex(np.inf, -0.5) == complex(found.numpy()[1, 1])
    with pytest.raises(DTypeError, match="float32 or float64, not float16"):
        rt.complex(rt.constant(1.0, rt.float16), rt.constant(1.0, rt.float16))


def test_gradients_of_parts() -> None:
    def gradient(name: str, dy: complex, z: complex) -> complex:
        dtype = rt.float64 if isinstance(dy, float) else rt.complex128
        grad = rt.ops.op.REGISTRY[name].grad
        point = rt.constant(z, rt.complex128)
        return complex(grad([rt.constant(dy, dtype)], [None], [point])[0].numpy())

    assert 2.0 == gradient("real", 2.0, 1 + 2j)
    assert 2j == gradient("imag", 2.0, 1 + 2j)
    assert 1 - 2j == gradient("conj", 1 + 2j, 3j)
    assert 1j / 2 == gradient("angle", 1.0, 2.0)


def test_zero_wins_in_guarded_functions() -> None:
    inf = np.inf
    assert [0.0, 1.5, inf] == rt.math.xdivy([0.0, 3.0, 1.0], [0.0, 2.0, 0.0]).numpy().tolist()
    assert [0.0, -inf] == rt.math.xlog1py([0.0, 1.0], [-1.0, -1.0]).numpy().tolist()
    assert [0.5, 0.0] == rt.math.reciprocal_no_nan([2.0, 0.0]).numpy().tolist()


def test_inverse_hyperbolic_functions_against_numpy() -> None:
    x = np.linspace(1.1, 5, 9)
    np.testing.assert_array_equal(rt.acosh(x).numpy(), np.arccosh(x))
    np.testing.assert_array_equal(rt.asinh(-x).numpy(), np.arcsinh(-x))
    np.testing.assert_array_equal(rt.atanh(1 / x).numpy(), np.arctanh(1 / x))


def test_remainders_as_in_c() -> None:
    assert [-1, 1] == rt.truncatemod([-7, 7], [3, -3]).numpy().tolist()
    assert -1.5 == float(rt.truncatemod(-7.5, 2.0))
    with pytest.raises(DivisionByZeroError):
        rt.truncatemod(7, 0)
    with pytest.raises(DTypeError):
        rt.realdiv(1, 2)
    assert [0.0, 2.0, -2.0] == rt.math.rint([0.5, 1.5, -2.5]).numpy().tolist()
    assert np.nextafter(1.0, 2.0) == float(rt.math.nextafter(np.array(1.0), np.array(2.0)))


def test_bits_against_numpy() -> None:
    x = np.array([[1.5, -2.0], [0.25, 3e30]], np.float32)
    np.testing.assert_array_equal(rt.bitcast(x, rt.int32).numpy(), x.view(np.int32))
    narrow = rt.bitcast(x, rt.uint8).numpy()
    np.testing.assert_array_equal(narrow, x.view(np.uint8).reshape(2, 2, 4))
    np.testing.assert_array_equal(rt.bitcast(narrow, rt.float32).numpy(), x)
    with pytest.raises(ShapeError, match="the last axis must have 4 elements"):
        rt.bitcast(np.zeros((4, 3), np.uint8), rt.int32)
    with pytest.raises(DTypeError, match="bool values cannot be reinterpreted"):
        rt.bitcast([True], rt.uint8)
