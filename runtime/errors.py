"""The errors of the runtime, under TensorFlow's names; each can show the line of the program."""

from __future__ import annotations

from typing import Any, TypeVar

from runtime.core.context import Origin
from runtime.core.lazy_imports import lazy_import, own_names

_text_in_notebook = lazy_import("runtime.core.uncaught_errors:text_in_notebook")


class OpError(Exception):
    """Base of every error of the runtime.

    Also accepts TensorFlow's arguments: `InvalidArgumentError(node_def, op, message)`.

    Args:
        message: the problem, the tensor that has it, and the correct code.
        origin: the line of the program that recorded the failing op, shown below the message
            unless the message has it.

    Attributes:
        error_code: the number of the kind of error.
        is_of_tracing: whether it is only raised while tracing; the program's own handlers do not
            catch it then.
        node_def, op: TensorFlow's attributes, None unless they are given.

    >>> print(ArgumentValueError("negative size", Origin("model.py", 12, "step")))
    negative size
      at model.py:12, in step
    """

    error_code = 2
    is_of_tracing = False

    def __init__(
        self,
        message: Any = "",
        origin: Any = None,
        *words: str,
        node_def: Any = None,
        op: Any = None,
    ) -> None:
        if words:
            node_def, op, message, origin = message, origin, words[0], None
        super().__init__(message)
        self.message: str = message
        self.origin: Origin | None = origin
        self.node_def = node_def
        self.op = op

    @property
    def help(self) -> str:
        """The entry about this class of error in the pages of the project.

        >>> ShapeError("shapes (2,) and (3,) do not broadcast").help
        'docs/troubleshooting.md#shapeerror'
        """
        own = next(each for each in type(self).__mro__ if each.__module__ == __name__)
        return f"docs/troubleshooting.md#{own.__name__.lower()}"

    _render_traceback_ = _text_in_notebook

    def __str__(self) -> str:
        place = f"  at {self.origin}"
        if self.origin is None or place in str(self.message).splitlines():
            return self.message
        return f"{self.message}\n{place}"


_E = TypeVar("_E", bound=OpError)
_B = TypeVar("_B", bound=BaseException)


def of_tracing(error: _E) -> _E:
    """Mark an error that is raised only while a program is recorded, and return it.

    >>> of_tracing(ShapeError("the shape is not known")).is_of_tracing
    True
    """
    error.is_of_tracing = True
    return error


def refusing(error: _B) -> _B:
    """Mark an error about a program that graphs do not support, and return it.

    It is not an error of the program, so no handler in the graph catches it.

    >>> is_refusal(refusing(IntegerOverflowError("2147483648 does not fit int32")))
    True
    """
    vars(error)["__refused__"] = True
    return error


def is_refusal(error: BaseException) -> bool:
    """Return whether an error was marked by `refusing`.

    >>> is_refusal(IntegerOverflowError("cannot convert float infinity to integer"))
    False
    """
    return hasattr(error, "__refused__")


class InvalidArgumentError(OpError):
    """An op received a value it cannot process.

    Each subclass is also the matching Python error, and no other: `except ValueError` does not
    catch a division by zero. Only a value that cannot become a tensor is both a TypeError and a
    ValueError, since TensorFlow raises either of them.
    """

    error_code = 3


class ArgumentValueError(InvalidArgumentError, ValueError):
    """An argument has the right type, but a value that the op does not accept."""


class DivisionByZeroError(InvalidArgumentError, ZeroDivisionError):
    """An integer is divided by 0."""


class IntegerOverflowError(InvalidArgumentError, OverflowError):
    """A Python int exceeds the range of its dtype in a graph, or infinity becomes an int."""


class OutOfBoundsError(InvalidArgumentError, IndexError):
    """An index is out of range."""


class DTypeError(InvalidArgumentError, TypeError):
    """A dtype, or the type of an argument, does not fit the op or the other operands."""


class DTypeValueError(DTypeError, ArgumentValueError):
    """A value cannot become a tensor, or not one of the required dtype."""


class CustomObjectError(ArgumentValueError):
    """A user's class or function is unknown by its name, or cannot be made from its config."""


class ShapeError(ArgumentValueError):
    """The shapes of operands do not fit each other or the op."""


class SymbolicTensorError(OpError, TypeError):
    """A tensor that has no value yet was used where Python needs a value."""

    is_of_tracing = True


class NoArrayError(SymbolicTensorError, AttributeError):
    """A symbolic tensor has no array; `hasattr` returns False."""


class MissingMethodError(OpError, AttributeError):
    """An object of the runtime has no attribute of this name; the message names another way."""


class OutOfScopeError(OpError, TypeError):
    """A tensor of one graph was used in another, or after its graph was finished."""

    is_of_tracing = True


class GraphError(OpError):
    """A graph violates one of its rules, or is used where another one is recorded, or none."""

    is_of_tracing = True


class TapeError(OpError, RuntimeError):
    """A gradient tape is used a second time, before it was open, or against its options."""


class OutOfRangeError(OpError, IndexError):
    """An iteration, or an index of a TensorArray, went past the end."""

    error_code = 11


class EndOfDatasetError(OutOfRangeError, StopIteration):
    """No element is left: TensorFlow's error for it, which is also Python's."""


class UnimplementedError(OpError, NotImplementedError):
    """The program is valid, but a part of it is not supported here."""

    error_code = 12


class FailedPreconditionError(OpError):
    """The state an op needs is missing, such as a variable's value."""

    error_code = 9


class NotBuiltError(FailedPreconditionError, ArgumentValueError, AttributeError):
    """A layer or model has no inputs or outputs yet; `hasattr` returns False."""


class ClosedError(FailedPreconditionError, RuntimeError):
    """A session, or a writer of summaries, is used after it was closed."""


class NoTraceError(FailedPreconditionError, ValueError):
    """`rt.summary.trace_export` is called without `trace_on`."""


class VariableCreationError(FailedPreconditionError, ValueError):
    """A Variable is created in code that Python runs many times, and a graph only once."""

    is_of_tracing = True


class NotFoundError(OpError):
    """A file, variable or key with the given name does not exist."""

    error_code = 5


class MissingModelError(NotFoundError, OSError, ValueError):
    """No model is in a file or folder: an OSError, as in TensorFlow, and Keras's ValueError."""


class MissingNameError(NotFoundError, KeyError):
    """No node of a graph, or no value in a file, has the given name."""


class AlreadyExistsError(OpError):
    """Something with the given name exists already."""

    error_code = 6


class PermissionDeniedError(OpError):
    """The caller may not do this."""

    error_code = 7


class UnauthenticatedError(OpError):
    """The caller's identity is not known."""

    error_code = 16


class ResourceExhaustedError(OpError):
    """Memory or another limited resource ran out."""

    error_code = 8


class OutOfMemoryError(ResourceExhaustedError, MemoryError):
    """A tensor would be larger than the available memory."""


class CancelledError(OpError):
    """The work was cancelled before it finished."""

    error_code = 1


class AbortedError(OpError):
    """The work was stopped, usually because of a conflict with concurrent work."""

    error_code = 10


class DeadlineExceededError(OpError):
    """The work did not finish in time."""

    error_code = 4


class UnavailableError(OpError):
    """A service, or a disk, does not answer at the moment."""

    error_code = 14


class DataLossError(OpError):
    """Stored data is damaged."""

    error_code = 15


class InternalError(OpError):
    """The runtime violated one of its own invariants: please report it."""

    error_code = 13


class UnknownError(OpError):
    """An error without a better name."""


# TensorFlow's names of the error codes.
OK = 0
CANCELLED = CancelledError.error_code
UNKNOWN = UnknownError.error_code
INVALID_ARGUMENT = InvalidArgumentError.error_code
DEADLINE_EXCEEDED = DeadlineExceededError.error_code
NOT_FOUND = NotFoundError.error_code
ALREADY_EXISTS = AlreadyExistsError.error_code
PERMISSION_DENIED = PermissionDeniedError.error_code
RESOURCE_EXHAUSTED = ResourceExhaustedError.error_code
FAILED_PRECONDITION = FailedPreconditionError.error_code
ABORTED = AbortedError.error_code
OUT_OF_RANGE = OutOfRangeError.error_code
UNIMPLEMENTED = UnimplementedError.error_code
INTERNAL = InternalError.error_code
UNAVAILABLE = UnavailableError.error_code
DATA_LOSS = DataLossError.error_code
UNAUTHENTICATED = UnauthenticatedError.error_code


class EngineWarning(UserWarning):
    """An engine broke its contract: the NumPy executor ran the call instead."""


class WaitWarning(UserWarning):
    """A process waits for others that do not come."""


class UnwatchedWarning(UserWarning):
    """The gradient of a tensor is None, since the tape does not watch the tensor."""


class StandInWarning(UserWarning):
    """`load_data` returns other digits, since the files of MNIST are missing."""


class TraceWarning(UserWarning):
    """An option of `rt.summary.trace_on` is not supported."""


# -- texts of messages ---------------------------------------------------------------------------


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


__dir__ = own_names(__name__)
