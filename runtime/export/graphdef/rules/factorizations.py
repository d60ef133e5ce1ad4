"""Lowering of factorizations, functions of matrices, and several diagonals at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import int32
from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule


def _qr(step: GraphDefNodeLowering) -> Any:
    return step.last("Qr", step.inputs[0], full_matrices=step.attrs["full_matrices"])


def _singular_values(step: GraphDefNodeLowering) -> Any:
    s, _, _ = step.last("Svd", step.inputs[0], compute_uv=False, full_matrices=False)
    return _as_real(step, s)


def _eigvalsh(step: GraphDefNodeLowering) -> Any:
    values, _ = step.last("SelfAdjointEigV2", step.inputs[0], compute_v=False)
    return _as_real(step, values)


def _lu(step: GraphDefNodeLowering) -> Any:
    return step.last("Lu", step.inputs[0], output_idx_type=step.attrs["output_idx_type"])


def _log_determinant(step: GraphDefNodeLowering) -> Any:
    sign, size = step.last("LogMatrixDeterminant", step.inputs[0])
    return [sign, _as_real(step, size)]


def _as_real(step: GraphDefNodeLowering, x: Any) -> Any:
    """Return a result as real: for complex matrices the node returns complex numbers."""
    given = step.spec(0).dtype
    return step.add("Real", x, Tout=given.real_dtype) if given.is_complex else x


def _band(step: GraphDefNodeLowering) -> Any:
    return step.const(np.array(step.attrs["k"], np.int32), "k", int32)


def _diagonals(step: GraphDefNodeLowering) -> Any:
    padding = step.const(step.attrs["padding"], "padding_value", step.dtype)
    align = step.attrs["align"]
    return step.last("MatrixDiagPartV3", step.inputs[0], _band(step), padding, align=align)


def _check_shape(step: GraphDefNodeLowering, position: int) -> None:
    low, high = step.attrs["k"]
    dims = step.spec(position).shape.dims
    if low < high and (dims is None or dims[-2] is None):
        raise step.unsupported("how many diagonals there are TensorFlow wants to know beforehand")


def _from_diagonals(step: GraphDefNodeLowering) -> Any:
    _check_shape(step, 0)
    rows, columns = (
        step.const(size, name) for size, name in zip(step.attrs["sizes"], ("num_rows", "num_cols"))
    )
    padding = step.const(step.attrs["padding"], "padding_value", step.dtype)
    given = step.inputs[0], _band(step), rows, columns, padding
    return step.last("MatrixDiagV3", *given, align=step.attrs["align"])


def _set_diag(step: GraphDefNodeLowering) -> Any:
    _check_shape(step, 1)
    align = step.attrs["align"]
    return step.last("MatrixSetDiagV3", *step.inputs, _band(step), align=align)


RULES: dict[str, Rule] = {
    "qr": _qr,
    "singular_values": _singular_values,
    "eigvalsh": _eigvalsh,
    "lu": _lu,
    "log_matrix_determinant": _log_determinant,
    "diagonals": _diagonals,
    "from_diagonals": _from_diagonals,
    "set_diag": _set_diag,
}
