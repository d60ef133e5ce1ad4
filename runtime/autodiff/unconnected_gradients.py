"""The gradient with respect to a value that the target does not depend on."""

from __future__ import annotations

import enum
from typing import Any

from runtime.core.argument_checks import shown
from runtime.errors import DTypeError


class UnconnectedGradients(enum.Enum):
    """None, or zeros of the shape of the source; the values may be given as strings.

    >>> UnconnectedGradients("zero")
    <UnconnectedGradients.ZERO: 'zero'>
    """

    NONE = "none"
    ZERO = "zero"


def fills_with_zeros(unconnected: Any) -> bool:
    """Return whether unconnected gradients become zeros; DTypeError for any other choice.

    >>> fills_with_zeros("none"), fills_with_zeros(UnconnectedGradients.ZERO)
    (False, True)
    """
    word = getattr(unconnected, "value", unconnected)
    if not isinstance(word, str) or word not in ("none", "zero"):
        raise DTypeError(
            f"unconnected_gradients must be 'none' or 'zero', not {shown(unconnected)}"
        )
    return word == "zero"
