"""Graphs that JAX runs: values, errors, variables, lists, and refusals."""

from __future__ import annotations

import pickle
import sys
import threading
from copy import deepcopy
from typing import Any
from unittest import mock

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import ArgumentValueError, EngineWarning, UnimplementedError
from runtime.executors.engine import Engine, Program
from runtime.executors.executor import checked_executor, executor_names
from runtime.graph.graph import Graph

jax = pytest.importorskip("jax")

from runtime.executors.jax.engine import JaxEngine  # noqa: E402
from runtime.executors.jax.program import _guessed_room  # noqa: E402
from runtime.executors.jax.rules import RULES  # noqa: E402

pytestmark = pytest.mark.filterwarnings(f"error::{EngineWarning.__module__}.EngineWarning")


def staged(function: Any, executor: str = "jax", **options: Any) -> Any:
    return ag.function(function, executor=executor, **options)


def engine_function(function: Any, *arguments: Any) -> Any:
    """Return the engine's program that runs the graph of a call."""
    return function.get_concrete_function(*arguments).executable.run.__self__


def test_the_protocol() -> None:
    assert isinstance(JaxEngine(), Engine)
    assert isinstance(JaxEngine().compile(Graph("f")), Program)
    assert "jax" in executor_names()
    assert checked_executor("jax") == "jax"


def collatz(n: Any) -> Any:
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def test_a_scalar_of_a_test_is_no_kernel_of_its_own_before_the_loop() -> None:
    def newton(a: Any) -> Any:
        x = a
        while abs(x * x - a) > 1e-5 * a:
            x = 0.5 * (x + a / x)
        return x

    f, a = staged(newton), rt.constant(2.0)
    assert float(f(a)) == pytest.approx(2**0.5, rel=1e-5)
    assert "mul" not in engine_function(f, a).source.partition("while")[0]
    assert engine_function(staged(newton, passes="-licm"), a).source


def test_a_branch_is_traced_once_and_replayed_once() -> None:
    f, x = staged(lambda x: x * 2.0 if x > 0 else x - 1.0), rt.constant(3.0)
    with mock.patch("jax.core.eval_jaxpr", wraps=jax.core.eval_jaxpr) as replay:
        assert float(f(x)) == 6.0
    assert replay.call_count == 2


@pytest.mark.parametrize("dtype", (rt.int8, rt.int32, rt.int64))
def test_quotients_by_a_known_positive_integer_take_few_steps(dtype: Any) -> None:
    f = staged(lambda x: (x // 3, x % 3, x // -3, x % -3))
    limits = np.iinfo(dtype.np_dtype)
    xs = np.array([limits.min, -4, -3, -1, 0, 1, 3, 5, limits.max], dtype.np_dtype)
    for given in (xs, xs[:, None], xs[0], xs[1], xs[-1]):
        for found, wanted in zip(f(given), (given // 3, given % 3, given // -3, given % -3)):
            assert found.dtype == dtype
            assert np.array_equal(found, wanted)
    by_positive, x = staged(lambda x: x // 3 % 2), rt.constant(xs)
    by_positive(x)
    assert "name=" not in engine_function(by_positive, x).source  # no functions of jax.numpy


def test_an_append_and_a_check_take_few_steps() -> None:
    def squares(n: Any) -> Any:
        found: list[Any] = []
        for i in range(n):
            found.append(i * i)
        return rt.stack(found)

    f, n = staged(squares), rt.constant(40)
    assert np.array_equal(f(n), np.arange(40) ** 2)
    source = engine_function(f, n).source
    assert "dynamic_update_slice" in source
    assert not any(word in source for word in ("scatter", "_where", "reduce_or"))


def test_a_loop_runs_in_jax() -> None:
    f = staged(collatz)
    assert [int(f(rt.constant(n))) for n in (27, 1, 6)] == [111, 0, 8]
    made = engine_function(f, rt.constant(27))
    assert made.reruns == 0
    assert "while" in made.source


def test_an_engine_has_64_bits_where_the_graph_has_them() -> None:
    f = staged(lambda x, y: (x * y, x + 1))
    x, y = rt.constant(2**40, rt.int64), rt.constant(3, rt.int64)
    found = f(x, y)
    assert [int(each) for each in found] == [3 * 2**40, 2**40 + 1]
    assert float(staged(lambda x: x / 3)(rt.constant(1.0, rt.float64))) == 1.0 / 3.0
    assert jax.numpy.ones(2).dtype == np.float32


# -- errors ----------------------------------------------------------------------------------------


def item(xs: Any, i: Any) -> Any:
    if i > 5:
        raise ValueError(f"{i} is too far")
    assert i != 4, "no fourth"
    return xs[i] // (i - 1)


@pytest.mark.parametrize("i", [0, 1, 2, 3, 4, 6])
def test_errors_are_those_of_python(i: int) -> None:
    found = []
    for executor in ("numpy", "jax"):
        f = staged(item, executor)
        try:
            found.append(repr(f(rt.constant([5, 6, 7]), rt.constant(i))))
        except Exception as error:
            found.append(f"{error!r} {getattr(error, '__notes__', '')}")
    assert found[0] == found[1]


def test_python_ints_do_not_wrap_around() -> None:
    def power(n: Any) -> Any:
        total = 1
        for _ in range(n):
            total = total * 10
        return total

    f = staged(power)
    assert int(f(rt.constant(9))) == 10**9
    with pytest.raises(OverflowError):
        f(rt.constant(10))


def test_a_handler_runs_where_the_body_fails() -> None:
    def guarded(xs: Any, i: Any) -> Any:
        try:
            found = xs[i]
        except IndexError:
            found = -1
        return found

    f = staged(guarded)
    assert [int(f(rt.constant([7, 8]), rt.constant(i))) for i in (1, 5, 0)] == [8, -1, 7]
    assert engine_function(f, rt.constant([7, 8]), rt.constant(1)).reruns == 1


# -- variables -------------------------------------------------------------------------------------


def test_a_variable_stays_on_the_device_until_it_is_read() -> None:
    v = rt.Variable([1.0, 2.0])
    f = staged(lambda x: v.assign_add(x).read_value())
    f(rt.constant([1.0, 1.0]))
    assert isinstance(v.held_value(), jax.Array)
    f(rt.constant([1.0, 1.0]))
    assert isinstance(v.held_value(), jax.Array)
    assert v.numpy().tolist() == [3.0, 4.0]
    assert isinstance(v.held_value(), np.ndarray)
    f(rt.constant([1.0, 1.0]))
    assert v.numpy().tolist() == [4.0, 5.0]


READERS: dict[str, Any] = {
    "numpy": lambda v: v.numpy().tolist(),
    "text": lambda v: repr(v).rpartition("array(")[2].partition(",\n")[0].partition(", dtype")[0],
    "item": lambda v: float(v[1]),
    "operator": lambda v: (v * 2.0).numpy().tolist(),
    "array": lambda v: np.asarray(v).tolist(),
    "pickle": lambda v: pickle.loads(pickle.dumps(v)).numpy().tolist(),
    "copy": lambda v: deepcopy(v).numpy().tolist(),
    "numpy executor": lambda v: staged(lambda: v * 1.0, "numpy")().numpy().tolist(),
    "interpreter": lambda v: staged(lambda: v * 1.0, "interpreter")().numpy().tolist(),
    "jax": lambda v: staged(lambda: v * 1.0)().numpy().tolist(),
    "eager write": lambda v: v.assign_add([1.0, 1.0]).numpy().tolist(),
    "numpy write": lambda v: (
        staged(lambda: v.assign_sub([1.0, 1.0]).read_value(), "numpy")().numpy().tolist()
    ),
    "scatter": lambda v: v.scatter_nd_add([[0]], [5.0]).numpy().tolist(),
    "slice": lambda v: v[0].assign(7.0).numpy().tolist(),
}


@pytest.mark.parametrize("name", READERS)
def test_every_reader_sees_the_value(name: str) -> None:
    found = []
    for executor in ("numpy", "jax"):
        v = rt.Variable([1.0, 2.0], name="v")
        f = staged(lambda x: v.assign_add(x).read_value(), executor)
        f(rt.constant([1.0, 1.0]))
        seen = READERS[name](v)
        f(rt.constant([2.0, 2.0]))
        found.append((seen, v.numpy().tolist()))
    assert found[0] == found[1]


def test_the_state_after_an_error_is_that_of_python() -> None:
    found = []
    for executor in ("numpy", "jax"):
        v, w = rt.Variable(1.0), rt.Variable(1.0)

        def f(x: Any, i: Any) -> Any:
            v.assign_add(1.0)
            y = x[i]
            w.assign_add(1.0)
            return y

        g = staged(f, executor)
        g(rt.constant([1.0, 2.0]), rt.constant(1))
        with pytest.raises(IndexError):
            g(rt.constant([1.0, 2.0]), rt.constant(2))
        found.append((float(v), float(w)))
    assert found == [(3.0, 2.0)] * 2


def test_a_branch_and_a_loop_assign_variables() -> None:
    def f(v: Any, w: Any, n: Any) -> Any:
        i = 0
        while i < n:
            if v > 10.0:
                w.assign_add(v)
            else:
                v.assign(v * 2.0)
            i += 1
        return v + w

    found = []
    for executor in ("numpy", "jax"):
        v, w = rt.Variable(1.0), rt.Variable(0.0)
        result = staged(lambda n: f(v, w, n), executor)(rt.constant(7))
        found.append((float(result), float(v), float(w)))
    assert found == [(64.0, 16.0, 48.0)] * 2


def test_a_tape_around_a_call_has_the_values_of_the_call() -> None:
    found = []
    for executor in ("numpy", "jax"):
        v = rt.Variable(3.0)
        square = staged(lambda x: x * v * v, executor)
        grow = staged(lambda: v.assign_add(1.0).read_value(), executor)
        grow()
        with rt.GradientTape() as tape:
            y = square(rt.constant(2.0))
        grow()
        found.append(float(tape.gradient(y, v)))
    assert found == [16.0, 16.0]


def test_threads_read_and_write_one_variable() -> None:
    v = rt.Variable(0.0)
    add = staged(lambda: v.assign_add(1.0).read_value())
    add()
    seen: list[float] = []

    def read() -> None:
        seen.extend(float(v.numpy()) for _ in range(200))

    reader = threading.Thread(target=read)
    reader.start()
    for _ in range(50):
        add()
    reader.join()
    assert float(v) == 51.0
    assert seen == sorted(seen)


# -- lists, arrays whose length only a run knows ---------------------------------------------------


def squares(n: Any) -> Any:
    found = []
    for i in range(n):
        found.append(i * i)
    return found


def in_four_threads(function: Any) -> None:
    """Call a function in four threads, which take turns often."""
    threads = [threading.Thread(target=function) for _ in range(4)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    finally:
        sys.setswitchinterval(interval)


@pytest.mark.parametrize("shape", ((), (10000,)))
def test_threads_lose_no_update_of_a_variable(shape: Any) -> None:
    v = rt.Variable(rt.zeros(shape))
    add = staged(lambda: v.assign(v + 1.0))
    add()
    in_four_threads(lambda: [add() for _ in range(50)])
    assert set(np.ravel(v.numpy()).tolist()) == {201.0}


def test_threads_draw_different_random_numbers() -> None:
    draw = staged(lambda: rt.random.uniform((), seed=3))
    drawn = [float(draw())]
    in_four_threads(lambda: drawn.extend(float(draw()) for _ in range(50)))
    assert len(set(drawn)) == 201


def test_a_list_outgrows_its_room_and_the_room_is_remembered() -> None:
    f = staged(squares)
    for n in (3, 100, 70, 0):
        assert [int(each) for each in f(rt.constant(n))] == [i * i for i in range(n)]
    assert engine_function(f, rt.constant(3)).reruns == 0


def nested(n: Any) -> Any:
    rows = []
    for i in range(n):
        row = [i]
        for j in range(i):
            row.append(i * j)
        rows.append(row)
    return rows


def test_lists_grow_in_lists() -> None:
    found = staged(nested)(rt.constant(4))
    assert [[int(each) for each in row] for row in found] == [[0], [1, 0], [2, 0, 2], [3, 0, 3, 6]]


def test_a_list_has_the_length_of_a_loop_over_all_steps() -> None:
    def by_steps(xs: Any) -> Any:
        total, found = rt.zeros([2]), []
        for t in range(rt.shape(xs)[1]):
            total = total + xs[:, t]
            found.append(total)
        return rt.stack(found, 1), len(found)

    xs = rt.reshape(rt.range(24.0), (2, 12))
    f = staged(by_steps)
    assert np.cumsum(xs.numpy(), 1).tolist() == f(xs)[0].numpy().tolist()
    assert engine_function(f, xs).reruns == 0


def masked(xs: Any) -> Any:
    big = xs[xs > 2]
    return rt.reduce_sum(big), rt.size(big), big * 2, rt.sort(big), rt.reverse(big, [0]), big[:-1]


def test_masks_have_the_length_of_the_run() -> None:
    for xs in ([1, 5, 2, 3, 9], [0, 1], [4]):
        parts = [
            [np.asarray(each).tolist() for each in staged(masked, name)(rt.constant(xs))]
            for name in ("numpy", "jax")
        ]
        assert parts[0] == parts[1]


def test_rows_of_a_mask_are_written_to_a_slice() -> None:
    def written(xs: Any) -> Any:
        found = rt.zeros([4], rt.int32)
        found[1:3] = xs[xs > 2]
        return found

    for name in ("numpy", "jax"):
        assert [0, 5, 3, 0] == staged(written, name)(rt.constant([1, 5, 2, 3])).numpy().tolist()


def test_gradients_of_a_while_loop() -> None:
    def f(x: Any) -> Any:
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = x
            while y < 100.0:
                y = y * x
        return tape.gradient(y, x)

    assert float(staged(f)(rt.constant(3.0))) == 5 * 3.0**4


def fibonacci(n: Any) -> Any:
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


def factorial(n: Any) -> Any:
    if n <= 1:
        return rt.constant(1)
    return n * factorial(n - 1)


def leaves(n: Any) -> Any:
    """Call itself in a loop, which ends by the results of the calls."""
    total = rt.constant(1)
    while total < n:
        total += leaves(n // 2)
    return total


def ends(n: Any) -> Any:
    if n == 3:
        raise ValueError("three")
    return n if n > 9 else ends(n + 1)


@pytest.mark.parametrize("function", [fibonacci, factorial, leaves, ends])
def test_a_recursion_runs_on_a_stack(function: Any) -> None:
    found: list[list[Any]] = []
    for executor in ("numpy", "jax"):
        f = staged(lambda n: function(n), executor)
        found.append([])
        for n in (1, 5, 0, 9):
            try:
                found[-1].append(int(f(rt.constant(n))))
            except ValueError as error:
                found[-1].append(str(error))
    assert found[0] == found[1]
    assert engine_function(f, rt.constant(5)).reruns == found[0].count("three")


def test_the_gradient_of_a_recursion_is_refused_with_what_to_write() -> None:
    def power(x: Any, n: Any) -> Any:
        return x * power(x, n - 1) if n > 0 else x * 0.0 + 1.0

    def slope(x: Any, n: Any) -> Any:
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = power(x, n)
        return tape.gradient(y, x)

    with pytest.raises(UnimplementedError, match="gradient of a recursion .* write a loop over"):
        staged(slope)(rt.constant(2.0), rt.constant(3))
    assert float(staged(slope, fallback=True)(rt.constant(2.0), rt.constant(3))) == 12.0


def test_a_recursion_without_an_end_is_an_error() -> None:
    def forever(n: Any) -> Any:
        return forever(n + 1) if n != 0 else n

    with pytest.raises(RecursionError):
        staged(lambda n: forever(n))(rt.constant(1))


def test_a_list_of_one_of_several_forms() -> None:
    """A gradient needs other values of one branch than of the other."""

    def branches(x: Any, y: Any) -> Any:
        if x > y:
            x = rt.exp(x) * rt.sin(y)
        else:
            x = rt.tanh(x)
        return x * y

    found = []
    for executor in ("numpy", "jax"):
        x, y = rt.constant(0.75), rt.constant(0.5)
        f = staged(branches, executor)
        with rt.GradientTape(persistent=True) as tape:
            tape.watch([x, y])
            one, other = f(x, y), f(y, x)
        found.append([float(each) for z in (one, other) for each in tape.gradient(z, [x, y])])
    assert found[0] == pytest.approx(found[1], rel=1e-6)


# -- refusals --------------------------------------------------------------------------------------


def shown(n: Any) -> Any:
    return rt.strings.as_string(n + 1)


def test_a_refusal_names_the_node_and_its_line() -> None:
    with pytest.raises(UnimplementedError) as caught:
        staged(shown)(rt.constant(5))
    text = str(caught.value)
    assert "'as_string' does not run in the engine jax, which has no texts" in text
    assert "fallback=True" in text
    assert "test_program.py" in text


def test_fallback_runs_unsupported_graphs() -> None:
    f = staged(shown, fallback=True)
    assert [f(rt.constant(n)).numpy() for n in (5, 7)] == [b"6", b"8"]
    assert [each.op for each in engine_function(f, rt.constant(5)).refused] == ["as_string"]


ASKING = {
    "test": bool,
    "number": int,
    "array": np.asarray,
    "counter": lambda x: range(x.astype(int)),
    "mask": lambda x: x[x > 0],
    "shape": lambda x: jax.numpy.zeros(x),
}


@pytest.mark.parametrize("name", ASKING)
def test_a_rule_that_asks_for_a_value_of_the_run_refuses_the_node(name: str) -> None:
    def asks(run: Any, node: Any, x: Any) -> Any:
        ASKING[name](x)
        return x

    def shifted(x: Any) -> Any:
        return rt.math.erf(x) + 1.0

    f, fallback = staged(shifted), staged(shifted, fallback=True)
    with mock.patch.dict(RULES, {"erf": asks}):
        with pytest.raises(UnimplementedError, match="'.*' does not run in the engine jax.*run"):
            f(rt.constant(0.0))
        assert float(fallback(rt.constant(0.0))) == 1.0
        assert "does not run in the engine jax" in str(ag.explain(fallback, rt.constant(0.0)))


def test_texts_in_messages_do_not_matter() -> None:
    def checked(x: Any) -> Any:
        name = f"x is {x}"
        if x > 3:
            raise ValueError(name)
        return x + 1

    f = staged(checked)
    assert int(f(rt.constant(3))) == 4
    with pytest.raises(ValueError, match="x is 7"):
        f(rt.constant(7))


def test_unknown_names_name_the_engines() -> None:
    with pytest.raises(ArgumentValueError, match="'numpy', 'interpreter', 'jax'"):
        checked_executor("no_such")


def test_explain_lists_unsupported_nodes_with_reasons() -> None:
    x = rt.constant([3, 1, 2])
    for executor, told in (("jax", True), ("numpy", False)):

        @ag.function(executor=executor, fallback=True)
        def sums(xs: Any) -> Any:
            return shown(xs[0])

        text = str(ag.explain(sums, x))
        assert told == ("'as_string' does not run in the engine jax, which has no" in text), text
        assert told == ("test_program.py:" in text.partition("\n\n")[0]), text


def test_the_room_of_lists_is_guessed_from_the_arguments() -> None:
    assert 64 == _guessed_room([np.zeros((3, 60))])
    assert 512 == _guessed_room([np.array(500)])
    assert 16 == _guessed_room([np.zeros(3)])


# -- later calls, which go to the compiled program itself ------------------------------------------


def counted_squares(n: Any) -> Any:
    found = []
    for i in rt.range(n):
        found.append(i * i)
    return rt.stack(found), len(found)


@pytest.mark.parametrize("of", [rt.constant, np.int32])
def test_a_list_outgrows_its_room_in_a_later_call(of: Any) -> None:
    f = staged(counted_squares)
    for n in (3, 5, 4, 40, 7, 5000, 2, 5000):
        rows, count = f(of(n))
        assert rows.numpy().tolist() == [i * i for i in range(n)] and int(count) == n


@pytest.mark.parametrize("of", [rt.constant, np.float32])
def test_a_later_call_fails_and_the_next_one_does_not(of: Any) -> None:
    def root(x: Any) -> Any:
        if x < 0.0:
            raise ValueError("of a negative number")
        return rt.sqrt(x), [x, {"half": x / 2.0}]

    f = staged(root)
    for _ in range(3):
        assert float(f(of(4.0))[0]) == 2.0
        with pytest.raises(ValueError, match="of a negative number"):
            f(of(-1.0))
        assert float(f(of(9.0))[1][1]["half"]) == 4.5


def test_arrays_of_numpy_in_later_calls_are_not_kept() -> None:
    def long_sum(x: Any, y: Any) -> Any:
        return x, rt.tanh(rt.tanh(rt.tanh(y))) * 0.0 + x + y

    f, x = staged(long_sum), np.ones(1 << 20, np.float32)
    y, found = rt.constant(x), []
    for at in range(4):
        x[:] = at
        found += [f(x, y), f(y, x), f(x, x)]
    for at in range(4):
        (same, more), (one, other), (_, twice) = [
            [np.unique(each.numpy()).tolist() for each in both]
            for both in found[3 * at : 3 * at + 3]
        ]
        assert same == [at] and one == [1] and more == other == [at + 1] and twice == [2 * at]


def test_arrays_of_another_dtype_or_shape_have_a_program_of_their_own() -> None:
    f = staged(lambda x: x + x)
    for x in [np.ones(2, "f4"), np.ones(2, "f8"), np.ones(3, "f4"), np.ones(2, "i8")] * 3:
        found = f(x).numpy()
        assert found.tolist() == (x + x).tolist() and found.dtype == x.dtype


@pytest.mark.parametrize("of", [rt.constant, np.float32])
def test_later_calls_assign_variables_where_they_are_good(of: Any) -> None:
    total, last = rt.Variable(0.0), rt.Variable([0.0, 0.0])

    def added(x: Any) -> Any:
        last.assign([x, total + 0.0])
        total.assign_add(x)
        if total > 10.0:
            raise ValueError("too much")
        return total, x, last + 0.0

    f, by_hand = staged(added), 0.0
    for x in (1.0, 2.0, 0.5, 3.0, 1.0, 1.5, 9.0, 0.5, 0.25, 0.25):
        if by_hand + x > 10.0:
            with pytest.raises(ValueError, match="too much"):
                f(of(x))
            # What was assigned before the error stays, as in Python.
            assert float(total) == by_hand + x
            total.assign(by_hand)  # by NumPy
            continue
        found = [each.numpy().tolist() for each in f(of(x))]
        # Nothing reads the variables, which stay on the device between the calls.
        assert found == [by_hand + x, x, [x, by_hand]]
        by_hand += x
        if x == 1.5:
            total.assign_add(0.5)
            by_hand += 0.5
    assert float(total) == by_hand and last.numpy()[0] == 0.25


def test_a_list_of_values_of_a_variable_in_later_calls() -> None:
    count = rt.Variable(0)

    def counts(n: Any) -> Any:
        found = []
        for _ in rt.range(n):
            found.append(count + 0)
            count.assign_add(1)
        return rt.stack(found)

    f, first = staged(counts), 0
    for n in (3, 1, 4, 60, 2, 2000, 5):
        assert f(rt.constant(n)).numpy().tolist() == list(range(first, first + n))
        first += n
    assert int(count) == first


# -- variables that a call changes in place --------------------------------------------------------

LARGE = 10_000


def averaged(executor: str = "jax") -> tuple[Any, Any, Any]:
    """Return a function that changes two large variables, and the variables."""
    mean, total = rt.Variable(rt.ones([LARGE])), rt.Variable(rt.zeros([LARGE]))

    def step(x: Any) -> Any:
        mean.assign(0.5 * mean + x)
        total.assign_add(mean)
        return rt.reduce_sum(total)

    return staged(step, executor), mean, total


def memory(variable: Any) -> Any:
    """Return the address of the value on the device; None if there is none."""
    array = vars(variable).get("_device_array")
    return None if array is None else array.unsafe_buffer_pointer()


def test_a_large_variable_keeps_its_memory() -> None:
    (f, mean, total), (g, *others) = averaged(), averaged("interpreter")
    places = []
    for at in range(8):
        assert float(f(rt.constant(1.0 + at))) == float(g(rt.constant(1.0 + at)))
        places.append((memory(mean), memory(total)))
    assert len(set(places[3:])) == 1 and None not in places[-1]
    assert [x.numpy().tolist() for x in (mean, total)] == [x.numpy().tolist() for x in others]


def test_who_holds_an_old_value_keeps_it() -> None:
    f, mean, _ = averaged()
    weighted = staged(lambda x: rt.reduce_sum(mean * x) + rt.reduce_sum(mean * mean))
    value, x = 1.0, rt.Variable(3.0)
    for _ in range(6):
        array = vars(mean).get("_device_array")
        with rt.GradientTape() as tape:
            found = weighted(x)
        f(rt.constant(1.0))
        # The tape, and this function, hold the value from before the call.
        of_mean, of_x = tape.gradient(found, [mean, x])
        assert float(of_x) == LARGE * value and set(of_mean.numpy().tolist()) == {3.0 + 2 * value}
        assert array is None or float(array[0]) == value
        value = 0.5 * value + 1.0


def test_threads_read_a_variable_that_changes_in_place() -> None:
    f, mean, total = averaged()
    wrong, is_done = [], threading.Event()

    def read() -> None:
        while not is_done.is_set():
            for value in (total.numpy(), mean.numpy(), (total + 0.0).numpy()):
                if len(set(value.tolist())) > 1:
                    wrong.append(value)

    reader = threading.Thread(target=read)
    reader.start()
    by_hand = [1.0, 0.0]
    for _ in range(300):
        f(rt.constant(1.0))
        by_hand[0] = 0.5 * by_hand[0] + 1.0
        by_hand[1] += by_hand[0]
    is_done.set()
    reader.join()
    assert not wrong and abs(float(total[0]) - by_hand[1]) < 1e-3


@pytest.mark.parametrize("is_late", [False, True])
def test_a_call_that_fails_in_the_engine_loses_no_value_silently(is_late: bool) -> None:
    f, mean, _ = averaged()
    for _ in range(3):
        f(rt.constant(1.0))
    engine = f.get_concrete_function(rt.constant(1.0)).executable.run.__self__
    direct = engine._direct

    def failing(*arrays: Any) -> Any:
        if is_late:
            direct(*arrays)
        raise RuntimeError("no memory")

    engine._direct = engine._direct_from_numpy = failing
    if is_late:
        with pytest.raises(rt.errors.DataLossError, match="its value is lost: restore"):
            f(rt.constant(1.0))
        with pytest.raises(rt.errors.FailedPreconditionError, match="has no value"):
            mean.numpy()
    else:
        assert float(f(rt.constant(1.0))) == LARGE * (1.5 + 1.75 + 1.875 + 1.9375)


def test_each_result_of_a_narrow_float_is_rounded() -> None:
    def product(b: Any) -> Any:
        return rt.cast(b * b + b, rt.float32), rt.cast(b * b, rt.float32)

    b = rt.cast(rt.constant([0.7421875, 1.3, 2.6]), rt.bfloat16)
    for found, wanted in zip(staged(product)(b), staged(product, "numpy")(b), strict=True):
        assert np.array_equal(found, wanted)
