"""Every op has a rule in the JAX engine, belongs to its core, or is listed with a reason.

Where JAX is installed, the rules compute what the NumPy kernels compute.
"""

from __future__ import annotations

import numpy as np
import pytest

from runtime.executors.jax.rules import IN_CORE, RULES, UNSUPPORTED, Unsupported
from runtime.graph.node import Node
from runtime.ops.op import REGISTRY
from tests.each import for_each
from tests.laws.rule_cases import OPS, cases_of
from tests.laws.rule_runs import Case, Found, node_of, run_kernel_of, run_rules
from tests.suite_length import sample


def test_every_op_is_in_one_table() -> None:
    tables = [set(RULES), set(IN_CORE), set(UNSUPPORTED)]
    assert set(REGISTRY) == set().union(*tables)
    assert len(REGISTRY) == sum(map(len, tables))


@for_each("name", sorted(UNSUPPORTED))
def test_a_reason_ends_a_sentence(name: str) -> None:
    reason = UNSUPPORTED[name]
    assert reason.startswith("no ") and len(reason) < 90 and not reason.endswith(".")


# -- the rules compute what the kernels compute ----------------------------------------------------

# Units in the last place by which a float may differ: of itself, or of the largest of its array.
ULPS, ULPS_OF_COMPLEX, ULPS_OF_LARGEST, ULPS_OF_SPECIAL = 4, 32, 64, 1024
OF_LARGEST = frozenset(
    """
    convolution convolution_to_input convolution_to_filter avg_pool avg_pool_back recurrence fourier
    lstm_gates lstm_gates_grad gru_gates gru_gates_grad matrix_exponential matrix_square_root
    matrix_inverse matrix_solve pseudo_inverse qr svd singular_values eigh eigvalsh eig eigvals
    """.split()
)
# Functions that XLA and the kernels approximate by different series; of 1 for small results.
SPECIAL = frozenset(
    """
    bessel_i0 bessel_i0e bessel_i1 bessel_i1e betainc digamma erfc erfinv igamma igamma_grad igammac
    lgamma ndtri polygamma zeta
    """.split()
)


# Factorizations whose vectors may be turned.
OF_ANY_PHASE = frozenset(("eig", "eigh"))


def _product(s: np.ndarray, u: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return singular values, and the matrix that the factors make, which has no sign to choose."""
    count = s.shape[-1]
    return s, (u[..., :count] * s[..., None, :]) @ np.conj(np.swapaxes(v[..., :count], -1, -2))


def _of_one_phase(found: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Return vectors, which are columns, turned by the phase in which they differ."""
    if found.shape != expected.shape or found.ndim < 2 or not np.isfinite(found).all():
        return found
    phase = np.sum(np.conj(found) * expected, -2, keepdims=True)
    size = np.abs(phase)
    turned = found * np.where(size > 0.5, phase / np.where(size > 0.5, size, 1), 1)
    return np.asarray(turned, found.dtype)


def _far(found: np.ndarray, expected: np.ndarray, op: str) -> np.ndarray:
    """Return which elements differ by more than the digits that a dtype leaves open."""
    if expected.dtype.kind not in "fc":
        return np.asarray(found != expected)
    with np.errstate(all="ignore"):
        limits = np.finfo(expected.dtype)
        both = np.isfinite(found) & np.isfinite(expected)
        same = (found == expected) | (np.isnan(found) & np.isnan(expected))
        x, y = np.where(both, found, 0), np.where(both, expected, 0)
        scale, ulps = np.abs(y), ULPS_OF_COMPLEX if y.dtype.kind == "c" else ULPS
        if op in OF_LARGEST:
            scale, ulps = scale.max(initial=0), ULPS_OF_LARGEST
        elif op in SPECIAL and y.dtype == np.float64:
            scale, ulps = np.maximum(scale, 1), ULPS_OF_SPECIAL
        # XLA has no numbers below the smallest normal one.
        near = np.abs(x - y) <= ulps * limits.eps * scale + limits.tiny
        return np.asarray(~(same | (both & near)))


def _difference(case: Case, node: Node, found: Found | Exception) -> str:
    expected = run_kernel_of(node, case.arrays)
    if isinstance(found, Unsupported):
        return f"{case}: unsupported, {found.reason}" if case.has_to_run else ""
    if isinstance(found, Exception):
        return "" if expected is None else f"{case}: {type(found).__name__}, {found}"
    if found.failed or expected is None:
        if expected is None and not found.failed:
            return f"{case}: the kernel raises, the rule returns {found.outputs}"
        return f"{case}: the run fails" if case.has_to_run and expected is not None else ""
    if len(found.outputs) != len(expected):
        return f"{case}: {len(found.outputs)} outputs for {len(expected)}"
    pairs = zip(found.outputs, expected, strict=True)
    if case.op == "svd":
        pairs = zip(_product(*found.outputs), _product(*expected), strict=True)
    for x, y in pairs:
        x = _of_one_phase(x, y) if case.op in OF_ANY_PHASE else x
        if x.dtype != y.dtype or x.shape != y.shape:
            return f"{case}: {x.dtype}{x.shape} for {y.dtype}{y.shape}"
        if (far := _far(x, y, case.op)).any():
            return f"{case}: {x[far][:4]} for {y[far][:4]} at {np.argwhere(far)[:4].tolist()}"
    return ""


@for_each("op", sample(OPS, 16))
def test_rules_agree_with_kernels(op: str) -> None:
    pytest.importorskip("jax")
    pairs = [(case, node) for case in cases_of(op) if (node := node_of(case)) is not None]
    found = run_rules(pairs)
    again = [
        (case._replace(known=True), node)
        for (case, node), result in zip(pairs, found)
        if isinstance(result, Unsupported) and any(each.dtype.kind in "fc" for each in case.arrays)
    ]
    traced = [
        _difference(case, node, result)
        for (case, node), result in zip(pairs, found)
        if not isinstance(result, Unsupported)
    ]
    known = [
        _difference(case, node, result) for (case, node), result in zip(again, run_rules(again))
    ]
    wrong = [each for each in (*traced, *known) if each]
    assert not wrong, f"{len(wrong)} of {len(pairs)} cases\n" + "\n".join(wrong[:12])
