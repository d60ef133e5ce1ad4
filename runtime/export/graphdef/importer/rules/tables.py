"""Import of tables, whose handles are the tables themselves.

    LookupTableFindV2(table, x, default)
        ->  gather(concat([values, default]), places of x among the keys)

A table that never changes is filled when the file is read, by the function that the file has for
that. The keys and values of another one are variables.
"""

from __future__ import annotations

from typing import Any

from runtime.core.creation_hooks import init_scope
from runtime.core.dtypes import DType, int64
from runtime.core.tensor import Array
from runtime.errors import DataLossError
from runtime.export.graphdef.attribute_values import shape_of_proto
from runtime.export.graphdef.data_types import dtype_of_number
from runtime.export.graphdef.importer.attributes import stored_array
from runtime.export.graphdef.importer.node_import import NodeImport, Rule
from runtime.export.graphdef.messages import FunctionDef, NodeDef
from runtime.ops.arrays.creation import zeros
from runtime.ops.arrays.shape import size
from runtime.ops.constant import constant
from runtime.state.asset import asset_of
from runtime.state.table_files import read_columns
from runtime.state.tables import ChangingTable, DenseHashTable, MutableHashTable, look_up

_STATIC = ("HashTableV2", "AnonymousHashTable")
_CHANGING = (
    "MutableHashTableV2",
    "MutableHashTableOfTensorsV2",
    "AnonymousMutableHashTable",
    "AnonymousMutableHashTableOfTensors",
)
_DENSE = ("MutableDenseHashTableV2", "AnonymousMutableDenseHashTable")
# The most bytes of the values of one key.
_MOST_VALUES = 1 << 24


class KeyTable:
    """A table of keys and values that never changes, which stands for its handle.

    Attributes:
        key_dtype, value_dtype: the dtypes of keys and values.
        keys: the keys, of shape (n,); None before the table is filled.
        values: the value of each.

    >>> import numpy as np
    >>> from runtime.core.dtypes import float64, int64
    >>> table = KeyTable(int64, float64)
    >>> table.fill(np.array([5, 6]), np.array([0.5, 0.25]))
    >>> table.keys.tolist()
    [5, 6]
    """

    def __init__(self, key_dtype: DType, value_dtype: DType) -> None:
        self.key_dtype, self.value_dtype = key_dtype, value_dtype
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


def created_table(function: FunctionDef) -> KeyTable | ChangingTable | None:
    """Return the table that a function makes, without its contents; None if it makes none.

    Raises:
        DataLossError: an attribute is no dtype or shape of a table.

    >>> created_table(FunctionDef()) is None
    True
    """
    for node in function.node_def:
        if node.op in _STATIC:
            return KeyTable(_dtype(node, "key_dtype"), _dtype(node, "value_dtype"))
        if node.op in (*_CHANGING, *_DENSE):
            return _changing_table(node, function)
    return None


def _changing_table(node: NodeDef, function: FunctionDef) -> ChangingTable:
    with init_scope():
        kinds = _dtype(node, "key_dtype"), _dtype(node, "value_dtype")
        shape = shape_of_proto(node.attr["value_shape"].shape) if "value_shape" in node.attr else ()
        if any(each is None for each in shape) or _bytes(shape, kinds[1]) > _MOST_VALUES:
            raise DataLossError("the values of a table have no known shape, or a large one")
        default = zeros(shape, kinds[1])
        if node.op in _CHANGING:
            return MutableHashTable(*kinds, default, node.name)
        constants = {each.name: each for each in function.node_def if each.op == "Const"}
        names = [text.partition(":")[0] for text in node.input[:2]]
        free, deleted = [
            stored_array(constants[name].attr["value"].tensor).whole() for name in names
        ]
        return DenseHashTable(*kinds, default, constant(free), constant(deleted), name=node.name)


def _bytes(shape: Any, dtype: DType) -> int:
    found = dtype.size
    for each in shape:
        found *= each
    return found


def _dtype(node: NodeDef, name: str) -> DType:
    return dtype_of_number(node.attr[name].type)


def _static_table(step: NodeImport) -> KeyTable:
    table = step.variable(0)
    if not isinstance(table, KeyTable):
        raise step.unsupported("it fills a table whose keys are constants, and this one changes")
    return table


def _pairs(step: NodeImport) -> tuple[Any, Any]:
    """Return the keys and values of the table that is the first operand."""
    table = step.variable(0)
    if isinstance(table, ChangingTable):
        return table.export()
    if not isinstance(table, KeyTable) or table.keys is None or table.values is None:
        raise step.unsupported("it reads a table that the file does not fill")
    return constant(table.keys), constant(table.values)


def _changed(step: NodeImport) -> ChangingTable:
    table = step.variable(0)
    if not isinstance(table, ChangingTable):
        raise step.unsupported("it changes a table whose keys are constants")
    return table


def _created(step: NodeImport) -> Any:
    raise step.unsupported("a table is known as an object of a SavedModel, with its keys")


def _fill(step: NodeImport) -> Any:
    if isinstance(step.variable(0), ChangingTable):
        table = step.variable(0)
        table.keys.assign(step.tensor(1))
        table.values.assign(step.tensor(2))
        return
    found = step.static(1, "keys of a table"), step.static(2, "values of a table")
    _static_table(step).fill(*found)


def _fill_from_file(step: NodeImport) -> Any:
    """Fill a table from a file, which must be an asset of the SavedModel."""
    table, asset = _static_table(step), asset_of(step.inputs[1])
    if asset is None:
        raise step.unsupported("it reads a file that is not an asset of the SavedModel")
    most = step.attrs.number("vocab_size", -1)
    columns = [
        (step.attrs.number("key_index"), table.key_dtype),
        (step.attrs.number("value_index"), table.value_dtype),
    ]
    table.fill(
        *read_columns(
            asset.path,
            columns,
            step.attrs.text("delimiter", "\t"),
            None if most == -1 else most,
            step.attrs.number("offset", 0),
        )
    )


def _export(step: NodeImport) -> Any:
    if isinstance(step.variable(0), DenseHashTable):
        raise step.unsupported("TensorFlow returns all places of a dense table, also free ones")
    return _pairs(step)


def _find(step: NodeImport) -> Any:
    return look_up(*_pairs(step), step.tensor(2), step.tensor(1))


def _size(step: NodeImport) -> Any:
    return size(_pairs(step)[0], int64)


def _insert(step: NodeImport) -> Any:
    _changed(step).insert(step.tensor(1), step.tensor(2))


def _remove(step: NodeImport) -> Any:
    _changed(step).remove(step.tensor(1))


RULES: dict[str, Rule] = {
    **dict.fromkeys((*_STATIC, *_CHANGING, *_DENSE), _created),
    "InitializeTableFromTextFileV2": _fill_from_file,
    "LookupTableExportV2": _export,
    "LookupTableFindV2": _find,
    "LookupTableImportV2": _fill,
    "LookupTableInsertV2": _insert,
    "LookupTableRemoveV2": _remove,
    "LookupTableSizeV2": _size,
}
