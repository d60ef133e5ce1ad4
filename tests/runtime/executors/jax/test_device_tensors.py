"""Tensors that hold arrays of JAX's: every use of one sees its value, and no call copies it."""

from __future__ import annotations

import copy
import os
import pickle
import threading
import time
import weakref
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.device_tensor import DeviceTensor
from runtime.core.tensor import EagerTensor
from runtime.errors import EngineWarning

jax = pytest.importorskip("jax")
jnp = jax.numpy

pytestmark = pytest.mark.filterwarnings(f"error::{EngineWarning.__module__}.EngineWarning")


def staged(function: Any, executor: str = "jax", **options: Any) -> Any:
    return ag.function(function, executor=executor, **options)


def on_device(values: Any, dtype: Any = None) -> Any:
    """Return a result of the engine at which nobody has looked."""
    double = staged(lambda x: x + x)
    x = rt.constant(values, dtype)
    found = double(x)
    assert is_unseen(found)
    return found


def is_unseen(tensor: Any) -> bool:
    """Return whether NumPy has no copy of a value."""
    try:
        EagerTensor._array.__get__(tensor)
    except AttributeError:
        return type(tensor) is DeviceTensor and isinstance(tensor._held, jax.Array)
    return False


def aligned(count: int) -> np.ndarray:
    """Return an array of ones whose memory JAX takes over instead of a copy."""
    raw = np.zeros(count * 4 + 64, np.uint8)
    start = -raw.ctypes.data % 64
    found = raw[start : start + count * 4].view(np.float32)
    found[:] = 1.0
    return found


# -- nothing is copied -----------------------------------------------------------------------------


def test_facts_of_a_result_need_no_copy() -> None:
    y = on_device([[1, 2, 3]], rt.int64)
    assert (y.shape, y.dtype, y.ndim, y.size, len(y)) == (rt.TensorShape([1, 3]), rt.int64, 2, 3, 1)
    assert y.spec == rt.TensorSpec([1, 3], rt.int64)
    assert isinstance(y, rt.Tensor) and y.device and y.get_shape() == [1, 3]
    assert is_unseen(y)


def test_a_result_is_an_argument_without_a_copy() -> None:
    step = staged(lambda x, y: (x * y + 1.0, [y, {"x": x}]))
    x, y = on_device([1.0, 2.0]), on_device([3.0, 4.0])
    x, (y, _) = step(x, y)
    with jax.transfer_guard("disallow"):
        for _ in range(3):
            x, (y, inside) = step(x, y)
    assert is_unseen(x) and is_unseen(y) and is_unseen(inside["x"])
    held = x._held.unsafe_buffer_pointer()
    assert x.numpy().shape == (2,) and x._held.unsafe_buffer_pointer() == held


def test_a_tensor_that_is_passed_again_is_copied_once() -> None:
    x, total = rt.constant([1.0, 2.0]), staged(lambda x: rt.reduce_sum(x))
    assert [float(total(x)) for _ in range(3)] == [3.0] * 3
    with jax.transfer_guard("disallow"):
        kept = x._held
        y = total(x)
    assert isinstance(kept, jax.Array) and x._held is kept and float(y) == 3.0
    with pytest.warns(EngineWarning, match="Disallowed"), jax.transfer_guard("disallow"):
        assert float(total(rt.constant([5.0, 2.0]))) == 7.0


def test_a_variable_that_is_only_read_is_copied_once() -> None:
    v = rt.Variable([1.0, 2.0])
    scaled, x = staged(lambda x: x * v), on_device(1.0)
    for _ in range(2):
        assert scaled(x).numpy().tolist() == [2.0, 4.0]
    with jax.transfer_guard("disallow"):
        y = scaled(x)
    v.assign_add([1.0, 1.0])
    assert [y.numpy().tolist(), scaled(x).numpy().tolist()] == [[2.0, 4.0], [4.0, 6.0]]
    staged(lambda: v.assign([7.0, 8.0]), "numpy")()
    assert [scaled(x).numpy().tolist() for _ in range(3)] == [[14.0, 16.0]] * 3
    v[0].assign(0.0)
    assert [scaled(x).numpy().tolist() for _ in range(3)] == [[0.0, 16.0]] * 3
    assert pickle.loads(pickle.dumps(v)).numpy().tolist() == [0.0, 8.0]
    assert copy.deepcopy(v).numpy().tolist() == [0.0, 8.0]


# -- every reader ----------------------------------------------------------------------------------

READERS: dict[str, Any] = {
    "numpy": lambda y: y.numpy().tolist(),
    "array": lambda y: np.asarray(y).tolist(),
    "array of a dtype": lambda y: np.asarray(y, np.float64).tolist(),
    "array copied": lambda y: np.array(y, copy=True).tolist(),
    "str": str,
    "repr": repr,
    "format": lambda y: f"{y}",
    "iteration": lambda y: [float(each) for each in y],
    "item": lambda y: float(y[1]),
    "slice": lambda y: y[1:].numpy().tolist(),
    "in": lambda y: 4.0 in y,
    "operator": lambda y: (y * 2.0).numpy().tolist(),
    "reflected": lambda y: (1.0 - y).numpy().tolist(),
    "beside a tensor": lambda y: (rt.constant([1.0, 1.0]) + y).numpy().tolist(),
    "two": lambda y: (y - y).numpy().tolist(),
    "NumPy's operator": lambda y: np.asarray(np.ones(2, np.float32) + y).tolist(),
    "op": lambda y: float(rt.reduce_max(y)),
    "comparison": lambda y: (y == rt.constant([2.0, 4.0])).numpy().tolist(),
    "stack": lambda y: rt.stack([y, y]).numpy().tolist(),
    "list": lambda y: rt.constant([y, y]).numpy().tolist(),
    "pickle": lambda y: pickle.loads(pickle.dumps(y)).numpy().tolist(),
    "pickled type": lambda y: type(pickle.loads(pickle.dumps(y))).__name__,
    "copy": lambda y: copy.copy(y) is y and copy.deepcopy(y) is y,
    "reference": lambda y: (y.ref().deref() is y, weakref.ref(y)() is y),
    "DLPack to NumPy": lambda y: np.from_dlpack(y).tolist(),
    "DLPack to JAX": lambda y: jnp.from_dlpack(y).tolist(),
    "JAX": lambda y: jnp.asarray(y).tolist(),
    "variable": lambda y: rt.Variable(y).numpy().tolist(),
    "assign": lambda y: rt.Variable([0.0, 0.0]).assign(y).numpy().tolist(),
    "assign_add": lambda y: rt.Variable([1.0, 0.0]).assign_add(y).numpy().tolist(),
    "NumPy's executor": lambda y: staged(lambda x: x * 2.0, "numpy")(y).numpy().tolist(),
    "the interpreter": lambda y: staged(lambda x: x * 2.0, "interpreter")(y).numpy().tolist(),
    "the engine": lambda y: staged(lambda x: x * 2.0)(y).numpy().tolist(),
    "concrete function": lambda y: (
        staged(lambda x: x * 2.0).get_concrete_function(y)(y).numpy().tolist()
    ),
    "captured": lambda y: staged(lambda: y * 2.0)().numpy().tolist(),
    "dataset": lambda y: [float(e) for e in rt.data.Dataset.from_tensor_slices(y)],
    "truth": lambda y: bool(y[0] > 1.0),
}


@pytest.mark.parametrize("name", READERS)
def test_every_reader_sees_the_value(name: str) -> None:
    found = READERS[name](on_device([1.0, 2.0]))
    assert found == READERS[name](rt.constant([2.0, 4.0]))


SCALARS: dict[str, Any] = {
    "int": int,
    "float": float,
    "complex": complex,
    "bool": bool,
    "index": lambda y: list(range(9))[y],
    "round": round,
    "format": lambda y: f"{y:03d}",
    "numpy": lambda y: y.numpy(),
}


@pytest.mark.parametrize("name", SCALARS)
def test_every_reader_sees_a_scalar(name: str) -> None:
    assert SCALARS[name](on_device(2)) == SCALARS[name](rt.constant(4))


def test_the_copy_of_numpy_is_one_object_that_nobody_changes() -> None:
    y = on_device([1.0, 2.0])
    assert y._array is y._array
    assert not y._array.flags.writeable
    with pytest.raises(TypeError):
        y[0] = 1.0
    mine = y.numpy()
    mine[0] = 9.0
    assert y.numpy().tolist() == [2.0, 4.0]
    assert staged(lambda x: x * 1.0)(y).numpy().tolist() == [2.0, 4.0]


def test_dlpack_shares_the_memory_of_jax() -> None:
    y = on_device([1.0, 2.0])
    seen = np.from_dlpack(y)
    assert seen.ctypes.data == y._held.unsafe_buffer_pointer() and not seen.flags.writeable


def set_first(x: Any) -> Any:
    y = x
    y[0] = 7.0
    return x, y


@pytest.mark.parametrize("executor", ["numpy", "jax"])
def test_a_changed_item_is_another_tensor(executor: str) -> None:
    y = on_device([1.0, 2.0])
    before, after = staged(set_first, executor)(y)
    assert [before.numpy().tolist(), after.numpy().tolist()] == [[2.0, 4.0], [7.0, 4.0]]
    assert y.numpy().tolist() == [2.0, 4.0]


class Total:
    def __init__(self) -> None:
        self.sum, self.seen = rt.constant([0.0, 0.0]), []


@pytest.mark.parametrize("executors", [("jax", "numpy"), ("jax", "jax"), ("numpy", "jax")])
def test_state_of_python_may_be_a_result(executors: tuple[str, str]) -> None:
    total = Total()

    def add(x: Any) -> Any:
        total.sum = total.sum + x
        return total.sum * 1.0

    both = [staged(add, executor) for executor in executors]
    for at in range(6):
        total.seen.append(both[at % 2](on_device([1.0, 2.0])).numpy().tolist())
        if at == 3:
            total.sum = on_device([0.0, 1.0])
    assert total.seen[:4] == [[2.0 * n, 4.0 * n] for n in (1, 2, 3, 4)]
    assert total.seen[4:] == [[2.0, 6.0], [4.0, 10.0]]


def test_a_tape_follows_results() -> None:
    found = []
    for executor in ("numpy", "jax"):
        square = staged(lambda x: x * x, executor)
        x = square(rt.constant([2.0, 3.0]))
        x = square(x)
        with rt.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = square(x) + x * x
            z = rt.reduce_sum(square(y))
        found.append([tape.gradient(each, x).numpy().tolist() for each in (y, z)])
    assert found[0] == found[1]
    x = on_device(3.0)
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = x * x * x
    assert float(tape.gradient(y, x)) == 108.0


def test_a_model_trains_on_results() -> None:
    found = []
    for executor in ("numpy", "jax"):
        scale = staged(lambda x: x * 0.5, executor)
        x = scale(scale(rt.reshape(rt.range(12.0), [4, 3])))
        model = rt.nn.Sequential([rt.nn.layers.Dense(1, kernel_initializer="ones")])
        model.compile("sgd", "mse")
        history = model.fit(x, x[:, :1], epochs=2, batch_size=4, shuffle=False, verbose=0)
        found.append(history.history["loss"])
    assert found[0] == pytest.approx(found[1], rel=1e-5)


# -- errors ----------------------------------------------------------------------------------------


def test_an_error_of_a_call_on_results_is_that_of_python() -> None:
    v, at = rt.Variable(1.0), on_device(2)

    def item(x: Any, i: Any) -> Any:
        v.assign_add(1.0)
        return x[i]

    f = staged(item)
    for _ in range(2):
        assert float(f(on_device([1.0] * 5), at)) == 2.0
    with pytest.raises(IndexError, match="slice index 4 of dimension 0 out of bounds"):
        f(on_device([1.0] * 4), at)
    assert float(v) == 4.0


# -- arrays of JAX's -------------------------------------------------------------------------------


@pytest.mark.parametrize("executor", ["numpy", "jax", "interpreter"])
def test_arrays_of_jax_are_arguments(executor: str) -> None:
    traces = []

    def f(x: Any, more: Any) -> Any:
        traces.append(isinstance(x, rt.Tensor))
        return x * more["y"][0] + 1.0

    g = staged(f, executor)
    for n in (1.0, 2.0, 3.0):
        found = g(jnp.full(3, n), {"y": [jnp.full((), n)]})
        assert found.numpy().tolist() == [n * n + 1.0] * 3
    assert traces == [True]
    assert g(rt.constant([1.0, 1.0, 1.0]), {"y": [rt.constant(1.0)]}).dtype is rt.float32
    assert traces == [True]


def test_an_array_of_jax_is_taken_as_it_is() -> None:
    x, f = jnp.arange(4.0), staged(lambda x: x + x)
    with jax.enable_x64(True):
        wide = jnp.arange(3, dtype=jnp.int64)
    f(x), f(wide)
    with jax.transfer_guard("disallow"):
        found = [f(x), f(wide)]
    assert [each.numpy().tolist() for each in found] == [[0.0, 2.0, 4.0, 6.0], [0.0, 2.0, 4.0]]
    assert [each.dtype for each in found] == [rt.float32, rt.int64]


def test_an_array_of_jax_of_a_weak_type_is_one_of_its_dtype() -> None:
    f = staged(lambda x: x + 1)
    weak = jnp.asarray(2)
    assert weak.weak_type
    for x in (weak, rt.constant(2), weak, jnp.int32(2)):
        assert (int(f(x)), f(x).dtype) == (3, rt.int32)


def test_a_key_of_jax_is_a_tensor_of_its_data() -> None:
    f = staged(lambda key: key + 0)
    for seed in range(2):
        key = jax.random.key(seed)
        assert f(key).numpy().tolist() == jax.random.key_data(key).tolist()
    assert f.experimental_get_tracing_count() == 1


def test_eager_ops_take_arrays_of_jax() -> None:
    assert (rt.constant([1.0, 2.0]) * jnp.arange(2.0)).numpy().tolist() == [0.0, 2.0]
    assert rt.constant(jnp.arange(2.0)).numpy().tolist() == [0.0, 1.0]


# -- memory of NumPy -------------------------------------------------------------------------------


def slow(x: Any) -> Any:
    y = x
    for _ in rt.range(3000):
        y = rt.tanh(y) + x * 0.001
    return y


def test_a_run_does_not_see_later_changes_of_an_argument() -> None:
    f, mine = staged(slow), aligned(10000)
    wanted = f(mine.copy()).numpy()
    for make in (lambda x: x, rt.constant):
        for _ in range(2):
            given = make(mine)
            found = f(given)
            mine[:] = 7.0
            assert np.array_equal(found.numpy(), wanted)
            mine[:] = 1.0
    same = staged(lambda x: (x, x + 0.0))
    for _ in range(2):
        found = same(mine)
        mine[:] = 7.0
        assert [each.numpy().max() for each in found] == [1.0, 1.0]
        mine[:] = 1.0


def test_numpy_keeps_nothing_of_an_argument_after_an_error() -> None:
    def first(x: Any, i: Any) -> Any:
        try:
            found = x[i]
        except IndexError:
            found = x[0]
        return x, found

    f, mine = staged(first), aligned(10000)
    for i in (0, 1, 20000):
        x, found = f(mine, rt.constant(i))
        mine[:] = 7.0
        assert (x.numpy().max(), float(found)) == (1.0, 1.0)
        mine[:] = 1.0


def test_state_of_python_keeps_nothing_of_an_argument() -> None:
    total = Total()

    def keep(x: Any) -> Any:
        total.sum = x * 1.0
        total.last = x
        return x

    f, mine = staged(keep), aligned(10000)
    for _ in range(4):
        found = f(mine)
        mine[:] = 7.0
        assert [each.numpy().max() for each in (found, total.sum, total.last)] == [1.0] * 3
        mine[:] = 1.0


def test_a_variable_of_numpy_may_change_during_a_run() -> None:
    v = rt.Variable(aligned(1000))
    f = staged(lambda: slow(v.read_value()))
    found = []
    for _ in range(4):
        found.append(f())
        v.assign(v * 1.0)
        staged(lambda: v.assign_add(rt.zeros([1000])), "numpy")()
    first = found[0].numpy()
    assert all(np.array_equal(each.numpy(), first) for each in found)


# -- threads and processes -------------------------------------------------------------------------


def test_threads_that_look_first_get_one_array() -> None:
    for _ in range(20):
        y = on_device([1.0, 2.0])
        seen: list[Any] = []
        start = threading.Barrier(4)

        def look(y: Any = y, seen: list[Any] = seen, start: Any = start) -> None:
            start.wait()
            seen.append(y._array)

        threads = [threading.Thread(target=look) for _ in range(4)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert all(each is seen[0] for each in seen) and len(seen) == 4


def test_threads_call_one_function_on_one_tensor() -> None:
    f, x = staged(lambda x: x * 2.0), rt.constant([1.0, 2.0])
    found: list[Any] = []

    def call() -> None:
        found.extend(f(x).numpy().tolist() for _ in range(30))

    threads = [threading.Thread(target=call) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert found == [[2.0, 4.0]] * 120


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork:RuntimeWarning", "ignore:.*fork:DeprecationWarning")
def test_a_forked_child_reads_results() -> None:
    f, x = staged(slow), on_device([0.5] * 20000)
    f(x), f(x)
    y = f(x)
    child = os.fork()
    if child == 0:
        os._exit(3 if y.numpy().shape == (20000,) and float(y[0]) > 0.0 else 4)
    status = None
    for _ in range(300):
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            break
        time.sleep(0.1)
    else:
        os.kill(child, 9)
        os.waitpid(child, 0)
    assert ended and os.waitstatus_to_exitcode(status) == 3
