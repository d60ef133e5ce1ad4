"""Python's own backend calls and returns as Python does."""

from __future__ import annotations

import pytest

from autograph.backends.protocol import Backends
from autograph.backends.python import PythonBackend


def test_words_of_lists_texts_and_functions_are_pythons() -> None:
    call = PythonBackend().call
    items = [1, 2]
    call("list.__delitem__", (items, 0), {})
    assert [2] == items
    assert (3, 3) == call("tuple.__mul__", ((3,), 2), {})
    assert "a-b" == call("str.join", ("-", ["a", "b"]), {})
    assert "1 2" == call("str.format", ("{} {x}", 1), {"x": 2})
    assert 3 == call("np.max", (max, 1, 3), {})
    assert [1, 2] == call("sorted", ([2, 1],), {})


def test_a_backend_that_inherits_from_pythons_says_which_types_it_owns() -> None:
    class Unfinished(PythonBackend):
        pass

    with pytest.raises(TypeError, match="Unfinished owns every type: define its `owned_types`"):
        Backends((Unfinished(),))  # type: ignore[arg-type]
