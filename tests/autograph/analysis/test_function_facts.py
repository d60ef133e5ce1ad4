"""The facts about one function are those of its tree."""

from __future__ import annotations

from typing import Any

import pytest

import autograph as ag
from autograph.analysis.function_facts import FunctionFacts
from autograph.errors import SourceError


def plain(x):  # type: ignore[no-untyped-def]
    return x


@pytest.mark.parametrize("given", [plain, ag.function(plain), "plain"])
def test_a_function_without_its_tree_is_refused(given: Any) -> None:
    with pytest.raises(SourceError, match=r"write FunctionFacts\(source_of\(f\)\.node\)"):
        FunctionFacts(given)
