"""Tables of keys and values, as `tf.lookup` has them.

A look-up is the ops `unique` and `gather`, so that it goes into every file that has these:

    keys [a, b], x [b, z]   ->   unique([a, b, b, z]).idx[2:] is [1, 2], the places of b and z
                            ->   gather([value of a, value of b, default], [1, 2])

The keys and values of a table that changes are variables, which a checkpoint and files have.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from runtime.core.argument_checks import file_path, plain_text
from runtime.core.context import current_recorder
from runtime.core.creation_hooks import init_scope
from runtime.core.dtypes import DType, DTypeLike, as_dtype, int64, string
from runtime.core.tensor import Array, EagerTensor, Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError, FailedPreconditionError, ShapeError
from runtime.ops.arguments import static_int
from runtime.ops.arrays.concatenation import concat
from runtime.ops.arrays.creation import range as range_
from runtime.ops.arrays.creation import zeros
from runtime.ops.arrays.gather import boolean_mask, gather
from runtime.ops.arrays.reduction import reduce_any
from runtime.ops.arrays.segments import unsorted_segment_max
from runtime.ops.arrays.shape import expand_dims, reshape, shape, size
from runtime.ops.arrays.sorting import unique
from runtime.ops.convert import to_tensor
from runtime.ops.effects.assertions import Assert
from runtime.ops.elementwise.arithmetic import add, minimum
from runtime.ops.elementwise.comparison import equal, less
from runtime.ops.elementwise.logic import logical_not
from runtime.ops.elementwise.selection import where
from runtime.ops.text.hash_buckets import to_hash_bucket_fast
from runtime.ops.text.strings import as_string
from runtime.state.table_files import LINE_NUMBER as _LINE_NUMBER
from runtime.state.table_files import WHOLE_LINE as _WHOLE_LINE
from runtime.state.table_files import read_columns
from runtime.state.variable import Variable


class TextFileIndex:
    """Pseudo-columns of a text file: the whole line, and the number of the line.

    >>> TextFileIndex.WHOLE_LINE, TextFileIndex.LINE_NUMBER
    (-2, -1)
    """

    WHOLE_LINE = _WHOLE_LINE
    LINE_NUMBER = _LINE_NUMBER


class KeyValueTensorInitializer:
    """The keys and values of a table, as arrays.

    Args:
        keys: texts or integers, of shape (n,).
        values: the value of each key, of shape (n,).
        key_dtype, value_dtype: their dtypes; by default those of the arguments.

    Raises:
        ArgumentValueError: they are known only when a graph runs.
        ShapeError: they are no vectors of one length.

    Example:
        >>> import runtime as rt
        >>> pairs = rt.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2])
        >>> rt.lookup.StaticHashTable(pairs, default_value=0).size().numpy()
        np.int64(2)
    """

    def __init__(
        self,
        keys: TensorLike,
        values: TensorLike,
        key_dtype: DTypeLike | None = None,
        value_dtype: DTypeLike | None = None,
        name: str | None = None,
    ) -> None:
        found = _known(keys, key_dtype, "keys"), _known(values, value_dtype, "values")
        if found[0].ndim != 1 or found[0].shape != found[1].shape:
            raise ShapeError(
                f"keys and values of a table must be vectors of one length, not of shapes "
                f"{found[0].shape} and {found[1].shape}"
            )
        self.keys, self.values = found

    @property
    def key_dtype(self) -> DType:
        """The dtype of the keys."""
        return EagerTensor(self.keys).dtype

    @property
    def value_dtype(self) -> DType:
        """The dtype of the values."""
        return EagerTensor(self.values).dtype


class TextFileInitializer(KeyValueTensorInitializer):
    r"""The keys and values of a table, as columns of a text file, which is read at once.

    Args:
        filename: the file. Its lines are not empty, and end with `\n` or `\r\n`.
        key_dtype, value_dtype: the dtypes of keys and values.
        key_index, value_index: the columns of keys and values, or a `TextFileIndex`.
        vocab_size: the number of lines that are read; by default all of them.
        delimiter: one letter, which separates columns.
        value_index_offset: is added to values that are numbers of lines.

    Raises:
        NotFoundError, PermissionDeniedError: the file cannot be read.
        InvalidArgumentError: a line is empty, has too few columns, or holds another value; or the
            file has fewer lines than `vocab_size`.

    Example:
        >>> import os, tempfile
        >>> import runtime as rt
        >>> path = os.path.join(tempfile.mkdtemp(), "words.txt")
        >>> with open(path, "w") as file:
        ...     _ = file.write("one\ntwo\n")
        >>> index = rt.lookup.TextFileIndex
        >>> lines = rt.lookup.TextFileInitializer(
        ...     path, rt.string, index.WHOLE_LINE, rt.int64, index.LINE_NUMBER
        ... )
        >>> print(rt.lookup.StaticHashTable(lines, -1)[rt.constant(["two", "ten"])])
        rt.Tensor([ 1 -1], shape=(2,), dtype=int64)
    """

    def __init__(
        self,
        filename: TensorLike,
        key_dtype: DTypeLike,
        key_index: TensorLike,
        value_dtype: DTypeLike,
        value_index: TensorLike,
        vocab_size: TensorLike | None = None,
        delimiter: str = "\t",
        name: str | None = None,
        value_index_offset: int = 0,
    ) -> None:
        columns = [_column(key_index, key_dtype, "key"), _column(value_index, value_dtype, "value")]
        if len(plain_text(delimiter, "delimiter").encode()) != 1:
            raise ArgumentValueError(f"delimiter must be one letter, not {delimiter!r}")
        most = None if vocab_size is None else static_int(vocab_size, "vocab_size")
        offset = static_int(value_index_offset, "value_index_offset")
        self.filename = _path_text(filename)
        keys, values = read_columns(self.filename, columns, delimiter, most, offset)
        super().__init__(keys, values)


def _path_text(filename: Any) -> str:
    filename = getattr(filename, "asset_path", filename)
    if isinstance(filename, EagerTensor):
        filename = filename.numpy()
    text = os.fsdecode(filename) if isinstance(filename, bytes) else filename
    return file_path(text, "filename")


def _column(index: Any, dtype: Any, what: str) -> tuple[int, DType]:
    number, kind = static_int(index, f"{what}_index"), as_dtype(dtype)
    if number < _WHOLE_LINE:
        raise ArgumentValueError(
            f"{what}_index must be a column of at least 0 or a TextFileIndex, not {number}"
        )
    if number == _WHOLE_LINE and not kind.is_string:
        raise DTypeError(f"{what}_dtype must be rt.string for whole lines, not {kind.name}")
    if number == _LINE_NUMBER and not kind.is_integer:
        raise DTypeError(f"{what}_dtype must be rt.int64 for line numbers, not {kind.name}")
    return number, kind


def _known(value: Any, dtype: Any, what: str) -> Array:
    if isinstance(value, Tensor) and not isinstance(value, EagerTensor):
        raise ArgumentValueError(
            f"the {what} of a table must be known while tracing: make the table outside of the "
            "function"
        )
    with init_scope():
        made = to_tensor(value, None if dtype is None else as_dtype(dtype))
    assert isinstance(made, EagerTensor)
    return made._array


def look_up(keys: Any, values: Any, default: Any, given: Any) -> Tensor:
    """Return the value of each given key, or the default value.

    Args:
        keys: the keys of a table, of shape (n,).
        values: their values, of shape (n, ...).
        default: the value of a key that is not there, of shape (...), or one for each given key.
        given: keys of any shape.

    >>> print(look_up([5, 6], [0.5, 0.25], -1.0, [[6], [7]]))
    rt.Tensor(
    [[ 0.25]
     [-1.  ]], shape=(2, 1), dtype=float32)
    """
    places = _places(to_tensor(keys), to_tensor(given))
    return _chosen(to_tensor(values), to_tensor(default), places)


def _places(keys: Any, given: Tensor) -> Tensor:
    count = size(keys)
    found = unique(concat([keys, reshape(given, [-1])], 0)).idx[count:]
    return reshape(minimum(found, count), shape(given))


def _chosen(values: Any, default: Tensor, places: Tensor) -> Tensor:
    inner = values.shape[1:]
    if default.shape.rank == inner.rank:
        return gather(concat([values, expand_dims(default, 0)], 0), places)
    padded = concat([values, zeros([1, *inner], values.dtype)], 0)
    missing = equal(places, shape(values)[0])
    for _ in inner:
        missing = expand_dims(missing, -1)
    return where(missing, default, gather(padded, places))


class LookupTable:
    """A table of keys and values.

    Attributes:
        key_dtype, value_dtype: the dtypes of keys and values.
        default_value: the value of a key that is not there.
        name: its name.
    """

    keys: Any
    values: Any

    def __init__(
        self,
        key_dtype: DTypeLike,
        value_dtype: DTypeLike,
        default_value: TensorLike,
        name: str | None,
    ) -> None:
        self.key_dtype, self.value_dtype = as_dtype(key_dtype), as_dtype(value_dtype)
        self.name = name
        if not (self.key_dtype.is_string or self.key_dtype.is_integer):
            raise DTypeError(
                f"keys of a table must be texts or integers, not {self.key_dtype.name}"
            )
        self.default_value = EagerTensor(_known(default_value, self.value_dtype, "default value"))

    def lookup(self, keys: TensorLike, name: str | None = None) -> Any:
        """Return the value of each key, or the default value.

        Args:
            keys: of the dtype of the table's keys and any shape.

        Returns:
            a tensor of the shape of `keys`, and then that of a value.

        Raises:
            DTypeError: the keys have another dtype.
        """
        given = self._given(keys)
        return _chosen(self.values, self.default_value, self._places(given))

    def __getitem__(self, keys: TensorLike) -> Any:
        return self.lookup(keys)

    def size(self, name: str | None = None) -> Any:
        """Return the number of keys, int64 of shape ()."""
        return size(self.keys, int64)

    def _given(self, keys: Any) -> Tensor:
        given = to_tensor(keys, dtype_hint=self.key_dtype)
        if given.dtype is not self.key_dtype:
            raise DTypeError(
                f"the keys of this table must be {self.key_dtype.name}, not {given.dtype.name}"
            )
        return given

    def _places(self, given: Tensor) -> Tensor:
        """Return the place of each key, the number of keys for one that is not there."""
        return _places(self.keys, given)

    def __repr__(self) -> str:
        kinds = f"{self.key_dtype.name} to {self.value_dtype.name}"
        return f"<{type(self).__name__} of {kinds}>"


class StaticHashTable(LookupTable):
    """A table whose keys and values never change.

    Args:
        initializer: the keys and values: a `KeyValueTensorInitializer` or `TextFileInitializer`.
        default_value: the value of a key that is not there.

    Raises:
        FailedPreconditionError: a key is given twice, with different values.

    Example:
        >>> import runtime as rt
        >>> pairs = rt.lookup.KeyValueTensorInitializer(["a", "b"], [0.5, 0.25])
        >>> table = rt.lookup.StaticHashTable(pairs, default_value=-1.0)
        >>> print(table[rt.constant(["b", "z"])])
        rt.Tensor([ 0.25 -1.  ], shape=(2,), dtype=float32)
    """

    def __init__(
        self,
        initializer: Any,
        default_value: TensorLike,
        name: str | None = None,
        experimental_is_anonymous: bool = False,
    ) -> None:
        if not isinstance(initializer, KeyValueTensorInitializer):
            raise DTypeError(
                "initializer must be a KeyValueTensorInitializer or a TextFileInitializer, not "
                f"{type(initializer).__name__}: write KeyValueTensorInitializer(keys, values)"
            )
        super().__init__(initializer.key_dtype, initializer.value_dtype, default_value, name)
        if self.default_value.shape.rank != 0:
            raise ShapeError(
                f"default_value must be a scalar, not of shape {self.default_value.shape}"
            )
        self._pairs = _distinct(initializer.keys.tolist(), initializer.values)
        self.keys = EagerTensor(np.array(list(self._pairs), initializer.keys.dtype))
        self.values = EagerTensor(np.array(list(self._pairs.values()), initializer.values.dtype))
        self._numbers = {key: number for number, key in enumerate(self._pairs)}

    def _places(self, given: Tensor) -> Tensor:
        if current_recorder() is not None or not isinstance(given, EagerTensor):
            return super()._places(given)
        count = len(self._numbers)
        found = [self._numbers.get(key, count) for key in given._array.ravel().tolist()]
        return EagerTensor(np.array(found, np.int32).reshape(given._array.shape))


def _distinct(keys: list[Any], values: Array) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    for key, value in zip(keys, values.tolist()):
        if key in found and found[key] != value:
            raise FailedPreconditionError(
                f"the key {key!r} has two values, {found[key]!r} and {value!r}"
            )
        found[key] = value
    return found


class StaticVocabularyTable:
    """A table from strings to numbers; strings that are not in it are numbered by their hashes.

    Args:
        initializer: the words and their numbers, which are those from 0 on.
        num_oov_buckets: the number of further numbers, for words that are not there.

    Example:
        >>> import runtime as rt
        >>> words = rt.lookup.KeyValueTensorInitializer(["a", "b"], rt.constant([0, 1], rt.int64))
        >>> table = rt.lookup.StaticVocabularyTable(words, num_oov_buckets=3)
        >>> print(table[rt.constant(["b", "hello"])], table.size().numpy())
        rt.Tensor([1 3], shape=(2,), dtype=int64) 5
    """

    def __init__(
        self,
        initializer: Any,
        num_oov_buckets: TensorLike,
        lookup_key_dtype: DTypeLike | None = None,
        name: str | None = None,
        experimental_is_anonymous: bool = False,
    ) -> None:
        self.buckets = static_int(num_oov_buckets, "num_oov_buckets")
        if self.buckets < 1:
            raise ArgumentValueError(f"num_oov_buckets must be at least 1, not {self.buckets}")
        self.table = StaticHashTable(initializer, -1)
        if self.table.value_dtype is not int64:
            raise DTypeError(
                f"the values of initializer must be int64, not {self.table.value_dtype.name}"
            )
        self.name = name

    def lookup(self, keys: TensorLike, name: str | None = None) -> Any:
        """Return the number of each word, int64 of the shape of `keys`."""
        given = self.table._given(keys)
        found = self.table.lookup(given)
        text = given if given.dtype is string else as_string(given)
        others = add(to_hash_bucket_fast(text, self.buckets), self.table.size())
        return where(equal(found, -1), others, found)

    __getitem__ = lookup

    def size(self, name: str | None = None) -> Any:
        """Return the number of numbers, int64 of shape ()."""
        return add(self.table.size(), self.buckets)


class ChangingTable(LookupTable):
    """A table whose keys and values change; they are variables.

    Args:
        key_dtype, value_dtype: the dtypes of keys and values.
        default_value: the value of a key that is not there; its shape is that of each value.
        name: its name.
    """

    def __init__(
        self,
        key_dtype: DTypeLike,
        value_dtype: DTypeLike,
        default_value: TensorLike,
        name: str | None,
    ) -> None:
        super().__init__(key_dtype, value_dtype, default_value, name)
        inner = tuple(self.default_value._array.shape)
        self.keys = _empty((), self.key_dtype, f"{name or 'table'}/keys")
        self.values = _empty(inner, self.value_dtype, f"{name or 'table'}/values")

    def insert(self, keys: TensorLike, values: TensorLike, name: str | None = None) -> None:
        """Set the values of keys; of a key that is given twice, the last value counts.

        Args:
            keys: of the dtype of the table's keys and any shape.
            values: of the shape of `keys`, and then that of a value.
        """
        given = self._given(keys)
        inner = self.default_value._array.shape
        added = reshape(to_tensor(values, self.value_dtype), [-1, *inner])
        all_keys = concat([self.keys, reshape(given, [-1])], 0)
        found = unique(all_keys)
        last = unsorted_segment_max(range_(size(all_keys)), found.idx, size(found.y))
        self.values.assign(gather(concat([self.values, added], 0), last))
        self.keys.assign(found.y)

    insert_or_assign = insert

    def remove(self, keys: TensorLike, name: str | None = None) -> None:
        """Remove keys; a key that is not there changes nothing."""
        removed = unique(reshape(self._given(keys), [-1])).y
        count = size(removed)
        kept = logical_not(less(unique(concat([removed, self.keys], 0)).idx[count:], count))
        self.values.assign(boolean_mask(self.values, kept))
        self.keys.assign(boolean_mask(self.keys, kept))

    erase = remove

    def set_pairs(self, keys: Array, values: Array) -> None:
        """Set all keys and values, as a checkpoint has them.

        Raises:
            ShapeError: there is not one value for each key.
        """
        inner = self.default_value._array.shape
        if values.shape != (*keys.shape, *inner) or keys.ndim != 1:
            raise ShapeError(
                f"keys of shape {keys.shape} and values of shape {values.shape} must have one "
                "length"
            )
        self.keys.assign(EagerTensor(keys))
        self.values.assign(EagerTensor(values))

    def export(self, name: str | None = None) -> tuple[Any, Any]:
        """Return all keys, of shape (n,), and their values, of shape (n, ...)."""
        return self.keys.read_value(), self.values.read_value()


def _empty(inner: tuple[int, ...], dtype: DType, name: str) -> Variable:
    array = np.empty((0, *inner), dtype.np_dtype)
    return Variable(EagerTensor(array), trainable=False, name=name, shape=(None, *inner))


class MutableHashTable(ChangingTable):
    """A table whose keys and values change, eagerly and in graphs.

    Args:
        key_dtype, value_dtype: the dtypes of keys and values.
        default_value: the value of a key that is not there; its shape is that of each value.

    Example:
        >>> import runtime as rt
        >>> table = rt.lookup.experimental.MutableHashTable(rt.string, rt.int32, 0)
        >>> table.insert(rt.constant(["a", "b"]), rt.constant([1, 2]))
        >>> table.remove(rt.constant(["a"]))
        >>> print(table[rt.constant(["a", "b"])])
        rt.Tensor([0 2], shape=(2,), dtype=int32)
    """

    def __init__(
        self,
        key_dtype: DTypeLike,
        value_dtype: DTypeLike,
        default_value: TensorLike,
        name: str | None = None,
        checkpoint: bool = True,
        experimental_is_anonymous: bool = False,
    ) -> None:
        super().__init__(key_dtype, value_dtype, default_value, name)

    def lookup(  # type: ignore[override]  # TensorFlow's order of arguments
        self,
        keys: TensorLike,
        dynamic_default_values: TensorLike | None = None,
        name: str | None = None,
    ) -> Any:
        """Return the value of each key, or the default value, which may be another for each key.

        Args:
            keys: of the dtype of the table's keys and any shape.
            dynamic_default_values: the default values, of the shape of the result; by default the
                table's own.
        """
        given = self._given(keys)
        if dynamic_default_values is None:
            return _chosen(self.values, self.default_value, self._places(given))
        default = to_tensor(dynamic_default_values, self.value_dtype)
        return _chosen(self.values, default, self._places(given))


class DenseHashTable(ChangingTable):
    """A table whose keys and values change; two keys are never used.

    Args:
        key_dtype, value_dtype, default_value: as those of `MutableHashTable`.
        empty_key, deleted_key: keys that are never used; using one is an error.

    Raises:
        InvalidArgumentError: one of them is looked up, inserted or removed.

    Example:
        >>> import runtime as rt
        >>> table = rt.lookup.experimental.DenseHashTable(
        ...     rt.int64, rt.int64, default_value=-1, empty_key=0, deleted_key=-2
        ... )
        >>> table.insert(rt.constant([5], rt.int64), rt.constant([25], rt.int64))
        >>> print(table[rt.constant([5, 6], rt.int64)])
        rt.Tensor([25 -1], shape=(2,), dtype=int64)
    """

    def __init__(
        self,
        key_dtype: DTypeLike,
        value_dtype: DTypeLike,
        default_value: TensorLike,
        empty_key: TensorLike,
        deleted_key: TensorLike,
        initial_num_buckets: TensorLike | None = None,
        name: str | None = None,
        checkpoint: bool = True,
        experimental_is_anonymous: bool = False,
    ) -> None:
        super().__init__(key_dtype, value_dtype, default_value, name)
        unused = [_known(each, self.key_dtype, "unused keys") for each in (empty_key, deleted_key)]
        if any(each.shape != () for each in unused) or unused[0] == unused[1]:
            raise ArgumentValueError("empty_key and deleted_key must be two different scalars")
        self._unused = [each.item() for each in unused]

    def _given(self, keys: Any) -> Tensor:
        given = super()._given(keys)
        for name, key in zip(("empty_key", "deleted_key"), self._unused):
            is_used = reduce_any(equal(given, to_tensor(key, self.key_dtype)))
            Assert(logical_not(is_used), [f"{name} cannot be a key of the table"])
        return given

    def set_pairs(self, keys: Array, values: Array) -> None:
        """Set all keys and values, as a checkpoint has them: with places that hold no key."""
        inner = self.default_value._array.shape
        if keys.shape[1:] == (1,):
            keys = keys[:, 0]
        if inner == () and values.shape[1:] == (1,):
            values = values[:, 0]
        if keys.ndim == 1 and keys.shape == values.shape[:1]:
            is_key = np.array([each not in self._unused for each in keys.tolist()], bool)
            keys, values = keys[is_key], values[is_key]
        super().set_pairs(keys, values)
