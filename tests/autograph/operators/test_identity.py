"""`is` of Python values is Python's, object by object."""

from __future__ import annotations

from autograph.backends.protocol import Backends
from autograph.operators.comparisons import IdentityComparison
from tests.each import for_each

IDENTITY = IdentityComparison(Backends(()))
VALUES = [None, True, 1, 1.0, "a", (), [], object(), float("nan"), len, NotImplemented]


@for_each("left", VALUES)
@for_each("right", VALUES)
def test_is_and_is_not(left, right):
    assert (left is right) is IDENTITY.same(left, right)
    assert (left is not right) is IDENTITY.differ(left, right)


def test_is_runs_no_code_of_the_object():
    class Hostile:
        def __eq__(self, other):
            raise AssertionError("is does not compare")

        def __bool__(self):
            raise AssertionError("is does not ask for the truth")

        __hash__ = object.__hash__

    one, other = Hostile(), Hostile()
    assert IDENTITY.same(one, one) is True
    assert IDENTITY.same(one, other) is False
