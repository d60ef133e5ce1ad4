"""The one family of errors this package raises, each able to point at the user's own line."""

from __future__ import annotations

from typing import Protocol


class Place(Protocol):
    """A position as an error needs it: it prints itself (see `syntax.origin`)."""

    def describe(self) -> str:
        """Return `at FILE:LINE, in FUNCTION` and, where the text is known, the line with carets."""


class AutographError(Exception):
    """Base of every error of this package.

    Args:
        message: what happened, to which of the user's names, and what to write instead.
        origin: where in the user's source it happened, or None when that is unknown.
    """

    def __init__(self, message: str, origin: Place | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.origin = origin

    def __str__(self) -> str:
        if self.origin is None:
            return self.message
        return f"{self.message}\n{_indented(self.origin.describe())}"


class SourceError(AutographError, ValueError):
    """The source of a function is not available: no file, written in C, edited since import."""


class ConversionError(AutographError, ValueError):
    """A function's source was found but cannot be converted."""


class PipelineError(AutographError):
    """The order of the converters contradicts their declarations, or one broke its guarantee."""


class TemplateError(AutographError, ValueError):
    """A template was given holes other than those it declares."""


class StagingError(AutographError):
    """A statement on symbolic values cannot be put into the graph."""


class ConditionError(StagingError, ValueError):
    """The test of a staged `if`, `while`, `and`, ... is not a scalar truth value."""


class BranchMismatch(StagingError, TypeError):
    """The branches of a staged conditional leave a variable in ways that cannot be joined."""


class UndefinedBranchError(StagingError, ValueError):
    """A variable is left undefined (or None) by one branch only and cannot be carried on."""


class LoopMismatch(StagingError, TypeError):
    """A loop variable changes dtype or structure from one iteration to the next."""


class ContainerMutationError(StagingError):
    """A list, dict or object from outside was changed inside a staged body, where it would leak.

    Args:
        message, origin: as of all errors.
        array: the NumPy array from outside that was changed; None if it is something else.
    """

    def __init__(self, message: str, origin: Place | None = None, array: object = None) -> None:
        super().__init__(message, origin)
        self.array = array


class StagedIterationError(StagingError, TypeError):
    """A value cannot be iterated over by a staged `for`."""


class UnconvertedUseError(StagingError, TypeError):
    """Unconverted code got a tensor that has no value yet."""


class UnrolledLoopWarning(UserWarning):
    """A loop over Python values is unrolled into many iterations."""


class RetracingWarning(UserWarning):
    """A Function is traced again in most of its calls."""


class StaleValueWarning(UserWarning):
    """A place has another value than at the trace, and the trace keeps the old one."""


class TraceEffectWarning(UserWarning):
    """Python code with an effect ran while a function was traced, and runs in no call of it."""


class SignatureError(AutographError, TypeError):
    """A Function was called with arguments its signature does not take."""


class ArgumentMutationError(AutographError, ValueError):
    """A traced function changed a list or dict passed to it as an argument."""


class ShadowingError(AutographError, ImportError):
    """TensorFlow's name is to mean this package, and TensorFlow is imported already."""


class CommandError(AutographError):
    """The command line has an argument that it cannot use."""


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())
