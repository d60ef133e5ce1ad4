"""Tables of keys and values: as Python's dicts are, eagerly and in graphs; text files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import (
    ArgumentValueError,
    DTypeError,
    FailedPreconditionError,
    InvalidArgumentError,
    NotFoundError,
    ShapeError,
)

lookup = rt.lookup
WORDS = rt.TensorSpec((None,), rt.string)


def static(keys: Any, values: Any, default: Any) -> Any:
    return lookup.StaticHashTable(lookup.KeyValueTensorInitializer(keys, values), default)


@pytest.mark.parametrize("wrap", [lambda f: f, ag.function], ids=["eager", "staged"])
@pytest.mark.parametrize(
    "keys, values, default, given",
    [
        (["a", "b"], [1, 2], 0, [["b", "z"], ["a", "b"]]),
        ([7, -3], [0.5, 0.25], -1.0, [[-3], [8]]),
        ([7, -3], ["seven", "minus three"], "?", [0, 7]),
        (np.zeros(0, np.int64), np.zeros(0, np.float32), 9.0, np.array([1, 2])),
    ],
)
def test_a_lookup_is_that_of_a_dict(
    wrap: Any, keys: Any, values: Any, default: Any, given: Any
) -> None:
    table = static(keys, values, default)
    x = rt.constant(given)
    known = dict(zip(rt.constant(keys).numpy().tolist(), rt.constant(values).numpy().tolist()))
    other = rt.constant(default).numpy()
    expected = np.vectorize(lambda key: known.get(key, other), otypes=[object])(x.numpy())
    found = wrap(table.lookup)(x)
    assert expected.tolist() == found.numpy().tolist()
    assert (x.shape, table.value_dtype) == (found.shape, found.dtype)
    assert len(known) == wrap(table.size)().numpy()


@pytest.mark.parametrize("wrap", [lambda f: f, ag.function], ids=["eager", "staged"])
@pytest.mark.parametrize("seed", range(5))
def test_a_table_that_changes_is_a_dict(wrap: Any, seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = lookup.experimental.MutableHashTable(rt.int64, rt.float32, [-1.0, -2.0])
    insert, remove, find = wrap(table.insert), wrap(table.remove), wrap(table.lookup)
    model: dict[int, list[float]] = {}
    for _ in range(12):
        keys = rng.integers(0, 8, rng.integers(1, 6))
        if rng.random() < 0.3:
            remove(rt.constant(keys))
            for key in keys:
                model.pop(int(key), None)
        else:
            values = rng.integers(0, 100, (len(keys), 2)).astype(np.float32)
            insert(rt.constant(keys), rt.constant(values))
            model.update(zip(keys.tolist(), values.tolist()))
        asked = np.arange(10)
        expected = [model.get(int(key), [-1.0, -2.0]) for key in asked]
        assert expected == find(rt.constant(asked)).numpy().tolist()
        kept, values = table.export()
        assert model == dict(zip(kept.numpy().tolist(), values.numpy().tolist()))
        assert len(model) == table.size().numpy()


def test_the_last_value_of_a_key_counts() -> None:
    table = lookup.experimental.MutableHashTable(rt.string, rt.int32, 0)
    table.insert(rt.constant(["a", "b", "a"]), rt.constant([1, 2, 3]))
    assert [3, 2] == table[rt.constant(["a", "b"])].numpy().tolist()


@pytest.mark.parametrize("wrap", [lambda f: f, ag.function], ids=["eager", "staged"])
def test_each_key_may_have_a_default_value_of_its_own(wrap: Any) -> None:
    table = lookup.experimental.MutableHashTable(rt.string, rt.float32, [0.0, 0.0])
    x, defaults = rt.constant(["a", "b", "c"]), rt.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    assert defaults.numpy().tolist() == wrap(table.lookup)(x, defaults).numpy().tolist()
    table.insert(rt.constant(["b"]), [[7.0, 8.0]])
    expected = [[1.0, 2.0], [7.0, 8.0], [5.0, 6.0]]
    assert expected == wrap(table.lookup)(x, defaults).numpy().tolist()


@pytest.mark.parametrize("key", [0, -2])
@pytest.mark.parametrize("wrap", [lambda f: f, ag.function], ids=["eager", "staged"])
def test_the_unused_keys_of_a_dense_table_are_errors(wrap: Any, key: int) -> None:
    table = lookup.experimental.DenseHashTable(rt.int64, rt.int64, -1, empty_key=0, deleted_key=-2)
    x = rt.constant([5, key], rt.int64)
    name = "deleted_key" if key else "empty_key"
    for use in (lambda x: table.insert(x, x), table.lookup, table.remove):
        with pytest.raises(InvalidArgumentError, match=f"{name} cannot be a key of the table"):
            wrap(use)(x)
    assert 0 == table.size().numpy()


def test_a_vocabulary_gives_other_words_numbers_by_their_hashes() -> None:
    # TensorFlow 2.21 gives these numbers.
    words = lookup.KeyValueTensorInitializer(["a", "b"], rt.constant([0, 1], rt.int64))
    table = lookup.StaticVocabularyTable(words, 3)
    assert [0, 4, 3, 3] == table[rt.constant(["a", "q", "zz", "hello"])].numpy().tolist()
    numbers = lookup.KeyValueTensorInitializer(
        rt.constant([5, 6], rt.int64), rt.constant([0, 1], rt.int64)
    )
    table = lookup.StaticVocabularyTable(numbers, 3)
    found = ag.function(table.lookup)(rt.constant([5, 7, 100, -3], rt.int64))
    assert [0, 3, 2, 2] == found.numpy().tolist()


INDEX = lookup.TextFileIndex


@pytest.mark.parametrize(
    "columns, options, keys, values",
    [
        ((rt.string, 0, rt.int64, 1), {}, [b"x", b"y", b"z"], [1, 2, 3]),
        ((rt.int64, 1, rt.float32, 2), {"vocab_size": 2}, [1, 2], [0.5, 1.5]),
        ((rt.string, 0, rt.int64, INDEX.LINE_NUMBER), {}, [b"x", b"y", b"z"], [0, 1, 2]),
        (
            (rt.int64, INDEX.LINE_NUMBER, rt.string, INDEX.WHOLE_LINE),
            {"value_index_offset": 7},
            [0, 1, 2],
            [b"x\t1\t0.5", b"y\t2\t1.5", b"z\t3\t-2"],
        ),
        (
            (rt.string, 2, rt.int64, INDEX.LINE_NUMBER),
            {"value_index_offset": 7},
            [b"0.5", b"1.5", b"-2"],
            [7, 8, 9],
        ),
    ],
)
def test_columns_of_a_text_file(
    columns: Any, options: Any, keys: Any, values: Any, tmp_path: Path
) -> None:
    file = tmp_path / "columns.tsv"
    file.write_bytes(b"x\t1\t0.5\r\ny\t2\t1.5\nz\t3\t-2")
    found = lookup.TextFileInitializer(file, *columns, **options)
    assert keys == found.keys.tolist() and values == found.values.tolist()
    assert (columns[0], columns[2]) == (found.key_dtype, found.value_dtype)


@pytest.mark.parametrize(
    "data, columns, options, words",
    [
        (b"a\n\nb", (rt.string, -2, rt.int64, -1), {}, "line 2 is empty"),
        (b"a\t1\n", (rt.string, 0, rt.int64, 4), {}, "line 1 has 2 columns, and 4 is read"),
        (
            b"a\t1\nb\tc",
            (rt.string, 0, rt.int64, 1),
            {},
            "line 2 has 'c', which is not a valid int64",
        ),
        (
            b"a\t300\n",
            (rt.string, 0, rt.int8, 1),
            {},
            "line 1 has '300', which is not a valid int8",
        ),
        (b"a\n", (rt.string, -2, rt.int64, -1), {"vocab_size": 5}, "has 1 lines, and vocab_size"),
    ],
)
def test_a_damaged_text_file_is_named_with_its_line(
    data: bytes, columns: Any, options: Any, words: str, tmp_path: Path
) -> None:
    (tmp_path / "words.txt").write_bytes(data)
    with pytest.raises(InvalidArgumentError, match=words):
        lookup.TextFileInitializer(tmp_path / "words.txt", *columns, **options)


def test_invalid_tables_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FailedPreconditionError, match="the key b'a' has two values, 1 and 2"):
        static(["a", "a"], [1, 2], 0)
    assert 1 == static(["a", "a"], [1, 1], 0).size().numpy()
    with pytest.raises(DTypeError, match="of this table must be string, not int32"):
        static(["a"], [1], 0)[rt.constant([1])]
    with pytest.raises(DTypeError, match="texts or integers, not float32"):
        static([0.5], [1], 0)
    with pytest.raises(ShapeError, match="vectors of one length"):
        static(["a", "b"], [1], 0)
    with pytest.raises(ShapeError, match="default_value must be a scalar"):
        static(["a"], [1], [0])
    with pytest.raises(DTypeError, match="must be rt.string for whole lines, not int64"):
        lookup.TextFileInitializer(tmp_path, rt.int64, -2, rt.int64, -1)
    with pytest.raises(NotFoundError, match="cannot be read"):
        lookup.TextFileInitializer(tmp_path / "none", rt.string, 0, rt.int64, 1)
    with pytest.raises(ArgumentValueError, match="make the table outside of the function"):
        ag.function(lambda x: static(x, [1], 0).size())(rt.constant(["a"]))


def test_the_values_of_a_table_are_in_checkpoints(tmp_path: Path) -> None:
    table = lookup.experimental.MutableHashTable(rt.string, rt.int32, 0)
    table.insert(rt.constant(["a"]), rt.constant([5]))
    path = rt.train.Checkpoint(table=table).save(str(tmp_path / "checkpoint"))
    table.remove(rt.constant(["a"]))
    rt.train.Checkpoint(table=table).restore(path)
    assert [5] == table[rt.constant(["a"])].numpy().tolist()
