"""Lowering of Fourier transforms."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import int32
from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule


def _fourier(step: GraphDefNodeLowering) -> Any:
    axes = step.attrs["axes"]
    if axes != tuple(range(-len(axes), 0)) or len(axes) > 3:
        raise step.unsupported("TensorFlow's nodes transform the last axes, up to three")
    size = {1: "", 2: "2D", 3: "3D"}[len(axes)]
    back = "I" if step.attrs["inverse"] else ""
    return step.last(f"{back}FFT{size}", step.inputs[0])


def _real_fourier(step: GraphDefNodeLowering) -> Any:
    shape = step.add("Shape", step.inputs[0], out_type=int32)
    begin, end, by = (step.const([n], w) for n, w in ((-1, "begin"), (0, "end"), (1, "strides")))
    masks = dict.fromkeys(("begin_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"), 0)
    length = step.add("StridedSlice", shape, begin, end, by, end_mask=1, **masks)
    return step.last("RFFT", step.inputs[0], length, Tcomplex=step.dtype)


def _real_from_fourier(step: GraphDefNodeLowering) -> Any:
    length = step.const([step.attrs["length"]], "fft_length")
    return step.last("IRFFT", step.inputs[0], length, Treal=step.dtype)


RULES: dict[str, Rule] = {
    "fourier": _fourier,
    "real_fourier": _real_fourier,
    "real_from_fourier": _real_from_fourier,
}
