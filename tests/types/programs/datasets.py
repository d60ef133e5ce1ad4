"""Pipelines of datasets know the types of their elements."""

from __future__ import annotations

import numpy as np
from typing_extensions import assert_type

import autograph as ag
import autograph.runtime as rt
from autograph.runtime import Tensor, TensorSpec
from autograph.runtime.data import Dataset

numbers = Dataset.range(10)
assert_type(numbers, Dataset[Tensor])
for number in numbers:
    assert_type(number, Tensor)

squares = numbers.map(lambda each: each * each).filter(lambda each: each % 2 == 0)
assert_type(squares.shuffle(4, seed=1).take(3).repeat(2), Dataset[Tensor])
for batch in squares.batch(2, drop_remainder=True).prefetch(1):
    assert_type(batch, Tensor)

images, labels = np.zeros((6, 4), np.float32), np.arange(6, dtype=np.int64)
pairs = Dataset.from_tensor_slices((images, labels))
assert_type(pairs, Dataset[tuple[Tensor, Tensor]])
for image, label in pairs.batch(2):
    assert_type(image, Tensor)
    assert_type(label, Tensor)
assert_type(Dataset.from_tensor_slices(images), Dataset[Tensor])
assert_type(
    Dataset.from_tensor_slices({"image": images, "label": labels}), Dataset[dict[str, Tensor]]
)
assert_type(Dataset.zip((numbers, squares)), Dataset[tuple[Tensor, Tensor]])


def halves(image: Tensor, label: Tensor) -> tuple[Tensor, Tensor]:
    return image / 2.0, label


assert_type(pairs.map(halves), Dataset[tuple[Tensor, Tensor]])
assert_type(pairs.enumerate(), Dataset[tuple[Tensor, tuple[Tensor, Tensor]]])
assert_type(next(iter(pairs)), tuple[Tensor, Tensor])
assert_type(len(pairs), int)


@ag.function
def total(dataset: Dataset[Tensor]) -> Tensor:
    found = rt.constant(0, rt.int64)
    for each in dataset:
        found += each
    return found


assert_type(total(numbers), Tensor)


def mistakes() -> None:
    numbers.batc(2)  # error
    numbers.batch("two")  # error
    numbers.take()  # error
    pairs.map(3)  # error
    total(pairs)  # error
    Dataset.rang(3)  # error
    for each in numbers:
        each.item()  # error


spec = TensorSpec([], rt.int32)
assert_type(Dataset.from_tensors((images, labels)), Dataset[tuple[Tensor, Tensor]])
assert_type(Dataset.from_tensors(images), Dataset[Tensor])
assert_type(Dataset.from_generator(lambda: iter([1, 2]), output_signature=spec), Dataset[Tensor])
assert_type(
    Dataset.from_generator(lambda: iter([(1, 2)]), output_signature=(spec, spec)),
    Dataset[tuple[Tensor, Tensor]],
)
assert_type(
    Dataset.from_generator(lambda: iter([{"a": 1}]), output_signature={"a": spec}),
    Dataset[dict[str, Tensor]],
)
