"""Import of matrix products, factorizations and diagonals."""

from __future__ import annotations

from typing import Any

from runtime.export.graphdef.importer.node_import import NodeImport, Rule
from runtime.export.graphdef.importer.rules.arithmetic import direct

_ALIGN = "RIGHT_LEFT"


def _matmul(step: NodeImport) -> Any:
    flags = {word: step.attrs.flag(word, False) for word in ("transpose_a", "transpose_b")}
    return step.record("matmul", step.tensor(0), step.tensor(1), **flags)


def _batch_matmul(step: NodeImport) -> Any:
    """Multiply matrices; `adj_x` is the conjugate transpose."""
    turned = [step.attrs.flag(word, False) for word in ("adj_x", "adj_y")]
    sides = [step.tensor(0), step.tensor(1)]
    if step.op == "BatchMatMulV3":
        wanted = step.attrs.dtype("Tout")
        if any(side.dtype is not wanted for side in sides):
            raise step.unsupported("matrices of several dtypes are multiplied")
    sides = [
        step.record("conj", side) if turn and side.dtype.is_complex else side
        for side, turn in zip(sides, turned)
    ]
    return step.record("matmul", *sides, transpose_a=turned[0], transpose_b=turned[1])


def _solves(name: str) -> Rule:
    def rule(step: NodeImport) -> Any:
        first, *others = (step.tensor(at) for at in range(len(step.inputs)))
        if step.attrs.flag("adjoint", False):
            first = step.record("matrix_transpose", first)
            first = step.record("conj", first) if first.dtype.is_complex else first
        return step.record(name, first, *others)

    return rule


def _einsum(step: NodeImport) -> Any:
    tensors = [step.tensor(at) for at in range(len(step.inputs))]
    return step.record("einsum", *tensors, equation=step.attrs.text("equation"))


def _qr(step: NodeImport) -> Any:
    full = step.attrs.flag("full_matrices", False)
    return list(step.record("qr", step.tensor(0), full_matrices=full))


def _svd(step: NodeImport) -> Any:
    step.attrs.skip("full_matrices")
    if step.attrs.flag("compute_uv", True):
        raise step.unsupported("TensorFlow gives singular vectors with other signs")
    x = step.tensor(0)
    values = _as_dtype(step, step.record("singular_values", x), x.dtype)
    nothing = step.constant([], x.dtype)
    return [values, nothing, nothing]


def _eigh(step: NodeImport) -> Any:
    if step.attrs.flag("compute_v", True):
        raise step.unsupported("TensorFlow gives eigenvectors with other signs")
    x = step.tensor(0)
    values = _as_dtype(step, step.record("eigvalsh", x), x.dtype)
    return [values, step.constant([], x.dtype)]


def _as_dtype(step: NodeImport, x: Any, dtype: Any) -> Any:
    return x if x.dtype is dtype else step.record("cast", x, dtype=dtype)


def _lu(step: NodeImport) -> Any:
    wanted = step.attrs.dtype("output_idx_type")
    return list(step.record("lu", step.tensor(0), output_idx_type=wanted))


def _log_determinant(step: NodeImport) -> Any:
    x = step.tensor(0)
    sign, size = step.record("log_matrix_determinant", x)
    return [sign, _as_dtype(step, size, x.dtype)]


# -- diagonals -------------------------------------------------------------------------------------


def _band(step: NodeImport, position: int) -> tuple[int, int]:
    found = step.numbers(position, "diagonals")
    return (found[0], found[-1])


def _padding(step: NodeImport, position: int) -> Any:
    return step.static(position, "paddings of diagonals").item()


def _from_diagonals(step: NodeImport) -> Any:
    band, align = _band(step, 1), step.attrs.text("align", _ALIGN)
    sizes = (step.number(2, "numbers of rows"), step.number(3, "numbers of columns"))
    padding = _padding(step, 4)
    if band == (0, 0) and sizes == (-1, -1) and padding == 0:
        return step.record("diag", step.tensor(0))
    return step.record(
        "from_diagonals", step.tensor(0), k=band, sizes=sizes, padding=padding, align=align
    )


def _diagonals(step: NodeImport) -> Any:
    band, align = _band(step, 1), step.attrs.text("align", _ALIGN)
    padding = _padding(step, 2)
    if band == (0, 0) and padding == 0:
        return step.record("diag_part", step.tensor(0))
    return step.record("diagonals", step.tensor(0), k=band, padding=padding, align=align)


def _set_diagonals(step: NodeImport) -> Any:
    band, align = _band(step, 2), step.attrs.text("align", _ALIGN)
    return step.record("set_diag", step.tensor(0), step.tensor(1), k=band, align=align)


def _band_part(step: NodeImport) -> Any:
    low, high = step.number(1, "bands"), step.number(2, "bands")
    return step.record("band_part", step.tensor(0), num_lower=low, num_upper=high)


RULES: dict[str, Rule] = {
    "BatchMatMul": _batch_matmul,
    "BatchMatMulV2": _batch_matmul,
    "BatchMatMulV3": _batch_matmul,
    "Einsum": _einsum,
    "LogMatrixDeterminant": _log_determinant,
    "Lu": _lu,
    "MatMul": _matmul,
    "MatrixBandPart": _band_part,
    "MatrixDiag": direct("diag"),
    "MatrixDiagPart": direct("diag_part"),
    "MatrixDiagPartV3": _diagonals,
    "MatrixDiagV3": _from_diagonals,
    "MatrixInverse": _solves("matrix_inverse"),
    "MatrixSetDiagV3": _set_diagonals,
    "MatrixSolve": _solves("matrix_solve"),
    "Qr": _qr,
    "SelfAdjointEigV2": _eigh,
    "Svd": _svd,
}
