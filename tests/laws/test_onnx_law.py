"""Every op is exported to ONNX, or listed as unsupported with a reason."""

from __future__ import annotations

import pytest

from runtime.export.onnx.rules import DIRECT, RULES, UNSUPPORTED
from runtime.ops.op import REGISTRY
from tests.each import for_each


def test_every_op_is_in_one_table() -> None:
    tables = [set(DIRECT), set(RULES), set(UNSUPPORTED)]
    assert set(REGISTRY) == set().union(*tables)
    assert len(REGISTRY) == sum(map(len, tables))


def test_an_op_that_becomes_one_operator_names_one_of_onnx() -> None:
    onnx = pytest.importorskip("onnx")
    assert {} == {op: name for op, name in DIRECT.items() if not onnx.defs.has(name, 21, domain="")}


@for_each("name", sorted(UNSUPPORTED))
def test_a_reason_is_a_short_sentence(name: str) -> None:
    reason = UNSUPPORTED[name]
    assert 20 < len(reason) < 90 and not reason.endswith(".")
