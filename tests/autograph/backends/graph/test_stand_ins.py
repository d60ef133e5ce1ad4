"""What stands for objects of the user's hides none of their attributes."""

from __future__ import annotations

import pytest

from autograph.backends.graph.values.one_of_objects import OneOfObjects
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.lowering.operand_dispatch import STAND_INS_OWN


@pytest.mark.parametrize("kind", [OptionalValue, OneOfObjects])
def test_their_own_names_are_asked_for_through_a_delegate(kind: type) -> None:
    own = {name for name in vars(kind) if not name.startswith("_")}
    assert own
    assert own <= STAND_INS_OWN
