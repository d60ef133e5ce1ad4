"""The errors of this package, which have the position in the user's source if it is known."""

from __future__ import annotations

import sys
from typing import Protocol


class SourcePosition(Protocol):
    """A position in the user's source, such as a `SourceSpan` of `syntax.origin`.

    >>> class Line:
    ...     def describe(self):
    ...         return "at model.py:3, in f"
    >>> print(AutographError("x has no value", Line()))
    x has no value
      at model.py:3, in f
    """

    def describe(self) -> str:
        """Return `at FILE:LINE, in FUNCTION`, and the line with carets if its text is known."""


class AutographError(Exception):
    """The base class of the errors of this package.

    Args:
        message: the message, with the user's name of the wrong value, and a replacement to write.
        origin: the position in the user's source, or None if it is unknown.
    """

    def __init__(self, message: str, origin: SourcePosition | None = None) -> None:
        message = _without_marks(message)
        super().__init__(message)
        self.message = message
        self.origin = origin

    @property
    def help(self) -> str:
        """The entry about this class of error in the pages of the project.

        >>> ConditionError("x > 0 is a vector").help
        'docs/troubleshooting.md#conditionerror'
        """
        own = next(each for each in type(self).__mro__ if each.__module__ == __name__)
        return f"docs/troubleshooting.md#{own.__name__.lower()}"

    def _render_traceback_(self) -> list[str]:
        """Return the lines that IPython shows, without the frames of these packages."""
        # Nothing is imported here, see `__dir__`; `runtime` has imported the module.
        shown: list[str] = sys.modules["runtime.core.uncaught_errors"].text_in_notebook(self)
        return shown

    def __str__(self) -> str:
        if self.origin is None:
            return self.message
        return f"{self.message}\n{_indented(self.origin.describe())}"


class SourceError(AutographError, ValueError):
    """The source of a function is not available: it has no file, is in C, or the file changed."""


class ConversionError(AutographError, ValueError):
    """A function cannot be converted."""


class PipelineError(AutographError):
    """The converters are in a wrong order, or one of them returned an invalid tree."""


class TemplateError(AutographError, ValueError):
    """A template is not valid, or its holes get wrong values."""


class StagingError(AutographError):
    """A statement on symbolic values cannot become part of the graph."""


class ConditionError(StagingError, ValueError):
    """The condition of a staged `if`, `while`, `and`, ... is not a scalar boolean."""


class BranchMismatch(StagingError, TypeError):
    """A variable has values of different types after the branches of a staged conditional."""


class UndefinedBranchError(StagingError, ValueError):
    """Python needs the value of a variable that has one on some paths only."""


class LoopMismatch(StagingError, TypeError):
    """A loop variable changes its dtype or structure in an iteration."""


class ContainerMutationError(StagingError):
    """A container, array, iterator or other object was changed where no graph can follow.

    Args:
        message, origin: as of `AutographError`.
        array: the changed NumPy array; None if it is another object.
    """

    def __init__(
        self, message: str, origin: SourcePosition | None = None, array: object = None
    ) -> None:
        super().__init__(message, origin)
        self.array = array


class StagedIterationError(StagingError, TypeError):
    """A staged `for` cannot iterate over a value."""


class UnconvertedUseError(StagingError, TypeError):
    """Unconverted code got a symbolic tensor."""


class LeakError(StagingError, TypeError):
    """A traced function left a tensor of its graph in a place where no call can put a value.

    Args:
        message, origin: as of `AutographError`.
        place: the place, such as `model.last`; "" if it has no name.
    """

    def __init__(self, message: str, origin: SourcePosition | None = None, place: str = "") -> None:
        super().__init__(message, origin)
        self.place = place


class ResultError(StagingError, TypeError):
    """A traced function returned a value that is not a tensor and cannot become one."""


class NestingError(StagingError):
    """Staged statements are nested deeper than any program nests them."""


class UnknownLengthError(StagingError):
    """The number of items of a list of a JAX program is known only when the program runs.

    Args:
        message, origin: as of `AutographError`.
        owner: the list, or the code that appends to it.
    """

    def __init__(
        self, message: str, origin: SourcePosition | None = None, owner: object = None
    ) -> None:
        super().__init__(message, origin)
        self.owner = owner


class ListMethodError(StagingError, AttributeError):
    """A list that has grown in a loop of a JAX program lacks a method of Python's lists."""


class ReverseModeError(StagingError, ValueError):
    """A reverse gradient of a JAX program goes through a loop of unknown length."""


class UnrolledLoopWarning(UserWarning):
    """A loop over Python values is unrolled into many iterations."""


class RetracingWarning(UserWarning):
    """A Function is traced again in many of its latest calls."""


class StaleValueWarning(UserWarning):
    """A variable or attribute has another value than in the trace, which has the old one."""


class TraceEffectWarning(UserWarning):
    """Python code with an effect, or a random number, ran in a trace and will not run in calls."""


class SignatureError(AutographError, TypeError):
    """Arguments, their signature or the function itself are not of a kind that is accepted."""


class UnknownArgumentsError(SignatureError, ValueError):
    """A saved function has no trace for the arguments; it is a ValueError, as in TensorFlow."""


class ExportError(AutographError, ValueError):
    """There is nothing to export, several functions to choose from, or no such format."""


class ArgumentMutationError(AutographError, ValueError):
    """A traced function changed a list, dict or set in its arguments."""


class CheckFailed(AutographError, AssertionError):
    """The runs of a function differ; the message is the report."""


class ShadowingError(AutographError, ImportError):
    """Another package has a name that this project needs, such as `runtime`."""


class CommandError(AutographError):
    """The command line is wrong."""


def _without_marks(message: str) -> str:
    """Return a message with dots for values of the graph, which a user's `__repr__` shows."""
    start, *parts = message.split("\0\2")  # as `backends.graph.functions.strings` delimits marks
    return "...".join((start, *(part.partition("\3\0")[2] for part in parts)))


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())


def __dir__() -> list[str]:
    # The check that `runtime` is ours raises an error of here, so nothing of it is imported.
    public = (each for each in globals().values() if getattr(each, "__module__", "") == __name__)
    return sorted(each.__name__ for each in public if not each.__name__.startswith("_"))
