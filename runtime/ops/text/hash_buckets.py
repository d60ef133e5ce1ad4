"""Hash buckets of strings, equal to TensorFlow's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core.argument_checks import listed
from runtime.core.dtypes import int64
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError
from runtime.ops import infer
from runtime.ops.arguments import static_int
from runtime.ops.convert import to_tensor
from runtime.ops.op import apply, define
from runtime.ops.text.fingerprints import farm, keyed, murmur


def _keyed_kernel(x: Array, *, num_buckets: int, key: tuple[int, int]) -> Array:
    return _each(lambda text: keyed(text, key), x, num_buckets)


def _unkeyed(fingerprint: Callable[[bytes], int]) -> Callable[..., Array]:
    def kernel(x: Array, *, num_buckets: int) -> Array:
        return _each(fingerprint, x, num_buckets)

    return kernel


def _each(fingerprint: Callable[[bytes], int], x: Array, num_buckets: int) -> Array:
    made = np.empty(x.shape, np.int64)
    for place in np.ndindex(*x.shape):
        text: Any = x[place]
        made[place] = fingerprint(text) % num_buckets
    return made


HASH_BUCKET = define(
    "hash_bucket",
    _unkeyed(murmur),
    infer.same_shape(int64),
    kinds="O",
    tensorflow_name="StringToHashBucket",
)
HASH_BUCKET_FAST = define(
    "hash_bucket_fast",
    _unkeyed(farm),
    infer.same_shape(int64),
    kinds="O",
    tensorflow_name="StringToHashBucketFast",
)
HASH_BUCKET_STRONG = define(
    "hash_bucket_strong",
    _keyed_kernel,
    infer.same_shape(int64),
    kinds="O",
    tensorflow_name="StringToHashBucketStrong",
)


def to_hash_bucket(input: TensorLike, num_buckets: int, name: str | None = None) -> Tensor:
    """Return an int64 below `num_buckets` for each string, by MurmurHash.

    >>> print(to_hash_bucket(["Hello", "TF"], 100))
    rt.Tensor([41 66], shape=(2,), dtype=int64)
    """
    count = _buckets(num_buckets)
    result: Tensor = apply(HASH_BUCKET, (to_tensor(input),), num_buckets=count)
    return result


def to_hash_bucket_fast(input: TensorLike, num_buckets: int, name: str | None = None) -> Tensor:
    """Return an int64 below `num_buckets` for each string, by FarmHash's fingerprint.

    >>> print(to_hash_bucket_fast(["Hello", "TensorFlow", "2.x"], 3))
    rt.Tensor([0 2 2], shape=(3,), dtype=int64)
    """
    count = _buckets(num_buckets)
    result: Tensor = apply(HASH_BUCKET_FAST, (to_tensor(input),), num_buckets=count)
    return result


def to_hash_bucket_strong(
    input: TensorLike, num_buckets: int, key: Sequence[int], name: str | None = None
) -> Tensor:
    """Return an int64 below `num_buckets` for each string, by SipHash with a key of two numbers.

    Without the key it is hard to find many strings that share a bucket.

    >>> print(to_hash_bucket_strong(["Hello", "TF"], 3, [1, 2]))
    rt.Tensor([2 0], shape=(2,), dtype=int64)
    """
    numbers = tuple(static_int(part, "the key") for part in listed(key, "the key"))
    if len(numbers) != 2:
        raise ArgumentValueError(f"the key must be two numbers, not {len(numbers)}")
    attrs = {"num_buckets": _buckets(num_buckets), "key": tuple(n % 2**64 for n in numbers)}
    result: Tensor = apply(HASH_BUCKET_STRONG, (to_tensor(input),), **attrs)
    return result


def _buckets(count: Any) -> int:
    found = static_int(count, "num_buckets")
    if not 0 < found < 2**63:
        raise ArgumentValueError(f"num_buckets must be at least 1, not {found}")
    return found
