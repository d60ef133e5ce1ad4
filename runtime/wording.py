"""Nouns in messages: the article that goes before a name."""

from __future__ import annotations


def with_article(noun: str) -> str:
    """Return a noun with "a" or "an" before it.

    >>> with_article("int"), with_article("uint8"), with_article("EagerTensor"), with_article("set")
    ('an int', 'a uint8', 'an EagerTensor', 'a set')
    """
    return f"{'an' if noun[:1].lower() in tuple('aeio') else 'a'} {noun}"
