"""Assignments to nested items and attributes: each part is evaluated once, in order."""

from __future__ import annotations

import pytest

import autograph as ag
import runtime as rt
from tests.autograph.recorded import recorded

LOG: list[str] = []


class Traced:
    """Tells of every access."""

    def __init__(self, name, inside):
        self.__dict__.update(name=name, inside=inside)

    def __getattr__(self, name):
        LOG.append(f"{self.name}.{name}")
        return self.inside

    def __setattr__(self, name, value):
        LOG.append(f"{self.name}.{name} = ...")

    def __getitem__(self, key):
        LOG.append(f"{self.name}[{key}]")
        return self.inside

    def __setitem__(self, key, value):
        LOG.append(f"{self.name}[{key}] = {value}")


def logged(text, value):
    LOG.append(text)
    return value


def assigned():
    logged("o", Traced("o", Traced("p", 5))).p[logged("i", 1)] = logged("v", 2)


def added():
    logged("o", Traced("o", Traced("p", 5))).p[logged("i", 1)] += logged("v", 2)


def inside_items():
    logged("o", Traced("o", Traced("p", 5)))[logged("k", 0)][logged("i", 1)] = logged("v", 2)


@pytest.mark.parametrize("function", [assigned, added, inside_items])
def test_python_values_are_accessed_as_python_accesses_them(function):
    LOG.clear()
    function()
    expected = list(LOG)
    LOG.clear()
    recorded(function)
    assert expected == LOG


def test_a_tensor_inside_is_replaced_where_it_was():
    class Holder:
        pass

    @ag.function
    def f(x):
        holder = Holder()
        holder.rows = {"a": x * 1}
        holder.rows["a"][0] = 9
        holder.rows["a"][1:] += 1
        return holder.rows["a"], x

    new, old = f(rt.constant([1, 2, 3]))
    assert [9, 3, 4] == new.numpy().tolist() and [1, 2, 3] == old.numpy().tolist()


def unbound_for_an_item():
    value = 1
    del value
    Traced("p", 5)[0] += value  # noqa: F821


def unbound_for_an_inner_item():
    value = 1
    del value
    Traced("o", Traced("p", 5)).p[0] += value  # noqa: F821


@pytest.mark.parametrize("function", [unbound_for_an_item, unbound_for_an_inner_item])
def test_an_unbound_variable_is_a_local_one(function, converted):
    with pytest.raises(UnboundLocalError, match="value"):
        converted(function)()
