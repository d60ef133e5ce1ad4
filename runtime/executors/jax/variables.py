"""Variables: their values are part of the state of a run."""

from __future__ import annotations

from itertools import count
from typing import Any

import numpy as np

from runtime.executors.jax.rules.jax_modules import jnp
from runtime.executors.jax.rules.table import RULES, Unsupported
from runtime.executors.jax.run_state import RunState
from runtime.executors.jax.value_rules import core_rule
from runtime.executors.jax.values.pytrees import Padded, UnsupportedValue, VariableKey, traced

_new_keys = count()


def _value_of(run: RunState, handle: Any) -> Any:
    if not isinstance(handle, VariableKey):
        raise Unsupported("no variable that a run chooses")
    return run.read(handle.key)


def _assign(run: RunState, handle: Any, value: Any) -> Any:
    old = _value_of(run, handle)
    if isinstance(value, (UnsupportedValue, Padded)):
        raise Unsupported(getattr(value, "reason", "no variable whose shape only a run knows"))
    run.variables[handle.key] = jnp.asarray(value, old.dtype)
    return ()


@core_rule("new_variable")
def _new(run: RunState, node: Any, first: Any) -> Any:
    handle = VariableKey(f"new {next(_new_keys)}")
    run.variables[handle.key] = traced(first)
    return handle


@core_rule("read_variable")
def _read(run: RunState, node: Any, handle: Any) -> Any:
    return _value_of(run, handle)


@core_rule("assign_variable")
def _replace(run: RunState, node: Any, handle: Any, value: Any) -> Any:
    return _assign(run, handle, value)


@core_rule("assign_add_variable", "assign_sub_variable")
def _accumulate(run: RunState, node: Any, handle: Any, delta: Any) -> Any:
    old = _value_of(run, handle)
    if isinstance(delta, Padded) or old.shape != delta.shape:
        run.fail(True)
        return ()
    add = node.op.name == "assign_add_variable"
    return _assign(run, handle, (jnp.add if add else jnp.subtract)(old, delta))


@core_rule("assign_item_variable")
def _assign_item(run: RunState, node: Any, handle: Any, value: Any, *inputs: Any) -> Any:
    old = _value_of(run, handle)
    place = RULES["strided_slice"](run.inside(run.variables), node, old, *inputs)
    rank = np.ndim(place)
    # Leading dimensions of 1 beyond the rank of the place are dropped.
    value = jnp.reshape(value, value.shape[max(value.ndim - rank, 0) :])
    return _assign(run, handle, RULES["set_item"](run, node, old, value, *inputs))


@core_rule("scatter_variable")
def _scatter(run: RunState, node: Any, handle: Any, indices: Any, updates: Any) -> Any:
    old = _value_of(run, handle)
    rows = jnp.asarray(indices)
    run.fail((rows < 0) | (rows >= old.shape[0]))
    shape = (*rows.shape, *old.shape[1:])
    return _assign(run, handle, _scattered(run, node, old, rows, jnp.broadcast_to(updates, shape)))


@core_rule("scatter_nd_variable")
def _scatter_nd(run: RunState, node: Any, handle: Any, indices: Any, updates: Any) -> Any:
    old = _value_of(run, handle)
    places = jnp.moveaxis(jnp.asarray(indices), -1, 0)
    for place, size in zip(places, old.shape):
        run.fail((place < 0) | (place >= size))
    return _assign(run, handle, _scattered(run, node, old, tuple(places), jnp.asarray(updates)))


_SCATTERS = {"add": "add", "sub": "subtract", "mul": "multiply", "max": "max", "min": "min"}


def _scattered(run: RunState, node: Any, old: Any, place: Any, updates: Any) -> Any:
    how = node.attrs["how"]
    if how not in _SCATTERS:
        # Of several updates of one place the last one counts, and JAX takes any.
        raise Unsupported(f"no rule for scatter_{how} of rows, of which one may have two updates")
    return getattr(old.at[place], _SCATTERS[how])(updates)


@core_rule("adam_variable")
def _adam(
    run: RunState, node: Any, variable: Any, mean: Any, squares: Any, gradient: Any, rate: Any
) -> Any:
    old, first, second = (_value_of(run, each) for each in (variable, mean, squares))
    if old.shape != gradient.shape:
        run.fail(True)
        return ()
    kept, grown, bias = (
        old.dtype.type(each)
        for each in (
            1 - node.attrs["beta_1"],
            1 - node.attrs["beta_2"],
            node.attrs["epsilon"],
        )
    )
    first = (gradient - first) * kept + first
    second = (gradient * gradient - second) * grown + second
    _assign(run, variable, old - first * rate / (jnp.sqrt(second) + bias))
    _assign(run, mean, first)
    return _assign(run, squares, second)
