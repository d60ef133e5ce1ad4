"""Properties that are variables: to set one assigns the variable, also where a graph records."""

from __future__ import annotations


class Recorded(property):
    """A property whose setter assigns a variable and does nothing else.

    A converter need not carry what is set from one part of a graph to the next, as it does with
    what objects store.

    >>> class Box:
    ...     value = Recorded(lambda self: 1)
    >>> Box().value
    1
    """
