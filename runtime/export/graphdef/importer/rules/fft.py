"""Import of Fourier transforms."""

from __future__ import annotations

from typing import Any

from runtime.core.shapes import TensorShape
from runtime.export.graphdef.importer.node_import import NodeImport, Rule
from runtime.ops.arrays.index import ELLIPSIS, HashableSlice, Index


def _fourier(rank: int, inverse: bool) -> Rule:
    def rule(step: NodeImport) -> Any:
        return step.record("fourier", step.tensor(0), axes=tuple(range(-rank, 0)), inverse=inverse)

    return rule


def _real_fourier(step: NodeImport) -> Any:
    """Transform the first elements of an axis, of which TensorFlow's node needs enough."""
    x, length = step.tensor(0), step.body.static.partial(step.tensor(1))
    if _is_size_of(step, x):
        return step.record("real_fourier", x)
    if not isinstance(length, list) or None in length or x.shape.dims is None:
        raise step.unsupported("an axis is cut to a length that only a run knows")
    (count,) = length
    if x.shape[-1] != count:
        index = Index((ELLIPSIS, HashableSlice(None, count)))
        x = step.record("strided_slice", x, index=index)
        shape = TensorShape.of((*x.shape.dims[:-1], count))
        x = step.record("ensure_shape", x, shape=shape)
    return step.record("real_fourier", x)


def _is_size_of(step: NodeImport, x: Any) -> bool:
    """Return whether the length is `shape(x)[-1:]`."""
    node = step.tensor(1).node
    if node.op.name != "strided_slice" or str(node.attrs["index"]) not in ("[-1:]", "[-1::1]"):
        return False
    return node.inputs[0].node.op.name == "shape" and node.inputs[0].node.inputs[0] is x


def _real_from_fourier(step: NodeImport) -> Any:
    length = step.number(1, "lengths of transforms")
    return step.record("real_from_fourier", step.tensor(0), length=length)


RULES: dict[str, Rule] = {
    "FFT": _fourier(1, inverse=False),
    "FFT2D": _fourier(2, inverse=False),
    "FFT3D": _fourier(3, inverse=False),
    "IFFT": _fourier(1, inverse=True),
    "IFFT2D": _fourier(2, inverse=True),
    "IFFT3D": _fourier(3, inverse=True),
    "IRFFT": _real_from_fourier,
    "RFFT": _real_fourier,
}
