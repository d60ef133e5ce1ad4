"""Stand-ins for user objects hide none of their attributes."""

from __future__ import annotations

import pytest

from autograph.backends.graph.values.one_of_objects import OneOfObjects
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.lowering.operand_dispatch import STAND_INS_OWN


@pytest.mark.parametrize("kind", [OptionalValue, OneOfObjects])
def test_own_attributes_of_stand_ins_are_listed(kind: type) -> None:
    own = {name for name in vars(kind) if not name.startswith("_")}
    assert own
    assert own <= STAND_INS_OWN
