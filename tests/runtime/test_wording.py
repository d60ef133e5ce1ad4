"""Articles before nouns."""

from __future__ import annotations

import pytest

from runtime.wording import with_article


@pytest.mark.parametrize(
    "noun, text",
    [("int", "an int"), ("bool", "a bool"), ("ellipsis", "an ellipsis"), ("uint8", "a uint8")],
)
def test_articles(noun: str, text: str) -> None:
    assert with_article(noun) == text
