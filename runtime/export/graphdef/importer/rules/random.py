"""Import of random numbers, which are the same here: at a position, or in a stream of two seeds."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import float32, int32, int64
from runtime.errors import DTypeError
from runtime.export.graphdef.importer.node_import import NodeImport, Rule
from runtime.ops.arguments import dims_argument
from runtime.ops.random.graph_seeds import NodeSeeds

_PHILOX = (1, 3)  # The algorithm, and TensorFlow's choice of one, which is the same.


def _place(step: NodeImport, first: int) -> tuple[Any, Any]:
    """Return the key and the counter, as signed numbers of the same bits."""
    if step.number(first + 2, "random algorithms") not in _PHILOX:
        raise step.unsupported("only the algorithm Philox is known")
    return step.tensor(first), step.tensor(first + 1)


def _of_shape(name: str, has_dtype: bool = True) -> Rule:
    """Return the rule of an op of a shape, a key, a counter, an algorithm and parameters."""

    def rule(step: NodeImport) -> Any:
        shape, rest = dims_argument(step.sizes(0))
        key, counter = _place(step, 1)
        parameters = [step.tensor(at) for at in range(4, len(step.inputs))]
        attrs = {"dtype": step.attrs.dtype("dtype", float32)} if has_dtype else {}
        return step.record(name, *parameters, key, counter, *rest, shape=shape, **attrs)

    return rule


def _shuffle(step: NodeImport) -> Any:
    return step.record("stateless_shuffle", step.tensor(0), *_place(step, 1))


def _key_counter(step: NodeImport) -> Any:
    return list(step.record("stateless_key_counter", step.tensor(0)))


def _algorithm(step: NodeImport) -> Any:
    return step.constant(1, int32)


def _skip(step: NodeImport) -> Any:
    if step.number(1, "random algorithms") not in _PHILOX:
        raise step.unsupported("only the algorithm Philox is known")
    count = step.tensor(2)
    if not count.dtype.is_integer:
        raise DTypeError("a generator skips a whole number of values")
    return step.record("skip_variable", step.variable(0), count)


# -- streams of seeds ------------------------------------------------------------------------------


def _seeds(step: NodeImport) -> NodeSeeds | None:
    """Return the seeds of a node; None if it has none, so that nobody can predict its numbers."""
    seed, other = step.attrs.number("seed", 0), step.attrs.number("seed2", 0)
    return NodeSeeds(seed, other, is_given=True) if seed or other else None


def _drawn(name: str, has_dtype: bool = True) -> Rule:
    """Return the rule of an op of a shape and parameters."""

    def rule(step: NodeImport) -> Any:
        shape, rest = dims_argument(step.sizes(0))
        parameters = [step.tensor(at) for at in range(1, len(step.inputs))]
        attrs = {"dtype": step.attrs.dtype("dtype", float32)} if has_dtype else {}
        return step.record(name, *parameters, *rest, shape=shape, seed=_seeds(step), **attrs)

    return rule


def _shuffle_anew(step: NodeImport) -> Any:
    return step.record("random_shuffle", step.tensor(0), seed=_seeds(step))


def _categories(step: NodeImport) -> Any:
    count, dtype = step.number(1, "numbers of samples"), step.attrs.dtype("output_dtype", int64)
    drawn = {"num_samples": count, "dtype": dtype, "seed": _seeds(step)}
    return step.record("random_categorical", step.tensor(0), **drawn)


RULES: dict[str, Rule] = {
    "Multinomial": _categories,
    "RandomShuffle": _shuffle_anew,
    "RandomStandardNormal": _drawn("random_normal"),
    "RandomUniform": _drawn("random_uniform"),
    "RandomUniformInt": _drawn("random_uniform_int", has_dtype=False),
    "RngReadAndSkip": _skip,
    "StatelessRandomGammaV3": _of_shape("stateless_gamma"),
    "StatelessRandomGetAlg": _algorithm,
    "StatelessRandomGetKeyCounter": _key_counter,
    "StatelessRandomNormalV2": _of_shape("stateless_normal"),
    "StatelessRandomUniformFullIntV2": _of_shape("stateless_full_int"),
    "StatelessRandomUniformIntV2": _of_shape("stateless_uniform_int", has_dtype=False),
    "StatelessRandomUniformV2": _of_shape("stateless_uniform"),
    "StatelessShuffle": _shuffle,
    "StatelessTruncatedNormalV2": _of_shape("stateless_truncated_normal"),
    "TruncatedNormal": _drawn("truncated_normal"),
}
