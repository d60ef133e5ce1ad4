"""Every op has a rule in the JAX engine, belongs to its core, or is listed with a reason."""

from __future__ import annotations

from runtime.executors.jax.rules import IN_CORE, RULES, UNSUPPORTED
from runtime.ops.op import REGISTRY
from tests.each import for_each


def test_no_op_is_in_two_tables() -> None:
    tables = [set(RULES), set(IN_CORE), set(UNSUPPORTED)]
    assert set().union(*tables) <= set(REGISTRY)
    assert len(set().union(*tables)) == sum(map(len, tables))


@for_each("name", sorted(UNSUPPORTED))
def test_a_reason_ends_a_sentence(name: str) -> None:
    reason = UNSUPPORTED[name]
    assert reason.startswith("no ") and len(reason) < 90 and not reason.endswith(".")
