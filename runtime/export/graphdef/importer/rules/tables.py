"""Import of tables of keys whose contents are constants: a search in the array of the keys.

    LookupTableFindV2(table, x, default)
        ->  where(any(x == keys), values[argmax(x == keys)], default)

A table is filled when the file is read, by the function that the file has for that; it never
changes afterwards.
"""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import int32, int64
from runtime.core.tensor import Array
from runtime.errors import DataLossError
from runtime.export.graphdef.importer.node_import import NodeImport, Rule
from runtime.ops.arrays.creation import fill
from runtime.ops.arrays.gather import gather
from runtime.ops.arrays.reduction import argmax, reduce_any
from runtime.ops.arrays.shape import expand_dims, shape
from runtime.ops.constant import constant
from runtime.ops.elementwise.selection import where


class KeyTable:
    """A table of keys and values, which stands for its handle while a file is read.

    Attributes:
        keys: the keys, of shape (n,); None before the table is filled.
        values: the value of each.

    >>> import numpy as np
    >>> table = KeyTable()
    >>> table.fill(np.array([5, 6]), np.array([0.5, 0.25]))
    >>> table.keys.tolist()
    [5, 6]
    """

    def __init__(self) -> None:
        self.keys: Array | None = None
        self.values: Array | None = None

    def fill(self, keys: Array, values: Array) -> None:
        """Set the keys and values.

        Raises:
            DataLossError: they are no vectors of one length, or the table has keys.
        """
        if self.keys is not None or keys.ndim != 1 or keys.shape != values.shape:
            raise DataLossError(
                f"a table gets keys of shape {keys.shape} and values of shape {values.shape}"
            )
        self.keys, self.values = keys, values


def _table(step: NodeImport) -> tuple[Array, Array]:
    """Return the keys and values of the table that is the first operand."""
    table = step.variable(0)
    if not isinstance(table, KeyTable) or table.keys is None or table.values is None:
        raise step.unsupported("only tables whose keys are constants of the file are known")
    return table.keys, table.values


def _created(step: NodeImport) -> Any:
    raise step.unsupported("a table is known as an object of a SavedModel, with its keys")


def _fill(step: NodeImport) -> Any:
    table = step.variable(0)
    if not isinstance(table, KeyTable):
        raise step.unsupported("only tables whose keys are constants of the file are known")
    table.fill(step.static(1, "keys of a table"), step.static(2, "values of a table"))


def _find(step: NodeImport) -> Any:
    keys, values = map(constant, _table(step))
    x, default = step.tensor(1), step.tensor(2)
    if not keys.shape[0]:
        return fill(shape(x), default)
    same = step.record("equal", expand_dims(x, -1), keys)
    places = argmax(step.record("cast", same, dtype=int32), -1)
    return where(reduce_any(same, -1), gather(values, places), default)


def _size(step: NodeImport) -> Any:
    return step.constant(len(_table(step)[0]), int64)


RULES: dict[str, Rule] = {
    "HashTableV2": _created,
    "LookupTableFindV2": _find,
    "LookupTableImportV2": _fill,
    "LookupTableSizeV2": _size,
}
