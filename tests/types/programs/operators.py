"""Python's operators on tensors give tensors, whatever stands on the other side."""

from __future__ import annotations

import numpy as np
from typing_extensions import assert_type

import autograph.runtime as rt
from autograph.runtime import DType, Tensor, TensorShape

x = rt.constant([[1.0, 2.0], [3.0, 4.0]])
n = rt.constant(3)
b = rt.constant([True, False])
array = np.ones((2, 2), np.float32)
rows = [[1.0, 2.0], [3.0, 4.0]]

assert_type(x + 1, Tensor)
assert_type(1 - x, Tensor)
assert_type(2.5 * x, Tensor)
assert_type(x / 2, Tensor)
assert_type(x // 2, Tensor)
assert_type(x % 2, Tensor)
assert_type(x**2, Tensor)
assert_type(2**x, Tensor)
assert_type(x @ x, Tensor)
assert_type(x @ array, Tensor)
assert_type(divmod(n, 2), tuple[Tensor, Tensor])
assert_type(-x, Tensor)
assert_type(+x, Tensor)
assert_type(abs(x), Tensor)
assert_type(~b, Tensor)
assert_type(b & True, Tensor)
assert_type(b | b, Tensor)
assert_type(n << 1, Tensor)

assert_type(x + array, Tensor)
assert_type(array + x, Tensor)
assert_type(array * x, Tensor)
assert_type(array @ x, Tensor)
assert_type(np.float32(3) * x, Tensor)
assert_type(x - rows, Tensor)
assert_type(rows - x, Tensor)
assert_type(x * [x[0], x[1]], Tensor)

assert_type(x > 1, Tensor)
assert_type(1 < x, Tensor)
assert_type(x <= array, Tensor)
assert_type(array >= x, Tensor)
assert_type(x == 1, Tensor)
assert_type(x != array, Tensor)
assert_type(x == x, Tensor)

assert_type(x[0], Tensor)
assert_type(x[0, -1], Tensor)
assert_type(x[..., 1:], Tensor)
assert_type(x[:, None], Tensor)
assert_type(x[rt.newaxis], Tensor)
assert_type(x[n - 3], Tensor)
assert_type(x[: n - 2], Tensor)
assert_type(x[x > 1], Tensor)
for row in x:
    assert_type(row, Tensor)
    for element in row:
        assert_type(element, Tensor)
first, second = x
assert_type(first, Tensor)

assert_type(float(x[0, 0]), float)
assert_type(int(n), int)
assert_type(bool(n > 2), bool)
assert_type(len(x), int)
assert_type(range(n), range)
assert_type(1.0 in first, bool)

assert_type(x.shape, TensorShape)
assert_type(x.shape[0], "int | None")
assert_type(x.shape[1:], TensorShape)
assert_type(x.shape.as_list(), "list[int | None]")
assert_type(x.dtype, DType)
assert_type(x.dtype.is_floating, bool)
assert_type(x.ndim, int)
assert_type(x.T, Tensor)
assert_type(x.device, str)
assert_type(x.spec, rt.TensorSpec)
print(x.numpy().tolist(), np.asarray(x).sum(), np.exp(x), np.sum(x.numpy()))

assert_type(rt.reduce_sum(x, axis=0), Tensor)
assert_type(rt.reduce_mean(x, axis=[0, 1], keepdims=True), Tensor)
assert_type(rt.matmul(x, rows), Tensor)
assert_type(rt.where(x > 1, x, 0.0), Tensor)
assert_type(rt.reshape(x, (-1,)), Tensor)
assert_type(rt.reshape(x, [n - 1, 2]), Tensor)
assert_type(rt.zeros(x.shape, "int32"), Tensor)
assert_type(rt.cast(x, np.float64), Tensor)
assert_type(rt.concat([x, array], axis=0), Tensor)
assert_type(rt.stack([x, x]), Tensor)
assert_type(rt.unstack(x), "list[Tensor]")
assert_type(rt.split(x, 2), "list[Tensor]")
assert_type(rt.math.top_k(x, 1).values, Tensor)
assert_type(rt.linalg.inv(x), Tensor)
assert_type(rt.math.softplus(x), Tensor)
assert_type(rt.nn.relu(x), Tensor)
assert_type(rt.strings.join(["a", "b"]), Tensor)
assert_type(rt.random.normal((2, 2)), Tensor)
assert_type(rt.random.Generator.from_seed(1).uniform((2,)), Tensor)
assert_type(rt.signal.fft(rt.complex(x, x)), Tensor)
assert_type(rt.bitwise.bitwise_and(n, 1), Tensor)
assert_type(rt.is_tensor(x), bool)


def mistakes() -> None:
    x["a"]  # error
    x + None  # error
    x + {"a": 1}  # error
    x < None  # error
    x.sum()  # error
    x.astype("int32")  # error
    x.reshape(2)  # error
    x[0] = 1.0  # error
    rt.sum(x)  # error
    rt.reduce_sum(x, axi=0)  # error
    rt.reduce_sum(None)  # error
    rt.zeros("two")  # error
    rt.cast(x, 3)  # error
    rt.matmul(x)  # error
    rt.reshape(x, None)  # error
    rt.mat.add(x, x)  # error
    rt.linalg.inverse(x)  # error
    number: int = x + 1  # error
    print(number)
