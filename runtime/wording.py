"""Words of messages: the article that goes before a name, values in the form asked for."""

from __future__ import annotations

from runtime.errors import ArgumentValueError


def with_article(noun: str) -> str:
    """Return a noun with "a" or "an" before it.

    >>> with_article("int"), with_article("uint8"), with_article("EagerTensor"), with_article("set")
    ('an int', 'a uint8', 'an EagerTensor', 'a set')
    """
    return f"{'an' if noun[:1].lower() in tuple('aeio') else 'a'} {noun}"


def formatted(value: object, form: str) -> str:
    """Return a value as `format` writes it; ArgumentValueError for a form it does not know.

    >>> formatted(1.5, ".2f")
    '1.50'
    """
    try:
        return format(value, form)
    except (ValueError, TypeError) as error:
        raise ArgumentValueError(str(error)) from None
