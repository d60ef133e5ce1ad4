"""Errors of JAX about values that only a run knows: one error at the user's line, with a remedy."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402

import autograph.jax as agj  # noqa: E402
from autograph import errors  # noqa: E402

XS = jnp.array([3.0, -1.0, 4.0])
VALUES = np.array([3.0, -1.0, 4.0], np.float32)


def item(xs: Any, n: Any) -> Any:
    return xs[0].item() + 1


def as_list(xs: Any, n: Any) -> Any:
    return xs.tolist()


def mask(xs: Any, n: Any) -> Any:
    return xs[xs > 0].sum()


def mask_with_rows(xs: Any, n: Any) -> Any:
    xs[xs > 0] = xs[:2]
    return xs


def columns(xs: Any, n: Any) -> Any:
    return xs[None][:, n:]


def shape(xs: Any, n: Any) -> Any:
    return jnp.zeros(n)


def set_of_values(xs: Any, n: Any) -> Any:
    seen = set()
    for x in xs:
        if x > 0:
            seen.add(x)
    return len(seen)


def places(xs: Any, n: Any) -> Any:
    return jnp.nonzero(xs)[0]


def in_a_generator(xs: Any, n: Any) -> Any:
    def positive() -> Any:
        for x in xs:
            if x > 0:
                yield x

    total = 0.0
    for x in positive():
        total += x
    return total


def as_text(xs: Any, n: Any) -> Any:
    return json.dumps([n])


def whole(xs: Any, n: Any) -> Any:
    return int(f"{n}")


def unknown_function(xs: Any, n: Any) -> Any:
    return np.unique(xs)


REFUSED: dict[Callable[..., Any], tuple[str, str]] = {
    item: ("float(x) or int(x)", "xs[0].item()"),
    as_list: ("write list(x)", "xs.tolist()"),
    mask: ("jnp.where(mask, x, 0)", "xs[xs > 0]"),
    mask_with_rows: ("jnp.where(mask, x, 0)", "xs[xs > 0] = xs[:2]"),
    columns: ("jax.lax.dynamic_slice_in_dim", "xs[None][:, n:]"),
    shape: ("static_argnums", "jnp.zeros(n)"),
    set_of_values: ("write a list", "seen.add(x)"),
    places: ("size=", "jnp.nonzero(xs)"),
    in_a_generator: ("positive() is a generator", "if x > 0:"),
    as_text: ("functions of jax.numpy", "json.dumps([n])"),
    whole: ("functions of jax.numpy", 'int(f"{n}")'),
    unknown_function: ("size=", "np.unique(xs)"),
}


@pytest.mark.parametrize("function", REFUSED)
def test_one_error_at_the_line_with_a_remedy(function: Callable[..., Any]) -> None:
    remedy, line = REFUSED[function]
    with pytest.raises(errors.StagingError) as raised:
        jax.jit(agj.convert(function))(XS, 1)
    assert remedy in raised.value.message
    place = raised.value.origin
    assert place is not None and place.describe().splitlines()[-1].strip().find(line) >= 0
    assert __file__ in place.describe()
    assert raised.value.__cause__ is not None


def test_a_lambda_a_method_and_a_partial_raise_it_too() -> None:
    class Box:
        @agj.convert
        def shown(self, x: Any) -> Any:
            return x.item()

        @staticmethod
        @agj.convert
        def static(x: Any) -> Any:
            return x.item()

    for function in (
        agj.convert(lambda x: x.item()),
        Box().shown,
        Box.static,
        agj.convert(functools.partial(item, n=1)),
        agj.convert(maximum_iterations=3)(lambda x: x.item()),
    ):
        with pytest.raises(errors.UnconvertedUseError, match="float\\(x\\) or int\\(x\\)"):
            jax.jit(function)(jnp.ones(()) if function.__class__ is not functools.partial else XS)


def test_a_module_of_flax_that_is_not_converted_is_named() -> None:
    nn = pytest.importorskip("flax.linen")

    class Net(nn.Module):
        @nn.compact
        def __call__(self, x: Any, gate: Any) -> Any:
            if gate > 0:
                x = x * 2
            return x

    net = Net()
    with pytest.raises(errors.UnconvertedUseError) as raised:
        jax.jit(agj.convert(lambda x, gate: net.apply({}, x, gate)))(XS, 1.0)
    assert "Net.__call__() is not converted" in raised.value.message
    assert "write @autograph.jax.convert over it" in raised.value.message
    assert "if gate > 0:" in str(raised.value)


def test_a_module_of_flax_that_changes_on_a_path_unseen() -> None:
    nnx = pytest.importorskip("flax.nnx")
    count = nnx.Variable(jnp.int32(0))
    held = MappingProxyType({"count": count})  # No statement looks into it.

    def counted(x: Any) -> Any:
        if x.sum() > 0:
            held["count"][...] += 1
        return x

    with pytest.raises(errors.StagingError, match="assign it after the statement") as raised:
        jax.jit(agj.convert(counted))(XS)
    assert 'held["count"][...] += 1' in str(raised.value)


def test_errors_of_python_stay() -> None:
    with pytest.raises(TypeError) as raised:
        jax.jit(agj.convert(lambda x: x + "text"))(1.0)
    assert not isinstance(raised.value, errors.AutographError)
    with pytest.raises(KeyError):
        agj.convert(lambda x: {}[x])(1)


def test_a_convertible_function_is_converted_once() -> None:
    one = agj.convert(lambda x: x if x > 0 else -x)
    assert agj.convert(one) is one
    assert jax.jit(agj.convert(maximum_iterations=2)(one))(-3.0) == 3.0


# -- what works in their place ---------------------------------------------------------------------


def masked(xs: Any, n: Any) -> Any:
    xs = xs * 1
    xs[xs > 3] = n
    return xs


def masked_rows(xs: Any, n: Any) -> Any:
    both = np.stack([xs, xs * 2])
    both[both[:, 0] > 3] = xs
    both[both < 0] = 7.9
    return both


def picked(xs: Any, n: Any) -> Any:
    return np.arange(4).reshape(2, 2)[n], np.array([1.5, 2.5])[n]


def norms(xs: Any, n: Any) -> Any:
    return np.linalg.norm(xs), np.fft.fft(xs).real


@pytest.mark.parametrize("function", [masked, masked_rows, picked, norms])
def test_results_agree_with_numpy(function: Callable[..., Any]) -> None:
    found = jax.jit(agj.convert(function))(XS, 1)
    expected = function(VALUES, 1)
    for one, other in zip(jax.tree.leaves(expected), jax.tree.leaves(found)):
        np.testing.assert_allclose(other, one, rtol=1e-6)
