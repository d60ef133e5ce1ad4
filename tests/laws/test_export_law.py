"""Every op is exported to a GraphDef, or listed as unsupported with a reason."""

from __future__ import annotations

from runtime.export.graphdef.rules import DIRECT, RULES, UNSUPPORTED
from runtime.export.graphdef.tf_ops import SIGNATURES
from runtime.ops.op import REGISTRY
from tests.each import for_each


def test_every_op_is_in_one_table() -> None:
    tables = [set(DIRECT), set(RULES), set(UNSUPPORTED)]
    assert set(REGISTRY) == set().union(*tables)
    assert len(REGISTRY) == sum(map(len, tables))


@for_each("name", sorted(DIRECT))
def test_an_op_that_becomes_one_node_names_it(name: str) -> None:
    signature = SIGNATURES[REGISTRY[name].tensorflow_name]
    assert not any(argument.count for argument in (*signature.inputs, *signature.outputs))


@for_each("name", sorted(UNSUPPORTED))
def test_a_reason_is_a_short_sentence(name: str) -> None:
    reason = UNSUPPORTED[name]
    assert 20 < len(reason) < 90 and not reason.endswith(".")


def test_every_graphdef_op_name_has_a_signature() -> None:
    named = {op.tensorflow_name for op in REGISTRY.values()} - {""}
    unknown = {
        name
        for name in named - set(SIGNATURES)
        if not any(REGISTRY[op].tensorflow_name == name for op in UNSUPPORTED)
    }
    assert set() == unknown
