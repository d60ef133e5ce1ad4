"""The errors of the runtime: the names TensorFlow programs catch, each able to show a user line."""

from __future__ import annotations

from runtime.context import Origin


class OpError(Exception):
    """Base of every error of the runtime.

    Args:
        message: what happened, to which tensor, and what to write instead.
        origin: the user's position that made the failing op, shown as a second line.

    >>> print(ArgumentValueError("negative size", Origin("model.py", 12, "step")))
    negative size
      at model.py:12, in step
    """

    def __init__(self, message: str = "", origin: Origin | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.origin = origin

    def __str__(self) -> str:
        if self.origin is None:
            return self.message
        return f"{self.message}\n  at {self.origin}"


class InvalidArgumentError(OpError):
    """An op was given a value it cannot work with.

    Each kind of these is Python's own error for that as well, and no other one of Python's: an
    `except ValueError` does not catch a division by zero.
    """


class ArgumentValueError(InvalidArgumentError, ValueError):
    """A value is of the right kind, but not one the op can work with; a ValueError, too."""


class DivisionByZeroError(InvalidArgumentError, ZeroDivisionError):
    """An integer is divided by 0; also Python's own error for that."""


class IntegerOverflowError(InvalidArgumentError, OverflowError):
    """A whole number that stands for Python's is larger than its dtype can hold."""


class OutOfBoundsError(InvalidArgumentError, IndexError):
    """An index is outside of what it points into; also Python's own error for that."""


class DTypeError(InvalidArgumentError, TypeError):
    """The dtypes of operands do not fit each other or the op."""


class ShapeError(ArgumentValueError):
    """The shapes of operands do not fit each other or the op."""


class SymbolicTensorError(OpError, TypeError):
    """A tensor without a value yet was used where Python needs one."""


class MissingMethodError(OpError, AttributeError):
    """A text that is known only when the graph runs is asked for what it does not have."""


class OutOfScopeError(OpError, TypeError):
    """A tensor of one graph was used in another, or after its graph was finished."""


class GraphError(OpError):
    """A graph breaks one of its own rules."""


class OutOfRangeError(OpError, IndexError):
    """An iteration went past the end of its input."""


class UnimplementedError(OpError, NotImplementedError):
    """The combination of arguments exists but is not supported here."""


class FailedPreconditionError(OpError):
    """The state an op needs is not there, such as a variable without a value."""


class VariableCreationError(FailedPreconditionError, ValueError):
    """A Variable is made where a graph would make it once and Python makes it each time."""


class NotFoundError(OpError):
    """A named thing (file, variable, key) does not exist."""


class MissingNameError(NotFoundError, KeyError):
    """A node of a graph is asked for by a name that none has."""


class AlreadyExistsError(OpError):
    """A named thing was to be created twice."""


class PermissionDeniedError(OpError):
    """The caller may not do this."""


class UnauthenticatedError(OpError):
    """The caller's identity is not known."""


class ResourceExhaustedError(OpError):
    """Memory or another limited resource ran out."""


class CancelledError(OpError):
    """The work was cancelled before it finished."""


class AbortedError(OpError):
    """The work was given up, usually because of concurrent work."""


class DeadlineExceededError(OpError):
    """The work did not finish in time."""


class UnavailableError(OpError):
    """A service is not reachable at the moment."""


class DataLossError(OpError):
    """Stored data is damaged."""


class InternalError(OpError):
    """The runtime broke one of its own promises: please report it."""


class UnknownError(OpError):
    """An error without a better name."""
