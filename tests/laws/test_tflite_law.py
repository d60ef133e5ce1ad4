"""Every op goes into a TensorFlow Lite model, or is listed as unsupported with a reason."""

from __future__ import annotations

from runtime.export.tflite.rules import lowered_ops
from runtime.export.tflite.unsupported import UNSUPPORTED
from runtime.ops.op import REGISTRY
from tests.each import for_each


def test_every_op_is_in_one_table() -> None:
    tables = [lowered_ops(), set(UNSUPPORTED)]
    assert set(REGISTRY) == set().union(*tables)
    assert len(REGISTRY) == sum(map(len, tables))


@for_each("name", sorted(UNSUPPORTED))
def test_a_reason_is_a_short_sentence(name: str) -> None:
    reason = UNSUPPORTED[name]
    assert 20 < len(reason) < 100 and not reason.endswith(".")
