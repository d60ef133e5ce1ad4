"""Random operations on arrays and lists, as nodes of random graphs."""

from __future__ import annotations

from random import Random
from typing import Any, Protocol

import runtime as rt
from runtime.ops.containers import lists


class Maker(Protocol):
    """Who writes a graph."""

    random: Random

    def one(self, dtype: str | None = None, shape: tuple[int, ...] | None = None) -> Any:
        """Return a value, one that is there or a constant."""

    def keep(self, *values: Any) -> None:
        """Let later nodes use values."""


def scattered(maker: Maker) -> None:
    """Write an op that puts numbers into a vector or a matrix, one or two of them."""
    x = maker.one(shape=maker.random.choice(((3,), (3,), (2, 3))))
    depth = maker.random.randrange(1, len(x.shape.dims or ()) + 1)
    count = maker.random.choice((1, 1, 2))
    rest = tuple(x.shape.dims or ())[depth:]
    rows = [
        rt.stack([rt.minimum(maker.one("int32", ()), 2) for _ in range(depth)])
        for _ in range(count)
    ]
    updates = rt.stack([maker.one(x.dtype.name, rest) for _ in range(count)])
    name = maker.random.choice(("update", "update", "update", "add", "max", "min"))
    put = getattr(rt, f"tensor_scatter_nd_{name}")
    maker.keep(put(x, rt.stack(rows), updates))


def listed(maker: Maker) -> None:
    """Write an op that makes, changes or reads a list of numbers."""
    items, x = (
        maker.one("variant", ()),
        maker.one(maker.random.choice(("int32",) * 9 + ("float32",)), ()),
    )
    way = maker.random.randrange(9)
    if way == 0:
        maker.keep(lists.list_of(x, maker.one(x.dtype.name, ())))
    elif way == 1:
        maker.keep(lists.list_extend(items, maker.one("variant", ())))
    elif way == 2:
        maker.keep(lists.list_length(items))
    elif way == 3:
        maker.keep(rt.reduce_sum(lists.list_stack(items, 0, rt.TensorSpec((), "int32"))))
    elif way == 4:
        maker.keep(lists.list_set(items, maker.one("int32", ()), x))
    elif way == 5:
        at = maker.one("int32", ()) if maker.random.random() < 0.3 else None
        maker.keep(*lists.list_pop(items, at, [rt.TensorSpec((), x.dtype)]))
    elif way == 6:
        maker.keep(*lists.list_get(items, maker.one("int32", ()), [rt.TensorSpec((), x.dtype)]))
    else:
        maker.keep(lists.list_append(items, x))


def arranged(maker: Maker) -> None:
    x = maker.one(shape=(2, 3))
    way = maker.random.randrange(5)
    if way == 0:
        maker.keep(rt.transpose(rt.transpose(x)), rt.transpose(x))
    elif way == 1:
        maker.keep(rt.reshape(x, maker.random.choice(([6], [2, 3], [3, 2], [-1]))))
    elif way == 2:
        maker.keep(rt.ensure_shape(x, maker.random.choice(([2, 3], [None, 3], [3, 3]))))
    elif way == 3 and x.dtype.kind != "b":
        maker.keep(rt.reduce_sum(x), rt.reduce_sum(x, axis=maker.random.randrange(2)))
    else:
        maker.keep(x[maker.random.randrange(2)], rt.expand_dims(x, 0))
